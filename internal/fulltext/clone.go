package fulltext

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"dossier/internal/files"
)

// Clone makes a second index in the folder to, which must not exist yet, of the one in the folder from, which no one
// may be writing to, without the segments whose files are named. Segments never change once written, so they are linked
// where the file system can and copied where not; all else is copied. The two are independent: either may be written to
// or removed. The files are not synced to disk.
func Clone(from, to string, without ...string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("clone full-text index to %s: %w", to, fs.ErrExist)
	}

	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || slices.Contains(without, entry.Name()) {
			return err
		}

		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return cloneEntry(path, filepath.Join(to, rel), entry)
	})
	if err != nil {
		return errors.Join(fmt.Errorf("clone full-text index %s: %w", from, err), os.RemoveAll(to))
	}
	return nil
}

// CanLink reports whether files are shared by links. On Windows no link to a file can be removed while a reader has the
// file open by another, so that what a merge leaves behind would stay.
const CanLink = runtime.GOOS != "windows"

func cloneEntry(from, to string, entry fs.DirEntry) error {
	switch {
	case entry.IsDir():
		return os.MkdirAll(to, 0o750)
	case filepath.Ext(from) == ".zap" && CanLink && os.Link(from, to) == nil:
		return nil
	}
	return copyFile(from, to)
}

func copyFile(from, to string) (err error) {
	in, err := files.OpenOwn(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close() // only read

	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
