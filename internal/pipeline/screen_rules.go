package pipeline

import (
	"math"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/text"
)

// ScreeningByRules is the judge named by an Answer that no model screened.
const ScreeningByRules = "rules"

// Question is the question for which records are judged.
type Question struct {
	Text    string
	Wording string // the wording that a model receives; empty: Text, under which judgements are stored in any case
	// Fit computes how a record meets the question, slot by slot.
	Fit func(*evidence.Record) evidence.Fit
	// RestsOnWords: the slots do not cover the whole question, so the text's own ranking counts, too.
	RestsOnWords bool
	// Reports reports whether a sentence of an abstract describes a study; nil: the model decides.
	Reports func(sentence string) bool
}

// strength is the weight of a design; designs missing from strengths are weak.
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

// bands are the ranges of the scale, by fit first: whatever its design, a record that answers the question directly
// ranks before one of its kind that does so partly, and both pass. An original experiment on the very question is at
// the top of the scale for preclinical work, so that its bucket's places can be filled.
var bands = map[evidence.Directness]map[strength]band{
	evidence.Direct: {strong: {9, 10}, moderate: {7, 8.9}, weak: {6, 6.9}, experiment: {5.5, 5.9}},
	evidence.Partly: {strong: {5.5, 5.9}, moderate: {5.3, 5.7}, weak: {5, 5.4}, experiment: {5, 5.2}},
}

// bandIndirect is the range for records off the question, of any design.
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

// minRank is the share of the best record's rank from which a record is partly on a question that rests on its words.
// Chosen on half of the labelled questions (docs/BENCHMARKS.md), so that nine of ten relevant records pass.
const minRank = 0.045

// fitOf is how a record meets a question. If the question rests on words and the record shares them, silent slots do
// not separate the two; only opposite ones do.
func (q *Question) fitOf(r *evidence.Record, rank float64) evidence.Fit {
	fit := q.Fit(r)
	if q.RestsOnWords && rank >= minRank && fit.Directness == evidence.Indirect &&
		!slices.ContainsFunc(fit.Slots, func(s evidence.SlotFit) bool { return s.Met == evidence.MetOpposite }) {
		fit.Directness = evidence.Partly
	}
	return fit
}

// criteriaOf lists the parts of a question that a record meets: "tumour: colorectal cancer".
func criteriaOf(fit *evidence.Fit) []string {
	var out []string
	for _, s := range fit.Slots {
		if s.Met == evidence.MetWhole {
			out = append(out, string(s.Slot)+": "+s.Asked)
		}
	}
	return out
}

// scoreByRules places a record in its band, by where it meets the question and by its rank. For indirect records, what
// they share with the question counts as well. It keeps two decimals, so that few scores are equal.
func scoreByRules(fit *evidence.Fit, s strength, rank float64) float64 {
	b, within := bandIndirect, (coverage(fit)+rank)/2
	if known, ok := bands[fit.Directness]; ok {
		b = known[s]
	}
	return math.Round(100*(b.low+(b.high-b.low)*within)) / 100
}

// placeWeights are the weights of the places in which a slot is met.
var placeWeights = map[evidence.Place]float64{
	evidence.InTitle: 1, evidence.InConclusion: 0.8, evidence.InAbstract: 0.6, evidence.InHeadings: 0.6,
}

// slotWeights are the weights of a question's slots; missing ones count 1.
var slotWeights = map[evidence.Slot]float64{
	evidence.SlotTumour: 3, evidence.SlotCondition: 3, evidence.SlotAlteration: 3, evidence.SlotBiomarker: 2,
	evidence.SlotTreatment: 3,
}

// coverage is the share of the question that a record meets, from 0 to 1; partial matches count half.
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

// maxKeyFindings bounds the sentences taken from an abstract, in bytes.
const maxKeyFindings = 800

// conclusionOpeners begin the sentence in which an unstructured abstract states its result.
var conclusionOpeners = []string{
	"in conclusion", "we conclude", "in summary", "conclusion", "taken together", "these findings", "these results",
	"these data", "our findings", "our results", "our data", "overall,",
}

// keyFindings returns the conclusion in the abstract's own words: its section of conclusions, else its concluding
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

// findingSentences are a text's sentences without those about the paper itself, and without judgements on other papers.
func findingSentences(s string) []string {
	return slices.DeleteFunc(text.Sentences(text.Line(guard.WithoutOthers(s))), evidence.IsNote)
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
