package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a file that a person named, for reading. The error names the path, and is an fs.PathError where the file can't
// be opened.
//
// The null device is taken for the empty file that people name by it.
func Open(path string) (*os.File, error) {
	if path == os.DevNull {
		return os.Open(path)
	}
	return open(path, os.O_RDONLY|NoWait, 0)
}

// OpenOwn opens a file of our own as os.OpenFile does, and follows no link in its last part: whoever may write into
// the folder could have it lead anywhere.
func OpenOwn(path string, flag int, perm os.FileMode) (*os.File, error) {
	return open(path, flag|NoWait|NoFollow, perm)
}

// Read reads a file that a person named: at most one byte more than most, which tells the caller that it is too long.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return data, nil
}

// ErrOther is given for what is no regular file; the error around it names path and kind.
var ErrOther = errors.New("only a regular file can be used here")

func open(path string, flag int, perm os.FileMode) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode().Type()&fs.ModeSymlink != 0 && flag&NoFollow != 0 {
		return nil, fmt.Errorf("%s is %s: %w; remove it", path, kind(info.Mode()), ErrOther)
	}
	f, err := os.OpenFile(path, flag, perm)
	if err != nil {
		if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is %s: %w", path, kind(info.Mode()), ErrOther)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s: %w", path, kind(info.Mode()), ErrOther)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// kind says what stands at a path, in the words of those who put it there.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
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
