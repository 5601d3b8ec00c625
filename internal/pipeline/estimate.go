package pipeline

import (
	"fmt"
	"math"
	"strings"
	"time"

	"dossier/internal/evidence"
)

// Estimator is a Judge that estimates the cost of judging records if every reply were good at once: given records, or a
// number of records not yet known.
type Estimator interface {
	Judge
	Estimate(question string, records []evidence.Record) evidence.Usage
	EstimateCount(records int) evidence.Usage
}

// PlanEstimator estimates the cost of planning so many layers of a question.
type PlanEstimator interface {
	Estimate(question string, layers int) evidence.Usage
}

// Forecast estimates the next run over some topics.
type Forecast struct {
	View     View
	Judge    Estimator
	Planner  PlanEstimator // nil: the rules plan
	Settings Settings
	Held     int            // records in the store, the most that it may give to a topic
	Past     []evidence.Run // newest first
	Now      time.Time

	habits habits // over all topics
}

// Estimate is a topic's expected use of its model.
type Estimate struct {
	Records int  // left to judge
	AtMost  bool // Records is an upper bound: the topic is new, and its sources may give as many
	InVain  bool // the last run asked this model about all of them without a usable reply: the next will cost as much
	Used    evidence.Usage
	Last    evidence.Usage // usage of the last past run with the topic
}

// habits are how a judge's scores compare with the rules': they determine how many records are asked about again.
type habits struct{ judged, raised, risen, owed, fallen int }

// defaultHabits are the habits of a judge without judgements: those of the stand-in over 374 recorded papers.
var defaultHabits = habits{judged: 374, raised: 37, risen: 22, owed: 330, fallen: 8}

// minJudged is the number of judgements from which a judge's habits are known.
const minJudged = 20

// Learn derives the judge's habits from the topics' last answers.
func (f *Forecast) Learn(topics []evidence.Topic) error {
	for _, topic := range topics {
		answer, _, err := f.View.Answer(topic.ID)
		if err != nil {
			return fmt.Errorf("reading the last answer on topic %s: %w", topic.ID, err)
		}
		f.habits.learn(&answer, f.Judge.Model())
	}
	return nil
}

func (h *habits) learn(answer *evidence.Answer, model string) {
	for i := range answer.Assessments {
		h.add(&answer.Assessments[i], model)
	}
}

func (h *habits) add(a *evidence.Assessment, model string) {
	switch {
	case a.Flagged == evidence.FlaggedByReply:
		h.judged, h.raised, h.risen = h.judged+1, h.raised+1, h.risen+1
	case strings.Contains(a.Review, refusedBare):
		h.judged, h.raised = h.judged+1, h.raised+1
	case a.ByRules != nil && a.Model == model:
		above := a.Score - a.ByRules.Score
		h.judged++
		h.raised += boolToInt(above >= scoreTolerance || a.Passed && !a.ByRules.Passed)
		h.risen += boolToInt(a.Passed && above >= farAbove)
		h.owed += boolToInt(a.ByRules.Passed)
		h.fallen += boolToInt(a.ByRules.Passed && !a.Passed)
	}
}

// expectedOf is how many of so many records a share of the judged ones represents.
func (h *habits) expectedOf(share, records int) int {
	return int(math.Round(float64(share*records) / float64(h.judged)))
}

// repeatUsage is the expected cost of asking about some of so many records again: the few far above the rules, each
// alone; those that fell, in two halves of a reply if they are many; and the raised ones, bare. It uses the judge's
// habits on the topic, else on all, else the defaults.
func (f *Forecast) repeatUsage(answer *evidence.Answer, records int) evidence.Usage {
	h := &habits{}
	h.learn(answer, f.Judge.Model())

	for _, wider := range []*habits{&f.habits, &defaultHabits} {
		if h.judged < minJudged {
			h = wider
		}
	}

	used := f.Judge.EstimateCount(h.expectedOf(h.raised, records))
	if maxRisenShare*h.risen <= h.judged {
		for range h.expectedOf(h.risen, records) {
			used = used.Plus(f.Judge.EstimateCount(1))
		}
	}

	replies, fallen := f.Judge.EstimateCount(records).Calls, h.expectedOf(h.fallen, records)
	if fallen <= replies || minFallenShare*h.fallen < h.owed {
		return used.Plus(f.Judge.EstimateCount(fallen))
	}

	for range 2 * replies {
		used = used.Plus(f.Judge.EstimateCount(fallen / (2 * replies)))
	}
	return used
}

// doubtfulShare is how many of 1,000 records have a sentence that may address a model (docs/METHOD.md, "Texts that
// speak to a model"): they are judged separately.
const doubtfulShare = 44

// Topic counts a topic's records left to judge, and the cost of planning and judging. The error is the view's.
func (f *Forecast) Topic(topic evidence.Topic) (e Estimate, err error) {
	e.Last = lastUsage(f.Past, topic.ID)

	answer, ok, err := f.View.Answer(topic.ID)
	if err != nil {
		return e, fmt.Errorf("reading the last answer on topic %s: %w", topic.ID, err)
	}

	if f.Planner != nil && topic.Query == "" {
		e.Used = f.Planner.Estimate(topic.Question, f.layersOf(topic, &answer))
	}

	switch {
	case topic.SkipScreening:
		return e, nil
	case !ok:
		e.Records, e.AtMost = f.maxRecords(topic), true
		apart := e.Records * doubtfulShare / 1000
		e.Used = e.Used.Plus(f.Judge.EstimateCount(e.Records - apart)).Plus(f.Judge.EstimateCount(apart)).
			Plus(f.repeatUsage(&answer, e.Records))
		return e, nil
	}

	open, err := f.unjudged(topic, &answer)
	if err != nil {
		return e, err
	}

	for _, records := range open {
		e.Records += len(records)
		e.Used = e.Used.Plus(f.Judge.Estimate(topic.Question, records))
	}
	e.Used = e.Used.Plus(f.repeatUsage(&answer, e.Records))

	e.InVain = e.Records > 0 && e.Records == answer.Counts.ByRules && answer.ScreeningFailed == f.Judge.Model()+" "+
		f.Judge.Prompt()
	if e.InVain && e.Last.Tokens() > e.Used.Tokens() {
		e.Used = futileUsage(e.Used, e.Last)
	}
	return e, nil
}

// layersOf is how many layers are planned: as many as last time where the query is too old; for a new question as many
// as it has sources, since each source that finds nothing goes on to the next layer.
func (f *Forecast) layersOf(topic evidence.Topic, answer *evidence.Answer) int {
	switch {
	case answer.Topic.Question != topic.Question:
		return len(topic.Sources)
	case f.Settings.needsReplan(&answer.Query, f.Now):
		return len(answer.Query.Other) + 1
	}
	return 0
}

// unjudged are an answer's unjudged records, in the groups that are asked about separately.
func (f *Forecast) unjudged(topic evidence.Topic, answer *evidence.Answer) (parts [3][]evidence.Record, err error) {
	for _, a := range answer.Assessments {
		if a.Excluded != "" {
			continue
		}

		_, known, err := f.View.Judgement(evidence.JudgementKey(topic.Question, a.Content, f.Judge.Model(), f.Judge.Prompt()))
		if err != nil {
			return parts, err
		}

		if known {
			continue
		}

		r, ok, err := f.View.Record(a.Record)
		if err != nil {
			return parts, fmt.Errorf("reading the record %s: %w", a.Record, err)
		}

		if !ok {
			continue
		}

		part := boolToInt(isDoubtful(&r))
		if addressesModel(&r) != "" {
			part = 2
		}
		parts[part] = append(parts[part], r)
	}
	return parts, nil
}

// maxFutileCalls is how often a record is asked about that a judge does not judge.
const maxFutileCalls = 4

// futileUsage is the cost of asking once in vain again: no more than last time.
func futileUsage(once, last evidence.Usage) evidence.Usage {
	used := once
	for range maxFutileCalls - 1 {
		used = used.Plus(once)
	}

	if used.Tokens() > last.Tokens() {
		return last
	}
	return used
}

func lastUsage(past []evidence.Run, topic string) evidence.Usage {
	for _, run := range past {
		for _, t := range run.Topics {
			if t.Topic == topic {
				return t.Usage
			}
		}
	}
	return evidence.Usage{}
}

// maxRecords is the most that the topic's literature sources may give. Trials are not screened, and the store's own
// records are among the others', unless only the store is asked.
func (f *Forecast) maxRecords(topic evidence.Topic) int {
	sources := 0
	for _, name := range topic.Sources {
		if !evidence.IsRegistry(name) && name != evidence.SourceLocal {
			sources++
		}
	}

	if sources == 0 {
		return min(topic.BroadSearchCount, f.Held)
	}
	return sources * topic.BroadSearchCount
}
