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

// condition keeps the documents that have, in one of fields, a value that wanted says yes to.
type condition struct {
	fields []string
	wanted func(value string) bool
}

// conditions are what a filter asks for, all of which must hold.
func (f Filter) conditions() []condition {
	var out []condition
	oneOf := func(values []string, fields ...string) {
		if len(values) > 0 {
			out = append(out, condition{fields, func(value string) bool {
				return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, value) })
			}})
		}
	}
	flag := func(want *bool, field string) {
		if want != nil {
			out = append(out, condition{[]string{field}, func(value string) bool {
				return (value == string(evidence.Yes)) == *want
			}})
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
		from, to := fmt.Sprintf("%04d", f.YearFrom), fmt.Sprintf("%04d", f.YearTo)
		out = append(out, condition{[]string{fields.Year}, func(year string) bool {
			return year >= from && (f.YearTo <= 0 || year <= to)
		}})
	}
	return out
}

// passing is the set of documents that pass a filter; nil where it lets all pass.
func (s *snapshot) passing(ctx context.Context, f Filter) (*roaring.Bitmap, error) {
	var passing *roaring.Bitmap
	for _, c := range f.conditions() {
		set := roaring.New()
		for _, field := range c.fields {
			if err := s.havingAny(ctx, set, field, c.wanted); err != nil {
				return nil, fmt.Errorf("filter by %s: %w", field, err)
			}
		}
		if passing == nil {
			passing = set
		} else {
			passing.And(set)
		}
	}
	return passing, nil
}
