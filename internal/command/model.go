package command

import (
	"fmt"
	"io"
	"net/url"

	"dossier/internal/config"
	"dossier/internal/fetch"
	"dossier/internal/lexicon"
	"dossier/internal/llm"
	"dossier/internal/pipeline"
	"dossier/internal/render"
)

// modelBounds are shared by all models of a process: one budget, and the account's rate limit.
type modelBounds struct {
	meter *llm.Meter
	pace  *llm.Pace
}

// bounds creates them at the first call.
func (a *App) bounds() *modelBounds {
	if a.shared == nil {
		c := a.Config.LLM
		a.shared = &modelBounds{
			meter: llm.NewMeter(c.MaxTokensPerRun, llm.Prices{In: c.PriceIn, Out: c.PriceOut}, a.Ledger()),
			pace:  llm.NewPace(c.RequestsPerMinute, c.TokensPerMinute),
		}
	}
	return a.shared
}

// Ledger counts today's model usage by this machine's programs.
func (a *App) Ledger() *llm.Ledger {
	return llm.NewLedger(limitDir(), a.Config.LLM.MaxTokensPerDay, fetch.SystemClock{})
}

// ReportUsage reports this process's model usage, if any.
func (a *App) ReportUsage(w io.Writer) error {
	if a.shared == nil {
		return nil
	}

	if used := render.Usage(a.shared.meter.Total()); used != "" {
		_, err := fmt.Fprintln(w, used)
		return err
	}
	return nil
}

// NewModel creates the client of a role's model; nil if none is configured, or nothing may be queried. The error is a
// certificate file's.
func (a *App) NewModel(role config.Role) (*llm.Client, error) {
	if !a.Config.Uses(role) || !a.Config.AsksModel() {
		return nil, nil //nolint:nilnil // no model is no failure: the rules replace it
	}
	c := a.Config.LLM
	role = c.As(role)

	certificates, err := c.TLS()
	if err != nil {
		return nil, Usage(err)
	}

	var proxy *url.URL
	if c.Proxy != "" {
		if proxy, err = url.Parse(c.Proxy); err != nil {
			return nil, Usage(err)
		}
	}
	headers, secrets := a.Config.ModelHeaders()
	return llm.New(llm.Options{
		BaseURL: role.BaseURL, Model: role.Model, ReasoningEffort: role.ReasoningEffort,
		Key: a.Config.ModelKey(role.BaseURL).Reveal, Headers: headers, Secrets: secrets, TLS: certificates, Proxy: proxy,
		Temperature: c.Temperature, Timeout: c.Timeout.Std(), Context: c.ContextTokens, Concurrency: c.Concurrency,
		Meter: a.bounds().meter, Pace: a.bounds().pace, UserAgent: userAgent(), Logger: a.Log,
		Hosts: a.hosts(),
	}), nil
}

// questionForm is the form in which models get a question: what was understood of it, or its text.
func (a *App) questionForm() func(*lexicon.Question) string {
	if a.Config.Privacy.ModelQuestion == config.WholeQuestion {
		return func(q *lexicon.Question) string { return q.Text }
	}
	return (*lexicon.Question).Wording
}

// withModels adds the configured models for planning and judging, with the rules as fallback.
func (a *App) withModels(p *pipeline.Pipeline, l *lexicon.Lexicon) error {
	planner, err := a.NewModel(a.Config.LLM.Planner)
	if err != nil {
		return err
	}

	if planner != nil {
		p.Planner = llm.NewPlanner(planner, pipeline.RulesPlanner{Dictionary: l}, a.questionForm())
	}

	judge, err := a.NewModel(a.Config.LLM.Judge)
	if err != nil {
		return err
	}
	// Its model's earlier judgements count even on a night without requests to it.
	p.Judge = pipeline.Remembered{Name: a.Config.LLM.As(a.Config.LLM.Judge).Model, Version: llm.ScreeningPrompt()}
	if judge != nil {
		examined := llm.NewJudge(judge, a.Config.LLM.BatchSize)
		RememberExams(examined)
		p.Judge = examined
	}

	p.Wording = a.questionForm()
	if planner != nil || judge != nil {
		p.Meter = a.bounds().meter
	}
	return nil
}

// RememberExams caches which judges have passed their examination on this machine.
func RememberExams(judge *llm.Judge) {
	judge.RememberIn(fetch.Shared{Dir: limitDir(), Name: "examined-judges", Clock: fetch.SystemClock{}})
}
