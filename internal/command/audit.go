package command

import (
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/fetch"
	"dossier/internal/pipeline"
	"dossier/internal/privacy"
)

// Audit is the log of what goes out; nil if the configuration names none.
func (a *App) Audit() *fetch.AuditLog {
	if a.Config.Audit.File == "" {
		return nil
	}
	return &fetch.AuditLog{File: a.Config.Audit.File, Command: a.Command, Now: a.Now, Random: rand.Reader}
}

// CheckAudit is an error where something may go out and the log of it can't be written.
func (a *App) CheckAudit() error {
	if log := a.Audit(); log != nil && (a.Config.AsksServices() || a.Config.AsksModel()) {
		return log.Check()
	}
	return nil
}

// auditor writes down what the pipeline sends.
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

// privacyOf says of a question that passed the gate what became of the patient in it.
func (a *App) privacyOf(question string) string {
	switch {
	case strings.Contains(question, privacy.Mark):
		return "stripped"
	case len(privacy.Find(question, a.known)) > 0:
		return "allowed"
	}
	return "nothing found"
}

// Outside runs work that sends something, and writes down what it sends: a question, or none for a check of
// services or of a model. Where that can't be written down, work is not run.
func (a *App) Outside(
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
	return counted(ctx, out, work)
}

// AuditedNotify runs work that tells host of a run, and writes down that it does. Where that can't be written down, or the
// machine's policy keeps from asking the host, work is not run.
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
	return counted(ctx, out, work)
}

// counted runs work, and writes down what went out.
func counted(ctx context.Context, out pipeline.Request, work func(context.Context) error) error {
	err := work(out.Counting(ctx))
	if ended := out.End(); err == nil {
		err = ended
	}
	return err
}

// Stayed writes down that a question was answered from this machine, or that it may not leave it. A log that can't be
// written is reported, and keeps no one from what is here.
func (a *App) Stayed(event fetch.AuditEvent, question, became string) {
	log := a.Audit()
	if log == nil {
		return
	}

	if err := log.Write(fetch.AuditEntry{Event: event, Question: question, Privacy: became}); err != nil {
		a.Log.Warn("what stayed on this machine was not written down", "error", err)
	}
}
