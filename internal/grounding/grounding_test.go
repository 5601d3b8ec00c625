package grounding

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dossier/internal/evidence"
)

func TestCheckDecidesOnCitations(t *testing.T) {
	gold := readGold(t)
	trial := evidence.Item{Record: &evidence.Record{ID: "NCT:NCT99000001",
		Identifiers: []evidence.Identifier{{Kind: evidence.NCT, Value: "NCT99000001"}}}}
	bare := evidence.Item{Record: &evidence.Record{ID: "PMID:99000099", Retraction: evidence.Retraction{Status: evidence.Yes}}}
	g := New(append(itemsOf(gold.Records), bare), nil, []evidence.Item{trial}, shippedLexicon())
	all := func(n int) []string { return slices.Repeat([]string{"PMID:99000001"}, n) }
	for _, c := range []struct {
		name, text string
		cites      []string
		removed    string
		records    string // of what stays
		shown      string
	}{
		{"by id", "It works.", []string{"PMID:99000001"}, "", "PMID:99000001", "It works."},
		{"by bare number", "It works.", []string{" 99000001 "}, "", "PMID:99000001", "It works."},
		{"by DOI in other case", "It works.", []string{"https://doi.org/10.5555/INV.99000001"}, "", "PMID:99000001",
			"It works."},
		{"twice the same", "It works.", []string{"99000001", "10.5555/inv.99000001"}, "", "PMID:99000001", "It works."},
		{"two in a string", "It works.", []string{"PMID:99000001, PMID:99000002"}, "", "PMID:99000001 PMID:99000002",
			"It works."},
		{"in the text alone", "It works [PMID:99000001, PMID:99000002].", nil, "", "PMID:99000001 PMID:99000002",
			"It works."},
		{"bare in brackets", "It works [99000001].", nil, "", "PMID:99000001", "It works."},
		{"an address in the text", "It works (https://pubmed.ncbi.nlm.nih.gov/99000001/).", nil, "", "PMID:99000001",
			"It works."},
		{"a DOI at the end", "It works, doi:10.5555/inv.99000001.", nil, "", "PMID:99000001", "It works."},
		{"the model's own numbers", "It works [1], or [2, 3], or [4-6].", []string{"99000001"}, "", "PMID:99000001",
			"It works, or, or."},
		{"author and year", "It works (van der Velde and Nowak-Ilves, 2025).", []string{"99000005"}, "", "PMID:99000005",
			"It works (van der Velde and Nowak-Ilves, 2025)."},
		{"author and year add the record", "It works (Osei-Bonsu et al., 2023).", []string{"99000001"}, "",
			"PMID:99000001 PMID:99000003", "It works (Osei-Bonsu et al., 2023)."},
		{"accents fold", "Bergstrom et al. found it.", []string{"99000008"}, "", "PMID:99000008",
			"Bergstrom et al. found it."},
		{"only a second author", "García-Prado et al. found it.", []string{"99000003"}, RemovedInText, "", ""},
		{"second author, other year", "It works (Tellmann et al. 2024).", []string{"99000002"}, RemovedInText, "", ""},
		{"a month is nobody", "Searched up to then (June 2024).", []string{"99000005"}, "", "PMID:99000005",
			"Searched up to then (June 2024)."},
		{"a trial that the report lists", "NCT99000001 recruits.", []string{"99000001"}, "", "PMID:99000001",
			"NCT99000001 recruits."},
		{"a trial that nobody lists", "NCT99000002 recruits.", []string{"99000001"}, RemovedInText, "", ""},
		{"a place in a journal", "It works (2024;41:2101).", []string{"99000001"}, "", "PMID:99000001",
			"It works (2024;41:2101)."},
		{"unknown", "It works.", []string{"PMID:1"}, RemovedUnknown, "", ""},
		{"known and unknown", "It works.", []string{"PMID:99000001", "PMID:1"}, RemovedUnknown, "", ""},
		{"unknown in the text", "It works [PMID:1].", []string{"PMID:99000001"}, RemovedInText, "", ""},
		{"unknown in small letters", "It works, pmid 1.", []string{"PMID:99000001"}, RemovedInText, "", ""},
		{"retracted", "It works.", []string{"PMID:99000009"}, removedRetracted, "", ""},
		{"retracted in the text", "It works [PMID:99000009].", []string{"PMID:99000001"}, removedRetracted, "", ""},
		{"retracted, and known by its id alone", "It works.", []string{"PMID:99000099"}, removedRetracted, "", ""},
		{"nothing", "It works.", nil, RemovedNoCite, "", ""},
		{"empty citations", "It works.", []string{"", "  "}, RemovedNoCite, "", ""},
		{"no text", "  ", []string{"PMID:99000001"}, RemovedEmpty, "", ""},
		{"nothing but a citation", "[PMID:99000001]", nil, RemovedEmpty, "", ""},
		{"endless", strings.Repeat("x", MaxStatement+1), []string{"PMID:99000001"}, removedTooLong, "", ""},
		{"endless citations", "It works.", all(MaxCites + 1), removedTooLong, "", ""},
		{"hidden by zero-width characters", "It works [PM\u200bID:1].", []string{"PMID:99000001"}, RemovedInText, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := g.Check(c.text, c.cites)
			if v.Removed != c.removed || strings.Join(v.Records, " ") != c.records || v.Text != c.shown {
				t.Errorf("got removed %q, records %v, text %q; want %q, %q, %q", v.Removed, v.Records, v.Text, c.removed, c.records,
					c.shown)
			}
		})
	}
}

func TestQuotesToTheLetter(t *testing.T) {
	s := newSourceText(&evidence.Record{ID: "x", Title: "A title",
		Abstract: []evidence.Section{{Text: "The so-called ‘late’ effect was seen in all  patients, but rarely lasted. It ended."}}})
	for quote, want := range map[string]bool{
		"effect was seen in all patients":      true,
		"The so-called 'late' effect":          true,
		"was seen in all patients,":            true,
		"effect … rarely lasted":               true,
		"effect [...] lasted":                  true,
		"rarely lasted … effect":               false,
		"effect was seen in most patients":     false,
		"Effect was seen in all patients":      false,
		"rarely lasted. It ended.":             true,
		"The so called 'late' effect was seen": false,
	} {
		if got := s.hasQuote(quote); got != want {
			t.Errorf("%q: %v, want %v", quote, got, want)
		}
	}
}

// TestQuotations: two words in quotation marks are to the letter, one is a word.
func TestQuotations(t *testing.T) {
	s := newSourceText(&evidence.Record{ID: "x", Title: "A title", Abstract: []evidence.Section{{Text: "It held in all patients."}}})
	for text, want := range map[string]int{
		"They say that it “held in all patients”.": 0,
		"They say that it “held out”.":             1,
		"They call it “magic”.":                    0,
	} {
		if got := markQuotes(text, []*Source{s}); len(got) != want {
			t.Errorf("%q: %+v, want %d marks", text, got, want)
		}
	}
}

// TestUncited: a sentence without a citation of its own is removed for whatever would be marked.
func TestUncited(t *testing.T) {
	g := New([]evidence.Item{{Record: &evidence.Record{ID: "PMID:99000001", Title: "Sotorasib in colorectal cancer",
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"}},
		Abstract:    []evidence.Section{{Text: "The response rate was 41% with sotorasib."}}}}}, nil, nil, shippedLexicon())
	for _, c := range []struct {
		name, text string
		pass       []MarkKind
		removed    string
	}{
		{"what a record says", "The response rate was 41%.", nil, ""},
		{"with its citation", "The response rate was 41% [PMID:99000001].", nil, ""},
		{"with one that nobody has", "The response rate was 41% [PMID:1].", nil, RemovedInText},
		{"another number", "The response rate was 58%.", nil, RemovedNumber},
		{"another number, let pass", "The response rate was 58%.", []MarkKind{MarkNumber}, ""},
		{"a drug of no record", "Adagrasib was given.", nil, RemovedEntity},
		{"the number of what was weighed", "7 records were weighed.", nil, ""},
		{"another number of them", "8 records were weighed.", nil, RemovedNumber},
		{"nothing but a citation", "[PMID:99000001]", nil, RemovedEmpty},
		{"an order", "Give sotorasib to this patient.", nil, RemovedOrder},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := g.Uncited(c.text, c.pass, []int{7}); v.Removed != c.removed {
				t.Errorf("removed %q, want %q", v.Removed, c.removed)
			}
		})
	}
}

// TestDrugNamed: each drug of a name is in a record, under whatever name of its own.
func TestDrugNamed(t *testing.T) {
	s := newSourceText(&evidence.Record{ID: "x", Title: "Sotorasib plus panitumumab in colorectal cancer"})
	g := New(nil, nil, nil, shippedLexicon())
	for name, want := range map[string]bool{
		"sotorasib":                 true,
		"sotorasib + panitumumab":   true,
		"panitumumab and AMG 510":   true,
		"sotorasib (Lumakras)":      true,
		"sotorasib with cetuximab":  false,
		"sotorasib + turvazumabine": false,
		" + ":                       false,
	} {
		if got := g.DrugNamed(name, []*Source{s}); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// FuzzCheck holds what must be true of any statement on any record: no citation from outside, marks within the text.
func FuzzCheck(f *testing.F) {
	f.Add("Response was 41% [PMID:1] “quoted words here” (Smith et al., 2020) https://x.example/ 10.1000/x",
		"PMID:99000001", "The response was 23% versus 41% with A and B, respectively.")
	f.Add("A worked in 5.6 months.", "99000001; 2", "PFS was 5.6 months with A versus 2.2 months with B.")
	words := shippedLexicon()
	f.Fuzz(func(t *testing.T, text, cite, abstract string) {
		g := New([]evidence.Item{{Record: &evidence.Record{
			ID: "PMID:99000001", Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: "99000001"}}, Title: "A title",
			Abstract: []evidence.Section{{Text: abstract}}, Date: "2024",
		}}}, nil, nil, words)
		v := g.Check(text, []string{cite})
		if v.Removed != "" {
			return
		}
		if fmt.Sprint(v.Records) != "[PMID:99000001]" {
			t.Fatalf("cites %v", v.Records)
		}
		end := 0
		for _, m := range v.Marks {
			if m.Start < end || m.End > len(v.Text) || v.Text[m.Start:m.End] != m.Text {
				t.Fatalf("the mark %+v does not fit the text %q", m, v.Text)
			}
			end = m.End
		}
		if !utf8.ValidString(v.Text) {
			t.Fatalf("%q is no valid text", v.Text)
		}
	})
}

// A record's headings bear a statement out as its text does.
func TestHeadingsAreRead(t *testing.T) {
	r := &evidence.Record{
		ID: "PMID:99000001", Title: "A study", MeSH: []evidence.Heading{{Name: "Carcinoma, Non-Small-Cell Lung"}},
		Keywords: []string{"EGFR T790M"}, Substances: []evidence.Substance{{Name: "osimertinib"}},
	}
	g := New(itemsOf([]evidence.Record{*r}), nil, nil, shippedLexicon())
	v := g.Check("Osimertinib was given for NSCLC with EGFR T790M.", []string{r.ID})
	if v.Removed != "" || len(v.Marks) > 0 {
		t.Errorf("removed %q, marks %+v", v.Removed, v.Marks)
	}
}

// TestDirectionsAreCompared: what the cited record says the other way round is marked, be it by a "not" or by the
// opposite word.
func TestDirectionsAreCompared(t *testing.T) {
	const better = "Overall survival was significantly improved with adagrasib (hazard ratio 0.71)."
	const notBetter = "Overall survival was not improved with adagrasib (hazard ratio 0.71)."
	for _, c := range []struct {
		name, record, statement string
		contrary                bool
	}{
		{"a not that the record does not say", better, notBetter, true},
		{"a not that the record says alone", notBetter, "Overall survival was improved with adagrasib (hazard ratio 0.71).",
			true},
		{"no not", better, "Adagrasib improved overall survival (hazard ratio 0.71).", false},
		{"a not in both", notBetter, "Adagrasib did not improve overall survival (hazard ratio 0.71).", false},
		{"the opposite word", better, "Overall survival was worse with adagrasib (hazard ratio 0.71).", true},
		{"another number", better, "Overall survival was not improved with adagrasib (hazard ratio 0.93).", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			record := newSourceText(&evidence.Record{ID: "x", Abstract: []evidence.Section{{Text: c.record}}})
			if marks := markEffects(c.statement, []*Source{record}); len(marks) > 0 != c.contrary {
				t.Errorf("%+v", marks)
			}
		})
	}
}
