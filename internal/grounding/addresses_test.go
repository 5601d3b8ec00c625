package grounding

import "testing"

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ name, text, address string }{
		{"a page", "See https://example.org/x.", "https://example.org/x"},
		{"without a scheme", "See www.example.org.", "www.example.org"},
		{"a bare domain", "See example.org, too.", "example.org"},
		{"a bare domain in capitals", "See EXAMPLE.ORG/X.", "EXAMPLE.ORG/X"},
		{"a country's domain", "See klinik.de.", "klinik.de"},
		{"a country's domain with a path", "See studie.at/arm.", "studie.at/arm"},
		{"another scheme", "Open javascript:alert(1) now.", "javascript:alert(1"},
		{"a number with a path", "See 192.0.2.1/x.", "192.0.2.1/x"},
		{"a record's page and a name in it", "See https://user@pubmed.ncbi.nlm.nih.gov/99000001.",
			"https://user@pubmed.ncbi.nlm.nih.gov/99000001"},
		{"a mailbox", "Write to a.b@example.org.", "example.org"},
		{"a mailbox in disguise", "Write to a.b (at) clinic (dot) zz.", "Write to a.b (at) clinic (dot) zz."},
		{"a domain in disguise", "See example[.]zz now.", "See example[.]zz now."},
		{"a telephone", "It is +49 30 5555 0199.", "It is +49 30 5555 0199."},
		{"a telephone behind its name", "Call 030 5555 0199 now.", "Call 030 5555 0199 now."},
		{"full-width letters", "See ｅｘａｍｐｌｅ．ｏｒｇ now.", "See example.org now."},
		{"a record's page", "See https://pubmed.ncbi.nlm.nih.gov/99000001/.", ""},
		{"a record's page without a scheme", "See pubmed.ncbi.nlm.nih.gov/99000001.", ""},
		{"a DOI", "See https://doi.org/10.5555/inv.99000001.", ""},
		{"the register", "It is in ClinicalTrials.gov.", ""},
		{"a missing space", "It was given alone.In patients it was active.", ""},
		{"an abbreviation", "It was given i.v. or p.o. e.g. daily.", ""},
		{"a variant", "The variant p.Gly12Cys/c.34G was found.", ""},
		{"an enzyme", "The kinase (EC 2.7.10.1) was active.", ""},
		{"figures", "The HR was 0.51 (0.30-0.80), +12.5% and 1.204.330.", ""},
		{"a unit", "It was given at 2.5mg/kg and 1.5 mg/m2.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readCitations(c.text).address; got != c.address {
				t.Errorf("%q: %q, want %q", c.text, got, c.address)
			}
		})
	}
}
