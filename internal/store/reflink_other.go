//go:build !linux

package store

import "os"

// reflink is done on Linux only; elsewhere files are copied.
func reflink(_, _ *os.File) bool { return false }
