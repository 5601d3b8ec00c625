package pipeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

// Pipeline holds the steps' dependencies besides topics and a store. It has no state of its own: one serves any number
// of concurrent runs.
type Pipeline struct {
	Sources []Source
	Lookups []Lookup   // further services for the nightly check
	Lexicon Dictionary // parses a topic's question, once
	Planner Planner
	Judge   Judge // nil: screening by rules
	// Wording is the form of a question that the Judge receives; nil: its text.
	Wording func(*lexicon.Question) string
	// Entry parses a question once, and returns whether trials let in its patient; nil: not computed.
	Entry    func(*lexicon.Question) func(*evidence.Record) *evidence.Eligibility
	Readers  Readers // readers' decisions; nil: none
	Meter    Meter   // nil: nothing is counted
	Audit    Audit   // nil: nothing is logged
	Settings Settings
	Offline  bool
	// OnlyEntailing: a record passes only if its title or a sentence of its abstract covers the whole question.
	OnlyEntailing bool
	Now           func() time.Time
	Log           *slog.Logger
	Progress      Progress
}

// gathering is a topic after steps 1 and 2: none of it is in the store yet.
type gathering struct {
	topic    evidence.Topic
	asked    lexicon.Question // the parsed question: the one value that all steps use
	judging  Question         // the same, for judging records
	plan     Plan
	gathered Gathered
	layers   map[string]int  // the narrowest layer that found each record, by its id, once it is joined
	readings ReadingOf       // nil where no reader has decided anything
	previous evidence.Answer // the last one on the same question; zero where there is none
	started  time.Time
	out      Request // nil where nothing goes out, or it is not logged
}

// end closes the request opened by begin; err is the result of the work between.
func (g *gathering) end(err error) error {
	if g.out == nil {
		return err
	}
	out := g.out
	g.out = nil
	return errors.Join(err, out.End())
}

// begin records that a question is about to go out, if any service or model may be asked.
func (p *Pipeline) begin(question string) (Request, error) {
	_, remembered := p.Judge.(Remembered)

	model := p.Judge != nil && !remembered || p.Planner.Name() != ByRules
	if p.Audit == nil || p.Offline && !model {
		return nil, nil //nolint:nilnil // there is nothing to record
	}
	return p.Audit.Begin(question, !p.Offline, model)
}

// gather is steps 1 and 2 for a topic with a parsed question, and with query unless it is nil: it reads the store and
// what concurrent topics have fetched, and writes nothing. If it succeeds, answer closes the request.
func (p *Pipeline) gather(
	ctx context.Context, view View, under *pending, topic evidence.Topic, asked lexicon.Question, query boolean.Node,
) (g gathering, err error) {
	g = p.gathering(topic, asked, p.Now())
	if g.out, err = p.begin(topic.Question); err != nil {
		return g, err
	}
	defer func() {
		if err != nil {
			err = g.end(err)
		}
	}()
	ctx = p.counting(ctx, &g)
	p.Progress.Topic(Event{Topic: topic.ID, Stage: StageSearch})

	previous, had, err := view.Answer(topic.ID)
	if err != nil {
		return g, fmt.Errorf("reading the last answer on topic %s: %w", topic.ID, err)
	}

	req := PlanRequest{Topic: topic, Question: &g.asked, Query: query, Settings: p.Settings, Offline: p.Offline,
		Now: g.started.UTC()}
	if had && previous.Topic.Question == topic.Question {
		g.previous = previous
		req.Previous, req.Searches = previous.Query, previous.Searches
	}
	taking := newGatherer(p.Sources, GatherRequest{
		Topic: topic, Query: dated(topic, req.Now), Previous: previous.Searches, Settings: p.Settings,
		Offline: p.Offline, Known: under.known, Now: p.Now,
	})
	passing := &tally{Pipeline: p, under: under, store: NewOverlay(view), topic: g.topic, asks: g.judging,
		joined: map[string]bool{}, passes: map[string]bool{}}
	req.Passing = func(ctx context.Context, answers map[evidence.SourceName]Answered) (int, error) {
		if err := taking.take(ctx, answers); err != nil {
			return 0, err
		}
		return passing.countPassing(taking.gathered(answers))
	}

	var failure error
	if g.plan, failure = MakePlan(ctx, req, p.Planner, p.Sources); failure != nil && g.plan.Answers == nil {
		return g, failure
	}

	if failure == nil {
		g.plan.noteLeftOut(p.Lexicon, &g.asked)
		accepted := g.plan.Accepted
		p.Log.Info("planned", "topic", topic.ID, "layer", accepted.Layer, "rings", accepted.RingsText(), "by", accepted.By,
			"query", accepted.Text)
	}
	err = taking.take(ctx, g.plan.Answers)

	g.gathered = taking.gathered(g.plan.Answers)
	if failure != nil {
		return g, failure // with the searches, which state each source's failure
	}
	return g, err
}

// counting returns a context whose costs and requests are counted under the topic.
func (p *Pipeline) counting(ctx context.Context, g *gathering) context.Context {
	if g.out != nil {
		ctx = g.out.Counting(ctx)
	}

	if p.Meter == nil {
		return ctx
	}
	return p.Meter.For(ctx, g.topic.ID)
}

// answer is steps 2b to 6 for a topic. It commits the records, and the model's judgements as they come, so that both
// are stored if a later step fails; the caller commits the Answer.
func (p *Pipeline) answer(
	ctx context.Context, store Store, g gathering, run string,
) (_ evidence.Answer, problems []string, err error) {
	defer func() { err = g.end(err) }()
	ctx = p.counting(ctx, &g)
	p.Progress.Topic(Event{Topic: g.topic.ID, Stage: StageJoin})

	added, err := p.keepRecords(ctx, store, g)
	if err != nil {
		return evidence.Answer{}, nil, err
	}

	if err := keepPrevious(store, &g); err != nil {
		return evidence.Answer{}, nil, err
	}

	records, gone, err := p.load(store, &g)
	if err != nil {
		return evidence.Answer{}, nil, err
	}

	if err := checkEmpty(g, records); err != nil {
		return evidence.Answer{}, nil, err
	}

	screening, err := p.screen(ctx, store, g, records)
	if err != nil {
		return evidence.Answer{}, nil, err
	}

	if p.Settings.ModelRequired && screening.Failed != "" {
		return evidence.Answer{}, nil, fmt.Errorf("topic %s: %w: %s", g.topic.ID, ErrNoModel,
			strings.Join(screening.Errors, "; "))
	}
	p.Progress.Topic(Event{Topic: g.topic.ID, Stage: StageSample})

	if p.noteUnused(&g.previous, &screening); screening.Trouble != "" {
		p.Log.Info("screened in part by rules", "topic", g.topic.ID, "why", screening.Trouble)
	}

	var unread []string
	if g.readings, unread, err = p.readings(store, g.topic.ID); err != nil {
		return evidence.Answer{}, nil, err
	}
	a := p.assemble(g, records, screening, run, p.Now().UTC())
	a.Counts.Found = len(g.gathered.Found) - len(gone)

	a.Counts.Merged = a.Counts.Found - a.Counts.Unique
	for _, r := range records {
		if added[r.ID] {
			a.Counts.New++
		}
	}
	a.Query.Provisional = g.provisionalReason(a.Counts.Passed)
	return a, slices.Concat(searchErrors(a.Searches), screening.Errors, unread), nil
}

// provisionalReason is why the accepted rings are planned again the next night; empty where they are kept. If a source
// of papers failed meanwhile, that must not widen the topic for weeks: its records might have passed.
func (g *gathering) provisionalReason(passed int) string {
	accepted := &g.plan.Accepted
	byModel := accepted.By != ByHand && accepted.By != ByRules ||
		slices.ContainsFunc(accepted.Other, func(o evidence.LayerQuery) bool { return o.By != ByRules })

	failed := slices.IndexFunc(g.gathered.Searches, func(s evidence.Search) bool {
		return !evidence.IsRegistry(s.Source) && s.CutShort()
	})
	switch {
	case accepted.Provisional != "":
		return accepted.Provisional
	case byModel && passed == 0:
		return "nothing passed that a model's plan found"
	case failed >= 0 && accepted.Layer > 1 && accepted.Accepted.Equal(g.started):
		return g.gathered.Searches[failed].Source + " failed when it was accepted"
	}
	return ""
}

// keepRecords joins and commits the fetched records, and returns the ids of the new ones.
func (p *Pipeline) keepRecords(ctx context.Context, store Store, g gathering) (added map[string]bool, err error) {
	err = store.Turn(ctx, func(ctx context.Context) error {
		identified, err := Identify(store, g.gathered.Records)
		if err != nil {
			return fmt.Errorf("topic %s: %w", g.topic.ID, err)
		}

		for _, c := range identified.Conflicts {
			p.Log.Info("kept apart", "topic", g.topic.ID, "conflict", fmt.Sprint(c))
		}
		warnOfCuts(g.gathered.Searches, identified.Cut)

		added = map[string]bool{}
		for _, m := range identified.Batch.Put {
			if m.New {
				added[m.Record.ID] = true
			}
		}

		if identified.Batch.Empty() {
			return nil
		}
		return commit(ctx, store, identified.Batch)
	})
	return added, err
}

// warnOfCuts adds to each search how many of its source's records were cut, and the details of the first.
func warnOfCuts(searches []evidence.Search, cut []evidence.Record) {
	for i := range searches {
		count, first := 0, ""
		for _, r := range cut {
			if origin := r.Origins[0]; origin.Source == searches[i].Source {
				if count++; count == 1 {
					first = origin.ID + ": " + r.Cut[0].String()
				}
			}
		}

		if count > 0 {
			searches[i].Warnings = append(searches[i].Warnings,
				fmt.Sprintf("%d records are longer than the store keeps, and are cut there (first: %s)", count, first))
		}
	}
}

// load reads the merged records that were found, in the order found.
func (p *Pipeline) load(view View, g *gathering) (records []evidence.Record, gone []string, err error) {
	ids, layers, gone, err := recordIDs(view, &g.gathered)
	if err != nil {
		return nil, nil, err
	}
	g.layers = layers

	for _, id := range ids {
		r, ok, err := view.Record(id)
		if err != nil {
			return nil, nil, fmt.Errorf("reading record %s: %w", id, err)
		}

		if ok {
			records = append(records, r)
		} else {
			gone = append(gone, id)
		}
	}

	if len(gone) > 0 {
		p.Log.Warn("found records are not in the store", "topic", g.topic.ID, "count", len(gone), "first", gone[0])
	}
	return records, gone, nil
}

// checkEmpty keeps an empty answer from replacing a good one where sources failed: an empty result counts only if every
// source that was asked answered.
func checkEmpty(g gathering, records []evidence.Record) error {
	if len(records) > 0 {
		return nil
	}
	asked := false

	var failed []string
	for _, s := range g.gathered.Searches {
		notAsked := s.Error == evidence.NotAskedOffline || s.Error == evidence.NotAskedConfigured
		switch {
		case s.Error != "" && !notAsked:
			failed = append(failed, s.Source+": "+s.Error)
		case len(s.Problems) > 0:
			failed = append(failed, fmt.Sprintf("%s: %s could not be had", s.Source, plaintext.Plural(len(s.Problems), "record")))
		}
		asked = asked || !notAsked
	}

	if len(failed) > 0 {
		return fmt.Errorf("topic %s: %w", g.topic.ID, inconclusiveError(strings.Join(failed, "; ")))
	}

	if !asked {
		return fmt.Errorf("topic %s: %w", g.topic.ID, ErrNoSource)
	}
	return nil
}

// inconclusiveError states why sources did not answer where the others found nothing. It is an ErrNoSource: the result
// is unknown.
type inconclusiveError string

func (e inconclusiveError) Error() string {
	return "nothing was found, and not every source answered: " + string(e)
}

func (inconclusiveError) Is(target error) bool { return target == ErrNoSource }

func (p *Pipeline) screen(ctx context.Context, store Store, g gathering, records []evidence.Record) (Screening, error) {
	p.Progress.Topic(Event{Topic: g.topic.ID, Stage: StageScreen, Of: len(records)})
	return Screen(ctx, ScreenRequest{
		Question: g.judging, Records: records, PassScore: p.Settings.PassScore, PassAll: g.topic.SkipScreening,
		OnlyDirect: p.OnlyEntailing, Judge: p.Judge, Known: store.Judgement, Now: p.Now,
		Keep:     func(made []evidence.Judgement) error { return commit(ctx, store, evidence.Batch{Judgements: made}) },
		Progress: func(done, of int) { p.Progress.Topic(Event{Topic: g.topic.ID, Stage: StageScreen, Done: done, Of: of}) },
	})
}

// noteUnused reports records with paid model judgements that the rules score, because no model is asked and the stored
// judgements are of another model or another version of the instructions.
func (p *Pipeline) noteUnused(previous *evidence.Answer, s *Screening) {
	off, isOff := p.Judge.(Remembered)
	if !isOff {
		return
	}
	now := map[string]*evidence.Assessment{}

	screened := 0
	for i := range s.Assessments {
		a := &s.Assessments[i]
		now[a.Record] = a
		screened += boolToInt(a.Excluded == "")
	}

	unused, other := 0, ""
	for _, before := range previous.Assessments {
		a := now[before.Record]
		if before.ScoreSource != evidence.ScoreLLM || a == nil || a.Excluded != "" || a.ScoreSource != evidence.ScoreRules ||
			a.Content != before.Content {
			continue
		}
		unused++
		other = before.Model + " " + before.Prompt
	}

	if unused == 0 || other == off.Name+" "+off.Version { // what was deleted on purpose is not missing
		return
	}
	s.Trouble = fmt.Sprintf(
		"%d of %d by rules, though %s had judged them: no model is asked, and the configured one is %s %s",
		unused, screened, other, off.Name, off.Version)
	s.Errors = append(s.Errors, s.Trouble+"; set the model's key, or llm.model to the one that had judged")
}

// gathering begins a topic with a parsed question.
func (p *Pipeline) gathering(topic evidence.Topic, asked lexicon.Question, started time.Time) gathering {
	matcher := p.Lexicon.Matcher(&asked)

	judging := Question{
		Text: topic.Question, Fit: remembered(p.fit(matcher)), RestsOnWords: matcher.RestsOnWords() && !p.OnlyEntailing,
		Reports: p.Lexicon.Reports,
	}
	if p.Wording != nil {
		judging.Wording = p.Wording(&asked)
	}
	return gathering{topic: topic, asked: asked, judging: judging, started: started}
}

// fit is how a record meets a question; if only entailing records may pass, one that meets it in scattered places does
// so partly.
func (p *Pipeline) fit(m *lexicon.Matcher) func(*evidence.Record) evidence.Fit {
	if !p.OnlyEntailing {
		return m.Fit
	}
	return func(r *evidence.Record) evidence.Fit {
		fit := m.Fit(r)
		if fit.Directness == evidence.Direct && !m.Entails(r) {
			fit.Directness, fit.Scattered = evidence.Partly, true
		}
		return fit
	}
}

// remembered caches records' fit for the current topic: most screened records were counted before, while its rings were
// asked.
func remembered(fit func(*evidence.Record) evidence.Fit) func(*evidence.Record) evidence.Fit {
	known := map[[sha256.Size]byte]evidence.Fit{}
	return func(r *evidence.Record) evidence.Fit {
		key := sha256.Sum256([]byte(wholeOf(*r)))

		f, ok := known[key]
		if !ok {
			f = fit(r)
			known[key] = f
		}
		return f
	}
}

// assemble builds the Answer from the steps' results, and counts.
func (p *Pipeline) assemble(g gathering, records []evidence.Record, s Screening, run string,
	now time.Time) evidence.Answer {
	byID := map[string]evidence.Record{}
	for _, r := range records {
		byID[r.ID] = r
	}
	assessed := plaintext.Each(s.Assessments, func(a evidence.Assessment) Assessed {
		a.Layer = g.layers[a.Record]
		return Assessed{Record: byID[a.Record], Assessment: a}
	})
	p.putForward(&g.asked, g.topic.SkipScreening, assessed)
	p.enter(&g.asked, assessed)
	answer := evidence.Answer{
		Topic: g.topic, Run: run, Built: now, Query: g.plan.Accepted, Searches: g.gathered.Searches,
		Screening: s.By, ScreeningTrouble: s.Trouble, ScreeningFailed: s.Failed,
	}
	ApplyReadings(assessed, g.readings)
	setSample(&answer, assessed, p.Lexicon.DrugsIn)
	return answer
}

// setSample sets what an answer shows of its records, and counts them; how many were found, new and copies stays
// unchanged.
func setSample(a *evidence.Answer, assessed []Assessed, drugsIn func(text string) []string) {
	OneReport(assessed, drugsIn)
	selection := Sample(assessed, a.Topic.Quotas, a.Topic.MaxResults)
	trials, shutOut := Trials(assessed, a.Topic.Trials)
	a.Sample, a.Removed, a.Trials, a.Assessments = selection.Sample, selection.Removed, trials, assessmentsOf(assessed)

	a.Excluded, a.LearntFrom, a.Readings = excludedByReaders(assessed), learntFrom(assessed), nil
	for i := range assessed {
		if r := assessed[i].Assessment.Reading; r.IsExcluded() {
			if a.Readings == nil {
				a.Readings = map[string]*evidence.Reading{}
			}
			a.Readings[assessed[i].Record.ID] = r
		}
	}
	before := a.Counts
	a.Counts = count(assessed)
	a.Counts.Found, a.Counts.New, a.Counts.Merged = before.Found, min(before.New, a.Counts.Unique), before.Merged
	a.Counts.TrialsLeftOut, a.Counts.TrialsShutOut = a.Counts.Trials-len(trials), shutOut
	CountSample(&a.Counts, a.Sample, assessed)
}

// CountSample sets the counts of a sample's own records, which are among assessed: how many they are, how many have a
// place although their design is not stated, and how many share another's title.
func CountSample(c *evidence.Counts, sample []string, assessed []Assessed) {
	c.Sampled, c.NotStated = len(sample), 0

	byID := map[string]evidence.Record{}
	for _, a := range assessed {
		byID[a.Record.ID] = a.Record
		if a.Assessment.BucketSource == evidence.BucketFromFallback && slices.Contains(sample, a.Record.ID) {
			c.NotStated++
		}
	}
	c.Alike = countRepeatedTitles(sample, byID)
}

// countRepeatedTitles counts the sampled records that share their title with one before them: copies that may have been
// missed.
func countRepeatedTitles(sample []string, byID map[string]evidence.Record) int {
	n := 0
	for i, id := range sample {
		r := byID[id]
		if slices.ContainsFunc(sample[:i], func(other string) bool {
			o := byID[other]
			return identity.SameTitle(&r, &o)
		}) {
			n++
		}
	}
	return n
}

// count assigns each record to one of the categories that Counts adds up.
func count(assessed []Assessed) evidence.Counts {
	c := evidence.Counts{Unique: len(assessed)}
	for _, a := range assessed {
		switch {
		case a.Record.Trial != nil:
			c.Trials++
		case a.Record.Retracted():
			c.Retracted++
		case !a.Assessment.Design.IsEvidence():
			c.NotEvidence++
		default:
			c.Screened++
			if a.Assessment.ScoreSource == evidence.ScoreRules {
				c.ByRules++
			}

			if w := a.Assessment.ByRules; w != nil {
				c.Agreed += boolToInt(w.Passed == a.Assessment.Passed)
				c.LeftOutByModel += boolToInt(w.Passed && !a.Assessment.Passed)
			}
			c.Passed += boolToInt(a.Assessment.Passed)
			c.ExcludedByReaders += boolToInt(a.Assessment.Passed && a.Assessment.Reading.IsExcluded())

			c.Direct += boolToInt(a.Assessment.Passed && a.Assessment.Fit.Directness == evidence.Direct)
			if a.Assessment.PutForward != nil {
				c.PutForward++
			}
		}
	}
	return c
}

// searchErrors are the sources' failures for the run's table. A source that was not to be asked is no failure.
func searchErrors(searches []evidence.Search) []string {
	var out []string
	for _, s := range searches {
		if s.Error != "" && s.Error != evidence.NotAskedOffline {
			out = append(out, s.Source+": "+s.Error)
		} else if s.Status == evidence.SearchPartial {
			out = append(out, fmt.Sprintf("%s: %s could not be had", s.Source, plaintext.Plural(len(s.Problems), "record")))
		}
	}
	return out
}

// storeError is a failure of the store, after which no topic can continue.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

func commit(ctx context.Context, store Store, b evidence.Batch) error {
	if err := store.Commit(ctx, b); err != nil {
		return storeError{fmt.Errorf("writing to the store: %w", err)}
	}
	return nil
}
