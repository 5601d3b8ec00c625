package evidence

import (
	"net/url"
	"slices"
	"testing"
)

// TestSources walks all sources: what is missing of one is said here, and not by the place that needs it.
func TestSources(t *testing.T) {
	var places []int
	for _, s := range Sources {
		t.Run(s.Name, func(t *testing.T) {
			if got := SourceOf(s.Name); got.Name != s.Name {
				t.Errorf("SourceOf gives %q", got.Name)
			}
			if u, err := url.Parse(s.Address); s.Address != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
				t.Errorf("address %q", s.Address)
			}
			isService, hasOwn := s.Address != "", len(s.Gives) > 0
			if isService != (hasOwn || s.Optional) || isService != (s.Sweep.IDs != nil) {
				t.Error("a service has an address, what it is asked every night, and identifiers of its own or a setting")
			}
			if s.Sweep.IDs != nil && (s.Sweep.Chunk < 1 || s.Sweep.Most < s.Sweep.Chunk) {
				t.Errorf("%d at once, %d at most", s.Sweep.Chunk, s.Sweep.Most)
			}
			for _, own := range s.Gives {
				id := Identifier{Kind: own.Kind, Value: "1"}
				if got := s.OwnIdentifier(own.Prefix + "1"); got != id {
					t.Errorf("its id %s1 is %v, not %v", own.Prefix, got, id)
				}
				if name, _ := FetchedBy(id); name == "" {
					t.Errorf("nobody has %v", id)
				}
			}
		})
		places = append(places, s.Authority)
	}
	slices.Sort(places)
	for i, place := range places {
		if place != i+1 {
			t.Errorf("places among the authorities: %v", places)
			break
		}
	}
}

func TestFetchedBy(t *testing.T) {
	for _, tt := range []struct{ id, source, at string }{
		{"PMID:7", SourcePubMed, "7"},
		{"PMCID:PMC7", SourceEuropePMC, "PMC/PMC7"},
		{"PPR:PPR7", SourceEuropePMC, "PPR/PPR7"},
		{"NCT:NCT00000007", SourceClinicalTrials, "NCT00000007"},
		{"OpenAlex:W7", SourceOpenAlex, "W7"},
		{"DOI:10.5555/7", "", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			id, err := ParseIdentifier(tt.id)
			if err != nil {
				t.Fatal(err)
			}
			if source, at := FetchedBy(id); source != tt.source || at != tt.at {
				t.Errorf("%q, %q; want %q, %q", source, at, tt.source, tt.at)
			}
		})
	}
}

func TestAuthorities(t *testing.T) {
	want := []SourceName{SourcePubMed, SourceLocal, SourceEuropePMC, SourceCrossref, SourceBioRxiv, SourceMedRxiv,
		SourceOpenAlex, SourceClinicalTrials, SourceRetractionWatch}
	if got := Authorities(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// TestPreprintServersAreAskedAboutTheirOwn: by the series of DOIs that the two share, and by the server where it is
// known.
func TestPreprintServersAreAskedAboutTheirOwn(t *testing.T) {
	published := []Link{{Relation: PreprintOf, Target: Identifier{Kind: DOI, Value: "10.5555/a"}}}
	for _, tt := range []struct {
		name, doi, server string
		links             []Link
		bio, med          bool
	}{
		{"a preprint, and nobody says where", "10.1101/2024.00.00.00000001", "", nil, true, true},
		{"bioRxiv's", "10.1101/2024.00.00.00000001", "bioRxiv", nil, true, false},
		{"medRxiv's, by its newer prefix", "10.64898/2025.00.00.00000001", "medRxiv (Cold Spring Harbor Laboratory)", nil, false, true},
		{"an old number", "10.1101/000001", "", nil, true, true},
		{"a journal of the same house", "10.1101/gr.000001.124", "", nil, false, false},
		{"another server", "10.21203/rs.3.rs-1", "", nil, false, false},
		{"its article is known", "10.1101/2024.00.00.00000001", "", published, false, false},
		{"that it is one is known, and not whose", "10.1101/2024.00.00.00000001", "", []Link{{Relation: PreprintOf}}, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &Record{Identifiers: []Identifier{{Kind: DOI, Value: tt.doi}, {Kind: PPR, Value: "PPR1"}}, Links: tt.links,
				Journal: Journal{Title: tt.server}}
			for name, want := range map[SourceName]bool{SourceBioRxiv: tt.bio, SourceMedRxiv: tt.med} {
				if got := SourceOf(name).Sweep.IDs(r); len(got) > 0 != want {
					t.Errorf("%s is asked about %v", name, got)
				}
			}
		})
	}
}
