package guard

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryNameIsFound(t *testing.T) {
	names := strings.Fields(censusNames)
	if !slices.IsSorted(names) || len(names) < 190_000 || !strings.HasSuffix(censusNames, "\n") {
		t.Fatalf("%d names, sorted %v", len(names), slices.IsSorted(names))
	}
	for i := 0; i < len(names); i += 97 {
		if !isPersonName(names[i]) || !isPersonName(strings.ToUpper(names[i])) {
			t.Errorf("%q is not found", names[i])
		}
	}
	for word, want := range map[string]bool{"João": true, "MÜLLER": true, "Kowalskis": true, "": false, "s": false,
		"li": false, "osimertinib": false, "the": false, "zzz": false} {
		if isPersonName(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

func BenchmarkIsPersonName(b *testing.B) {
	for b.Loop() {
		isPersonName("Whitelaw")
	}
}
