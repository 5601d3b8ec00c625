package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// RunsExamined is how many of the newest runs are examined: an older failure is reported as failing since the oldest
// of them.
const RunsExamined = 100

// Store is the part of a store that Read needs.
type Store interface {
	Topics() ([]evidence.TopicInfo, error)
	Answer(topic string) (answer evidence.Answer, ok bool, err error)
	Runs(limit int) ([]evidence.Run, error)
}

// Health is the state of a store's topics and sources.
type Health struct {
	Topics  []Topic        `json:"topics"`  // in order of id
	Sources []Source       `json:"sources"` // in the order of evidence.SourceNames; only those that a topic named
	Runs    []evidence.Run `json:"runs"`    // the newest first; imports too
	Retired []Topic        `json:"retired"` // no longer in any topic file, in order of id
}

// Topic is a topic, its answer, and the runs that took it up.
type Topic struct {
	ID       string          `json:"id"`
	Question string          `json:"question"` // empty if no run has answered the topic yet
	Tags     []string        `json:"tags"`
	Built    time.Time       `json:"built,omitzero"` // zero if no run has answered it yet
	Counts   evidence.Counts `json:"counts"`         // of the answer; New is what the store had not had before
	Query    Query           `json:"query,omitzero"` // which its answer rests on
	Trouble  []string        `json:"errors"`         // of the answer: sources and screening that failed, and how

	Tried     time.Time `json:"tried,omitzero"`       // when the newest run that took it up began
	Failed    bool      `json:"failed,omitempty"`     // that run could keep nothing; the answer is an earlier one's
	RunErrors []string  `json:"run_errors,omitempty"` // that run's

	// The runs in a row, up to the newest, in which anything of it failed.
	ErrorsInARow int       `json:"errors_in_a_row"`
	ErrorsSince  time.Time `json:"errors_since,omitzero"` // when the first of these began

	Usage      evidence.Usage `json:"usage,omitzero"`        // what its model cost in the newest run
	UsageOfAll evidence.Usage `json:"usage_of_all,omitzero"` // and in all runs examined

	streakEnded bool // a run without errors was found, which ends the row of failing ones
}

// Query is the query that an answer rests on, in PubMed's syntax.
type Query struct {
	Text    string   `json:"text"`
	Layer   int      `json:"layer"` // 0 for one written by hand
	By      string   `json:"by"`
	LeftOut []string `json:"left_out,omitempty"` // of the question

	Readings []string `json:"readings,omitempty"` // how the question was read, in sentences
}

// Source is a source over all topics.
type Source struct {
	Name evidence.SourceName `json:"source"`
	// when the newest run began whose topics name it, also if kept offline
	Asked       time.Time `json:"asked,omitzero"`
	NotAsked    string    `json:"not_asked,omitempty"`   // why that run did not ask it
	LastSuccess time.Time `json:"last_success,omitzero"` // when it last answered a topic

	// The runs in a row, up to the newest that asked it, in which it answered no topic.
	InARow int       `json:"failures_in_a_row"`
	Since  time.Time `json:"failing_since,omitzero"` // when the first of these began

	Topics int    `json:"topics"`          // of the newest run
	Failed int    `json:"topics_failed"`   // of these, how many it did not answer
	Error  string `json:"error,omitempty"` // the newest

	// The nightly check of the store's own papers.
	Checked    time.Time `json:"checked,omitzero"` // when it last answered that
	CheckSince time.Time `json:"check_failing_since,omitzero"`
	CheckError string    `json:"check_error,omitempty"`

	checkedRun time.Time // when the newest run with that check began
	answered   bool      // a run in which it answered was found, which ends the row of failures
}

// Read reads a store's health; unpublished are the newest runs of unpublished work, the newest first. It includes
// questions asked live only if they are listed for user. The error is the store's.
func Read(store Store, unpublished []evidence.Run, user string) (Health, error) {
	published, err := store.Runs(RunsExamined)
	if err != nil {
		return Health{}, err
	}
	h := Health{Runs: mergeRuns(unpublished, published)}

	infos, err := store.Topics()
	if err != nil {
		return h, err
	}

	for _, info := range infos {
		answer, ok, err := store.Answer(info.ID)
		if err == nil && !ok {
			err = fmt.Errorf("the answer to topic %.200q is not in the store", info.ID)
		}

		if err != nil {
			return h, err
		}

		h.Topics = append(h.Topics, Topic{
			ID: info.ID, Question: info.Question, Tags: info.Tags, Built: answer.Built.UTC(), Counts: answer.Counts,
			Query: Query{answer.Query.Text, answer.Query.Layer, answer.Query.By, answer.Query.LeftOut,
				answer.Query.Readings},
			Trouble: answer.Trouble(),
		})
		for _, s := range answer.Searches { // runs of earlier programs did not write down when a source last answered
			if source := h.source(s.Source); s.LastOK.After(source.LastSuccess) {
				source.LastSuccess = s.LastOK.UTC()
			}
		}
	}

	for _, run := range h.Runs {
		h.addRun(run)
	}
	h.partTopics(infos, published, user)
	h.Sources = slices.DeleteFunc(h.Sources, func(s Source) bool {
		// No topic names it, and nothing is wrong.
		return s.Asked.IsZero() && s.LastSuccess.IsZero() && s.CheckError == ""
	})
	slices.SortFunc(h.Topics, func(a, b Topic) int { return strings.Compare(a.ID, b.ID) })
	order := func(s Source) int {
		if i := slices.Index(evidence.SourceNames, s.Name); i >= 0 {
			return i
		}
		return len(evidence.SourceNames)
	}
	slices.SortFunc(h.Sources, func(a, b Source) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), strings.Compare(a.Name, b.Name))
	})
	return h, nil
}

// partTopics keeps the topics that are listed for user, and those that no published run has answered yet. A topic that
// was answered and is no longer in the store was forgotten.
func (h *Health) partTopics(infos []evidence.TopicInfo, published []evidence.Run, user string) {
	waits := func(t *Topic) bool {
		return t.Failed || len(published) == 0 || t.Tried.After(published[0].Started)
	}

	known := map[string]*evidence.TopicInfo{}
	for i := range infos {
		known[infos[i].ID] = &infos[i]
	}

	var listed []Topic
	for _, t := range h.Topics {
		switch info := known[t.ID]; {
		case info != nil && info.ListedFor(user), info == nil && waits(&t) && !evidence.IsLiveTopic(t.ID):
			listed = append(listed, t)
		case info != nil && !info.Retired.IsZero():
			h.Retired = append(h.Retired, t)
		}
	}
	h.Topics = listed
	slices.SortFunc(h.Retired, func(a, b Topic) int { return strings.Compare(a.ID, b.ID) })
}

// WithLists is h with empty lists instead of null, for JSON.
func (h Health) WithLists() Health {
	h.Topics, h.Sources = append([]Topic{}, h.Topics...), append([]Source{}, h.Sources...)

	h.Runs, h.Retired = append([]evidence.Run{}, h.Runs...), append([]Topic{}, h.Retired...)
	for _, topics := range [][]Topic{h.Topics, h.Retired} {
		for i := range topics {
			t := &topics[i]
			t.Tags, t.Trouble = append([]string{}, t.Tags...), append([]string{}, t.Trouble...)
		}
	}

	for i := range h.Runs {
		h.Runs[i].Topics = append([]evidence.TopicRun{}, h.Runs[i].Topics...)
	}
	return h
}

// mergeRuns puts unpublished runs before published ones. Unpublished work that began before the newest publication
// adds nothing.
func mergeRuns(unpublished, published []evidence.Run) []evidence.Run {
	known := map[string]bool{}
	for _, run := range published {
		known[run.ID] = true
	}

	var runs []evidence.Run
	for _, run := range unpublished {
		if !known[run.ID] && (len(published) == 0 || run.Started.After(published[0].Started)) {
			runs = append(runs, run)
		}
	}
	return append(runs, published...)
}

// source returns the source of that name, and adds it if it is missing.
func (h *Health) source(name evidence.SourceName) *Source {
	i := slices.IndexFunc(h.Sources, func(s Source) bool { return s.Name == name })
	if i < 0 {
		i, h.Sources = len(h.Sources), append(h.Sources, Source{Name: name})
	}
	return &h.Sources[i]
}

// addRun adds a run; newer ones must be added before it.
func (h *Health) addRun(run evidence.Run) {
	if run.Import != "" {
		return
	}

	tallies := map[evidence.SourceName]*tally{}
	for _, row := range run.Topics {
		h.addRow(run, row)

		for _, s := range row.Sources {
			if tallies[s.Source] == nil {
				tallies[s.Source] = &tally{}
			}
			tallies[s.Source].add(s)
		}
	}

	for name, t := range tallies {
		h.source(name).addRow(run, t)
	}

	for _, sweep := range run.Sweeps {
		h.source(sweep.Source).addSweep(run, sweep)
	}
}

func (h *Health) addRow(run evidence.Run, row evidence.TopicRun) {
	i := slices.IndexFunc(h.Topics, func(t Topic) bool { return t.ID == row.Topic })
	if i < 0 {
		i, h.Topics = len(h.Topics), append(h.Topics, Topic{ID: row.Topic})
	}
	t := &h.Topics[i]

	newest := t.Tried.IsZero()
	if newest {
		t.Tried, t.Failed, t.RunErrors, t.Usage = run.Started.UTC(), row.Failed, row.Errors, row.Usage
	}

	t.UsageOfAll = t.UsageOfAll.Plus(row.Usage)
	switch {
	case len(row.Errors) == 0:
		t.streakEnded = true
	case !t.streakEnded:
		t.ErrorsInARow++
		t.ErrorsSince = run.Started.UTC()
	}
}

// tally is how a source did for a run's topics.
type tally struct {
	answered, failed int
	err, notAsked    string
}

func (t *tally) add(s evidence.SourceRun) {
	switch {
	case s.NotAsked():
		t.notAsked = s.Error
	case s.Answered():
		t.answered++
	default:
		t.failed++
		t.err = cmp.Or(t.err, s.Error)
	}
}

// addRow takes in how the source did in a run; newer ones were taken in before it.
func (s *Source) addRow(run evidence.Run, t *tally) {
	asked := t.answered+t.failed > 0
	if s.Asked.IsZero() {
		s.Asked = run.Started.UTC()
		if !asked {
			s.NotAsked = t.notAsked
		}
		s.Topics, s.Failed, s.Error = t.answered+t.failed, t.failed, t.err
	}

	switch {
	case t.answered > 0:
		s.answered = true
		if run.Started.After(s.LastSuccess) {
			s.LastSuccess = run.Started.UTC()
		}
	case asked && !s.answered:
		s.InARow++
		s.Since = run.Started.UTC()
		s.Error = cmp.Or(s.Error, t.err)
	}
}

func (s *Source) addSweep(run evidence.Run, sweep evidence.Sweep) {
	s.checkedRun = cmp.Or(s.checkedRun, run.Started.UTC())
	switch {
	case !s.Checked.IsZero():
	case sweep.Error == "":
		s.Checked = run.Started.UTC()
	default:
		s.CheckSince, s.CheckError = run.Started.UTC(), cmp.Or(s.CheckError, sweep.Error)
	}
}

// Overdue lists what runs should have obtained within maxAge and did not: sources that answered no topic, topics that
// could not be answered, checks of the store's own papers. services reports whether outside sources are meant to be
// queried; otherwise their silence is no failure.
func (h *Health) Overdue(now time.Time, maxAge time.Duration, services bool) (why []string) {
	wanted := func(asked time.Time) bool { return !asked.IsZero() && !evidence.TooOld(now.Sub(asked), maxAge) }

	late := func(last, since time.Time) bool { return evidence.TooOld(now.Sub(cmp.Or(last, since)), maxAge) }
	for _, s := range h.Sources {
		if !services && s.Name != evidence.SourceLocal {
			continue
		}

		if since := cmp.Or(s.Since, s.Asked); wanted(s.Asked) && late(s.LastSuccess, since) {
			last := LastTime(s.LastSuccess, "answered a topic", now)
			why = append(why, s.Name+" "+last+because(cmp.Or(s.Error, s.NotAsked)))
		}

		if !s.CheckSince.IsZero() && wanted(s.checkedRun) && late(s.Checked, s.CheckSince) {
			last := LastTime(s.Checked, "said what became of the store's papers", now)
			why = append(why, "retractions: "+s.Name+" "+last+because(s.CheckError))
		}
	}

	for _, t := range h.Topics {
		if t.Failed && wanted(t.Tried) && late(t.Built, t.ErrorsSince) {
			last := LastTime(t.Built, "was answered", now)
			why = append(why, "topic "+t.ID+" "+last+because(strings.Join(t.RunErrors, "; ")))
		}
	}
	return why
}

// LastTime describes how long ago something last happened: "last answered 2 days ago".
func LastTime(last time.Time, what string, now time.Time) string {
	if last.IsZero() {
		return "never " + what
	}

	if age := now.Sub(last); age >= 0 {
		return "last " + what + " " + evidence.Age(age) + " ago"
	}
	return "last " + what + " at a time ahead of this machine's clock"
}

func because(err string) string {
	if err == "" {
		return ""
	}
	return " (" + text.Head(text.Line(err), 200) + ")"
}
