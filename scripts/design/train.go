package main

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"dossier/internal/classify"
	"dossier/internal/evidence"
	"dossier/internal/pipeline"
)

const (
	epochs       = 10    // how often each example is seen; the weights are the mean of those after each of the second half
	rate         = 0.3   // AdaGrad's
	decay        = 0.005 // the square of a weight's distance from where it began counts as this
	mostTerms    = 5000  // that the model knows: those that most texts have; twice as many tell no better
	ruleWeight   = 3     // with which the rules' own finding begins
	members      = 8     // models, each of another order of the examples, whose weights the model's are the mean of
	rareKindOdds = 2     // what the odds of the rare kinds are multiplied by
)

// rareKinds are those of which readers miss a record most.
var rareKinds = []evidence.Design{evidence.DesignGuideline, evidence.DesignTrial, evidence.DesignSystematic}

// train fits the model to examples: multinomial logistic regression by stochastic gradient descent with AdaGrad's steps
// (Duchi, Hazan and Singer, 2011), several times over: the first steps are long, so that weights hang on the order of
// the examples, and their mean does so less. The orders are drawn from fixed seeds.
func train(examples []example) *classify.Model {
	classes := pipeline.DesignClasses()
	model := classify.New(classes, vocabulary(examples, classes))
	t := trainer{model: model, start: make([][]float64, len(model.Terms)), squares: make([][]float64, len(model.Terms)),
		examples: make([]float64, len(model.Terms))}
	for i, term := range model.Terms {
		t.start[i] = term.Weights
	}
	features, counts := make([][]classify.Feature, len(examples)), map[string]float64{}
	for i, e := range examples {
		features[i] = model.Features(e.document)
		counts[e.class]++
		for _, f := range features[i] {
			t.examples[f.Term]++
		}
	}
	means := make([][]float64, len(model.Terms))
	for i := range means {
		means[i] = make([]float64, len(classes))
	}
	for member := range members {
		t.restart()
		random := rand.New(rand.NewPCG(1, uint64(member))) //nolint:gosec // the same orders every time
		for epoch := range epochs {
			for _, i := range random.Perm(len(examples)) {
				class := examples[i].class
				t.step(features[i], slices.Index(classes, class),
					math.Sqrt(float64(len(examples))/(counts[class]*float64(len(classes)))))
			}
			if epoch < epochs/2 {
				continue
			}
			for i, term := range model.Terms {
				for c, w := range term.Weights {
					means[i][c] += w / (members * (epochs - epochs/2))
				}
			}
		}
	}
	for i := range model.Terms {
		model.Terms[i].Weights = means[i]
		if model.Terms[i].Name == pipeline.FactOfAll {
			for _, rare := range rareKinds {
				means[i][slices.Index(classes, string(rare))] += math.Log(rareKindOdds)
			}
		}
	}
	return model
}

type trainer struct {
	model          *classify.Model
	start, squares [][]float64 // of a term, by class: the weight that it began with, the sum of the gradient's squares
	examples       []float64   // that have a term
}

// restart sets the weights to those that they begin with.
func (t *trainer) restart() {
	for i, start := range t.start {
		t.model.Terms[i].Weights, t.squares[i] = slices.Clone(start), make([]float64, len(start))
	}
}

// step moves the weights of one example's terms. An example counts as much as weight says.
func (t *trainer) step(features []classify.Feature, class int, weight float64) {
	errors := t.model.Weigh(features)
	errors[class]--
	for _, f := range features {
		weights, start, squares := t.model.Terms[f.Term].Weights, t.start[f.Term], t.squares[f.Term]
		for c := range weights {
			gradient := float64(errors[c]*f.Value*weight) + float64((weights[c]-start[c])*decay/t.examples[f.Term])
			if gradient == 0 {
				continue
			}
			squares[c] += float64(gradient * gradient)
			weights[c] -= float64(rate*gradient) / math.Sqrt(squares[c])
		}
	}
}

// vocabulary lists the facts, and the terms that most texts have. Those in which the classes differ most are no better:
// they are chosen by a few texts of a rare class.
func vocabulary(examples []example, classes []string) (terms []classify.Term) {
	texts, facts := map[string]int{}, map[string]bool{}
	for _, e := range examples {
		names := classify.TermNames(e.document)
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			texts[name]++
		}
		for _, f := range e.document.Facts {
			facts[f.Name] = true
		}
	}
	names := slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		return cmp.Or(cmp.Compare(texts[b], texts[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), mostTerms)] {
		terms = append(terms, classify.Term{Name: name, IDF: math.Log(float64(1+len(examples))/float64(1+texts[name])) + 1,
			Weights: make([]float64, len(classes))})
	}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		weights := make([]float64, len(classes))
		for c, class := range classes {
			if name == pipeline.RuleFact(class) {
				weights[c] = ruleWeight
			}
		}
		terms = append(terms, classify.Term{Name: name, IDF: 1, Weights: weights})
	}
	return terms
}
