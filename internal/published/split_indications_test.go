package published

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	type in = Indication
	for _, tc := range []struct {
		name, words string
		want        []in
	}{
		{"one sentence", "Inventinib is indicated for adult patients with melanoma.",
			[]in{{Words: "Inventinib is indicated for adult patients with melanoma."}}},
		{"bullets behind a beginning", "1 INDICATIONS AND USAGE INVENTINIB is a kinase inhibitor indicated for: • adult patients " +
			"with melanoma ( 1.1 ) • the treatment of glioma. ( 1.2 )", []in{
			{Lead: "INVENTINIB is a kinase inhibitor indicated for:", Words: "adult patients with melanoma ( 1.1 )"},
			{Lead: "INVENTINIB is a kinase inhibitor indicated for:", Words: "the treatment of glioma."}}},
		{"numbered headings before the drug's name", "1.1 Melanoma INVENTINIB is indicated for patients with melanoma. " +
			"1.2 Lung Cancer INVENTINIB, as a single agent, is indicated for patients with NSCLC.", []in{
			{Under: "Melanoma", Words: "INVENTINIB is indicated for patients with melanoma."},
			{Under: "Lung Cancer", Words: "INVENTINIB, as a single agent, is indicated for patients with NSCLC."}}},
		{"headings on lines of their own", "Adjuvant treatment of melanoma\nInventinib is indicated in adults with melanoma.", []in{
			{Under: "Adjuvant treatment of melanoma", Words: "Inventinib is indicated in adults with melanoma."}}},
		{"a list behind a colon", "Inventinib is indicated for patients with an IDH1 mutation with: leukemia in adults; or glioma in " +
			"adults.", []in{
			{Lead: "Inventinib is indicated for patients with an IDH1 mutation with:", Words: "leukemia in adults"},
			{Lead: "Inventinib is indicated for patients with an IDH1 mutation with:", Words: "glioma in adults."}}},
		{"a list in a list", "Inventinib is indicated: • for the treatment of patients with NSCLC whose disease is: • stage III, or • " +
			"metastatic • for the treatment of patients with melanoma", []in{
			{Lead: "Inventinib is indicated: for the treatment of patients with NSCLC whose disease is:", Words: "stage III, or"},
			{Lead: "Inventinib is indicated: for the treatment of patients with NSCLC whose disease is:", Words: "metastatic"},
			{Lead: "Inventinib is indicated:", Words: "for the treatment of patients with melanoma"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := SplitIndications(tc.words, []string{"Inventinib"})
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(Indication{})); diff != "" {
				t.Errorf("Split (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhatLimitsIsNoIndication: it holds for all of the entry, and what only tells how it was approved is none.
func TestWhatLimitsIsNoIndication(t *testing.T) {
	got := SplitIndications("Inventinib is indicated for patients with solid tumors. This indication is approved under "+
		"accelerated approval. Patients with EGFR mutations should have progressed on another drug. Limitations of Use: "+
		"Inventinib is not indicated for patients with colorectal cancer.", []string{"Inventinib"})
	want := []string{"Patients with EGFR mutations should have progressed on another drug.",
		"Inventinib is not indicated for patients with colorectal cancer."}
	if len(got) != 1 || cmp.Diff(want, got[0].limits) != "" {
		t.Errorf("%+v", got)
	}
}
