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

	"dossier/internal/durable"
	"dossier/internal/safeopen"
)

// Holder is who holds, or was killed while holding, the store's lock: LOCK's content. It only informs: the operating
// system's lock on LOCKED is what counts, so what a killed writer leaves is harmless.
type Holder struct {
	Program string    `json:"program"` // as it named itself in BeginOptions.Owner
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	User    string    `json:"user"`
	Since   time.Time `json:"since"` // zero: it did not sign
}

// writeLock is the one writer's hold on a store.
type writeLock struct {
	file   *flock.Flock
	signed string // the path at which the holder is named
}

// takeLock takes the store's lock, or says who has it. What is locked is a file that writers alone may open: whoever
// can open a file, if only to read it, can lock it, and LOCK is for all readers to read.
func takeLock(ctx context.Context, l layout, options BeginOptions) (*writeLock, error) {
	if err := l.obstacle(); err != nil { // flock asks nothing before it opens
		return nil, err
	}

	mode, err := l.forWriters(0o600)
	if err == nil {
		err = ctx.Err()
	}
	file := flock.New(l.locked(), flock.SetFlag(os.O_CREATE|os.O_RDWR|safeopen.NoFollow|safeopen.NoWait),
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

	lock := &writeLock{file: file, signed: l.lock()}
	if err := lock.sign(options.Owner, options.Now()); err != nil {
		return nil, errors.Join(fmt.Errorf("signing the store's lock %s: %w", l.lock(), explainFull(l.dir, err)),
			lock.release())
	}
	return lock, nil
}

// shareLock gives the locked file its mode whatever the umask is, where it is this user's.
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

// holder is who has the store's lock: the process that the system names, in its own words where it signed.
func (l layout) holder() Holder {
	signed, found := readHolder(l), lockHolder(l.locked())
	if found.PID != 0 && found.PID != signed.PID {
		return found
	}
	return signed
}

// sign writes who holds the lock, in place.
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

// release empties the file, so that nobody is named who holds nothing, and lets go.
func (w *writeLock) release() error {
	return errors.Join(w.write(nil), w.file.Close())
}

// write replaces what the signed file holds.
func (w *writeLock) write(content []byte) error {
	f, err := safeopen.OpenOwn(w.signed, os.O_WRONLY|os.O_TRUNC|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close(), durable.Share(w.signed))
}

// readHolder gives who signed LOCK and has not let go; a Holder without a PID is nobody.
func readHolder(l layout) (holder Holder) {
	content, err := safeopen.ReadOwn(l.lock(), 4096)
	if err != nil || json.Unmarshal(content, &holder) != nil || holder.PID == 0 {
		return Holder{}
	}
	return holder
}
