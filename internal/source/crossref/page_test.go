package crossref

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// line is a record in words.
func line(r *evidence.Record) string {
	var links []string
	for _, l := range r.Links {
		links = append(links, fmt.Sprint(l.Relation, " ", l.Target.Value))
	}
	var authors []string
	for _, a := range r.Authors {
		authors = append(authors, a.String())
	}
	return fmt.Sprint(r.Origins[0].ID, "; ", r.Title, "; ", strings.Join(authors, ", "), "; ", r.Journal.Name(), " ", r.Journal.Volume, " ",
		r.Journal.Pages, "; ", r.Date, "; ", r.Retraction.Status, " ", r.Retraction.Notice.Value, "; ", strings.Join(links, ", "), "; ",
		r.Preprint, " ", r.CitedBy)
}

// TestRecordedWorks reads an answer as the service gives it, with invented works.
func TestRecordedWorks(t *testing.T) {
	body, err := os.ReadFile("testdata/works.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPage(body, "*")
	if err != nil || p.total() != 4 || p.Next == "" {
		t.Fatalf("%+v, %v", p, err)
	}
	records, problems := source.Collect(p.Items, read)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	for i := range records {
		got = append(got, line(&records[i]))
	}
	want := []string{
		"10.5555/invented.2024.0001; Sotorasib with panitumumab in KRASG12C colorectal cancer: An invented trial; Farthingmoor WJ, " +
			"Ibberstone M, COPPERLINE Investigators; Spec Ann Oncol 12 211-219; 2024-03-09; yes 10.5555/invented.2025.0042; " +
			"RetractionIn 10.5555/invented.2025.0042, ErratumIn 10.5555/invented.2024.0017, PublishedFrom 10.1101/2023.00.00.00000001; false 14",
		"10.5555/invented.2025.0042; Retraction: Sotorasib with panitumumab in KRAS G12C colorectal cancer; ; Specimen Annals of Oncology  e42; " +
			"2025-06; unknown ; RetractionOf 10.5555/invented.2024.0001; false 0",
		"10.1101/2023.00.00.00000001; Sotorasib with panitumumab: a preprint; Farthingmoor WJ;   ; 2023-11-02; unknown ; " +
			"PreprintOf 10.5555/invented.2024.0001; true 0",
		"10.5555/invented.book.7; A chapter; ; A Book of Inventions  ; ; unknown ; ; false 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("works (-want +got):\n%s", diff)
	}
	sections := []evidence.Section{{Label: "Background", Category: "BACKGROUND", Text: "Few respond."},
		{Label: "Results", Category: "RESULTS", Text: "Of 160 patients, 42 responded (p<0.05)."}}
	if diff := cmp.Diff(sections, records[0].Abstract); diff != "" {
		t.Errorf("abstract (-want +got):\n%s", diff)
	}
}

// FuzzReadPage: whatever comes is a page or an error, and each of its items a record or a problem.
func FuzzReadPage(f *testing.F) {
	if body, err := os.ReadFile("testdata/works.json"); err == nil {
		f.Add(string(body))
	}
	f.Add(`{"status":"ok","message-type":"work-list","message":{"total-results":"3","items":[{"DOI":"10.5555/x"},7,{"DOI":"x"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPage([]byte(text), "*")
		if err != nil {
			return
		}
		records, problems := source.Collect(p.Items, read)
		if len(records)+len(problems) != len(p.Items) {
			t.Errorf("%d items became %d records and %d problems", len(p.Items), len(records), len(problems))
		}
		for i := range records {
			r := &records[i]
			id := evidence.Identifier{Kind: evidence.DOI, Value: r.Origins[0].ID}
			if len(r.Identifiers) == 0 || r.Identifiers[0] != id {
				t.Errorf("%v carries %v", r.Origins, r.Identifiers)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		}
	})
}
