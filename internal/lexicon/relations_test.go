package lexicon

import (
	"slices"
	"testing"
)

// TestRelations: which concept stands on which side of a relation is part of what a question asks.
func TestRelations(t *testing.T) {
	l := mustDefault(t)
	for _, tc := range []struct{ question, left, relation, right string }{
		{"lymphoma in breast cancer patients", "lymphoma", "in", "breast cancer"},
		{"lymphoma after breast cancer", "lymphoma", "after", "breast cancer"},
		{"lymphoma before breast cancer", "lymphoma", "before", "breast cancer"},
		{"Lymphom bei Mammakarzinom", "lymphoma", "in", "breast cancer"},
		{"lymphome après cancer du sein", "lymphoma", "after", "breast cancer"},
		{"olaparib or cabazitaxel after enzalutamide", "cabazitaxel or olaparib", "after", "enzalutamide"},
		{"DLBCL: R-CHOP without doxorubicin", "R-CHOP", "without", "doxorubicin"},
		{"NSCLC on osimertinib: add savolitinib?", "savolitinib", "on", "osimertinib"},
		{"surgery instead of radiotherapy prostate cancer", "radiotherapy", "versus", "surgery"},
		{"nilotinib in CML resistant to imatinib", "chronic myeloid leukemia", "resistant to", "imatinib"},
		{"nivolumab 3 mg/kg, ipilimumab 1 mg/kg", "ipilimumab", "with", "1 mg/kg"},
		{"MRD-negative, PET-positive myeloma", "minimal residual disease", "is", "negative"},
	} {
		q := l.Understand(tc.question)
		is := func(r Relation) bool { return r.Left == tc.left && r.Relation == tc.relation && r.Right == tc.right }
		if !slices.ContainsFunc(q.Relations, is) {
			t.Errorf("%q relates %v; want %s, %s, %s", tc.question, q.Relations, tc.left, tc.relation, tc.right)
		}
	}
	for _, pair := range [][2]string{
		{"lymphoma in breast cancer patients", "breast cancer in lymphoma patients"},
		{"lymphoma after breast cancer", "breast cancer after lymphoma"},
	} {
		a, b := l.Understand(pair[0]), l.Understand(pair[1])
		if got := Differences(&a, &b); !slices.ContainsFunc(got, func(d Difference) bool { return d.Slot == "relations" }) {
			t.Errorf("%q and %q differ in %v; want relations", pair[0], pair[1], got)
		}
	}
}
