package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// CitationFormats are the formats of reference managers.
func CitationFormats() []string {
	return text.Each(cite.Formats, func(f cite.Format) string { return string(f) })
}

// ExportFormats are all formats of Export.
func ExportFormats() []string {
	return slices.Concat([]string{"jsonl", "json", "markdown", "csv"}, CitationFormats())
}

// Items returns the records of the store, or of a topic: of a waiting live answer where the store has no answer to it.
// The first error ends a sequence.
func (r *Reader) Items(
	ctx context.Context, topic string,
) (items iter.Seq2[evidence.Item, error], warnings []string, err error) {
	missing := r.Missing
	if err := r.damaged(); err != nil || topic == "" && missing != nil {
		return nil, nil, missing
	}

	if topic == "" {
		entries, warnings := Waiting(ctx, r.App.Config.Data)

		ids := text.Each(entries, func(e store.InboxEntry) string { return e.Answer.Topic.ID })
		if len(ids) > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"not in this export are %s that wait for the indexer's next run (%s); --topic exports one",
				text.Plural(len(ids), "live answer"), strings.Join(ids, ", ")))
		}
		return allItems(ctx, r.Store), warnings, nil
	}

	if r.Store != nil {
		answer, ok, err := r.Store.Answer(topic)
		if err != nil {
			return nil, nil, err
		}

		if ok {
			return topicItems(ctx, r.Store, &answer), nil, nil
		}
		missing = notFound("topic %.200q: not in the store; `query topics` lists those that are", topic)
	}

	if !evidence.IsLiveTopic(topic) {
		return nil, nil, missing
	}

	asker, err := r.Asker()
	if err != nil {
		return nil, nil, err
	}

	live, warnings, ok, err := asker.LiveItems(ctx, topic)
	if err == nil && !ok {
		err = missing
	}
	return Sequence(live), warnings, err
}

// Sequence converts a list to Export's input.
func Sequence(items []evidence.Item) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	}
}

func allItems(ctx context.Context, reader *store.Reader) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for record, err := range reader.Records(ctx) {
			if !yield(evidence.Item{Record: &record}, err) || err != nil {
				return
			}
		}
	}
}

func topicItems(ctx context.Context, reader *store.Reader, answer *evidence.Answer) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for i := range answer.Assessments {
			id := answer.Assessments[i].Record

			record, ok, err := reader.Record(id)
			if err == nil && !ok {
				err = fmt.Errorf("record %.200q: not in the store", id)
			}

			err = errors.Join(ctx.Err(), err)
			if !yield(evidence.Item{Record: &record, Assessment: &answer.Assessments[i]}, err) || err != nil {
				return
			}
		}
	}
}

// Export writes records in one of ExportFormats, one by one, so that a large store needs no more memory than a small
// one. Topic and generation are included where the format has a place for them.
func Export(
	w io.Writer, items iter.Seq2[evidence.Item, error], topic string, generation int, format string,
) error {
	if slices.Contains(CitationFormats(), format) {
		return Citations(w, format, items)
	}

	switch format {
	case "csv":
		return exportCSV(w, items)
	case "json":
		return exportJSON(w, items, topic, generation)
	case "markdown":
		return exportEach(items, func(it evidence.Item) error {
			if err := render.RecordMarkdown(w, it); err != nil {
				return err
			}
			_, err := fmt.Fprintln(w)
			return err
		})
	}
	return exportEach(items, func(it evidence.Item) error { return render.JSONLine(w, it) })
}

func exportEach(items iter.Seq2[evidence.Item, error], write func(evidence.Item) error) error {
	for it, err := range items {
		if err != nil {
			return err
		}

		if err := write(it); err != nil {
			return err
		}
	}
	return nil
}

func exportCSV(w io.Writer, items iter.Seq2[evidence.Item, error]) error {
	rows, err := render.NewRecordsCSV(w)
	if err != nil {
		return err
	}

	if err := exportEach(items, func(it evidence.Item) error { return rows.Write("", it) }); err != nil {
		return err
	}
	return rows.Flush()
}

func exportJSON(w io.Writer, items iter.Seq2[evidence.Item, error], topic string, generation int) error {
	name, err := json.Marshal(topic)
	if err != nil {
		return err
	}

	if _, err := fmt.Fprintf(w,
		"{\n\"schema\": %q,\n\"command\": \"export\",\n\"generation\": %d,\n\"topic\": %s,\n\"records\": [", render.Schema,
		generation, name); err != nil {
		return err
	}
	separator := "\n"

	err = exportEach(items, func(it evidence.Item) error {
		if _, err := io.WriteString(w, separator); err != nil {
			return err
		}
		separator = ","
		return render.JSONLine(w, it)
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "]\n}\n")
	return err
}

// Citations writes records in one of CitationFormats, each with its judgement in the notes.
func Citations(w io.Writer, format string, items iter.Seq2[evidence.Item, error]) error {
	return cite.Write(w, cite.Format(format), func(yield func(cite.Ref, error) bool) {
		for it, err := range items {
			if !yield(cite.Ref{Record: it.Record, Assessment: it.Assessment, Note: it.Live.String()}, err) {
				return
			}
		}
	})
}
