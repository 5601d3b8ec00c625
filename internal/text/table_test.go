package text

import (
	"slices"
	"testing"
)

func TestEntries(t *testing.T) {
	table := "# names: no entry\n\nages: age, aged\nyears: year old,\n\tyears old\nnothing:\n# 1: 2\nlast: a: b"
	want := []string{"ages", "age, aged", "years", "year old, years old", "last", "a: b"}
	var got []string
	for name, list := range Entries(table) {
		got = append(got, name, list)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name := range Entries(table) {
		if name != "ages" {
			t.Errorf("%s came after the reader had stopped", name)
		}
		break
	}
}

func TestRows(t *testing.T) {
	var got []string
	for cells := range Rows("# a\tb\n\nDE\tDEU\t\nlast\trow") {
		got = append(append(got, cells...), "end")
	}
	if want := []string{"DE", "DEU", "", "end", "last", "row", "end"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
