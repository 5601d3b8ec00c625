package identity

import (
	"errors"
	"slices"
	"testing"

	"dossier/internal/evidence"
)

// failing is a store of which one call fails, the one behind so many others; none where that is negative.
type failing struct {
	claims
	holding
	before int
}

var errStore = errors.New("the store can't be read")

func (f *failing) call() error {
	f.before--
	if f.before == -1 {
		return errStore
	}
	return nil
}

func (f *failing) SourceRecord(key string) (evidence.Record, bool, error) {
	if err := f.call(); err != nil {
		return evidence.Record{}, false, err
	}
	return f.claims.SourceRecord(key)
}

func (f *failing) ByIdentifier(id evidence.Identifier, span evidence.Span) ([]string, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.claims.ByIdentifier(id, span)
}

func (f *failing) ByTitle(key string, span evidence.Span) ([]string, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.claims.ByTitle(key, span)
}

func (f *failing) RecordOf(key string) (string, []string, bool, error) {
	if err := f.call(); err != nil {
		return "", nil, false, err
	}
	return f.claims.RecordOf(key)
}

func (f *failing) Record(id string) (evidence.Record, bool, error) {
	if err := f.call(); err != nil {
		return evidence.Record{}, false, err
	}
	return f.holding.Record(id)
}

func (f *failing) Lookup(id evidence.Identifier) ([]string, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.holding.Lookup(id)
}

// LinkingTo finds retracted works by their titles, too, as the store does.
func (f *failing) LinkingTo(id evidence.Identifier) ([]string, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	if id.Kind == evidence.RetractedTitle {
		return f.ids(func(r evidence.Record) bool { return slices.Contains(r.RetractedTitles, id.Value) }), nil
	}
	return f.holding.LinkingTo(id)
}

// TestAStoreThatFailsIsTold: whichever call of the store fails, whatever is asked, no answer is made up without it.
func TestAStoreThatFailsIsTold(t *testing.T) {
	const title = "Adaptive resistance to KRAS G12C inhibition in colorectal cancer"
	text := abstracted("In 160 patients of two hospitals the invented combination prolonged survival against the other. " +
		"Diarrhoea and rash were more frequent with it, and nobody stopped the treatment in the first half of the year.")
	m := newMemory()
	mustJoin(t, m,
		paper("pubmed|1", "PMID:1 10.1000/a", retracted, text),
		paper("import:a.ris|1", "10.1000/b", dated("2016"), text),
		paper("import:a.ris|2", "PMID:1", dated("2011"), titled("Another matter of some invented specimens"), by("Doe, J")),
		paper("import:b.ris|3", "PMID:7", dated("2011"), titled("A third matter of some invented specimens"), by("Roe, J")),
		paper("openalex|W8", "W8 10.1000/p", dated("2019"), typed("preprint"), linked(evidence.PreprintOf, "PMID:1")),
		paper("pubmed|7", "PMID:7 10.1000/s", titled("Rare outcomes of a long watch in two hospitals"), by("Poe, E")),
		paper("import:c.ris|1", "PMID:7", retracted, titled("What nobody has seen in a hospital yet"), by("Moe, A")),
		paper("pubmed|9", "PMID:9", typed("Retraction of Publication"), titled("Retraction notice to: "+title), dated("2021"),
			linked(evidence.Retracts, "10.1000/none")),
		paper("pubmed|10", "PMID:10", typed("Retraction of Publication"), titled("Retraction"), linked(evidence.Retracts,
			"10.1000/b"), dated("2021")),
	)
	whole := holdingOf(m)
	for id, r := range whole {
		r.RetractedTitles = RetractedTitles(&r)
		whole[id] = r
	}
	for name, ask := range map[string]func(c Claims, r *evidence.Record) (any, error){
		"what others say of it":    func(c Claims, r *evidence.Record) (any, error) { return RetractionByOthers(c, r) },
		"what it is a copy of":     func(c Claims, r *evidence.Record) (any, error) { return CopyOfRetracted(c, r) },
		"what may be a copy of it": func(c Claims, r *evidence.Record) (any, error) { return CopyCandidates(c, r) },
		"what belongs with it":     func(c Claims, r *evidence.Record) (any, error) { return Family(c, r) },
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			for id, r := range whole {
				for before := 0; ; before++ {
					store := &failing{claims{m, whole}, whole, before}
					_, err := ask(store, &r)
					if store.before >= 0 { // it asks no more than that
						if err != nil {
							t.Errorf("%s: %v", id, err)
						}
						break
					}
					if calls++; !errors.Is(err, errStore) {
						t.Errorf("%s, with call %d failing: %v", id, 1+before, err)
					}
				}
			}
			if calls < 10 {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

// TestTheFirstNoticeIsQuoted: of notices that are found in several ways the earliest, whichever way it was found.
func TestTheFirstNoticeIsQuoted(t *testing.T) {
	for _, tt := range []struct {
		name           string
		linked, titled evidence.Date
		want           string
	}{
		{"by its link", "2020", "2021", "PMID:8"},
		{"by its title", "2022", "2021", "PMID:9"},
		{"on one day, by its number", "2021", "2021", "PMID:8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			mustJoin(t, m, paper("pubmed|1", "PMID:1", dated("2019")),
				paper("pubmed|8", "PMID:8", typed("Retraction of Publication"), titled("Retraction"), dated(tt.linked),
					linked(evidence.Retracts, "PMID:1")),
				paper("pubmed|9", "PMID:9", typed("Retraction of Publication"), dated(tt.titled),
					titled("Retraction notice to: Adaptive resistance to KRAS G12C inhibition in colorectal cancer")))
			whole := holdingOf(m)
			for id, r := range whole {
				r.RetractedTitles = RetractedTitles(&r)
				whole[id] = r
			}
			r := whole["PMID:1"]
			got, err := RetractionByOthers(&failing{claims{m, whole}, whole, -1}, &r)
			if err != nil || got.Notice.String() != tt.want {
				t.Errorf("%v, %v; want %s", got.Notice, err, tt.want)
			}
		})
	}
}
