package guard

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/text"
)

// maxPassage bounds a passage, in bytes.
const maxPassage = 200

// InjectionLeftOut stands in a text where WithoutInjection has taken a passage out. It is a sentence, so that what
// stood before the passage and what stood behind it do not come together.
const InjectionLeftOut = "[Left out here: words that are not for a reader.]"

// FindInjection gives the first passage of a text that speaks to a model that reads it: the sentence, as it stands but
// for what is not seen, in one line of at most 200 bytes. It is empty where the text has none. It takes time in
// proportion to the text.
func FindInjection(passage string) string {
	for _, s := range weighed(passage) {
		if s.speaks {
			seen := cmp.Or(text.Line(s.words), text.Line(normalForm(s.words))) // or all of it was hidden
			return text.Within(seen, maxPassage)
		}
	}
	return ""
}

// WithoutInjection is a text with InjectionLeftOut in the place of every passage that speaks to a model, and whether
// there was one. Of two sentences that do so only together, both go.
func WithoutInjection(passage string) (kept string, found bool) {
	return without(passage, weighed(passage))
}

// without is a text without those of its sentences that speak.
func without(passage string, all []sentence) (kept string, found bool) {
	if !slices.ContainsFunc(all, func(s sentence) bool { return s.speaks }) {
		return passage, false
	}
	goes := func(i int) bool {
		return i >= 0 && i < len(all) && (all[i].speaks || i+1 < len(all) && all[i+1].withBefore)
	}

	var b strings.Builder
	for i, s := range all {
		switch {
		case !goes(i):
			b.WriteString(s.words)
		case !goes(i - 1):
			b.WriteString(" " + InjectionLeftOut + " ")
		}
	}
	return strings.TrimSpace(b.String()), true
}

// sentence is a part of a text that was weighed.
type sentence struct {
	words      string
	speaks     bool // to a model, alone or together with the previous sentence
	withBefore bool // only together with it
	hints      bool // it has any weight
}

func weighed(passage string) []sentence {
	var all []sentence
	var before weight

	var room []cueToken
	for words := range cutSentences(strings.ToValidUTF8(passage, " ")) {
		w := weigh(words, &room)
		both := weight{max(w.address, before.address), max(w.setAside, before.setAside), max(w.grading, before.grading)}
		together := both.sum() >= minWeight && w.sum() > 0
		all = append(all, sentence{words: words, speaks: w.sum() >= minWeight || together,
			withBefore: together && w.sum() < minWeight, hints: w.sum() > 0})
		before = w
	}
	return all
}

func (w weight) sum() int { return w.address + w.setAside + w.grading }
