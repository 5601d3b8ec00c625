package reader

import (
	"context"
	"fmt"

	"dossier/internal/answer"
	"dossier/internal/guard"
)

// PrivateError is returned where only others could answer a question that may not be sent, since it identifies the
// patient. Its text contains nothing of the patient.
type PrivateError struct {
	Question string // the original
	Passed   guard.Passed
}

func (e *PrivateError) Error() string {
	return fmt.Sprintf(
		"the question tells who the patient is: %s; so it is neither sent nor kept, and this machine alone "+
			"gave no answer: leave that out, or have it taken out with `privacy: {patient_identifiers: strip}` in the configuration",
		e.Passed.Places(e.Question))
}

// fate is what happened to a question, or would.
type fate int

const (
	stayed    fate = iota // it was answered from this machine, or not at all
	went                  // it was sent
	explained             // it was not asked
)

// describePrivacy describes, in words and for programs, what happened to a question that identifies the patient, and
// the form that is sent. Nil where it identifies no one.
func describePrivacy(given string, p *guard.Passed, f fate, sentAs string) (string, *answer.Privacy) {
	if len(p.Found) == 0 {
		return "", nil
	}

	out := &answer.Privacy{Policy: string(p.Policy), Found: []answer.Private{}}
	for _, found := range p.Found {
		out.Found = append(out.Found, answer.Private{Kind: string(found.Kind), Start: found.Start, End: found.End})
	}

	about := "The question tells who the patient is: " + p.Places(given) + "."
	if !p.IdentifiesPatient() {
		about = "A day may be one of a patient's life: " + p.Places(given) + "."
	}

	switch {
	case p.Policy == guard.Allow:
		if f != stayed {
			out.SentAs = sentAs
		}
		return about + " The configuration allows that it is sent and kept.", out
	case f == went:
		out.SentAs = sentAs
		return fmt.Sprintf("%s That was taken out. Sent as: %q.", about, sentAs), out
	case f == explained && !p.Refused():
		out.SentAs = sentAs
		return fmt.Sprintf("%s That is taken out when it is asked. Sent as: %q.", about, sentAs), out
	case f == explained:
		return about + " Asked so, it is answered from this machine or not at all; it is neither sent nor kept.", out
	}
	return about + " That was taken out before anything was looked for; nothing was sent or kept.", out
}

// refusePrivate returns the error where only others could answer a question that they may not see.
func (a *Asker) refusePrivate(_ context.Context, r *request) (*answer.Answer, error) {
	if r.passed.Refused() && !a.Offline {
		return nil, &PrivateError{Question: r.given, Passed: r.passed}
	}
	return nil, nil
}
