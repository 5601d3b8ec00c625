package web

import (
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
)

// recordPage is everything in the store about a record.
type recordPage struct {
	item
	Identifiers []link
	FullText    []string
	Fields      []render.Field
	Curated     []statement
	Family      []relative
	Judged      []judgement
	Warnings    []string
	Citations   []link
}

type statement struct{ Said, Address string }

// relative is a member of the record's family; Address leads to its page here, and is empty if the store lacks it.
type relative struct {
	render.FamilyMember
	Said, Address string
}

// judgement is a topic's assessment of the record.
type judgement struct {
	*evidence.Assessment
	Topic, Question string
	Check           string // why a person should look
	Sampled         bool
	Here            bool // it is the topic from which the reader comes
}

// record shows one record.
func (s *Server) record(q *request) error {
	it, warnings, err := q.namedRecord()
	if err != nil {
		return err
	}

	p := recordPage{item: newItem(it, ""), Warnings: warnings}
	for _, id := range it.Record.InOrder() {
		p.Identifiers = append(p.Identifiers, link{id.String(), id.URL()})
	}
	p.FullText = it.Record.FullText
	beside := []string{"id", "family", "url", "live"} // each has a place of its own

	p.Fields = slices.DeleteFunc(render.RecordFields(it), func(f render.Field) bool {
		return f.Value == "" || slices.Contains(beside, f.Name)
	})
	for i := range it.Record.Curated {
		p.Curated = append(p.Curated, statement{render.CuratedLine(&it.Record.Curated[i]), it.Record.Curated[i].URL})
	}

	for _, m := range render.NewRecord(it).Family {
		r := relative{FamilyMember: m, Said: render.RelativeLine(m)}
		if m.Record != "" {
			r.Address = item{Item: evidence.Item{Record: &evidence.Record{ID: m.Record}}}.Address()
		}
		p.Family = append(p.Family, r)
	}

	if p.Judged, err = q.judgements(it.Record); err != nil {
		return err
	}

	for _, f := range exportFormats() {
		query := (item{Item: it}).Address()
		p.Citations = append(p.Citations, link{f.shown, "/record/export/" + f.name + query[len("/record"):]})
	}
	return q.show("record", render.TitleOf(it.Record), p)
}

// namedRecord finds the record that the address names.
func (q *request) namedRecord() (evidence.Item, []string, error) {
	id, err := q.formText("id")
	if err != nil {
		return evidence.Item{}, nil, err
	}
	return q.stored.Record(q.ctx, id)
}

// judgements are what the store's topics think of a record, the one from which the reader comes first.
func (q *request) judgements(r *evidence.Record) ([]judgement, error) {
	topics, err := q.stored.Store.Topics()
	if err != nil {
		return nil, err
	}
	from := q.r.Form.Get("topic")

	var first, others []judgement
	for _, t := range topics {
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}

		if !t.ListedFor(q.stored.App.User) {
			continue
		}

		found, ok, err := q.stored.Store.Answer(t.ID)
		if err != nil {
			return nil, err
		}

		at := slices.IndexFunc(found.Assessments, func(a evidence.Assessment) bool { return a.Record == r.ID })
		if !ok || at < 0 {
			continue
		}
		a := &found.Assessments[at]
		j := judgement{Assessment: a, Topic: t.ID, Question: t.Question, Sampled: slices.Contains(found.Sample, r.ID),
			Here: t.ID == from}

		j.Check = render.CheckOf(evidence.Item{Record: r, Assessment: a})
		if j.Here {
			first = append(first, j)
		} else {
			others = append(others, j)
		}
	}
	return append(first, others...), nil
}

// recordExport writes one record for a reference manager.
func (s *Server) recordExport(q *request) error {
	it, _, err := q.namedRecord()
	if err != nil {
		return err
	}
	return q.export("record", "", reader.Sequence([]evidence.Item{it}))
}
