package identity

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dossier/internal/evidence"
)

// paper builds a source record: "pubmed|1" with identifiers such as "PMID:1", and the same title, year and author
// unless told otherwise.
func paper(origin, ids string, changes ...func(*evidence.Record)) evidence.Record {
	source, id, _ := strings.Cut(origin, "|")
	rec := evidence.Record{
		Origins: []evidence.Origin{{Source: source, ID: id}},
		Title:   "Adaptive resistance to KRAS G12C inhibition in colorectal cancer",
		Authors: []evidence.Author{{Family: "Amodio", Given: "Vito", Initials: "V"}, {Family: "Misale", Initials: "S"}},
		Date:    "2020",
	}
	for _, s := range strings.Fields(ids) {
		identifier, err := evidence.ParseIdentifier(s)
		if err != nil {
			panic(err)
		}
		rec.Identifiers = append(rec.Identifiers, identifier)
	}
	for _, change := range changes {
		change(&rec)
	}
	return rec
}

func titled(s string) func(*evidence.Record)       { return func(r *evidence.Record) { r.Title = s } }
func dated(d evidence.Date) func(*evidence.Record) { return func(r *evidence.Record) { r.Date = d } }
func typed(name string) func(*evidence.Record) {
	return func(r *evidence.Record) { r.PublicationTypes = []evidence.PublicationType{{Name: name}} }
}
func linked(rel evidence.Relation, target string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		id, err := evidence.ParseIdentifier(target)
		if err != nil {
			panic(err)
		}
		r.Links = append(r.Links, evidence.Link{Relation: rel, Target: id})
	}
}
func isAPreprint(r *evidence.Record) { r.Preprint = true }
func in(title, volume, issue, pages string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Journal = evidence.Journal{Title: title, Volume: volume, Issue: issue, Pages: pages}
	}
}

// by names the authors, each "Family, Given"; without a comma the whole is in the field for the family name, as some
// exports have it.
func by(names ...string) func(*evidence.Record) {
	return func(r *evidence.Record) {
		r.Authors = nil
		for _, n := range names {
			family, given, _ := strings.Cut(n, ", ")
			r.Authors = append(r.Authors, evidence.Author{Family: family, Given: given})
		}
	}
}

// state is what the memory holds: the members of each merged record by its id.
func (m *memory) state() map[string]string {
	out := map[string]string{}
	for id, rec := range m.merged {
		out[id] = strings.Join(rec.Members, " ")
	}
	return out
}

func mustJoin(t testing.TB, m *memory, records ...evidence.Record) Change {
	t.Helper()
	change, err := m.join(records...)
	if err != nil {
		t.Fatal(err)
	}
	return change
}

const otherTitle = "Phase I study of a mutant-selective PI3K inhibitor in solid tumours"

func TestJoinByIdentifiers(t *testing.T) {
	registered := func(r *evidence.Record) { r.Trial = &evidence.Trial{Status: "COMPLETED"} }
	otherPaper := func(r *evidence.Record) {
		titled(otherTitle)(r)
		by("Juric, Dejan", "Krop, I")(r)
		dated("2012")(r)
	}
	for _, c := range []struct {
		name      string
		records   []evidence.Record
		want      map[string]string
		conflicts []string
	}{
		{
			"a third record with both identifiers bridges two that share none",
			[]evidence.Record{paper("pubmed|1", "PMID:1", titled("")), paper("europepmc|2", "10.1000/a", titled("")),
				paper("openalex|W3", "PMID:1 10.1000/a W3", titled(""))},
			map[string]string{"PMID:1": "europepmc|2 openalex|W3 pubmed|1"}, nil,
		},
		{
			"one shared identifier is enough where a title is a translation",
			[]evidence.Record{paper("pubmed|1", "PMID:1"), paper("openalex|W3", "PMID:1 W3",
				titled("Resistenza adattativa al blocco di KRAS nella terapia del tumore del colon"))},
			map[string]string{"PMID:1": "openalex|W3 pubmed|1"}, nil,
		},
		{
			"one PMID with two DOIs is kept apart, and names the record of the source that gives it",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("openalex|W3", "PMID:1 10.1000/b W3")},
			map[string]string{"PMID:1": "pubmed|1", "DOI:10.1000/b": "openalex|W3"}, []string{"PMID:1"},
		},
		{
			"a third carrier of that PMID goes to the most authoritative",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("openalex|W3", "PMID:1 10.1000/b W3"),
				paper("europepmc|MED/1", "PMID:1")},
			map[string]string{"PMID:1": "europepmc|MED/1 pubmed|1", "DOI:10.1000/b": "openalex|W3"}, []string{"PMID:1"},
		},
		{
			"a DOI on a supplement: abstracts with PMIDs of their own stay apart, and a carrier goes to the one with its title",
			[]evidence.Record{
				paper("pubmed|1", "PMID:1 10.1000/supp"), paper("pubmed|2", "PMID:2 10.1000/supp", otherPaper),
				paper("openalex|W3", "10.1000/supp W3", otherPaper), paper("openalex|W4", "10.1000/supp W4",
					titled("Program and abstract book"), by("Nobody, N")),
			},
			map[string]string{"PMID:1": "pubmed|1", "PMID:2": "openalex|W3 pubmed|2", "OpenAlex:W4": "openalex|W4"},
			[]string{"DOI:10.1000/supp"},
		},
		{
			"a DOI on a supplement without PMIDs: titles decide",
			[]evidence.Record{
				paper("import:a.ris|1", "10.1000/supp"), paper("import:a.ris|2", "10.1000/supp", otherPaper),
				paper("import:b.ris|1", "10.1000/supp", titled(
					"ADAPTIVE RESISTANCE TO KRAS G12C INHIBITION IN COLORECTAL CANCER.")),
			},
			map[string]string{"import:a.ris|1": "import:a.ris|1 import:b.ris|1", "import:a.ris|2": "import:a.ris|2"},
			[]string{"DOI:10.1000/supp"},
		},
		{
			"two abstracts of one group in one supplement under its DOI",
			[]evidence.Record{
				paper("import:a.ris|1", "10.1000/supp", titled(
					"HPV infection in smears with atypical repair: prevalence and follow-up"), by("Nelson, A C", "Samad, A",
					"Pambuccian, S"), in("Lab Invest", "92", "", "100A-101A")),
				paper("import:a.ris|2", "10.1000/supp", titled("HPV infection in smears with atrophy: prevalence and follow-up"),
					by("Nelson, A C", "Mettler, T N", "Holler, J L"), in("Lab Invest", "92", "", "100A")),
			},
			map[string]string{"import:a.ris|1": "import:a.ris|1", "import:a.ris|2": "import:a.ris|2"},
			[]string{"DOI:10.1000/supp"},
		},
		{
			"a DOI with a title whose subtitle is left off, however short that leaves it",
			[]evidence.Record{
				paper("import:a.ris|1", "10.1000/a", titled("MADE: a system for drugs and their adverse events")),
				paper("import:b.ris|1", "10.1000/a", titled("MADE")),
			},
			map[string]string{"DOI:10.1000/a": "import:a.ris|1 import:b.ris|1"},
			nil,
		},
		{
			"a DOI of an issue with a short title that another begins with",
			[]evidence.Record{
				paper("import:a.ris|1", "10.1000/a", titled("MADE: a system for drugs and their adverse events")),
				paper("import:b.ris|1", "10.1000/a", titled("MADE"), by("Other, P")),
			},
			map[string]string{"import:a.ris|1": "import:a.ris|1", "import:b.ris|1": "import:b.ris|1"},
			[]string{"DOI:10.1000/a"},
		},
		{
			"a translated title under the same DOI",
			[]evidence.Record{
				paper("import:a.ris|1", "10.1000/a", titled("[Paroxysmal nocturnal hemoglobinuria in adults]")),
				paper("openalex|W3", "10.1000/a W3", titled("Hémoglobinurie paroxystique nocturne de l'adulte")),
			},
			map[string]string{"DOI:10.1000/a": "import:a.ris|1 openalex|W3"}, nil,
		},
		{
			"an identifier in the wrong field: title, author and year all contradict",
			[]evidence.Record{paper("pubmed|1", "PMID:1"), paper("import:a.ris|1", "PMID:1", otherPaper)},
			map[string]string{"PMID:1": "pubmed|1", "import:a.ris|1": "import:a.ris|1"}, []string{"PMID:1"},
		},
		{
			"two OpenAlex works of one paper",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("openalex|W3", "PMID:1 W3"),
				paper("openalex|W4", "10.1000/a W4")},
			map[string]string{"PMID:1": "openalex|W3 openalex|W4 pubmed|1"}, nil,
		},
		{
			"preprint and article share a DOI",
			[]evidence.Record{paper("europepmc|PPR/PPR9", "PPR9 10.1000/a", isAPreprint), paper("pubmed|1", "PMID:1 10.1000/a",
				typed("Journal Article"))},
			map[string]string{"PMID:1": "pubmed|1", "PPR:PPR9": "europepmc|PPR/PPR9"}, []string{"DOI:10.1000/a"},
		},
		{
			"preprint and article share a DOI, and nobody says what the article is",
			[]evidence.Record{paper("europepmc|PPR/PPR9", "PPR9 10.1000/a", isAPreprint), paper("pubmed|1", "PMID:1 10.1000/a")},
			map[string]string{"PMID:1": "pubmed|1", "PPR:PPR9": "europepmc|PPR/PPR9"}, []string{"DOI:10.1000/a"},
		},
		{
			"a preprint in three sources, one of which knows no types",
			[]evidence.Record{
				paper("europepmc|PPR/PPR9", "PPR9 10.1101/2020.01.02.3", isAPreprint),
				paper("pubmed|1", "PMID:1 10.1101/2020.01.02.3", typed("Preprint")),
				paper("openalex|W3", "10.1101/2020.01.02.3 W3", typed("article")),
			},
			map[string]string{"PMID:1": "europepmc|PPR/PPR9 openalex|W3 pubmed|1"}, nil,
		},
		{
			"article and erratum share a DOI and a title",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a", typed("Journal Article")), paper("europepmc|x", "10.1000/a",
				typed("Published Erratum"))},
			map[string]string{"PMID:1": "pubmed|1", "europepmc|x": "europepmc|x"}, []string{"DOI:10.1000/a"},
		},
		{
			"a retraction notice by its title, a source that does not know its type",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("openalex|W3", "10.1000/a W3",
				titled("Retraction: Adaptive resistance to KRAS G12C inhibition in colorectal cancer"), typed("article"))},
			map[string]string{"PMID:1": "pubmed|1", "OpenAlex:W3": "openalex|W3"}, []string{"DOI:10.1000/a"},
		},
		{
			"an erratum's copy in a source that calls everything an article",
			[]evidence.Record{
				paper("pubmed|1", "PMID:1 10.1000/e", titled("Correction: Metabolomic profiling of nectars"),
					typed("Published Erratum")),
				paper("openalex|W3", "10.1000/e W3", titled("Correction: Metabolomic profiling of nectars"), typed("article")),
			},
			map[string]string{"PMID:1": "openalex|W3 pubmed|1"}, nil,
		},
		{
			"a book and its chapter under the book's DOI",
			[]evidence.Record{paper("openalex|W1", "10.1000/book W1", typed("book"), titled("Hemolytic uremic syndrome")),
				paper("openalex|W2", "10.1000/book W2", typed("book-chapter"), titled("Hemolytic uremic syndrome"))},
			map[string]string{"OpenAlex:W1": "openalex|W1", "OpenAlex:W2": "openalex|W2"}, []string{"DOI:10.1000/book"},
		},
		{
			"a trial and a publication that carries its number",
			[]evidence.Record{
				paper("clinicaltrials|NCT01234567", "NCT01234567", registered),
				paper("pubmed|1", "PMID:1 NCT01234567"), paper("pubmed|2", "PMID:2 NCT01234567", titled(otherTitle)),
			},
			map[string]string{"NCT:NCT01234567": "clinicaltrials|NCT01234567", "PMID:1": "pubmed|1", "PMID:2": "pubmed|2"}, nil,
		},
		{
			"a trial whose title and people are others since",
			[]evidence.Record{paper("clinicaltrials|NCT01234567", "NCT01234567", registered),
				paper("import:a.ris|1", "NCT01234567", registered, otherPaper)},
			map[string]string{"NCT:NCT01234567": "clinicaltrials|NCT01234567 import:a.ris|1"}, nil,
		},
		{
			"a retracted article retitled by its publisher",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a", typed("Retracted Publication")),
				paper("openalex|W3", "10.1000/a W3", titled(
					"RETRACTED: Adaptive resistance to KRAS G12C inhibition in colorectal cancer"))},
			map[string]string{"PMID:1": "openalex|W3 pubmed|1"}, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			change := mustJoin(t, m, c.records...)
			if diff := cmp.Diff(c.want, m.state()); diff != "" {
				t.Errorf("merged records (-want +got):\n%s", diff)
			}
			var conflicts []string
			for _, k := range change.Conflicts {
				conflicts = append(conflicts, k.Identifier.String())
				if k.Reason == "" || k.Total != len(k.Records) {
					t.Errorf("conflict %+v says no reason or counts wrong", k)
				}
			}
			if diff := cmp.Diff(c.conflicts, conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			slices.Reverse(c.records)
			reversed := newMemory()
			for _, r := range c.records {
				mustJoin(t, reversed, r)
			}
			if diff := cmp.Diff(m.state(), reversed.state()); diff != "" {
				t.Errorf("one at a time, in reverse (-at once +reverse):\n%s", diff)
			}
		})
	}
}

func TestJoinOverTime(t *testing.T) {
	a, b := paper("pubmed|1", "PMID:1", titled("")), paper("europepmc|2", "10.1000/a", titled(""))
	bridge := paper("openalex|W3", "PMID:1 10.1000/a", titled(""))

	t.Run("a record that arrives tonight joins two that were apart, and old ids lead to the new record",
		func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, a, b)
			change := mustJoin(t, m, bridge)
			if diff := cmp.Diff(map[string]string{"PMID:1": "europepmc|2 openalex|W3 pubmed|1"}, m.state()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"DOI:10.1000/a"}, change.Drop); diff != "" {
				t.Error("Drop", diff)
			}
			if diff := cmp.Diff(map[string]string{"DOI:10.1000/a": "PMID:1"}, change.Redirect); diff != "" {
				t.Error("Redirect", diff)
			}
		})
	t.Run("an identifier corrected at its source undoes the merge", func(t *testing.T) {
		m := newMemory()
		mustJoin(t, m, a, b, bridge)
		corrected := paper("openalex|W3", "PMID:1", titled(""))
		mustJoin(t, m, corrected)
		if diff := cmp.Diff(map[string]string{"PMID:1": "openalex|W3 pubmed|1", "DOI:10.1000/a": "europepmc|2"},
			m.state()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an identifier that is no longer contested names its record again", func(t *testing.T) {
		m := newMemory()
		wrong := paper("openalex|W3", "PMID:1 10.1000/b W3")
		mustJoin(t, m, paper("pubmed|1", "PMID:1 10.1000/a"), wrong)
		mustJoin(t, m, paper("openalex|W3", "PMID:7 10.1000/b W3"))
		if diff := cmp.Diff(map[string]string{"PMID:1": "pubmed|1", "PMID:7": "openalex|W3"}, m.state()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a withdrawn record takes with it what only it held together", func(t *testing.T) {
		m := newMemory()
		mustJoin(t, m, a, b, bridge)
		if _, err := m.update(nil, []string{"openalex|W3"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"PMID:1": "pubmed|1", "DOI:10.1000/a": "europepmc|2"}, m.state()); diff != "" {
			t.Error(diff)
		}
		change, err := m.update(nil, []string{"pubmed|1"})
		if err != nil || len(change.Redirect) != 0 || !slices.Equal(change.Drop, []string{"PMID:1"}) {
			t.Errorf("withdrawing the last member: %+v, %v", change, err)
		}
	})
	t.Run("a record with a better identifier is renamed", func(t *testing.T) {
		m := newMemory()
		mustJoin(t, m, paper("openalex|W3", "10.1000/a W3"))
		change := mustJoin(t, m, paper("openalex|W3", "PMID:1 10.1000/a W3"))
		if change.Redirect["DOI:10.1000/a"] != "PMID:1" || change.Put[0].New {
			t.Errorf("%+v", change)
		}
	})
	t.Run("the same data again changes nothing", func(t *testing.T) {
		m := newMemory()
		records := []evidence.Record{a, b, bridge, paper("pubmed|9", "PMID:9 10.1000/b"),
			paper("openalex|W9", "PMID:9 10.1000/c")}
		first := mustJoin(t, m, records...)
		again := mustJoin(t, m, records...)
		if len(again.Put)+len(again.Drop)+len(again.Redirect) != 0 {
			t.Errorf("%+v", again)
		}
		if diff := cmp.Diff(first.Conflicts, again.Conflicts); diff != "" {
			t.Error("conflicts", diff)
		}
		if !first.Put[0].New {
			t.Error("a record never seen before is not marked new")
		}
	})
	t.Run("fetched again and found the same changes nothing", func(t *testing.T) {
		m := newMemory()
		mustJoin(t, m, a, b, bridge)
		again := paper("openalex|W3", "PMID:1 10.1000/a", titled(""), func(r *evidence.Record) {
			r.Origins[0].Fetched = time.Unix(1e9, 0)
		})
		if change := mustJoin(t, m, again); len(change.Put) != 0 {
			t.Errorf("%+v", change.Put)
		}
		cited := paper("openalex|W3", "PMID:1 10.1000/a", func(r *evidence.Record) { r.CitedBy = 7 })
		if change := mustJoin(t, m, cited); len(change.Put) != 1 || change.Put[0].Record.CitedBy != 7 {
			t.Errorf("%+v", change.Put)
		}
	})
	t.Run("of two versions in one batch the last counts", func(t *testing.T) {
		m := newMemory()
		mustJoin(t, m, paper("pubmed|1", "PMID:1"), paper("pubmed|1", "PMID:2"))
		if diff := cmp.Diff(map[string]string{"PMID:2": "pubmed|1"}, m.state()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestJoinRefuses(t *testing.T) {
	for name, rec := range map[string]evidence.Record{
		"no origin": {Title: "x"}, "two origins": {Origins: []evidence.Origin{{Source: "a", ID: "1"},
			{Source: "b", ID: "2"}}}, "an origin without id": {Origins: []evidence.Origin{{Source: "a"}}},
	} {
		if _, err := Join(newMemory(), []evidence.Record{rec}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// broken fails at one of Index's methods.
type broken struct {
	*memory
	at string
}

var errDisk = errors.New("disk on fire")

func (b broken) ByIdentifier(id evidence.Identifier, span evidence.Span) ([]string, error) {
	if b.at == "identifier" {
		return nil, errDisk
	}
	return b.memory.ByIdentifier(id, span)
}

func (b broken) ByTitle(key string, span evidence.Span) ([]string, error) {
	if b.at == "title" {
		return nil, errDisk
	}
	return b.memory.ByTitle(key, span)
}

func (b broken) RecordOf(key string) (string, []string, bool, error) {
	if b.at == "record" {
		return "", nil, false, errDisk
	}
	return b.memory.RecordOf(key)
}

func (b broken) SourceRecord(key string) (evidence.Record, bool, error) {
	if b.at == "source" {
		return evidence.Record{}, false, errDisk
	}
	return b.memory.SourceRecord(key)
}

func TestJoinReportsTheIndexsErrors(t *testing.T) {
	for _, at := range []string{"identifier", "title", "record", "source"} {
		change, err := Join(broken{newMemory(), at}, []evidence.Record{paper("pubmed|1", "PMID:1")})
		if !errors.Is(err, errDisk) || change.Put != nil {
			t.Errorf("%s: %v, %+v", at, err, change)
		}
	}
}

// TestJoinKeepsPapersApart: whatever comes, no record holds two PMIDs, two DOIs, or two kinds of publication.
func TestJoinKeepsPapersApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords(t)
		change, err := Join(newMemory(), records)
		if err != nil {
			t.Fatal(err)
		}
		members := 0
		for _, m := range change.Put {
			members += len(m.Members)
			count := map[evidence.IDKind]int{}
			for _, id := range m.Record.Identifiers {
				count[id.Kind]++
			}
			if count[evidence.PMID] > 1 || count[evidence.DOI] > 1 || count[evidence.PMCID] > 1 {
				t.Fatalf("%s holds %v", m.Record.ID, m.Record.Identifiers)
			}
		}
		if members != len(records) {
			t.Fatalf("%d records went in, %d are in the merged ones", len(records), members)
		}
	})
}

// TestAFilesCountsAndClaimsOrderNothing: a saved answer of a service is a file that anybody may have written.
func TestAFilesCountsAndClaimsOrderNothing(t *testing.T) {
	saved := func(r *evidence.Record) { r.Origins[0].File = "import:saved.json#0" }
	m := newMemory()
	mustJoin(t, m, paper("pubmed|1", "PMID:1 10.1000/a"))
	change := mustJoin(t, m, paper("openalex|W3", "PMID:1 10.1000/a", saved,
		func(r *evidence.Record) { r.CitedBy = 999_999 }))
	for _, put := range change.Put {
		if put.Record.CitedBy != 0 {
			t.Errorf("beside PubMed's record a file counts %d citations", put.Record.CitedBy)
		}
	}
	change = mustJoin(t, m, paper("openalex|W9", "10.1000/z", saved, func(r *evidence.Record) { r.CitedBy = 9 }))
	if len(change.Put) != 1 || change.Put[0].Record.CitedBy != 9 {
		t.Errorf("of a paper that nobody else knows: %+v", change.Put)
	}
	claim := func(r *evidence.Record) {
		r.Links = []evidence.Link{{Relation: evidence.TrialReportedIn,
			Target: evidence.Identifier{Kind: evidence.PMID, Value: "1"}, Source: evidence.SourceClinicalTrials}}
	}
	for name, tc := range map[string]struct {
		change []func(*evidence.Record)
		want   evidence.Relation
	}{
		"the registry": {[]func(*evidence.Record){claim}, evidence.TrialReportedIn},
		"a file of it": {[]func(*evidence.Record){claim, saved}, evidence.OtherRelationship},
	} {
		m := newMemory()
		change := mustJoin(t, m, paper("clinicaltrials|NCT01234567", "NCT:NCT01234567", tc.change...))
		if len(change.Put) != 1 || len(change.Put[0].Record.Links) != 1 || change.Put[0].Record.Links[0].Relation != tc.want {
			t.Errorf("%s: %+v", name, change.Put)
		}
	}
}
