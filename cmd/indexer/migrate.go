package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/database"
	"dossier/internal/opensearch"
	"dossier/internal/opensearch/cluster"
	"dossier/internal/opensearch/generations"
	"dossier/internal/store"
	"dossier/internal/text"
)

// The engines that keep a store.
const (
	engineLocal      = "local"
	engineOpenSearch = "opensearch"
)

func newMigrate(s command.Streams) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Copy a store from a folder to OpenSearch, or back",
		Long: `migrate copies the current generation of a store to another engine, which must have no store under the same name
(--data, or store.index_prefix), and publishes it there. What is copied from stays as it is. All entries are copied as
they are, the full text is made of the records, and the counts of both are compared at the end.

The cluster is the one of store.url. A user is given by DOSSIER_OPENSEARCH_USER and DOSSIER_OPENSEARCH_PASSWORD, a
bearer token by DOSSIER_OPENSEARCH_TOKEN, in the environment alone.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  DOSSIER_STORE_URL=https://search.example:9200 indexer migrate --from local --to opensearch
  indexer migrate --from opensearch --to local --data back`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			var migrate func(context.Context, *command.App, *opensearch.Client) (database.Counts, error)
			switch from + " " + to {
			case engineLocal + " " + engineOpenSearch:
				migrate = toCluster
			case engineOpenSearch + " " + engineLocal:
				migrate = fromCluster
			default:
				return command.Usagef("--from and --to: one is %s and the other %s", engineLocal, engineOpenSearch)
			}
			return withCluster(cmd.Context(), app, func(client *opensearch.Client) error {
				counts, err := migrate(cmd.Context(), app, client)
				if err != nil {
					return clusterCode(err)
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "copied from %s to %s: %s, %s, %s\n", from, to,
					text.Plural(counts.Records, "record"), text.Plural(counts.SourceRecords, "source record"),
					text.Plural(counts.Topics, "topic"))
				return err
			})
		}),
	}
	cmd.Flags().StringVar(&from, "from", engineLocal, "the engine that has the store: local or opensearch")
	cmd.Flags().StringVar(&to, "to", engineOpenSearch, "the engine that gets it")
	return cmd
}

// withCluster runs f with a connection to the configured cluster.
func withCluster(ctx context.Context, app *command.App, f func(*opensearch.Client) error) (err error) {
	c, keys := app.Config.Store, app.Config.Keys.OpenSearch
	if c.URL == "" {
		return command.Usagef("store.url is empty; name the address of OpenSearch")
	}
	client, err := opensearch.Connect(ctx, opensearch.Config{
		URL: c.URL, Prefix: c.IndexPrefix, Shards: c.Shards, Replicas: c.Replicas, CAFile: c.CAFile,
		User: keys.User.Reveal(), Password: keys.Password.Reveal(), Token: keys.Token.Reveal(),
		Hosts: app.Hosts(), Logger: app.Log,
	})
	if err != nil {
		return clusterCode(err)
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	return f(client)
}

// clusterCode gives errors of a cluster the exit codes that those of a folder have.
func clusterCode(err error) error {
	var locked *generations.LockedError
	switch kind := opensearch.KindOf(err); {
	case errors.As(err, &locked):
		return &command.ExitError{Code: command.ExitLocked, Err: err}
	case errors.Is(err, generations.ErrNoStore), kind == opensearch.NewerMapping:
		return &command.ExitError{Code: command.ExitNoStore, Err: err}
	case kind == opensearch.BadConfig, kind == opensearch.NotAllowed, errors.Is(err, cluster.ErrHasStore),
		errors.Is(err, store.ErrHasStore):
		return command.Usage(err)
	}
	return err
}

func clusterOptions(app *command.App) cluster.Options {
	host, _ := os.Hostname() // with the process and the time it tells one writer from another
	return cluster.Options{Program: app.Command, Keep: app.Config.Store.KeepGenerations, Logger: app.Log,
		ID: fmt.Sprintf("%s %d %d", host, os.Getpid(), app.Now().UnixNano())}
}

// toCluster publishes what readers of the folder find as the first generation of the cluster's store.
func toCluster(ctx context.Context, app *command.App, client *opensearch.Client) (counts database.Counts, err error) {
	reader, err := app.OpenStore(ctx)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	want, err := reader.Counts()
	if err != nil {
		return counts, err
	}
	w, err := cluster.Begin(ctx, client, clusterOptions(app))
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, w.Close(context.WithoutCancel(ctx))) }()
	about, err := w.Fill(ctx, func(to *database.DB) error {
		_, err := reader.CopyTo(ctx, to)
		return err
	})
	return about.Counts, errors.Join(err, sameCounts(err, want, about.Counts))
}

// fromCluster makes a store in a folder that has none.
func fromCluster(ctx context.Context, app *command.App, client *opensearch.Client) (counts database.Counts, err error) {
	reader, err := cluster.Open(ctx, client)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	want, err := reader.Counts()
	if err != nil {
		return counts, err
	}
	g, err := store.Fill(ctx, app.Config.Data, app.BeginOptions(app.Command), func(to *database.DB) error {
		_, err := reader.CopyTo(ctx, to)
		return err
	})
	return g.Counts, errors.Join(err, sameCounts(err, want, g.Counts))
}

func sameCounts(err error, want, got database.Counts) error {
	if err == nil && want != got {
		return fmt.Errorf("what was copied holds %+v, and the copy %+v: nothing was lost where it was copied from", want, got)
	}
	return nil
}
