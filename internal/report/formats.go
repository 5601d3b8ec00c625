package report

import (
	"encoding/json"
	"fmt"
	"io"

	"dossier/internal/document"
)

// Format is a form of a report, with the endings of its files; the first ending is the usual one.
type Format struct {
	Name    string // as users ask for it
	Shown   string
	Endings []string
	InIndex bool // it is written, and linked from the index, when reports on all topics are made
	// Lay writes a document; nil for JSON, which is for programs and has no pages.
	Lay func(document.Document, io.Writer) error
}

// Formats are all formats.
func Formats() []Format {
	return []Format{
		{"html", "HTML", []string{".html", ".htm"}, true, document.Document.HTML},
		{"docx", "Word", []string{".docx"}, true, document.Document.DOCX},
		{"markdown", "Markdown", []string{".md", ".markdown"}, false, document.Document.Markdown},
		{"json", "JSON", []string{".json"}, true, nil},
	}
}

// Write writes a report whole.
func (f Format) Write(r *Report, w io.Writer) error {
	if f.Lay == nil {
		return r.JSON(w)
	}

	laid, err := r.Laid()
	if err != nil {
		return err
	}
	return f.Lay(laid, w)
}

// JSON writes the report as one object, which docs/REPORT.md describes.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")

	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report on %q as JSON: %w", r.Topic, err)
	}
	return nil
}
