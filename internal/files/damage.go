package files

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"syscall"
)

// The commands that repair a store.
const (
	RemedyRebuildText = "rebuild the full text from the records with `indexer verify --repair`"
	RemedyRollback    = "go back to an earlier generation with `indexer rollback`"
	RemedyRemove      = "move it away, and put back what belongs there, if anything does"
)

// DamageError says what is wrong with a store and which command repairs it (exit code 7).
type DamageError struct {
	Path   string // the file or folder at fault
	Reason string
	Remedy string // the command, or what else a person can do
	Err    error  // what was found underneath; may be nil
}

func (e *DamageError) Error() string {
	msg := fmt.Sprintf("the store is damaged: %s: %s", e.Path, e.Reason)
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg + "; " + e.Remedy
}

func (e *DamageError) Unwrap() error { return e.Err }

// IsDamage reports whether an error tells of damage.
func IsDamage(err error) bool {
	var damaged *DamageError
	return errors.As(err, &damaged)
}

// UnlessFault says that a file is damaged because of err, unless err says so already, or is the system's own: too many
// open files or too little memory is no damage, and no reason to roll anything back.
func UnlessFault(err error, damage DamageError) error {
	var other *OtherError
	switch {
	case errors.As(err, &other):
		damage.Path, damage.Reason = other.Path, fmt.Sprintf("it is %s, and only %s is used there", other.Kind, other.Wanted)
		return &damage
	case IsDamage(err):
		return err
	case IsFault(err):
		return fmt.Errorf("%s could not be read, which is no damage to it: %w%s", damage.Path, err, faultRemedy(err))
	}
	damage.Err = err
	return &damage
}

// IsFault reports whether an error is the system's and not a file's.
func IsFault(err error) bool {
	return slices.ContainsFunc(faults(), func(fault error) bool { return errors.Is(err, fault) })
}

// IsFull reports whether an error tells of a full disk, a spent quota or a file size limit.
func IsFull(err error) bool {
	return slices.ContainsFunc(full(), func(fault error) bool { return errors.Is(err, fault) })
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
	case errors.Is(err, fs.ErrPermission):
		return "; check the file's permissions"
	}
	return "; try again"
}

// Guard runs f, which reads the file at path, and turns the panics and page faults that bbolt and bleve answer damaged
// files with into a *DamageError. A transaction is rolled back on the way.
func Guard(path, remedy string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = &DamageError{Path: path, Reason: fmt.Sprintf("reading it failed: %.300v", cause),
				Remedy: "see what else is damaged with `indexer verify`, and " + remedy}
		}
	}()
	return f()
}
