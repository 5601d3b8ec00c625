package pipeline

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

//go:embed cues.txt
var cueTable string

// cue is a group of phrases that tell the same, and what they weigh for a design, in the title and in the abstract (or
// as a heading); cueTable's head says how phrases are written.
type cue struct {
	design          evidence.Design
	inTitle, inText float64
	phrases         string
}

type cueTables struct {
	study, titles, headings []cue
	done                    string // phrases for what was done
}

// cues reads the table when it is first asked for.
var cues = sync.OnceValue(func() (t cueTables) {
	lists := map[string]*[]cue{"cue": &t.study, "title": &t.titles, "heading": &t.headings}
	for name, phrases := range plaintext.Entries(cueTable) {
		kind, rest, _ := strings.Cut(name, " ")
		if kind == "done" {
			t.done = phrases
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
		*lists[kind] = append(*lists[kind], cue{evidence.Design(fields[0]), weights[0], weights[1], phrases})
	}
	return t
})

const (
	edge     = "|" // of a sentence, a heading or the title
	number   = "#"
	anyWords = "~"
	maxWords = 3 // that ~ stands for
)

// cuePhrase is one of a cue's, by words.
type cuePhrase struct {
	cue   int // index in cueTables.study
	words []string
}

// phrasesByStart finds the phrases that can begin at a word, by startOf of their first word. It is made when it is
// first asked for.
var phrasesByStart = sync.OnceValue(func() map[string][]cuePhrase {
	index := map[string][]cuePhrase{}
	for i, c := range cues().study {
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

// cuesIn lists the cues that the words hold, as indices of cueTables.study, each once and in order.
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
