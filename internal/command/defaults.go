package command

import (
	"dossier/internal/evidence"
	"dossier/internal/jobs"
)

// JobDefaults are what topic files may leave out.
func (a *App) JobDefaults() jobs.Defaults {
	d := a.Config.Defaults
	return jobs.Defaults{YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults}
}

// TopicDefaults are the settings of a question that stands in no topic file.
func (a *App) TopicDefaults() evidence.Topic {
	d := a.Config.Defaults
	return evidence.Topic{
		YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults,
		Sources: evidence.SourceNames, Quotas: evidence.DefaultQuotas(),
	}
}
