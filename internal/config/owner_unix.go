//go:build unix

package config

import (
	"io/fs"
	"syscall"
)

// ownerOf is the number of the user whom a file belongs to; known is false where that can't be told.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
