package grounding

import (
	"maps"
	"strings"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// comparison is what a sentence states without a figure about two sides: more or less of something in the first than in
// the second, or no difference.
type comparison struct {
	plaintext.Span // of the word of direction
	axis           string
	up, none       bool
	about          map[string]bool // what is compared
	sides          [2]map[string]bool
}

// mostAbout is how many content words before a word of direction state what is compared.
const mostAbout = 12

// comparisonsIn finds the comparisons of a sentence.
func comparisonsIn(sentence string, turns []turn) []comparison {
	var out []comparison
	for _, t := range turns {
		if t.axis != "better" && t.axis != "amount" && t.axis != "frequent" || t.negated {
			continue
		}

		c, ok := compared(sentence, t.Span)
		if !ok && len(out) > 0 {
			c, ok = out[len(out)-1].goesOn(sentence, t.Span)
		}

		if ok {
			c.axis, c.up = t.axis, t.up != forms("less").MatchString(sentence[:t.Start])
			if c.axis == "frequent" {
				c.axis = "amount" // "fewer patients had", "was less frequent"
			}
			out = append(out, c)
		}
	}

	for _, m := range forms("no difference").FindAllStringIndex(sentence, -1) {
		if c, ok := compared(sentence, plaintext.Span{Start: m[0], End: m[1]}); ok {
			c.none = true
			out = append(out, c)
		}
	}
	return out
}

// goesOn reads the comparison of a later clause without sides of its own; it takes those of the comparison before it:
// "fewer had A with X than with Y, but more had B".
func (c *comparison) goesOn(sentence string, at plaintext.Span) (next comparison, ok bool) {
	for _, clause := range results.Clauses(sentence) {
		if clause.Start > c.End && clause.Start <= at.Start && at.End <= clause.End {
			said := []byte(clause.In(sentence))
			clear(said[at.Start-clause.Start : at.End-clause.Start])
			about := map[string]bool{}

			isMark := func(r rune) bool { return strings.ContainsRune(",([)]\x00", r) }
			for _, part := range strings.FieldsFunc(string(said), isMark) {
				maps.Copy(about, wordsOf(part, 0))
			}
			return comparison{Span: at, about: about, sides: c.sides}, true
		}
	}
	return next, false
}

// compared reads the sides around the word of a comparison: "… in A than in B", "… between A and B". ok is false if a
// side has no word that the other lacks.
func compared(sentence string, at plaintext.Span) (c comparison, ok bool) {
	behind := sentence[at.End:]
	if i := strings.IndexAny(behind, ";:"); i >= 0 {
		behind = behind[:i]
	}
	between := forms("between two").FindStringSubmatchIndex(behind)
	beside := forms("beside another").FindStringIndex(behind)

	before := wordsOf(sentence[:at.Start], mostAbout)
	switch {
	case forms("above or below").MatchString(at.In(sentence) + behind):
		c.about = before
		c.sides = [2]map[string]bool{before, wordsOf(behind, 0)}
	case between != nil:
		c.about = before
		maps.Copy(c.about, wordsOf(behind[:between[0]], mostAbout))
		c.sides = [2]map[string]bool{wordsOf(behind[between[2]:between[3]], 0), wordsOf(behind[between[4]:between[5]], 0)}
	case beside != nil:
		c.about = before

		c.sides = [2]map[string]bool{wordsOf(behind[:beside[0]], 0), wordsOf(behind[beside[1]:], 0)}
		if len(c.sides[0]) == 0 {
			c.sides[0] = before
		}
	default:
		return c, false
	}
	c.Span = at
	maps.Copy(c.about, c.sides[0])
	c.sides = [2]map[string]bool{c.own(0), c.own(1)}
	return c, len(c.sides[0]) > 0 && len(c.sides[1]) > 0
}

// own are the words of a side that the other lacks.
func (c *comparison) own(side int) map[string]bool {
	out := map[string]bool{}
	for w := range c.sides[side] {
		if !c.sides[1-side][w] {
			out[w] = true
		}
	}
	return out
}

// wordsOf are the stems of a text's content words: the last few or, with 0, all up to the end of its clause.
func wordsOf(s string, last int) map[string]bool {
	if i := strings.IndexAny(s, ",(["); i >= 0 && last == 0 {
		s = s[:i]
	}

	var words []string
	for _, w := range plaintext.Tokens(s) {
		if !plaintext.StopWords(w) && !measured(w) && w != "significantly" && strings.Trim(w, "0123456789.") != "" {
			words = append(words, plaintext.Stem(w))
		}
	}

	if last > 0 {
		words = words[max(0, len(words)-last):]
	}

	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// markComparisons marks a comparison that the cited records state the other way round, or as no difference, unless one
// of them states it the same way.
func markComparisons(text string, sources []*Source) []Mark {
	var out []Mark
	for _, s := range plaintext.SentenceSpans(text) {
		sentence := s.In(text)
		for _, told := range comparisonsIn(sentence, turnsIn(sentence)) {
			if why := contradictedBy(&told, sentence, sources); why != "" {
				at := plaintext.Span{Start: s.Start + told.Start, End: s.Start + told.End}
				out = append(out, newMark(MarkResult, text, at, why))
			}
		}
	}
	return out
}

func contradictedBy(told *comparison, said string, sources []*Source) (why string) {
	for _, s := range sources {
		for _, sentence := range s.compared() {
			if isAtOtherTime(said, sentence.text) {
				continue
			}

			for _, c := range comparisonsIn(sentence.text, sentence.turns) {
				same := shared(told.sides[0], c.sides[0]) && shared(told.sides[1], c.sides[1])

				turned := shared(told.sides[0], c.sides[1]) && shared(told.sides[1], c.sides[0])
				if same == turned || !c.none && !told.none && c.axis != told.axis || !told.isOn(&c) {
					continue
				}

				switch {
				case c.none == told.none && (c.none || (c.up == told.up) == same):
					return ""
				case c.none:
					why = "the cited record tells no difference"
				case told.none:
					why = "the cited record tells a difference"
				default:
					why = "the cited record tells it the other way round"
				}
			}
		}
	}
	return why
}

// measured are words for the amount of a thing, which do not identify the thing.
var measured = plaintext.Set(`expression levels level protein rates rate frequency prevalence`)

// isOn reports whether other compares the same thing: it has all words of c that belong to neither side.
func (c *comparison) isOn(other *comparison) bool {
	found := false
	for w := range c.about {
		switch {
		case c.sides[0][w], c.sides[1][w]:
		case !other.about[w]:
			return false
		default:
			found = true
		}
	}
	return found
}
