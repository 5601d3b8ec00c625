//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestMessages(t *testing.T) {
	dir, err := os.MkdirTemp("", "sd") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	n := newNotifier([]string{"NOTIFY_SOCKET=" + path})
	for _, send := range []func() error{n.Ready, func() error {
		return n.Alive("waiting;\nREADY=0")
	}, n.StillAlive, n.Stopping} {
		if err := send(); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	buffer := make([]byte, 1000)
	for range 4 {
		if err := manager.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		size, err := manager.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(buffer[:size]))
	}
	if want := []string{"READY=1", "WATCHDOG=1\nSTATUS=waiting; READY=0", "WATCHDOG=1", "STOPPING=1"}; !slices.Equal(got,
		want) {
		t.Errorf("told %q, want %q", got, want)
	}
	gone := newNotifier([]string{"NOTIFY_SOCKET=" + filepath.Join(dir, "gone")})
	if gone.Ready() == nil {
		t.Error("nobody listens, and nobody is told so")
	}
	if err := newNotifier(nil).Ready(); err != nil {
		t.Errorf("without systemd: %v", err)
	}
}

func TestWatchdog(t *testing.T) {
	own := strconv.Itoa(os.Getpid())
	for _, tc := range []struct {
		name    string
		environ []string
		want    time.Duration
	}{
		{"nobody watches", nil, 0},
		{"half a minute", []string{"WATCHDOG_USEC=30000000", "WATCHDOG_PID=" + own}, 30 * time.Second},
		{"of whoever has the variable", []string{"WATCHDOG_USEC=30000000"}, 30 * time.Second},
		{"another process is watched", []string{"WATCHDOG_USEC=30000000", "WATCHDOG_PID=1"}, 0},
		{"no number", []string{"WATCHDOG_USEC=soon"}, 0},
	} {
		if got := newNotifier(tc.environ).Watchdog(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
