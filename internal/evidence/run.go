package evidence

import "time"

// Run is one run of the indexer over its topics.
type Run struct {
	ID         string    `json:"id"`
	Program    string    `json:"program"` // version
	Started    time.Time `json:"started"`
	Finished   time.Time `json:"finished,omitzero"`
	Generation int       `json:"generation,omitempty"`

	Interrupted bool `json:"interrupted,omitempty"` // it was asked to stop; what it had committed is kept

	Topics []TopicRun `json:"topics"`
	Import string     `json:"import,omitempty"` // the files, where the run was an import
	Notes  []string   `json:"notes,omitempty"`

	Sweeps []Sweep `json:"sweeps,omitempty"` // one a source that was asked what became of the store's records
}

// Sweep is one source's part in the nightly check of the whole store (docs/METHOD.md, "Retractions"). A store too large
// for one night is checked in several: they form one round, and Next is where the following night continues.
type Sweep struct {
	Source SourceName `json:"source"`
	// when the round began; the next one asks for changes since then, or, where it is zero, of a year
	Began    time.Time  `json:"began,omitzero"`
	Since    time.Time  `json:"since"`          // changes since then were asked for
	At       time.Time  `json:"at"`             // when the source was last asked
	Checked  int        `json:"checked"`        // papers that the source was asked about in this run
	Changed  int        `json:"changed"`        // source records that came new or in other words
	Left     int        `json:"left,omitempty"` // papers that the round has not come to yet
	Next     Identifier `json:"next,omitzero"`  // the first of them
	Error    string     `json:"error,omitempty"`
	Hint     string     `json:"hint,omitempty"`
	Problems []Problem  `json:"problems,omitempty"` // changed records that could not be read; the store keeps what it had
}

// TopicRun is a row of the run's table.
type TopicRun struct {
	Topic   string   `json:"topic"`
	Counts  Counts   `json:"counts"`
	Seconds float64  `json:"seconds"`
	Errors  []string `json:"errors,omitempty"`
	Failed  bool     `json:"failed,omitempty"` // nothing could be kept; the topic's last Answer stands
	// Shortfalls are why nothing was sampled of what was found; empty where something was.
	Shortfalls []Shortfall `json:"shortfalls,omitempty"`
	Usage      Usage       `json:"usage,omitzero"` // what the model cost; zero where none was asked

	// Sources is how each source did, in the topic's order; empty where the topic failed before any was asked, and in
	// runs of programs that did not write it down.
	Sources []SourceRun `json:"sources,omitempty"`
}

// SourceRun is how a source did for one topic in one run.
type SourceRun struct {
	Source SourceName   `json:"source"`
	Status SearchStatus `json:"status"`
	Error  string       `json:"error,omitempty"`
}

// Answered reports whether the source answered, if not with all of its records.
func (s SourceRun) Answered() bool { return s.Status == SearchOK || s.Status == SearchPartial }

// NotAsked reports whether the source was left out on purpose.
func (s SourceRun) NotAsked() bool {
	return s.Error == NotAskedOffline || s.Error == NotAskedConfigured
}

// SourceRuns is what of a topic's searches its run's row keeps.
func SourceRuns(searches []Search) []SourceRun {
	var rows []SourceRun
	for _, s := range searches {
		rows = append(rows, SourceRun{s.Source, s.Status, s.Error})
	}
	return rows
}
