package grounding

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// ownWords is how many words a record must have alone for a part of a statement to rest on it.
const ownWords = 2

// markMixed marks a clause that takes its parts from several records, none of which has them all.
func markMixed(text string, sources []*Source) []Mark {
	if len(sources) < 2 {
		return nil
	}

	var out []Mark
	for _, span := range plaintext.SentenceSpans(text) {
		start := span.Start
		for _, m := range append(forms("segment").FindAllStringIndex(span.In(text), -1), []int{span.End - span.Start, 0}) {
			at := plaintext.Span{Start: start, End: span.Start + m[0]}
			start = at.End

			words := results.TellingWords(at.In(text))
			maps.DeleteFunc(words, func(w string, _ bool) bool {
				return strings.Trim(w, "0123456789") == ""
			})

			if isMixed(words, sources) {
				out = append(out, newMark(MarkClaim, text, at, "no single cited record has all of this"))
			}
		}
	}
	return out
}

// isMixed reports whether two records each have several of the words that the other lacks.
func isMixed(words map[string]bool, sources []*Source) bool {
	own := func(a, b *Source) (n int) {
		for w := range words {
			if a.has(w) && !b.has(w) {
				n++
			}
		}
		return n
	}

	for i, a := range sources {
		for _, b := range sources[:i] {
			if own(a, b) >= ownWords && own(b, a) >= ownWords {
				return true
			}
		}
	}
	return false
}

// markKinds marks a kind of disease that no cited record names, where they name the disease. Kinds of tumours are for
// the dictionary to read.
func markKinds(text string, sources []*Source) []Mark {
	var out []Mark

	isKnown := func(w string) bool {
		return slices.ContainsFunc(sources, func(s *Source) bool {
			return strings.Contains(s.stems(), stemmed(w)) || strings.Contains(s.allTokens(), " "+w+" ")
		})
	}
	for _, m := range forms("kind of disease").FindAllStringSubmatchIndex(text, -1) {
		if !isKnown(text[m[4]:m[5]]) {
			continue
		}

		for _, w := range slices.Backward(plaintext.Words(text[m[2]:m[3]])) {
			if plaintext.StopWords(w.Text) || forms("no kind").MatchString(w.Text) || len(results.Quantities(w.Text)) > 0 {
				break
			}

			if !isKnown(w.Text) {
				at := plaintext.Span{Start: m[2] + w.Start, End: m[2] + w.End}
				out = append(out, newMark(MarkSetting, text, at, "no cited record names this kind of it"))
				break
			}
		}
	}
	return out
}
