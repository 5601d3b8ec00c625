//go:build unix

package files

import "syscall"

// What a file of ours is opened with in a folder that others may write to: no link is followed, and nothing is
// waited for at the other end of a pipe.
const (
	NoFollow = syscall.O_NOFOLLOW
	NoWait   = syscall.O_NONBLOCK
)
