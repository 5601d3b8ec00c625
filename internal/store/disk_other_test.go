//go:build unix && !linux

package store

import (
	"errors"
	"testing"
)

func mountSmall(*testing.T, int) (disk string, err error) { return "", errors.ErrUnsupported }

func leaveFree(t *testing.T, _ string, _ int64) {
	t.Helper()
	t.Fatal("there is no disk to fill here")
}
