package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// runsShown is how many runs `status` shows.
const runsShown = 5

// statusData is all that `status` shows.
type statusData struct {
	store.Info
	health  health.Health // empty if the store can't be read
	curated *curatedState

	approvals []evidence.GivenFile
	levels    []evidence.GivenFile // of curators, on alterations
	now       time.Time
}

func newStatus(s command.Streams) *cobra.Command {
	var format, out string
	var maxAge command.DurationFlag
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what the store holds, how old it is, and how its topics, sources and last runs fare",
		Long: `status reads the store's manifests, its answers and the records of its runs; it waits for nobody and changes nothing. With -v it
shows each topic's query.

With --max-age it ends with exit code 6 where the published generation is older, and also where a run within that time asked a source
that has answered no topic for longer, or took up a topic that has no younger answer. So a source that is dead for two nights
is told although the others' answers are published. With --offline (or offline: true) the services' silence is no failure.

` + command.ExitHelp(command.ExitTooOld, command.ExitNoStore),
		Example: `  indexer status
  indexer status --max-age 36h    # exit 6 if anything is older: for monitoring
  indexer status --format json
  indexer status --format prometheus --out /var/lib/node_exporter/dossier.prom`,
		Args: cobra.NoArgs,
		RunE: command.Loaded(s, func(cmd *cobra.Command, app *command.App, _ []string) error {
			st, err := readStatus(cmd.Context(), app)
			if err != nil && (!errors.Is(err, store.ErrNoStore) || len(st.Building) == 0 && format != "prometheus") {
				return err
			}

			if format == "prometheus" || out != "" { // it is others that read these
				st.health.Topics = slices.DeleteFunc(st.health.Topics, func(t health.Topic) bool {
					return evidence.IsLiveTopic(t.ID)
				})
			}
			verbose, _ := cmd.Flags().GetCount("verbose")
			err = writeToFile(out, cmd.OutOrStdout(), func(w io.Writer) error {
				return writeStatus(w, app, st, format, verbose > 0)
			})
			return errors.Join(err, statusVerdict(st, time.Duration(maxAge), app.Config.AsksServices()))
		}),
	}
	command.FormatFlag(cmd, &format, "", "table", "json", "prometheus")
	cmd.Flags().StringVar(&out, "out", "", "file to write, whole or not at all; empty: standard output")
	cmd.Flags().Var(&maxAge, "max-age", "exit 6 if the generation, a source or a topic is older, such as 36h or 2d")
	return cmd
}

// writeStatus writes a store's status in one of the formats.
func writeStatus(w io.Writer, app *command.App, st statusData, format string, queries bool) error {
	switch format {
	case "json":
		return statusJSON(w, st)
	case "prometheus":
		return command.WriteMetrics(w, st.Info, st.health)
	}
	return statusTable(w, app, st, queries)
}

// writeToFile runs write on the file at path, replacing it atomically; on w if path is empty.
func writeToFile(path string, w io.Writer, write func(io.Writer) error) error {
	if path == "" {
		return write(w)
	}

	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}

	if err := maybe.WriteFile(path, content.Bytes(), 0o644); err != nil { // for monitoring, often another user
		return fmt.Errorf("writing %s: %w", render.Path(path), err)
	}
	return nil
}

// readStatus reads the store's status; a damaged store has neither runs nor curators to show, and reports its damage.
// The error is store.ErrNoStore if nothing was published yet; what a first run has left is shown with it.
func readStatus(ctx context.Context, app *command.App) (st statusData, err error) {
	st.now = app.Now()
	if st.Info, err = app.Store().Status(ctx); err != nil || st.Problem != nil {
		st.health.Runs = st.UnpublishedRuns(health.RunsExamined)
		return st, err
	}

	reader, err := app.OpenStore(ctx)
	if err != nil {
		return st, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()

	if st.curated, err = curatedIn(reader); err != nil {
		return st, err
	}

	if st.approvals, err = reader.ApprovalsFiles(); err != nil {
		return st, err
	}

	if st.levels, err = reader.InterpretationsFiles(); err != nil {
		return st, err
	}
	st.health, err = health.Read(reader, st.UnpublishedRuns(health.RunsExamined), app.User)
	return st, err
}

// statusVerdict decides what in a store's status is a failure: it can't be read, nothing was published yet, or
// something is older than maxAge, if that is set. services reports whether any are to be queried.
func statusVerdict(st statusData, maxAge time.Duration, services bool) error {
	current := st.CurrentGeneration()
	switch {
	case st.Problem != nil:
		return st.Problem
	case current.Number == 0:
		return fmt.Errorf("%w in %s yet: nothing was published", store.ErrNoStore, render.Path(st.Dir)) // exit code 7
	case maxAge == 0:
		return nil
	}

	var why []string
	if age := st.now.Sub(current.Built); evidence.TooOld(age, maxAge) {
		why = append(why, fmt.Sprintf("generation %d is %s", current.Number, evidence.Old(age)))
	}

	if why = append(why, st.health.Overdue(st.now, maxAge, services)...); len(why) == 0 {
		return nil
	}
	return &command.ExitError{Code: command.ExitTooOld, Err: errors.New(strings.Join(why, "\n"))}
}

func statusTable(w io.Writer, app *command.App, st statusData, queries bool) error {
	lines := storeLines(st)
	if line := modelToday(app); line != "" {
		lines = append(lines, "model today  "+line)
	}

	for _, run := range st.health.Runs[:min(runsShown, len(st.health.Runs))] {
		lines = append(lines, "run          "+runLine(run))
	}

	for _, l := range lines {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return err
		}
	}
	return render.HealthTable(w, command.TerminalOf(app.Out, app.Environ), st.health, st.now, queries)
}

// storeLines describe what is on disk.
func storeLines(st statusData) []string {
	lines := append([]string{fmt.Sprintf("store        %s", render.Path(st.Dir))}, generationLines(st)...)

	lines = append(lines, fmt.Sprintf("size         %.1f MB in %s",
		float64(st.Size())/1e6, text.Plural(len(st.Generations), "generation")))
	if st.Space.Known {
		lines = append(lines, "room         "+st.Space.String())
		if st.Space.Low() {
			lines[len(lines)-1] += "; " + store.SpaceRemedy
		}
	}

	for _, g := range st.Generations {
		if g.Problem != nil && !g.Current {
			lines = append(lines, fmt.Sprintf("damaged      generation %d, which `indexer rollback` passes over: %s",
				g.Number, text.Line(g.Problem.Error())))
		}
	}
	lines = append(lines, importedLines(st)...)

	if st.Writer != nil {
		lines = append(lines, fmt.Sprintf("lock         signed by %s, process %d, since %s",
			st.Writer.Program, st.Writer.PID, st.Writer.Since.UTC().Format(time.RFC3339)))
	}

	lines = append(lines, sharedLines(st.Shared)...)
	for _, folder := range st.Building {
		lines = append(lines, unpublishedLine(st, folder))
	}
	return lines
}

// generationLines describe the generation that is read, and whether there is a newer one.
func generationLines(st statusData) (lines []string) {
	switch g := st.CurrentGeneration(); {
	case g.Number > 0 && g.Built.IsZero():
		lines = append(lines, fmt.Sprintf("generation   %d, of which nothing is known: its manifest can't be read", g.Number))
	case g.Number > 0:
		lines = append(lines,
			fmt.Sprintf("generation   %d, built %s (%s)",
				g.Number, g.Built.UTC().Format("2006-01-02 15:04 MST"), evidence.Old(st.now.Sub(g.Built))),
			fmt.Sprintf("holds        %s of %s, %s, %s", text.Plural(g.Counts.Records, "record"),
				text.Plural(g.Counts.SourceRecords, "source record"), text.Plural(g.Counts.Topics, "topic"),
				text.Plural(g.Counts.Judgements, "judgement")))
	}

	if newer := st.Newer; newer.Number > 0 {
		why := "and nobody has rolled back"
		if newer.Chosen {
			why = "left by a rollback"
		}
		lines = append(lines,
			fmt.Sprintf("newer        generation %d is whole, %s: `indexer rollback --to %d` makes it current",
				newer.Number, why, newer.Number))
	}
	return lines
}

// importedLines describe the imported files of curators and others, and the inbox.
func importedLines(st statusData) (lines []string) {
	if st.curated != nil {
		lines = append(lines, curatedLine("CIViC        file", *st.curated))
	}

	for _, file := range st.levels {
		lines = append(lines, "curators     "+importedLine(file))
	}

	for _, file := range st.approvals {
		lines = append(lines, "approvals    "+importedLine(file))
	}

	if st.Inbox > 0 {
		lines = append(lines, fmt.Sprintf("inbox        %s for the next run", waiting(st.Inbox)))
	}

	if st.InboxAside > 0 {
		lines = append(lines, fmt.Sprintf("inbox        %s set aside as *.broken: look who wrote them, and delete them",
			text.Plural(st.InboxAside, "file")))
	}
	return lines
}

// sharedLines describe the progress of a generation that several runs share, and which are at work on it.
func sharedLines(shared *store.Shared) []string {
	if shared == nil {
		return nil
	}

	line := fmt.Sprintf("shards       generation %d: %d of %d done", shared.Generation, shared.Of-len(shared.Awaited),
		shared.Of)
	if len(shared.Awaited) > 0 {
		line += ", awaited " + strings.Join(text.Each(shared.Awaited, func(number int) string {
			return evidence.Shard{Number: number, Of: shared.Of}.String()
		}), ", ")
	}

	lines := []string{line}
	for _, at := range shared.Writers {
		lines = append(lines, fmt.Sprintf("at work      %s, since %s", at.Program, at.Since.UTC().Format(time.RFC3339)))
	}
	return lines
}

// unpublishedLine describes a folder of unpublished work, and what will happen to it.
func unpublishedLine(st statusData, folder store.Unpublished) string {
	line := fmt.Sprintf("unpublished  %s, %.1f MB", render.Path(folder.Path), float64(folder.Size)/1e6)
	switch {
	case folder.Aside:
		return line + ": set aside, can be deleted"
	case st.Writer != nil:
		return line + ": of the writer that signed the lock; if it was killed, the next run goes on from it"
	}

	which, current := "the last run", st.CurrentGeneration()
	if current.Counts.Topics == 0 {
		which = "the first run"
	}

	runs := st.health.Runs
	switch {
	case len(runs) == 0 || !runs[0].Started.After(current.Built):
		line += ": of a writer that was interrupted"
	case runs[0].Interrupted || runs[0].Finished.IsZero():
		line += fmt.Sprintf(": %s was interrupted after %s", which, text.Plural(len(runs[0].Topics), "topic"))
	default:
		line += ": " + which + " had nothing to publish"
	}
	return line + "; `indexer run` goes on from it"
}

// modelToday is today's model usage by this machine's programs; empty if there is neither usage nor a limit.
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

	switch {
	case run.Finished.IsZero():
		return line + ", did not finish"
	case run.Interrupted:
		line += ", interrupted"
	}
	return line + fmt.Sprintf(", %s", run.Finished.Sub(run.Started).Round(100*time.Millisecond))
}
