package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"time"
)

// Hooks are told after every run of topics. Each is off where it is empty.
type Hooks struct {
	Timeout Duration `yaml:"timeout"` // of each
	Command []string `yaml:"command"` // a program and its arguments
	Webhook string   `yaml:"webhook"` // an address
	Mail    Mail     `yaml:"mail"`
}

// Mail is who gets a digest of what changed, and by whom it is carried.
type Mail struct {
	To       []string `yaml:"to"`
	From     string   `yaml:"from"`
	SMTP     string   `yaml:"smtp"` // host:port; empty: Sendmail carries it
	User     string   `yaml:"user"` // with DOSSIER_SMTP_PASSWORD
	Sendmail string   `yaml:"sendmail"`
}

const smtpVariable = "DOSSIER_SMTP_PASSWORD"

// validateHooks checks what types alone do not. The returned key is the one at fault.
func (c *Config) validateHooks() (key string, err error) {
	h := &c.Hooks
	switch {
	case h.Timeout.Std() < time.Second || h.Timeout.Std() > time.Hour:
		return "hooks.timeout", fmt.Errorf("%s is out of range; allowed are 1s to 1h", h.Timeout)
	case len(h.Command) > 0 && h.Command[0] == "":
		return "hooks.command", errors.New("must begin with a program; write it as a list: [/usr/local/bin/tell, --now]")
	case h.Webhook != "" && !isAddress(h.Webhook):
		return "hooks.webhook", errNoAddress
	case h.Webhook != "" && inTheClear(h.Webhook):
		return "hooks.webhook", fmt.Errorf("would send runs over plain http to %s, where others can read them; use https",
			hostOf(h.Webhook))
	}

	m := &h.Mail
	if len(m.To) == 0 {
		return "", nil
	}

	for i, to := range m.To {
		if err := plainAddress(to); err != nil {
			return fmt.Sprintf("hooks.mail.to[%d]", i), err
		}
	}

	if err := plainAddress(m.From); err != nil {
		return "hooks.mail.from", err
	}

	if m.SMTP == "" {
		if m.Sendmail == "" {
			return "hooks.mail.sendmail", errors.New("is empty, and so is hooks.mail.smtp: nobody carries the mail")
		}
		return "", nil
	}

	if host, port, err := net.SplitHostPort(m.SMTP); err != nil || host == "" || port == "" {
		return "hooks.mail.smtp", errors.New("must be a host and a port, such as mail.example.org:587")
	}

	if m.User != "" && c.Keys.SMTP == "" {
		return "hooks.mail.user", errors.New("wants a password; set DOSSIER_SMTP_PASSWORD")
	}
	return "", nil
}

// plainAddress is an error where a text is no mail address alone, without a name.
func plainAddress(text string) error {
	if a, err := mail.ParseAddress(text); err != nil || a.Address != text {
		return errors.New("must be a mail address alone, such as board@example.org")
	}
	return nil
}
