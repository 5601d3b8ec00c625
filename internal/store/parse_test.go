package store

import (
	"strings"
	"testing"
)

func TestFolderNames(t *testing.T) {
	for name, want := range map[string]int{"000001": 1, "000042": 42, "999999": 999999, "1000000": 1000000} {
		if number, ok := parseFolderName(name); !ok || number != want || folderName(number) != name {
			t.Errorf("%q is read as %d, %v", name, number, ok)
		}
	}
	for _, name := range []string{"", "1", "00001", "000000", "0000001", "-00001", "00000a", "000001.tmp", "../001",
		"99999999999"} {
		if number, ok := parseFolderName(name); ok {
			t.Errorf("%q is read as %d", name, number)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(
		[]byte(
			`{"format":"dossier-generation","generation":1,"schema":"1.0.0","files":[{"path":"evidence.db","size":1,"sha256":"` +
				strings.Repeat("0", 64) + `"}]}`))
	f.Add([]byte(`{"format":"dossier-generation","generation":1,"schema":"1.0.0","files":[{"path":"../x"}]}`))
	f.Add([]byte(`{"format":"dossier-generation","schema":"9.0.0"}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		manifest, err := parseManifest(content)
		if err != nil {
			return
		}
		for _, file := range manifest.Files {
			if strings.HasPrefix(file.Path, "/") || strings.Contains("/"+file.Path+"/", "/../") {
				t.Errorf("a manifest may name %q", file.Path)
			}
		}
	})
}
