package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/reader"
	"dossier/internal/render"
)

func newShow(s command.Streams) *cobra.Command {
	var format, section, about string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show all that the store knows of one record",
		Long: `show takes any identifier of a record: a PMID, DOI, PMCID, NCT, PPR or OpenAlex id, or the address of its page. A record
that the store lacks and a live answer found is shown too, with who fetched it.

With --section a part of its full text is printed, where one is kept:
` + strings.Join(render.FullTextParts(), ", ") + `;
with --about its passages that are nearest to a question, those of results and tables first.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: `  query show PMID:99000001
  query show PMID:99000001 --section results
  query show PMID:99000001 --about "response in brain metastases"
  query show 10.5555/dossier.crc.2023.001 --format json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withReader(cmd, s, func(r *reader.Reader) error {
				it, warnings, err := r.Record(cmd.Context(), args[0])
				printWarnings(r.App, warnings)

				if err != nil {
					return err
				}

				generation, err := r.Generation()
				if err != nil {
					return err
				}

				if section != "" || about != "" {
					return writeSection(cmd, r, it.Record, cmp.Or(section, render.PartAll), about, generation, format)
				}
				return writeRecord(cmd, r.App, it, generation, format)
			})
		},
	}
	command.FormatFlag(cmd, &format, "", listFormats...)
	cmd.Flags().StringVar(&section, "section", "", "print this part of the full text: "+
		strings.Join(render.FullTextParts(), ", "))
	cmd.Flags().StringVar(&about, "about", "", "print the three passages of the full text nearest to this question")
	cmd.MarkFlagsMutuallyExclusive("section", "about")
	command.OneOf(cmd, "section", render.FullTextParts()...)
	return cmd
}

// writeSection prints a part of a record's full text.
func writeSection(
	cmd *cobra.Command, r *reader.Reader, record *evidence.Record, part, about string, generation int, format string,
) error {
	if !slices.Contains(render.FullTextParts(), part) {
		return command.Usagef("--section %q is not known; choose %s", part, strings.Join(render.FullTextParts(), ", "))
	}

	shown, err := r.FullText(cmd.Context(), record, part, about)
	if err != nil {
		return err
	}

	switch format {
	case "json":
		return shown.JSON(cmd.OutOrStdout(), generation)
	case "markdown":
		return shown.Markdown(cmd.OutOrStdout())
	case "table":
		return shown.Table(cmd.OutOrStdout(), command.TerminalOf(r.App.Out, r.App.Environ))
	}
	return command.Usagef("--section is printed as table, markdown or json, and not as %s", format)
}

func writeRecord(cmd *cobra.Command, app *command.App, it evidence.Item, generation int, format string) error {
	w := cmd.OutOrStdout()
	if isCitationFormat(format) {
		return reader.Citations(w, format, reader.Sequence([]evidence.Item{it}))
	}

	switch format {
	case "json":
		return render.RecordJSON(w, it, generation)
	case "jsonl":
		return render.JSONLine(w, it)
	case "markdown":
		return render.RecordMarkdown(w, it)
	case "csv":
		return render.RecordCSV(w, it)
	}
	return render.RecordTable(w, command.TerminalOf(app.Out, app.Environ), it)
}
