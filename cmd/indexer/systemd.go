package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// notifier tells the service manager that started this process, by the protocol of sd_notify(3).
type notifier struct {
	socket   string
	watchdog time.Duration
}

// newNotifier finds the service manager in an environment, as os.Environ gives it.
func newNotifier(environ []string) notifier {
	n := notifier{}

	pid := ""
	for _, pair := range environ {
		switch name, value, _ := strings.Cut(pair, "="); name {
		case "NOTIFY_SOCKET":
			n.socket = value
		case "WATCHDOG_PID":
			pid = value
		case "WATCHDOG_USEC":
			if usec, err := strconv.ParseInt(value, 10, 64); err == nil && usec > 0 {
				n.watchdog = time.Duration(usec) * time.Microsecond
			}
		}
	}

	if pid != "" && pid != strconv.Itoa(os.Getpid()) {
		n.watchdog = 0 // it is meant for another process
	}
	return n
}

// Watchdog is after how long without a sign of life the process is killed; 0 where nobody watches.
func (n notifier) Watchdog() time.Duration { return n.watchdog }

// Ready says that the service does its work.
func (n notifier) Ready() error { return n.send("READY=1") }

// Stopping says that the service is ending.
func (n notifier) Stopping() error { return n.send("STOPPING=1") }

// Alive says that the service is alive, and what it does, in a line.
func (n notifier) Alive(status string) error {
	return n.send("WATCHDOG=1\nSTATUS=" + strings.Join(strings.Fields(status), " "))
}

// StillAlive says that the service is alive, and does what it did.
func (n notifier) StillAlive() error { return n.send("WATCHDOG=1") }

// send sends one message; without a service manager it does nothing.
func (n notifier) send(message string) error {
	if n.socket == "" {
		return nil
	}

	name := n.socket
	if strings.HasPrefix(name, "@") {
		name = "\x00" + name[1:] // of the abstract namespace
	}

	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("telling systemd: %w", err)
	}
	defer func() { _ = conn.Close() }() // a datagram is sent or it is not

	if _, err := conn.Write([]byte(message)); err != nil {
		return fmt.Errorf("telling systemd: %w", err)
	}
	return nil
}
