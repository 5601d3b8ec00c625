package evidence

import "testing"

func TestReview(t *testing.T) {
	concern := []Link{{Relation: CommentIn, Target: Identifier{Kind: PMID, Value: "99000001"}},
		{Relation: ConcernIn, Target: Identifier{Kind: PMID, Value: "99000002"}}}
	for _, tc := range []struct {
		name   string
		record Record
		judged *Assessment
		want   string
	}{
		{"nothing", Record{}, nil, ""},
		{"an expression of concern", Record{Links: concern}, nil, "expression of concern PMID:99000002"},
		{"one of which only the words are known", Record{Links: []Link{{Relation: ConcernIn, Citation: "Ann Y 2024"}}}, nil,
			"expression of concern"},
		{"an erratum", Record{Links: []Link{{Relation: ErratumIn}}}, nil, ""},
		{"it has been retracted since", Record{Links: concern, Retraction: Retraction{Status: Yes}}, nil, ""},
		{"and a score that needs a look", Record{Links: concern}, &Assessment{Review: "far from the rules' score"},
			"expression of concern PMID:99000002; far from the rules' score"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Review(&tc.record, tc.judged); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
