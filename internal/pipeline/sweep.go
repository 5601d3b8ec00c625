package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// sweepRound is a source's pass through the store, as far as tonight's share goes.
type sweepRound struct {
	evidence.Sweepable
	source  evidence.SourceName
	asks    Source // nil where the source searches nothing
	sweeper Sweeper
	last    evidence.Sweep // the last night's, from LastSweeps; zero where there was none
	begin   time.Time      // when this one began
	ids     []evidence.Identifier
	changed int // source records received outside the round
	news    chan news
}

// news is the result of one chunk.
type news struct {
	asked     []evidence.Identifier
	batch     source.Batch
	retracted []evidence.Identifier // of those asked about, if requested
	err       error
}

// sweep asks every source for changes of the store's own papers, and writes them (every night the whole store is
// checked, not only new hits). It runs before the topics, so that what they show is right tonight.
func (r *run) sweep(ctx context.Context) error {
	rounds := r.sweepRounds()
	if len(rounds) == 0 {
		return nil
	}

	if r.Audit == nil {
		return r.sweepAll(ctx, rounds)
	}

	out, err := r.Audit.Begin("", true, false)
	if err != nil {
		return err
	}
	return errors.Join(r.sweepAll(out.Counting(ctx), rounds), out.End())
}

// sweepAll asks the sources concurrently, and processes them in a fixed order; a source that fails loses only its own
// news, and is asked again the next night.
func (r *run) sweepAll(ctx context.Context, rounds []*sweepRound) error {
	if err := r.listSwept(ctx, rounds); err != nil {
		return err
	}

	for _, s := range rounds {
		if s.source == evidence.SourcePubMed && (!s.last.Next.IsZero() || len(s.ids) > s.Most) {
			if err := r.takeRetractions(ctx, s); err != nil {
				return err
			}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel() // a failed store stops the requests

	for _, s := range rounds {
		asking.Go(func() { s.ask(ctx, 5*r.Settings.FetchTimeout) })
	}

	for _, s := range rounds {
		sweep, err := r.receive(ctx, s)
		if err != nil {
			return err
		}
		r.report.Run.Sweeps = append(r.report.Run.Sweeps, sweep)
	}
	return nil
}

// sweepRounds prepares a round for each source that can be swept.
func (r *run) sweepRounds() []*sweepRound {
	if r.Offline {
		return nil
	}

	var rounds []*sweepRound
	for _, known := range evidence.Sources {
		asks, sweeper := r.sweeperOf(known.Name)
		if sweeper == nil || known.Sweep.IDs == nil {
			continue
		}

		s := &sweepRound{Sweepable: known.Sweep, source: known.Name, asks: asks, sweeper: sweeper,
			begin: r.Now().UTC(), news: make(chan news, 1)}
		if limit := r.Settings.SweepLimit; limit > 0 {
			s.Most, s.Chunk = min(s.Most, limit), min(s.Chunk, limit)
		}

		if at := slices.IndexFunc(r.opts.Swept, func(s evidence.Sweep) bool { return s.Source == known.Name }); at >= 0 {
			s.last = r.opts.Swept[at]
		}
		rounds = append(rounds, s)
	}
	return rounds
}

// sweeperOf is the sweeper under a source's name; nil where there is none.
func (r *run) sweeperOf(name evidence.SourceName) (asks Source, sweeper Sweeper) {
	if i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.Name() == name }); i >= 0 {
		sweeper, _ = r.Sources[i].(Sweeper)
		return r.Sources[i], sweeper
	}

	if i := slices.IndexFunc(r.Lookups, func(l Lookup) bool { return l.Name() == name }); i >= 0 {
		sweeper = r.Lookups[i]
	}
	return nil, sweeper
}

// isResting reports whether the source's last round is over, and the next one not due.
func (s *sweepRound) isResting() bool {
	return s.last.Next.IsZero() && !s.last.Began.IsZero() && s.begin.Sub(s.last.Began) < s.Rest
}

// isDue reports whether a record is checked tonight. While the source rests, only records changed by another source
// since the last check are.
func (s *sweepRound) isDue(record *evidence.Record) bool {
	return !s.isResting() || slices.ContainsFunc(record.Origins, func(o evidence.Origin) bool {
		return o.Source != s.source && !o.Fetched.Before(s.last.At)
	})
}

// listSwept reads the store once and gives each round its remaining records, in order of identifier.
func (r *run) listSwept(ctx context.Context, rounds []*sweepRound) error {
	for record, err := range r.store.Records(ctx) {
		if err != nil {
			return fmt.Errorf("listing the store for the nightly check: %w", err)
		}

		for _, s := range rounds {
			if !s.isDue(&record) {
				continue
			}

			for _, id := range s.IDs(&record) {
				if s.last.Next.IsZero() || evidence.CompareIdentifiers(id, s.last.Next) >= 0 {
					s.ids = append(s.ids, id)
				}
			}
		}
	}

	for _, s := range rounds {
		slices.SortFunc(s.ids, evidence.CompareIdentifiers)
		s.ids = slices.Compact(s.ids)
	}
	return nil
}

const (
	// sweepOverlap is how far before the last sweep the next one begins, since a source dates its changes by its own days.
	sweepOverlap = 3 * 24 * time.Hour
	// firstSweep is how far back the first one goes.
	firstSweep = 365 * 24 * time.Hour
)

// since is the time from which changes are requested.
func (s *sweepRound) since() time.Time {
	switch {
	case !s.last.Next.IsZero() && !s.last.Since.IsZero(): // last night's round goes on
		return s.last.Since
	case s.last.Next.IsZero() && !s.last.Began.IsZero():
		return s.last.Began.Add(-sweepOverlap)
	}
	return s.begin.Add(-firstSweep)
}

// mayHoldOld reports whether the store may hold papers in a state before since: it was never swept, or files were
// imported, which are as old as their making.
func (s *sweepRound) mayHoldOld() bool { return s.last.Began.IsZero() }

// start is tonight's sweep before any request.
func (s *sweepRound) start() evidence.Sweep {
	out := evidence.Sweep{Source: s.source, Began: s.begin, Since: s.since(), At: s.begin, Changed: s.changed,
		Left: len(s.ids)}
	if !s.last.Next.IsZero() || s.isResting() {
		out.Began = s.last.Began
	}

	if len(s.ids) > 0 {
		out.Next = s.ids[0]
	}
	return out
}

// ask requests one chunk after the other, up to the first failure or tonight's share.
func (s *sweepRound) ask(ctx context.Context, timeout time.Duration) {
	defer close(s.news)

	for chunk := range slices.Chunk(s.ids[:min(len(s.ids), s.Most)], s.Chunk) {
		n := news{asked: chunk}
		asking, cancel := context.WithTimeout(ctx, timeout)

		n.batch, n.err = s.sweeper.Changed(asking, chunk, s.since())
		if finder, ok := s.sweeper.(RetractionFinder); ok && n.err == nil && s.mayHoldOld() {
			n.retracted, n.err = finder.Retracted(asking, chunk)
		}
		cancel()

		select {
		case s.news <- n:
		case <-ctx.Done():
			return
		}

		if n.err != nil {
			return
		}
	}
}

// receive writes a source's news as they come. The error is the store's or ctx's; the source's own is in the Sweep.
func (r *run) receive(ctx context.Context, s *sweepRound) (evidence.Sweep, error) {
	out := s.start()
	for n := range s.news {
		changed, err := r.takeNews(ctx, n.batch)
		if err != nil {
			return out, fmt.Errorf("what %s has changed: %w", s.source, err)
		}

		if n.err == nil && len(n.retracted) > 0 {
			more, failure, err := r.takeRetracted(ctx, s, n.retracted)
			if err != nil {
				return out, err
			}
			changed, n.err = changed+more, failure
		}
		out.Changed += changed
		room := maxSweepProblems - len(out.Problems)

		out.Problems = append(out.Problems, n.batch.Problems[:min(len(n.batch.Problems), room)]...)
		if n.err != nil {
			r.sweepFailed(&out, n.err)
			// A chunk that the source cannot answer must not block the rest for ever.
			if failedBefore := s.last.Error != "" && s.last.Next == n.asked[0]; !failedBefore {
				break
			}
		} else {
			out.Checked += len(n.asked)
		}
		s.ids = s.ids[len(n.asked):]

		out.Left, out.Next = len(s.ids), evidence.Identifier{}
		if len(s.ids) > 0 {
			out.Next = s.ids[0]
		}
	}

	if err := ctx.Err(); err != nil {
		return out, err
	}
	r.Log.Info("swept", "source", out.Source, "since", out.Since, "checked", out.Checked, "changed", out.Changed, "left",
		out.Left)
	return out, nil
}

// takeRetractions asks PubMed for retracted papers, where the store is too large to be checked in one night: one
// search, then the records of those that the store holds as sound. A retraction would otherwise wait for its turn. The
// error is the store's or ctx's; PubMed's is recorded.
func (r *run) takeRetractions(ctx context.Context, s *sweepRound) (err error) {
	asking, cancel := context.WithTimeout(ctx, 5*r.Settings.FetchTimeout)
	defer cancel()
	result, failure := s.asks.Search(asking, source.Query{
		Node: boolean.All(
			boolean.Phrase("Retracted Publication", boolean.FieldType),
			boolean.DateRange{Field: boolean.FieldDateModified, From: s.since().UTC().Format("2006/01/02"),
				To: s.begin.Format("2006/01/02")},
		),
		From: "1000-01-01", To: evidence.DateOf(s.begin), Limit: evidence.MaxBroadSearchCount,
	})

	var news []evidence.Identifier
	for _, pmid := range result.IDs {
		id := evidence.Identifier{Kind: evidence.PMID, Value: pmid}

		stale, err := holdsAsSound(r.store, id)
		if err != nil {
			return err
		}

		if stale {
			news = append(news, id)
		}
	}

	var batch source.Batch
	if failure == nil && len(news) > 0 {
		batch, failure = s.sweeper.Changed(asking, news, s.since())
	}

	if failure == nil {
		failure = result.Incomplete
	}

	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failure != nil:
		r.defects++
		r.note("looking for retractions: " + failure.Error())
	case result.Total > len(result.IDs):
		r.note(fmt.Sprintf("%d of %d changed retractions were looked at", len(result.IDs), result.Total))
	}
	s.changed, err = r.takeNews(ctx, batch)
	return err
}

// takeRetracted fetches the papers that a source lists as retracted and the store holds as sound. Failure is the
// source's, err the store's.
func (r *run) takeRetracted(ctx context.Context, s *sweepRound, retracted []evidence.Identifier) (changed int, failure,
	err error) {
	var sound []string
	for _, id := range retracted {
		ok, err := holdsAsSound(r.store, id)
		if err != nil {
			return 0, nil, err
		}

		if ok {
			sound = append(sound, id.Value)
		}
	}

	if len(sound) == 0 {
		return 0, nil, nil
	}
	asking, cancel := context.WithTimeout(ctx, 5*r.Settings.FetchTimeout)
	defer cancel()
	batch, failure := s.asks.(RetractionFinder).Fetch(asking, sound)
	changed, err = r.takeNews(ctx, batch)
	return changed, failure, err
}

// holdsAsSound reports whether the store has a paper with that PMID that is not known to be retracted.
func holdsAsSound(view View, pmid evidence.Identifier) (bool, error) {
	ids, err := view.Lookup(pmid)
	if err != nil {
		return false, fmt.Errorf("looking up PMID %s: %w", pmid.Value, err)
	}

	for _, id := range ids {
		r, ok, err := view.Record(id)
		if err != nil {
			return false, fmt.Errorf("reading record %s: %w", id, err)
		}

		if ok && !r.Retracted() {
			return true, nil
		}
	}
	return false, nil
}

// takeNews joins changed source records with the store, and counts them.
func (r *run) takeNews(ctx context.Context, batch source.Batch) (changed int, err error) {
	err = r.store.Turn(ctx, func(ctx context.Context) error {
		records := slices.DeleteFunc(batch.Records, func(r evidence.Record) bool { return len(r.Origins) != 1 })

		identified, err := Identify(r.store, records)
		if err != nil || identified.Batch.Empty() {
			return err
		}

		for _, c := range identified.Conflicts {
			r.Log.Info("kept apart", "conflict", fmt.Sprint(c))
		}
		r.unsaved = true
		changed = len(identified.Batch.SourceRecords)
		return commit(ctx, r.store, identified.Batch)
	})
	return changed, err
}

// sweepFailed records a failure. A spent budget is none: the rest is asked tomorrow.
func (r *run) sweepFailed(s *evidence.Sweep, err error) {
	s.Error, s.Hint = errorWords(err)
	if se := (*source.Error)(nil); errors.As(err, &se) && se.Kind == source.OverBudget {
		r.Log.Info("the nightly check waits for another day's budget", "source", s.Source, "error", s.Error)
		return
	}
	r.defects++
	r.note("the nightly check of the store's papers: " + s.Error)
}

// maxSweepProblems bounds the stored list of records that a sweep could not read.
const maxSweepProblems = 20

// LastSweeps finds each source's last sweep in runs, newest first: RunOptions.Swept of the next one. After an import it
// continues at its place but without its dates: files may hold what a source changed long before, so that the changes
// of a year are requested again.
func LastSweeps(runs []evidence.Run) []evidence.Sweep {
	var out []evidence.Sweep

	imported := false
	for _, run := range runs {
		imported = imported || run.Import != ""
		for _, s := range run.Sweeps {
			if slices.ContainsFunc(out, func(o evidence.Sweep) bool { return o.Source == s.Source }) {
				continue
			}

			if imported {
				s.Began, s.Since = time.Time{}, time.Time{}
			}
			out = append(out, s)
		}
	}
	return out
}
