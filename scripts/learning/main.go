// Command learning measures how much of a reader's work the order of a topic's records saves, by screening sets of
// which everything is known (docs/BENCHMARKS.md, "Learning from marks"):
//
//	go run ./scripts/learning [-asreview PYTHON] [-recorded FOLDER] [-from N] [-step N] SET...
//
// A reader is simulated who goes through the records in the order that is offered, and marks each as it is labelled;
// after each mark (after the first hundred: each tenth part) the order of what is left is learnt anew. The figures
// are those of ASReview: recall after so many records, and WSS@95, the work saved over sampling where 95% of the
// included ones are found. With -asreview the same sets are simulated by ASReview's default model, with a Python
// that has it.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "learning:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("learning", flag.ContinueOnError)
	python := flags.String("asreview", "", "a `python` that has ASReview, to be measured beside")
	recordedAnswers := flags.String("recorded", "", "`folder` of recorded answers, for sets whose records are among them")
	from := flags.Int("from", 0, "the first question that is taken, from 0; the learner was set on some even ones")

	step := flags.Int("step", 1, "how many questions it is to the next one")
	if err := flags.Parse(args); err != nil {
		return err
	}

	l, err := lexicon.Load()
	if err != nil {
		return err
	}

	var other *asreview
	if *python != "" {
		if other, err = startASReview(*python); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, other.close()) }()
	}

	for _, folder := range flags.Args() {
		sets, err := readSets(folder, *recordedAnswers)
		if err != nil {
			return err
		}

		m := measurement{lexicon: l, asreview: other}
		for i := max(*from, 0); i < len(sets); i += max(*step, 1) {
			if !sets[i].tells(leastOfEach) {
				continue
			}

			if err := m.add(sets[i]); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "%s: %d questions with %d included and %d excluded records or more, of %d\n", folder, m.questions,
			leastOfEach, leastOfEach, len(sets))

		if err := m.write(out); err != nil {
			return err
		}
	}
	return nil
}

// leastOfEach is how many records of each kind a set must have.
const leastOfEach = 5

// measurement is of one labelled set: what each order of its questions' records is worth.
type measurement struct {
	lexicon   *lexicon.Lexicon
	asreview  *asreview // nil: not measured
	questions int
	ways      []string
	figures   map[string]*figures
	slowest   time.Duration // of one learning
}

// figures are sums over questions.
type figures struct {
	n, saved, found95 float64
	recall            [len(after)]float64
	of                [len(after)]float64 // questions with more records than that
}

var after = [...]int{20, 50, 100}

func (m *measurement) add(s set) error {
	assessed, err := assess(m.lexicon, &s)
	if err != nil {
		return err
	}
	m.questions++
	base := identity(len(assessed))
	slices.SortFunc(base, func(a, b int) int { return pipeline.CompareUnlearned(assessed[a], assessed[b]) })
	m.count("without marks", &s, base)
	m.count("learnt from marks", &s, m.simulate(&s, assessed, base))

	if m.asreview == nil {
		return nil
	}

	warm, cold, err := m.asreview.orders(&s, base)
	if err != nil {
		return err
	}
	m.count("ASReview, beginning in the order without marks", &s, warm)
	m.count("ASReview, beginning in the file's order", &s, cold)
	return nil
}

// simulate gives the order in which a reader is offered the records.
func (m *measurement) simulate(s *set, assessed []pipeline.Assessed, base []int) (seen []int) {
	corpus := pipeline.Learnable(assessed)
	marks := make([]pipeline.ReaderMark, len(assessed))
	counts := map[pipeline.ReaderMark]int{}
	left := slices.Clone(base)

	found := 0
	for len(left) > 0 && found < s.count() {
		n := 1
		if len(seen) >= 100 {
			n = min(len(seen)/10, len(left))
		}

		for _, i := range left[:n] {
			marks[i] = pipeline.MarkExcluded
			if s.included[i] {
				marks[i] = pipeline.MarkKept
				found++
			}
			counts[marks[i]]++
		}
		seen, left = append(seen, left[:n]...), left[n:]

		if counts[pipeline.MarkKept] == 0 || counts[pipeline.MarkExcluded] == 0 {
			continue
		}
		began := time.Now()
		ranking := corpus.Learn(marks)

		if len(seen) <= 100 {
			m.slowest = max(m.slowest, time.Since(began))
		}
		slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(ranking.LogOdds(b), ranking.LogOdds(a)) })
	}
	return append(seen, left...)
}

// count adds what an order of a set is worth.
func (m *measurement) count(way string, s *set, order []int) {
	if m.figures == nil {
		m.figures = map[string]*figures{}
	}

	f := m.figures[way]
	if f == nil {
		f = &figures{}
		m.figures[way] = f
		m.ways = append(m.ways, way)
	}
	f.n++
	wanted := int(math.Ceil(0.95 * float64(s.count())))

	found := 0
	for place, i := range order {
		if !s.included[i] {
			continue
		}

		if found++; found == wanted {
			f.saved += 0.95 - float64(place+1)/float64(len(order))
			f.found95 += float64(place + 1)
		}
	}

	for k, n := range after {
		if len(order) <= n {
			continue
		}

		f.of[k]++
		for _, i := range order[:n] {
			if s.included[i] {
				f.recall[k] += 1 / float64(s.count())
			}
		}
	}
}

func (m *measurement) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "order\tWSS@95\trecords to 95%")

	for _, n := range after {
		fmt.Fprintf(w, "\trecall after %d", n)
	}
	fmt.Fprintln(w)

	for _, way := range m.ways {
		f := m.figures[way]
		fmt.Fprintf(w, "%s\t%.3f\t%.0f", way, f.saved/f.n, f.found95/f.n)

		for k := range after {
			fmt.Fprint(w, "\t"+ratio(f.recall[k], f.of[k]))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "slowest learning from up to 100 marks: %s\n", m.slowest.Round(100*time.Microsecond))
	return w.Flush()
}

func ratio(sum, n float64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", sum/n)
}
