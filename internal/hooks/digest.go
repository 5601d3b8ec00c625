package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// What a digest holds at most: lines of a list, changes of one topic, and changes of all.
const (
	linesMost      = 200
	topicItemsMost = 50
	itemsMost      = 500
)

// Digest says in plain text what a run changed of the topics' answers, as `query diff` and the feeds tell it, how many
// records came new, and what failed. Changed are the topics whose answers show something else, or are the first. The
// subject, which is one line and holds nobody else's words, is empty where there is nothing of that.
func Digest(run evidence.Run, changed []evidence.TopicChanges) (subject, digest string) {
	var came, failed []string
	for _, row := range run.Topics {
		if n := row.Counts.New; n > 0 {
			came = append(came, fmt.Sprintf("%s: %s", row.Topic, text.Plural(n, "new record")))
		}

		for _, e := range row.Errors {
			failed = append(failed, row.Topic+": "+text.Cut(text.Line(e), 500))
		}
	}

	for _, s := range run.Sweeps {
		if s.Changed > 0 {
			came = append(came, fmt.Sprintf("of the store's own papers, %s has changed %d", s.Source, s.Changed))
		}

		if s.Error != "" {
			failed = append(failed, "the store's own papers at "+s.Source+": "+text.Cut(text.Line(s.Error), 500))
		}
	}

	if len(changed) == 0 && len(came) == 0 && len(failed) == 0 && len(run.Notes) == 0 {
		return "", ""
	}
	all := slices.Concat(text.Each(changed, func(t evidence.TopicChanges) []evidence.Change { return t.Items })...)

	subject = fmt.Sprintf("Dossier: %s changed", text.Plural(len(changed), "topic"))
	if len(all) > 0 {
		subject += " (" + evidence.ChangesSummary(all) + ")"
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
	writeChanged(&b, changed)
	section(&b, "What came in", came)
	section(&b, "What went wrong", failed)
	section(&b, "Notes", run.Notes)
	return subject, b.String()
}

// writeChanged lists what changed, topic by topic, and where each can be read.
func writeChanged(b *strings.Builder, changed []evidence.TopicChanges) {
	left := itemsMost
	for i, t := range changed {
		if i == linesMost {
			fmt.Fprintf(b, "\nAnd %s more; `query diff` lists them.\n", text.Plural(len(changed)-i, "topic"))
			return
		}
		fmt.Fprintf(b, "\n%s: %s\n", t.ID, text.Cut(text.Line(t.Question), 500))

		if t.Note != "" {
			fmt.Fprintf(b, "%s\n", t.Note)
		}
		told := t.Items[:min(len(t.Items), topicItemsMost, left)]

		left -= len(told)
		for _, c := range told {
			fmt.Fprintf(b, "- %s: %s", c.Name(), text.Cut(text.Line(c.Title), 300))

			if said := c.FromTo(); said != "" {
				fmt.Fprintf(b, " (%s)", text.Cut(text.Line(said), 200))
			}
			where := cmp.Or(c.URL, text.Line(c.Record))
			fmt.Fprintf(b, "\n  %s\n", where)
		}

		if more := len(t.Items) - len(told); more > 0 {
			fmt.Fprintf(b, "- and %s more; `query diff %s` lists them\n", text.Plural(more, "change"), t.ID)
		}
	}
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
