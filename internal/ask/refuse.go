package ask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/render"
)

// QuestionError says that a question can't be asked as it is.
type QuestionError struct{ Err error }

func (e *QuestionError) Error() string { return e.Err.Error() }
func (e *QuestionError) Unwrap() error { return e.Err }

// CleanQuestion brings a question that somebody typed or pasted into one line without control characters. The error is a
// *QuestionError where nothing is left to ask, or too much.
func CleanQuestion(question string) (string, error) {
	cleaned := render.Clean(question)
	switch {
	case cleaned == "":
		return "", &QuestionError{errors.New("the question is empty; write it in a sentence or in key words, or give a topic's id")}
	case len(cleaned) > evidence.MaxQuestionLength:
		return "", &QuestionError{fmt.Errorf("the question has %d bytes; at most %d are allowed", len(cleaned), evidence.MaxQuestionLength)}
	}
	return cleaned, nil
}

// errUnread begins the refusal of a question that is not in a language that the dictionary has.
var errUnread = errors.New("a part of the question is in a language that nothing here reads")

// refusal says why rules can't answer a question, what of it was not understood, and what to do; nil where they can. A question of
// which too little is understood is never searched for more broadly instead.
func refusal(q *lexicon.Question) error {
	var unread, unknown []string
	for _, w := range q.Words {
		if w.Language != "" {
			unread = append(unread, fmt.Sprintf("%q (%s)", w.Text, w.Language))
		} else {
			unknown = append(unknown, fmt.Sprintf("%q", w.Text))
		}
	}
	err, why := pipeline.ErrUnreadable, ""
	switch {
	case len(unread) > 0:
		err, why = errUnread, strings.Join(unread, ", ")+"; write it in English, leave it out, or configure a model that reads the language"
	case onlyOrgans(q):
		why = "it names an organ alone: say which tumour, alteration or drug is meant"
	case !understood(q) && len(unknown) > 0:
		why = fmt.Sprintf("not understood: %s; name a disease, a gene or a drug, in English unless a model is configured that reads the language", strings.Join(unknown, ", "))
	case !understood(q):
		why = "name a disease, a gene or a drug, in English unless a model is configured that reads the language"
	default:
		return nil
	}
	return fmt.Errorf("%w: %s", err, why)
}

// understood says whether anything of the question is: words and dropped ones are not.
func understood(q *lexicon.Question) bool {
	return len(namedIn(q)) > 0 || slices.ContainsFunc(q.Setting, func(c lexicon.Circumstance) bool { return c.Entry != nil })
}

// onlyOrgans says that the question names organs and nothing else that could be sought.
func onlyOrgans(q *lexicon.Question) bool {
	isOrgan := func(c lexicon.Concept) bool {
		return c.Entry != nil && c.Entry.Kind == lexicon.KindSite || c.Entry == nil && c.Site != "" && c.Type == ""
	}
	return len(q.Tumours) > 0 && len(namedIn(q)) == len(q.Tumours) &&
		!slices.ContainsFunc(q.Tumours, func(c lexicon.Concept) bool { return !isOrgan(c) })
}
