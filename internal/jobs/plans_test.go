package jobs

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
)

// shipped are the topics that come with the program, and the dictionary.
func shipped(t *testing.T) ([]evidence.Topic, *lexicon.Lexicon) {
	t.Helper()
	files, _, err := Read(filepath.Join("..", "..", "jobs"), programDefaults, guard.Gate{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return Topics(files), l
}

// A paper on one of several alternatives is found by each of layers 1 to 3, whatever the others are.
func TestShippedTopicsAskForEitherOfTheirAlternatives(t *testing.T) {
	topics, l := shipped(t)
	withSeveral := 0
	for _, topic := range topics {
		q := l.Understand(topic.Question)
		last := 0
		for _, d := range q.Drugs {
			last = max(last, d.Regimen)
		}
		if last > 1 {
			withSeveral++
		}
		for regimen := 1; regimen <= last; regimen++ {
			for n := 1; n <= 3; n++ {
				layer, ok := l.Layer(&q, n)
				if doc := paperOn(l, &q, regimen, layer); ok && !boolean.Match(layer.Node(), doc) {
					t.Errorf("%s: layer %d does not find a paper on regimen %d alone: %s", topic.ID, n, regimen, layer)
				}
			}
		}
	}
	t.Logf("%d of %d topics ask for alternatives", withSeveral, len(topics))
}

// paperOn has every term of a query but those that name drugs of other regimens than the given one.
func paperOn(l *lexicon.Lexicon, q *lexicon.Question, regimen int, query boolean.Query) boolean.Document {
	isOther := func(name string) bool {
		of := slices.DeleteFunc(slices.Clone(q.Drugs), func(d lexicon.Drug) bool { return d.Name != name || d.Regimen == 0 })
		return len(of) > 0 && !slices.ContainsFunc(of, func(d lexicon.Drug) bool { return d.Regimen == regimen })
	}
	var doc boolean.Document
	for _, term := range boolean.Terms(query.Node()) {
		says := l.Understand(term.Text)
		if slices.ContainsFunc(says.Drugs, func(d lexicon.Drug) bool { return isOther(d.Name) }) {
			continue
		}
		doc.Titles = append(doc.Titles, strings.TrimSuffix(term.Text, "*"))
		doc.Headings = append(doc.Headings, evidence.Heading{Name: term.Text})
	}
	return doc
}
