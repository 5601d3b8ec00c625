package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/store"
)

//go:embed init_config.yaml
var exampleConfig []byte

//go:embed init_topics.yaml
var exampleTopics []byte

func newInit(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make a configuration, a topic file and an empty store",
		Long: `init makes config.yaml, jobs/example.yaml and an empty store where they are missing. What is there already is left as it is.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer init
  indexer init --data /srv/dossier`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path, _ := cmd.Flags().GetString("config"); path == "" {
				if err := writeMissing(cmd, "config.yaml", exampleConfig); err != nil {
					return err
				}
			}
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			if err := initTopics(cmd, app.Config.Jobs); err != nil {
				return err
			}
			return initStore(cmd, app)
		},
	}
}

// initTopics writes the example where the configured folder holds nothing yet.
func initTopics(cmd *cobra.Command, jobs string) error {
	if entries, err := os.ReadDir(jobs); err == nil && len(entries) > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "kept   %s\n", jobs)
		return nil
	}
	if info, err := os.Stat(jobs); err == nil && !info.IsDir() {
		fmt.Fprintf(cmd.OutOrStdout(), "kept   %s\n", jobs)
		return nil
	}
	return writeMissing(cmd, filepath.Join(jobs, "example.yaml"), exampleTopics)
}

func initStore(cmd *cobra.Command, app *command.App) error {
	w, err := app.BeginStore(cmd.Context(), "indexer init")
	if err != nil {
		return err
	}
	_, err = w.Publish(cmd.Context())
	var published store.Generation
	if err == nil {
		published, err = w.Generation()
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "store  %s, generation %d, %d records\n", app.Config.Data, published.Number,
		published.Counts.Records)
	return nil
}

// writeMissing writes a file that is not there, and leaves one that is.
func writeMissing(cmd *cobra.Command, path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making %s: %w", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(cmd.OutOrStdout(), "kept   %s\n", path)
		return nil
	}
	if err != nil {
		return fmt.Errorf("making %s: %w", path, err)
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, errors.Join(err, os.Remove(path)))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "made   %s\n", path)
	return nil
}
