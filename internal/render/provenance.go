package render

import (
	_ "embed"
	"slices"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

//go:embed provenance.tsv
var provenanceTable string

// provenanceOf returns, by a record's JSON key, the sources of its value.
func provenanceOf(r *evidence.Record) map[string][]string {
	out := map[string][]string{}
	for cells := range plaintext.Rows(provenanceTable) {
		if from, key := r.Provenance[cells[0]], cells[1]; from != "" && key != "" {
			out[key] = strings.Split(from, ",")
		}
	}
	return out
}

// provenanceText lists the sources of the fields: "title, abstract: pubmed; citations: openalex".
func provenanceText(r *evidence.Record) string {
	fields := map[string][]string{}

	var sources []string
	for cells := range plaintext.Rows(provenanceTable) {
		from := strings.ReplaceAll(plaintext.Line(r.Provenance[cells[0]]), ",", " and ")
		if from == "" {
			continue
		}

		if !slices.Contains(sources, from) {
			sources = append(sources, from)
		}
		fields[from] = append(fields[from], cells[2])
	}

	if len(sources) == 1 {
		return "everything: " + sources[0]
	}
	return strings.Join(plaintext.Each(sources, func(from string) string {
		return strings.Join(fields[from], ", ") + ": " + from
	}), "; ")
}
