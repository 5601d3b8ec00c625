package command

import (
	"os"
	"slices"
	"time"

	"dossier/internal/document"
	"dossier/internal/eligibility"
	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/marks"
	"dossier/internal/pipeline"
	"dossier/internal/source"
	"dossier/internal/source/biorxiv"
	"dossier/internal/source/clinicaltrials"
	"dossier/internal/source/crossref"
	"dossier/internal/source/europepmc"
	"dossier/internal/source/local"
	"dossier/internal/source/openalex"
	"dossier/internal/source/pubmed"
)

// userAgent identifies the program to services.
func userAgent() string { return "dossier/" + Version + " (literature evidence for tumour boards)" }

// client creates the HTTP client for services and hooks.
func (a *App) client() *fetch.Client {
	backoff, _ := time.ParseDuration(FirstBackoff) // empty is 0, which stands for the default
	return fetch.New(fetch.Options{
		UserAgent: userAgent(), LimitDir: limitDir(), Logger: a.Log, Hosts: a.hosts(),
		Retry: fetch.Retry{FirstBackoff: backoff},
	})
}

// Sources creates all enabled sources, including the store's own full text; searched is nil if there is no store yet.
func (a *App) Sources(searched local.Searcher) []pipeline.Source {
	client := a.client()
	s := a.Config.Sources
	key := func(of evidence.SourceName) string { return a.Config.Keys.Services[of].Reveal() }
	all := []pipeline.Source{
		pubmed.New(pubmed.Config{
			Config: source.Config{BaseURL: s.PubMed.BaseURL, APIKey: key(evidence.SourcePubMed)},
			Tool:   s.PubMed.Tool, Email: s.PubMed.Email,
		}, client),
		europepmc.New(source.Config{BaseURL: s.EuropePMC.BaseURL}, client),
		openalex.New(source.Config{BaseURL: s.OpenAlex.BaseURL, APIKey: key(evidence.SourceOpenAlex)}, client),
		clinicaltrials.New(source.Config{BaseURL: s.ClinicalTrials.BaseURL}, client),
		crossref.New(crossref.Config{Config: source.Config{BaseURL: s.Crossref.BaseURL}, Email: s.Crossref.Email}, client),
		local.New(searched, a.ResolveHeadings),
	}
	return slices.DeleteFunc(all, func(made pipeline.Source) bool { return s.Off(made.Name()) })
}

// Lookups creates the enabled preprint servers.
func (a *App) Lookups() []pipeline.Lookup {
	client, s := a.client(), a.Config.Sources
	all := []pipeline.Lookup{
		biorxiv.New(evidence.SourceBioRxiv, source.Config{BaseURL: s.BioRxiv.BaseURL}, client),
		biorxiv.New(evidence.SourceMedRxiv, source.Config{BaseURL: s.MedRxiv.BaseURL}, client),
	}
	return slices.DeleteFunc(all, func(made pipeline.Lookup) bool { return s.Off(made.Name()) })
}

// EuropePMC creates the source of full texts.
func (a *App) EuropePMC() *europepmc.Source {
	return europepmc.New(source.Config{BaseURL: a.Config.Sources.EuropePMC.BaseURL}, a.client())
}

// Marks are the readers' decisions on topics' records.
func (a *App) Marks() *marks.Journals { return marks.In(a.Config.Data) }

// Readings returns the readers' present decisions on a topic's records; it is pipeline.Readers.
func (a *App) Readings(topic string, current func(string) (string, error)) (pipeline.ReadingOf, []string, error) {
	sheet, warnings := a.Marks().Of(topic)
	if err := sheet.Rename(current); err != nil || len(sheet.Readers) == 0 {
		return nil, warnings, err
	}
	return func(r *evidence.Record) *evidence.Reading {
		return sheet.Reading(r.ID, r.ContentHash(), a.Config.Marks.Readers)
	}, warnings, nil
}

// hosts are the hosts that the machine's policy allows; nil: any.
func (a *App) hosts() fetch.Hosts {
	if a.Config.Policy == nil {
		return nil
	}
	return a.Config.Policy.AllowedHosts
}

// Lexicon loads the synonym dictionary with the configured files, but for those of headings.
func (a *App) Lexicon() (*lexicon.Lexicon, error) {
	_, files, err := local.SplitHeadingFiles(a.Config.Lexicon.Files)
	if err != nil {
		return nil, Usage(err)
	}

	l, err := lexicon.LoadPaths(files...)
	if err != nil {
		return nil, Usage(err)
	}
	a.known = l.Knows
	return l, nil
}

// Template is the hospital's own template of reports and packets; nil if none is configured.
func (a *App) Template() (*document.Template, error) {
	if a.Config.Report.Template == "" {
		return nil, nil //nolint:nilnil // none is no failure
	}

	t, err := document.LoadTemplate(a.Config.Report.Template, os.Geteuid())
	if err != nil {
		return nil, Usage(err)
	}
	return t, nil
}

// Gate is the privacy gate that questions pass before they are sent or stored.
func (a *App) Gate(l *lexicon.Lexicon) guard.Gate {
	return guard.Gate{Policy: guard.Policy(a.Config.Privacy.PatientIdentifiers), Lexicon: l}
}

// Settings are the pipeline's, as configured.
func (a *App) Settings() pipeline.Settings {
	settings := pipeline.DefaultSettings()
	settings.Enough = a.Config.Defaults.Enough
	settings.MinHits = a.Config.Defaults.MinHits
	settings.PassScore = a.Config.Defaults.PassScore
	settings.ReplanAfter = a.Config.Defaults.ReplanAfter.Std()
	return settings
}

// Pipeline wires the steps over a store.
func (a *App) Pipeline(searched local.Searcher, l *lexicon.Lexicon, progress pipeline.Progress) (*pipeline.Pipeline,
	error) {
	p := &pipeline.Pipeline{
		Sources: a.Sources(searched), Lookups: a.Lookups(), Lexicon: l,
		Planner: pipeline.RulesPlanner{Dictionary: l}, Settings: a.Settings(),
		Entry: (&eligibility.Judge{Lexicon: l}).Entry, Offline: !a.Config.AsksServices(),
		Readers: a.Readings, Now: a.Now, Log: a.Log, Progress: progress,
	}
	if log := a.Audit(); log != nil {
		p.Audit = auditor{a, log}
	}
	return p, a.withModels(p, l)
}
