package command

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
	"dossier/internal/health"
	"dossier/internal/store"
)

var update = flag.Bool("update", false, "write the goldens anew")

func night(day int) time.Time { return time.Date(2026, 11, day, 2, 30, 0, 0, time.UTC) }

func TestMetrics(t *testing.T) {
	info := store.Info{Current: 7, Inbox: 2, Space: store.DiskSpace{Known: true, Free: 9000, NextNight: 500, Most: 4596},
		Generations: []store.GenerationInfo{
			{Generation: store.Generation{Number: 7, Built: night(20)}, Current: true, Size: 4096},
		}}
	info.Generations[0].Counts.Records = 64
	h := health.Health{
		Topics: []health.Topic{
			{ID: "kras-g12c-crc", Built: night(20), Counts: evidence.Counts{Unique: 27, New: 3, Sampled: 20},
				Usage: evidence.Usage{PromptTokens: 900, CompletionTokens: 100, Cost: 0.25}},
			{ID: "hostile\"\n\\\xff", Failed: true, ErrorsInARow: 2},
		},
		Sources: []health.Source{
			{Name: evidence.SourcePubMed, Asked: night(20), LastSuccess: night(18), Since: night(19), InARow: 2, Topics: 2,
				Failed: 2, Checked: night(18), CheckError: "503"},
			{Name: evidence.SourceLocal, Asked: night(20), LastSuccess: night(20), Topics: 2},
		},
		Runs: []evidence.Run{{Import: "a.ris", Started: night(21)},
			{Started: night(20), Topics: []evidence.TopicRun{{Failed: true}, {}}, Interrupted: true}},
	}
	for _, tc := range []struct {
		golden string
		info   store.Info
		health health.Health
	}{
		{"store", info, h},
		{"none", store.Info{}, health.Health{}},
		{"damaged", store.Info{Generations: info.Generations, Problem: errors.New("damaged")}, health.Health{}},
	} {
		var got bytes.Buffer
		if err := WriteMetrics(&got, tc.info, tc.health); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", tc.golden+".prom.golden")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.golden, diff)
		}
	}
}

// TestNamesAreDocumented: docs/JSON.md lists every metric.
func TestNamesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "JSON.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile(filepath.Join("testdata", "store.prom.golden"))
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for line := range bytes.Lines(golden) {
		fields := bytes.Fields(line)
		if len(fields) < 3 || string(fields[1]) != "TYPE" {
			continue
		}
		if names++; !bytes.Contains(doc, append(append([]byte("`"), fields[2]...), '`')) {
			t.Errorf("%s is not in docs/JSON.md", fields[2])
		}
	}
	if names < 20 {
		t.Errorf("only %d metrics", names)
	}
}
