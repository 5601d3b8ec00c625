package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// Feedback (pseudo-relevance feedback, after Robertson and Sparck Jones): words that the documents ranked first share
// and others lack are related to the question. It reorders the documents found and never finds others, so that every
// hit still contains a query word. The numbers are the customary ones.
const (
	FeedbackDocuments = 10  // taken from the top
	FeedbackWords     = 20  // taken from them
	feedbackDepth     = 500 // how many documents are reordered
	FeedbackMinimum   = 50  // with fewer found, the top shows too little of what they share
)

// weightedWord is a word with its addition to a score.
type weightedWord struct {
	stem         string
	held         int      // how many of the top documents contain it
	last         int      // the last of these seen
	there        []string // its forms there
	forms        forms    // all forms in which it is in the index
	docFrequency float64
	weight       float64 // before forms are known, the most that it can be
}

// addFeedback reorders the best of found. Scores only grow, so that those below keep their places.
func (r *ranking) addFeedback(ctx context.Context, asked []string, found *roaring.Bitmap) error {
	if r.feedback == 0 || r.s.record == nil || found.GetCardinality() < FeedbackMinimum {
		return nil
	}

	best, err := r.s.best(found, r.scores.scores, feedbackDepth, FeedbackDocuments)
	if err != nil {
		return err
	}

	words, err := r.commonWords(ctx, best[:FeedbackDocuments], asked)
	if err != nil {
		return err
	}

	total := 0.0
	for _, w := range words {
		total += w.weight
	}

	candidates := roaring.BitmapOf(best...)
	for _, w := range words {
		weight := r.feedback * float64(len(asked)) * w.weight / total
		if err := r.add(ctx, w.forms, w.docFrequency, weight, candidates); err != nil {
			return err
		}
	}
	return nil
}

// commonWords returns the FeedbackWords words that best distinguish docs from all other documents, best first, without
// the query's words. Looking up which documents contain a word takes most of the time, so it skips words that can't be
// among them any more: words in fewer of docs can weigh less, and each further field and form lowers a word's weight.
func (r *ranking) commonWords(ctx context.Context, docs []uint32, asked []string) (best []weightedWord, err error) {
	byHolders, err := r.sharedWords(docs, asked)
	if err != nil {
		return nil, err
	}

	widest := r.widestField()
	for held := len(docs); held >= 2 && couldBeAmong(best, OfferWeight(held, len(docs), 0, r.records)); held-- {
		words := byHolders[held]
		for i := range words {
			r.limit(&words[i], len(docs), widest)
		}
		slices.SortFunc(words, byWeight)

		if best, err = r.heaviest(ctx, best, words, len(docs), widest); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// sharedWords returns the words of docs by how many of them contain each, without the query's words.
func (r *ranking) sharedWords(docs []uint32, asked []string) ([][]weightedWord, error) {
	g := wordCollector{s: r.s, forms: map[string]*collectedForm{}, words: map[string]*weightedWord{}}
	for i, doc := range docs {
		if err := g.add(i, doc); err != nil {
			return nil, err
		}
	}

	byHolders := make([][]weightedWord, len(docs)+1)
	for stemmed, word := range g.words {
		if utf8.RuneCountInString(stemmed) >= 3 && !slices.Contains(asked, stemmed) {
			byHolders[word.held] = append(byHolders[word.held], *word)
		}
	}
	return byHolders, nil
}

// wordCollector collects the words of some documents.
type wordCollector struct {
	s      *snapshot
	forms  map[string]*collectedForm
	words  map[string]*weightedWord // by their stems
	tokens []string
}

// collectedForm is a form of a word; word is nil for a stop word.
type collectedForm struct {
	word *weightedWord
	last int // the document that it was seen in last
}

// add adds the words of the i-th document; one that was withdrawn since the search began has none.
func (g *wordCollector) add(i int, doc uint32) error {
	id, err := g.s.id(doc)
	if err != nil {
		return err
	}

	record, ok, err := g.s.record(id)
	if err != nil {
		return fmt.Errorf("text of record %q: %w", id, err)
	}

	if !ok {
		return nil
	}

	g.tokens = text.AppendTokens(text.AppendTokens(g.tokens[:0], record.Title), record.AbstractText())
	for _, term := range fields.Terms(&record) {
		g.tokens = text.AppendTokens(g.tokens, term)
	}

	for _, token := range g.tokens {
		form := g.forms[token]
		if form == nil {
			form = g.form(token)
		}

		if form.word == nil || form.last == i {
			continue
		}

		form.last = i
		if form.word.last != i {
			form.word.last = i
			form.word.held++
		}
	}
	return nil
}

// form adds a form that was not seen before.
func (g *wordCollector) form(token string) *collectedForm {
	form := &collectedForm{last: none}

	g.forms[token] = form
	if boolean.IsStopWord(token) {
		return form
	}

	stemmed := g.s.stem(token)
	if form.word = g.words[stemmed]; form.word == nil {
		form.word = &weightedWord{stem: stemmed, last: none}
		g.words[stemmed] = form.word
	}
	form.word.there = append(form.word.there, token)
	return form
}

// none stands for a document before the first.
const none = -1

// heaviest returns the FeedbackWords heaviest words of best and words. The words come in order of their upper bounds,
// so that later ones need not be looked up.
func (r *ranking) heaviest(ctx context.Context, best, words []weightedWord, sample, widest int) ([]weightedWord, error) {
	for _, word := range words {
		if !couldBeAmong(best, word.weight) {
			break
		}

		for field := range r.s.ranked {
			if field != widest {
				r.limit(&word, sample, field)
			}
		}

		if !couldBeAmong(best, word.weight) {
			continue
		}

		if err := r.weigh(ctx, &word, sample); err != nil {
			return nil, err
		}

		if word.weight > 0 {
			at, _ := slices.BinarySearchFunc(best, word, byWeight)
			best = slices.Insert(best, at, word)
		}
		best = best[:min(len(best), FeedbackWords)]
	}
	return best, nil
}

// couldBeAmong reports whether a word of at most this weight could be among the FeedbackWords heaviest, of which best
// are known.
func couldBeAmong(best []weightedWord, weight float64) bool {
	return weight > 0 && (len(best) < FeedbackWords || best[FeedbackWords-1].weight <= weight)
}

// limit lowers a word's upper bound to its weight given the documents that contain, in one field, its most frequent
// form seen there. At least as many contain any of its forms.
func (r *ranking) limit(word *weightedWord, sample, field int) {
	for _, form := range word.there {
		word.docFrequency = max(word.docFrequency, float64(r.s.count(r.s.ranked[field], form)))
	}
	word.weight = OfferWeight(word.held, sample, word.docFrequency, r.records)
}

// weigh sets what a word weighs with all its forms.
func (r *ranking) weigh(ctx context.Context, word *weightedWord, sample int) (err error) {
	if word.forms, err = r.s.forms(ctx, word.stem); err != nil {
		return err
	}

	if word.docFrequency, err = r.docFrequency(ctx, word.forms); err != nil {
		return err
	}
	word.weight = OfferWeight(word.held, sample, word.docFrequency, r.records)
	return nil
}

// widestField is the longest of the ranked fields, and so the likeliest to contain a word.
func (r *ranking) widestField() int {
	widest := 0
	for i, average := range r.average {
		if average > r.average[widest] {
			widest = i
		}
	}
	return widest
}

func byWeight(a, b weightedWord) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.stem, b.stem))
}

// OfferWeight is Robertson's offer weight: how well a word distinguishes the sampled documents, given that held of
// sample documents and docFrequency of all records contain it. It is high for words that many of the former and few of
// the latter contain.
func OfferWeight(heldBy, of int, docFrequency, records float64) float64 {
	held, sample := float64(heldBy), float64(of)
	docFrequency = max(docFrequency, held) // which is counted field by field, see ranking.docFrequency
	records = max(records, docFrequency+sample-held)
	odds := (held + 0.5) * (records - docFrequency - sample + held + 0.5) / ((docFrequency - held + 0.5) * (sample - held +
		0.5))
	return held * math.Log(odds)
}
