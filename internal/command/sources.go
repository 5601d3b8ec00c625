package command

import (
	"dossier/internal/fetch"
	"dossier/internal/lexicon"
	"dossier/internal/pipeline"
	"dossier/internal/source/local"
	"dossier/internal/source/pubmed"
)

// userAgent says honestly who asks.
func userAgent() string { return "dossier/" + Version + " (literature evidence for tumour boards)" }

// Sources makes all sources, the store itself among them.
func (a *App) Sources(r reading) []pipeline.Source {
	client := fetch.New(fetch.Options{UserAgent: userAgent(), LimitDir: limitDir(), Logger: a.Log})
	services := a.Config.Sources
	return []pipeline.Source{
		pubmed.New(pubmed.Config{
			BaseURL: services.PubMed.BaseURL, Tool: services.PubMed.Tool, Email: services.PubMed.Email, APIKey: a.Config.Keys.NCBI.Reveal(),
		}, client),
		local.New(localStore{r}),
	}
}

// Lexicon loads the synonym dictionary with the configured files.
func (a *App) Lexicon() (*lexicon.Lexicon, error) {
	l, err := lexicon.LoadPaths(a.Config.Lexicon.Files...)
	if err != nil {
		return nil, Usage(err)
	}
	return l, nil
}

// Pipeline wires the steps over a store.
func (a *App) Pipeline(r reading, l *lexicon.Lexicon, progress pipeline.Progress) *pipeline.Pipeline {
	settings := pipeline.DefaultSettings()
	settings.MinHits = a.Config.Defaults.MinHits
	settings.PassScore = a.Config.Defaults.PassScore
	settings.ReplanAfter = a.Config.Defaults.ReplanAfter.Std()
	return &pipeline.Pipeline{
		Sources: a.Sources(r), Planner: pipeline.RulesPlanner{Dictionary: l}, Settings: settings, Offline: a.Config.Offline,
		Now: a.Now, Log: a.Log, Progress: progress,
	}
}
