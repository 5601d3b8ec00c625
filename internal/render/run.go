package render

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// RunTable prints the results of a run, topic by topic, and below the table the failures.
func RunTable(w io.Writer, term Terminal, run evidence.Run) error {
	p := &printer{w: w, term: term}
	t := newTable()
	t.AppendHeader(table.Row{"topic", "found", "new", "merged", "screened", "sampled", "seconds"})

	configs := []table.ColumnConfig{}
	for i := 2; i <= 7; i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	const otherColumns = 47
	width := term.width() - otherColumns

	var sum evidence.Counts
	for _, row := range run.Topics {
		c := row.Counts

		name := text.WrapHard(row.Topic, width)
		if row.Failed {
			t.AppendRow(table.Row{name, "failed", "", "", "", "", fmt.Sprintf("%.1f", row.Seconds)})
			continue
		}
		t.AppendRow(table.Row{name, c.Found, c.New, c.Merged, c.Screened, c.Sampled, fmt.Sprintf("%.1f", row.Seconds)})
		sum = add(sum, c)
	}

	if len(run.Topics) > 1 {
		t.AppendRow(table.Row{term.bold("all"), sum.Found, sum.New, sum.Merged, sum.Screened, sum.Sampled,
			fmt.Sprintf("%.1f", run.Finished.Sub(run.Started).Seconds())})
	}

	if len(run.Topics) > 0 {
		p.write(t)
	}

	for _, row := range run.Topics {
		for _, e := range row.Errors {
			p.line(term.wrap("! "+row.Topic+": "+plaintext.Line(e), "  "))
		}

		if len(row.Shortfalls) > 0 {
			p.line(term.wrap(fmt.Sprintf("%s: found %d, sampled 0: %s; see the nearest with `query %s`.", row.Topic,
				row.Counts.Found, evidence.ShortfallText(row.Shortfalls), row.Topic), "  "))
		}
	}

	if sum.Sampled > 0 {
		p.line(fmt.Sprintf("%d of %d sampled records have the title of another in their sample (%.1f%%).", sum.Alike,
			sum.Sampled, 100*float64(sum.Alike)/float64(sum.Sampled)))
	}

	for _, s := range run.Sweeps {
		p.line(term.wrap(sweepLine(s), "  "))
	}

	for _, note := range run.Notes {
		p.line(term.wrap(plaintext.Line(note), "  "))
	}
	p.line(term.wrap(runEnd(run, sum), "  "))
	return p.err
}

// sweepLine sums up a source's check of the papers in the store.
func sweepLine(s evidence.Sweep) string {
	line := fmt.Sprintf("The store's own papers at %s: %d checked, %d changed", s.Source, s.Checked, s.Changed)
	if s.Left > 0 {
		line += fmt.Sprintf(", %d left for the next night", s.Left)
	}

	if len(s.Problems) > 0 {
		line += fmt.Sprintf(", %d could not be read", len(s.Problems))
	}

	if s.Error != "" {
		line += "; failed: " + plaintext.Line(s.Error)
	}

	if s.Hint != "" {
		line += "; " + plaintext.Line(s.Hint)
	}
	return line
}

func runEnd(run evidence.Run, sum evidence.Counts) string {
	end := fmt.Sprintf("Run %s: %s in %s", run.ID, plaintext.Plural(len(run.Topics), "topic"),
		run.Finished.Sub(run.Started).Round(100*time.Millisecond))
	if sum.Screened > 0 {
		end += fmt.Sprintf("; screened %d by model, %d by rules", sum.Screened-sum.ByRules, sum.ByRules)
	}

	if agreement := sum.AgreementText(); agreement != "" {
		end += "; " + agreement
	}

	if used := Usage(run.Usage()); used != "" {
		end += "; " + used
	}

	if run.Generation > 0 {
		return end + fmt.Sprintf("; generation %d is published.", run.Generation)
	}
	return end + "; nothing was published."
}

// Usage words a model's cost; empty if none was called.
func Usage(u evidence.Usage) string {
	if u.Calls == 0 {
		return ""
	}

	about := ""
	if u.Estimated {
		about = "about "
	}

	words := fmt.Sprintf("%s, %s%d tokens", plaintext.Plural(u.Calls, "model call"), about, u.Tokens())
	if u.Cost > 0 {
		words += fmt.Sprintf(", cost %.4f", u.Cost)
	}
	return words
}

func add(a, b evidence.Counts) evidence.Counts {
	a.Found += b.Found
	a.New += b.New
	a.Merged += b.Merged
	a.Screened += b.Screened
	a.ByRules += b.ByRules
	a.Agreed += b.Agreed
	a.LeftOutByModel += b.LeftOutByModel
	a.Sampled += b.Sampled
	a.NotStated += b.NotStated
	a.Alike += b.Alike
	return a
}

// RunJSON writes a run as one object.
func RunJSON(w io.Writer, run evidence.Run) error {
	return JSON(w, struct {
		Head
		Run evidence.Run `json:"run"`
	}{HeadOf("run"), run})
}
