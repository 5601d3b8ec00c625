package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newMigrate(s command.Streams) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Copy a store from a folder to OpenSearch, or back",
		Long: `migrate copies the current generation of a store to another engine, which must have no store under the same name
(--data, or store.index_prefix), and publishes it there. What is copied from stays as it is. All entries are copied as
they are, the full text is made of the records, and the counts of both are compared at the end. Which engine is in use,
store.engine says: change it when the copy is there.

The cluster is the one of store.url. A user is given by DOSSIER_OPENSEARCH_USER and DOSSIER_OPENSEARCH_PASSWORD, a
bearer token by DOSSIER_OPENSEARCH_TOKEN, in the environment alone.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer migrate --from local --to opensearch   # store.url says where
  indexer migrate --from opensearch --to local --data back`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			switch from + " " + to {
			case config.EngineLocal + " " + config.EngineOpenSearch, config.EngineOpenSearch + " " + config.EngineLocal:
			default:
				return command.Usagef("--from and --to: one is %s and the other %s", config.EngineLocal, config.EngineOpenSearch)
			}

			if app.Config.Store.URL == "" {
				return command.Usagef("store.url is empty; name the address of OpenSearch")
			}
			return migrate(cmd, app, from, to)
		}),
	}
	cmd.Flags().StringVar(&from, "from", config.EngineLocal, "the engine that has the store: local or opensearch")
	cmd.Flags().StringVar(&to, "to", config.EngineOpenSearch, "the engine that gets it")
	return cmd
}

func migrate(cmd *cobra.Command, app *command.App, from, to string) (err error) {
	if _, err := app.StoreOn(to).Current(cmd.Context()); err == nil {
		return fmt.Errorf("%w: name another --data or store.index_prefix for the copy", store.ErrHasStore)
	} else if !errors.Is(err, store.ErrNoStore) {
		return err
	}

	reader, err := app.StoreOn(from).Open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()

	about, err := app.StoreOn(to).Fill(cmd.Context(), reader, app.BeginOptions(cmd.CommandPath()))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "copied from %s to %s: generation %d, %s, %s, %s\n", from, to, about.Number,
		text.Plural(about.Counts.Records, "record"), text.Plural(about.Counts.SourceRecords, "source record"),
		text.Plural(about.Counts.Topics, "topic"))
	return err
}
