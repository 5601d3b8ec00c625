package config

import (
	"strings"
	"testing"
)

func TestTheAddressOfACluster(t *testing.T) {
	const password = "DOSSIER_OPENSEARCH_PASSWORD=s3cret"
	for _, tc := range []struct {
		name, url, environ string
		want               string // what is said; empty: it is taken
	}{
		{"none", "", "", ""},
		{"one node", "https://search.example:9200", "", ""},
		{"several", "https://a.example:9200, https://b.example:9200", password, ""},
		{"without TLS and without a password", "http://search.example:9200", "", ""},
		{"a password to this machine", "http://127.0.0.1:9200", password, ""},
		{"a password in the clear", "https://a.example:9200,http://b.example:9200", password, "DOSSIER_OPENSEARCH_PASSWORD"},
		{"a token in the clear", "http://b.example:9200", "DOSSIER_OPENSEARCH_TOKEN=s3cret", "DOSSIER_OPENSEARCH_TOKEN"},
		{"a password in the address", "https://user:s3cret@search.example", "", "holds no password"},
		{"no address", "search.example", "", "must be an address"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, err := Load(Options{Path: inFile(t, `store: {url: "`+tc.url+`"}`), Environ: []string{tc.environ}})
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v; want %q", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("it shows the secret: %v", err)
			}
			if tc.environ == password && err == nil && cfg.Keys.OpenSearch.Password.Reveal() != "s3cret" {
				t.Error("the password was not read")
			}
		})
	}
}
