package fulltext

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/evidence"
	"dossier/internal/fulltext/fields"
)

// Condition selects the records with, in one of Fields, a wanted value: one of Values, ignoring case, or if there are
// none, one from From to To, in byte order.
type Condition struct {
	Fields   []string
	Values   []string
	Others   bool   // every value except Values is wanted
	Lacking  bool   // records without a value are wanted too
	From, To string // an empty To is open
}

// Wants reports whether a value is wanted.
func (c Condition) Wants(value string) bool {
	if len(c.Values) == 0 {
		return value >= c.From && (c.To == "" || value <= c.To)
	}
	return c.Others != slices.ContainsFunc(c.Values, func(v string) bool { return strings.EqualFold(v, value) })
}

// Conditions are the conditions of a filter, all of which must hold.
func (f Filter) Conditions() []Condition {
	var out []Condition
	oneOf := func(values []string, fields ...string) {
		if len(values) > 0 {
			out = append(out, Condition{Fields: fields, Values: values})
		}
	}
	flag := func(want *bool, field string) {
		if want != nil {
			out = append(out, Condition{Fields: []string{field}, Values: []string{string(evidence.Yes)}, Others: !*want})
		}
	}

	if f.Kind != "" && f.Kind != AllKinds {
		oneOf([]string{string(f.Kind)}, fields.Kind)
	}
	oneOf(f.Buckets, fields.Bucket)
	oneOf(f.Designs, fields.Design)
	oneOf(f.Sources, fields.Source)
	oneOf(f.Types, fields.Type)
	oneOf(f.Languages, fields.Language)
	oneOf(f.Journals, fields.Journal, fields.JournalLong)
	oneOf(f.Statuses, fields.Status)

	var countries []string
	for _, c := range f.Countries {
		countries = append(countries, evidence.CountryNames(c)...)
	}
	oneOf(countries, fields.Country)
	oneOf(f.Phases, fields.Phase)
	flag(f.Retracted, fields.Retracted)
	flag(f.Preprint, fields.Preprint)
	flag(f.HasAbstract, fields.HasAbstract)

	if f.YearFrom > 0 || f.YearTo > 0 {
		years := Condition{Fields: []string{fields.Year}, From: fmt.Sprintf("%04d", f.YearFrom), Lacking: f.Undated}
		if f.YearTo > 0 {
			years.To = fmt.Sprintf("%04d", f.YearTo)
		}
		out = append(out, years)
	}
	return out
}

// passingFilter is the set of documents that pass a filter; nil if it lets all pass.
func (s *snapshot) passingFilter(ctx context.Context, f Filter) (*roaring.Bitmap, error) {
	var passing *roaring.Bitmap
	for _, c := range f.Conditions() {
		set, err := s.meetingCondition(ctx, c)
		if err != nil {
			return nil, err
		}

		if passing == nil {
			passing = set
		} else {
			passing.And(set)
		}
	}
	return passing, nil
}

// meetingCondition is the set of documents that meet a condition.
func (s *snapshot) meetingCondition(ctx context.Context, c Condition) (*roaring.Bitmap, error) {
	set, having := roaring.New(), roaring.New()
	for _, field := range c.Fields {
		err := s.addDocsWithAny(ctx, set, field, c.Wants)
		if err == nil && c.Lacking {
			err = s.addDocsWithAny(ctx, having, field, func(string) bool { return true })
		}

		if err != nil {
			return nil, fmt.Errorf("filter by %s: %w", field, err)
		}
	}

	if c.Lacking {
		set.Or(roaring.AndNot(s.all(), having))
	}
	return set, nil
}
