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

// layHelp has what help says of root and the commands below it laid out in helpWidth columns: paragraphs, flags and the
// list of commands are broken between words, and what is indented stays as it is.
func layHelp(root *cobra.Command) {
	addHanging()
	root.SetUsageTemplate(strings.NewReplacer(
		"Flags.FlagUsages", fmt.Sprintf("Flags.FlagUsagesWrapped %d", helpWidth),
		".NamePadding }} {{.Short}}", ".NamePadding }} {{hanging .NamePadding .Short}}",
	).Replace(root.UsageTemplate()))
	layLong(root)
}

// addHanging gives cobra's templates, which all programs share, what breaks a text that stands behind a name of so many
// columns.
var addHanging = sync.OnceFunc(func() {
	cobra.AddTemplateFunc("hanging", func(padding int, s string) string {
		at := padding + len("   ")
		return strings.Join(lines(s, helpWidth-at), "\n"+strings.Repeat(" ", at))
	})
})

// lines breaks a text between words.
func lines(s string, width int) []string {
	return text.Each(strings.Split(terminal.WrapSoft(s, width), "\n"), strings.TrimSpace)
}

func layLong(cmd *cobra.Command) {
	cmd.Long = paragraphs(cmd.Long)
	for _, sub := range cmd.Commands() {
		layLong(sub)
	}
}

// paragraphs breaks each run of lines that begin at the margin anew.
func paragraphs(long string) string {
	var out, run []string

	end := func() {
		if len(run) > 0 {
			out, run = append(out, lines(strings.Join(run, " "), helpWidth)...), nil
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
