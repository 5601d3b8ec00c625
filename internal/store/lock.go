package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"time"

	"github.com/gofrs/flock"

	"dossier/internal/files"
)

// Holder is the process that holds the store's lock, or held it when it was killed: LOCK's content. It only informs:
// the operating system's lock on LOCKED decides, so a killed writer's leftover is harmless.
type Holder struct {
	Program string    `json:"program"` // as it named itself in BeginOptions.Owner
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	User    string    `json:"user"`
	Since   time.Time `json:"since"` // zero: it did not sign
}

// writeLock is the single writer's lock on a store.
type writeLock struct {
	file       *flock.Flock
	holderPath string // the file that names the holder
}

// takeLock takes the store's lock, or returns a LockedError that names its holder. It locks a file that only writers
// may open: any user who can open a file, even only to read it, can lock it, and all readers may read LOCK.
func takeLock(ctx context.Context, l layout, options BeginOptions) (*writeLock, error) {
	if err := l.obstacle(); err != nil { // flock opens any file type
		return nil, err
	}

	mode, err := l.forWriters(0o600)
	if err == nil {
		err = ctx.Err()
	}
	file := flock.New(l.locked(), flock.SetFlag(os.O_CREATE|os.O_RDWR|files.NoFollow|files.NoWait),
		flock.SetPermissions(mode))

	locked := false
	if err == nil {
		locked, err = file.TryLock()
	}

	if locked {
		err = l.shareLock(mode)
	}

	if err != nil {
		if locked {
			err = errors.Join(err, file.Close())
		}
		return nil, fmt.Errorf("taking the store's lock: %w; check --data and the permissions", err)
	}

	if !locked {
		return nil, &LockedError{Dir: l.dir, Holder: l.holder()}
	}

	lock := &writeLock{file: file, holderPath: l.lock()}
	if err := lock.sign(options.Owner, options.Now()); err != nil {
		return nil, errors.Join(fmt.Errorf("signing the store's lock %s: %w", l.lock(), explainFull(l.dir, err)),
			lock.release())
	}
	return lock, nil
}

// shareLock sets the locked file's mode regardless of the umask, if this user owns the file.
func (l layout) shareLock(mode fs.FileMode) error {
	info, err := os.Lstat(l.locked())
	if err != nil || info.Mode().Perm() == mode {
		return err
	}

	if err = os.Chmod(l.locked(), mode); errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// holder is the process that the system reports as holding the lock; LOCK's content if that process signed it.
func (l layout) holder() Holder {
	signed, found := readHolder(l), lockHolder(l.locked())
	if found.PID != 0 && found.PID != signed.PID {
		return found
	}
	return signed
}

// sign writes the lock's holder to LOCK, in place.
func (w *writeLock) sign(owner string, now time.Time) error {
	holder := Holder{Program: owner, PID: os.Getpid(), Since: now.UTC()}

	holder.Host, _ = os.Hostname() // informs only
	if u, err := user.Current(); err == nil {
		holder.User = u.Username
	}

	content, err := json.Marshal(holder)
	if err != nil {
		return err
	}
	return w.write(append(content, '\n'))
}

// release empties LOCK, so that it names no former holder, and unlocks.
func (w *writeLock) release() error {
	return errors.Join(w.write(nil), w.file.Close())
}

// write replaces LOCK's content.
func (w *writeLock) write(content []byte) error {
	f, err := files.OpenOwn(w.holderPath, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close(), files.Share(w.holderPath))
}

// readHolder reads LOCK's holder, which has not released it; a Holder without a PID means none.
func readHolder(l layout) (holder Holder) {
	content, err := files.ReadOwn(l.lock(), 4096)
	if err != nil || json.Unmarshal(content, &holder) != nil || holder.PID == 0 {
		return Holder{}
	}
	return holder
}
