//go:build unix

package fetch

import "syscall"

// safely opens no link, and waits for nobody at the other end of a pipe.
const safely = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
