package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/render"
	"dossier/internal/store"
)

func newTopics(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "List the topics that the store has answers for",
		Long: `topics lists what ` + "`" + `query ID` + "`" + ` answers: the topics of the indexer's files, and questions that were asked live (asked-…).

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: "  query topics\n  query topics --format csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.WithReader(cmd, s, format, formats, func(app *command.App, reader *store.Reader) error {
				topics, err := listTopics(reader, app.Now(), app.Config.Store.StaleAfter.Std())
				if err != nil {
					return err
				}
				if err := writeTopics(cmd, app, reader, topics, format); err != nil {
					return err
				}
				if len(topics) == 0 {
					return &command.ExitError{Code: command.ExitNothing, Err: errors.New("the store has no topics yet; `indexer run` makes them")}
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table, json, jsonl, markdown or csv")
	return cmd
}

func listTopics(reader *store.Reader, now time.Time, staleAfter time.Duration) ([]render.Topic, error) {
	infos, err := reader.Topics()
	if err != nil {
		return nil, err
	}
	var topics []render.Topic
	for _, info := range infos {
		answer, err := reader.Answer(info.ID)
		if err != nil {
			return nil, err
		}
		age := now.Sub(answer.Built)
		topics = append(topics, render.Topic{
			ID: info.ID, Question: info.Question, Tags: info.Tags, Built: answer.Built, Age: age, Stale: age > staleAfter,
			Counts: answer.Counts, Trouble: render.Trouble(&answer),
		})
	}
	return topics, nil
}

func writeTopics(cmd *cobra.Command, app *command.App, reader *store.Reader, topics []render.Topic, format string) error {
	w := cmd.OutOrStdout()
	switch format {
	case "json":
		generation, err := reader.Generation()
		if err != nil {
			return err
		}
		return render.TopicsJSON(w, topics, generation.Number)
	case "jsonl":
		return render.TopicsJSONLines(w, topics)
	case "markdown":
		return render.TopicsMarkdown(w, topics)
	case "csv":
		return render.TopicsCSV(w, topics)
	}
	return render.TopicsTable(w, command.TerminalOf(app.Out, app.Environ), topics)
}
