//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("text"), 0o600), os.Mkdir(at("folder"), 0o700), syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink(at("file"), at("link")), os.Symlink("/dev/zero", at("endless")), os.Symlink(at("nothing"), at("dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name, path string
		named, own string // the error's words where a person named the file, and where it is our own; empty: it opens
	}{
		{"a file", at("file"), "", ""},
		{"a link to a file", at("link"), "", "is a link"},
		{"a link to a device", at("endless"), "is a device", "is a link"},
		{"a link to nothing", at("dangling"), "no such file", "is a link"},
		{"a folder", at("folder"), "is a folder", "is a folder"},
		{"a pipe that nobody writes to", at("pipe"), "is a pipe", "is a pipe"},
		{"a device without end", "/dev/zero", "is a device", "is a device"},
		{"the null device, for nothing", os.DevNull, "", "is a device"},
		{"nothing", at("nothing"), "no such file", "no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Read(tc.path, 10)
			check(t, tc.path, err, tc.named)
			f, err := OpenOwn(tc.path, os.O_RDONLY, 0)
			if err == nil {
				err = f.Close()
			}
			check(t, tc.path, err, tc.own)
		})
	}
	if _, err := OpenOwn(at("dangling"), os.O_CREATE|os.O_WRONLY, 0o600); !isOther(err) {
		t.Errorf("a link to nothing is written through: %v", err)
	}
	if _, err := os.Stat(at("nothing")); err == nil {
		t.Error("a file was made through a link")
	}
}

func isOther(err error) bool {
	var other *OtherError
	return errors.As(err, &other)
}

// TestWhatALibraryOpensByItsPath: a folder's files and the folder itself are looked at without being opened.
func TestWhatALibraryOpensByItsPath(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(path string) error
		want string // the kind that is told; empty where the tree is fine
	}{
		"a file":   {func(path string) error { return os.WriteFile(path, nil, 0o600) }, ""},
		"a folder": {func(path string) error { return os.Mkdir(path, 0o700) }, ""},
		"a pipe":   {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "a pipe"},
		"a socket": {func(path string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o600, 0) },
			"a socket"},
		"a link to a device":            {func(path string) error { return os.Symlink("/dev/zero", path) }, "a link"},
		"a link to a folder":            {func(path string) error { return os.Symlink(filepath.Dir(path), path) }, "a link"},
		"a link that leads to itself":   {func(path string) error { return os.Symlink(path, path) }, "a link"},
		"a link to nothing":             {func(path string) error { return os.Symlink(path+"?", path) }, "a link"},
		"nothing at all, in the folder": {func(string) error { return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			path := filepath.Join(root, "folder", "x")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), tc.make(path)); err != nil {
				t.Fatal(err)
			}
			err := Tree(root)
			if isOther(err) != (tc.want != "") || err != nil && !strings.Contains(err.Error(), path+" is "+tc.want) {
				t.Errorf("Tree: %v", err)
			}
			if _, err := Stat(path); (err == nil) != (name == "a file") {
				t.Errorf("Stat: %v", err)
			}
			if err := Folder(path); (err == nil) != (name == "a folder") {
				t.Errorf("Folder: %v", err)
			}
		})
	}
}

func check(t *testing.T, path string, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), path)) {
		t.Errorf("the error is %v, want one with %q and the path", err, want)
	}
}

func TestReadStopsOneByteBehindItsBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]string{3: "0123", 9: "0123456789", 10: "0123456789"} {
		if data, err := Read(path, most); err != nil || string(data) != want {
			t.Errorf("Read with %d is %q, %v; want %q", most, data, err, want)
		}
	}
}
