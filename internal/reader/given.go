package reader

import (
	"fmt"

	"dossier/internal/indications"
	"dossier/internal/interpretations"
	"dossier/internal/lexicon"
	"dossier/internal/render"
)

// Approvals returns the approvals of the drugs in a question, or in a topic's.
func (r *Reader) Approvals(question string) (*render.Held, error) {
	words, question, generation, err := r.comparedQuestion(question)
	if err != nil {
		return nil, err
	}

	found, err := indications.New(words).Find(r.Store, question)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what is approved: %w", err)
	case found == nil:
		return nil, notFound("%q names no drug, or no files on what is approved were imported: "+
			"`indexer import-approvals FILE`", question)
	}
	return &render.Held{Question: question, Generation: generation, Approvals: found}, nil
}

// Interpretations returns curators' statements on the alterations in a question, or in a topic's.
func (r *Reader) Interpretations(question string) (*render.Held, error) {
	words, question, generation, err := r.comparedQuestion(question)
	if err != nil {
		return nil, err
	}

	found, err := interpretations.New(words).Find(r.Store, question)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what curators say: %w", err)
	case found == nil:
		return nil, notFound("%q names no alteration and no marker, or no curators' files on alterations were imported: "+
			"`indexer import-curated FILE`", question)
	}
	return &render.Held{Question: question, Generation: generation, Interpretations: found}, nil
}

// comparedQuestion is the question with which users' files are compared: a topic's, where its id was given.
func (r *Reader) comparedQuestion(given string) (words *lexicon.Lexicon, question string, generation int, err error) {
	if words, err = r.Lexicon(); err != nil {
		return nil, "", 0, err
	}

	stored, ok, err := r.Store.Answer(given)
	if err != nil {
		return nil, "", 0, err
	}

	question = given
	if ok {
		question = stored.Topic.Question
	}
	generation, err = r.Generation()
	return words, question, generation, err
}
