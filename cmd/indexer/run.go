package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/hooks"
	"dossier/internal/jobs"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

type runOptions struct {
	jobs   string
	topics []string
	shard  shardFlag
	max    int
	format string
	dry    bool

	inFiles []string // the ids of all topics of the configured files; nil if the run was given others
}

// shardFlag is the share of the topics that --shard selects.
type shardFlag struct{ evidence.Shard }

func (f *shardFlag) Set(text string) (err error) {
	f.Shard, err = evidence.ParseShard(text)
	return err
}

func (f *shardFlag) Type() string { return "share" }

// topicsAhead is how many topics are searched while one is screened: enough to keep the slowest service busy, and few
// enough that the last of them, which waits for the others at each service, is answered within a search's time limit.
const topicsAhead = 4

func newRun(s command.Streams) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run topics against the sources and publish what they find",
		Long: `run takes every topic of the topic files through the pipeline: plan the query, search all sources at once, join copies of one
paper, sort by kind of evidence, screen, sample. Readers see the new generation when it is published, and never half of it.
Questions that people asked live are asked again after the topics, as topics of their own (asked-…). An interrupted run keeps
what it committed; the next one goes on from there.

With --shard it takes up one share of the topics. On a cluster the runs of all shares, on several machines, make one generation, and
the last of them publishes it; one that failed is run again. In a folder each run publishes, and one runs at a time.

` + command.ExitHelp(command.ExitPartial, command.ExitLocked, command.ExitNoStore),
		Example: `  indexer run
  indexer run --jobs jobs/lung.yaml
  indexer run --topic egfr-t790m-nsclc-osimertinib
  indexer run --shard 1/2                   # another machine runs 2/2
  indexer run --dry-run                     # what a model would cost`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			app, err := command.Load(cmd, s)
			if err != nil {
				return err
			}

			files, topics, err := selectTopics(app, o)
			if err != nil {
				return err
			}

			if !cmd.Flags().Changed("jobs") {
				o.inFiles = topicIDs(files)
			}

			if o.dry {
				return dryRun(cmd, app, topics)
			}

			if err := checkRun(app); err != nil {
				return err
			}
			return runTopics(cmd, app, topics, o)
		},
	}
	cmd.Flags().StringVar(&o.jobs, "jobs", "jobs", "topic file, or folder of topic files")
	cmd.Flags().StringSliceVar(&o.topics, "topic", nil, "only these topics")
	command.Offer(cmd, "topic", command.FileTopics(s))
	cmd.Flags().Var(&o.shard, "shard", "only this share of the topics, as 3/16: which those are follows from their ids alone")
	cmd.Flags().IntVar(&o.max, "max", 0, "at most so many topics; 0 is all")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false,
		"only say what the model would be asked, and what that would cost; nobody is asked")
	cmd.Flags().StringVar(&o.format, "format", "table", "what is printed at the end: table or json")
	command.OneOf(cmd, "format", "table", "json")
	return cmd
}

// checkRun finds what prevents any run from starting.
func checkRun(app *command.App) error {
	if app.Config.LLM.Required && !(app.Config.Uses(app.Config.LLM.Judge) && app.Config.AsksModel()) {
		return command.Usagef(
			"llm.required is true, and no model is asked: set DOSSIER_LLM_API_KEY or llm.base_url, run without " +
				"--offline, or set llm.required to false")
	}
	return app.CheckAudit()
}

// selectTopics reads all topic files, so that a mistake in any stops the run, and selects the requested topics.
func selectTopics(app *command.App, o runOptions) (files []jobs.File, topics []evidence.Topic, err error) {
	if err := command.CheckFormat(o.format, "table", "json"); err != nil {
		return nil, nil, err
	}

	if o.max < 0 {
		return nil, nil, command.Usagef("--max must not be negative")
	}

	if files, err = app.ReadTopics(); err != nil {
		return nil, nil, err
	}
	topics, err = namedTopics(app, jobs.Topics(files), o.topics)
	return files, slices.DeleteFunc(topics, func(t evidence.Topic) bool { return !o.shard.Has(t.ID) }), err
}

func topicIDs(files []jobs.File) []string {
	return text.Each(jobs.Topics(files), func(t evidence.Topic) string { return t.ID })
}

// namedTopics returns the topics with these ids, in their order; all if none is named.
func namedTopics(app *command.App, all []evidence.Topic, ids []string) (topics []evidence.Topic, err error) {
	if len(ids) == 0 {
		return all, nil
	}

	for _, id := range ids {
		named := func(t evidence.Topic) bool { return t.ID == id }

		i := slices.IndexFunc(all, named)
		if i < 0 {
			return nil, command.Usagef("--topic: no topic %q in %s", id, app.Config.Jobs)
		}

		if !slices.ContainsFunc(topics, named) {
			topics = append(topics, all[i])
		}
	}
	return topics, nil
}

// runTopics runs topics, prints the result, and notifies the hooks once the lock is released.
func runTopics(cmd *cobra.Command, app *command.App, topics []evidence.Topic, o runOptions) error {
	ran, err := runInStore(cmd, app, topics, o)
	if ran.report.Run.ID == "" {
		return err // nothing was begun
	}

	if err := writeRun(cmd, app, ran.report.Run, o.format); err != nil {
		return err
	}

	failed, hookErr := 0, error(nil)
	if cmd.Context().Err() == nil {
		failed, hookErr = notifyHooks(cmd.Context(), app, ran)
	}

	verdict := runVerdict(cmd.Context(), ran.report, ran.err)
	if code := command.CodeOf(verdict); failed > 0 && (code == command.ExitDone || code == command.ExitNothing) {
		verdict = command.Exitf(command.ExitPartial, "%s failed, as told above; the rest is done", text.Plural(failed, "hook"))
	}
	return errors.Join(verdict, err, hookErr)
}

// notifyHooks notifies the hooks of a run, and returns how many failed.
func notifyHooks(ctx context.Context, app *command.App, ran finishedRun) (failed int, err error) {
	var message hooks.Message
	var encoded bytes.Buffer

	run := withoutAsked(ran.report.Run)
	if err := render.RunJSON(&encoded, run); err != nil {
		return 0, err
	}
	message.JSON = encoded.Bytes()
	message.Subject, message.Digest = hooks.Digest(run, ran.changed)
	return app.NotifyHooks(ctx, message), nil
}

// withoutAsked is a run without its work on live questions, which belong to their askers.
func withoutAsked(run evidence.Run) evidence.Run {
	run.Topics = slices.DeleteFunc(slices.Clone(run.Topics), func(row evidence.TopicRun) bool {
		return evidence.IsLiveTopic(row.Topic)
	})
	run.Notes = slices.DeleteFunc(slices.Clone(run.Notes), func(note string) bool {
		return strings.HasPrefix(note, pipeline.LiveNote)
	})
	return run
}

// finishedRun is a finished run.
type finishedRun struct {
	report  pipeline.Report
	err     error                   // the run's own
	changed []evidence.TopicChanges // its changes to the answers that readers see
}

// runInStore runs topics while it holds the store's lock. The error prevented the run from starting, or from being
// recorded.
func runInStore(cmd *cobra.Command, app *command.App, topics []evidence.Topic, o runOptions) (done finishedRun,
	err error) {
	words, err := app.Lexicon()
	if err != nil {
		return done, err
	}

	w, err := app.BeginShard(cmd.Context(), runOwner(o.shard.Shard), o.shard.Shard)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()

	headings, err := app.Headings() // made now where their files are new, so that readers find them ready
	if err != nil {
		return done, err
	}

	if headings != nil {
		defer func() { err = errors.Join(err, headings.Close()) }()
	}

	published, closePublished, err := app.OpenPublished(cmd.Context())
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, closePublished()) }()

	inbox, options, err := prepareRun(cmd.Context(), app, w, words, o)
	if err != nil {
		return done, err
	}
	progress := newProgress(cmd.ErrOrStderr(), app.Environ, topics)
	app.LogTo(progress)

	steps, err := app.Pipeline(published, words, progress)
	if err != nil {
		return done, err
	}
	steps.Settings.ModelRequired = app.Config.LLM.Required
	done.report, done.err = steps.Run(cmd.Context(), w, topics, options)
	progress.finish()
	app.LogTo(cmd.ErrOrStderr())

	if err := clearInbox(w, inbox, done.report); err != nil {
		app.Log.Warn("the inbox could not be cleared; its answers are taken in again next time", "error", err)
	}

	if done.err == nil && cmd.Context().Err() == nil {
		fetchTexts(cmd.Context(), app, w)
	}

	if done.report.Run.Generation > 0 {
		if err := writeFeeds(app.Config.Data, w); err != nil {
			app.Log.Warn("the feeds of what changed could not be written; the next run writes them", "error", err)
		}

		if done.changed, err = changedSince(w, done.report.Began); err != nil {
			return done, err
		}
	}
	return done, nil
}

// prepareRun takes the waiting live answers, and derives from the store how a run continues.
func prepareRun(ctx context.Context, app *command.App, w *store.Writer, words *lexicon.Lexicon, o runOptions) (
	inbox []store.InboxEntry, options pipeline.RunOptions, err error) {
	share := w.Sharing()
	if share != nil {
		if err := dropAnswered(ctx, app, w, words); err != nil {
			return nil, options, err
		}
	}

	if inbox, err = w.TakeInbox(ctx); err != nil {
		return nil, options, err
	}

	retracted, err := keptRetractions(app)
	if err != nil {
		return nil, options, err
	}

	past, err := w.Runs(runsExamined) // the newest first
	if err != nil {
		return nil, options, err
	}

	options = pipeline.RunOptions{
		ID: runID(app, o.shard.Shard), Program: command.Version,
		LastProgram: pipeline.LastProgram(past, len(past) < runsExamined), Ahead: topicsAhead, Max: o.max,
		PublishEvery: app.Config.Store.PublishEvery.Std(), LiveTopic: app.TopicDefaults(),
		Inbox: text.Each(inbox, func(e store.InboxEntry) pipeline.LiveQuestion {
			return pipeline.NewLiveQuestion(&e.InboxAnswer, e.Owner)
		}),
		KeepAsked: app.Config.Store.ForgetAsked.Std(), InFiles: o.inFiles, Retracted: retracted,
		Gate: liveGate(app.Gate(words)), Swept: pipeline.LastSweeps(past),
	}
	if share != nil { // only the last of the writers that share a generation publishes it
		options.Share, options.PublishEvery = share, 0
	}
	return inbox, options, nil
}

// runsExamined is how many runs back the last checks of the store's papers are searched for.
const runsExamined = 100

// liveGate stops a live question that identifies the patient from being asked again, whoever wrote its file.
func liveGate(gate guard.Gate) func(string) (string, error) {
	return func(question string) (string, error) {
		passed := gate.Pass(question)
		if passed.Refused() {
			return "", fmt.Errorf("%w: %s", pipeline.ErrPrivate, passed.Places(question))
		}
		return gate.Slots(&passed), nil
	}
}

// clearInbox removes the answers that are in a published generation, and sets aside unusable ones.
func clearInbox(w *store.Writer, inbox []store.InboxEntry, report pipeline.Report) error {
	for _, i := range report.Refused {
		w.SetAsideInbox(inbox[i].Name, "its question can't be searched for, or tells who the patient is")
	}

	if report.Run.Generation == 0 {
		return nil
	}
	return w.RemoveInbox(text.Each(report.TakenIn, func(i int) string { return inbox[i].Name })...)
}

func runVerdict(ctx context.Context, report pipeline.Report, err error) error {
	if err != nil {
		if ctx.Err() != nil {
			return command.Exitf(command.ExitInterrupted, "interrupted; what was published stands, and the next run goes on")
		}
		return err
	}

	code := int(report.Outcome)
	switch report.Outcome {
	case pipeline.Done:
		return nil
	case pipeline.Failed:
		return command.Exitf(code, "no topic could be answered; the reasons stand above")
	}
	return command.Exitf(code, "done in part; the reasons stand above")
}

func writeRun(cmd *cobra.Command, app *command.App, run evidence.Run, format string) error {
	if format == "json" {
		return render.RunJSON(cmd.OutOrStdout(), run)
	}
	return render.RunTable(cmd.OutOrStdout(), command.TerminalOf(app.Out, app.Environ), run)
}
