package evidence

import (
	"net/url"
	"slices"
	"strings"

	"dossier/internal/text"
)

var (
	// What stands before a DOI in the path of a publisher's page: the page's kind, or how the paper is shown there. A
	// book's page is left out: its DOI is not the chapter's.
	beforeDOI = text.Set(`doi full abs abstract pdf epdf pdfplus pdfdirect epub suppl figure ref citedby content contents
		article articles chapter chapters reader html fulltext`)
	// What stands behind it.
	viewOfDOI = text.Set(`full abstract pdf epdf epub html fulltext full-text meta references citations tables figures
		summary metrics pdfdirect`)
	registrant = text.LazyRegexp(`^10\.\d{4,9}(?:\.\d+)*$`)
	fileOfDOI  = text.LazyRegexp(`(?i)(?:\.(?:full|abstract))?(?:\.(?:pdf|html?|full|abstract|full-text))$`)
	// versionOfDOI is what preprint servers put behind theirs.
	versionOfDOI = text.LazyRegexp(`(?i)v\d{1,2}(?:\.(?:full|full-text|abstract|supplementary-material))?$`)
)

// DOIInAddress reads the DOI that stands in the address of a publisher's page, such as ".../doi/full/10.1000/x". Unlike
// IdentifiersInURL it trusts no site to mean the paper itself: who has the paper's DOI from elsewhere keeps to that.
func DOIInAddress(raw string) (Identifier, bool) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || !isURL(strings.TrimSpace(raw)) || len(raw) > maxIdentifierLength {
		return Identifier{}, false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")

	at := slices.IndexFunc(parts, registrant().MatchString)
	if at < 1 || !beforeDOI(strings.ToLower(parts[at-1])) {
		return newBare(DOI, u.Query().Get("doi"))
	}

	parts = parts[at:]
	if files := slices.Index(parts, "suppl_file"); files > 0 {
		parts = parts[:files]
	}

	last := len(parts) - 1
	for last > 1 && viewOfDOI(strings.ToLower(fileOfDOI().ReplaceAllString(parts[last], ""))) {
		last--
	}

	doi := fileOfDOI().ReplaceAllString(strings.Join(parts[:last+1], "/"), "")
	if host := u.Hostname(); strings.HasSuffix(host, "biorxiv.org") || strings.HasSuffix(host, "medrxiv.org") {
		doi = versionOfDOI().ReplaceAllString(doi, "")
	}
	return newBare(DOI, doi)
}
