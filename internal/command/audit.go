package command

import (
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/fetch"
	"dossier/internal/guard"
	"dossier/internal/pipeline"
)

// Audit is the log of outgoing requests; nil if none is configured.
func (a *App) Audit() *fetch.AuditLog {
	if a.Config.Audit.File == "" {
		return nil
	}
	return &fetch.AuditLog{File: a.Config.Audit.File, Command: a.Command, Now: a.Now, Random: rand.Reader}
}

// CheckAudit is an error if requests may go out and the log of them can't be written.
func (a *App) CheckAudit() error {
	if log := a.Audit(); log != nil && (a.Config.AsksServices() || a.Config.AsksModel()) {
		return log.Check()
	}
	return nil
}

// auditor logs what the pipeline sends.
type auditor struct {
	app *App
	log *fetch.AuditLog
}

func (a auditor) Begin(question string, services, model bool) (pipeline.Request, error) {
	var hosts []string

	c := &a.app.Config
	if services {
		for _, a := range c.Sources.Addresses() {
			hosts = append(hosts, a.URL)
		}
	}

	if model {
		for _, role := range c.LLM.Roles() {
			if c.Uses(role.Own) {
				hosts = append(hosts, c.LLM.As(role.Own).BaseURL)
			}
		}
	}

	for i, address := range hosts {
		if u, err := url.Parse(address); err == nil {
			hosts[i] = u.Host
		}
	}
	slices.Sort(hosts)
	return a.log.Begin(question, a.app.privacyOf(question), slices.Compact(hosts))
}

// privacyOf describes what the privacy gate did to a question that passed it.
func (a *App) privacyOf(question string) string {
	switch {
	case strings.Contains(question, guard.Mark):
		return "stripped"
	case len(guard.Find(question, a.known)) > 0:
		return "allowed"
	}
	return "nothing found"
}

// AuditedSend runs work that sends something, and logs what it sends: a question, or none for a check of services or
// of a model. If it can't log that, it does not run work.
func (a *App) AuditedSend(
	ctx context.Context, question string, services, model bool, work func(context.Context) error,
) error {
	log := a.Audit()
	if log == nil || !services && !model {
		return work(ctx)
	}

	out, err := auditor{a, log}.Begin(question, services, model)
	if err != nil {
		return err
	}
	return logRequests(ctx, out, work)
}

// AuditedNotify runs work that notifies host of a run, and logs that it does. If it can't log that, or the machine's
// policy forbids the host, it does not run work.
func (a *App) AuditedNotify(ctx context.Context, host string, work func(context.Context) error) error {
	if err := a.hosts().Check(&url.URL{Host: host}); err != nil {
		return err
	}

	log := a.Audit()
	if log == nil {
		return work(ctx)
	}

	out, err := log.Begin("", a.privacyOf(""), []string{host})
	if err != nil {
		return err
	}
	return logRequests(ctx, out, work)
}

// logRequests runs work, and logs the requests that it sent.
func logRequests(ctx context.Context, out pipeline.Request, work func(context.Context) error) error {
	err := work(out.Counting(ctx))
	if ended := out.End(); err == nil {
		err = ended
	}
	return err
}

// AuditLocal logs that a question was answered from this machine, or that it may not leave it. A failure to log is
// reported, and blocks nothing.
func (a *App) AuditLocal(event fetch.AuditEvent, question, became string) {
	log := a.Audit()
	if log == nil {
		return
	}

	if err := log.Write(fetch.AuditEntry{Event: event, Question: question, Privacy: became}); err != nil {
		a.Log.Warn("what stayed on this machine was not written down", "error", err)
	}
}
