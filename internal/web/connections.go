package web

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Bounds on open connections. All people behind one proxy, or one address of a hospital, share the address's limit: so
// a connection over the limit replaces an idle one, and is refused only if all are busy.
const (
	connections        = 512
	addressConnections = 64
	// a connection busy with one request for this long is replaced as well: a slow reader's, or a slow sender's
	patientTime = 5 * time.Second
)

// connectionLimiter counts the open connections, so that no address shuts out others, or itself.
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

func newConnectionLimiter(now func() time.Time) *connectionLimiter {
	return &connectionLimiter{now: now, open: map[net.Conn]*connection{}}
}

// listener wraps l so that connections over the limits are refused.
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
		_ = conn.Close() // nothing was sent on it
	}
}

// admit accepts a connection, replacing another one if there are too many.
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

// evictIdle closes the address's connection that has been idle longest, else the one that has been busy longest, if
// that is too long.
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

// changed records a connection's state, as http.Server's ConnState.
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

// addressOf is the origin of a connection or a request: an IPv4 address, or the 64-bit network that one host's IPv6
// addresses share. Connections without an address count as one.
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
