package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// How many letters of a drug's name a ward leaves: fewer count only beside a sign or a word that stands beside drugs,
// since many words have as many.
const (
	shortestTargeted    = 3 // of a drug that acts on a gene of the question
	shortestPrefix      = 4
	shortestPlainPrefix = 5
	longestCut          = 12
)

// isCombining says that a beginning is one that chemistry and medicine make many words with, and no drug's name cut
// off: a vowel ends it, and words go on from it with three consonants or more: glucose, gluconeogenesis, glucuronide.
func isCombining(beginning string) bool {
	if !strings.ContainsAny(beginning[len(beginning)-1:], "aio") {
		return false
	}
	going := 0
	for _, c := range "bcdfghjklmnpqrstvwxz" {
		if text.HasPrefix(englishWords, beginning+string(c)) {
			going++
		}
	}
	return going >= leastGoing
}

const leastGoing = 3

// uncutAt reads the word at token i, which nothing knows, as the drug whose name it is cut off from, as wards do:
// "lurbi", "vemu", "moga".
func (r *reader) uncutAt(i int) []span {
	t := &r.tokens[i]
	letters := utf8.RuneCountInString(t.raw)
	isWord := t.raw[1:] == strings.ToLower(t.raw[1:]) && !strings.ContainsFunc(t.raw, func(c rune) bool {
		return !unicode.IsLetter(c) || isHan(c)
	})
	isBeside := letters < longestCut && r.isBesideDrug(i)
	if !r.typed || !isWord || letters < shortestTargeted || isEnglishWord(t.key) ||
		letters >= shortestPlainPrefix && !isBeside && isCombining(t.key) {
		return nil
	}
	drug := r.uncutByTarget(t.key)
	if drug == nil && (letters >= shortestPlainPrefix || letters >= shortestPrefix && isBeside) {
		drug = r.lexicon.uncut(t.key)
	}
	if drug == nil || strings.Contains(drug.Name, " ") && !r.isBesideDrug(i) { // "amino acid" is no aminolevulinic acid
		return nil
	}
	r.fixed = append(r.fixed, Correction{Part: Part{Text: t.raw, Start: t.start, End: t.end}, To: drug.Name})
	return r.withSign(span{first: i, past: i + 1, start: t.start, end: t.end, entry: drug, key: fold(drug.Name)})
}

// regimenAt reads the capitals at token i, which nothing knows, as the regimen that papers call so with a word behind
// them, where a drug may stand: "CAV chemotherapy"; and a symbol with an "i" as the class of its inhibitors: VEGFi.
func (r *reader) regimenAt(i int) []span {
	t := &r.tokens[i]
	if gene, ok := strings.CutSuffix(t.raw, "i"); ok && r.typed && len(gene) > 2 && gene == strings.ToUpper(gene) {
		if e, known := r.lexicon.Lookup(KindClass, gene+" inhibitor"); known {
			return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
		}
	}
	if !r.typed || r.shouting || len(t.raw) < 2 || t.raw != strings.ToUpper(t.raw) || !r.isBesideDrug(i) {
		return nil
	}
	for _, word := range []string{" chemotherapy", " regimen"} {
		if e, ok := r.lexicon.Lookup(KindDrug, t.raw+word); ok {
			r.fixed = append(r.fixed, Correction{Part: Part{Text: t.raw, Start: t.start, End: t.end}, To: e.Name})
			return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
		}
	}
	return nil
}

// isBesideDrug says that a sign or a word which stands between drugs, or before one, stands beside token i, or behind
// it how many times it was given.
func (r *reader) isBesideDrug(i int) bool {
	if i > 0 {
		gap, before := r.text[r.tokens[i-1].end:r.tokens[i].start], r.tokens[i-1]
		if strings.ContainsAny(gap, "/+:") || r.leadsToDrug(before.key) {
			return true
		}
	}
	if i+1 == len(r.tokens) {
		return false
	}
	gap, behind := r.text[r.tokens[i].end:r.tokens[i+1].start], r.tokens[i+1]
	times := forms("times").FindString(r.text[behind.start:])
	isGiven := gap == " " && times != "" && endsWord(r.text[behind.start:], len(times))
	return isGiven || strings.ContainsAny(gap, "/+") || isOr(behind.key) || joinsOnly(behind.key) ||
		r.lexicon.wordList(behind.key).name() == wordsComparison
}

// leadsToDrug says that a drug may stand right behind a word, and a word that nothing knows is then likely one.
func (r *reader) leadsToDrug(key string) bool {
	switch r.lexicon.wordList(key).name() {
	case wordsPrior, wordsBackground, wordsComparison, wordsWithheld:
		return true
	}
	return isOr(key) || joinsOnly(key) || under(key) || adds(key)
}

// uncutByTarget is the one drug whose name begins with a folded word and that acts on a gene which the question names;
// nil where none does, or several do: "ivo" beside IDH1.
func (r *reader) uncutByTarget(word string) *Entry {
	var found *Entry
	for _, k := range r.lexicon.cursor().extend(word).keys {
		n, ok := r.lexicon.ofKind(KindDrug, k.first)
		if !ok {
			continue
		}
		e := &r.lexicon.entries[n]
		if e == found || !strings.HasPrefix(fold(e.Name), word) || strings.Contains(e.Name, " ") || !r.namesTarget(e) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// namesTarget says that the question names a gene that a drug acts on.
func (r *reader) namesTarget(drug *Entry) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		n, isGene := r.lexicon.find(KindGene, t.key)
		return isGene && slices.Contains(drug.Targets, r.lexicon.entries[n].Name)
	})
}

// uncut is the one drug whose nonproprietary name begins with a folded word; nil where none begins so, or several do.
// Of a drug and its conjugates it is the drug.
func (l *Lexicon) uncut(word string) *Entry {
	var found *Entry
	for _, k := range l.cursor().extend(word).keys {
		n, ok := l.ofKind(KindDrug, k.first)
		if !ok {
			continue
		}
		e := &l.entries[n]
		switch name := fold(e.Name); {
		case !strings.HasPrefix(name, word), name == word, e == found, found != nil && isConjugate(e, found):
		case found != nil:
			return nil
		default:
			found = e
		}
	}
	return found
}

// isConjugate says that a drug's name is another's and a word more.
func isConjugate(e, of *Entry) bool { return strings.HasPrefix(e.Name, of.Name+" ") }
