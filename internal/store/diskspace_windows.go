package store

import "golang.org/x/sys/windows"

// freeSpace is how many bytes this user may still write on a folder's disk; known is false if it does not report that.
func freeSpace(dir string) (bytes int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}
