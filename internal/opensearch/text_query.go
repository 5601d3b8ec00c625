package opensearch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// clause is a query in OpenSearch's language.
type clause = map[string]any

func nothing() clause    { return clause{"match_none": clause{}} }
func everything() clause { return clause{"match_all": clause{}} }

func allOf(clauses ...clause) clause { return clause{"bool": clause{"filter": clauses}} }

// anyOf matches nothing if there are no clauses.
func anyOf(clauses ...clause) clause {
	switch len(clauses) {
	case 0:
		return nothing()
	case 1:
		return clauses[0]
	}
	return clause{"bool": clause{"should": clauses, "minimum_should_match": 1}}
}

// renderer translates a boolean query to OpenSearch's language, to match exactly what boolean.Field.Matching defines.
type renderer struct {
	headings func(boolean.Term) []boolean.Term // fulltext.Request.Headings
	broad    *string                           // receives a prefix that is too short for many records
}

// node translates a boolean query.
func (r renderer) node(n boolean.Node) (clause, error) {
	switch n := n.(type) {
	case boolean.Term, boolean.Or:
		return r.anyTerm(n)
	case boolean.DateRange:
		return dates(n), nil
	case boolean.And:
		clauses := make([]clause, len(n.Of))
		for i, each := range n.Of {
			var err error
			if clauses[i], err = r.node(each); err != nil {
				return nil, err
			}
		}

		if len(clauses) == 0 {
			return nothing(), nil
		}
		return allOf(clauses...), nil
	case boolean.Not:
		keep, err := r.node(n.Keep)
		if err != nil {
			return nil, err
		}
		drop, err := r.node(n.Drop)
		return clause{"bool": clause{"filter": keep, "must_not": drop}}, err
	}
	return nothing(), nil
}

// alternatives are joined by OR; words and passages that are looked up unchanged share one clause for each field,
// because OpenSearch bounds the number of clauses.
type alternatives struct {
	exact  map[string][]string // by field
	others []clause
	broad  string // the shortest prefix that ends a phrase and is shorter than shortPrefix
}

// anyTerm renders a term, or terms joined by OR.
func (r renderer) anyTerm(n boolean.Node) (clause, error) {
	a := alternatives{exact: map[string][]string{}}
	if err := r.gather(n, &a); err != nil {
		return nil, err
	}

	if a.broad != "" && r.broad != nil {
		*r.broad = a.broad
	}

	var clauses []clause
	for _, field := range slices.Sorted(maps.Keys(a.exact)) {
		values := a.exact[field]
		slices.Sort(values)

		for part := range slices.Chunk(slices.Compact(values), maxTerms) {
			clauses = append(clauses, clause{"terms": clause{field: part}})
		}
	}
	return anyOf(append(clauses, a.others...)...), nil
}

// maxTerms is how many values OpenSearch accepts in one clause (index.max_terms_count).
const maxTerms = 65_000

// gather adds to a what a term, or terms joined by OR, may match.
func (r renderer) gather(n boolean.Node, a *alternatives) error {
	switch n := n.(type) {
	case boolean.Or:
		for _, each := range n.Of {
			if err := r.gather(each, a); err != nil {
				return err
			}
		}
	case boolean.Term:
		for _, each := range r.expansions(n) {
			words := boolean.TermTokens(each)
			for _, field := range fields.Exact[each.Field] {
				if len(words) == 0 {
					break
				}

				if err := a.add(name(field), each, words); err != nil {
					return fmt.Errorf("term %q: %w", each.Text, err)
				}
			}
		}
	default:
		other, err := r.node(n)
		if err != nil {
			return err
		}
		a.others = append(a.others, other)
	}
	return nil
}

// expansions are the terms that replace a term.
func (r renderer) expansions(t boolean.Term) []boolean.Term {
	if r.headings != nil && (t.Field.HoldsHeadings() || t.Field == boolean.FieldSubstance) {
		return r.headings(t)
	}
	return []boolean.Term{t}
}

// add adds how a term's words match in a field.
func (a *alternatives) add(field string, t boolean.Term, words []string) error {
	switch t.Field.Matching() {
	case boolean.Whole:
		a.addPassage(field, fields.PassageOf(words), t.Truncated)
	case boolean.ByName:
		passage := fields.PassageOf(words)
		switch {
		case len(words) == 1 && !t.Truncated:
			a.addPassage(field, passage, false)
			a.addPassage(field, passage+" ", true)
		default:
			a.addPassage(field, passage, t.Truncated || !t.Quoted)
		}
	case boolean.ByWords:
		return a.addWords(field, t, words)
	case boolean.ByDate: // a term is no range
	}
	return nil
}

// addPassage looks up a whole passage or, if truncated, passages with that prefix.
func (a *alternatives) addPassage(field, passage string, truncated bool) {
	if truncated {
		a.addPrefix(field, passage, maxValue)
		return
	}
	a.exact[field] = append(a.exact[field], shorten(passage, maxValue))
}

// addPrefix adds values with a prefix. For a prefix longer than what is kept of long words, it matches all words with
// the kept beginning.
func (a *alternatives) addPrefix(field, prefix string, most int) {
	a.others = append(a.others, clause{"prefix": clause{field: clause{"value": prefix}}})
	if head := shortenedHead(prefix, most); len(prefix) >= len(head) {
		a.others = append(a.others, clause{"prefix": clause{field: clause{"value": head}}})
	}
}

// addWords adds how words match in a field: as one word, a phrase, a prefix, or words near each other.
func (a *alternatives) addWords(field string, t boolean.Term, words []string) error {
	last := words[len(words)-1]

	written := fields.PassageOf(text.Each(words, shortenWord))
	switch {
	case t.Near != boolean.NoProximity && len(words) > 1:
		a.others = append(a.others, clause{"intervals": clause{field: clause{"match": clause{
			"query": written, "ordered": false, "max_gaps": min(t.Near, maxNear)}}}})
	case len(words) == 1 && t.Truncated:
		a.addPrefix(field, last, maxWord)
	case len(words) == 1:
		a.exact[field] = append(a.exact[field], written)
	case t.Truncated && len(shortenedHead(last, maxWord)) <= len(last):
		return errLongPrefix
	case t.Truncated:
		if utf8.RuneCountInString(last) < shortPrefix && (a.broad == "" || len(last) < len(a.broad)) {
			a.broad = last
		}
		a.others = append(a.others, clause{"match_phrase_prefix": clause{field: clause{"query": written,
			"max_expansions": maxExpansions}}})
	default:
		a.others = append(a.others, clause{"match_phrase": clause{field: written}})
	}
	return nil
}

const (
	// maxNear is the most words between others in a proximity search; package boolean accepts no more.
	maxNear = 1000
	// maxExpansions bounds the words that the beginning of a phrase's last may stand for: more than there are.
	// OpenSearch would pass over the others and say nothing.
	maxExpansions = 1<<31 - 1
	// shortPrefix is how many letters the beginning of a phrase's last word needs above manyRecords. A node reads the
	// places of all words that begin so at once, and nothing bounds what that takes.
	shortPrefix = 4
	manyRecords = 200_000
)

var errLongPrefix = errors.New("the truncated word at the end of a phrase is too long to be looked for")

// dates matches the records whose date may lie in a range.
func dates(d boolean.DateRange) clause {
	field, known := fields.Dates[d.Field]
	if !known {
		return nothing()
	}
	from, to := d.Bounds()
	return allOf(
		clause{"range": clause{name(field) + firstSuffix: clause{"lte": to}}},
		clause{"range": clause{name(field) + lastSuffix: clause{"gte": from}}})
}
