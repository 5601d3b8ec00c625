package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestOriginsOfEachPlace names for one key after the other who has set it: each place wins over the one before.
func TestOriginsOfEachPlace(t *testing.T) {
	policy := policyIn(t, "data: /srv/dossier\noffline: true\n")
	for _, tc := range []struct {
		name, file, policy string
		env, args          []string
		want               map[string]string // %FILE stands for the file's path
	}{
		{name: "nobody", want: map[string]string{"data": "default", "hooks.mail.to": "default"}},
		{name: "the file, with its line", file: "offline: false\ndata: x\nhooks:\n  mail:\n    to: []\n",
			want: map[string]string{"data": "%FILE:2", "hooks.mail.to": "%FILE:5", "hooks.mail.from": "default"}},
		{name: "a key with nothing behind it", file: "data:\njobs: x\n",
			want: map[string]string{"data": "default", "jobs": "%FILE:2"}},
		{name: "the environment over the file", file: "data: x\n", env: []string{"DOSSIER_DATA=y"},
			want: map[string]string{"data": "DOSSIER_DATA"}},
		{name: "a flag over the environment", file: "data: x\n", env: []string{"DOSSIER_DATA=y"}, args: []string{"--data=z"},
			want: map[string]string{"data": "--data", "offline": "default"}},
		{name: "the policy over all, where it says something else", policy: policy, file: "data: /srv/dossier\n",
			args: []string{"--offline=false"},
			want: map[string]string{"data": "%FILE:1", "offline": policy + " (policy)", "sources.offline": "default"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := inFile(t, tc.file)
			cfg, err := Load(Options{Path: path, Environ: tc.env, Flags: flagsOf(t, tc.args...), Policy: tc.policy,
				PolicyOwner: os.Getuid()})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range cfg.Settings() {
				want, asked := tc.want[s.Key]
				if want = strings.Replace(want, "%FILE", path, 1); asked && s.Origin.String() != want {
					t.Errorf("%s comes from %s, want %s", s.Key, s.Origin, want)
				}
			}
		})
	}
}

func TestHiddenAreValuesThatMayBeSecrets(t *testing.T) {
	environ := []string{"WARD_TOKEN=s3cret", "DOSSIER_HOOKS_WEBHOOK=https://hooks.example.org/s3cret"}
	for _, tc := range []struct {
		name, file string
		hidden     []string
	}{
		{"a webhook", "", []string{"hooks.webhook"}},
		{"a header that is filled from the environment", `llm: {headers: ["X-Ward: ${WARD_TOKEN}"]}`,
			[]string{"hooks.webhook"}},
		{"a header with a value of its own", `llm: {headers: ["X-Ward: ${WARD_TOKEN}", "X-Key: s3cret"]}`,
			[]string{"llm.headers", "hooks.webhook"}},
		{"Azure's parameter", `llm: {base_url: "https://llm.example.org/v1?api-version=2026-01-01"}`,
			[]string{"hooks.webhook"}},
		{"another parameter", `llm: {writer: {base_url: "https://llm.example.org/v1?api-version=1&code=s3cret"}}`,
			[]string{"llm.writer.base_url", "hooks.webhook"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, err := Load(Options{Path: inFile(t, tc.file), Environ: environ})
			if err != nil {
				t.Fatal(err)
			}
			var hidden []string
			for _, s := range cfg.Settings() {
				switch {
				case s.Hidden:
					hidden = append(hidden, s.Key)
				case strings.Contains(fmt.Sprint(s.Value), "s3cret"):
					t.Errorf("%s is shown: %v", s.Key, s.Value)
				}
			}
			if !slices.Equal(hidden, tc.hidden) {
				t.Errorf("hidden are %q, want %q", hidden, tc.hidden)
			}
		})
	}
}

func TestNamedKeysTellOnlyWhetherTheyAreSet(t *testing.T) {
	cfg, err := Load(Options{
		Path:    inFile(t, `llm: {headers: ["X-Ward: ${WARD_TOKEN}", "X-Both: ${WARD_TOKEN} ${NCBI_API_KEY}"]}`),
		Environ: []string{"WARD_TOKEN=s3cret", "NCBI_API_KEY=s3cret"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "[{NCBI_API_KEY set} {OPENALEX_API_KEY not set} {DOSSIER_LLM_API_KEY not set} {OPENROUTER_API_KEY not set} " +
		"{DOSSIER_SMTP_PASSWORD not set} {DOSSIER_SIGNING_PASSWORD not set} {DOSSIER_OPENSEARCH_USER not set} " +
		"{DOSSIER_OPENSEARCH_PASSWORD not set} {DOSSIER_OPENSEARCH_TOKEN not set} {WARD_TOKEN set}]"
	if got := fmt.Sprint(cfg.NamedKeys()); got != want {
		t.Errorf("keys %s\nwant %s", got, want)
	}
}
