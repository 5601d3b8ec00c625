// Package systemd tells systemd how a service of its is: ready, stopping, alive, and what it does. Elsewhere it tells
// nobody.
package systemd
