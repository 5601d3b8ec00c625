package web

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"dossier/internal/cite"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/marks"
	"dossier/internal/render"
	"dossier/internal/text"
)

// sheet is what readers have decided of a topic's records, under the ids that these have now.
func (q *request) sheet(topic string) (marks.Sheet, []string, error) {
	sheet, warnings, err := q.s.marks.Of(topic)
	if err != nil {
		return sheet, nil, err
	}
	err = sheet.Rename(func(id string) (string, error) {
		r, ok, err := q.desk.Reader.Record(id)
		if err != nil || !ok {
			return id, err
		}
		return r.ID, nil
	})
	return sheet, warnings, err
}

func (q *request) markForm(sheet *marks.Sheet, topic string, r *evidence.Record, back string, page int) *markForm {
	reader := q.reader()
	f := &markForm{
		Topic: topic, Record: r.ID, Reader: reader, Title: render.TitleOf(r), Back: back, Page: page,
		Mine: sheet.Decided(r.ID, reader),
	}
	for _, m := range sheet.Decisions(r.ID) {
		if m.Reader != reader {
			f.Others = append(f.Others, m)
		}
	}
	return f
}

// recordsPage lists all records that a topic found, to be gone through.
type recordsPage struct {
	Topic, Question string
	Total, First    int // First is the number of the first one that is shown, from 1
	Items           []item
	Warnings        []string
	Readers         []readerCount
	Both, Agree     int // records that more than one reader has decided on, and those on which all say the same
	Files           []link
	Previous, Next  string // addresses; empty where there is none
}

type readerCount struct {
	Name           string
	Kept, Excluded int
}

// perPage is how many records stand on one page of the list.
const perPage = 50

// records shows all that a topic found, with what readers have decided.
func (s *Server) records(q *request) error {
	topic := q.r.PathValue("topic")
	items, err := q.found(topic)
	if err != nil {
		return err
	}
	sheet, warnings, err := q.sheet(topic)
	if err != nil {
		return err
	}
	number, _ := strconv.Atoi(q.r.Form.Get("page")) // what is no number is the first page
	last := max(0, len(items)-1) / perPage
	number = min(max(number, 0), last)
	page := recordsPage{Topic: topic, Question: topic, Total: len(items), First: number*perPage + 1, Warnings: warnings}
	if answer, ok, err := q.desk.Reader.Answer(topic); ok && err == nil {
		page.Question = answer.Topic.Question
	}
	for _, it := range items[number*perPage : min(len(items), (number+1)*perPage)] {
		i := newItem(it, topic)
		i.Mark = q.markForm(&sheet, topic, it.Record, "records", number)
		page.Items = append(page.Items, i)
	}
	page.count(&sheet, items)
	if number > 0 {
		page.Previous = listAddress(topic, q.reader(), number-1)
	}
	if number < last {
		page.Next = listAddress(topic, q.reader(), number+1)
	}
	if len(page.Readers) > 0 {
		page.Files = []link{
			{"kept by anybody, RIS (Covidence, Rayyan, reference managers)", markFile(topic, "ris", "keep")},
			{"excluded by anybody, RIS", markFile(topic, "ris", "exclude")},
			{"all, with every reader’s decision, RIS", markFile(topic, "ris", "")},
			{"all, with every reader’s decision, CSV (Rayyan)", markFile(topic, "csv", "")},
		}
	}
	return q.show("records", "All records: "+page.Question, page)
}

// count says what each reader has decided, and where they agree.
func (p *recordsPage) count(sheet *marks.Sheet, items []evidence.Item) {
	counts := map[string]*readerCount{}
	for _, name := range sheet.Readers {
		counts[name] = &readerCount{Name: name}
	}
	for _, it := range items {
		decisions := sheet.Decisions(it.Record.ID)
		agree := true
		for _, m := range decisions {
			if m.Decision == marks.Keep {
				counts[m.Reader].Kept++
			} else {
				counts[m.Reader].Excluded++
			}
			agree = agree && m.Decision == decisions[0].Decision
		}
		if len(decisions) > 1 {
			p.Both++
			if agree {
				p.Agree++
			}
		}
	}
	for _, name := range sheet.Readers {
		p.Readers = append(p.Readers, *counts[name])
	}
}

func listAddress(topic, reader string, page int) string {
	query := url.Values{"page": {strconv.Itoa(page)}}
	if reader != "" {
		query.Set("reader", reader)
	}
	return "/topics/" + topic + "/records?" + query.Encode()
}

func markFile(topic, format, decision string) string {
	address := "/topics/" + topic + "/marks/" + format
	if decision != "" {
		address += "?decision=" + decision
	}
	return address
}

// found gives all records of a topic with their judgements, the best first.
func (q *request) found(topic string) ([]evidence.Item, error) {
	if err := q.knows(topic); err != nil {
		return nil, err
	}
	sequence, _, err := q.desk.Items(q.ctx, topic)
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for it, err := range sequence {
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	score := func(it evidence.Item) float64 {
		if it.Assessment == nil {
			return -1
		}
		return it.Assessment.Score
	}
	slices.SortStableFunc(items, func(a, b evidence.Item) int { return cmp.Compare(score(b), score(a)) })
	return items, nil
}

// mark keeps a reader's decision, and goes back to where it was made. With JavaScript only the buttons are shown anew.
func (s *Server) mark(q *request) error {
	topic, id := q.r.PathValue("topic"), q.r.PostForm.Get("record")
	if err := q.knows(topic); err != nil {
		return err
	}
	items, err := q.found(topic)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(it evidence.Item) bool { return it.Record.ID == id })
	if at < 0 {
		return &problem{http.StatusNotFound, "The record is not among the topic’s",
			"It may have been joined with another one last night. Go back, and load the page anew."}
	}
	reader, err := marks.Reader(q.r.PostForm.Get("reader"))
	if err != nil {
		return err
	}
	decision := marks.Decision(q.r.PostForm.Get("decision"))
	made := marks.Mark{Reader: reader, Topic: topic, Record: id, Decision: decision, At: s.now()}
	if err := s.marks.Add(made); err != nil {
		return err
	}
	page, _ := strconv.Atoi(q.r.PostForm.Get("page")) // what is no number is the first page
	back := q.r.PostForm.Get("back")
	if q.r.Header.Get("HX-Request") == "true" {
		sheet, _, err := q.sheet(topic)
		if err != nil {
			return err
		}
		return s.write(q.w, http.StatusOK, "marks", q.markForm(&sheet, topic, items[at].Record, back, page))
	}
	address := "/topics/" + topic + "?" + url.Values{"reader": {reader}}.Encode()
	if back == "records" {
		address = listAddress(topic, reader, max(0, page))
	}
	http.Redirect(q.w, q.r, address+"#"+anchorOf(id), http.StatusSeeOther)
	return nil
}

// marksFile writes the records with what readers have decided of them: RIS, or the CSV that Rayyan reads. With a
// decision only those of which any reader has decided so.
func (s *Server) marksFile(q *request) error {
	topic, format := q.r.PathValue("topic"), q.r.PathValue("format")
	decision := marks.Decision(q.r.Form.Get("decision"))
	if decision != "" && decision != marks.Keep && decision != marks.Exclude {
		return command.Usagef("decision: %.40q is none; choose keep or exclude, or leave it out for all", decision)
	}
	items, err := q.found(topic)
	if err != nil {
		return err
	}
	sheet, _, err := q.sheet(topic)
	if err != nil {
		return err
	}
	if decision != "" {
		items = slices.DeleteFunc(items, func(it evidence.Item) bool {
			return !slices.ContainsFunc(sheet.Decisions(it.Record.ID), func(m marks.Mark) bool { return m.Decision == decision })
		})
	}
	words := map[marks.Decision]string{marks.Keep: "Included", marks.Exclude: "Excluded"}
	note := func(id string) string {
		return render.ScreeningNote(text.Each(sheet.Decisions(id), func(m marks.Mark) [2]string {
			return [2]string{m.Reader, words[m.Decision]}
		})...)
	}
	name := topic + "-" + cmp.Or(string(decision), "marks")
	var b bytes.Buffer
	switch format {
	case "csv":
		if err := render.ScreeningCSV(&b, items, note); err != nil {
			return err
		}
		return q.download(name+".csv", "text/csv; charset=utf-8", b.Bytes())
	case "ris":
		err := cite.Write(&b, cite.FormatRIS, func(yield func(cite.Ref, error) bool) {
			for _, it := range items {
				if !yield(cite.Ref{Record: it.Record, Assessment: it.Assessment, Note: note(it.Record.ID)}, nil) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		return q.download(name+".ris", "application/x-research-info-systems", b.Bytes())
	}
	return noFormat(q)
}
