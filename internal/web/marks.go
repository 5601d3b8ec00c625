package web

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/marks"
	"dossier/internal/reader"
	"dossier/internal/render"
)

func (q *request) markForm(sheet *marks.Sheet, topic string, it evidence.Item, back string, page int) *markForm {
	reader, needed := q.reader(), q.stored.App.Config.Marks.Readers
	id := it.Record.ID

	f := &markForm{
		Topic: topic, Record: id, Reader: reader, Title: render.TitleOf(it.Record), Back: back, Page: page,
		Mine: sheet.Decided(id, reader), Presented: sheet.Has(id, reader, marks.Presented),
		Recommended: sheet.Has(id, reader, marks.Recommended),
		Conflict:    it.Assessment != nil && it.Assessment.Reading.InConflict(),
	}
	for _, m := range sheet.Visible(id, reader, needed) {
		if m.Reader != reader {
			f.Others = append(f.Others, m)
		}
	}

	if decided := len(sheet.Decisions(id)); decided > 0 && decided < needed {
		f.Waits = fmt.Sprintf("%d of %d readers have decided", decided, needed)
	}
	return f
}

// recordsPage lists all records that a topic found, for screening.
type recordsPage struct {
	Topic, Question string
	Total, First    int // First is the number of the first one that is shown, from 1
	Items           []item
	Warnings        []string
	Readers         []readerCount
	Both, Agree     int // records with more than one reader's decision, and those on which all agree
	Conflicts       int // disagreements that no one has settled
	Promising       bool
	Learnt, Other   string // what the order is learnt from, empty if nothing is; the address of the other order
	Files           []link
	Previous, Next  string // addresses; empty if there is none
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
	promising := q.r.Form.Get("order") == promisingFirst

	items, unread, err := q.stored.Found(q.ctx, topic, promising)
	if err != nil {
		return err
	}

	sheet, _, err := q.stored.Sheet(topic)
	if err != nil {
		return err
	}
	number, _ := strconv.Atoi(q.r.Form.Get("page")) // what is no number is the first page
	last := max(0, len(items)-1) / perPage
	number = min(max(number, 0), last)

	page := recordsPage{Topic: topic, Question: topic, Total: len(items), First: number*perPage + 1, Warnings: unread,
		Promising: promising}
	if answer, ok, err := q.stored.Store.Answer(topic); ok && err == nil {
		page.Question = answer.Topic.Question
	}

	back := "records"
	if promising {
		back = promisingFirst
	}

	for _, it := range items[number*perPage : min(len(items), (number+1)*perPage)] {
		i := newItem(it, topic)
		i.Mark = q.markForm(&sheet, topic, it, back, number)
		page.Items = append(page.Items, i)
	}
	page.count(&sheet, items)

	if number > 0 {
		page.Previous = listAddress(topic, q.reader(), number-1, promising)
	}

	if number < last {
		page.Next = listAddress(topic, q.reader(), number+1, promising)
	}

	for _, it := range items {
		if l := it.Assessment.Learned; l != nil {
			page.Learnt = fmt.Sprintf("%d kept and %d excluded", l.Kept, l.Excluded)
			page.Other = listAddress(topic, q.reader(), 0, !promising)
			break
		}
	}

	if len(page.Readers) > 0 {
		page.Files = []link{
			{"kept, RIS (Covidence, Rayyan, reference managers)", markFile(topic, "ris", evidence.VerdictKept)},
			{"excluded, with reasons, RIS", markFile(topic, "ris", evidence.VerdictExcluded)},
			{"in conflict, RIS", markFile(topic, "ris", evidence.VerdictConflict)},
			{"all, with every reader’s decision, RIS", markFile(topic, "ris", "")},
			{"all, with every reader’s decision, CSV (Rayyan)", markFile(topic, "csv", "")},
		}
	}
	return q.show("records", "All records: "+page.Question, page)
}

// count counts each reader's decisions, and the agreements.
func (p *recordsPage) count(sheet *marks.Sheet, items []evidence.Item) {
	counts := map[string]*readerCount{}
	for _, name := range sheet.Readers {
		counts[name] = &readerCount{Name: name}
	}

	for _, it := range items {
		for _, m := range sheet.Decisions(it.Record.ID) {
			if m.Decision == marks.Keep {
				counts[m.Reader].Kept++
			} else {
				counts[m.Reader].Excluded++
			}
		}

		r := it.Assessment.Reading
		if r == nil || len(r.Decisions) < 2 {
			continue
		}

		p.Both++
		switch {
		case r.Verdict == evidence.VerdictConflict:
			p.Conflicts++
		case r.Settled == nil:
			p.Agree++
		}
	}

	for _, name := range sheet.Readers {
		p.Readers = append(p.Readers, *counts[name])
	}
}

// promisingFirst is the order, and the return address, of the list that begins with the records that readers most
// likely keep.
const promisingFirst = "promising"

func listAddress(topic, reader string, page int, promising bool) string {
	query := url.Values{"page": {strconv.Itoa(page)}}
	if reader != "" {
		query.Set("reader", reader)
	}

	if promising {
		query.Set("order", promisingFirst)
	}
	return "/topics/" + topic + "/records?" + query.Encode()
}

func markFile(topic, format string, verdict evidence.Verdict) string {
	address := "/topics/" + topic + "/marks/" + format
	if verdict != "" {
		address += "?verdict=" + string(verdict)
	}
	return address
}

// settlePrefix is the prefix of a button's value that settles a conflict.
const settlePrefix = "settle-"

// mark saves a reader's decision, and returns to where it was made. With JavaScript only the buttons are replaced.
func (s *Server) mark(q *request) error {
	topic, form := q.r.PathValue("topic"), q.r.PostForm
	if err := q.requireTopic(topic); err != nil {
		return err
	}
	decision, settles := strings.CutPrefix(form.Get("decision"), settlePrefix)

	m := marks.Mark{Reader: form.Get("reader"), Topic: topic, Record: form.Get("record"),
		Decision: marks.Decision(decision), Settles: settles}
	if m.Decision == marks.Exclude {
		m.Note = form.Get("note")
		if reason := form.Get("reason"); reason != "" {
			var err error
			if m.Reason, err = marks.ParseReason(reason); err != nil {
				return err
			}
		}
	}

	record, err := q.stored.Mark(q.ctx, m)
	if exit, ok := errors.AsType[*command.ExitError](err); ok && exit.Code == command.ExitNothing {
		return &problem{http.StatusNotFound, "The record is not among the topic’s",
			"It may have been joined with another one last night. Go back, and load the page anew."}
	}

	if err != nil {
		return err
	}
	page, _ := strconv.Atoi(form.Get("page")) // what is no number is the first page

	back := form.Get("back")
	if q.r.Header.Get("HX-Request") == "true" {
		return q.showMarks(topic, record.ID, back, page)
	}

	address := "/topics/" + topic + "?" + url.Values{"reader": {q.reader()}}.Encode()
	if back == "records" || back == promisingFirst {
		address = listAddress(topic, q.reader(), max(0, page), back == promisingFirst)
	}
	http.Redirect(q.w, q.r, address+"#"+anchorOf(record.ID), http.StatusSeeOther)
	return nil
}

// showMarks shows the buttons of one record anew.
func (q *request) showMarks(topic, id, back string, page int) error {
	items, _, err := q.stored.Found(q.ctx, topic, false)
	if err != nil {
		return err
	}

	sheet, _, err := q.stored.Sheet(topic)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(it evidence.Item) bool { return it.Record.ID == id })
	return q.s.write(q.w, http.StatusOK, "marks", q.markForm(&sheet, topic, items[at], back, page))
}

// marksFile writes the records with the readers' decisions: RIS, or the CSV that Rayyan reads. With a verdict, only
// the records with that joint decision.
func (s *Server) marksFile(q *request) error {
	topic, format := q.r.PathValue("topic"), q.r.PathValue("format")
	if err := q.requireTopic(topic); err != nil {
		return err
	}

	verdict := evidence.Verdict(q.r.Form.Get("verdict"))
	if q.r.Form.Has("decision") { // an address of an earlier program, which asked for any one reader's
		return command.Usagef("decision: write verdict in its place: kept, excluded or conflict")
	}

	if verdict != "" && !slices.Contains(evidence.Verdicts, verdict) {
		return command.Usagef("verdict: %.40q is none; choose kept, excluded or conflict, or leave it out for all", verdict)
	}

	if !slices.Contains(reader.ScreeningFormats, format) {
		return noFormat(q)
	}

	items, _, err := q.stored.Found(q.ctx, topic, false)
	if err != nil {
		return err
	}

	if verdict != "" {
		items = slices.DeleteFunc(items, func(it evidence.Item) bool { return it.Assessment.Reading.Is() != verdict })
	}

	var b bytes.Buffer
	if err := reader.Screening(&b, items, format); err != nil {
		return err
	}
	types := map[string]string{"csv": "text/csv; charset=utf-8", "ris": "application/x-research-info-systems"}
	return q.download(topic+"-"+cmp.Or(string(verdict), "marks")+"."+format, types[format], b.Bytes())
}
