//go:build unix

package hooks

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http/httptest"
	"net/smtp"
	"strings"
	"sync"
	"testing"
)

// smtpServer is a mail server for one message.
type smtpServer struct {
	tls     bool
	silent  bool
	refuses string // a recipient

	address string
	trust   *tls.Config // with which a client trusts it
	done    chan struct{}

	mu           sync.Mutex
	heard, clear bytes.Buffer // all lines, and those before STARTTLS
}

func (s *smtpServer) start(t *testing.T) {
	t.Helper()
	certified := httptest.NewTLSServer(nil) // for its certificate, which is for 127.0.0.1
	t.Cleanup(certified.Close)
	roots := x509.NewCertPool()
	roots.AddCert(certified.Certificate())
	s.trust = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s.address, s.done = listener.Addr().String(), make(chan struct{})
	go func() {
		defer close(s.done)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { conn.Close() }()
		if s.silent {
			_, _ = conn.Read(make([]byte, 1)) // until the client gives up
			return
		}
		s.serve(conn, certified.TLS)
	}()
}

func (s *smtpServer) serve(conn net.Conn, certificate *tls.Config) {
	say := func(lines ...string) { _, _ = conn.Write([]byte(strings.Join(lines, "\r\n") + "\r\n")) }
	say("220 mail.example.org ESMTP")
	secure := false
	for in := bufio.NewReader(conn); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		s.hear(line, secure)
		switch verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " "); strings.ToUpper(verb) {
		case "EHLO":
			if s.tls && !secure {
				say("250-mail.example.org", "250 STARTTLS")
			} else {
				say("250-mail.example.org", "250 AUTH PLAIN")
			}
		case "STARTTLS":
			say("220 go on")
			conn = tls.Server(conn, &tls.Config{Certificates: certificate.Certificates, MinVersion: tls.VersionTLS12})
			in, secure = bufio.NewReader(conn), true
		case "AUTH":
			say("235 welcome")
		case "RCPT":
			if s.refuses != "" && strings.Contains(rest, s.refuses) {
				say("550 no such person")
			} else {
				say("250 well")
			}
		case "DATA":
			say("354 speak")
			for data := ""; data != ".\r\n"; {
				if data, err = in.ReadString('\n'); err != nil {
					return
				}
				s.hear(data, secure)
			}
			say("250 carried")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 well")
		}
	}
}

func (s *smtpServer) hear(line string, secure bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard.WriteString(line)
	if !secure {
		s.clear.WriteString(line)
	}
}

// ended is all that was heard, once the client has gone.
func (s *smtpServer) ended() []byte {
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard.Bytes()
}

func (s *smtpServer) inTheClear() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clear.Bytes()
}

// plain is a client of a server that offers no STARTTLS.
func plain(t *testing.T) *smtp.Client {
	t.Helper()
	server := &smtpServer{}
	server.start(t)
	conn, err := net.Dial("tcp", server.address)
	if err != nil {
		t.Fatal(err)
	}
	client, err := smtp.NewClient(conn, "mail.example.org")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}
