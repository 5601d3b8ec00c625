package pipeline

import (
	"fmt"

	"dossier/internal/evidence"
)

// Estimator is a Judge that knows what judging records would cost if every reply were good at once: these, or so many
// that nobody knows yet.
type Estimator interface {
	Judge
	Estimate(question string, records []evidence.Record) evidence.Usage
	EstimateCount(records int) evidence.Usage
}

// Estimate is what a topic's run is expected to ask of its model.
type Estimate struct {
	Records int  // left to judge
	AtMost  bool // that is the most that there may be: the topic is new, and its sources may give as many
	InVain  bool // the last run asked this model about all of them, and nothing of use came: the next will cost as much
	Used    evidence.Usage
	Last    evidence.Usage // what the last of the past runs with the topic took
}

// EstimateScreening counts the records of a topic that are left to judge, and what judging them once would take. Past
// are the runs, newest first. The error is view's.
func EstimateScreening(view View, judge Estimator, topic evidence.Topic, past []evidence.Run) (e Estimate, err error) {
	e.Last = lastUsage(past, topic.ID)
	if topic.SkipScreening {
		return e, nil
	}
	answer, ok, err := view.Answer(topic.ID)
	if err != nil {
		return e, fmt.Errorf("reading the last answer on topic %s: %w", topic.ID, err)
	}
	if !ok {
		e.Records, e.AtMost = mostRecords(topic), true
		e.Used = judge.EstimateCount(e.Records)
		return e, nil
	}
	var open []evidence.Record
	for _, a := range answer.Assessments {
		if a.Excluded != "" {
			continue
		}
		_, known, err := view.Judgement(evidence.JudgementKey(topic.Question, a.Content, judge.Model(), judge.Prompt()))
		if err != nil {
			return e, err
		}
		if known {
			continue
		}
		r, ok, err := view.Record(a.Record)
		if err != nil {
			return e, fmt.Errorf("reading the record %s: %w", a.Record, err)
		}
		if ok {
			open = append(open, r)
		}
		e.Records++
	}
	e.Used = judge.Estimate(topic.Question, open).Plus(judge.EstimateCount(e.Records - len(open)))
	e.InVain = e.Records > 0 && e.Records == answer.Counts.ByRules && answer.ScreeningFailed == judge.Model()+" "+
		judge.Prompt()
	if e.InVain && e.Last.Tokens() > e.Used.Tokens() {
		e.Used = e.Last
	}
	return e, nil
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

// mostRecords is what the topic's literature sources may give; trials are not screened, and the store's own records are
// among them.
func mostRecords(topic evidence.Topic) int {
	sources := 0
	for _, name := range topic.Sources {
		if !evidence.IsRegistry(name) && name != evidence.SourceLocal {
			sources++
		}
	}
	return max(sources, 1) * topic.BroadSearchCount
}
