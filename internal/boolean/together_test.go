package boolean

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoRegimens asks for melanoma, and for A with B or C with D: never for B with C.
func twoRegimens() Query {
	drug := func(names ...string) Group { return group(Drug, FieldTitleAbs, names...) }
	return Query{Groups: []Group{
		group(Disease, FieldTitleAbs, "melanoma"),
		{Concept: Drug, Together: [][]Group{{drug("aaa", "AA-1"), drug("bbb")}, {drug("ccc"), drug("ddd")}}},
	}}
}

func TestTogetherInEachDialect(t *testing.T) {
	q := twoRegimens()
	want := `melanoma[tiab] AND (((aaa[tiab] OR AA-1[tiab]) AND bbb[tiab]) OR (ccc[tiab] AND ddd[tiab]))`
	if got := q.String(); got != want {
		t.Errorf("PubMed: %s\nwant %s", got, want)
	}
	europe, err := EuropePMC(q.Node())
	if err != nil {
		t.Fatal(err)
	}
	want = `TITLE_ABS:"melanoma" AND (((TITLE_ABS:"aaa" OR TITLE_ABS:"AA-1") AND TITLE_ABS:"bbb") OR ` +
		`(TITLE_ABS:"ccc" AND TITLE_ABS:"ddd"))`
	if europe != want {
		t.Errorf("Europe PMC: %s\nwant %s", europe, want)
	}
	alex, notes, err := OpenAlex(nil, q.Groups, 1500, 0)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if want = `melanoma AND (((aaa OR "AA 1") AND bbb) OR (ccc AND ddd))`; alex != want {
		t.Errorf("OpenAlex: %s\nwant %s", alex, want)
	}
	trials, notes := ClinicalTrials(q.Groups, nil)
	if len(notes) > 0 {
		t.Error(notes)
	}
	if want := (CTQuery{Cond: "melanoma", Intr: `((aaa OR "AA 1") AND bbb) OR (ccc AND ddd)`}); trials != want {
		t.Errorf("ClinicalTrials.gov: %+v\nwant %+v", trials, want)
	}
}

// What is kept as text is taken apart into the same groups again.
func TestGroupsOfReadsWhatStandsTogether(t *testing.T) {
	q := twoRegimens()
	groups := GroupsOf(mustParse(t, q.String()))
	if len(groups) != 2 || len(groups[1].Together) != 2 {
		t.Fatalf("groups %+v", groups)
	}
	if diff := cmp.Diff(q.String(), Query{Groups: groups}.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoBroaderThanTogether(t *testing.T) {
	both, either := twoRegimens(), twoRegimens()
	either.Groups[1] = group(Drug, FieldTitleAbs, "aaa", "AA-1", "bbb", "ccc", "ddd")
	one := twoRegimens()
	one.Groups[1].Together = one.Groups[1].Together[:1]
	for _, tc := range []struct {
		name        string
		query, than Query
		want        bool
	}{
		{"regimens, where any of their drugs was asked", both, either, true},
		{"any drug, where regimens were asked", either, both, false},
		{"one regimen of two", one, both, true},
		{"two regimens of one", both, one, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.query.NoBroaderThan(tc.than); got != tc.want {
				t.Errorf("%s no broader than %s: %v", tc.query, tc.than, got)
			}
		})
	}
}

func TestLimitedKeepsWhatStandsTogether(t *testing.T) {
	q, notes := twoRegimens().Limited(1, nil)
	want := `"melanoma"[tiab] AND (((aaa[tiab] OR AA-1[tiab]) AND bbb[tiab]) OR (ccc[tiab] AND ddd[tiab]))`
	if got := q.String(); got != want || len(notes) > 0 {
		t.Errorf("%s, %v\nwant %s", got, notes, want)
	}
}
