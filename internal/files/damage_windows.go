package files

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// faults are what Windows itself says when it can't; the numbers of other systems mean nothing to it.
func faults() []error {
	return append([]error{
		windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_ACCESS_DENIED, windows.ERROR_NOT_ENOUGH_MEMORY,
		windows.ERROR_OUTOFMEMORY, windows.ERROR_COMMITMENT_LIMIT, windows.ERROR_NO_SYSTEM_RESOURCES,
		windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_WRITE_PROTECT,
		windows.ERROR_CRC, windows.ERROR_IO_DEVICE, syscall.ETIMEDOUT,
	}, full()...)
}

func full() []error {
	return []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED,
		windows.ERROR_FILE_TOO_LARGE}
}
