package results

import (
	"flag"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dossier/internal/evidence"
	"dossier/internal/source/recordedtest"
	plaintext "dossier/internal/text"
)

var writeOwners = flag.Bool("fit", false, "write owners.txt anew from the labelled sentences")

// ownerPenalty holds the weights near zero, and ownerFolds parts the records for cross-validation.
const (
	ownerPenalty = 2.0
	ownerFolds   = 8

	leastContrasts = 8 // that must have a trait for it to be weighed
)

// unseen is the set of labels that no weights are fitted on.
const unseen = "held5"

// owned is a contrast of a labelled sentence: the traits of each pair of names, and which pairs are right.
type owned struct {
	id    string
	pairs [][]int // numbers of traits
	right []bool
}

// TestFitOwners fits the weights of owners.txt on seven of eight parts of the labelled sentences at a time, and tells
// on the eighth in how many the likeliest names are right; -fit fits them on all, and writes them.
func TestFitOwners(t *testing.T) {
	if !*writeOwners && os.Getenv("FIT") == "" {
		t.Skip("takes a minute; run with -fit, or with FIT=1 for cross-validation alone")
	}
	f := fitter{numbers: map[string]int{}}
	all := f.read(t)
	right := 0
	for part := range ownerFolds {
		isHeld := func(o owned) bool {
			h := fnv.New32a()
			h.Write([]byte(o.id))
			return int(h.Sum32())%ownerFolds == part
		}
		weights := f.fit(slices.DeleteFunc(slices.Clone(all), isHeld))
		for _, o := range all {
			if isHeld(o) && o.right[o.best(weights)] {
				right++
			}
		}
	}
	t.Logf("by cross-validation %d of %d contrasts have the right names", right, len(all))
	if 10*right < 7*len(all) {
		t.Error("that is below 70%")
	}
	if *writeOwners {
		f.write(t, f.fit(all))
	}
}

// fitter numbers the traits.
type fitter struct {
	numbers map[string]int
	traits  []string
}

func (f *fitter) number(trait string) int {
	n, known := f.numbers[trait]
	if !known {
		n = len(f.traits)
		f.numbers[trait], f.traits = n, append(f.traits, trait)
	}
	return n
}

// read gives the contrasts of which a label tells both names, or else one.
func (f *fitter) read(t *testing.T) []owned {
	records := recordedtest.Records(t)
	raw, err := os.ReadFile("testdata/arms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []owned
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		l := strings.Split(line, "\t")
		if r := records[l[0]]; r != nil && l[1] != unseen {
			if o := f.contrastOf(r, l); slices.Contains(o.right, true) {
				out = append(out, o)
			}
		}
	}
	f.keepCommon(out)
	return out
}

// keepCommon leaves out the traits of few contrasts.
func (f *fitter) keepCommon(all []owned) {
	count := make([]int, len(f.traits))
	for i := range all {
		for k := range traitsOf(&all[i]) {
			count[k]++
		}
	}
	for i := range all {
		for j := range all[i].pairs {
			all[i].pairs[j] = slices.DeleteFunc(all[i].pairs[j], func(k int) bool { return count[k] < leastContrasts })
		}
	}
}

func traitsOf(o *owned) map[int]bool {
	out := map[int]bool{}
	for _, pair := range o.pairs {
		for _, k := range pair {
			out[k] = true
		}
	}
	return out
}

// anything stands for a label that is not told.
const anything = "?"

func (f *fitter) contrastOf(r *evidence.Record, label []string) owned {
	s := newStudy(r)
	i := slices.IndexFunc(s.sentences, func(one sentence) bool {
		return strings.Contains(plaintext.Line(one.text), plaintext.Line(label[2]))
	})
	if i < 0 {
		return owned{}
	}
	text := s.sentences[i].text
	qs := Quantities(text)
	numbers := resultNumbers(text, qs)
	figures := figuresIn(text, numbers)
	has := func(at plaintext.Span, number string) bool {
		plain := strings.NewReplacer(",", "", "·", ".", "-", "").Replace
		return slices.ContainsFunc(numbers, func(q Quantity) bool {
			return q.Start >= at.Start && q.End <= at.End && strings.HasPrefix(plain(q.In(text)), plain(number))
		})
	}
	var chosen *contrast
	var names [2]string
	areBoth := false
	for _, c := range joined(text, figures) {
		for _, try := range [][2]int{{3, 5}, {5, 3}, {3, 0}, {0, 5}} {
			tells := func(at plaintext.Span, k int) bool { return k == 0 || has(at, label[k]) && label[k+1] != "" }
			both := try[0]*try[1] > 0
			if !areBoth && (chosen == nil || both) && tells(c.x, try[0]) && tells(c.y, try[1]) {
				chosen, names, areBoth = &c, [2]string{anything, anything}, both
				for role, k := range try {
					if k > 0 {
						names[role] = label[k+1]
					}
				}
				break
			}
		}
	}
	if chosen == nil {
		return owned{}
	}
	return f.weighed(label[0], newOwners(chosen, namesIn(text, qs), figures, s.mentions()), names, s.longForms)
}

// weighed gives all pairs of names, right where both are called as the labels say.
func (f *fitter) weighed(id string, o *owners, labels [2]string, inFull func(string) string) owned {
	out := owned{id: id}
	calls := func(i, role int, called string) bool {
		label, other := labels[role], labels[1-role]
		switch {
		case label == anything:
			return true
		case i == unnamed || label == "*":
			return i == unnamed && label == "*"
		}
		short := func(string) string { return "" }
		return isCalled(called, label, inFull) && (!isCalled(called, other, inFull) || isCalled(called, label, short))
	}
	fits := func(i, j int) bool {
		names := o.arms(i, j)
		return calls(i, 0, names.own) && calls(j, 1, names.other)
	}
	isNamed := func(role int) bool {
		for i := range o.all {
			if calls(i, role, o.all[i].text) {
				return true
			}
		}
		return labels[role] == "*"
	}
	areNamed := isNamed(0) || isNamed(1) || !o.isTight
	for i := unnamed; i < len(o.all); i++ {
		for j := unnamed; j < len(o.all); j++ {
			if i == j && (i != unnamed || !o.isTight) || o.isPassed(i) || o.isPassed(j) {
				continue
			}
			var traits []int
			add := func(trait string) { traits = append(traits, f.number(trait)) }
			o.traitsAlone(i, 0, add)
			o.traitsAlone(j, 1, add)
			o.traitsTogether(i, j, add)
			out.pairs, out.right = append(out.pairs, traits),
				append(out.right, fits(i, j) || !areNamed && i == unnamed && j == unnamed)
		}
	}
	return out
}

// isCalled reports whether a name has the words of a label, or one of those behind a stroke.
func isCalled(name, label string, inFull func(string) string) bool {
	text, words := strings.ToLower(name+" "+inFull(name)), wordsOf(name)
	return slices.ContainsFunc(strings.Split(strings.ToLower(label), "/"), func(w string) bool {
		return strings.Contains(text, w) || words[plaintext.Head(w, stemLength)]
	})
}

func (o *owned) weight(weights []float64, i int) (sum float64) {
	for _, k := range o.pairs[i] {
		sum += weights[k]
	}
	return sum
}

func (o *owned) best(weights []float64) int {
	best := 0
	for i := range o.pairs {
		if o.weight(weights, i) > o.weight(weights, best) {
			best = i
		}
	}
	return best
}

// fit climbs the gradient of the logarithm of the right pairs' share, each weight at its own pace (Adam: Kingma and
// Ba, 2015).
func (f *fitter) fit(all []owned) []float64 {
	const steps, pace, first, second = 250, 0.1, 0.9, 0.99
	n := len(f.traits)
	weights, mean, spread := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		gradient := make([]float64, n)
		for k, w := range weights {
			gradient[k] = -2 * ownerPenalty * w
		}
		for i := range all {
			all[i].climb(weights, gradient)
		}
		for k, g := range gradient {
			mean[k] = first*mean[k] + (1-first)*g
			spread[k] = second*spread[k] + (1-second)*g*g
			m, v := mean[k]/(1-math.Pow(first, float64(step))), spread[k]/(1-math.Pow(second, float64(step)))
			weights[k] += pace * m / (math.Sqrt(v) + 1e-6)
		}
	}
	return weights
}

// climb adds a contrast's part of the gradient.
func (o *owned) climb(weights, gradient []float64) {
	sums := make([]float64, len(o.pairs))
	for i := range o.pairs {
		sums[i] = o.weight(weights, i)
	}
	most := slices.Max(sums)
	whole, right := 0.0, 0.0
	for i := range sums {
		sums[i] = math.Exp(sums[i] - most)
		whole += sums[i]
		if o.right[i] {
			right += sums[i]
		}
	}
	for i, share := range sums {
		d := -share / whole
		if o.right[i] {
			d += share / max(right, math.SmallestNonzeroFloat64)
		}
		for _, k := range o.pairs[i] {
			gradient[k] += d
		}
	}
}

func (f *fitter) write(t *testing.T, weights []float64) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# The weights of the traits by which a name is that of a number (TestFitOwners -fit writes them).\n")
	for _, trait := range slices.Sorted(slices.Values(f.traits)) {
		if w := math.Round(100*weights[f.numbers[trait]]) / 100; w != 0 {
			b.WriteString(trait + ": " + strconv.FormatFloat(w, 'f', -1, 64) + "\n")
		}
	}
	if err := os.WriteFile("owners.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
