package lexicon

import (
	"strings"
)

// inflectedWord returns a word in the form that lists use, or unchanged.
func inflectedWord(word string) string {
	if len(word) < len("usata") || strings.IndexByte("aeis", word[len(word)-1]) < 0 {
		return word
	}

	for _, e := range romanceEndings() {
		if stem, ok := strings.CutSuffix(word, e[0]); ok {
			return stem + e[1]
		}
	}
	return word
}

// singulars returns the possible singulars of a plural.
func singulars(key string) []string {
	n := len(key)
	switch {
	case n < 4 || key[n-1] != 's' || key[n-2] == 's':
		return nil
	case strings.HasSuffix(key, "ies"):
		return []string{key[:n-3] + "y", key[:n-1]}
	case strings.HasSuffix(key, "es"):
		return []string{key[:n-1], key[:n-2] + "is", key[:n-2]}
	}
	return []string{key[:n-1]}
}

// singulars returns none for a short word in "-is", as Greek words have it, in a text with capitals: "axis" is no
// plural of a short form.
func (r *reader) singulars(t *token) []string {
	if !r.small && len(t.raw) < len("bases") && strings.HasSuffix(t.raw, "is") {
		return nil
	}
	return singulars(t.key)
}

// germanEndings are the endings of adjectives, and of plural nouns.
var germanEndings = []string{"", "e", "er", "es", "en", "em"}

// declensions returns the other forms of a word of a German question if it is an adjective, since a name and the
// question may have different ones: "bei akuter myeloischer Leukämie".
func (r *reader) declensions(key string) []string {
	const shortest = 6
	if !r.languages.has(german) || len(key) < shortest {
		return nil
	}

	stem := key
	for _, ending := range germanEndings[1:] {
		if cut, ok := strings.CutSuffix(key, ending); ok {
			stem = cut
		}
	}

	if stem == key {
		return nil
	}

	out := make([]string, 0, len(germanEndings))
	for _, ending := range germanEndings {
		if stem+ending != key {
			out = append(out, stem+ending)
		}
	}
	return out
}
