package reader

import (
	"fmt"

	"dossier/internal/applicability"
	"dossier/internal/lexicon"
	"dossier/internal/render"
)

// Approvals says what is approved of the drugs that a question, or a topic's, is about.
func (r *Reader) Approvals(question string) (*render.Held, error) {
	words, question, generation, err := r.heldAgainst(question)
	if err != nil {
		return nil, err
	}

	found, err := applicability.New(words).Approvals(r.Store, question)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what is approved: %w", err)
	case found == nil:
		return nil, nothing("%q names no drug, or no files on what is approved were imported: "+
			"`indexer import-approvals FILE`", question)
	}
	return &render.Held{Question: question, Generation: generation, Approvals: found}, nil
}

// Interpretations says what curators say of the alterations that a question, or a topic's, is about.
func (r *Reader) Interpretations(question string) (*render.Held, error) {
	words, question, generation, err := r.heldAgainst(question)
	if err != nil {
		return nil, err
	}

	found, err := applicability.New(words).Interpretations(r.Store, question)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what curators say: %w", err)
	case found == nil:
		return nil, nothing("%q names no alteration and no marker, or no curators' files on alterations were imported: "+
			"`indexer import-curated FILE`", question)
	}
	return &render.Held{Question: question, Generation: generation, Interpretations: found}, nil
}

// heldAgainst is the question that users' files are held against: a topic's, where its id was given.
func (r *Reader) heldAgainst(given string) (words *lexicon.Lexicon, question string, generation int, err error) {
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
