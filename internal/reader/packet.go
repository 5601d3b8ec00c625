package reader

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"dossier/internal/command"
	"dossier/internal/document"
	"dossier/internal/report"
	"dossier/internal/store"
	"dossier/internal/text"
)

// PacketFormats are the formats of a packet; PDF is printed from HTML by an installed browser.
var PacketFormats = []string{"html", "docx", "markdown", "pdf"}

// Tag is a board's name, a meeting's week or another tag of topics.
type Tag struct {
	Name   string
	Topics int
}

// Tags returns the tags of the topics that the reader may see, in order of name.
func (r *Reader) Tags() ([]Tag, error) {
	if r.Store == nil {
		return nil, r.Missing
	}

	topics, err := r.Store.Topics()
	if err != nil {
		return nil, err
	}

	var tags []Tag
	for _, t := range topics {
		if !t.ListedFor(r.App.User) {
			continue
		}

		for _, name := range t.Tags {
			at, ok := slices.BinarySearchFunc(tags, name, func(t Tag, name string) int {
				return strings.Compare(t.Name, name)
			})
			if !ok {
				tags = slices.Insert(tags, at, Tag{Name: name})
			}
			tags[at].Topics++
		}
	}
	return tags, nil
}

// Tagged returns the ids of the topics that have all of the tags, in any case, in order of id. Where there is none, the
// error lists the existing tags.
func (r *Reader) Tagged(tags ...string) (ids []string, err error) {
	known, err := r.Tags()
	if err != nil {
		return nil, err
	}

	topics, err := r.Store.Topics()
	if err != nil {
		return nil, err
	}

	for _, t := range topics {
		hasAll := t.ListedFor(r.App.User)
		for _, tag := range tags {
			hasAll = hasAll && slices.ContainsFunc(t.Tags, func(own string) bool { return strings.EqualFold(own, tag) })
		}

		if hasAll {
			ids = append(ids, t.ID)
		}
	}

	switch {
	case len(ids) > 0:
		return ids, nil
	case len(known) == 0:
		return nil, command.Usagef("no topic of the store has a tag; name a topic file, or give topics tags in theirs")
	}
	asked := text.Line(strings.Join(tags, ", "))
	return nil, command.Usagef("no topic has the tags %s; there are %s", asked, tagList(known))
}

func tagList(known []Tag) string {
	const most = 30

	names := text.Each(known[:min(len(known), most)], func(t Tag) string { return text.Line(t.Name) })
	if len(known) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// Packet builds the report on each topic, so many concurrently, and joins them. A topic without a report states why.
// done receives the basis of each report.
func (r *Reports) Packet(
	ctx context.Context, topics []string, atOnce int, done func(store.Reported) error,
) (*report.Packet, error) {
	p := &report.Packet{Program: command.Version, Say: r.say, Template: r.template,
		Cases: make([]report.IndexEntry, len(topics))}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)

	for i, topic := range topics {
		group.Go(func() error {
			made, of, err := r.build(ctx, topic, true)
			if ctx.Err() != nil {
				return ctx.Err() // not a topic's failure
			}

			if err != nil {
				p.Cases[i] = report.IndexEntry{Topic: topic, Failed: err.Error()}
			} else {
				p.Cases[i] = report.IndexEntry{Topic: topic, Question: made.Question, Report: made}
			}
			return done(of)
		})
	}
	return p, group.Wait()
}

// PacketIn renders a packet in one of PacketFormats.
func PacketIn(ctx context.Context, packet *report.Packet, format string) ([]byte, error) {
	laid, err := packet.Laid()
	if err != nil {
		return nil, err
	}

	if format == "pdf" {
		return pdfOf(ctx, laid)
	}
	return renderAs(laid, format)
}

// renderAs renders a document in one of the formats of reports.
func renderAs(laid document.Document, format string) ([]byte, error) {
	at := slices.IndexFunc(report.Formats(), func(f report.Format) bool { return f.Name == format })
	var written bytes.Buffer
	err := report.Formats()[at].Lay(laid, &written)
	return written.Bytes(), err
}
