package llm

import (
	"cmp"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Bounds of a record in the document for the model, in bytes. An abstract of this length is longer than journals allow;
// what is behind it is mostly no abstract.
const (
	maxQuestion   = evidence.MaxQuestionLength
	maxTitle      = 1000
	maxAbstract   = 8000
	leastAbstract = 500 // what a small context leaves of it at the least
	maxTypes      = 12
	maxTypeBytes  = 100
)

// Room for a reply, in tokens.
const (
	roomPerRecord  = 200
	roomForReply   = 400
	leastPerRecord = 150 // with less a reply would be cut
	leastForReply  = 100
)

type screeningRequest struct {
	Question string    `json:"question"`
	Articles []article `json:"articles"`
}

type article struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Abstract string   `json:"abstract"`
	Types    []string `json:"publication_types"`
}

// requestFor is the document for some records, with at most so many bytes of an abstract. It holds all that a stranger
// wrote, and nothing but.
func requestFor(question string, records []evidence.Record, abstract int) screeningRequest {
	req := screeningRequest{Question: text.AtWord(question, maxQuestion), Articles: make([]article, len(records))}
	for i := range records {
		r := &records[i]
		a := article{
			ID: r.ID, Title: text.AtWord(r.Title, maxTitle), Abstract: text.AtWord(r.AbstractText(), min(abstract, maxAbstract)),
			Types: []string{},
		}

		a.Title = cmp.Or(a.Title, text.AtWord(r.VernacularTitle, maxTitle))
		for _, t := range r.PublicationTypes[:min(len(r.PublicationTypes), maxTypes)] {
			a.Types = append(a.Types, text.AtWord(t.Name, maxTypeBytes))
		}
		req.Articles[i] = a
	}
	return req
}

func idsOf(records []evidence.Record) []string {
	return text.Each(records, func(r evidence.Record) string { return r.ID })
}

// prepare makes the call about some records: the task with room for them, with their ids in the schema, and with what
// the run has learnt of the model.
func (j *Judge) prepare(question string, records []evidence.Record, abstract int) (Task, screeningRequest, error) {
	scale, room := j.lessons.now()
	task := j.task
	task.MaxTokens = room * (roomForReply + roomPerRecord*len(records))

	task.LeastTokens = leastForReply + leastPerRecord*len(records)
	if scale != "" {
		task.Prompt.Text += "\n\n" + scaleAgain(scale)
	}
	var err error
	task.Schema, err = task.Schema.about(idsOf(records))
	return task, requestFor(question, records, abstract), err
}

// portion is how many of the records go into one call, size at the most, and how many bytes of an abstract, limit at
// the most: as much as the model's context holds, where that is known.
func (s *judging) portion(records []evidence.Record, size, limit int) (n, abstract int) {
	n = min(size, len(records))
	if s.client.window.size() == 0 {
		return n, limit
	}

	for n > 1 && !s.fits(records[:n], limit) {
		n--
	}

	for n == 1 && limit > leastAbstract && !s.fits(records[:n], limit) {
		limit = max(limit/2, leastAbstract)
	}
	return n, limit
}

// fits reports whether the context has room for the call about some records and for the reply.
func (s *judging) fits(records []evidence.Record, abstract int) bool {
	task, request, err := s.prepare(s.question, records, abstract)
	if err != nil {
		return false
	}

	document, err := encode(request)
	if err != nil {
		return false
	}
	mode, _ := s.client.ladder.current()
	prompt := promptTokens(s.client.request(question{task: task, document: document, room: task.MaxTokens}, mode))
	return s.client.window.left(prompt) >= task.LeastTokens
}
