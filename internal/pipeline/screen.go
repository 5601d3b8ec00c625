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
	"dossier/internal/lazy"
)

// ScreenRequest is what step 4 starts from.
type ScreenRequest struct {
	Question  Question
	Records   []evidence.Record
	PassScore float64
	PassAll   bool  // skip_screening: the rules score, and everything passes
	Judge     Judge // nil: the rules decide; Remembered: what was judged before counts, and nobody is asked
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
	Errors      []string
}

// Screen is steps 4 and 5 for a topic's records. Every record gets an assessment: a model's, where one judges and
// answered, else the rules'. What can't be evidence (retracted, a registered trial, a letter) is never shown to a
// model. An error is ctx's, or that of the place where judgements are kept; the model's own failure is in Errors.
func Screen(ctx context.Context, req ScreenRequest) (Screening, error) {
	s := screening{ScreenRequest: req, out: map[string]evidence.Assessment{}, records: map[string]*evidence.Record{}}
	rules := newRules(req.Question)
	for i := range req.Records {
		r := &req.Records[i]
		s.records[r.ID] = r
		s.out[r.ID] = rules.assess(r)
	}
	result := Screening{By: ScreeningByRules}
	if req.Judge != nil && !req.PassAll {
		used, modelErr, err := s.judge(ctx)
		if err != nil {
			return Screening{}, err
		}
		if _, asksNobody := req.Judge.(Remembered); !asksNobody || used > 0 {
			result.By = req.Judge.Model() + " " + req.Judge.Prompt()
		}
		if modelErr != nil {
			result.Errors = append(result.Errors, "screening by the model stopped, the rest was scored by rules: "+modelErr.Error())
		}
	}
	for id, a := range s.out {
		result.Assessments = append(result.Assessments, s.finish(s.records[id], a))
	}
	slices.SortFunc(result.Assessments, func(a, b evidence.Assessment) int { return cmp.Compare(a.Record, b.Record) })
	return result, nil
}

type screening struct {
	ScreenRequest
	out     map[string]evidence.Assessment
	records map[string]*evidence.Record
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

// judge replaces the rules' assessments by the model's: first the kept ones, which it counts, then new ones.
func (s *screening) judge(ctx context.Context) (used int, modelErr, err error) {
	var open []evidence.Record
	for i := range s.Records {
		r := &s.Records[i]
		if whyExcluded(r, KindOf(r)) != "" {
			continue
		}
		kept, ok, err := s.Known(s.key(r))
		switch {
		case err != nil:
			return used, nil, fmt.Errorf("looking up the judgement of %s: %w", r.ID, err)
		case ok:
			s.take(r, kept.Assessment)
			used++
		default:
			open = append(open, *r)
		}
	}
	if len(open) == 0 {
		return used, nil, nil
	}
	var keepErr error
	done := 0
	modelErr = s.Judge.Judge(ctx, s.Question.Text, open, func(batch []evidence.Assessment) error {
		done += len(batch)
		keepErr = s.Keep(s.accept(batch))
		if s.Progress != nil {
			s.Progress(done, len(open))
		}
		return keepErr
	})
	if keepErr != nil {
		return used, nil, fmt.Errorf("keeping judgements: %w", keepErr)
	}
	if err := ctx.Err(); err != nil {
		return used, nil, fmt.Errorf("screening %d records: %w", len(open), err)
	}
	return used, modelErr, nil
}

func (s *screening) key(r *evidence.Record) string {
	return evidence.JudgementKey(s.Question.Text, r.ContentHash(), s.Judge.Model(), s.Judge.Prompt())
}

// accept takes what a model may say: a known record, a score from 0 to 10, a known study type or none. The rest is
// rejected, not guessed, and stays with the rules.
func (s *screening) accept(batch []evidence.Assessment) []evidence.Judgement {
	var kept []evidence.Judgement
	for _, a := range batch {
		r, known := s.records[a.Record]
		if !known || math.IsNaN(a.Score) || a.Score < 0 || a.Score > 10 || a.StudyType != "" && !slices.Contains(evidence.Buckets, a.StudyType) {
			continue
		}
		a.Content, a.ScoreSource, a.Model, a.Prompt = r.ContentHash(), evidence.ScoreLLM, s.Judge.Model(), s.Judge.Prompt()
		kept = append(kept, evidence.Judgement{Key: s.key(r), Assessment: a, Made: s.Now().UTC()})
		s.take(r, a)
	}
	return kept
}

// farApart is how far a model's score may be from the rules' before a human should look.
const farApart = 5

func (s *screening) take(r *evidence.Record, a evidence.Assessment) {
	byRules := s.out[r.ID]
	a.Record = r.ID // a kept judgement may have been made when the record had another id
	a.Contradiction = byRules.Contradiction
	contradiction := ""
	if a.Relevant && a.Score >= s.PassScore {
		contradiction = a.Contradiction
	}
	a.Review = whyReview(r, a.Score, byRules.Score, contradiction)
	s.out[r.ID] = a
}

// whyReview says why a human should look at a model's judgement; empty where nothing asks for that. contradiction is
// why the rules would not let a record pass that the model does.
func whyReview(r *evidence.Record, byModel, byRules float64, contradiction string) string {
	var why []string
	if contradiction != "" {
		why = append(why, "the model lets it pass, and "+contradiction)
	}
	if math.Abs(byModel-byRules) >= farApart {
		why = append(why, fmt.Sprintf("the model gives %g, the rules %g", byModel, byRules))
	}
	if addressesModel(r) {
		why = append(why, addressedToModel)
	}
	return strings.Join(why, "; ")
}

const addressedToModel = "the text reads as if it were addressed to a model"

// modelAddresses are ways to talk to a model that no paper has a reason for. They are wide enough to be found in
// other words, and a false alarm costs a look.
var modelAddresses = lazy.Regexp(`(?i)` +
	`\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|prompts?|rules above|guidelines above)\b` +
	`|\b(?:system|developer) (?:prompt|message)\b` +
	`|\brelevance_score\b|\bis_relevant\b` +
	`|\b(?:give|assign|return|output|answer|respond)\b.{0,40}\b(?:relevan(?:t|ce)|score|rating)\b.{0,30}\b(?:10|ten|highest|maximum)\b` +
	`|\b(?:give|assign|rate|score|return|output|respond with)\b.{0,20}\b(?:this|the) (?:paper|article|record|abstract)\b.{0,20}\b(?:10|ten)\b` +
	`|\b(?:score|rate) (?:this |it )?(?:a |as )?10(?:/10)?\b`)

// addressesModel says whether title or abstract hold what looks like an instruction to a model (a prompt injection).
// Such a text can change nothing but its own record's score; that is what the look is for.
func addressesModel(r *evidence.Record) bool {
	return modelAddresses().MatchString(r.Title + "\n" + strings.ReplaceAll(r.AbstractText(), "\n", " "))
}

// finish is step 5, with what follows from record and score together. Passed says what the score says; a record
// that is Excluded is never sampled, however it passed.
func (s *screening) finish(r *evidence.Record, a evidence.Assessment) evidence.Assessment {
	k := KindInTopic(r, a.StudyType)
	a.Content = r.ContentHash()
	a.TitleOnly = len(r.Abstract) == 0
	a.Bucket, a.BucketSource, a.Design = k.Bucket, k.Source, k.Design
	a.Excluded = whyExcluded(r, k)
	a.Passed = s.PassAll || a.Relevant && a.Score >= s.PassScore
	if a.Passed && a.ScoreSource == evidence.ScoreRules && addressesModel(r) {
		a.Review = addressedToModel // a model may read it yet, when the report is written
	}
	return a
}
