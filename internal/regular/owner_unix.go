//go:build unix

package regular

import (
	"io/fs"
	"syscall"
)

// Owner is the number of the user whom a file belongs to; known is false where that can't be told.
func Owner(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
