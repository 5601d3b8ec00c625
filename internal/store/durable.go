package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dossier/internal/regular"
)

// writeDurably puts a file in place so that after a power cut it is there whole or not at all: temporary file, sync,
// rename, sync of the folder.
func writeDurably(path string, content []byte) error {
	temporary := path + temporarySuffix
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // whatever it is, it is worth nothing
		return fmt.Errorf("removing what is left of %s: %w", path, err)
	}
	if err := writeSynced(temporary, content); err != nil {
		return err
	}
	return renameDurably(temporary, path)
}

// writeSynced writes a new file and syncs it; the folder is the caller's to sync.
func writeSynced(path string, content []byte) (err error) {
	f, err := regular.OpenOwn(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

// renameDurably renames and syncs the folders at both ends.
func renameDurably(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if err := syncPath(filepath.Dir(to)); err != nil {
		return err
	}
	if filepath.Dir(from) == filepath.Dir(to) {
		return nil
	}
	return syncPath(filepath.Dir(from))
}

// makeFolders makes a folder, with those above it that are missing, and syncs the folders that these stand in: one whose own entry was
// never synced is gone after a power cut, with all that was synced inside.
func makeFolders(path string, mode fs.FileMode) error {
	var missing []string
	for at := path; !exists(at); at = filepath.Dir(at) {
		missing = append(missing, at)
	}
	if err := os.MkdirAll(path, mode); err != nil {
		return err
	}
	for _, made := range missing {
		if err := syncPath(filepath.Dir(made)); err != nil {
			return err
		}
	}
	return nil
}

// syncTree syncs every file and folder under root, root included: scorch and bbolt sync their files, nobody the folders.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncPath(path)
	})
}

// syncPath syncs one file or folder.
func syncPath(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|regular.NoWait, 0) // the data directory may be a link
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing %s: %w", path, err)
	}
	return nil
}

// copyFile makes to a copy of from, sharing its blocks where the file system can.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := regular.OpenOwn(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()
	if !reflink(out, in) {
		if _, err := io.Copy(out, &contextReader{ctx: ctx, from: in}); err != nil {
			return fmt.Errorf("copying %s to %s: %w", from, to, err)
		}
	}
	return out.Sync()
}

// shareTree gives every file under root the permissions of the one named like, and folders the same with passage: bleve
// makes its files for their owner alone, and whoever reads a store is often another user than the one who writes it.
func shareTree(root, like string) error {
	info, err := os.Stat(like)
	if err != nil {
		return err
	}
	file := info.Mode().Perm()
	folder := file | file&0o444>>2
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := file
		if entry.IsDir() {
			mode = folder
		}
		info, err := entry.Info()
		if err != nil || info.Mode().Perm() == mode {
			return err
		}
		return os.Chmod(path, mode)
	})
}
