package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// policyIn writes a policy as its owner would, in a folder of its own.
func policyIn(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const wholePolicy = `
offline: true
sources: {offline: true}
llm: {offline: true}
allowed_hosts: [eutils.ncbi.nlm.nih.gov]
privacy: {patient_identifiers: strip, model_question: understood}
audit: {file: /var/log/dossier/audit.log}
data: /srv/dossier
`

func TestThePolicyWins(t *testing.T) {
	path := policyIn(t, wholePolicy)
	for _, tc := range []struct {
		name, file string
		environ    []string
		args       []string

		identifiers string
		notes       []string
	}{
		{"over defaults, without a word", "", nil, nil, "refuse", nil},
		{"over a file",
			"data: mine\noffline: false\nprivacy: {patient_identifiers: allow, model_question: whole}\naudit: {file: \"\"}\n",
			nil, nil, "strip",
			[]string{"config.yaml:2: offline is true", "config.yaml:1: data is /srv/dossier",
				"config.yaml:4: audit.file is /var/log/dossier/audit.log",
				"config.yaml:3: privacy.patient_identifiers is strip", "config.yaml:3: privacy.model_question is understood"}},
		{"over the environment", "", []string{"DOSSIER_DATA=mine", "DOSSIER_LLM_OFFLINE=false",
			"DOSSIER_AUDIT_FILE=/dev/null", "DOSSIER_PRIVACY_PATIENT_IDENTIFIERS=allow"}, nil, "strip",
			[]string{"DOSSIER_LLM_OFFLINE: llm.offline is true", "DOSSIER_DATA: data is /srv/dossier",
				"DOSSIER_AUDIT_FILE: audit.file is", "DOSSIER_PRIVACY_PATIENT_IDENTIFIERS: privacy"}},
		{"over flags", "", nil, []string{"--data=mine", "--offline=false"}, "refuse", []string{"--offline: offline is true",
			"--data: data is /srv/dossier"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, err := Load(Options{
				Path: inFile(t, tc.file), Environ: tc.environ, Flags: flagsOf(t, tc.args...), Policy: path,
				PolicyOwner: os.Getuid(),
			})
			if err != nil {
				t.Fatal(err)
			}
			if !cfg.Offline || !cfg.Sources.Offline || !cfg.LLM.Offline || cfg.Data != "/srv/dossier" ||
				cfg.Audit.File != "/var/log/dossier/audit.log" {
				t.Errorf("the policy does not hold: %+v", cfg)
			}
			if want := (Privacy{tc.identifiers, "understood", "withhold"}); cfg.Privacy != want {
				t.Errorf("privacy %+v, want %+v", cfg.Privacy, want)
			}
			if len(cfg.Notes) != len(tc.notes) {
				t.Errorf("notes %q, want %q", cfg.Notes, tc.notes)
			}
			for i := range min(len(cfg.Notes), len(tc.notes)) {
				if !strings.Contains(cfg.Notes[i], tc.notes[i]) || !strings.HasPrefix(cfg.Notes[i], path+" wins over ") {
					t.Errorf("note %q, want %q in it", cfg.Notes[i], tc.notes[i])
				}
			}
		})
	}
}

// TestAPolicyIsALeastStrictness: a user may be stricter.
func TestAPolicyIsALeastStrictness(t *testing.T) {
	cfg, err := Load(Options{
		Path: inFile(t, "offline: true\n"), Policy: policyIn(t,
			"privacy: {patient_identifiers: strip, model_question: whole}\n"), PolicyOwner: os.Getuid(),
	})
	if err != nil || cfg.Privacy != (Privacy{"refuse", "understood", "withhold"}) || !cfg.Offline || len(cfg.Notes) > 0 {
		t.Errorf("%+v, notes %q, %v", cfg.Privacy, cfg.Notes, err)
	}
}

func TestNoPolicyIsNone(t *testing.T) {
	cfg, err := Load(Options{Path: inFile(t, ""), Policy: filepath.Join(t.TempDir(), "policy.yaml")})
	if err != nil || cfg.Policy != nil {
		t.Errorf("%+v, %v", cfg.Policy, err)
	}
	empty, err := Load(Options{Path: inFile(t, ""), Policy: policyIn(t, "{}"), PolicyOwner: os.Getuid()})
	if err != nil || empty.Policy == nil || empty.Policy.AllowedHosts != nil {
		t.Errorf("an empty policy allows what none does: %+v, %v", empty.Policy, err)
	}
}

// TestAPolicyThatIsNoneStopsEverything: what can't be believed is no reason to go on without it.
func TestAPolicyThatIsNoneStopsEverything(t *testing.T) {
	own := os.Getuid()
	change := func(path string, mode os.FileMode) string {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := policyIn(t, "offline: true\n")
	change(filepath.Dir(open), 0o777)
	folder := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, path string
		owner      int
		want       string
	}{
		{"another's file", policyIn(t, "offline: true\n"), own + 1, "must belong to user"},
		{"a file for the group to write", change(policyIn(t, "offline: true\n"), 0o664), own,
			"may be written by others than its owner (mode 0664)"},
		{"a file for all to write", change(policyIn(t, "offline: true\n"), 0o646), own, "may be written by others"},
		{"a folder in which anybody may replace it", open, own, "may be written by others"},
		{"a folder", folder, own, "reading the policy"},
		{"a misspelt key", policyIn(t, "ofline: true\n"), own, `policy.yaml:1: ofline: unknown key; did you mean "offline"?`},
		{"a wrong type", policyIn(t, "offline: maybe\n"), own, "policy.yaml:1: offline: must be true or false"},
		{"a path that depends on where one stands", policyIn(t, "offline: true\ndata: data\n"), own,
			"policy.yaml:2: data: must be a whole path"},
		{"a log likewise", policyIn(t, "audit: {file: audit.log}\n"), own, "policy.yaml:1: audit.file: must be a whole path"},
		{"a host that is an address", policyIn(t, "allowed_hosts:\n  - https://example.org/x\n"), own,
			"policy.yaml:2: allowed_hosts[0]: must be a host"},
		{"an endpoint with a password", policyIn(t, "llm: {base_urls: [\"https://u:s3cret@example.org/v1\"]}\n"), own,
			"policy.yaml:1: llm.base_urls[0]: must be an address"},
		{"an unknown strictness", policyIn(t, "privacy: {patient_identifiers: maybe}\n"), own,
			"policy.yaml:1: privacy.patient_identifiers: \"maybe\" is none of its values"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(Options{Path: inFile(t, ""), Policy: tc.path, PolicyOwner: tc.owner})
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
		})
	}
}

func TestModelsThatThePolicyDoesNotHave(t *testing.T) {
	policy := policyIn(t, "llm: {base_urls: [\"http://127.0.0.1:11434/v1/\"]}\n")
	for _, tc := range []struct {
		name, file string
		environ    []string
		want       string
	}{
		{"the one that it has", "llm: {base_url: \"http://127.0.0.1:11434/v1\"}\n", nil, ""},
		{"another", "llm: {base_url: \"https://llm.example.org/v1\"}\n", nil, "config.yaml:1: llm.base_url: " + policy +
			" does not allow a model at llm.example.org"},
		{"another for one role",
			"llm:\n  base_url: \"http://127.0.0.1:11434/v1\"\n  judge: {base_url: \"https://llm.example.org/v1\"}\n", nil,
			"config.yaml:3: llm.judge.base_url"},
		{"another by a variable", "", []string{"DOSSIER_LLM_BASE_URL=https://llm.example.org/v1"},
			"environment: DOSSIER_LLM_BASE_URL: "},
		{"the default by a key", "", []string{"OPENROUTER_API_KEY=k"}, "does not allow a model at openrouter.ai"},
		{"none is used", "", nil, ""},
		{"none is asked", "llm: {offline: true, base_url: \"https://llm.example.org/v1\"}\n", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(Options{Path: inFile(t, tc.file), Environ: tc.environ, Policy: policy, PolicyOwner: os.Getuid()})
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
		})
	}
}

func TestKeysInTheClear(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		environ    []string
		want       string
	}{
		{"NCBI's key", "sources:\n  pubmed: {base_url: \"http://mirror.example.org/e\"}\n", []string{"NCBI_API_KEY=s3cret"},
			"config.yaml:2: sources.pubmed.base_url: would send a key over plain http to mirror.example.org"},
		{"OpenAlex's key", "sources: {openalex: {base_url: \"http://10.0.0.7\"}}\n", []string{"OPENALEX_API_KEY=s3cret"},
			"sources.openalex.base_url: would send a key"},
		{"another's key", "sources: {openalex: {base_url: \"http://10.0.0.7\"}}\n", []string{"NCBI_API_KEY=s3cret"}, ""},
		{"no key", "sources: {pubmed: {base_url: \"http://mirror.example.org/e\"}}\n", nil, ""},
		{"on this machine", "sources: {pubmed: {base_url: \"http://localhost:8080/e\"}}\n", []string{"NCBI_API_KEY=s3cret"},
			""},
		{"a password in an address", "sources: {pubmed: {base_url: \"https://u:s3cret@mirror.example.org/e\"}}\n", nil,
			"sources.pubmed.base_url: must be an address"},
		{"a password in a variable", "", []string{"DOSSIER_LLM_BASE_URL=https://u:s3cret@llm.example.org/v1"},
			"DOSSIER_LLM_BASE_URL: must be an address"},
		{"a password in what is no address", "", []string{"DOSSIER_SOURCES_OPENALEX_BASE_URL=https://u:s3cret@%zz"},
			"DOSSIER_SOURCES_OPENALEX_BASE_URL: must be an address"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(Options{Path: inFile(t, tc.file), Environ: tc.environ})
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
	cfg := Default()
	cfg.Sources.EuropePMC.BaseURL, cfg.LLM.BaseURL, cfg.LLM.Judge.BaseURL = "http://10.0.0.7/e", "http://127.0.0.1:1/v1",
		"http://gpu.example.org/v1"
	if diff := cmp.Diff([]string{"sources.europepmc.base_url (10.0.0.7)", "llm.judge.base_url (gpu.example.org)"},
		cfg.InTheClear()); diff != "" {
		t.Errorf("in the clear (-want +got):\n%s", diff)
	}
}

// TestAFoldersFileAndTheKeys: a config.yaml that lies where the program is started may have been put there for
// somebody.
func TestAFoldersFileAndTheKeys(t *testing.T) {
	own := os.Getuid()
	keys := []string{"DOSSIER_LLM_API_KEY=s3cret", "NCBI_API_KEY=s3cret", "WARD_TOKEN=s3cret"}
	const elsewhere = "llm: {base_url: \"https://llm.example.org/v1\"}\n"
	for _, tc := range []struct {
		name, file string
		environ    []string
		mode       os.FileMode
		user       int
		want       string // of the note, or of the error
		fails      bool
	}{
		{"one's own decides, and that is told", elsewhere, keys, 0o644, own,
			"config.yaml of this folder decides where keys go: llm.base_url (DOSSIER_LLM_API_KEY)", false},
		{"without a key there is nothing to decide", elsewhere, nil, 0o644, own, "", false},
		{"an address beside the usual one",
			"sources: {pubmed: {email: a@example.org, base_url: \"https://eutils.ncbi.nlm.nih.gov/entrez/eutils\"}}\n", keys,
			0o644, own, "", false},
		{"another setting", "offline: true\n", keys, 0o644, own, "", false},
		{"the default, written out", "llm: {base_url: \"https://openrouter.ai/api/v1\"}\n", keys, 0o644, own, "", false},
		{"a variable decides instead", elsewhere, append(keys, "DOSSIER_LLM_BASE_URL=https://other.example.org/v1"), 0o644,
			own, "", false},
		{"NCBI's", "sources: {pubmed: {base_url: \"https://mirror.example.org/e\"}}\n", keys, 0o644, own,
			"sources.pubmed.base_url (NCBI_API_KEY)", false},
		{"a proxy", "llm: {proxy: \"http://proxy.example.org:3128\"}\n", keys, 0o644, own, "llm.proxy (DOSSIER_LLM_API_KEY)",
			false},
		{"a header with a variable", "llm: {headers: [\"X-T: ${WARD_TOKEN}\"]}\n", keys, 0o644, own,
			"llm.headers (WARD_TOKEN)", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(folderFile, []byte(tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(folderFile, tc.mode), os.Chmod(".", 0o755)); err != nil {
				t.Fatal(err)
			}
			cfg, err := Load(Options{Environ: tc.environ, User: tc.user})
			said := strings.Join(cfg.Notes, "\n")
			if err != nil {
				said = err.Error()
			}
			if (err != nil) != tc.fails || !strings.Contains(said, tc.want) || tc.want == "" && said != "" ||
				strings.Contains(said, "s3cret") {
				t.Errorf("said %q, error %v; want %q", said, err, tc.want)
			}
		})
	}
}

// TestAForeignFolderFileIsNotRead: nothing of a config.yaml is obeyed that somebody else could have put where a program
// is started, whatever it says; one that is named is the user's will.
func TestAForeignFolderFileIsNotRead(t *testing.T) {
	const somebody = 4711
	own := os.Getuid()
	given := func(path string) func(*testing.T) {
		return func(t *testing.T) {
			if err := os.Chown(path, somebody, -1); err != nil {
				t.Skip("whom a file belongs to can't be changed here")
			}
		}
	}
	opened := func(path string, mode os.FileMode) func(*testing.T) {
		return func(t *testing.T) {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tc := range []struct {
		name string
		make func(*testing.T)
		user int
		want string // of the error; empty: it is read
	}{
		{"one's own", func(*testing.T) {}, own, ""},
		{"one's own in a folder with the sticky bit", opened(".", 0o777|os.ModeSticky), own, ""},
		{"another user's", given("config.yaml"), own, "config.yaml belongs to user 4711, who is neither you nor root"},
		{"in another user's folder", given("."), own, "the folder that this was started in belongs to user 4711"},
		{"in a folder for all to write", opened(".", 0o777), own, "started in may be written by others"},
		{"in a folder for a group to write", opened(".", 0o770), own, "started in may be written by others"},
		{"for all to write", opened("config.yaml", 0o646), own,
			"config.yaml may be written by others than its owner (mode 0646); `chmod go-w` it"},
		{"for a group to write", opened("config.yaml", 0o664), own, "may be written by others"},
		{"a link to one's own", func(t *testing.T) {
			if err := errors.Join(os.Rename("config.yaml", "mine.yaml"), os.Symlink("mine.yaml", "config.yaml")); err != nil {
				t.Fatal(err)
			}
		}, own, "config.yaml is a link"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := errors.Join(os.WriteFile(folderFile, []byte("privacy: {patient_identifiers: allow}\n"), 0o600),
				os.Chmod(".", 0o755)); err != nil {
				t.Fatal(err)
			}
			tc.make(t)
			cfg, err := Load(Options{User: tc.user})
			switch obeyed := cfg.Privacy.PatientIdentifiers == "allow"; {
			case tc.want == "" && (err != nil || !obeyed):
				t.Errorf("it is not read: %v", err)
			case tc.want != "" && (obeyed || err == nil || !strings.Contains(err.Error(), tc.want) ||
				!strings.Contains(err.Error(), "name it with --config config.yaml")):
				t.Errorf("obeyed: %v, error %v; want %q", obeyed, err, tc.want)
			}
			if cfg, err := Load(Options{User: tc.user, Path: folderFile}); err != nil ||
				cfg.Privacy.PatientIdentifiers != "allow" {
				t.Errorf("named on purpose: %v", err)
			}
		})
	}
}
