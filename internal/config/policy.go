package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/files"
	"dossier/internal/strictyaml"
)

// Policy is what a machine's administrator has decided. It wins over flags, environment and configuration files;
// what it leaves out is the user's. The yaml tags are the documented keys.
type Policy struct {
	Offline      bool          `yaml:"offline"` // true: nobody is asked, whatever the user says
	Sources      PolicySources `yaml:"sources"`
	LLM          PolicyLLM     `yaml:"llm"`
	AllowedHosts []string      `yaml:"allowed_hosts"` // that may be asked, as host or host:port, proxies too; nil: any
	Privacy      Privacy       `yaml:"privacy"`       // the least strictness
	Audit        Audit         `yaml:"audit"`
	Data         string        `yaml:"data"`

	File string `yaml:"-"`
}

// PolicySources is what a policy says of the services.
type PolicySources struct {
	Offline bool `yaml:"offline"`
}

// PolicyLLM is what a policy says of models.
type PolicyLLM struct {
	Offline  bool     `yaml:"offline"`
	BaseURLs []string `yaml:"base_urls"` // endpoints that may be configured; nil: any
}

// readPolicy reads a policy's file; nil where there is none. A file that somebody else than owner could have
// written is an error, as is one that can't be read: nothing may go out because a policy could not be had.
func readPolicy(path string, owner int) (*Policy, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // no policy is no failure
	}

	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // as above
	}

	if err != nil {
		return nil, fmt.Errorf("reading the policy of this machine: %w", err)
	}
	defer f.Close()

	info, err := f.Stat()
	if err == nil {
		err = trustworthy(info, path, owner)
	}

	if err == nil {
		folder := filepath.Dir(path)
		if info, err = os.Stat(folder); err == nil {
			err = trustworthy(info, folder, owner)
		}
	}

	if err != nil {
		return nil, fmt.Errorf("reading the policy of this machine: %w", err)
	}

	data, err := io.ReadAll(io.LimitReader(f, strictyaml.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading the policy of this machine %s: %w", path, err)
	}
	p := &Policy{}

	doc, err := strictyaml.Decode(path, data, p)
	if err != nil {
		return nil, err
	}

	p.File = path
	if key, err := p.validate(); err != nil {
		return nil, doc.Errorf(key, "%v", err)
	}
	return p, nil
}

// trustworthy is an error where somebody else than owner may write a file or a folder.
func trustworthy(info fs.FileInfo, path string, owner int) error {
	uid, known := files.Owner(info)
	switch {
	case !known:
		return fmt.Errorf("this system does not say whom %s belongs to, so no policy can be trusted here; remove it", path)
	case uid != owner:
		return fmt.Errorf("%s belongs to user %d, and must belong to user %d, or anybody could have written it; `chown` it",
			path, uid, owner)
	case info.Mode().Perm()&files.WritableByOthers != 0:
		return fmt.Errorf("%s may be written by others than its owner (mode %04o); `chmod go-w` it", path, info.Mode().Perm())
	}
	return nil
}

// validate checks what types alone do not. The returned key is the one at fault.
func (p *Policy) validate() (key string, err error) {
	for _, path := range []struct{ key, value string }{{"data", p.Data}, {"audit.file", p.Audit.File}} {
		if path.value != "" && !filepath.IsAbs(path.value) {
			return path.key, errors.New("must be a whole path, from / on: else it depends on where a program is started")
		}
	}

	for i, host := range p.AllowedHosts {
		if u, err := url.Parse("https://" + host); err != nil || u.Host != host || u.Hostname() == "" {
			return fmt.Sprintf("allowed_hosts[%d]", i),
				errors.New("must be a host such as eutils.ncbi.nlm.nih.gov, or a host with its port")
		}
	}

	for i, address := range p.LLM.BaseURLs {
		if !isAddress(address) {
			return fmt.Sprintf("llm.base_urls[%d]", i), errNoAddress
		}
	}
	words := Privacy{
		PatientIdentifiers: cmp.Or(p.Privacy.PatientIdentifiers, patientIdentifiers[0]),
		ModelQuestion:      cmp.Or(p.Privacy.ModelQuestion, WholeQuestion),
		UnknownWords:       cmp.Or(p.Privacy.UnknownWords, SendUnknown),
	}
	return words.validate()
}

// apply has the policy win over a configuration. The notes are for the user: what of theirs does not count.
func (p *Policy) apply(c *Config) (notes []string) {
	over := func(key, instead string) {
		if by, set := c.Origins[key]; set {
			notes = append(notes, fmt.Sprintf("%s wins over %s: %s is %s", p.File, by, key, instead))
		}
		c.Origins[key] = Origin{From: FromPolicy, Name: p.File}
	}
	for _, b := range []struct {
		key  string
		says bool
		of   *bool
	}{
		{"offline", p.Offline, &c.Offline}, {"sources.offline", p.Sources.Offline, &c.Sources.Offline},
		{"llm.offline", p.LLM.Offline, &c.LLM.Offline},
	} {
		if b.says && !*b.of {
			over(b.key, "true")
			*b.of = true
		}
	}

	for _, s := range []struct {
		key, says string
		of        *string
	}{{"data", p.Data, &c.Data}, {"audit.file", p.Audit.File, &c.Audit.File}} {
		if s.says != "" && *s.of != s.says {
			over(s.key, s.says)
			*s.of = s.says
		}
	}

	for _, w := range []struct {
		key, says string
		of        *string
		strictest []string
	}{
		{"privacy.patient_identifiers", p.Privacy.PatientIdentifiers, &c.Privacy.PatientIdentifiers, patientIdentifiers},
		{"privacy.model_question", p.Privacy.ModelQuestion, &c.Privacy.ModelQuestion, modelQuestions},
		{"privacy.unknown_words", p.Privacy.UnknownWords, &c.Privacy.UnknownWords, unknownWords},
	} {
		if at := slices.Index(w.strictest, w.says); at >= 0 && slices.Index(w.strictest, *w.of) > at {
			over(w.key, w.says)
			*w.of = w.says
		}
	}
	return notes
}

// forbids finds a model's endpoint that the policy does not have. The key is its setting's.
func (p *Policy) forbids(c *Config) (key string, err error) {
	if p.LLM.BaseURLs == nil || !c.AsksModel() {
		return "", nil
	}

	for _, r := range c.LLM.Roles() {
		key := "llm." + r.Name + ".base_url"
		if r.Own.BaseURL == "" {
			key = "llm.base_url"
		}
		address := c.LLM.As(r.Own).BaseURL

		same := func(allowed string) bool { return strings.TrimRight(allowed, "/") == strings.TrimRight(address, "/") }
		if c.Uses(r.Own) && !slices.ContainsFunc(p.LLM.BaseURLs, same) {
			return key, fmt.Errorf("%s does not allow a model at %s; allowed: %s", p.File, hostOf(address),
				listed(p.LLM.BaseURLs))
		}
	}
	return "", nil
}

// String says in a line what the policy holds users to.
func (p *Policy) String() string {
	var parts []string
	add := func(is bool, text string) {
		if is {
			parts = append(parts, text)
		}
	}
	add(p.Offline, "offline")
	add(p.Sources.Offline, "no services")
	add(p.LLM.Offline, "no model")
	add(p.AllowedHosts != nil, "hosts: "+listed(p.AllowedHosts))
	add(p.LLM.BaseURLs != nil, "models: "+listed(p.LLM.BaseURLs))
	add(p.Privacy.PatientIdentifiers != "", "patient_identifiers: "+p.Privacy.PatientIdentifiers)
	add(p.Privacy.ModelQuestion != "", "model_question: "+p.Privacy.ModelQuestion)
	add(p.Privacy.UnknownWords != "", "unknown_words: "+p.Privacy.UnknownWords)
	add(p.Audit.File != "", "audit: "+p.Audit.File)
	add(p.Data != "", "data: "+p.Data)
	return strings.Join(parts, "; ")
}

func listed(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, ", ")
}
