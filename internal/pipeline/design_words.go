package pipeline

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	edge     = "|" // of a sentence, a heading or the title
	number   = "#"
	anyWords = "~"
	maxWords = 3 // that ~ stands for
)

// cuePhrase is one of a cue's, by words.
type cuePhrase struct {
	cue   int // index in designCues
	words []string
}

// phrasesByStart finds the phrases that can begin at a word, by startOf of their first word. It is made when it is
// first asked for.
var phrasesByStart = sync.OnceValue(func() map[string][]cuePhrase {
	index := map[string][]cuePhrase{}
	for i, c := range designCues {
		for text := range strings.SplitSeq(c.phrases, ";") {
			words := strings.Fields(text)
			start := startOf(strings.TrimSuffix(words[0], "*"))
			index[start] = append(index[start], cuePhrase{i, words})
		}
	}
	return index
})

// startOf is the part of a word by which phrases are found, short enough for the shortest beginning that a cue names.
func startOf(word string) string { return word[:min(len(word), 3)] }

// cuesIn lists the cues that the words hold, as indices of designCues, each once and in order.
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
	}
	slices.Sort(found)
	return found
}

// holdsAny says whether one of the phrases is among the words.
func holdsAny(words []string, phrases string) bool {
	for text := range strings.SplitSeq(phrases, ";") {
		phrase := strings.Fields(text)
		for i := range words {
			if matches(phrase, words[i:]) {
				return true
			}
		}
	}
	return false
}

// matches says whether words begin with the phrase.
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
	if want == number {
		return isNumber(word)
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

// nonJoined makes one word of "non-randomised", which is not "randomised".
var nonJoined = strings.NewReplacer("non-", "non")

// wordsAndEdges gives a text's words in lower case, with an edge at both ends and wherever a sentence or a heading
// ends.
func wordsAndEdges(text string) []string {
	words := []string{edge}
	var word strings.Builder
	end := func(mark string) {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
		if mark != "" && words[len(words)-1] != mark {
			words = append(words, mark)
		}
	}
	runes := []rune(nonJoined.Replace(strings.ToLower(text)))
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word.WriteRune(r)
		case strings.ContainsRune(".:;?!\n", r) && (i+1 == len(runes) || !unicode.IsDigit(runes[i+1])):
			end(edge)
		default:
			end("")
		}
	}
	end(edge)
	return words
}
