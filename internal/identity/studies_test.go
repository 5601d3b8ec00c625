package identity

import (
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func drugsIn(text string) []string {
	var out []string
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if w = strings.Trim(w, ",.:()"); strings.HasSuffix(w, "nib") || strings.HasSuffix(w, "mab") {
			out = append(out, w)
		}
	}
	return out
}

func studyPaper(pmid, title, author, abstract string) *evidence.Record {
	return &evidence.Record{
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: pmid}}, Title: title,
		Authors: []evidence.Author{{Family: author, Initials: "A"}}, Abstract: []evidence.Section{{Text: abstract}},
	}
}

func TestGroup(t *testing.T) {
	preprint := studyPaper("", "Aldocinib works", "Xu", "")
	preprint.Identifiers = []evidence.Identifier{{Kind: evidence.PPR, Value: "PPR7"}}
	preprint.Links = []evidence.Link{{Relation: evidence.PreprintOf,
		Target: evidence.Identifier{Kind: evidence.PMID, Value: "1"}}}
	review := studyPaper("2", "Aldocinib: a systematic review", "Yu", "It holds NCT01234567.")
	for _, tc := range []struct {
		name    string
		records []*evidence.Record
		want    []int
	}{
		{"a preprint and its article", []*evidence.Record{studyPaper("1", "Aldocinib", "Xu", ""), preprint}, []int{0, 0}},
		{"one registered trial", []*evidence.Record{studyPaper("1", "A", "Xu", "Trial NCT01234567."),
			studyPaper("3", "B", "Li", ""), studyPaper("2", "C", "Yu", "NCT01234567 goes on.")}, []int{0, 1, 0}},
		{"a review names the trial", []*evidence.Record{studyPaper("1", "A", "Xu", "NCT01234567."), review}, []int{0, 1}},
		{"two trials pooled", []*evidence.Record{studyPaper("1", "A", "Xu", "NCT01234567."),
			studyPaper("2", "B", "Yu", "NCT01234567 and NCT07654321.")}, []int{0, 1}},
		{"a name with a number", []*evidence.Record{studyPaper("1", "Aldocinib in the KEYSTONE-177 trial", "Xu", ""),
			studyPaper("2", "Five years of aldocinib: KEYSTONE-177", "Yu", "")}, []int{0, 0}},
		{"a name and another drug", []*evidence.Record{studyPaper("1", "Aldocinib in BEACON", "Xu", ""),
			studyPaper("2", "Bemumab: the BEACON trial", "Yu", "")}, []int{0, 1}},
		{"a name in brackets", []*evidence.Record{studyPaper("1", "Aldocinib for lung cancer (FLARE2): a phase 3 trial", "Xu", ""),
			studyPaper("2", "Survival with aldocinib in the FLARE2 study", "Yu", "")}, []int{0, 0}},
		{"a gene is no trial", []*evidence.Record{studyPaper("1", "Aldocinib in SMARCA4-deficient cancer", "Xu", ""),
			studyPaper("2", "Aldocinib and SMARCA4 loss", "Yu", "")}, []int{0, 1}},
		{"author, number and drug", []*evidence.Record{
			studyPaper("1", "Aldocinib in thymoma", "Xu", "We enrolled 64 patients."),
			studyPaper("2", "Aldocinib: quality of life", "Xu", "We enrolled 64 patients.")}, []int{0, 0}},
		{"another number", []*evidence.Record{studyPaper("1", "Aldocinib in thymoma", "Xu", "We enrolled 64 patients."),
			studyPaper("2", "Aldocinib: quality of life", "Xu", "We enrolled 65 patients.")}, []int{0, 1}},
		{"joined over a third", []*evidence.Record{studyPaper("1", "Aldocinib in KEYSTONE-177", "Xu", ""),
			studyPaper("2", "B", "Yu", "NCT01234567."), studyPaper("3", "Aldocinib in KEYSTONE-177", "Li", "NCT01234567.")},
			[]int{0, 0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Studies(tc.records, drugsIn); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
