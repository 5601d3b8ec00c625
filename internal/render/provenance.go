package render

import (
	"slices"
	"strings"

	"dossier/internal/evidence"

	plaintext "dossier/internal/text"
)

// provenanceFields are the fields of a record whose source is told: as the store names them, in JSON (empty where JSON
// has no such field), and in words, in the order in which people are told.
var provenanceFields = []struct{ field, key, words string }{
	{"title", "title", "title"},
	{"vernacular_title", "", "title in its own language"},
	{"abstract", "abstract", "abstract"},
	{"other_abstracts", "", "other abstracts"},
	{"publication_types", "publication_types", "types"},
	{"retraction", "retraction", "retraction status"},
	{"authors", "authors", "authors"},
	{"journal", "journal", "journal"},
	{"date", "date", "date"},
	{"languages", "languages", "languages"},
	{"mesh", "mesh", "MeSH"},
	{"substances", "", "substances"},
	{"keywords", "keywords", "keywords"},
	{"trial", "trial", "trial"},
	{"identifiers", "identifiers", "identifiers"},
	{"links", "family", "family"},
	{"cited_by", "cited_by", "citations"},
	{"full_text", "full_text", "full text"},
}

// provenanceOf gives, by a record's JSON key, the sources that its value is from.
func provenanceOf(r *evidence.Record) map[string][]string {
	out := map[string][]string{}
	for _, f := range provenanceFields {
		if from := r.Provenance[f.field]; from != "" && f.key != "" {
			out[f.key] = strings.Split(from, ",")
		}
	}
	return out
}

// provenanceText says in words which source gave what: "title, abstract: pubmed; citations: openalex".
func provenanceText(r *evidence.Record) string {
	fields := map[string][]string{}
	var sources []string
	for _, f := range provenanceFields {
		from := strings.ReplaceAll(plaintext.Line(r.Provenance[f.field]), ",", " and ")
		if from == "" {
			continue
		}
		if !slices.Contains(sources, from) {
			sources = append(sources, from)
		}
		fields[from] = append(fields[from], f.words)
	}
	if len(sources) == 1 {
		return "everything: " + sources[0]
	}
	parts := make([]string, len(sources))
	for i, from := range sources {
		parts[i] = strings.Join(fields[from], ", ") + ": " + from
	}
	return strings.Join(parts, "; ")
}

// imported says whether a source is an imported file, whose word a reader may want to weigh.
func imported(source string) bool { return strings.HasPrefix(source, "import:") }
