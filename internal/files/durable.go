package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Suffix ends the names of files that are being written.
const Suffix = ".tmp"

// Write puts a file in place so that after a power cut it is there whole or not at all: temporary file, sync,
// rename, sync of the folder.
func Write(path string, content []byte) error {
	return WriteWith(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteWith is Write for what is too large to be held in memory. Where write fails nothing is left of it.
func WriteWith(path string, write func(w io.Writer) error) error {
	temporary := path + Suffix
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // whatever it is, it is worth nothing
		return fmt.Errorf("removing what is left of %s: %w", path, err)
	}

	f, err := OpenOwn(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}

	if err := write(f); err != nil {
		return errors.Join(err, f.Close(), os.Remove(temporary))
	}

	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return Rename(temporary, path)
}

// Rename renames and syncs the folders at both ends.
func Rename(from, to string) error {
	if err := Patiently(func() error { return os.Rename(from, to) }); err != nil {
		return err
	}

	if err := Sync(filepath.Dir(to)); err != nil {
		return err
	}

	if filepath.Dir(from) == filepath.Dir(to) {
		return nil
	}
	return Sync(filepath.Dir(from))
}

// MakeFolders makes a folder, with those above it that are missing, and syncs the folders that these stand in: one
// whose own entry was never synced is gone after a power cut, with all that was synced inside.
func MakeFolders(path string, mode fs.FileMode) error {
	var missing []string
	for at := path; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		missing = append(missing, at)
	}

	if err := os.MkdirAll(path, mode); err != nil {
		return err
	}

	for _, made := range missing {
		if err := Sync(filepath.Dir(made)); err != nil {
			return err
		}
	}
	return nil
}

// MakeWithin is MakeFolders for a folder below root, which is shared as root is.
func MakeWithin(root, path string) error {
	if err := MakeFolders(path, 0o750); err != nil {
		return err
	}

	below, err := filepath.Rel(root, path)
	for name := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		if err != nil {
			return err
		}
		root = filepath.Join(root, name)
		err = Share(root)
	}
	return err
}

// What the group may.
const groupReads, groupWrites fs.FileMode = 0o040, 0o020

// Share lets the group write to a file or a folder that it may read and that was made in a folder which it may write
// to: several users keep one data directory so. Who does not own it leaves it as it is.
func Share(path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil || folder.Mode()&groupWrites == 0 {
		return err
	}

	info, err := os.Lstat(path)
	if err != nil || info.Mode()&groupWrites != 0 || info.Mode()&groupReads == 0 || info.Mode()&fs.ModeSymlink != 0 {
		return err
	}

	if err := os.Chmod(path, info.Mode()|groupWrites); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// SyncTree syncs every file and folder under root, root included: scorch and bbolt sync their files, nobody the
// folders.
func SyncTree(root string) error {
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return Sync(path)
	})
}

// Sync syncs one file or folder.
func Sync(path string) error {
	if err := flush(path); err != nil {
		return fmt.Errorf("syncing %s: %w", path, err)
	}
	return nil
}
