package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// OtherError is given for what is not of the kind that is wanted.
type OtherError struct {
	Path   string
	Kind   string // what stands there: "a pipe"
	Wanted string // what could be used: "a regular file"
}

func (e *OtherError) Error() string {
	return fmt.Sprintf("%s is %s: only %s can be used here", e.Path, e.Kind, e.Wanted)
}

const (
	aFile   = "a regular file"
	aFolder = "a folder"
)

// Open opens a file that a person named, for reading. The error names the path, and is an fs.PathError where the file
// can't be opened, an *OtherError where it is no regular file.
//
// The null device is taken for the empty file that people name by it.
func Open(path string) (*os.File, error) {
	if path == os.DevNull {
		return os.Open(path)
	}
	return open(path, os.Stat, os.O_RDONLY, 0)
}

// OpenOwn opens a file of our own as os.OpenFile does, and follows no link in its last part: whoever may write into
// the folder could have it lead anywhere.
func OpenOwn(path string, flag int, perm os.FileMode) (*os.File, error) {
	return open(path, os.Lstat, flag|NoFollow, perm)
}

// Read reads a file that a person named: at most one byte more than most, which tells the caller that it is too long.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(f, most)
}

// ReadOwn reads a file of our own as Read does, and follows no link.
func ReadOwn(path string, most int64) ([]byte, error) {
	f, err := OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return readAll(f, most)
}

func readAll(f *os.File, most int64) ([]byte, error) {
	defer f.Close() // only read

	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	return data, nil
}

// Stat describes a file of our own that a library is about to open by its path: a link or what is no regular file is an
// *OtherError.
func Stat(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return info, other(path, info, aFile)
}

// Folder is an *OtherError where a path of our own is anything but a folder itself: a link to one may lead anywhere.
func Folder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return other(path, info, aFolder)
}

// Tree is an *OtherError where a folder of our own holds anything but folders and regular files, at whatever depth. It
// opens no file.
func Tree(root string) error {
	if err := Folder(root); err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Type().IsRegular() {
			return err
		}
		return &OtherError{Path: path, Kind: kind(entry.Type()), Wanted: aFile}
	})
}

// open looks before it opens, since a device may act on being opened and a pipe wakes whoever writes to it, and again
// once the file is open, since another may have taken its place.
func open(path string, look func(string) (fs.FileInfo, error), flag int, perm os.FileMode) (*os.File, error) {
	if info, err := look(path); err == nil {
		if err := other(path, info, aFile); err != nil {
			return nil, err
		}
	}

	f, err := os.OpenFile(path, flag|NoWait, perm)
	if err != nil {
		return nil, err
	}

	info, err := f.Stat()
	if err == nil {
		err = other(path, info, aFile)
	}

	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// other is an error where info is of another kind than wanted.
func other(path string, info fs.FileInfo, wanted string) error {
	if wanted == aFile && info.Mode().IsRegular() || wanted == aFolder && info.IsDir() {
		return nil
	}
	return &OtherError{Path: path, Kind: kind(info.Mode()), Wanted: wanted}
}

// kind says what stands at a path, in the words of those who put it there.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return aFolder
	case mode.IsRegular():
		return "a file"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}
