//go:build !windows

package files

import "syscall"

func faults() []error {
	return append([]error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOLCK, syscall.EIO, syscall.EACCES, syscall.EPERM,
		syscall.EINTR, syscall.EAGAIN, syscall.ESTALE, syscall.ETIMEDOUT, syscall.EROFS,
	}, full()...)
}

func full() []error { return []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} }
