package hooks

import (
	"fmt"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// linesMost bounds a digest, in lines of topics and of errors each.
const linesMost = 200

// Digest says in plain text what a run changed: what is new by topic, what is newly retracted, what was corrected, what
// failed. Past are earlier runs, the newest first. The subject is empty where there is nothing of that.
func Digest(run evidence.Run, past []evidence.Run) (subject, digest string) {
	var changed, failed []string
	records, retracted := 0, 0
	for _, row := range run.Topics {
		more := newlyRetracted(row, past)
		if n := row.Counts.New; n > 0 || more > 0 {
			line := fmt.Sprintf("%s: %s", row.Topic, text.Plural(n, "new record"))
			if more > 0 {
				line += fmt.Sprintf(", %d more retracted than before", more)
			}
			changed = append(changed, line)
		}
		records, retracted = records+row.Counts.New, retracted+more
		for _, e := range row.Errors {
			failed = append(failed, row.Topic+": "+text.Cut(text.Line(e), 500))
		}
	}
	for _, s := range run.Sweeps {
		if s.Changed > 0 {
			changed = append(changed, fmt.Sprintf("of the store's own papers, %s has changed %d", s.Source, s.Changed))
		}
		if s.Error != "" {
			failed = append(failed, "the store's own papers at "+s.Source+": "+text.Cut(text.Line(s.Error), 500))
		}
	}
	if len(changed) == 0 && len(failed) == 0 && len(run.Notes) == 0 {
		return "", ""
	}
	subject = "Dossier: " + text.Plural(records, "new record")
	if retracted > 0 {
		subject += fmt.Sprintf(", %d newly retracted", retracted)
	}
	if len(failed) > 0 {
		subject += ", " + text.Plural(len(failed), "error")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s, %s, %s.\n",
		run.ID, run.Started.UTC().Format("2006-01-02 15:04 MST"), text.Plural(len(run.Topics), "topic"))
	if run.Generation > 0 {
		fmt.Fprintf(&b, "Generation %d is published.\n", run.Generation)
	} else {
		b.WriteString("Nothing was published.\n")
	}
	section(&b, "What changed", changed)
	section(&b, "What went wrong", failed)
	section(&b, "Notes", run.Notes)
	return subject, b.String()
}

// newlyRetracted is how many more of a topic's records are retracted than in the last run that answered it.
func newlyRetracted(row evidence.TopicRun, past []evidence.Run) int {
	for _, run := range past {
		for _, before := range run.Topics {
			if before.Topic == row.Topic && !before.Failed {
				return max(0, row.Counts.Retracted-before.Counts.Retracted)
			}
		}
	}
	return 0
}

func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, line := range lines[:min(len(lines), linesMost)] {
		fmt.Fprintf(b, "- %s\n", text.Cut(text.Line(line), 1000))
	}
	if more := len(lines) - linesMost; more > 0 {
		fmt.Fprintf(b, "- and %d more\n", more)
	}
}
