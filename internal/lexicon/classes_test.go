package lexicon

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// isIn reports whether a drug, as a text names it, is one of the class or treatment that another text names.
func isIn(t *testing.T, l *Lexicon, drug, class string) bool {
	t.Helper()
	asked, named := l.Read(class), l.Read(drug)
	if len(asked.Drugs) != 1 || len(named.Drugs) != 1 {
		t.Fatalf("%q is read as %s, %q as %s", class, asked.String(), drug, named.String())
	}
	return l.isTreatment(&asked.Drugs[0], &named.Drugs[0])
}

func TestDrugsAreOfTheirClasses(t *testing.T) {
	l := mustDefault(t)
	for class, drugs := range map[string]string{
		"ACE inhibitors":                        "captopril, benazepril, zofenopril",
		"angiotensin receptor blocker":          "losartan, azilsartan, fimasartan",
		"beta blockers":                         "atenolol, carvedilol, betaxolol",
		"calcium channel blockers":              "amlodipine, verapamil, diltiazem, lercanidipine",
		"statins":                               "atorvastatin, cerivastatin",
		"antihypertensive drugs":                "ramipril, furosemide, spironolactone",
		"diuretics":                             "hydrochlorothiazide, torsemide, bumetanide, spironolactone",
		"antiplatelet therapy":                  "aspirin, clopidogrel, cangrelor, dipyridamole",
		"anticoagulants":                        "warfarin, apixaban, enoxaparin, dabigatran, bemiparin",
		"NSAIDs":                                "naproxen, aspirin, celecoxib, rofecoxib, dexketoprofen, lornoxicam",
		"COX-2 inhibitor":                       "celecoxib, lumiracoxib",
		"opioids":                               "morphine, oxymorphone, sufentanil",
		"triptans":                              "sumatriptan, frovatriptan",
		"skeletal muscle relaxants":             "baclofen, carisoprodol, metaxalone",
		"proton pump inhibitors":                "omeprazole, rabeprazole, ilaprazole",
		"H2 receptor antagonist":                "ranitidine, roxatidine",
		"gastric acid suppression":              "omeprazole, ranitidine, vonoprazan",
		"antihistamines":                        "loratadine, bilastine, rupatadine, diphenhydramine",
		"atypical antipsychotics":               "risperidone, brexpiprazole, paliperidone, ziprasidone",
		"antipsychotics":                        "haloperidol, olanzapine, benperidol",
		"antidepressants":                       "sertraline, desvenlafaxine, imipramine, bupropion",
		"ADHD drugs":                            "methylphenidate, atomoxetine, amphetamine",
		"urinary incontinence drugs":            "oxybutynin, imidafenacin, vibegron, tolterodine",
		"oral hypoglycemic agents":              "metformin, glipizide, pioglitazone, trelagliptin, ipragliflozin, mitiglinide",
		"GLP-1 receptor agonists":               "liraglutide, tirzepatide, albiglutide",
		"estrogens":                             "estradiol, conjugated estrogens",
		"hormone replacement therapy":           "estradiol, conjugated estrogens",
		"bisphosphonates":                       "alendronate, olpadronate",
		"corticosteroids":                       "prednisone, flumetasone, ciclesonide",
		"antiemetics":                           "ondansetron, ramosetron, aprepitant, vestipitant",
		"antivirals":                            "acyclovir, pibrentasvir, elvitegravir, peramivir",
		"antiretroviral therapy":                "dolutegravir, zidovudine, darunavir",
		"antibiotics":                           "amoxicillin, nemonoxacin, roxithromycin, cefazolin, doripenem",
		"fluoroquinolones":                      "levofloxacin, delafloxacin",
		"antifungals":                           "fluconazole, ravuconazole, anidulafungin",
		"anti-TNF":                              "infliximab, etanercept",
		"bronchodilators":                       "salbutamol, olodaterol, umeclidinium, tiotropium, theophylline",
		"antiepileptic drugs":                   "valproate, pregabalin, mirogabalin, ethosuximide",
		"dementia drugs":                        "donepezil, memantine",
		"immune checkpoint inhibitor":           "pembrolizumab, ipilimumab, relatlimab, cadonilimab",
		"PD-1 inhibitor":                        "pembrolizumab, nivolumab",
		"PD-1/PD-L1 inhibitor":                  "atezolizumab, cemiplimab",
		"immunotherapy":                         "durvalumab, sipuleucel-T, tisagenlecleucel",
		"platinum-based chemotherapy":           "cisplatin, oxaliplatin, FOLFOX",
		"chemotherapy":                          "paclitaxel, FOLFIRI, R-CHOP, gemcitabine",
		"anti-HER2 therapy":                     "trastuzumab, tucatinib, trastuzumab deruxtecan, zanidatamab",
		"HER2-directed antibody-drug conjugate": "trastuzumab emtansine",
		"EGFR-targeted therapy":                 "cetuximab, osimertinib, amivantamab",
		"third-generation EGFR TKI":             "osimertinib, lazertinib",
		"ROS1 inhibitor":                        "crizotinib, repotrectinib, entrectinib",
		"KIT inhibitor":                         "imatinib, ripretinib",
		"angiogenesis inhibitor":                "bevacizumab, ramucirumab, lenvatinib",
		"endocrine therapy":                     "tamoxifen, letrozole, fulvestrant, goserelin",
		"androgen receptor pathway inhibitor":   "enzalutamide, abiraterone, proxalutamide",
		"targeted therapy":                      "olaparib, palbociclib, sotorasib, imatinib, venetoclax",
		"proteasome inhibitor":                  "bortezomib, VRd",
		"radiotherapy":                          "SBRT, IMRT, proton therapy, brachytherapy, chemoradiotherapy",
		"surgery":                               "lobectomy, radical cystectomy, lymphadenectomy",
		"intraperitoneal chemotherapy":          "HIPEC, PIPAC",
	} {
		for drug := range strings.SplitSeq(drugs, ", ") {
			if !isIn(t, l, drug, class) {
				t.Errorf("%s is none of %q", drug, class)
			}
		}
	}
}

func TestDrugsAreNotOfOtherClasses(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct{ drug, class, why string }{
		{"aripiprazole", "proton pump inhibitor", "the longer stem counts"},
		{"bevacizumab", "immune checkpoint inhibitor", "an antibody on another target"},
		{"ipilimumab", "PD-1 inhibitor", "it acts on CTLA-4"},
		{"gefitinib", "third-generation EGFR TKI", "the first generation has the same target"},
		{"cetuximab", "EGFR tyrosine kinase inhibitor", "the antibody has the same target"},
		{"fulvestrant", "SERM", "the degrader has the same target"},
		{"alectinib", "ROS1 inhibitor", "it acts on ALK alone"},
		{"sacituzumab govitecan", "HER2-directed antibody-drug conjugate", "it acts on TROP2"},
		{"ipragliflozin", "DPP-4 inhibitor", "another oral hypoglycemic"},
		{"intraperitoneal chemotherapy", "HIPEC", "the broader one is no member"},
		{"teduglutide", "GLP-1 receptor agonist", "excepted: it acts on GLP-2"},
	} {
		if isIn(t, l, tt.drug, tt.class) {
			t.Errorf("%s is read as one of %q: %s", tt.drug, tt.class, tt.why)
		}
	}
}

// What only ends as drugs do is none.
func TestWordsWithAStemThatAreNoDrugs(t *testing.T) {
	l := mustDefault(t)
	for _, word := range []string{"april", "control", "protocol", "histidine", "cytidine", "cholesterol", "sitosterol",
		"ghrelin", "palpitant", "mongrel", "cyclone", "triumvir", "coarsen", "cocaine"} {
		if class := l.classByStem(word); class != nil {
			t.Errorf("%q is read as one of %s", word, class.Name)
		}
	}
}

// A user's class brings its stems, and a user's drug without a class has the one that its name tells.
func TestUsersStems(t *testing.T) {
	l := mustLoad(t, "ours.yaml",
		"classes:\n  - {name: ward blocker, stems: [-wardol, -pril]}\ndrugs:\n  - {name: zzpraprazole}\n")
	if class := l.classByStem("zuwardol"); class == nil || class.Name != "ward blocker" {
		t.Errorf("zuwardol is one of %+v", class)
	}
	if class := l.classByStem("zofenopril"); class == nil || class.Name != "ACE inhibitor" {
		t.Errorf("a stem of the dictionary's went to %+v", class)
	}
	if !isIn(t, l, "zzpraprazole", "proton pump inhibitor") {
		t.Error("a drug without a class has none by its name")
	}
}

// nameless are classes of drugs that say nothing a question could ask for.
var nameless = strings.Split("enzyme, hormone, investigational agent, antidote, metabolic agent, electrolyte, "+
	"folate, immunomodulator, oligonucleotide, nitrate, androgen, neurotoxin, psychedelic, bile acid, fumarate, "+
	"adrenolytic", ", ")

// Every drug is of a class that the dictionary holds, or that is read by its target, or that its name tells. The rest
// are drugs of their own kind, of which a class has one or two.
func TestEveryDrugHasAClassThatCanBeAskedFor(t *testing.T) {
	l := mustDefault(t)
	alone := map[string]int{}
	for _, e := range entriesOf(t, KindDrug) {
		q := l.Read(e.Class)
		byTarget := len(q.Drugs) == 1 && q.Drugs[0].Class
		if len(l.holdersOf(e)) == 0 && !byTarget && !slices.Contains(nameless, e.Class) {
			alone[e.Class]++
		}
	}
	for class, n := range alone {
		if n > 2 {
			t.Errorf("%d drugs are of class %q, which is no entry", n, class)
		}
	}
}

// kindsOfTreatments are what may hold, or be put together of, one another.
var kindsOfTreatments = []Kind{KindDrug, KindClass, KindTreatment}

func TestTreatmentsStandInNoCircle(t *testing.T) {
	l := mustDefault(t)
	for i := range l.entries {
		e := &l.entries[i]
		if !slices.Contains(kindsOfTreatments, e.Kind) {
			continue
		}
		if slices.Contains(l.broaderThan(e.Kind, e.Name), e) || slices.Contains(l.componentsOf(e), e) {
			t.Errorf("%s %q holds itself", e.Kind, e.Name)
		}
		kinds := []Kind{e.Kind}
		if e.Kind == KindDrug {
			kinds = kinds[:0]
			kinds = append(kinds, KindClass)
		}
		for _, name := range e.Broader {
			if len(l.named([]string{name}, kinds)) == 0 {
				t.Errorf("%s %q is within %q, which is no entry", e.Kind, e.Name, name)
			}
		}
		for _, name := range e.Implies {
			if c := l.named([]string{name}, kindsOfTreatments); len(c) == 0 || c[0].Name != name {
				t.Errorf("%s %q is put together of %q, which is no entry's name", e.Kind, e.Name, name)
			}
		}
	}
}

func TestEveryClassIsFoundByItsName(t *testing.T) {
	l := mustDefault(t)
	for _, e := range entriesOf(t, KindClass) {
		q := l.Read(e.Name)
		if len(q.Drugs) != 1 || q.Drugs[0].Entry != e {
			t.Errorf("%q is read as %s", e.Name, q.String())
		}
	}
}

// A stem that the dictionary's own drugs belie is none.
func TestDrugsAreOfTheClassThatTheirNamesTell(t *testing.T) {
	l := mustDefault(t)
	taken := map[string]string{}
	for _, class := range entriesOf(t, KindClass) {
		for _, s := range class.Stems {
			if len(s) <= shortestStem || s[0] != '-' || s != strings.ToLower(s) {
				t.Errorf("%s: %q is no ending with its hyphen", class.Name, s)
			}
			if other := taken[s]; other != "" {
				t.Errorf("%s and %s have the stem %s", class.Name, other, s)
			}
			taken[s] = class.Name
		}
	}
	for _, e := range entriesOf(t, KindDrug) {
		class := l.classByStem(fold(e.Name))
		if class == nil || class.Broad || !isOneWord(e.Name) {
			continue
		}
		own := l.named(append([]string{e.Class}, e.Broader...), []Kind{KindClass, KindTreatment})
		related := func(o *Entry) bool { return o == class || l.within(KindClass, class.Name, o.Name) }
		if !slices.ContainsFunc(l.andBroader(own), related) {
			t.Errorf("%q, of class %q, ends as those of %q", e.Name, e.Class, class.Name)
		}
	}
}

// Every regimen is put together of what the dictionary knows.
func TestRegimensHaveComponents(t *testing.T) {
	for _, e := range entriesOf(t, KindDrug) {
		regimen := e.Class == "combination chemotherapy" || e.Class == "antimyeloma regimen" ||
			e.Class == "conditioning regimen"
		if regimen && len(e.Implies) == 0 {
			t.Errorf("%q is put together of nothing", e.Name)
		}
	}
}

func TestRegimensAndTheirDrugs(t *testing.T) {
	l := mustDefault(t)
	for _, tt := range []struct {
		name, question, title string
		want                  evidence.Met
	}{
		{"a drug by the regimen", "oxaliplatin in colorectal cancer", "FOLFOX in colorectal cancer", evidence.MetWhole},
		{"a drug by a regimen within the regimen", "vincristine in lymphoma", "R-CHOP in lymphoma", evidence.MetWhole},
		{"a regimen by one that holds it", "CHOP in lymphoma", "R-CHOP in lymphoma", evidence.MetWhole},
		{"a class by the regimen", "anthracyclines in breast cancer", "FEC chemotherapy in breast cancer", evidence.MetWhole},
		{"two drugs by one regimen", "bortezomib plus lenalidomide in myeloma", "VRd in multiple myeloma", evidence.MetWhole},
		{"the regimen by its drugs", "CAPOX in colon cancer", "Capecitabine and oxaliplatin in colon cancer",
			evidence.MetWhole},
		{"the regimen by a regimen and a drug", "R-CHOP in lymphoma", "Rituximab combined with CHOP in lymphoma",
			evidence.MetWhole},
		{"the regimen by the drugs of both", "R-CHOP in lymphoma",
			"Rituximab, cyclophosphamide, doxorubicin, vincristine and prednisone in lymphoma", evidence.MetWhole},
		{"not by one of its drugs", "CAPOX in colon cancer", "Capecitabine in colon cancer", evidence.MetSilent},
		{"not by another regimen with one of its drugs", "CAPOX in colon cancer", "FLOT in gastric cancer",
			evidence.MetSilent},
		{"a class that is two by a member of each", "chemoimmunotherapy in lung cancer",
			"Pembrolizumab plus carboplatin in lung cancer", evidence.MetWhole},
		{"a fixed combination by its drugs", "Opdualag in melanoma", "Nivolumab and relatlimab in melanoma",
			evidence.MetWhole},
		{"a kind not by what it is a kind of", "HIPEC in ovarian cancer", "Intraperitoneal chemotherapy in ovarian cancer",
			evidence.MetSilent},
		{"a class by a member", "NSAIDs in colon cancer", "Celecoxib in colon cancer", evidence.MetWhole},
		{"a class by a member that no list has", "ACE inhibitors in hypertension", "Zofenopril in hypertension",
			evidence.MetWhole},
		{"a member that no list has in part by its fellow", "zofenopril in hypertension", "Captopril in hypertension",
			evidence.MetInPart},
		{"a drug in part by a class of its class", "tamoxifen in breast cancer", "Endocrine therapy in breast cancer",
			evidence.MetInPart},
		{"a drug not by a class that is too wide", "olaparib in ovarian cancer", "Targeted therapy in ovarian cancer",
			evidence.MetSilent},
		{"what is given now is none that was given before", "pembrolizumab after osimertinib in lung cancer",
			"Gefitinib in lung cancer", evidence.MetSilent},
		{"what is too wide makes no fellows", "alectinib in lung cancer", "Erdafitinib in lung cancer", evidence.MetSilent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := l.Understand(tt.question)
			fit := l.Matcher(&q).Fit(&evidence.Record{Title: tt.title})
			found := false
			for _, s := range fit.Slots {
				if s.Slot == evidence.SlotTreatment {
					found = true
					if s.Met != tt.want {
						t.Errorf("%s: %s", q.String(), fit.String())
					}
				}
			}
			if !found {
				t.Errorf("%s asks for no treatment", q.String())
			}
		})
	}
}
