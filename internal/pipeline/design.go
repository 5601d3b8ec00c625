package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// minDesignWeight is the total weight of cues from which the text states a kind of study. Below it the design is not
// stated, and the record stays undecided.
const minDesignWeight = 2

// onAnimalsWeight makes a paper that NLM indexed under animals but not humans preclinical, whatever its words.
const onAnimalsWeight = 100

// minAbsenceWords is the length in words from which missing words in an abstract are evidence.
const minAbsenceWords = 40

// absenceWeights apply where an abstract has no words for work that was done. They detect reviews that do not call
// themselves one: these describe how things are. Alone they do not make a review, since proposed methods and designed
// compounds are described that way, too.
var absenceWeights = map[evidence.Design]float64{evidence.DesignNarrative: 1.9, evidence.DesignObservational: -2.5,
	evidence.DesignPreclinical: -1.5, evidence.DesignTrial: -2}

// studyKinds are the kinds of study that a text is weighed for, with the designs whose cues add up for them. The last
// design is the general one, used where no narrower one is stated. On a tie the first kind wins.
var studyKinds = [][]evidence.Design{
	{evidence.DesignConsensus, evidence.DesignGuideline},
	{evidence.DesignMetaAnalysis, evidence.DesignScoping, evidence.DesignSystematic},
	{evidence.DesignRandomised, evidence.DesignPhase3, evidence.DesignEarlyPhase, evidence.DesignSingleArm,
		evidence.DesignTrial},
	{evidence.DesignProtocol},
	{evidence.DesignNarrative},
	{evidence.DesignCaseSeries, evidence.DesignCaseReport},
	{evidence.DesignProspective, evidence.DesignCohort, evidence.DesignCaseControl, evidence.DesignCrossSectional,
		evidence.DesignRetrospective, evidence.DesignObservational},
	{evidence.DesignPreclinical},
}

// designByText derives the design from title, abstract and headings, each cue by its weight; empty where no kind of
// study has enough weight.
func designByText(r *evidence.Record) evidence.Design {
	if design := withoutEvidenceByTitle(r.Title); design != "" {
		return design
	}
	return weigh(r).design()
}

// designWeights are the weights of the cues found in a record: for each design, and against its whole kind.
type designWeights struct {
	pro, contra map[evidence.Design]float64
}

// design is the design of the heaviest kind; empty where none weighs enough.
func (w designWeights) design() evidence.Design {
	if kind, sum := w.heaviest(); sum >= minDesignWeight {
		return w.narrowest(kind)
	}
	return ""
}

// heaviest is the kind with the highest weight, and that weight; nil where no cue is for any.
func (w designWeights) heaviest() (kind []evidence.Design, most float64) {
	for _, k := range studyKinds {
		if sum := w.sum(k); sum > most {
			kind, most = k, sum
		}
	}
	return kind, most
}

func (w designWeights) sum(designs []evidence.Design) (total float64) {
	for _, d := range designs {
		total += w.pro[d] + w.contra[d]
	}
	return total
}

// narrowest is the heaviest design of a kind, less the weight against it; the general one where no other weighs enough.
func (w designWeights) narrowest(kind []evidence.Design) evidence.Design {
	general := len(kind) - 1

	best, most := kind[general], 0.0
	for _, d := range kind[:general] {
		if weight := w.pro[d] + w.contra[d]; weight >= minDesignWeight && weight > most {
			best, most = d, weight
		}
	}
	return best
}

func (w designWeights) addAll(other designWeights) {
	for d, weight := range other.pro {
		w.add(d, weight)
	}

	for d, weight := range other.contra {
		w.add(d, weight)
	}
}

func newDesignWeights() designWeights {
	return designWeights{map[evidence.Design]float64{}, map[evidence.Design]float64{}}
}

func (w designWeights) add(d evidence.Design, weight float64) {
	if weight < 0 {
		w.contra[d] += weight
	} else {
		w.pro[d] += weight
	}
}

// weigh weighs a record's texts and headings.
func weigh(r *evidence.Record) designWeights {
	w := weighText(wordsAndEdges(r.Title), abstractWords(r))
	weighHeadings(r, w)
	return w
}

// abstractWords are the abstract's words and edges, with each section's label as a heading before it.
func abstractWords(r *evidence.Record) []string {
	var sections strings.Builder
	for _, s := range r.Abstract {
		sections.WriteString(s.Label + "\n" + s.Text + "\n")
	}
	return wordsAndEdges(sections.String())
}

// weighText weighs a title and an abstract, given as their words and edges.
func weighText(title, abstract []string) designWeights {
	w, cues := newDesignWeights(), cues()
	for _, i := range cuesIn(title) {
		w.add(cues.study[i].design, cues.study[i].inTitle)
	}

	for _, i := range cuesIn(abstract) {
		w.add(cues.study[i].design, cues.study[i].inText)
	}

	if isReadable(abstract) && !holdsAny(abstract, cues.done) {
		for design, weight := range absenceWeights {
			w.add(design, weight)
		}
	}
	return w
}

// weighHeadings adds the weights of a record's headings.
func weighHeadings(r *evidence.Record, w designWeights) {
	headings := text.Each(r.MeSH, func(h evidence.Heading) string { return evidence.TypeKey(h.Name) })
	for _, cue := range cues().headings {
		for _, prefix := range cue.phrases {
			begins := func(heading string) bool { return strings.HasPrefix(heading, prefix) }
			if slices.ContainsFunc(headings, begins) {
				w.add(cue.design, cue.inText)
			}
		}
	}

	if onAnimals(r.MeSH) {
		w.add(evidence.DesignPreclinical, onAnimalsWeight)
	}
}

// isReadable reports whether an abstract is long enough, and in the right language, for its words to show a design.
func isReadable(abstract []string) bool {
	isEnglish := slices.Contains(abstract, "the") && slices.Contains(abstract, "of")
	return len(abstract) >= minAbsenceWords && isEnglish
}

// onAnimals reports whether NLM indexed the paper under animals but not humans.
func onAnimals(headings []evidence.Heading) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(headings, func(h evidence.Heading) bool { return strings.EqualFold(h.Name, name) })
	}
	return has("Animals") && !has("Humans")
}

// withoutEvidenceByTitle returns the design by which a paper's title makes it no evidence; empty where none does.
func withoutEvidenceByTitle(title string) evidence.Design {
	words := wordsAndEdges(title)
	for _, t := range cues().titles {
		if holdsAny(words, t.words) {
			return t.design
		}
	}
	return ""
}
