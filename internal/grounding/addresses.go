package grounding

import (
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
)

// takeAddresses cuts addresses of records out of the text and keeps them as citations. It notes an address that belongs
// to no record: of a page, a mailbox or a telephone. The register's own name, ClinicalTrials.gov, is an address only
// with a path behind it.
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
	// People read full-width letters as what they look like.
	plain := norm.NFKC.String(c.text)

	disguised := plain != c.text && forms("web").MatchString(plain)
	if c.address == "" && (disguised || forms("mail").MatchString(plain) || forms("phone").MatchString(plain)) {
		c.address = plain
	}
}
