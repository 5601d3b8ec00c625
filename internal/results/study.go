package results

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// study is an abstract prepared for reading.
type study struct {
	title        string
	sentences    []sentence
	subject      map[string]bool // content words of the title
	primary      map[string]bool // content words of the outcome that the abstract calls primary
	rarity       map[string]float64
	compares     arms              // in the title
	long         map[string]string // what an abbreviation stands for
	randomised   bool
	advises      bool // it is a guideline
	isExperiment bool // on cells or animals
	onSafety     bool // the study is about harms
	onFactors    bool // the study is about factors of an outcome
	mentions     func() *wordStats
	cuts         map[string]*scannedText // sentences with their numbers and names
	made         map[string]*Sentence    // those prepared for reading
}

func newStudy(r *evidence.Record) *study {
	s := &study{title: plaintext.Line(r.Title), sentences: sentencesOf(r), long: map[string]string{},
		cuts: map[string]*scannedText{}, made: map[string]*Sentence{}}
	s.subject = TellingWords(s.title)
	s.addShortForms(r)
	s.rarity = s.wordWeights()
	s.primary = s.primaryWords()
	s.onSafety = forms("safety").MatchString(s.title) && !forms("efficacy words").MatchString(s.title)
	s.isExperiment = r.Bucket == evidence.Preclinical || forms("experiment").MatchString(s.title) ||
		slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.part != background && one.has("experiment") })
	s.advises = r.Bucket == evidence.Guideline
	s.compares = titleArms(s.title)
	s.randomised = s.statesRandomised(r)
	s.onFactors = forms("factors").MatchString(s.title)
	s.mentions = sync.OnceValue(s.newWordStats)
	return s
}

// preparedSentence prepares a sentence for reading, once.
func (s *study) preparedSentence(text string) *Sentence {
	one := s.made[text]
	if one == nil {
		one = newSentence(s.scan(text), s.mentions(), s.long)
		s.made[text] = one
	}
	return one
}

// scan reads the numbers and names of a sentence, once.
func (s *study) scan(text string) *scannedText {
	c := s.cuts[text]
	if c == nil {
		c = newScannedText(text)
		s.cuts[text] = c
	}
	return c
}

// primaryWords are the words of the outcome that the abstract calls primary or main.
func (s *study) primaryWords() map[string]bool {
	words := map[string]bool{}
	for i := range s.sentences {
		for _, name := range []string{"primary", "primary behind"} {
			if m := forms(name).FindStringSubmatch(s.sentences[i].text); m != nil {
				for w := range TellingWords(m[1]) {
					words[w] = true
				}
			}
		}

		if len(words) > 0 {
			break
		}
	}
	return words
}

// TellingWords are the content words of a text, each without its ending, so that "improves" matches "improved".
func TellingWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range plaintext.Tokens(text) {
		if !plaintext.StopWords(w) && !commonWords(w) && len(w) > 1 {
			out[stem(w)] = true
		}
	}
	return out
}

// commonWords are too frequent in titles of papers to distinguish them.
var commonWords = plaintext.Set(`cancer cancers tumor tumors tumour tumours carcinoma disease trial trials randomized
	randomised phase systematic review meta analysis clinical effect effects based data group groups associated role
	impact value new high low risk year years rate rates cohort outcome outcomes controlled prospective retrospective
	multicenter multicentre single open label double blind ii iii primary end point endpoint measure measures`)

const stemLength = 6

func stem(w string) string { return plaintext.Head(w, stemLength) }

// Common counts the words that two sets share.
func Common(words, want map[string]bool) int {
	n := 0
	for w := range words {
		if want[w] {
			n++
		}
	}
	return n
}

// ranked are the sentences that may give a result, sorted by how likely they give the primary one.
func (s *study) ranked() []*sentence {
	var out []*sentence

	worth := map[*sentence]float64{}
	for i := range s.sentences {
		if one := &s.sentences[i]; s.mayGiveResult(one) {
			out, worth[one] = append(out, one), s.primaryScore(one)
		}
	}
	slices.SortStableFunc(out, func(a, b *sentence) int { return cmp.Compare(worth[b], worth[a]) })

	out = s.numbersFirst(out)
	for i := range out {
		if i > 0 && worth[out[i]] < worth[out[0]]*leastWorth {
			return out[:i]
		}
	}
	return out
}

// numbersFirst puts the likeliest sentence of the results with a number on the abstract's primary outcome before a
// conclusion without a number: "demonstrated high response rates" is less than "the response rate was 55%".
func (s *study) numbersFirst(ranked []*sentence) []*sentence {
	if len(ranked) == 0 || ranked[0].part != concluded || ranked[0].has("value") {
		return ranked
	}

	i := slices.IndexFunc(ranked, func(one *sentence) bool {
		return one.part == found && one.has("value") && one.has("endpoint") && !one.has("of some") &&
			s.weightedCoverage(one.words, s.primary) > 0
	})
	if i < 1 {
		return ranked
	}
	return slices.Concat(ranked[i:i+1], ranked[:i], ranked[i+1:])
}

// leastWorth is the least worth, relative to the likeliest sentence's.
const leastWorth = 0.4

// hasFinding reports whether a sentence has a word of finding, or a ratio with its value: "median survival was 9 and 6
// months (HR 0.7)". The "grade 3 or higher" of adverse events does not count.
func (one *sentence) hasFinding() bool {
	found, known := one.said["finds"]
	if !known {
		text := forms("at a grade").ReplaceAllString(one.text, "")
		found = forms("finding verb").MatchString(text) || forms("effect").MatchString(text)
		one.said["finds"] = found
	}
	return found
}

// mayGiveResult excludes what is no result: notes on the paper, plans, background, methods.
func (s *study) mayGiveResult(one *sentence) bool {
	switch {
	case evidence.IsNote(one.text), one.part == background, one.has("planned"):
		return false
	case one.has("aim") && !one.hasFinding() && !one.has("statistic"):
		return false
	case one.part == methods: // the labels of some abstracts were lost, and a result stands among the methods
		return one.has("compared") && one.has("ratio") && one.has("statistic")
	}
	return true
}

// primaryScore is how likely a sentence gives the primary result: the sum of the signs for and against it.
func (s *study) primaryScore(one *sentence) float64 {
	w := 0.0
	for _, sign := range signs {
		w += sign.weight * sign.in(s, one)
	}
	return w
}

// resultsBefore counts the sentences with a result before this one.
func (s *study) resultsBefore(one *sentence) int {
	n := 0
	for i := range s.sentences[:one.order] {
		before := &s.sentences[i]
		if (before.part == found || before.part == unknown) && before.has("statistic") && before.hasFinding() &&
			!before.has("characteristics") {
			n++
		}
	}
	return n
}

// longForms returns the long forms of the abbreviations in a text.
func (s *study) longForms(text string) string {
	var out []string
	for _, w := range plaintext.Tokens(text) {
		if long := cmp.Or(s.long[w], s.long[strings.TrimSuffix(w, "s")]); long != "" {
			out = append(out, long)
		}
	}
	return strings.Join(out, " ")
}

// addShortForms adds the abbreviations of names in the title: "trazodone (TRZ)".
func (s *study) addShortForms(r *evidence.Record) {
	for _, m := range forms("short form").FindAllStringSubmatch(s.title+". "+plaintext.Line(r.AbstractText()), -1) {
		short, long := strings.ToLower(m[2]), spelledOut(m[2], m[1])
		for _, part := range strings.FieldsFunc(short, func(r rune) bool { return r == '/' || r == '+' }) {
			if part != short && s.long[part] == "" {
				s.long[part], _, _ = strings.Cut(spelledOut(part, m[1]), " ") // "A plus B (A/B)"
			}
		}

		if long == "" || s.long[short] != "" || forms("ratio").MatchString(m[2]) {
			continue
		}

		s.long[short] = long
		if len(strings.Fields(long)) <= subjectWords && Common(TellingWords(long), s.subject) > 0 {
			s.subject[stem(short)] = true
		}
	}
}

// subjectWords is how many words a short form may stand for to count as much as a word of the title.
const subjectWords = 3

// spelledOut is the end of a phrase that begins with an abbreviation's first letter and has all its letters in order:
// "undergone conserving surgery" is "conserving surgery" for CS. It is empty if the phrase has none.
func spelledOut(short, phrase string) string {
	words := strings.Fields(strings.ToLower(phrase))

	words = words[max(0, len(words)-max(subjectWords, len(short))):]
	for i := range words {
		long := strings.Join(words[i:], " ")
		if strings.EqualFold(long[:1], short[:1]) && hasLetters(long, short) {
			return long
		}
	}
	return ""
}

// hasLetters reports whether a text has the letters of a word in order.
func hasLetters(text, word string) bool {
	for _, r := range strings.ToLower(word) {
		if !unicode.IsLetter(r) {
			continue
		}

		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}

// wordWeights weigh a word higher the fewer sentences have it.
func (s *study) wordWeights() map[string]float64 {
	count := map[string]int{}
	for i := range s.sentences {
		for w := range s.sentences[i].words {
			count[w]++
		}
	}

	out := map[string]float64{}
	for w, n := range count {
		out[w] = math.Log(1 + float64(len(s.sentences))/float64(n))
	}
	return out
}

// weightedCoverage is the share of the wanted words that a sentence has; rare ones count more.
func (s *study) weightedCoverage(has, want map[string]bool) float64 {
	var got, all []float64
	for w := range want {
		if r := s.rarity[w]; r > 0 {
			all = append(all, r)
			if has[w] {
				got = append(got, r)
			}
		}
	}

	if len(all) == 0 {
		return 0
	}
	return sumInOrder(got) / sumInOrder(all)
}

// sumInOrder adds in order of size: floating-point sums depend on the order, and map order varies.
func sumInOrder(values []float64) float64 {
	slices.Sort(values)

	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func (s *study) statesRandomised(r *evidence.Record) bool {
	if forms("randomised").MatchString(s.title) {
		return true
	}

	for _, t := range r.PublicationTypes {
		if forms("randomised").MatchString(t.Name) {
			return true
		}
	}
	return slices.ContainsFunc(s.sentences, func(one sentence) bool {
		return (one.part == methods || one.part == unknown) && one.has("randomised")
	})
}
