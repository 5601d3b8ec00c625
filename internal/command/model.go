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

// modelBounds are what all models of a process share: one budget, and what the account is granted a minute.
type modelBounds struct {
	meter *llm.Meter
	pace  *llm.Pace
}

// bounds are made at the first call.
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

// Ledger counts what the machine's programs have models do today.
func (a *App) Ledger() *llm.Ledger {
	return llm.NewLedger(limitDir(), a.Config.LLM.MaxTokensPerDay, fetch.SystemClock{})
}

// ReportUsage says what this process had models do, where it had.
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

// NewModel makes the client of the model that is configured for a role; nil if none is, or nothing may be asked. The
// error is that of a certificate's file.
func (a *App) NewModel(role config.Role) (*llm.Client, error) {
	if !a.Config.Uses(role) || !a.Config.AsksModel() {
		return nil, nil //nolint:nilnil // no model is no failure: the rules stand in
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

// wording is what models get of a question: what was understood of it, or its text.
func (a *App) wording() func(*lexicon.Question) string {
	if a.Config.Privacy.ModelQuestion == config.WholeQuestion {
		return func(q *lexicon.Question) string { return q.Text }
	}
	return (*lexicon.Question).Wording
}

// withModels has models plan and judge where they are configured, with the rules behind them.
func (a *App) withModels(p *pipeline.Pipeline, l *lexicon.Lexicon) error {
	planner, err := a.NewModel(a.Config.LLM.Planner)
	if err != nil {
		return err
	}

	if planner != nil {
		p.Planner = llm.NewPlanner(planner, pipeline.RulesPlanner{Dictionary: l}, a.wording())
	}

	judge, err := a.NewModel(a.Config.LLM.Judge)
	if err != nil {
		return err
	}
	// What its model judged before counts on a night on which it is asked nothing, too.
	p.Judge = pipeline.Remembered{Name: a.Config.LLM.As(a.Config.LLM.Judge).Model, Version: llm.ScreeningPrompt()}
	if judge != nil {
		examined := llm.NewJudge(judge, a.Config.LLM.BatchSize)
		RememberExams(examined)
		p.Judge = examined
	}

	p.Wording = a.wording()
	if planner != nil || judge != nil {
		p.Meter = a.bounds().meter
	}
	return nil
}

// RememberExams has a judge know which judges have passed on this machine.
func RememberExams(judge *llm.Judge) {
	judge.RememberIn(fetch.Shared{Dir: limitDir(), Name: "examined-judges", Clock: fetch.SystemClock{}})
}
