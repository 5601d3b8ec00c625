package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAKeyGoesWhereItBelongs(t *testing.T) {
	const openRouter, inside = "https://openrouter.ai/api/v1", "https://llm.example.org/v1"
	cases := []struct {
		name, url string
		environ   []string
		key       Secret
		uses      bool
	}{
		{"OpenRouter's key to OpenRouter", openRouter, []string{"OPENROUTER_API_KEY=or"}, "or", true},
		{"OpenRouter's key to nobody else", inside, []string{"OPENROUTER_API_KEY=or"}, "", true},
		{"not to a host that ends like it", "https://notopenrouter.ai/v1", []string{"OPENROUTER_API_KEY=or"}, "", true},
		{"not to a host within another", "https://openrouter.ai.example.org/v1", []string{"OPENROUTER_API_KEY=or"}, "", true},
		{"our own key wherever it is configured to go", inside, []string{"DOSSIER_LLM_API_KEY=ours", "OPENROUTER_API_KEY=or"},
			"ours", true},
		{"our own key before OpenRouter's", openRouter, []string{"DOSSIER_LLM_API_KEY=ours", "OPENROUTER_API_KEY=or"},
			"ours", true},
		{"no key", openRouter, nil, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := Load(Options{Path: inFile(t, "llm: {base_url: \""+c.url+"\"}\n"), Environ: c.environ})
			if err != nil {
				t.Fatal(err)
			}
			if got := cfg.ModelKey(cfg.LLM.BaseURL); got != c.key {
				t.Errorf("%s gets the key %q, want %q", c.url, got.Reveal(), c.key.Reveal())
			}
			if cfg.UsesModel() != c.uses {
				t.Errorf("a model is used: %v, want %v", cfg.UsesModel(), c.uses)
			}
		})
	}
}

func TestEachRoleMayHaveItsOwnModel(t *testing.T) {
	cfg, err := Load(Options{
		Path: inFile(t, `
llm:
  model: common
  reasoning_effort: low
  judge: {model: small, base_url: "http://127.0.0.1:11434/v1"}
  writer: {reasoning_effort: high}
`),
		Environ: []string{"OPENROUTER_API_KEY=or", "DOSSIER_LLM_PLANNER_MODEL=from-the-environment"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, want Role }{
		"planner": {cfg.LLM.As(cfg.LLM.Planner), Role{defaultLLMBaseURL, "from-the-environment", "low"}},
		"judge":   {cfg.LLM.As(cfg.LLM.Judge), Role{"http://127.0.0.1:11434/v1", "small", "low"}},
		"writer":  {cfg.LLM.As(cfg.LLM.Writer), Role{defaultLLMBaseURL, "common", "high"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
	if key := cfg.ModelKey(cfg.LLM.Judge.BaseURL); key != "" {
		t.Error("the judge inside the house gets OpenRouter's key")
	}
}

func TestOneSideMayBeOffline(t *testing.T) {
	cases := []struct {
		name, file      string
		services, model bool
	}{
		{"both are asked", "llm: {base_url: \"http://127.0.0.1:1/v1\"}\n", true, true},
		{"nobody is asked", "offline: true\nllm: {base_url: \"http://127.0.0.1:1/v1\"}\n", false, false},
		{"a hospital without internet, with a model of its own",
			"sources: {offline: true}\nllm: {base_url: \"http://127.0.0.1:1/v1\"}\n", false, true},
		{"services alone", "llm: {offline: true, base_url: \"http://127.0.0.1:1/v1\"}\n", true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := Load(Options{Path: inFile(t, c.file)})
			if err != nil || cfg.AsksServices() != c.services || cfg.AsksModel() != c.model {
				t.Errorf("services %v, model %v, %v; want %v and %v", cfg.AsksServices(), cfg.AsksModel(), err, c.services, c.model)
			}
		})
	}
}

func TestModelSettingsThatCannotBeMeant(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.pem")
	words := filepath.Join(t.TempDir(), "words.pem")
	if err := os.WriteFile(words, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := []string{"DOSSIER_LLM_API_KEY=s3cret"}
	cases := []struct {
		name, file string
		environ    []string
		want       string // empty: it is fine
	}{
		{"a key in the clear to another machine", "llm: {base_url: \"http://gpu.example.org:8000/v1\"}\n", key,
			"config.yaml:1: llm.base_url: would send a key over plain http to gpu.example.org:8000"},
		{"a key in the clear for one role", "llm:\n  judge: {base_url: \"http://10.0.0.7/v1\"}\n", key,
			"config.yaml:2: llm.judge.base_url: would send a key"},
		{"allowed", "llm: {base_url: \"http://gpu.example.org:8000/v1\", allow_http: true}\n", key, ""},
		{"in the clear without a key", "llm: {base_url: \"http://gpu.example.org:8000/v1\"}\n", nil, ""},
		{"in the clear on this machine", "llm: {base_url: \"http://[::1]:8000/v1\"}\n", key, ""},
		{"in the clear to a name that ends as this machine's", "llm: {base_url: \"http://evil-localhost/v1\"}\n", key,
			"llm.base_url: would send a key"},
		{"a secret header in the clear",
			"llm: {base_url: \"http://gpu.example.org/v1\", headers: [\"X-Token: ${WARD_TOKEN}\"]}\n", []string{"WARD_TOKEN=t"},
			"llm.base_url: would send a key"},
		{"a header without its variable", "llm: {headers: [\"X-Token: ${WARD_TOKEN}\"]}\n", nil,
			"llm.headers: needs the environment variable WARD_TOKEN"},
		{"no header", "llm: {headers: [\"X-Token\"]}\n", nil, "llm.headers: has a line that is no header"},
		{"a key as a header", "llm: {headers: [\"authorization: Bearer s3cret\"]}\n", nil,
			"Authorization is set by Dossier itself"},
		{"a header with a line break from the environment", "llm: {headers: [\"X-Token: ${WARD_TOKEN}\"]}\n",
			[]string{"WARD_TOKEN=a\r\nHost: b"}, "no header"},
		{"an unknown effort", "llm:\n  writer: {reasoning_effort: lots}\n", nil,
			`config.yaml:2: llm.writer.reasoning_effort: "lots" is no effort`},
		{"certificates that are not there", "llm: {ca_file: " + none + "}\n", nil, "llm.ca_file: open"},
		{"certificates that are none", "llm: {ca_file: " + words + "}\n", nil, "llm.ca_file: " + words +
			" holds no certificate"},
		{"half a client certificate", "llm: {cert_file: a.pem}\n", nil, "llm.cert_file: needs llm.key_file"},
		{"a client certificate that is not there", "llm: {cert_file: " + none + ", key_file: " + none + "}\n", nil,
			"llm.cert_file: "},
		{"a proxy with a password", "llm: {proxy: \"http://u:s3cret@proxy:3128\"}\n", nil, "llm.proxy: must be an address"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load(Options{Path: inFile(t, c.file), Environ: c.environ})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v\nwant one with %q", err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

func TestHeadersTakeSecretsFromTheEnvironment(t *testing.T) {
	cfg, err := Load(Options{
		Path:    inFile(t, "llm: {headers: [\"X-Title: Tumour board\", \"X-Token: ward ${WARD_TOKEN}\"]}\n"),
		Environ: []string{"WARD_TOKEN=s3cret"},
	})
	if err != nil {
		t.Fatal(err)
	}
	headers, secrets := cfg.ModelHeaders()
	if headers.Get("X-Title") != "Tumour board" || headers.Get("X-Token") != "ward s3cret" {
		t.Errorf("headers %v", headers)
	}
	if len(secrets) != 1 || secrets[0] != "ward s3cret" {
		t.Errorf("what no error may show: %q", secrets)
	}
}

func TestOwnCertificatesAreRead(t *testing.T) {
	ca, key := selfSigned(t)
	l := LLM{CAFile: ca, CertFile: ca, KeyFile: key}
	got, err := l.TLS()
	if err != nil || got.RootCAs == nil || len(got.Certificates) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// selfSigned writes a certificate and its key.
func selfSigned(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
}
