package lexicon

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
)

// asked is a question and what it names: each mention as its concept and its canonical name, in the question's order.
type asked struct {
	question string
	want     []string
}

// boardQuestions are questions as tumour boards write them down.
//
//nolint:misspell // as papers spell it
var boardQuestions = []asked{
	{"KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor China", []string{"gene_variant KRAS G12C", "disease colorectal cancer", "mechanism_outcome resistance", "mechanism_outcome SHP2 inhibitor", "mechanism_outcome SOS1 inhibitor"}},
	{"ATM germline mutation colorectal cancer TMB-H MSS", []string{"gene_variant ATM", "mechanism_outcome germline mutation", "disease colorectal cancer"}},
	{"Fulzerasib cetuximab colorectal cancer IBI351", []string{"drug fulzerasib", "drug cetuximab", "disease colorectal cancer", "drug fulzerasib"}},
	{"What is the role of SHP2 and SOS1 inhibitors in KRAS p.G12C CRC?", []string{"mechanism_outcome SHP2 inhibitor", "mechanism_outcome SOS1 inhibitor", "gene_variant KRAS G12C", "disease colorectal cancer"}},
	{"Is osimertinib effective after progression in EGFR T790M NSCLC with brain metastases?", []string{"drug osimertinib", "gene_variant EGFR T790M", "disease non-small cell lung cancer", "mechanism_outcome brain metastases"}},
	{"EGFR exon 20 insertion NSCLC amivantamab", []string{"gene_variant EGFR exon 20 insertion", "disease non-small cell lung cancer", "drug amivantamab"}},
	{"EGFR ex19del and L858R: osimertinib vs erlotinib plus bevacizumab", []string{"gene_variant EGFR exon 19 deletion", "gene_variant EGFR L858R", "drug osimertinib", "drug erlotinib", "drug bevacizumab"}},
	{"BRAFV600E melanoma dabrafenib trametinib adjuvant", []string{"gene_variant BRAF V600E", "disease melanoma", "drug dabrafenib", "drug trametinib", "mechanism_outcome adjuvant"}},
	{"BRAF p.Val600Glu metastatic colorectal cancer encorafenib cetuximab", []string{"gene_variant BRAF V600E", "disease colorectal cancer", "drug encorafenib", "drug cetuximab"}},
	{"METex14 skipping NSCLC capmatinib", []string{"gene_variant MET exon 14 skipping", "disease non-small cell lung cancer", "drug capmatinib"}},
	{"MET exon 14 skipping lung adenocarcinoma elderly", []string{"gene_variant MET exon 14 skipping", "disease lung adenocarcinoma"}},
	{"MET amplification after osimertinib resistance", []string{"gene_variant MET amplification", "drug osimertinib", "mechanism_outcome resistance"}},
	{"HER2-low breast cancer trastuzumab deruxtecan ILD", []string{"disease HER2-low breast cancer", "drug trastuzumab deruxtecan", "mechanism_outcome pneumonitis"}},
	{"ERBB2 amplification gastric cancer T-DXd", []string{"gene_variant ERBB2 amplification", "disease gastric cancer", "drug trastuzumab deruxtecan"}},
	{"HER2-positive colorectal cancer tucatinib trastuzumab", []string{"gene_variant ERBB2 positive", "disease colorectal cancer", "drug tucatinib", "drug trastuzumab"}},
	{"EML4-ALK fusion lung cancer lorlatinib CNS activity", []string{"gene_variant EML4-ALK fusion", "disease lung cancer", "drug lorlatinib", "mechanism_outcome efficacy"}},
	{"ALK-positive NSCLC after alectinib, G1202R mutation", []string{"gene_variant ALK fusion", "disease non-small cell lung cancer", "drug alectinib", "gene_variant G1202R"}},
	{"ROS1 rearranged NSCLC repotrectinib", []string{"gene_variant ROS1 fusion", "disease non-small cell lung cancer", "drug repotrectinib"}},
	{"RET fusion-positive thyroid cancer selpercatinib", []string{"gene_variant RET fusion", "disease thyroid cancer", "drug selpercatinib"}},
	{"NTRK fusion solid tumours larotrectinib children", []string{"gene_variant NTRK fusion", "disease solid tumor", "drug larotrectinib"}},
	{"NRG1 fusion pancreatic cancer zenocutuzumab", []string{"gene_variant NRG1 fusion", "disease pancreatic cancer", "drug zenocutuzumab"}},
	{"PIK3CA H1047R HR-positive HER2-negative breast cancer alpelisib", []string{"gene_variant PIK3CA H1047R", "disease hormone receptor-positive breast cancer", "drug alpelisib"}},
	{"ESR1 mutation elacestrant", []string{"gene_variant ESR1", "drug elacestrant"}},
	{"BRCA1 germline ovarian cancer olaparib maintenance", []string{"gene_variant BRCA1", "disease ovarian cancer", "drug olaparib", "mechanism_outcome maintenance"}},
	{"BRCA2 pancreatic cancer platinum-sensitive PARP inhibitor maintenance", []string{"gene_variant BRCA2", "disease pancreatic cancer", "mechanism_outcome platinum sensitivity", "mechanism_outcome PARP inhibitor", "mechanism_outcome maintenance"}},
	{"PALB2 breast cancer PARP inhibitor", []string{"gene_variant PALB2", "disease breast cancer", "mechanism_outcome PARP inhibitor"}},
	{"TNBC PD-L1 positive pembrolizumab neoadjuvant", []string{"disease triple-negative breast cancer", "drug pembrolizumab", "mechanism_outcome neoadjuvant"}},
	{"FGFR2 fusion intrahepatic cholangiocarcinoma pemigatinib", []string{"gene_variant FGFR2 fusion", "disease intrahepatic cholangiocarcinoma", "drug pemigatinib"}},
	{"IDH1 R132H glioma vorasidenib", []string{"gene_variant IDH1 R132H", "disease glioma", "drug vorasidenib"}},
	{"IDH1 R132C cholangiocarcinoma ivosidenib", []string{"gene_variant IDH1 R132C", "disease cholangiocarcinoma", "drug ivosidenib"}},
	{"MGMT methylated GBM temozolomide elderly", []string{"gene_variant MGMT methylation", "disease glioblastoma", "drug temozolomide"}},
	{"H3 K27M diffuse midline glioma ONC201", []string{"gene_variant H3 K27M", "disease diffuse midline glioma", "drug ONC201"}},
	{"KIT exon 11 GIST imatinib", []string{"gene_variant KIT exon 11", "disease gastrointestinal stromal tumor", "drug imatinib"}},
	{"PDGFRA D842V GIST avapritinib", []string{"gene_variant PDGFRA D842V", "disease gastrointestinal stromal tumor", "drug avapritinib"}},
	{"KIT D816V systemic mastocytosis avapritinib", []string{"gene_variant KIT D816V", "disease systemic mastocytosis", "drug avapritinib"}},
	{"FLT3-ITD AML gilteritinib vs quizartinib", []string{"gene_variant FLT3 ITD", "disease acute myeloid leukemia", "drug gilteritinib", "drug quizartinib"}},
	{"NPM1 mutated AML venetoclax azacitidine older patients", []string{"gene_variant NPM1", "disease acute myeloid leukemia", "drug venetoclax", "drug azacitidine"}},
	{"del(17p) CLL zanubrutinib vs ibrutinib", []string{"gene_variant 17p deletion", "disease chronic lymphocytic leukemia", "drug zanubrutinib", "drug ibrutinib"}},
	{"BCR::ABL1 T315I CML asciminib ponatinib", []string{"gene_variant BCR-ABL1 T315I", "disease chronic myeloid leukemia", "drug asciminib", "drug ponatinib"}},
	{"JAK2 V617F myelofibrosis ruxolitinib", []string{"gene_variant JAK2 V617F", "disease myelofibrosis", "drug ruxolitinib"}},
	{"t(11;14) multiple myeloma venetoclax", []string{"gene_variant t(11;14)", "disease multiple myeloma", "drug venetoclax"}},
	{"BCMA CAR-T relapsed refractory multiple myeloma ide-cel", []string{"gene_variant TNFRSF17", "mechanism_outcome CAR-T", "disease multiple myeloma", "drug idecabtagene vicleucel"}},
	{"DLBCL CD19 CAR-T relapse bispecific", []string{"disease diffuse large B-cell lymphoma", "gene_variant CD19", "mechanism_outcome CAR-T", "mechanism_outcome recurrence", "mechanism_outcome bispecific antibody"}},
	{"MSI-H endometrial cancer dostarlimab", []string{"gene_variant microsatellite instability", "disease endometrial cancer", "drug dostarlimab"}},
	{"dMMR rectal cancer PD-1 blockade watch and wait", []string{"gene_variant microsatellite instability", "disease rectal cancer", "mechanism_outcome PD-1 inhibitor", "mechanism_outcome watch and wait"}},
	{"POLE P286R endometrial cancer", []string{"gene_variant POLE P286R", "disease endometrial cancer"}},
	{"CLDN18.2 gastric adenocarcinoma zolbetuximab", []string{"gene_variant CLDN18", "disease gastric cancer", "drug zolbetuximab"}},
	{"FGFR3 S249C urothelial carcinoma erdafitinib", []string{"gene_variant FGFR3 S249C", "disease urothelial carcinoma", "drug erdafitinib"}},
	{"enfortumab vedotin pembrolizumab bladder cancer neuropathy", []string{"drug enfortumab vedotin", "drug pembrolizumab", "disease bladder cancer", "mechanism_outcome neuropathy"}},
	{"AR-V7 mCRPC cabazitaxel", []string{"gene_variant AR-V7", "disease castration-resistant prostate cancer", "drug cabazitaxel"}},
	{"PSMA lutetium mCRPC after taxane", []string{"drug lutetium Lu 177 vipivotide tetraxetan", "disease castration-resistant prostate cancer", "mechanism_outcome taxane"}},
	{"BRCA2 mCRPC olaparib abiraterone", []string{"gene_variant BRCA2", "disease castration-resistant prostate cancer", "drug olaparib", "drug abiraterone"}},
	{"VHL disease belzutifan", []string{"disease von Hippel-Lindau disease", "drug belzutifan"}},
	{"NF1 MPNST selumetinib", []string{"gene_variant NF1", "disease malignant peripheral nerve sheath tumor", "drug selumetinib"}},
	{"CDK4 amplification dedifferentiated liposarcoma abemaciclib", []string{"gene_variant CDK4 amplification", "disease dedifferentiated liposarcoma", "drug abemaciclib"}},
	{"SMARCB1 epithelioid sarcoma tazemetostat", []string{"gene_variant SMARCB1", "disease epithelioid sarcoma", "drug tazemetostat"}},
	{"KRAS wild-type pancreatic cancer", []string{"gene_variant KRAS wild-type", "disease pancreatic cancer"}},
	{"RAS wild-type left-sided metastatic colorectal cancer panitumumab rechallenge", []string{"gene_variant RAS wild-type", "disease colorectal cancer", "drug panitumumab", "mechanism_outcome rechallenge"}},
	{"KRAS G12D pancreatic ductal adenocarcinoma MRTX1133", []string{"gene_variant KRAS G12D", "disease pancreatic ductal adenocarcinoma", "drug MRTX1133"}},
	{"STK11 KEAP1 KRAS G12C NSCLC immunotherapy resistance", []string{"gene_variant STK11", "gene_variant KEAP1", "gene_variant KRAS G12C", "disease non-small cell lung cancer", "mechanism_outcome immunotherapy", "mechanism_outcome resistance"}},
	{"TP53 R175H", []string{"gene_variant TP53 R175H"}},
	{"p53 loss and MDM2 amplification sarcoma", []string{"gene_variant TP53 loss", "gene_variant MDM2 amplification", "disease soft tissue sarcoma"}},
	{"Merkel cell carcinoma avelumab", []string{"disease Merkel cell carcinoma", "drug avelumab"}},
	{"uveal melanoma tebentafusp", []string{"disease uveal melanoma", "drug tebentafusp"}},
	{"osteosarcoma regorafenib", []string{"disease osteosarcoma", "drug regorafenib"}},
	{"Wilms tumour relapse", []string{"disease Wilms tumor", "mechanism_outcome recurrence"}},
	{"HPV-positive oropharyngeal cancer de-escalation", []string{"mechanism_outcome human papillomavirus", "disease oropharyngeal cancer", "mechanism_outcome treatment discontinuation"}},
	{"CUP NGS targeted therapy", []string{"disease cancer of unknown primary", "mechanism_outcome next-generation sequencing", "mechanism_outcome targeted therapy"}},
	{"KRASG12C NSCLC divarasib", []string{"gene_variant KRAS G12C", "disease non-small cell lung cancer", "drug divarasib"}},
	{"KRAS-G12C/D mutated PDAC", []string{"gene_variant KRAS G12C", "gene_variant KRAS G12D", "disease pancreatic ductal adenocarcinoma"}},
	{"KRAS突变结直肠癌 cetuximab", []string{"gene_variant KRAS", "drug cetuximab"}},
	{"DPYD deficiency 5-FU toxicity", []string{"mechanism_outcome DPD deficiency", "drug fluorouracil", "mechanism_outcome toxicity"}},
	{"immune checkpoint inhibitors in patients with autoimmune disease", []string{"mechanism_outcome immune checkpoint inhibitor", "mechanism_outcome autoimmune disease"}},
	{"CRC liver metastases resection", []string{"disease colorectal cancer", "mechanism_outcome liver metastases", "mechanism_outcome surgery"}},
	{"lung cancer", []string{"disease lung cancer"}},
	{"anti-EGFR rechallenge ctDNA RAS wild type colorectal cancer", []string{"mechanism_outcome anti-EGFR rechallenge", "mechanism_outcome circulating tumor DNA", "gene_variant RAS wild-type", "disease colorectal cancer"}},
	{"exon 19 deletion EGFR afatinib", []string{"gene_variant EGFR exon 19 deletion", "drug afatinib"}},
	{"V600E-mutant BRAF cholangiocarcinoma", []string{"gene_variant BRAF V600E", "disease cholangiocarcinoma"}},
	{"KRAS G12C and G12D, EGFR", []string{"gene_variant KRAS G12C", "gene_variant KRAS G12D", "gene_variant EGFR"}},
	{"CD274 amplification Hodgkin lymphoma nivolumab", []string{"gene_variant CD274 amplification", "disease Hodgkin lymphoma", "drug nivolumab"}},
	{"TROP2 ADC TNBC sacituzumab govitecan neutropenia G-CSF", []string{"gene_variant TACSTD2", "mechanism_outcome antibody-drug conjugate", "disease triple-negative breast cancer", "drug sacituzumab govitecan", "mechanism_outcome neutropenia", "drug filgrastim"}},
	{"ECOG 1 TMB 12 mut/Mb p.G12C NSCLC", []string{"gene_variant G12C", "disease non-small cell lung cancer"}},
	{"acute lymphoblastic leukemia blinatumomab MRD", []string{"disease acute lymphoblastic leukemia", "drug blinatumomab", "mechanism_outcome minimal residual disease"}},
	{"ALL relapse blinatumomab", []string{"disease acute lymphoblastic leukemia", "mechanism_outcome recurrence", "drug blinatumomab"}},
	{"T-ALL nelarabine", []string{"disease T-cell acute lymphoblastic leukemia", "drug nelarabine"}},
	{"aspirin colorectal cancer prevention", []string{"drug aspirin", "disease colorectal cancer", "mechanism_outcome prevention"}},
	{"cystic fibrosis pseudomonas infection", []string{"mechanism_outcome infection"}},
	{"CNS efficacy of lorlatinib in ALK rearranged NSCLC", []string{"mechanism_outcome efficacy", "drug lorlatinib", "gene_variant ALK fusion", "disease non-small cell lung cancer"}},
	{"MSS CRC botensilimab balstilimab", []string{"disease colorectal cancer", "drug botensilimab", "drug balstilimab"}},
	{"tumour lysis syndrome venetoclax CLL", []string{"mechanism_outcome tumor lysis syndrome", "drug venetoclax", "disease chronic lymphocytic leukemia"}},
	{"HER2 exon 20 insertion NSCLC zongertinib", []string{"gene_variant ERBB2 exon 20 insertion", "disease non-small cell lung cancer", "drug zongertinib"}},
	{"EGFR C797S after osimertinib", []string{"gene_variant EGFR C797S", "drug osimertinib"}},
	{"EGFR S768I/G719X afatinib", []string{"gene_variant EGFR S768I", "gene_variant EGFR G719X", "drug afatinib"}},
	{"BRAF V600E/K melanoma nivolumab ipilimumab", []string{"gene_variant BRAF V600E", "gene_variant BRAF V600K", "disease melanoma", "drug nivolumab", "drug ipilimumab"}},
	{"Does metformin prevent endometrial cancer?", []string{"drug metformin", "disease endometrial cancer"}},
	{"PD-L1 ≥50% NSCLC pembrolizumab monotherapy vs chemotherapy", []string{"gene_variant CD274", "disease non-small cell lung cancer", "drug pembrolizumab", "mechanism_outcome chemotherapy"}},
	{"ROS1+ NSCLC crizotinib", []string{"gene_variant ROS1 fusion", "disease non-small cell lung cancer", "drug crizotinib"}},
	{"HER2+ gastric cancer trastuzumab", []string{"gene_variant ERBB2 positive", "disease gastric cancer", "drug trastuzumab"}},
	{"NCT04303780 sotorasib NSCLC docetaxel", []string{"drug sotorasib", "disease non-small cell lung cancer", "drug docetaxel"}},
	{"XYZ-1234 in KRAS G12C NSCLC", []string{"drug XYZ1234", "gene_variant KRAS G12C", "disease non-small cell lung cancer"}},
	{"R213* TP53 mutation in AML", []string{"gene_variant TP53 R213*", "disease acute myeloid leukemia"}},
	{"TP53 p.Arg213* AML", []string{"gene_variant TP53 R213*", "disease acute myeloid leukemia"}},
	{"c.1799T>A BRAF thyroid", []string{"gene_variant BRAF c.1799T>A"}},
	{"17p deletion CLL", []string{"gene_variant 17p deletion", "disease chronic lymphocytic leukemia"}},
	{"SHP2/SOS1 inhibitors", []string{"mechanism_outcome SHP2 inhibitor", "mechanism_outcome SOS1 inhibitor"}},
	{"KRAS p.(Gly12Asp) pancreatic cancer", []string{"gene_variant KRAS G12D", "disease pancreatic cancer"}},
	{"EGFR E746_A750del lung adenocarcinoma", []string{"gene_variant EGFR E746_A750del", "disease lung adenocarcinoma"}},
	{"CDKN2A loss mesothelioma", []string{"gene_variant CDKN2A loss", "disease mesothelioma"}},
}

// falseFriends hold words that are also short names, and must not be taken for them.
//
//nolint:misspell // as papers spell it
var falseFriends = []asked{
	{"patients who met the criteria", nil},
	{"Met criteria for enrolment", nil},
	{"a test kit for the lab", nil},
	{"Kit for testing", nil},
	{"dyspnoea at rest", nil},
	{"the cat and the fat rat set the max", nil},
	{"CAT scan", nil},
	{"IMPACT of age", nil},
	{"all patients", nil},
	{"All patients improved", nil},
	{"ALL PATIENTS WHO MET THE CRITERIA", nil},
	{"THE PATIENT WAS AT REST AND USED A KIT", nil},
	{"ALL PATIENTS WITH MET AMPLIFICATION AND A KIT D816V MUTATION", []string{"gene_variant MET amplification", "gene_variant KIT D816V"}},
	{"every 3 weeks or Q3W, Q12H", nil},
	{"T1a N1 M1c", nil},
	{"pole position", nil},
	{"tall patients", nil},
	{"an atm withdrawal", nil},
	{"apc and ret in lower case", nil},
	{"at m. Then s d", nil},
	{"a negative test with a low positive rate", nil},
	{"mm of margin", nil},
	{"a mutation was found", nil},
	{"high expression, amplification", nil},
	{"p. 53 of the report", nil},
	{"H1N1 infection", []string{"mechanism_outcome infection"}},
	{"MET and KIT in lung cancer", []string{"gene_variant MET", "gene_variant KIT", "disease lung cancer"}},
	{"MET amplification", []string{"gene_variant MET amplification"}},
	{"c-Met", []string{"gene_variant MET"}},
	{"c-kit", []string{"gene_variant KIT"}},
	{"ALL in adults", []string{"disease acute lymphoblastic leukemia"}},
	{"SHP2/SOS1", []string{"gene_variant PTPN11", "gene_variant SOS1"}},
	{"mutant and wild-type cells", nil},
}

func TestRecogniseBoardQuestions(t *testing.T) {
	if len(boardQuestions) < 60 {
		t.Errorf("%d questions; want at least 60", len(boardQuestions))
	}
	testRecognise(t, boardQuestions)
}

func TestFalseFriends(t *testing.T) { testRecognise(t, falseFriends) }

func testRecognise(t *testing.T, questions []asked) {
	l := mustDefault(t)
	for _, q := range questions {
		t.Run(q.question, func(t *testing.T) {
			if diff := cmp.Diff(q.want, found(l, q.question)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOneVariantInAllItsNotations(t *testing.T) {
	l := mustDefault(t)
	for want, writings := range map[string][]string{
		"KRAS G12C": {"KRAS G12C", "KRAS p.G12C", "KRAS-G12C", "KRASG12C", "KRAS (G12C)", "KRAS p.(G12C)", "KRAS p.Gly12Cys", "K-RAS G12C", "KRAS Gly12Cys",
			"kras g12c", "KRAS mutation G12C", "G12C KRAS", "G12C-mutant KRAS", "KRAS^G12C", "KRAS:G12C", "KRAS G12C mutation"},
		"BRAF V600E":                 {"BRAF V600E", "BRAFV600E", "BRAF p.Val600Glu", "BRAF Val600Glu", "B-RAF V600E", "V600E BRAF", "BRAF-V600E", "braf v600e"},
		"EGFR exon 19 deletion":      {"EGFR exon 19 deletion", "EGFR exon 19 deletions", "EGFR del19", "EGFR ex19del", "EGFR 19del", "EGFR exon 19 del", "EGFR Ex19Del", "EGFR E19del", "EGFR deletion in exon 19", "exon 19 deletion in EGFR", "EGFR exon-19 deletion", "exon 19 deletion EGFR"},
		"EGFR exon 20 insertion":     {"EGFR exon 20 insertion", "EGFR ex20ins", "EGFR exon20ins", "EGFR exon 20 insertions", "EGFR insertion in exon 20"},
		"MET exon 14 skipping":       {"MET exon 14 skipping", "METex14 skipping", "MET exon 14 skipping mutation", "MET ex14 skipping", "METex14", "MET exon 14 mutation", "METex14-altered"},
		"ALK fusion":                 {"ALK fusion", "ALK rearrangement", "ALK-rearranged", "ALK translocation", "ALK-positive", "ALK+", "ALK gene fusion"},
		"FLT3 ITD":                   {"FLT3-ITD", "FLT3 ITD", "FLT3 internal tandem duplication"},
		"ERBB2 amplification":        {"HER2 amplification", "ERBB2-amplified", "HER2 gene amplification", "HER2 amplified", "HER-2 amplification"},
		"PTEN loss":                  {"PTEN loss", "PTEN copy number loss", "PTEN-deficient", "PTEN deletion"},
		"BCR-ABL1 T315I":             {"BCR::ABL1 T315I", "BCR-ABL1 T315I", "BCR-ABL T315I", "BCR/ABL T315I"},
		"microsatellite instability": {"MSI-H", "dMMR", "MSI-high", "mismatch repair deficient", "microsatellite instability-high", "MSI-H/dMMR"},
		"CD274":                      {"PD-L1", "PDL1", "PD L1", "CD274"},
		"RAS wild-type":              {"RAS wild-type", "RAS wild type", "RAS WT", "RAS-wildtype", "wild-type RAS"},
		"TP53 R213*":                 {"TP53 R213*", "p53 p.R213*", "TP53 p.Arg213*", "TP53 Arg213Ter"},
	} {
		for _, w := range writings {
			got := l.Recognise(w + " in patients").Of(boolean.GeneVariant)
			if len(got) != 1 || got[0].Name != want {
				t.Errorf("%q was read as %+v; want %q alone", w, got, want)
			}
		}
	}
}

func TestModifiersAndFillersAreListed(t *testing.T) {
	c := mustDefault(t).Recognise("What is the role of cetuximab in elderly stage IV MSS colorectal cancer in Japan with a widget?")
	var got []string
	for _, d := range c.Modifiers {
		got = append(got, d.Why+" "+d.Text)
	}
	if diff := cmp.Diff([]string{"minor elderly", "staging stage IV", "subtypes MSS", "places Japan"}, got); diff != "" {
		t.Errorf("modifiers (-want +got):\n%s", diff)
	}
	if len(c.Rest) != 1 || c.Rest[0].Text != "widget" {
		t.Errorf("rest is %v; want widget", c.Rest)
	}
	for _, d := range c.Fillers {
		if c.Question[d.Start:d.End] != d.Text {
			t.Errorf("filler %+v does not fit its place", d)
		}
	}
}

func TestMentionSaysWhereItStands(t *testing.T) {
	const question = "Does KRAS p.G12C matter in CRC?"
	var got []string
	for _, m := range mustDefault(t).Recognise(question).Mentions {
		if question[m.Start:m.End] != m.Text {
			t.Errorf("%+v does not fit its place", m)
		}
		got = append(got, m.Text)
	}
	if diff := cmp.Diff([]string{"KRAS p.G12C", "CRC"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRecogniseReadsTheBeginningOfWhatIsTooLong(t *testing.T) {
	c := mustDefault(t).Recognise("melanoma " + strings.Repeat("é", maxQuestion) + " glioma")
	if len(c.Of(boolean.Disease)) != 1 || len(c.Question) > maxQuestion {
		t.Errorf("%d bytes were read, with %v", len(c.Question), c.Mentions)
	}
}
