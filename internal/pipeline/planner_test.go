package pipeline

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

var _ Dictionary = (*lexicon.Lexicon)(nil)

func TestRulesPlannerReads(t *testing.T) {
	chinese := func(text string) lexicon.Word {
		return lexicon.Word{Part: lexicon.Part{Text: text}, Key: text, Language: "Chinese"}
	}
	tests := []struct {
		name  string
		words []lexicon.Word
		want  string // the error; empty for none
	}{
		{"all of it is known", nil, ""},
		{"an unknown word", []lexicon.Word{{Part: lexicon.Part{Text: "foo"}, Key: "foo"}}, ""},
		{"a language that nothing reads", []lexicon.Word{{Part: lexicon.Part{Text: "foo"}}, chinese("耐药"),
			{Part: lexicon.Part{Text: "рак"}, Language: "Cyrillic script"}},
			`nothing here reads "耐药" (Chinese), "рак" (Cyrillic script); write the question in English, or configure a model that reads its language`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := RulesPlanner{}.Readable(&lexicon.Question{Words: tt.words})
			if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && (got != tt.want ||
				!errors.Is(err, ErrUnreadable)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestConceptsOfAQuestion(t *testing.T) {
	tests := []struct {
		name   string
		layers map[int][]boolean.Group
		want   []boolean.Group
	}{
		{
			"layer 1 with layer 2's synonyms",
			map[int][]boolean.Group{1: {group(boolean.Disease, "a"), group(boolean.Drug, "b")},
				2: {group(boolean.Disease, "c")}},
			[]boolean.Group{group(boolean.Disease, "a", "c"), group(boolean.Drug, "b")},
		},
		{
			"no layer 1: the most telling term",
			map[int][]boolean.Group{4: {group(boolean.Drug, "b")}}, []boolean.Group{group(boolean.Drug, "b")},
		},
		{
			"layer 2 of other concepts adds nothing",
			map[int][]boolean.Group{1: {group(boolean.Disease, "a")}, 2: {group(boolean.Drug, "c")}},
			[]boolean.Group{group(boolean.Disease, "a")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			planner := RulesPlanner{fakeDictionary{"q": tt.layers}}
			if diff := cmp.Diff(tt.want, planner.Concepts(&lexicon.Question{Text: "q"})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// With the dictionary that ships, the variant decides: wide synonyms ("exon 2") widen searches, and no judgement.
func TestShippedDictionaryKeepsVariantsApart(t *testing.T) {
	dictionary, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	asked := dictionary.Understand("KRAS G12C colorectal cancer")
	q := Question{Concepts: RulesPlanner{dictionary}.Concepts(&asked)}
	tests := []struct {
		title    string
		relevant bool
	}{
		{"KRAS G12C-mutated metastatic colorectal cancer", true},
		{"Metastatic colorectal carcinomas with KRAS p.Gly12Cys", true},
		{"KRAS G12D-mutated metastatic colorectal cancer", false},
		{"KRAS exon 2 mutations in colorectal cancer", false},
		{"KRAS G12C-mutated lung cancer", false},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			r := evidence.Record{Title: tt.title}
			if got := newRules(q).assess(&r); got.Relevant != tt.relevant {
				t.Errorf("relevant %v with %q and score %g, want %v", got.Relevant, got.Criteria, got.Score, tt.relevant)
			}
		})
	}
}

func TestConceptsOfAQueryByHand(t *testing.T) {
	pubmed := &fakeSource{name: evidence.SourcePubMed, records: []evidence.Record{
		paper(1, "Toast with butter", "Review"), paper(2, "Toast and jam with butter", "Review"),
	}}
	topic := topicOn("结直肠癌")
	topic.ID, topic.Query = "bread", "(toast[tiab] OR bun[tiab]) AND butter[tiab] NOT jam[tiab]"
	store := newFakeStore()
	mustRun(t, testPipeline(pubmed), store, topic)
	a := store.answerOn(t, topic)
	if diff := cmp.Diff([]string{"PMID:1"}, a.Sample); diff != "" || a.Query.By != ByHand {
		t.Errorf("by %q, sample (-want +got):\n%s", a.Query.By, diff)
	}
	if want := []string{"mechanism_outcome: toast", "mechanism_outcome: butter"}; !cmp.Equal(want,
		a.Assessments[0].Criteria) {
		t.Errorf("criteria %q, want %q", a.Assessments[0].Criteria, want)
	}
}
