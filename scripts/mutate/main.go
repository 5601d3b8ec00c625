// Command mutate breaks the program on purpose, one place at a time, and runs the tests of the packages concerned: a
// break that no test notices is a guard that nothing holds.
//
//	go run ./scripts/mutate [-rules 100] [-seed 1] [-only PART] [-run TESTS] [-least 95]
//
// The breaks of breaks.yaml are made first: each removes a promise that somebody relies on. Then come as many by rule
// as -rules asks for, drawn by -seed from the files that breaks.yaml lists: conditions turned round, comparisons and
// connectives exchanged, early returns and calls left out. No file of the tree is changed: the compiler reads the
// broken ones from an overlay. It ends with 1 where fewer than -least in a hundred are noticed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := mutate(ctx, os.Args[1:], os.Stdout)
	stop()

	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	breaks string
	only   string
	run    string
	rules  int
	seed   uint64
	least  float64
	wait   time.Duration
	list   bool
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&o.breaks, "breaks", "scripts/mutate/breaks.yaml",
		"the breaks by name, and the files of those by rule")
	flags.StringVar(&o.only, "only", "", "only breaks whose file or name holds this")
	flags.StringVar(&o.run, "run", "", "for breaks by rule, only tests whose whole name matches this")
	flags.IntVar(&o.rules, "rules", 100, "how many breaks by rule")
	flags.Uint64Var(&o.seed, "seed", 1, "what the breaks by rule are drawn by")
	flags.Float64Var(&o.least, "least", 95, "in a hundred, how many must be noticed")
	flags.DurationVar(&o.wait, "wait", 10*time.Minute, "how long a break's tests may take")
	flags.BoolVar(&o.list, "list", false, "list the breaks and try none")
	err := flags.Parse(args)
	return o, err
}

func mutate(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}

	plan, err := readPlan(o.breaks)
	if err != nil {
		return err
	}

	named, err := plan.named()
	if err != nil {
		return err
	}

	ruled, err := plan.byRule(o.rules, o.seed)
	if err != nil {
		return err
	}

	all := having(append(named, triedBy(ruled, o.run)...), o.only)
	if o.list {
		for _, b := range all {
			if _, err := fmt.Fprintf(out, "%s: %s\n", b.place, b.name); err != nil {
				return err
			}
		}
		return nil
	}
	return try(ctx, all, o, out)
}

// triedBy has breaks by rule tried by some tests alone, where these are named.
func triedBy(all []mutant, tests string) []mutant {
	for i := range all {
		if tests != "" {
			all[i].by = []string{tests}
		}
	}
	return all
}

func having(all []mutant, part string) []mutant {
	var found []mutant
	for _, b := range all {
		if strings.Contains(b.place+": "+b.name, part) {
			found = append(found, b)
		}
	}
	return found
}

// try tests each break, prints what became of it, and fails where too few are noticed.
func try(ctx context.Context, all []mutant, o options, out io.Writer) error {
	counts := map[fate]int{}
	for _, b := range all {
		started := time.Now()

		what, err := b.test(ctx, o.wait)
		if err != nil {
			return err
		}

		counts[what]++
		if _, err := fmt.Fprintf(out, "%-9s %4.0fs  %s: %s%s\n", what, time.Since(started).Seconds(), b.place, b.name,
			b.reason(what)); err != nil {
			return err
		}
	}

	tried := counts[noticed] + counts[survived]
	if tried == 0 {
		return fmt.Errorf("no break was tried; %d do not build", counts[invalid])
	}

	share := 100 * float64(counts[noticed]) / float64(tried)
	if _, err := fmt.Fprintf(out, "%d of %d noticed (%.0f%%); %d more do not build\n", counts[noticed], tried, share,
		counts[invalid]); err != nil {
		return err
	}

	if share < o.least {
		return fmt.Errorf("fewer than %.0f%% are noticed: write a test for each that survived, or its why in %s", o.least,
			o.breaks)
	}
	return nil
}
