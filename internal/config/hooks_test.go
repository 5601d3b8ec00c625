package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHooksAreChecked(t *testing.T) {
	for _, tc := range []struct {
		name, hooks string
		environ     []string
		want        string // of the error; empty: it is taken
	}{
		{"none", "{}", nil, ""},
		{"all",
			"{command: [/bin/tell, --now], webhook: 'https://board.example.org/runs', mail: {to: [a@example.org], from: d@example.org, smtp: 'mail.example.org:587', user: d}}",
			[]string{"DOSSIER_SMTP_PASSWORD=s3cret"}, ""},
		{"a shell's line", "{command: 'tell --now'}", nil, "hooks.command: must be a list"},
		{"no program", "{command: ['', x]}", nil, "hooks.command: must begin with a program"},
		{"no address", "{webhook: board.example.org}", nil, "hooks.webhook: must be an address"},
		{"in the clear", "{webhook: 'http://board.example.org/runs'}", nil,
			"hooks.webhook: would send runs over plain http to board.example.org"},
		{"on this machine in the clear", "{webhook: 'http://127.0.0.1:8080/runs'}", nil, ""},
		{"a header in an address", "{mail: {to: [\"a@example.org\\nBcc: b@example.org\"], from: d@example.org}}", nil,
			"hooks.mail.to[0]: must be a mail address alone"},
		{"a name beside an address", "{mail: {to: ['Board <a@example.org>'], from: d@example.org}}", nil,
			"hooks.mail.to[0]: must be a mail address alone"},
		{"an option for an address", "{mail: {to: [a@example.org], from: -oQ/tmp}}", nil,
			"hooks.mail.from: must be a mail address alone"},
		{"nobody it is from", "{mail: {to: [a@example.org]}}", nil, "hooks.mail.from: must be a mail address alone"},
		{"nobody who carries it", "{mail: {to: [a@example.org], from: d@example.org, sendmail: ''}}", nil,
			"hooks.mail.sendmail: is empty"},
		{"no port", "{mail: {to: [a@example.org], from: d@example.org, smtp: mail.example.org}}", nil,
			"hooks.mail.smtp: must be a host and a port"},
		{"no password", "{mail: {to: [a@example.org], from: d@example.org, smtp: 'mail.example.org:587', user: d}}", nil,
			"hooks.mail.user: wants a password; set DOSSIER_SMTP_PASSWORD"},
		{"a password in the file", "{mail: {password: s3cret}}", nil, "hooks.mail.password: unknown key"},
		{"no time", "{timeout: 0s}", nil, "hooks.timeout: 0s is out of range"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(path, []byte("hooks: "+tc.hooks+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(Options{Path: path, Environ: tc.environ})
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("%v; want %q", err, tc.want)
			}
		})
	}
}
