package opensearch

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/fulltext/fields"
)

// textSchema increases with every change of the mapping that older programs can't read.
const textSchema = 1

// The fields that this package adds to those of package fields.
const (
	idField      = "id"     // a record's id, which orders and names hits
	rankedField  = "ranked" // the stems that plain words are compared with
	foldedSuffix = "_folded"
	firstSuffix  = "_first" // of dates: the first and the last day that is meant, YYYYMMDD
	lastSuffix   = "_last"
)

// name is a field's name on the cluster, where a dot would make it an object.
func name(field string) string { return strings.ReplaceAll(field, ".", "_") }

// placed are the fields of words with their places.
var placed = []string{fields.TitleWords, fields.AbstractWords, fields.KeywordWords, fields.CatalogueWords,
	fields.SubstanceWords, fields.NameWords, fields.AffiliationWords, fields.MethodsWords, fields.ResultsWords,
	fields.TableWords, fields.OtherBodyWords}

// filtered are the fields that filters compare ignoring case.
var filtered = []string{fields.Kind, fields.Bucket, fields.Design, fields.Source, fields.Type, fields.Language,
	fields.Journal, fields.JournalLong, fields.Status, fields.Phase, fields.Country, fields.Retracted, fields.Preprint,
	fields.HasAbstract}

// ordered are the fields that hits are sorted by.
var ordered = []string{idField, fields.Date, fields.Cited}

// wordsAnalyser splits at white space. OpenSearch's own would split a word of more than 255 characters, but shorten
// leaves none.
const wordsAnalyser = "whitespace"

func definition() Definition {
	words := func(more map[string]any) map[string]any {
		field := map[string]any{"type": "text", "analyzer": wordsAnalyser, "norms": false}
		maps.Copy(field, more)
		return field
	}
	value := func(counted bool) map[string]any {
		return map[string]any{"type": "keyword", "doc_values": counted}
	}

	properties := map[string]any{
		rankedField: words(map[string]any{"index_options": "freqs", "norms": true}),
	}
	for _, field := range placed {
		properties[name(field)] = words(map[string]any{"index_options": "positions",
			"position_increment_gap": fields.Gap})
	}

	for field := range exactPassages() {
		properties[name(field)] = value(false)
	}

	for _, field := range filtered {
		properties[name(field)+foldedSuffix] = value(false)
	}

	for _, field := range slices.Concat(slices.Collect(maps.Values(fields.Facets)), ordered) {
		properties[name(field)] = value(true)
	}

	for _, field := range fields.Dates {
		properties[name(field)+firstSuffix] = map[string]any{"type": "integer", "doc_values": false}
		properties[name(field)+lastSuffix] = map[string]any{"type": "integer", "doc_values": false}
	}
	return Definition{
		Settings: map[string]any{
			"refresh_interval":                     "-1", // Search and Refresh refresh on demand
			"merge.policy.expunge_deletes_allowed": "0",  // Merge leaves nothing that affects scores
		},
		Mappings: map[string]any{
			"dynamic": "strict", "_source": map[string]any{"enabled": false}, "properties": properties,
			"_meta": metadata{Schema: textSchema},
		},
	}
}

// exactPassages are the fields of whole passages.
func exactPassages() map[string]bool {
	out := map[string]bool{}
	for _, names := range fields.Exact {
		for _, field := range names {
			if !slices.Contains(placed, field) {
				out[field] = true
			}
		}
	}
	return out
}
