package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/gofrs/flock"

	"dossier/internal/regular"
)

// lockHolder is LOCK's content. It only informs: the operating system's lock on the file is what counts, so what a killed
// writer leaves is harmless.
type lockHolder struct {
	Program string    `json:"program"`
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	User    string    `json:"user"`
	Since   time.Time `json:"since"`
}

// lockPoll is how often a waiting writer asks again.
const lockPoll = 50 * time.Millisecond

// writeLock is the one writer's hold on a store.
type writeLock struct{ file *flock.Flock }

// takeLock takes the store's lock, or says who has it: at once where wait is 0, else after that time at the latest.
func takeLock(ctx context.Context, l layout, owner string, wait time.Duration, now time.Time) (*writeLock, error) {
	if err := l.obstacle(); err != nil { // flock asks nothing before it opens
		return nil, err
	}
	file := flock.New(l.lock(), flock.SetFlag(os.O_CREATE|os.O_RDWR|regular.NoFollow|regular.NoWait), flock.SetPermissions(0o644))
	locked, err := tryLock(ctx, file, wait)
	if err != nil {
		return nil, fmt.Errorf("taking the store's lock: %w; check --data and the permissions", err)
	}
	if !locked {
		return nil, lockedBy(l)
	}
	lock := &writeLock{file: file}
	if err := lock.sign(owner, now); err != nil {
		return nil, errors.Join(fmt.Errorf("signing the store's lock %s: %w", l.lock(), explainFull(l.dir, err)), lock.release())
	}
	return lock, nil
}

func tryLock(ctx context.Context, file *flock.Flock, wait time.Duration) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if wait <= 0 {
		return file.TryLock()
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	locked, err := file.TryLockContext(waiting, lockPoll)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, nil
	}
	return locked, err
}

// sign writes who holds the lock. The file is the locked one: it is written in place, never replaced.
func (w *writeLock) sign(owner string, now time.Time) error {
	holder := lockHolder{Program: owner, PID: os.Getpid(), Since: now.UTC()}
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

// write replaces what the locked file holds.
func (w *writeLock) write(content []byte) error {
	f, err := regular.OpenOwn(w.file.Path(), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

func lockedBy(l layout) error {
	e := &LockedError{Dir: l.dir}
	if holder, ok := readHolder(l); ok {
		e.Holder, e.PID, e.Host, e.User, e.Since = holder.Program, holder.PID, holder.Host, holder.User, holder.Since
	}
	return e
}

func readHolder(l layout) (lockHolder, bool) {
	content, err := regular.ReadOwn(l.lock(), 4096)
	var holder lockHolder
	if err != nil || json.Unmarshal(content, &holder) != nil {
		return lockHolder{}, false
	}
	return holder, holder.PID != 0
}
