package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewIdentifierNormalises(t *testing.T) {
	for _, tc := range []struct {
		name string
		kind IDKind
		raw  string
		want string // empty: refused
	}{
		{"a PMID", PMID, "40715048", "PMID:40715048"},
		{"a PMID with space and zeros", PMID, " 0040715048 ", "PMID:40715048"},
		{"a labelled PMID", PMID, "PMID: 40715048", "PMID:40715048"},
		{"OpenAlex's PMID, which is a URL", PMID, "https://pubmed.ncbi.nlm.nih.gov/40715048", "PMID:40715048"},
		{"an old PubMed URL", PMID, "http://www.ncbi.nlm.nih.gov/pubmed/40715048", "PMID:40715048"},
		{"PMID zero", PMID, "0", ""},
		{"a DOI in the PMID's field", PMID, "10.1000/xyz", ""},
		{"a PMC id in the PMID's field", PMID, "PMC123", ""},
		{"a DOI", DOI, "10.1000/XYZ.1", "DOI:10.1000/xyz.1"},
		{"a DOI as URL", DOI, "https://doi.org/10.1000/Xyz", "DOI:10.1000/xyz"},
		{"a DOI by the old resolver", DOI, "http://dx.doi.org/10.1000/xyz", "DOI:10.1000/xyz"},
		{"a resolver without its scheme", DOI, "doi.org/10.1000/xyz", "DOI:10.1000/xyz"},
		{"a labelled DOI", DOI, "doi:10.1000/xyz", "DOI:10.1000/xyz"},
		{"a DOI with the note of a RIS export", DOI, "10.1000/xyz [doi]", "DOI:10.1000/xyz"},
		{"a DOI at the end of a sentence", DOI, "10.1000/xyz.", "DOI:10.1000/xyz"},
		{"a DOI with a trailing slash", DOI, "https://doi.org/10.1000/xyz/", "DOI:10.1000/xyz"},
		{"a percent-encoded DOI", DOI, "https://doi.org/10.1002%2F(SICI)1097-0142", "DOI:10.1002/(sici)1097-0142"},
		{"a DOI with angle brackets", DOI, "10.1002/(SICI)1097-0142(19990101)85:1<1::AID-CNCR1>3.0.CO;2-A",
			"DOI:10.1002/(sici)1097-0142(19990101)85:1<1::aid-cncr1>3.0.co;2-a"},
		{"a DOI that ends in a bracket of its own", DOI, "10.1016/S0140-6736(05)12345(6)",
			"DOI:10.1016/s0140-6736(05)12345(6)"},
		{"a DOI in brackets", DOI, "10.1000/xyz)", "DOI:10.1000/xyz"},
		{"a DOI of nothing", DOI, "10.1000/", ""},
		{"a URL of another site", DOI, "https://example.org/10.1000/xyz", ""},
		{"a PMCID", PMCID, "pmc0123", "PMCID:PMC123"},
		{"a PMCID with a version", PMCID, "PMC123.2", "PMCID:PMC123"},
		{"a PMC URL", PMCID, "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/", "PMCID:PMC123"},
		{"OpenAlex's PMC URL", PMCID, "https://www.ncbi.nlm.nih.gov/pmc/articles/123", "PMCID:PMC123"},
		{"a bare number is no PMCID", PMCID, "123", ""},
		{"an OpenAlex id", OpenAlex, "https://openalex.org/W2741809807", "OpenAlex:W2741809807"},
		{"a trial", NCT, "nct01234567", "NCT:NCT01234567"},
		{"a trial's page", NCT, "https://clinicaltrials.gov/study/NCT01234567", "NCT:NCT01234567"},
		{"a trial's old page", NCT, "https://clinicaltrials.gov/ct2/show/NCT01234567?term=x", "NCT:NCT01234567"},
		{"a trial's number that is too short", NCT, "NCT123", ""},
		{"a preprint", PPR, "PPR123456", "PPR:PPR123456"},
		{"a preprint's page", PPR, "https://europepmc.org/article/PPR/PPR123456", "PPR:PPR123456"},
		{"a patent", PAT, "us 10,123", ""},
		{"a patent's page", PAT, "https://europepmc.org/article/PAT/EP1234567", "PAT:EP1234567"},
		{"empty", DOI, "", ""},
		{"much too long", DOI, "10.1000/" + strings.Repeat("x", 4000), ""},
		{"a DOI as copied from a PDF", DOI, "\ufeff10.5555/ab\u00adc\u200b.1", "DOI:10.5555/abc.1"},
		{"a DOI with its direction turned", DOI, "10.5555/\u202eabc\u202c", "DOI:10.5555/abc"},
		{"a DOI with a turn that is percent-encoded", DOI, "https://doi.org/10.5555/%E2%80%AEabc", "DOI:10.5555/abc"},
		{"a DOI before a space of another kind", DOI, "10.5555/abc\u00a0[doi]", "DOI:10.5555/abc"},
		{"a PMID with a mark of direction", PMID, "\u200e99000001\u200e", "PMID:99000001"},
		{"a control character of the second set", DOI, "10.5555/x\u009b31m", ""},
		{"a control character that is percent-encoded", DOI, "10.5555/x%1B", ""},
		{"a control character", DOI, "10.1000/x\x1b[31m", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			id, ok := NewIdentifier(tc.kind, tc.raw)
			if got := id.String(); ok != (tc.want != "") || ok && got != tc.want {
				t.Errorf("NewIdentifier(%s, %q) = %s, %v; want %q", tc.kind, tc.raw, got, ok, tc.want)
			}
		})
	}
}

func TestParseIdentifierReadsWhatPeopleType(t *testing.T) {
	for _, tc := range []struct{ raw, want string }{
		{"PMID:40715048", "PMID:40715048"}, {"pmid: 40715048", "PMID:40715048"}, {"40715048", "PMID:40715048"},
		{"10.1000/XYZ", "DOI:10.1000/xyz"}, {"DOI:10.1000/xyz", "DOI:10.1000/xyz"}, {"PMC12", "PMCID:PMC12"},
		{"PMCID:PMC12", "PMCID:PMC12"},
		{"NCT01234567", "NCT:NCT01234567"}, {"W12", "OpenAlex:W12"}, {"PPR12", "PPR:PPR12"},
		{"https://europepmc.org/article/MED/12", "PMID:12"},
		{"https://europepmc.org/articles/PMC12", "PMCID:PMC12"},
	} {
		id, err := ParseIdentifier(tc.raw)
		if err != nil || id.String() != tc.want {
			t.Errorf("ParseIdentifier(%q) = %v, %v; want %s", tc.raw, id, err, tc.want)
		}
	}
	for _, raw := range []string{"", "lung cancer", "PMID:abc", "https://example.org/1", "NCT12"} {
		if id, err := ParseIdentifier(raw); err == nil {
			t.Errorf("ParseIdentifier(%q) = %v, want an error", raw, id)
		}
	}
}

func TestSortIdentifiersPutsTheBestFirst(t *testing.T) {
	ids := []Identifier{{OpenAlex, "W1"}, {DOI, "10.1/b"}, {PMID, "100"}, {PMID, "99"}, {}, {DOI, "10.1/b"}}
	want := []Identifier{{PMID, "99"}, {PMID, "100"}, {DOI, "10.1/b"}, {OpenAlex, "W1"}}
	if diff := cmp.Diff(want, SortIdentifiers(ids)); diff != "" {
		t.Error(diff)
	}
}

func TestURLEscapesADOI(t *testing.T) {
	got := Identifier{DOI, "10.1002/a<b>c d"}.URL()
	if want := "https://doi.org/10.1002/a%3Cb%3Ec%20d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzParseIdentifier(f *testing.F) {
	for _, s := range []string{"PMID:1", "https://doi.org/10.1000/x%2Fy", "10.1000/((", "PMC1.1", "://",
		"https://europepmc.org/article/PAT/EP1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		id, err := ParseIdentifier(raw)
		if err != nil {
			return
		}
		again, err := ParseIdentifier(id.String())
		if err != nil || again != id {
			t.Errorf("%q became %v, which reads back as %v, %v", raw, id, again, err)
		}
		if strings.ContainsAny(id.String(), "\n\r\x00\x1b") {
			t.Errorf("%q kept a control character", raw)
		}
	})
}
