package render

import "testing"

func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"data/a b.ris": "data/a b.ris", "größe.ris": "größe.ris", "a\x1b[31m.ris": `"a\x1b[31m.ris"`,
		"a\nb": `"a\nb"`, "a\u202eb": `"a\u202eb"`, "a  b": `"a  b"`, "\xff": `"\xff"`,
	} {
		if got := Path(path); got != want {
			t.Errorf("Path(%q) = %s, want %s", path, got, want)
		}
	}
}
