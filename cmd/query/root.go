package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/pipeline"
	"dossier/internal/render"
)

type askOptions struct {
	format string
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

` + command.ExitCodes,
		Example: `  query "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor"
  query kras-g12c-crc-resistance --format json
  query search 'osimertinib AND "MET amplification"[tiab]'
  query show PMID:99000001`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return runAsk(cmd, s, strings.Join(args, " "), o)
		},
	}
	command.GlobalFlags(root)
	root.Flags().StringVar(&o.format, "format", "table", "table, json, jsonl, markdown or csv")
	root.Flags().Var(&o.maxAge, "max-age", "exit 6 if the answer is older, such as 36h or 2d")
	root.AddCommand(newSearch(s), newShow(s), newTopics(s), newExport(s))
	return root
}

// formats are what every command but export writes.
var formats = []string{"table", "json", "jsonl", "markdown", "csv"}

func runAsk(cmd *cobra.Command, s command.Streams, question string, o askOptions) error {
	if err := command.CheckFormat(o.format, formats...); err != nil {
		return err
	}
	app, err := command.Load(cmd, s)
	if err != nil {
		return err
	}
	answer, err := askStore(cmd.Context(), app, question)
	if err != nil {
		return askVerdict(err)
	}
	if err := writeAnswer(cmd.OutOrStdout(), app, answer, o.format); err != nil {
		return err
	}
	return verdict(answer, time.Duration(o.maxAge))
}

func askVerdict(err error) error {
	var miss *ask.MissError
	var question *ask.QuestionError
	switch {
	case errors.As(err, &miss):
		return &command.ExitError{Code: command.ExitNothing, Err: err}
	case errors.As(err, &question):
		return command.Usage(err)
	}
	return err
}

func askStore(ctx context.Context, app *command.App, question string) (answer *render.Answer, err error) {
	reader, err := app.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	words, err := app.Lexicon()
	if err != nil {
		return nil, err
	}
	asker := ask.Asker{
		Store: reader, View: command.NewView(reader), Dir: app.Config.Data, Lexicon: words, Pipeline: app.Pipeline(reader, words, pipeline.NoProgress{}),
		Topic: app.TopicDefaults(), MinHits: app.Config.Defaults.MinHits, StaleAfter: app.Config.Store.StaleAfter.Std(),
		Offline: app.Config.Offline, Now: app.Now, Log: app.Log,
	}
	return asker.Ask(ctx, question)
}

func writeAnswer(w io.Writer, app *command.App, a *render.Answer, format string) error {
	switch format {
	case "json":
		return a.JSON(w)
	case "jsonl":
		for _, it := range a.Sample {
			if err := render.JSONLine(w, it); err != nil {
				return err
			}
		}
		return nil
	case "markdown":
		return a.Markdown(w)
	case "csv":
		return a.CSV(w)
	}
	return a.Table(w, command.TerminalOf(app.Out, app.Environ))
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
