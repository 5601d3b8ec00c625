package cite

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// isPubMedCSV reports whether the first line of a table has the columns of PubMed's.
func isPubMedCSV(first string) bool {
	names := map[string]bool{}
	for name := range strings.SplitSeq(first, ",") {
		names[columnName(name)] = true
	}
	return names["pmid"] && names["title"] && names["authors"] && names["citation"]
}

// pubmedRow reads a row of PubMed's table, which has no abstracts.
func pubmedRow(d *draft, cell func(column string) string) {
	d.setID(cell("pmid"))
	d.addIdentifier(evidence.PMID, "PMID", cell("pmid"))
	d.addIdentifier(evidence.PMCID, "PMCID", cell("pmcid"))
	d.addIdentifier(evidence.DOI, "DOI", cell("doi"))
	d.Title = plain(cell("title"), maxTitle)
	// Names in it have no commas.
	for name := range strings.SplitSeq(strings.TrimSuffix(oneLine(cell("authors"), maxText), "."), ",") {
		d.addAuthors(name)
	}
	d.Journal.Title = plain(cell("journal/book"), maxTitle)
	d.pubmedCitation(cell("citation"))

	if year := parseDate(cell("publication year")); year != "" && d.Date.Year() != year.Year() {
		d.Date = year
	}
}

var pubmedCited = text.LazyRegexp(
	`\. (\d{4}(?: [A-Z][a-z]{2}(?: \d{1,2})?)?(?:-[A-Za-z0-9 ]+)?);([^;:()]*)(?:\(([^;:()]*)\))?(?::(\S*))?`)

// pubmedCitation reads "J Things. 2025 Mar 14;13(3):117-26. doi: 10.5555/abc.1." as far as it has this form: the
// date, volume, issue and pages.
func (d *draft) pubmedCitation(value string) {
	m := pubmedCited().FindStringSubmatch(oneLine(value, maxTitle))
	if m == nil {
		return
	}
	d.Date = parseDate(m[1])
	d.Journal.Volume, d.Journal.Issue = oneLine(m[2], maxWord), oneLine(m[3], maxWord)
	d.Journal.Pages = onePage(strings.TrimSuffix(m[4], "."))
}
