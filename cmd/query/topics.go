package main

import (
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/desk"
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
				d := desk.New(app, reader, missing)
				topics, warnings, err := d.Topics(cmd.Context())
				tellWarnings(app, warnings)
				if err != nil {
					return err
				}
				if err := writeTopics(cmd, d, topics, format); err != nil {
					return err
				}
				if len(topics) == 0 {
					return errNoTopics
				}
				return nil
			}
			return command.WithReader(cmd, s, list)
		},
	}
	command.FormatFlag(cmd, &format, "", formats...)
	return cmd
}

// errNoTopics ends a command on topics where the store has none.
var errNoTopics = command.Exitf(command.ExitNothing, "the store has no topics yet; `indexer run` makes them")

func writeTopics(cmd *cobra.Command, d *desk.Desk, topics []render.Topic, format string) error {
	w := cmd.OutOrStdout()
	switch format {
	case "json":
		generation, err := d.Generation()
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
	return render.TopicsTable(w, command.TerminalOf(d.App.Out, d.App.Environ), topics)
}
