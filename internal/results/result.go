package results

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Direction is what a study found for one arm against the other.
type Direction string

// The directions. An empty one could not be told.
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

// Result is one sentence that tells what a study found, as a tuple.
type Result struct {
	Tuple
	// Primary reports whether the sentence is on what the abstract calls its primary outcome.
	Primary bool
	// Concludes reports whether the sentence is of the abstract's conclusions.
	Concludes bool

	reading   *Reading
	sentence  *sentence
	contested bool // a sentence beside it says the contrary on the same outcome
}

// maxResults is how many sentences are given of one abstract.
const maxResults = 8

// leading is how many of the likeliest sentences may gainsay each other.
const leading = 3

// Of reads a record's results, the sentence that is the likeliest to tell the primary one first. It is empty where the
// abstract tells no result.
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
		out[0].contested = out[0].contested || out[i].gainsays(&out[0])
	}
	return out
}

// Quoted are those of a record's results that tell its primary one where there is room for a few: the likeliest
// sentence, and what is on the same outcome with the same direction, on the primary outcome, or concludes.
func Quoted(all []Result) []Result {
	var out []Result
	for i := range all {
		if r := &all[i]; i == 0 || r.Primary || r.Concludes || r.repeats(&all[0]) {
			out = append(out, *r)
		}
	}
	return out
}

// repeats reports whether a result is on the same outcome with the same direction. Where neither names an outcome, what
// they have in common must tell.
func (r *Result) repeats(first *Result) bool {
	if r.outcome() != first.outcome() || r.told(0) != first.told(0) {
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

// gainsays reports whether a result tells the contrary of another one of the same arms on the same outcome.
func (r *Result) gainsays(first *Result) bool {
	side := r.sides.sideNamed(first.sides.names[0])
	if side < 0 || r.outcome() != first.outcome() {
		return false
	}
	told, other := r.told(side), first.told(0)
	return told != "" && other != "" && told != other
}

// For is what the sentence tells of a treatment that names finds in a text: of its arm, against the other one. It is
// empty where it names neither arm, or both, and where the leading sentences contradict each other. That it did no
// better, or worse, counts only of patients and of what was given to them, where the sentence tells of both arms and
// shows it: what is wrongly said to speak against a treatment is worse than a missing line.
func (r *Result) For(names func(text string) bool) Direction {
	own, other := names(r.inFull(0)), names(r.inFull(1))
	if own == other || r.contested {
		return ""
	}

	side := 0
	if other {
		side = 1
	}

	d := r.told(side)
	if d == Null && r.reading.study.showsNonInferior() {
		return NonInferior
	}

	if (d == Null || d == Worse) && !r.shows(side) {
		return ""
	}
	return d
}

// Against reports whether the arm that is told about first did no better, or worse.
func (r *Result) Against() bool {
	d := r.told(0)
	return (d == Null || d == Worse) && r.shows(0)
}

// told is the direction for one arm: the one that all claims on its efficacy agree in. What is told in words goes
// before what two numbers say, which tell nothing where nobody knows that they differ.
func (r *Result) told(side int) Direction {
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

// isOnEfficacy leaves out what is told of harms in a study that is not about them. No difference in what has no name
// among the outcomes counts where the sentence is on efficacy.
func (r *Result) isOnEfficacy(c *Claim) bool {
	isHarm := c.Outcome.Harm && !r.reading.study.onSafety
	if c.Direction == Null && (isHarm || c.Outcome.Name == "") {
		return r.sentence.has("efficacy words") || r.sentence.has("endpoint") && !r.sentence.has("safety")
	}
	return !isHarm && c.Outcome.Name != ""
}

// shows reports whether a sentence has the figures of what it tells of an arm and the other one, or concludes it, and
// that the arm is a treatment of patients.
func (r *Result) shows(side int) bool {
	one := r.sentence
	for _, name := range r.sides.names {
		if forms("no arm").MatchString(name) { // historical patients, or the same before
			return false
		}
	}
	isCompared := haveBoth(r.sides.in(one.text)) || one.has("unnamed arms")
	isShown := one.has("value") || r.Concludes || one.has("significant")
	return isCompared && isShown && !one.has("of another matter") && r.reading.study.isGiven(r.inFull(side))
}

// inFull is an arm's name with what its abbreviations stand for, and the study's name of the arm.
func (r *Result) inFull(side int) string {
	name := r.sides.names[side]

	full := name + " " + r.reading.study.inFull(name)
	if k := r.reading.sides.sideNamed(name); k >= 0 {
		full += " " + r.reading.sides.names[k]
	}
	return full
}

// isGiven reports whether an arm is a treatment of patients, by its words, or because they were assigned to it.
func (s *study) isGiven(arm string) bool {
	return !s.isExperiment && (forms("treatment").MatchString(arm) || s.randomised && !forms("marker").MatchString(arm))
}

// showsNonInferior reports whether the study was made to show that its arm is not inferior, or as good, and does.
func (s *study) showsNonInferior() bool {
	says := func(name string) bool {
		return slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.has(name) })
	}
	return (says("noninferior") || forms("equivalence").MatchString(s.title)) && !says("noninferior denied")
}

// Effect is the first ratio of a sentence with its interval, as written: on which outcome it is, and of which arm
// against which other.
type Effect struct{ Outcome, Figures, Arm, Comparator string }

// Effect is told where the sentence says the same in words, of an arm and an outcome. It is empty where it does not: an
// effect of another arm or outcome is a false result.
func (r *Result) Effect() Effect {
	at := forms("effect").FindStringIndex(r.Text)
	if at == nil {
		return Effect{}
	}
	i := slices.IndexFunc(r.Claims, func(c Claim) bool {
		return !c.Counted && !c.Gainsaid && c.Side >= 0 && c.End <= at[0] && c.Direction != ""
	})
	outcome := r.measuredBy(at[0])

	mentions := r.sides.in(r.Text)
	if i < 0 || outcome == "" || !haveBoth(mentions) {
		return Effect{}
	}

	side := r.Claims[i].Side
	if r.Claims[i].Direction == Null {
		side = mentions[0].side // no difference is one for each
	}
	figures := strings.TrimRight(r.Text[at[0]:at[1]], " ,;:([")
	return Effect{outcome, figures, r.sides.names[side], r.sides.names[1-side]}
}

// measuredBy is the outcome that the effect at a place is of: the only one that is named before it, else the one that
// stands directly before it, as in "PFS: HR 0.6"; empty where neither tells.
func (r *Result) measuredBy(place int) string {
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
