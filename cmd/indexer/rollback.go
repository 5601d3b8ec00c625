package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

func newRollback(s command.Streams) *cobra.Command {
	var to int
	cmd := &cobra.Command{
		Use:   "rollback",
		Short: "Have readers go back to an earlier generation",
		Long: `rollback checks an earlier generation, every file by its sum, and then points readers at it. No generation is deleted. What was
retracted since, and is shown as evidence again, is named.

` + command.ExitHelp(command.ExitLocked, command.ExitNoStore),
		Example: `  indexer rollback           # to the one before
  indexer rollback --to 41`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			left, openErr := app.OpenStore(cmd.Context()) // a damaged generation, too, is left
			if openErr == nil {
				defer left.Close()
			}

			now, err := app.Store().Rollback(cmd.Context(), to, app.BeginOptions("indexer rollback"))
			if to > 0 && errors.Is(err, store.ErrNoGeneration) {
				return command.Usagef("--to: %w", err)
			}

			if err != nil {
				return err
			}

			_, err = fmt.Fprintf(cmd.OutOrStdout(), "generation %d is current again: %d records, built %s\n", now.Number,
				now.Counts.Records, now.Built.UTC().Format("2006-01-02 15:04 MST"))
			if err == nil && openErr == nil {
				err = noteUnretracted(cmd, app, left)
			}
			return err
		}),
	}
	cmd.Flags().IntVar(&to, "to", 0, "the generation to go back to; 0 is the newest whole one before the current")
	command.Offer(cmd, "to", command.Generations(s))
	return cmd
}

// maxUnretracted bounds how many records a rollback names; all are counted.
const maxUnretracted = 10

// noteUnretracted names the records that the generation left behind has as retracted, and the current one as evidence.
func noteUnretracted(cmd *cobra.Command, app *command.App, left *store.Reader) (err error) {
	current, err := app.OpenStore(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, current.Close()) }()

	var ids []string
	for record, err := range left.Records(cmd.Context()) {
		if err != nil {
			return fmt.Errorf("comparing the retractions of both generations: %w", err)
		}

		if !record.Retracted() {
			continue
		}

		was, there, err := current.Record(record.ID)
		if err != nil {
			return fmt.Errorf("comparing the retractions of both generations: %w", err)
		}

		if there && !was.Retracted() {
			ids = append(ids, record.ID)
		}
	}

	about, err := left.Generation()
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "note: %s that generation %d has as retracted may be shown as evidence again, until "+
		"a run asks about it: %s\n", text.Plural(len(ids), "record"), about.Number,
		text.Line(strings.Join(ids[:min(len(ids), maxUnretracted)], ", ")))
	return err
}

func newGenerations(s command.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "generations",
		Short: "List the published generations",
		Long: `generations lists what rollback can go back to, newest last; the current one is marked with a star.

` + command.ExitHelp(command.ExitNoStore),
		Example: "  indexer generations\n  indexer generations --format json",
		Args:    cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			info, err := app.Store().Status(cmd.Context())
			if err != nil {
				return err
			}

			if format == "json" {
				return errors.Join(generationsJSON(cmd.OutOrStdout(), info), info.Problem)
			}

			for _, g := range info.Generations {
				if err := generationLine(cmd.OutOrStdout(), g); err != nil {
					return err
				}
			}
			return info.Problem
		}),
	}
	command.FormatFlag(cmd, &format, "", "table", "json")
	return cmd
}

func generationsJSON(w io.Writer, info store.Info) error {
	return render.JSON(w, struct {
		render.Head
		Dir         string       `json:"dir"`
		Current     int          `json:"current"`
		Problem     string       `json:"problem,omitempty"`
		Generations []generation `json:"generations"`
	}{render.HeadOf("generations"), info.Dir, info.Current, errorText(info.Problem), generationsOf(info)})
}

func generationLine(w io.Writer, g store.GenerationInfo) error {
	mark := " "
	if g.Current {
		mark = "*"
	}

	if g.Problem != nil {
		_, err := fmt.Fprintf(w, "%s %06d  %s\n", mark, g.Number, text.Line(g.Problem.Error()))
		return err
	}
	_, err := fmt.Fprintf(w, "%s %06d  %s  %8d records  %4d topics  %8.1f MB\n", mark, g.Number,
		g.Built.UTC().Format("2006-01-02 15:04 MST"), g.Counts.Records, g.Counts.Topics, float64(g.Size)/1e6)
	return err
}
