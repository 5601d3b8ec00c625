package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
)

func newForget(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "forget TOPIC...",
		Short: "Remove topics with their answers and history",
		Long: `forget removes topics from the store: their answers, and what they showed before. Papers and trials stay, searches find them, and
other topics show them. It is meant for topics that no topic file has any more (` + "`query topics --retired`" + `);
one that a file still has comes back with the next run. An earlier generation keeps its topics: rollback brings them back.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example:           "  indexer forget kras-g12c-crc-resistance",
		ValidArgsFunction: command.Topics(s),
		Args:              cobra.MinimumNArgs(1),
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, topics []string) error {
			return forget(cmd, app, slices.Compact(slices.Sorted(slices.Values(topics))))
		}),
	}
}

func forget(cmd *cobra.Command, app *command.App, topics []string) (err error) {
	if _, err := questionsOf(cmd.Context(), app, topics); err != nil {
		return err
	}

	w, err := app.BeginStore(cmd.Context(), "indexer forget")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	if err := w.Commit(cmd.Context(), evidence.Batch{DropTopics: topics}); err != nil {
		return err
	}

	generation, err := w.Publish(cmd.Context())
	if err != nil {
		return err
	}

	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "Forgotten: %s. Generation %d no longer has that.\n", strings.Join(topics, ", "),
		generation); err != nil {
		return err
	}
	warnOfFiles(app, topics)
	return removeFeeds(app.Config.Data, topics)
}

// warnOfFiles names the topics that will come back, because a topic file has them.
func warnOfFiles(app *command.App, topics []string) {
	files, err := app.ReadTopics()
	if err != nil {
		return // unreadable files bring nothing back, and `indexer run` reports their faults
	}

	for _, id := range topicIDs(files) {
		if slices.Contains(topics, id) {
			app.Log.Warn("a topic file still has this topic, and the next run asks it again", "topic", id)
		}
	}
}
