package health

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
)

const (
	pubmed = evidence.SourcePubMed
	europe = evidence.SourceEuropePMC
	local  = evidence.SourceLocal
)

// night is half past two of a day of November.
func night(day int) time.Time { return time.Date(2026, 11, day, 2, 30, 0, 0, time.UTC) }

// fakeStore has the answers of topics by id, and runs, the newest first.
type fakeStore struct {
	answers []evidence.Answer
	runs    []evidence.Run
}

func (s fakeStore) Topics() (infos []evidence.TopicInfo, err error) {
	for _, a := range s.answers {
		infos = append(infos, a.Info())
	}
	return infos, nil
}

func (s fakeStore) Answer(topic string) (evidence.Answer, bool, error) {
	for _, a := range s.answers {
		if a.Topic.ID == topic {
			return a, true, nil
		}
	}
	return evidence.Answer{}, false, nil
}

func (s fakeStore) Runs(limit int) ([]evidence.Run, error) {
	return s.runs[:min(limit, len(s.runs))], nil
}

// row is a topic in a run: each source is "ok", "partial", "offline", or what was wrong.
func row(topic string, sources map[evidence.SourceName]string, errs ...string) evidence.TopicRun {
	r := evidence.TopicRun{Topic: topic, Errors: errs, Usage: evidence.Usage{Calls: 1, PromptTokens: 10}}
	for _, name := range []evidence.SourceName{pubmed, europe, local} {
		status, ok := sources[name]
		switch {
		case !ok:
		case status == "ok" || status == "partial":
			r.Sources = append(r.Sources, evidence.SourceRun{Source: name, Status: evidence.SearchStatus(status)})
		case status == evidence.NotAskedOffline:
			r.Sources = append(r.Sources, evidence.SourceRun{Source: name, Status: evidence.SearchSkipped, Error: status})
		default:
			r.Sources = append(r.Sources, evidence.SourceRun{Source: name, Status: evidence.SearchFailed, Error: status})
			r.Errors = append(r.Errors, name+": "+status)
		}
	}
	return r
}

type by = map[evidence.SourceName]string

func run(day int, rows ...evidence.TopicRun) evidence.Run {
	return evidence.Run{ID: night(day).Format("20060102T150405Z"), Started: night(day),
		Finished: night(day).Add(time.Hour), Topics: rows}
}

func TestSourcesOverRuns(t *testing.T) {
	for _, tc := range []struct {
		name    string
		runs    []evidence.Run // the newest first
		answers []evidence.Answer
		want    Source // PubMed's
	}{
		{"it answers", []evidence.Run{run(20, row("a", by{pubmed: "ok"}), row("b", by{pubmed: "partial"}))}, nil,
			Source{Asked: night(20), LastSuccess: night(20), Topics: 2}},
		{"dead for two nights", []evidence.Run{run(20, row("a", by{pubmed: "503"})), run(19, row("a", by{pubmed: "502"})),
			run(18, row("a", by{pubmed: "ok"}))}, nil,
			Source{Asked: night(20), LastSuccess: night(18), Since: night(19), InARow: 2, Topics: 1, Failed: 1, Error: "503"}},
		{"it answers some topics", []evidence.Run{run(20, row("a", by{pubmed: "503"}), row("b", by{pubmed: "ok"})),
			run(19, row("a", by{pubmed: "503"}))}, nil,
			Source{Asked: night(20), LastSuccess: night(20), Topics: 2, Failed: 1, Error: "503"}},
		{"nights on which nobody asks it count for nothing", []evidence.Run{
			run(20, row("a", by{pubmed: "offline"})), run(19, row("b", by{local: "ok"})), run(18, row("a", by{pubmed: "503"})),
			run(17, row("a", by{pubmed: "ok"}))}, nil,
			Source{Asked: night(20), NotAsked: "offline", LastSuccess: night(17), Since: night(18), InARow: 1, Error: "503"}},
		{"it never answered", []evidence.Run{run(20, row("a", by{pubmed: "503"})), run(19, row("a", by{pubmed: "503"}))}, nil,
			Source{Asked: night(20), Since: night(19), InARow: 2, Topics: 1, Failed: 1, Error: "503"}},
		{"runs of an earlier program tell nothing, and the answer does",
			[]evidence.Run{run(20, evidence.TopicRun{Topic: "a"})},
			[]evidence.Answer{{Topic: evidence.Topic{ID: "a"},
				Searches: []evidence.Search{{Source: pubmed, LastOK: night(12)}}}},
			Source{LastSuccess: night(12)}},
		{"an import is no run of topics", []evidence.Run{{Import: "x.ris", Started: night(21)},
			run(20, row("a", by{pubmed: "ok"}))}, nil,
			Source{Asked: night(20), LastSuccess: night(20), Topics: 1}},
		{"the check of the store's papers fails", []evidence.Run{
			{Started: night(20), Sweeps: []evidence.Sweep{{Source: pubmed, Error: "503"}}},
			{Started: night(19), Sweeps: []evidence.Sweep{{Source: pubmed, Error: "502"}}},
			{Started: night(18), Sweeps: []evidence.Sweep{{Source: pubmed, Checked: 5}}},
			{Started: night(17), Sweeps: []evidence.Sweep{{Source: pubmed, Error: "500"}}}}, nil,
			Source{Checked: night(18), CheckSince: night(19), CheckError: "503"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, err := Read(fakeStore{tc.answers, tc.runs}, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			tc.want.Name = pubmed
			if diff := cmp.Diff(tc.want, h.Sources[0], cmpopts.IgnoreUnexported(Source{})); diff != "" {
				t.Errorf("PubMed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTopicsOverRuns(t *testing.T) {
	failed := func(r evidence.TopicRun) evidence.TopicRun { r.Failed = true; return r }
	answered := evidence.Answer{Topic: evidence.Topic{ID: "b", Question: "B?"}, Built: night(18),
		Counts: evidence.Counts{Unique: 7, New: 2}, Query: evidence.AcceptedQuery{Text: "b[tiab]"}}
	h, err := Read(fakeStore{[]evidence.Answer{answered}, []evidence.Run{
		run(20, failed(row("b", nil, "no source answered")), failed(row("a", nil, "unreadable"))),
		run(19, row("b", by{europe: "503"})),
		run(18, row("b", by{europe: "ok"})),
		run(17, row("b", by{europe: "503"})),
	}}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	spent := func(runs int) evidence.Usage { return evidence.Usage{Calls: runs, PromptTokens: 10 * runs} }
	want := []Topic{
		{ID: "a", Tried: night(20), Failed: true, ErrorsInARow: 1, ErrorsSince: night(20), RunErrors: []string{"unreadable"},
			Usage: spent(1), UsageOfAll: spent(1)},
		{ID: "b", Question: "B?", Built: night(18), Counts: answered.Counts, Query: Query{Text: "b[tiab]"}, Tried: night(20),
			Failed: true, ErrorsInARow: 2,
			ErrorsSince: night(19), RunErrors: []string{"no source answered"}, Usage: spent(1), UsageOfAll: spent(4)},
	}
	if diff := cmp.Diff(want, h.Topics, cmpopts.IgnoreUnexported(Topic{})); diff != "" {
		t.Errorf("topics (-want +got):\n%s", diff)
	}
}

// TestRunsThatPublishedNothingAreTold: nights on which nothing answers leave no generation, and are not to be
// overlooked.
func TestRunsThatPublishedNothingAreTold(t *testing.T) {
	published := []evidence.Run{run(18, row("a", by{pubmed: "ok"})), run(17, row("a", by{pubmed: "ok"}))}
	for _, tc := range []struct {
		name        string
		unpublished []evidence.Run
		inARow      int
	}{
		{"none", nil, 0},
		{"two nights", append([]evidence.Run{run(20, row("a", by{pubmed: "503"})), run(19, row("a", by{pubmed: "503"}))},
			published...), 2},
		{"the work that the newest generation was made of", published, 0},
		{"work that a rollback has left behind", []evidence.Run{run(16, row("a", by{pubmed: "503"}))}, 0},
	} {
		h, err := Read(fakeStore{runs: published}, tc.unpublished, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Runs) != 2+tc.inARow || h.Sources[0].InARow != tc.inARow {
			t.Errorf("%s: %d runs, %d failures in a row", tc.name, len(h.Runs), h.Sources[0].InARow)
		}
	}
}

func TestTooOld(t *testing.T) {
	const maxAge = 36 * time.Hour
	now := night(20).Add(4*time.Hour + 30*time.Minute)
	failing := row("a", nil, "down")
	failing.Failed = true
	answer := func(day int) []evidence.Answer {
		return []evidence.Answer{{Topic: evidence.Topic{ID: "a"}, Built: night(day)}}
	}
	for _, tc := range []struct {
		name    string
		offline bool
		answers []evidence.Answer
		runs    []evidence.Run
		want    string // begins the only reason; empty: none
	}{
		{"all well", false, answer(20), []evidence.Run{run(20, row("a", by{pubmed: "ok", europe: "ok"}))}, ""},
		{"one bad night", false, answer(20), []evidence.Run{run(20, row("a", by{pubmed: "503", europe: "ok"})),
			run(19, row("a", by{pubmed: "ok", europe: "ok"}))}, ""},
		{"PubMed is dead for two nights while the run publishes", false, answer(20), []evidence.Run{
			run(20, row("a", by{pubmed: "503", europe: "ok"})), run(19, row("a", by{pubmed: "503", europe: "ok"})),
			run(18, row("a", by{pubmed: "ok", europe: "ok"}))},
			"pubmed last answered a topic 2 days ago (503)"},
		{"a source that never answered", false, answer(20), []evidence.Run{run(20, row("a", by{pubmed: "503"})),
			run(18, row("a", by{pubmed: "503"}))}, "pubmed never answered a topic (503)"},
		{"a source that is asked for the first time, and is down", false, answer(20),
			[]evidence.Run{run(20, row("a", by{pubmed: "503"}))}, ""},
		{"a topic asks a source every week", false, answer(20), []evidence.Run{run(20, row("a", by{europe: "ok"})),
			run(15, row("b", by{pubmed: "ok"}))}, ""},
		{"nights that are kept offline by mistake", false, answer(20),
			[]evidence.Run{run(20, row("a", by{pubmed: "offline"})), run(17, row("a", by{pubmed: "ok"}))},
			"pubmed last answered a topic 3 days ago (offline)"},
		{"nights that are kept offline by the configuration", true, answer(20),
			[]evidence.Run{run(20, row("a", by{pubmed: "offline"})), run(17, row("a", by{pubmed: "ok"}))}, ""},
		{"a machine without a way out", false, answer(20),
			[]evidence.Run{run(20, row("a", by{pubmed: "offline", local: "ok"})),
				run(17, row("a", by{pubmed: "offline", local: "ok"}))}, ""},
		{"a topic fails for three nights while others are answered", false, answer(17), []evidence.Run{run(20, failing),
			run(19, failing), run(18, failing)},
			"topic a last was answered 3 days ago (down)"},
		{"a topic that nobody runs any more", false, answer(3), []evidence.Run{run(20, row("b", by{europe: "ok"})),
			run(3, row("a", by{europe: "ok"}))}, ""},
		{"retractions are not checked", false, answer(20), []evidence.Run{
			{Started: night(20), Sweeps: []evidence.Sweep{{Source: pubmed, Error: "503"}}},
			{Started: night(18), Sweeps: []evidence.Sweep{{Source: pubmed}}}},
			"retractions: pubmed last said what became of the store's papers 2 days ago (503)"},
		{"a clock that was put back", false, answer(20), []evidence.Run{run(20, row("a", by{pubmed: "503"})),
			run(25, row("a", by{pubmed: "ok"}))},
			"pubmed last answered a topic at a time ahead of this machine's clock (503)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, err := Read(fakeStore{tc.answers, tc.runs}, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			why := h.Overdue(now, maxAge, !tc.offline)
			if tc.want == "" && len(why) > 0 || tc.want != "" && (len(why) != 1 || !strings.HasPrefix(why[0], tc.want)) {
				t.Errorf("too old: %q; want %q", why, tc.want)
			}
		})
	}
}
