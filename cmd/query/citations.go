package main

import (
	"io"
	"iter"
	"slices"
	"strings"

	"dossier/internal/answer"
	"dossier/internal/cite"
	"dossier/internal/evidence"
)

// citationFormats are what reference managers read.
var citationFormats = answer.Each(cite.Formats, func(f cite.Format) string { return string(f) })

// listFormats are what a command writes that gives records: for people, for programs, and for reference managers.
var listFormats = slices.Concat(formats, citationFormats)

// formatHelp is the text of a --format flag.
func formatHelp(names []string) string {
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// writeCitations writes records for a reference manager, each with its judgement in the notes.
func writeCitations(w io.Writer, format string, items iter.Seq2[evidence.Item, error]) error {
	return cite.Write(w, cite.Format(format), func(yield func(cite.Ref, error) bool) {
		for it, err := range items {
			if !yield(cite.Ref{Record: it.Record, Assessment: it.Assessment, Note: it.Live.String()}, err) {
				return
			}
		}
	})
}

func isCitationFormat(format string) bool { return slices.Contains(citationFormats, format) }

// sequence gives a list as the writers of long exports take it.
func sequence(items []evidence.Item) iter.Seq2[evidence.Item, error] {
	return func(yield func(evidence.Item, error) bool) {
		for _, it := range items {
			if !yield(it, nil) {
				return
			}
		}
	}
}
