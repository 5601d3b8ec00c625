package web

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Bounds on open connections. All people behind one proxy, or one address of a hospital, share what an address has: so
// one more than that takes the place of one that does nothing, and is turned away only where all are at work.
const (
	connections        = 512
	addressConnections = 64
	// a connection that has been at one request for so long gives way as well: a slow reader's, or a slow sender's
	patientTime = 5 * time.Second
)

// connectionLimiter keeps count of the open connections, so that no address shuts others out, nor itself.
type connectionLimiter struct {
	now  func() time.Time
	mu   sync.Mutex
	open map[net.Conn]*connection
}

// connection is one open connection.
type connection struct {
	address netip.Prefix
	works   bool      // a request is under way
	since   time.Time // when it began to work, or to wait
}

func newConnectionLimiter(now func() time.Time) *connectionLimiter { return &connectionLimiter{now: now, open: map[net.Conn]*connection{}} }

// listener is l with connections turned away that are too many.
func (d *connectionLimiter) listener(l net.Listener) net.Listener { return &limitedListener{l, d} }

type limitedListener struct {
	net.Listener
	doors *connectionLimiter
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}

		if l.doors.admit(conn) {
			return conn, nil
		}
		_ = conn.Close() // nothing was said on it
	}
}

// admit takes a connection in, in another's place where there are enough.
func (d *connectionLimiter) admit(conn net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	address, byAddress := addressOf(conn.RemoteAddr().String()), map[netip.Prefix]int{}

	fullest := address
	for _, v := range d.open {
		if byAddress[v.address]++; byAddress[v.address] > byAddress[fullest] {
			fullest = v.address
		}
	}

	switch {
	case byAddress[address] >= addressConnections:
		fullest = address
	case len(d.open) < connections:
		d.open[conn] = &connection{address: address, since: d.now()}
		return true
	}

	if !d.evictIdle(fullest) {
		return false
	}
	d.open[conn] = &connection{address: address, since: d.now()}
	return true
}

// evictIdle closes the connection of an address that has done nothing for longest, else the one that has been at its
// request for longest, where that is too long.
func (d *connectionLimiter) evictIdle(address netip.Prefix) bool {
	var chosen net.Conn

	var first *connection
	for conn, v := range d.open {
		isCandidate := v.address == address && (!v.works || d.now().Sub(v.since) > patientTime)
		if isCandidate && (first == nil || !v.works && first.works || v.works == first.works && v.since.Before(first.since)) {
			chosen, first = conn, v
		}
	}

	if chosen == nil {
		return false
	}
	delete(d.open, chosen)
	_ = chosen.Close() // who is there sees it
	return true
}

// changed follows a connection, as http.Server's ConnState.
func (d *connectionLimiter) changed(conn net.Conn, state http.ConnState) {
	d.mu.Lock()
	defer d.mu.Unlock()

	v, ok := d.open[conn]
	if !ok {
		return
	}

	switch state {
	case http.StateActive, http.StateIdle:
		v.works, v.since = state == http.StateActive, d.now()
	case http.StateClosed, http.StateHijacked:
		delete(d.open, conn)
	case http.StateNew:
	}
}

// addressOf is whom a connection or a request comes from: an IPv4 address, or the network of 64 bits that one host's
// IPv6 addresses are of. What has no such address is one.
func addressOf(remote string) netip.Prefix {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}

	address, bits := at.Addr().Unmap().WithZone(""), 32
	if address.Is6() {
		bits = 64
	}

	prefix, err := address.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
