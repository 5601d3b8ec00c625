package results

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Direction is what a study found for one arm against the other.
type Direction string

// The directions. An empty one is unknown.
const (
	Better      Direction = "better"
	Worse       Direction = "worse"
	Null        Direction = "null"
	NonInferior Direction = "noninferior"
)

func opposite(d Direction) Direction {
	switch d {
	case Better:
		return Worse
	case Worse:
		return Better
	}
	return d
}

// Result is one sentence with a finding of the study, as a tuple.
type Result struct {
	Tuple
	// Primary reports whether the sentence is on the outcome that the abstract calls primary.
	Primary bool
	// Concludes reports whether the sentence belongs to the abstract's conclusions.
	Concludes bool

	reading   *Reading
	sentence  *sentence
	contested bool // a sentence beside it contradicts it on the same outcome
}

// maxResults is how many sentences of one abstract are returned.
const maxResults = 8

// leading is how many of the likeliest sentences may contradict each other.
const leading = 3

// Of reads a record's results; the sentence likeliest to give the primary one comes first. It is empty if the abstract
// gives no result.
func Of(r *evidence.Record) []Result {
	reading := NewReading(r)
	ranked := reading.study.ranked()

	var out []Result
	for _, one := range ranked[:min(len(ranked), maxResults)] {
		out = append(out, Result{
			Tuple: reading.Of(one.text), Concludes: one.part == concluded,
			Primary: one.has("names primary") || Common(one.words, reading.study.primary) > 0,
			reading: reading, sentence: one,
		})
	}

	for i := 1; i < min(len(out), leading); i++ {
		out[0].contested = out[0].contested || out[i].contradicts(&out[0])
	}
	return out
}

// Quoted are the results that give a record's primary one where there is room for a few: the likeliest sentence, and
// those on the same outcome with the same direction, on the primary outcome, or in the conclusions.
func Quoted(all []Result) []Result {
	var out []Result
	for i := range all {
		if r := &all[i]; i == 0 || r.Primary || r.Concludes || r.repeats(&all[0]) {
			out = append(out, *r)
		}
	}
	return out
}

// repeats reports whether a result is on the same outcome with the same direction. If neither names an outcome, the
// words that they share decide.
func (r *Result) repeats(first *Result) bool {
	if r.outcome() != first.outcome() || r.directionFor(0) != first.directionFor(0) {
		return false
	}
	return r.outcome() != "" || Common(TellingWords(r.Text), TellingWords(first.Text)) >= wordsInCommon
}

const wordsInCommon = 3

// outcome is the name of the first outcome of the sentence.
func (r *Result) outcome() string {
	if found := Outcomes(r.Text); len(found) > 0 {
		return found[0].Name
	}
	return ""
}

// contradicts reports whether a result contradicts another one of the same arms on the same outcome.
func (r *Result) contradicts(first *Result) bool {
	side := r.sides.sideNamed(first.sides.names[0])
	if side < 0 || r.outcome() != first.outcome() {
		return false
	}
	named, other := r.directionFor(side), first.directionFor(0)
	return named != "" && other != "" && named != other
}

// For is the sentence's direction for a treatment that names finds in a text: for its arm against the other one. It is
// empty if the sentence names neither arm, or both, and if the leading sentences contradict each other. No better, or
// worse, counts only for patients and their treatment, where the sentence has both arms and shows it: a wrong line
// against a treatment is worse than a missing line.
func (r *Result) For(names func(text string) bool) Direction {
	own, other := names(r.fullArmName(0)), names(r.fullArmName(1))
	if own == other || r.contested {
		return ""
	}

	side := 0
	if other {
		side = 1
	}

	d := r.directionFor(side)
	if d == Null && r.reading.study.showsNonInferior() {
		return NonInferior
	}

	if (d == Null || d == Worse) && !r.isShownFor(side) {
		return ""
	}
	return d
}

// Against reports whether the first-named arm did no better, or worse.
func (r *Result) Against() bool {
	d := r.directionFor(0)
	return (d == Null || d == Worse) && r.isShownFor(0)
}

// directionFor is the direction for one arm on which all claims on its efficacy agree. Words go before two compared
// numbers, which decide nothing if it is unknown whether they differ.
func (r *Result) directionFor(side int) Direction {
	var out, counted []Direction
	for i := range r.Claims {
		c := &r.Claims[i]

		d := c.Direction
		switch {
		case d == "" || c.Gainsaid || c.Side < 0 && d != Null || !r.isOnEfficacy(c):
			continue
		case c.Side == 1-side:
			d = opposite(d)
		}

		switch {
		case !c.Counted:
			out = append(out, d)
		case c.Significant != evidence.Unknown:
			counted = append(counted, d)
		}
	}

	if len(out) == 0 {
		out = counted
	}

	if len(out) == 0 || slices.ContainsFunc(out, func(d Direction) bool { return d != out[0] }) {
		return ""
	}
	return out[0]
}

// isOnEfficacy excludes claims on harms in a study that is not about them. "No difference" in something that is no
// known outcome counts if the sentence is on efficacy.
func (r *Result) isOnEfficacy(c *Claim) bool {
	isHarm := c.Outcome.Harm && !r.reading.study.onSafety
	if c.Direction == Null && (isHarm || c.Outcome.Name == "") {
		return r.sentence.has("efficacy words") || r.sentence.has("endpoint") && !r.sentence.has("safety")
	}
	return !isHarm && c.Outcome.Name != ""
}

// isShownFor reports whether a sentence has the figures of both arms, or concludes the claim, and whether the arm is a
// treatment of patients.
func (r *Result) isShownFor(side int) bool {
	one := r.sentence
	for _, name := range r.sides.names {
		if forms("no arm").MatchString(name) { // historical patients, or the same ones before
			return false
		}
	}
	isCompared := nameBothArms(r.sides.mentionsIn(one.text)) || one.has("unnamed arms")
	isShown := one.has("value") || r.Concludes || one.has("significant")
	return isCompared && isShown && !one.has("of another matter") && r.reading.study.isPatientTreatment(r.fullArmName(side))
}

// fullArmName is an arm's name with its abbreviations spelled out, and the study's name of the arm.
func (r *Result) fullArmName(side int) string {
	name := r.sides.names[side]

	full := name + " " + r.reading.study.longForms(name)
	if k := r.reading.sides.sideNamed(name); k >= 0 {
		full += " " + r.reading.sides.names[k]
	}
	return full
}

// isPatientTreatment reports whether an arm is a treatment of patients, by its words, or because they were assigned to
// it.
func (s *study) isPatientTreatment(arm string) bool {
	return !s.isExperiment && (forms("treatment").MatchString(arm) || s.randomised && !forms("marker").MatchString(arm))
}

// showsNonInferior reports whether the study aimed to show that its arm is not inferior, or as good, and does so.
func (s *study) showsNonInferior() bool {
	says := func(name string) bool {
		return slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.has(name) })
	}
	return (says("noninferior") || forms("equivalence").MatchString(s.title)) && !says("noninferior denied")
}

// Effect is the first ratio of a sentence with its interval, as written, with its outcome, its arm and the arm that it
// is compared with.
type Effect struct{ Outcome, Figures, Arm, Comparator string }

// Effect returns an effect only if the sentence states the same in words, for an arm and an outcome; else it is empty:
// an effect of another arm or outcome is a false result.
func (r *Result) Effect() Effect {
	at := forms("effect").FindStringIndex(r.Text)
	if at == nil {
		return Effect{}
	}
	i := slices.IndexFunc(r.Claims, func(c Claim) bool {
		return !c.Counted && !c.Gainsaid && c.Side >= 0 && c.End <= at[0] && c.Direction != ""
	})
	outcome := r.effectOutcome(at[0])

	mentions := r.sides.mentionsIn(r.Text)
	if i < 0 || outcome == "" || !nameBothArms(mentions) {
		return Effect{}
	}

	side := r.Claims[i].Side
	if r.Claims[i].Direction == Null {
		side = mentions[0].side // no difference holds for each
	}
	figures := strings.TrimRight(r.Text[at[0]:at[1]], " ,;:([")
	return Effect{outcome, figures, r.sides.names[side], r.sides.names[1-side]}
}

// effectOutcome is the outcome of the effect at a place: the only one named before it, else the one directly before it,
// as in "PFS: HR 0.6"; empty if neither is clear.
func (r *Result) effectOutcome(place int) string {
	named := slices.DeleteFunc(Outcomes(r.Text[:place]), func(o Outcome) bool { return o.Name == "risk" })
	if len(named) == 0 {
		return ""
	}

	last := named[len(named)-1]
	if !slices.ContainsFunc(named, func(o Outcome) bool { return o.Name != last.Name }) {
		return named[0].In(r.Text)
	}

	if forms("directly before").MatchString(r.Text[last.End:place]) {
		return last.In(r.Text)
	}
	return ""
}
