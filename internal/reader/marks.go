package reader

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/marks"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/text"
)

// Sheet returns readers' decisions on a topic's records, under the records' present ids.
func (r *Reader) Sheet(topic string) (marks.Sheet, []string, error) {
	sheet, warnings := r.App.Marks().Of(topic)
	if r.Store == nil {
		return sheet, warnings, nil
	}
	return sheet, warnings, sheet.Rename(func(id string) (string, error) {
		r, ok, err := r.Store.Record(id)
		if err != nil || !ok {
			return id, err
		}
		return r.ID, nil
	})
}

// Found returns all records of a topic, each with its judgement, readers' decisions and what was learnt from those: the
// best first, or with promising those that readers would most likely keep first. The error lists the existing topics.
func (r *Reader) Found(ctx context.Context, topic string, promising bool) (items []evidence.Item, warnings []string,
	err error) {
	sequence, warnings, err := r.Items(ctx, topic)
	if err != nil {
		return nil, warnings, r.withTopics(ctx, err)
	}

	var assessed []pipeline.Assessed
	for it, err := range sequence {
		if err != nil {
			return nil, warnings, err
		}
		items = append(items, it)

		one := pipeline.Assessed{Record: *it.Record}
		if it.Assessment != nil {
			one.Assessment = *it.Assessment
		}
		assessed = append(assessed, one)
	}

	of, unread, err := pipeline.Readers(r.App.Readings).On(topic, r.view().Record)
	if err != nil {
		return nil, warnings, err
	}
	pipeline.ApplyReadings(assessed, of)

	for i := range items {
		items[i].Assessment = &assessed[i].Assessment
	}
	slices.SortStableFunc(items, func(a, b evidence.Item) int {
		if promising && a.Assessment.Learned != nil && b.Assessment.Learned != nil {
			return cmp.Compare(b.Assessment.Learned.Chance, a.Assessment.Learned.Chance)
		}
		return cmp.Compare(b.Assessment.Score, a.Assessment.Score)
	})
	return items, append(warnings, unread...), nil
}

// withTopics adds the existing topics to the error on an unknown one.
func (r *Reader) withTopics(ctx context.Context, err error) error {
	topics, _, listErr := r.Topics(ctx)
	if listErr != nil || len(topics) == 0 {
		return err
	}
	return notFound("%w; there are %s", err, firstOf(text.Each(topics, func(t render.Topic) string { return t.ID })))
}

// maxNamed is how many valid names an error lists.
const maxNamed = 20

func firstOf(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Mark stores a reader's mark on a record of a topic; m.Record is the record's id or any identifier. Only an existing
// conflict can be settled. The error states what is wrong, with valid values.
func (r *Reader) Mark(ctx context.Context, m marks.Mark) (*evidence.Record, error) {
	items, _, err := r.Found(ctx, m.Topic, false)
	if err != nil {
		return nil, err
	}

	at := slices.IndexFunc(items, func(it evidence.Item) bool { return isNamed(it.Record, m.Record) })
	if at < 0 {
		return nil, notFound("%.200q is no record of the topic %s; its best are %s; `query marks %s --all` lists all",
			m.Record, m.Topic, firstOf(text.Each(items, func(it evidence.Item) string { return it.Record.ID })), m.Topic)
	}

	record := items[at].Record
	if m.Settles && !items[at].Assessment.Reading.InConflict() {
		return nil, &marks.InvalidError{Reason: fmt.Sprintf("there is nothing to settle on %s: %d readers have to decide, "+
			"and to differ; `query marks %s --verdict conflict` lists where they do", record.ID, r.App.Config.Marks.Readers,
			m.Topic)}
	}
	m.Record, m.Content, m.At = record.ID, record.ContentHash(), r.App.Now()
	return record, r.App.Marks().Add(m)
}

func isNamed(r *evidence.Record, name string) bool {
	id, err := evidence.ParseIdentifier(name)
	return r.ID == name || err == nil && slices.Contains(r.Identifiers, id)
}

// ScreeningFormats are the formats of Screening.
var ScreeningFormats = []string{"ris", "csv"}

// Screening writes records with readers' decisions: as RIS, which Covidence, Rayyan and reference managers read, or as
// the CSV that Rayyan reads.
func Screening(w io.Writer, items []evidence.Item, format string) error {
	note := func(it evidence.Item) string { return render.ScreeningNote(it.Assessment.Reading) }
	if format == "csv" {
		return render.ScreeningCSV(w, items, note)
	}
	return cite.Write(w, cite.FormatRIS, func(yield func(cite.Ref, error) bool) {
		for _, it := range items {
			if !yield(cite.Ref{Record: it.Record, Assessment: it.Assessment, Note: note(it)}, nil) {
				return
			}
		}
	})
}

// MarkedOptions select the marks to show.
type MarkedOptions struct {
	Reader  string // the reader whose own decisions come first
	Verdict string // only records with that verdict, or "open"; empty: all
	All     bool   // also unmarked records
}

// Marked returns a topic's records with readers' decisions.
func (r *Reader) Marked(ctx context.Context, topic string, o MarkedOptions) (*render.Marks, []string, error) {
	known := o.Verdict == "" || o.Verdict == render.VerdictOpen ||
		slices.Contains(evidence.Verdicts, evidence.Verdict(o.Verdict))
	if !known {
		return nil, nil, command.Usagef("--verdict: %.40q is none; choose kept, excluded, conflict or open", o.Verdict)
	}

	items, warnings, err := r.Found(ctx, topic, false)
	if err != nil {
		return nil, warnings, err
	}

	sheet, _, err := r.Sheet(topic)
	if err != nil {
		return nil, warnings, err
	}

	generation, err := r.Generation()
	if err != nil {
		return nil, warnings, err
	}

	out := &render.Marks{Topic: topic, Generation: generation, Needed: r.App.Config.Marks.Readers, Readers: sheet.Readers}
	for _, it := range items {
		id := it.Record.ID

		m := render.Marked{Item: it, Decided: len(sheet.Decisions(id))}
		if own := sheet.Decided(id, o.Reader); own.Decision != marks.Undecided {
			m.Own = string(own.Decision)
			if own.Reason != "" {
				m.Own += ": " + text.Join(", ", string(own.Reason), own.Note)
			}
		}

		if o.Verdict != "" && m.Verdict() != o.Verdict || !o.All && len(sheet.Standing(id)) == 0 {
			continue
		}
		out.Records = append(out.Records, m)
	}
	return out, warnings, nil
}
