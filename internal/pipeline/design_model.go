package pipeline

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"dossier/internal/evidence"
)

// designModel is trained by scripts/design, which documents how and on what.
//
//go:embed design_model.tsv
var designModel string

// trained reads the model at its first use.
var trained = sync.OnceValue(func() *LinearModel {
	model, err := ReadLinearModel(designModel)
	if err != nil {
		panic("design_model.tsv: " + err.Error())
	}
	return model
})

// minProbability is the least probability with which the model states a kind of study. Below it the design is not
// stated.
const minProbability = 0.5

// deniedWeight is the weight of phrases against a kind of study from which the model is overruled: the model has no
// class for cost models and the like.
const deniedWeight = -4

// supportedWeight is the weight of phrases that a kind of RareKinds requires: the model otherwise finds guidelines and
// trials in texts that share only their subject.
const supportedWeight = 1

// RareKinds are the kinds whose missing records cost readers most, by their general designs.
var RareKinds = []evidence.Design{evidence.DesignGuideline, evidence.DesignTrial, evidence.DesignSystematic}

// ruleValue is that of the rules' finding among a document's facts; factUnit and factBound bring what phrases weigh
// into the range of the words' values.
const (
	ruleValue = 0.5
	factUnit  = 0.15
	factBound = 12
)

// ruleFact is the fact that the rules find a kind of study, by its general design; heaviestFact that it is the heaviest
// kind, even if too light for the rules; FactOfAll is a fact of every document.
const (
	ruleFact     = "rules: "
	heaviestFact = "heaviest: "
	weightFact   = "weight: "
	FactOfAll    = "any"
)

// DesignClasses are the model's classes: the general designs of the kinds of study that are evidence.
func DesignClasses() (classes []string) {
	for _, kind := range studyKinds {
		if general := generalOf(kind); general.IsEvidence() {
			classes = append(classes, string(general))
		}
	}
	return classes
}

// DesignClass is the class of records of a design; empty where they are no evidence, or of a kind that texts do not
// show.
func DesignClass(design evidence.Design) string {
	kind := kindWith(design)
	if kind == nil || !generalOf(kind).IsEvidence() {
		return ""
	}
	return string(generalOf(kind))
}

// RuleFact is the fact of a document that the rules assign a class.
func RuleFact(class string) string { return ruleFact + class }

// DesignText is a record's document for the model: the words of title and abstract, and the rules' findings in them.
// Publication types and headings are omitted, since they state designs. ok is false where the abstract is too short, or
// in another language.
func DesignText(r *evidence.Record) (d ModelText, ok bool) {
	title, abstract := wordsAndEdges(r.Title), abstractWords(r)
	return designDocument(title, abstract, weighText(title, abstract)), isReadable(abstract)
}

func designDocument(title, abstract []string, w designWeights) ModelText {
	d := ModelText{
		Fields: []ModelField{{Name: "title", Words: title}, {Name: "abstract", Words: abstract}},
		Facts:  []ModelFact{{Name: FactOfAll, Value: 1}},
	}
	for _, kind := range studyKinds {
		weight := max(-factBound, min(factBound, w.sum(kind)))
		d.Facts = append(d.Facts, ModelFact{Name: weightFact + string(generalOf(kind)), Value: factUnit * weight})
	}

	if kind, sum := w.heaviest(); kind != nil {
		d.Facts = append(d.Facts, ModelFact{Name: heaviestFact + string(generalOf(kind)), Value: ruleValue})
		if sum >= minDesignWeight {
			d.Facts = append(d.Facts, ModelFact{Name: RuleFact(string(generalOf(kind))), Value: ruleValue})
		}
	}
	return d
}

func generalOf(kind []evidence.Design) evidence.Design { return kind[len(kind)-1] }

// kindWith is the kind of study that a design belongs to; nil where texts do not show it.
func kindWith(design evidence.Design) []evidence.Design {
	for _, kind := range studyKinds {
		if slices.Contains(kind, design) {
			return kind
		}
	}
	return nil
}

// KindByText classifies a record whose types do not. The rules decide on what is no evidence, where headings show the
// design, or where there is too little text for the model; else the model decides, with the rules' finding among its
// facts. The rules decide everything where model is nil; it is called only when needed.
func KindByText(r *evidence.Record, model func() *LinearModel) Kind {
	if design := withoutEvidenceByTitle(r.Title); design != "" {
		return Kind{Design: design, Source: evidence.BucketFromRules}
	}
	title, abstract := wordsAndEdges(r.Title), abstractWords(r)
	w, headings := weighText(title, abstract), newDesignWeights()
	weighHeadings(r, headings)
	document := designDocument(title, abstract, w)
	w.addAll(headings)
	design, source := w.design(), evidence.BucketFromRules

	isRules := headings.design() != "" || design != "" && !design.IsEvidence()
	if model != nil && !isRules && isReadable(abstract) {
		design = ""
		if kind, probability := likeliestKind(model(), document, w); kind != nil {
			design, source = w.narrowest(kind), evidence.BucketFromModel(probability)
		}
	}

	if design == "" {
		return Kind{}
	}
	return Kind{designs().bucket[design], source, design}
}

// likeliestKind is the model's most probable kind of study with its probability in whole hundredths, rounded down; nil
// where that is too low, or phrases do not support it.
func likeliestKind(m *LinearModel, d ModelText, w designWeights) (kind []evidence.Design, p float64) {
	probabilities := m.Probabilities(d)
	p = slices.Max(probabilities)
	kind = kindWith(evidence.Design(m.Classes[slices.Index(probabilities, p)]))
	p = math.Floor(100*p) / 100

	sum, isRare := w.sum(kind), slices.Contains(RareKinds, generalOf(kind))
	if p < minProbability || sum <= deniedWeight || isRare && sum < supportedWeight {
		return nil, 0
	}
	return kind, p
}
