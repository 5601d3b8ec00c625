package results

import (
	"strings"

	"dossier/internal/evidence"
)

// Direction is what a study found for the arm that it is about.
type Direction string

// The directions. An association is of something that nobody was given: a marker, a habit, a test. Single is a study
// with no other arm. An empty direction could not be told.
const (
	Better      Direction = "better"
	Worse       Direction = "worse"
	Null        Direction = "null"
	NonInferior Direction = "noninferior"
	Mixed       Direction = "mixed"
	Single      Direction = "single"
	Association Direction = "association"
)

// Result is one sentence that tells what a study found. Fields that the sentence does not tell are empty.
type Result struct {
	Sentence   string    `json:"sentence"` // to the letter
	Endpoint   string    `json:"endpoint"` // the outcome, as written
	Arm        string    `json:"arm"`      // whom the direction is told of, as written
	Comparator string    `json:"comparator"`
	Effect     string    `json:"effect"` // "HR 0.65; 95% CI 0.50 to 0.84", as written
	Direction  Direction `json:"direction"`
	// EffectOn is the outcome that the effect is of, where it is that of the arm against the comparator.
	EffectOn string `json:"effect_on"`

	// Primary says that the sentence is on what the abstract calls its primary outcome.
	Primary bool `json:"primary"`
	// Concludes says that the sentence is of the abstract's conclusions.
	Concludes bool `json:"concludes"`

	inFull  arms // the arms with what their abbreviations stand for
	isNamed bool // the study compares these two arms alone, and the sentence tells of both
}

// Against says that the arm did no better, or worse.
func (r *Result) Against() bool { return r.Direction == Null || r.Direction == Worse }

// For is the direction for a treatment that names finds in a text: that of the arm where the arm is the treatment, the
// opposite one where only what it is compared with is. It is empty where neither is, or both are. Abbreviations that
// the abstract explains are written out for it. That an arm did no better or worse counts only where the sentence
// itself names it, or says "no difference between the groups" where the study compares it with one other; what is
// compared with other patients of the same treatment tells nothing of it.
func (r *Result) For(names func(text string) bool) Direction {
	own := TellingWords(r.Arm) // brackets may part them in the sentence
	isNamed := r.isNamed || Common(own, TellingWords(r.Sentence)) == len(own)
	if r.Against() && !isNamed || strings.HasPrefix(r.Comparator, "who ") {
		return ""
	}
	arm, comparator := names(r.Arm+" "+r.inFull.own), names(r.Comparator+" "+r.inFull.other)
	switch {
	case arm && !comparator:
		return r.Direction
	case comparator && !arm && r.Direction == Better:
		return Worse
	case comparator && !arm && r.Direction == Worse:
		return Better
	case comparator && !arm && (r.Direction == Null || r.Direction == NonInferior):
		return r.Direction
	}
	return ""
}

// maxResults is how many sentences are given of one abstract.
const maxResults = 8

// Of reads a record's results, the primary one first. All have the direction of the study as a whole where they tell
// none of their own. It is empty where the abstract tells no result.
func Of(r *evidence.Record) []Result {
	s := newStudy(r)
	ranked := s.ranked()
	if len(ranked) == 0 {
		return nil
	}
	return s.read(ranked[:min(len(ranked), maxResults)])
}

// Quoted are those of a record's results that tell its primary one where there is room for a few: the likeliest
// sentence, and what is on the same outcome with the same direction, on the primary outcome, or concludes.
func Quoted(all []Result) []Result {
	var out []Result
	for i, r := range all {
		if i == 0 || r.Primary || r.Concludes || r.repeats(&all[0]) {
			out = append(out, r)
		}
	}
	return out
}

// repeats says that a result is on the same outcome with the same direction. Where neither names an outcome, what they
// have in common must tell.
func (r *Result) repeats(first *Result) bool {
	if r.Endpoint != first.Endpoint || r.Direction != first.Direction {
		return false
	}
	return r.Endpoint != "" || Common(TellingWords(r.Sentence), TellingWords(first.Sentence)) >= wordsInCommon
}

const wordsInCommon = 3
