package openalex

import (
	"encoding/json"
	"errors"
	"fmt"

	"dossier/internal/source"
)

// page is an answer of /works.
type page struct {
	Meta *struct {
		Count *source.Count `json:"count"`
	} `json:"meta"`
	Results []json.RawMessage `json:"results"`
}

func (p *page) count() int { return int(*p.Meta.Count) }

// readPage reads an answer. Its error is about an answer that may be better when it is asked for again.
func readPage(body []byte, number int) (*page, error) {
	p := &page{}
	if err := source.Decode(body, p); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}

	switch {
	case p.Meta == nil || p.Meta.Count == nil:
		return nil, errors.New("the answer has no meta.count")
	case p.Results == nil:
		return nil, errors.New("the answer has no list of results")
	case number == 1 && p.count() > 0 && len(p.Results) == 0:
		return nil, fmt.Errorf("the answer counts %d works and holds none", p.count())
	}
	return p, nil
}
