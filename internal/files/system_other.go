//go:build !windows

package files

import (
	"os"
)

// Patiently does what no other program can be in the way of on this system.
func Patiently(do func() error) error { return do() }

// flush writes a file or a folder's entries to the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|NoWait, 0) // the data directory may be a link
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
