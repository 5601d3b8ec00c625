package injection

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// sign is what a word can be a sign of; a word can be one of several things.
type sign uint64

const (
	setAside  sign = 1 << iota // an order to take no notice
	dropped                    // its participle, for "must be ignored"
	obey                       // what "do not" revokes
	grading                    // an order to grade, or to answer
	asNoun                     // such an order that is more often a noun: it counts with its object right behind it
	graded                     // a participle or infinitive for "must be graded", and what a paper gets
	gets                       // what other papers get, in the present
	bare                       // an infinitive that ends a German order, or a duty
	must                       // a duty
	you                        // the addressee
	formal                     // the same, and they, she: only behind "if"
	being                      // behind "you"
	polite                     // please, now, instead
	and                        // joins two orders
	filler                     // between a duty and its verb
	earlier                    // which instructions
	orders                     // instructions
	rules                      // rules
	standards                  // criteria and guidance, of which guidelines speak too
	model                      // a language model by a name of its own
	machine                    // makes a model of the role beside it: automated, artificial
	role                       // reviewer, assistant, system
	hail                       // note, attention
	greeting                   // dear, hello: titles of papers on chatbots play with them
	toward                     // to, for
	whoReads                   // who reads, that screens
	whether                    // if, as
	this                       // this, our
	the                        // the definite article
	paper                      // what is graded
	other                      // the other ones
	grade                      // score, points
	full                       // a full mark in figures, or in one word
	top                        // the highest, of a grade
	verdict                    // relevant, a guideline
	nought                     // no mark
	unfit                      // irrelevant
	praise                     // what a bribed referee writes
	inside                     // makes "in this study" of "this study"
	scale                      // what has figures of its own
	outOf                      // between two figures of a mark
	not                        // turns what is to be heeded
)

// wordTable has the words of each sign.
//
//go:embed words.txt
var wordTable string

// longestWord bounds the words that a run of letters or Chinese characters is parted into, in bytes.
const longestWord = 18

// vocabulary is the signs of each word, read when it is first asked for.
var vocabulary = sync.OnceValue(func() map[string]sign {
	signs := map[string]sign{
		"setAside": setAside, "dropped": dropped, "heed": obey, "grading": grading, "asNoun": asNoun,
		"graded": graded, "gets": gets, "bare": bare, "must": must, "you": you, "formal": formal,
		"being": being, "polite": polite, "and": and, "filler": filler, "earlier": earlier, "orders": orders,
		"rules": rules, "standards": standards, "model": model, "machine": machine, "role": role, "hail": hail,
		"greeting": greeting, "toward": toward, "whoReads": whoReads, "whether": whether, "this": this,
		"the": the, "paper": paper, "other": other, "grade": grade, "full": full, "top": top,
		"verdict": verdict, "nought": nought, "unfit": unfit, "praise": praise, "inside": inside,
		"scale": scale, "outOf": outOf, "not": not,
	}

	words := map[string]sign{}
	for name, list := range text.Entries(wordTable) {
		if signs[name] == 0 {
			panic("words.txt has words of " + name + ", which is no sign")
		}

		for word := range strings.FieldsSeq(list) {
			words[word] |= signs[name]
		}
	}
	return words
})

func signsOf(word string) sign {
	if len(word) > longestWord {
		return 0
	}
	return vocabulary()[word]
}

// hanWord is the longest word of the lexicon that a text in Chinese characters begins with, else its first character.
func hanWord(text string) string {
	best := 0
	for i, r := range text {
		if i >= longestWord || !unicode.Is(unicode.Han, r) {
			break
		}

		end := i + utf8.RuneLen(r)
		if best == 0 || signsOf(text[:end]) != 0 {
			best = end
		}
	}
	return text[:best]
}
