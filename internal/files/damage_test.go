package files

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestAFaultOfTheSystemIsNoDamage: nothing is called damaged, and nothing renamed, because of what the system said.
func TestAFaultOfTheSystemIsNoDamage(t *testing.T) {
	of := DamageError{Path: "f", Reason: "r", Remedy: RemedyRollback}
	for _, fault := range []error{syscall.EMFILE, syscall.ENOMEM, syscall.ENOLCK, syscall.EIO, syscall.EACCES} {
		err := UnlessFault(&fs.PathError{Op: "open", Path: "f", Err: fault}, of)
		if IsDamage(err) || !errors.Is(err, fault) || strings.Contains(err.Error(), "rollback") ||
			!strings.Contains(err.Error(), "; ") {
			t.Errorf("%v: %v", fault, err)
		}
	}
	for _, cause := range []error{fs.ErrNotExist, errors.New("checksum error"), syscall.ENOTDIR} {
		if err := UnlessFault(cause, of); !IsDamage(err) || !errors.Is(err, cause) {
			t.Errorf("%v: %v", cause, err)
		}
	}
}

// TestGuardMakesAnErrorOfAPanic: bbolt and bleve answer a damaged file with one.
func TestGuardMakesAnErrorOfAPanic(t *testing.T) {
	err := Guard("evidence.db", RemedyRollback, func() error { panic("page 7: invalid page type") })
	for _, part := range []string{"evidence.db", "page 7: invalid page type", "indexer verify", RemedyRollback} {
		if !IsDamage(err) || !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %v", part, err)
		}
	}
	if err := Guard("evidence.db", RemedyRollback, func() error { return nil }); err != nil {
		t.Errorf("nothing was wrong: %v", err)
	}
}
