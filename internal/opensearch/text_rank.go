package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// weights are the weights of the words of each of fields.Ranked.
var weights = [len(fields.Ranked)]int{fulltext.TitleWeight, 1, 1}

// weightedTerms matches stems with their weights.
func weightedTerms(words []string) []clause {
	clauses := make([]clause, len(words))
	for i, word := range words {
		clauses[i] = clause{"term": clause{rankedField: shortenWord(word)}}
	}
	return clauses
}

// maxCandidates bounds how many words of the first hits are looked up: those that most hits contain.
const maxCandidates = 300

// candidate is a word that the first hits share.
type candidate struct {
	stem   string
	held   int // by so many of the first hits
	weight float64
}

// feedback returns words to add to plain words, as the local engine does (fulltext, feedback.go): words that the first
// hits share and others lack. It takes two more searches, and returns nothing if record is nil or few are found.
func (ix *Text) feedback(ctx context.Context, plain clause, asked []string, record fulltext.Lookup) ([]clause, error) {
	if record == nil {
		return nil, nil
	}

	found, err := ix.client.Search(ctx, ix.name, Query{"query": plain, "_source": false,
		"sort": order(fulltext.ByRelevance, true), "size": fulltext.FeedbackDocuments})
	if err != nil || found.Total < fulltext.FeedbackMinimum {
		return nil, err
	}

	words, err := sharedWords(found.Hits, asked, record)
	if err != nil {
		return nil, err
	}

	if err := ix.weighCandidates(ctx, words, len(found.Hits)); err != nil {
		return nil, err
	}
	slices.SortFunc(words, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.stem, b.stem))
	})
	words = slices.DeleteFunc(words, func(w candidate) bool { return w.weight <= 0 })
	words = words[:min(len(words), fulltext.FeedbackWords)]

	total := 0.0
	for _, w := range words {
		total += w.weight
	}

	more := make([]clause, len(words))
	for i, w := range words {
		more[i] = clause{"term": clause{rankedField: clause{"value": shortenWord(w.stem),
			"boost": fulltext.FeedbackShare * float64(len(asked)) * w.weight / total}}}
	}
	return more, nil
}

// sharedWords returns the words that at least two of the hits contain, most frequent first.
func sharedWords(hits []Hit, asked []string, record fulltext.Lookup) ([]candidate, error) {
	held := map[string]int{}
	for _, hit := range hits {
		id, err := idOf(hit)
		if err != nil {
			return nil, err
		}

		r, ok, err := record(id)
		if err != nil {
			return nil, fmt.Errorf("text of record %q: %w", id, err)
		}

		if !ok {
			continue
		}

		seen := map[string]bool{}
		for _, field := range fields.Of(&r) {
			if !slices.Contains(fields.Ranked[:], field.Name) {
				continue
			}

			for _, stem := range stems(field.Words, 1) {
				seen[stem] = true
			}
		}

		for stem := range seen {
			held[stem]++
		}
	}

	for _, word := range asked {
		delete(held, shortenWord(word))
	}

	var words []candidate
	for stem, n := range held {
		if n >= 2 && utf8.RuneCountInString(stem) >= 3 {
			words = append(words, candidate{stem: stem, held: n})
		}
	}
	slices.SortFunc(words, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.held, a.held), cmp.Compare(a.stem, b.stem))
	})
	return words[:min(len(words), maxCandidates)], nil
}

// distinctiveWords selects query words as the local engine does; counting them takes one more search.
func (ix *Text) distinctiveWords(ctx context.Context, asked []fulltext.QueryWord) ([]string, error) {
	if len(asked) <= fulltext.MaxWords {
		return fulltext.DistinctiveWords(asked, 0, nil)
	}

	held, records, err := ix.counts(ctx, text.Each(asked, func(w fulltext.QueryWord) string { return w.Stem }))
	if err != nil {
		return nil, err
	}
	return fulltext.DistinctiveWords(asked, records, func([]fulltext.QueryWord) ([]float64, error) { return held, nil })
}

// weighCandidates counts the records that contain each word, and sets its weight.
func (ix *Text) weighCandidates(ctx context.Context, words []candidate, sample int) error {
	held, records, err := ix.counts(ctx, text.Each(words, func(w candidate) string { return w.stem }))
	for i := range held {
		words[i].weight = fulltext.OfferWeight(words[i].held, sample, held[i], records)
	}
	return err
}

// counts returns how many records contain each of some stems, and how many records there are.
func (ix *Text) counts(ctx context.Context, stems []string) (held []float64, records float64, err error) {
	filters := clause{}
	for i, stem := range stems {
		filters[strconv.Itoa(i)] = clause{"term": clause{rankedField: shortenWord(stem)}}
	}

	if len(filters) == 0 {
		return nil, 0, nil
	}

	found, err := ix.client.Search(ctx, ix.name, Query{"query": everything(), "size": 0,
		"aggs": clause{"words": clause{"filters": clause{"filters": filters}}}})
	if err != nil {
		return nil, 0, err
	}

	var counted struct {
		Buckets map[string]struct {
			Count float64 `json:"doc_count"`
		}
	}
	if err := json.Unmarshal(found.Aggregations["words"], &counted); err != nil {
		return nil, 0, fmt.Errorf("counting words: %w", err)
	}

	for i := range stems {
		held = append(held, counted.Buckets[strconv.Itoa(i)].Count)
	}
	return held, float64(found.Total), nil
}

// idOf is a hit's record id, the last of its sort values.
func idOf(hit Hit) (id string, err error) {
	if len(hit.Sort) == 0 {
		return "", fmt.Errorf("the hit %q does not say its record's id", hit.ID)
	}

	if err := json.Unmarshal(hit.Sort[len(hit.Sort)-1], &id); err != nil {
		return "", fmt.Errorf("the id of a hit: %w", err)
	}
	return id, nil
}
