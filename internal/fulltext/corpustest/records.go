package corpustest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"dossier/internal/evidence"
)

// madeUpWords are what generated records and queries are made of: few enough for queries to match, and with what tells
// tokenisers apart: hyphens, Greek letters, accents, figures, stop words.
var madeUpWords = strings.Fields(
	`cancer of the colon in a lung carcinoma KRAS G12C p.G12C EGFR T790M sotorasib adagrasib
	anti-PD-1 PD-L1 β-catenin IFNγ Müller naïve IL-2 resistance resistant resist immunotherapy immunotherapies immune
	trial trials randomised randomized phase II III survival 5-year p<0.05 and or not for with study studies`)

var (
	madeUpHeadings = []string{"Lung Neoplasms", "Colonic Neoplasms", "Neoplasms", "Humans", "Mice",
		"Drug Resistance, Neoplasm", "Immunotherapy"}
	madeUpQualifiers = []string{"drug therapy", "genetics", "mortality"}
	// Types are publication types.
	Types = []string{"Journal Article", "Randomized Controlled Trial", "Review", "Practice Guideline",
		"Clinical Trial, Phase II"}
	madeUpFamilies = []string{"Smith", "Smithson", "Müller", "van der Berg", "Li", "Lin", "O'Brien"}
	madeUpGiven    = []string{"John A", "Jane", "Jürgen", "Li"}
	madeUpJournals = []evidence.Journal{{Title: "Lancet (London, England)", Abbreviation: "Lancet",
		ISSN: []string{"0140-6736"}},
		{Title: "The New England journal of medicine", Abbreviation: "N Engl J Med"},
		{Title: "Cancer", Abbreviation: "Cancer"}}
	madeUpDates = []evidence.Date{"", "2019", "2020-03", "2020-03-05", "2021-12-31", "2024-01", "2024-01-15"}
)

// Maker makes records and queries out of chance that is always the same.
type Maker struct{ *rand.Rand }

// NewMaker makes one; the same seed gives the same.
func NewMaker(seed uint64) Maker { return Maker{rand.New(rand.NewPCG(seed, 1))} }

// Pick returns one of several.
func Pick[T any](m Maker, from []T) T { return from[m.IntN(len(from))] }

// Words makes a text of n words.
func (m Maker) Words(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = Pick(m, madeUpWords)
	}
	return strings.Join(words, " ")
}

// Record makes a record, the i-th.
func (m Maker) Record(i int) evidence.Record {
	r := evidence.Record{
		ID: fmt.Sprintf("PMID:%d", 1000+i),
		Identifiers: []evidence.Identifier{{Kind: evidence.PMID, Value: fmt.Sprint(1000 + i)},
			{Kind: evidence.DOI, Value: fmt.Sprintf("10.1000/x-%d", i%40)}},
		Origins: []evidence.Origin{{Source: Pick(m, []string{"pubmed", "europepmc", "import:x.ris"}), ID: fmt.Sprint(i),
			Revised: Pick(m, madeUpDates)}},
		Title:     m.Words(3 + m.IntN(6)),
		Journal:   Pick(m, madeUpJournals),
		Date:      Pick(m, madeUpDates),
		Languages: []string{Pick(m, []string{"eng", "ger", "English"})},
		CitedBy:   m.IntN(30),
		Preprint:  m.IntN(10) == 0,
		Bucket:    Pick(m, append([]evidence.Bucket{""}, evidence.Buckets...)),
	}
	if m.IntN(5) > 0 {
		r.Abstract = []evidence.Section{{Label: "BACKGROUND", Text: m.Words(10 + m.IntN(20))},
			{Label: "RESULTS", Text: m.Words(m.IntN(20))}}
	}

	for range m.IntN(3) {
		r.Keywords = append(r.Keywords, m.Words(1+m.IntN(2)))
		r.PublicationTypes = append(r.PublicationTypes, evidence.PublicationType{Name: Pick(m, Types)})
		r.Substances = append(r.Substances, evidence.Substance{Name: m.Words(1 + m.IntN(2))})
	}

	for range m.IntN(4) {
		h := evidence.Heading{Name: Pick(m, madeUpHeadings), Major: m.IntN(2) == 0}
		for range m.IntN(2) {
			h.Qualifiers = append(h.Qualifiers, evidence.Qualifier{Name: Pick(m, madeUpQualifiers), Major: m.IntN(3) == 0})
		}
		r.MeSH = append(r.MeSH, h)
	}

	for range m.IntN(4) {
		given := Pick(m, madeUpGiven)
		r.Authors = append(r.Authors, evidence.Author{Family: Pick(m, madeUpFamilies), Given: given, Initials: given[:1],
			Affiliations: []string{"Dept of " + m.Words(2), "Hospital"}})
	}

	if i%20 == 0 {
		r.Trial = &evidence.Trial{OfficialTitle: m.Words(5), Acronym: "KRAS-1",
			Status: Pick(m, []string{"RECRUITING", "NOT_YET_RECRUITING"}),
			Phases: []string{"PHASE2"}, Conditions: []string{m.Words(2)},
			Interventions: []evidence.Intervention{{Name: "sotorasib", OtherNames: []string{"AMG 510"}}},
			Sites:         []evidence.Site{{Country: Pick(m, []string{"Germany", "France"})}}}
	}

	if i%17 == 0 {
		r.Retraction = evidence.Retraction{Status: evidence.Yes}
	}
	return r
}

// Records makes n records, always the same.
func Records(n int) []evidence.Record {
	m := NewMaker(7)

	records := make([]evidence.Record, n)
	for i := range records {
		records[i] = m.Record(i)
	}
	return records
}

// Catalogue is five records of one title that differ in all that filters, facets and orders look at.
func Catalogue() []evidence.Record {
	return []evidence.Record{
		{ID: "a", Title: "Melanoma", Bucket: evidence.RCT, Design: evidence.DesignRandomised, Date: "2020-05-01", CitedBy: 7,
			Origins:          []evidence.Origin{{Source: "pubmed", ID: "1"}, {Source: "openalex", ID: "W1"}},
			PublicationTypes: []evidence.PublicationType{{Name: "Journal Article"}, {Name: "Randomized Controlled Trial"}},
			Journal:          evidence.Journal{Title: "Lancet (London, England)", Abbreviation: "Lancet"},
			Languages:        []string{"eng"},
			Abstract:         []evidence.Section{{Text: "Melanoma again."}},
			Retraction:       evidence.Retraction{Status: evidence.No}},
		{ID: "b", Title: "Melanoma", Bucket: evidence.CaseReport, Date: "2020-05", CitedBy: 30, Preprint: true,
			Origins: []evidence.Origin{{Source: "europepmc", ID: "2"}}, Languages: []string{"ger"},
			Retraction: evidence.Retraction{Status: evidence.Yes}},
		{ID: "c", Title: "Melanoma", Date: "2018", CitedBy: 7, Origins: []evidence.Origin{{Source: "import:x.ris", ID: "3"}}},
		{ID: "d", Title: "Melanoma", Origins: []evidence.Origin{{Source: "clinicaltrials", ID: "NCT1"}},
			Trial: &evidence.Trial{Status: "NOT_YET_RECRUITING", Phases: []string{"PHASE1", "PHASE2"},
				Sites: []evidence.Site{{Country: "Germany"}, {Country: "France"}, {Country: "Germany"}}}},
		{ID: "e", Title: "Melanoma", Date: "2024-01-01", Origins: []evidence.Origin{{Source: "clinicaltrials", ID: "NCT2"}},
			Trial: &evidence.Trial{Status: "RECRUITING", Sites: []evidence.Site{{Country: "Spain"}}}},
	}
}

// LookupIn reads records by their ids.
func LookupIn(records []evidence.Record) func(id string) (evidence.Record, bool, error) {
	byID := make(map[string]*evidence.Record, len(records))
	for i := range records {
		byID[records[i].ID] = &records[i]
	}
	return func(id string) (evidence.Record, bool, error) {
		if r := byID[id]; r != nil {
			return *r, true, nil
		}
		return evidence.Record{}, false, nil
	}
}
