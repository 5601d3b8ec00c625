package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// served is the page on an address of this machine, until the test ends.
func served(t *testing.T, s *site) string {
	t.Helper()
	var listening net.ListenConfig
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.page.Serve(ctx, listener) }()
	t.Cleanup(func() { stop(); <-ended })
	return listener.Addr().String()
}

// dialled opens a connection and sends words on it.
func dialled(t *testing.T, address, words string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, words); err != nil && !strings.Contains(err.Error(), "reset") &&
		!strings.Contains(err.Error(), "broken pipe") {
		t.Fatal(err)
	}
	return conn
}

// TestOneAddressShutsThePageForNobody: neither by connections that do nothing, nor by those that say little.
func TestOneAddressShutsThePageForNobody(t *testing.T) {
	for name, words := range map[string]string{
		"nothing is said":            "",
		"a head that never ends":     "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
		"a check, and then nothing":  "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"a form that is never whole": "POST /ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nq",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := usual(t)
			address := served(t, s)
			for range connections + 8 {
				dialled(t, address, words)
			}
			var lastErr error
			began := time.Now()
			for time.Since(began) < patientTime+5*time.Second {
				client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
				r, err := client.Get("http://" + address + "/healthz")
				if lastErr = err; err == nil {
					_ = r.Body.Close()
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			took, most := time.Since(began), 3*time.Second
			if strings.Contains(name, "never") { // each is cut off by its own time, or gives way after patientTime
				most = patientTime + 2*time.Second
			}
			if lastErr != nil || took > most {
				t.Errorf("the next request takes %v: %v", took, lastErr)
			}
		})
	}
}

// TestSlowReadersHoldNoPlace: what a page is made with is given back before it is sent.
func TestSlowReadersHoldNoPlace(t *testing.T) {
	s := usual(t)
	slow := &slowReader{ResponseWriter: httptest.NewRecorder(), writing: make(chan struct{}), read: make(chan struct{})}
	answered := make(chan struct{})
	go func() {
		r := httptest.NewRequest(http.MethodGet, "/topics/"+kras+"/report", nil)
		r.Host = "127.0.0.1"
		s.page.Handler().ServeHTTP(slow, r)
		close(answered)
	}()
	<-slow.writing
	if n := len(s.page.places.all); n != 0 {
		t.Errorf("%d places are held while a reader takes its time", n)
	}
	close(slow.read)
	<-answered
}

// slowReader takes nothing before read is closed.
type slowReader struct {
	http.ResponseWriter
	writing, read chan struct{}
}

func (r *slowReader) Write(b []byte) (int, error) {
	select {
	case <-r.read:
	default:
		close(r.writing)
		<-r.read
	}
	return r.ResponseWriter.Write(b)
}

// TestWhoGivesWay holds the order in which connections make room.
func TestWhoGivesWay(t *testing.T) {
	at := time.Unix(0, 0)
	d := newConnectionLimiter(func() time.Time { return at })
	conns := map[string]*fakeConn{}
	add := func(name, address string) bool {
		conns[name] = &fakeConn{from: address}
		at = at.Add(time.Millisecond)
		return d.admit(conns[name])
	}
	for n := range addressConnections {
		if !add(fmt.Sprint("a", n), "192.0.2.1:1000") {
			t.Fatalf("connection %d is turned away", n)
		}
		d.changed(conns[fmt.Sprint("a", n)], http.StateActive)
	}
	if add("all work", "192.0.2.1:1") {
		t.Error("one more than an address has is let in while all work")
	}
	if !add("another", "192.0.2.2:1") || !add("v6", "[2001:db8::1]:1") {
		t.Error("another address is turned away")
	}
	d.changed(conns["a7"], http.StateIdle)
	if !add("in a7's place", "192.0.2.1:1") || !conns["a7"].closed {
		t.Error("an idle connection does not give way")
	}
	at = at.Add(patientTime + time.Second)
	if !add("in a0's place", "192.0.2.1:1") || !conns["in a7's place"].closed || conns["a0"].closed {
		t.Error("one that does nothing gives way before one that works for long")
	}
	d.changed(conns["in a0's place"], http.StateActive)
	if !add("in a1's place", "192.0.2.1:1") || !conns["a0"].closed {
		t.Error("one that works for long does not give way")
	}
	for n := range connections {
		add(fmt.Sprint("b", n), fmt.Sprintf("198.51.100.%d:1", n%250))
	}
	if len(d.open) > connections || conns["another"].closed {
		t.Errorf("%d are open; the one of a quiet address is closed: %v", len(d.open), conns["another"].closed)
	}
	if !add("v6 of the same host", "[2001:db8::2]:1") || addressOf(conns["v6"].RemoteAddr().String()) !=
		addressOf(conns["v6 of the same host"].RemoteAddr().String()) {
		t.Error("one host's IPv6 addresses are not one")
	}
}

type fakeConn struct {
	net.Conn
	from   string
	closed bool
}

func (c *fakeConn) Close() error         { c.closed = true; return nil }
func (c *fakeConn) RemoteAddr() net.Addr { return fakeAddress(c.from) }

type fakeAddress string

func (fakeAddress) Network() string  { return "tcp" }
func (a fakeAddress) String() string { return string(a) }
