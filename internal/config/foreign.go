package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// worldWritable is the mode with which anybody may write.
const worldWritable = 0o002

// keysDecided lists the settings of a file that decide where a key of the environment goes, each with the
// variables whose keys those are. A setting that environment or flags replace decides nothing.
func (c *Config) keysDecided(has func(key string) bool) (decided []string) {
	model := []string{}
	if c.Keys.LLM != "" {
		model = append(model, "DOSSIER_LLM_API_KEY")
	}
	if c.Keys.OpenRouter != "" {
		model = append(model, "OPENROUTER_API_KEY")
	}
	standard := Default()
	add := func(key string, changed bool, variables ...string) {
		if changed && len(variables) > 0 && has(key) {
			decided = append(decided, fmt.Sprintf("%s (%s)", key, strings.Join(variables, ", ")))
		}
	}
	own, usual := c.Sources, standard.Sources
	add("sources.pubmed.base_url", c.Keys.NCBI != "" && own.PubMed.BaseURL != usual.PubMed.BaseURL, "NCBI_API_KEY")
	add("sources.openalex.base_url", c.Keys.OpenAlex != "" && own.OpenAlex.BaseURL != usual.OpenAlex.BaseURL,
		"OPENALEX_API_KEY")
	add("llm.base_url", c.LLM.BaseURL != standard.LLM.BaseURL, model...)
	for _, r := range c.LLM.Roles() {
		add("llm."+r.Name+".base_url", r.Own.BaseURL != "", model...)
	}
	cluster := c.Keys.OpenSearch.variables()
	add("store.url", c.Store.URL != "", cluster...)
	add("store.ca_file", c.Store.CAFile != "", cluster...)
	add("llm.proxy", c.LLM.Proxy != "", model...)
	add("llm.ca_file", c.LLM.CAFile != "", model...)
	add("llm.allow_http", c.LLM.AllowHTTP, model...)
	add("llm.headers", true, c.LLM.headerVariables()...)
	return decided
}

// programsNamed lists the settings of a file that name a program which is run, or whom runs are told to.
func (c *Config) programsNamed(has func(key string) bool) (named []string) {
	hooks := []string{"hooks.command", "hooks.webhook", "hooks.mail.to", "hooks.mail.smtp", "hooks.mail.sendmail"}
	for _, setting := range c.Settings() {
		if setting.Changed && has(setting.Key) && slices.Contains(hooks, setting.Key) {
			named = append(named, setting.Key)
		}
	}
	return named
}

// heldToOwner tells of a config.yaml that lies in the working directory and decides where keys go, or what is run:
// whoever is led into a folder brings their own keys along. One that is somebody else's, or that anybody may write, is
// an error; root is nobody else. Does says in words what the file decides.
func heldToOwner(path, does string, decided []string, user int) (note string, err error) {
	if len(decided) == 0 {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("reading the configuration: %w", err)
	}
	what := strings.Join(decided, ", ")
	owner, known := ownerOf(info)
	switch remedy := fmt.Sprintf("read it, and name it with --config %s if that is meant, or unset the variable", path); {
	case known && owner != user && owner != 0:
		return "", fmt.Errorf("%s of this folder belongs to user %d and not to you, and %s: %s; %s",
			path, owner, does, what, remedy)
	case known && info.Mode().Perm()&worldWritable != 0: // where nobody owns files, as on Windows, modes say nothing
		return "", fmt.Errorf("%s of this folder may be written by anybody, and %s: %s; %s",
			path, does, what, remedy)
	}
	return fmt.Sprintf("%s of this folder decides where keys go: %s", path, what), nil
}
