package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WritableByOthers are the modes with which somebody else than its owner may write a file.
const WritableByOthers = 0o022

// ForeignError is given for what somebody else than the user and root could have written.
type ForeignError struct {
	Path   string // of the file, or of the folder that it lies in
	Reason string // "belongs to user 1001, who is neither you nor root"
	Remedy string // "`chmod go-w` it"; empty where there is none but to name the file on purpose
}

func (e *ForeignError) Error() string {
	text := e.Path + " " + e.Reason
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	return text
}

// ReadHeld reads, as ReadOwn does, a file that nobody named and that was found by a relative path: it and all folders
// of the path, the working directory too, must be such that nobody but user and root could have put it there. What is
// judged is what was opened. Else the error is a *ForeignError, or an *OtherError where a link stands there.
//
// A folder with the sticky bit may be written by others, who can neither rename nor replace a file in it. Where the
// system doesn't say whom a file belongs to, as on Windows, its modes say nothing either.
func ReadHeld(path string, user int, most int64) ([]byte, error) {
	f, err := OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}

	info, err := f.Stat()
	if err == nil {
		err = held(path, info, user)
	}

	for folder := path; err == nil && folder != "."; {
		folder = filepath.Dir(folder)

		err = heldFolder(folder, user)
		if folder == filepath.Dir(folder) {
			break
		}
	}

	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return readAll(f, most)
}

func heldFolder(path string, user int) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}

	name := "the folder " + path
	if path == "." {
		name = "the folder that this was started in"
	}

	if err := other(path, info, aFolder); err != nil {
		return err
	}
	return held(name, info, user)
}

// held is a *ForeignError where somebody else than user and root may write what info describes.
func held(name string, info fs.FileInfo, user int) error {
	owner, known := Owner(info)
	switch {
	case !known:
		return nil
	case owner != user && owner != 0:
		return &ForeignError{Path: name, Reason: fmt.Sprintf("belongs to user %d, who is neither you nor root", owner)}
	case info.Mode().Perm()&WritableByOthers == 0, info.IsDir() && info.Mode()&fs.ModeSticky != 0:
		return nil
	case info.Mode().Perm()&0o002 == 0 && user != 0 && inOwnGroup(info, user):
		return nil // as a umask of 002 makes files, where each user has a group of their own
	}
	return &ForeignError{name, fmt.Sprintf("may be written by others than its owner (mode %04o)", info.Mode().Perm()),
		"`chmod go-w` it"}
}

// ReadSecret reads, as Read does, a file of a secret that a person named. It is a *ForeignError where others than its
// owner may read or write it: what they know is no secret.
func ReadSecret(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}

	info, err := f.Stat()
	if err == nil {
		if _, known := Owner(info); known && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			err = &ForeignError{path, fmt.Sprintf("may be read or written by others (mode %04o)", info.Mode().Perm()),
				"`chmod 600` it, and make another secret if they may have read it"}
		}
	}

	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return readAll(f, most)
}
