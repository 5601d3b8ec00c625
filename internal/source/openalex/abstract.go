package openalex

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"dossier/internal/source"
)

// Bounds of an inverted index. The longest real abstracts have a few thousand words.
const (
	maxWords    = 50_000
	maxPosition = 1_000_000
)

type placed struct {
	at   int
	word string
}

// uninverted puts an abstract's words back in their order. Positions may have holes, and may begin above 0. What is no
// index is no abstract. Older dumps wrap the index in an object of two: {"IndexLength": n, "InvertedIndex": {…}}.
func uninverted(raw json.RawMessage) string {
	var index map[string]json.RawMessage
	if json.Unmarshal(raw, &index) != nil {
		return ""
	}

	if inner, ok := index["InvertedIndex"]; ok && strings.HasPrefix(string(inner), "{") {
		return uninverted(inner)
	}

	var words []placed
	for word, raw := range index {
		var positions source.List[int]
		if positions.UnmarshalJSON(raw) != nil {
			continue
		}

		for _, at := range positions {
			if at >= 0 && at <= maxPosition {
				words = append(words, placed{at, word})
			}
		}
	}
	slices.SortFunc(words, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.word, b.word))
	})

	var text strings.Builder
	for _, w := range words[:min(len(words), maxWords)] {
		text.WriteString(w.word)
		text.WriteByte(' ')
	}
	return text.String()
}
