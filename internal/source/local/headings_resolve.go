package local

import (
	"fmt"
	"strings"

	"dossier/internal/boolean"
)

// ResolvedHeadings says what a query's terms on headings and substances stand for.
type ResolvedHeadings struct {
	Notes  []string // sentences for the reader: what was mapped, and what NLM's files do not know
	stands map[boolean.Term][]boolean.Term
}

// Terms gives the terms that are looked for in a term's place; the term itself where it stands for itself.
func (r *ResolvedHeadings) Terms(t boolean.Term) []boolean.Term {
	t.Pos = 0
	if stands, ok := r.stands[t]; ok {
		return stands
	}
	return []boolean.Term{t}
}

// Resolve looks up each term of a query that asks for a heading or a substance. A heading's entry term stands for the
// heading; with [mh] and [majr], a heading stands for itself and all below it, each with the term's subheading where it
// has one; a substance's other name stands for both names. A truncated term stands for what begins so, and nothing
// else.
func (t *Headings) Resolve(n boolean.Node) (*ResolvedHeadings, error) {
	out := &ResolvedHeadings{stands: map[boolean.Term][]boolean.Term{}}
	for _, term := range boolean.Terms(n) {
		term.Pos = 0
		if _, done := out.stands[term]; done || term.Truncated {
			continue
		}

		var err error
		switch {
		case term.Field.HoldsHeadings():
			err = t.resolveHeading(term, out)
		case term.Field == boolean.FieldSubstance:
			err = t.resolveSubstance(term, out)
		}

		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t *Headings) resolveHeading(term boolean.Term, out *ResolvedHeadings) error {
	name, subheading, divided := strings.Cut(term.Text, "/")

	found, ok, err := t.Find(name)
	switch {
	case err != nil:
		return err
	case !ok:
		out.note("NLM's files have no heading and no entry term %s", name)
		return nil
	case found.Supplementary:
		mapped := "none"
		if len(found.MappedTo) > 0 {
			mapped = strings.Join(found.MappedTo, ", ")
		}
		out.note("%s is a supplementary concept and no heading: write \"%s\"[nm]; the heading that NLM maps it to: %s",
			name, found.Name, mapped)
		return nil
	case !found.Own:
		out.note("%s is an entry term of the heading %s, which was looked for", name, found.Name)
	}

	headings := []string{found.Name}
	if term.Field.Explodes() {
		if headings, err = t.Below(found); err != nil {
			return err
		}
	}

	stands := make([]boolean.Term, len(headings))
	for i, heading := range headings {
		if stands[i] = term; divided {
			heading += "/" + subheading
		}
		stands[i].Text = heading
	}
	out.stands[term] = stands
	return nil
}

func (t *Headings) resolveSubstance(term boolean.Term, out *ResolvedHeadings) error {
	found, ok, err := t.Find(term.Text)
	if err != nil || !ok || found.Own {
		return err
	}
	out.note("%s is another name of the substance %s, which was looked for, too", term.Text, found.Name)
	own := term
	own.Text = found.Name
	out.stands[term] = []boolean.Term{term, own}
	return nil
}

func (r *ResolvedHeadings) note(format string, name string, more ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, append([]any{"‘" + strings.TrimSpace(name) + "’"}, more...)...))
}
