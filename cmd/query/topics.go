package main

import (
	"context"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/reader"
	"dossier/internal/render"
)

func newTopics(s command.Streams) *cobra.Command {
	var format string
	var retired bool
	cmd := &cobra.Command{
		Use:   "topics",
		Short: "List the topics that the store has answers for",
		Long: `topics lists what ` + "`" + `query ID` + "`" +
			` answers: the topics of the indexer's files, and questions that were asked live (asked-…).
Live answers that wait for the indexer's next run are listed apart, with who fetched them. Topics that no topic file has any
more are retired: --retired lists them, and ` + "`query ID`" + ` still answers.

` + command.ExitHelp(command.ExitNothing, command.ExitNoStore),
		Example: "  query topics\n  query topics --format csv\n  query topics --retired",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withReader(cmd, s, func(r *reader.Reader) error {
				topics, warnings, err := listTopics(cmd.Context(), r, retired)
				printWarnings(r.App, warnings)

				if err != nil {
					return err
				}

				if err := writeTopics(cmd, r, topics, format); err != nil {
					return err
				}

				switch {
				case len(topics) == 0 && retired:
					return command.Exitf(command.ExitNothing, "no topic is retired")
				case len(topics) == 0:
					return errNoTopics
				}
				return nil
			})
		},
	}
	command.FormatFlag(cmd, &format, "", formats...)
	cmd.Flags().BoolVar(&retired, "retired", false, "only the topics that no topic file has any more")
	return cmd
}

func listTopics(ctx context.Context, r *reader.Reader, retired bool) (topics []render.Topic, warnings []string, err error) {
	if retired {
		topics, err = r.RetiredTopics()
		return topics, nil, err
	}
	return r.Topics(ctx)
}

// errNoTopics ends a command on topics if the store has none.
var errNoTopics = command.Exitf(command.ExitNothing, "the store has no topics yet; `indexer run` makes them")

func writeTopics(cmd *cobra.Command, r *reader.Reader, topics []render.Topic, format string) error {
	w := cmd.OutOrStdout()
	switch format {
	case "json":
		generation, err := r.Generation()
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
	return render.TopicsTable(w, command.TerminalOf(r.App.Out, r.App.Environ), topics)
}
