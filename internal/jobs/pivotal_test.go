package jobs

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/source/pubmed"
	"dossier/internal/text"
)

//go:embed testdata/pivotal.tsv
var pivotalTitles string

// layersOf are the queries that a topic is asked by in layers 1 to 3, or the one that was written by hand.
func layersOf(t *testing.T, l *lexicon.Lexicon, topic evidence.Topic, q *lexicon.Question) []boolean.Query {
	t.Helper()
	if topic.Query != "" {
		node, err := boolean.Parse(topic.Query)
		if err != nil {
			t.Fatal(err)
		}
		return []boolean.Query{{Groups: boolean.GroupsOf(node)}}
	}
	var out []boolean.Query
	for n := 1; n <= 3; n++ {
		if layer, ok := l.Layer(q, n); ok {
			out = append(out, layer)
		}
	}
	return out
}

// TestPivotalPapersThatAreRecordedAreFound: title and abstract of a topic's pivotal papers match a query of layers 1
// to 3.
func TestPivotalPapersThatAreRecordedAreFound(t *testing.T) {
	topics, l := shipped(t)
	recorded := recordedPapers(t)
	found := 0
	for _, topic := range topics {
		q := l.Understand(topic.Question)
		layers := layersOf(t, l, topic, &q)
		for _, id := range topic.Pivotal {
			record, ok := recorded[id]
			if !ok {
				continue
			}
			found++
			doc := boolean.DocumentOf(record)
			if !slices.ContainsFunc(layers, func(q boolean.Query) bool { return boolean.Match(q.Node(), doc) }) {
				t.Errorf("%s: no layer finds %s, %q", topic.ID, id, record.Title)
			}
		}
	}
	t.Logf("%d pivotal papers are recorded", found)
}

// recordedPapers are those that lie beside the project, by PMID.
func recordedPapers(t *testing.T) map[string]*evidence.Record {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "pubmed", "*.xml.gz"))
	if err != nil || len(files) == 0 {
		t.Skipf("no recorded PubMed records are beside the project: %v", err)
	}
	out := map[string]*evidence.Record{}
	for _, path := range files {
		for _, r := range readRecorded(t, path) {
			if id, ok := r.Identifier(evidence.PMID); ok {
				out[id.Value] = &r
			}
		}
	}
	return out
}

func readRecorded(t *testing.T, path string) []evidence.Record {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []evidence.Record
	if err := pubmed.Parse(f, func(item pubmed.Item) error {
		if item.Record != nil {
			out = append(out, *item.Record)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPivotalTitlesFitALayer holds the titles of the topics' pivotal papers against their queries, as far as a title
// alone can tell: of some layer it meets a group, and no group speaks against it. One does that the title does not meet
// although it names something of its kind that is not merely broader than what is asked: a tumour, what has become of
// one of the group's genes, or drugs of which the question has none. What a title leaves open its abstract has to say.
func TestPivotalTitlesFitALayer(t *testing.T) {
	topics, l := shipped(t)
	titles := map[string][][]string{}
	for cells := range text.Rows(pivotalTitles) {
		titles[cells[0]] = append(titles[cells[0]], cells)
	}
	n := 0
	for _, topic := range topics {
		q := l.Understand(topic.Question)
		layers := layersOf(t, l, topic, &q)
		if len(titles[topic.ID]) != len(topic.Pivotal) {
			t.Errorf("%s: %d pivotal papers, and titles of %d", topic.ID, len(topic.Pivotal), len(titles[topic.ID]))
		}
		for _, cells := range titles[topic.ID] {
			n++
			id, title := cells[1], cells[2]
			if !slices.Contains(topic.Pivotal, id) {
				t.Errorf("%s: %s is none of its pivotal papers", topic.ID, id)
			}
			words := titleWords{l, q, title, l.Read(title)}
			var why []string
			for _, layer := range layers {
				why = append(why, words.speaksAgainst(layer))
			}
			reason, isException := exceptions[id]
			switch fits := slices.Contains(why, ""); {
			case !fits && !isException:
				t.Errorf("%s: no layer fits %s %q: %s", topic.ID, id, title, strings.Join(why, "; "))
			case fits && isException:
				t.Errorf("%s fits, and is an exception: %s", id, reason)
			}
		}
	}
	t.Logf("%d titles, %d exceptions", n, len(exceptions))
}

// exceptions are the pivotal papers whose titles fit no layer, with the reason.
var exceptions = map[string]string{
	"31415061": "it is on many cancers, and names two genes before one word: POLE and POLD1 mutations",
	"29773717": "it names lung adenocarcinoma, which is one kind of what is asked",
	"27432227": "it names the rearrangement alone; G1202R stands in the abstract",
	"21642685": "KIT alone is a word, which no query can ask for",
	"23775962": "KIT alone is a word, and the sites stand far from melanoma",
	"31976786": "pancreas adenocarcinoma is a rare wording, and none of its drugs is asked about",
}

// speaksAgainst says what of a query speaks against a title; empty where it fits.
func (w *titleWords) speaksAgainst(query boolean.Query) string {
	doc := boolean.Document{Titles: []string{w.title}}
	meets := false
	for _, g := range query.Groups {
		switch {
		case boolean.Match(boolean.Query{Groups: []boolean.Group{g}}.Node(), doc):
			meets = true
		case w.namesAnother(g):
			return fmt.Sprintf("layer %d's %s", query.Layer, g.Concept)
		}
	}
	if !meets {
		return fmt.Sprintf("nothing of layer %d", query.Layer)
	}
	return ""
}

// titleWords are what a question asks and what a title says.
type titleWords struct {
	l        *lexicon.Lexicon
	question lexicon.Question
	title    string
	says     lexicon.Question
}

// namesAnother reports whether a title names something of a group's kind, and nothing that is broader than what is
// asked.
func (w *titleWords) namesAnother(g boolean.Group) bool {
	switch g.Concept {
	case boolean.Disease:
		isBroader := func(c lexicon.Concept) bool {
			return c.Entry != nil && c.Entry.Broad || slices.ContainsFunc(w.question.Tumours, func(asked lexicon.Concept) bool {
				return c.Name != asked.Name && w.l.Holds(&c, &asked)
			})
		}
		return len(w.says.Tumours) > 0 && !slices.ContainsFunc(w.says.Tumours, isBroader)
	case boolean.GeneVariant:
		var asked []lexicon.Alteration
		for _, t := range g.AllTerms() {
			says := w.l.Understand(t.Text)
			asked = append(asked, says.Alterations...)
		}
		return slices.ContainsFunc(w.says.Alterations, func(a lexicon.Alteration) bool {
			isGeneral := a.Kind == lexicon.AnyAlteration || a.Kind == lexicon.Mutation
			return !isGeneral && slices.ContainsFunc(asked, func(b lexicon.Alteration) bool { return a.Gene == b.Gene })
		})
	case boolean.Drug:
		isAsked := func(d lexicon.Drug) bool {
			return slices.ContainsFunc(w.question.Drugs, func(o lexicon.Drug) bool { return d.Name == o.Name })
		}
		return len(w.says.Drugs) > 0 && !slices.ContainsFunc(w.says.Drugs, isAsked)
	case boolean.MechanismOutcome:
	}
	return false
}
