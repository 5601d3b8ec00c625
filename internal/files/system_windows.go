package files

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Windows neither replaces nor opens a file that another program has open just then: a reader of it, a virus scanner.
// That is over in a moment, or it is not.
const (
	firstWait = time.Millisecond
	lastWait  = 256 * time.Millisecond // half a second in all
)

// Patiently does what other programs may be in the way of for a moment, until they are not.
func Patiently(do func() error) error {
	err := do()
	for wait := firstWait; wait <= lastWait && isBusy(err); wait *= 2 {
		time.Sleep(wait)
		err = do()
	}
	return err
}

func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// flush writes a file to the disk, for which Windows wants it opened for writing. It has no such thing for folders:
// their entries are in the file system's journal.
func flush(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
