package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
		Long: `rollback checks an earlier generation, every file by its sum, and then points readers at it. No generation is deleted.
What was retracted since, and is shown as evidence again, is named.

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
			if err != nil {
				return err
			}

			ids, compareErr := []string(nil), openErr
			if openErr == nil {
				ids, compareErr = unretracted(cmd.Context(), app, left)
			}
			return noteUnretracted(cmd.OutOrStdout(), ids, compareErr)
		}),
	}
	cmd.Flags().IntVar(&to, "to", 0, "the generation to go back to; 0 is the newest whole one before the current")
	command.Offer(cmd, "to", command.Generations(s))
	return cmd
}

// maxUnretracted bounds how many records a rollback names; all are counted.
const maxUnretracted = 10

// noteUnretracted names the records that are evidence again, or says that they are not known: readers have gone back
// all the same.
func noteUnretracted(w io.Writer, ids []string, compareErr error) (err error) {
	switch {
	case compareErr != nil:
		_, err = fmt.Fprintf(w, "note: what was retracted since may be shown as evidence again, until a run asks about it; "+
			"which records could not be compared: %s\n", text.Line(compareErr.Error()))
	case len(ids) > 0:
		_, err = fmt.Fprintf(w, "note: %s, retracted since, may be shown as evidence again, until a run asks about it: %s\n",
			text.Plural(len(ids), "record"), text.Line(strings.Join(ids[:min(len(ids), maxUnretracted)], ", ")))
	}
	return err
}

// unretracted returns the current generation's records that the one left behind has as retracted, in the order of that
// one, by any of their identifiers: a record's id may have changed since.
func unretracted(ctx context.Context, app *command.App, left *store.Reader) (ids []string, err error) {
	current, err := app.OpenStore(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, current.Close()) }()

	for record, err := range left.Records(ctx) {
		if err != nil {
			return nil, err
		}

		if !record.Retracted() {
			continue
		}

		found, err := current.LookupAll(record.Identifiers)
		if err != nil {
			return nil, err
		}

		for _, id := range slices.Concat(append(found, []string{record.ID})...) {
			before, ok, err := current.Record(id)
			if err != nil {
				return nil, err
			}

			if ok && !before.Retracted() && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
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
