package command

import (
	"dossier/internal/lexicon"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
)

// NewModel makes the client of the configured language model; nil where none is configured, or nothing may be asked. One
// client and its meter serve a whole run.
func (a *App) NewModel() *llm.Client {
	if !a.Config.UsesModel() || a.Config.Offline {
		return nil
	}
	c := a.Config.LLM
	return llm.New(llm.Options{
		BaseURL: c.BaseURL, Model: c.Model, Key: a.Config.Keys.LLM.Reveal, Temperature: c.Temperature, Timeout: c.Timeout.Std(),
		Context: c.ContextTokens, Concurrency: c.Concurrency, Meter: llm.NewMeter(c.MaxTokensPerRun, llm.Prices{In: c.PriceIn, Out: c.PriceOut}),
		UserAgent: userAgent(), Logger: a.Log,
	})
}

// withModel has a model plan and judge, with the rules behind it. A nil model is asked nothing, and what it judged before
// counts all the same.
func (a *App) withModel(p *pipeline.Pipeline, l *lexicon.Lexicon, model *llm.Client) {
	if model == nil {
		p.Judge = pipeline.Remembered{Name: a.Config.LLM.Model, Version: llm.ScreeningPrompt()}
		return
	}
	p.Planner = llm.NewPlanner(model, pipeline.RulesPlanner{Dictionary: l})
	p.Judge = llm.NewJudge(model, a.Config.LLM.BatchSize)
	p.Meter = model.Meter()
}
