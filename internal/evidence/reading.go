package evidence

import (
	"fmt"
	"strings"
	"time"

	"dossier/internal/text"
)

// Verdict is readers' joint decision on a record.
type Verdict string

// The verdicts. There is none until as many readers have decided as are needed; a conflict excludes nothing.
const (
	VerdictNone     Verdict = ""
	VerdictKept     Verdict = "kept"
	VerdictExcluded Verdict = "excluded"
	VerdictConflict Verdict = "conflict"
)

// Reading is readers' decisions on a record for a topic. It is joined when an answer is made or read.
type Reading struct {
	Verdict     Verdict          `json:"verdict"`
	Decisions   []ReaderDecision `json:"decisions"`         // of who kept or excluded it; empty while they are blind
	Settled     *ReaderDecision  `json:"settled,omitempty"` // who settled a conflict, and how; nil if unsettled
	Presented   []string         `json:"presented"`         // readers who presented it to a board
	Recommended []string         `json:"recommended"`       // readers who recommend it
	// Changed: the record's content has changed since it was excluded. A retraction, an erratum, an article that followed
	// a preprint are shown on the record itself.
	Changed bool `json:"changed,omitempty"`
}

// ReaderDecision is one reader's word.
type ReaderDecision struct {
	Reader   string    `json:"reader"`
	Decision string    `json:"decision"`         // keep or exclude
	Reason   string    `json:"reason,omitempty"` // why it is excluded: one of marks.Reasons
	Note     string    `json:"note,omitempty"`   // the same in the reader's words
	At       time.Time `json:"at"`
}

// Verdicts are those that readers can come to.
var Verdicts = []Verdict{VerdictKept, VerdictExcluded, VerdictConflict}

// Is is the verdict; VerdictNone of nil.
func (r *Reading) Is() Verdict {
	if r == nil {
		return VerdictNone
	}
	return r.Verdict
}

// InConflict reports whether readers differ, also where one has settled it; nil is not.
func (r *Reading) InConflict() bool {
	return r != nil && (r.Verdict == VerdictConflict || r.Settled != nil)
}

// IsExcluded reports whether readers have excluded the record, as far as they have decided; nil is not.
func (r *Reading) IsExcluded() bool { return r.Is() == VerdictExcluded }

// PresentedBy are the readers who presented the record; none of nil.
func (r *Reading) PresentedBy() []string {
	if r == nil {
		return nil
	}
	return r.Presented
}

// RecommendedBy are the readers who recommend the record; none of nil.
func (r *Reading) RecommendedBy() []string {
	if r == nil {
		return nil
	}
	return r.Recommended
}

// Excluding are the decisions by which a record is excluded: the one that settled a conflict, else all.
func (r *Reading) Excluding() []ReaderDecision {
	switch {
	case !r.IsExcluded():
		return nil
	case r.Settled != nil:
		return []ReaderDecision{*r.Settled}
	}
	return r.Decisions
}

// Why describes in part of a line who excluded a record and why: "wrong population (Ada, Ben); duplicate (Cleo: of the
// other)".
func (r *Reading) Why() string {
	var reasons []string

	by := map[string][]string{}
	for _, d := range r.Excluding() {
		reason := d.ReasonText()
		if by[reason] == nil {
			reasons = append(reasons, reason)
		}
		by[reason] = append(by[reason], text.Line(text.Join(": ", d.Reader, d.Note)))
	}
	return strings.Join(text.Each(reasons, func(reason string) string {
		return fmt.Sprintf("%s (%s)", reason, strings.Join(by[reason], ", "))
	}), "; ")
}

// OnSubject reports whether a record is excluded for what it is about, or how: not for being a copy, or not to be had.
func (d ReaderDecision) OnSubject() bool {
	return d.Reason != ReasonDuplicate && d.Reason != ReasonNotRetrievable
}

// The reasons that are no word on what a record is about.
const (
	ReasonDuplicate      = "duplicate"
	ReasonNotRetrievable = "not retrievable"
)

// ReasonText is the reason as people read it.
func (d ReaderDecision) ReasonText() string {
	if d.Reason == "" { // of an earlier program
		return "no reason given"
	}
	return text.Line(d.Reason)
}

// Learned is what a topic's marks made of a record's place (docs/METHOD.md, "Learning from marks").
type Learned struct {
	Kept     int     `json:"kept"`     // records kept, and records excluded, that it was learnt from
	Excluded int     `json:"excluded"` //
	Chance   float64 `json:"chance"`   // of being kept, from 0 to 1, of four decimals
	Of       int     `json:"of"`       // records of its bucket and directness that may be sampled; 0: it may not
	Before   int     `json:"before"`   // its place among these without marks, from 1
	After    int     `json:"after"`    // and with them
	// what moved it most, the strongest first: words of its text, and slots of its fit
	MovedBy []Moved `json:"moved_by"`
}

// maxMoved is how many words and slots are listed in a line.
const maxMoved = 3

// Moved is a word or a slot, and what it adds to the log odds of being kept, beside what it does on the mean of all.
type Moved struct {
	By   string  `json:"by"` // "word: resistance", "alteration: in part"
	Adds float64 `json:"adds"`
}

// String describes in part of a line how its place has changed: "place 5 → 2 of 14 by marks (word: resistance +0.041)";
// empty where it has not.
func (l *Learned) String() string {
	if l == nil || l.Before == l.After {
		return ""
	}
	moved := strings.Join(text.Each(l.MovedBy[:min(len(l.MovedBy), maxMoved)], func(m Moved) string {
		return fmt.Sprintf("%s %+.3f", text.Line(m.By), m.Adds)
	}), ", ")
	return fmt.Sprintf("place %d → %d of %d by marks (%s)", l.Before, l.After, l.Of, moved)
}
