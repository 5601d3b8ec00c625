package lexicon

import (
	"slices"
	"testing"
)

func TestCompleteBroaderAddsWhatFacetsTell(t *testing.T) {
	entries := []Entry{
		{Kind: KindSite, Name: "thorax"},
		{Kind: KindSite, Name: "lung", Broader: []string{"thorax"}},
		{Kind: KindSite, Name: "kidney"},
		{Kind: KindTumour, Name: "cancer"},
		{Kind: KindTumour, Name: "adenocarcinoma", Broader: []string{"cancer"}},
		{Kind: KindTumour, Name: "thoracic cancer", Site: "thorax", Type: "cancer"},
		{Kind: KindTumour, Name: "lung cancer", Site: "lung", Type: "cancer"},
		{Kind: KindTumour, Name: "small lung cancer", Site: "lung", Type: "cancer", Qualifiers: []string{"small"}},
		{Kind: KindTumour, Name: "lung adenocarcinoma", Site: "lung", Type: "adenocarcinoma",
			Broader: []string{"small lung cancer"}},
		{Kind: KindTumour, Name: "mucinous adenocarcinoma", Site: "lung", Type: "adenocarcinoma",
			Qualifiers: []string{"mucinous"}},
		{Kind: KindTumour, Name: "kidney cancer", Site: "kidney", Type: "cancer"},
		{Kind: KindTumour, Name: "renal cell carcinoma", Broader: []string{"kidney cancer"}},
		{Kind: KindTumour, Name: "clear renal cell carcinoma", Type: "renal cell carcinoma", Qualifiers: []string{"clear"}},
		{Kind: KindTumour, Name: "lung renal cell carcinoma", Site: "lung", Type: "renal cell carcinoma"},
	}
	completeBroader(entries)
	want := map[string][]string{
		"lung":                       {"thorax"},
		"cancer":                     nil,
		"adenocarcinoma":             {"cancer"},
		"thoracic cancer":            {"cancer"},
		"lung cancer":                {"thoracic cancer"},
		"small lung cancer":          {"lung cancer"},
		"lung adenocarcinoma":        {"small lung cancer", "adenocarcinoma"},
		"mucinous adenocarcinoma":    {"lung adenocarcinoma"},
		"kidney cancer":              {"cancer"},
		"renal cell carcinoma":       {"kidney cancer"},
		"clear renal cell carcinoma": {"renal cell carcinoma"},
		"lung renal cell carcinoma":  {"lung cancer", "renal cell carcinoma"},
	}
	for _, e := range entries {
		if expected, named := want[e.Name]; named && !slices.Equal(e.Broader, expected) {
			t.Errorf("%s: broader %q, want %q", e.Name, e.Broader, expected)
		}
	}
}

func TestCompleteBroaderEndsWhereTumoursGoRound(t *testing.T) {
	entries := []Entry{
		{Kind: KindSite, Name: "a", Broader: []string{"b"}},
		{Kind: KindSite, Name: "b", Broader: []string{"a"}},
		{Kind: KindTumour, Name: "one", Broader: []string{"two"}},
		{Kind: KindTumour, Name: "two", Broader: []string{"one"}},
		{Kind: KindTumour, Name: "three", Site: "a", Type: "one", Broader: []string{"nothing"}},
	}
	completeBroader(entries)
	if got := entries[4].Broader; !slices.Contains(got, "one") || !slices.Contains(got, "nothing") {
		t.Errorf("three: broader %q", got)
	}
}

// What follows Broader alone reaches the root from every tumour.
func TestEveryTumourLeadsToTheRootByBroaderAlone(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range l.Entries() {
		root := slices.ContainsFunc(l.broaderThan(KindTumour, e.Name), func(h *Entry) bool { return h.Name == anyTumour })
		if e.Kind == KindTumour && e.Name != anyTumour && !root {
			t.Errorf("%s does not lead to %s", e.Name, anyTumour)
		}
	}
}
