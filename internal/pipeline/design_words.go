package pipeline

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

//go:embed cues.txt
var cueTable string

// cue is a group of equivalent phrases with their weights for a design, in the title and in the abstract (or as a
// heading); cueTable's head documents the syntax of phrases.
type cue struct {
	design          evidence.Design
	inTitle, inText float64
	phrases         []string
	words           [][]string // each of phrases', apart
}

type cueTables struct {
	study, titles, headings []cue
	done                    [][]string // the words of each phrase for work that was done
}

// cues reads the table at its first use.
var cues = sync.OnceValue(func() (t cueTables) {
	lists := map[string]*[]cue{"cue": &t.study, "title": &t.titles, "heading": &t.headings}
	for name, listed := range plaintext.Entries(cueTable) {
		phrases := plaintext.Each(strings.Split(listed, ";"), strings.TrimSpace)
		words := plaintext.Each(phrases, strings.Fields)

		kind, rest, _ := strings.Cut(name, " ")
		if kind == "done" {
			t.done = words
			continue
		}
		fields := append(strings.Split(rest, ", "), "0", "0") // titles have no weights

		var weights [2]float64
		for i := range weights {
			var err error
			if weights[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				panic("cues.txt has no weight in " + name)
			}
		}
		*lists[kind] = append(*lists[kind], cue{evidence.Design(fields[0]), weights[0], weights[1], phrases, words})
	}
	return t
})

const (
	edge     = "|" // of a sentence, a heading or the title
	number   = "#"
	few      = "%"
	anyWords = "~"
	maxWords = 3  // that ~ stands for
	maxFew   = 20 // that % stands for: more patients are a study, not a series of cases
)

// cuePhrase is one phrase of a cue, as words.
type cuePhrase struct {
	cue   int // index in cueTables.study
	words []string
}

// phrasesByStart indexes the phrases that can begin at a word, by startOf of their first word. It is built at its first
// use.
var phrasesByStart = sync.OnceValue(func() map[string][]cuePhrase {
	index := map[string][]cuePhrase{}
	for i, c := range cues().study {
		for _, words := range c.words {
			start := startOf(strings.TrimSuffix(words[0], "*"))
			index[start] = append(index[start], cuePhrase{i, words})
		}
	}
	return index
})

// startOf is the part of a word that indexes phrases, as short as the shortest beginning of a cue.
func startOf(word string) string { return word[:min(len(word), 3)] }

// cuesIn lists the cues among the words, as indices of cueTables.study, each once and in order.
func cuesIn(words []string) []int {
	index := phrasesByStart()
	var found []int

	look := func(at int, starts string) {
		for _, p := range index[starts] {
			if !slices.Contains(found, p.cue) && matches(p.words, words[at:]) {
				found = append(found, p.cue)
			}
		}
	}
	for i, w := range words {
		look(i, startOf(w))

		if isNumber(w) {
			look(i, number)
		}

		if isFew(w) {
			look(i, few)
		}
	}
	slices.Sort(found)
	return found
}

// holdsAny reports whether one of the phrases, each given by its words, is among the words.
func holdsAny(words []string, phrases [][]string) bool {
	for _, phrase := range phrases {
		for i := range words {
			if matches(phrase, words[i:]) {
				return true
			}
		}
	}
	return false
}

// matches reports whether words begin with the phrase.
func matches(phrase, words []string) bool {
	for i, want := range phrase {
		if want == anyWords {
			return matchesAfterGap(phrase[i+1:], words)
		}

		if len(words) == 0 || !matchesWord(want, words[0]) {
			return false
		}
		words = words[1:]
	}
	return true
}

func matchesAfterGap(rest, words []string) bool {
	for skipped := 0; ; skipped++ {
		if matches(rest, words) {
			return true
		}

		if skipped == maxWords || len(words) == 0 || words[0] == edge {
			return false
		}
		words = words[1:]
	}
}

func matchesWord(want, word string) bool {
	switch want {
	case number:
		return isNumber(word)
	case few:
		return isFew(word)
	}

	if start, open := strings.CutSuffix(want, "*"); open {
		return strings.HasPrefix(word, start)
	}
	return want == word
}

var numberWords = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

func isNumber(word string) bool {
	digits := word[0] >= '0' && word[0] <= '9' && !strings.ContainsFunc(word, unicode.IsLetter)
	return digits || slices.Contains(numberWords, word)
}

// isFew reports whether a word is a small number: "012" is not, but the end of "1,012".
func isFew(word string) bool {
	if slices.Contains(numberWords, word) {
		return true
	}
	n, err := strconv.Atoi(word)
	return err == nil && n <= maxFew && word[0] != '0'
}

// nonJoined makes one word of "non-randomised", which is not "randomised".
var nonJoined = strings.NewReplacer("non-", "non")

// wordsAndEdges returns a text's words in lower case, with an edge at both ends and wherever a sentence or a heading
// ends.
func wordsAndEdges(text string) []string {
	text = nonJoined.Replace(strings.ToLower(text))
	words := append(make([]string, 0, len(text)/5+2), edge)

	start := -1 // of the current word
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if start < 0 {
				start = i
			}
			continue
		}

		if start >= 0 {
			words, start = append(words, text[start:i]), -1
		}

		if endsPhrase(text[i:]) && words[len(words)-1] != edge {
			words = append(words, edge)
		}
	}

	if start >= 0 {
		words = append(words, text[start:])
	}

	if words[len(words)-1] != edge {
		words = append(words, edge)
	}
	return words
}

// endsPhrase reports whether a sentence or a heading ends where text begins; inside "3.5" none does.
func endsPhrase(text string) bool {
	if strings.IndexByte(".:;?!\n", text[0]) < 0 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[1:])
	return !unicode.IsDigit(next)
}
