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

// Judge screens by model (docs/METHOD.md, "Screening by a model"); it is the pipeline's Judge.
type Judge struct {
	client  *Client
	batch   int
	task    Task
	lessons *lessons
	exam    exam
	log     *slog.Logger
}

// NewJudge makes a Judge that asks about batch records in a call; 20 where batch is 0.
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

// ScreeningPrompt is the version of the prompt under which judgements are kept.
func ScreeningPrompt() string { return NewTask(Screening, 0).Prompt.Version }

// rounds is how often a record is asked about: once, and at most three times again.
const rounds = 4

// Judge assesses records, as many batches at once as the client allows, and hands over each batch's assessments as they
// come. A batch is checked as a whole before any of it is handed over: scores of another scale are thrown away, and
// asked for again with the scale said. What is missing then (left out, cut, malformed, rejected) is asked about again,
// in batches half as large each time. A record that a filter refuses is found by halving, and handed over as Refused.
// The error says why the rest could not be judged: the budget is spent, the endpoint is down or fails to the last, or
// nothing that it said of them was of use.
//
// Before anything else is asked in a run, the model is examined; one that fails is not asked at all.
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

	s := &judging{Judge: j, question: question, each: each, open: records, counts: map[string]int{}}
	for n := range rounds {
		if len(s.open) == 0 {
			break
		}
		s.again, s.failure = n > 0, nil

		before := len(s.open)
		if err := s.round(ctx, max(1, min(j.batch>>n, j.lessons.manages(j.batch)))); err != nil {
			s.report(len(records))
			return err
		}

		isDown := s.failure != nil && (s.failure.Kind == Unreachable || s.failure.Kind == RateLimited)
		if len(s.open) == before && isDown {
			break // smaller batches don't bring a server back
		}
	}
	s.report(len(records))

	switch nothing := len(s.open) == len(records); {
	case len(s.open) == 0:
		return nil
	case s.failure != nil && (nothing || s.failure.Kind.outage()):
		return s.failure
	}
	return s.fail(Unjudged, fmt.Errorf("%s, asked about %d times", text.Plural(len(s.open), "record"), rounds))
}

// judging is under way for some records.
type judging struct {
	*Judge
	question string
	each     func([]evidence.Assessment) error
	open     []evidence.Record // not yet judged, in their order
	counts   map[string]int    // of what was rejected or left out, by reason
	again    bool              // the open records are those that an earlier round left
	failure  *Error            // of this round, the last call that brought nothing
}

// batchResult is what came of asking about a batch.
type batchResult struct {
	assessments []evidence.Assessment // in the order of the records asked about, refused ones among them
	counts      map[string]int
	failure     *Error
}

// round asks once about every open record. It ends early where asking more makes no sense; what is on its way then is
// still waited for, since it has been paid for.
func (s *judging) round(ctx context.Context, size int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	size, _ = s.portion(s.open, size, maxAbstract)
	batches := slices.Collect(slices.Chunk(s.open, size))
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
			continue // each has failed: nothing that comes now can be kept
		}

		failed, err := s.take(result, judged)
		if err != nil {
			cancel()
		}
		// A call that was not made because another one failed tells less than that one, and may come first.
		if err = errors.Join(err, failed); err != nil && (stop == nil || kindOf(stop) == Paused) {
			stop = err
			next.Store(int64(len(batches)))
		}
	}
	s.open = slices.DeleteFunc(slices.Clone(s.open), func(r evidence.Record) bool { return judged[r.ID] })
	return stop
}

// take hands a result over. Both errors end the round: failure is the call's, err that of each.
func (s *judging) take(result batchResult, judged map[string]bool) (failure, err error) {
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
	switch kind := result.failure.Kind; { // with more to ask, one should stop asking
	case kind.lasting(), kind == OverBudget, kind == Paused, kind == Cancelled, kind == Useless:
		return result.failure, err
	}
	s.log.Info("a batch was not judged and is asked about again in smaller ones", "cause", result.failure)
	return nil, err
}

// refusedByFilter is why a record has no judgement that the endpoint's filter, or the model, would not look at.
const refusedByFilter = "the model or its filter refuses it"

// ask asks about a batch, in as many calls as the model's context makes of it. What is too long for it is halved at
// once: nothing was charged, and it says nothing about the replies. So is what a model that was of no use yet does not
// manage, and what is refused, down to the record that is at fault.
func (s *judging) ask(ctx context.Context, records []evidence.Record) batchResult {
	whole := batchResult{counts: map[string]int{}}
	for size, limit := len(records), maxAbstract; len(records) > 0 && whole.failure == nil; {
		n, abstract := s.portion(records, min(size, s.lessons.manages(s.batch)), limit)

		result := s.call(ctx, records[:n], abstract)
		if result.failure != nil {
			switch kind := result.failure.Kind; {
			case n > 1 && (kind == TooLong || kind.tooMuch() && !s.lessons.isProven()):
				size = n / 2
				continue
			case kind == TooLong && abstract > leastAbstract:
				limit = abstract / 2
				continue
			case kind == Refusal:
				result = s.sift(ctx, records[:n], result)
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

// sift asks about records that were refused by halves. One that is refused alone is at fault where the model was of
// use before: a model that refuses everything is none.
func (s *judging) sift(ctx context.Context, records []evidence.Record, refused batchResult) batchResult {
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

// call makes one call, when its turn has come, and learns from what it brings.
func (s *judging) call(ctx context.Context, records []evidence.Record, abstract int) batchResult {
	release, failure := s.lessons.admit(ctx, s.fail)
	if failure != nil {
		return batchResult{failure: failure}
	}
	defer release()
	result, scale := s.judge(ctx, records, abstract)
	s.lessons.tally(s.batch, len(records), len(result.assessments), result.failure, s.again)

	if stopped := s.lessons.note(result.failure, scale, s.again); stopped != nil {
		result.failure = stopped
	}
	return result
}

// judge makes one call and reads its reply as a whole. otherScale says how its scores were of another scale.
func (s *judging) judge(ctx context.Context, records []evidence.Record, abstract int) (result batchResult,
	otherScale string) {
	told, _ := s.lessons.now()

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
	read := readVerdicts(reply, spellingsOf(ids), told != "")

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
	result.failure.Tries, result.failure.Used, result.failure.Said = 1, got.Used, got.Said
	return result, read.scale
}

func (s *judging) fail(kind Kind, err error) *Error { return s.client.fail(s.task.Name, kind, err) }

// report says what became of the records, where not all went well.
func (s *judging) report(asked int) {
	if len(s.open) == 0 && len(s.counts) == 0 {
		return
	}

	attrs := []any{"asked", asked, "judged", asked - len(s.open), "left_to_rules", len(s.open)}
	if len(s.counts) > 0 {
		attrs = append(attrs, "rejected", inWords(s.counts))
	}
	s.log.Info("screened by model", attrs...)
}
