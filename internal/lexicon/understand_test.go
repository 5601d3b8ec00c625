package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// TestEveryWordEndsSomewhere: no letter or digit of a question is left out of slots, words and dropped.
func TestEveryWordEndsSomewhere(t *testing.T) {
	l := mustDefault(t)
	for _, b := range boardQuestions {
		for _, text := range slices.Concat([]string{b.question}, b.same, b.near) {
			q := l.Understand(text)
			if rest := unplaced(&q); len(rest) > 0 {
				t.Errorf("%q: %q ends nowhere: %s, dropped %v", text, rest, q.String(), q.Dropped)
			}
		}
	}
}

// unplaced lists the words of a question that stand in no slot.
func unplaced(q *Question) []string {
	var parts []Part
	for _, c := range slices.Concat(q.Tumours, q.Conditions) {
		parts = append(parts, c.Part)
	}
	for _, a := range q.Alterations {
		parts = append(parts, a.Part)
	}
	for _, b := range q.Biomarkers {
		parts = append(parts, b.Part)
	}
	for _, d := range q.Drugs {
		parts = append(parts, d.Part)
	}
	for _, c := range q.Setting {
		parts = append(parts, c.Part)
	}
	for _, w := range q.Words {
		parts = append(parts, w.Part)
	}
	for _, d := range q.Dropped {
		parts = append(parts, d.Part)
	}
	covered := make([]bool, len(q.Text))
	for _, p := range parts {
		for i := p.Start; i < p.End; i++ {
			covered[i] = true
		}
	}
	var out []string
	for _, token := range tokenize(q.Text) {
		if slices.Contains(covered[token.start:token.end], false) {
			out = append(out, token.raw)
		}
	}
	return out
}

// TestPartsStandInTheText: each slot's part is the text at its place.
func TestPartsStandInTheText(t *testing.T) {
	l := mustDefault(t)
	for _, b := range boardQuestions {
		q := l.Understand(b.question)
		check := func(p Part) {
			if p.Start < 0 || p.End > len(q.Text) || p.Start >= p.End || q.Text[p.Start:p.End] != p.Text {
				t.Errorf("%q: part %q stands not at %d to %d", b.question, p.Text, p.Start, p.End)
			}
		}
		for _, c := range slices.Concat(q.Tumours, q.Conditions) {
			check(c.Part)
		}
		for _, a := range q.Alterations {
			check(a.Part)
		}
		for _, d := range q.Drugs {
			check(d.Part)
		}
		for _, d := range q.Dropped {
			check(d.Part)
		}
	}
}

func TestBadQuestions(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct {
		name, question string
		warning        string // in Warnings; "" for none
		empty          bool   // nothing to search for
	}{
		{"one word, 8 KB of it", strings.Repeat("melanoma", 1100), "Only the first", true},
		{"only fillers", "what does the of and", "", true},
		{"only an organ", "breast", "is an organ", true},
		{"nothing but digits", "12 345 6", "", true},
		{"a contradiction", "EGFR-mutated EGFR wild-type NSCLC", "contradicts itself", false},
		{"a biomarker's contradiction", "ER+ ER- breast cancer", "contradicts itself", false},
		{"an unclosed bracket", "NSCLC (EGFR T790M osimertinib", "", false},
		{"right-to-left text", "سرطان الثدي", "in a language that nothing here reads", true},
		{"Cyrillic", "рак молочной железы", "in a language that nothing here reads", true},
		{"Polish", "leczenie raka płuca z mutacją EGFR", "in a language that nothing here reads", false},
		{"Japanese", "がんの治療 KRAS", "in a language that nothing here reads", false},
		{"invalid bytes", "KRAS \xff\xfe G12C NSCLC", "", false},
		{"nothing", "", "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			if got := strings.Join(q.Warnings, " "); tc.warning == "" && got != "" || !strings.Contains(got, tc.warning) {
				t.Errorf("warnings %q; want %q in them", got, tc.warning)
			}
			if q.Empty() != tc.empty {
				t.Errorf("empty is %v; want %v: %s", q.Empty(), tc.empty, q.String())
			}
			if tc.empty && q.Key() != "" {
				t.Errorf("key %q of a question that asks nothing", q.Key())
			}
		})
	}
}

func TestTwentyGenes(t *testing.T) {
	genes := []string{"KRAS", "NRAS", "BRAF", "EGFR", "ALK", "ROS1", "RET", "ERBB2", "NTRK1", "FGFR2", "FGFR3", "PIK3CA",
		"PTEN", "AKT1", "TP53", "STK11", "KEAP1", "SMARCA4", "CDKN2A", "BRCA2"}
	q := mustDefault(t).Understand(strings.Join(genes, " ") + " NSCLC")
	if len(q.Alterations) != len(genes) {
		t.Errorf("%d alterations of %d genes: %s", len(q.Alterations), len(genes), q.String())
	}
}

// TestWhatWasTakenOutLeavesNoWord: where a patient's data stood, nothing is read.
func TestWhatWasTakenOutLeavesNoWord(t *testing.T) {
	q := mustDefault(t).Understand("[…], melanoma […] BRAF V600E")
	if got, want := q.String(), `tumours "melanoma" alterations "BRAF V600E"`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestKnows(t *testing.T) {
	l := mustDefault(t)
	for word, want := range map[string]bool{"Melanoma": true, "melanomas": true, "mit": true, "Musterfrau": false,
		"Ostrovane": false} {
		if l.Knows(word) != want {
			t.Errorf("Knows(%q) is %v", word, !want)
		}
	}
}

func TestCorrections(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ name, question, want string }{
		{"a letter too few", "osimertinb NSCLC", "osimertinib"},
		{"a letter too many", "melanooma nivolumab", "melanoma"},
		{"another letter", "pancreetic cancer gemcitabine", "pancreatic"},
		{"two letters swapped", "myocardial infraction aspirin", "infarction"},
		{"a symbol", "KRAZ G12C NSCLC", ""},
		{"a variant", "KRAS G12Q NSCLC", ""},
		{"a code", "AZD9292 NSCLC", ""},
		{"a short word", "lugn cancer", ""},
		{"what looks like a drug", "satorasib KRAS G12C NSCLC", ""},
		{"a word that is right", "melanoma nivolumab", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			got := ""
			if len(q.Corrected) > 0 {
				got = q.Corrected[0].To
			}
			if got != tc.want || len(q.Corrected) > 1 {
				t.Errorf("corrected %v; want %q", q.Corrected, tc.want)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ name, question, want string }{
		{"an unknown drug stays one", "telvarasib KRAS G12C NSCLC",
			`tumours "non-small cell lung cancer" alterations "KRAS G12C" drugs "telvarasib"`},
		{"a code stays one", "QRT2043 and ABX-7719 in NSCLC",
			`tumours "non-small cell lung cancer" drugs "ABX7719; QRT2043"`},
		{"an unknown word stays", "KRAS G12C NSCLC frobnication",
			`tumours "non-small cell lung cancer" alterations "KRAS G12C" words "frobnication"`},
		{"an organ beside a gene", "ROS1 fusion colorectal entrectinib",
			`tumours "colorectal cancer" alterations "ROS1 fusion" drugs "entrectinib"`},
		{"a status before its gene", "wild-type KRAS NSCLC",
			`tumours "non-small cell lung cancer" alterations "KRAS wild-type"`},
		{"a list before its word", "EGFR, ALK and ROS1 wild-type NSCLC",
			`tumours "non-small cell lung cancer" alterations "ALK wild-type; EGFR wild-type; ROS1 wild-type"`},
		{"a list behind its word", "mutations in BRCA1 and BRCA2", `alterations "BRCA1 mutation; BRCA2 mutation"`},
		{"non- before a change", "non-V600E BRAF melanoma", `tumours "melanoma" alterations "no BRAF V600E"`},
		{"a fusion with its partner", "EML4::ALK NSCLC",
			`tumours "non-small cell lung cancer" alterations "EML4-ALK fusion"`},
		{"a class of two targets", "SHP2/SOS1 inhibitors", `drugs "SHP2 inhibitor; SOS1 inhibitor"`},
		{"a dose", "imatinib 400 mg GIST", `tumours "gastrointestinal stromal tumor" drugs "imatinib" setting "400 mg"`},
		{"a performance score", "ECOG 2 NSCLC pembrolizumab",
			`tumours "non-small cell lung cancer" drugs "pembrolizumab" setting "ECOG 2"`},
		{"an age", "72-year-old with AML venetoclax",
			`tumours "acute myeloid leukemia" drugs "venetoclax" setting "72 years"`},
		{"an age of many", "72-year-olds with AML venetoclax",
			`tumours "acute myeloid leukemia" drugs "venetoclax" setting "72 years"`},
		{"years that are no age", "5-year survival AML venetoclax",
			`tumours "acute myeloid leukemia" drugs "venetoclax" setting "5-year survival"`},
		{"a word that begins as an age does", "2yRINOX pancreatic cancer", `tumours "pancreatic cancer" words "2yrinox"`},
		{"nothing withheld is given", "NSCLC pembrolizumab without chemotherapy",
			`tumours "non-small cell lung cancer" drugs "pembrolizumab; withheld: chemotherapy"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := l.Understand(tc.question)
			if got := q.String(); got != tc.want {
				t.Errorf("%s\nwant %s", got, tc.want)
			}
		})
	}
}
