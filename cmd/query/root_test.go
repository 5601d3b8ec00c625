package main

import (
	"testing"

	"dossier/internal/command"
)

func TestMisspelt(t *testing.T) {
	root := newRoot(command.Streams{})
	for _, tc := range []struct {
		word, want string
	}{
		{"serach", "search"}, {"topcs", "topics"}, {"exprot", "export"}, {"shows", "show"},
		{"explian", "explain"}, {"explan", "explain"}, {"Search", "search"}, {"SERCH", "search"},
		{"SHP2", ""}, {"shp2", ""}, {"melanoma", ""}, {"", ""}, {"serach for KRAS", ""},
	} {
		if got := misspelt(root, []string{tc.word}); got != tc.want {
			t.Errorf("misspelt(%q) = %q, want %q", tc.word, got, tc.want)
		}
	}
	if err := root.ParseFlags([]string{"--", "serach", "KRAS"}); err != nil {
		t.Fatal(err)
	}
	if got := misspelt(root, []string{"serach", "KRAS"}); got != "" {
		t.Errorf("after -- a question is taken for %q", got)
	}
	if got := misspelt(root, nil); got != "" {
		t.Errorf("no word is taken for %q", got)
	}
}
