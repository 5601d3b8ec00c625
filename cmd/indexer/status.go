package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// runsShown is how many runs `status` tells of.
const runsShown = 5

func newStatus(s command.Streams) *cobra.Command {
	var format string
	var maxAge command.DurationFlag
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what the store holds, how old it is and how the last runs went",
		Long: `status reads the store's manifests and the records of its runs; it waits for nobody and changes nothing.

` + command.ExitHelp(command.ExitTooOld, command.ExitNoStore),
		Example: `  indexer status
  indexer status --max-age 36h    # exit 6 if the published generation is older: for monitoring
  indexer status --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := command.CheckFormat(format, "table", "json"); err != nil {
				return err
			}
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}
			info, err := store.Status(cmd.Context(), app.Config.Data)
			if err != nil {
				return err
			}
			runs, curated, err := lastRuns(cmd, app, info)
			if err != nil {
				return err
			}
			if format == "json" {
				err = statusJSON(cmd.OutOrStdout(), info, runs, curated)
			} else {
				err = statusTable(cmd.OutOrStdout(), app, info, runs, curated)
			}
			return errors.Join(err, statusVerdict(info, app.Now(), time.Duration(maxAge)))
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or json")
	cmd.Flags().Var(&maxAge, "max-age", "exit 6 if the published generation is older, such as 36h or 2d")
	return cmd
}

// lastRuns reads the runs' records, and what there is of curators; a damaged store has none to show, and says so
// itself.
func lastRuns(cmd *cobra.Command, app *command.App, info store.Info) (runs []evidence.Run, curated *curatedState,
	err error) {
	if info.Problem != nil {
		return nil, nil, nil
	}
	reader, err := app.OpenStore(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	if curated, err = curatedIn(reader); err != nil {
		return nil, nil, err
	}
	runs, err = reader.Runs(runsShown)
	return runs, curated, err
}

func statusVerdict(info store.Info, now time.Time, maxAge time.Duration) error {
	if info.Problem != nil {
		return info.Problem
	}
	current := info.CurrentGeneration()
	if age := now.Sub(current.Built); maxAge > 0 && evidence.TooOld(age, maxAge) {
		return &command.ExitError{Code: command.ExitTooOld, Err: fmt.Errorf("generation %d is %s", current.Number,
			evidence.Old(age))}
	}
	return nil
}

func statusTable(w io.Writer, app *command.App, info store.Info, runs []evidence.Run, curated *curatedState) error {
	lines := []string{fmt.Sprintf("store        %s", render.Path(info.Dir))}
	if g := info.CurrentGeneration(); g.Number > 0 {
		lines = append(lines,
			fmt.Sprintf("generation   %d, built %s (%s)", g.Number, g.Built.UTC().Format("2006-01-02 15:04 MST"),
				evidence.Old(app.Now().Sub(g.Built))),
			fmt.Sprintf("holds        %d records of %d source records, %d topics, %d judgements", g.Counts.Records,
				g.Counts.SourceRecords, g.Counts.Topics, g.Counts.Judgements))
	}
	if newer := info.Newer; newer.Number > 0 {
		why := "and nobody has rolled back"
		if newer.Chosen {
			why = "left by a rollback"
		}
		lines = append(lines,
			fmt.Sprintf("newer        generation %d is whole, %s: `indexer rollback --to %d` makes it current",
				newer.Number, why, newer.Number))
	}
	lines = append(lines, fmt.Sprintf("size         %.1f MB in %s", float64(info.Size())/1e6,
		text.Plural(len(info.Generations), "generation")))
	for _, g := range info.Generations {
		if g.Problem != nil && !g.Current {
			lines = append(lines, fmt.Sprintf("damaged      generation %d, which `indexer rollback` passes over: %s",
				g.Number, text.Line(g.Problem.Error())))
		}
	}
	if curated != nil {
		lines = append(lines, curatedLine("CIViC        file", *curated))
	}
	if info.Inbox > 0 {
		lines = append(lines, fmt.Sprintf("inbox        %s for the next run", waiting(info.Inbox)))
	}
	if info.InboxAside > 0 {
		lines = append(lines, fmt.Sprintf("inbox        %s set aside as *.broken: look who wrote them, and delete them",
			text.Plural(info.InboxAside, "file")))
	}
	if info.Writer != nil {
		lines = append(lines, fmt.Sprintf("lock         signed by %s, process %d, since %s", info.Writer.Program,
			info.Writer.PID, info.Writer.Since.UTC().Format(time.RFC3339)))
	}
	for _, folder := range info.Building {
		line := fmt.Sprintf("unpublished  %s, %.1f MB", render.Path(folder.Path), float64(folder.Size)/1e6)
		if folder.Aside {
			line += ": set aside, can be deleted"
		}
		lines = append(lines, line)
	}
	if line := modelToday(app); line != "" {
		lines = append(lines, "model today  "+line)
	}
	for _, run := range runs {
		lines = append(lines, "run          "+runLine(run))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return err
		}
	}
	return nil
}

// modelToday is what this machine's programs have had models do today; empty where nothing was asked and nothing is
// bounded.
func modelToday(app *command.App) string {
	ledger := app.Ledger()
	used, err := ledger.Today(context.Background())
	switch {
	case err != nil && ledger.Limit() > 0:
		return fmt.Sprintf("can't be counted, so that no model is asked: %v", err)
	case err != nil || used.Calls == 0 && ledger.Limit() == 0:
		return ""
	case ledger.Limit() == 0:
		return render.Usage(used)
	}
	return fmt.Sprintf("%s, %d of %d tokens a day", text.Plural(used.Calls, "model call"), used.Tokens(), ledger.Limit())
}

func waiting(answers int) string {
	if answers == 1 {
		return "1 live answer waits"
	}
	return fmt.Sprintf("%d live answers wait", answers)
}

func runLine(run evidence.Run) string {
	line := run.ID
	if run.Import != "" {
		line += " import of " + render.Path(run.Import)
	} else {
		failed := 0
		for _, t := range run.Topics {
			if t.Failed {
				failed++
			}
		}
		line += fmt.Sprintf(" %s, %d failed", text.Plural(len(run.Topics), "topic"), failed)
		if used := render.Usage(run.Usage()); used != "" {
			line += ", " + used
		}
	}
	if run.Finished.IsZero() {
		return line + ", did not finish"
	}
	return line + fmt.Sprintf(", %s", run.Finished.Sub(run.Started).Round(100*time.Millisecond))
}

func statusJSON(w io.Writer, info store.Info, runs []evidence.Run, curated *curatedState) error {
	type generation struct {
		store.Generation
		Current bool   `json:"current"`
		Bytes   int64  `json:"bytes"`
		Problem string `json:"problem,omitempty"`
	}
	type unpublished struct {
		Path  string `json:"path"`
		Bytes int64  `json:"bytes"`
		Aside bool   `json:"set_aside"`
	}
	out := struct {
		Schema      string         `json:"schema"`
		Command     string         `json:"command"`
		Dir         string         `json:"dir"`
		Current     int            `json:"current"`
		Newer       int            `json:"newer,omitempty"`
		RolledBack  bool           `json:"rolled_back,omitempty"`
		Problem     string         `json:"problem,omitempty"`
		Generations []generation   `json:"generations"`
		Building    []unpublished  `json:"building"`
		Inbox       int            `json:"inbox"`
		InboxAside  int            `json:"inbox_set_aside"`
		Curated     *curatedState  `json:"curated,omitempty"`
		Runs        []evidence.Run `json:"runs"`
	}{render.Schema, "status", info.Dir, info.Current, info.Newer.Number, info.Newer.Chosen, inWords(info.Problem),
		[]generation{}, []unpublished{}, info.Inbox, info.InboxAside, curated,
		append([]evidence.Run{}, runs...)}
	for _, folder := range info.Building {
		out.Building = append(out.Building, unpublished{folder.Path, folder.Size, folder.Aside})
	}
	for _, g := range info.Generations {
		out.Generations = append(out.Generations, generation{g.Generation, g.Current, g.Size, inWords(g.Problem)})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func inWords(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
