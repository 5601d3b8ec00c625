package articles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// How many texts one search looks at: the best ones, where more match. Where neither a filter nor an order nor a
// count goes by their records, so many beyond those that are shown do.
const (
	maxMatches = 10_000
	beyond     = 200
)

// Found is what a search of the full texts found.
type Found struct {
	// Total is how many records' text matches and pass the filter; of texts beyond those that were looked at each counts
	// as another record's.
	Total  int
	Hits   []Hit
	Facets map[string][]fulltext.FacetCount
	// Apart are texts, of those looked at, that match and belong to no record, or to none for certain; More says that
	// others match worse than any that is ever looked at.
	Apart int
	More  bool
}

// Hit is a record whose text matches, and where it does.
type Hit struct {
	Record  evidence.Record // the store's
	Score   float64
	Passage evidence.Passage
}

// match is a text that matches, with the record that its number leads to.
type match struct {
	id       string
	articles []string // the texts under its numbers, best first; no more than one is its own
	score    float64
	record   *evidence.Record // read where a filter, an order or a count needs it
}

// Search looks through the full texts, and gives the store's records of those that match: filters, facets and orders go
// by what the store says of them.
func (s *Shelf) Search(ctx context.Context, records Records, req fulltext.Request) (found Found, err error) {
	if s.reader == nil {
		return found, nil
	}

	if err := req.Check(); err != nil {
		return found, fmt.Errorf("search: %w", err)
	}

	if !goesByRecords(&req) && req.Offset+req.Limit < maxMatches-beyond {
		found, err = s.look(ctx, records, req, req.Offset+req.Limit+beyond)
		if !errors.Is(err, errInDoubt) {
			return found, err
		}
	}
	return s.look(ctx, records, req, maxMatches)
}

// goesByRecords reports whether what is found, or its order, goes by what the store says of the records.
func goesByRecords(req *fulltext.Request) bool {
	return len(req.Filter.Conditions()) > 0 || len(req.Facets) > 0 ||
		cmp.Or(req.Sort, fulltext.ByRelevance) != fulltext.ByRelevance
}

// errInDoubt says that those texts that were not looked at may matter: one that was turned out to be nobody's.
var errInDoubt = errors.New("the texts looked at are too few")

// look answers a search by the so many texts that match best. The error is errInDoubt where others must be seen, too.
func (s *Shelf) look(ctx context.Context, records Records, req fulltext.Request, most int) (found Found, err error) {
	result, err := s.reader.Search(ctx, fulltext.Request{
		Text: req.Text, Node: req.Node, Headings: req.Headings, Limit: most,
	})
	if err != nil {
		return found, err
	}
	found.More = result.Total > maxMatches
	unseen := min(int(result.Total), maxMatches) - len(result.Hits)

	matches, err := s.matches(records, &result, &found)
	if err != nil {
		return found, err
	}

	if goesByRecords(&req) {
		if matches, err = passing(ctx, records, matches, req.Filter.Conditions()); err != nil {
			return found, err
		}
		found.Facets = facets(matches, req.Facets)
		inOrder(matches, req.Sort)
	}
	found.Total = len(matches) + unseen

	marker := fulltext.NewHighlighter(req)
	for _, m := range matches[min(req.Offset, len(matches)):] {
		if len(found.Hits) == req.Limit {
			break
		}

		hit, sure, err := s.hit(records, m, result.Read, marker, boolean.Terms(req.Node))
		if err != nil {
			return found, err
		}

		found.Apart += len(m.articles)
		if !sure { // the record has changed since the text came
			found.Total--
			continue
		}
		found.Apart--
		found.Hits = append(found.Hits, hit)
	}

	if unseen > 0 && (found.Apart > 0 || len(found.Hits) < req.Limit) {
		return found, errInDoubt
	}
	return found, nil
}

// matches are the texts that match, best first, each record once.
func (s *Shelf) matches(records Records, result *fulltext.Result, found *Found) (out []match, err error) {
	ids := make([]evidence.Identifier, len(result.Hits))
	for i, hit := range result.Hits {
		key, _, _ := strings.Cut(hit.ID, "#")
		if ids[i], err = evidence.ParseIdentifier(key); err != nil {
			return nil, fmt.Errorf("the full text %.100q: %w", hit.ID, err)
		}
	}

	all, err := records.LookupAll(ids)
	if err != nil {
		return nil, err
	}

	seen := map[string]int{} // the place in out
	for i, hit := range result.Hits {
		owners := all[i]
		if isApart(hit.ID) {
			if owners, err = s.ownersOf(records, hit.ID); err != nil {
				return nil, err
			}
		}

		switch {
		case len(owners) != 1:
			found.Apart++
		default:
			at, is := seen[owners[0]]
			if !is {
				at, seen[owners[0]] = len(out), len(out)
				out = append(out, match{id: owners[0], score: hit.Score})
			}
			out[at].articles = append(out[at].articles, hit.ID)
		}
	}
	return out, nil
}

// ownersOf looks whether a text that was kept apart is a record's by now.
func (s *Shelf) ownersOf(records Records, key string) ([]string, error) {
	article, found, err := s.reader.Record(key)
	if err != nil || !found {
		return nil, err
	}

	owner, err := OwnerOf(records, &article)
	if owner.Record == "" {
		return nil, err
	}
	return []string{owner.Record}, err
}

// passing reads the records of matches, and keeps those that meet all conditions.
func passing(ctx context.Context, records Records, matches []match, conditions []fulltext.Condition) ([]match, error) {
	var out []match
	for _, m := range matches {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		record, found, err := records.Record(m.id)
		if err != nil {
			return nil, err
		}

		m.record = &record
		if found && !slices.ContainsFunc(conditions, func(c fulltext.Condition) bool { return !meets(&record, c) }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// meets reports whether a record meets a condition, as an index of it would.
func meets(record *evidence.Record, c fulltext.Condition) bool {
	has := false
	for _, field := range c.Fields {
		values := valuesOf(record, field)

		has = has || len(values) > 0
		if slices.ContainsFunc(values, c.Wants) {
			return true
		}
	}
	return c.Lacking && !has
}

func valuesOf(record *evidence.Record, field string) []string {
	for _, f := range fields.Of(record) {
		if f.Name == field {
			return f.Words
		}
	}
	return nil
}

func facets(matches []match, names []string) map[string][]fulltext.FacetCount {
	out := map[string][]fulltext.FacetCount{}
	for _, name := range names {
		counts := map[string]int{}
		for _, m := range matches {
			for _, value := range valuesOf(m.record, fields.Facets[name]) {
				counts[value]++
			}
		}

		for value, n := range counts {
			out[name] = append(out[name], fulltext.FacetCount{Value: value, Count: n})
		}
		slices.SortFunc(out[name], func(a, b fulltext.FacetCount) int {
			return cmp.Or(b.Count-a.Count, strings.Compare(a.Value, b.Value))
		})
	}
	return out
}

func inOrder(matches []match, order fulltext.Sort) {
	slices.SortStableFunc(matches, func(a, b match) int {
		switch order {
		case fulltext.ByNewest:
			return cmp.Or(strings.Compare(string(b.record.Date), string(a.record.Date)), strings.Compare(a.id, b.id))
		case fulltext.ByCitations:
			return cmp.Or(b.record.CitedBy-a.record.CitedBy, strings.Compare(a.id, b.id))
		case fulltext.ByID:
			return strings.Compare(a.id, b.id)
		}
		return 0 // they are in it already
	})
}

// hit reads a record and its text, and finds where in it the words stand; sure is false where the two contradict.
func (s *Shelf) hit(
	records Records, m match, read map[string]evidence.Record, marker *fulltext.Highlighter, asked []boolean.Term,
) (hit Hit, sure bool, err error) {
	for _, key := range m.articles {
		article, found := read[key]
		if !found {
			if article, found, err = s.reader.Record(key); err != nil || !found {
				return hit, false, err
			}
		}

		owner, err := OwnerOf(records, &article)
		if err != nil {
			return hit, false, err
		}

		if owner.Record != m.id {
			continue
		}
		hit.Record, sure, err = records.Record(m.id)
		hit.Score, hit.Passage = m.score, passage(article.Body, marker, asked)
		return hit, sure, err
	}
	return hit, false, nil
}

// maxPassage bounds what is shown of a paragraph, in bytes.
const maxPassage = 400

// passage is the paragraph, row or caption with most of what was looked for, cut around the first of it.
func passage(b *evidence.Body, marker *fulltext.Highlighter, asked []boolean.Term) (best evidence.Passage) {
	most := 0
	for _, p := range b.Passages() {
		spans := marker.Spans(p.Text)

		different := map[string]bool{}
		for _, span := range spans {
			different[strings.ToLower(span.In(p.Text))] = true
		}

		weight := len(different)
		if weight > 0 && isAskedFor(p, asked) {
			weight += 1000
		}

		if weight > most {
			most, best = weight, p
			if from := spans[0].Start; from > maxPassage/2 {
				best.Text = "… " + text.AtWord(p.Text[sentenceAt(p.Text, from):], maxPassage)
			} else {
				best.Text = text.AtWord(p.Text, maxPassage)
			}
		}
	}
	return best
}

// isAskedFor reports whether a passage stands where a term wants its words.
func isAskedFor(p evidence.Passage, asked []boolean.Term) bool {
	return slices.ContainsFunc(asked, func(t boolean.Term) bool {
		return t.Field == boolean.FieldTable && p.In == evidence.InTable ||
			t.Field == boolean.FieldMethods && p.Kind == evidence.Methods && p.In == evidence.InText ||
			t.Field == boolean.FieldResults && p.Kind == evidence.Results && p.In == evidence.InText
	})
}

// sentenceAt is where the sentence begins in which a byte of a text stands.
func sentenceAt(words string, at int) int {
	for _, span := range text.SentenceSpans(words) {
		if at < span.End {
			return span.Start
		}
	}
	return 0
}
