package text

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
)

// clause is a query in OpenSearch's words.
type clause = map[string]any

func nothing() clause    { return clause{"match_none": clause{}} }
func everything() clause { return clause{"match_all": clause{}} }

func allOf(clauses ...clause) clause { return clause{"bool": clause{"filter": clauses}} }

// anyOf finds nothing where there are no clauses.
func anyOf(clauses ...clause) clause {
	switch len(clauses) {
	case 0:
		return nothing()
	case 1:
		return clauses[0]
	}
	return clause{"bool": clause{"should": clauses, "minimum_should_match": 1}}
}

// renderer says a boolean query in OpenSearch's words, to find exactly what boolean.Field.Matching says.
type renderer struct {
	headings func(boolean.Term) []boolean.Term // fulltext.Request.Headings
	broad    *string                           // where a beginning is put that is too short for many records
}

func (r renderer) node(n boolean.Node) (clause, error) {
	switch n := n.(type) {
	case boolean.Term, boolean.Or:
		return r.either(n)
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

// alternatives are what is joined by OR, the words and passages that are looked up as they are in one clause a field:
// OpenSearch bounds how many clauses a query has.
type alternatives struct {
	looked map[string][]string // by field
	others []clause
	broad  string // the shortest beginning that ends a phrase and is shorter than shortBeginning
}

// either renders a term, or what is joined by OR.
func (r renderer) either(n boolean.Node) (clause, error) {
	a := alternatives{looked: map[string][]string{}}
	if err := r.gather(n, &a); err != nil {
		return nil, err
	}

	if a.broad != "" && r.broad != nil {
		*r.broad = a.broad
	}

	var clauses []clause
	for _, field := range slices.Sorted(maps.Keys(a.looked)) {
		values := a.looked[field]
		slices.Sort(values)

		for part := range slices.Chunk(slices.Compact(values), maxTerms) {
			clauses = append(clauses, clause{"terms": clause{field: part}})
		}
	}
	return anyOf(append(clauses, a.others...)...), nil
}

// maxTerms is how many values OpenSearch takes in one clause (index.max_terms_count).
const maxTerms = 65_000

func (r renderer) gather(n boolean.Node, a *alternatives) error {
	switch n := n.(type) {
	case boolean.Or:
		for _, each := range n.Of {
			if err := r.gather(each, a); err != nil {
				return err
			}
		}
	case boolean.Term:
		for _, each := range r.standIns(n) {
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

// standIns are the terms that are looked for in a term's place.
func (r renderer) standIns(t boolean.Term) []boolean.Term {
	if r.headings != nil && (t.Field.HoldsHeadings() || t.Field == boolean.FieldSubstance) {
		return r.headings(t)
	}
	return []boolean.Term{t}
}

// add adds how a term's words match in a field.
func (a *alternatives) add(field string, t boolean.Term, words []string) error {
	switch t.Field.Matching() {
	case boolean.Whole:
		a.passage(field, fields.PassageOf(words), t.Truncated)
	case boolean.ByName:
		passage := fields.PassageOf(words)
		switch {
		case len(words) == 1 && !t.Truncated:
			a.passage(field, passage, false)
			a.passage(field, passage+" ", true)
		default:
			a.passage(field, passage, t.Truncated || !t.Quoted)
		}
	case boolean.ByWords:
		return a.words(field, t, words)
	case boolean.ByDate: // a term is no range
	}
	return nil
}

// passage looks a whole passage up, or what begins as it does.
func (a *alternatives) passage(field, passage string, truncated bool) {
	if truncated {
		a.begins(field, passage, maxValue)
		return
	}
	a.looked[field] = append(a.looked[field], squeeze(passage, maxValue))
}

// begins adds what begins with prefix. Of a prefix that is longer than what is kept of long words, those with the same
// beginning are found.
func (a *alternatives) begins(field, prefix string, most int) {
	a.others = append(a.others, clause{"prefix": clause{field: clause{"value": prefix}}})
	if head := squeezedHead(prefix, most); len(prefix) >= len(head) {
		a.others = append(a.others, clause{"prefix": clause{field: clause{"value": head}}})
	}
}

func (a *alternatives) words(field string, t boolean.Term, words []string) error {
	last := words[len(words)-1]

	written := fields.PassageOf(squeezedWords(words))
	switch {
	case t.Near != boolean.NoProximity && len(words) > 1:
		a.others = append(a.others, clause{"intervals": clause{field: clause{"match": clause{
			"query": written, "ordered": false, "max_gaps": min(t.Near, maxNear)}}}})
	case len(words) == 1 && t.Truncated:
		a.begins(field, last, maxWord)
	case len(words) == 1:
		a.looked[field] = append(a.looked[field], written)
	case t.Truncated && len(squeezedHead(last, maxWord)) <= len(last):
		return errLongBeginning
	case t.Truncated:
		if utf8.RuneCountInString(last) < shortBeginning && (a.broad == "" || len(last) < len(a.broad)) {
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
	// maxNear is the most words between others that a proximity search may ask for; package boolean reads no more.
	maxNear = 1000
	// maxExpansions bounds the words that the beginning of a phrase's last may stand for: more than there are. OpenSearch
	// would pass over the others and say nothing.
	maxExpansions = 1<<31 - 1
	// shortBeginning is how many letters the beginning of a phrase's last word needs above manyRecords. A node reads the
	// places of all words that begin so at once, and nothing bounds what that takes.
	shortBeginning = 4
	manyRecords    = 200_000
)

var errLongBeginning = errors.New("the truncated word at the end of a phrase is too long to be looked for")

func squeezedWords(words []string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = squeezedWord(word)
	}
	return out
}

// dates finds the records whose date may lie in a range.
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
