package web

import (
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/text"
)

// changesPage shows what changed in all topics.
type changesPage struct {
	Since  string // as it was asked
	Topics []topicChanges
}

type topicChanges struct {
	evidence.TopicChanges
	Head  string
	Items []change
}

type change struct {
	evidence.Change
	Address string // of the record's page here
}

// changes shows what changed in all topics, or in one: since the last differing answer, a date, a generation or the
// last report.
func (s *Server) changes(q *request) error {
	page := changesPage{Since: text.Line(q.r.Form.Get("since"))}

	since, err := reader.ParseSince(page.Since)
	if err != nil {
		return err
	}

	changed, err := q.stored.Changes(q.ctx, since, q.r.Form["topic"]...)
	if err != nil {
		return err
	}

	for _, t := range changed.Topics {
		shown := topicChanges{TopicChanges: t, Head: render.ChangesHead(&t)}
		for _, c := range t.Items {
			record := item{Item: evidence.Item{Record: &evidence.Record{ID: c.Record}}, Topic: t.ID}
			shown.Items = append(shown.Items, change{c, record.Address()})
		}
		page.Topics = append(page.Topics, shown)
	}
	return q.show("changes", "What changed", page)
}
