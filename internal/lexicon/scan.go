package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	nested   bool // reading what a name stands for
	spans    []span
	fixed    []Correction
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
		r.spans = append(r.spans, found...)
		i = max(r.pastOf(i, found[len(found)-1].end), i+1)
	}
}

// at finds the longest reading that begins at token i: one span, or a marker and the sign or variant that is glued to
// it.
func (r *reader) at(i int) []span {
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
	for _, read := range []func(int) []span{r.prefixedAt, r.gluedAt, r.shapedAt} {
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
	cur := r.lexicon.cursor()
	for j := i; j < len(r.tokens) && j < i+longestName; j++ {
		t := &r.tokens[j]
		next := cur.extend(t.key)
		s := span{first: i, past: j + 1, start: r.tokens[i].start, end: t.end}
		k := next.key()
		if k.list != 0 {
			word = s
			word.list, word.key = k.list, k.key
		}
		s.entry, s.key = r.entryNamed(k.first, i, j+1), k.key
		for _, single := range singulars(t.key) {
			if s.entry != nil {
				break
			}
			k = cur.extend(single).key()
			s.entry, s.key = r.entryNamed(k.first, i, j+1), k.key
		}
		if s.entry != nil {
			name = s
		}
		if next.empty() {
			break
		}
		cur = next
	}
	return name, word
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

func (r *reader) counts(c *claim, first, past int) bool {
	if past-first > 1 && !r.mayJoin(c, first, past) || past-first == 1 && !r.mayBeOneWord(c.name, first) {
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

// countsSmall says that a short form counts in small letters: a marker beside its level or change ("er+", "atm
// mutation"), and a disease where the whole question is in small letters and the word is no everyday one ("aml").
func (r *reader) countsSmall(c *claim, written string, past int) bool {
	switch r.lexicon.entries[c.entry].Kind {
	case KindGene, KindBiomarker:
		return r.isLevelled(past) || r.isChanged(past)
	case KindTumour, KindCondition:
		return r.small && c.rule == asWritten && len(written) > 2 && r.lexicon.wordList(fold(written)) == 0
	}
	return false
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
// is no "proteins". Short names count in lower case or as written: PTC is no Ptc.
func (r *reader) mayBeOneWord(name string, first int) bool {
	raw := r.tokens[first].raw
	n, vowels, digits := letters(raw)
	switch {
	case digits || raw[0] >= 0x80:
		return true
	case isPlain(name):
		return n != 3 || raw == name || raw == strings.ToLower(raw)
	case strings.Contains(name, " "):
		return false
	}
	return n > 5 || !vowels || raw == compact(name) || raw == strings.ToUpper(raw)
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
		if t.key == "" || next.key == "" || !isJoint(gap, c.name) { // a mark alone folds to nothing, and is part of no name
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
		if n > 0 || geneticWords[next.key] || change && next.key != "positive" || actions[next.key] {
			return true
		}
	}
	return first > 0 && (r.tokens[first-1].key == "anti" || r.tokens[first-1].key == "gene" ||
		r.tokens[first-1].key == "mutant")
}

// geneticWords follow a gene's symbol and little else.
var geneticWords = text.Set(`gene genes exon mrna protein kinase receptor promoter polymorphism inhibition d816v`)

// variantAt finds a variant, a cytogenetic change or an HLA type in its notation at token i.
func (r *reader) variantAt(i int) (best span) {
	start := r.tokens[i].start
	if v, n := variantAt(r.text[start:]); n > 0 {
		best = span{first: i, start: start, end: start + n, variants: v}
		best.past = r.pastOf(i, best.end)
	}
	return best
}

// withSign parts a marker, or what has become of one, from the plus or minus that is glued to it: HER2+, ER-/PR-,
// PD-L1(-), T790M-, "EGFR mutation-", MSI-H-. A sign that nothing takes stays a word: it is never lost.
func (r *reader) withSign(s span) []span {
	found := []span{s}
	if s.is(KindBiomarker) {
		if level, n := letterAt(r.text[s.end:]); n > 0 {
			found = r.signed(found, level, n)
		}
	}
	if !s.isMarker() && !s.isChange() {
		return r.withFinding(s)
	}
	end := found[len(found)-1].end
	if sign, n := signAt(r.text[end:]); !r.isSuspended(end, n) {
		found = r.signed(found, sign, n)
	}
	return found
}

// signed adds to spans the change of that name that has n bytes behind the last of them.
func (r *reader) signed(spans []span, name string, n int) []span {
	last := spans[len(spans)-1]
	e, ok := r.lexicon.Lookup(KindChange, name)
	if n == 0 || !ok {
		return spans
	}
	return append(spans, span{first: last.past - 1, past: last.past, start: last.end, end: last.end + n, entry: e,
		key: e.Name})
}

// withFinding parts what was looked for from the sign that says whether it was found: MRD-, PET+, HIV-, LN+. The sign
// is a part of the name where there is one in words: LN+ is node-positive.
func (r *reader) withFinding(s span) []span {
	isOther := s.entry == nil && s.list == 0 && s.form == noForm
	short := s.end-s.start <= longestShort
	if !isOther && !s.is(KindSetting) && !s.is(KindCondition) || r.shouting && (s.entry == nil || !short) {
		return []span{s}
	}
	sign, n := signAt(r.text[s.end:])
	if n == 0 || !r.mayBeSigned(&s, sign) || r.isSuspended(s.end, n) {
		return []span{s}
	}
	for _, kind := range []Kind{KindSetting, KindCondition} {
		if e, ok := r.lexicon.Lookup(kind, r.written(s.first, s.past)+"-"+sign); ok {
			s.entry, s.end, s.key = e, s.end+n, fold(e.Name)
			return []span{s}
		}
	}
	return r.signed([]span{s}, sign, n)
}

// longestShort is how long, in bytes, a short form is that is told by its length.
const longestShort = 4

// mayBeSigned says whether a sign right behind span s says that it was found, or was not: it does behind a short form,
// and a plus does behind any word that the dictionary does not know. A hyphen may stand for the end of a word that
// follows ("Pre- and postoperative"), but hardly behind a short word with a capital that begins no sentence: "Rh-".
func (r *reader) mayBeSigned(s *span, sign string) bool {
	raw := r.tokens[s.past-1].raw
	switch {
	case isShortForm(raw):
		return true
	case s.entry != nil || s.past != s.first+1:
		return false
	case sign == "positive":
		return len(raw) > 1
	}
	return s.first > 0 && len(raw) <= longestShort && unicode.IsUpper(rune(raw[0]))
}

// isShortForm says that a word is written as short forms are, with a capital that is not only its first letter, and is
// no Roman number, behind which a plus means more.
func isShortForm(raw string) bool {
	_, first := utf8.DecodeRuneInString(raw)
	return (len(raw) == first || strings.ContainsFunc(raw[first:], unicode.IsUpper)) && unicode.IsLetter(rune(raw[0])) &&
		!isRoman(raw)
}

// aspectAlteration is the aspect of the settings that say more of an alteration: germline, activating, uncommon.
const aspectAlteration = "alteration"

// withChange parts what is said of a change from the word for the change: "germline mutation" says that there is one.
func (r *reader) withChange(s span) []span {
	last := r.tokens[s.past-1]
	for _, key := range append([]string{last.key}, singulars(last.key)...) {
		n, ok := r.lexicon.find(KindChange, key)
		if !ok || s.past-s.first < 2 {
			continue
		}
		change := &r.lexicon.entries[n]
		whole := s.past
		s.past, s.end = whole-1, r.tokens[whole-2].end
		return []span{s, {first: whole - 1, past: whole, start: last.start, end: last.end, entry: change,
			key: fold(change.Name)}}
	}
	return []span{s}
}

// letterAt reads the letter that says a biomarker's level: MSI-H, TMB-L.
func letterAt(rest string) (name string, n int) {
	if len(rest) < 2 || rest[0] != '-' && rest[0] != ' ' || !endsWord(rest, 2) {
		return "", 0
	}
	switch rest[1] {
	case 'H':
		return "high", 2
	case 'L':
		return "low", 2
	}
	return "", 0
}

// isSuspended says that the hyphen at a place stands for the end of a word that follows: "MYB- or MYBL1-altered",
// "G12C- and G12D-mutated". Before a low level it does not: "ER- and HER2-low".
func (r *reader) isSuspended(at, n int) bool {
	next := r.pastOf(0, at+n)
	if r.text[at:at+n] != "-" || next+1 >= len(r.tokens) || !listWords[r.tokens[next].key] {
		return false
	}
	member := &r.tokens[next+1]
	_, length := variantAt(r.text[member.start:])
	if hyphen := strings.LastIndexByte(r.text[member.start:member.start+length], '-'); hyphen > 0 {
		length = hyphen
	}
	rest := r.text[max(member.end, member.start+length):]
	return len(rest) > 1 && rest[0] == '-' && !endsWord(rest, 1) && !strings.HasPrefix(rest, "-low") &&
		!strings.HasPrefix(rest, "-ultralow")
}

// signAt reads a plus or minus behind a marker, and how many bytes it has. A hyphen that leads on to a word is no
// minus.
func signAt(rest string) (name string, n int) {
	for _, s := range []struct{ sign, name string }{
		{"+/-", eitherFinding}, {"+/−", eitherFinding}, {"+/–", eitherFinding}, {"-/+", eitherFinding},
		{"±", eitherFinding},
		{"(+)", "positive"}, {"(-)", "negative"}, {"(−)", "negative"}, {"(–)", "negative"}, {"+", "positive"},
		{" (+)", "positive"}, {" (-)", "negative"}, {" (−)", "negative"}, {" (–)", "negative"},
		{"⁺", "positive"},
		{"-", "negative"}, {"−", "negative"}, {"–", "negative"}, {"⁻", "negative"},
	} {
		if strings.HasPrefix(rest, s.sign) && endsWord(rest, len(s.sign)) {
			if s.name == "negative" && leadsOn(rest[len(s.sign):]) {
				return "", 0
			}
			return s.name, len(s.sign)
		}
	}
	return "", 0
}

// longestSign is how long, in bytes, a plus or minus may be.
const longestSign = len("+/−")

// eitherFinding is the change of a marker that may be positive or negative.
const eitherFinding = "positive or negative"

// leadsOn says that a hyphen was only parted from the word it leads to: "HIV- associated", "HER2- positive".
func leadsOn(rest string) bool {
	word, isApart := strings.CutPrefix(rest, " ")
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = word[:end]
	}
	return isApart && ledTo[strings.ToLower(word)]
}

// ledTo are words that a hyphen joins to what stands before it.
var ledTo = text.Set(`associated related positive negative infected induced driven mutated mutant directed guided based
	specific targeted targeting free rearranged amplified low high expressing mutation mutations fusion fusions
	rearrangement rearrangements translocation amplification expression overexpression altered harboring harbouring
	bearing dependent addicted inhibitor inhibitors inhibition tki tkis mutiert mutierte mutierter mutierten mutiertes
	positiv positive positiver positiven negativ negative negativer negativen`)

// prefixedAt reads what is written as one word with a letter before or behind it: gBRCA1, EGFRm, KMT2Ar, mCRC, aNSCLC.
func (r *reader) prefixedAt(i int) []span {
	t := r.tokens[i]
	if spans := r.twofoldAt(i); spans != nil {
		return spans
	}
	if len(t.raw) < 4 || !text.IsASCII(t.raw) {
		return nil
	}
	if t.raw[0] == 'g' || t.raw[0] == 's' {
		r.tokens[i] = token{t.start + 1, t.end, t.raw[1:], foldWord(t.raw[1:])}
		found := r.changedAt(i)
		if s, _ := r.namesAt(i); s.is(KindGene) && !hasLower(t.raw[1:]) {
			found = r.withSign(s)
		}
		r.tokens[i] = t
		if found != nil {
			found[0].start, found[0].origin = t.start, map[byte]string{'g': "germline", 's': "somatic"}[t.raw[0]]
			return found
		}
	}
	if found := r.changedAt(i); found != nil {
		return found
	}
	return r.stagedAt(i)
}

// changedAt reads a gene and the letter behind it that says what has become of it: EGFRm, KMT2Ar.
func (r *reader) changedAt(i int) []span {
	t := r.tokens[i]
	cut := len(t.raw) - 1
	change, known := r.lexicon.Lookup(KindChange, map[byte]string{'m': "mutation", 'r': "fusion"}[t.raw[cut]])
	e, ok := r.lexicon.Lookup(KindGene, t.raw[:cut])
	if !ok || !known || hasLower(t.raw[:cut]) {
		return nil
	}
	gene := span{first: i, past: i + 1, start: t.start, end: t.end - 1, entry: e, key: fold(e.Name)}
	return append([]span{gene}, r.withSign(span{first: i, past: i + 1, start: t.end - 1, end: t.end, entry: change,
		key: change.Name})...)
}

// stagePrefixes are the letters that say the stage before a tumour's short form, the longest first.
var stagePrefixes = []struct{ letters, stage string }{
	{"nm", "non-metastatic"}, {"RR", "relapsed or refractory"}, {"ND", "newly diagnosed"}, {"LA", "locally advanced"},
	{"la", "locally advanced"},
	{"m", "metastatic"}, {"a", "advanced"}, {"u", "unresectable"},
}

// twofold are short forms that say two things, each with the letters that say the first. One entry for both would lose
// one of them.
var twofold = map[string]struct {
	letters       int
	first, second Kind
	names         [2]string
}{
	"CRLM": {2, KindTumour, KindSetting, [2]string{"colorectal cancer", "liver metastases"}},
	"CLM":  {1, KindTumour, KindSetting, [2]string{"colorectal cancer", "liver metastases"}},
	"MBC":  {1, KindSetting, KindTumour, [2]string{"metastatic", "breast cancer"}},
	"EBC":  {1, KindSetting, KindTumour, [2]string{"early-stage", "breast cancer"}},
	"LABC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "breast cancer"}},
	"LARC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "rectal cancer"}},
	"LAPC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "pancreatic cancer"}},
	"PROC": {2, KindSetting, KindTumour, [2]string{"platinum resistance", "ovarian cancer"}},
	"PSOC": {2, KindSetting, KindTumour, [2]string{"platinum sensitivity", "ovarian cancer"}},
	"mUC":  {1, KindSetting, KindTumour, [2]string{"metastatic", "urothelial carcinoma"}},
	"NACT": {1, KindSetting, KindClass, [2]string{"neoadjuvant", "chemotherapy"}},
	"laUC": {2, KindSetting, KindTumour, [2]string{"locally advanced", "urothelial carcinoma"}},
}

// twofoldAt reads a short form that says two things: CRLM, LARC.
func (r *reader) twofoldAt(i int) []span {
	t := r.tokens[i]
	both, ok := twofold[t.raw]
	if !ok {
		return nil
	}
	first, found := r.lexicon.Lookup(both.first, both.names[0])
	second, known := r.lexicon.Lookup(both.second, both.names[1])
	if !found || !known {
		return nil
	}
	cut := t.start + both.letters
	return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: first, key: fold(first.Name)},
		{first: i, past: i + 1, start: cut, end: t.end, entry: second, key: fold(second.Name)}}
}

// stagedAt reads mCRC as metastatic CRC, and RRMM as relapsed or refractory MM.
func (r *reader) stagedAt(i int) []span {
	t := r.tokens[i]
	for _, p := range stagePrefixes {
		short, ok := strings.CutPrefix(t.raw, p.letters)
		if !ok || len(short) < 2 || hasLower(short) {
			continue
		}
		e, known := r.lexicon.Lookup(KindTumour, short)
		setting, said := r.lexicon.Lookup(KindSetting, p.stage)
		if !known || !said || !slices.Contains(e.Abbreviations, short) {
			continue
		}
		cut := t.start + len(p.letters)
		return []span{{first: i, past: i + 1, start: t.start, end: cut, entry: setting, key: fold(setting.Name)},
			{first: i, past: i + 1, start: cut, end: t.end, entry: e, key: fold(short)}}
	}
	return nil
}

// gluedAt takes apart a gene and a variant written as one word: BRAFV600E, METex14.
func (r *reader) gluedAt(i int) []span {
	t := r.tokens[i]
	for cut := min(len(t.raw)-2, 8); cut >= 3; cut-- {
		e, ok := r.lexicon.Lookup(KindGene, t.raw[:cut])
		if !ok {
			continue
		}
		v, n := variantAt(r.text[t.start+cut:])
		if n == 0 || t.start+cut+n < t.end || isDigit(t.raw[cut-1]) && isDigit(t.raw[cut]) {
			continue
		}
		middle, end := t.start+cut, t.start+cut+n
		gene := span{first: i, past: i + 1, start: t.start, end: middle, entry: e, key: fold(e.Name)}
		return append([]span{gene}, r.withSign(span{first: i, past: r.pastOf(i, end), start: middle, end: end,
			variants: v})...)
	}
	return nil
}
