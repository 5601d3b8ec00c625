package store

import (
	"errors"
	"fmt"
	"time"

	"dossier/internal/files"
)

// ErrNoGeneration is returned if the generation to go back to is not in the store.
var ErrNoGeneration = errors.New("not in the store")

// ErrNoStore is returned for a directory that holds no store (exit code 7).
var ErrNoStore = errors.New("no store")

// ErrClosed is returned by a Reader or Writer that was closed.
var ErrClosed = errors.New("the store was closed")

// LockedError reports that another process is writing to the store (exit code 5). The Holder is empty if it has not
// signed yet.
type LockedError struct {
	Dir string // empty: it is on a cluster
	Holder
}

func (e *LockedError) Error() string {
	who := "another writer"
	switch {
	case e.Program != "" && e.PID == 0: // leases on a cluster record no more
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

// FullError reports that the disk is full. What was published before is intact.
type FullError struct {
	Dir  string
	Need int64  // the most bytes that are written beside what is published; 0: unknown
	Free *int64 // the bytes left when it was full; nil: unknown
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

// explainFull turns the system's error for a full disk, a spent quota or a file size limit into a *FullError.
func explainFull(dir string, err error) error {
	var already *FullError
	if err == nil || errors.As(err, &already) || !files.IsFull(err) {
		return err
	}

	full := &FullError{Dir: dir, Err: err}
	if room, known := freeSpace(dir); known {
		full.Free = &room
	}
	return full
}

// explainFullNeeding is explainFull for the writing of a generation, and adds how much space that needs.
func (l layout) explainFullNeeding(need int64, err error) error {
	err = explainFull(l.dir, err)
	if full, ok := errors.AsType[*FullError](err); ok && full.Need == 0 {
		full.Need = need
	}
	return err
}

// spaceNeeded is the most that the next generation takes: twice the size of the copy under way, or of the current one,
// because records are written once more without their free pages, and segments are merged into new ones.
func (l layout) spaceNeeded() (bytes int64) {
	current, _ := l.readCurrent() // without one, only the copy counts
	for _, of := range []string{l.buildings(), l.generation(current)} {
		size, _ := sizeUnder(of)
		bytes = max(bytes, 2*size)
	}
	return bytes
}
