package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// ScreenRequest is what step 4 starts from.
type ScreenRequest struct {
	Question  Question
	Records   []evidence.Record
	PassScore float64
	PassAll   bool // skip_screening: the rules score, and everything passes
	// OnlyDirect: nothing else passes, whatever its score, and whatever a model says of it.
	OnlyDirect bool
	Judge      Judge // nil: the rules decide; Remembered: what was judged before counts, and nobody is asked
	// Known looks up what was judged before; it is only asked where there is a Judge.
	Known func(key string) (evidence.Judgement, bool, error)
	// Keep puts the model's judgements where they last, batch by batch as they come.
	Keep     func([]evidence.Judgement) error
	Progress func(done, of int) // may be nil
	Now      func() time.Time
}

// Screening is what step 4 made: one Assessment a record, in order of record id, with the final bucket of step 5.
type Screening struct {
	Assessments []evidence.Assessment
	By          string // for Answer.Screening
	Trouble     string // for Answer.ScreeningTrouble
	Failed      string // for Answer.ScreeningFailed
	Errors      []string
}

// Screen is steps 4 and 5 for a topic's records. Every record gets an assessment: a model's, where one judges and
// answered, else the rules'. What can't be evidence (retracted, a registered trial, a letter) is never shown to a
// model; what addresses one is shown to it apart from the others, and gets at most the rules' score. An error is ctx's,
// or that of the place where judgements are kept; the model's own failure is in Errors.
func Screen(ctx context.Context, req ScreenRequest) (Screening, error) {
	s := screening{
		ScreenRequest: req, rules: map[string]evidence.Assessment{}, out: map[string]evidence.Assessment{},
		records: map[string]*evidence.Record{},
	}
	s.Records = slices.Clone(req.Records)
	ranks := collectionOf(s.Records).textRanks(req.Question.Text)
	for i := range s.Records {
		r := &s.Records[i]
		r.AddressesModel = addressesModel(r) // a store that an older version wrote has not said so
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
		screened += one(a.Excluded == "")
		byRules += one(a.Excluded == "" && a.ScoreSource == evidence.ScoreRules)
	}
	said := fmt.Sprintf("%d of %d by rules: ", byRules, screened)
	switch {
	case modelErr != nil:
		result.Trouble, result.Failed = said+inShort(modelErr), req.Judge.Model()+" "+req.Judge.Prompt()
		result.Errors = append(result.Errors, said+modelErr.Error())
	case s.refused != "":
		result.Trouble = said + s.refused
	}
	if s.refusedNow > 0 {
		result.Errors = append(result.Errors, fmt.Sprintf("%s by rules: %s, which is remembered; `indexer rejudge` asks again",
			text.Plural(s.refusedNow, "record"), s.refused))
	}
	slices.SortFunc(result.Assessments, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	return result, nil
}

// inShort is why a model did not judge, in words for readers of an answer.
func inShort(err error) string {
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
	rules   map[string]evidence.Assessment // the rules' word on every record
	out     map[string]evidence.Assessment
	records map[string]*evidence.Record
	open    int // records that the model is asked about
	done    int // of these, how many it has judged

	refused    string // why the model judges some records neither now nor later
	refusedNow int    // of these, those that it was asked about now
}

// ErrNoModel is given where the model could not screen and Settings.ModelRequired is set.
var ErrNoModel = errors.New("llm.required is true")

// Remembered is a Judge that asks nobody: what its model has judged before, and was paid for, counts all the same.
type Remembered struct{ Name, Version string }

// Model is the model's name.
func (r Remembered) Model() string { return r.Name }

// Prompt is the version of the prompt.
func (r Remembered) Prompt() string { return r.Version }

// Judge judges nothing.
func (Remembered) Judge(context.Context, string, []evidence.Record, func([]evidence.Assessment) error) error {
	return nil
}

// judge replaces the rules' assessments by the model's: first the kept ones, then new ones.
func (s *screening) judge(ctx context.Context) (modelErr, err error) {
	var honest, addressing []evidence.Record
	for i := range s.Records {
		r := &s.Records[i]
		if whyExcluded(r, KindOf(r)) != "" {
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
		default:
			honest = append(honest, *r)
		}
	}
	s.open = len(honest) + len(addressing)
	for _, records := range [][]evidence.Record{honest, addressing} {
		if modelErr, err = s.ask(ctx, records, apartRounds); modelErr != nil || err != nil {
			break
		}
	}
	return modelErr, err
}

// ask has the model judge records, and keeps what it says. Replies that look as if one record had told the model how to
// judge the others are held back, and the others are asked about again without it, at most so many rounds.
func (s *screening) ask(ctx context.Context, records []evidence.Record, rounds int) (modelErr, err error) {
	if len(records) == 0 {
		return nil, nil
	}
	var held []suspectReply
	var again []evidence.Record
	var keepErr error
	modelErr = s.Judge.Judge(ctx, cmp.Or(s.Question.Wording, s.Question.Text), records,
		func(reply []evidence.Assessment) error {
			reply = s.acceptable(reply)
			if suspect, is := s.suspect(reply); is && rounds > 0 {
				held = append(held, suspect)
				for _, a := range suspect.fallen {
					again = append(again, *s.records[a.Record])
				}
				return nil
			}
			keepErr = s.keep(reply)
			return keepErr
		})
	if keepErr != nil {
		return nil, fmt.Errorf("keeping judgements: %w", keepErr)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("screening %d records: %w", len(records), err)
	}
	if modelErr != nil || len(held) == 0 {
		return modelErr, nil
	}
	// Replies come in no order.
	slices.SortFunc(again, func(a, b evidence.Record) int { return cmp.Compare(a.ID, b.ID) })
	if modelErr, err = s.ask(ctx, again, rounds-1); err != nil {
		return nil, err
	}
	for _, reply := range held {
		guilty, known := s.confirmed(reply)
		if !known {
			continue // the rules stand for this night
		}
		if guilty {
			for i := range reply.risen {
				reply.risen[i].Flagged = evidence.FlaggedByReply
			}
		}
		if err := s.keep(reply.risen); err != nil {
			return nil, fmt.Errorf("keeping judgements: %w", err)
		}
	}
	return modelErr, nil
}

func (s *screening) key(r *evidence.Record) string {
	return evidence.JudgementKey(s.Question.Text, r.ContentHash(), s.Judge.Model(), s.Judge.Prompt())
}

// acceptable is what of a reply a model may say: a known record, a score from 0 to 10, a known study type or none. The
// rest is rejected, not guessed, and stays with the rules.
func (s *screening) acceptable(reply []evidence.Assessment) []evidence.Assessment {
	var out []evidence.Assessment
	for _, a := range reply {
		_, known := s.records[a.Record]
		scored := a.Score >= 0 && a.Score <= 10 // no number is neither
		if known && scored && (a.StudyType == "" || slices.Contains(evidence.Buckets, a.StudyType)) {
			out = append(out, a)
		}
	}
	return out
}

// keep takes acceptable judgements over, and puts them where they last.
func (s *screening) keep(reply []evidence.Assessment) error {
	var kept []evidence.Judgement
	for _, a := range reply {
		r := s.records[a.Record]
		s.refusedNow += one(a.Refused != "")
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

// farApart is how far a model's score may be from the rules' before a human should look.
const farApart = 5

func (s *screening) take(r *evidence.Record, a evidence.Assessment) {
	byRules := s.rules[r.ID]
	if a.Refused != "" {
		s.refused = a.Refused
		return
	}
	a.Record = r.ID // a kept judgement may have been made when the record had another id
	a.Fit, a.Contradiction = byRules.Fit, byRules.Contradiction
	contradiction := ""
	if a.Relevant && a.Score >= s.PassScore {
		contradiction = a.Contradiction
	}
	a.Review = whyReview(a.Score, byRules.Score, contradiction)
	switch {
	case a.Flagged != "": // by what it did to a reply
		byRules.Flagged, byRules.Review = cmp.Or(byRules.Flagged, a.Flagged), a.Review
		a = byRules
	case r.AddressesModel != "":
		review := a.Review
		a = atMost(byRules, a)
		a.Review = review
	}
	s.out[r.ID] = a
}

// whyReview says why a human should look at a model's judgement; empty where nothing asks for that. contradiction is
// why the rules would not let a record pass that the model does.
func whyReview(byModel, byRules float64, contradiction string) string {
	var why []string
	if contradiction != "" {
		why = append(why, "the model lets it pass, and "+contradiction)
	}
	if math.Abs(byModel-byRules) >= farApart {
		why = append(why, fmt.Sprintf("the model gives %g, the rules %g", byModel, byRules))
	}
	return strings.Join(why, "; ")
}

func (s *screening) passes(a evidence.Assessment) bool { return a.Relevant && a.Score >= s.PassScore }

// finish is step 5, with what follows from record and score together. Passed says what the score says; a record
// that is Excluded is never sampled, however it passed.
func (s *screening) finish(r *evidence.Record, a evidence.Assessment) evidence.Assessment {
	k := KindInTopic(r, a.StudyType)
	a.Content = r.ContentHash()
	a.TitleOnly = len(r.Abstract) == 0
	a.Bucket, a.BucketSource, a.Design = k.Bucket, k.Source, k.Design
	a.Excluded = whyExcluded(r, k)
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
