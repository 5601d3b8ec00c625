package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// Dictionary understands questions and plans for them by rules; *lexicon.Lexicon is one.
type Dictionary interface {
	// Understand parses a question, or a query's term. It never fails.
	Understand(text string) lexicon.Question
	// Layer builds layer n (1 to 4); false where it would ask nothing.
	Layer(q *lexicon.Question, n int) (boolean.Query, bool)
	// Matcher prepares a question for comparison with records.
	Matcher(q *lexicon.Question) *lexicon.Matcher
	// Concerns reports whether curators' statement is on the very same question.
	Concerns(q *lexicon.Question, s *evidence.CuratedStatement) bool
	// DrugsIn lists the drugs in a text, in lower case.
	DrugsIn(text string) []string
	// Reports reports whether a sentence of a paper describes a study.
	Reports(sentence string) bool
}

// ErrUnreadable is returned for a question of which the planner understands too little to search for it.
var ErrUnreadable = errors.New("the question holds nothing that can be searched for")

// LanguageError is the ErrUnreadable of a question partly in a language that no dictionary here reads.
type LanguageError struct {
	Words []lexicon.Word // with their languages, in the question's order
}

func (e *LanguageError) Error() string {
	words := text.Each(e.Words, func(w lexicon.Word) string { return fmt.Sprintf("%q (%s)", w.Text, w.Language) })
	return "nothing here reads " + strings.Join(words, ", ") +
		"; write the question in English, or configure a model that reads its language"
}

// Is reports whether a LanguageError is an ErrUnreadable.
func (e *LanguageError) Is(target error) bool { return target == ErrUnreadable }

// RulesPlanner is the Planner where no model is configured.
type RulesPlanner struct{ Dictionary Dictionary }

// Name is the "by" of queries planned by rules.
func (RulesPlanner) Name() string { return ByRules }

// Readable refuses a question partly in a language that no dictionary reads: the rest would be another question. The
// error is a *LanguageError.
func (RulesPlanner) Readable(q *lexicon.Question) error {
	var foreign []lexicon.Word
	for _, w := range q.Words {
		if w.Language != "" {
			foreign = append(foreign, w)
		}
	}

	if len(foreign) > 0 {
		return &LanguageError{foreign}
	}
	return nil
}

// Layer plans by the dictionary; rules ignore earlier failures.
func (p RulesPlanner) Layer(
	_ context.Context, q *lexicon.Question, n int, _ []evidence.FailedQuery,
) (boolean.Query, bool, error) {
	query, ok := p.Dictionary.Layer(q, n)
	return query, ok && query.Node() != nil, nil
}

// Understand parses a text.
func (p RulesPlanner) Understand(text string) lexicon.Question { return p.Dictionary.Understand(text) }

// Fit compares a term with a question.
func (p RulesPlanner) Fit(q *lexicon.Question, term string) evidence.Fit {
	return p.Dictionary.Matcher(q).Fit(&evidence.Record{Title: term})
}
