package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// madeFolder is a backup of a data directory, and what it was made of.
func madeFolder(t *testing.T) (folder, data string, source BackupSource) {
	t.Helper()
	dir := t.TempDir()
	data = filepath.Join(dir, "data")
	writeFiles(t, filepath.Join(data, "marks", "reader.marks"), "keep", 0o600)
	writeFiles(t, filepath.Join(data, "CURRENT"), "1", 0o640)
	writeFiles(t, filepath.Join(data, "inbox", "one.json.tmp"), "half", 0o640)
	source = BackupSource{Data: data, Skip: func(name string) bool { return name == "CURRENT" },
		Jobs:  filepath.Join(dir, "jobs"),
		Store: func(to string) error { return os.WriteFile(to, []byte("bundle"), 0o600) },
		Now:   time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)}
	done, err := WriteBackup(filepath.Join(dir, "backups"), source)
	if err != nil || done.Files != 1 || len(done.Unread) > 0 || filepath.Base(done.Folder) != "dossier-20261126T020000Z" {
		t.Fatalf("%+v, %v", done, err)
	}
	return done.Folder, data, source
}

func writeFiles(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(content), mode)); err != nil {
		t.Fatal(err)
	}
}

func TestABackupComesBackWithItsModes(t *testing.T) {
	folder, _, _ := madeFolder(t)
	kept, err := CheckBackup(folder)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "data")
	if files, err := kept.Restore(to); err != nil || files != 1 {
		t.Fatalf("%d files, %v", files, err)
	}
	info, err := os.Stat(filepath.Join(to, "marks", "reader.marks"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if there := kept.Occupied(to); len(there) != 1 {
		t.Errorf("what stands there now: %v", there)
	}
	if _, err := kept.Restore(to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it writes over what is there: %v", err)
	}
}

func TestABackupThatWasChangedIsNotTaken(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(t *testing.T, folder string)
		want   string
	}{
		"a file changed": {func(t *testing.T, folder string) {
			writeFiles(t, filepath.Join(folder, "data", "marks", "reader.marks"), "exclude", 0o600)
		}, "is not what it was"},
		"a file gone": {func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, BackupStore)); err != nil {
				t.Fatal(err)
			}
		}, "no such file"},
		"a file laid beside": {func(t *testing.T, folder string) {
			writeFiles(t, filepath.Join(folder, "data", "else"), "", 0o600)
		}, "was not there"},
		"a name that climbs out": {func(t *testing.T, folder string) {
			writeFiles(t, filepath.Join(folder, sumsName), strings.Repeat("0", 64)+"  data/../../../etc/passwd\n", 0o600)
		}, "line 1 is no sum with a file's name"},
		"no list": {func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, sumsName)); err != nil {
				t.Fatal(err)
			}
		}, "is no backup"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, _, _ := madeFolder(t)
			tc.change(t, folder)
			if _, err := CheckBackup(folder); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	for name, change := range map[string]func(s *BackupSource, to *string){
		"the bundle fails":      func(s *BackupSource, _ *string) { s.Store = func(string) error { return errors.New("no room") } },
		"in the data directory": func(s *BackupSource, to *string) { *to = filepath.Join(s.Data, "backups") },
	} {
		t.Run(name, func(t *testing.T) {
			_, _, source := madeFolder(t)
			source.Now = source.Now.Add(time.Second)
			to := filepath.Join(t.TempDir(), "backups")
			change(&source, &to)
			if _, err := WriteBackup(to, source); err == nil {
				t.Error("it is written")
			}
			if left, err := os.ReadDir(to); err == nil && len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestWhatCantBeReadIsNamed(t *testing.T) {
	_, data, source := madeFolder(t)
	if err := os.Symlink("reader.marks", filepath.Join(data, "marks", "link.marks")); err != nil {
		t.Skip(err)
	}
	writeFiles(t, filepath.Join(data, "folder"), "", 0o600)
	if err := os.Symlink("/dev/null", filepath.Join(data, "device")); err != nil {
		t.Fatal(err)
	}
	source.Now = source.Now.Add(time.Second)
	done, err := WriteBackup(t.TempDir(), source)
	if err != nil || len(done.Unread) != 1 || done.Unread[0].Path != "data/device" {
		t.Errorf("%+v, %v", done, err)
	}
}
