//go:build unix

package main

import (
	"os"
	"syscall"
)

// writtenBy is what a process that has ended wrote to disk, in bytes: copies count, clones and links of files do not.
// A folder in memory counts nothing.
func writtenBy(ended *os.ProcessState) int64 {
	const block = 512

	used, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(used.Oublock) * block //nolint:unconvert // an int32 on some systems
}
