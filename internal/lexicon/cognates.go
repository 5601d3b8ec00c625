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

	namesOnce sync.Once
	names     map[string]turnedName // English ones of several words, by nounFirst
}

// turnedName is a name and its entry; empty if it could be two things.
type turnedName struct {
	name  string
	entry *Entry
}

// shortestSkeleton is how many letters of a word must be left: shorter ones are like others by chance.
const shortestSkeleton = 6

// cognate returns the dictionary's word for one that another language spells differently; empty if there is none, or
// more than one.
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

// longestTurned is how many words such a name has at most, and shortestTurned how many letters of each must be left.
const (
	longestTurned  = 4
	shortestTurned = 4
)

// turned is the dictionary's English name for one that a Romance language spells by the same Greek and Latin words,
// its noun first: "hipertensión portal", "ipertensione portale".
func (l *Lexicon) turned(words []string) turnedName {
	l.cognates.namesOnce.Do(func() {
		l.cognates.names = map[string]turnedName{}
		for i := range l.entries {
			if e := &l.entries[i]; nameKinds(string(e.Kind)) {
				l.cognates.addNames(e)
			}
		}
	})

	if _, isNoun := l.cognates.names[spoken(words[0])]; !isNoun {
		return turnedName{}
	}
	return l.cognates.names[nounFirst(words[0], words[1:])]
}

func (c *cognates) addNames(e *Entry) {
	for _, name := range slices.Concat([]string{e.Name}, e.Synonyms) {
		words := strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '-' })
		if len(words) < 2 || len(words) > longestTurned {
			continue
		}

		key := nounFirst(words[len(words)-1], words[:len(words)-1])
		noun, _, _ := strings.Cut(key, " ")

		c.names[noun] = turnedName{} // which is no name, and begins some
		switch known, ok := c.names[key]; {
		case key == "" || known.entry == e:
		case !ok:
			c.names[key] = turnedName{name, e}
		default:
			c.names[key] = turnedName{}
		}
	}
}

// nounFirst returns the common key of all names with the same noun and the same other words in any order; empty if one
// of them is too short.
func nounFirst(noun string, beside []string) string {
	bones := text.Each(beside, spoken)
	slices.Sort(bones)

	bones = append([]string{spoken(noun)}, bones...)
	if slices.ContainsFunc(bones, func(b string) bool { return len(b) < shortestTurned }) {
		return ""
	}
	return strings.Join(bones, " ")
}

// spoken returns the skeleton of a word without the letters that Italian does not pronounce: ostruttivo is obstructivo.
func spoken(word string) string { return unspoken.Replace(skeleton(word)) }

var unspoken = strings.NewReplacer("obst", "ost", "ct", "t", "pt", "t", "ps", "s", "x", "s", "nm", "m", "dm", "m",
	"ns", "s")

// areNames reports whether a name begins at each token from first to past that links no two.
func (r *reader) areNames(first, past int) bool {
	for i := first; i < past; i++ {
		if name, _ := r.namesAt(i); name.entry == nil && !linkingWords(r.tokens[i].key) {
			return false
		}
	}
	return true
}

// turnName reads the words from token i on that are a name with its noun first as that name, if no entry has them as
// written. Names of tumours are composed of their parts, in any order, where all of these are known.
func (r *reader) turnName(i int) {
	var words []string
	isForeign := false

	best, past := "", i
	for j := i; j < len(r.tokens) && len(words) < longestTurned; j++ {
		t := r.tokens[j]
		if j > i && r.text[r.tokens[j-1].end:t.start] != " " {
			break
		}

		if j > i && linkingWords(t.key) {
			continue
		}

		if functionWords(t.key) || r.word(j).list != 0 {
			break
		}
		isForeign = isForeign || hasLower(t.raw) && !r.isEnglishWord(j) // a symbol is of no language

		if words = append(words, t.key); len(words) < 2 || !isForeign {
			continue
		}

		turned := r.lexicon.turned(words)
		if turned.entry != nil && !(turned.entry.Kind == KindTumour && r.areNames(i, j+1)) {
			best, past = turned.name, j+1
		}
	}

	if best == "" {
		return
	}

	if known, _ := r.namesAt(i); known.entry != nil && known.past >= past {
		return
	}
	from, to := r.tokens[i].start, r.tokens[past-1].end
	r.fixed = append(r.fixed, Correction{Part: Part{Text: r.text[from:to], Start: from, End: to}, To: best})
	r.tokens = standFor(r.text, r.tokens, i, past, best)
}

func (c *cognates) add(word string) {
	bones := skeleton(word)

	known, ok := c.words[bones]
	switch {
	case len(bones) < shortestSkeleton:
	case !ok, known != "" && isEnglishWord(word) && !isEnglishWord(known):
		c.words[bones] = word
	case known != "" && isEnglishWord(word) == isEnglishWord(known) && isEnglishWord(word):
		c.words[bones] = "" // ambiguous
	}
}

// skeleton returns the common part of the languages' spellings of a Greek or Latin word, without its ending.
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

// latin replaces the vowels and consonants that the languages write differently, before accents are folded.
var latin = strings.NewReplacer("ä", "e", "ö", "e", "ü", "i", "ae", "e", "oe", "e", "ção", "cion",
	"ções", "cion", "ñ", "n", "ß", "s")

// greek replaces the spellings of Greek letters.
var greek = strings.NewReplacer("ph", "f", "th", "t", "rh", "r", "ch", "c", "qu", "c", "k", "c", "z", "c", "y", "i",
	"j", "i", "h", "")

// endings are the endings of the same meaning in several languages.
var endings = []struct{ from, to string }{
	{"ciones", "cion"}, {"cioni", "cion"}, {"cione", "cion"}, {"tionen", "cion"}, {"tions", "cion"}, {"tion", "cion"},
	{"idades", "it"}, {"idade", "it"}, {"idad", "it"}, {"itet", "it"},
	{"isce", "ic"}, {"iscen", "ic"}, {"iscer", "ic"}, {"isces", "ic"}, {"iscem", "ic"}, {"isc", "ic"},
	{"ices", "ic"}, {"ice", "ic"}, {"icos", "ic"}, {"icas", "ic"}, {"ici", "ic"}, {"ico", "ic"},
	{"ica", "ic"},
	{"dores", "tor"}, {"dor", "tor"}, {"tori", "tor"}, {"tore", "tor"}, {"ous", ""}, {"oso", ""}, {"osa", ""},
	{"iven", "iv"}, {"iver", "iv"}, {"ivem", "iv"}, {"alen", "al"}, {"aler", "al"}, {"ales", "al"},
}

// nameKinds are the kinds of entries whose English names of several words Romance languages may turn round.
var nameKinds = text.Set(string(KindTumour) + " " + string(KindCondition) + " " + string(KindSetting) + " " +
	string(KindTreatment) + " " + string(KindBiomarker) + " " + string(KindClass))
