package command

import (
	"fmt"

	"dossier/internal/evidence"
	"dossier/internal/jobs"
	"dossier/internal/schedule"
	"dossier/internal/text"
)

// ReadTopics reads the topic files that the configuration names, and tells on standard error what was taken out of
// their questions.
func (a *App) ReadTopics() ([]jobs.File, error) {
	words, err := a.Lexicon()
	if err != nil {
		return nil, err
	}
	zone, err := schedule.Zone(a.Config.Schedule.Timezone)
	if err != nil {
		return nil, Usage(err)
	}
	d := a.Config.Defaults
	files, err := jobs.Read(a.Config.Jobs, jobs.Defaults{
		YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults, Zone: zone,
	}, a.Gate(words))
	if err != nil {
		return nil, Usage(err)
	}
	for _, f := range files {
		for _, note := range f.Notes {
			fmt.Fprintln(a.Err, text.Line(note))
		}
	}
	return files, nil
}

// TopicDefaults are the settings of a question that stands in no topic file.
func (a *App) TopicDefaults() evidence.Topic {
	d := a.Config.Defaults
	return evidence.Topic{
		YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults,
		Sources: evidence.SourceNames, Quotas: evidence.DefaultQuotas(),
	}
}
