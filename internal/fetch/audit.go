package fetch

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"time"

	"dossier/internal/files"
)

// AuditEvent is what a line tells of.
type AuditEvent string

// The events. What goes out has two lines of the same id: one before, and one behind it with the requests that
// were made; where the second is missing, the program was stopped between them.
const (
	AuditSending AuditEvent = "sending"
	AuditSent    AuditEvent = "sent"
	AuditLocal   AuditEvent = "local"   // answered from this machine; nothing went out
	AuditRefused AuditEvent = "refused" // nothing went out, since the question tells who the patient is
)

// AuditEntry is a line of the log. It holds no key, and of a patient only what the configuration allows to go out.
type AuditEntry struct {
	Time         time.Time      `json:"time"`
	Event        AuditEvent     `json:"event"`
	ID           string         `json:"id,omitempty"`
	User         string         `json:"user"`
	UID          int            `json:"uid"`
	Command      string         `json:"command"` // "query report"
	Question     string         `json:"question"`
	Privacy      string         `json:"privacy"`                // "nothing found", "stripped", "allowed", "refused"
	Destinations []string       `json:"destinations,omitempty"` // hosts that may be asked
	Requests     map[string]int `json:"requests,omitempty"`     // that were made, by host
}

// AuditLog appends to a file.
type AuditLog struct {
	File    string
	Command string
	Now     func() time.Time
	Random  io.Reader // makes ids
}

// mode is that of a new file: its owner's, with a group that may read it.
const mode = 0o640

// Write appends a line. The file is opened for each, so that one that was moved away is made anew; a link or what
// is no regular file is refused.
func (l *AuditLog) Write(e AuditEntry) error {
	e.Time, e.Command = l.Now().UTC(), l.Command
	e.User, e.UID = whoAsks()

	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the audit log: %w", err)
	}

	f, err := files.OpenOwn(l.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return l.explain(err)
	}

	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return l.explain(err)
	}
	return nil
}

// Check tries whether the log can be written.
func (l *AuditLog) Check() error {
	f, err := files.OpenOwn(l.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return l.explain(err)
	}
	return f.Close()
}

func (l *AuditLog) explain(err error) error {
	return fmt.Errorf("the audit log can't be written, and without it nothing is sent: %w; "+
		"check audit.file and its permissions", err)
}

// whoAsks is the process's user; a name that the machine does not know is its number.
func whoAsks() (name string, uid int) {
	uid = os.Getuid()

	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return strconv.Itoa(uid), uid
	}
	return u.Username, uid
}

// AuditRequest is something on its way out.
type AuditRequest struct {
	log   *AuditLog
	entry AuditEntry
	tally Tally
}

// Begin writes down what is about to go out, and where to. The error means that nothing may.
func (l *AuditLog) Begin(question, privacy string, destinations []string) (*AuditRequest, error) {
	id := make([]byte, 8)
	if _, err := io.ReadFull(l.Random, id); err != nil {
		return nil, fmt.Errorf("making an id for the audit log: %w", err)
	}
	o := &AuditRequest{log: l, entry: AuditEntry{
		Event: AuditSending, ID: hex.EncodeToString(id), Question: question, Privacy: privacy, Destinations: destinations,
	}}
	return o, l.Write(o.entry)
}

// Counting marks ctx, so that requests made with it are counted.
func (o *AuditRequest) Counting(ctx context.Context) context.Context { return o.tally.Counting(ctx) }

// End writes down what went out.
func (o *AuditRequest) End() error {
	e := o.entry
	e.Event, e.Destinations, e.Requests = AuditSent, nil, o.tally.Counts()
	return o.log.Write(e)
}
