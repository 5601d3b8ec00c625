package grounding

import (
	"net/url"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

var (
	// A scheme, a host without one, or a host with a path. Hosts end in a domain that is known, or have a path behind
	// them: "alone.In" and "i.v." are none.
	webRE = lazy.Regexp(`(?i)\b(?:[a-z][a-z0-9+.-]{1,20}://|hxxps?:|www\d?\.|(?:mailto|tel|javascript|data|ftp|` +
		`file):)[^\s<>"'\]]+|` +
		`\b(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.)+(?:com|org|net|gov|edu|info|biz|mil|int|io|ai|app|dev|eu|` +
		`health|care|clinic|doctor|pharmacy|hospital|med|shop|online|site|xyz|top|link|page|example|test|` +
		`invalid|local)\b(?::\d+)?(?:[/?#][^\s<>"'\]]*)?|` +
		`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/)[^\s<>"'\]]*`)
	// Two letters end a host only in small letters or capitals throughout, and of those only the countries whose
	// letters are no word of the languages that papers are written in; any of them with a path.
	countryRE = lazy.Regexp(`\b(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])\.)+(?:de|fr|es|it|pt|cn|uk|ch|nl|be|jp|us|` +
		`ca|au|br|ru|pl|se|dk|fi|ie|gr|cz|hu|kr|nz|za|mx|ar|cl|co|me|tv|cc|ly|gl|to|in|no|at|is|tr|il|tw|hk|` +
		`sg)(?:/[^\s<>"'\]]*)|` +
		`\b(?:[a-z0-9][a-z0-9-]{1,62}[a-z0-9]\.)+(?:de|fr|es|pt|cn|uk|ch|nl|jp|ru|pl|dk|cz|kr|nz|br|tv|ly)\b`)
	// Mail addresses, also those whose signs are spelled to pass by a filter.
	mailRE = lazy.Regexp(`(?i)[\p{L}\p{N}._%+-]+\s?(?:@|[\[({]\s?at\s?[\])}])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|` +
		`[\[({]\s?dot\s?[\])}])\s?[\p{L}\p{N}-]+)+|[\p{L}\p{N}-]+\s?[\[({]\s?(?:\.|dot)\s?[\])}]\s?[a-z]{2,}`)
	// Telephone numbers: with the sign of a country, or behind a word for them.
	phoneRE = lazy.Regexp(`(?i)(?:^|[\s(])\+\d{1,3}[\s./-]?\(?\d{1,5}\)?(?:[\s./-]?\d{2,5}){2,5}\b|\b(?:tel|` +
		`telephone|telefon|téléphone|teléfono|telefono|telefone|phone|fax|hotline|helpline|whatsapp|call|text|` +
		`dial)\b[^\d\n]{0,20}\(?\+?\d[\d\s()./-]{5,}\d|电话[^\d]{0,6}\d[\d-]{5,}`)
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
	c.text = webRE().ReplaceAllStringFunc(c.text, cut)
	c.text = countryRE().ReplaceAllStringFunc(c.text, cut)
	// What is written in full-width letters is read by people as what it looks like.
	plain := norm.NFKC.String(c.text)
	disguised := plain != c.text && webRE().MatchString(plain)
	if c.address == "" && (disguised || mailRE().MatchString(plain) || phoneRE().MatchString(plain)) {
		c.address = plain
	}
}
