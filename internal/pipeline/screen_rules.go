package pipeline

import (
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/injection"
	"dossier/internal/text"
)

// ScreeningByRules is what an Answer names as its judge where no model screened.
const ScreeningByRules = "rules"

// Question is what a record is judged for.
type Question struct {
	Text    string
	Wording string // what a model gets of it; empty: Text, under which judgements are kept in any case
	// Fit says how a record meets what is asked, slot by slot.
	Fit func(*evidence.Record) evidence.Fit
	// RestsOnWords: the slots do not tell all that is asked, and the text's own ranking speaks for a record too.
	RestsOnWords bool
	// Reports reports whether a sentence of an abstract tells something of a study; nil takes the model's word.
	Reports func(sentence string) bool
}

// strength is how much a design weighs; what is missing in strengths is weak.
type strength int

const (
	weak strength = iota
	experiment
	moderate
	strong
)

var strengths = map[evidence.Design]strength{
	evidence.DesignGuideline:    strong,
	evidence.DesignConsensus:    strong,
	evidence.DesignRandomised:   strong,
	evidence.DesignPhase3:       strong,
	evidence.DesignMetaAnalysis: strong,
	evidence.DesignSystematic:   strong,
	evidence.DesignEarlyPhase:   moderate,
	evidence.DesignSingleArm:    moderate,
	evidence.DesignTrial:        moderate,
	evidence.DesignProspective:  moderate,
	evidence.DesignPreclinical:  experiment,
}

// band is a range of the scale of relevance.
type band struct{ low, high float64 }

// bands are the ranges of the scale, fit first: whatever its design, a record that answers the question directly stands
// before one of its kind that does so partly, and both pass. An original experiment on the very question tops the
// scale's words for preclinical work, so that its bucket's places can be filled.
var bands = map[evidence.Directness]map[strength]band{
	evidence.Direct: {strong: {9, 10}, moderate: {7, 8.9}, weak: {6, 6.9}, experiment: {5.5, 5.9}},
	evidence.Partly: {strong: {5.5, 5.9}, moderate: {5.3, 5.7}, weak: {5, 5.4}, experiment: {5, 5.2}},
}

// bandIndirect is for what is not on the question, of any design.
var bandIndirect = band{0, 4}

// assessByRules judges a record by its fit, the strength of its design and rank, its place from 0 to 1 in the text's
// own ranking of the question.
func assessByRules(q Question, r *evidence.Record, rank float64) evidence.Assessment {
	fit := q.fitOf(r, rank)

	findings := r.Abstract
	if r.AddressesModel != "" {
		findings = withoutAddresses(r.Abstract)
	}
	return evidence.Assessment{
		Record:        r.ID,
		Relevant:      fit.Directness == evidence.Direct || fit.Directness == evidence.Partly,
		Score:         scoreByRules(&fit, strengthOf(r), rank),
		ScoreSource:   evidence.ScoreRules,
		Criteria:      criteriaOf(&fit),
		KeyFindings:   keyFindings(findings),
		Flagged:       evidence.Flag(r, nil),
		Fit:           fit,
		Contradiction: fit.Contradiction(),
	}
}

// leastRank is the share of the best record's rank with which one is partly on a question that rests on its words.
// Chosen on half of the labelled questions (docs/BENCHMARKS.md), so that nine of ten relevant records pass.
const leastRank = 0.045

// fitOf is how a record meets a question. One that shares words with a question that rests on them is not parted from
// it by its slots' silence, only by what is opposite.
func (q *Question) fitOf(r *evidence.Record, rank float64) evidence.Fit {
	fit := q.Fit(r)
	if q.RestsOnWords && rank >= leastRank && fit.Directness == evidence.Indirect &&
		!slices.ContainsFunc(fit.Slots, func(s evidence.SlotFit) bool { return s.Met == evidence.MetOpposite }) {
		fit.Directness = evidence.Partly
	}
	return fit
}

// criteriaOf names what of the question a record meets: "tumour: colorectal cancer".
func criteriaOf(fit *evidence.Fit) []string {
	var out []string
	for _, s := range fit.Slots {
		if s.Met == evidence.MetWhole {
			out = append(out, string(s.Slot)+": "+s.Asked)
		}
	}
	return out
}

// scoreByRules places a record in its band: by where it meets what is asked, and by its rank. Of what is indirect, what
// it has in common with the question counts as well. It keeps two decimals, so that few are equal.
func scoreByRules(fit *evidence.Fit, s strength, rank float64) float64 {
	b, within := bandIndirect, (coverage(fit)+rank)/2
	if known, ok := bands[fit.Directness]; ok {
		b = known[s]
	}
	return math.Round(100*(b.low+(b.high-b.low)*within)) / 100
}

// placeWeights say how telling the place is in which a slot is met.
var placeWeights = map[evidence.Place]float64{
	evidence.InTitle: 1, evidence.InConclusion: 0.8, evidence.InAbstract: 0.6, evidence.InHeadings: 0.6,
}

// slotWeights say how much of a question a slot carries; what is missing counts 1.
var slotWeights = map[evidence.Slot]float64{
	evidence.SlotTumour: 3, evidence.SlotCondition: 3, evidence.SlotAlteration: 3, evidence.SlotBiomarker: 2,
	evidence.SlotTreatment: 3,
}

// coverage is how much of the question a record meets, from 0 to 1; what it meets in part counts half.
func coverage(fit *evidence.Fit) float64 {
	total, met := 0.0, 0.0
	for _, s := range fit.Slots {
		weight := max(slotWeights[s.Slot], 1)

		total += weight
		switch s.Met {
		case evidence.MetWhole:
			met += weight * placeWeights[s.Where]
		case evidence.MetInPart:
			met += weight * placeWeights[s.Where] / 2
		case evidence.MetSilent, evidence.MetOpposite:
		}
	}

	if total == 0 {
		return 0
	}
	return met / total
}

func strengthOf(r *evidence.Record) strength { return strengths[KindOf(r).Design] }

// maxKeyFindings bounds the sentences kept of an abstract, in bytes.
const maxKeyFindings = 800

// conclusionOpeners begin the sentence in which an unstructured abstract says what it found.
var conclusionOpeners = []string{
	"in conclusion", "we conclude", "in summary", "conclusion", "taken together", "these findings", "these results",
	"these data", "our findings", "our results", "our data", "overall,",
}

// keyFindings gives the conclusion in the abstract's own words: its section of conclusions, else its concluding
// sentences, else its last sentence; whole sentences only, nothing added.
func keyFindings(abstract []evidence.Section) string {
	for _, s := range slices.Backward(abstract) {
		if s.IsConclusion() {
			return firstSentences(findingSentences(s.Text))
		}
	}

	if len(abstract) == 0 {
		return ""
	}

	all := findingSentences(abstract[len(abstract)-1].Text)
	for i, s := range all {
		lower := strings.ToLower(s)
		if slices.ContainsFunc(conclusionOpeners, func(o string) bool { return strings.HasPrefix(lower, o) }) {
			return firstSentences(all[i:])
		}
	}
	return firstSentences(all[max(0, len(all)-1):])
}

// findingSentences are a text's sentences without those on the paper itself, and without judgements on other papers.
func findingSentences(s string) []string {
	return slices.DeleteFunc(text.Sentences(text.Line(injection.WithoutOthers(s))), evidence.IsNote)
}

// firstSentences joins as many as fit.
func firstSentences(all []string) string {
	out := ""
	for _, s := range all {
		if len(out)+1+len(s) > maxKeyFindings {
			break
		}
		out = strings.TrimSpace(out + " " + s)
	}
	return out
}
