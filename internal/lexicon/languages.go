package lexicon

import (
	"strings"
	"sync"
	"unicode/utf8"

	"dossier/internal/text"
)

// languages are those of the six with Latin letters that a question may be in, English aside.
type languages uint8

const (
	german languages = 1 << iota
	french
	spanish
	italian
	portuguese
)

const romance = french | spanish | italian | portuguese

// within reports whether what is known of the language is that it is one of some.
func (l languages) within(some languages) bool { return l != 0 && l&^some == 0 }

func (l languages) has(any languages) bool { return l&any != 0 }

// languageNames are how tables call the languages.
var languageNames = map[string]languages{"German": german, "French": french, "Spanish": spanish, "Italian": italian,
	"Portuguese": portuguese, "Romance": romance}

// tellingWords are words of grammar and of wards, by the languages that have them and no others.
var tellingWords = sync.OnceValue(func() map[string]languages {
	all := map[string]languages{}
	for _, t := range []struct {
		in    languages
		words string
	}{
		{german, `bei beim mit nach der und oder ohne für fur von vom wirkt wirken hilft ist im zur zum eine einer mein
			meine wird kann soll patienten patientin patientinnen od. z.n pat wg bzw ggf unter seit statt jetzt noch
			kein keine trotz zyklen filiae rezidiv resektion leber lunge`},
		{french, `chez avec après apres sous pour du des une puis déjà atcd ttt échec rechute ligne avant chimio sein
			poumon foie muté mutée métas`},
		{spanish, `tras ya el las sin tto línea recibió pulmón hígado metástasis`},
		{italian, `dopo già pz nel nella della trattamento dal alla cicli mammella ovaio polmone fegato`},
		{portuguese, `com em após pós anos câncer já fez uma não`},
		{spanish | portuguese, `por pcte mama recaída idoso`},
		{spanish | italian, `con`},
		{spanish | italian | portuguese, `o`},
		{french | portuguese, `ou`},
	} {
		for word := range strings.FieldsSeq(t.words) {
			all[word] = t.in
		}
	}
	return all
})

// longestTelling is the length of the longest of them.
const longestTelling = len("patientinnen")

// languagesOf tells what language a question is in, by the words that one language alone has, else by what those of
// several have in common; none where its words tell nothing.
func languagesOf(question string, tokens []token) languages {
	var sure languages
	common := german | romance

	telling := tellingWords()
	for i, t := range tokens {
		if len(t.raw) > longestTelling {
			continue
		}

		word := t.raw
		if hasUpper(word) {
			word = strings.ToLower(word)
		}

		if word == "od" && strings.HasPrefix(question[t.end:], ". ") && i > 0 && tokens[i-1].key != "mg" {
			word = "od." // oder, and no daily dose
		}

		in := telling[word]
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

	if strings.ContainsAny(question, "ãõÃÕ") {
		sure |= portuguese
	}

	if strings.ContainsAny(question, "¿ñ") {
		sure |= spanish
	}

	switch {
	case sure != 0:
		return sure
	case common == german|romance:
		return 0
	}
	return common
}

// accents are the letters that some of the languages have and the others not.
var accents = map[rune]languages{'ä': german, 'ö': german, 'ü': german | spanish, 'ß': german, 'é': romance,
	'á': spanish | portuguese, 'í': spanish | portuguese, 'ó': spanish | portuguese, 'ú': spanish | portuguese,
	'è': french | italian, 'ê': french | portuguese, 'ô': french | portuguese, 'ç': french | portuguese, 'œ': french,
	'î': french, 'û': french, 'ò': italian, 'ì': italian, 'ª': spanish | italian | portuguese}

// languagesOfAccents are the languages that a word may be of by its accents.
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
