package store

import (
	"errors"
	"fmt"
	"time"

	"dossier/internal/damage"
)

// ErrNoGeneration is given where the generation to go back to is none of the store's.
var ErrNoGeneration = errors.New("not in the store")

// ErrNoStore is given for a directory that holds no store (exit code 7).
var ErrNoStore = errors.New("no store")

// ErrClosed is given by a Reader or Writer that was closed.
var ErrClosed = errors.New("the store was closed")

// LockedError says that another process is writing to the store (exit code 5). The Holder is empty where it had not
// signed yet.
type LockedError struct {
	Dir string // empty: it is on a cluster
	Holder
}

func (e *LockedError) Error() string {
	who := "another writer"
	switch {
	case e.Program != "" && e.PID == 0: // on a cluster nobody signs more
		who = fmt.Sprintf("%s (since %s)", e.Program, e.Since.UTC().Format(time.RFC3339))
	case e.Program != "":
		who = fmt.Sprintf("%s (process %d of user %s on %s, since %s)",
			e.Program, e.PID, e.User, e.Host, e.Since.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("the store %s is locked by %s: try again when it has finished; readers need not wait",
		e.where(), who)
}

func (e *LockedError) where() string {
	if e.Dir == "" {
		return "on the cluster"
	}
	return "in " + e.Dir
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
	if damage.IsFull(err) {
		return &FullError{Dir: dir, Err: err}
	}
	return err
}
