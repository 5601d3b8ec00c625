package pipeline

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Cutting into sentences loses, adds and reorders no word, whatever an abstract holds.
func FuzzSentences(f *testing.F) {
	for _, seed := range []string{
		"", "One. Two.", "HR 0.5 (95% CI 0.3-0.7) vs. 0.9. In conclusion, yes.", "e.g. this", "Ende.Über", ". . .", "\xff. A",
		"a.\nB",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		line := text.Line(raw)
		var words []string
		for _, s := range text.Sentences(line) {
			words = append(words, strings.Fields(s)...)
		}
		if !slices.Equal(words, strings.Fields(line)) {
			t.Errorf("%q became %q", raw, words)
		}
		findings := keyFindings([]evidence.Section{{Text: raw}})
		if len(findings) > maxKeyFindings || !strings.Contains(line, findings) {
			t.Errorf("findings %q are not of %q", findings, raw)
		}
	})
}

// A text holds every phrase that is made of its own neighbouring words, and reading it never fails.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"KRAS p.G12C-mutant tumours", "HER-2/neu", "結直腸癌 KRAS", "\xff\xfe", "p", "ς Σ ß"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		words := wordsOf(raw)
		for i := range words {
			if words[i] == "" || !utf8.ValidString(raw) {
				continue
			}
			end := min(i+3, len(words))
			if !containsPhrase(words, strings.Join(words[i:end], ""), false) {
				t.Errorf("%q does not hold its words %q", raw, words[i:end])
			}
		}
	})
}
