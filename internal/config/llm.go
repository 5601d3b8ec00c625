package config

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"dossier/internal/files"
	"dossier/internal/text"
)

// LLM says which model plans, judges and writes, and how it is reached. It is off unless there is a key for its
// endpoint, or a base_url other than the default.
type LLM struct {
	Offline           bool     `yaml:"offline"` // the model is not asked; the services may be
	BaseURL           string   `yaml:"base_url"`
	Model             string   `yaml:"model"`
	Planner           Role     `yaml:"planner"`
	Judge             Role     `yaml:"judge"`
	Writer            Role     `yaml:"writer"`
	ReasoningEffort   string   `yaml:"reasoning_effort"` // none, minimal, low, medium, high; empty: the server's own
	Temperature       float64  `yaml:"temperature"`
	Timeout           Duration `yaml:"timeout"` // of one call
	Concurrency       int      `yaml:"concurrency"`
	RequestsPerMinute int      `yaml:"requests_per_minute"` // 0: as fast as the endpoint answers
	TokensPerMinute   int      `yaml:"tokens_per_minute"`   // sent and received; 0: no limit
	BatchSize         int      `yaml:"batch_size"`          // records a screening call
	// of the model, prompt and reply together; 0: learnt from the server
	ContextTokens   int  `yaml:"context_tokens"`
	Required        bool `yaml:"required"`           // a night without its model fails
	MaxTokensPerRun int  `yaml:"max_tokens_per_run"` // 0: no limit
	MaxTokensPerDay int  `yaml:"max_tokens_per_day"` // over all programs of the machine; 0: no limit
	// of a million prompt tokens, in any currency; 0: cost is not counted
	PriceIn  float64 `yaml:"price_in"`
	PriceOut float64 `yaml:"price_out"` // of a million completion tokens
	// "Name: value", sent with every call; ${NAME} is the environment's
	Headers   []string `yaml:"headers"`
	AllowHTTP bool     `yaml:"allow_http"` // a key may go over plain http to another machine
	CAFile    string   `yaml:"ca_file"`    // certificates, in PEM, that are trusted beside the system's
	CertFile  string   `yaml:"cert_file"`  // our own certificate, in PEM, with key_file
	KeyFile   string   `yaml:"key_file"`
	Proxy     string   `yaml:"proxy"` // empty: the environment's
}

// Role is what one of the model's tasks has of its own; what is empty is as for all.
type Role struct {
	BaseURL         string `yaml:"base_url"`
	Model           string `yaml:"model"`
	ReasoningEffort string `yaml:"reasoning_effort"`
}

// NamedRole is a role under its key in llm.
type NamedRole struct {
	Name string
	Own  Role
}

// Roles are all that there are.
func (l *LLM) Roles() []NamedRole {
	return []NamedRole{{"planner", l.Planner}, {"judge", l.Judge}, {"writer", l.Writer}}
}

const (
	defaultLLMBaseURL = "https://openrouter.ai/api/v1"
	openRouterHost    = "openrouter.ai"
)

// As gives a role with the common settings where it has none of its own.
func (l *LLM) As(r Role) Role {
	return Role{
		BaseURL: cmp.Or(r.BaseURL, l.BaseURL), Model: cmp.Or(r.Model, l.Model),
		ReasoningEffort: cmp.Or(r.ReasoningEffort, l.ReasoningEffort),
	}
}

// Uses reports whether a role's model is configured: there is a key for its endpoint, or somebody has named one.
func (c *Config) Uses(r Role) bool {
	r = c.LLM.As(r)
	return c.ModelKey(r.BaseURL) != "" || r.BaseURL != defaultLLMBaseURL
}

// UsesModel reports whether any role's model is configured.
func (c *Config) UsesModel() bool {
	return c.Uses(c.LLM.Planner) || c.Uses(c.LLM.Judge) || c.Uses(c.LLM.Writer)
}

// AsksModel reports whether the configured model may be asked.
func (c *Config) AsksModel() bool { return c.UsesModel() && !c.Offline && !c.LLM.Offline }

// AsksServices reports whether the services may be asked.
func (c *Config) AsksServices() bool { return !c.Offline && !c.Sources.Offline }

// ModelKey is the key that is sent to an endpoint: DOSSIER_LLM_API_KEY, which was set for what the configuration names;
// to OpenRouter, where that is not set, OPENROUTER_API_KEY, which other programs have set for themselves and nobody
// else may see.
func (c *Config) ModelKey(baseURL string) Secret {
	if c.Keys.LLM != "" {
		return c.Keys.LLM
	}

	u, err := url.Parse(baseURL)
	if err == nil && u.Scheme == "https" && strings.EqualFold(u.Hostname(), openRouterHost) {
		return c.Keys.OpenRouter
	}
	return ""
}

var reasoningEfforts = []string{"", "none", "minimal", "low", "medium", "high"}

// validateLLM checks what the model's settings say together. The returned key is the one at fault.
func (c *Config) validateLLM() (key string, err error) {
	for _, r := range append([]NamedRole{{}}, c.LLM.Roles()...) { // first what is for all
		role, key := c.LLM.As(r.Own), "llm."
		if r.Name != "" {
			key += r.Name + "."
		}

		switch {
		case strings.TrimSpace(role.Model) == "":
			return key + "model", errors.New("is empty; name a model")
		case !slices.Contains(reasoningEfforts, role.ReasoningEffort):
			return key + "reasoning_effort", fmt.Errorf("%q is no effort; write none, minimal, low, medium or high",
				role.ReasoningEffort)
		case c.exposes(role.BaseURL):
			return key + "base_url", fmt.Errorf(
				"would send a key over plain http to %s, where others can read it; use https, or set llm.allow_http: true",
				hostOf(role.BaseURL))
		}
	}

	for _, h := range c.Keys.LLMHeaders {
		if _, _, err := parseHeader(h.Reveal()); err != nil {
			return "llm.headers", err
		}
	}

	if u, err := url.Parse(c.LLM.Proxy); err != nil || c.LLM.Proxy != "" && (u.Host == "" || u.User != nil) {
		return "llm.proxy", errors.New("must be an address such as http://proxy.example.org:3128, without a password")
	}

	if (c.LLM.CertFile == "") != (c.LLM.KeyFile == "") {
		return "llm.cert_file", errors.New("needs llm.key_file, and the other way round")
	}

	if _, err := c.LLM.TLS(); err != nil {
		fault, _ := errors.AsType[*fileError](err) // which all of its errors are
		return fault.key, err
	}
	return "", nil
}

// exposes reports whether something secret would go to another machine in the clear.
func (c *Config) exposes(baseURL string) bool {
	if c.LLM.AllowHTTP || !inTheClear(baseURL) {
		return false
	}
	return c.ModelKey(baseURL) != "" || slices.ContainsFunc(c.LLM.Headers, func(h string) bool {
		return reference().MatchString(h)
	})
}

// inTheClear reports whether what is sent to an address can be read on its way to another machine.
func inTheClear(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http" && !isLoopback(u.Hostname())
}

// InTheClear lists the settings that have questions, though no key, go over plain http to another machine, each with
// the host.
func (c *Config) InTheClear() []string {
	var out []string
	for _, a := range c.addresses() {
		if inTheClear(a.URL) {
			out = append(out, a.Key+" ("+hostOf(a.URL)+")")
		}
	}
	return out
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return "another machine"
}

// fileError is a fault of a file that a setting names.
type fileError struct {
	key string
	err error
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// readPEM reads a file of certificates or keys; a system's whole bundle has some 0.3 MB.
func readPEM(path string) ([]byte, error) {
	const most = 4 << 20

	data, err := files.Read(path, most)
	if err == nil && len(data) > most {
		err = fmt.Errorf("%s has more than %d bytes; name a file of certificates in PEM", path, most)
	}
	return data, err
}

// TLS is how an endpoint's certificate is checked, and which one of our own is shown. It reads the files that the
// settings name.
func (l *LLM) TLS() (*tls.Config, error) {
	out := &tls.Config{MinVersion: tls.VersionTLS12}
	if l.CAFile != "" {
		pem, err := readPEM(l.CAFile)
		if err != nil {
			return nil, &fileError{"llm.ca_file", err}
		}

		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}

		if !roots.AppendCertsFromPEM(pem) {
			return nil, &fileError{"llm.ca_file", fmt.Errorf("%s holds no certificate in PEM", l.CAFile)}
		}
		out.RootCAs = roots
	}

	if l.CertFile != "" {
		certificate, err := readPEM(l.CertFile)
		if err != nil {
			return nil, &fileError{"llm.cert_file", err}
		}

		key, err := readPEM(l.KeyFile)
		if err != nil {
			return nil, &fileError{"llm.key_file", err}
		}

		own, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, &fileError{"llm.cert_file", fmt.Errorf("%s with %s: %w", l.CertFile, l.KeyFile, err)}
		}
		out.Certificates = []tls.Certificate{own}
	}
	return out, nil
}

// reference is a value of the environment within a header.
var reference = text.LazyRegexp(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// headerVariables are the variables of the environment that headers are filled from, each once and in order.
func (l *LLM) headerVariables() []string {
	var names []string
	for _, h := range l.Headers {
		for _, m := range reference().FindAllStringSubmatch(h, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ownHeaders are set by the client itself, or are keys.
var ownHeaders = []string{"Authorization", "Api-Key", "Content-Type", "Content-Length", "Host", "User-Agent",
	"Transfer-Encoding"}

// parseHeader takes "Name: value" apart.
func parseHeader(line string) (name, value string, err error) {
	name, value, found := strings.Cut(line, ":")

	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case !found || name == "" || value == "" || strings.ContainsAny(name, " \t") || strings.ContainsAny(line, "\r\n\x00"):
		return "", "", errors.New(`has a line that is no header; write "Name: value"`)
	case slices.Contains(ownHeaders, name):
		return "", "", fmt.Errorf("%s is set by Dossier itself; keys come from DOSSIER_LLM_API_KEY", name)
	}
	return name, value, nil
}

// ModelHeaders are the headers of llm.headers, with the environment's values; secret are the values that have one.
func (c *Config) ModelHeaders() (headers http.Header, secret []string) {
	headers = http.Header{}
	for i, line := range c.Keys.LLMHeaders {
		name, value, err := parseHeader(line.Reveal())
		if err != nil {
			continue // validateLLM has said so
		}
		headers.Add(name, value)

		if reference().MatchString(c.LLM.Headers[i]) {
			secret = append(secret, value)
		}
	}
	return headers, secret
}

// fillHeaders replaces ${NAME} by the environment's value, so that no secret stands in the file.
func fillHeaders(lines, environ []string) ([]Secret, error) {
	var out []Secret
	for _, line := range lines {
		missing := ""
		filled := reference().ReplaceAllStringFunc(line, func(match string) string {
			name := reference().FindStringSubmatch(match)[1]

			value := valueOf(environ, name)
			if value == "" {
				missing = name
			}
			return value
		})

		if missing != "" {
			return nil, fmt.Errorf("needs the environment variable %s, which is not set", missing)
		}
		out = append(out, Secret(filled))
	}
	return out, nil
}
