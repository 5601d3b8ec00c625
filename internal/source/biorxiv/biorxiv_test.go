package biorxiv_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/fetch/fetchtest"
	"dossier/internal/source"
	"dossier/internal/source/biorxiv"
	"dossier/internal/source/sourcetest"
)

func doi(i int) evidence.Identifier {
	return evidence.Identifier{Kind: evidence.DOI, Value: fmt.Sprintf("10.1101/2024.00.00.%08d", i)}
}

// service is a healthy server that has every preprint which it is asked about.
func service(w http.ResponseWriter, r *http.Request) {
	asked, isDetails := strings.CutPrefix(r.URL.Path, "/details/biorxiv/")
	asked, isJSON := strings.CutSuffix(asked, "/na/json")
	if !isDetails || !isJSON {
		http.Error(w, "Not Found", http.StatusNotFound)
		return
	}
	fmt.Fprintf(w, `{"messages":[{"status":"ok"}],"collection":[{"doi":%q,"title":"A preprint","authors":"Ash, A.","date":"2024-05-06",`+
		`"version":"1","type":"new results","category":"cancer biology","abstract":"p<0.05","published":"NA","server":"bioRxiv"}]}`, asked)
}

// threeTimes is a Source as the suite wants it: its search asks about three preprints.
type threeTimes struct{ *biorxiv.Source }

func (s threeTimes) Search(ctx context.Context, _ source.Query) (source.Result, error) {
	batch, err := s.Changed(ctx, []evidence.Identifier{doi(1), doi(2), doi(3)}, time.Time{})
	result := source.Result{Records: batch.Records, Problems: batch.Problems}
	for i := range batch.Records {
		result.IDs = append(result.IDs, batch.Records[i].Origins[0].ID)
	}
	return result, err
}

func TestConformance(t *testing.T) {
	sourcetest.RunLookup(t, sourcetest.Case{
		New: func(base string, client *fetch.Client) sourcetest.Source {
			return threeTimes{biorxiv.New(evidence.SourceBioRxiv, source.Config{BaseURL: base, Now: fetchtest.Start}, client)}
		},
		Service: func(int) http.Handler { return http.HandlerFunc(service) },
		Unfit: map[string]string{
			"another server": `{"messages":[{"status":"Server not recognized"}],"collection":[]}`,
			"no version":     `{"messages":[{"status":"ok"}],"collection":[]}`,
			"no list":        `{"messages":[{"status":"ok"}]}`,
			"no status":      `{"messages":[],"collection":[{"doi":"10.1101/2024.00.00.00000001"}]}`,
		},
	})
}

// changed is what a server makes of questions, which it answers with body.
func changed(t *testing.T, server evidence.SourceName, status int, body string, ids ...evidence.Identifier) (source.Batch, []string,
	time.Duration) {
	t.Helper()
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	clock := fetchtest.NewClock()
	client := fetch.New(fetch.Options{UserAgent: "dossier/test", Clock: clock, Retry: fetch.Retry{Steady: true}})
	lookup := biorxiv.New(server, source.Config{BaseURL: s.URL, Now: fetchtest.Start}, client)
	batch, err := lookup.Changed(t.Context(), ids, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var slept time.Duration
	for _, d := range clock.Slept() {
		slept += d
	}
	return batch, asked, slept
}

// TestVersions: the newest version speaks, the first says when the preprint came out, and the article is linked to.
func TestVersions(t *testing.T) {
	body, err := os.ReadFile("testdata/published.json")
	if err != nil {
		t.Fatal(err)
	}
	id := evidence.Identifier{Kind: evidence.DOI, Value: "10.1101/2023.00.00.00000001"}
	batch, asked, _ := changed(t, evidence.SourceMedRxiv, 200, string(body), id)
	want := evidence.Record{
		Origins: []evidence.Origin{{Source: "medrxiv", ID: id.Value, Revised: "2024-01-15", Version: 3, Fetched: fetchtest.Start()}},
		Title:   "Sotorasib with panitumumab in KRAS G12C colorectal cancer: an invented preprint, revised",
		Authors: []evidence.Author{{Family: "Farthingmoor", Given: "W. J.", Initials: "WJ"}, {Family: "Ibberstone", Given: "M.", Initials: "M"},
			{Family: "Quillworth", Given: "A.", Initials: "A"}},
		Abstract: []evidence.Section{{Text: "Of 160 patients, 42 responded."}}, Identifiers: []evidence.Identifier{id}, Preprint: true,
		Journal: evidence.Journal{Title: "medRxiv"}, Date: "2023-11-02", PublicationTypes: []evidence.PublicationType{{Name: "Preprint"}},
		Keywords: []string{"oncology"}, FullText: []string{"https://www.medrxiv.org/content/10.1101/2023.00.00.00000001v3"},
		Links: []evidence.Link{{Relation: evidence.PreprintOf, Source: "medrxiv",
			Target: evidence.Identifier{Kind: evidence.DOI, Value: "10.5555/invented.2024.0001"}}},
		Retraction: evidence.Retraction{Status: evidence.Unknown},
	}
	if diff := cmp.Diff([]evidence.Record{want}, batch.Records); diff != "" || len(batch.Problems) > 0 {
		t.Errorf("problems %v; records (-want +got):\n%s", batch.Problems, diff)
	}
	if diff := cmp.Diff([]string{"/details/medrxiv/10.1101/2023.00.00.00000001/na/json"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestWhatTheServerSays(t *testing.T) {
	one := func(fields string) string {
		return `{"messages":[{"status":"ok"}],"collection":[{"doi":"10.1101/2024.00.00.00000001","title":"A","version":"1",` + fields + `}]}`
	}
	for _, tt := range []struct {
		name, body        string
		status            int
		records, problems int
		retracted         bool
		links             int
	}{
		{"it does not have the preprint", `{"messages":[{"status":"no posts found"}],"collection":[]}`, 200, 0, 0, false, 0},
		{"it says so by its status", "Not Found", 404, 0, 0, false, 0},
		{"no article yet", one(`"published":"NA"`), 200, 1, 0, false, 0},
		{"an article", one(`"published":"10.5555/a"`), 200, 1, 0, false, 1},
		{"the preprint for its own article", one(`"published":"10.1101/2024.00.00.00000001"`), 200, 1, 0, false, 0},
		{"withdrawn", one(`"type":"Withdrawn"`), 200, 1, 0, true, 0},
		{"another preprint", strings.ReplaceAll(one(`"published":"NA"`), "00000001", "00000009"), 200, 0, 1, false, 0},
		{"versions of no shape", `{"messages":[{"status":"ok"}],"collection":[7,{"doi":{}}]}`, 200, 0, 1, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			batch, asked, _ := changed(t, evidence.SourceBioRxiv, tt.status, tt.body, doi(1),
				evidence.Identifier{Kind: evidence.PMID, Value: "1"})
			if len(batch.Records) != tt.records || len(batch.Problems) != tt.problems || len(asked) != 1 {
				t.Fatalf("%+v, asked %q", batch, asked)
			}
			if tt.records > 0 {
				r := batch.Records[0]
				if (r.Retraction.Status == evidence.Yes) != tt.retracted || len(r.Links) != tt.links {
					t.Errorf("%+v, %+v", r.Retraction, r.Links)
				}
			}
		})
	}
}

func TestARequestASecond(t *testing.T) {
	_, asked, slept := changed(t, evidence.SourceBioRxiv, 404, "", doi(1), doi(2), doi(3), doi(4))
	if len(asked) != 4 || slept < 3*time.Second {
		t.Errorf("asked %d times within %s", len(asked), slept)
	}
}
