package render

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
)

func TestFeed(t *testing.T) {
	built := time.Date(2026, 11, 20, 2, 30, 0, 0, time.UTC)
	hostile := evidence.SnapshotRow{Record: "PMID:99000002", Title: `<script>alert("1")</script> & more`}
	later := hostile
	later.Score = 9
	shown := func(days int, sample ...evidence.SnapshotRow) evidence.Snapshot {
		return evidence.Snapshot{Form: evidence.SnapshotForm, Built: built.AddDate(0, 0, days), Sample: sample}
	}
	first, second, third := shown(0), shown(1, hostile), shown(2, later)
	var got bytes.Buffer
	if err := WriteFeed(&got, "a-topic", "KRAS <G12C>", []evidence.Snapshot{first, second, third}); err != nil {
		t.Fatal(err)
	}
	var feed atomFeed
	if err := xml.Unmarshal(got.Bytes(), &feed); err != nil {
		t.Fatalf("%v\n%s", err, got.Bytes())
	}
	if feed.ID != "urn:dossier:a-topic" || feed.Title != "Evidence: KRAS <G12C>" ||
		feed.Updated != "2026-11-22T02:30:00Z" || len(feed.Entries) != 1 {
		t.Fatalf("%+v", feed)
	}
	e := feed.Entries[0]
	if e.ID != "urn:dossier:a-topic:2026-11-21T02:30:00Z" || e.Title != "New: 1" ||
		!slices.Equal(e.Links, []atomLink{{"related", "https://pubmed.ncbi.nlm.nih.gov/99000002/"}}) ||
		!strings.Contains(e.Content.Text, "&lt;script&gt;") || strings.Contains(e.Content.Text, "<script") {
		t.Errorf("%+v", e)
	}
	var again bytes.Buffer
	if err := WriteFeed(&again, "a-topic", "KRAS <G12C>", []evidence.Snapshot{first, second, third}); err != nil ||
		!bytes.Equal(got.Bytes(), again.Bytes()) {
		t.Errorf("not the same again: %v", err)
	}
	var empty bytes.Buffer
	if err := WriteFeed(&empty, "a-topic", "q", []evidence.Snapshot{first}); err != nil ||
		!strings.Contains(empty.String(), "<updated>2026-11-20T02:30:00Z</updated>") {
		t.Errorf("%v\n%s", err, empty.String())
	}
}
