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

// ErrTooBroad is given for a truncated word that stands for more words than a search may take.
var ErrTooBroad = errors.New("the truncated word stands for too many words")

// maxVariants bounds how many words, or names, a truncated one may stand for in one field.
const maxVariants = 10_000

// matcher answers one boolean query. It gives exactly the records that boolean.Match says yes to; what a term means is
// decided there (boolean.Field.Matching and Document.Passages), and only found here with the help of the index.
type matcher struct {
	s        *snapshot
	headings func(boolean.Term) []boolean.Term // Request.Headings
	done     map[boolean.Term]*roaring.Bitmap  // terms answered before; not to be changed
}

// node gives a set of the caller's own.
func (m *matcher) node(ctx context.Context, n boolean.Node) (*roaring.Bitmap, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch n := n.(type) {
	case boolean.Term:
		set, err := m.term(ctx, n)
		if err != nil {
			return nil, err
		}
		return set.Clone(), nil
	case boolean.DateRange:
		return m.dates(ctx, n)
	case boolean.And:
		return m.join(ctx, n.Of, (*roaring.Bitmap).And)
	case boolean.Or:
		return m.join(ctx, n.Of, (*roaring.Bitmap).Or)
	case boolean.Not:
		return m.join(ctx, []boolean.Node{n.Keep, n.Drop}, (*roaring.Bitmap).AndNot)
	}
	return roaring.New(), nil
}

func (m *matcher) join(ctx context.Context, nodes []boolean.Node, by func(set, other *roaring.Bitmap)) (*roaring.Bitmap,
	error) {
	var set *roaring.Bitmap
	for _, n := range nodes {
		next, err := m.node(ctx, n)
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

// dates goes by the dates that occur, which are few, and asks package boolean about each.
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
	err := m.s.havingAny(ctx, set, field, func(date string) bool {
		first, last := boolean.DateBounds(evidence.Date(date))
		return last > 0 && first <= to && last >= from
	})
	if err != nil {
		return nil, fmt.Errorf("dates %s to %s: %w", d.From, d.To, err)
	}
	return set, nil
}

func isYearOrOpen(end string) bool { return end == "" || len(end) == len("2006") }

func (m *matcher) term(ctx context.Context, t boolean.Term) (*roaring.Bitmap, error) {
	t.Pos = 0
	if set, done := m.done[t]; done {
		return set, nil
	}
	set := roaring.New()
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
			if err := m.inField(ctx, set, field, each, words); err != nil {
				return nil, fmt.Errorf("term %q: %w", each.Text, err)
			}
		}
	}
	m.done[t] = set
	return set, nil
}

// inField adds to set the documents where the term's words match in field, in the term's own manner.
func (m *matcher) inField(ctx context.Context, set *roaring.Bitmap, field string, t boolean.Term,
	words []string) error {
	switch t.Field.Matching() {
	case boolean.Whole:
		return m.whole(ctx, set, field, fields.PassageOf(words), t.Truncated)
	case boolean.ByName:
		return m.name(ctx, set, field, t, words)
	case boolean.ByWords:
		return m.byWords(ctx, set, field, t, words)
	}
	return nil
}

// whole looks a passage up in a field of whole passages.
func (m *matcher) whole(ctx context.Context, set *roaring.Bitmap, field, passage string, truncated bool) error {
	if !truncated {
		return m.s.having(ctx, set, field, passage)
	}
	variants, err := m.variants(field, passage)
	if err != nil {
		return err
	}
	for _, variant := range variants {
		if err := m.s.having(ctx, set, field, variant); err != nil {
			return err
		}
	}
	return nil
}

// name looks a person or group up: one word is a whole family name, of several the last may be a beginning.
func (m *matcher) name(ctx context.Context, set *roaring.Bitmap, field string, t boolean.Term, words []string) error {
	name := fields.PassageOf(words)
	switch {
	case len(words) == 1 && !t.Truncated:
		if err := m.whole(ctx, set, field, name, false); err != nil {
			return err
		}
		return m.whole(ctx, set, field, name+" ", true)
	case t.Quoted && !t.Truncated:
		return m.whole(ctx, set, field, name, false)
	}
	return m.whole(ctx, set, field, name, true)
}

// variants lists a field's terms that begin with prefix.
func (m *matcher) variants(field, prefix string) ([]string, error) {
	var out []string
	for term, err := range m.s.terms(field, prefix) {
		if err != nil {
			return nil, err
		}
		if len(out) == maxVariants {
			return nil, fmt.Errorf("%w: more than %d begin with %q; write more of its letters", ErrTooBroad, maxVariants, prefix)
		}
		out = append(out, term)
	}
	return out, nil
}

// wordsOf gives the words by which to rank what a boolean query found: those of the terms about a record's subject, as
// far as they are not excluded.
func wordsOf(n boolean.Node) []string {
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
