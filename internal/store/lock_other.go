//go:build !windows

package store

// lockedName is the file that the writer locks.
const lockedName = lockName
