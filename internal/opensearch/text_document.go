package opensearch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// The longest values that are indexed unchanged, in bytes: a word, a whole value, a document's name. OpenSearch's
// limits are 255 characters, 32,766 bytes and 512 bytes.
const (
	maxWord  = 200
	maxValue = 8000
	maxName  = 500
)

// shorten returns s or, if it is longer than most, its beginning, a character that no word contains, and a hash of all
// of it.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return shortenedHead(s, most) + hex.EncodeToString(sum[:])
}

// shortenedHead is the beginning of shorten(s, most) if s is longer than most.
func shortenedHead(s string, most int) string { return text.Head(s, most-1-2*sha256.Size) + "#" }

// newDocument is the JSON of what is indexed of a record.
func newDocument(id string, r *evidence.Record) ([]byte, error) {
	out := map[string]any{idField: id}
	var ranked []string

	passages := exactPassages()
	for _, field := range fields.Of(r) {
		if len(field.Words) == 0 {
			continue
		}

		weight := slices.Index(fields.Ranked[:], field.Name)
		if weight >= 0 {
			ranked = append(ranked, stems(field.Words, weights[weight])...)
		}

		switch field.Form {
		case fields.PlacedText:
			out[name(field.Name)] = texts(field)
		case fields.Passages:
			if passages[field.Name] {
				out[name(field.Name)] = shortenAll(field.Words)
			}
		case fields.Values:
			addValues(out, field)
		case fields.Text: // only plain words are searched in it
		}
	}
	out[rankedField] = strings.Join(ranked, " ")

	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("record %q: %w", id, err)
	}
	return raw, nil
}

func shortenAll(values []string) []string {
	return text.Each(values, func(value string) string { return shorten(value, maxValue) })
}

// addValues adds a field of whole values, and the forms that filters and ranges compare.
func addValues(out map[string]any, field fields.Field) {
	if field.Name == fields.MeSH || slices.Contains(slices.Collect(maps.Values(fields.Facets)), field.Name) ||
		slices.Contains(ordered, field.Name) {
		out[name(field.Name)] = shortenAll(field.Words)
	}

	if slices.Contains(filtered, field.Name) {
		out[name(field.Name)+foldedSuffix] = shortenAll(text.Each(field.Words, fold))
	}

	for _, dates := range fields.Dates {
		if dates != field.Name {
			continue
		}

		if first, last := boolean.DateBounds(evidence.Date(field.Words[0])); last > 0 {
			out[name(dates)+firstSuffix], out[name(dates)+lastSuffix] = first, last
		}
	}
}

// fold maps all strings that strings.EqualFold considers equal to one spelling.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, s)
}

// texts are the values of a field of words, each as its words joined by spaces: OpenSearch puts fields.Gap between
// values.
func texts(field fields.Field) []string {
	var out []string

	from := 0
	for i := range field.Words {
		if i+1 < len(field.Words) && field.Places[i+1] == field.Places[i]+1 {
			continue
		}
		out = append(out, fields.PassageOf(text.Each(field.Words[from:i+1], shortenWord)))
		from = i + 1
	}
	return out
}

func shortenWord(word string) string { return shorten(word, maxWord) }

// stems returns the stems of words, repeated the given number of times.
func stems(words []string, times int) []string {
	var out []string
	for _, word := range words {
		if stem, ok := fulltext.Stem(word); ok {
			out = append(out, shortenWord(stem))
		}
	}
	return slices.Repeat(out, times)
}
