package pipeline

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/learn"
)

// designModel is trained by scripts/design, which says how and on what.
//
//go:embed design_model.tsv
var designModel string

// trained reads the model when it is first asked for.
var trained = sync.OnceValue(func() *learn.Model {
	model, err := learn.ReadModel(designModel)
	if err != nil {
		panic("design_model.tsv: " + err.Error())
	}
	return model
})

// leastProbability is what the model must give a kind of study. Below it the design is not stated.
const leastProbability = 0.5

// deniedWeight is what phrases must weigh against a kind of study for the model not to be believed that it is one: the
// model knows no kind of its own for models of costs, and the like.
const deniedWeight = -4

// borneOutWeight is what phrases must weigh for a kind that the model is asked to miss little of (RareKinds): it would
// else find guidelines and trials in texts that share nothing with them but the subject.
const borneOutWeight = 1

// RareKinds are the kinds of which readers miss a record most, by their general designs.
var RareKinds = []evidence.Design{evidence.DesignGuideline, evidence.DesignTrial, evidence.DesignSystematic}

// ruleValue is that of the rules' finding among a document's facts; factUnit and factBound bring what phrases weigh
// into the range of the words' values.
const (
	ruleValue = 0.5
	factUnit  = 0.15
	factBound = 12
)

// ruleFact is the fact that the rules tell a kind of study, by its general design, heaviestFact that it weighs most,
// be it too little for the rules; FactOfAll is a fact of every document.
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

// DesignClass is the class of records of a design; empty where they are no evidence, or of no kind that texts tell.
func DesignClass(design evidence.Design) string {
	kind := kindWith(design)
	if kind == nil || !generalOf(kind).IsEvidence() {
		return ""
	}
	return string(generalOf(kind))
}

// RuleFact is the fact of a document that the rules tell a class of.
func RuleFact(class string) string { return ruleFact + class }

// DesignText is what the model is told of a record: the words of its title and its abstract, and what the rules find
// in these. Publication types and headings are left out, since they state designs. It is not ok where the abstract is
// too short, or in another language, for the model to read.
func DesignText(r *evidence.Record) (d learn.Text, ok bool) {
	title, abstract := wordsAndEdges(r.Title), abstractWords(r)
	return designDocument(title, abstract, weighText(title, abstract)), isReadable(abstract)
}

func designDocument(title, abstract []string, w designWeights) learn.Text {
	d := learn.Text{
		Fields: []learn.Field{{Name: "title", Words: title}, {Name: "abstract", Words: abstract}},
		Facts:  []learn.Fact{{Name: FactOfAll, Value: 1}},
	}
	for _, kind := range studyKinds {
		weight := max(-factBound, min(factBound, w.sum(kind)))
		d.Facts = append(d.Facts, learn.Fact{Name: weightFact + string(generalOf(kind)), Value: factUnit * weight})
	}

	if kind, sum := w.heaviest(); kind != nil {
		d.Facts = append(d.Facts, learn.Fact{Name: heaviestFact + string(generalOf(kind)), Value: ruleValue})
		if sum >= toldWeight {
			d.Facts = append(d.Facts, learn.Fact{Name: RuleFact(string(generalOf(kind))), Value: ruleValue})
		}
	}
	return d
}

func generalOf(kind []evidence.Design) evidence.Design { return kind[len(kind)-1] }

// kindWith is the kind of study that a design belongs to; nil where texts tell no such kind.
func kindWith(design evidence.Design) []evidence.Design {
	for _, kind := range studyKinds {
		if slices.Contains(kind, design) {
			return kind
		}
	}
	return nil
}

// KindByText tells what a record is where its types do not. What is no evidence the rules say, and so they do where
// headings tell, or where there is too little for the model to read; else the model, that has the rules' finding among
// what it weighs. The rules say all where model is nil; it is called where the model is needed.
func KindByText(r *evidence.Record, model func() *learn.Model) Kind {
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

// likeliestKind is the kind of study that the model thinks most probable, and its probability in whole hundredths,
// rounded down; nil where that is too little, or phrases do not bear it out.
func likeliestKind(m *learn.Model, d learn.Text, w designWeights) (kind []evidence.Design, p float64) {
	probabilities := m.Probabilities(d)
	p = slices.Max(probabilities)
	kind = kindWith(evidence.Design(m.Classes[slices.Index(probabilities, p)]))
	p = math.Floor(100*p) / 100

	sum, isRare := w.sum(kind), slices.Contains(RareKinds, generalOf(kind))
	if p < leastProbability || sum <= deniedWeight || isRare && sum < borneOutWeight {
		return nil, 0
	}
	return kind, p
}
