package fulltext

import (
	"context"
	"math"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"dossier/internal/boolean"
	"dossier/internal/fulltext/fields"
	"dossier/internal/text"
)

// forms are the words with a plain word's stem in each of the ranked fields. The index stores words and no stems, so
// that it stores a text once; the words of one stem have a common prefix, and are adjacent in a field's list of words.
type forms [len(fields.Ranked)][]string

// forms finds the words of a stem. It excludes stop words, whatever their stem: "aed" is cut to "a".
func (s *snapshot) forms(ctx context.Context, stemmed string) (found forms, err error) {
	for i, field := range s.ranked {
		if s.older || isOwnStem(stemmed) {
			found[i] = []string{stemmed}
			continue
		}

		if err := ctx.Err(); err != nil {
			return found, err
		}

		if irregular := irregularForms[stemmed]; irregular != "" {
			found[i] = append(found[i], irregular)
		}

		for word := range s.terms(field, formsPrefix(stemmed)) {
			if len(word) <= longestForm(stemmed) && !boolean.IsStopWord(word) && s.stem(word) == stemmed {
				found[i] = append(found[i], word)
			}
		}
	}
	return found, nil
}

// isOwnStem reports whether a stem is only its own word's: one with digits, which are not stemmed, and a single
// consonant, as in T cells, since an ending is cut off only after a vowel.
func isOwnStem(stemmed string) bool {
	return strings.ContainsAny(stemmed, "0123456789") || len(stemmed) == 1 && !strings.ContainsAny(stemmed, "aeiouys")
}

// longestForm bounds the length of a stem's words, in bytes: very many words begin with a stem of one or two letters,
// and no longer ending is cut off.
func longestForm(stemmed string) int {
	if len(stemmed) <= 2 {
		return len(stemmed) + len("fulnessinglys")
	}
	return math.MaxInt
}

// formsPrefix is the common prefix of a stem's words, except irregularForms. The algorithm cuts letters off; letters
// that it replaces (hoping to hope, study to studi, visibility to visibl) are the stem's last.
func formsPrefix(stemmed string) string {
	if len(stemmed) <= 2 {
		return stemmed
	}

	for _, ending := range []string{"ble", "bl", "e", "i", "y"} {
		if prefix, ok := strings.CutSuffix(stemmed, ending); ok {
			return prefix + strings.TrimRight(ending, "leiy")
		}
	}
	return stemmed
}

// irregularForms are the words listed by the algorithm that do not begin like their stem.
var irregularForms = map[string]string{"die": "dying", "lie": "lying", "tie": "tying"}

// stem is the function stem, cached for the snapshot, since fields share most of their words.
func (s *snapshot) stem(word string) string {
	stemmed, known := s.stems[word]
	if !known {
		stemmed = text.Stem(word)
		s.stems[word] = stemmed
	}
	return stemmed
}

// countAny is the number of documents whose field holds any of terms; 0 if that is no more than enough.
func (s *snapshot) countAny(ctx context.Context, field string, terms []string, enough int) (int, error) {
	most, holding := 0, terms[:0:0]
	for _, term := range terms {
		if n := s.count(field, term); n > 0 {
			most += n
			holding = append(holding, term)
		}
	}

	switch {
	case most <= enough:
		return 0, nil
	case len(holding) == 1:
		return most, nil
	}

	having := roaring.New()
	for _, term := range holding {
		if err := s.addDocsWith(ctx, having, field, term); err != nil {
			return 0, err
		}
	}
	return int(having.GetCardinality()), nil
}
