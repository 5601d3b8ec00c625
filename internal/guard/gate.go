package guard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// Policy is what happens to a question that identifies the patient.
type Policy string

// The policies, from the strictest.
const (
	Refuse Policy = "refuse" // neither sent nor stored; this machine's data may answer it
	Remove Policy = "strip"  // findings are removed, and the rest is sent and stored
	Allow  Policy = "allow"  // sent and stored unchanged
)

// Policies lists all policies, from the strictest.
var Policies = []Policy{Refuse, Remove, Allow}

// Gate checks every question before it may be sent or stored. The zero value refuses, and knows no words.
type Gate struct {
	Policy  Policy
	Lexicon *lexicon.Lexicon // nil: no word is known to be no name
}

// Passed is a question after the gate.
type Passed struct {
	Question string    // the form that may be read, shown and stored: without findings, unless the policy allows them
	Found    []Finding // with places in the original question
	Policy   Policy
}

// Pass checks a question.
func (g Gate) Pass(question string) Passed {
	p := Passed{Question: question, Policy: g.Policy}
	if g.Lexicon == nil {
		p.Found = Find(question, nil)
	} else {
		p.Found = Find(question, g.Lexicon.Knows)
	}

	p.Policy = cmp.Or(p.Policy, Refuse)
	if p.Policy != Allow {
		p.Question = strings.TrimSpace(Strip(question, p.Found))
	}
	return p
}

// Slots is the question in the form for runs without its asker: where a patient was removed, only what was understood.
func (g Gate) Slots(p *Passed) string {
	if g.Lexicon == nil || !p.StrippedOfPatient() {
		return p.Question
	}
	return UnderstoodOf(g.Lexicon, p.Question)
}

// IdentifiesPatient reports whether more than dates was found: a lone day is removed, whoever's it may be, and stops
// nothing.
func (p *Passed) IdentifiesPatient() bool {
	return slices.ContainsFunc(p.Found, func(f Finding) bool { return f.Kind != Date })
}

// Refused reports whether the question may neither be sent nor stored.
func (p *Passed) Refused() bool { return p.IdentifiesPatient() && p.Policy == Refuse }

// Stripped reports whether something was removed, and the rest may be sent.
func (p *Passed) Stripped() bool { return len(p.Found) > 0 && p.Policy != Allow && !p.Refused() }

// StrippedOfPatient reports whether a patient was removed: a second name may be left.
func (p *Passed) StrippedOfPatient() bool { return p.Stripped() && p.IdentifiesPatient() }

// Kinds lists the kinds of findings, each once: "name, record number".
func (p *Passed) Kinds() string {
	var kinds []string
	for _, f := range p.Found {
		if !slices.Contains(kinds, string(f.Kind)) {
			kinds = append(kinds, string(f.Kind))
		}
	}
	return strings.Join(kinds, ", ")
}

// Places lists what was found and where, without its content: "record number (characters 5 to 9)". question is the text
// given to Pass.
func (p *Passed) Places(question string) string {
	var places []string
	for _, f := range p.Found {
		from := utf8.RuneCountInString(question[:f.Start]) + 1
		places = append(places, fmt.Sprintf("%s (characters %d to %d)", f.Kind, from, from+utf8.RuneCountInString(f.Text)-1))
	}
	return strings.Join(places, ", ")
}
