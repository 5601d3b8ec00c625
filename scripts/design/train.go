package main

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

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
	statedWeight = 0.5   // of an example that is not labelled: most are of few subjects, and chosen by their titles
	rareKindOdds = 3     // what the odds of the rare kinds are multiplied by
	trialOdds    = 8     // the same of trials: best F1 for them (.698; .685 at 3) on 10,390 typed records not learned from
)

// train fits the model to examples: multinomial logistic regression by stochastic gradient descent with AdaGrad's steps
// (Duchi, Hazan and Singer, 2011), several times over: the first steps are long, so that weights hang on the order of
// the examples, and their mean does so less. The orders are drawn from fixed seeds.
func train(examples []example) *pipeline.LinearModel {
	classes := pipeline.DesignClasses()
	model := pipeline.NewLinearModel(classes, vocabulary(examples, classes))
	t := newTrainer(model, examples)
	means := make([][]float64, members)

	var all sync.WaitGroup
	for m := range members {
		all.Go(func() { means[m] = t.member(uint64(m)) })
	}
	all.Wait()

	for i, term := range model.Terms {
		for c := range term.Weights {
			term.Weights[c] = 0
			for _, mean := range means {
				term.Weights[c] += mean[i*len(classes)+c]
			}

			if term.Name == pipeline.FactOfAll && slices.Contains(pipeline.RareKinds, evidence.Design(classes[c])) {
				term.Weights[c] += math.Log(kindOdds(classes[c]))
			}
		}
	}
	return model
}

// trainer has what the members share: the examples as features, and for each term its weights by class at the start,
// one term's after another's.
type trainer struct {
	features [][]pipeline.ModelFeature
	class    []int
	weight   []float64 // of an example, so that a common class does not drown a rare one
	start    []float64
	decay    []float64 // of a term
	classes  int
}

func newTrainer(model *pipeline.LinearModel, examples []example) *trainer {
	t := &trainer{classes: len(model.Classes), decay: make([]float64, len(model.Terms))}

	counts := make([]float64, t.classes)
	for _, e := range examples {
		features, class := model.Features(e.document), slices.Index(model.Classes, e.class)
		t.features, t.class = append(t.features, features), append(t.class, class)
		counts[class]++

		for _, f := range features {
			t.decay[f.Term]++
		}
	}

	for i, e := range examples {
		weight := math.Sqrt(float64(len(examples)) / (counts[t.class[i]] * float64(t.classes)))
		if e.stated {
			weight *= statedWeight
		}
		t.weight = append(t.weight, weight)
	}

	for i, term := range model.Terms {
		t.start, t.decay[i] = append(t.start, term.Weights...), decay/t.decay[i]
	}
	return t
}

// member gives the weights of one model, as its share of the mean of all.
func (t *trainer) member(seed uint64) []float64 {
	weights, squares, mean := slices.Clone(t.start), make([]float64, len(t.start)), make([]float64, len(t.start))

	random := rand.New(rand.NewPCG(1, seed)) //nolint:gosec // the same orders every time
	for epoch := range epochs {
		for _, i := range random.Perm(len(t.features)) {
			t.step(i, weights, squares)
		}

		if epoch < epochs/2 {
			continue
		}

		for i, w := range weights {
			mean[i] += w / (members * (epochs - epochs/2))
		}
	}
	return mean
}

// step moves the weights of one example's terms; squares are the sums of the squares of their gradients.
func (t *trainer) step(example int, weights, squares []float64) {
	features, n := t.features[example], t.classes

	sums := make([]float64, n)
	for _, f := range features {
		for c, w := range weights[f.Term*n : f.Term*n+n] {
			sums[c] += float64(w * f.Value)
		}
	}
	pipeline.Softmax(sums)

	sums[t.class[example]]--
	for _, f := range features {
		at := f.Term * n
		w, start, squares := weights[at:at+n], t.start[at:at+n], squares[at:at+n]

		scale, decay := float64(f.Value*t.weight[example]), t.decay[f.Term]
		for c, wrong := range sums {
			gradient := float64(wrong*scale) + float64((w[c]-start[c])*decay)
			if gradient == 0 {
				continue
			}
			squares[c] += float64(gradient * gradient)
			w[c] -= float64(rate*gradient) / math.Sqrt(squares[c])
		}
	}
}

// vocabulary lists the facts, and the terms that most texts have. Those in which the classes differ most are no better:
// they are chosen by a few texts of a rare class.
func vocabulary(examples []example, classes []string) (terms []pipeline.ModelTerm) {
	texts, facts := map[string]int{}, map[string]bool{}
	for _, e := range examples {
		names := pipeline.TermNames(e.document)
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
		terms = append(terms, pipeline.ModelTerm{Name: name,
			IDF:     math.Log(float64(1+len(examples))/float64(1+texts[name])) + 1,
			Weights: make([]float64, len(classes))})
	}

	for _, name := range slices.Sorted(maps.Keys(facts)) {
		weights := make([]float64, len(classes))
		for c, class := range classes {
			if name == pipeline.RuleFact(class) {
				weights[c] = ruleWeight
			}
		}
		terms = append(terms, pipeline.ModelTerm{Name: name, IDF: 1, Weights: weights})
	}
	return terms
}

// kindOdds is what the odds of a rare kind are multiplied by.
func kindOdds(class string) float64 {
	if class == string(evidence.DesignTrial) {
		return trialOdds
	}
	return rareKindOdds
}
