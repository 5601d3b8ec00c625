package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// toldWeight is what the cues for one kind of study must weigh together before the text is taken to tell it. Below it
// the design is not stated, and the record stays open.
const toldWeight = 2

// onAnimalsWeight makes a paper that NLM indexed as one on animals and not on people preclinical, whatever words it
// uses.
const onAnimalsWeight = 100

// wordsToLack is how many words an abstract must have for what it lacks to tell anything.
const wordsToLack = 40

// notDoneWeights are what it weighs that an abstract has none of the words for what was done. They know the reviews
// that do not call themselves one: they tell how things are. By itself it tells no review, for a method that is
// proposed or a compound that is drawn up is told of so too.
var notDoneWeights = map[evidence.Design]float64{evidence.DesignNarrative: 1.9, evidence.DesignObservational: -2.5,
	evidence.DesignPreclinical: -1.5, evidence.DesignTrial: -2}

// studyKinds are the kinds of study that a text is weighed for, with the designs whose cues add up for them. The last
// design is the general one, taken where no narrower one is told. Of two kinds that weigh the same the first counts.
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

// designByText tells the design by what title, abstract and headings say, each cue by its weight; empty where they do
// not weigh enough for any kind of study.
func designByText(r *evidence.Record) evidence.Design {
	if design := withoutEvidenceByTitle(r.Title); design != "" {
		return design
	}
	return weigh(r).design()
}

// designWeights is what the cues found in a record weigh: for each design, and against its whole kind.
type designWeights struct {
	pro, contra map[evidence.Design]float64
}

// design is that of the kind that weighs most; empty where none weighs enough.
func (w designWeights) design() evidence.Design {
	if kind, sum := w.heaviest(); sum >= toldWeight {
		return w.narrowest(kind)
	}
	return ""
}

// heaviest is the kind that weighs most, and what it weighs; nil where nothing speaks for any.
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

// narrowest is the design of a kind that most weighs for, less what weighs against it, and the general one where no
// other weighs enough to be told.
func (w designWeights) narrowest(kind []evidence.Design) evidence.Design {
	general := len(kind) - 1

	best, most := kind[general], 0.0
	for _, d := range kind[:general] {
		if weight := w.pro[d] + w.contra[d]; weight >= toldWeight && weight > most {
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

// abstractWords are the abstract's words and edges, each section's after its label as a heading.
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
		for design, weight := range notDoneWeights {
			w.add(design, weight)
		}
	}
	return w
}

// weighHeadings adds what a record's headings weigh.
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

// isReadable reports whether an abstract is long enough, and in the language, for its words to tell a design.
func isReadable(abstract []string) bool { return len(abstract) >= wordsToLack && isEnglish(abstract) }

// isEnglish reports whether an abstract is in the language whose words it may lack.
func isEnglish(words []string) bool {
	return slices.Contains(words, "the") && slices.Contains(words, "of")
}

// onAnimals reports whether NLM indexed the paper as one on animals and not on people.
func onAnimals(headings []evidence.Heading) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(headings, func(h evidence.Heading) bool { return strings.EqualFold(h.Name, name) })
	}
	return has("Animals") && !has("Humans")
}

// withoutEvidenceByTitle names the design that keeps a paper of this title from being evidence; empty where none does.
func withoutEvidenceByTitle(title string) evidence.Design {
	words := wordsAndEdges(title)
	for _, t := range cues().titles {
		if holdsAny(words, t.words) {
			return t.design
		}
	}
	return ""
}
