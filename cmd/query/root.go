package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/store"
)

type askOptions struct {
	format string
	filterFlags
	maxAge command.DurationFlag
}

func newRoot(s command.Streams) *cobra.Command {
	var o askOptions
	root := &cobra.Command{
		Use:   `query "question"`,
		Short: "Answer a clinical question from the local store of published evidence",
		Long: `query prints a sample of the evidence on a question, sorted by kind of evidence. It looks for a topic with that id or
question, for one with the very same disease, genes, variants and drugs, for an earlier live answer, and for records that
have all of the question's concepts. Only where all of these fail does it ask the services, and never with --offline.

` + command.ExitHelp(command.ExitPartial, command.ExitNothing, command.ExitTooOld, command.ExitNoStore),
		Example: `  query "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor"
  query kras-g12c-crc-resistance --format json
  query kras-g12c-crc-resistance --bucket rct --since 2023 --status RECRUITING --country Germany
  query search 'osimertinib AND "MET amplification"[tiab]'
  query show PMID:99000001`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if near := misspelt(cmd, args); near != "" {
				return command.Usagef("%q is no command of query; did you mean `query %s`? A question goes in quotes, all of it", args[0], near)
			}
			return runAsk(cmd, s, strings.Join(args, " "), o)
		},
	}
	command.GlobalFlags(root)
	root.Flags().StringVar(&o.format, "format", "table", formatHelp(listFormats))
	o.add(root)
	root.Flags().Var(&o.maxAge, "max-age", "exit 6 if the answer is older, such as 36h or 2d")
	root.AddCommand(newSearch(s), newShow(s), newTopics(s), newExport(s), newReport(s))
	return root
}

// formats are what every command but export and report writes.
var formats = []string{"table", "json", "jsonl", "markdown", "csv"}

func runAsk(cmd *cobra.Command, s command.Streams, question string, o askOptions) error {
	if _, err := ask.CleanQuestion(question); err != nil {
		return command.Usagef("%w; see `query --help`", err)
	}
	filter, err := o.filter()
	if err != nil {
		return err
	}
	return command.WithReader(cmd, s, o.format, listFormats, func(app *command.App, reader *store.Reader) error {
		answer, err := askStore(cmd.Context(), app, reader, question, filter)
		if err != nil {
			return err
		}
		if err := writeShown(cmd.OutOrStdout(), app, answer, answer.Sample, o.format); err != nil {
			return err
		}
		return verdict(answer, time.Duration(o.maxAge))
	})
}

// misspelt finds the command that the first word was probably meant to be: else "query serach KRAS" would be asked of the
// services. Only a slip of one letter counts, or two letters in the wrong order: SHP2 is not "show".
func misspelt(cmd *cobra.Command, args []string) string {
	for _, sub := range cmd.Commands() {
		name := sub.Name()
		if len(args) > 0 && len(args[0]) > 3 && (levenshtein.ComputeDistance(args[0], name) == 1 || sorted(args[0]) == sorted(name)) {
			return name
		}
	}
	return ""
}

func sorted(word string) string {
	letters := []byte(word)
	slices.Sort(letters)
	return string(letters)
}

func askStore(ctx context.Context, app *command.App, reader *store.Reader, question string, filter ask.Filter) (*render.Answer, error) {
	words, err := app.Lexicon()
	if err != nil {
		return nil, err
	}
	asker := newAsker(app, reader, words)
	asker.Filter = filter
	answer, err := asker.Ask(ctx, question)
	return answer, askFailure(err)
}

func newAsker(app *command.App, reader *store.Reader, words *lexicon.Lexicon) *ask.Asker {
	return &ask.Asker{
		Store: reader, View: command.NewView(reader), Dir: app.Config.Data, Lexicon: words, Pipeline: app.Pipeline(reader, words, pipeline.NoProgress{}),
		Topic: app.TopicDefaults(), MinHits: app.Config.Defaults.MinHits, StaleAfter: app.Config.Store.StaleAfter.Std(),
		Offline: app.Config.Offline, Now: app.Now,
	}
}

// askFailure gives the failures of asking their exit codes.
func askFailure(err error) error {
	var miss *ask.MissError
	var impossible *ask.QuestionError
	switch {
	case errors.As(err, &miss):
		return &command.ExitError{Code: command.ExitNothing, Err: err}
	case errors.As(err, &impossible):
		return command.Usage(err)
	}
	return err
}

// verdict turns what an answer lacks into the exit code for it. The answer itself has been printed.
func verdict(a *render.Answer, maxAge time.Duration) error {
	switch {
	case maxAge > 0 && a.Age > maxAge:
		return &command.ExitError{Code: command.ExitTooOld, Err: fmt.Errorf("the answer is %s old", render.Age(a.Age))}
	case len(a.Sample)+len(a.Trials) == 0:
		return &command.ExitError{Code: command.ExitNothing, Err: errors.New("nothing was found that passes; see the counts above")}
	case a.Origin == render.FromLive && len(render.Trouble(a.Answer)) > 0:
		return &command.ExitError{Code: command.ExitPartial}
	}
	return nil
}
