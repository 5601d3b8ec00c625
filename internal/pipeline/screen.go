package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/text"
)

// ScreenRequest is the input of step 4.
type ScreenRequest struct {
	Question  Question
	Records   []evidence.Record
	PassScore float64
	PassAll   bool // skip_screening: the rules score, and everything passes
	// OnlyDirect: only direct answers pass, whatever their score, and whatever a model returns.
	OnlyDirect bool
	Judge      Judge // nil: the rules decide; Remembered: only stored judgements count
	// Known looks up an earlier judgement; it is only called where there is a Judge.
	Known func(key string) (evidence.Judgement, bool, error)
	// Keep stores the model's judgements permanently, batch by batch as they come.
	Keep     func([]evidence.Judgement) error
	Progress func(done, of int) // may be nil
	Now      func() time.Time
}

// Screening is the result of step 4: one Assessment per record, in order of record id, with the final bucket of step 5.
type Screening struct {
	Assessments []evidence.Assessment
	By          string // for Answer.Screening
	Trouble     string // for Answer.ScreeningTrouble
	Failed      string // for Answer.ScreeningFailed
	Errors      []string
}

// Screen is steps 4 and 5 for a topic's records. Every record gets an assessment: a model's, if one judges and
// answered, else the rules'. What can't be evidence (retracted, a registered trial, a letter) is never shown to a
// model; a record that addresses one, or may, is shown apart from the others, and gets at most the rules' score, or the
// model's score without such words. An error is ctx's, or that of storing judgements; the model's own failure is in
// Errors.
func Screen(ctx context.Context, req ScreenRequest) (Screening, error) {
	s := screening{
		ScreenRequest: req, rules: map[string]evidence.Assessment{}, out: map[string]evidence.Assessment{},
		records: map[string]*evidence.Record{}, refused: map[string]int{},
	}
	s.Records = slices.Clone(req.Records)

	ranks := collectionOf(s.Records).textRanks(req.Question.Text)
	for i := range s.Records {
		r := &s.Records[i]
		r.AddressesModel = addressesModel(r) // older versions did not set it
		s.records[r.ID] = r
		s.rules[r.ID] = assessByRules(req.Question, r, ranks[i])
		s.out[r.ID] = s.rules[r.ID]
	}

	var modelErr error
	if req.Judge != nil && !req.PassAll {
		var err error
		if modelErr, err = s.judge(ctx); err != nil {
			return Screening{}, err
		}
	}
	result := Screening{By: ScreeningByRules}

	screened, byRules := 0, 0
	for id, a := range s.out {
		a = s.finish(s.records[id], a)

		result.Assessments = append(result.Assessments, a)
		if a.Model != "" {
			result.By = req.Judge.Model() + " " + req.Judge.Prompt()
		}
		screened += boolToInt(a.Excluded == "")
		byRules += boolToInt(a.Excluded == "" && a.ScoreSource == evidence.ScoreRules)
	}

	wording := fmt.Sprintf("%d of %d by rules: ", byRules, screened)
	switch {
	case modelErr != nil:
		result.Trouble, result.Failed = wording+shortReason(modelErr), req.Judge.Model()+" "+req.Judge.Prompt()
		result.Errors = append(result.Errors, wording+modelErr.Error())
	case len(s.refused) > 0:
		result.Trouble = wording + strings.Join(slices.Sorted(maps.Keys(s.refused)), "; ")
	}

	if s.filtered > 0 {
		result.Errors = append(result.Errors, fmt.Sprintf(
			"%s by rules: the model or its filter gives no judgement, which is remembered; `indexer rejudge` asks again",
			text.Plural(s.filtered, "record")))
	}
	slices.SortFunc(result.Assessments, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	return result, nil
}

// shortReason is why a model did not judge, for readers of an answer.
func shortReason(err error) string {
	if short, ok := errors.AsType[interface {
		error
		Short() string
	}](err); ok {
		return short.Short()
	}
	return err.Error()
}

type screening struct {
	ScreenRequest
	rules   map[string]evidence.Assessment // the rules' assessment of every record
	out     map[string]evidence.Assessment
	records map[string]*evidence.Record
	raised  []evidence.Assessment // held back until askBare
	fallen  []evidence.Assessment // held back until askFallen
	open    int                   // records to be judged by the model
	done    int                   // of these, already judged

	refused  map[string]int // records that no model judges, now or later, by reason
	filtered int            // of these, refused by its filter now
}

// ErrNoModel is returned where the model could not screen and Settings.ModelRequired is set.
var ErrNoModel = errors.New("llm.required is true")

// Remembered is a Judge that calls no model: only its model's stored judgements count.
type Remembered struct{ Name, Version string }

// Model is the model's name.
func (r Remembered) Model() string { return r.Name }

// Prompt is the version of the prompt.
func (r Remembered) Prompt() string { return r.Version }

// Judge judges nothing.
func (Remembered) Judge(context.Context, string, []evidence.Record, func([]evidence.Assessment) error) error {
	return nil
}

// judge replaces the rules' assessments by the model's: first the stored ones, then new ones.
func (s *screening) judge(ctx context.Context) (modelErr, err error) {
	var honest, doubtful, addressing []evidence.Record
	for i := range s.Records {
		r := &s.Records[i]
		if exclusionReason(r, KindOf(r)) != "" {
			continue
		}

		kept, ok, err := s.Known(s.key(r))
		switch {
		case err != nil:
			return nil, fmt.Errorf("looking up the judgement of %s: %w", r.ID, err)
		case ok:
			s.take(r, kept.Assessment)
		case r.AddressesModel != "":
			addressing = append(addressing, *r)
		case isDoubtful(r):
			doubtful = append(doubtful, *r)
		default:
			honest = append(honest, *r)
		}
	}

	s.open = len(honest) + len(doubtful) + len(addressing)
	for _, records := range [][]evidence.Record{honest, addressing} {
		failed, err := s.ask(ctx, records, maxApartRounds)
		if err != nil {
			return nil, err
		}
		modelErr = cmp.Or(modelErr, failed)
	}

	for _, ask := range []func() (modelErr, err error){
		func() (error, error) { return s.askWithoutDoubtful(ctx, doubtful) },
		func() (error, error) { return s.askFallen(ctx) },
		func() (error, error) { return s.askBare(ctx) },
	} {
		failed, err := ask()
		if err != nil {
			return nil, err
		}
		modelErr = cmp.Or(modelErr, failed)
	}
	return modelErr, nil
}

// ask has the model judge records, and stores the results. A reply that a record may have steered is held back, and
// compared with the model's judgement of the same records in other batches; the rest of a steered reply is asked about
// again, at most so many rounds.
func (s *screening) ask(ctx context.Context, records []evidence.Record, rounds int) (modelErr, err error) {
	var held []suspectReply

	modelErr, err = s.collect(ctx, records, func(reply []evidence.Assessment) error {
		if suspect, ok := s.suspect(reply); ok {
			held = append(held, suspect)
			return nil
		}
		return s.settle(s.holdFallen(reply))
	})
	if err != nil || modelErr != nil && len(held) == 0 {
		return modelErr, err
	}
	// Replies come in no order.
	slices.SortFunc(held, func(a, b suspectReply) int { return cmp.Compare(a.first(), b.first()) })

	var again []evidence.Record
	for _, reply := range held {
		rest, failed, err := s.recheck(ctx, reply)
		if err != nil {
			return nil, err
		}
		modelErr = cmp.Or(modelErr, failed)

		for _, a := range rest {
			again = append(again, *s.records[a.Record])
		}
	}

	if len(again) == 0 || rounds == 0 {
		return modelErr, nil
	}
	failed, err := s.ask(ctx, again, rounds-1)
	return cmp.Or(modelErr, failed), err
}

// collect has the model judge records, and passes on the acceptable part of each reply. err is ctx's or that of each.
func (s *screening) collect(
	ctx context.Context, records []evidence.Record, each func([]evidence.Assessment) error,
) (modelErr, err error) {
	if len(records) == 0 {
		return nil, nil
	}
	modelErr = s.Judge.Judge(ctx, cmp.Or(s.Question.Wording, s.Question.Text), records,
		func(reply []evidence.Assessment) error {
			err = each(s.acceptable(reply))
			return err
		})

	if err != nil {
		return nil, fmt.Errorf("keeping judgements: %w", err)
	}

	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("screening %d records: %w", len(records), err)
	}
	return modelErr, nil
}

func (s *screening) key(r *evidence.Record) string {
	return evidence.JudgementKey(s.Question.Text, r.ContentHash(), s.Judge.Model(), s.Judge.Prompt())
}

// acceptable is the part of a reply that a model may decide: a known record, a score from 0 to 10, a known study type
// or none. The rest is rejected, not guessed, and stays with the rules.
func (s *screening) acceptable(reply []evidence.Assessment) []evidence.Assessment {
	var out []evidence.Assessment
	for _, a := range reply {
		_, known := s.records[a.Record]

		scored := a.Score >= 0 && a.Score <= 10 // false for NaN
		if known && scored && (a.StudyType == "" || slices.Contains(evidence.Buckets, a.StudyType)) {
			out = append(out, a)
		}
	}
	return out
}

// keep adopts acceptable judgements, and stores them permanently.
func (s *screening) keep(reply []evidence.Assessment) error {
	var kept []evidence.Judgement
	for _, a := range reply {
		r := s.records[a.Record]
		s.filtered += boolToInt(a.Refused != "" && a.Refused != refusedByContext && a.Refused != refusedBare)
		a.Content, a.ScoreSource = r.ContentHash(), evidence.ScoreLLM
		a.Model, a.Prompt = s.Judge.Model(), s.Judge.Prompt()
		kept = append(kept, evidence.Judgement{Key: s.key(r), Assessment: a, Made: s.Now().UTC()})
		s.take(r, a)
	}
	err := s.Keep(kept)

	s.done += len(reply)
	if s.Progress != nil {
		s.Progress(s.done, s.open)
	}
	return err
}

// How far a model's score may be below or above the rules' before a human should look. The limit above is closer, since
// a text that addresses the model aims there.
const (
	farBelow = 5
	farAbove = 3
)

func (s *screening) take(r *evidence.Record, a evidence.Assessment) {
	byRules := s.rules[r.ID]
	if a.Refused != "" {
		s.refused[a.Refused]++
		if a.Refused == refusedBare {
			byRules.Review = a.Refused
			s.out[r.ID] = byRules
		}
		return
	}
	a.KeyFindings = guard.WithoutOthers(a.KeyFindings)
	a.Record = r.ID // a stored judgement may have been made under another record id
	a.Fit, a.Contradiction = byRules.Fit, byRules.Contradiction

	contradiction := ""
	if a.Relevant && a.Score >= s.PassScore {
		contradiction = a.Contradiction
	}

	a.Review = reviewReason(a.Score, byRules.Score, contradiction)
	switch {
	case a.Flagged != "": // by its effect on a reply
		byRules.Flagged, byRules.Review = cmp.Or(byRules.Flagged, a.Flagged), a.Review
		a = byRules
	case r.AddressesModel != "":
		review := a.Review
		a = capAtRules(byRules, a)
		a.Review = review
	}
	s.out[r.ID] = a
}

// reviewReason is why a human should look at a model's judgement; empty where there is no reason. contradiction is why
// the rules would not let a record pass that the model does.
func reviewReason(byModel, byRules float64, contradiction string) string {
	var why []string
	if contradiction != "" {
		why = append(why, "the model lets it pass, and "+contradiction)
	}

	if byModel-byRules >= farAbove || byRules-byModel >= farBelow {
		why = append(why, fmt.Sprintf("the model gives %g, the rules %g", byModel, byRules))
	}
	return strings.Join(why, "; ")
}

func (s *screening) passes(a evidence.Assessment) bool { return a.Relevant && a.Score >= s.PassScore }

// finish is step 5, with what follows from record and score together. Passed depends on the score alone; an Excluded
// record is never sampled, even if it passed.
func (s *screening) finish(r *evidence.Record, a evidence.Assessment) evidence.Assessment {
	k := KindInTopic(r, a.StudyType)
	a.Content = r.ContentHash()
	a.TitleOnly = len(r.Abstract) == 0
	a.Bucket, a.BucketSource, a.Design = k.Bucket, k.Source, k.Design
	a.Excluded = exclusionReason(r, k)
	mayPass := !s.OnlyDirect || a.Fit.Directness == evidence.Direct

	a.Passed = (s.PassAll || s.passes(a)) && mayPass
	if a.ScoreSource == evidence.ScoreLLM {
		byRules := s.rules[r.ID]
		a.ByRules = &evidence.RulesWord{Score: byRules.Score, Passed: s.passes(byRules) && mayPass}
	}

	if a.Flagged != "" {
		a.Review = strings.TrimSuffix(a.Flagged+"; "+a.Review, "; ")
	}
	return a
}
