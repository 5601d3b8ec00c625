package boolean

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// clause is a query for a service that knows words and phrases only, without fields. It can be shortened in place.
type clause struct {
	operator string // between the parts: AND, OR, NOT; empty in a leaf
	of       []*clause
	text     string // a leaf, ready to be sent
	name     string // a leaf as a person wrote it, for notes
}

// plainFields are those that a search in title and abstract answers, at the cost of some more hits.
var plainFields = map[Field]bool{
	FieldAll: true, FieldTitleAbs: true, FieldTitle: true, FieldAbstract: true, FieldTextWord: true, FieldKeyword: true,
	FieldSubstance: true,
	FieldMeSH:      true, FieldMeSHNoExp: true, FieldMeSHMajor: true, FieldMeSHMajorNoExp: true,
}

// textFields are those of which such a search finds no more than was meant, so that it may stand after NOT.
var textFields = map[Field]bool{FieldAll: true, FieldTitleAbs: true, FieldTextWord: true}

// plainClauses reduces a tree to what can be asked without fields. What cannot be asked is left out and named in left:
// dates (the sources send their window beside the query), authors, journals, types. A part of an And that is left out
// makes the query wider; of an Or, narrower, which the note has to say; after NOT, nothing is excluded for it.
type plainClauses struct {
	left notes
}

// of is what a service that looks in titles and abstracts is asked: the groups where there are some, else the tree. The
// error says that nothing of it can be asked.
func (p *plainClauses) of(n Node, groups []Group, service string) (*clause, error) {
	if grouped := nodeOf(groups); grouped != nil {
		n = grouped
	}

	if c := p.clause(n, false); c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("render query for %s: no term of it is looked for in title or abstract; add one with [tiab]",
		service)
}

func (p *plainClauses) clause(n Node, excluded bool) *clause {
	switch x := n.(type) {
	case Term:
		return p.term(x, excluded)
	case DateRange:
		p.left.add("%s left out: dates are asked beside the query", Print(x))
	case And:
		return p.joined("AND", x.Of, excluded)
	case Or:
		return p.joined("OR", x.Of, excluded)
	case Not:
		return p.not(x, excluded)
	}
	return nil
}

func (p *plainClauses) joined(operator string, of []Node, excluded bool) *clause {
	var parts []*clause
	for _, n := range of {
		part := p.clause(n, excluded)
		if part == nil && excluded && operator == "AND" {
			return nil // without this part the rest would exclude too much
		}

		if part != nil {
			parts = append(parts, part)
		}
	}
	return joinClauses(operator, parts)
}

func (p *plainClauses) not(n Not, excluded bool) *clause {
	keep, drop := p.clause(n.Keep, excluded), p.clause(n.Drop, !excluded)
	switch {
	case keep == nil:
		return nil
	case drop == nil && excluded:
		return nil // what was to stay included would be excluded
	case drop == nil:
		return keep
	}
	return &clause{operator: "NOT", of: []*clause{keep, drop}}
}

func joinClauses(operator string, parts []*clause) *clause {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return &clause{operator: operator, of: parts}
}

func (p *plainClauses) term(t Term, excluded bool) *clause {
	if !plainFields[t.Field] || excluded && !textFields[t.Field] {
		where := ""
		if excluded {
			where = " after NOT"
		}
		p.left.add("%s left out%s: only words of title and abstract can be asked", quoteForReader(Print(t)), where)
		return nil
	}

	if t.Field.HoldsHeadings() {
		t.Text = headingAsPhrase(t.Text)
	}
	return t.plainClause(excluded)
}

// plainClause writes a term as a phrase, or as several parts where words near each other or a truncated phrase can't be
// asked as such. After NOT it stays a phrase, which finds no more than the term does.
func (t Term) plainClause(excluded bool) *clause {
	words := t.plainWords()

	last := len(words) - 1
	switch {
	case last < 0:
		return nil
	case t.Truncated && last == 0:
		return &clause{text: words[0] + "*", name: t.Text + "*"}
	case t.Truncated && !excluded:
		return joinClauses("AND", []*clause{phraseClause(words[:last], t.Text+"*"), {text: words[last] + "*",
			name: t.Text + "*"}})
	case t.Near != NoProximity && last > 0 && !excluded:
		all := text.Each(words, func(word string) *clause { return phraseClause([]string{word}, t.Text) })
		return joinClauses("AND", all)
	}
	return phraseClause(words, t.Text)
}

// phraseClause quotes words where they need it. Punctuation is gone: commas part filters in OpenAlex, and the services'
// own tokenisers drop the rest.
func phraseClause(words []string, name string) *clause {
	text := strings.Join(words, " ")
	if len(words) > 1 || isOperator(text) {
		text = `"` + text + `"`
	}
	return &clause{text: text, name: name}
}

func isOperator(word string) bool {
	return strings.EqualFold(word, "AND") || strings.EqualFold(word, "OR") || strings.EqualFold(word, "NOT")
}

// render writes the clause with the given word for NOT; a part with one part left is that part.
func (c *clause) render(not string) string {
	var out strings.Builder
	c.write(&out, not, false)
	return out.String()
}

func (c *clause) write(out *strings.Builder, not string, inside bool) {
	switch {
	case c.operator == "":
		out.WriteString(c.text)
		return
	case len(c.of) == 1:
		c.of[0].write(out, not, inside)
		return
	}

	operator := c.operator
	if operator == "NOT" {
		operator = not
	}

	if inside {
		out.WriteByte('(')
	}

	for i, part := range c.of {
		if i > 0 {
			out.WriteString(" " + operator + " ")
		}
		part.write(out, not, true)
	}

	if inside {
		out.WriteByte(')')
	}
}

// operators counts the boolean operators that render writes.
func (c *clause) operators() int {
	n := max(0, len(c.of)-1)
	for _, part := range c.of {
		n += part.operators()
	}
	return n
}

// names lists the leaves from left to right.
func (c *clause) names() []string {
	if c.operator == "" {
		return []string{c.name}
	}
	return slices.Concat(text.Each(c.of, (*clause).names)...)
}

// longest finds the part with the most parts of its own under operator; the last of equals, since what
// matters most comes first. Nil where none has two.
// What stands after NOT is passed over: a part less there would exclude more.
func (c *clause) longest(operator string) *clause {
	var best *clause
	if c.operator == operator && len(c.of) > 1 {
		best = c
	}

	for i, part := range c.of {
		if c.operator == "NOT" && i > 0 {
			break
		}

		if found := part.longest(operator); found != nil && (best == nil || len(found.of) >= len(best.of)) {
			best = found
		}
	}
	return best
}

// cap takes off, everywhere but after NOT, the parts beyond the given number: those could not stay in any case, and to
// take them off one by one would be slow. The names that go are added to dropped, by operator.
func (c *clause) cap(most int, dropped map[string][]string) {
	for c.operator != "NOT" && len(c.of) > most {
		dropped[c.operator] = append(dropped[c.operator], c.dropLast()...)
	}

	for i, part := range c.of {
		if c.operator == "NOT" && i > 0 {
			break
		}
		part.cap(most, dropped)
	}
}

// dropLast takes off a clause's last part and gives the names that go with it. Of alternatives a synonym goes before
// what several terms say together.
func (c *clause) dropLast() []string {
	at := len(c.of) - 1
	for c.operator == "OR" && at > 0 && c.of[at].operator != "" {
		at--
	}

	if at == 0 {
		at = len(c.of) - 1
	}
	gone := c.of[at]
	c.of = slices.Delete(c.of, at, at+1)
	return gone.names()
}
