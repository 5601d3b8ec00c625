package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/llm"
	"dossier/internal/render"
	"dossier/internal/store"
)

// dryRun says what a run would ask the model at the most, and asks nobody. For a topic that was run before it counts the records that
// this model has not judged; for a new one it takes the most that its sources may give.
func dryRun(cmd *cobra.Command, app *command.App, topics []evidence.Topic) (err error) {
	out := cmd.OutOrStdout()
	model, err := app.NewModel(app.Config.LLM.Judge)
	if err != nil {
		return err
	}
	if model == nil {
		_, err := fmt.Fprintf(out, "%s; no model is used, so nothing is spent: everything is planned and screened by rules\n", render.Plural(len(topics), "topic"))
		return err
	}
	reader, err := app.OpenStore(cmd.Context())
	if err != nil && !errors.Is(err, store.ErrNoStore) {
		return err
	}
	if reader != nil {
		defer func() { err = errors.Join(err, reader.Close()) }()
	}
	judge := llm.NewJudge(model, app.Config.LLM.BatchSize)
	var last pastRuns
	if reader != nil {
		if last, err = reader.Runs(runsLookedAt); err != nil {
			return err
		}
	}
	var total evidence.Usage
	for _, topic := range topics {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		e, err := estimate(reader, judge, topic)
		if err != nil {
			return err
		}
		spentLast := last.of(topic.ID)
		if e.inVain && spentLast.Tokens() > e.used.Tokens() {
			e.used = spentLast
		}
		total = total.Plus(e.used)
		if err := e.write(out, topic.ID, spentLast); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(out, "all: %s with %s. Papers that are new tonight come on top; so does a call a topic whose query is planned anew.\n", spent(total), model.Model()); err != nil {
		return err
	}
	limit := app.Config.LLM.MaxTokensPerRun
	if limit == 0 || total.Tokens() <= limit {
		return nil
	}
	_, err = fmt.Fprintf(out, "llm.max_tokens_per_run is %d: the run would stop asking there, and screen the rest by rules\n", limit)
	return err
}

// pastRuns are the newest runs first.
type pastRuns []evidence.Run

// of is what the model cost the last time that the topic was run; zero where it was not.
func (l pastRuns) of(topic string) evidence.Usage {
	for _, run := range l {
		for _, t := range run.Topics {
			if t.Topic == topic {
				return t.Usage
			}
		}
	}
	return evidence.Usage{}
}

// estimated is what a topic's run is expected to ask.
type estimated struct {
	records int  // left to judge
	bound   bool // that is the most that there may be
	inVain  bool // the last run asked this model about all of them, and nothing of use came: the next will cost as much
	used    evidence.Usage
}

// estimate counts the records of a topic that are left to judge, and what judging them once would take.
func estimate(reader *store.Reader, judge *llm.Judge, topic evidence.Topic) (e estimated, err error) {
	if topic.SkipScreening {
		return e, nil
	}
	answer, err := evidence.Answer{}, store.ErrNotFound
	if reader != nil {
		answer, err = reader.Answer(topic.ID)
	}
	if errors.Is(err, store.ErrNotFound) {
		e.records, e.bound = mostRecords(topic), true
		e.used = judge.EstimateCount(e.records)
		return e, nil
	}
	if err != nil {
		return e, err
	}
	for _, a := range answer.Assessments {
		if a.Excluded != "" {
			continue
		}
		_, known, err := reader.Judgement(evidence.JudgementKey(topic.Question, a.Content, judge.Model(), judge.Prompt()))
		if err != nil {
			return e, err
		}
		if !known {
			e.records++
		}
	}
	e.inVain = e.records > 0 && e.records == answer.Counts.ByRules && answer.ScreeningFailed == judge.Model()+" "+judge.Prompt()
	e.used = judge.EstimateCount(e.records)
	return e, nil
}

// mostRecords is what the topic's literature sources may give; trials are not screened, and the store's own records are among them.
func mostRecords(topic evidence.Topic) int {
	sources := 0
	for _, name := range topic.Sources {
		if name != evidence.SourceClinicalTrials && name != evidence.SourceLocal {
			sources++
		}
	}
	return max(sources, 1) * topic.BroadSearchCount
}

func (e estimated) write(w io.Writer, topic string, last evidence.Usage) error {
	atMost, before := "", ""
	if e.bound {
		atMost = "at most "
	}
	if last.Calls > 0 {
		before = "; the last run took " + spent(last)
	}
	if e.inVain {
		before += ", and the model judged none of them"
	}
	_, err := fmt.Fprintf(w, "%s: %s%s to judge, %s%s\n", topic, atMost, render.Plural(e.records, "record"), spent(e.used), before)
	return err
}

func spent(used evidence.Usage) string {
	if words := render.Usage(used); words != "" {
		return words
	}
	return "no model call"
}
