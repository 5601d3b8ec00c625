package grounding

import (
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
)

// takeAddresses cuts out the addresses of records that the text holds, as the citations that they are, and notes one
// that is no record's: of a page, a mailbox or a telephone. The register's own name, ClinicalTrials.gov, is no
// address where no path follows.
func (c *cited) takeAddresses() {
	cut := func(match string) string {
		address := strings.TrimRight(match, ".,;:)")
		if strings.EqualFold(address, "clinicaltrials.gov") {
			return match
		}

		full := address
		if !strings.Contains(full, "://") {
			full = "https://" + full
		}
		ids := evidence.IdentifiersInURL(full)

		u, err := url.Parse(full)
		if err != nil || u.User != nil || u.Port() != "" || u.Scheme != "https" && u.Scheme != "http" {
			ids = nil
		}

		if len(ids) == 0 {
			c.address = address
		}
		c.ids = append(c.ids, ids...)
		return match[len(address):]
	}
	c.text = forms("web").ReplaceAllStringFunc(c.text, cut)
	c.text = forms("country").ReplaceAllStringFunc(c.text, cut)
	// What is written in full-width letters is read by people as what it looks like.
	plain := norm.NFKC.String(c.text)

	disguised := plain != c.text && forms("web").MatchString(plain)
	if c.address == "" && (disguised || forms("mail").MatchString(plain) || forms("phone").MatchString(plain)) {
		c.address = plain
	}
}
