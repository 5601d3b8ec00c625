package store

import (
	"bufio"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockHolder is the process that the system reports as holding a lock on the file, whether it signed or not. The
// Holder has no PID if the system reports none, as for a process in another container or on another machine.
func lockHolder(path string) (holder Holder) {
	info, err := os.Stat(path)
	if err != nil {
		return Holder{}
	}

	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Holder{}
	}

	locks, err := os.Open("/proc/locks")
	if err != nil {
		return Holder{}
	}
	defer locks.Close()
	// 1: FLOCK  ADVISORY  WRITE 4711 08:01:131090 0 EOF
	file := fmt.Sprintf("%02x:%02x:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev), stat.Ino)
	for lines := bufio.NewScanner(locks); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[5] != file {
			continue
		}

		if pid, err := strconv.Atoi(fields[4]); err == nil && pid > 0 {
			return processHolder(pid)
		}
	}
	return Holder{}
}

// processHolder describes a process of this machine as far as the system reports it.
func processHolder(pid int) Holder {
	holder := Holder{Program: "another program", PID: pid, User: "unknown"}
	holder.Host, _ = os.Hostname() // informs only

	folder := "/proc/" + strconv.Itoa(pid)
	if name, err := os.ReadFile(folder + "/comm"); err == nil {
		holder.Program = strings.TrimSpace(string(name))
	}

	info, err := os.Stat(folder)
	if err != nil {
		return holder
	}

	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		holder.User = strconv.FormatUint(uint64(stat.Uid), 10)
		if u, err := user.LookupId(holder.User); err == nil {
			holder.User = u.Username
		}
	}
	return holder
}
