package command

import (
	"fmt"
	"os"
	"path/filepath"

	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/jobs"
	"dossier/internal/schedule"
	"dossier/internal/text"
)

// ReadTopics reads the configured topic files, and reports on standard error what was left out, or removed from their
// questions. A demo's topics are an error if the services are queried: real and invented records would be mixed in one
// store.
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

	files, notes, err := jobs.Read(a.Config.Jobs, jobs.Defaults{
		YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults, Zone: zone,
		Sources: a.Config.Sources.Topic(), HeldTo: a.topicsHeldTo(),
	}, a.Gate(words))
	if err != nil {
		return nil, Usage(err)
	}

	for _, note := range notes {
		fmt.Fprintln(a.Err, text.Line(note))
	}

	for _, f := range files {
		if f.Demo && a.Config.AsksServices() {
			return nil, Usagef("%s: its topics are of the invented sample (demo: true), and the services are not asked for "+
				"them; run it with --offline, or name a file of your own questions with --jobs", f.Path)
		}
	}
	return files, nil
}

// topicsHeldTo is the user who must own the topic files if they come from the working directory by default; nil if the
// command line or the environment named them.
func (a *App) topicsHeldTo() *int {
	from := a.Config.Origins["jobs"].From
	if from == config.FromFlag || from == config.FromEnvironment || filepath.IsAbs(a.Config.Jobs) {
		return nil
	}
	user := os.Geteuid()
	return &user
}

// TopicDefaults are the settings of a question outside topic files.
func (a *App) TopicDefaults() evidence.Topic {
	d := a.Config.Defaults
	return evidence.Topic{
		YearWindow: d.YearWindow, BroadSearchCount: d.BroadSearchCount, MaxResults: d.MaxResults,
		Sources: a.Config.Sources.Topic(), Quotas: evidence.DefaultQuotas(),
	}
}
