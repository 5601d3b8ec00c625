package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"dossier/internal/evidence"
)

func inFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func flagsOf(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.String("data", "data", "")
	fs.Bool("offline", false, "")
	fs.String("unrelated", "", "")
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return fs
}

func TestFlagOverEnvironmentOverFileOverDefault(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		env        []string
		args       []string
		want       string
	}{
		{"default", "", nil, nil, "data"},
		{"file", "data: from-file\n", nil, nil, "from-file"},
		{"environment", "data: from-file\n", []string{"DOSSIER_DATA=from-env"}, nil, "from-env"},
		{"flag", "data: from-file\n", []string{"DOSSIER_DATA=from-env"}, []string{"--data=from-flag"}, "from-flag"},
		{"an empty variable is not set", "data: from-file\n", []string{"DOSSIER_DATA="}, nil, "from-file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, err := Load(Options{Path: inFile(t, tc.file), Environ: tc.env, Flags: flagsOf(t, tc.args...)})
			if err != nil {
				t.Fatal(err)
			}
			if cfg.Data != tc.want {
				t.Errorf("data is %q, want %q", cfg.Data, tc.want)
			}
		})
	}
}

func TestLoadReadsEveryKind(t *testing.T) {
	cfg, err := Load(Options{
		Path: inFile(t, "defaults: {pass_score: 6.5, replan_after: 2d12h}\nlexicon: {files: [a.tsv]}\n"),
		Environ: []string{"DOSSIER_SOURCES_PUBMED_BASE_URL=http://127.0.0.1:1/e", "DOSSIER_OFFLINE=true",
			"DOSSIER_STORE_STALE_AFTER=3d", "DOSSIER_LLM_CONCURRENCY=4", "DOSSIER_LLM_PRICE_OUT=2.5", "NCBI_API_KEY= secret ",
			"PATH=/bin"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.File = cfg.File
	want.Defaults.PassScore = 6.5
	want.Defaults.ReplanAfter = Duration(60 * time.Hour)
	want.Lexicon.Files = []string{"a.tsv"}
	want.Sources.PubMed.BaseURL = "http://127.0.0.1:1/e"
	want.Offline = true
	want.Store.StaleAfter = Duration(72 * time.Hour)
	want.LLM.Concurrency = 4
	want.LLM.PriceOut = 2.5
	want.Keys.Services = map[evidence.SourceName]Secret{evidence.SourcePubMed: "secret"}
	env := func(name string) Origin { return Origin{From: FromEnvironment, Name: name} }
	want.Origins = map[string]Origin{
		"defaults.pass_score": {FromFile, cfg.File, 1}, "defaults.replan_after": {FromFile, cfg.File, 1},
		"lexicon.files": {FromFile, cfg.File, 2}, "offline": env("DOSSIER_OFFLINE"),
		"sources.pubmed.base_url": env("DOSSIER_SOURCES_PUBMED_BASE_URL"),
		"store.stale_after":       env("DOSSIER_STORE_STALE_AFTER"), "llm.concurrency": env("DOSSIER_LLM_CONCURRENCY"),
		"llm.price_out": env("DOSSIER_LLM_PRICE_OUT"),
	}
	if diff := cmp.Diff(want, cfg); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestAListTakesThePlaceOfTheFiles(t *testing.T) {
	cfg, err := Load(Options{
		Path: inFile(t, "lexicon: {files: [a.tsv, b.tsv, c.tsv]}\n"), Environ: []string{"DOSSIER_LEXICON_FILES=d.tsv"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"d.tsv"}, cfg.Lexicon.Files); diff != "" {
		t.Errorf("nothing of the file's list is left (-want +got):\n%s", diff)
	}
}

func TestLoadNamesThePlace(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		env        []string
		args       []string
		want       string
	}{
		{"a misspelt key", "sources:\n  pubmd: {}\n", nil, nil,
			`config.yaml:2: sources.pubmd: unknown key; did you mean "pubmed"?`},
		{"a wrong type", "offline: maybe\n", nil, nil, `config.yaml:1: offline: must be true or false, not "maybe"`},
		{"a bad duration", "llm:\n  timeout: 30\n", nil, nil, `config.yaml:2: llm.timeout: "30" is no length of time`},
		{"a number out of range", "llm:\n  batch_size: 0\n", nil, nil, "config.yaml:2: llm.batch_size: 0 is out of range"},
		{"a context that is none", "llm:\n  context_tokens: 512\n", nil, nil,
			"config.yaml:2: llm.context_tokens: 512 is too small"},
		{"a negative price", "llm:\n  price_in: -1\n", nil, nil, "config.yaml:2: llm.price_in: -1 is out of range"},
		{"no address", "sources:\n  openalex:\n    base_url: openalex.org\n", nil, nil,
			"config.yaml:3: sources.openalex.base_url: must be an address"},
		{"nobody to write to", "sources:\n  crossref:\n    email: nobody\n", nil, nil,
			`config.yaml:3: sources.crossref.email: "nobody" is no address to write to`},
		{"what is on, and no yes or no", "sources: {crossref: {enabled: often}}\n", nil, nil,
			`config.yaml:1: sources.crossref.enabled: must be true or false, not "often"`},
		{"a key in the file", "llm: {api_key: s3cret}\n", nil, nil, "keys are read from the environment only"},
		{"a misspelt variable", "", []string{"DOSSIER_SOURCES_PUBMED_BASEURL=x"}, nil,
			"DOSSIER_SOURCES_PUBMED_BASEURL is no setting of Dossier; did you mean DOSSIER_SOURCES_PUBMED_BASE_URL?"},
		{"a variable of the wrong type", "", []string{"DOSSIER_OFFLINE=maybe"}, nil,
			`environment: DOSSIER_OFFLINE: "maybe" does not fit: it must be true or false`},
		{"a variable that is no number", "", []string{"DOSSIER_DEFAULTS_MAX_RESULTS=many"}, nil,
			`environment: DOSSIER_DEFAULTS_MAX_RESULTS: "many" does not fit: it must be a whole number`},
		{"a variable out of range", "", []string{"DOSSIER_DEFAULTS_MAX_RESULTS=501"}, nil,
			"environment: DOSSIER_DEFAULTS_MAX_RESULTS: 501 is out of range"},
		{"an empty flag", "", nil, []string{"--data="}, "flag --data: is empty"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(Options{Path: inFile(t, tc.file), Environ: tc.env, Flags: flagsOf(t, tc.args...)})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v\nwant one with %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows the key: %v", err)
			}
		})
	}
}

func TestLoadOfAFileThatIsNotThere(t *testing.T) {
	_, err := Load(Options{Path: filepath.Join(t.TempDir(), "none.yaml")})
	if err == nil || !strings.Contains(err.Error(), "check --config") {
		t.Errorf("got %v", err)
	}
}

func TestModelIsOffUnlessAskedFor(t *testing.T) {
	off, key, local := Default(), Default(), Default()
	key.Keys.LLM = "k"
	local.LLM.BaseURL = "http://127.0.0.1:11434/v1"
	if off.UsesModel() || !key.UsesModel() || !local.UsesModel() {
		t.Errorf("off %v, with a key %v, with an endpoint of its own %v", off.UsesModel(), key.UsesModel(), local.UsesModel())
	}
}

func TestSecretsStaySecret(t *testing.T) {
	cfg := Default()
	cfg.Keys.LLM = "s3cret"
	encoded, err := json.Marshal(cfg.Keys)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("configured", "keys", cfg.Keys, "key", cfg.Keys.LLM)
	for name, text := range map[string]string{"%v": fmt.Sprintf("%v", cfg), "%+v": fmt.Sprintf("%+v", cfg),
		"%#v": fmt.Sprintf("%#v", cfg), "%s": fmt.Sprintf("%s", cfg.Keys.LLM), "JSON": string(encoded),
		"slog": log.String()} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("%s shows the key: %s", name, text)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, tc := range []struct {
		text string
		want time.Duration
	}{{"30d", 720 * time.Hour}, {"1d12h", 36 * time.Hour}, {"15m", 15 * time.Minute}, {"0s", 0}, {"0d", 0}} {
		got, err := ParseDuration(tc.text)
		if err != nil || got != tc.want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", tc.text, got, err, tc.want)
		}
	}
	for _, text := range []string{"", "30", "-1d", "d", "1w", "-5m", "1d-2h", "99999999d"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("ParseDuration(%q) = %v, want an error", text, got)
		}
	}
}

// TestShippedConfig holds the shipped config.yaml to the defaults that it documents.
func TestShippedConfig(t *testing.T) {
	cfg, err := Load(Options{Path: filepath.Join("..", "..", "config.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range cfg.Settings() {
		if setting.Origin.From != FromFile {
			t.Errorf("config.yaml leaves %s out", setting.Key)
		}
	}
	cfg.File, cfg.Origins = "", nil
	if diff := cmp.Diff(Default(), cfg); diff != "" {
		t.Errorf("config.yaml differs from the defaults (-default +file):\n%s", diff)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("data: x\nllm: {timeout: 3s}\n")
	path := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Skip()
		}
		cfg, err := Load(Options{Path: path})
		if err == nil {
			if key, err := cfg.validate(); err != nil {
				t.Errorf("loaded an invalid %s: %v", key, err)
			}
		}
	})
}

// TestSourcesThatAreOff: nobody is asked of whom nobody has said so, and topics may name them all the same.
func TestSourcesThatAreOff(t *testing.T) {
	cfg := Default()
	for _, s := range evidence.Sources {
		if cfg.Sources.Off(s.Name) != s.Optional {
			t.Errorf("%s: off %v, optional %v", s.Name, cfg.Sources.Off(s.Name), s.Optional)
		}
	}
	asks := func() (named, address bool) {
		isCrossref := func(a Address) bool { return strings.Contains(a.URL, "crossref") }
		return slices.Contains(cfg.Sources.Topic(), evidence.SourceCrossref),
			slices.ContainsFunc(cfg.Sources.Addresses(), isCrossref)
	}
	if named, address := asks(); named || address {
		t.Error("what is off is asked")
	}
	cfg.Sources.Crossref.Enabled = true
	if named, address := asks(); !named || !address {
		t.Error("what is on is not asked")
	}
}
