package store

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"dossier/internal/regular"
)

// ErrNotFound is given for a record, topic or generation that the store does not hold.
var ErrNotFound = errors.New("not in the store")

// ErrNoStore is given for a directory that holds no store (exit code 7).
var ErrNoStore = errors.New("no store")

// ErrClosed is given by a Reader or Writer that was closed.
var ErrClosed = errors.New("the store was closed")

func noStoreError(dir string) error {
	return fmt.Errorf("%w in %s: make an empty one with `indexer init`, or fill one with `indexer run`", ErrNoStore, dir)
}

// LockedError says that another process is writing to the store (exit code 5). Fields that the holder had not written
// yet are empty.
type LockedError struct {
	Dir        string
	Holder     string // the program, as it named itself in BeginOptions.Owner
	PID        int
	Host, User string
	Since      time.Time
}

func (e *LockedError) Error() string {
	who := "another writer"
	if e.Holder != "" {
		who = fmt.Sprintf("%s (process %d of user %s on %s, since %s)",
			e.Holder, e.PID, e.User, e.Host, e.Since.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("the store in %s is locked by %s: try again when it has finished; readers need not wait", e.Dir, who)
}

// DamagedError says what is wrong with a store and which command repairs it (exit code 7).
type DamagedError struct {
	Path   string // the file or folder at fault
	Reason string
	Remedy string // the command, or what else a person can do
	Err    error  // what was found underneath; may be nil
}

func (e *DamagedError) Error() string {
	msg := fmt.Sprintf("the store is damaged: %s: %s", e.Path, e.Reason)
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg + "; " + e.Remedy
}

func (e *DamagedError) Unwrap() error { return e.Err }

// damageUnlessFault says that a file is damaged because of err, unless err says so already, or is the system's own: too many open
// files or too little memory is no damage, and no reason to roll anything back.
func damageUnlessFault(err error, damage DamagedError) error {
	var other *regular.OtherError
	switch {
	case errors.As(err, &other):
		damage.Path, damage.Reason = other.Path, fmt.Sprintf("it is %s, and only %s is used there", other.Kind, other.Wanted)
		return &damage
	case isDamaged(err):
		return err
	case isFault(err):
		return fmt.Errorf("%s could not be read, which is no damage to it: %w%s", damage.Path, err, faultRemedy(err))
	}
	damage.Err = err
	return &damage
}

// isFault says whether an error is the system's and not a file's.
func isFault(err error) bool {
	return slices.ContainsFunc([]error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOLCK, syscall.EIO, syscall.EACCES, syscall.EPERM, syscall.EINTR,
		syscall.EAGAIN, syscall.ESTALE, syscall.ETIMEDOUT, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS,
	}, func(fault error) bool { return errors.Is(err, fault) })
}

func faultRemedy(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "; raise the limit of open files (ulimit -n) and try again"
	case errors.Is(err, syscall.ENOMEM):
		return "; give the program more memory (ulimit -v, or the container's limit) and try again"
	case errors.Is(err, syscall.EIO):
		return "; look into the system's log for what the disk reports"
	case errors.Is(err, syscall.ENOLCK):
		return "; the file system grants no locks: put the data directory on one that does"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "; check the file's permissions"
	}
	return "; try again"
}

// The commands that repair a store.
const (
	remedyRebuildText = "rebuild the full text from the records with `indexer verify --repair`"
	remedyRollback    = "go back to an earlier generation with `indexer rollback`"
	remedyRemove      = "move it away, and put back what belongs there, if anything does"
)

// SchemaError says that a store was written in a schema that this program does not read.
type SchemaError struct {
	Path  string
	Found Schema
}

func (e *SchemaError) Error() string {
	if e.Found.newerThan(currentSchema) {
		return fmt.Sprintf("%s has schema %s and this program reads up to %s: install the newer program, or %s",
			e.Path, e.Found, currentSchema, remedyRollback)
	}
	return fmt.Sprintf("%s has schema %s and this program reads %d.x: build a new store with `indexer run` in an empty directory",
		e.Path, e.Found, currentSchema.Model)
}

// FullError says that the disk took no more. What was published before is whole.
type FullError struct {
	Dir string
	Err error
}

func (e *FullError) Error() string {
	return fmt.Sprintf("no room left for the store in %s: free some space there (or raise the quota) and run again; "+
		"what was published and committed before is whole: %v", e.Dir, e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// explainFull turns what the system says about a full disk, a spent quota or a file size limit into a *FullError.
func explainFull(dir string, err error) error {
	var already *FullError
	if err == nil || errors.As(err, &already) {
		return err
	}
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return &FullError{Dir: dir, Err: err}
		}
	}
	return err
}
