package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"dossier/internal/command"
	"dossier/internal/evidence"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

// dryRun reports the most that a run would ask the model, without a request. For a known topic it counts the records
// that this model has not judged; for a new one it assumes the most that its sources may return.
func dryRun(cmd *cobra.Command, app *command.App, topics []evidence.Topic) (err error) {
	out := cmd.OutOrStdout()

	model, err := app.NewModel(app.Config.LLM.Judge)
	if err != nil {
		return err
	}

	if model == nil {
		_, err := fmt.Fprintf(out, "%s; no model is used, so nothing is spent: everything is planned and screened by rules\n",
			text.Plural(len(topics), "topic"))
		return err
	}

	reader, err := app.OpenStore(cmd.Context())
	if err != nil && !errors.Is(err, store.ErrNoStore) {
		return err
	}
	judge := llm.NewJudge(model, app.Config.LLM.BatchSize)
	command.RememberExams(judge)

	if reader != nil {
		defer func() { err = errors.Join(err, reader.Close()) }()
	}

	forecast, err := newForecast(app, reader)
	if err != nil {
		return err
	}
	forecast.Judge = judge

	total, err := writeForecast(cmd, forecast, topics)
	if err != nil {
		return err
	}

	if total.Calls > 0 {
		exam := judge.EstimateExam(cmd.Context())

		total = total.Plus(exam)
		if _, err := fmt.Fprintf(out, "the judge's examination: %s\n", usageText(exam)); err != nil {
			return err
		}
	}

	_, err = fmt.Fprintf(out,
		"all: %s with %s, what is asked again to check the judge included. Papers that are new tonight come on top.\n",
		usageText(total), model.Model())
	if err != nil {
		return err
	}

	limit := app.Config.LLM.MaxTokensPerRun
	if limit == 0 || total.Tokens() <= limit {
		return nil
	}
	_, err = fmt.Fprintf(out,
		"llm.max_tokens_per_run is %d: the run would stop asking there, and screen the rest by rules\n", limit)
	return err
}

// newForecast begins a forecast over the store that reader reads; nil if there is none yet.
func newForecast(app *command.App, reader *store.Reader) (*pipeline.Forecast, error) {
	forecast := pipeline.Forecast{View: pipeline.NewOverlay(nil), Settings: app.Settings(), Now: app.Now()}
	if reader != nil {
		counts, err := reader.Counts()
		if err != nil {
			return nil, err
		}

		forecast.View, forecast.Held = reader, counts.Records
		if forecast.Past, err = reader.Runs(runsExamined); err != nil {
			return nil, err
		}
	}

	planner, err := app.NewModel(app.Config.LLM.Planner)
	if err != nil {
		return nil, err
	}

	if planner != nil {
		forecast.Planner = llm.NewPlanner(planner, nil, nil)
	}
	return &forecast, nil
}

// writeForecast writes the forecast of each topic, and the sum.
func writeForecast(
	cmd *cobra.Command, forecast *pipeline.Forecast, topics []evidence.Topic,
) (total evidence.Usage, err error) {
	if err := forecast.Learn(topics); err != nil {
		return total, err
	}

	for _, topic := range topics {
		if err := cmd.Context().Err(); err != nil {
			return total, err
		}

		e, err := forecast.Topic(topic)
		if err != nil {
			return total, err
		}

		total = total.Plus(e.Used)
		if err := writeEstimate(cmd.OutOrStdout(), topic.ID, e); err != nil {
			return total, err
		}
	}
	return total, nil
}

func writeEstimate(w io.Writer, topic string, e pipeline.Estimate) error {
	atMost, before := "", ""
	if e.AtMost {
		atMost = "at most "
	}

	if e.Last.Calls > 0 {
		before = "; the last run took " + usageText(e.Last)
	}

	if e.InVain {
		before += ", and the model judged none of them"
	}
	_, err := fmt.Fprintf(w, "%s: %s%s to judge, %s%s\n", topic, atMost, text.Plural(e.Records, "record"), usageText(e.Used),
		before)
	return err
}

func usageText(used evidence.Usage) string {
	if words := render.Usage(used); words != "" {
		return words
	}
	return "no model call"
}
