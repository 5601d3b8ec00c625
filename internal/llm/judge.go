package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Judge screens by model (docs/METHOD.md, "Screening by a model"); it implements the pipeline's Judge.
type Judge struct {
	client  *Client
	batch   int
	task    Task
	lessons *lessons
	exam    exam
	log     *slog.Logger
}

// NewJudge returns a Judge that sends batch records per call; 20 where batch is 0.
func NewJudge(client *Client, batch int) *Judge {
	if batch <= 0 {
		batch = 20
	}
	return &Judge{
		client: client, batch: batch, task: NewTask(Screening, 0), lessons: &lessons{first: make(chan struct{}, 1), room: 1},
		exam: exam{turn: make(chan struct{}, 1)}, log: client.opt.Logger,
	}
}

// Model is the model's name.
func (j *Judge) Model() string { return j.client.Model() }

// Prompt is the version of the prompt.
func (j *Judge) Prompt() string { return j.task.Prompt.Version }

// ScreeningPrompt is the version of the prompt under which judgements are stored.
func ScreeningPrompt() string { return NewTask(Screening, 0).Prompt.Version }

// maxRounds is how often a record is asked about: once, and at most three retries.
const maxRounds = 4

// Judge assesses records, in as many concurrent batches as the client allows, and passes each batch's assessments to
// each as they arrive. A batch is checked as a whole first: if its scores use another scale, they are discarded, and
// requested again with the scale repeated. Missing records (omitted, cut, malformed, rejected) are retried in batches
// half as large each time. A record that a filter refuses is found by halving, and returned as Refused. The error
// states why the rest could not be judged: the budget is spent, the endpoint is down or keeps failing, or its replies
// about them were unusable.
//
// The model is examined first in a run; a model that fails is not used.
func (j *Judge) Judge(ctx context.Context, question string, records []evidence.Record,
	each func([]evidence.Assessment) error) error {
	if len(records) == 0 {
		return nil
	}

	if failure := j.examined(ctx); failure != nil {
		return failure
	}
	return j.judgeAll(ctx, question, records, each)
}

// judgeAll is Judge without the examination.
func (j *Judge) judgeAll(ctx context.Context, question string, records []evidence.Record,
	each func([]evidence.Assessment) error) error {
	j.client.lookUpWindow(ctx)

	s := &judgeRun{Judge: j, question: question, each: each, pending: records, counts: map[string]int{}}
	for n := range maxRounds {
		if len(s.pending) == 0 {
			break
		}
		s.retry, s.failure = n > 0, nil

		before := len(s.pending)
		if err := s.round(ctx, max(1, min(j.batch>>n, j.lessons.maxBatch(j.batch)))); err != nil {
			s.report(len(records))
			return err
		}

		isDown := s.failure != nil && (s.failure.Kind == Unreachable || s.failure.Kind == RateLimited)
		if len(s.pending) == before && isDown {
			break // smaller batches don't bring a server back
		}
	}
	s.report(len(records))

	switch nothing := len(s.pending) == len(records); {
	case len(s.pending) == 0:
		return nil
	case s.failure != nil && (nothing || s.failure.Kind.isOutage()):
		return s.failure
	}
	return s.fail(Unjudged, fmt.Errorf("%s, asked about %d times", text.Plural(len(s.pending), "record"), maxRounds))
}

// judgeRun is the judging of some records.
type judgeRun struct {
	*Judge
	question string
	each     func([]evidence.Assessment) error
	pending  []evidence.Record // not yet judged, in order
	counts   map[string]int    // rejected or omitted items, by reason
	retry    bool              // the pending records were asked about before
	failure  *Error            // this round's last failed call
}

// batchResult is the outcome of a batch.
type batchResult struct {
	assessments []evidence.Assessment // in the order of the records, including refused ones
	counts      map[string]int
	failure     *Error
}

// round asks once about every pending record. It ends early where further calls are pointless; it still waits for
// running calls, since they are paid for.
func (s *judgeRun) round(ctx context.Context, size int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	size, _ = s.fitBatch(s.pending, size, maxAbstract)
	batches := slices.Collect(slices.Chunk(s.pending, size))
	results := make(chan batchResult)
	var next atomic.Int64

	var callers sync.WaitGroup
	for range min(s.client.Concurrency(), len(batches)) {
		callers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(batches)); i = next.Add(1) - 1 {
				results <- s.ask(ctx, batches[i])
			}
		})
	}
	go func() { callers.Wait(); close(results) }()

	var stop error

	judged := map[string]bool{}
	for result := range results {
		if ctx.Err() != nil && stop != nil {
			continue // each has failed: no later result can be stored
		}

		failed, err := s.handle(result, judged)
		if err != nil {
			cancel()
		}
		// A call skipped because another one failed is less informative than that one, and may arrive first.
		if err = errors.Join(err, failed); err != nil && (stop == nil || kindOf(stop) == Paused) {
			stop = err
			next.Store(int64(len(batches)))
		}
	}
	s.pending = slices.DeleteFunc(slices.Clone(s.pending), func(r evidence.Record) bool { return judged[r.ID] })
	return stop
}

// handle passes a result on. Both errors end the round: failure is the call's, err that of each.
func (s *judgeRun) handle(result batchResult, judged map[string]bool) (failure, err error) {
	for reason, n := range result.counts {
		s.counts[reason] += n
	}

	if len(result.assessments) > 0 {
		for _, a := range result.assessments {
			judged[a.Record] = true
		}
		err = s.each(result.assessments)
	}

	if result.failure == nil {
		return nil, err
	}

	s.failure = result.failure
	switch kind := result.failure.Kind; { // failures after which further calls are pointless
	case kind.isPermanent(), kind == OverBudget, kind == Paused, kind == Cancelled, kind == Useless:
		return result.failure, err
	}
	s.log.Info("a batch was not judged and is asked about again in smaller ones", "cause", result.failure)
	return nil, err
}

// refusedByFilter is the reason for a record that the endpoint's filter, or the model, refuses to judge.
const refusedByFilter = "the model or its filter refuses it"

// ask asks about a batch, in as many calls as the model's context requires. A batch that is too long is halved at once:
// that was free, and reveals nothing about the replies. So is a batch that a model without a usable reply yet cannot
// handle, and a refused one, down to the record at fault.
func (s *judgeRun) ask(ctx context.Context, records []evidence.Record) batchResult {
	whole := batchResult{counts: map[string]int{}}
	for size, limit := len(records), maxAbstract; len(records) > 0 && whole.failure == nil; {
		n, abstract := s.fitBatch(records, min(size, s.lessons.maxBatch(s.batch)), limit)

		result := s.call(ctx, records[:n], abstract)
		if result.failure != nil {
			switch kind := result.failure.Kind; {
			case n > 1 && (kind == TooLong || kind.isTooMuch() && !s.lessons.isProven()):
				size = n / 2
				continue
			case kind == TooLong && abstract > minAbstract:
				limit = abstract / 2
				continue
			case kind == Refusal:
				result = s.bisect(ctx, records[:n], result)
			}
		}
		whole.add(result)
		records, limit = records[n:], maxAbstract
	}
	return whole
}

func (r *batchResult) add(more batchResult) {
	r.assessments = append(r.assessments, more.assessments...)
	for reason, n := range more.counts {
		r.counts[reason] += n
	}
	r.failure = more.failure
}

// bisect asks about refused records by halves. A record refused alone is at fault if the model gave usable replies
// before: a model that refuses everything is unfit.
func (s *judgeRun) bisect(ctx context.Context, records []evidence.Record, refused batchResult) batchResult {
	if half := len(records) / 2; half > 0 {
		found := s.ask(ctx, records[:half])
		if found.failure == nil {
			found.add(s.ask(ctx, records[half:]))
		}
		return found
	}

	if s.lessons.isProven() {
		return batchResult{assessments: []evidence.Assessment{{Record: records[0].ID, Refused: refusedByFilter}}}
	}
	return refused
}

// call makes one call, when admitted, and learns from its outcome.
func (s *judgeRun) call(ctx context.Context, records []evidence.Record, abstract int) batchResult {
	release, failure := s.lessons.admit(ctx, s.fail)
	if failure != nil {
		return batchResult{failure: failure}
	}
	defer release()
	result, scale := s.judge(ctx, records, abstract)
	s.lessons.tally(s.batch, len(records), len(result.assessments), result.failure, s.retry)

	if stopped := s.lessons.record(result.failure, scale, s.retry); stopped != nil {
		result.failure = stopped
	}
	return result
}

// judge makes one call and reads its reply as a whole. otherScale describes scores of another scale.
func (s *judgeRun) judge(ctx context.Context, records []evidence.Record, abstract int) (result batchResult,
	otherScale string) {
	failedScale, _ := s.lessons.current()

	task, request, err := s.prepare(s.question, records, abstract)
	if err != nil {
		return batchResult{failure: s.fail(BadRequest, err)}, ""
	}
	var reply screeningReply

	got, err := s.client.Call(ctx, task, request, &reply)
	if err != nil {
		var failure *Error
		if !errors.As(err, &failure) {
			failure = s.fail(BadRequest, err)
		}
		return batchResult{failure: failure}, ""
	}
	ids := idsOf(records)
	read := readVerdicts(reply, spellingsOf(ids), failedScale != "")

	result.counts = read.counts
	for _, id := range ids {
		if a, ok := read.accepted[id]; ok {
			result.assessments = append(result.assessments, a)
		}
	}

	switch {
	case read.scale != "":
		result.failure = s.fail(OtherScale, fmt.Errorf("they are %s", read.scale))
	case len(result.assessments) == 0 && got.Cut:
		result.failure = s.fail(Cut, errors.New("the reply ends before any of it was of use"))
	case len(result.assessments) == 0 && len(read.counts) > 0:
		result.failure = s.fail(NothingGood, errors.New(inWords(read.counts)))
	case len(result.assessments) == 0:
		result.failure = s.fail(NothingGood, errors.New("it judges none of the articles"))
	default:
		if got.Cut {
			s.lessons.grow()
		}
		return result, ""
	}
	result.failure.Tries, result.failure.Used, result.failure.Excerpt = 1, got.Used, got.Excerpt
	return result, read.scale
}

func (s *judgeRun) fail(kind Kind, err error) *Error { return s.client.fail(s.task.Name, kind, err) }

// report logs the outcome for the records, unless all went well.
func (s *judgeRun) report(asked int) {
	if len(s.pending) == 0 && len(s.counts) == 0 {
		return
	}

	attrs := []any{"asked", asked, "judged", asked - len(s.pending), "left_to_rules", len(s.pending)}
	if len(s.counts) > 0 {
		attrs = append(attrs, "rejected", inWords(s.counts))
	}
	s.log.Info("screened by model", attrs...)
}
