package privacy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// Policy says what becomes of a question that tells who the patient is.
type Policy string

// The policies, from the strictest.
const (
	Refuse Policy = "refuse" // it is neither sent nor kept; what is on this machine may answer it
	Remove Policy = "strip"  // what was found is taken out, and the rest is sent and kept
	Allow  Policy = "allow"  // it is sent and kept as it is
)

// Policies are all of them, from the strictest.
var Policies = []Policy{Refuse, Remove, Allow}

// Gate is what every question passes before it may leave or be kept. The zero value refuses, and knows no words.
type Gate struct {
	Policy  Policy
	Lexicon *lexicon.Lexicon // nil: no word is known to be nobody's name
}

// Passed is a question behind the gate.
type Passed struct {
	Question string    // as it may be read, shown and kept: without what was found, unless the policy allows that
	Found    []Finding // with places in the question as it was given
	Policy   Policy
}

// Pass looks at a question.
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

// Slots is a question behind the gate as it is run where nobody asks for it at that moment: of one that a patient was
// taken out of, what was understood alone.
func (g Gate) Slots(p *Passed) string {
	if g.Lexicon == nil || !p.StrippedOfPatient() {
		return p.Question
	}
	return UnderstoodOf(g.Lexicon, p.Question)
}

// TellsWho reports whether more was found than dates: a day alone is taken out, whoever's it may be, and stops nothing.
func (p *Passed) TellsWho() bool {
	return slices.ContainsFunc(p.Found, func(f Finding) bool { return f.Kind != Date })
}

// Refused reports whether the question may neither be sent nor kept.
func (p *Passed) Refused() bool { return p.TellsWho() && p.Policy == Refuse }

// Stripped reports whether something was taken out, and that the rest may be sent.
func (p *Passed) Stripped() bool { return len(p.Found) > 0 && p.Policy != Allow && !p.Refused() }

// StrippedOfPatient reports whether a patient was taken out: where one name stood there may be another.
func (p *Passed) StrippedOfPatient() bool { return p.Stripped() && p.TellsWho() }

// Kinds names what was found, each kind once: "name, record number".
func (p *Passed) Kinds() string {
	var kinds []string
	for _, f := range p.Found {
		if !slices.Contains(kinds, string(f.Kind)) {
			kinds = append(kinds, string(f.Kind))
		}
	}
	return strings.Join(kinds, ", ")
}

// Places says what was found and where, and not what it is: "record number (characters 5 to 9)". question is what was
// given to Pass.
func (p *Passed) Places(question string) string {
	var places []string
	for _, f := range p.Found {
		from := utf8.RuneCountInString(question[:f.Start]) + 1
		places = append(places, fmt.Sprintf("%s (characters %d to %d)", f.Kind, from, from+utf8.RuneCountInString(f.Text)-1))
	}
	return strings.Join(places, ", ")
}
