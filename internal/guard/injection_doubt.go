package guard

import (
	"slices"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// WithoutDoubtful replaces by InjectionLeftOut every sentence that may address a model, with adjoining fragments, and
// reports whether there was one. Such a sentence proves nothing, and one honest abstract in twenty has one: it is a
// reason to ask for the model's judgement of the rest.
func WithoutDoubtful(passage string) (kept string, found bool) {
	all := weighed(passage)

	goes, whole, strange := make([]bool, len(all)), 0, 0
	for i := range all {
		whole += one(isWhole(all[i].words))
		strange += one(isStrange(all[i].words))
	}

	for i := range all {
		// where many are, the paper is in another language
		goes[i] = all[i].speaks || all[i].hints || isStrange(all[i].words) && 2*strange <= whole ||
			doubtful(all[i].words)
	}

	for i := range all {
		beside := i > 0 && goes[i-1] || i+1 < len(all) && goes[i+1]
		all[i].speaks = goes[i] || beside && !isWhole(all[i].words) && !hasASCIIFigure(all[i].words)
	}
	return without(passage, all)
}

// isStrange reports whether a sentence is not English prose: it has none of the words that every such sentence needs,
// and no figure, since findings may be fragments.
func isStrange(words string) bool {
	return isWhole(words) && !hasASCIIFigure(words) && !slices.ContainsFunc(text.Tokens(words), text.StopWords)
}

func isWhole(words string) bool {
	const fewest = 5 // words
	return len(strings.Fields(words)) >= fewest
}

func hasASCIIFigure(words string) bool { return strings.ContainsAny(words, "0123456789") }

// doubtful reports whether a sentence does what no finding does: it addresses someone, prescribes a judgement, names a
// full mark, judges other papers, or is no prose that a reader of the paper could read.
func doubtful(words string) bool {
	if unreadable(words) || OnOthers(words) {
		return true
	}

	s := clause(tokens(normalForm(words), nil))
	for i := range s {
		marked := (s.isFull(i) || s.is(i, signTop)) && s.find(i-4, i+5, signGrade) >= 0
		ordered := s.is(i, signGrading) && s.orderedAt(i) && (s.thisPaper(i-6, i+10) || s.fullMark(i+1, i+5, false))
		end, named := s.modelAt(i)
		instructed := named && (s.find(end+1, end+10, signPolite|signMust|signYou) >= 0 ||
			s.find(i-5, i, signYou|signHail|signGreeting) >= 0)

		spoken := s.is(i, signYou) && len(s[i].text) > 1 // and not a letter of an abbreviation
		if spoken || marked || ordered || instructed {
			return true
		}
	}
	return false
}

// encoded is a run of letters and figures as encoded bytes have it; field is the name of a field of JSON, or the
// beginning of a comment in markup.
var (
	encoded = text.LazyRegexp(`[A-Za-z0-9+/]{20,}`)
	field   = text.LazyRegexp(`\{\s*"|"\s*:\s*["{\[0-9]|<!--`)
)

// unreadable reports whether a sentence is encoded, or data, or hides letters, or is in another script than Latin and
// Greek.
func unreadable(words string) bool {
	letters, others := 0, 0
	for _, r := range words {
		if hides(r) {
			return true
		}

		if unicode.IsLetter(r) {
			letters++
			others += one(!unicode.Is(unicode.Latin, r) && !unicode.Is(unicode.Greek, r))
		}
	}
	const fewest = 8 // letters: a name, or a unit, is no sentence
	return others >= fewest && 2*others > letters || field().MatchString(words) ||
		slices.ContainsFunc(encoded().FindAllString(words, -1), mixed)
}

// hides reports whether a character is not seen and has no use in print, as that between syllables has.
func hides(r rune) bool {
	const softHyphen = '\u00ad'
	return r > unicode.MaxLatin1 && text.Invisible(r) && r != softHyphen
}

// mixed reports whether a run goes to and fro between capitals, small letters and figures, or is longer than any number
// with letters, as no word and no name is.
func mixed(run string) bool {
	const most, longest = 8, 32

	turns, before := 0, 0
	for _, r := range run {
		kind := 1 + one(unicode.IsUpper(r)) + 2*one(unicode.IsDigit(r))
		turns += one(before != 0 && kind != before)
		before = kind
	}
	return turns > most || turns > 0 && len(run) >= longest && hasASCIIFigure(run)
}
