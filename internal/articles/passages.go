package articles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/results"
	"dossier/internal/text"
)

// Weights of what stands around a passage, beside its own words, and of the kinds of sections: what a paper found
// stands in its results and tables, and is assumed, planned and compared elsewhere.
const (
	aroundWeight = 0.5 // the section's title, the table's caption and head
	saturation   = 1.2 // BM25's k1
	lengthShare  = 0.3 // BM25's b: a row of a table is not better for being short
)

var kindWeight = map[evidence.SectionKind]float64{evidence.Results: 1, evidence.Methods: 0.6, evidence.Discussion: 0.7,
	evidence.Introduction: 0.5, evidence.Interests: 0.3, evidence.OtherSection: 0.7}

// Nearest gives at most so many passages of a text, those nearest in their words to a question first: by BM25 within
// the text (Robertson and Zaragoza, 2009), with outcomes under one name however they are called. A passage that has
// none of the question's words is none of them.
func Nearest(b *evidence.Body, question string, most int) []evidence.Passage {
	passages := b.Passages()
	around := aroundOf(b)
	own := make([][]string, len(passages))
	beside := make([][]string, len(passages))

	documents, length := map[string]int{}, 0
	for i := range passages {
		own[i], beside[i] = terms(passages[i].Text), around[placeOf(&passages[i])]

		length += len(own[i])
		for term := range counted(own[i], beside[i]) {
			documents[term]++
		}
	}
	asked := counted(terms(question), nil)
	mean := float64(length) / float64(max(len(passages), 1))
	type scored struct {
		at    int
		score float64
	}

	var found []scored
	for i := range passages {
		said, score := counted(own[i], beside[i]), 0.0

		long := 1 - lengthShare + lengthShare*float64(len(own[i]))/mean
		for _, term := range terms(question) {
			if asked[term] == 0 || said[term] == 0 {
				continue
			}
			rare := math.Log(1 + float64(len(passages))/float64(documents[term]))
			score += rare * said[term] * (saturation + 1) / (said[term] + saturation*long)
		}

		if score *= kindWeight[passages[i].Kind]; score > 0 && isTold(&passages[i], asked, own[i]) {
			found = append(found, scored{i, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	found = found[:min(len(found), most)]
	return text.Each(found, func(s scored) evidence.Passage { return passages[s.at] })
}

// isTold reports whether a passage has a word of the question itself, and not only around it.
func isTold(p *evidence.Passage, asked map[string]float64, own []string) bool {
	return p.Text != "" && slices.ContainsFunc(own, func(term string) bool { return asked[term] > 0 })
}

// terms are the words of a text by which passages are compared: their stems, without the commonest, and the names of
// outcomes.
func terms(s string) []string {
	var out []string
	for _, w := range text.Tokens(s) {
		if !text.StopWords(w) {
			out = append(out, text.Stem(w))
		}
	}

	for _, o := range results.Outcomes(s) {
		out = append(out, "="+o.Name)
	}
	return out
}

// counted are how often terms are said, those around counting less, and once.
func counted(own, around []string) map[string]float64 {
	out := map[string]float64{}
	for _, term := range own {
		out[term]++
	}

	for _, term := range around {
		if out[term] == 0 {
			out[term] = aroundWeight
		}
	}
	return out
}

func placeOf(p *evidence.Passage) string { return p.In + "\x00" + p.Section }

// aroundOf are the terms of what stands around passages, by their place.
func aroundOf(b *evidence.Body) map[string][]string {
	out := map[string][]string{}
	for i := range b.Sections {
		s := &b.Sections[i]
		out[placeOf(&evidence.Passage{In: evidence.InText, Section: s.Title})] = terms(s.Title)
	}

	for i := range b.Tables {
		t := &b.Tables[i]

		said := []string{t.Caption}
		for _, row := range t.Rows[:min(max(t.Header, 1), len(t.Rows))] {
			said = append(said, row...)
		}
		out[placeOf(&evidence.Passage{In: evidence.InTable, Section: t.Label})] = terms(strings.Join(said, ". "))
	}
	return out
}
