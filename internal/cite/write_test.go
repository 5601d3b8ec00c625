package cite

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

var update = flag.Bool("update", false, "write the golden files anew")

func id(kind evidence.IDKind, value string) evidence.Identifier {
	return evidence.Identifier{Kind: kind, Value: value}
}

// hostile is a text that tries to leave its place in each of the formats.
const hostile = "A title\r\nER  - \r\nTY  - JOUR\nTI  - injected\n\nPMID- 666\n@article{x, title={y}} }}, note = {\\input{z} \"q\", \"a\": 1} %#&_$~^ \u202ekcab <i>x</i>"

// refs are a full record with its judgement, a retracted one, a preprint, a chapter, a registered trial and a hostile
// one.
func refs() []Ref {
	full := &evidence.Record{
		ID: "PMID:99000001",
		Identifiers: []evidence.Identifier{id(evidence.PMID, "99000001"), id(evidence.DOI, "10.5555/a_other"),
			id(evidence.DOI, "10.5555/abc_(1)<2>"), id(evidence.PMCID, "PMC1234567"), id(evidence.OpenAlex, "W12")},
		OwnDOI: "10.5555/abc_(1)<2>",
		Title:  "KRAS G12C & the 50% rule: {β}-cells – a_b", VernacularTitle: "Titel",
		Abstract: []evidence.Section{{Label: "BACKGROUND", Text: "Resistance is common; p<0.05."},
			{Label: "RESULTS", Text: "ORR was 33% in a group of patients large enough that this line must be wrapped."}},
		Authors: []evidence.Author{
			{Family: "Müller", Given: "Jörg A", Initials: "JA", ORCID: "0000-0001-2345-6789",
				Affiliations: []string{"Institute of Things, Town."}},
			{Family: "van der Berg", Given: "P", Initials: "P", Suffix: "Jr"},
			{Collective: "Barnes and Noble Study Group, Inc."}, {Family: "Plato"}, {Family: "Al Farabi"},
		},
		Journal: evidence.Journal{Title: "The journal of things", Abbreviation: "J Things", ISSN: []string{"1234-5678",
			"8765-432X"}, Volume: "13", Issue: "3 Suppl", Pages: "117-26", Publisher: "Press", Country: "England"},
		Date: "2025-03-14", Languages: []string{"eng", "ger"}, Keywords: []string{"resistance"},
		PublicationTypes: []evidence.PublicationType{{Name: "Journal Article", UI: "D016428"},
			{Name: "Clinical Trial, Phase II", UI: "D017427"}},
		MeSH: []evidence.Heading{{Name: "Colorectal Neoplasms", Major: true,
			Qualifiers: []evidence.Qualifier{{Name: "genetics", Major: true}, {Name: "drug therapy"}}}},
		Substances: []evidence.Substance{{Name: "sotorasib", Registry: "2B2VM6UC8G"}, {Name: "Antineoplastic Agents"}},
		Links: []evidence.Link{{Relation: evidence.ReportsTrial, Target: id(evidence.NCT, "NCT01234567")},
			{Relation: evidence.CommentIn, Target: id(evidence.PMID, "99000002"), Citation: "J Things. 2025;14:1."}},
	}
	judged := &evidence.Assessment{
		Score: 8.5, ScoreSource: evidence.ScoreLLM, Criteria: []string{"KRAS G12C", "colorectal"},
		KeyFindings: "ORR 33%\nER  - ", Bucket: evidence.RCT, BucketSource: evidence.BucketFromXML,
		Design: evidence.DesignEarlyPhase,
	}
	return []Ref{
		{Record: full, Assessment: judged},
		{Record: &evidence.Record{
			ID: "DOI:10.5555/r", Identifiers: []evidence.Identifier{id(evidence.DOI, "10.5555/r")}, Title: "A withdrawn finding",
			Date: "2019-07", Authors: full.Authors[:1],
			Retraction: evidence.Retraction{Status: evidence.Yes, Source: "pubmed", Checked: "2026-01-02",
				Notice: id(evidence.PMID, "99000009")},
			Links: []evidence.Link{{Relation: evidence.RetractedBy, Target: id(evidence.PMID, "99000009"),
				Citation: "J Things. 2020;1:1."}},
		}},
		{Record: &evidence.Record{
			ID: "PPR:PPR12", Identifiers: []evidence.Identifier{id(evidence.PPR, "PPR12")}, Title: "A preprint", Date: "2024",
			Preprint: true, AddressesModel: "Note to AI reviewers.", Journal: evidence.Journal{Title: "bioRxiv"},
			Authors: full.Authors[:1],
		}},
		{Record: &evidence.Record{
			Origins: []evidence.Origin{{Source: "import:a.ris", ID: "#3"}}, Title: "A chapter", Date: "2001",
			Journal:          evidence.Journal{Title: "Book of Things", Pages: "1-20"},
			PublicationTypes: []evidence.PublicationType{{Name: "Book Chapter"}},
		}},
		{Record: &evidence.Record{
			ID: "NCT:NCT01234567", Identifiers: []evidence.Identifier{id(evidence.NCT, "NCT01234567")}, Title: "A trial",
			Trial: &evidence.Trial{Status: "RECRUITING", Phases: []string{"PHASE1", "PHASE2"}},
		}},
		{Record: &evidence.Record{
			ID: hostile, Title: hostile, Abstract: []evidence.Section{{Label: hostile, Text: hostile}},
			Authors: []evidence.Author{{Family: hostile, Given: hostile}, {Collective: hostile}},
			Journal: evidence.Journal{Title: hostile, Abbreviation: hostile, Volume: hostile, Issue: hostile, Pages: hostile,
				Publisher: hostile, Country: hostile, ISSN: []string{hostile}},
			Date: "2024", Languages: []string{hostile}, Keywords: []string{hostile},
			PublicationTypes: []evidence.PublicationType{{Name: hostile}}, FullText: []string{hostile},
			Links:      []evidence.Link{{Relation: evidence.CommentIn, Citation: hostile}},
			Retraction: evidence.Retraction{Status: evidence.Yes, Source: hostile},
		}, Assessment: &evidence.Assessment{Criteria: []string{hostile}, KeyFindings: hostile, Excluded: hostile}},
	}
}

func written(t testing.TB, format Format, refs ...Ref) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, listed(refs...)); err != nil {
		t.Fatalf("Write(%s): %v", format, err)
	}
	return b.String()
}

func TestGoldens(t *testing.T) {
	for _, format := range Formats {
		t.Run(string(format), func(t *testing.T) {
			path := filepath.Join("testdata", "refs."+string(format)+".golden")
			got := written(t, format, refs()...)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("differs from %s (-want +got); run with -update if it should:\n%s", path, diff)
			}
		})
	}
}

// Whatever a record holds, a file has as many records as were written, each in the form that the format prescribes.
func TestNothingLeavesItsPlace(t *testing.T) {
	risLine := regexp.MustCompile(`^(?:[A-Z][A-Z0-9]  - .*)?$`)
	nbibLine := regexp.MustCompile(`^(?:[A-Z]{2,4} {0,2}- \S.*|      \S.*)?$`)
	for _, format := range Formats {
		text := written(t, format, refs()...)
		if strings.ContainsAny(text, "\u202e\u0000") {
			t.Errorf("%s: marks that turn the writing are in it", format)
		}
		if all := items(t, text); len(all) != len(refs()) {
			t.Errorf("%s: %d records were written, and read:\n%s", format, len(refs()), summary(all))
		}
		switch format {
		case FormatRIS:
			for l := range strings.SplitSeq(text, "\r\n") {
				if !risLine.MatchString(l) || strings.Contains(l, "\n") {
					t.Errorf("no line of RIS: %q", l)
				}
			}
			if n := strings.Count(text, "\r\nER  - \r\n"); n != len(refs()) {
				t.Errorf("%d ends", n)
			}
		case FormatNBIB:
			for l := range strings.SplitSeq(text, "\n") {
				if !nbibLine.MatchString(l) {
					t.Errorf("no line of NBIB: %q", l)
				}
			}
		case FormatBibTeX:
			if balance := strings.Count(text, "{") - strings.Count(text, "}"); balance != 0 {
				t.Errorf("braces are out of balance by %d", balance)
			}
		case FormatCSLJSON:
			if !json.Valid([]byte(text)) {
				t.Error("it is no JSON")
			}
		}
	}
}

func TestCitationKeys(t *testing.T) {
	doe := []evidence.Author{{Family: "Doé-Smith"}}
	keys := citationKeys{}
	for _, tc := range []struct {
		record evidence.Record
		want   string
	}{
		{evidence.Record{Title: "The effect of KRAS", Authors: doe, Date: "2024-03"}, "doesmith2024effect"},
		{evidence.Record{Title: "The effect of EGFR", Authors: doe, Date: "2024"}, "doesmith2024effect-2"},
		{evidence.Record{Title: "The effect of BRAF", Authors: doe, Date: "2024"}, "doesmith2024effect-3"},
		{evidence.Record{Title: "研究", Date: "2024"}, "2024"},
		{evidence.Record{Title: "研究"}, "ref"},
		{evidence.Record{Title: "ALK", Authors: []evidence.Author{{Collective: "Things Group"}}}, "thingsgroupalk"},
	} {
		if got := keys.keyFor(&tc.record); got != tc.want {
			t.Errorf("%q: got %q; want %q", tc.record.Title, got, tc.want)
		}
	}
}

// A claim that a paper is retracted is told with who claims it, and takes the place of the word that it is not.
func TestADisputedRetractionIsNoted(t *testing.T) {
	r := evidence.Record{ID: "PMID:99000001", Title: "A study", Retraction: evidence.Retraction{
		Status: evidence.No, Source: "pubmed", Checked: "2026-01-02",
		Disputed: evidence.Dispute{By: "an imported file", Source: "import:a.ris", ID: "1\nER  - ", Date: "2026-03-01"},
	}}
	for _, format := range Formats {
		var out bytes.Buffer
		refs := func(yield func(Ref, error) bool) { yield(Ref{Record: &r}, nil) }
		if err := Write(&out, format, refs); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, "Retraction disputed: claimed by import:a.ris 1") ||
			strings.Contains(got, "Retracted: no") || strings.Contains(got, "RETRACTED") {
			t.Errorf("%s:\n%s", format, got)
		}
	}
}

func TestNoReferences(t *testing.T) {
	for format, want := range map[Format]string{FormatRIS: "", FormatNBIB: "", FormatBibTeX: "", FormatCSLJSON: "[]\n"} {
		if got := written(t, format); got != want {
			t.Errorf("%s: got %q; want %q", format, got, want)
		}
	}
}

func TestWritingFails(t *testing.T) {
	for _, format := range Formats {
		var b bytes.Buffer
		broken := iter.Seq2[Ref, error](func(yield func(Ref, error) bool) { yield(Ref{}, errDisk) })
		if err := Write(&b, format, broken); !errors.Is(err, errDisk) {
			t.Errorf("%s: the sequence's error: got %v", format, err)
		}
		if err := Write(full{}, format, listed(refs()...)); !errors.Is(err, errDisk) {
			t.Errorf("%s: the writer's error: got %v", format, err)
		}
	}
	if err := Write(&bytes.Buffer{}, "docx", listed()); err == nil || !strings.Contains(err.Error(), "csl-json") {
		t.Errorf("an unknown format: got %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errDisk }

func TestVancouver(t *testing.T) {
	many := make([]evidence.Author, 7)
	for i := range many {
		many[i] = evidence.Author{Family: "Doe" + string(rune('A'+i)), Given: "J", Initials: "J"}
	}
	all := refs()
	for _, tc := range []struct {
		name   string
		record *evidence.Record
		want   string
	}{
		{"an article", all[0].Record,
			"Müller JA, van der Berg P Jr, Barnes and Noble Study Group, Inc., Plato, Al Farabi. KRAS G12C & the 50% rule: {β}-cells – a_b. J Things. 2025;13(3 Suppl):117-26. doi:10.5555/abc_(1)<2>. PMID: 99000001."},
		{"a retracted one", all[1].Record, "Müller JA. RETRACTED: A withdrawn finding. 2019 Jul. doi:10.5555/r."},
		{"a preprint", all[2].Record, "Müller JA. A preprint [preprint]. bioRxiv. 2024. PPR:PPR12."},
		{"a trial", all[4].Record, "A trial [registered trial]. NCT:NCT01234567."},
		{"seven authors", &evidence.Record{Authors: many, Title: "What now?", Journal: evidence.Journal{Title: "J",
			Volume: "1"}, Date: "2024-01-01"}, "DoeA J, DoeB J, DoeC J, DoeD J, DoeE J, DoeF J, et al. What now? J. 2024;1."},
		{"a title in its own language only", &evidence.Record{VernacularTitle: "Titel."}, "Titel."},
		{"lines in a title", &evidence.Record{Title: "A\nB"}, "A B."},
		{"nothing", &evidence.Record{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Vancouver(tc.record); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// listed is a list as the writers take it.
func listed(refs ...Ref) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for _, r := range refs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// TestAnExpressionOfConcernIsInEveryFile: nobody reads a reference manager's links.
func TestAnExpressionOfConcernIsInEveryFile(t *testing.T) {
	record := &evidence.Record{ID: "PMID:99000001", Title: "A paper", Links: []evidence.Link{{Relation: evidence.ConcernIn,
		Target: evidence.Identifier{Kind: evidence.PMID, Value: "99000002"}}}}
	for _, format := range Formats {
		var out strings.Builder
		if err := Write(&out, format, listed(Ref{Record: record})); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), "expression of concern PMID:99000002") {
			t.Errorf("%s says nothing of it:\n%s", format, out.String())
		}
	}
}
