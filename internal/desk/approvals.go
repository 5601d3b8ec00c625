package desk

import (
	"fmt"

	"dossier/internal/indications"
	"dossier/internal/render"
)

// Approvals says what is approved of the drugs that a question, or a topic's, is about.
func (d *Desk) Approvals(question string) (*render.Approvals, error) {
	words, err := d.Lexicon()
	if err != nil {
		return nil, err
	}
	stored, ok, err := d.Reader.Answer(question)
	if err != nil {
		return nil, err
	}
	if ok {
		question = stored.Topic.Question
	}
	generation, err := d.Generation()
	if err != nil {
		return nil, err
	}
	found, err := indications.New(words).Find(d.Reader, question)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading what is approved: %w", err)
	case found == nil:
		return nil, nothing("%q names no drug, or no files on what is approved were imported: `indexer import-approvals FILE`",
			question)
	}
	return &render.Approvals{Question: question, Generation: generation, Found: found}, nil
}
