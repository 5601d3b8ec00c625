package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newManPages is the hidden command that makes manual pages for releases. They are made from the help's text: cobra's
// generator would read that as Markdown, and lose line breaks in lists, asterisks and brackets.
func newManPages(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man-pages FOLDER",
		Short: "Write a manual page for each command",
		Long: `man-pages writes a page for each command into a folder, for man(1). Their date is that of SOURCE_DATE_EPOCH (seconds
since 1970), and none where it is not set.

` + ExitHelp(),
		Example: "  query man-pages /usr/local/share/man/man1",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := ""
			if epoch := lookup(s.Environ, "SOURCE_DATE_EPOCH"); epoch != "" {
				seconds, err := strconv.ParseInt(epoch, 10, 64)
				if err != nil {
					return Usagef("SOURCE_DATE_EPOCH %q is no number of seconds", epoch)
				}
				date = time.Unix(seconds, 0).UTC().Format(time.DateOnly)
			}

			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("making the folder for the manual pages: %w; name another", err)
			}
			return writePages(cmd.Root(), args[0], date)
		},
	}
}

// writePages writes the pages of a command and of those below it, except the ones that cobra adds.
func writePages(cmd *cobra.Command, folder, date string) error {
	path := filepath.Join(folder, pageName(cmd)+".1")
	if err := os.WriteFile(path, []byte(manPage(cmd, date)), 0o644); err != nil {
		return fmt.Errorf("writing a manual page: %w", err)
	}

	for _, sub := range subcommands(cmd) {
		if err := writePages(sub, folder, date); err != nil {
			return err
		}
	}
	return nil
}

func subcommands(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(sub *cobra.Command) bool {
		return !sub.IsAvailableCommand() || sub.Name() == "help" || sub.Name() == "completion"
	})
}

// pageName is named like git's pages: query-search.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's page in the language of groff_man(7).
func manPage(cmd *cobra.Command, date string) string {
	var p page
	p.line(".TH", strings.ToUpper(pageName(cmd)), "1", date, "Dossier "+Version, "Dossier")
	p.line(".nh") // a hyphenated command or flag can't be copied
	p.line(".ad", "l")
	p.line(".SH", "NAME")
	p.text(pageName(cmd) + " - " + cmd.Short)
	p.line(".SH", "SYNOPSIS")
	p.line(".B", cmd.CommandPath())
	p.text(strings.TrimSpace(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())))
	description, exits, _ := strings.Cut(cmd.Long, "Exit codes:\n")
	p.line(".SH", "DESCRIPTION")
	p.paragraphs(description)
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())

	if subs := subcommands(cmd); len(subs) > 0 {
		p.line(".SH", "COMMANDS")

		for _, sub := range subs {
			p.line(".TP")
			p.line(".BR", pageName(sub), "(1)")
			p.text(sub.Short)
		}
	}

	if exits != "" {
		p.line(".SH", "EXIT STATUS")

		for exit := range strings.Lines(exits) {
			code, meaning, _ := strings.Cut(strings.TrimSpace(exit), " ")
			p.line(".TP")
			p.line(".B", code)
			p.text(strings.TrimSpace(meaning))
		}
	}

	if cmd.HasExample() {
		p.line(".SH", "EXAMPLES")
		p.verbatim(cmd.Example)
	}

	if cmd.HasParent() {
		p.line(".SH", "SEE ALSO")
		p.line(".BR", pageName(cmd.Parent()), "(1)")
	}
	return p.String()
}

// page is a manual page under construction.
type page struct{ strings.Builder }

// line writes a request with its arguments.
func (p *page) line(request string, arguments ...string) {
	p.WriteString(request)

	for _, a := range arguments {
		p.WriteString(` "` + strings.ReplaceAll(roff(a), `"`, `\(dq`) + `"`)
	}
	p.WriteByte('\n')
}

// text writes lines to be filled, escaping those that would begin like a request.
func (p *page) text(s string) {
	for line := range strings.Lines(s) {
		line = roff(strings.TrimRight(line, "\n"))
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		p.WriteString(line + "\n")
	}
}

// paragraphs writes text separated by blank lines; a paragraph with an indented line stays verbatim.
func (p *page) paragraphs(s string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(s), "\n\n") {
		p.line(".PP")

		if strings.Contains(paragraph, "\n ") {
			p.verbatim(paragraph)
		} else {
			p.text(paragraph)
		}
	}
}

func (p *page) verbatim(s string) {
	p.line(".nf")
	p.text(s)
	p.line(".fi")
}

func (p *page) flags(heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.line(".SH", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)

		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}

		if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		p.line(".TP")
		p.line(".BI", name+" ", value)
		p.text(usage)
	})
}

// roff escapes backslashes, and hyphens so that they stay as typed.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, `-`, `\-`, `^`, `\(ha`, `~`, `\(ti`, "`", `\(ga`, `'`, `\(aq`).Replace(s)
}
