package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/files"
	"dossier/internal/jobs"
	"dossier/internal/strictyaml"
	"dossier/internal/text"
)

type topicsOptions struct {
	out      string
	dry      bool
	columns  map[string]string
	encoding string
	tumour   string
}

func newTopics(s command.Streams) *cobra.Command {
	var o topicsOptions
	cmd := &cobra.Command{
		Use:   "topics FILE",
		Short: "Make a topic file of a list of cases or a table of variants",
		Long: `topics makes a topic file of what a board has in its hands, for a person to read before it runs:

  a list of cases with a header row, as .xlsx, CSV or TSV: a case a row, with a
  pseudonym, tumour, stage, alterations, prior treatment, question, board, date.
  Columns are known by their headers in seven languages; --columns names others.
  a table of variants: MAF, cBioPortal's export, VCF with VEP's or SnpEff's
  annotation, or FHIR's bundle of a genomic report. Genes that a treatment is
  chosen by are asked of, one topic a gene and tumour; the rest is listed.

A list with a name, a birth date or anything else that tells who a patient is
in any column is refused. Of the same list, later, only what changed is made
anew: what was edited in the topic file stays while its row is the same.

` + command.ExitHelp(command.ExitNothing),
		Example: `  indexer topics cases.xlsx --dry-run
  indexer topics cases.xlsx --out jobs/thursday.yaml
  indexer topics liste.csv --columns case=A,tumour=Diagnose --out liste.yaml
  indexer topics panel.vcf --tumour "lung adenocarcinoma" --out jobs/panel.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, args []string) error {
			return makeTopics(cmd, app, args[0], o)
		}),
	}
	cmd.Flags().StringVar(&o.out, "out", "", "topic file to write; standard output where it is not given")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "only show the questions as they are understood; nothing is written")
	cmd.Flags().StringToStringVar(&o.columns, "columns", nil,
		"which column holds what, by letter or header, such as case=A,tumour=Diagnose")
	cmd.Flags().StringVar(&o.encoding, "encoding", "", "how a text is encoded, such as windows-1252")
	cmd.Flags().StringVar(&o.tumour, "tumour", "", "the tumour of a table of variants that names none")
	return cmd
}

func makeTopics(cmd *cobra.Command, app *command.App, path string, o topicsOptions) error {
	words, err := app.Lexicon()
	if err != nil {
		return err
	}
	reader := jobs.CaseReader{Lexicon: words, Columns: o.columns, Encoding: o.encoding,
		Tumour: o.tumour}

	list, err := reader.Read(path)
	if err != nil {
		return command.Usage(err)
	}
	printListSummary(cmd.ErrOrStderr(), list)

	if len(list.Topics) == 0 {
		return command.Exitf(command.ExitNothing, "%s: nothing of it is asked; the reasons stand above", text.Line(path))
	}

	if o.dry {
		for i := range list.Topics {
			q := words.Understand(list.Topics[i].Question)
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n    %s\n", list.Topics[i].ID,
				text.Line(list.Topics[i].Question), text.Line(q.Wording())); err != nil {
				return err
			}
		}
		return nil
	}
	return writeTopicFile(cmd, list, o.out)
}

// printListSummary reports how a list was read, and what in it is not used.
func printListSummary(w io.Writer, list *jobs.CaseList) {
	for _, note := range list.Notes { // a log that can't be written must not stop the list
		fmt.Fprintln(w, text.Line(note))
	}

	for _, n := range list.NotAsked {
		fmt.Fprintf(w, "not asked: %s: %s\n", text.Line(n.What), text.Line(n.Why))
	}
}

// writeTopicFile replaces the list's earlier topic file, if anything has changed.
func writeTopicFile(cmd *cobra.Command, list *jobs.CaseList, out string) error {
	var before []byte
	if out != "" {
		var err error
		if before, err = files.Read(out, strictyaml.MaxSize); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("reading what the list made the last time: %w", err)
		}
	}

	file, changes, err := list.TopicFile(before)
	if err != nil {
		return command.Usagef("%s: %w", out, err)
	}

	if out == "" {
		_, err := cmd.OutOrStdout().Write(file)
		return err
	}

	if !bytes.Equal(file, before) {
		if err := maybe.WriteFile(out, file, 0o644); err != nil {
			return fmt.Errorf("writing the topics: %w; name another file with --out", err)
		}
	}

	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %d new, %d changed, %d gone\n", text.Line(out),
		text.Plural(len(list.Topics), "topic"), len(changes.New), len(changes.Changed), len(changes.Gone))
	for _, part := range []struct {
		name string
		ids  []string
	}{{"new", changes.New}, {"changed", changes.Changed}, {"gone", changes.Gone}} {
		if len(part.ids) > 0 && err == nil {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "  %s: %s\n", part.name, strings.Join(part.ids, ", "))
		}
	}
	return err
}
