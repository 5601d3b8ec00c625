package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"white space", " \n\t", nil},
		{"the three stops", "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"figures and abbreviations", "Response was 41.2% vs. 23%. It fell.", []string{"Response was 41.2% vs. 23%.",
			"It fell."}},
		{"abbreviations in brackets", "It fell (cf. Fig. 2). It rose [e.g. twice].", []string{"It fell (cf. Fig. 2).",
			"It rose [e.g. twice]."}},
		{"names and initials", "Doe et al. Showed it. E. coli grew.", []string{"Doe et al. Showed it.", "E. coli grew."}},
		{"quotes close behind a stop", "She said “no.” He went.", []string{"She said “no.”", "He went."}},
		{"labels on lines of their own", "RESULTS: one\nCONCLUSION: two", []string{"RESULTS: one", "CONCLUSION: two"}},
		{"brackets", "Overall (n = 3). (See below.) Done.", []string{"Overall (n = 3).", "(See below.)", "Done."}},
		{"a small letter begins none", "in vitro. the next begins small. Yes it", []string{"in vitro. the next begins small.",
			"Yes it"}},
		{"other scripts begin one", "Ende. Über 肺. 癌", []string{"Ende.", "Über 肺.", "癌"}},
		{"paragraphs joined with no space", "at 12 months.Patients had it (n = 3).In all, 5%.A few had PCI.Twenty had none.", []string{
			"at 12 months.", "Patients had it (n = 3).", "In all, 5%.", "A few had PCI.", "Twenty had none."}},
		{"joined behind a figure", "until 2016.Published studies (P <.05.The rest) and CT-P1.3.Q 0.5.P <0.01", []string{
			"until 2016.", "Published studies (P <.05.", "The rest) and CT-P1.3.Q 0.5.P <0.01"}},
		{"names with a dot in them", "ClinicalTrials.Gov identifier, a.B, i.v., U.S.A and www.example.Org/x", []string{
			"ClinicalTrials.Gov identifier, a.B, i.v., U.S.A and www.example.Org/x"}},
		{"a stop at the end", "p = 0.05. ", []string{"p = 0.05."}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Sentences(tc.in)); diff != "" {
				t.Errorf("Sentences(%q) (-want +got):\n%s", tc.in, diff)
			}
		})
	}
}

// Cutting into sentences loses, adds and reorders no word.
func FuzzSentences(f *testing.F) {
	for _, seed := range []string{
		"", "One. Two.", "HR 0.5 (95% CI 0.3-0.7) vs. 0.9. In conclusion, yes.", "e.g. this", "Ende.Über", ". . .", "\xff. A",
		"a.\nB", "“No.” )", "A.) \ufffd",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var parts []string
		end := 0
		for _, span := range SentenceSpans(s) {
			if span.Start < end || span.End <= span.Start || span.End > len(s) {
				t.Fatalf("SentenceSpans(%q) has %v after %d", s, span, end)
			}
			end = span.End
			parts = append(parts, strings.Fields(s[span.Start:span.End])...)
		}
		if strings.Join(parts, "") != strings.Join(strings.Fields(s), "") {
			t.Errorf("%q became %q", s, parts)
		}
	})
}
