package store

import "testing"

// TestLineOfABundle: what the sums show of a bundle where the current generation is the only one here.
func TestLineOfABundle(t *testing.T) {
	l := layout{dir: t.TempDir()}
	made := func(sum, parent string) Manifest {
		return Manifest{Sum: sum, Generation: Generation{ParentSum: parent}}
	}
	part := made("b", "a")
	part.Part = []string{"a topic"}
	for _, tt := range []struct {
		name     string
		imported Manifest
		want     Lineage
	}{
		{"the current one", made("a", ""), Continues},
		{"built upon the current one", made("b", "a"), Continues},
		{"built upon one that is not here", made("c", "b"), Unproven},
		{"built upon none", made("c", ""), Unproven},
		{"of a program that made no sums", made("", ""), Unproven},
		{"a part", part, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			current := made("a", "")
			if tt.imported.Sum == "" {
				current = made("", "")
			}
			if got := (&bundle{manifest: tt.imported}).lineageFrom(l, &current); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
