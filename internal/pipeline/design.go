package pipeline

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// toldWeight is what the cues for one kind of study must weigh together before the text is taken to tell it. Below it
// the design is not stated, and the record stays open.
const toldWeight = 2

// onAnimalsWeight makes a paper that NLM indexed as one on animals and not on people preclinical, whatever words it
// uses.
const onAnimalsWeight = 100

// studyKinds are the kinds of study that a text is weighed for, with the designs whose cues add up for them. The last
// design is the general one, taken where no narrower one is told. Of two kinds that weigh the same the first counts.
var studyKinds = [][]evidence.Design{
	{evidence.DesignConsensus, evidence.DesignGuideline},
	{evidence.DesignMetaAnalysis, evidence.DesignScoping, evidence.DesignSystematic},
	{evidence.DesignRandomised, evidence.DesignPhase3, evidence.DesignEarlyPhase, evidence.DesignSingleArm,
		evidence.DesignTrial},
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
	weights := weigh(r)
	best, most := evidence.Design(""), 0.0
	for _, kind := range studyKinds {
		if sum := weights.sum(kind); sum >= toldWeight && sum > most {
			best, most = weights.narrowest(kind), sum
		}
	}
	return best
}

// designWeights is what the cues found in a record weigh: for each design, and against its whole kind.
type designWeights struct {
	pro, contra map[evidence.Design]float64
}

func (w designWeights) sum(designs []evidence.Design) (total float64) {
	for _, d := range designs {
		total += w.pro[d] + w.contra[d]
	}
	return total
}

// narrowest is the design of a kind that most weighs for, and the general one where no other weighs enough to be told.
func (w designWeights) narrowest(kind []evidence.Design) evidence.Design {
	general := len(kind) - 1
	best, most := kind[general], 0.0
	for _, d := range kind[:general] {
		if w.pro[d] >= toldWeight && w.pro[d] > most {
			best, most = d, w.pro[d]
		}
	}
	return best
}

func (w designWeights) add(d evidence.Design, weight float64) {
	if weight < 0 {
		w.contra[d] += weight
	} else {
		w.pro[d] += weight
	}
}

func weigh(r *evidence.Record) designWeights {
	w := designWeights{map[evidence.Design]float64{}, map[evidence.Design]float64{}}
	for _, i := range cuesIn(wordsAndEdges(r.Title)) {
		w.add(designCues[i].design, designCues[i].title)
	}
	abstract := abstractWords(r.Abstract)
	for _, i := range cuesIn(abstract) {
		w.add(designCues[i].design, designCues[i].text)
	}
	for _, cue := range lackCues {
		if len(abstract) >= wordsToLack && !holdsAny(abstract, cue.phrases) {
			w.add(cue.design, cue.text)
		}
	}
	for _, cue := range headingCues {
		begins := func(h evidence.Heading) bool { return strings.HasPrefix(typeKey(h.Name), cue.prefix) }
		if slices.ContainsFunc(r.MeSH, begins) {
			w.add(cue.design, cue.weight)
		}
	}
	if onAnimals(r.MeSH) {
		w.add(evidence.DesignPreclinical, onAnimalsWeight)
	}
	return w
}

// onAnimals says that NLM indexed the paper as one on animals and not on people.
func onAnimals(headings []evidence.Heading) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(headings, func(h evidence.Heading) bool { return strings.EqualFold(h.Name, name) })
	}
	return has("Animals") && !has("Humans")
}

// abstractWords are those of all sections, each after its label as a heading.
func abstractWords(sections []evidence.Section) []string {
	var text strings.Builder
	for _, s := range sections {
		text.WriteString(s.Label + "\n" + s.Text + "\n")
	}
	return wordsAndEdges(text.String())
}

// titleWithoutEvidence is how the titles of what is no evidence are worded, in phrases as cues have them.
type titleWithoutEvidence struct {
	design  evidence.Design
	phrases string
}

var titlesWithoutEvidence = []titleWithoutEvidence{
	{evidence.DesignErratum,
		"| erratum |; | erratum to; | errata |; | corrigendum |; | corrigendum to; | correction |; | correction to |; | author correction |; | publisher correction |; | addendum |"},
	{evidence.DesignRetraction,
		"| retraction |; | retraction note |; | retraction notice |; | retraction notice to; | retraction of |; | withdrawal notice"},
	{evidence.DesignConcern, "| expression of concern; | editorial expression of concern"},
	{evidence.DesignProtocol,
		"study protocol; trial protocol |; trial protocol for; | protocol for a; | protocol for the; | protocol of a; | protocol of the; | protocol |; protocol for a randomi*; protocol for a ~ trial; protocol for a ~ review; review protocol |"},
	{evidence.DesignComment,
		"| comment on; | comment |; | commentary |; | commentary on; | invited commentary; | comments on"},
	{evidence.DesignLetter,
		"| letter |; | letter to the editor; | re |; | reply |; | reply to; | in reply; | response to the letter; | authors reply; | author reply; | reply by; | letter regarding; | response to letter"},
	{evidence.DesignEditorial,
		"| editorial |; | editorial comment; | guest editorial; | editor s note; | from the editor"},
	{evidence.DesignNews, "| news |; | in brief |; | news in brief; | obituary |; | in memoriam"},
}

// withoutEvidenceByTitle names the design that keeps a paper of this title from being evidence; empty where none does.
func withoutEvidenceByTitle(title string) evidence.Design {
	words := wordsAndEdges(title)
	for _, t := range titlesWithoutEvidence {
		if holdsAny(words, t.phrases) {
			return t.design
		}
	}
	return ""
}

// bucketOfDesign names the bucket that a design belongs to; a design that is no evidence has none.
var bucketOfDesign = map[evidence.Design]evidence.Bucket{
	evidence.DesignGuideline:      evidence.Guideline,
	evidence.DesignConsensus:      evidence.Guideline,
	evidence.DesignRandomised:     evidence.RCT,
	evidence.DesignPhase3:         evidence.RCT,
	evidence.DesignEarlyPhase:     evidence.RCT,
	evidence.DesignSingleArm:      evidence.RCT,
	evidence.DesignTrial:          evidence.RCT,
	evidence.DesignMetaAnalysis:   evidence.SystematicReview,
	evidence.DesignSystematic:     evidence.SystematicReview,
	evidence.DesignScoping:        evidence.SystematicReview,
	evidence.DesignNarrative:      evidence.SystematicReview,
	evidence.DesignProspective:    evidence.Observational,
	evidence.DesignCohort:         evidence.Observational,
	evidence.DesignCaseControl:    evidence.Observational,
	evidence.DesignCrossSectional: evidence.Observational,
	evidence.DesignRetrospective:  evidence.Observational,
	evidence.DesignObservational:  evidence.Observational,
	evidence.DesignCaseSeries:     evidence.CaseReport,
	evidence.DesignCaseReport:     evidence.CaseReport,
	evidence.DesignPreclinical:    evidence.Preclinical,
}
