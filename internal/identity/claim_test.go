package identity

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

func retracted(r *evidence.Record) { r.Retraction = evidence.Retraction{Status: evidence.Yes} }

// TestAClaimNeverRewritesARecord lets a less trusted source carry another paper's PMID.
func TestAClaimNeverRewritesARecord(t *testing.T) {
	pubmed := paper("pubmed|1", "PMID:1 10.1000/a", typed("Randomized Controlled Trial"),
		abstracted("Patients were randomised."))
	pubmed.Retraction.Status = evidence.No
	others := by("Juric, Dejan", "Krop, I")
	type change = func(*evidence.Record)
	for _, c := range []struct {
		name   string
		origin string
		claim  []change
		reason string // of the conflict; empty where the two are one
	}{
		{"title, author and year are another's", "openalex|W3", []change{titled(otherTitle), others, dated("2012")},
			"title, first author, year differ"},
		{"title and author are another's", "openalex|W3", []change{titled(otherTitle), others}, "title, first author differ"},
		{"only the title is another's", "openalex|W3", []change{titled(otherTitle)}, "title and other details differ"},
		{"a title in another language, of other people", "openalex|W3",
			[]change{titled("Die Resistenz bei der Behandlung des Kolonkarzinoms"), others}, "title, first author differ"},
		{"an imported record with another title", "import:a.ris|1", []change{titled(otherTitle), others},
			"title, first author differ"},
		{"a short title and another author", "import:a.ris|1", []change{titled("Editorial"), others}, "first author"},
		{"a long false abstract under the right title", "openalex|W3",
			[]change{abstracted(strings.Repeat("Nothing of this was ever found anywhere. ", 9))}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			claim := paper(c.origin, "PMID:1", c.claim...)
			if c.reason != "" {
				retracted(&claim)
				typed("Case Reports")(&claim)
			}
			m := newMemory()
			change := mustJoin(t, m, claim, pubmed)
			got := m.merged["PMID:1"].Record
			if got.Title != pubmed.Title || got.AbstractText() != pubmed.AbstractText() ||
				got.Retraction.Status != evidence.No || !slices.Equal(got.PublicationTypes, pubmed.PublicationTypes) {
				t.Errorf("rewritten: %+v", got)
			}
			reasons := ""
			for _, k := range change.Conflicts {
				reasons += k.Reason
			}
			if (c.reason == "") != (reasons == "") || !strings.Contains(reasons, c.reason) {
				t.Errorf("conflicts %q, want %q", reasons, c.reason)
			}
			for id, rec := range m.merged {
				if id != "PMID:1" && slices.Contains(rec.Record.Identifiers, pubmed.Identifiers[0]) {
					t.Errorf("%s still bears the PMID of another paper", id)
				}
			}
			for _, order := range [][]evidence.Record{{pubmed, claim}, {claim, pubmed}} {
				late := newMemory()
				mustJoin(t, late, order[0])
				mustJoin(t, late, order[1])
				for id, rec := range m.merged {
					if diff := cmp.Diff(rec.Record, late.merged[id].Record); diff != "" {
						t.Errorf("one at a time (-at once +late):\n%s", diff)
					}
				}
			}
		})
	}
}

func TestARetractionIsBelievedOfTheSamePaperOnly(t *testing.T) {
	for _, c := range []struct {
		name  string
		title string
		want  evidence.Ternary
	}{
		{"the same title", "Adaptive resistance to KRAS G12C inhibition in colorectal cancer", evidence.Yes},
		{"the same title, marked by the publisher",
			"RETRACTED: Adaptive resistance to KRAS G12C inhibition in colorectal cancer", evidence.Yes},
		{"a title with half of its words, by the same people",
			"Adaptive resistance to BRAF V600E inhibition in colorectal cancer of mice", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			best, other := paper("pubmed|1", "PMID:1"), paper("openalex|W3", "PMID:1", titled(c.title), retracted)
			if got := Merge([]*evidence.Record{&other, &best}).Retraction.Status; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestOneAuthorityForPMIDs(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []evidence.Record
		want    map[string]string
		named   []string
	}{
		{
			"PubMed's and Europe PMC's record of one PMID with different DOIs are one paper, and the difference is named",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("europepmc|MED/1", "PMID:1 10.1000/b")},
			map[string]string{"PMID:1": "europepmc|MED/1 pubmed|1"}, []string{"PMID:1"},
		},
		{
			"their titles and years may differ, too, and that is named",
			[]evidence.Record{paper("pubmed|1", "PMID:1"), paper("europepmc|MED/1", "PMID:1", titled(otherTitle),
				dated("2024"))},
			map[string]string{"PMID:1": "europepmc|MED/1 pubmed|1"}, []string{"PMID:1"},
		},
		{
			"a carrier of the second DOI belongs to them",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("europepmc|MED/1", "PMID:1 10.1000/b"),
				paper("openalex|W3", "10.1000/b W3")},
			map[string]string{"PMID:1": "europepmc|MED/1 openalex|W3 pubmed|1"}, []string{"PMID:1"},
		},
		{
			"a PMC-only record of Europe PMC that claims the PMID is no authority for it",
			[]evidence.Record{paper("pubmed|1", "PMID:1 10.1000/a"), paper("europepmc|PMC/PMC7", "PMID:1 10.1000/b PMC7")},
			map[string]string{"PMID:1": "pubmed|1", "DOI:10.1000/b": "europepmc|PMC/PMC7"}, []string{"PMID:1"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			change := mustJoin(t, m, c.records...)
			if diff := cmp.Diff(c.want, m.state()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var named []string
			for _, k := range change.Conflicts {
				named = append(named, k.Identifier.String())
				if k.Reason == "" || k.Total != len(k.Records) {
					t.Errorf("%+v", k)
				}
			}
			if diff := cmp.Diff(c.named, named); diff != "" {
				t.Errorf("conflicts (-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnOwnerThatGoesGivesItsPMIDBack(t *testing.T) {
	m := newMemory()
	claim := paper("openalex|W3", "PMID:1 10.1000/b W3", titled(otherTitle), by("Juric, Dejan"))
	mustJoin(t, m, paper("pubmed|1", "PMID:1"), claim)
	if diff := cmp.Diff(map[string]string{"PMID:1": "pubmed|1", "DOI:10.1000/b": "openalex|W3"}, m.state()); diff != "" {
		t.Error(diff)
	}
	if _, err := m.update(nil, []string{"pubmed|1"}); err != nil {
		t.Fatal(err)
	}
	if got := m.merged["PMID:1"].Record; !slices.Equal(got.Identifiers, claim.Identifiers) {
		t.Errorf("%v", got.Identifiers)
	}
}

func TestYearsDoNotChain(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*evidence.Record)
		chained bool
	}{
		{"place unknown", func(*evidence.Record) {}, false},
		{"in one volume", in("Cancer Discovery", "10", "8", ""), false},
		{"on the same pages of one volume", in("Cancer Discovery", "10", "8", "1129-1139"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, paper("import:a.ris|1", "", c.change, dated("2019")), paper("import:a.ris|2", "", c.change,
				dated("2020")), paper("import:a.ris|3", "", c.change, dated("2021")))
			chained := false
			for _, rec := range m.merged {
				chained = chained || slices.Contains(rec.Members, "import:a.ris|1") &&
					slices.Contains(rec.Members, "import:a.ris|3")
			}
			if chained != c.chained {
				t.Errorf("2019 and 2021 in one record: %t, want %t", chained, c.chained)
			}
		})
	}
}

// TestAbstractsOfOneSupplement share their DOI, journal, year and people, and each is a study of its own.
func TestAbstractsOfOneSupplement(t *testing.T) {
	supplement := in("J Clin Oncol", "39", "15_suppl", "")
	numbered := func(numbers ...string) func(*evidence.Record) {
		return func(r *evidence.Record) { r.Accessions = numbers }
	}
	const title = "A phase 1 study of inventumab in glioma"
	type change = func(*evidence.Record)
	for _, c := range []struct {
		name string
		a, b []change
		one  bool
	}{
		{"adults and children", []change{titled(title + " of adults")}, []change{titled(title + " of children")}, false},
		{"cohort A and cohort B", []change{titled(title + ", cohort A")}, []change{titled(title + ", cohort B")}, false},
		{"interim and final", []change{titled(title + ": interim analysis")}, []change{titled(title + ": final analysis")}, false},
		{"adults and children on one page", []change{titled(title + " of adults"), in("J Clin Oncol", "39", "15_suppl", "S45")},
			[]change{titled(title + " of children"), in("J Clin Oncol", "39", "15_suppl", "S45")}, false},
		{"other words on the same several pages", []change{titled(title + " of adults"), in("J Clin Oncol", "39", "4", "45-52")},
			[]change{titled(title + " of grown-ups"), in("J Clin Oncol", "39", "4", "45-52")}, true},
		{"one title", []change{titled(title)}, []change{titled(title)}, true},
		{"one title under two numbers of one database", []change{titled(title), numbered("embase:l1")},
			[]change{titled(title), numbered("embase:l2")}, false},
		{"one title under the same number", []change{titled(title), numbered("embase:l1")},
			[]change{titled(title), numbered("embase:l1", "wos:1")}, true},
		{"one title under numbers of two databases", []change{titled(title), numbered("embase:l1")},
			[]change{titled(title), numbered("wos:1")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, paper("import:a.ris|1", "DOI:10.5555/supplement", append([]change{supplement}, c.a...)...),
				paper("import:a.ris|2", "DOI:10.5555/supplement", append([]change{supplement}, c.b...)...))
			if one := len(m.merged) == 1; one != c.one {
				t.Errorf("%d records, one: %t", len(m.merged), c.one)
			}
		})
	}
}

// Two numbers of one database keep two records apart also where a third has none and would join both.
func TestAccessionsOverAThirdRecord(t *testing.T) {
	with := func(id string, numbers ...string) evidence.Record {
		r := paper("import:a.ris|"+id, "")
		r.Accessions = numbers
		return r
	}
	m := newMemory()
	mustJoin(t, m, with("1"), with("2", "embase:l1"), with("3", "embase:l2"))
	for id, rec := range m.merged {
		if strings.Contains(strings.Join(rec.Record.Accessions, " "), "l1 embase:l2") {
			t.Errorf("%s holds %q", id, rec.Record.Accessions)
		}
	}
}
