package lexicon

import (
	"strings"
	"sync"
	"unicode/utf8"

	"dossier/internal/text"
)

// languages are the languages that a question may be in, of the six with Latin letters, without English.
type languages uint8

const (
	german languages = 1 << iota
	french
	spanish
	italian
	portuguese
)

const romance = french | spanish | italian | portuguese

// within reports whether the language is known to be one of some.
func (l languages) within(some languages) bool { return l != 0 && l&^some == 0 }

func (l languages) has(any languages) bool { return l&any != 0 }

// languageNames maps the languages' names in tables.
var languageNames = map[string]languages{"German": german, "French": french, "Spanish": spanish, "Italian": italian,
	"Portuguese": portuguese, "Romance": romance}

// tellingWords are words of grammar and of wards, by the languages that have them and no others.
var tellingWords = sync.OnceValue(func() map[string]languages {
	all := map[string]languages{}
	for word, in := range wordMap("tellingWords")() {
		for name := range strings.FieldsSeq(in) {
			all[word] |= languageNames[name]
		}
	}
	return all
})

// longestTelling is the length of the longest of tellingWords.
const longestTelling = len("patientinnen")

// languagesOf returns the languages that a question may be in: by the words that one language alone has, else by the
// common languages of the others; none if its words do not decide.
func languagesOf(question string, tokens []token) languages {
	var sure languages
	common := german | romance

	for i := range tokens {
		in := languagesOfWord(question, tokens, i)
		switch {
		case in == 0:
		case in&(in-1) == 0:
			sure |= in
		default:
			common &= in
		}
	}

	for _, t := range tokens { // names of people have accents in any language
		if t.raw[0] < utf8.RuneSelf && !hasUpper(t.raw[:1]) && !text.IsASCII(t.raw) {
			common &= languagesOfAccents(t.raw)
		}
	}

	if !text.IsASCII(question) {
		if strings.ContainsAny(question, "ãõÃÕ") {
			sure |= portuguese
		}

		if strings.ContainsAny(question, "¿ñ") {
			sure |= spanish
		}
	}

	switch {
	case sure != 0:
		return sure
	case common == german|romance:
		return 0
	}
	return common
}

// languagesOfWord returns the languages that have the word at token i, or its ending.
func languagesOfWord(question string, tokens []token, i int) languages {
	t := tokens[i]
	if len(t.raw) > longestTelling {
		return languagesOfEnding(t.raw, t.key)
	}

	word := t.raw
	if hasUpper(word) {
		word = strings.ToLower(word)
	}

	behind := question[t.end:]
	switch {
	case word == "od" && strings.HasPrefix(behind, ". ") && i > 0 && tokens[i-1].key != "mg":
		word = "od." // oder, and no daily dose
	case len(word) <= 2 && i+1 < len(tokens) && question[t.end:tokens[i+1].start] == ".":
		word = strings.ToLower(question[t.start:tokens[i+1].end]) // "Z.n."
	case word == "et" && strings.HasPrefix(behind, " al"):
		return 0
	}

	telling := tellingWords()
	if strings.HasSuffix(question[:t.start], "-") && hasUpper(t.raw[:1]) && hasLower(t.raw) {
		if in := telling["-"+word]; in != 0 {
			return in // "Klatskin-Tumor", "Mamma-Ca"
		}
	}

	if in := telling[word]; in != 0 {
		return in
	}
	return languagesOfEnding(t.raw, t.key)
}

// tellingEndings are endings of words that one language alone has, folded.
var tellingEndings = []struct {
	in      languages
	letters []string
}{
	{german, []string{"ung", "ungen", "ektomie", "karzinom", "karzinoms", "tumoren", "isch", "ische", "ischen", "ischer",
		"ischem", "lich", "liche", "lichen", "keit", "filiae", "lymphom", "leukamie", "myelom", "pflichtig"}},
	{french, []string{"ectomie", "cinome", "sarcome", "blastome", "lanome", "phome", "yelome", "ique", "iques", "euse",
		"eux", "aire", "aires"}},
	{spanish, []string{"cion", "sion", "ciones"}},
	{italian, []string{"zione", "zioni"}},
}

// shortestWithEnding is how many letters a word must have for its ending to count.
const shortestWithEnding = 7

// languagesOfEnding returns the languages that a word may be of by its ending, if it is not an English word.
func languagesOfEnding(raw, key string) languages {
	if len(key) < shortestWithEnding {
		return 0
	}

	for _, e := range tellingEndings {
		for _, letters := range e.letters {
			if strings.HasSuffix(key, letters) && !isEnglishWord(key) {
				return e.in
			}
		}
	}

	if strings.Contains(raw, "é") && strings.HasSuffix(key, "e") { // "sévère", "opérée"
		return french
	}
	return 0
}

// accents maps letters that only some of the languages have to these.
var accents = map[rune]languages{'ä': german, 'ö': german, 'ü': german | spanish, 'ß': german, 'é': romance,
	'á': spanish | portuguese, 'í': spanish | portuguese, 'ó': spanish | portuguese, 'ú': spanish | portuguese,
	'è': french | italian, 'ê': french | portuguese, 'ô': french | portuguese, 'ç': french | portuguese, 'œ': french,
	'î': french, 'û': french, 'ò': italian, 'ì': italian, 'ª': spanish | italian | portuguese}

// languagesOfAccents returns the languages that a word may be of by its accents.
func languagesOfAccents(word string) languages {
	all := german | romance
	for _, c := range word {
		if in, ok := accents[c]; ok {
			all &= in
		}
	}
	return all
}

// IsGerman reports whether a word of the text is a German one.
func IsGerman(words string) bool { return languagesOf(words, tokenize(words)).has(german) }
