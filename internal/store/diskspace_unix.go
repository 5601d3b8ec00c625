//go:build linux || darwin

package store

import (
	"math"

	"golang.org/x/sys/unix"
)

// freeSpace is how many bytes this user may still write in a folder's file system; known is false if it does not
// report that.
func freeSpace(dir string) (bytes int64, known bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil || disk.Blocks == 0 || disk.Bsize == 0 { // some know no size
		return 0, false
	}
	size := uint64(disk.Bsize)
	return int64(min(disk.Bavail, math.MaxInt64/size) * size), true
}
