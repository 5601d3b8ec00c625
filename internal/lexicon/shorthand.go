package lexicon

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"dossier/internal/text"
)

// spellOut reads the short forms of the ward that are not names on their own: "ca" beside an organ is cancer ("breast
// ca", "Ca cervix"), and elsewhere calcium or a marker's first letters; eGFR, written so and without a word of genetics
// beside it, is the kidneys' filtration rate; the others are in a table.
func (r *reader) spellOut() {
	for i := 0; i < len(r.tokens); i++ {
		t := &r.tokens[i]
		switch t.key {
		case "ca", "k":
			before := len(r.tokens)
			r.spellCancer(i)
			i -= max(0, before-len(r.tokens)) // "Leberzell-Ca" has become one
		case "gr", "grad", "grado", "grau":
			r.spellBefore(i, "grade")
		case "gr1", "gr2", "gr3", "gr4", "gr3a", "gr3b", "g4":
			t.key = "grade" + strings.TrimLeft(t.key, "gr")
			t.raw = t.key
		case "figo", "ajcc", "uicc", "st", "est", "ec":
			r.spellBefore(i, "stage")
		case "stad": // "Stad. III"; in capitals alone, a name of gastric adenocarcinoma
			if r.typed && t.raw != "STAD" {
				t.key = "stage"
			}
		case "who":
			if i+1 < len(r.tokens) && isRoman(r.tokens[i+1].raw) { // "WHO II"; in figures it may be the performance status
				t.key = "grade"
			}
		case "eii", "eiii", "eiv": // "estadio", in one word
			if t.raw == strings.ToUpper(t.raw) {
				r.tokens = slices.Insert(r.tokens, i+1, token{t.start + 1, t.end, t.raw[1:], t.key[1:]})
				r.tokens[i] = token{t.start, t.start + 1, t.raw[:1], "stage"}
			}
		case "no":
			if r.languages.within(portuguese) { // "in the": "N1 no PSMA"
				t.key = "em"
			}
		case "adc", "adk":
			if r.isSite(i+1) && r.isSpace(i) && !isEnglishWord(r.tokens[i+1].key) { // "ADC pulmón"; English has it behind
				t.raw, t.key = "adenocarcinoma", "adenocarcinoma"
			}
		case "阳", "阴":
			r.spellFinding(i)
		case "tras", "tx", "mtx", "mts", "mtt", "mtts", "egfr", "ct", "qt", "qmt":
			r.spellInCompany(i)
		default:
			if key := r.lexicon.carcinomaOf(t.raw); key != "" {
				t.key = key
			} else if !r.spellInhibitor(i) {
				r.partCompound(i)
				r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
			}
		}
	}
}

// spellInCompany reads a short form by its neighbours.
func (r *reader) spellInCompany(i int) {
	switch t := &r.tokens[i]; t.key {
	case "tras":
		if r.isJoined(i) { // "FOLFOX/tras/pembro"; Spanish has it for "after"
			t.raw, t.key = "trastuzumab", "trastuzumab"
		}
	case "egfr":
		if t.raw == "eGFR" && !r.besideGenetics(i, i+1) && !r.isLevelled(i+1) {
			t.raw, t.key = "GFR", "gfr"
		}
	case "ct", "qt", "qmt":
		isInterval := i+1 < len(r.tokens) && forms("of the QT interval").MatchString(r.tokens[i+1].key)
		if (r.isPlusDrug(i, i-1) || r.isPlusDrug(i, i+1)) && !isInterval { // "pembro + CT"
			t.key = "chemotherapy"
			return
		}
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	default:
		r.spellBesideSite(i)
	}
}

// shortestSpoken is the fewest letters of a word that count as a drug's name: PET is none.
const shortestSpoken = 4

// isPlusDrug reports whether a plus joins token i to its neighbour j, which is a drug.
func (r *reader) isPlusDrug(i, j int) bool {
	if j < 0 || j >= len(r.tokens) || !strings.Contains(r.text[r.tokens[min(i, j)].end:r.tokens[max(i, j)].start], "+") {
		return false
	}
	key := r.tokens[j].key
	return r.typed && len(key) >= shortestSpoken && r.lexicon.spokenDrug(key) != nil
}

// spellFinding reads a marker's result in one character as that in two: HER2阳 for HER2阳性.
func (r *reader) spellFinding(i int) {
	if !r.typed || i == 0 || strings.HasPrefix(r.text[r.tokens[i].end:], "性") {
		return
	}

	if _, isTest := r.lexicon.find(KindSetting, r.tokens[i-1].key); !isTest {
		r.tokens[i].key += "性"
	}
}

// isJoined reports whether a slash, a hyphen or a plus joins token i to the word before or behind it.
func (r *reader) isJoined(i int) bool {
	return i > 0 && strings.ContainsAny(r.text[r.tokens[i-1].end:r.tokens[i].start], "/-+") ||
		i+1 < len(r.tokens) && strings.ContainsAny(r.text[r.tokens[i].end:r.tokens[i+1].start], "/-+")
}

// tumourNouns are the last parts of German compounds with an organ or a type of cells before them.
var tumourNouns = []string{"karzinom", "karzinoms", "karzinome", "sarkom", "tumor", "metastase", "metastasen"}

// partCompound splits the unknown German compound at token i, if an organ or a qualifier stands before the noun:
// "Mundbodenkarzinom", "Zungenrandkarzinom".
func (r *reader) partCompound(i int) {
	t := r.tokens[i]
	if !r.typed || len(t.raw) < len("Ohrtumor") {
		return
	}

	for _, noun := range tumourNouns {
		cut := t.end - len(noun)
		if !strings.HasSuffix(t.raw, noun) || cut <= t.start || r.word(i).first != noClaim {
			continue
		}

		first := r.text[t.start:cut]

		_, isSite := r.lexicon.find(KindSite, fold(first))
		if _, isQualifier := r.lexicon.find(KindQualifier, fold(first)); isSite || isQualifier {
			r.tokens = slices.Replace(r.tokens, i, i+1, token{t.start, cut, first, fold(first)},
				token{cut, t.end, noun, noun})
			return
		}
	}
}

// spellBesideSite reads the short form at token i by its meaning beside an organ: "kidney tx", "mtx epatiche".
func (r *reader) spellBesideSite(i int) {
	switch t := &r.tokens[i]; {
	case t.key == "tx" && r.isSite(i-1) && r.isSpace(i-1):
		t.key = "transplantation"
	case t.key != "tx" && r.isSite(i+1) && r.isSpace(i) && !isEnglishWord(r.tokens[i+1].key):
		t.key = "metastasi"
	default:
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	}
}

// spellInhibitor reads the class of drugs against a target that Romance languages write with the target behind: "iBTK",
// "inhibidor de BTK".
func (r *reader) spellInhibitor(i int) bool {
	from, first := r.tokens[i].start, i
	switch {
	case inhibitors(r.tokens[i].key):
		for first++; first < len(r.tokens) && linkingWords(r.tokens[first].key); {
			first++
		}

		if first == len(r.tokens) {
			return false
		}
		from = r.tokens[first].start
	case r.tokens[i].raw[0] == 'i' && len(r.tokens[i].raw) > 2 && !hasLower(r.tokens[i].raw[1:]):
		from++
	default:
		return false
	}

	for past := min(first+2, len(r.tokens)); past > first; past-- { // "PD-L1" before "PD"
		name := r.text[from:r.tokens[past-1].end] + " inhibitor"
		if _, known := r.lexicon.Lookup(KindClass, name); known {
			r.tokens = standFor(r.text, r.tokens, i, past, name)
			return true
		}
	}
	return false
}

// spellCancer reads "ca" or "K" at token i: "Ca cervix", "K du sein", "Cholangio-Ca".
func (r *reader) spellCancer(i int) {
	t := &r.tokens[i]
	r.completeBeside(i)

	switch {
	case r.isCancer(i):
		t.key = "cancer"
	case t.key == "k":
		r.tokens = r.lexicon.spellOutAt(r.text, r.tokens, i, r.languages)
	case r.isCompound(i) && r.lexicon.carcinomaOf(r.tokens[i-1].raw+"Ca") != "": // "Leberzell-Ca"
		before := &r.tokens[i-1]
		before.key, before.end = r.lexicon.carcinomaOf(before.raw+"Ca"), t.end
		r.tokens = slices.Delete(r.tokens, i, i+1)
	case r.isCompound(i) && r.isNamedWith("carcinoma", i):
		t.key = "carcinoma"
	}
}

// spellBefore reads the short form at token i as "grade" or "stage", if the number of one stands behind it.
func (r *reader) spellBefore(i int, word string) {
	if i+1 < len(r.tokens) && forms(word).MatchString(r.tokens[i+1].raw) {
		r.tokens[i].key = word
	}
}

// written cuts a text into its words, with the ward's short forms spelled out.
func (l *Lexicon) written(words string) []token {
	tokens := tokenize(words)

	written := languagesOf(words, tokens)
	for i := 0; i < len(tokens); i++ {
		tokens = l.spellOutAt(words, tokens, i, written)
	}
	return tokens
}

// spellOutAt spells out the longest short form of the table that begins at token i; one that has a language only if the
// question is in it.
func (l *Lexicon) spellOutAt(in string, tokens []token, i int, written languages) []token {
	t := &tokens[i]
	if in[t.start:t.end] != t.raw {
		return tokens // stands for a short form already
	}
	longest, meant := "", ""
	letter, next := lowerLetter(t.raw), lowerLetter(in[t.start+1:])

	first := sort.Search(len(l.shorthand), func(i int) bool { return lowerLetter(l.shorthand[i][0]) >= letter })
	for _, row := range l.shorthand[first:] {
		if lowerLetter(row[0]) != letter {
			break
		}

		if lowerLetter(row[0][1:]) == next && len(row[0]) > len(longest) && isShorthand(in, t.start, row[0]) &&
			(len(row) < 3 || written.within(languageNames[row[2]])) {
			longest, meant = row[0], row[1]
		}
	}

	if longest == "" {
		return tokens
	}

	past := i + 1
	for past < len(tokens) && tokens[past].start < t.start+len(longest) {
		past++
	}
	last := &tokens[past-1]
	last.end = max(last.end, t.start+len(longest)) // with its full stop, which ends no clause

	return standFor(in, tokens, i, past, meant)
}

// standFor has the tokens from i to past stand for other words.
func standFor(in string, tokens []token, i, past int, meant string) []token {
	words := tokenize(meant)
	if len(words) == past-i {
		for k, w := range words {
			tokens[i+k].key, tokens[i+k].raw = w.key, w.raw
			if k > 0 { // the text between them is part of the form: "m+ os"
				between := in[tokens[i+k-1].end:tokens[i+k].start]
				tokens[i+k-1].end += len(strings.TrimRight(between, " "))
			}
		}
		return tokens
	}

	start, end := tokens[i].start, tokens[past-1].end
	for k := range words { // one letter each, and the rest for the last
		words[k].start, words[k].end = start+k, start+k+1
	}
	words[len(words)-1].end = end
	return slices.Replace(tokens, i, past, words...)
}

// isSpelledOut reports whether token i replaces a short form of the table.
func (r *reader) isSpelledOut(i int) bool {
	return r.text[r.tokens[i].start:r.tokens[i].end] != r.tokens[i].raw
}

// byFirstLetter sorts short forms by first letter for the search in them, and keeps the order of those that begin
// alike.
func byFirstLetter(shorthand [][]string) [][]string {
	slices.SortStableFunc(shorthand, func(a, b []string) int {
		return cmp.Compare(lowerLetter(a[0]), lowerLetter(b[0]))
	})
	return shorthand
}

// lowerLetter returns the first byte of a text, in lower case if it is a letter; zero if there is none.
func lowerLetter(text string) byte {
	switch {
	case text == "":
		return 0
	case 'A' <= text[0] && text[0] <= 'Z':
		return text[0] + 'a' - 'A'
	}
	return text[0]
}

// isShorthand reports whether a short form stands in a text. One with a capital must be as written, or in small letters
// if it has no vowel and so is no word (qt), and not behind a hyphen (L1 of PD-L1). One of small letters must be in
// these (INH is isoniazid), also one letter and its stop (N. opticus is a nerve). None may stand before a hyphen
// (Pt-resistant is no patient).
func isShorthand(in string, at int, short string) bool {
	before, in := in[:at], in[at:]
	if len(in) < len(short) || !strings.EqualFold(in[:len(short)], short) {
		return false
	}
	rest := in[len(short):]

	isWritten := strings.ContainsAny(short, "/.&") && len(short) > len("n.") || hasLower(in[:len(short)])
	if hasUpper(short) {
		isSmall := in[:len(short)] == strings.ToLower(short) && !strings.ContainsAny(in[:len(short)], "aeiouy/+-.&")
		isWritten = (isSmall || in[:len(short)] == short) && !strings.HasSuffix(before, "-")
	}
	return isWritten && !strings.HasPrefix(rest, "-") && (strings.HasSuffix(short, "/") || endsWord(rest, 0))
}

// isCancer reports whether the "ca" at token i stands beside an organ: "breast ca", "Ca cervix", "ca of the tongue",
// "ca papilar de tiroides".
func (r *reader) isCancer(i int) bool {
	if i+1 < len(r.tokens) && isAntigen(r.tokens[i+1].key) {
		return false
	}

	behind := i + 1
	for behind < len(r.tokens) && (r.tokens[behind].key == "of" || r.tokens[behind].key == "the" ||
		linkingWords(r.tokens[behind].key)) {
		behind++
	}
	return r.isSite(i-1) && (r.isCompound(i) || r.isSpace(i-1)) || i > 0 && r.isSpace(i-1) && r.isNamedWith("cancer", i) ||
		behind == i+1 && behind < len(r.tokens) && r.isTumourWord(r.tokens[behind]) && r.isSpace(i) ||
		behind < len(r.tokens) && r.isSpace(behind-1) && (r.isSite(behind) || r.isSiteFrom(behind)) ||
		r.isSite(r.pastTypeOf(i+1)) && r.isSpace(i)
}

func (r *reader) isNamedWith(noun string, i int) bool {
	_, known := r.lexicon.Lookup(KindTumour, r.tokens[i-1].raw+" "+noun)
	return known
}

// isCompound reports whether token i is the "Ca" of a German compound: "Vulva-Ca".
func (r *reader) isCompound(i int) bool {
	return i > 0 && r.tokens[i].raw == "Ca" && r.text[r.tokens[i-1].end:r.tokens[i].start] == "-"
}

// carcinomaOf returns the folded name of the tumour that a word with "Ca" at its end abbreviates: "KolonCa",
// "ColangioCa"; empty for any other word.
func (l *Lexicon) carcinomaOf(word string) string {
	part, ok := strings.CutSuffix(word, "Ca")
	if !ok || len(part) < len("Ca") || !hasLower(part[len(part)-1:]) {
		return ""
	}

	for _, name := range []string{part + "karzinom", part + "carcinoma"} {
		if _, known := l.Lookup(KindTumour, name); known {
			return fold(name)
		}
	}
	return ""
}

// pastTypeOf returns the token behind the word at token i if that is a type of cancer, and behind a following word like
// "de": "ca papilar de tiroides". It is i if there is no such word.
func (r *reader) pastTypeOf(i int) int {
	if i+1 >= len(r.tokens) || r.isSite(i) {
		return i
	}

	if _, ok := r.lexicon.find(KindQualifier, r.tokens[i].key); !ok && !medullary(r.tokens[i].key) {
		return i
	}

	if bridgeWords(r.tokens[i+1].key) && !r.isSite(i+1) {
		return i + 2
	}
	return i + 1
}

// isSite reports whether the word at token i is an organ, or the last of one of three words: "head and neck".
func (r *reader) isSite(i int) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}

	for _, first := range []int{i, max(0, i-2)} {
		words := text.Each(r.tokens[first:i+1], func(t token) string { return t.key })
		if _, known := r.lexicon.find(KindSite, strings.Join(words, " ")); known {
			return true
		}
	}
	return false
}

// isSiteFrom reports whether a name of an organ begins at token i: "cavidad oral", "ghiandole salivari".
func (r *reader) isSiteFrom(i int) bool {
	name, _ := r.namesAt(i)
	return name.is(KindSite)
}

// isSpace reports whether only a space stands between token i and the next.
func (r *reader) isSpace(i int) bool {
	return r.text[r.tokens[i].end:r.tokens[i+1].start] == " "
}
