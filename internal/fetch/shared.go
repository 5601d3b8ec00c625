package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"dossier/internal/files"
)

// Shared is a small file shared by the programs of a machine, also those of several users: the next free slot of a
// service, or the day's usage of a model. Anyone who may write into its folder may replace it, so no link is followed,
// nothing is waited for, and little is read.
type Shared struct {
	Dir   string // made where it is not there
	Name  string // without an ending; letters, digits and hyphens
	Clock Clock
}

// maxShared is more than any such file has, in bytes.
const maxShared = 4096

// Update replaces the file's text by change's result, under a lock against other programs; nil stands for a file that
// does not exist yet. The error states why the file can't be shared, or is ctx's.
func (s Shared) Update(ctx context.Context, change func(old []byte) []byte) error {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return fmt.Errorf("making the folder of what programs share: %w", err)
	}
	perm := sharedMode(s.Dir)

	made, _, err := openShared(s.path(".lock"), perm)
	if err != nil {
		return fmt.Errorf("opening the lock of what programs share: %w", err)
	}
	made.Close()

	lock := flock.New(s.path(".lock"), flock.SetFlag(os.O_RDONLY|files.NoFollow|files.NoWait))
	if err := s.hold(ctx, lock); err != nil {
		return err
	}
	defer lock.Close()

	f, isNew, err := openShared(s.path(".slot"), perm)
	if err != nil {
		return fmt.Errorf("opening what programs share: %w", err)
	}
	defer f.Close()

	old, err := io.ReadAll(io.LimitReader(f, maxShared))
	if err != nil {
		return fmt.Errorf("reading what programs share: %w", err)
	}

	if isNew {
		old = nil
	}

	text := change(old) // shorter than a disk's block
	if _, err = f.WriteAt(text, 0); err == nil {
		err = f.Truncate(int64(len(text)))
	}

	if err != nil {
		return fmt.Errorf("writing what programs share: %w", err)
	}
	return nil
}

func (s Shared) path(ending string) string { return filepath.Join(s.Dir, s.Name+ending) }

// A lock is held for one small read and write; a holder that takes longer is stopped or stuck, and is not waited for.
const (
	lockPoll  = 2 * time.Millisecond
	lockTries = 500
)

func (s Shared) hold(ctx context.Context, lock *flock.Flock) error {
	for range lockTries {
		locked, err := lock.TryLock()
		if err != nil {
			return fmt.Errorf("locking what programs share: %w", err)
		}

		if locked {
			return nil
		}

		if err := s.Clock.Sleep(ctx, lockPoll); err != nil {
			return err
		}
	}
	return fmt.Errorf("the lock %s is held by a process that does not let go of it", lock.Path())
}

// sharedMode is the mode of files in a folder that several users may share: anyone who may write into it may write
// them.
func sharedMode(dir string) os.FileMode {
	info, err := os.Stat(dir)
	if err != nil {
		return 0o600
	}
	return info.Mode().Perm() & 0o666
}

// openShared opens a file that another user may have put there, or creates it: it follows no link, waits for nothing,
// and sets modes on the open file, whatever stands at its path by then.
func openShared(path string, perm os.FileMode) (f *os.File, isNew bool, err error) {
	f, err = files.OpenOwn(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		f, err = files.OpenOwn(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, perm)
		isNew = err == nil
	}

	if errors.Is(err, os.ErrExist) { // another process was faster
		f, err = files.OpenOwn(path, os.O_RDWR, 0)
	}

	if err != nil {
		return nil, false, err
	}

	if isNew {
		if err := f.Chmod(perm); err != nil { // the umask has narrowed it
			return nil, false, errors.Join(err, f.Close())
		}
	}
	return f, isNew, nil
}
