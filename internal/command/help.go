package command

import (
	"fmt"
	"strings"
	"sync"

	terminal "github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"dossier/internal/text"
)

// helpWidth is the width of the terminals that help is laid out for, in columns.
const helpWidth = 80

// wrapHelp lays out the help of root and the commands below it in helpWidth columns: it wraps paragraphs, flags and
// the list of commands, and leaves indented text as it is.
func wrapHelp(root *cobra.Command) {
	addHanging()
	root.SetUsageTemplate(strings.NewReplacer(
		"Flags.FlagUsages", fmt.Sprintf("Flags.FlagUsagesWrapped %d", helpWidth),
		".NamePadding }} {{.Short}}", ".NamePadding }} {{hanging .NamePadding .Short}}",
	).Replace(root.UsageTemplate()))
	layLong(root)
}

// addHanging adds a function to cobra's templates, which all programs share, that wraps a text after a name of so many
// columns.
var addHanging = sync.OnceFunc(func() {
	cobra.AddTemplateFunc("hanging", func(padding int, s string) string {
		at := padding + len("   ")
		return strings.Join(wrapText(s, helpWidth-at), "\n"+strings.Repeat(" ", at))
	})
})

// wrapText wraps a text between words.
func wrapText(s string, width int) []string {
	return text.Each(strings.Split(terminal.WrapSoft(s, width), "\n"), strings.TrimSpace)
}

func layLong(cmd *cobra.Command) {
	cmd.Long = paragraphs(cmd.Long)
	for _, sub := range cmd.Commands() {
		layLong(sub)
	}
}

// paragraphs rewraps each run of unindented lines.
func paragraphs(long string) string {
	var out, run []string

	end := func() {
		if len(run) > 0 {
			out, run = append(out, wrapText(strings.Join(run, " "), helpWidth)...), nil
		}
	}
	for _, line := range strings.Split(long, "\n") {
		if line != "" && !strings.HasPrefix(line, " ") {
			run = append(run, line)
			continue
		}
		end()
		out = append(out, line)
	}
	end()
	return strings.Join(out, "\n")
}
