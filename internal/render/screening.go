package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// screeningHeader are the columns that Rayyan reads and writes.
var screeningHeader = []string{
	"key", "title", "year", "month", "day", "journal", "issn", "volume", "issue", "pages", "authors", "url", "language",
	"publisher", "location", "abstract", "notes", "doi", "keywords", "pubmed_id", "pmc_id",
}

// ScreeningCSV writes records for a screening tool, one a row, with what note says of each: readers' decisions.
func ScreeningCSV(w io.Writer, items []evidence.Item, note func(id string) string) error {
	out := csv.NewWriter(w)
	rows := [][]string{screeningHeader}
	for _, it := range items {
		r := it.Record
		v := NewRecord(it)
		title := retractedLead(r) + TitleOf(r)
		var year, month, day string
		for i, part := range strings.Split(string(r.Date), "-") {
			*[]*string{&year, &month, &day}[min(i, 2)] = part
		}
		var authors []string
		for _, a := range r.Authors {
			if name := strings.TrimSuffix(a.Family+", "+a.Given, ", "); a.Collective == "" {
				authors = append(authors, name)
			} else {
				authors = append(authors, a.Collective)
			}
		}
		cells := []string{
			v.ID, title, year, month, day, v.Journal, strings.Join(r.Journal.ISSN, "; "), v.Volume, v.Issue, v.Pages,
			strings.Join(authors, " and "), v.URL, strings.Join(v.Languages, "; "), r.Journal.Publisher,
			r.Journal.Country, v.Abstract,
			note(v.ID), v.Identifiers[string(evidence.DOI)], strings.Join(v.Keywords, "; "),
			v.Identifiers[string(evidence.PMID)],
			v.Identifiers[string(evidence.PMCID)],
		}
		rows = append(rows, plaintext.Each(cells, Cell))
	}
	return out.WriteAll(rows)
}

// ScreeningNote tells readers' decisions as Rayyan does in its notes: RAYYAN-INCLUSION: {"Ada"=>"Included"}. It takes
// pairs of a name and a decision, and is empty where there are none.
func ScreeningNote(decided ...[2]string) string {
	plain := strings.NewReplacer(`"`, "'", "{", "(", "}", ")", "|", "/", "=>", "→")
	if len(decided) == 0 {
		return ""
	}
	parts := plaintext.Each(decided, func(d [2]string) string {
		return fmt.Sprintf(`"%s"=>"%s"`, plain.Replace(plaintext.Line(d[0])), plain.Replace(d[1]))
	})
	return "RAYYAN-INCLUSION: {" + strings.Join(parts, ", ") + "}"
}
