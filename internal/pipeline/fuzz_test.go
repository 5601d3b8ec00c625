package pipeline

import (
	"strings"
	"testing"

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
		unspaced := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if sentences := text.Sentences(line); unspaced(strings.Join(sentences, "")) != unspaced(line) {
			t.Errorf("%q became %q", raw, sentences)
		}
		findings := keyFindings([]evidence.Section{{Text: raw}})
		if len(findings) > maxKeyFindings || !strings.Contains(unspaced(line), unspaced(findings)) {
			t.Errorf("findings %q are not of %q", findings, raw)
		}
	})
}
