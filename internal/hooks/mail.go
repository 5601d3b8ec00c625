package hooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/smtp"
	"os/exec"
	"strings"
	"time"

	"dossier/internal/text"
)

// Mail is who gets the digest, and by whom it is carried.
type Mail struct {
	To       []string // addresses that were checked
	From     string
	SMTP     string // host:port; empty: Sendmail carries it
	User     string // at the SMTP server; empty: it wants none
	Password string
	Sendmail string   // a program that takes a message on its standard input, and recipients as arguments
	Environ  []string // of that program
	Now      func() time.Time
	TLS      *tls.Config // nil: the system's certificates
}

// Hook mails the digest where anything changed or failed; else nothing.
func (m Mail) Hook() Hook {
	return Hook{Name: "hooks.mail", Host: m.SMTP, Tell: func(ctx context.Context, what Message) error {
		if what.Subject == "" {
			return nil
		}

		letter, err := m.letter(what)
		if err != nil {
			return err
		}

		if m.SMTP == "" {
			return m.bySendmail(ctx, letter)
		}
		return m.bySMTP(ctx, letter)
	}}
}

// letter is the message as it is carried, in lines that end as mail's do.
func (m Mail) letter(what Message) ([]byte, error) {
	var b bytes.Buffer
	for _, header := range [][2]string{
		{"From", m.From}, {"To", strings.Join(m.To, ", ")},
		{"Subject", mime.QEncoding.Encode("utf-8", text.Line(what.Subject))},
		{"Date", m.Now().UTC().Format(time.RFC1123Z)},
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"}, {"Auto-Submitted", "auto-generated"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", header[0], strings.NewReplacer("\r", "", "\n", "").Replace(header[1]))
	}
	b.WriteString("\r\n")

	body := quotedprintable.NewWriter(&b)
	if _, err := body.Write([]byte(what.Digest)); err != nil {
		return nil, err
	}
	return b.Bytes(), body.Close()
}

func (m Mail) bySendmail(ctx context.Context, letter []byte) error {
	// -i: a line of one dot does not end the message.
	cmd := exec.CommandContext(ctx, m.Sendmail, append([]string{"-i", "-f", m.From, "--"}, m.To...)...)
	cmd.Env, cmd.WaitDelay = m.Environ, killAfter
	cmd.Stdin = bytes.NewReader(bytes.ReplaceAll(letter, []byte("\r\n"), []byte("\n")))
	said := &head{}
	cmd.Stdout, cmd.Stderr = said, said
	return explained(ctx, cmd.Run(), said)
}

var errNoTLS = errors.New(
	"the mail server offers no STARTTLS, and nothing goes to another machine in the clear; use one that does, or sendmail")

func (m Mail) bySMTP(ctx context.Context, letter []byte) (err error) {
	host, _, err := net.SplitHostPort(m.SMTP)
	if err != nil {
		return err
	}

	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", m.SMTP)
	if err != nil {
		return err
	}

	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return errors.Join(err, conn.Close())
		}
	}

	client, err := smtp.NewClient(conn, host)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	defer func() { _ = client.Close() }() // after Quit there is nothing to close

	if err := m.secure(client, host, conn.RemoteAddr()); err != nil {
		return err
	}

	if m.User != "" {
		if err := client.Auth(smtp.PlainAuth("", m.User, m.Password, host)); err != nil {
			return fmt.Errorf("logging in at the mail server: %w", err)
		}
	}

	if err := client.Mail(m.From); err != nil {
		return err
	}

	for _, to := range m.To {
		if err := client.Rcpt(to); err != nil {
			return err
		}
	}

	body, err := client.Data()
	if err != nil {
		return err
	}

	if _, err := body.Write(letter); err != nil {
		return err
	}

	if err := body.Close(); err != nil {
		return err
	}
	return client.Quit()
}

// secure has all that follows go through TLS; a server on this machine may do without.
func (m Mail) secure(client *smtp.Client, host string, at net.Addr) error {
	if offered, _ := client.Extension("STARTTLS"); !offered {
		if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
			return nil
		}
		return errNoTLS
	}

	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if m.TLS != nil {
		settings = m.TLS.Clone()
	}

	settings.ServerName = host
	if err := client.StartTLS(settings); err != nil {
		return fmt.Errorf("STARTTLS: %w", err)
	}
	return nil
}
