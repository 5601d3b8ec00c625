//go:build unix

package store

import (
	"io/fs"
	"syscall"
)

// uidOf is the number of a file's owner.
func uidOf(info fs.FileInfo) uint32 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Uid
	}
	return noUser
}
