package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"dossier/internal/pipeline"
)

const (
	folds     = 10 // into how many parts the labelled records are split
	divisions = 8  // in how many ways
)

// verdict is the class that an example is told to be of, or empty, and how probable it is.
type verdict struct {
	class       string
	probability float64
}

func byRules(examples []example) []verdict { return tell(nil, examples) }

// tell tells the examples as records are told, by a model, or by the rules alone where m is nil.
func tell(m *pipeline.LinearModel, examples []example) (out []verdict) {
	model := func() *pipeline.LinearModel { return m }
	if m == nil {
		model = nil
	}

	for _, e := range examples {
		kind := pipeline.KindByText(&e.record, model)

		v := verdict{pipeline.DesignClass(kind.Design), 1}
		if _, err := fmt.Sscanf(string(kind.Source), "model p=%g", &v.probability); err != nil {
			v.probability = 1 // the rules told
		}
		out = append(out, v)
	}
	return out
}

// crossValidate tells each example by a model that was trained on the other folds, and on stated. A fold has every
// tenth record of each class, in the order of the set; in other divisions than 0, in an order drawn from a fixed seed.
func crossValidate(examples, stated []example, division int) []verdict {
	order := rand.New(rand.NewPCG(uint64(division), 7)).Perm(len(examples)) //nolint:gosec // the same every time
	if division == 0 {
		slices.Sort(order)
	}

	fold, counts := make([]int, len(examples)), map[string]int{}
	for _, i := range order {
		class := examples[i].class
		fold[i] = counts[class] % folds
		counts[class]++
	}

	out := make([]verdict, len(examples))
	for f := range folds {
		others := slices.Clone(stated)
		for i, e := range examples {
			if fold[i] != f {
				others = append(others, e)
			}
		}

		m := train(others)
		for i, e := range examples {
			if fold[i] == f {
				out[i] = tell(m, []example{e})[0]
			}
		}
	}
	return out
}

// figures are what the verdicts on examples come to.
type figures struct {
	classes                    []string
	precision, recall, f1      []float64 // of each class
	confusion                  [][]int   // how many of a class are told to be of another; the last is no class
	macroF1                    float64
	right, told                int    // of all examples
	probabilities, rightByThem [6]int // of 0.4 to 0.5, and so on: how many are told, and how many of them are right
}

func measure(examples []example, verdicts []verdict) *figures {
	f := &figures{classes: pipeline.DesignClasses()}
	n := len(f.classes)

	f.confusion = make([][]int, n)
	for c := range f.confusion {
		f.confusion[c] = make([]int, n+1)
	}

	for i, e := range examples {
		told := slices.Index(f.classes, verdicts[i].class)

		right := verdicts[i].class == e.class
		if told < 0 {
			told = n
		} else {
			band := max(0, min(5, int(10*verdicts[i].probability)-4))
			f.probabilities[band]++

			f.told++
			if right {
				f.rightByThem[band]++
				f.right++
			}
		}
		f.confusion[slices.Index(f.classes, e.class)][told]++
	}

	for c := range f.classes {
		right, told, all := f.confusion[c][c], 0, 0
		for other := range f.classes {
			told += f.confusion[other][c]
		}

		for _, count := range f.confusion[c] {
			all += count
		}
		f.precision = append(f.precision, float64(right)/float64(max(told, 1)))
		f.recall = append(f.recall, float64(right)/float64(max(all, 1)))
		f.f1 = append(f.f1, 2*float64(right)/float64(max(told+all, 1)))
		f.macroF1 += f.f1[c] / float64(n)
	}
	return f
}

func (f *figures) String() string {
	var out strings.Builder
	for c, class := range f.classes {
		fmt.Fprintf(&out, "%-18s P %.3f R %.3f F1 %.3f  %4d\n", class, f.precision[c], f.recall[c], f.f1[c], f.confusion[c])
	}
	fmt.Fprintf(&out, "macro-F1 %.3f; %d are told, %d of them right\n", f.macroF1, f.told, f.right)

	for band, n := range f.probabilities {
		fmt.Fprintf(&out, "p from .%d: %d, %d of them right\n", band+4, n, f.rightByThem[band])
	}
	return out.String()
}
