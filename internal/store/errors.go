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
	case e.Program != "" && e.Since.IsZero():
		who = fmt.Sprintf("%s (process %d of user %s on %s)", e.Program, e.PID, e.User, e.Host)
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
	Dir  string
	Need int64  // so many bytes at most are written beside what is published; 0: nobody knows
	Free *int64 // so many were left when it was full; nil: nobody knows
	Err  error
}

func (e *FullError) Error() string {
	room := ""
	if e.Need > 0 {
		room = fmt.Sprintf(": it needs up to %s there beside what is published", megabytes(e.Need))
		if e.Free != nil {
			room += fmt.Sprintf(", and %s are free", megabytes(*e.Free))
		}
	}
	return fmt.Sprintf("no room left for the store in %s%s; free some space there (or raise the quota) and run again; "+
		"what was published and committed before is whole: %v", e.Dir, room, e.Err)
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

func (e *FullError) Unwrap() error { return e.Err }

// explainFull turns what the system says about a full disk, a spent quota or a file size limit into a *FullError.
func explainFull(dir string, err error) error {
	var already *FullError
	if err == nil || errors.As(err, &already) || !damage.IsFull(err) {
		return err
	}

	full := &FullError{Dir: dir, Err: err}
	if room, known := roomIn(dir); known {
		full.Free = &room
	}
	return full
}

// explainNeed is explainFull for what writes a generation, and says how much room that needs.
func (l layout) explainNeed(need int64, err error) error {
	err = explainFull(l.dir, err)
	if full, is := errors.AsType[*FullError](err); is && full.Need == 0 {
		full.Need = need
	}
	return err
}

// need is how much the next generation takes at most: twice what there is of it, or of the one before, as records are
// written once more without their free pages, and segments as one.
func (l layout) need() (bytes int64) {
	current, _ := l.readCurrent() // without one there is less to tell
	for _, of := range []string{l.buildings(), l.generation(current)} {
		size, _ := sizeUnder(of)
		bytes = max(bytes, 2*size)
	}
	return bytes
}
