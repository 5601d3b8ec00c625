package reader

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/text"
)

// QuestionError is returned for a question that can't be asked in its form.
type QuestionError struct{ Err error }

func (e *QuestionError) Error() string { return e.Err.Error() }
func (e *QuestionError) Unwrap() error { return e.Err }

// CleanQuestion turns a typed or pasted question into one line without control characters. The error is a
// *QuestionError where nothing is left, or too much.
func CleanQuestion(question string) (string, error) {
	cleaned := text.Line(question)
	switch {
	case cleaned == "":
		return "", &QuestionError{errors.New(
			"the question is empty; write it in a sentence or in key words, or give a topic's id")}
	case len(cleaned) > evidence.MaxQuestionLength:
		return "", &QuestionError{fmt.Errorf(
			"the question has %d bytes; at most %d are allowed", len(cleaned), evidence.MaxQuestionLength)}
	}
	return cleaned, nil
}

const refusalHint = "name a disease, a gene or a drug, in English unless a model is configured that reads the language"

// errUnread refuses a question that could be read only in part; the question's warnings name the rest.
var errUnread = errors.New("the question would be half understood: write all of it in English, leave the rest out, " +
	"or configure a model that reads the language")

// minRead is how many values must be read of a question for each word in a language that no dictionary here reads.
const minRead = 2

// refusal states why a question can't be answered, what was not understood, and what to do; nil where it can, or where
// a planning model may understand more. A question of which too little is understood is never broadened instead.
func refusal(words *lexicon.Lexicon, q *lexicon.Question, modelPlans bool) error {
	onlyPatients := q.Empty() && len(q.Words) == 0 && len(q.Setting) > 0
	if onlyPatients && !isPlannable(words, q) { // a model could only invent the rest
		return fmt.Errorf("%w: %s describes patients, not what is asked about them; name a disease, a gene or a drug as well",
			pipeline.ErrUnreadable,
			strings.Join(text.Each(q.Setting, func(c lexicon.Circumstance) string { return c.Text }), ", "))
	}

	if modelPlans {
		return nil
	}
	var unknown []string

	unread := 0
	for _, w := range q.Words {
		if w.Language != "" {
			unread++
		}
		unknown = append(unknown, fmt.Sprintf("%q", w.Text))
	}

	read := len(q.Tumours) + len(q.Conditions) + len(q.Alterations) + len(q.Biomarkers) + len(q.Drugs)
	if unread > 0 && read < minRead*unread { // one unread term among several read ones only causes a warning
		return errUnread
	}
	inDictionary := func(c lexicon.Circumstance) bool { return c.Entry != nil }

	onlySetting := q.Empty() && slices.ContainsFunc(q.Setting, inDictionary)
	switch {
	case !q.Empty(), onlySetting && isPlannable(words, q):
		return nil
	case !onlySetting && len(unknown) > 0:
		what := refusalHint
		if meant := words.Suggest(q); meant != "" {
			what = fmt.Sprintf("did you mean %q?", meant)
		}
		return fmt.Errorf("%w: not understood: %s; %s", pipeline.ErrUnreadable, strings.Join(unknown, ", "), what)
	}
	return fmt.Errorf("%w: %s", pipeline.ErrUnreadable, refusalHint)
}

// isPlannable reports whether any layer has something to search: brain metastases are, a line of treatment is not.
func isPlannable(words *lexicon.Lexicon, q *lexicon.Question) bool {
	for n := pipeline.Layers; n > 0; n-- {
		if _, ok := words.Layer(q, n); ok {
			return true
		}
	}
	return false
}
