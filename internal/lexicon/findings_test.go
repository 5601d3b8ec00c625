package lexicon

import (
	"strings"
	"testing"
)

func TestFindingsOfAQuestion(t *testing.T) {
	l := mustDefault(t)
	for _, c := range []struct{ question, want string }{
		{"PDAC SMA 200° encasement TSH 100", `tumours "pancreatic ductal adenocarcinoma" ` +
			`words "100; 200; encasement; sma; tsh"`},
		{"DLBCL after R-CHOP, axi-cel vs ASCT", `tumours "diffuse large B-cell lymphoma" drugs ` +
			`"compared: autologous stem cell transplantation; compared: axicabtagene ciloleucel; prior: R-CHOP"`},
		{"regorafenib after FOLFOX, FOLFIRI", `drugs "prior: FOLFIRI; prior: FOLFOX; regorafenib"`},
		{"next after FOLFOX, FOLFIRI", `drugs "prior: FOLFIRI; prior: FOLFOX" words "next"`},
		{"prior FOLFOX, bevacizumab", `drugs "prior: FOLFOX; prior: bevacizumab"`},
		{"cancer breast density", `tumours "cancer" conditions "dense breasts"`},
		{"EGFR L858R+/T790M- NSCLC osimertinib", `tumours "non-small cell lung cancer" ` +
			`alterations "EGFR L858R; no EGFR T790M" drugs "osimertinib"`},
		{"EGFR-mutated, T790M-negative NSCLC", `tumours "non-small cell lung cancer" ` +
			`alterations "EGFR mutation; no EGFR T790M"`},
		{"NSCLC EGFR exon 19 deletion, T790M-negative", `tumours "non-small cell lung cancer" ` +
			`alterations "EGFR exon 19 deletion; no EGFR T790M"`},
		{"NSCLC EGFR L858R/T790M negative", `tumours "non-small cell lung cancer" alterations ` +
			`"no EGFR L858R; no EGFR T790M" alternatives "no EGFR L858R or no EGFR T790M"`},
		{"CLL del(17p)- TP53 mutation- venetoclax", `tumours "chronic lymphocytic leukemia" ` +
			`alterations "no 17p deletion; no TP53 mutation" drugs "venetoclax"`},
		{"CML T315I negative ponatinib", `tumours "chronic myeloid leukemia" alterations "no T315I" drugs "ponatinib"`},
		{"NSCLC EGFR mutation excluded pembrolizumab", `tumours "non-small cell lung cancer" ` +
			`alterations "no EGFR mutation" drugs "pembrolizumab"`},
		{"prostate cancer abiraterone with no prior docetaxel or enzalutamide", `tumours "prostate cancer" ` +
			`drugs "abiraterone; not prior: docetaxel; not prior: enzalutamide"`},
		{"NSCLC with or without EGFR mutation osimertinib ± chemotherapy", `tumours "non-small cell lung cancer" ` +
			`alterations "with or without EGFR mutation" drugs "chemotherapy; compared: osimertinib"`},
		{"melanoma ipilimumab and nivolumab with or without relatlimab", `tumours "melanoma" ` +
			`drugs "compared: nivolumab; ipilimumab; relatlimab"`},
		{"CML resistant or intolerant to imatinib nilotinib", `tumours "chronic myeloid leukemia" ` +
			`drugs "nilotinib; resistant or intolerant: imatinib"`},
		{"overcoming resistance to osimertinib with amivantamab", `drugs "amivantamab; resistant: osimertinib" ` +
			`setting "resistance"`},
		{"osimertinib resistance", `drugs "osimertinib" setting "resistance"`},
		{"V600E-mutated, MSI-H colon cancer", `tumours "colon cancer" alterations "V600E" biomarkers "MSI high"`},
		{"breast cancer gBRCA- olaparib", `tumours "breast cancer" ` +
			`alterations "no germline BRCA mutation" drugs "olaparib"`},
	} {
		if q := l.Understand(c.question); q.String() != c.want {
			t.Errorf("%q is read as\n%s\nand not as\n%s", c.question, q.String(), c.want)
		}
	}
}

// A word of absence that was not understood is in every other record.
func TestAbsenceThatIsNotUnderstoodIsNotLookedFor(t *testing.T) {
	l := mustDefault(t)
	for question, isLookedFor := range map[string]bool{
		"lung cancer not suitable for cisplatin": true,
		"lung cancer not quite for cisplatin":    false,
		"pembrolizumab lung cancer 未 某":          false,
		"MRD-negative ALL":                       true,
		"negative lung cancer":                   false,
		"lung cancer without EGFR mutation":      true,
		"lung cancer no prior osimertinib":       true,
	} {
		q := l.Understand(question)
		if got := l.Named(&q) != nil; got != isLookedFor {
			t.Errorf("%q is looked for: %v; want %v: %s", question, got, isLookedFor, q.String())
		}
	}
}

// Papers on both do not contradict a question that leaves open which is meant.
func TestWhatIsLeftOpenContradictsNothing(t *testing.T) {
	l := mustDefault(t)
	q := l.Understand("NSCLC with or without EGFR mutation, PD-L1 positive or negative, pembrolizumab")
	for _, title := range []string{"Pembrolizumab in NSCLC with EGFR mutation", "Pembrolizumab in EGFR wild-type NSCLC",
		"Pembrolizumab in PD-L1-negative NSCLC", "Pembrolizumab in PD-L1-positive NSCLC"} {
		if why := l.Contradicts(&q, title); why != "" {
			t.Errorf("%q: %s", title, why)
		}
	}
}

// Models and logs are given a question's canonical words, which ask the same.
func TestCanonicalWordsAreReadAsWhatTheyStandFor(t *testing.T) {
	l := mustDefault(t)
	for _, question := range []string{"NSCLC T790M-", "NSCLC no prior osimertinib amivantamab",
		"NSCLC with or without EGFR mutation", "melanoma brain metastases excluded", "EGFR L858R+/T790M- NSCLC",
		"bladder cancer cisplatin contraindicated carboplatin"} {
		q := l.Understand(question)
		var words []string
		for _, s := range q.slots() {
			words = append(words, s.values...)
		}
		if again := l.Understand(strings.Join(words, "; ")); again.Key() != q.Key() {
			t.Errorf("%q is %q, which is read as %s", question, words, again.String())
		}
	}
}
