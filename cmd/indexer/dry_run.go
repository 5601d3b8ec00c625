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
	var total evidence.Usage
	for _, topic := range topics {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		records, bound, err := toJudge(reader, judge, topic)
		if err != nil {
			return err
		}
		used := judge.EstimateCount(records)
		total = total.Plus(used)
		if err := estimateLine(out, topic.ID, records, bound, used); err != nil {
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

// toJudge counts the records of a topic that are left to judge. bound is true where that is the most that there may be.
func toJudge(reader *store.Reader, judge *llm.Judge, topic evidence.Topic) (records int, bound bool, err error) {
	if topic.SkipScreening {
		return 0, false, nil
	}
	if reader == nil {
		return mostRecords(topic), true, nil
	}
	answer, err := reader.Answer(topic.ID)
	if errors.Is(err, store.ErrNotFound) {
		return mostRecords(topic), true, nil
	}
	if err != nil {
		return 0, false, err
	}
	for _, a := range answer.Assessments {
		if a.Excluded != "" {
			continue
		}
		_, known, err := reader.Judgement(evidence.JudgementKey(topic.Question, a.Content, judge.Model(), judge.Prompt()))
		if err != nil {
			return 0, false, err
		}
		if !known {
			records++
		}
	}
	return records, false, nil
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

func estimateLine(w io.Writer, topic string, records int, bound bool, used evidence.Usage) error {
	atMost := ""
	if bound {
		atMost = "at most "
	}
	_, err := fmt.Fprintf(w, "%s: %s%s to judge, %s\n", topic, atMost, render.Plural(records, "record"), spent(used))
	return err
}

func spent(used evidence.Usage) string {
	if words := render.Usage(used); words != "" {
		return words
	}
	return "no model call"
}
