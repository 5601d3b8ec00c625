package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/command"
	"dossier/internal/config"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/writing"
	"dossier/internal/marks"
	"dossier/internal/render"
	"dossier/internal/store"
)

var now = time.Date(2026, 3, 1, 2, 30, 0, 0, time.UTC)

const topicID = "kras-g12c-crc"

func paper(pmid, doi, title, abstract string) evidence.Record {
	return evidence.Record{
		ID: "PMID:" + pmid, Title: title, Date: "2025-06", Abstract: []evidence.Section{{Text: abstract}},
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: pmid}, {Kind: evidence.DOI, Value: doi}},
		MeSH:        []evidence.Heading{{Name: "Colorectal Neoplasms"}},
		Origins:     []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid, Fetched: now}},
	}
}

// papers are what the store has. The last two are kept apart under one DOI.
func papers() []evidence.Record {
	return []evidence.Record{
		paper("99000001", "10.5555/a", "Sotorasib in KRAS G12C colorectal cancer", "The response rate doubled."),
		paper("99000002", "10.5555/b", "Adagrasib and cetuximab", "A colorectal cohort."),
		paper("99000003", "10.5555/c", "A register of strokes", "Nothing of tumours."),
		paper("99000004", "10.5555/c", "Another paper under that DOI", "It contradicts the one before."),
	}
}

// newReader is a reader without a store, for the reason that is missing.
func newReader(t *testing.T, missing error) *Reader {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.Offline = t.TempDir(), true
	return New(&command.App{Streams: command.Streams{Texts: writing.Texts{}}, Config: cfg,
		User: store.ProcessUser(), Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}, nil, missing)
}

// stocked is a reader of a store of the papers, of which a topic's answer has the first two.
func stocked(t *testing.T) *Reader {
	t.Helper()
	d := newReader(t, store.ErrNoStore)
	w, err := d.App.BeginStore(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	run := evidence.Run{ID: "20260301T023000Z", Started: now, Finished: now}
	answer := evidence.Answer{
		Topic: evidence.Topic{ID: topicID, Question: "KRAS G12C colorectal cancer"}, Run: run.ID, Built: now,
		Assessments: []evidence.Assessment{{Record: "PMID:99000002", Score: 6, Passed: true},
			{Record: "PMID:99000001", Score: 9, Passed: true}},
	}
	batch := evidence.Batch{SourceRecords: papers(), Answers: []evidence.Answer{answer}, Run: &run}
	for _, r := range papers() {
		batch.Put = append(batch.Put, evidence.Merged{Record: r, Members: []string{r.Origins[0].Key()}, New: true})
	}
	err = w.Commit(t.Context(), batch)
	if err == nil {
		_, err = w.Publish(t.Context())
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	reader, err := d.App.OpenStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	return d.On(reader, nil)
}

// isCode reports whether an error is told with an exit code.
func isCode(err error, code int) bool {
	exit, ok := errors.AsType[*command.ExitError](err)
	return ok && exit.Code == code
}

// wait has a live answer with the first paper wait in the reader's inbox, and gives its topic.
func wait(t *testing.T, d *Reader) string {
	t.Helper()
	topic := evidence.Topic{ID: evidence.LiveTopicID("sotorasib"), Question: "sotorasib"}
	err := store.PutInbox(d.App.Config.Data, evidence.InboxAnswer{SourceRecords: papers()[:1],
		Answer: evidence.Answer{Topic: topic, Built: now,
			Assessments: []evidence.Assessment{{Record: "PMID:99000001", Score: 9, Passed: true}}}})
	if err != nil {
		t.Fatal(err)
	}
	return topic.ID
}

// TestWhatIsNotThere: without a store, what was fetched live makes up for it where it can. Nothing makes up for a store
// that is damaged.
func TestWhatIsNotThere(t *testing.T) {
	damage := errors.New("a page of the file is damaged")
	for _, tt := range []struct {
		name     string
		question func(ctx context.Context, d *Reader, topic string) error
		live     bool // what waits in the inbox can answer it
	}{
		{"topics", func(ctx context.Context, d *Reader, _ string) error { _, _, err := d.Topics(ctx); return err }, true},
		{"a record", func(ctx context.Context, d *Reader, _ string) error {
			_, _, err := d.Record(ctx, "PMID:99000001")
			return err
		}, true},
		{"a search", func(ctx context.Context, d *Reader, _ string) error {
			_, err := d.Search(ctx, "sotorasib", fulltext.Request{Text: "sotorasib", Limit: 1})
			return err
		}, true},
		{"a topic's records", func(ctx context.Context, d *Reader, topic string) error {
			_, _, err := d.Items(ctx, topic)
			return err
		}, true},
		{"all records", func(ctx context.Context, d *Reader, _ string) error {
			_, _, err := d.Items(ctx, "")
			return err
		}, false},
		{"retired topics", func(_ context.Context, d *Reader, _ string) error {
			_, err := d.RetiredTopics()
			return err
		}, false},
		{"full text", func(ctx context.Context, d *Reader, _ string) error {
			_, err := d.FullText(ctx, &papers()[0], "all", "")
			return err
		}, false},
		{"what changed", func(ctx context.Context, d *Reader, _ string) error {
			_, err := d.Changes(ctx, Since{})
			return err
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			none, damaged := newReader(t, store.ErrNoStore), newReader(t, damage)
			if err := tt.question(t.Context(), none, "sotorasib"); !errors.Is(err, store.ErrNoStore) {
				t.Errorf("without a store: %v", err)
			}
			if err := tt.question(t.Context(), none, wait(t, none)); (err == nil) != tt.live {
				t.Errorf("with a live answer in the place of a store: %v", err)
			}
			if err := tt.question(t.Context(), damaged, wait(t, damaged)); !errors.Is(err, damage) {
				t.Errorf("before a damaged store: %v", err)
			}
		})
	}
}

// TestRecord finds a record under each of its names.
func TestRecord(t *testing.T) {
	d := stocked(t)
	for _, tt := range []struct {
		name, asked, want string
		code              int
	}{
		{"its id", "PMID:99000001", "PMID:99000001", 0},
		{"a bare PMID", "99000001", "PMID:99000001", 0},
		{"its DOI", "10.5555/b", "PMID:99000002", 0},
		{"a DOI's address", "https://doi.org/10.5555/B", "PMID:99000002", 0},
		{"the address of PubMed's page", "https://pubmed.ncbi.nlm.nih.gov/99000002/", "PMID:99000002", 0},
		{"a DOI that two have", "10.5555/c", "", command.ExitUsage},
		{"a paper that the store lacks", "99000009", "", command.ExitNothing},
		{"no identifier", "sotorasib", "", command.ExitUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			it, _, err := d.Record(t.Context(), tt.asked)
			switch {
			case tt.code != 0 && !isCode(err, tt.code):
				t.Errorf("error %v, want one of code %d", err, tt.code)
			case tt.code == 0 && (err != nil || it.Record.ID != tt.want):
				t.Errorf("%+v, %v; want %s", it.Record, err, tt.want)
			}
		})
	}
}

// TestSearch says beside what is found how the words were read, and which of them nothing has.
func TestSearch(t *testing.T) {
	d := stocked(t)
	for _, tt := range []struct {
		name, text string
		want       []string
		warnings   string
	}{
		{"words", "sotorasib", []string{"PMID:99000001"}, ""},
		{"a boolean query", "cetuximab AND adagrasib", []string{"PMID:99000002"}, ""},
		{"a term that nothing has", "cetuximab AND panitumumab", nil, "no record here has panitumumab"},
		{"small operators that find nothing are words", "strokes and cetuximab",
			[]string{"PMID:99000002", "PMID:99000003"}, "with these operators nothing is found"},
		{"a heading by another name", `"colorectal cancer"[mh]`,
			[]string{"PMID:99000001", "PMID:99000002", "PMID:99000003", "PMID:99000004"},
			"the dictionary's heading for it, Colorectal Neoplasms"},
		{"nothing", "glioblastoma", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options := SearchOptions{Limit: 10}
			req, _, err := options.Request(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			found, err := d.Look(t.Context(), &options, tt.text, req)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, hit := range found.Hits {
				ids = append(ids, hit.Record.ID)
			}
			slices.Sort(ids)
			if diff := cmp.Diff(tt.want, ids); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if wording := strings.Join(found.Warnings, "\n"); !strings.Contains(wording, tt.warnings) {
				t.Errorf("warnings %q, want %q", wording, tt.warnings)
			}
		})
	}
}

// TestSearchOptions: readers write names as a shell lets them, and a name that no record can have is refused with those
// that there are.
func TestSearchOptions(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options SearchOptions
		want    fulltext.Filter
		refused string
	}{
		{"a design with hyphens", SearchOptions{Designs: []string{"Single-Arm-Trial"}},
			fulltext.Filter{Designs: []string{"single-arm trial"}}, ""},
		{"a source in another case", SearchOptions{Sources: []string{"PubMed"}},
			fulltext.Filter{Sources: []string{"pubmed"}}, ""},
		{"a country by its code", SearchOptions{Countries: []string{"de"}},
			fulltext.Filter{Countries: []string{"Germany"}}, ""},
		{"years", SearchOptions{From: 2020, To: 2024}, fulltext.Filter{YearFrom: 2020, YearTo: 2024}, ""},
		{"trials", SearchOptions{Trials: true}, fulltext.Filter{Kind: fulltext.Trials}, ""},
		{"papers", SearchOptions{Papers: true}, fulltext.Filter{Kind: fulltext.Papers}, ""},
		{"nothing at all", SearchOptions{}, fulltext.Filter{}, "nothing to look for"},
		{"no design", SearchOptions{Designs: []string{"poll"}}, fulltext.Filter{}, `--design "poll"`},
		{"no order", SearchOptions{Sort: "oldest", Papers: true}, fulltext.Filter{}, "--sort"},
		{"no country", SearchOptions{Countries: []string{"Atlantis"}}, fulltext.Filter{}, "--country"},
		{"trials and papers", SearchOptions{Trials: true, Papers: true}, fulltext.Filter{}, "exclude each other"},
		{"years the other way round", SearchOptions{From: 2024, To: 2020}, fulltext.Filter{}, "--from 2024 is after"},
		{"too many", SearchOptions{Papers: true, Limit: maxHits + 1}, fulltext.Filter{}, "--limit"},
		{"before the first", SearchOptions{Papers: true, Offset: -1}, fulltext.Filter{}, "--offset"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req, _, err := tt.options.Request("")
			if tt.refused != "" {
				if !isCode(err, command.ExitUsage) || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("error %v, want one of %s", err, tt.refused)
				}
				return
			}
			if diff := cmp.Diff(tt.want, req.Filter); diff != "" || err != nil {
				t.Errorf("%v, filter (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestParseSince reads since when changes are told.
func TestParseSince(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Since
		ok   bool
	}{
		{"", Since{}, true},
		{"last-report", Since{LastReport: true}, true},
		{"42", Since{Generation: 42}, true},
		{"2026-02-03", Since{Time: time.Date(2026, 2, 3, 0, 0, 0, 0, time.Local)}, true},
		{"2026-02-03T04:05:06Z", Since{Time: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)}, true},
		{"0", Since{}, false},
		{"-1", Since{}, false},
		{"2026-02-30", Since{}, false},
		{"yesterday", Since{}, false},
	} {
		got, err := ParseSince(tt.text)
		if got != tt.want || (err == nil) != tt.ok || err != nil && !isCode(err, command.ExitUsage) {
			t.Errorf("%q: %+v, %v", tt.text, got, err)
		}
	}
}

// TestExport gives each record once in every format, the topic's alone where one is named.
func TestExport(t *testing.T) {
	d := stocked(t)
	for topic, want := range map[string]int{"": len(papers()), topicID: 2} {
		for _, format := range ExportFormats() {
			items, _, err := d.Items(t.Context(), topic)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := Export(&out, d.WithFamilies(items), topic, 1, format); err != nil {
				t.Errorf("%s: %v", format, err)
			}
			for i, r := range papers() {
				if n := strings.Count(out.String(), r.Title); i < want != (n > 0) {
					t.Errorf("topic %q as %s holds %q %d times:\n%s", topic, format, r.Title, n, out.String())
				}
			}
		}
	}
	if _, _, err := d.Items(t.Context(), "none"); !isCode(err, command.ExitNothing) {
		t.Errorf("an unknown topic: %v", err)
	}
}

// TestMark keeps what a reader decides of a record that the topic has, and says what would be right where it has none.
func TestMark(t *testing.T) {
	d := stocked(t)
	for _, tt := range []struct {
		name string
		mark marks.Mark
		want string // the record, or with "!" before it a part of the error
	}{
		{"by its id", marks.Mark{Topic: topicID, Record: "PMID:99000001"}, "PMID:99000001"},
		{"by its DOI", marks.Mark{Topic: topicID, Record: "10.5555/b"}, "PMID:99000002"},
		{"a record of no answer", marks.Mark{Topic: topicID, Record: "PMID:99000003"},
			"!its best are PMID:99000001, PMID:99000002"},
		{"an unknown topic", marks.Mark{Topic: "none", Record: "PMID:99000001"}, "!there are " + topicID},
		{"a conflict that is none", marks.Mark{Topic: topicID, Record: "PMID:99000001", Settles: true},
			"!nothing to settle"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.mark.Reader, tt.mark.Decision = "anna", marks.Keep
			record, err := d.Mark(t.Context(), tt.mark)
			problem, isRefused := strings.CutPrefix(tt.want, "!")
			switch {
			case isRefused && (err == nil || !strings.Contains(err.Error(), problem)):
				t.Errorf("error %v, want one of %s", err, problem)
			case !isRefused && (err != nil || record.ID != tt.want):
				t.Errorf("%+v, %v; want %s", record, err, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		name    string
		options MarkedOptions
		want    []string
	}{
		{"those with marks", MarkedOptions{Reader: "anna"}, []string{"PMID:99000001", "PMID:99000002"}},
		{"those that nobody has decided", MarkedOptions{Verdict: string(evidence.VerdictExcluded), All: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			marked, _, err := d.Marked(t.Context(), topicID, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, m := range marked.Records {
				ids = append(ids, m.Item.Record.ID)
			}
			if diff := cmp.Diff(tt.want, ids); diff != "" {
				t.Errorf("marked (-want +got):\n%s", diff)
			}
		})
	}
	if _, _, err := d.Marked(t.Context(), topicID, MarkedOptions{Verdict: "maybe"}); !isCode(err, command.ExitUsage) {
		t.Errorf("an unknown verdict: %v", err)
	}
}

// TestGiven says where nothing was imported that could be held against a question.
func TestGiven(t *testing.T) {
	d := stocked(t)
	for name, find := range map[string]func(string) (*render.Held, error){
		"import-approvals": d.Approvals, "import-curated": d.Interpretations,
	} {
		for _, question := range []string{topicID, "sotorasib in KRAS G12C colorectal cancer"} {
			if _, err := find(question); !isCode(err, command.ExitNothing) || !strings.Contains(fmt.Sprint(err), name) {
				t.Errorf("%q: %v", question, err)
			}
		}
	}
}
