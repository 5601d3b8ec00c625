package command

import (
	"io"
	"sync"
)

// redactingWriter is standard error if no terminal is, so that it may be a log that others read.
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

// errorsTo is w as a program's standard error: a terminal as it is, anything else so that Redact holds for it.
func errorsTo(w io.Writer) io.Writer {
	if IsTerminal(w) {
		return w
	}
	return &redactingWriter{w: w}
}

// Redact has each further message to standard error changed by redact, unless a person reads it at a terminal.
func (s *Streams) Redact(redact func(message string) string) {
	if r, ok := s.Err.(*redactingWriter); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.redact = redact
	}
}
