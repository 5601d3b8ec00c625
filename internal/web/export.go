package web

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/reader"
)

// exportFormat is a format in which records can be downloaded.
type exportFormat struct{ name, shown, ending, kind string }

func exportFormats() []exportFormat {
	return []exportFormat{
		{"ris", "RIS", "ris", "application/x-research-info-systems"},
		{"bibtex", "BibTeX", "bib", "application/x-bibtex"},
		{"csl-json", "CSL-JSON", "csl.json", "application/vnd.citationstyles.csl+json"},
		{"nbib", "NBIB", "nbib", "application/nbib"},
		{"csv", "CSV", "csv", "text/csv; charset=utf-8"},
	}
}

// export sends records in the format that the address names, as a file. It is complete before anything is sent, so
// that no failure leaves half a file.
func (q *request) export(name, topic string, items iter.Seq2[evidence.Item, error]) error {
	at := slices.IndexFunc(exportFormats(), func(f exportFormat) bool { return f.name == q.r.PathValue("format") })
	if at < 0 {
		return noFormat(q)
	}
	f := exportFormats()[at]

	var b bytes.Buffer
	if err := reader.Export(&b, items, topic, q.number, f.name); err != nil {
		return err
	}
	return q.download(name+"."+f.ending, f.kind, b.Bytes())
}

func noFormat(q *request) error {
	return &problem{http.StatusNotFound, "There is no such format",
		fmt.Sprintf("%.40q is not written here; go back, and choose one that is named.", q.r.PathValue("format"))}
}

// topicExport writes all records that a topic found, each with its judgement.
func (s *Server) topicExport(q *request) error {
	topic := q.r.PathValue("topic")
	if err := q.requireTopic(topic); err != nil {
		return err
	}

	items, _, err := q.stored.Items(q.ctx, topic)
	if err != nil {
		return err
	}
	return q.export(topic, topic, items)
}
