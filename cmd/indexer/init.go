package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/jobs"
	"dossier/internal/store"
	"dossier/internal/text"
	lists "dossier/jobs"
)

//go:embed init_config.yaml
var exampleConfig []byte

//go:embed init_topics.yaml
var exampleTopics []byte

func newInit(s command.Streams) *cobra.Command {
	var boards []string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a configuration, a topic file and an empty store",
		Long: `init makes config.yaml, jobs/example.yaml and an empty store where they are
missing. What is there already is left as it is: a configuration, also the
user's own, a folder with topic files, as in a clone of the project, and a
store. At the end it says what to do next.

--boards writes the lists of questions that the program brings with it,
one file a board, in place of the example: ` + strings.Join(shippedBoards(), ", ") + `,
or all of them ("all").

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer init --boards lung,breast
  indexer init --data /srv/dossier`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			boards, err := knownBoards(boards)
			if err != nil {
				return err
			}

			configuration := app.Config.File
			if configuration == "" { // the written file has only the defaults: no need to read it
				configuration = "config.yaml"
				if err := writeNew(cmd, configuration, exampleConfig); err != nil {
					return err
				}
			} else {
				printKept(cmd, configuration)
			}

			topics, err := initTopics(cmd, app.Config.Jobs, boards)
			if err != nil {
				return err
			}

			if err := initStore(cmd, app); err != nil {
				return err
			}
			return printNextSteps(cmd, app, configuration, topics)
		}),
	}
	cmd.Flags().StringSliceVar(&boards, "boards", nil, "write the shipped lists of these boards (all: every one)")
	command.ListOf(cmd, "boards", append(shippedBoards(), "all")...)
	return cmd
}

// shippedBoards are the boards with a list in the program, in alphabetical order.
func shippedBoards() []string {
	files, _ := fs.Glob(lists.Files, "*.yaml") // the pattern is right, which is all that can fail

	boards := make([]string, len(files))
	for i, file := range files {
		boards[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return boards
}

// knownBoards returns the requested boards, or an error that lists the known ones.
func knownBoards(asked []string) ([]string, error) {
	shipped := shippedBoards()
	if slices.Contains(asked, "all") {
		return shipped, nil
	}

	for _, board := range asked {
		if !slices.Contains(shipped, board) {
			return nil, command.Usagef("there is no list for the board %q; there are %s, or all of them with --boards all",
				board, strings.Join(shipped, ", "))
		}
	}
	return asked, nil
}

func printKept(cmd *cobra.Command, path string) {
	fmt.Fprintf(cmd.OutOrStdout(), "kept   %s, as it was\n", text.Line(path))
}

// initTopics writes the boards' lists, or the example if the configured path holds no topic file yet, and returns the
// path to edit.
func initTopics(cmd *cobra.Command, configured string, boards []string) (string, error) {
	if len(boards) > 0 {
		return configured, initBoards(cmd, configured, boards)
	}

	paths, err := jobs.Paths(configured)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	case len(paths) > 0:
		printKept(cmd, configured)
		return configured, nil
	}

	example := filepath.Join(configured, "example.yaml")
	if ext := filepath.Ext(configured); err != nil && (ext == ".yaml" || ext == ".yml") {
		example = configured // one file, which is not there
	}
	return example, writeNew(cmd, example, exampleTopics)
}

// initBoards writes the list of each board into a folder, and keeps existing ones.
func initBoards(cmd *cobra.Command, folder string, boards []string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() || err != nil && filepath.Ext(folder) != "" {
		return command.Usagef("--boards writes a file for each board, and jobs names one file, %s; have it name a folder",
			folder)
	}

	for _, board := range boards {
		list, err := lists.Files.ReadFile(board + ".yaml")
		if err != nil {
			return fmt.Errorf("reading the list for %s: %w", board, err)
		}

		file := filepath.Join(folder, board+".yaml")
		if _, err := os.Lstat(file); err == nil {
			printKept(cmd, file)
			continue
		}

		if err := writeNew(cmd, file, list); err != nil {
			return err
		}
	}
	return nil
}

// printNextSteps prints the next steps, with existing files, as commands to copy.
func printNextSteps(cmd *cobra.Command, app *command.App, configuration, topics string) error {
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

	wording := "\nNext:\n"
	for i, step := range steps {
		wording += fmt.Sprintf("  %d. %s\n", i+1, text.Line(step))
	}
	_, err := io.WriteString(cmd.OutOrStdout(), wording)
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

// writeNew writes a file that does not exist yet.
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
