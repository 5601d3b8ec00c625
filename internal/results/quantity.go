package results

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	plaintext "dossier/internal/text"
)

//go:embed quantity_forms.txt
var quantityFormTable string

// quantityForms gives an expression of quantityFormTable by its name.
var quantityForms = plaintext.Forms(quantityFormTable)

// Measure is what a number counts. Times are converted to days, or to months if given in months or years, so that "1
// year" is "12 months"; a dose's measure is its unit, such as "mg/kg".
type Measure string

// What a number counts.
const (
	NoMeasure       Measure = ""      // no measure found
	Percent         Measure = "%"     //
	ConfidenceLevel Measure = "level" // the 95 of "95% CI"
	Days            Measure = "days"
	Months          Measure = "months"
	Hours           Measure = "hours"
	People          Measure = "people" // n=, patients, events
	Things          Measure = "things" // some other noun follows
	Fold            Measure = "fold"
	PValue          Measure = "p"
	Calendar        Measure = "year" // 1900 to 2099 without a unit
	HazardRatio     Measure = "HR"
	OddsRatio       Measure = "OR"
	RelativeRisk    Measure = "RR"
	Phase           Measure = "phase"
	Stage           Measure = "stage"
	Grade           Measure = "grade"
)

// Quantity is a number in a text with what it counts.
type Quantity struct {
	plaintext.Span
	Value    float64
	Written  float64 // the value before its conversion to days or months
	Measure  Measure
	Op       byte // of a p-value: '=', '<' or '>'
	Pair     int  // for an end of a range: +1 if the other end is the next quantity, -1 if it is the one before
	Interval bool // an end of a confidence interval or another range named as such
	Spelled  bool // written as a word
	Loose    bool // took its measure across a comma, which is doubtful
}

// Quantities finds the numbers in a text, in order, except numbers in names (G12C, PD-1, 5-FU).
func Quantities(text string) []Quantity {
	qs := mergeQuantities(labelled(text), digits(text), spelled(text))
	measureRight(text, qs)
	measureLeft(text, qs)
	pairRanges(text, qs)
	inherit(text, qs)
	nameRest(text, qs)
	return qs
}

// mergeQuantities joins lists in order of place; if two numbers overlap, the one of the earlier list wins.
func mergeQuantities(lists ...[]Quantity) []Quantity {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Quantity) int { return cmp.Compare(a.Start, b.Start) })

	out := all[:0]
	for _, q := range all {
		if len(out) == 0 || !q.Overlaps(out[len(out)-1].Span) {
			out = append(out, q)
		}
	}
	return out
}

// BehindNumber is the text after a place, as far as a unit or a noun may be.
func BehindNumber(text string, at int) string { return text[at:min(len(text), at+reach)] }

// digits finds the numbers written in digits.
func digits(text string) []Quantity {
	var out []Quantity
	for _, m := range quantityForms("number").FindAllStringIndex(text, -1) {
		s := plaintext.Span{Start: m[0], End: m[1]}
		if strings.ContainsAny(text[s.Start:s.Start+1], ".") && quantityForms("abbreviated").MatchString(text[:s.Start]) {
			s.Start++ // "66 vs.45%"
		}

		value := parseNumber(s.In(text))
		if n, size := plaintext.Exponent(text[s.End:]); size > 0 { // 10⁸ is not 10
			s.End += size
			value = math.Pow(value, float64(n))
		}

		if !partOfName(text, s) {
			out = append(out, Quantity{Span: s, Value: value, Written: value})
		}
	}
	return out
}

// parseNumber reads "1,234", ".51", "0·51" and the decimal comma of "0,51". Text too long for a number is infinite, and
// equals only itself.
func parseNumber(s string) float64 {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '·':
			return '.'
		case '\u2009', '\u202f', '\u00a0':
			return -1
		}
		return r
	}, s)
	if groups := strings.Split(s, ","); len(groups) > 1 {
		whole, _, _ := strings.Cut(groups[len(groups)-1], ".")
		if len(groups) == 2 && len(whole) != 3 {
			s = strings.Replace(s, ",", ".", 1)
		} else {
			s = strings.ReplaceAll(s, ",", "")
		}
	}

	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v
	}
	return math.Inf(1)
}

// partOfName reports whether a number is part of a word such as G12C, KRYSTAL-1, 5-FU or 2nd, or of a name such as exon
// 19.
func partOfName(text string, s plaintext.Span) bool {
	if quantityForms("exon").MatchString(text[max(0, s.Start-10):s.Start]) {
		return true
	}

	before, size := utf8.DecodeLastRuneInString(text[:s.Start])
	if unicode.IsLetter(before) || before == '_' || before == '#' {
		return true
	}

	if strings.ContainsRune("-‐‑", before) {
		if r, _ := utf8.DecodeLastRuneInString(text[:s.Start-size]); unicode.IsLetter(r) {
			return true
		}
	}

	after, size := utf8.DecodeRuneInString(text[s.End:])
	if strings.ContainsRune("-‐‑", after) {
		after, _ = utf8.DecodeRuneInString(text[s.End+size:])
	}
	rest := BehindNumber(text, s.End)
	return unicode.IsLetter(after) && after != 'º' && !quantityForms("measure after").MatchString(rest) &&
		!quantityForms("people after").MatchString(rest)
}

// labelled finds phases, stages and grades, in digits or Roman.
func labelled(text string) []Quantity {
	var out []Quantity
	for _, m := range quantityForms("phase, stage or grade").FindAllStringSubmatchIndex(text, -1) {
		kind := Measure(strings.ToLower(text[m[2]:m[3]]))
		for _, n := range quantityForms("step of a scale").FindAllStringIndex(text[m[4]:m[5]], -1) {
			s := plaintext.Span{Start: m[4] + n[0], End: m[4] + n[1]}
			step := stepValue(s.In(text))
			out = append(out, Quantity{Span: s, Value: step, Written: step, Measure: kind})
		}
	}
	return out
}

func stepValue(s string) float64 {
	if i := slices.Index([]string{"I", "II", "III", "IV"}, strings.ToUpper(s)); i >= 0 {
		return float64(i + 1)
	}
	return parseNumber(s)
}

var (
	smallNums = numberWords(
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 1, 1)
	tens = numberWords("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
)

func numberWords(words string, first, step float64) map[string]float64 {
	out := map[string]float64{}
	for i, w := range strings.Fields(words) {
		out[w] = first + step*float64(i)
	}
	return out
}

// spelled finds the numbers from one to 999 written as words.
func spelled(text string) []Quantity {
	var out []Quantity
	for _, m := range quantityForms("number in words").FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string { return strings.ToLower(text[max(0, m[2*i]):max(0, m[2*i+1])]) }

		q := Quantity{Span: plaintext.Span{Start: m[0], End: m[1]}, Spelled: true,
			Value: tens[group(2)] + smallNums[group(3)] + smallNums[group(4)] +
				tens[group(5)] + smallNums[group(6)] + smallNums[group(7)]}
		if group(1) != "" {
			q.Value += 100 * max(1, smallNums[group(1)]) // "a hundred"
		}

		q.Written = q.Value
		if group(8) != "" {
			q.Measure = Fold
		}
		out = append(out, q)
	}
	return out
}

// measureRight reads the measure behind each number.
func measureRight(text string, qs []Quantity) {
	for i := range qs {
		q := &qs[i]
		if q.Measure != NoMeasure {
			continue
		}

		rest := BehindNumber(text, q.End)
		if m := quantityForms("measure after").FindStringSubmatchIndex(rest); m != nil {
			q.setMeasure(rest, m)
		} else if m := quantityForms("people after").FindStringSubmatch(rest); m != nil && allAdjectives(m[1]) {
			q.Measure = People
		}
	}
}

// measuresAfter are the measures of the groups of the form "measure after", with the factor to their scale; a dose's
// measure is its unit.
var measuresAfter = [...]struct {
	measure Measure
	factor  float64
}{{Months, 1}, {Months, 12}, {Days, 7}, {Days, 1}, {Hours, 1}, {Fold, 1}, {Percent, 1}, {NoMeasure, 1}}

func (q *Quantity) setMeasure(rest string, m []int) {
	for i, after := range measuresAfter {
		from, to := m[2*i+2], m[2*i+3]
		if from < 0 {
			continue
		}
		q.End += m[1]

		q.Measure, q.Value = after.measure, q.Value*after.factor
		switch {
		case q.Measure == NoMeasure:
			unit := strings.ToLower(rest[from:to])
			q.Measure = Measure(strings.NewReplacer(" ", "", "μ", "µ", "mcg", "µg", "m²", "m2").Replace(unit))
		case q.Measure == Percent && quantityForms("level").MatchString(rest[m[1]:]):
			q.Measure = ConfidenceLevel
		}
		return
	}
}

// noAdjectives separate a number from the people behind them.
var noAdjectives = plaintext.Set(
	`in of with for and or to vs versus on at by than from was were is are had among compared the a`)

// allAdjectives reports whether no word separates a number from the people it counts: "88 evaluable patients", not "960
// in patients".
func allAdjectives(words string) bool {
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), noAdjectives)
}

// reach is how far from a number its label or its unit may be, in bytes.
const reach = 90

// measureLeft reads the label before each number without a unit behind it: ratios, p-values and n.
func measureLeft(text string, qs []Quantity) {
	for i := range qs {
		q := &qs[i]
		before := textBefore(text, qs, i)

		q.Interval = quantityForms("interval name").MatchString(before)
		if q.Measure != NoMeasure || q.Spelled {
			continue
		}

		if m := quantityForms("p-value").FindStringSubmatch(before); m != nil && (m[1] != "" || m[2] != "") {
			q.Measure, q.Op = PValue, comparison(m[2])
		} else if quantityForms("n equals").MatchString(before) {
			q.Measure = People
		} else if m := quantityForms("ratio").FindStringSubmatch(before); m != nil && !q.Interval {
			named := slices.IndexFunc(m[1:], func(group string) bool { return group != "" })
			q.Measure = []Measure{HazardRatio, OddsRatio, RelativeRisk}[named]
		}
	}
}

// textBefore is the text between a number and the one before it, within reach and the sentence.
func textBefore(text string, qs []Quantity, i int) string {
	from := max(0, qs[i].Start-reach)
	if i > 0 {
		from = max(from, min(qs[i-1].End, qs[i].Start))
	}

	for from < qs[i].Start && !utf8.RuneStart(text[from]) {
		from++
	}

	before := text[from:qs[i].Start]
	if spans := plaintext.SentenceSpans(before); len(spans) > 1 {
		return before[spans[len(spans)-1].Start:]
	}
	return before
}

func comparison(op string) byte {
	switch op {
	case "<", "<=", "≤":
		return '<'
	case ">", ">=", "≥":
		return '>'
	}
	return '='
}

// pairRanges finds which numbers are the two ends of a range.
func pairRanges(text string, qs []Quantity) {
	for i := 0; i+1 < len(qs); i++ {
		a, b := &qs[i], &qs[i+1]
		if a.Pair != 0 || a.End > b.Start || a.Spelled != b.Spelled || a.Measure == ConfidenceLevel || isStep(a.Measure) ||
			isStep(b.Measure) {
			continue
		}
		gap := text[a.End:b.Start]
		named := a.Interval && quantityForms("interval by comma").MatchString(gap)

		between := strings.TrimSpace(gap) == "and" && quantityForms("between").MatchString(textBefore(text, qs, i))
		if quantityForms("range").MatchString(gap) || named || between {
			a.Pair, b.Pair, b.Interval = 1, -1, a.Interval
		}
	}
}

// isStep reports whether a number is a step of a scale, not a count: a phase, a stage, a grade.
func isStep(m Measure) bool { return m == Phase || m == Stage || m == Grade }

// inherit gives numbers without a measure the next one's, if the two belong together: "41 vs 23%", "12 of 88 patients".
func inherit(text string, qs []Quantity) {
	for i := len(qs) - 2; i >= 0; i-- {
		a, b := &qs[i], &qs[i+1]
		if a.Measure != NoMeasure || a.End > b.Start || b.Measure == NoMeasure || b.Measure == ConfidenceLevel ||
			b.Measure == PValue || isStep(b.Measure) {
			continue
		}
		gap := text[a.End:b.Start]

		isTime := b.Measure == Days || b.Measure == Months || b.Measure == Hours
		switch {
		case quantityForms("joined").MatchString(gap), b.Measure == People && quantityForms("out of").MatchString(gap),
			isTime && quantityForms("bracket opens").MatchString(gap):
			a.take(b, text)
		case quantityForms("behind a comma").MatchString(gap):
			a.take(b, text)
			a.Loose = true
		}
	}
}

// take takes over b's measure, and converts the value to b's scale.
func (q *Quantity) take(b *Quantity, text string) {
	if isYear(q.Value) && !strings.ContainsAny(q.In(text), ".,") && b.Measure != People {
		return
	}

	q.Measure = b.Measure
	if written := parseNumber(quantityForms("number").FindString(b.In(text))); b.Measure != People && written > 0 {
		q.Value *= b.scale(written)
	}
}

// scale is the factor by which a number in years or weeks was multiplied.
func (q *Quantity) scale(written float64) float64 {
	if q.Measure == Months || q.Measure == Days {
		for _, factor := range []float64{12, 7} {
			if SameNumber(q.Value, factor*written) {
				return factor
			}
		}
	}
	return 1
}

func isYear(v float64) bool { return v >= 1900 && v < 2100 && v == math.Trunc(v) }

// nameRest finds calendar years, and numbers with some noun behind them, among bare ones.
func nameRest(text string, qs []Quantity) {
	for i := range qs {
		q := &qs[i]
		if q.Measure != NoMeasure {
			continue
		}

		if isYear(q.Value) && len(q.In(text)) == 4 && !q.Spelled {
			q.Measure = Calendar
			continue
		}

		m := quantityForms("any noun").FindStringSubmatch(BehindNumber(text, q.End))
		if m == nil || plaintext.StopWords(strings.ToLower(m[1])) {
			continue
		}

		if !slices.Contains([]string{"versus", "compared", "respectively"}, strings.ToLower(m[1])) {
			q.Measure = Things
		}
	}
}

// SameNumber compares two numbers, allowing only for the rounding of binary fractions.
func SameNumber(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// BornOut reports whether a statement's number agrees with a record's. A number without a measure on either side agrees
// with any; callers have to compare the two ends of a named interval together.
func BornOut(told, record Quantity) bool {
	switch {
	case told.Measure == PValue && record.Measure == PValue:
		return pBornOut(told, record)
	case !SameNumber(told.Value, record.Value) && !isRounded(told, record) && !isUnmeasured(told, record):
		return false
	case told.Measure == record.Measure, record.Measure == NoMeasure, told.Measure == NoMeasure, told.Loose, record.Loose:
		return !isStep(record.Measure) || told.Measure == record.Measure
	case strings.HasPrefix(string(record.Measure), string(told.Measure)+"/d"): // "150 mg a day" of 150 mg/day
		return true
	case told.Measure == People:
		return record.Measure == Things || record.Measure == Calendar
	case told.Measure == Things:
		return record.Measure == People || record.Measure == Calendar
	}
	return false
}

// isUnmeasured reports whether two numbers are written alike and only one of them has a measure: the 25 of "under 25"
// may be years. Numbers below ten are alike by chance.
func isUnmeasured(told, record Quantity) bool {
	isOneUnmeasured := (told.Measure == NoMeasure) != (record.Measure == NoMeasure)
	return isOneUnmeasured && told.Written >= 10 && SameNumber(told.Written, record.Written)
}

// isRounded reports whether a share or a time is the record's with fewer decimals. A number rounded to zero is another
// number.
func isRounded(told, record Quantity) bool {
	if told.Measure != record.Measure || told.Value == 0 ||
		told.Measure != Percent && told.Measure != Months && told.Measure != Days {
		return false
	}

	for _, unit := range []float64{1, 0.1} {
		if n := math.Round(told.Value / unit); SameNumber(n*unit, told.Value) {
			return math.Abs(record.Value-told.Value) <= unit/2+1e-9
		}
	}
	return false
}

// pBornOut also accepts what follows from the record: with its p = 0.003, "p < 0.01" holds.
func pBornOut(told, record Quantity) bool {
	if SameNumber(told.Value, record.Value) {
		return told.Op == record.Op
	}

	switch told.Op {
	case '<':
		return record.Op != '>' && record.Value < told.Value
	case '>':
		return record.Op != '<' && record.Value > told.Value
	}
	return false
}

// CountsWorks reports whether the words behind a number are studies, records and the like.
func CountsWorks(rest string) bool { return quantityForms("works counted").MatchString(rest) }
