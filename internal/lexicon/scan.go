package lexicon

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// longestName bounds the words of a name that are tried at each place of a question.
const longestName = 20

// reader takes a question apart: it is cut into spans, each the longest reading at its place; then spans are joined to
// tumours, alterations, biomarkers and drugs.
type reader struct {
	lexicon  *Lexicon
	text     string
	tokens   []token
	shouting bool // a sentence all in capitals, where they tell nothing
	small    bool // without any capital, where their absence tells nothing
	german   bool
	typed    bool // by a person, who may write short or slip
	nested   bool // reading what a name stands for
	spans    []span
	fixed    []Correction
	unclear  []unclear
	arms     int // the sides of comparisons so far
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
	covered     string // what says already what this span says; with gone
	origin      string // "germline" of gBRCA
	targeted    bool   // a gene named for the drugs against it
	lacking     bool   // a word behind it says that it is not there
	open        bool   // it may be there or not
	plain       bool   // a word to search for, whatever lists have it
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
	noForm    form = iota
	drugForm       // a development code, or the ending of a generic name
	geneForm       // capitals and digits
	setForm        // an age, a performance score, a dose; Value says which
	levelForm      // "≥50%", "1-49%", "CPS 10"
)

func (s *span) is(kind Kind) bool { return s.entry != nil && s.entry.Kind == kind }

// isMarker says that s is a gene or a biomarker, which changes and levels belong to.
func (s *span) isMarker() bool {
	return !s.gone && (s.is(KindGene) || s.is(KindBiomarker) || s.form == geneForm)
}

// isChange says that s is a word or a notation for what has become of a marker.
func (s *span) isChange() bool {
	return !s.gone && (s.is(KindChange) || len(s.variants) > 0 || s.form == levelForm)
}

func (r *reader) scan() {
	for i := 0; i < len(r.tokens); {
		found := r.at(i)
		if len(found) == 0 {
			found = r.withSign(span{first: i, past: i + 1, start: r.tokens[i].start, end: r.tokens[i].end})
		}
		if s := &found[0]; r.german && s.is(KindChange) && strings.ContainsAny(r.text[s.start:s.end], "äöüÄÖÜ") {
			s.entry = cmp.Or(r.as(s, KindSetting), s.entry) // "ältere" is no French "altéré"
		}
		r.spans = append(r.spans, found...)
		i = max(r.pastOf(i, found[len(found)-1].end), i+1)
	}
}

// at finds the longest reading that begins at token i: one span, or a marker and the sign or variant that is glued to
// it.
func (r *reader) at(i int) []span {
	for _, read := range []func(int) []span{r.classifiedAt, r.advancedAt} {
		if found := read(i); found != nil {
			return found
		}
	}
	best, word := r.namesAt(i)
	for _, other := range []span{r.variantAt(i), r.formAt(i), word} {
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
	for _, read := range []func(int) []span{r.prefixedAt, r.gluedAt, r.shapedAt, r.uncutAt, r.regimenAt, r.trialAt} {
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
	begun := []cursor{r.lexicon.cursor()} // what stands there so far; of adjectives it may be another form
	for j := i; j < len(r.tokens) && j < i+longestName && len(begun) > 0; j++ {
		t := &r.tokens[j]
		other := inflectedWord(t.key)
		s := span{first: i, past: j + 1, start: r.tokens[i].start, end: t.end}
		var next []cursor
		for _, cur := range begun {
			longer := cur.extend(t.key)
			k := longer.key()
			listed := k
			if k.list == 0 && other != t.key {
				listed = listedAs(cur.extend(other))
			}
			if listed.list != 0 && !r.hasSignWithin(i, j) && !(listed.whole && r.hasSpaceWithin(i, j)) {
				word = s
				word.list, word.key = listed.list, listed.key
			}
			if s.entry == nil {
				s.entry, s.key = r.entryNamed(k.first, i, j+1), k.key
			}
			next = append(next, longer)
			declined := text.Each(r.declensions(t.key), cur.extend)
			others := append(text.Each(r.singulars(t), cur.extend), declined...)
			for _, other := range others {
				if s.entry != nil {
					break
				}
				k = other.key()
				s.entry, s.key = r.entryNamed(k.first, i, j+1), k.key
			}
			next = append(next, others...)
		}
		if s.entry != nil {
			if name.is(KindTreatment) && r.isBehindPrefix(i) && strings.HasSuffix(r.text[:t.start], " ") {
				break
			}
			name = s
		}
		begun = slices.DeleteFunc(next, cursor.empty)
	}
	return name, word
}

// romanceEndings are those of participles for another gender or number, with that in which lists have them: "non
// tollerata" is "non tollerato", "prétraitées" is "prétraité".
var romanceEndings = []struct{ from, to string }{{"ata", "ato"}, {"ati", "ato"}, {"ate", "ato"}, {"ada", "ado"},
	{"ados", "ado"}, {"adas", "ado"}, {"ida", "ido"}, {"idos", "ido"}, {"idas", "ido"}, {"uta", "uto"}, {"uti", "uto"},
	{"evios", "evio"}, {"evias", "evia"}, {"osa", "oso"}, {"esa", "eso"}, {"ees", "e"}, {"ee", "e"}}

// inflectedWord is a word in the form in which lists have it, or as it is.
func inflectedWord(word string) string {
	if len(word) < len("usata") || strings.IndexByte("aeis", word[len(word)-1]) < 0 {
		return word
	}
	for _, e := range romanceEndings {
		if stem, ok := strings.CutSuffix(word, e.from); ok {
			return stem + e.to
		}
	}
	return word
}

// listedAs is the phrase of a list that a cursor spells, unless that says nothing.
func listedAs(at cursor) nameKey {
	if k := at.key(); k.list != 0 && wordLists[k.list-1] != wordsFillers {
		return k
	}
	return nameKey{first: noClaim}
}

// isBehindPrefix says that a hyphen joins token i to a word of order, which then is about that token alone: CAR-T cells
// "post-allo" are no allogeneic ones.
func (r *reader) isBehindPrefix(i int) bool {
	return i > 0 && (r.tokens[i-1].key == "post" || r.tokens[i-1].key == "pre") && r.tokens[i].start-r.tokens[i-1].end == 1 &&
		r.text[r.tokens[i-1].end] == '-'
}

// hasSignWithin says that a sign ends one of the tokens from first to last before a stroke, so that they are no phrase:
// "D-/R+" is not "Dr".
func (r *reader) hasSignWithin(first, last int) bool {
	for i := first; i < last; i++ {
		if gap := r.text[r.tokens[i].end:r.tokens[i+1].start]; gap == "-/" || gap == "+/" {
			return true
		}
	}
	return false
}

// hasSpaceWithin says that a space stands between tokens from first to last: "bev or" is no "bevor".
func (r *reader) hasSpaceWithin(first, last int) bool {
	return last > first && strings.Contains(r.text[r.tokens[first].end:r.tokens[last].start], " ")
}

// singulars gives what a plural may be the plural of.
func singulars(key string) []string {
	n := len(key)
	switch {
	case n < 4 || key[n-1] != 's' || key[n-2] == 's':
		return nil
	case strings.HasSuffix(key, "ies"):
		return []string{key[:n-3] + "y", key[:n-1]}
	case strings.HasSuffix(key, "es"):
		return []string{key[:n-1], key[:n-2] + "is", key[:n-2]}
	}
	return []string{key[:n-1]}
}

// singulars leaves a short word in small letters that ends as Greek ones do: of a text that has capitals, "axis" is no
// plural of a short form.
func (r *reader) singulars(t *token) []string {
	if !r.small && len(t.raw) < len("bases") && strings.HasSuffix(t.raw, "is") {
		return nil
	}
	return singulars(t.key)
}

// germanEndings are those of adjectives, and of nouns in the plural.
var germanEndings = []string{"", "e", "er", "es", "en", "em"}

// isGerman says that the question has a word that only German has.
func (r *reader) isGerman() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return germanWords(t.key) })
}

var germanWords = text.Set(`bei beim mit nach der und oder ohne fur von vom wirkt wirken hilft ist im zur zum eine einer
	mein meine wird kann soll patienten patientin patientinnen`)

// declensions gives what else a word of a German question may be if it is an adjective: a name has one of its forms,
// and the question another: "bei akuter myeloischer Leukämie".
func (r *reader) declensions(key string) []string {
	const shortest = 6
	if !r.german || len(key) < shortest {
		return nil
	}
	stem := key
	for _, ending := range germanEndings[1:] {
		if cut, ok := strings.CutSuffix(key, ending); ok {
			stem = cut
		}
	}
	if stem == key {
		return nil
	}
	out := make([]string, 0, len(germanEndings))
	for _, ending := range germanEndings {
		if stem+ending != key {
			out = append(out, stem+ending)
		}
	}
	return out
}

// entryNamed is the entry, of those that claim a name from first, whose name counts where the tokens from first to past
// spell it.
func (r *reader) entryNamed(claim int32, first, past int) *Entry {
	for at := claim; at != noClaim; at = r.lexicon.claims[at].next {
		if c := &r.lexicon.claims[at]; r.counts(c, first, past) {
			return &r.lexicon.entries[c.entry]
		}
	}
	return nil
}

// as is the entry of another kind that has the same name as s.
func (r *reader) as(s *span, kind Kind) *Entry {
	if s.key == "" {
		return nil
	}
	n, ok := r.lexicon.find(kind, s.key)
	if !ok {
		return nil
	}
	return &r.lexicon.entries[n]
}

// isAmountOf says that the number which would end a name belongs to a unit behind it: "FOLFOX 6 months" is no FOLFOX6.
func (r *reader) isAmountOf(first, past int) bool {
	last := past - 1
	if last == first || past == len(r.tokens) || !isDigit(r.tokens[last].raw[0]) || r.text[r.tokens[last].start-1] != ' ' {
		return false
	}
	m := forms("measure").FindString(r.text[r.tokens[last].start:])
	return len(m) > len(r.tokens[last].raw) && endsWord(r.text[r.tokens[last].start:], len(m))
}

func (r *reader) counts(c *claim, first, past int) bool {
	if c.spoken && r.isSpoken(c, first, past) {
		return true
	}
	if c.spoken && !r.typed || past-first > 1 && !r.mayJoin(c, first, past) ||
		past-first == 1 && !r.mayBeOneWord(c.name, first) ||
		c.rule != anyCase && r.isCode(past) || r.isAmountOf(first, past) {
		return false
	}
	if c.rule == anyCase {
		return true
	}
	written := r.written(first, past)
	if written != compact(c.name) && strings.TrimSuffix(written, "s") != compact(c.name) {
		return strings.EqualFold(written, compact(c.name)) && r.countsSmall(c, written, past)
	}
	switch c.rule {
	case guarded:
		return !r.shouting && !r.amongShouting(first, past) || r.besideGenetics(first, past)
	case contextual:
		return r.besideGenetics(first, past)
	case anyCase, asWritten:
	}
	return true
}

// isSpoken says that a short name of the ward in small letters stands in a question with a capital, as a noun of German
// or the first word has: "Cis", "Osi". Another word is none of it: "Ela" is she.
func (r *reader) isSpoken(c *claim, first, past int) bool {
	if !r.typed || past-first > 1 || c.name != strings.ToLower(c.name) {
		return false
	}
	t := &r.tokens[first]
	return t.raw[:1] == strings.ToUpper(c.name[:1]) && t.raw[1:] == c.name[1:] && r.lexicon.wordList(t.key) == 0
}

// countsSmall says that a short form counts in small letters: a marker beside its level or change ("er+", "atm
// mutation"). Where the whole question is in small letters it also counts for a marker beside a variant or a drug that
// acts on it ("ret m918t", "alk … lorlatinib"), and where the word is no everyday one, for a disease ("aml") or a
// biomarker of more than three letters ("dmmr").
func (r *reader) countsSmall(c *claim, written string, past int) bool {
	isRare := r.lexicon.wordList(fold(written)) == 0
	switch e := &r.lexicon.entries[c.entry]; e.Kind {
	case KindGene, KindBiomarker:
		isMarker := e.Kind == KindBiomarker && len(written) > 3 && isRare
		isBesideVariant := past < len(r.tokens) && len(r.variantAt(past).variants) > 0
		return r.isLevelled(past) || r.isChanged(past) || r.small && (isMarker || isBesideVariant ||
			isRare && !r.lexicon.isEnglish(written) && r.isTarget(e.Name))
	case KindTumour, KindCondition:
		return r.small && c.rule == asWritten && len(written) > 2 && isRare
	}
	return false
}

// isTarget says that a drug of the question acts on a gene.
func (r *reader) isTarget(gene string) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		n, isDrug := r.lexicon.find(KindDrug, t.key)
		return isDrug && slices.Contains(r.lexicon.entries[n].Targets, gene)
	})
}

// isChanged says that a word for what becomes of a gene stands right before token past.
func (r *reader) isChanged(past int) bool {
	if past == len(r.tokens) || r.tokens[past].start-r.tokens[past-1].end > 1 {
		return false
	}
	n, ok := r.lexicon.find(KindChange, r.tokens[past].key)
	if !ok {
		for _, single := range singulars(r.tokens[past].key) {
			if n, ok = r.lexicon.find(KindChange, single); ok {
				break
			}
		}
	}
	return ok && slices.Contains(geneticChanges, r.lexicon.entries[n].Name)
}

// isLevelled says that a sign or a level stands right before token past, so that even "er" is a marker there: "er+",
// "pr positive".
func (r *reader) isLevelled(past int) bool {
	if _, n := signAt(r.text[r.tokens[past-1].end:]); n > 0 {
		return true
	}
	if past == len(r.tokens) || r.tokens[past].start-r.tokens[past-1].end > 1 {
		return false
	}
	switch r.tokens[past].key {
	case "positive", "negative", "low", "ultralow", "high":
		return true
	}
	return false
}

// mayBeOneWord guards names that are other words when written as one: T-ALL is TALL, but never "tall", and protein S
// is no "proteins". Short names count in lower case or as written: PTC is no Ptc; and what is left of a name without
// its sign is a number or a label: 73 is no 7+3, Table S1 no S-1.
func (r *reader) mayBeOneWord(name string, first int) bool {
	raw := r.tokens[first].raw
	n, vowels, digits := letters(raw)
	switch {
	case isUpper(name) && !isUpper(raw) && strings.IndexFunc(raw, isAccented) >= 0:
		return false // no short form has accents: "atrás" is not several ATRA
	case raw[0] >= 0x80:
		return true
	case digits && (n == 0 || len(raw) == 2):
		return strings.EqualFold(raw, name)
	case digits:
		return true
	case isPlain(name):
		return n != 3 || raw == name || raw == strings.ToLower(raw)
	case strings.Contains(name, " "):
		return false
	}
	return n > 5 || !vowels || raw == compact(name) || strings.ToLower(raw) == compact(name) || raw == strings.ToUpper(raw)
}

func isUpper(s string) bool { return s == strings.ToUpper(s) }

func isAccented(r rune) bool { return r >= 0x80 && unicode.Is(unicode.Latin, r) }

// isCode says that the short form before token past is the maker's, in the code of a compound, whatever else it may
// stand for: "ICI 182,780" is no checkpoint inhibitor, "PD 0332991" no progressive disease. Doses have fewer digits.
func (r *reader) isCode(past int) bool {
	const digits = 5
	if past == len(r.tokens) || r.text[r.tokens[past-1].end:r.tokens[past].start] != " " {
		return false
	}
	n := 0
	for i := past; i < len(r.tokens) && (i == past || r.isThousands(i-1)); i++ {
		if strings.Trim(r.tokens[i].raw, "0123456789") != "" {
			return false
		}
		n += len(r.tokens[i].raw)
	}
	return n >= digits
}

// isThousands says that a comma alone stands between the digits of token i and three of the next: "182,780".
func (r *reader) isThousands(i int) bool {
	if i+1 >= len(r.tokens) {
		return false
	}
	t, next := r.tokens[i], r.tokens[i+1]
	return r.text[t.end:next.start] == "," && t.raw != "" && isDigit(t.raw[len(t.raw)-1]) && len(next.raw) == 3 &&
		strings.Trim(next.raw, "0123456789") == ""
}

// written is what the tokens spell, as written.
func (r *reader) written(first, past int) string {
	if past == first+1 {
		return r.tokens[first].raw
	}
	var b strings.Builder
	for _, t := range r.tokens[first:past] {
		b.WriteString(t.raw)
	}
	return b.String()
}

// mayJoin guards against names found across words that only happen to stand side by side: a space in the text must be a
// break in the name, or stand between a letter and a digit of a name that counts in any case ("AMG510", "AMG 510").
func (r *reader) mayJoin(c *claim, first, past int) bool {
	breaks := nameBreaks(c.name)
	offset := 0
	for i := first; i+1 < past; i++ {
		t, next := r.tokens[i], r.tokens[i+1]
		offset += len(t.key)
		gap := r.text[t.end:next.start]
		if t.key == "" || next.key == "" || !isJoint(gap, c.name) && !r.isThousands(i) { // a mark alone folds to nothing, and is part of no name
			return false
		}
		if slices.Contains(breaks, offset) {
			continue
		}
		if !strings.Contains(gap, " ") {
			if isRoman(t.raw) && isRoman(next.raw) {
				return false // "stage I/II" is not stage III
			}
			continue
		}
		if c.rule != anyCase || isDigit(t.key[len(t.key)-1]) == isDigit(next.key[0]) {
			return false
		}
	}
	return true
}

func isRoman(s string) bool { return strings.Trim(s, "IVX") == "" }

// isJoint says that a gap may stand within a name: spaces, hyphens and strokes, and signs that the name has itself.
func isJoint(gap, name string) bool {
	return len(gap) <= 8 && !strings.ContainsFunc(gap, func(r rune) bool {
		return !strings.ContainsRune(" -‐‑–/'’\u00a0", r) && !strings.ContainsRune(name, r)
	})
}

// nameBreaks gives the offsets in a name's folded form at which the name is divided.
func nameBreaks(name string) []int {
	tokens := tokenize(name)
	out := make([]int, len(tokens))
	offset := 0
	for i, t := range tokens {
		offset += len(t.key)
		out[i] = offset
	}
	return out
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isShouting says that the question is a sentence all in capitals, where capitals tell nothing. One of symbols and
// names alone is no sentence.
func (r *reader) isShouting() bool {
	return !hasLower(r.text) && slices.ContainsFunc(r.tokens, func(t token) bool {
		n, vowels, digits := letters(t.raw)
		return n >= 4 && vowels && !digits && r.lexicon.first(t.key) == noClaim
	})
}

func hasLower(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }

// amongShouting says that both neighbours are long words in capitals, as in a heading, where capitals tell nothing.
func (r *reader) amongShouting(first, past int) bool {
	long := 0
	for _, i := range []int{first - 1, past} {
		if i >= 0 && i < len(r.tokens) {
			raw := r.tokens[i].raw
			if n, vowels, digits := letters(raw); n < 4 || !vowels || digits || hasLower(raw) {
				return false
			}
			if r.lexicon.first(r.tokens[i].key) != noClaim {
				return false
			}
			long++
		}
	}
	return long > 0
}

// besideGenetics says that a neighbour is a variant, or a word that follows or precedes genes.
func (r *reader) besideGenetics(first, past int) bool {
	if past < len(r.tokens) {
		next := r.tokens[past]
		_, n := variantAt(r.text[next.start:])
		_, change := r.lexicon.find(KindChange, next.key)
		if n > 0 || geneticWords(next.key) || change && next.key != "positive" || actions(next.key) {
			return true
		}
	}
	return first > 0 && (r.tokens[first-1].key == "anti" || r.tokens[first-1].key == "gene" ||
		r.tokens[first-1].key == "mutant")
}

// geneticWords follow a gene's symbol and little else.
var geneticWords = text.Set(`gene genes exon mrna protein kinase receptor promoter polymorphism inhibition d816v`)

// copiesAt reads a chromosome with the sign before it that says whether there is one too many or too few, in a question
// on a tumour of the blood: +8, -7, -Y.
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
	if v, n := r.copiesAt(i); n > 0 {
		return span{first: i, past: i + 1, start: start, end: start + n, variants: v}
	}
	if m := forms("arm behind a plus").FindStringSubmatch(r.text[max(0, start-len(" +")):]); m != nil &&
		endsWord(r.text[start:], len(m[1])) {
		v := []Variant{{Name: armChange(m[2], m[3], "gain"), Change: chromosomalChange}}
		return span{first: i, past: i + 1, start: start, end: start + len(m[1]), variants: v}
	}
	if v, n := variantAt(r.text[start:]); n > 0 {
		best = span{first: i, start: start, end: start + n, variants: v}
		best.past = r.pastOf(i, best.end)
	}
	return best
}
