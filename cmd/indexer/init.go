package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/jobs"
	"dossier/internal/store"
	"dossier/internal/text"
)

//go:embed init_config.yaml
var exampleConfig []byte

//go:embed init_topics.yaml
var exampleTopics []byte

func newInit(s command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make a configuration, a topic file and an empty store",
		Long: `init makes config.yaml, jobs/example.yaml and an empty store where they are
missing. What is there already is left as it is: a configuration, also the
user's own, a folder with topic files, as in a clone of the project, and a
store. At the end it says what to do next.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer init
  indexer init --data /srv/dossier`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			configuration := app.Config.File
			if configuration == "" { // what is written says nothing but the defaults: there is no need to read it
				configuration = "config.yaml"
				if err := writeNew(cmd, configuration, exampleConfig); err != nil {
					return err
				}
			} else {
				kept(cmd, configuration)
			}
			topics, err := initTopics(cmd, app.Config.Jobs)
			if err != nil {
				return err
			}
			if err := initStore(cmd, app); err != nil {
				return err
			}
			return sayWhatNext(cmd, app, configuration, topics)
		}),
	}
}

func kept(cmd *cobra.Command, path string) {
	fmt.Fprintf(cmd.OutOrStdout(), "kept   %s, as it was\n", text.Line(path))
}

// initTopics writes the example where the configured path holds no topic file yet, and gives a file to write in.
func initTopics(cmd *cobra.Command, configured string) (string, error) {
	paths, err := jobs.Paths(configured)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	case len(paths) > 0:
		kept(cmd, configured)
		return configured, nil
	}
	example := filepath.Join(configured, "example.yaml")
	if ext := filepath.Ext(configured); err != nil && (ext == ".yaml" || ext == ".yml") {
		example = configured // one file, which is not there
	}
	return example, writeNew(cmd, example, exampleTopics)
}

// sayWhatNext names the next steps, on files that are there, in commands that can be given as they stand.
func sayWhatNext(cmd *cobra.Command, app *command.App, configuration, topics string) error {
	questions := fmt.Sprintf("put your board's questions into %s", topics)
	if info, err := os.Stat(topics); err == nil && info.IsDir() {
		questions += "; the lists there are yours to change"
	}
	steps := []string{questions}
	if app.Config.Sources.PubMed.Email == "" {
		steps = append(steps, fmt.Sprintf("give NCBI an address to write to: sources.pubmed.email in %s", configuration))
	}
	flags := ""
	for _, name := range []string{"config", "data"} {
		if f := cmd.Flags().Lookup(name); f.Changed {
			flags += " --" + name + " " + f.Value.String()
		}
	}
	program := os.Args[0]
	steps = append(steps, "see what is missing: "+program+" doctor"+flags, "run the topics: "+program+" run"+flags)
	said := "\nNext:\n"
	for i, step := range steps {
		said += fmt.Sprintf("  %d. %s\n", i+1, text.Line(step))
	}
	_, err := io.WriteString(cmd.OutOrStdout(), said)
	return err
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

// writeNew writes a file that is not there.
func writeNew(cmd *cobra.Command, path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making %s: %w", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
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
