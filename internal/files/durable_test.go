package files

import (
	"os"
	"path/filepath"
	"testing"
)

// That names and contents survive a power cut is tested where a whole store is written: TestFirePowerCuts.
func TestWritePutsAFileInThePlaceOfTheOneBefore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	if err := MakeFolders(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "CURRENT")
	if err := os.WriteFile(path+Suffix, []byte("half"), 0o600); err != nil { // what a crash left
		t.Fatal(err)
	}
	for _, content := range []string{"000001\n", "000002\n"} {
		if err := Write(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%q is there, %v; want %q", got, err, content)
		}
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 1 {
		t.Errorf("the folder holds %v, %v", names, err)
	}
}
