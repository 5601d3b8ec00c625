package config

import (
	"fmt"
	"strings"
)

// OpenSearchKeys let a program into a cluster: a user with a password, or a token.
type OpenSearchKeys struct {
	User     Secret // DOSSIER_OPENSEARCH_USER
	Password Secret // DOSSIER_OPENSEARCH_PASSWORD
	Token    Secret // DOSSIER_OPENSEARCH_TOKEN
}

const (
	openSearchUser     = "DOSSIER_OPENSEARCH_USER"
	openSearchPassword = "DOSSIER_OPENSEARCH_PASSWORD"
	openSearchToken    = "DOSSIER_OPENSEARCH_TOKEN"
)

// variables lists those that are set.
func (k OpenSearchKeys) variables() (set []string) {
	for _, key := range []NamedKey{
		{openSearchUser, k.User}, {openSearchPassword, k.Password}, {openSearchToken, k.Token},
	} {
		if key.Key != "" {
			set = append(set, key.Variable)
		}
	}
	return set
}

// The engines that keep a store.
const (
	EngineLocal      = "local"
	EngineOpenSearch = "opensearch"
)

// validateEngine checks the engine and the addresses of a cluster, where there are any. The key is the one at fault.
func (c *Config) validateEngine() (key string, err error) {
	switch c.Store.Engine {
	case EngineLocal:
	case EngineOpenSearch:
		if c.Store.URL == "" {
			return "store.url", fmt.Errorf("is empty, and store.engine is %s; name the cluster's address", EngineOpenSearch)
		}
	default:
		return "store.engine", fmt.Errorf("%q is none of its values; write %s or %s", c.Store.Engine, EngineLocal,
			EngineOpenSearch)
	}

	if c.Store.URL == "" {
		return "", nil
	}

	for address := range strings.SplitSeq(c.Store.URL, ",") {
		address = strings.TrimSpace(address)
		if !isAddress(address) {
			return "store.url", errNoAddress
		}

		if set := c.Keys.OpenSearch.variables(); len(set) > 0 && inTheClear(address) {
			return "store.url", fmt.Errorf("would send a password over plain http to %s, where others can read it; use "+
				"https, or unset %s", hostOf(address), strings.Join(set, ", "))
		}
	}
	return "", nil
}
