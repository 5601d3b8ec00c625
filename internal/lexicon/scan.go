package lexicon

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// longestName bounds the words of a name that are tried at each place of a question.
const longestName = 20

// reader reads a question: it cuts it into spans, each the longest reading at its place, then joins spans to tumours,
// alterations, biomarkers and drugs.
type reader struct {
	lexicon  *Lexicon
	text     string
	tokens   []token
	words    []word // what the dictionary has on each token's word; see word
	shouting bool   // a sentence all in capitals, where they mean nothing
	small    bool   // without any capital, where their absence means nothing
	typed    bool   // typed by a person, with short forms and slips
	nested   bool   // reading what a name stands for
	spans    []span
	fixed    []Correction
	unclear  []unclear
	arms     int // the sides of comparisons so far

	languages languages
}

// span is a part of the text that one reading claims.
type span struct {
	first, past int    // tokens
	start, end  int    // bytes
	key         string // the folded name; empty for what has none
	entry       *Entry
	variants    []Variant
	list        wordList
	form        form
	value       string // of a form: "72 years", "≥50%"
	bound       string // what bounds a form's number: "≥", "≤", ">" or "<"
	gone        bool   // has become a part of another span
	covered     string // what else in the question states the same; with gone
	origin      string // "germline" of gBRCA
	targeted    bool   // a gene named for the drugs against it
	lacking     bool   // a word behind it makes it absent
	open        bool   // it may be there or not
	plain       bool   // a word to search for, even if a list has it
	figures     bool   // something that was measured, with its values behind it

	concepts []Concept
	alts     []Alteration
	marks    []Biomarker
	drugs    []Drug
	sets     []Circumstance
}

// form is what a span is by its look alone.
type form uint8

const (
	noForm   form = iota
	drugForm      // a development code, or the ending of a generic name
	geneForm      // capitals and digits
	setForm       // an age, a performance score, a dose; value has which
)

func (s *span) is(kind Kind) bool { return s.entry != nil && s.entry.Kind == kind }

// isMarker reports whether s is a gene or a biomarker, which changes and levels belong to.
func (s *span) isMarker() bool {
	return !s.gone && (s.is(KindGene) || s.is(KindBiomarker) || s.form == geneForm)
}

// isChange reports whether s is a word or a notation for a marker's change or level.
func (s *span) isChange() bool {
	return !s.gone && (s.is(KindChange) || len(s.variants) > 0)
}

func (r *reader) scan() {
	r.spans = make([]span, 0, len(r.tokens)+2) // two for signs
	for i := 0; i < len(r.tokens); {
		found := r.at(i)
		if len(found) == 0 {
			found = r.withSign(span{first: i, past: i + 1, start: r.tokens[i].start, end: r.tokens[i].end})
		}

		s := &found[0]
		if r.languages.has(german) && s.is(KindChange) && strings.ContainsAny(r.text[s.start:s.end], "äöüÄÖÜ") {
			s.entry = cmp.Or(r.as(s, KindSetting), s.entry) // "ältere" is no French "altéré"
		}
		r.spans = append(r.spans, found...)
		i = max(r.pastOf(i, found[len(found)-1].end), i+1)
	}
}

// at finds the longest reading that begins at token i: one span, or a marker and the sign or variant that is glued to
// it.
func (r *reader) at(i int) []span {
	for _, read := range []func(int) []span{r.classifiedAt, r.advancedAt, r.hyphenatedAt} {
		if found := read(i); found != nil {
			return found
		}
	}

	best, word := r.namesAt(i)
	if found := r.lettersAt(i); found != nil && found[0].end >= best.end { // "KRd-PACE" is more than KRd
		return found
	}

	switch {
	case best.is(KindChange) && r.isArticle(i):
		best = word
	case r.isAfterPart(best):
		best = span{first: i, past: i + 1, start: r.tokens[i].start, end: r.tokens[i].end}
		best.list, best.key = r.word(i).list, r.tokens[i].key
		return []span{best}
	}

	for _, other := range []span{r.formAt(i), r.variantAt(i), word} {
		if other.end > best.end {
			best = other
		}
	}

	if best.end > 0 {
		// The bracket that ends a name such as "del(17p)" is taken in.
		name, rest := r.text[best.start:best.end], r.text[best.end:]
		if strings.Count(name, "(") > strings.Count(name, ")") && strings.HasPrefix(rest, ")") {
			best.end++
		}

		if best.is(KindSetting) && best.entry.Aspect == aspectAlteration {
			found := r.withChange(best)
			last := len(found) - 1
			return append(found[:last:last], r.withSign(found[last])...)
		}
		return r.withSign(best)
	}

	for _, read := range []func(int) []span{r.prefixedAt, r.gluedAt, r.shapedAt, r.uncutAt, r.pairAt, r.clippedAt,
		r.regimenAt, r.trialAt, r.numeralAt} {
		if found := read(i); found != nil {
			return found
		}
	}
	return nil
}

// pastOf is the first token at or after i that begins at end or later.
func (r *reader) pastOf(i, end int) int {
	for i < len(r.tokens) && r.tokens[i].start < end {
		i++
	}
	return i
}

// namesAt finds the longest name of an entry, and the longest phrase of the lists of words, at token i.
func (r *reader) namesAt(i int) (name, word span) {
	var space [2][16]cursor // most readings need no more

	isBehindPrefix := r.isBehindPrefix(i)

	begun := append(space[0][:0], r.lexicon.cursor()) // what stands there so far; of adjectives it may be another form
	for j := i; j < len(r.tokens) && j < i+longestName && len(begun) > 0; j++ {
		t := &r.tokens[j]
		other, declined, singular := inflectedWord(t.key), r.declensions(t.key), r.singulars(t)
		s := span{first: i, past: j + 1, start: r.tokens[i].start, end: t.end}

		next := space[(j-i+1)%2][:0]
		for _, cur := range begun {
			longer := r.extended(cur, i, j)
			k := longer.key()

			listed := k
			if k.list == 0 && other != t.key {
				listed = listedAs(cur.extend(other))
			}

			if r.isPhrase(listed, i, j) {
				word = s
				word.list, word.key = listed.list, listed.key
			}
			next = append(next, longer)

			kept := len(next)
			for _, others := range [...][]string{singular, declined} {
				for _, form := range others {
					next = append(next, cur.extend(form))
				}
			}
			r.nameFirst(&s, next[kept-1:])

			if j+1 == len(r.tokens) || isOr(r.tokens[j+1].key) { // "promotes or" is no "promotor"
				next = next[:kept]
			}
		}

		if s.entry != nil {
			if name.is(KindTreatment) && isBehindPrefix && strings.HasSuffix(r.text[:t.start], " ") {
				break
			}
			name = s
		}
		begun = slices.DeleteFunc(next, cursor.empty)
	}
	return name, word
}

// isBehindPrefix reports whether "pre-" or "post-" leads to token i. They apply to that word alone: CAR-T cells
// "post-allo" are no allogeneic ones.
func (r *reader) isBehindPrefix(i int) bool {
	return i > 0 && (r.tokens[i-1].key == "post" || r.tokens[i-1].key == "pre") &&
		r.tokens[i].start-r.tokens[i-1].end == 1 && r.text[r.tokens[i-1].end] == '-'
}

// extended returns a cursor at token i with token j behind it.
func (r *reader) extended(cur cursor, i, j int) cursor {
	if j == i {
		return r.word(i).begun
	}
	return cur.extend(r.tokens[j].key)
}

// nameFirst gives a span without an entry the first entry that a cursor spells.
func (r *reader) nameFirst(s *span, spelled []cursor) {
	for i := range spelled {
		if s.entry != nil {
			return
		}
		k := spelled[i].key()
		s.entry, s.key = r.entryNamed(k.first, s.first, s.past), k.key
	}
}

// isPhrase reports whether the tokens from i to j may be a phrase of a list.
func (r *reader) isPhrase(listed nameKey, i, j int) bool {
	isSpaced := j > i && strings.Contains(r.text[r.tokens[i].end:r.tokens[j].start], " ") // "bev or" is no "bevor"
	return listed.list != 0 && !r.hasSignWithin(i, j) && !(listed.whole && isSpaced)
}

// listedAs returns the phrase of a list that a cursor spells, unless it is a filler.
func listedAs(at cursor) nameKey {
	if k := at.key(); k.list != 0 && wordLists[k.list-1] != wordsFillers {
		return k
	}
	return nameKey{first: noClaim}
}

// hasSignWithin reports whether a sign and a slash separate tokens from first to last, so that they are no phrase:
// "D-/R+" is not "Dr".
func (r *reader) hasSignWithin(first, last int) bool {
	for i := first; i < last; i++ {
		if gap := r.text[r.tokens[i].end:r.tokens[i+1].start]; gap == "-/" || gap == "+/" {
			return true
		}
	}
	return false
}

// entryNamed returns the first entry, of those in the chain of a claim, whose name counts as the tokens from first to
// past spell it.
func (r *reader) entryNamed(claim int32, first, past int) *Entry {
	for at := claim; at != noClaim; at = r.lexicon.claims[at].next {
		if c := &r.lexicon.claims[at]; r.counts(c, first, past) {
			return &r.lexicon.entries[c.entry]
		}
	}
	return nil
}

// as returns the entry of another kind with the same name as s.
func (r *reader) as(s *span, kind Kind) *Entry {
	e, _ := r.lexicon.Lookup(kind, s.key)
	return e
}

// copiesAt reads a chromosome with a sign for one too many or too few, in a question on a tumour of the blood: +8, -7,
// -Y.
func (r *reader) copiesAt(i int) ([]Variant, int) {
	t := r.tokens[i]

	m := forms("copies").FindStringSubmatch(r.text[max(0, t.start-len(" +")):])
	if m == nil || len(m[2]) != len(t.raw) {
		return nil, 0
	}

	isOfBlood := slices.ContainsFunc(r.tokens, func(t token) bool {
		n, ok := r.lexicon.find(KindTumour, t.key)
		return ok && r.lexicon.within(KindTumour, r.lexicon.entries[n].Name, ofBlood)
	})
	if number, err := strconv.Atoi(m[2]); !isOfBlood || err == nil && (number < 1 || number > 22) {
		return nil, 0
	}

	what := map[string]string{"+": "trisomy ", "-": "monosomy "}[m[1]]
	if m[2] == "Y" {
		what = map[string]string{"+": "gain of ", "-": "loss of "}[m[1]]
	}
	return []Variant{{Name: what + m[2], Change: chromosomalChange}}, len(m[2])
}

// variantAt finds a variant, a cytogenetic change or an HLA type in its notation at token i.
func (r *reader) variantAt(i int) (best span) {
	start := r.tokens[i].start
	if start > 0 && (r.text[start-1] == '+' || r.text[start-1] == '-') {
		if v, n := r.copiesAt(i); n > 0 {
			return span{first: i, past: i + 1, start: start, end: start + n, variants: v}
		}

		if m := forms("arm behind a plus").FindStringSubmatch(r.text[max(0, start-len(" +")):]); m != nil &&
			endsWord(r.text[start:], len(m[1])) {
			v := []Variant{{Name: armChange(m[2], m[3], "gain"), Change: chromosomalChange}}
			return span{first: i, past: i + 1, start: start, end: start + len(m[1]), variants: v}
		}
	}

	if v, n := variantAt(r.text[start:]); n > 0 && !r.isArticle(i) {
		best = span{first: i, start: start, end: start + n, variants: v}
		best.past = r.pastOf(i, best.end)
	}
	return best
}

// isArticle reports whether the "del" before a number at token i is the article of Spanish and Italian, not a deletion:
// "fracción de eyección del 45 %". Beside a gene it is a deletion, unless the number is a percentage.
func (r *reader) isArticle(i int) bool {
	if r.tokens[i].raw != "del" || i+1 == len(r.tokens) || !isDigit(r.tokens[i+1].raw[0]) ||
		r.text[r.tokens[i].end:r.tokens[i+1].start] != " " {
		return false
	}

	isOfGene := len(r.spans) > 0 && r.spans[len(r.spans)-1].isMarker()
	for k := i + 2; k < min(len(r.tokens), i+4) && !isOfGene; k++ { // "del 19 de EGFR"
		_, isOfGene = r.find(KindGene, k)
	}
	isShare := strings.HasPrefix(strings.TrimLeft(r.text[r.tokens[i+1].end:], " "), "%")
	return isShare || !isOfGene && r.languages.has(spanish|italian)
}

// isAfterPart reports whether a setting's name begins with a word like "after" and ends within the longer name of a
// treatment: "dopo chirurgia" in "dopo chirurgia conservativa", where the operation is more precise.
func (r *reader) isAfterPart(name span) bool {
	if !name.is(KindSetting) || r.word(name.first).list.name() != wordsPrior {
		return false
	}

	for i := name.first + 1; i < name.past; i++ {
		if longer, _ := r.namesAt(i); longer.past > name.past && longer.is(KindTreatment) {
			return true
		}
	}
	return false
}
