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

// Feedback (pseudo-relevance feedback, after Robertson and Sparck Jones): the documents ranked first tell, by the words
// that they share and others lack, what else belongs to the question. It changes the order among the documents found
// and never finds others, so that every hit still holds a word that was asked for. The numbers are the customary ones.
const (
	FeedbackDocuments = 10  // taken from the top
	FeedbackWords     = 20  // taken from them
	feedbackDepth     = 500 // so many documents are ordered anew
	FeedbackMinimum   = 50  // with fewer found, the top tells too little of what is common among them
)

// weightedWord is a word with what it adds to a score.
type weightedWord struct {
	stem         string
	held         int      // by so many of the documents at the top
	last         int      // of which this is the last one seen
	there        []string // the forms in which it stands there
	forms        forms    // all forms in which it is in the index
	docFrequency float64
	weight       float64 // before forms are known, the most that it can be
}

// addFeedback orders the best of found anew. Scores only grow, so that those below keep their places.
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

// commonWords returns the FeedbackWords words that tell docs best from all other documents, best first, those asked for
// left out. A look at who holds a word is what takes time, and is taken for no word that can't be among them any more:
// those that fewer of docs hold can weigh less, and with each field and each form a word turns out to be in more
// documents, and weighs less.
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

// sharedWords returns the words of docs by how many of them hold each, those asked for left out.
func (r *ranking) sharedWords(docs []uint32, asked []string) ([][]weightedWord, error) {
	g := gathering{s: r.s, forms: map[string]*gatheredForm{}, words: map[string]*weightedWord{}}
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

// gathering gathers the words of some documents.
type gathering struct {
	s      *snapshot
	forms  map[string]*gatheredForm
	words  map[string]*weightedWord // by their stems
	tokens []string
}

// gatheredForm is a form of a word; word is nil for a stop word.
type gatheredForm struct {
	word *weightedWord
	last int // the document that it was seen in last
}

// add adds the words of the i-th document; one that was taken back since the search began has none.
func (g *gathering) add(i int, doc uint32) error {
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
func (g *gathering) form(token string) *gatheredForm {
	form := &gatheredForm{last: none}

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

// heaviest returns the FeedbackWords that weigh most of best and words. The words come in order of what they weigh at
// most, so that those further behind need not be looked up.
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

// couldBeAmong reports whether a word of at most this weight could be among the FeedbackWords that weigh most, of which
// best are known.
func couldBeAmong(best []weightedWord, weight float64) bool {
	return weight > 0 && (len(best) < FeedbackWords || best[FeedbackWords-1].weight <= weight)
}

// limit lowers what a word can weigh to what it can with those documents that hold, in one field, the one of the forms
// seen that is most frequent there. Those that hold any of its forms are as many at least.
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

// widestField is the one of the ranked fields that is longest, and so the likeliest to hold a word.
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

// OfferWeight is Robertson's measure of how well a word tells the sampled documents from the others, with held of
// sample documents and docFrequency of all records that hold it: high for words that many of the former and few of the
// latter hold.
func OfferWeight(heldBy, of int, docFrequency, records float64) float64 {
	held, sample := float64(heldBy), float64(of)
	docFrequency = max(docFrequency, held) // which is counted field by field, see ranking.docFrequency
	records = max(records, docFrequency+sample-held)
	odds := (held + 0.5) * (records - docFrequency - sample + held + 0.5) / ((docFrequency - held + 0.5) * (sample - held +
		0.5))
	return held * math.Log(odds)
}
