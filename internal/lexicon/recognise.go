package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/boolean"
)

// maxQuestion bounds, in bytes, what is read of a question; topics have fewer.
const maxQuestion = 8192

// longestName bounds the words of a name that are tried at each place of a question.
const longestName = 10

// Mention is a concept that a question names.
type Mention struct {
	Concept    boolean.Concept
	Name       string   // canonical: "colorectal cancer" for CRC, "KRAS G12C" for KRAS p.Gly12Cys
	Entry      *Entry   // nil for a variant alone, and for a drug or gene known only by the look of its name
	Variant    *Variant // nil where no variant is named
	Targeted   bool     // a gene named for the drugs against it: "SHP2 inhibitor"
	Text       string   // as found
	Start, End int      // bytes in the question
}

// oldDropped is a part of the question that makes no group of a query, with the reason.
type oldDropped struct {
	Text       string
	Why        string // the list that has it: "places", "staging", "minor", "subtypes", "fillers"
	Start, End int
}

// Concepts is what a question is about. All lists are in the question's order.
type Concepts struct {
	Question  string
	Mentions  []Mention
	Modifiers []oldDropped // places, staging, minor modifiers and biomarker subtypes
	Fillers   []oldDropped // question words, and words that say nothing of the topic
	Rest      []oldDropped // words that the dictionary does not know
}

// Recognise finds the concepts of a question: tumours, genes with their variants, drugs, mechanisms and outcomes. At each
// place the longest name wins. It never fails; of a question beyond 8 KB it reads the beginning.
func (l *Lexicon) Recognise(question string) Concepts {
	if len(question) > maxQuestion {
		cut := maxQuestion
		for cut > 0 && !utf8.RuneStart(question[cut]) {
			cut--
		}
		question = question[:cut]
	}
	r := &recogniser{lexicon: l, question: question, tokens: tokenize(question)}
	r.shouting = r.isShouting()
	r.scan()
	r.pair()
	return r.concepts()
}

// isShouting says that the question is a sentence all in capitals, where capitals tell nothing. One of symbols and names
// alone is no sentence.
func (r *recogniser) isShouting() bool {
	return !hasLower(r.question) && slices.ContainsFunc(r.tokens, func(t token) bool {
		n, vowels, digits := letters(t.raw)
		_, known := r.lexicon.index[t.key]
		return n >= 4 && vowels && !digits && !known
	})
}

func hasLower(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }

// span is a part of the question that one reading claims, before genes and variants are joined.
type span struct {
	first, past int // tokens
	start, end  int // bytes
	entry       *Entry
	variants    []Variant
	word        wordList
	action      bool // "inhibitor", "anti-": turns a gene beside it into a class of drugs
	drug        bool // a drug known only by its ending, or by the look of its development code
	symbol      bool // what looks like a gene's symbol, and is in no dictionary
	gone        bool // has become a part of another span
	targeted    bool
}

func (s *span) isGene() bool { return s.entry != nil && s.entry.Kind == KindGene }

type recogniser struct {
	lexicon  *Lexicon
	question string
	tokens   []token
	shouting bool
	spans    []span
}

func (r *recogniser) scan() {
	for i := 0; i < len(r.tokens); {
		found := r.at(i)
		if len(found) == 0 {
			found = []span{{first: i, past: i + 1, start: r.tokens[i].start, end: r.tokens[i].end}}
		}
		r.spans = append(r.spans, found...)
		i = r.pastOf(i, found[len(found)-1].end)
	}
}

// at finds the longest reading that begins at token i: one span, or a gene and the variant that is glued to it.
func (r *recogniser) at(i int) []span {
	best := r.nameAt(i)
	if s := r.variantAt(i); s.end > best.end {
		best = s
	}
	if s := r.wordAt(i); s.end > best.end {
		best = s
	}
	if best.end > 0 {
		best.end = r.closeBracket(best.start, best.end)
		if best.isGene() && strings.HasPrefix(r.question[best.end:], "+") && endsWord(r.question, best.end+1) {
			plus := []Variant{{Name: "positive", Change: alteration, needsGene: true}}
			return []span{best, {first: i, past: best.past, start: best.end, end: best.end + 1, variants: plus}}
		}
		return []span{best}
	}
	t := r.tokens[i]
	if glued := r.gluedAt(i); glued != nil {
		return glued
	}
	if actions[t.key] {
		return []span{{first: i, past: i + 1, start: t.start, end: t.end, action: true}}
	}
	if isDrugName(t.key) {
		return []span{{first: i, past: i + 1, start: t.start, end: t.end, drug: true}}
	}
	return r.symbolAt(i)
}

var (
	codeShapeRE   = lazily(`^[A-Z]{2,5}[- ]?\d{3,7}[A-Za-z]?`)
	symbolShapeRE = lazily(`^(?:CD\d{1,3}|[A-Z]{3,5}\d{1,2}(?:[A-Z]\d{0,2}|[A-Z]{2})?)`)
	trialShapeRE  = lazily(`^NCT\d{8}`)
)

// symbolAt takes what looks like a development code for a drug, and what looks like a symbol for a gene. In a sentence
// all in capitals nothing looks like a symbol.
func (r *recogniser) symbolAt(i int) []span {
	start := r.tokens[i].start
	text := r.question[start:]
	if trialShapeRE().MatchString(text) {
		return nil
	}
	s := span{first: i, start: start}
	if n := len(codeShapeRE().FindString(text)); n > 0 && endsWord(text, n) {
		s.drug, s.end = true, start+n
	} else if n := len(symbolShapeRE().FindString(text)); n > 0 && endsWord(text, n) && !r.shouting {
		s.symbol, s.end = true, start+n
	} else {
		return nil
	}
	s.past = r.pastOf(i, s.end)
	return []span{s}
}

// pastOf is the first token at or after i that begins at end or later.
func (r *recogniser) pastOf(i, end int) int {
	for i < len(r.tokens) && r.tokens[i].start < end {
		i++
	}
	return i
}

// closeBracket takes in the bracket that ends a name such as "del(17p)".
func (r *recogniser) closeBracket(start, end int) int {
	text := r.question[start:end]
	if strings.Count(text, "(") > strings.Count(text, ")") && strings.HasPrefix(r.question[end:], ")") {
		return end + 1
	}
	return end
}

// nameAt finds the longest name of an entry at token i.
func (r *recogniser) nameAt(i int) (best span) {
	key := ""
	for j := i; j < len(r.tokens) && j < i+longestName; j++ {
		key += r.tokens[j].key
		if e := r.holder(key, i, j+1); e != nil {
			best = span{first: i, past: j + 1, start: r.tokens[i].start, end: r.tokens[j].end, entry: e}
			continue
		}
		for _, single := range singulars(key) {
			if e := r.holder(single, i, j+1); e != nil {
				best = span{first: i, past: j + 1, start: r.tokens[i].start, end: r.tokens[j].end, entry: e}
				break
			}
		}
	}
	return best
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

// holder is the entry whose name the tokens from first to past spell, if it counts there.
func (r *recogniser) holder(key string, first, past int) *Entry {
	at, ok := r.lexicon.index[key]
	if !ok {
		return nil
	}
	for ; at >= 0; at = r.lexicon.claims[at].next {
		if c := &r.lexicon.claims[at]; r.counts(c, first, past) {
			return &r.lexicon.entries[c.entry]
		}
	}
	return nil
}

func (r *recogniser) counts(c *claim, first, past int) bool {
	if past-first > 1 && !r.mayJoin(c, first, past) || past-first == 1 && !r.mayBeOneWord(c.name, first) {
		return false
	}
	if c.rule == anyCase {
		return true
	}
	if written := r.written(first, past); written != compact(c.name) && strings.TrimSuffix(written, "s") != compact(c.name) {
		return false
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

// mayBeOneWord guards names that are other words when written as one: T-ALL is TALL, but never "tall", and protein S
// is no "proteins". Short names count in lower case or as written: PTC is no Ptc.
func (r *recogniser) mayBeOneWord(name string, first int) bool {
	raw := r.tokens[first].raw
	n, vowels, digits := letters(raw)
	switch {
	case digits:
		return true
	case isPlain(name):
		return n != 3 || raw == name || raw == strings.ToLower(raw)
	case strings.Contains(name, " "):
		return false
	}
	return n > 5 || !vowels || raw == compact(name) || raw == strings.ToUpper(raw)
}

// written is what the tokens spell, as written.
func (r *recogniser) written(first, past int) string {
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
func (r *recogniser) mayJoin(c *claim, first, past int) bool {
	breaks := nameBreaks(c.name)
	offset := 0
	for i := first; i+1 < past; i++ {
		t, next := r.tokens[i], r.tokens[i+1]
		offset += len(t.key)
		gap := r.question[t.end:next.start]
		if !isJoint(gap, c.name) {
			return false
		}
		if !strings.Contains(gap, " ") || slices.Contains(breaks, offset) {
			continue
		}
		if c.rule != anyCase || isDigit(t.key[len(t.key)-1]) == isDigit(next.key[0]) {
			return false
		}
	}
	return true
}

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

// amongShouting says that both neighbours are long words in capitals, as in a heading, where capitals tell nothing.
func (r *recogniser) amongShouting(first, past int) bool {
	long := 0
	for _, i := range []int{first - 1, past} {
		if i >= 0 && i < len(r.tokens) {
			raw := r.tokens[i].raw
			if n, vowels, digits := letters(raw); n < 4 || !vowels || digits || hasLower(raw) {
				return false
			}
			if _, known := r.lexicon.index[r.tokens[i].key]; known {
				return false
			}
			long++
		}
	}
	return long > 0
}

// besideGenetics says that a neighbour is a variant, or a word that follows or precedes genes.
func (r *recogniser) besideGenetics(first, past int) bool {
	if past < len(r.tokens) {
		next := r.tokens[past]
		_, n := variantAt(r.question[next.start:])
		if n > 0 || geneticWords[next.key] || alterations[next.key] != "" && alterations[next.key] != "positive" || actions[next.key] {
			return true
		}
	}
	return first > 0 && (r.tokens[first-1].key == "anti" || r.tokens[first-1].key == "gene" || r.tokens[first-1].key == "mutant")
}

// geneticWords follow a gene's symbol and little else.
var geneticWords = map[string]bool{"gene": true, "genes": true, "exon": true, "mrna": true, "protein": true, "expression": true,
	"kinase": true, "receptor": true, "promoter": true, "polymorphism": true, "inhibition": true, "d816v": true}

// actions turn the gene before them, or after them, into a class of drugs.
var actions = map[string]bool{"inhibitor": true, "inhibitors": true, "inhibition": true, "inhibiting": true, "blockade": true, "blocker": true, "blockers": true,
	"antagonist": true, "antagonists": true, "agonist": true, "agonists": true, "degrader": true, "degraders": true, "tki": true, "tkis": true,
	"antibody": true, "antibodies": true, "directed": true, "targeted": true, "targeting": true, "anti": true}

// wordAt finds the longest entry of the lists of words at token i.
func (r *recogniser) wordAt(i int) (best span) {
	key := ""
	for j := i; j < len(r.tokens) && j < i+longestName; j++ {
		key += r.tokens[j].key
		if list := r.lexicon.words[key]; list != 0 {
			best = span{first: i, past: j + 1, start: r.tokens[i].start, end: r.tokens[j].end, word: list}
		}
	}
	return best
}

// variantAt finds a variant that begins at token i, by notation or by word.
func (r *recogniser) variantAt(i int) (best span) {
	start := r.tokens[i].start
	if v, n := variantAt(r.question[start:]); n > 0 {
		best = span{first: i, start: start, end: start + n, variants: v}
	}
	if v, n := alterationAt(r.tokens[i:]); n > 0 && r.tokens[i+n-1].end > best.end {
		best = span{first: i, start: start, end: r.tokens[i+n-1].end, variants: []Variant{v}}
	}
	best.past = r.pastOf(i, best.end)
	return best
}

// gluedAt takes apart a gene and a variant written as one word: BRAFV600E, METex14.
func (r *recogniser) gluedAt(i int) []span {
	t := r.tokens[i]
	for cut := min(len(t.raw)-2, 8); cut >= 3; cut-- {
		e, ok := r.lexicon.Lookup(KindGene, t.raw[:cut])
		if !ok {
			continue
		}
		v, n := variantAt(r.question[t.start+cut:])
		if n == 0 || t.start+cut+n < t.end || isDigit(t.raw[cut-1]) && isDigit(t.raw[cut]) {
			continue
		}
		middle, end := t.start+cut, t.start+cut+n
		return []span{{first: i, past: i + 1, start: t.start, end: middle, entry: e},
			{first: i, past: r.pastOf(i, end), start: middle, end: end, variants: v}}
	}
	return nil
}

// drugEndings are the endings of generic names that nothing else has (SPEC section 2, layer 4, and a few of their kind).
var drugEndings = []string{"inib", "umab", "izumab", "ximab", "rasib", "clib", "lisib", "parib", "ciclib", "degib", "zomib", "leucel", "omab"}

const shortestDrugName = 6

func isDrugName(key string) bool {
	return len(key) >= shortestDrugName && slices.ContainsFunc(drugEndings, func(e string) bool { return strings.HasSuffix(key, e) })
}
