package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"

	"dossier/internal/answer"
	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/lexicon"

	plaintext "dossier/internal/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hostile is a text that means something to every output form.
const hostile = "=HYPERLINK(\"x\") <script>alert(1)</script> | `code` ](javascript:alert(1)) \x1b[31mred\x1b[0m \u202egnp.exe \u200bzero *bold*"

func id(kind evidence.IDKind, value string) evidence.Identifier {
	return evidence.Identifier{Kind: kind, Value: value}
}

func paper(pmid, title string, bucket evidence.Bucket, score float64) evidence.Item {
	return evidence.Item{
		Record: &evidence.Record{
			ID: "PMID:" + pmid, Identifiers: []evidence.Identifier{id(evidence.PMID, pmid), id(evidence.DOI, "10.5555/d"+pmid),
				id(evidence.DOI, "10.5555/second")},
			Origins: []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid}}, Title: title,
			Abstract: []evidence.Section{{Label: "RESULTS", Text: "Response rate was 41%."}, {Text: "This record is invented."}},
			Authors:  []evidence.Author{{Family: "Marrowby", Initials: "Q"}, {Collective: "Invented Group"}},
			Journal: evidence.Journal{Title: "Invented Journal of Oncology", Abbreviation: "Inv J Oncol", Volume: "3",
				Pages: "1-9"},
			Date: "2024-03", PublicationTypes: []evidence.PublicationType{{Name: "Journal Article", UI: "D016428"}},
			MeSH: []evidence.Heading{{Name: "Colorectal Neoplasms", UI: "D015179"}}, CitedBy: 12,
			Retraction: evidence.Retraction{Status: evidence.No, Source: "pubmed", Checked: "2026-11-01"},
		},
		Assessment: &evidence.Assessment{
			Score: score, ScoreSource: evidence.ScoreRules, Criteria: []string{"colorectal cancer", "KRAS G12C"},
			KeyFindings: "Response rate was 41%.", Layer: 1,
			Fit: evidence.Fit{Directness: evidence.Direct, Slots: []evidence.SlotFit{
				{Slot: evidence.SlotTumour, Asked: "colorectal cancer", Met: evidence.MetWhole, Seen: "colon cancer",
					Where: evidence.InTitle},
			}},
			Bucket: bucket, BucketSource: evidence.BucketFromXML, Design: evidence.DesignRandomised, Passed: true,
			Relevant: true,
		},
	}
}

func exampleAnswer() *Answer {
	retracted := paper("99000004", "A study that was taken back", evidence.RCT, 9)
	retracted.Record.Retraction = evidence.Retraction{Status: evidence.Yes, Source: "pubmed", Checked: "2026-10-02",
		Notice: id(evidence.PMID, "99000005")}
	retracted.Record.Links = []evidence.Link{{Relation: evidence.RetractedBy, Target: id(evidence.PMID, "99000005"),
		Citation: "Inv J Oncol 2025;4:1", Source: "pubmed"}}
	retracted.Record.Curated = append(exampleCurated()[:1], evidence.CuratedStatement{
		Source: "civic", ID: "EID90009", PMID: "99000004", Profile: hostile, Disease: hostile, Therapies: []string{hostile,
			hostile}, Interaction: hostile,
		Type: hostile, Direction: hostile, Level: "E", Significance: hostile, Statement: hostile, Status: "submitted",
		Flagged: true,
		URL:     "https://civicdb.org/links/evidence_items/90009?x=(<y>)", FileDate: "2026-11-01",
	})
	trial := evidence.Item{Record: &evidence.Record{
		ID: "NCT:NCT99000001", Identifiers: []evidence.Identifier{id(evidence.NCT, "NCT99000001")},
		Title:   "A trial of an invented inhibitor",
		Origins: []evidence.Origin{{Source: evidence.SourceClinicalTrials, ID: "NCT99000001"}},
		Trial: &evidence.Trial{Status: "NOT_YET_RECRUITING", Phases: []string{"PHASE1", "PHASE2"},
			Sites: []evidence.Site{{Country: "Germany"}, {Country: "Austria"}}, LastVerified: "2026-09"},
	}}
	first := paper("99000001",
		"Sotorasib with panitumumab in colorectal cancer: a randomised study whose title is long enough to need a second line", evidence.RCT, 9.5)
	first.Record.Curated = exampleCurated()
	put := evidence.PutForward{Source: "civic", Statement: "EID90002", Level: "B", Direction: evidence.SpeaksAgainst,
		By: 1, Judged: 8.5, Passed: true}
	first.Assessment.PutForward, first.Assessment.Criteria = &put, append(first.Assessment.Criteria, put.Criterion())
	untitled := paper("99000003", "", evidence.CaseReport, 5.5)
	hostilePaper := paper("99000002", hostile, evidence.Observational, 6)
	near := paper("99000006", "Regorafenib in colon cancer", evidence.RCT, 3.2)
	hostilePaper.Assessment.Fit = evidence.Fit{Directness: evidence.Partly, Slots: []evidence.SlotFit{
		{Slot: evidence.SlotTreatment, Asked: "sotorasib", Met: evidence.MetInPart, Seen: hostile, Where: evidence.InTitle},
		{Slot: evidence.SlotSetting, Asked: "resistance", Met: evidence.MetSilent},
	}}
	near.Assessment.Passed, near.Assessment.Fit = false, evidence.Fit{Directness: evidence.Indirect,
		Slots: []evidence.SlotFit{{Slot: evidence.SlotTreatment, Asked: "sotorasib", Met: evidence.MetSilent}}}
	untitled.Assessment.TitleOnly = true
	untitled.Record.Abstract, untitled.Record.Preprint = nil, true
	return &Answer{
		Question: "KRAS G12C colorectal cancer resistance", Origin: answer.FromTopic, Generation: 7, Age: 31 * time.Hour,
		Stale:    true,
		Warnings: []string{"This answer is older than store.stale_after (7d)."}, Understood: exampleUnderstood(),
		Near: exampleNear(),
		Answer: &evidence.Answer{
			Topic: evidence.Topic{ID: "kras-g12c-crc"}, Built: time.Date(2026, 11, 19, 2, 30, 0, 0, time.UTC),
			Screening: "rules",
			Query: evidence.AcceptedQuery{Text: `"colorectal cancer"[tiab] AND "KRAS G12C"[tiab]`, Layer: 3, By: "rules",
				LeftOut: []string{"sotorasib", "KRAS G12C, asked as KRAS"}},
			Searches: []evidence.Search{
				{Source: evidence.SourcePubMed, Status: evidence.SearchOK, Query: "q", Hits: 40, Found: 30, Fetched: 4,
					At: time.Date(2026, 11, 19, 2, 30, 0, 0, time.UTC)},
				{Source: evidence.SourceOpenAlex, Status: evidence.SearchSkipped, Error: "out of budget",
					Hint: "wait until tomorrow", LastOK: time.Date(2026, 11, 17, 2, 30, 0, 0, time.UTC)},
			},
			Assessments: []evidence.Assessment{*first.Assessment, *near.Assessment},
			Counts: evidence.Counts{Found: 34, Unique: 30, Merged: 4, Screened: 25, ByRules: 25, Passed: 9, Direct: 2,
				Sampled: 3, Trials: 1, NotEvidence: 3, Retracted: 1, PutForward: 1},
		},
		Sample:  []evidence.Item{first, hostilePaper, untitled},
		Nearest: []evidence.Item{near},
		Trials:  []evidence.Item{trial},
		Removed: []evidence.Item{retracted},
	}
}

// asked has wide characters, a correction, a word that nothing knows, and a filler twice.
const asked = "Is is osimertinb or KRAS G12C good in 结直肠癌 CRC, HER2-low, TMB-high, long COVID, first-line, xylophone кашель?"

// at finds a part of asked.
func at(words string) lexicon.Part {
	start := strings.Index(asked, words)
	return lexicon.Part{Text: words, Start: start, End: start + len(words)}
}

func exampleQuestion() *lexicon.Question {
	return &lexicon.Question{
		Text: asked,
		Tumours: []lexicon.Concept{{Part: at("CRC"), Name: "colorectal cancer", Site: "colorectum", Type: "carcinoma",
			Status: lexicon.Present}},
		Conditions: []lexicon.Concept{{Part: at("long COVID"), Name: "post-acute COVID-19 syndrome", Status: lexicon.Absent}},
		Alterations: []lexicon.Alteration{
			{Part: at("KRAS G12C"), Gene: "KRAS", Kind: lexicon.NamedChange, Change: "G12C", Origin: "somatic",
				Status: lexicon.Present, Either: 1},
			{Part: at("HER2-low"), Gene: "ERBB2", Kind: lexicon.Expression, Change: "low", Status: lexicon.Present},
		},
		Biomarkers: []lexicon.Biomarker{{Part: at("TMB-high"), Name: "TMB", Level: "high", Status: lexicon.Present}},
		Drugs:      []lexicon.Drug{{Part: at("osimertinb"), Name: "osimertinib", Known: true, Role: lexicon.Prior}},
		Setting: []lexicon.Circumstance{{Part: at("first-line"), Aspect: "line", Value: "first-line",
			Status: lexicon.Present}},
		Words: []lexicon.Word{
			{Part: at("xylophone"), Key: "xylophone"}, {Part: at("кашель"), Key: "кашель", Language: "Cyrillic script"},
		},
		Dropped: []lexicon.Dropped{
			{Part: at("Is"), Why: "a question word"}, {Part: at("is"), Why: "a question word"},
			{Part: at("or"), Why: "a question word"},
			{Part: at("good"), Why: "a filler"}, {Part: at("in"), Why: "a question word"},
			{Part: at("结直肠癌"), Why: "said already by CRC"},
		},
		Corrected: []lexicon.Correction{{Part: at("osimertinb"), To: "osimertinib"}},
		Warnings:  []string{"The question says that KRAS is mutated and that it is not."},
	}
}

func exampleUnderstood() answer.Understood {
	return answer.NewUnderstood(exampleQuestion(), func(c *lexicon.Concept) []string {
		if c.Name == "colorectal cancer" {
			return []string{"bowel cancer", "cancer"}
		}
		return nil
	})
}

func exampleNear() []answer.Near {
	return []answer.Near{
		{Topic: "kras-g12d-crc", Question: "KRAS G12D colorectal cancer", Differs: []lexicon.Difference{{Slot: "alterations",
			Asked: []string{"KRAS G12C"}, Stored: []string{"KRAS G12D"}}}},
		{Topic: "crc", Question: "colorectal cancer", Differs: []lexicon.Difference{{Slot: "alterations",
			Asked: []string{"KRAS G12C"}}, {Slot: "drugs", Asked: []string{"osimertinib"}}}},
	}
}

func exampleExplanation() *Explanation {
	const query = `"colorectal cancer"[tiab] AND "KRAS G12C"[tiab]`
	return &Explanation{
		Question: asked, Key: "tumours=colorectal cancer|alterations=KRAS G12C", Topic: "asked-1",
		Understood: exampleUnderstood(), Near: exampleNear(), Model: "a-model",
		Queries: []answer.LayerQueries{
			{Layer: 1, Query: query, BySource: map[string]string{"pubmed": query, "local": query,
				"clinicaltrials": "query.cond=\"colorectal cancer\""}, Notes: []string{"openalex: not asked: too long"}},
			{Layer: 4, Query: `"KRAS G12C"[tiab]`, BySource: map[string]string{"pubmed": `"KRAS G12C"[tiab]`}},
		},
	}
}

func exampleSearch() *Search {
	one := paper("99000001", "One", evidence.RCT, 9.5)
	one.Record.Curated = exampleCurated()
	return &Search{Query: hostile, Generation: 7, Total: 2,
		Hits:   []Hit{{one, 3.25}, {evidence.Item{Record: paper("99000002", hostile, "", 0).Record}, 1}},
		Facets: []Facet{{Name: "bucket", Counts: []FacetCount{{"rct", 1}, {hostile, 1}}}}}
}

func exampleTopics() []Topic {
	built := time.Date(2026, 11, 19, 2, 30, 0, 0, time.UTC)
	return []Topic{{Stale: true, Topic: health.Topic{
		ID:       "kras-g12c-crc",
		Question: "KRAS G12C colorectal cancer resistance SHP2 SOS1 inhibitor and a few more words so that it wraps",
		Built:    built, Counts: evidence.Counts{Found: 34, New: 2, Passed: 9, Sampled: 3},
		Query:   health.Query{Text: "KRAS[tiab]", Layer: 2, By: "rules"},
		Trouble: []string{"openalex skipped: out of budget"}, Tried: built.AddDate(0, 0, 2), Failed: true, ErrorsInARow: 2,
		ErrorsSince: built.AddDate(0, 0, 1), RunErrors: []string{"no source answered: " + hostile},
		Usage: evidence.Usage{Calls: 2, PromptTokens: 900, CompletionTokens: 100}, UsageOfAll: evidence.Usage{Calls: 4,
			PromptTokens: 1800, CompletionTokens: 200},
	}}}
}

var healthNow = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

func exampleHealth() health.Health {
	night := func(day int) time.Time { return time.Date(2026, 11, day, 2, 30, 0, 0, time.UTC) }
	return health.Health{
		Topics: []health.Topic{
			exampleTopics()[0].Topic,
			{ID: "never-answered-and-of-a-name-that-is-longer-than-its-column", Tried: night(21), Failed: true, ErrorsInARow: 1,
				RunErrors: []string{"unreadable"}},
			{ID: "one-bad-night", Built: night(21), Counts: evidence.Counts{Unique: 7}, ErrorsInARow: 1,
				Trouble: []string{"pubmed failed: 503"},
				Usage:   evidence.Usage{Calls: 1, Cost: 0.25}},
		},
		Sources: []health.Source{
			{Name: evidence.SourcePubMed, Asked: night(21), LastSuccess: night(19), Since: night(20), InARow: 2, Topics: 3,
				Failed: 3, Error: hostile, CheckSince: night(20), CheckError: "503"},
			{Name: evidence.SourceEuropePMC, Asked: night(21), LastSuccess: night(21), Topics: 3, Failed: 1, Error: "504"},
			{Name: evidence.SourceOpenAlex, Asked: night(21), NotAsked: "offline"},
		},
	}
}

func exampleRun() evidence.Run {
	begun := time.Date(2026, 11, 19, 2, 30, 0, 0, time.UTC)
	return evidence.Run{
		ID: "20261119T023000Z", Started: begun, Finished: begun.Add(90 * time.Second), Generation: 8,
		Notes: []string{"topic other was corrected: " + hostile},
		Topics: []evidence.TopicRun{
			{Topic: "kras-g12c-crc", Counts: exampleAnswer().Answer.Counts, Seconds: 12.34, Usage: evidence.Usage{Calls: 2,
				PromptTokens: 5000, CompletionTokens: 900, Cost: 0.0123}},
			{Topic: "a-topic-that-failed", Failed: true, Seconds: 30, Errors: []string{"no source answered: " + hostile}},
		},
		Sweeps: []evidence.Sweep{
			{Source: evidence.SourcePubMed, Checked: 1200, Changed: 3, Left: 40},
			{Source: evidence.SourceOpenAlex, Error: "out of budget", Hint: "wait until tomorrow"},
		},
	}
}

// liveForms are what is shown of the inbox: a colleague's answer, and one whose owner has a name that is all signs.
type liveForms struct {
	answer *Answer
	search *Search
	record evidence.Item
	topics []Topic
}

func exampleLive() liveForms {
	fetched := time.Date(2026, 11, 20, 8, 15, 0, 0, time.UTC)
	mine := &evidence.Live{Topic: "asked-0011223344556677", Owner: "anna", Fetched: fetched, Vouched: true}
	theirs := &evidence.Live{Topic: "asked-7766554433221100", Owner: hostile, Fetched: fetched}
	f := liveForms{answer: exampleAnswer(), search: exampleSearch(), record: paper("99000006", "Fetched live",
		evidence.RCT, 7)}
	f.answer.Origin, f.answer.Generation, f.answer.Live, f.answer.Stale = answer.FromInbox, 0, mine, false
	f.answer.Answer.Topic.ID, f.answer.Warnings = mine.Topic, nil
	f.answer.Sample[1].Live = mine
	f.record.Live = theirs
	f.search.Live, f.search.LiveTotal = []Hit{{f.record, 2.5}}, 3
	f.topics = append(exampleTopics(), Topic{Live: mine, Topic: health.Topic{
		ID: mine.Topic, Question: "BRAF V600E melanoma", Built: fetched, Counts: evidence.Counts{Found: 5, Passed: 2,
			Sampled: 2},
	}}, Topic{Live: theirs, Topic: health.Topic{ID: theirs.Topic, Question: hostile, Built: fetched}})
	return f
}

func TestForms(t *testing.T) {
	a, s, topics, term := exampleAnswer(), exampleSearch(), exampleTopics(), Terminal{Width: 80}
	e, allQueries := exampleExplanation(), exampleAnswer()
	allQueries.AllQueries = true
	miss := &Miss{Question: asked, Understood: exampleUnderstood(), Near: exampleNear(), Nearest: a.Nearest,
		Warnings: []string{"The inbox can't be read."}}
	record, live := a.Removed[0], exampleLive()
	for _, tc := range []struct {
		golden string
		write  func(io.Writer) error
	}{
		{"answer.table", func(w io.Writer) error { return a.Table(w, term) }},
		{"answer.styled.table", func(w io.Writer) error { return a.Table(w, Terminal{Width: 80, Styled: true}) }},
		{"answer.json", a.JSON},
		{"answer.markdown", a.Markdown},
		{"answer.csv", a.CSV},
		{"answer.verbose.table", func(w io.Writer) error { return allQueries.Table(w, term) }},
		{"explanation.page", func(w io.Writer) error { return e.Page(w, term) }},
		{"explanation.json", e.JSON},
		{"explanation.jsonl", e.JSONLine},
		{"miss.json", miss.JSON},
		{"miss.table", func(w io.Writer) error { return miss.Table(w, term) }},
		{"answer.jsonl", a.JSONLines},
		{"search.jsonl", s.JSONLines},
		{"topics.jsonl", func(w io.Writer) error { return TopicsJSONLines(w, topics) }},
		{"search.table", func(w io.Writer) error { return s.Table(w, term) }},
		{"search.json", s.JSON},
		{"search.markdown", s.Markdown},
		{"search.csv", s.CSV},
		{"record.table", func(w io.Writer) error { return RecordTable(w, term, record) }},
		{"record.json", func(w io.Writer) error { return RecordJSON(w, record, 7) }},
		{"record.jsonl", func(w io.Writer) error { return JSONLine(w, record) }},
		{"record.markdown", func(w io.Writer) error { return RecordMarkdown(w, record) }},
		{"record.csv", func(w io.Writer) error { return RecordCSV(w, record) }},
		{"run.table", func(w io.Writer) error { return RunTable(w, term, exampleRun()) }},
		{"run.json", func(w io.Writer) error { return RunJSON(w, exampleRun()) }},
		{"topics.table", func(w io.Writer) error { return TopicsTable(w, term, topics) }},
		{"health.table", func(w io.Writer) error { return HealthTable(w, term, exampleHealth(), healthNow, true) }},
		{"topics.json", func(w io.Writer) error { return TopicsJSON(w, topics, 7) }},
		{"topics.markdown", func(w io.Writer) error { return TopicsMarkdown(w, topics) }},
		{"topics.csv", func(w io.Writer) error { return TopicsCSV(w, topics) }},
		{"live.answer.table", func(w io.Writer) error { return live.answer.Table(w, term) }},
		{"live.answer.json", live.answer.JSON},
		{"live.answer.csv", live.answer.CSV},
		{"live.search.table", func(w io.Writer) error { return live.search.Table(w, term) }},
		{"live.search.json", live.search.JSON},
		{"live.search.jsonl", live.search.JSONLines},
		{"live.search.markdown", live.search.Markdown},
		{"live.record.table", func(w io.Writer) error { return RecordTable(w, term, live.record) }},
		{"live.topics.table", func(w io.Writer) error { return TopicsTable(w, term, live.topics) }},
		{"live.topics.json", func(w io.Writer) error { return TopicsJSON(w, live.topics, 7) }},
		{"live.topics.markdown", func(w io.Writer) error { return TopicsMarkdown(w, live.topics) }},
		{"live.topics.csv", func(w io.Writer) error { return TopicsCSV(w, live.topics) }},
	} {
		t.Run(tc.golden, func(t *testing.T) {
			var got bytes.Buffer
			if err := tc.write(&got); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tc.golden+".golden")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("differs from %s (-want +got); run with -update if it should:\n%s", path, diff)
			}
		})
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		var got bytes.Buffer
		if err := errors.Join(exampleAnswer().Table(&got, Terminal{Width: width}), exampleExplanation().Page(&got,
			Terminal{Width: width})); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(got.String(), "\n") {
			if n := text.StringWidth(line); n > width {
				t.Errorf("at %d columns a line has %d: %s", width, n, line)
			}
		}
	}
}

func TestTerminalOutputHoldsNoEscapeOfAStranger(t *testing.T) {
	var got bytes.Buffer
	a := exampleAnswer()
	a.Question, a.Warnings = hostile, []string{hostile}
	q := lexicon.Question{
		Text: plaintext.Line(hostile), Words: []lexicon.Word{{Part: lexicon.Part{Text: hostile}, Key: hostile}},
		Dropped: []lexicon.Dropped{{Part: lexicon.Part{Text: hostile}, Why: hostile}},
		Drugs:   []lexicon.Drug{{Part: lexicon.Part{Text: hostile, End: 4}, Name: hostile}}, Warnings: []string{hostile},
	}
	a.Understood = answer.NewUnderstood(&q, func(*lexicon.Concept) []string { return nil })
	a.Near = []answer.Near{{Topic: "t", Differs: []lexicon.Difference{{Stored: []string{hostile}}}}}
	e := &Explanation{Question: q.Text, Understood: a.Understood, Near: a.Near, Topic: hostile, Model: hostile,
		Queries: []answer.LayerQueries{{BySource: map[string]string{"pubmed": hostile}, Notes: []string{hostile}}}}
	if err := errors.Join(a.Table(&got, Terminal{Width: 80}), e.Page(&got, Terminal{Width: 80})); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(got.String(), "\x1b\u202e\u200b") {
		t.Errorf("a control character came through:\n%q", got.String())
	}
}

func TestCSVCells(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"=1+1", "'=1+1"}, {"+49", "'+49"}, {"-x", "'-x"}, {"@x", "'@x"}, {" =1", "' =1"}, {"\t=1", "' =1"},
		{"plain", "plain"}, {"a=b", "a=b"}, {"", ""},
		{"\n=1", "'\n=1"}, {"\u200b=1", "'=1"}, {"\r=1", "' =1"}, {"\u00a0=1", "' =1"}, {"\u0085=1", "' =1"},
		{"＝1+1", "'＝1+1"}, {"＋49", "'＋49"}, {"－x", "'－x"}, {"＠x", "'＠x"}, {"﹦1", "'﹦1"}, {"−1", "'−1"}, {"⁼1", "'⁼1"},
		{"\u3000＝1", "' ＝1"}, {"≥ 50 %", "≥ 50 %"}, {"two\nlines", "two\nlines"}, {"a\u009b\u202eb", "ab"},
	} {
		if got := Cell(tc.in); got != tc.want {
			t.Errorf("Cell(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestCSVReadsBack(t *testing.T) {
	var got bytes.Buffer
	if err := exampleAnswer().CSV(&got); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&got).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 {
		t.Errorf("%d rows, want the names and 5 records", len(rows))
	}
}

// TestJSONHasTheDocumentedKeys holds every record to docs/JSON.md.
func TestJSONHasTheDocumentedKeys(t *testing.T) {
	var buf bytes.Buffer
	if err := exampleAnswer().JSON(&buf); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(buf.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"schema", "question", "topic", "origin", "age_seconds", "generation", "queries",
		"sources_searched", "errors", "counts", "sample", "trials", "understood", "near", "query"} {
		if _, ok := out[key]; !ok {
			t.Errorf("the answer has no %s", key)
		}
	}
	record := out["sample"].([]any)[0].(map[string]any)
	for _, key := range []string{"id", "identifiers", "origins", "title", "abstract", "authors", "journal", "date",
		"publication_types", "mesh", "bucket", "bucket_source", "design",
		"relevance_score", "score_source", "matched_criteria", "key_findings", "cited_by", "retracted", "preprint", "family",
		"url"} {
		if value, ok := record[key]; !ok || value == nil {
			t.Errorf("a record's %s is %v", key, value)
		}
	}
}

func TestAge(t *testing.T) {
	for _, tc := range []struct {
		d    time.Duration
		want string
	}{{30 * time.Second, "less than a minute"}, {time.Minute, "1 minute"}, {59 * time.Minute, "59 minutes"},
		{time.Hour, "1 hour"}, {47 * time.Hour, "47 hours"}, {48 * time.Hour, "2 days"}} {
		if got := evidence.Age(tc.d); got != tc.want {
			t.Errorf("Age(%v) = %q, want %q", tc.d, got, tc.want)
		}
	}
}

func FuzzForms(f *testing.F) {
	f.Add(hostile)
	f.Add("a\r\nb\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if got := plaintext.Line(s); strings.ContainsAny(got, "\x1b\n\r\x00") {
			t.Errorf("plaintext.Line(%q) = %q", s, got)
		}
		if got := strings.TrimLeft(Cell(s), " \n"); got != "" && strings.ContainsRune("=+-@", rune(got[0])) {
			t.Errorf("Cell(%q) = %q", s, got)
		}
	})
}

// TestHeadNamesWhatASourcesOwnQueryLeavesOut: a source that went on to a further layer by itself has its own sentence,
// before any record is shown.
func TestHeadNamesWhatASourcesOwnQueryLeavesOut(t *testing.T) {
	accepted := evidence.AcceptedQuery{Text: "x", Layer: 1, By: "rules",
		Other: []evidence.LayerQuery{{Layer: 4, LeftOut: []string{"sotorasib", "KRAS G12C, asked as KRAS"}}}}
	for _, tc := range []struct {
		name   string
		search evidence.Search
		want   bool
	}{
		{"it went on and found", evidence.Search{Source: "europepmc", Layer: 4, Found: 2}, true},
		{"it went on and found nothing", evidence.Search{Source: "europepmc", Layer: 4}, false},
		{"it rests on the accepted layer", evidence.Search{Source: "pubmed", Layer: 1, Found: 2}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := &Answer{Answer: &evidence.Answer{Query: accepted, Searches: []evidence.Search{tc.search}}}
			got := strings.Join(a.Head(), "\n")
			said := strings.Contains(got,
				"europepmc had nothing for it, and layer 4 leaves out or broadens: sotorasib; KRAS G12C, asked as KRAS")
			if said != tc.want {
				t.Errorf("said is %v, want %v:\n%s", said, tc.want, got)
			}
		})
	}
}

// What each ring asked and found is shown, with the reason why it was not the last.
func TestHeadTellsRingByRing(t *testing.T) {
	a := &Answer{AllQueries: true, Answer: &evidence.Answer{
		Query: evidence.AcceptedQuery{Text: "wide", Layer: 2, By: "rules", Reason: "31 pass", Enough: 20,
			Failed: []evidence.FailedQuery{{Layer: 1, Text: "narrow", Reason: "2 pass, fewer than 20"}}},
		Searches: []evidence.Search{
			{Source: "pubmed", Status: evidence.SearchPartial, Query: "narrow", Layer: 1, Rings: []evidence.Ring{
				{Layer: 1, Status: evidence.SearchOK, Query: "narrow", Hits: 1, Found: 1},
				{Layer: 2, Status: evidence.SearchFailed, Error: "no connection"}}},
			{Source: "europepmc", Status: evidence.SearchOK, Query: "as before there were rings", Layer: 2, Hits: 9, Found: 9},
		},
	}}
	want := []string{
		"Query (layer 2, by rules): wide",
		"Asked ring by ring: layer 1: 2 pass, fewer than 20; layer 2: 31 pass",
		"Query to pubmed: narrow",
		"Query to pubmed, layer 2, failed: no connection",
		"Query to europepmc: as before there were rings",
	}
	if diff := cmp.Diff(want, a.Head()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
