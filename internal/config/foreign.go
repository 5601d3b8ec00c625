package config

import (
	"errors"
	"fmt"
	"strings"

	"dossier/internal/files"
	"dossier/internal/strictyaml"
)

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
	for _, s := range c.Sources.services() {
		add(s.key, c.Keys.Services[s.Name] != "" && *s.url != s.Address, s.Key)
	}
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

// readFolderFile reads the config.yaml of the working directory, which nobody named: whoever is led into a folder
// brings their questions and keys along, and each setting could send them anywhere. So nothing is read of one that
// somebody else than user and root could have put there.
func readFolderFile(user int) ([]byte, error) {
	data, err := files.ReadHeld(folderFile, user, strictyaml.MaxSize)
	var foreign *files.ForeignError

	var other *files.OtherError
	if errors.As(err, &foreign) || errors.As(err, &other) {
		return nil, fmt.Errorf("%s of this folder is not obeyed: %w; where it is meant, name it with --config %s", folderFile,
			err, folderFile)
	}
	return data, err
}
