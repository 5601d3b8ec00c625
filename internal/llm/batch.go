package llm

import (
	"cmp"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Bounds of a record in the document for the model, in bytes. Journals allow no abstract this long; text behind the
// bound is mostly no abstract.
const (
	maxQuestion  = evidence.MaxQuestionLength
	maxTitle     = 1000
	maxAbstract  = 8000
	minAbstract  = 500 // the least that a small context may leave
	maxTypes     = 12
	maxTypeBytes = 100
)

// Room for a reply, in tokens.
const (
	roomPerRecord = 200
	roomForReply  = 400
	minPerRecord  = 150 // with fewer tokens a reply would be cut
	leastForReply = 100
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

// requestFor builds the document for some records, with at most so many bytes of each abstract. It holds all untrusted
// text, and nothing else.
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

// prepare builds the call about some records: the task with room for them, their ids in the schema, and the adjustments
// that the run has learnt for the model.
func (j *Judge) prepare(question string, records []evidence.Record, abstract int) (Task, screeningRequest, error) {
	scale, room := j.lessons.current()
	task := j.task
	task.MaxTokens = room * (roomForReply + roomPerRecord*len(records))

	task.MinTokens = leastForReply + minPerRecord*len(records)
	if scale != "" {
		task.Prompt.Text += "\n\n" + scaleAgain(scale)
	}
	var err error
	task.Schema, err = task.Schema.about(idsOf(records))
	return task, requestFor(question, records, abstract), err
}

// fitBatch returns how many of the records go into one call, at most size, and how many bytes of each abstract, at most
// limit: as much as the model's context holds, where that is known.
func (s *judgeRun) fitBatch(records []evidence.Record, size, limit int) (n, abstract int) {
	n = min(size, len(records))
	if s.client.window.size() == 0 {
		return n, limit
	}

	for n > 1 && !s.fits(records[:n], limit) {
		n--
	}

	for n == 1 && limit > minAbstract && !s.fits(records[:n], limit) {
		limit = max(limit/2, minAbstract)
	}
	return n, limit
}

// fits reports whether the context has room for the call about some records and for its reply.
func (s *judgeRun) fits(records []evidence.Record, abstract int) bool {
	task, request, err := s.prepare(s.question, records, abstract)
	if err != nil {
		return false
	}

	document, err := encode(request)
	if err != nil {
		return false
	}
	mode, _ := s.client.modes.current()
	prompt := promptTokens(s.client.request(question{task: task, document: document, room: task.MaxTokens}, mode))
	return s.client.window.left(prompt) >= task.MinTokens
}
