package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/fulltext"
)

// resolveHeadings replaces a search's terms on headings by the headings that they mean, and reports the mapping: by
// NLM's files, or without them by the dictionary's headings, for a term under which no record is indexed.
func (r *Reader) resolveHeadings(ctx context.Context, in places, req *fulltext.Request) ([]string, error) {
	resolved, err := r.App.ResolveHeadings(req.Node)
	if err != nil {
		return nil, err
	}

	if resolved != nil {
		req.Headings = resolved.Terms
		return resolved.Notes, nil
	}
	var notes, maps []string

	mapped := map[boolean.Term]boolean.Term{}
	for _, term := range boolean.Terms(req.Node) {
		if !term.Field.HoldsHeadings() || term.Truncated {
			continue
		}

		if term.Field.Explodes() && len(notes) == 0 {
			notes = append(notes, "headings are not exploded: [mh] finds the heading itself, with any subheading, and "+
				"nothing below it; NLM's file of descriptors, named under lexicon.files, has what is below")
		}

		heading, err := r.dictionaryHeading(ctx, in, term)
		if err != nil {
			return nil, err
		}

		if heading != "" {
			maps = append(maps, fmt.Sprintf(
				"no record here has the heading ‘%s’; the dictionary's heading for it, %s, was looked for", term.Text, heading))
			term.Pos = 0
			other := term
			other.Text = heading
			mapped[term] = other
		}
	}
	req.Headings = func(t boolean.Term) []boolean.Term { return []boolean.Term{cmp.Or(mapped[t], t)} }
	slices.Sort(maps)
	return append(notes, slices.Compact(maps)...), nil
}

// dictionaryHeading is the dictionary's heading for a term under which no record is indexed; empty where there is none,
// or it is the same.
func (r *Reader) dictionaryHeading(ctx context.Context, in places, term boolean.Term) (string, error) {
	found, err := in.total(ctx, fulltext.Request{Node: term})
	if err != nil || found > 0 {
		return "", err
	}

	words, err := r.Lexicon()
	if err != nil {
		return "", err
	}
	name, subheading, divided := strings.Cut(term.Text, "/")

	entry, known := words.Lookup("", name)
	if !known || entry.MeSH == "" || strings.EqualFold(entry.MeSH, name) {
		return "", nil
	}

	if divided {
		return entry.MeSH + "/" + subheading, nil
	}
	return entry.MeSH, nil
}

// controlled are the further fields whose values come from a fixed list.
var controlled = []boolean.Field{boolean.FieldType, boolean.FieldLanguage, boolean.FieldJournal,
	boolean.FieldSubheading}

// maxAlone bounds how many terms of a query are searched separately.
const maxAlone = 100

// emptyTerms lists the terms of a query that find nothing by themselves: always for terms that must be a heading's,
// type's or language's own name, and for the others where the whole query finds nothing.
func emptyTerms(ctx context.Context, in places, req fulltext.Request, total int) ([]string, error) {
	var names []string

	terms := boolean.Terms(req.Node)
	for _, term := range terms[:min(len(terms), maxAlone)] {
		if total > 0 && !term.Field.HoldsHeadings() && !slices.Contains(controlled, term.Field) {
			continue
		}

		found, err := in.total(ctx, fulltext.Request{Node: term, Headings: req.Headings})
		if err != nil {
			return nil, err
		}

		if name := boolean.Print(term); found == 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}

	if len(names) == 0 {
		return nil, nil
	}
	return []string{"no record here has " + strings.Join(names, ", or ")}, nil
}
