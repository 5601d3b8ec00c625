package guard

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
	signSetAside  sign = 1 << iota // an order to take no notice
	signDropped                    // its participle, for "must be ignored"
	signObey                       // what "do not" revokes
	signGrading                    // an order to grade, or to answer
	signAsNoun                     // such an order that is more often a noun: it counts with its object right behind it
	signGraded                     // a participle or infinitive for "must be graded", and what a paper gets
	signGets                       // what other papers get, in the present
	signBare                       // an infinitive that ends a German order, or a duty
	signMust                       // a duty
	signYou                        // the addressee
	signFormal                     // the same, and they, she: only behind "if"
	signBeing                      // behind "you"
	signPolite                     // please, now, instead
	signAnd                        // joins two orders
	signFiller                     // between a duty and its verb
	signEarlier                    // which instructions
	signOrders                     // instructions
	signRules                      // rules
	signStandards                  // criteria and guidance, of which guidelines speak too
	signModel                      // a language model by a name of its own
	signMachine                    // makes a model of the role beside it: automated, artificial
	signRole                       // reviewer, assistant, system
	signHail                       // note, attention
	signGreeting                   // dear, hello: titles of papers on chatbots play with them
	signToward                     // to, for
	signWhoReads                   // who reads, that screens
	signWhether                    // if, as
	signThis                       // this, our
	signThe                        // the definite article
	signPaper                      // what is graded
	signOther                      // the other ones
	signGrade                      // score, points
	signFull                       // a full mark in figures, or in one word
	signTop                        // the highest, of a grade
	signVerdict                    // relevant, a guideline
	signNought                     // no mark
	signUnfit                      // irrelevant
	signPraise                     // what a bribed referee writes
	signInside                     // makes "in this study" of "this study"
	signScale                      // what has figures of its own
	signOutOf                      // between two figures of a mark
	signNot                        // turns what is to be heeded
)

// signTable has the words of each sign.
//
//go:embed injection_words.txt
var signTable string

// longestWord bounds the words that a run of letters or Chinese characters is parted into, in bytes.
const longestWord = 18

// signsByWord is the signs of each word, read when it is first asked for.
var signsByWord = sync.OnceValue(func() map[string]sign {
	signs := map[string]sign{
		"setAside": signSetAside, "dropped": signDropped, "heed": signObey, "grading": signGrading, "asNoun": signAsNoun,
		"graded": signGraded, "gets": signGets, "bare": signBare, "must": signMust, "you": signYou, "formal": signFormal,
		"being": signBeing, "polite": signPolite, "and": signAnd, "filler": signFiller, "earlier": signEarlier,
		"orders": signOrders, "rules": signRules, "standards": signStandards, "model": signModel, "machine": signMachine,
		"role": signRole, "hail": signHail, "greeting": signGreeting, "toward": signToward, "whoReads": signWhoReads,
		"whether": signWhether, "this": signThis, "the": signThe, "paper": signPaper, "other": signOther,
		"grade": signGrade, "full": signFull, "top": signTop, "verdict": signVerdict, "nought": signNought,
		"unfit": signUnfit, "praise": signPraise, "inside": signInside, "scale": signScale, "outOf": signOutOf,
		"not": signNot,
	}

	words := map[string]sign{}
	for name, list := range text.Entries(signTable) {
		if signs[name] == 0 {
			panic("injection_words.txt has words of " + name + ", which is no sign")
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
	return signsByWord()[word]
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
