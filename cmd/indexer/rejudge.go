package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

func newRejudge(s command.Streams) *cobra.Command {
	var o rejudgeOptions
	cmd := &cobra.Command{
		Use:   "rejudge (TOPIC... | --all) [--model NAME]",
		Short: "Forget what a model judged, so that the next run asks again",
		Long: `rejudge forgets the judgements of a model on some topics, or on all, and publishes the store without them. Nobody is asked now: the
answers stay as they are until the next run, which asks the model again, at its price. Without rejudge nothing that was judged is
ever paid for again, be the judgement good or bad. An earlier generation keeps its judgements: rollback brings them back.

` + command.ExitHelp(command.ExitNothing, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer rejudge egfr-t790m-nsclc-osimertinib
  indexer rejudge --all --model google/gemini-3-flash-preview`,
		ValidArgsFunction: command.Topics(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.topics = args
			if o.all == (len(args) > 0) {
				return command.Usagef("name the topics whose judgements are forgotten, or give --all")
			}

			if cmd.Flags().Changed("model") && strings.TrimSpace(o.model) == "" {
				return command.Usagef(
					"--model: is empty; name the model whose judgements are forgotten, or leave the flag out for every model")
			}

			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			return rejudge(cmd, app, o)
		},
	}
	cmd.Flags().BoolVar(&o.all, "all", false, "the judgements on every topic and question")
	cmd.Flags().StringVar(&o.model, "model", "", "only those of this model")
	return cmd
}

type rejudgeOptions struct {
	topics []string
	all    bool
	model  string
}

func rejudge(cmd *cobra.Command, app *command.App, o rejudgeOptions) (err error) {
	questions, err := questionsOf(cmd.Context(), app, o.topics)
	if err != nil {
		return err
	}

	w, err := app.BeginStore(cmd.Context(), "indexer rejudge")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	concerned := func(j *evidence.Judgement) bool {
		a := &j.Assessment
		return (o.model == "" || a.Model == o.model) && (o.all || slices.ContainsFunc(questions, func(question string) bool {
			return j.Key == evidence.JudgementKey(question, a.Content, a.Model, a.Prompt)
		}))
	}
	models := map[string]int{}
	byModel := map[string]int{}

	var keys []string
	for judgement, err := range w.Judgements(cmd.Context()) {
		if err != nil {
			return fmt.Errorf("looking for the judgements to forget: %w", err)
		}

		models[judgement.Assessment.Model]++
		if concerned(&judgement) {
			keys = append(keys, judgement.Key)
			byModel[judgement.Assessment.Model]++
		}
	}

	if len(keys) == 0 {
		return nothingToForget(o, models)
	}

	if err := w.Commit(cmd.Context(), evidence.Batch{Forget: keys}); err != nil {
		return err
	}

	generation, err := w.Publish(cmd.Context())
	if err != nil {
		return err
	}
	return printForgotten(cmd.OutOrStdout(), byModel, generation)
}

// questionsOf are the questions of the topics that the store has an answer to.
func questionsOf(ctx context.Context, app *command.App, topics []string) (questions []string, err error) {
	reader, err := app.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()

	for _, topic := range topics {
		answer, ok, err := reader.Answer(topic)
		if err != nil {
			return nil, err
		}

		if !ok {
			return nil, command.Usagef("no topic %q in the store; `query topics` lists them", topic)
		}
		questions = append(questions, answer.Topic.Question)
	}
	return questions, nil
}

func nothingToForget(o rejudgeOptions, models map[string]int) error {
	why := "no model has judged anything there"
	if o.model != "" {
		why = fmt.Sprintf("no judgement there is by %s; in the store are judgements by %s", o.model,
			cmp.Or(strings.Join(slices.Sorted(maps.Keys(models)), ", "), "no model"))
	}
	return command.Exitf(command.ExitNothing, "nothing to forget: %s", why)
}

func printForgotten(out io.Writer, byModel map[string]int, generation int) error {
	total := 0

	var parts []string
	for _, model := range slices.Sorted(maps.Keys(byModel)) {
		total += byModel[model]
		parts = append(parts, fmt.Sprintf("%d by %s", byModel[model], model))
	}
	_, err := fmt.Fprintf(out, "%s forgotten: %s. Generation %d is without them; the next run asks again.\n",
		text.Plural(total, "judgement"), strings.Join(parts, ", "), generation)
	return err
}
