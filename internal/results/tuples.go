package results

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/quantity"
	plaintext "dossier/internal/text"
)

// Tuple is one sentence read as results: which number belongs to which arm and outcome, what is said of the direction,
// and which interval and probability belong to which ratio.
type Tuple struct {
	plaintext.Span // of the sentence, in the text that was read
	Text           string
	Values         []Value
	Ratios         []Ratio
	Claims         []Claim

	// Among is the words of the patients of whom alone the sentence tells; empty where it tells of all of the study's.
	Among map[string]bool

	sides sides // with which it was read
}

// Read reads another sentence with the arms that this one compares, so that both can be held against each other.
func (t *Tuple) Read(s *Sentence) Tuple { return s.read(t.sides) }

// Sentence is a text made ready to be read with any arms.
type Sentence struct {
	text       string
	quantities []quantity.Quantity
	outcomes   []Outcome
	contrasts  []contrast
	local      arms // those that it compares itself
}

// NewSentence makes a sentence ready to be read.
func NewSentence(text string) *Sentence { return newSentence(newCut(text), nil) }

// newSentence makes a sentence of an abstract ready to be read, of which it is known how the abstract names things.
func newSentence(c *cut, m *mentions) *Sentence {
	text := c.text
	s := &Sentence{text: text, quantities: c.quantities, outcomes: Outcomes(text)}
	s.contrasts = contrastsIn(c, m)
	if i := slices.IndexFunc(s.contrasts, func(c contrast) bool { return c.isPaired && c.areLocal() }); i >= 0 {
		s.local = s.contrasts[i].arms
	} else {
		s.local = armsByWords(text)
	}
	return s
}

// Value is a number with the arm and the outcome that it belongs to.
type Value struct {
	quantity.Quantity        // its place is in the sentence
	Side              int    // the study's arm, 0 or 1; -1 where it is told of none
	Arm               string // as written; empty where it is not told
	Own, Other        map[string]bool
	Near              map[string]bool // the words before its brackets; nil where it stands in none
	Outcome           Outcome
}

// Ratio is a hazard, odds or risk ratio with what stands behind it, as far as it is told.
type Ratio struct {
	quantity.Quantity
	Low, High, P *quantity.Quantity
	Near         map[string]bool // the words before its brackets; nil where it stands in none
	Outcome      Outcome
}

// Claim is what a clause says of one arm against the other on one outcome.
type Claim struct {
	plaintext.Span           // of the words that tell it, in the sentence
	Side           int       // of whom it is told; -1 where that can't be told
	Direction      Direction // Better, Worse or Null
	Outcome        Outcome
	Significant    evidence.Ternary
	Counted        bool // it rests on two numbers that are compared, and not on words
	Gainsaid       bool // its own probability, interval or hazard ratio says otherwise
}

// Reading reads texts on one record: the abstract itself, or a statement that cites it.
type Reading struct {
	study *study
	sides sides
}

// NewReading makes a record ready to be read.
func NewReading(r *evidence.Record) *Reading {
	s := newStudy(r)
	return &Reading{s, s.sidesOfStudy()}
}

// IsCompared says that the study has two arms that are told.
func (r *Reading) IsCompared() bool { return r.sides.isTold() }

// IsExperiment says that the study is on cells or animals.
func (r *Reading) IsExperiment() bool { return r.study.isExperiment }

// IsObservational says that the abstract tells of a study in which nothing was assigned, and of no trial.
func (r *Reading) IsObservational() bool {
	s := r.study
	return !s.randomised && !forms("trial").MatchString(s.title) &&
		slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.has("observational") })
}

// Abstract reads the record's title and the sentences of its abstract that tell results; plans, aims and methods tell
// none.
func (r *Reading) Abstract() []Tuple {
	var out []Tuple
	for i := range r.study.sentences {
		if one := &r.study.sentences[i]; one.part != background || one.has("statistic") {
			t := r.Of(one.text)
			t.Among = r.among(one.text)
			out = append(out, t)
		}
	}
	return append(out, r.Of(r.study.title))
}

// among is the words of a part of the study's patients that a sentence names, but for those by which the title and the
// sentences on enrolment tell of all of them.
func (r *Reading) among(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range forms("of a part").FindAllString(bare(text), -1) {
		maps.Copy(out, TellingWords(m))
	}
	all := TellingWords(strings.Join(r.OfAll(), " "))
	maps.DeleteFunc(out, func(w string, _ bool) bool {
		return all[w] || r.sides.words[0][w] || r.sides.words[1][w] || IsFinding(w)
	})
	return out
}

// NamesPart says that a text tells of a part of the patients, by whatever words.
func NamesPart(text string) bool {
	text = bare(text)
	return forms("of a part").MatchString(text) || forms("after what").MatchString(text)
}

// OfAll is what tells of all of the study's patients: its title, and the sentences on its aim, methods and enrolment.
func (r *Reading) OfAll() []string {
	out := []string{r.study.title}
	for i := range r.study.sentences {
		if one := &r.study.sentences[i]; one.part <= methods || one.has("enrolled") {
			out = append(out, one.text)
		}
	}
	return out
}

// Of reads a sentence of the abstract, or of a statement on it: with the arms that it compares itself, unless these are
// the study's, or none.
func (r *Reading) Of(text string) Tuple {
	s := r.study.ready(text)
	own, other := r.sides.sideNamed(s.local.own), r.sides.sideNamed(s.local.other)
	if !s.local.areLocal() || own >= 0 && other == 1-own {
		return s.read(r.sides)
	}
	pair := r.study.withShort(r.study.withLong(sidesOf(s.local)))
	if haveBoth(pair.in(text)) || s.local.other == otherGroup && own < 0 {
		return s.read(pair)
	}
	return s.read(r.sides)
}

func haveBoth(mentions []mention) bool {
	return slices.ContainsFunc(mentions, func(m mention) bool { return m.side != mentions[0].side })
}

// read gives a sentence's numbers and directions the arms of a pair.
func (s *Sentence) read(pair sides) Tuple {
	t := Tuple{Text: s.text, Span: plaintext.Span{End: len(s.text)}, sides: pair}
	mentions := pair.in(s.text)
	t.Values = s.values(&pair, mentions)
	for i := range t.Values {
		t.Values[i].Outcome = outcomeAt(t.Values[i].Quantity, nextStart(t.Values, i, s.text), s.outcomes)
	}
	listOutcomes(s.text, t.Values, s.outcomes)
	t.Ratios = ratiosOf(s.text, s.quantities, s.outcomes)
	t.Claims = claimsOf(s.text, s.quantities, s.outcomes, mentions)
	t.Claims = append(t.Claims, countedClaims(s.text, s.quantities, t.Values)...)
	return t
}

// listOutcomes gives numbers that are listed behind as many outcomes theirs ("PFS and OS were 4 and 9 months,
// respectively"), and none to those of which it can't be told.
func listOutcomes(text string, values []Value, found []Outcome) {
	a := aligned{text: text}
	from := 0
	for i := 0; i < len(values); {
		n := a.group(values[i:])
		group := values[i : i+n]
		start := from
		i += n
		from = group[n-1].End
		if n < 2 || !forms("listed behind").MatchString(withoutSpread(text[group[n-1].End:])) {
			continue
		}
		var named []Outcome
		for _, o := range found {
			if o.Start >= start && o.End <= group[0].Start && (len(named) == 0 || named[len(named)-1].Name != o.Name) {
				named = append(named, o)
			}
		}
		for k := range group {
			switch {
			case len(named) == n:
				group[k].Outcome = named[k]
			case len(named) > 1:
				group[k].Outcome = Outcome{}
			}
		}
	}
}

func nextStart(values []Value, i int, text string) int {
	if i+1 < len(values) {
		return values[i+1].Start
	}
	return len(text)
}

// isArmed says that a number may be one arm's.
func isArmed(q quantity.Quantity) bool {
	switch q.Measure {
	case quantity.Level, quantity.Hazard, quantity.Odds, quantity.Relative, quantity.Calendar,
		quantity.Phase, quantity.Stage, quantity.Grade, quantity.Fold:
		return false
	}
	return q.Pair == 0
}

// isRatio says that a number is a ratio, which may be one arm's against a third.
func isRatio(q quantity.Quantity) bool {
	switch q.Measure {
	case quantity.Hazard, quantity.Odds, quantity.Relative:
		return q.Pair == 0
	}
	return false
}

// values gives a sentence's numbers their arms.
func (s *Sentence) values(pair *sides, mentions []mention) []Value {
	var out []Value
	for _, q := range s.quantities {
		if (isArmed(q) || isRatio(q)) && !forms("a spread").MatchString(s.text[:q.Start]) {
			out = append(out, Value{Quantity: q, Side: -1})
		}
	}
	nearWords(s.text, out)
	a := aligned{s.text, mentions}
	for i := range s.contrasts {
		s.contrasts[i].align(pair, out)
	}
	out = slices.DeleteFunc(out, func(v Value) bool { return isRatio(v.Quantity) && v.Arm == "" })
	for i := 0; i < len(out); {
		n := a.group(out[i:])
		if out[i].Arm == "" {
			a.align(out, i, i+n)
		}
		i += n
	}
	for i := range out {
		if k := out[i].Side; k >= 0 && out[i].Arm == "" {
			out[i].Arm, out[i].Own, out[i].Other = pair.names[k], pair.own[k], pair.own[1-k]
			if len(out[i].Own) == 0 {
				out[i].Own = pair.words[k]
			}
		}
	}
	return out
}

// align gives the numbers of a contrast the arms that it compares: those of the pair, where its own are these.
func (c *contrast) align(pair *sides, values []Value) {
	if !c.areTold() {
		return
	}
	own := sidesOf(c.arms)
	x, y := pair.sideOfArm(c.own), pair.sideOfArm(c.other)
	switch {
	case !c.isPaired:
		x, y = -1, -1
	case c.other == otherGroup && x >= 0:
		y = 1 - x
	case c.own == otherGroup && y >= 0:
		x = 1 - y
	}
	if x >= 0 && x == y {
		x, y = -1, -1
	}
	for i := range values {
		v := &values[i]
		at, side := 0, x
		switch {
		case v.Arm != "":
			continue
		case v.Start >= c.x.Start && v.End <= c.x.End:
		case v.Start >= c.y.Start && v.End <= c.y.End:
			at, side = 1, y
		default:
			continue
		}
		v.Side, v.Arm, v.Own, v.Other = side, own.names[at], own.own[at], own.own[1-at]
		if len(v.Own) == 0 {
			v.Own = own.words[at]
		}
		if side >= 0 && v.Arm == otherGroup {
			v.Arm, v.Own = pair.names[side], pair.own[side]
		}
	}
}

// nearWords gives the numbers that stand in brackets the words before these, which name what they are of:
// "hypothyroidism (9.5%)".
func nearWords(text string, values []Value) {
	from := 0
	for i := range values {
		v := &values[i]
		if before := text[min(from, v.Start):v.Start]; forms("in brackets").MatchString(before) {
			v.Near = TellingWords(before)
		}
		from = v.End
	}
}

// aligned gives numbers to the arms that stand beside them.
type aligned struct {
	text     string
	mentions []mention
}

// valueReach is how far apart, in bytes, two numbers that are compared may stand.
const valueReach = 160

// group counts how many of the values, from the first on, are told together: a list, or two of one measure with the
// word between them that compares.
func (a *aligned) group(values []Value) int {
	n := 1
	for ; n < len(values); n++ {
		x, y := values[n-1], values[n]
		gap := withoutSpread(a.text[min(x.End, y.Start):y.Start])
		if y.Measure != x.Measure || (x.Side < 0) != (y.Side < 0) || len(gap) > valueReach ||
			strings.Count(gap, "(") != strings.Count(gap, ")") {
			break
		}
		if !forms("listed").MatchString(gap) && (n > 1 || !forms("compares values").MatchString(gap)) {
			break
		}
	}
	return n
}

func withoutSpread(text string) string { return forms("spread").ReplaceAllString(text, "") }

// between are the mentions in a part of the text, one for each time that the arm changes.
func (a *aligned) between(from, to int) []mention {
	var out []mention
	for _, m := range a.mentions {
		if m.Start >= from && m.End <= to && (len(out) == 0 || out[len(out)-1].side != m.side) {
			out = append(out, m)
		}
	}
	return out
}

// align gives the values of a group, all but the last bound, their arms.
func (a *aligned) align(all []Value, from, to int) {
	if len(a.mentions) == 0 {
		return
	}
	start, end := 0, len(a.text)
	if from > 0 {
		start = all[from-1].End
	}
	if to < len(all) {
		end = all[to].Start
	}
	group := all[from:to]
	first, last := &group[0], &group[len(group)-1]
	before, behind := a.between(start, first.Start), a.between(last.End, end)
	if len(before) == 0 {
		before = a.between(a.clauseAt(first.Start), first.Start) // told once, for several numbers
	}
	switch {
	case len(group) == 1:
		first.Side = a.single(first, before, behind, end)
	case len(group) == 2 && a.isAsBefore(all, from):
		first.Side, last.Side = all[from-2].Side, all[from-1].Side
	case len(group) == 2:
		a.two(first, last, before, behind)
	case len(behind) == 1 && forms("respectively for").MatchString(a.text[last.End:behind[0].Start]):
		for i := range group {
			group[i].Side = behind[0].side
		}
	case len(before) == 1:
		for i := range group {
			group[i].Side = before[0].side
		}
	}
}

// isAsBefore says that two numbers are told in the order of the two before them: "7% after A and 4% after B, and
// infections in 8% and 2%".
func (a *aligned) isAsBefore(all []Value, from int) bool {
	if from < 2 || all[from-2].Side < 0 || all[from-1].Side != 1-all[from-2].Side {
		return false
	}
	gap := a.text[all[from].End:all[from+1].Start]
	for _, m := range a.mentions {
		if m.Start >= all[from-1].End && m.End <= all[from].Start && !a.isBeside(&all[from-1], m) {
			return false
		}
	}
	return forms("listed").MatchString(withoutSpread(gap)) && !forms("opposes values").MatchString(gap)
}

// clauseAt is where the clause begins that a place is in.
func (a *aligned) clauseAt(place int) int {
	start := 0
	for _, c := range Clauses(a.text) {
		if c.Start <= place {
			start = c.Start
		}
	}
	return start
}

// blankBrackets keeps every byte in its place.
func blankBrackets(text string) string {
	return forms("brackets").ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// two gives two numbers that are compared their arms.
func (a *aligned) two(x, y *Value, before, behind []mention) {
	gap := a.text[x.End:y.Start]
	joint := len(gap)
	if m := forms("joint").FindStringIndex(blankBrackets(gap)); m != nil {
		joint = m[0]
	}
	own, next := a.between(x.End, x.End+joint), a.between(x.End+joint, y.Start)
	rest := a.text[y.End:]
	other := func(side int) int { // "41% and 23%" may be of one arm, "41% versus 23%" are not
		if forms("opposes values").MatchString(gap) {
			return 1 - side
		}
		return -1
	}
	switch {
	case len(own) > 0 && len(next) > 0:
		x.Side, y.Side = own[0].side, next[0].side
	case len(own) > 0:
		x.Side = own[0].side
		y.Side = other(x.Side)
	case len(next) > 0:
		y.Side = next[0].side
		x.Side = other(y.Side)
	case len(behind) > 1 && (forms("respectively").MatchString(rest) || len(before) == 0) && a.isBeside(y, behind[0]):
		x.Side, y.Side = behind[0].side, behind[1].side
	case len(behind) > 0 && len(before) < 2 && a.isBeside(y, behind[0]) && !forms("closed").MatchString(a.between2(y,
		behind[0])):
		y.Side = behind[0].side
		x.Side = other(y.Side)
	case len(before) > 1:
		x.Side, y.Side = before[len(before)-2].side, before[len(before)-1].side
		if forms("compared first").MatchString(a.text[:before[len(before)-2].Start]) {
			x.Side, y.Side = y.Side, x.Side
		}
	case len(before) == 1:
		x.Side = before[0].side
		if forms("is compared").MatchString(a.text[:before[0].Start]) {
			x.Side = 1 - x.Side
		}
		if y.Side = other(x.Side); y.Side < 0 {
			y.Side = x.Side
		}
	}
}

func (a *aligned) between2(v *Value, m mention) string { return a.text[v.End:m.Start] }

// isBeside says that an arm's name follows a number as the one that it is of: "in 41% of patients given A".
func (a *aligned) isBeside(v *Value, m mention) bool {
	return forms("of an arm").MatchString(a.between2(v, m))
}

// single gives a number that is compared with no other its arm.
func (a *aligned) single(v *Value, before, behind []mention, end int) int {
	if len(behind) > 0 && behind[0].End <= end && a.isBeside(v, behind[0]) {
		return behind[0].side
	}
	if len(before) == 0 && len(behind) == 1 && len(a.between(0, len(a.text))) == 1 {
		return behind[0].side // the only arm that is named
	}
	if len(before) == 0 {
		return -1
	}
	m := before[len(before)-1]
	if len(before) > 1 && v.Measure == quantity.People {
		return -1 // "A was compared with B in 402 patients"
	}
	if len(before) > 1 && forms("is compared").MatchString(a.text[:m.Start]) {
		m = before[len(before)-2]
	}
	return m.side
}

// ratiosOf finds the ratios of a sentence, each with the interval and the probability that stand behind it.
func ratiosOf(text string, qs []quantity.Quantity, found []Outcome) []Ratio {
	var out []Ratio
	from := 0
	for i := range qs {
		q := &qs[i]
		switch q.Measure {
		case quantity.Hazard, quantity.Odds, quantity.Relative:
			if q.Pair == 0 {
				r := Ratio{Quantity: *q, Outcome: outcomeAt(*q, q.End, found)}
				if before := text[min(from, q.Start):q.Start]; forms("in brackets").MatchString(before) {
					r.Near = TellingWords(before)
				}
				out = append(out, r)
				from = q.End
				continue
			}
		}
		if len(out) == 0 {
			continue
		}
		r := &out[len(out)-1]
		switch {
		case q.Measure == quantity.PValue && r.P == nil:
			r.P = q
		case q.Pair == 1 && r.Low == nil && r.P == nil:
			r.Low, r.High = q, &qs[i+1]
		}
	}
	return out
}

// Holds says whether the interval holds its estimate and has its ends in order; true where it is not told.
func (r *Ratio) Holds() bool {
	return r.Low == nil || r.Low.Value <= r.Value && r.Value <= r.High.Value
}

// HoldsOne says that the interval has 1 in it, where it is told.
func (r *Ratio) HoldsOne() bool { return r.Low != nil && r.Low.Value < 1 && r.High.Value > 1 }

const significance = 0.05

// isBelow says that a probability is below the usual bound of significance.
func isBelow(p *quantity.Quantity) bool {
	return p.Op != '>' && (p.Value < significance || p.Op == '<' && p.Value <= significance)
}

// countedClaims read a direction from two numbers that are compared: one for each arm, of one measure and outcome.
func countedClaims(text string, qs []quantity.Quantity, values []Value) []Claim {
	var out []Claim
	for i := range values {
		if i == 0 {
			continue
		}
		x, y := &values[i-1], &values[i]
		alike := x.Measure == y.Measure && x.Outcome.Name != "" && x.Outcome.Name == y.Outcome.Name
		if !alike || x.Side < 0 || y.Side != 1-x.Side || x.Value == y.Value || x.Outcome.Name == "follow-up" {
			continue
		}
		c := Claim{Span: plaintext.Span{Start: x.Start, End: y.End}, Side: x.Side, Outcome: x.Outcome, Counted: true,
			Significant: evidence.Unknown}
		c.Direction = Better
		if (x.Value > y.Value) == x.Outcome.Bad {
			c.Direction = Worse
		}
		for _, clause := range Clauses(text) {
			if clause.Start <= x.Start && y.End <= clause.End {
				c.Significant = significantAt(qs, y.End, clause.End)
				c.weighCounted(ratiosOf(text, qs, nil), clause)
			}
		}
		if c.Significant == evidence.No {
			c.Direction = Null
		}
		out = append(out, c)
	}
	return out
}

// significantAt tells by the first probability between two places.
func significantAt(qs []quantity.Quantity, from, to int) evidence.Ternary {
	for i := range qs {
		if q := &qs[i]; q.Measure == quantity.PValue && q.Start >= from && q.End <= to {
			if isBelow(q) {
				return evidence.Yes
			}
			return evidence.No
		}
	}
	return evidence.Unknown
}

// weighCounted takes an interval that holds 1 for no significance, where no probability is told.
func (c *Claim) weighCounted(ratios []Ratio, clause plaintext.Span) {
	for _, r := range ratios {
		if r.Start >= c.End && r.End <= clause.End && c.Significant == evidence.Unknown && r.HoldsOne() {
			c.Significant = evidence.No
		}
	}
}
