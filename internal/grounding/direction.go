package grounding

import (
	"strings"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// reach is how far from a word of direction its negation may stand, in bytes.
const reach = 90

// turn is a word of direction in a sentence.
type turn struct {
	plaintext.Span
	axis    string
	up      bool   // improved, longer; false for worse, shorter
	negated bool   // "did not improve"
	next    string // the first content word behind it
	about   map[string]bool
}

var turnAxes = []struct {
	axis string
	up   bool
}{{"better", true}, {"better", false}, {"amount", true}, {"amount", false}, {"significant", true}, {"associated", true},
	{"endpoint", true}, {"active", true}, {"frequent", true}, {"frequent", false}}

// turnsIn finds the words of direction in a sentence.
func turnsIn(sentence string) []turn {
	var out []turn

	scope := 0 // a negation reaches to the next word of direction; "significantly" goes with whichever is near
	for _, m := range forms("turn").FindAllStringSubmatchIndex(sentence, -1) {
		for i, axis := range turnAxes {
			if m[2*i+2] < 0 {
				continue
			}

			before := sentence[max(0, m[0]-reach):m[0]]
			if axis.axis != "significant" {
				before, scope = sentence[max(scope, m[0]-reach):m[0]], m[1]
			}
			last := len(out) - 1
			isOfLast := last >= 0 && out[last].axis == "associated" && forms("with").MatchString(sentence[out[last].End:m[0]])
			out = append(out, turn{
				Span: plaintext.Span{Start: m[0], End: m[1]}, axis: axis.axis, up: axis.up,
				negated: forms("negation").MatchString(before) || isOfLast && out[last].negated, // "not associated with more"
				next:    firstTelling(results.BehindNumber(sentence, m[1])), about: around(sentence, m[0], m[1]),
			})
		}
	}
	return out
}

func firstTelling(s string) string {
	for _, w := range plaintext.Tokens(s) {
		if !plaintext.StopWords(w) && w != "significantly" {
			return w
		}
	}
	return ""
}

// around returns the content words near a word of direction: six before and six behind.
func around(sentence string, start, end int) map[string]bool {
	before := plaintext.Tokens(sentence[max(0, start-reach):start])
	after := plaintext.Tokens(results.BehindNumber(sentence, end))
	near := append([]string{}, before[max(0, len(before)-6):]...)
	near = append(near, after[:min(6, len(after))]...)

	out := map[string]bool{}
	for _, w := range near {
		if !plaintext.StopWords(w) && len(w) > 2 && strings.Trim(w, "0123456789") != "" {
			out[w] = true
		}
	}
	return out
}

// markDirections marks a statement that contradicts the record's sentence with the same number: only one of them has a
// "not", or they use opposite words followed by the same thing. All sentences of the cited records with that number
// have to contradict it.
func markDirections(text string, sources []*Source) []Mark {
	var out []Mark
	for _, s := range plaintext.SentenceSpans(text) {
		sentence := s.In(text)

		told := results.Quantities(sentence)
		for _, t := range turnsIn(sentence) {
			if reversed(t, told, sources) {
				out = append(out, newMark(MarkDirection, text, plaintext.Span{Start: s.Start + t.Start, End: s.Start + t.End},
					"the cited record says the opposite with the same number"))
			}
		}
	}
	return out
}

func reversed(t turn, told []results.Quantity, sources []*Source) bool {
	opposite := false
	for _, s := range sources {
		for _, sentence := range s.compared() {
			if len(sentence.turns) == 0 || !shareResult(told, sentence.quantities) {
				continue
			}

			for _, r := range sentence.turns {
				if r.axis != t.axis || !shared(r.about, t.about) {
					continue
				}

				if !contrary(t, r) {
					return false
				}
				opposite = true
			}
		}
	}
	return opposite
}

// contrary compares two words on one axis. "Longer with A than B" and "shorter with B than A" mean the same, so
// opposite words count only where the same word follows both.
func contrary(a, b turn) bool {
	if a.up == b.up {
		return a.negated != b.negated
	}
	return a.negated == b.negated && a.next == b.next
}

// shareResult reports whether two sentences share a number that is a result.
func shareResult(a, b []results.Quantity) bool {
	for _, p := range a {
		for _, q := range b {
			if tells(p) && tells(q) && results.BornOut(p, q) {
				return true
			}
		}
	}
	return false
}

// tells reports whether a number may identify a result, unlike those that many sentences share.
func tells(q results.Quantity) bool {
	switch q.Measure {
	case results.ConfidenceLevel, results.Calendar, results.Phase, results.Stage, results.Grade, results.NoMeasure,
		results.Things:
		return false
	}
	return !q.Spelled
}
