//go:build unix

package local

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOnlyAFileOfOursIsATable: what stands in the table's place is named and not waited for, and no link is followed.
func TestOnlyAFileOfOursIsATable(t *testing.T) {
	for name, tc := range map[string]struct {
		put  func(path string) error
		want string
		kept bool // the new table takes its place
	}{
		"a pipe":             {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is a pipe", true},
		"a link to a device": {func(path string) error { return os.Symlink("/dev/zero", path) }, "is a link", true},
		"a folder":           {func(path string) error { return os.Mkdir(path, 0o700) }, "is a folder", false},
	} {
		t.Run(name, func(t *testing.T) {
			file, folder := write(t, "d.bin", descriptorsBin), filepath.Join(t.TempDir(), "cache")
			open(t, folder, file)
			tables, err := filepath.Glob(filepath.Join(folder, "*"))
			if err != nil || len(tables) != 1 {
				t.Fatal(tables, err)
			}
			if err := os.Remove(tables[0]); err != nil {
				t.Fatal(err)
			}
			if err := tc.put(tables[0]); err != nil {
				t.Fatal(err)
			}
			table, told := open(t, folder, file)
			if _, ok, err := table.Find("blueness"); !ok || err != nil || !strings.Contains(told[0], tables[0]+" "+tc.want) {
				t.Errorf("told %q, found %v, %v", told, ok, err)
			}
			if info, err := os.Lstat(tables[0]); err != nil || info.Mode().IsRegular() != tc.kept {
				t.Errorf("afterwards: %v, %v", info.Mode(), err)
			}
		})
	}
	t.Run("the folder is a link", func(t *testing.T) {
		file, folder, outside := write(t, "d.bin", descriptorsBin), filepath.Join(t.TempDir(), "cache"), t.TempDir()
		if err := os.Symlink(outside, folder); err != nil {
			t.Fatal(err)
		}
		table, told := open(t, folder, file)
		if _, ok, err := table.Find("blueness"); !ok || err != nil || !strings.Contains(told[0], folder+" is a link") {
			t.Errorf("told %q, found %v, %v", told, ok, err)
		}
		if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
			t.Errorf("written over the link: %v, %v", left, err)
		}
	})
}
