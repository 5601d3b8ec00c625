package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/opensearch"
	"dossier/internal/store"
)

// The exit codes of both programs; docs/JSON.md, "Exit codes", explains them.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitPartial     = 3
	ExitNothing     = 4
	ExitLocked      = 5
	ExitTooOld      = 6
	ExitNoStore     = 7
	ExitInterrupted = 130
)

var exitMeanings = []struct {
	code    int
	meaning string
}{
	{ExitDone, "done"},
	{ExitFailed, "failed"},
	{ExitUsage, "wrong usage or configuration"},
	{ExitPartial, "done in part: a source, a topic or a record failed; the rest is there"},
	{ExitNothing, "nothing found, or a question that the store can't answer while offline"},
	{ExitLocked, "another writer holds the lock"},
	{ExitTooOld, "older than --max-age"},
	{ExitNoStore, "no store, or a damaged one"},
	{ExitInterrupted, "interrupted"},
}

// ExitHelp explains exit codes in a command's help: those of every command and the given ones, or all if none is
// given.
func ExitHelp(special ...int) string {
	always := []int{ExitDone, ExitFailed, ExitUsage, ExitInterrupted}
	var b strings.Builder
	b.WriteString("Exit codes:")

	for _, e := range exitMeanings {
		if len(special) == 0 || slices.Contains(always, e.code) || slices.Contains(special, e.code) {
			fmt.Fprintf(&b, "\n%5d  %s", e.code, e.meaning)
		}
	}
	return b.String()
}

// ExitError is an error with an exit code. One without Err has been reported already.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Exitf creates an error with an exit code.
func Exitf(code int, format string, args ...any) error {
	return &ExitError{Code: code, Err: fmt.Errorf(format, args...)}
}

// Usagef creates an error of wrong usage or configuration.
func Usagef(format string, args ...any) error { return Exitf(ExitUsage, format, args...) }

// Usage marks err as one of wrong usage or configuration.
func Usage(err error) error { return &ExitError{Code: ExitUsage, Err: err} }

// CodeOf is the exit code of err.
func CodeOf(err error) int {
	var exit *ExitError
	var locked *store.LockedError
	var damaged *files.DamageError

	var schema *database.SchemaError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &locked):
		return ExitLocked
	case errors.Is(err, store.ErrNoStore), errors.As(err, &damaged), errors.As(err, &schema):
		return ExitNoStore
	case errors.Is(err, store.ErrHasStore):
		return ExitUsage
	}
	return codeOfCluster(err)
}

// codeOfCluster gives errors of a store on a cluster the exit codes of a folder's errors.
func codeOfCluster(err error) int {
	switch opensearch.KindOf(err) {
	case opensearch.BadConfig, opensearch.NotAllowed:
		return ExitUsage
	case opensearch.NewerMapping, opensearch.Red:
		return ExitNoStore
	}
	return ExitFailed
}
