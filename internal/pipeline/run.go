package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// Outcome is how a run ended, as shown by its exit code.
type Outcome int

// The outcomes; their values are the exit codes.
const (
	Done        Outcome = 0
	Failed      Outcome = 1   // no topic has an answer of this run
	Partly      Outcome = 3   // a source or a topic failed, the rest is there
	Interrupted Outcome = 130 // what was committed is kept; nothing more was published
)

// RunOptions are the settings of one run.
type RunOptions struct {
	ID           string // names the run in answers and in the store
	Program      string // version
	LastProgram  string // as LastProgram returns it; if another version, records are rebuilt
	Ahead        int    // concurrent topics: one is screened while the next ones are fetched; at least 1
	Max          int    // at most so many topics; 0: all
	PublishEvery time.Duration

	Inbox     []LiveQuestion // of the waiting live answers, to process after the topics
	LiveTopic evidence.Topic // their topics' settings except id and question
	KeepAsked time.Duration  // how long their answers are kept; 0: for good
	InFiles   []string       // the ids of all topic files' topics; the store's others are retired. nil: unknown
	// Gate returns a live question in the form that may be sent; its error is an ErrPrivate where none may be. nil:
	// unchanged.
	Gate func(question string) (string, error)

	Retracted []evidence.Record // a file's retracted papers, as published.ReadRetractions returns them

	Swept []evidence.Sweep // each source's last one, as LastSweeps returns them

	Share Share // of a night shared by several runs; nil: this run is alone
}

// Report is the result of a run.
type Report struct {
	Run     evidence.Run
	Outcome Outcome
	Began   time.Time         // when the first of the published runs began, or this one
	Answers []evidence.Answer // of the topics that have one, in the topics' order
	TakenIn []int             // indexes in RunOptions.Inbox; permanently stored once Run.Generation is set
	Refused []int             // indexes of those that no night can process
}

// Run processes topics into store, and publishes: every PublishEvery, and at the end. Topics are committed in their
// order, each with the run's record in one transaction, so that the same topics over the same sources write the same
// store however the fetching went. A topic that fails keeps its last Answer. The error is the store's, or ctx's after
// an interruption; the Report is valid beside it.
//
// A store that another version wrote has its records rebuilt first. Before the topics, Run checks the papers that the
// store holds for changes; an answer whose sample that makes wrong is corrected the same night, also where its topic is
// not among topics.
func (p *Pipeline) Run(ctx context.Context, store Library, topics []evidence.Topic, opts RunOptions) (Report, error) {
	r := &run{Pipeline: p, opts: opts, pending: newPending(store), share: opts.Share, publishes: true}
	if r.share == nil {
		r.share = noSharing{}
	}
	r.store = &watched{Library: store, share: r.share}
	r.store.changed.Store(true) // an earlier run may have been interrupted before its corrections
	r.report.Run = evidence.Run{ID: opts.ID, Program: opts.Program, Started: p.Now().UTC()}

	r.report.Began = r.report.Run.Started
	if opts.Max > 0 && len(topics) > opts.Max {
		r.report.Run.Notes = append(r.report.Run.Notes, fmt.Sprintf("%d of %d topics, as asked", opts.Max, len(topics)))
		topics = topics[:opts.Max]
	}

	r.published = p.Now()
	for _, step := range []func(context.Context) error{r.runStoreWork,
		func(ctx context.Context) error { return r.runTopics(ctx, topics) }, r.takeInbox, r.applyRetractionFile,
		func(ctx context.Context) error { return r.forgetAsked(ctx, topics) }, r.retire, r.complete} {
		if err := step(ctx); err != nil {
			return r.finish(ctx, err)
		}
	}
	return r.finish(ctx, nil)
}

// watched is a Library that notices writes, and refuses them for a piece of work that another run has taken over.
type watched struct {
	Library
	share   Share
	piece   string // being written for; empty where there is none
	changed atomic.Bool
}

func (w *watched) Commit(ctx context.Context, b evidence.Batch) error {
	if len(b.Put)+len(b.Drop) > 0 {
		w.changed.Store(true)
	}
	return w.Turn(ctx, func(ctx context.Context) error {
		if w.piece != "" {
			if err := w.share.Hold(ctx, w.piece); err != nil {
				return err
			}
		}
		return w.Library.Commit(ctx, b)
	})
}

// Prefetch forwards to a store that is read over a network.
func (w *watched) Prefetch(wanted func() evidence.Wanted) error {
	if far, ok := w.Library.(Prefetcher); ok {
		return far.Prefetch(wanted)
	}
	return nil
}

type run struct {
	*Pipeline
	store     *watched
	share     Share
	opts      RunOptions
	pending   *pending
	report    Report
	published time.Time
	unsaved   bool // something was committed since the last publication
	failures  int  // failed topics
	defects   int  // topics answered with errors

	left      []evidence.Topic // left to another run
	without   []string         // ids of topics that found nothing without a failure
	publishes bool             // this run publishes at its end, if anything changed
	ended     bool             // another run has published this one's work
}

// correctAnswers corrects the answers that written records made wrong.
func (r *run) correctAnswers(ctx context.Context) error {
	if !r.store.changed.Swap(false) {
		return nil
	}

	topics, err := r.CorrectAnswers(ctx, r.store)
	if len(topics) > 0 {
		r.unsaved = true
		text := "answers corrected because their records had changed: " + strings.Join(topics, ", ")
		r.Log.Info(text)
		r.report.Run.Notes = append(r.report.Run.Notes, text)
	}
	return err
}

func (r *run) note(text string) {
	r.Log.Info(text)
	r.report.Run.Notes = append(r.report.Run.Notes, text)
}

// fetched is a topic that is ready to be committed, or the reason that it is not.
type fetched struct {
	gathering
	lease evidence.PieceState // not Mine: left to another run, or done
	err   error
}

// runTopics fetches ahead and commits in order. At most opts.Ahead topics are between the two, so that memory is
// bounded. An earlier topic goes first at each service: with equal turns all would finish their searches together, and
// the registry, which is asked last, would be idle until then.
func (r *run) runTopics(ctx context.Context, topics []evidence.Topic) error {
	ctx, cancel := context.WithCancel(ctx)
	var fetching sync.WaitGroup
	defer fetching.Wait() // no goroutine may read the store once Run has returned
	defer cancel()        // a failed store stops the fetching

	ready := make([]chan fetched, len(topics))
	for i := range ready {
		ready[i] = make(chan fetched, 1)
	}
	slots := make(chan struct{}, max(r.opts.Ahead, 1))
	fetching.Go(func() {
		for i, topic := range topics {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			fetching.Go(func() { ready[i] <- r.fetch(source.InTurn(ctx, i), topic) })
		}
	})

	for i, topic := range topics {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case f := <-ready[i]:
			if err := r.takeTopic(ctx, topic, f); err != nil {
				return err
			}
			<-slots
		}

		if err := r.publishIfDue(ctx, i+1 < len(topics)); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) fetch(ctx context.Context, topic evidence.Topic) fetched {
	lease, err := r.share.Take(ctx, pieceOf(topic.ID))
	if err != nil {
		return fetched{err: storeError{fmt.Errorf("taking up topic %s: %w", topic.ID, err)}}
	}

	if !lease.Mine {
		return fetched{lease: lease}
	}

	g, err := r.gather(ctx, r.store, r.pending, topic, r.Lexicon.Understand(topic.Question), nil)
	if err == nil {
		r.pending.put(topic.ID, g.gathered.Records)
	}
	return fetched{g, lease, err}
}

// takeTopic commits a fetched topic, unless another run has it.
func (r *run) takeTopic(ctx context.Context, topic evidence.Topic, f fetched) error {
	switch {
	case f.err == nil && f.lease.Done:
		r.unsaved = true
		r.Progress.Topic(Event{Topic: topic.ID, Stage: StageDone, Message: "done before, in the generation under way"})
		return nil
	case f.err == nil && !f.lease.Mine:
		return r.leaveTopic(topic, f.lease.Holder+" is at work on it")
	}
	r.store.piece = pieceOf(topic.ID)
	err := r.commitTopic(ctx, topic, f)

	r.store.piece = ""
	if errors.Is(err, evidence.ErrTaken) {
		r.pending.drop(topic.ID)
		return r.leaveTopic(topic, "another run has taken it over")
	}
	return err
}

// leaveTopic leaves a topic to another run.
func (r *run) leaveTopic(topic evidence.Topic, why string) error {
	r.left = append(r.left, topic)
	r.Progress.Topic(Event{Topic: topic.ID, Stage: StageLeft, Message: why})
	return nil
}

// commitTopic runs the other steps on a fetched topic, and writes its Answer with the run's record.
func (r *run) commitTopic(ctx context.Context, topic evidence.Topic, f fetched) error {
	row := evidence.TopicRun{Topic: topic.ID, Sources: evidence.SourceRuns(f.gathered.Searches)}
	var answers []evidence.Answer

	err := f.err
	if err == nil {
		f.gathered.Records = r.pending.with(f.gathered)

		var answer evidence.Answer
		if answer, row.Errors, err = r.answer(ctx, r.store, f.gathering, r.opts.ID); err == nil {
			row.Counts = answer.Counts
			if answer.Counts.Sampled == 0 {
				row.Shortfalls = answer.Shortfalls()
			}
			answers = []evidence.Answer{answer}
		}
	}

	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(storeError)), errors.Is(err, evidence.ErrTaken):
		return err
	case err != nil:
		row.Failed, row.Errors = true, append(row.Errors, err.Error())
	}

	row.Seconds = r.Now().Sub(f.started).Seconds()
	if r.Meter != nil {
		row.Usage = r.Meter.Topic(topic.ID)
	}
	r.report.Run.Topics = append(r.report.Run.Topics, row)

	err = r.store.Turn(ctx, func(ctx context.Context) error {
		if err := commit(ctx, r.store, evidence.Batch{Answers: answers, Run: r.snapshot()}); err != nil {
			return err
		}
		return r.share.Done(ctx, r.store.piece, row.Failed)
	})
	if errors.Is(err, evidence.ErrTaken) {
		r.report.Run.Topics = r.report.Run.Topics[:len(r.report.Run.Topics)-1]
	}

	if err != nil {
		return err
	}
	r.pending.drop(topic.ID)
	r.record(row, answers)
	return nil
}

func (r *run) record(row evidence.TopicRun, answers []evidence.Answer) {
	r.report.Answers = append(r.report.Answers, answers...)

	r.unsaved = r.unsaved || len(answers) > 0
	switch {
	case row.Failed:
		r.failures++
		r.Log.Info("topic failed, its last answer stands", "topic", row.Topic, "errors", row.Errors)
		r.Progress.Topic(Event{Topic: row.Topic, Stage: StageFailed, Message: row.Errors[len(row.Errors)-1]})
		return
	case len(row.Errors) > 0:
		r.defects++
		r.Log.Info("topic done in part", "topic", row.Topic, "errors", row.Errors)
	}

	if row.Counts.Found == 0 && len(row.Errors) == 0 && !evidence.IsLiveTopic(row.Topic) {
		r.without = append(r.without, row.Topic)
	}
	r.Progress.Topic(Event{Topic: row.Topic, Stage: StageDone, Done: row.Counts.Sampled, Of: row.Counts.Unique,
		Message: summary(row.Counts)})
}

func summary(c evidence.Counts) string {
	if c.Found == 0 {
		return "nothing found"
	}
	return fmt.Sprintf("found %d, merged %d, new %d, screened %d, passed %d, sampled %d", c.Found, c.Merged, c.New,
		c.Screened, c.Passed, c.Sampled)
}

// snapshot is the run's record so far.
func (r *run) snapshot() *evidence.Run {
	s := r.report.Run
	s.Topics = append([]evidence.TopicRun(nil), s.Topics...)
	return &s
}

func (r *run) publishIfDue(ctx context.Context, more bool) error {
	if !more || r.opts.PublishEvery <= 0 || r.Now().Sub(r.published) < r.opts.PublishEvery || !r.unsaved {
		return nil
	}
	return r.publish(ctx)
}

func (r *run) publish(ctx context.Context) error {
	generation := 0

	err := r.store.Turn(ctx, func(ctx context.Context) (err error) {
		generation, err = r.store.Publish(ctx)
		return err
	})
	if err != nil {
		return storeError{fmt.Errorf("publishing: %w", err)}
	}
	r.report.Run.Generation, r.published, r.unsaved = generation, r.Now(), false
	r.Progress.Published(generation)
	return nil
}

// finish writes the run's record and publishes. After an interruption it only writes the record: the next run continues
// from there, and readers keep the last generation.
func (r *run) finish(ctx context.Context, err error) (Report, error) {
	r.report.Run.Finished = r.Now().UTC()
	if interrupted := ctx.Err(); interrupted != nil {
		r.report.Outcome = Interrupted
		r.report.Run.Interrupted = true
		r.report.Run.Notes = append(r.report.Run.Notes, "interrupted; what was committed is kept for the next run")
		err = commit(context.WithoutCancel(ctx), r.store, evidence.Batch{Run: r.snapshot()})
		return r.report, errors.Join(interrupted, err)
	}

	if len(r.without) > 0 {
		r.note("nothing was found on: " + strings.Join(r.without, ", "))
	}

	r.report.Outcome = r.outcome()
	if r.ended {
		return r.report, err
	}

	if err == nil {
		err = commit(ctx, r.store, evidence.Batch{Run: r.snapshot()})
	}

	if err == nil && r.unsaved && r.publishes {
		err = r.publish(ctx)
	}

	switch {
	case ctx.Err() != nil:
		r.report.Outcome = Interrupted
	case err != nil:
		r.report.Outcome = Failed
	}
	return r.report, err
}

func (r *run) outcome() Outcome {
	answered := len(r.report.Answers)
	switch {
	case answered == 0 && r.failures > 0:
		return Failed
	case r.failures > 0 || r.defects > 0:
		return Partly
	}
	return Done
}
