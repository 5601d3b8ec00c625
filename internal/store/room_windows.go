package store

import "golang.org/x/sys/windows"

// roomIn is how many bytes whoever asks may still write on a folder's disk; false where it does not say.
func roomIn(dir string) (bytes int64, known bool) {
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
