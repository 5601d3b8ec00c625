package fulltext

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
)

// ErrTooBroad is returned for a truncated word that matches more words than a search allows.
var ErrTooBroad = errors.New("the truncated word stands for too many words")

// maxVariants bounds how many words, or names, a truncated one may match in one field.
const maxVariants = 10_000

// matcher answers one boolean query. It returns exactly the records that boolean.Match accepts; that package defines
// what a term means (boolean.Field.Matching and Document.Passages), and this one only finds it in the index.
//
// Finding which documents contain a word is cheap, and finding its positions is expensive. So positions are read last,
// and only in documents that the rest of the query leaves.
type matcher struct {
	s        *snapshot
	headings func(boolean.Term) []boolean.Term // Request.Headings
	terms    map[boolean.Term]*termDocs        // of the terms looked at so far
}

// node returns the matches among within, as a set that the caller owns.
func (m *matcher) node(ctx context.Context, n boolean.Node, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	switch n := n.(type) {
	case boolean.Term:
		return m.term(ctx, n, within)
	case boolean.DateRange:
		set, err := m.dates(ctx, n)
		if err == nil {
			set.And(within)
		}
		return set, err
	case boolean.And:
		return m.and(ctx, n, within)
	case boolean.Or:
		return m.or(ctx, n, within)
	case boolean.Not:
		kept, err := m.node(ctx, n.Keep, within)
		if err != nil {
			return nil, err
		}

		dropped, err := m.node(ctx, n.Drop, kept)
		if err == nil {
			kept.AndNot(dropped)
		}
		return kept, err
	}
	return roaring.New(), nil
}

// and narrows the documents that all parts may match by each part in turn.
func (m *matcher) and(ctx context.Context, n boolean.And, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	left, err := m.supersetOf(ctx, n)
	if err != nil {
		return nil, err
	}
	left.And(within)

	for _, each := range n.Of {
		if left, err = m.node(ctx, each, left); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// or tries each part on the documents that no earlier part matches.
func (m *matcher) or(ctx context.Context, n boolean.Or, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	set, left := roaring.New(), within.Clone()
	for _, each := range n.Of {
		next, err := m.node(ctx, each, left)
		if err != nil {
			return nil, err
		}
		set.Or(next)
		left.AndNot(next)
	}
	return set, nil
}

// supersetOf returns all matches and perhaps others, without reading positions, as a set that the caller owns.
func (m *matcher) supersetOf(ctx context.Context, n boolean.Node) (*roaring.Bitmap, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	switch n := n.(type) {
	case boolean.Term:
		h, err := m.termDocs(ctx, n)
		if err != nil {
			return nil, err
		}
		return h.superset(), nil
	case boolean.DateRange:
		return m.dates(ctx, n)
	case boolean.And:
		return m.combineSupersets(ctx, n.Of, (*roaring.Bitmap).And)
	case boolean.Or:
		return m.combineSupersets(ctx, n.Of, (*roaring.Bitmap).Or)
	case boolean.Not:
		return m.supersetOf(ctx, n.Keep)
	}
	return roaring.New(), nil
}

// combineSupersets combines what most returns for each of the nodes.
func (m *matcher) combineSupersets(ctx context.Context, nodes []boolean.Node, by func(set, other *roaring.Bitmap)) (*roaring.Bitmap,
	error) {
	var set *roaring.Bitmap
	for _, n := range nodes {
		next, err := m.supersetOf(ctx, n)
		if err != nil {
			return nil, err
		}

		if set == nil {
			set = next
		} else {
			by(set, next)
		}
	}
	return cmp.Or(set, roaring.New()), nil
}

// dates iterates over the dates in the index, which are few, and passes each to package boolean.
func (m *matcher) dates(ctx context.Context, d boolean.DateRange) (*roaring.Bitmap, error) {
	set := roaring.New()
	from, to := d.Bounds()

	field, known := fields.Dates[d.Field]
	if !known {
		return set, nil
	}

	if field == fields.Date && isYearOrOpen(d.From) && isYearOrOpen(d.To) {
		field = fields.Year // of which there are far fewer
	}

	err := m.s.addDocsWithAny(ctx, set, field, func(date string) bool {
		first, last := boolean.DateBounds(evidence.Date(date))
		return last > 0 && first <= to && last >= from
	})
	if err != nil {
		return nil, fmt.Errorf("dates %s to %s: %w", d.From, d.To, err)
	}
	return set, nil
}

func isYearOrOpen(end string) bool { return end == "" || len(end) == len("2006") }

// term returns those of within that a term matches.
func (m *matcher) term(ctx context.Context, t boolean.Term, within *roaring.Bitmap) (*roaring.Bitmap, error) {
	h, err := m.termDocs(ctx, t)
	if err != nil {
		return nil, err
	}

	if err := m.verify(ctx, h, within); err != nil {
		return nil, fmt.Errorf("term %q: %w", t.Text, err)
	}
	return roaring.And(h.matching, within), nil
}

// termDocs finds the documents that contain a term's words, once for each term.
func (m *matcher) termDocs(ctx context.Context, t boolean.Term) (*termDocs, error) {
	t.Pos = 0
	if h, done := m.terms[t]; done {
		return h, nil
	}
	h := &termDocs{matching: roaring.New()}

	asked := []boolean.Term{t}
	if m.headings != nil && (t.Field.HoldsHeadings() || t.Field == boolean.FieldSubstance) {
		asked = m.headings(t)
	}

	for _, each := range asked {
		words := boolean.TermTokens(each)
		for _, field := range fields.Exact[each.Field] {
			if len(words) == 0 {
				break
			}

			if err := m.inField(ctx, h, field, each, words); err != nil {
				return nil, fmt.Errorf("term %q: %w", each.Text, err)
			}
		}
	}
	m.terms[t] = h
	return h, nil
}

// inField adds to h the documents in which the term's words match, or may match, in field.
func (m *matcher) inField(ctx context.Context, h *termDocs, field string, t boolean.Term, words []string) error {
	switch t.Field.Matching() {
	case boolean.Whole:
		return m.addPassages(ctx, h.matching, field, fields.PassageOf(words), t.Truncated)
	case boolean.ByName:
		return m.addNames(ctx, h.matching, field, t, words)
	case boolean.ByWords:
		return m.byWords(ctx, h, field, t, words)
	}
	return nil
}

// addPassages looks up a passage in a field of whole passages.
func (m *matcher) addPassages(ctx context.Context, set *roaring.Bitmap, field, passage string, truncated bool) error {
	if !truncated {
		return m.s.addDocsWith(ctx, set, field, passage)
	}

	variants, err := m.variants(field, passage)
	if err != nil {
		return err
	}

	for _, variant := range variants {
		if err := m.s.addDocsWith(ctx, set, field, variant); err != nil {
			return err
		}
	}
	return nil
}

// addNames looks up a person or group: one word is a whole family name, and of several the last may be a prefix.
func (m *matcher) addNames(ctx context.Context, set *roaring.Bitmap, field string, t boolean.Term, words []string) error {
	name := fields.PassageOf(words)
	switch {
	case len(words) == 1 && !t.Truncated:
		if err := m.addPassages(ctx, set, field, name, false); err != nil {
			return err
		}
		return m.addPassages(ctx, set, field, name+" ", true)
	case t.Quoted && !t.Truncated:
		return m.addPassages(ctx, set, field, name, false)
	}
	return m.addPassages(ctx, set, field, name, true)
}

// variants lists a field's terms that begin with prefix.
func (m *matcher) variants(field, prefix string) ([]string, error) {
	var out []string
	for term := range m.s.terms(field, prefix) {
		if len(out) == maxVariants {
			return nil, fmt.Errorf("%w: more than %d begin with %q; write more of its letters", ErrTooBroad, maxVariants, prefix)
		}
		out = append(out, term)
	}
	return out, nil
}

// wordsOf returns the words by which to rank the results of a boolean query: those of the terms about a record's
// subject, unless excluded.
func wordsOf(n boolean.Node) []QueryWord {
	var texts []string
	var gather func(boolean.Node)
	gather = func(n boolean.Node) {
		boolean.Walk(n, func(n boolean.Node) bool {
			switch n := n.(type) {
			case boolean.Not:
				gather(n.Keep)
				return false
			case boolean.Term:
				if fields.Subjects[n.Field] {
					texts = append(texts, n.Text)
				}
			}
			return true
		})
	}
	gather(n)
	return queryWords(strings.Join(texts, "\n"))
}
