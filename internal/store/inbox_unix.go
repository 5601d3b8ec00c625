//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openUnfollowed opens what has that name itself, and waits for nobody at the other end of a pipe.
func openUnfollowed(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errLink
	}
	return f, err
}

// uidOf is the number of a file's owner.
func uidOf(info fs.FileInfo) uint32 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Uid
	}
	return noUser
}
