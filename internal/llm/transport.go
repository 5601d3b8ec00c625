package llm

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	authorization = "Authorization"
	azureKey      = "Api-Key"
)

// keyHeaderOf is the header that an endpoint takes its key in. Azure's, of both kinds, have one of their own; go-openai's type for
// them rewrites addresses by its own list of deployments, which nobody here keeps.
func keyHeaderOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return authorization
	}
	for _, domain := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if strings.HasSuffix(strings.ToLower(u.Hostname()), domain) {
			return azureKey
		}
	}
	return authorization
}

// newTransport keeps as many connections open as there are calls at once.
func newTransport(opt Options) *http.Transport {
	certificates := opt.TLS
	if certificates == nil {
		certificates = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return &http.Transport{
		Proxy:                  opt.Hosts.Proxy(opt.Proxy),
		TLSClientConfig:        certificates,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    opt.Concurrency,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}
