package command

import (
	"context"
	"errors"
	"fmt"

	"dossier/internal/store"
)

// The exit codes of both programs (SPEC section 5).
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

// ExitCodes explains the codes, for the programs' help.
const ExitCodes = `Exit codes:
  0  done
  1  failed
  2  wrong usage or configuration
  3  done in part: a source or a topic failed, the rest is published
  4  nothing found, or a question that the store can't answer while offline
  5  another writer holds the lock
  6  older than --max-age
  7  no store, or a damaged one
  130  interrupted`

// ExitError is an error that asks for an exit code of its own. One without Err was explained already.
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

// Usagef makes an error of wrong usage or configuration.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// Usage marks err as one of wrong usage or configuration.
func Usage(err error) error { return &ExitError{Code: ExitUsage, Err: err} }

// codeOf finds the exit code that err asks for.
func codeOf(err error) int {
	var exit *ExitError
	var locked *store.LockedError
	var damaged *store.DamagedError
	var schema *store.SchemaError
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
	}
	return ExitFailed
}
