package main

import "testing"

func TestNameFiles(t *testing.T) {
	for _, tc := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"one", []string{"a.xml"}, "a.xml"},
		{"a few", []string{"a.xml", "b.xml", "c.xml"}, "a.xml, b.xml, c.xml"},
		{"a baseline", []string{"n0001.xml", "n0002.xml", "n0003.xml", "n0004.xml"}, "n0001.xml … n0004.xml (4 files)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := nameFiles(tc.paths); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
