package reader

import (
	"fmt"

	"dossier/internal/published"
	"dossier/internal/render"
)

// Approvals returns the approvals of the drugs in a question, or in a topic's.
func (r *Reader) Approvals(question string) (*render.Held, error) {
	reader, held, err := r.comparedQuestion(question)
	if err != nil {
		return nil, err
	}

	if held.Approvals, err = reader.Approvals(r.Store, held.Question); err != nil {
		return nil, fmt.Errorf("reading what is approved: %w", err)
	}

	if held.Approvals == nil {
		return nil, notFound("%q names no drug, or no files on what is approved were imported: "+
			"`indexer import-approvals FILE`", held.Question)
	}
	return held, nil
}

// Interpretations returns curators' statements on the alterations in a question, or in a topic's.
func (r *Reader) Interpretations(question string) (*render.Held, error) {
	reader, held, err := r.comparedQuestion(question)
	if err != nil {
		return nil, err
	}

	if held.Interpretations, err = reader.Interpretations(r.Store, held.Question); err != nil {
		return nil, fmt.Errorf("reading what curators say: %w", err)
	}

	if held.Interpretations == nil {
		return nil, notFound("%q names no alteration and no marker, or no curators' files on alterations were imported: "+
			"`indexer import-curated FILE`", held.Question)
	}
	return held, nil
}

// comparedQuestion returns what compares users' files with a question, and the question: a topic's, where its id was
// given.
func (r *Reader) comparedQuestion(given string) (*published.Reader, *render.Held, error) {
	words, err := r.Lexicon()
	if err != nil {
		return nil, nil, err
	}
	held := &render.Held{Question: given}

	stored, ok, err := r.Store.Answer(given)
	if err != nil {
		return nil, nil, err
	}

	if ok {
		held.Question = stored.Topic.Question
	}
	held.Generation, err = r.Generation()
	return published.NewReader(words), held, err
}
