package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// sweptSource is a fakeSource that tells what changed.
type sweptSource struct {
	*fakeSource
	changed []evidence.Record
	err     error
	failAt  evidence.Identifier // only where this is asked about; zero: err always
	onAsk   func()
	asked   [][]evidence.Identifier
	since   []time.Time
}

func (s *sweptSource) Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error) {
	s.asked, s.since = append(s.asked, ids), append(s.since, since)
	if s.onAsk != nil {
		s.onAsk()
	}
	var batch source.Batch
	poisoned := s.failAt.IsZero()
	for _, id := range ids {
		poisoned = poisoned || id == s.failAt
		for _, r := range s.changed {
			for _, own := range r.Identifiers {
				if own == id {
					batch.Records = append(batch.Records, r)
				}
			}
		}
	}
	if s.err != nil && poisoned {
		return batch, s.err
	}
	return batch, ctx.Err()
}

func swept(name evidence.SourceName, changed ...evidence.Record) *sweptSource {
	return &sweptSource{fakeSource: &fakeSource{name: name, whole: name != evidence.SourcePubMed}, changed: changed}
}

// sweepOnly runs no topic, so that what happens is the sweep's.
func sweepOnly(t *testing.T, store Library, last []evidence.Sweep, settings func(*Settings), sources ...Source) Report {
	t.Helper()
	p := testPipeline(sources...)
	if settings != nil {
		settings(&p.Settings)
	}
	report, err := p.Run(t.Context(), store, nil, RunOptions{ID: "sweep", Swept: last})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func pmid(n int) evidence.Identifier {
	return evidence.Identifier{Kind: evidence.PMID, Value: fmt.Sprint(n)}
}

func linksBy(r evidence.Record, relation evidence.Relation, target evidence.Identifier) bool {
	return slices.ContainsFunc(r.Links, func(l evidence.Link) bool { return l.Relation == relation && l.Target == target })
}

// preprintRecord is Europe PMC's record of a preprint.
func preprintRecord(ppr string) evidence.Record {
	return evidence.Record{
		Title: "KRAS G12C in colorectal cancer, a preprint", Preprint: true, Date: "2024",
		Identifiers:      []evidence.Identifier{{Kind: evidence.PPR, Value: ppr}},
		Origins:          []evidence.Origin{{Source: evidence.SourceEuropePMC, ID: "PPR/" + ppr, Fetched: tonight}},
		PublicationTypes: []evidence.PublicationType{{Name: "Preprint"}},
	}
}

func TestSweepAsksEachSourceAboutItsOwn(t *testing.T) {
	fromOpenAlex := copyIn(evidence.SourceOpenAlex, "W5", paper(5, "KRAS elsewhere"))
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/6"}
	withDOI := paper(6, "KRAS without a PMID")
	withDOI.Identifiers, withDOI.Origins = []evidence.Identifier{doi},
		[]evidence.Origin{{Source: "import:embase.ris", ID: "1"}}
	published := preprintRecord("PPR8")
	published.Title, published.Identifiers = "Another preprint on KRAS", append(published.Identifiers, pmid(8))
	store := storeWith(t, paper(1, "KRAS in practice"), fromOpenAlex, withDOI, preprintRecord("PPR7"), published,
		registered("NCT00000001", "KRAS G12C in colorectal cancer", "RECRUITING"))
	pubmed, europe := swept(evidence.SourcePubMed), swept(evidence.SourceEuropePMC)
	openalex, registry := swept(evidence.SourceOpenAlex), swept(evidence.SourceClinicalTrials)
	report := sweepOnly(t, store, nil, nil, registry, openalex, europe, pubmed)
	for _, tt := range []struct {
		source *sweptSource
		want   []evidence.Identifier
	}{
		{pubmed, []evidence.Identifier{pmid(1), pmid(5), pmid(8)}},
		{europe, []evidence.Identifier{{Kind: evidence.PPR, Value: "PPR7"}}},
		{openalex, []evidence.Identifier{pmid(5), pmid(8), doi}},
		{registry, []evidence.Identifier{{Kind: evidence.NCT, Value: "NCT00000001"}}},
	} {
		if diff := cmp.Diff([][]evidence.Identifier{tt.want}, tt.source.asked); diff != "" {
			t.Errorf("%s was asked (-want +got):\n%s", tt.source.name, diff)
		}
	}
	want := []evidence.Sweep{
		{Source: evidence.SourcePubMed, Checked: 3}, {Source: evidence.SourceEuropePMC, Checked: 1},
		{Source: evidence.SourceOpenAlex, Checked: 3}, {Source: evidence.SourceClinicalTrials, Checked: 1},
	}
	if diff := cmp.Diff(want, report.Run.Sweeps, cmpopts.IgnoreFields(evidence.Sweep{}, "Began", "Since",
		"At")); diff != "" {
		t.Errorf("the run's sweeps (-want +got):\n%s", diff)
	}
	if len(report.Run.Notes) > 0 || report.Outcome != Done {
		t.Errorf("outcome %d, notes %q", report.Outcome, report.Run.Notes)
	}
}

func TestSweepBringsWhatChanged(t *testing.T) {
	stopped := registered("NCT00000001", "KRAS G12C in colorectal cancer", "TERMINATED")
	retracted := paper(1, "KRAS in practice", "Journal Article", "Retracted Publication")
	erratum := paper(1, "KRAS in practice", "Journal Article")
	erratum.Links = []evidence.Link{{Relation: evidence.ErratumIn, Target: pmid(9)}}
	concern := paper(1, "KRAS in practice", "Journal Article")
	concern.Links = []evidence.Link{{Relation: evidence.ConcernIn, Target: pmid(9)}}
	gone := preprintRecord("PPR7")
	gone.Retraction = evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceEuropePMC}
	published := preprintRecord("PPR7")
	published.Links = []evidence.Link{{Relation: evidence.PreprintOf, Target: pmid(1)}}
	fromWatch := copyIn(evidence.SourceOpenAlex, "W5", paper(5, "KRAS elsewhere"))
	fromWatch.Retraction = evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceOpenAlex,
		Checked: "2026-03-01"}
	for _, tt := range []struct {
		name    string
		changed evidence.Record
		id      string
		check   func(r evidence.Record) bool
	}{
		{"article retracted", retracted, "PMID:1", func(r evidence.Record) bool { return r.Retracted() }},
		{"erratum is no retraction", erratum, "PMID:1", func(r evidence.Record) bool {
			return !r.Retracted() && linksBy(r, evidence.ErratumIn, pmid(9))
		}},
		{"expression of concern is no retraction", concern, "PMID:1", func(r evidence.Record) bool {
			return !r.Retracted() && linksBy(r, evidence.ConcernIn, pmid(9))
		}},
		{"another publication type", paper(1, "KRAS in practice", "Randomized Controlled Trial"), "PMID:1",
			func(r evidence.Record) bool { return r.Bucket == evidence.RCT }},
		{"preprint withdrawn", gone, "PPR:PPR7", func(r evidence.Record) bool {
			return r.Retracted() && r.Retraction.Source == evidence.SourceEuropePMC
		}},
		{"preprint published", published, "PPR:PPR7", func(r evidence.Record) bool {
			return linksBy(r, evidence.PreprintOf, pmid(1)) && r.Preprint
		}},
		{"trial status changed", stopped, "NCT:NCT00000001", func(r evidence.Record) bool {
			return r.Trial.Status == "TERMINATED"
		}},
		{"OpenAlex knows of a retraction", fromWatch, "PMID:5", func(r evidence.Record) bool {
			return r.Retraction == evidence.Retraction{Status: evidence.Yes, Source: evidence.SourceOpenAlex,
				Checked: "2026-03-01"}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			unknown := copyIn("import:old.ris", "1", paper(5, "KRAS elsewhere"))
			unknown.Retraction = evidence.Retraction{Status: evidence.Unknown}
			store := storeWith(t, paper(1, "KRAS in practice", "Journal Article"), preprintRecord("PPR7"), unknown,
				registered("NCT00000001", "KRAS G12C in colorectal cancer", "RECRUITING"))
			if tt.check(mustRecord(t, store, tt.id)) {
				t.Fatal("it is so before the sweep")
			}
			report := sweepOnly(t, store, nil, nil, swept(tt.changed.Origins[0].Source, tt.changed))
			if r := mustRecord(t, store, tt.id); !tt.check(r) {
				t.Errorf("the store holds %+v", r)
			}
			if s := report.Run.Sweeps; len(s) != 1 || s[0].Changed != 1 || report.Run.Generation != 1 {
				t.Errorf("sweeps %+v, generation %d", s, report.Run.Generation)
			}
		})
	}
}

// Two papers that a wrong DOI at PubMed had made one come apart when PubMed corrects it.
func TestSweepSplitsAWrongMerge(t *testing.T) {
	doi := evidence.Identifier{Kind: evidence.DOI, Value: "10.1000/shared"}
	one := paper(1, "KRAS G12C in colorectal cancer: results of a trial")
	two := copyIn(evidence.SourceOpenAlex, "W2", paper(2, "KRAS G12C in colorectal cancer: results of a trial"))
	two.Identifiers = []evidence.Identifier{doi}
	two.Authors = one.Authors
	wrong := one
	wrong.Identifiers = append([]evidence.Identifier{pmid(1)}, doi)
	store := storeWith(t, wrong, two)
	if r := mustRecord(t, store, "PMID:1"); len(r.Origins) != 2 {
		t.Fatalf("they are not one: %+v", r)
	}
	right := one
	right.Identifiers = []evidence.Identifier{pmid(1), {Kind: evidence.DOI, Value: "10.1000/own"}}
	sweepOnly(t, store, nil, nil, swept(evidence.SourcePubMed, right))
	if r := mustRecord(t, store, "PMID:1"); len(r.Origins) != 1 {
		t.Errorf("still one: %+v", r.Origins)
	}
	if r := mustRecord(t, store, "DOI:10.1000/shared"); r.Origins[0].Source != evidence.SourceOpenAlex {
		t.Errorf("the other is %+v", r.Origins)
	}
}

func TestSweepThatFails(t *testing.T) {
	broken := &source.Error{Source: evidence.SourcePubMed, Op: "search", Kind: source.Unreachable,
		Hint: "check the network", Err: errors.New("connection refused")}
	spent := &source.Error{Source: evidence.SourcePubMed, Op: "search", Kind: source.OverBudget,
		Err: errors.New("come back in 11 hours")}
	for _, tt := range []struct {
		name    string
		err     error
		outcome Outcome
		notes   int
	}{
		{"one source is down", broken, Partly, 1},
		{"one source's budget is spent", spent, Done, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := storeWith(t, paper(1, "KRAS in practice"), registered("NCT00000001", "KRAS", "RECRUITING"))
			pubmed := swept(evidence.SourcePubMed)
			pubmed.err = tt.err
			registry := swept(evidence.SourceClinicalTrials, registered("NCT00000001", "KRAS", "COMPLETED"))
			report := sweepOnly(t, store, nil, nil, pubmed, registry)
			if report.Outcome != tt.outcome || len(report.Run.Notes) != tt.notes {
				t.Errorf("outcome %d, notes %q", report.Outcome, report.Run.Notes)
			}
			if r := mustRecord(t, store, "NCT:NCT00000001"); r.Trial.Status != "COMPLETED" {
				t.Errorf("the other source's news are missing: %s", r.Trial.Status)
			}
			failed := report.Run.Sweeps[0]
			if failed.Error == "" || failed.Checked != 0 || failed.Left != 1 || failed.Next != pmid(1) {
				t.Errorf("the failed sweep is %+v", failed)
			}
		})
	}
}

func TestSweepIsBoundedAndGoesOn(t *testing.T) {
	var papers []evidence.Record
	for n := 1; n <= 5; n++ {
		papers = append(papers, paper(n, fmt.Sprintf("KRAS in practice number %d", n)))
	}
	store := storeWith(t, papers...)
	two := func(s *Settings) { s.SweepLimit = 2 }
	longAgo := tonight.Add(-48 * time.Hour)
	last := []evidence.Sweep{{Source: evidence.SourcePubMed, Began: longAgo}}
	nights := []struct {
		asked []evidence.Identifier
		left  int
		next  evidence.Identifier
	}{
		{[]evidence.Identifier{pmid(1), pmid(2)}, 3, pmid(3)},
		{[]evidence.Identifier{pmid(3), pmid(4)}, 1, pmid(5)},
		{[]evidence.Identifier{pmid(5)}, 0, evidence.Identifier{}},
		{[]evidence.Identifier{pmid(1), pmid(2)}, 3, pmid(3)},
	}
	var began []time.Time
	for i, night := range nights {
		pubmed := swept(evidence.SourcePubMed)
		s := sweepOnly(t, store, last, two, pubmed).Run.Sweeps
		if diff := cmp.Diff([][]evidence.Identifier{night.asked}, pubmed.asked); diff != "" {
			t.Errorf("night %d asked (-want +got):\n%s", i+1, diff)
		}
		if s[0].Left != night.left || s[0].Next != night.next || s[0].Checked != len(night.asked) {
			t.Errorf("night %d: %+v", i+1, s[0])
		}
		began = append(began, s[0].Began)
		if i < 3 && !pubmed.since[0].Equal(longAgo.Add(-sweepOverlap)) {
			t.Errorf("night %d asks for changes since %s: the whole round asks since the one before began", i+1, pubmed.since[0])
		}
		if i == 3 && !pubmed.since[0].Equal(began[0].Add(-sweepOverlap)) {
			t.Errorf("the next round asks for changes since %s, the last one began %s", pubmed.since[0], began[0])
		}
		last = s
	}
	if !began[0].Equal(began[2]) {
		t.Errorf("one round began at %s and at %s", began[0], began[2])
	}
}

// What a source cannot answer must not keep it from the rest for ever.
func TestSweepPassesOverWhatFailsTwice(t *testing.T) {
	store := storeWith(t, paper(1, "KRAS in practice"), paper(2, "KRAS in theory"), paper(3, "KRAS in Europe"))
	one := func(s *Settings) { s.SweepLimit = 1 }
	var last []evidence.Sweep
	var next []evidence.Identifier
	for range 3 {
		pubmed := swept(evidence.SourcePubMed)
		pubmed.err, pubmed.failAt = unreachable(evidence.SourcePubMed), pmid(1)
		last = sweepOnly(t, store, last, one, pubmed).Run.Sweeps
		next = append(next, last[0].Next)
	}
	if diff := cmp.Diff([]evidence.Identifier{pmid(1), pmid(2), pmid(3)}, next); diff != "" {
		t.Errorf("where the next night goes on (-want +got):\n%s", diff)
	}
}

func TestSweepIsSkipped(t *testing.T) {
	for _, tt := range []struct {
		name    string
		offline bool
		opts    RunOptions
		sources func(s *sweptSource) Source
	}{
		{"offline", true, RunOptions{ID: "r"}, func(s *sweptSource) Source { return s }},
		{"a source that cannot tell", false, RunOptions{ID: "r"}, func(s *sweptSource) Source { return s.fakeSource }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := swept(evidence.SourcePubMed)
			p := testPipeline(tt.sources(src))
			p.Offline = tt.offline
			report, err := p.Run(t.Context(), storeWith(t, paper(1, "KRAS in practice")), nil, tt.opts)
			if err != nil || len(src.asked) > 0 || len(report.Run.Sweeps) > 0 {
				t.Errorf("asked %v, sweeps %v, %v", src.asked, report.Run.Sweeps, err)
			}
		})
	}
}

func TestSweepInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pubmed := swept(evidence.SourcePubMed)
	pubmed.onAsk = cancel
	report, err := testPipeline(pubmed, swept(evidence.SourceOpenAlex)).Run(ctx,
		storeWith(t, paper(1, "KRAS in practice")), nil, RunOptions{ID: "r"})
	if !errors.Is(err, context.Canceled) || report.Outcome != Interrupted {
		t.Errorf("outcome %d, %v", report.Outcome, err)
	}
}

func TestLastSweeps(t *testing.T) {
	at := func(source evidence.SourceName, checked int) evidence.Sweep {
		return evidence.Sweep{Source: source, Checked: checked, Began: tonight, Since: tonight, Next: pmid(7)}
	}
	undated := func(s evidence.Sweep) evidence.Sweep {
		s.Began, s.Since = time.Time{}, time.Time{}
		return s
	}
	runs := []evidence.Run{
		{ID: "offline"}, {ID: "newest", Sweeps: []evidence.Sweep{at(evidence.SourcePubMed, 3)}},
		{ID: "oldest", Sweeps: []evidence.Sweep{at(evidence.SourcePubMed, 1), at(evidence.SourceOpenAlex, 2)}},
		{ID: "import", Import: "old.xml.gz"}, {ID: "before", Sweeps: []evidence.Sweep{at(evidence.SourceOpenAlex, 5),
			at(evidence.SourceClinicalTrials, 4)}},
	}
	want := []evidence.Sweep{at(evidence.SourcePubMed, 3), at(evidence.SourceOpenAlex, 2),
		undated(at(evidence.SourceClinicalTrials, 4))}
	if diff := cmp.Diff(want, LastSweeps(runs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSweepAsksForTheChangesOfWhen(t *testing.T) {
	const day = 24 * time.Hour
	yesterday, before := tonight.Add(-day), tonight.Add(-2*day)
	for _, tt := range []struct {
		name string
		last evidence.Sweep
		want time.Time // to the day
	}{
		{"the first time", evidence.Sweep{}, tonight.Add(-firstSweep)},
		{"after a whole round", evidence.Sweep{Began: yesterday, Since: before}, yesterday.Add(-sweepOverlap)},
		{"within a round", evidence.Sweep{Began: yesterday, Since: before, Next: pmid(1)}, before},
		{"after a whole round and an import", evidence.Sweep{}, tonight.Add(-firstSweep)},
		{"within a round, after an import", evidence.Sweep{Next: pmid(1)}, tonight.Add(-firstSweep)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pubmed := swept(evidence.SourcePubMed)
			tt.last.Source = evidence.SourcePubMed
			sweepOnly(t, storeWith(t, paper(1, "KRAS in practice")), []evidence.Sweep{tt.last}, nil, pubmed)
			if len(pubmed.since) != 1 || evidence.DateOf(pubmed.since[0]) != evidence.DateOf(tt.want) {
				t.Errorf("since %v, want %v", pubmed.since, tt.want)
			}
		})
	}
}

// TestSweepOfALookupRests: a server that takes a request for each preprint is asked about all of them in a round, and
// until the next one about those of which another source has brought something.
func TestSweepOfALookupRests(t *testing.T) {
	const day = 24 * time.Hour
	doi := func(n int) evidence.Identifier {
		return evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.1101/2024.00.00.%08d", n)}
	}
	preprint := func(n int, source string, fetched time.Time) evidence.Record {
		return evidence.Record{Title: fmt.Sprintf("KRAS G12C preprint number %d", n), Preprint: true, Date: "2024",
			Identifiers: []evidence.Identifier{doi(n)},
			Origins:     []evidence.Origin{{Source: source, ID: fmt.Sprint("W", n), Fetched: fetched}}}
	}
	yesterday, lastWeek := tonight.Add(-day), tonight.Add(-8*day)
	all := []evidence.Identifier{doi(1), doi(2), doi(3)}
	for _, tt := range []struct {
		name  string
		last  evidence.Sweep
		want  []evidence.Identifier
		began time.Time
	}{
		{"the first night", evidence.Sweep{}, all, tonight},
		{"the second night: what is new", evidence.Sweep{Began: yesterday, At: yesterday}, all[1:2], yesterday},
		{"the second night, and nothing is new", evidence.Sweep{Began: yesterday, At: tonight}, nil, yesterday},
		{"a week later", evidence.Sweep{Began: lastWeek, At: yesterday}, all, tonight},
		{"a round that is not over", evidence.Sweep{Began: yesterday, At: yesterday, Next: doi(2)}, all[1:], yesterday},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := storeWith(t, preprint(1, evidence.SourceOpenAlex, lastWeek), preprint(2, evidence.SourceOpenAlex,
				tonight.Add(-time.Hour)), preprint(3, evidence.SourceBioRxiv, tonight.Add(-time.Hour)))
			server := swept(evidence.SourceBioRxiv)
			p := testPipeline()
			p.Lookups = []Lookup{server}
			tt.last.Source = evidence.SourceBioRxiv
			report, err := p.Run(t.Context(), store, nil, RunOptions{ID: "sweep", Swept: []evidence.Sweep{tt.last}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, slices.Concat(server.asked...)); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if s := report.Run.Sweeps; len(s) != 1 || s[0].Checked != len(tt.want) ||
				evidence.DateOf(s[0].Began) != evidence.DateOf(tt.began) {
				t.Errorf("sweeps %+v", s)
			}
		})
	}
}

// TestSweepOfALookupJoinsTheArticlesFamily: the server's word makes the preprint its article's, retracts nothing but
// the preprint itself, and a server that is down is told of.
func TestSweepOfALookupJoinsTheArticlesFamily(t *testing.T) {
	doi := func(value string) evidence.Identifier { return evidence.Identifier{Kind: evidence.DOI, Value: value} }
	preprint := evidence.Record{Title: "KRAS G12C in colorectal cancer, a preprint", Preprint: true, Date: "2024",
		Identifiers: []evidence.Identifier{doi("10.1101/2024.00.00.00000001")},
		Origins:     []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: "W7", Fetched: tonight}}}
	article := paper(1, "KRAS G12C in colorectal cancer: the article")
	article.Identifiers = append(article.Identifiers, doi("10.1000/article"))
	server := func(change func(*evidence.Record)) *sweptSource {
		said := copyIn(evidence.SourceBioRxiv, "10.1101/2024.00.00.00000001", preprint)
		said.Links = []evidence.Link{{Relation: evidence.PreprintOf, Target: doi("10.1000/article"),
			Source: evidence.SourceBioRxiv}}
		change(&said)
		return swept(evidence.SourceBioRxiv, said)
	}
	down := server(func(*evidence.Record) {})
	down.err = &source.Error{Source: evidence.SourceBioRxiv, Op: "fetch", Kind: source.Unreachable,
		Err: errors.New("down")}
	for _, tt := range []struct {
		name      string
		server    *sweptSource
		retracted bool
		failed    int
	}{
		{"published", server(func(*evidence.Record) {}), false, 0},
		{"withdrawn", server(func(r *evidence.Record) { r.Retraction.Status = evidence.Yes }), true, 0},
		{"down", down, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := storeWith(t, preprint, article)
			p := testPipeline()
			p.Lookups = []Lookup{tt.server}
			report, err := p.Run(t.Context(), store, nil, RunOptions{ID: "sweep"})
			if err != nil {
				t.Fatal(err)
			}
			if s := report.Run.Sweeps; len(s) != 1 || (s[0].Error != "") != (tt.failed > 0) ||
				len(report.Run.Notes) != tt.failed {
				t.Errorf("sweeps %+v, notes %q", s, report.Run.Notes)
			}
			r := mustRecord(t, store, "DOI:10.1101/2024.00.00.00000001")
			if own := mustRecord(t, store, "PMID:1"); r.Retracted() != tt.retracted || own.Retracted() {
				t.Errorf("the preprint %+v, the article %+v", r.Retraction, own.Retraction)
			}
			if !linksBy(r, evidence.PreprintOf, doi("10.1000/article")) {
				t.Errorf("the preprint links to %+v", r.Links)
			}
		})
	}
}
