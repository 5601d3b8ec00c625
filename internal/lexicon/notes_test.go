package lexicon

import (
	"strings"
	"testing"
)

// What a ward writes in few words: a part of what the question is read as, and one that must not be there.
var notes = []struct{ name, question, want, never string }{
	{"a score of staining", "gastric cancer HER2 3+, trastuzumab", "ERBB2 positive expression", `words "3`},
	{"none stained", "breast cancer HER2 0, T-DXd", "no ERBB2 positive expression", `words "0`},
	{"a score that hybridisation settles", "breast cancer HER2 2+/ISH-, T-DXd", "ERBB2 low expression", "in situ"},
	{"amplified", "breast cancer HER2 2+ FISH+, T-DXd", "ERBB2 positive expression", "fluorescence"},
	{"what a marker has become", "gastric cancer, HER2 was lost on re-biopsy", "ERBB2 loss", `words "lost`},
	{"an age behind of", "a woman of 34 with breast cancer", "34 years", "words"},
	{"what the patient takes", "CLL, ibrutinib in a man who takes apixaban?", "background: apixaban", "apixaban versus"},
	{"an answer under a treatment", "Pankreaskarzinom, PR unter FOLFIRINOX, Olaparib?",
		"partial response", "progesterone"},
	{"what can't be had", "PEComa when nab-sirolimus is not available", "excluded: nab-sirolimus", "words"},
	{"what is no option any more", "urothelial carcinoma, anything beyond pembrolizumab?",
		"excluded: pembrolizumab", "words"},
	{"another question behind or", "DCIS: radiotherapy after breast conservation, or is mastectomy preferred?",
		"compared: mastectomy; compared: radiotherapy", "prior: mastectomy"},
	{"partners of both, in front", "colorectal cancer, FOLFOX + panitumumab or + bevacizumab",
		"FOLFOX plus bevacizumab versus FOLFOX plus panitumumab", "versus bevacizumab"},
	{"partners of both, behind", "gastric cancer, zolbetuximab or nivolumab with FOLFOX",
		"FOLFOX plus nivolumab versus FOLFOX plus zolbetuximab", "versus zolbetuximab"},
	{"alone or with more", "SCLC: chemotherapy alone or + atezolizumab", "atezolizumab; chemotherapy", "versus"},
	{"a short name beside the gene that the drug acts on", "cholangiocarcinoma IDH1 R132C, ivo vs FOLFOX",
		"compared: ivosidenib", `words "ivo`},
	{"a short name beside no such gene", "cholangiocarcinoma, ivo vs FOLFOX", `words "ivo`, "ivosidenib"},
	{"a beginning that many words have", "penta regimen in myeloma", `words "penta`, "drugs"},
	{"a beginning that only a drug has", "ES-SCLC: lurbi?", "lurbinectedin", "words"},
	{"what a value has fallen to", "HCC on lenvatinib, creatinine clearance 62->48", "48; 62", ">"},
	{"a value between an arrow and spaces", "HCC on lenvatinib, creatinine clearance 62 => 48", "48; 62", ">"},
	{"a size behind its tumour's extent", "colon cancer T1 >2 cm, surgery", ">2 cm", "words"},
	{"litres are no line", "肺腺癌,胸水1.4L,培美曲塞", "1.4 l", "fourth-line"},
	{"months behind a drug", "RCC, sunitinib 9m, cabozantinib?", "9 months", "words"},
	{"a stage behind its short word", "melanoma st IV, nivolumab", "stage IV", "intravenous"},
	{"a stage behind its short word and a stop", "linfoma de Hodgkin est. IIB, ABVD", "stage IIB", "words"},
	{"a stage in one word", "melanoma EIII, nivolumab", "stage III", "words"},
	{"an age before a comma", "mieloma 69 a, daratumumab", "69 years", "words"},
	{"from one number to another", "cáncer de páncreas, CA 19-9 900 a 80, FOLFIRINOX", "80; 900", "years"},
	{"an age in brackets", "Pat. (29) mit Zervixkarzinom, Trachelektomie", "29 years", "words"},
	{"in the, in Portuguese", "CHC N1 no PET em 2024, sorafenibe", "positron emission tomography", "no positron"},
	{"the type before its organ", "ADC pulmón, osimertinib", "lung adenocarcinoma", "antibody"},
	{"a junction by its initials", "GE jxn adeno, FLOT", "gastroesophageal junction adenocarcinoma", "words"},
	{"words of a name cut off", "Ca rim cel claras, nivolumab", "clear cell renal cell carcinoma", "words"},
	{"one with an accent on its first letter", "carcinome épiderm pulmonaire, nivolumab", "lung squamous cell carcinoma",
		"words"},
	{"the shorter name tells less", "ca renal cel claras, nivolumab", "clear cell renal cell carcinoma", "words"},
	{"a word cut off by a stop", "Nierenzell-Ca klarz., Pembrolizumab", "clear cell renal cell carcinoma", "words"},
	{"a word of two names", "breast ca, lob resection, letrozole", `words "lob`, "lobectomy"},
	{"a little word is not cut off", "ccRCC, no mets, adjuvant pembrolizumab", "no metastatic", "lymph node"},
	{"a word for colours is spelled out", "color Doppler in breast cancer", `words "color`, "colorectal"},
	{"an antibody in Chinese", "胃癌,特瑞普利还是紫杉醇", "compared: toripalimab", "words"},
	{"refused for a purpose", "bladder cancer, declines neoadj chemo, pembrolizumab?", "excluded: chemotherapy", "words"},
	{"whether it may be given", "CKD, melanoma: ipilimumab contraindicated?", `drugs "ipilimumab"`, "excluded"},
	{"not again", "Glioblastom, keine Re-OP, Bevacizumab", "withheld: surgery", `drugs "bevacizumab; surgery`},
	{"what failed", "carboplatin/pemetrexed failed, osimertinib?",
		"osimertinib; prior: carboplatin; prior: pemetrexed", "words"},
	{"what a hyphen leaves to be said", "MM, Len- u. Bortez-refraktär, Dara naiv, Isa-Kd?",
		"not prior: daratumumab; resistant: bortezomib; resistant: lenalidomide", "background"},
	{"an operation, and what came since", "肾透明细胞癌术后肺转移,舒尼替尼", "prior: surgery", "adjuvant"},
	{"taken for another disease", "NSCLC, prednisone 20 mg for PMR, pembrolizumab?", "background: prednisone", "words"},
	{"taken, in a clause of its own", "RCC, warfarin for a valve. Axitinib or cabozantinib?",
		"background: warfarin; compared: axitinib", "compared: warfarin"},
	{"taken, behind the question", "RCC: axitinib or cabozantinib? Warfarin", "background: warfarin", "words"},
	{"taken, by somebody", "Warfarin-Pat., NSCLC, Osimertinib oder Lazertinib?", "background: warfarin", "words"},
	{"taken, in Italian", "melanoma, nivolumab anche se in warfarin?", "background: warfarin", "words"},
	{"taken, told behind another", "RCC after sunitinib 9 mo, on warfarin. Nivolumab?",
		"background: warfarin; nivolumab; prior: sunitinib", "words"},
	{"asked about, of other medicine alone", "pancreatic cancer, apixaban or dalteparin?",
		"compared: apixaban", "background"},
	{"asked about, beside one for the tumour", "breast cancer, letrozole, zoledronic acid adjuvant?",
		"letrozole; zoledronic acid", "background"},
	{"an organ that is free", "CNS neg DLBCL, glofitamab?",
		"no central nervous system involvement", "nervous system diffuse"},
	{"what is ruled out", "CLL, zanubrutinib 3 y, Richter ruled out, PD; pirtobrutinib?",
		"no Richter transformation", "no progressive"},
	{"a treatment that is ruled out", "colon cancer, FOLFIRI 6 mesi, PD; panitumumab escluso, che opzioni?",
		"excluded: panitumumab", "words"},
	{"a course of its own behind a list", "cHL refractory to BV, pembrolizumab 12 mo CR: allo-SCT or stop?",
		"prior: pembrolizumab", "resistant: pembrolizumab"},
	{"no response", "HCC, TACE no response -> atezolizumab/bevacizumab or TARE?", "prior: transarterial", "then"},
	{"what is to be done now", "meningioma subtotal resection, RT now?", "prior: subtotal resection", "given"},
	{"Romance letters", "sarcoma, doxorubicina 6 ciclos RP, ahora progresión: ¿pazopanib?", "partial response", "words"},
	{"a number before a unit", "colon cancer: FOLFOX 6 months", "6 months", "words"},
	{"capitals before how many times", "breast cancer, AC x4, then paclitaxel", "AC chemotherapy", `words "ac`},
}

func TestNotes(t *testing.T) {
	l := mustDefault(t)
	for _, test := range notes {
		t.Run(test.name, func(t *testing.T) {
			q := l.Understand(test.question)
			if got := q.String(); !strings.Contains(got, test.want) || strings.Contains(got, test.never) {
				t.Errorf("%q is read as %s; want %q, and not %q", test.question, got, test.want, test.never)
			}
		})
	}
}

// Of a tumour and what it has become the latter is searched for, and no marker that is told behind the question.
func TestLayerOneOfNotes(t *testing.T) {
	l := mustDefault(t)
	for question, never := range map[string]string{
		"CLL transformed into Richter, pembrolizumab?":                       "chronic lymphocytic leukemia",
		"pancreatic cancer, gBRCA2, olaparib maintenance or stop? KRAS mut.": "KRAS",
	} {
		q := l.Understand(question)
		layer, _ := l.Layer(&q, 1)
		for _, g := range layer.Groups {
			for _, term := range g.AllTerms() {
				if term.Text == never {
					t.Errorf("%q: layer 1 asks for %q", question, term.Text)
				}
			}
		}
	}
}
