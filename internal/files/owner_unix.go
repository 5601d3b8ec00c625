//go:build unix

package files

import (
	"io/fs"
	"os/user"
	"strconv"
	"syscall"
)

// Owner is the number of the user whom a file belongs to; known is false where that can't be told.
func Owner(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// inOwnGroup reports whether a file is of the group that a user alone is in: the one that they log in with, and that
// has their name.
func inOwnGroup(info fs.FileInfo, uid int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}

	owner, err := user.LookupId(strconv.Itoa(uid))
	if err != nil || owner.Gid != strconv.FormatUint(uint64(stat.Gid), 10) {
		return false
	}
	group, err := user.LookupGroupId(owner.Gid)
	return err == nil && group.Name == owner.Username
}
