package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// manyClients is more than the page has connections.
const manyClients = 520

// runClients opens many connections to the page at an address, from this one, in each way that says little or takes
// little, and prints how long those who come then wait for the page's health and for its first page.
func runClients(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: clients HOST:PORT")
	}

	address := args[0]
	for _, kind := range []struct{ name, words string }{
		{"nobody else", ""},
		{"connections that say nothing", ""},
		{"heads that never end", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "},
		{"forms that are never whole", "POST /ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nq"},
		{"checks, and then nothing", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
		{"pages that nobody reads", "GET /topics/kras-g12c-crc-resistance/report HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"},
	} {
		n := manyClients
		if kind.name == "nobody else" {
			n = 0
		}

		if err := crowd(out, address, kind.name, kind.words, n); err != nil {
			return err
		}
	}
	return nil
}

// crowd opens n connections, says words on each, and measures two requests beside them.
func crowd(out io.Writer, address, name, words string, n int) error {
	var open []net.Conn
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()

	for range n {
		conn, err := net.Dial("tcp", address) //nolint:gosec,noctx // the page that is measured
		if err != nil {
			return err
		}
		open = append(open, conn)
		_, _ = io.WriteString(conn, words) // it may be turned away already
	}

	health, err := waited(address, "/healthz")
	if err != nil {
		return fmt.Errorf("beside %s: %w", name, err)
	}

	page, err := waited(address, "/")
	if err != nil {
		return fmt.Errorf("beside %s: %w", name, err)
	}
	_, err = fmt.Fprintf(out, "%3d %-30s health after %5.2f s, the first page after %5.2f s\n", n, name, health.Seconds(),
		page.Seconds())
	return err
}

// waited is how long it takes until a page is answered, asked for again where it was turned away.
func waited(address, path string) (time.Duration, error) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

	began := time.Now()
	for {
		response, err := client.Get("http://" + address + path) //nolint:gosec,noctx // the same
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}

		took := time.Since(began)
		if err == nil || took > 2*time.Minute {
			return took, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}
