package command

import (
	"io"
	"sync"
)

// redactingWriter is standard error if that is no terminal, and so may be a log that others read.
type redactingWriter struct {
	w      io.Writer
	mu     sync.Mutex
	redact func(message string) string // nil until a question is asked
}

// Write implements io.Writer; p is one message.
func (r *redactingWriter) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()

	message := string(p)
	if r.redact != nil {
		message = r.redact(message)
	}

	if _, err := io.WriteString(r.w, message); err != nil {
		return 0, err
	}
	return len(p), nil
}

// errorsTo is w as a program's standard error: a terminal unchanged, anything else subject to Redact.
func errorsTo(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return w
	}
	return &redactingWriter{w: w}
}

// Redact filters all further messages to standard error through redact, unless it is a terminal.
func (s *Streams) Redact(redact func(message string) string) {
	if r, ok := s.Err.(*redactingWriter); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.redact = redact
	}
}
