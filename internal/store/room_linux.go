package store

import "golang.org/x/sys/unix"

// roomIn is how many bytes whoever asks may still write in a folder's file system; false where it does not say.
func roomIn(dir string) (bytes int64, known bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return 0, false
	}
	return int64(disk.Bavail) * disk.Bsize, true
}
