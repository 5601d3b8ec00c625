package lexicon

import (
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

// cognates finds the dictionary's word for one that another language has from the same Greek or Latin: "cistectomía",
// "Zystektomie" and "cystectomy" differ in how the languages spell, and in endings. It is made when it is first asked.
type cognates struct {
	once  sync.Once
	words map[string]string // by the skeleton; empty where two words have the same
}

// shortestSkeleton is how many letters of a word must be left: shorter ones are like others by chance.
const shortestSkeleton = 6

// cognate is the dictionary's word that is spelled differently in another language; empty where there is none, or more
// than one.
func (l *Lexicon) cognate(raw string) string {
	l.cognates.once.Do(func() {
		l.cognates.words = map[string]string{}
		for _, word := range slices.Concat(l.vocabulary.words, l.addedVocabulary.words) {
			l.cognates.add(word)
		}
	})

	bones := skeleton(raw)
	if len(bones) < shortestSkeleton {
		return ""
	}
	return l.cognates.words[bones]
}

// isFiller reports whether a word would be dropped.
func (l *Lexicon) isFiller(word string) bool { return l.wordList(word).name() == wordsFillers }

func (c *cognates) add(word string) {
	bones := skeleton(word)

	known, ok := c.words[bones]
	switch {
	case len(bones) < shortestSkeleton:
	case !ok, known != "" && isEnglishWord(word) && !isEnglishWord(known):
		c.words[bones] = word
	case known != "" && isEnglishWord(word) == isEnglishWord(known) && isEnglishWord(word):
		c.words[bones] = "" // can't be told
	}
}

// skeleton is what the languages' spellings of a Greek or Latin word have in common, without its ending.
func skeleton(word string) string {
	s := strings.ToLower(word)
	s = latin.Replace(s)
	s = text.Fold(s)

	s = strings.ReplaceAll(greek.Replace(s), "tireo", "tiro")
	if len(s) > 2 && s[:2] == "es" && strings.IndexByte("pct", s[2]) >= 0 {
		s = s[1:] // Spanish and Portuguese begin no word with "sp", "sc" or "st"
	}

	for _, e := range endings {
		if stem, ok := strings.CutSuffix(s, e.from); ok {
			s = stem + e.to
			break
		}
	}
	s = strings.TrimRight(s, "aeios")

	var out []byte
	for i := range len(s) {
		if len(out) == 0 || out[len(out)-1] != s[i] {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// latin are the vowels and consonants that the languages write each in its way, before accents are folded.
var latin = strings.NewReplacer("ä", "e", "ö", "e", "ü", "i", "ae", "e", "oe", "e", "ção", "cion",
	"ções", "cion", "ñ", "n", "ß", "s")

// greek are the letters for the Greek ones.
var greek = strings.NewReplacer("ph", "f", "th", "t", "rh", "r", "ch", "c", "qu", "c", "k", "c", "z", "c", "y", "i",
	"j", "i", "h", "")

// endings are those of one meaning in several languages.
var endings = []struct{ from, to string }{
	{"ciones", "cion"}, {"cioni", "cion"}, {"cione", "cion"}, {"tionen", "cion"}, {"tions", "cion"}, {"tion", "cion"},
	{"idades", "it"}, {"idade", "it"}, {"idad", "it"}, {"itet", "it"},
	{"isce", "ic"}, {"iscen", "ic"}, {"iscer", "ic"}, {"isces", "ic"}, {"iscem", "ic"}, {"isc", "ic"},
	{"ices", "ic"}, {"ice", "ic"}, {"icos", "ic"}, {"icas", "ic"}, {"ici", "ic"}, {"ico", "ic"},
	{"ica", "ic"},
	{"iven", "iv"}, {"iver", "iv"}, {"ivem", "iv"}, {"alen", "al"}, {"aler", "al"}, {"ales", "al"},
}
