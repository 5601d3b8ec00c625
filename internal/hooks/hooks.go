package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"dossier/internal/fetch"
	"dossier/internal/text"
)

// Hook is one way to tell.
type Hook struct {
	Name string // the setting that turned it on
	Host string // the host that it asks, with its port; empty where nothing leaves the machine by it
	Tell func(ctx context.Context, m Message) error
}

// Message is what there is to tell of a run.
type Message struct {
	JSON    []byte // the run, as `indexer run --format json` prints it
	Subject string // of the digest, one line; empty where nothing changed and nothing failed
	Digest  string // plain text in lines
}

// killAfter is how long a program that was asked to end may keep its output open.
const killAfter = 5 * time.Second

// saidMost bounds what of a program's output is kept for its error.
const saidMost = 1000

// Command runs a program, which is never a shell's line, with the run's JSON on its standard input. What it prints is
// shown where it fails.
func Command(argv, environ []string) Hook {
	return Hook{Name: "hooks.command", Tell: func(ctx context.Context, m Message) error {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env, cmd.Stdin, cmd.WaitDelay = environ, bytes.NewReader(m.JSON), killAfter
		said := &head{}
		cmd.Stdout, cmd.Stderr = said, said
		return explained(ctx, cmd.Run(), said)
	}}
}

// explained adds to a program's failure what it said, and whether its time ran out.
func explained(ctx context.Context, err error, said *head) error {
	switch words := text.Line(said.String()); {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it did not end in time (hooks.timeout) and was killed: %w", err)
	case words != "":
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// head keeps the first bytes that are written to it. It embeds no buffer, which would read past the bound by itself.
type head struct{ kept []byte }

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), saidMost-len(h.kept))]...)
	return len(p), nil
}

func (h *head) String() string { return string(h.kept) }

// Webhook posts the run's JSON to an address. Any answer of success will do.
func Webhook(client *fetch.Client, address, host string) Hook {
	return Hook{Name: "hooks.webhook", Host: host, Tell: func(ctx context.Context, m Message) error {
		_, err := client.Do(ctx, fetch.Request{
			Service: "webhook", Method: http.MethodPost, URL: address, Body: m.JSON, Accept: fetch.AcceptDone,
			Header: http.Header{"Content-Type": {"application/json"}},
		})
		return err
	}}
}

// Without takes variables out of an environment: what is a secret of ours is not a program's. A proxy stays, without
// the name and the password that its address may hold.
func Without(environ []string, names ...string) []string {
	var kept []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")

		secret := false
		for _, n := range names {
			secret = secret || strings.EqualFold(n, name)
		}

		if strings.HasSuffix(strings.ToLower(name), "_proxy") {
			pair = withoutPassword(pair)
		}

		if !secret {
			kept = append(kept, pair)
		}
	}
	return kept
}

// withoutPassword is a variable without what stands before the last @ of its address, also where that can't be read.
func withoutPassword(pair string) string {
	name, value, _ := strings.Cut(pair, "=")

	at := strings.LastIndexByte(value, '@')
	if at < 0 {
		return pair
	}

	scheme, _, has := strings.Cut(value, "://")
	if !has {
		return name + "=" + value[at+1:]
	}
	return name + "=" + scheme + "://" + value[at+1:]
}
