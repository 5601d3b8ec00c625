package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/ask"
	"dossier/internal/command"
	"dossier/internal/health"
	"dossier/internal/render"
	"dossier/internal/store"
)

func newTopics(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "List the topics that the store has answers for",
		Long: `topics lists what ` + "`" + `query ID` + "`" +
			` answers: the topics of the indexer's files, and questions that were asked live (asked-…).
Live answers that wait for the indexer's next run are listed apart, with who fetched them.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: "  query topics\n  query topics --format csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := func(app *command.App, reader *store.Reader, missing error) error {
				if err := otherThanNoStore(missing); err != nil {
					return err
				}
				topics, err := listTopics(reader, app.Now(), app.Config.Store.StaleAfter.Std())
				if err != nil {
					return err
				}
				waiting, warnings := listWaiting(cmd.Context(), app)
				tellWarnings(app, warnings)
				if topics = append(topics, waiting...); len(topics) == 0 && missing != nil {
					return missing
				}
				if err := writeTopics(cmd, app, reader, topics, format); err != nil {
					return err
				}
				if len(topics) == 0 {
					return &command.ExitError{Code: command.ExitNothing,
						Err: errors.New("the store has no topics yet; `indexer run` makes them")}
				}
				return nil
			}
			return command.WithReader(cmd, s, format, formats, list)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table, json, jsonl, markdown or csv")
	return cmd
}

func listTopics(reader *store.Reader, now time.Time, staleAfter time.Duration) ([]render.Topic, error) {
	if reader == nil {
		return nil, nil
	}
	fared, err := health.Read(reader, nil)
	if err != nil {
		return nil, err
	}
	var topics []render.Topic
	for _, topic := range fared.Topics {
		if topic.Built.IsZero() {
			continue // no run has answered it: `indexer status` tells
		}
		age := now.Sub(topic.Built)
		topics = append(topics, render.Topic{Topic: topic, Age: age, Stale: age > staleAfter})
	}
	return topics, nil
}

// listWaiting lists the live answers that wait in the inbox. Of one that nobody vouches for only the question is
// told.
func listWaiting(ctx context.Context, app *command.App) (topics []render.Topic, warnings []string) {
	entries, warnings := ask.Waiting(ctx, app.Config.Data)
	for i := range entries {
		answer := &entries[i].Answer
		age := max(0, app.Now().Sub(answer.Built))
		topic := render.Topic{
			Topic: health.Topic{ID: answer.Topic.ID, Question: answer.Topic.Question, Built: answer.Built.UTC()},
			Age:   age, Stale: age > app.Config.Store.StaleAfter.Std(), Live: ask.LiveOf(&entries[i]),
		}
		if entries[i].Vouched {
			topic.Counts, topic.Trouble = answer.Counts, answer.Trouble()
		}
		topics = append(topics, topic)
	}
	slices.SortFunc(topics, func(a, b render.Topic) int { return strings.Compare(a.ID, b.ID) })
	return topics, warnings
}

func writeTopics(cmd *cobra.Command, app *command.App, reader *store.Reader, topics []render.Topic,
	format string) error {
	w := cmd.OutOrStdout()
	switch format {
	case "json":
		generation, err := generationOf(reader)
		if err != nil {
			return err
		}
		return render.TopicsJSON(w, topics, generation)
	case "jsonl":
		return render.TopicsJSONLines(w, topics)
	case "markdown":
		return render.TopicsMarkdown(w, topics)
	case "csv":
		return render.TopicsCSV(w, topics)
	}
	return render.TopicsTable(w, command.TerminalOf(app.Out, app.Environ), topics)
}
