package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// How many letters of a cut-off drug name count. Short ones need a sign or a word that stands beside drugs, since many
// words are as short.
const (
	shortestTargeted    = 3 // of a drug that acts on a gene of the question
	shortestPrefix      = 4
	shortestPlainPrefix = 5
	longestCut          = 12
)

// isCombining reports whether a beginning is a combining form of many words, not a drug's name cut off: it ends in a
// vowel, and English words continue it with at least three different consonants: glucose, gluconeogenesis, glucuronide.
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

// uncutAt reads the unknown word at token i as the drug whose name it is cut off from, as on wards: "lurbi", "vemu",
// "moga".
func (r *reader) uncutAt(i int) []span {
	t := &r.tokens[i]

	letters := utf8.RuneCountInString(t.raw)
	if senses()[t.raw] != nil { // its neighbours decide its meaning
		return nil
	}
	isWord := isSmallInside(t.raw) && !strings.ContainsFunc(t.raw, func(c rune) bool {
		return !unicode.IsLetter(c) || isHan(c)
	})

	isBeside := letters < longestCut && r.isBesideDrug(i)
	if !r.typed || !isWord || letters < shortestTargeted || isEnglishWord(t.key) ||
		letters >= shortestPlainPrefix && !isBeside && isCombining(t.key) {
		return nil
	}

	drug := r.uncut(t.key, i, isBeside)
	if drug == nil || strings.Contains(drug.Name, " ") && !r.isBesideDrug(i) { // "amino acid" is no aminolevulinic acid
		return nil
	}
	r.record(t, drug.Name)
	return r.withSign(span{first: i, past: i + 1, start: t.start, end: t.end, entry: drug, key: fold(drug.Name)})
}

// pairAt reads the unknown word at token i as two drugs that are given together, each by the beginning of its name:
// "cisgem", "GemCap".
func (r *reader) pairAt(i int) []span {
	t := r.tokens[i]
	if !r.typed || len(t.raw) < 2*shortestTargeted || !text.IsASCII(t.raw) || isEnglishWord(t.key) {
		return nil
	}

	for cut := shortestTargeted; cut <= len(t.raw)-shortestTargeted; cut++ {
		if !isSmallInside(t.raw[:cut]) || !isSmallInside(t.raw[cut:]) {
			continue
		}

		first, second := r.lexicon.spokenDrug(t.key[:cut]), r.lexicon.spokenDrug(t.key[cut:])
		if first == nil || second == nil || !r.lexicon.areGivenTogether([]Drug{{Name: first.Name, Entry: first},
			{Name: second.Name, Entry: second}}) {
			continue
		}
		middle := t.start + cut
		r.record(&t, first.Name+" + "+second.Name)
		return []span{{first: i, past: i + 1, start: t.start, end: middle, entry: first, key: fold(first.Name)},
			{first: i, past: i + 1, start: middle, end: t.end, entry: second, key: fold(second.Name)}}
	}
	return nil
}

// spokenDrug returns the drug that a folded word names, or the only one whose name begins with it; nil if there is
// none.
func (l *Lexicon) spokenDrug(word string) *Entry {
	if n, ok := l.ofKind(KindDrug, l.first(word)); ok {
		return &l.entries[n]
	}

	if all := l.beginningWith(word); len(all) == 1 {
		return all[0]
	}
	return nil
}

// clippedAt reads Chinese characters as the drug whose name they are cut off from: 特瑞普利 without the word for an
// antibody, and 仑伐 or 来那 where that drug's name alone begins so and has at most three times as many characters.
func (r *reader) clippedAt(i int) []span {
	const longest, antibody = 8, "单抗"

	at, found := r.lexicon.cursor(), []span(nil)
	for j := i; r.typed && j < len(r.tokens) && j-i < longest && isHanWord(r.tokens[j].raw) && !at.empty(); j++ {
		at = at.extend(r.tokens[j].key)

		drug := r.lexicon.onlyDrugFrom(at)
		if n, ok := r.lexicon.ofKind(KindDrug, at.extend(antibody).key().first); ok && j > i+1 {
			drug = &r.lexicon.entries[n]
		}

		if drug != nil && j > i {
			found = []span{{first: i, past: j + 1, start: r.tokens[i].start, end: r.tokens[j].end, entry: drug,
				key: fold(drug.Name)}}
		}
	}

	if found != nil {
		r.fixed = append(r.fixed, Correction{Part: r.part(&found[0]), To: found[0].entry.Name})
	}
	return found
}

// onlyDrugFrom returns the only drug whose names continue from what a cursor has read, if that is a third of the
// shortest or more; else nil.
func (l *Lexicon) onlyDrugFrom(at cursor) *Entry {
	var drug *Entry

	shortest := 0
	for _, k := range slices.Concat(at.keys, at.added) {
		n, ok := l.ofKind(KindDrug, k.first)
		if !ok || drug != nil && drug != &l.entries[n] {
			return nil
		}

		if drug = &l.entries[n]; shortest == 0 || len(k.key) < shortest {
			shortest = len(k.key)
		}
	}

	if 3*at.length < shortest {
		return nil
	}
	return drug
}

func isHanWord(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return isHan(first)
}

// regimenAt reads the unknown capitals at token i, in the place of a drug, as the regimen that papers name with a
// second word: "CAV chemotherapy"; and a symbol with an "i" as the class of its inhibitors: VEGFi.
func (r *reader) regimenAt(i int) []span {
	t := &r.tokens[i]
	if gene, ok := strings.CutSuffix(t.raw, "i"); ok && r.typed && len(gene) > 2 && gene == strings.ToUpper(gene) {
		if e, known := r.lexicon.Lookup(KindClass, gene+" inhibitor"); known {
			return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
		}
	}

	if !r.typed || r.shouting || len(t.raw) < 2 || t.raw != strings.ToUpper(t.raw) || senses()[t.raw] != nil ||
		!r.isBesideDrug(i) {
		return nil
	}

	e := r.lexicon.regimenCalled(t.raw)
	if e == nil {
		return nil
	}
	r.record(t, e.Name)
	return []span{{first: i, past: i + 1, start: t.start, end: t.end, entry: e, key: fold(e.Name)}}
}

// regimenCalled returns the regimen that papers name by a short form with a second word; nil if there is none.
func (l *Lexicon) regimenCalled(short string) *Entry {
	e, ok := l.Lookup(KindDrug, short+" chemotherapy")
	if !ok {
		e, _ = l.Lookup(KindDrug, short+" regimen")
	}
	return e
}

// hyphenatedAt reads capitals with a hyphen and a short second part as the regimen that papers name with a second word:
// EC-T is "EC-T chemotherapy", and no ECT.
func (r *reader) hyphenatedAt(i int) []span {
	t := &r.tokens[i]
	if past := i + 2; r.typed && past <= len(r.tokens) && r.text[t.end:r.tokens[i+1].start] == "-" &&
		len(r.tokens[i+1].raw) <= len("CE") && t.raw == strings.ToUpper(t.raw) {
		end := r.tokens[i+1].end
		if e := r.lexicon.regimenCalled(r.text[t.start:end]); e != nil {
			return []span{{first: i, past: past, start: t.start, end: end, entry: e, key: fold(e.Name)}}
		}
	}
	return nil
}

// trialAt reads unknown capitals, with the number behind their hyphen, as one word: a trial's name, "MARIPOSA-2".
func (r *reader) trialAt(i int) []span {
	name := forms("trial with a number").FindString(r.text[r.tokens[i].start:])
	if !r.typed || r.shouting || name == "" || !endsWord(r.text[r.tokens[i].start:], len(name)) {
		return nil
	}
	end := r.tokens[i].start + len(name)
	return []span{{first: i, past: r.pastOf(i, end), start: r.tokens[i].start, end: end, plain: true}}
}

// isBesideDrug reports whether token i is in the place of a drug: beside a sign or a word that stands between drugs or
// before one, or before the number of times that it was given.
func (r *reader) isBesideDrug(i int) bool {
	if i > 0 {
		gap, before := r.text[r.tokens[i-1].end:r.tokens[i].start], r.tokens[i-1]
		isJoined := gap == "-" && r.isTreatmentAt(i-1)

		isAlone := strings.ContainsAny(gap, ",;:") && (i+1 == len(r.tokens) || r.endsClause(i+1)) // "HLA-A2+, tebe?"
		if isAlone || isJoined || arrow(gap) || strings.ContainsAny(gap, "/+:") || r.leadsToDrug(before.key) ||
			i > 1 && relationWords()[before.key] == relatesWith && r.isTreatmentAt(i-2) { // "RCTx mit Cis"
			return true
		}
	}

	if i+1 == len(r.tokens) {
		return false
	}
	gap, behind := r.text[r.tokens[i].end:r.tokens[i+1].start], r.tokens[i+1]
	rest := r.text[behind.start:]
	times := cmp.Or(forms("times").FindString(rest), forms("year").FindString(rest))
	isGiven := gap == " " && times != "" && endsWord(rest, len(times)) || gap == "-" && r.isTreatmentAt(i+1)
	return isGiven || gap == " " && r.isProgression(i+1) || arrow(gap) || strings.ContainsAny(gap, "/+") ||
		isOr(behind.key) || joinsOnly(behind.key) ||
		r.lexicon.wordList(behind.key).name() == wordsComparison
}

// isTreatmentAt reports whether token i is a treatment's name.
func (r *reader) isTreatmentAt(i int) bool {
	return slices.ContainsFunc([]Kind{KindDrug, KindClass, KindTreatment}, func(kind Kind) bool {
		_, known := r.lexicon.find(kind, r.tokens[i].key)
		return known
	}) || len(r.tokens[i].key) >= shortestPrefix && r.lexicon.spokenDrug(r.tokens[i].key) != nil // "carfil-poma"
}

// leadsToDrug reports whether a drug may stand right behind a word, so that an unknown word there is likely one.
func (r *reader) leadsToDrug(key string) bool {
	switch r.lexicon.wordList(key).name() {
	case wordsPrior, wordsBackground, wordsComparison, wordsWithheld:
		return true
	}
	return isOr(key) || joinsOnly(key) || under(key) || adds(key)
}

// uncut returns the drug whose name begins with the folded word at token i. Of several it takes the one that acts on a
// gene of the question ("ivo" beside IDH1), is of a class that it names ("no PARPi yet, ola?"), or is known to be given
// with the drug joined to it ("gem/nab"); else nil. Of a drug and its conjugates it takes the drug.
func (r *reader) uncut(word string, i int, isBeside bool) *Entry {
	all := r.lexicon.beginningWith(word)
	if found := onlyOne(all, r.namesTarget); found != nil && !strings.Contains(found.Name, " ") {
		return found
	}

	if len(word) < shortestPlainPrefix && !isBeside {
		return nil
	}

	if len(all) == 1 {
		return all[0]
	}
	return cmp.Or(onlyOne(all, r.namesClass), onlyOne(all, func(e *Entry) bool { return r.isPartner(e, i) }))
}

// onlyOne returns the one entry for which is holds; nil if it holds for none or several.
func onlyOne(all []*Entry, is func(*Entry) bool) *Entry {
	var found *Entry
	for _, e := range all {
		switch {
		case !is(e):
		case found != nil:
			return nil
		default:
			found = e
		}
	}
	return found
}

// beginningWith returns the drugs whose nonproprietary name, in any language, begins with a folded word. If one name
// continues another, it takes the shorter one.
func (l *Lexicon) beginningWith(word string) []*Entry {
	var out []*Entry

	shortest := "-"
	for _, k := range l.cursor().extend(word).keys {
		n, ok := l.ofKind(KindDrug, k.first)
		if !ok || k.key == word || strings.HasPrefix(k.key, shortest) { // "irinotécan liposomal"
			continue
		}
		e := &l.entries[n]
		isKey := func(name string) bool { return fold(name) == k.key }
		isNamed := isKey(e.Name) || slices.ContainsFunc(e.Foreign, isKey)
		isOf := func(o *Entry) bool { return o == e || strings.HasPrefix(e.Name, o.Name+" ") } // a conjugate

		if isNamed {
			shortest = k.key
		}

		if isNamed && !slices.ContainsFunc(out, isOf) {
			out = append(out, e)
		}
	}
	return out
}

// namesTarget reports whether the question names a gene that a drug acts on, also with its change in one word: EGFRm.
func (r *reader) namesTarget(drug *Entry) bool {
	for i := range r.tokens {
		n, isGene := r.lexicon.find(KindGene, r.tokens[i].key)
		if isGene && slices.Contains(drug.Targets, r.lexicon.entries[n].Name) {
			return true
		}

		found := r.changedAt(i)
		if len(drug.Targets) > 0 && found != nil && slices.Contains(drug.Targets, found[0].entry.Name) {
			return true
		}
	}
	return false
}

// namesClass reports whether the question names a class that a drug is in.
func (r *reader) namesClass(drug *Entry) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		n, isClass := r.lexicon.find(KindClass, t.key)
		return isClass && slices.Contains(r.lexicon.holdersOf(drug), &r.lexicon.entries[n])
	})
}

// isPartner reports whether a drug is known to be given with the one that a sign joins to token i.
func (r *reader) isPartner(drug *Entry, i int) bool {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(r.tokens) {
			continue
		}
		gap := strings.TrimSpace(r.text[r.tokens[min(i, j)].end:r.tokens[max(i, j)].start])

		n, isDrug := r.lexicon.find(KindDrug, r.tokens[j].key)
		if isDrug && len(gap) == 1 && strings.ContainsAny(gap, "/+-") && r.lexicon.areGivenTogether([]Drug{
			{Name: drug.Name, Entry: drug}, {Name: r.lexicon.entries[n].Name, Entry: &r.lexicon.entries[n]}}) {
			return true
		}
	}
	return false
}
