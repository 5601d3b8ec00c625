package mcp

import (
	"strings"
	"testing"

	"dossier/internal/answer"
	"dossier/internal/evidence"
)

// TestOncoKBIsKeptFromPrograms: nothing of its entries is left in an answer, its warnings included, and that there are
// some is said; what others say stays.
func TestOncoKBIsKeptFromPrograms(t *testing.T) {
	verdict := func(source string) evidence.InterpretationVerdict {
		return evidence.InterpretationVerdict{Verdict: evidence.InterpretsThis, Interpretation: evidence.Interpretation{
			Source: source, Name: "INVENTED WORDS OF " + source}}
	}
	files := []evidence.GivenFile{{Source: evidence.CuratedCIViC}, {Source: evidence.CuratedOncoKB, Name: "oncokb.tsv"}}
	for _, tc := range []struct {
		name    string
		found   *evidence.InterpretationsFound
		left    int // verdicts; -1 for none of it
		warning string
	}{
		{"no files", nil, -1, ""},
		{"both", &evidence.InterpretationsFound{Files: files, Others: 3, Verdicts: []evidence.InterpretationVerdict{
			verdict(evidence.CuratedOncoKB), verdict(evidence.CuratedCIViC)}}, 1, "OncoKB's file has 1 entry on these genes"},
		{"OncoKB alone", &evidence.InterpretationsFound{Files: files[1:], Verdicts: []evidence.InterpretationVerdict{
			verdict(evidence.CuratedOncoKB)}}, -1, "OncoKB's file has 1 entry"},
		{"others alone", &evidence.InterpretationsFound{Files: files[:1], Verdicts: []evidence.InterpretationVerdict{
			verdict(evidence.CuratedClinVar)}}, 1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := &answer.Answer{Interpretations: tc.found}
			removeLicensed(a)
			left := -1
			if a.Interpretations != nil {
				left = len(a.Interpretations.Verdicts)
				if a.Interpretations.Verdicts[0].Source == evidence.CuratedOncoKB || len(a.Interpretations.Files) != 1 {
					t.Errorf("left: %+v", a.Interpretations)
				}
			}
			wording := strings.Join(a.Warnings, " ")
			if left != tc.left || (wording == "") != (tc.warning == "") || !strings.Contains(wording, tc.warning) ||
				strings.Contains(wording, "INVENTED") {
				t.Errorf("%d verdicts left, warnings %q", left, wording)
			}
		})
	}
}
