package command

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/store"
)

func TestCodeOf(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want int
	}{
		{"nothing", nil, ExitDone},
		{"anything", errors.New("x"), ExitFailed},
		{"usage", Usagef("x"), ExitUsage},
		{"an exit code of its own, wrapped and joined", errors.Join(errors.New("closing"),
			fmt.Errorf("x: %w", &ExitError{Code: ExitPartial})), ExitPartial},
		{"no store", fmt.Errorf("x: %w", store.ErrNoStore), ExitNoStore},
		{"a damaged store", fmt.Errorf("x: %w", &files.DamageError{Path: "p"}), ExitNoStore},
		{"a newer store", &database.SchemaError{Path: "p"}, ExitNoStore},
		{"a lock", fmt.Errorf("x: %w", &store.LockedError{}), ExitLocked},
		{"an interruption", fmt.Errorf("x: %w", context.Canceled), ExitInterrupted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := CodeOf(tc.err); got != tc.want {
				t.Errorf("CodeOf(%v) = %d, want %d", tc.err, got, tc.want)
			}
		})
	}
}

func TestExitHelp(t *testing.T) {
	const want = "Exit codes:\n    0  done\n    1  failed\n    2  wrong usage or configuration\n    5  another writer holds the lock\n  130  interrupted"
	if got := ExitHelp(ExitLocked); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestExplain(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		code int
		want string
	}{
		{"lines of a stranger's text", errors.New("a\x1b[31m\nb"), ExitFailed, "a[31m\n  b"},
		{"an interruption", fmt.Errorf("searching: %w", context.Canceled), ExitInterrupted, "interrupted"},
		{"an interruption that a command explains", &ExitError{Code: ExitInterrupted,
			Err: errors.New("interrupted; the rest goes on")}, ExitInterrupted, "interrupted; the rest goes on"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := explain(tc.err, tc.code); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
