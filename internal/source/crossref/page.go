package crossref

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// page is a list of works.
type page struct {
	Total *source.Count     `json:"total-results"`
	Next  source.Text       `json:"next-cursor"` // which may be the same each time: the service keeps the place
	Items []json.RawMessage `json:"items"`
}

func (p *page) total() int { return int(*p.Total) }

// messageOf is what an answer of a kind holds.
func messageOf(body []byte, kind string) (json.RawMessage, error) {
	var answer struct {
		Status  source.Text     `json:"status"`
		Kind    source.Text     `json:"message-type"`
		Message json.RawMessage `json:"message"`
	}
	if err := source.Decode(body, &answer); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}

	if answer.Status != "ok" || answer.Kind.String() != kind || len(answer.Message) == 0 {
		return nil, fmt.Errorf("the answer is no %q: status %q, type %q", kind, answer.Status.String(), answer.Kind.String())
	}
	return answer.Message, nil
}

// readPage reads a list of works. Its error is about an answer that may be better when it is asked for again.
func readPage(body []byte, cursor string) (*page, error) {
	message, err := messageOf(body, "work-list")
	if err != nil {
		return nil, err
	}

	p := &page{}
	if err := source.Decode(message, p); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}

	switch {
	case p.Total == nil:
		return nil, errors.New("the answer has no total-results")
	case p.Items == nil:
		return nil, errors.New("the answer has no list of items")
	case p.total() > 0 && len(p.Items) == 0 && cursor == "*":
		return nil, fmt.Errorf("the answer counts %d works and holds none", p.total())
	}
	return p, nil
}

// escapedTwice mends what some publishers deposit: "p&amp;lt;0.05".
var escapedTwice = strings.NewReplacer("&amp;lt;", "&lt;", "&amp;gt;", "&gt;", "&amp;amp;", "&amp;")

// read is a source.Reader; its id is the origin's, the work's DOI.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w struct {
		DOI      source.Text `json:"DOI"`
		Abstract source.Text `json:"abstract"`
	}
	if err := source.Decode(raw, &w); err != nil {
		return evidence.Record{}, "", err
	}

	id, ok := evidence.NewIdentifier(evidence.DOI, string(w.DOI))
	if !ok {
		return evidence.Record{}, w.DOI.String(), errors.New("it has no DOI")
	}

	r, err := cite.Work(raw, evidence.SourceCrossref)
	if err != nil {
		return evidence.Record{}, id.Value, err
	}
	r.Origins = []evidence.Origin{{Source: evidence.SourceCrossref, ID: id.Value}}

	r.Abstract = source.Sections(escapedTwice.Replace(string(w.Abstract)))
	if r.Retraction.Status == "" {
		r.Retraction.Status = evidence.Unknown // not every publisher deposits its notices
	}
	return r, id.Value, nil
}
