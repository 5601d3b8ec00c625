package pipeline

import (
	"testing"

	"dossier/internal/evidence"
)

func TestAlikeCountsTitlesThatStandAgain(t *testing.T) {
	title := func(s string) evidence.Record { return evidence.Record{Title: s} }
	records := map[string]evidence.Record{
		"1": title("Sotorasib with panitumumab in refractory colorectal cancer"),
		"2": title("Sotorasib with Panitumumab in Refractory Colorectal Cancer."),
		"3": title("Adagrasib with cetuximab in refractory colorectal cancer"),
		"4": title("Sotorasib with panitumumab in refractory colorectal cancer"),
		"5": title(""), "6": title(""),
		"7": title("Sotorasib with panitumumab in refractory colorectal cancer: quality of life in the second year"),
	}
	for _, tt := range []struct {
		name   string
		sample []string
		want   int
	}{
		{"all different", []string{"1", "3"}, 0},
		{"the same but for capitals", []string{"1", "2", "3"}, 1},
		{"three times the same", []string{"1", "2", "4"}, 2},
		{"the same beginning", []string{"1", "7"}, 0},
		{"no titles say nothing", []string{"5", "6"}, 0},
		{"none", nil, 0},
	} {
		if got := countRepeatedTitles(tt.sample, records); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
