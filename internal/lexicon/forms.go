package lexicon

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms returns an expression of formTable by its name.
var forms = text.Forms(formTable)

// formAt reads an age, a performance score or a dose at token i.
func (r *reader) formAt(i int) (best span) {
	start := r.tokens[i].start
	text := r.text[start:]
	s := span{first: i, start: start, form: setForm}

	first := text[0]
	if m := ageAt(text); m != nil && !r.isLasting(i, m) {
		s.end, s.value = start+len(m[0]), "age: "+m[1]+" years"
		if m[2] == "+" {
			s.bound = "≥"
		}
	} else if m := firstMatch(isDigit(first), "measure", text); m != nil && endsWord(text, len(m[0])) {
		s.end, s.value = start+len(m[0]), "measure: "+m[1]+" "+unitOf(m[2])
	} else if years := r.yearsAt(i); years != "" {
		s.end, s.value = start+len(years), "age: "+strings.TrimRight(years, " a")+" years"
	} else if m := firstMatch(isDigit(first) && r.typed, "litres", text); m != nil && endsWord(text, len(m[0])) {
		s.end, s.value = start+len(m[0]), "measure: "+m[1]+" l"
	} else if length, n := r.lengthAt(i); n > 0 {
		s.end, s.value = start+n, "measure: "+length
	} else if m := firstMatch(isDigit(first), "measure before another", text); m != nil { // "2.5 vs 10 mg"
		s.end, s.value = start+len(m[1]), "measure: "+m[1]+" "+unitOf(m[2])
	} else if m := firstMatch(isScale(text), "performance", text); m != nil &&
		endsWord(text, len(m[0])) {
		s.end, s.value = start+len(m[0]), "performance: "+scaleOf(m[1])+" "+
			strings.ReplaceAll(m[3], " ", "")
		s.bound = signOf(m[2])
	} else if m := firstMatch(first == 'C', "child class", text); m != nil && !strings.HasPrefix(text[len(m[0]):], "-") {
		s.end, s.value = start+len(m[0]), "performance: "+childPugh+" "+m[1]
		if e, ok := r.lexicon.Lookup(KindCondition, childPugh+" "+m[1]); ok {
			s.form, s.entry, s.key = noForm, e, fold(e.Name)
		}
	} else if m := firstMatch(strings.IndexByte("cpyrN", first) >= 0, "classification part", text); m != nil &&
		endsWord(text, len(m[0])) { // one that is no setting's name: rT2, pN1a, N2b
		s.end, s.value = start+len(m[0]), "stage: "+m[0]
	} else {
		return best
	}
	s.past = r.pastOf(i, s.end)
	return s
}

// yearsAt returns the age at token i of a question without the word for years: behind "a woman of", in brackets behind
// "Pat.", and before the letter for years, even across a space at the end of a clause ("69 a,"). Elsewhere the letter
// is a word: "900 a 80".
func (r *reader) yearsAt(i int) string {
	in, before := r.text[r.tokens[i].start:], r.text[:r.tokens[i].start]
	if !r.typed || !isDigit(in[0]) {
		return ""
	}
	figures := forms("years of age").FindString(in)

	isBracketed := len(figures) == 2 && strings.HasPrefix(in[2:], ")") && forms("whose age in brackets").MatchString(before)
	if isBracketed || endsWord(in, len(figures)) && forms("whose age").MatchString(before) {
		return figures
	}
	short := forms("years in short").FindString(in)

	rest := in[len(short):]
	if strings.Contains(short, " ") && rest != "" && strings.IndexByte(",;.:)", rest[0]) < 0 {
		return ""
	}
	return short
}

// isScale reports whether a text may begin with the name of a scale of "performance"; most words begin none, and an
// expression would take longer.
func isScale(in string) bool {
	end := strings.IndexFunc(in, func(r rune) bool { return !unicode.IsLetter(r) })
	return end > 0 && end <= len("Deauville") && scales(strings.ToLower(in[:end]))
}

// scaleOf writes a scale's name in one way.
func scaleOf(written string) string {
	name := strings.ToUpper(strings.Fields(written)[0])
	return cmp.Or(scaleNames()[name], name)
}

const childPugh = "Child-Pugh"

// isLasting reports whether an apparent age is a duration: "ibrutinib 5 years".
func (r *reader) isLasting(i int, age []string) bool {
	if strings.HasSuffix(age[0], "f") && i > 0 && !strings.Contains(r.text[r.tokens[i-1].end:r.tokens[i].start], ",") {
		return true // fractions: "RT 70 Gy 35f"
	}
	isOld := strings.Contains(age[0], "old") || strings.HasSuffix(age[0], "alt") || strings.Contains(age[0], "jährig")
	return !isOld && i > 0 && (lasting(r.tokens[i-1].key) || len(age[1]) == 1 && r.isBehindTreatment(i))
}

// isBehindTreatment reports whether a treatment stands right before token i.
func (r *reader) isBehindTreatment(i int) bool {
	if !r.typed || len(r.spans) == 0 {
		return false
	}
	s := &r.spans[len(r.spans)-1]

	gap := r.text[min(s.end, r.tokens[i].start):r.tokens[i].start]
	for at := len(r.spans) - 2; at >= 0 && r.between(at, at+1) == " " &&
		(r.isListed(s, wordsEnded) || s.is(KindSetting) && (s.entry.Aspect == "intent" || s.entry.Aspect == "line")); at-- {
		s = &r.spans[at] // "olaparib maint 2 y", "VDC/IE done 3/24"
	}
	return s.isTreatment() && strings.Trim(gap, " (") == ""
}

// isTreatment reports whether a span names a drug, a class or another treatment, even before its drugs are made.
func (s *span) isTreatment() bool {
	return s.is(KindDrug) || s.is(KindClass) || s.is(KindTreatment) || s.form == drugForm
}

// farthestLength is how far from its beginning a length has its first digit: "jusqu'à septembre de 2024".
const farthestLength = 40

// lengthAt reads how often something was given, or since or until when: "x6", "C1-6", "x14 mo", "since 3/24".
func (r *reader) lengthAt(i int) (value string, n int) {
	in := r.text[r.tokens[i].start:]
	if !r.typed || !strings.ContainsAny(in[:min(len(in), farthestLength)], "0123456789") {
		return "", 0
	}

	if m := forms("times").FindStringSubmatch(in); m != nil && r.isBehindTreatment(i) {
		number := len(m[0]) - len(m[1])
		if unit := forms("measure").FindStringSubmatch(in[number:]); unit != nil && endsWord(in, number+len(unit[0])) {
			return unit[1] + " " + unitOf(unit[2]), number + len(unit[0])
		}

		if endsWord(in, len(m[0])) {
			return m[1] + " cycles", len(m[0])
		}
	}

	isCode := i > 0 && r.text[r.tokens[i-1].end:r.tokens[i].start] == "-"         // "aa-77x AML"
	if m := firstMatch(isDigit(in[0]) && !isCode, "times before", in); m != nil { // "12x TMZ"
		return m[1] + " cycles", len(strings.TrimRight(m[0][:len(m[0])-1], " "))
	}

	if m := firstMatch(isDigit(in[0]) && r.isBehindTreatment(i), "months", in); m != nil && endsWord(in, len(m[0])) {
		return m[1] + " months", len(m[0]) // "sunitinib 9m"
	}

	if m := forms("since so long").FindString(in); m != "" {
		if unit := forms("measure").FindStringSubmatch(in[len(m):]); unit != nil && endsWord(in, len(m)+len(unit[0])) &&
			slices.Contains(lengthUnits, " "+unitOf(unit[2])) {
			return sinceWhen + unit[1] + " " + unitOf(unit[2]), len(m) + len(unit[0])
		}
	}

	if m := forms("since or until").FindStringSubmatch(in); m != nil && endsWord(in, len(m[0])) {
		if m[1] != "" {
			return sinceWhen + m[3], len(m[0])
		}
		return untilWhen + m[3], len(m[0])
	}

	if m := firstMatch(isDigit(in[0]), "years between", in); m != nil && endsWord(in, len(m[0])) {
		return untilWhen + m[2], len(m[0])
	}

	if m := firstMatch(r.isBehindTreatment(i), "in a year", in); m != nil && endsWord(in, len(m[0])) {
		return untilWhen + m[1], len(m[0])
	}
	return "", 0
}

// ageAt reads an age at the beginning of a text; the years of "20y survival" are no age.
func ageAt(in string) []string {
	if !isDigit(in[0]) {
		return nil
	}

	if m := forms("age").FindStringSubmatch(in); m != nil && endsWord(in, len(m[0])) {
		return m
	}
	m := forms("short age").FindStringSubmatch(in)

	isSex := m != nil && !strings.HasSuffix(m[0], "y") // "67M"; 5M and 120M are no one's age
	if m == nil || !endsWord(in, len(m[0])) || isSex && len(m[1]) != 2 {
		return nil
	}

	if behind := tokenize(in[len(m[0]):]); len(behind) > 0 && timed(behind[0].key) {
		return nil
	}
	return m
}

// unitOf writes a unit in one way.
func unitOf(written string) string {
	unit := strings.ToLower(written)
	return cmp.Or(units()[unit], unit)
}

// firstMatch skips an expression that can't match.
func firstMatch(may bool, form, text string) []string {
	if !may {
		return nil
	}
	return forms(form).FindStringSubmatch(text)
}

// shapedAt reads a word with the ending of a generic name, or the look of a development code, as a drug, and one with
// the look of a symbol as a gene. It reads no symbols in a sentence all in capitals.
func (r *reader) shapedAt(i int) []span {
	t := r.tokens[i]
	if r.lexicon.isDrugName(t.key) {
		return []span{{first: i, past: i + 1, start: t.start, end: t.end, form: drugForm}}
	}

	if t.raw[0] < 'A' || t.raw[0] > 'Z' {
		return nil
	}
	text := r.text[t.start:]

	s := span{first: i, start: t.start}
	switch code := forms("code").FindString(text); {
	case forms("trial").MatchString(text):
		return nil
	case code != "" && endsWord(text, len(code)) && !isMeasured(t.raw) && !strings.HasPrefix(code, "KIAA"):
		s.form, s.end = drugForm, t.start+len(code)
	case !r.shouting:
		symbol := forms("symbol").FindString(text)
		if symbol == "" || !endsWord(text, len(symbol)) {
			return nil
		}
		s.form, s.end = geneForm, t.start+len(symbol)
	default:
		return nil
	}

	s.past = r.pastOf(i, s.end)
	if s.form == drugForm {
		return []span{s}
	}
	return r.withSign(s)
}

// levels reads the levels behind biomarkers: "≥50%", "TPS 1-49%", "(CPS ≥ 10)". It runs once the biomarkers are known,
// since a number alone is no level.
func (r *reader) levels() {
	for i := range r.spans {
		s := &r.spans[i]
		if !s.isMarker() || !s.is(KindBiomarker) {
			continue
		}
		rest := r.text[s.end:]
		lead := len(rest) - len(strings.TrimLeft(rest, " -–:("))

		m := forms("level").FindStringSubmatch(rest[lead:])
		if m != nil {
			m[0] = strings.TrimRight(m[0], " ")
			if isScore(s.key) {
				m[1] = s.key // "CPS 15" alone
			}
		}

		if m == nil || !endsWord(rest, lead+len(m[0])) || m[2] == "" && m[4] == "" && m[5] == "" && m[1] == "" ||
			r.goesOn(i, s.end+lead+len(m[0])) {
			continue
		}
		r.take(i, s.end+lead+len(m[0]))

		if m[2] == "" && m[4] == "" {
			m[2], _ = r.boundBehind(i)
		}
		s.value = levelOf(m, s.entry.Name == markerPDL1)
		s.sets = nil
	}
}

// goesOn reports whether a number behind span i that ends at a place begins a longer span, and so is no level: "PD-L1
// over 65 years", "PSA doubling time <6 months".
func (r *reader) goesOn(i, end int) bool {
	return slices.ContainsFunc(r.spans[i+1:], func(s span) bool { return s.start < end && end < s.end })
}

// levelOf writes a level in one way: "≥50%", "1-49%", "≥10"; behind a colon how it was measured. A bare percentage is
// the share of stained tumour cells where the marker has several scores, of which the others are named.
func levelOf(m []string, hasScores bool) string {
	op := map[string]string{">=": "≥", "=>": "≥", "⩾": "≥", "atleast": "≥", "<=": "≤", "⩽": "≤", "morethan": ">",
		"over": ">", "above": ">",
		"lessthan": "<", "below": "<", "under": "<", "=": ""}

	sign := strings.ToLower(strings.Join(strings.Fields(m[2]), ""))
	if short, ok := op[sign]; ok {
		sign = short
	}

	level := sign + m[3]
	if m[4] != "" {
		level = m[3] + "-" + m[4]
	}

	unit := strings.ToLower(strings.ReplaceAll(m[5], " ", ""))
	switch {
	case unit == "%":
		level += "%"
	case strings.HasPrefix(unit, "+"):
		level = "≥" + m[3]
	}
	score := strings.ToUpper(strings.TrimSpace(m[1] + m[6]))

	isShare := strings.HasSuffix(level, "%")
	switch {
	case isShare && score == "" && hasScores:
		score = "TPS"
	case !isShare && (score == "TPS" || score == "TC" || score == "TAP"):
		level += "%"
	}
	return level + ":" + score
}

// take extends span i to end, and takes in the spans that begin before that.
func (r *reader) take(i, end int) {
	s := &r.spans[i]
	for j := i + 1; j < len(r.spans) && r.spans[j].start < end; j++ {
		r.spans[j].gone = true
		s.past = max(s.past, r.spans[j].past)
	}
	s.end = end
}

// The most digits of a value, such as of platelets, and of a dose. Longer numbers identify a person.
const longestValue, longestDose = 6, 4

// counted reads a number alone by its neighbours: right before an earlier treatment as how often it was given ("after 6
// GP"), and behind a measurement as its value, with the one that it rose or fell to ("CrCl 45", "CA 19-9 da 900 a 80").
func (r *reader) counted() {
	measured := -1 // the span of the measurement, if only its values stand behind it
	for i := range r.spans {
		s := &r.spans[i]
		first := &r.tokens[s.first]

		isNumber := !s.gone && s.entry == nil && s.form == noForm && s.past == s.first+1 &&
			len(first.key) <= longestValue && strings.Trim(first.key, "0123456789") == ""
		switch {
		case s.is(KindBiomarker), s.is(KindSetting) && (s.entry.Aspect == "testing" || s.entry.Aspect == "comorbidity"):
			measured = i
		case isNumber && measured >= 0 && !strings.ContainsAny(r.between(measured, i), ",;?"):
			r.take(i, s.end+len(forms("decimals").FindString(r.text[s.end:])))
			s.form, s.value = setForm, aspectMeasure+": "+r.text[s.start:s.end]
			r.spans[measured].figures = true
		case isNumber && len(first.key) <= 2 && i > 0 && r.isListed(&r.spans[i-1], wordsPrior) && i+1 < len(r.spans) &&
			r.spans[i+1].isTreatment() && r.gapAfter(i) == " ":
			s.form, s.value = setForm, aspectMeasure+": "+first.key+" cycles"
		case isNumber && len(first.key) > 1 && len(first.key) <= longestDose && i > 0 && r.spans[i-1].isTreatment() &&
			r.between(i-1, i) == " ":
			s.form, s.value = setForm, aspectMeasure+": "+first.key // a dose: "imatinib 800"
		case !functionWords(first.key) && relationWords()[first.key] == "":
			measured = -1
		}
	}
}
