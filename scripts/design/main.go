// Command design trains the model that tells the design of a record whose types do not (docs/METHOD.md, "Design"), and
// measures how well it does on records that it was not trained on (docs/BENCHMARKS.md, "Design"):
//
//	go run ./scripts/design SHARED > internal/pipeline/design_model.tsv
//	go run ./scripts/design -measure SHARED
//
// SHARED is the folder with the labelled records (bench/design) and the recorded answers of the services (data). No
// text of theirs goes into the model: words, pairs of words, and weights. The same records give the same bytes.
// Training takes some two seconds of both cores, measuring three minutes.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "design:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("design", flag.ContinueOnError)

	measured := flags.Bool("measure", false, "measure instead")
	if err := flags.Parse(args); err != nil {
		return err
	}

	if flags.NArg() != 1 {
		return fmt.Errorf("%d arguments; name the folder with bench/design and data", flags.NArg())
	}

	labelled, stated, err := readExamples(flags.Arg(0))
	if err != nil {
		return err
	}

	if !*measured {
		return train(append(stated, labelled...)).Write(out)
	}
	fmt.Fprintf(out, "%d labelled records, and %d more whose types or title state the design\n",
		len(labelled), len(stated))
	byModel := func(l []example) []verdict { return tell(train(stated), l) }

	crossValidated := func(l []example) []verdict { return crossValidate(l, stated, 0) }
	for _, way := range []struct {
		name  string
		tells func([]example) []verdict
	}{
		{"rules alone", byRules},
		{"model, trained on the other records alone", byModel},
		{fmt.Sprintf("model, in %d-fold cross-validation", folds), crossValidated},
	} {
		fmt.Fprintf(out, "\n%s\n%s", way.name, measure(labelled, way.tells(labelled)))
	}
	fmt.Fprint(out, "\nmacro-F1 of the model in other divisions:")

	for division := 1; division < divisions; division++ {
		fmt.Fprintf(out, " %.3f", measure(labelled, crossValidate(labelled, stated, division)).macroF1)
	}
	fmt.Fprintln(out)
	return nil
}
