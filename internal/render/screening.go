package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// screeningHeader are the columns that Rayyan reads and writes.
var screeningHeader = []string{
	"key", "title", "year", "month", "day", "journal", "issn", "volume", "issue", "pages", "authors", "url", "language",
	"publisher", "location", "abstract", "notes", "doi", "keywords", "pubmed_id", "pmc_id",
}

// ScreeningCSV writes records for a screening tool, one a row, with the note on each: readers' decisions.
func ScreeningCSV(w io.Writer, items []evidence.Item, note func(evidence.Item) string) error {
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
			note(it), v.Identifiers[string(evidence.DOI)], strings.Join(v.Keywords, "; "),
			v.Identifiers[string(evidence.PMID)],
			v.Identifiers[string(evidence.PMCID)],
		}
		rows = append(rows, plaintext.Each(cells, Cell))
	}
	return out.WriteAll(rows)
}

// ScreeningNote writes readers' decisions as Rayyan does in its notes: RAYYAN-INCLUSION: {"Ada"=>"Excluded"} |
// RAYYAN-EXCLUSION-REASONS: wrong population | RAYYAN-LABELS: presented | USER-NOTES: {"Ada"=>["in mice"]}. It is empty
// if nothing counts yet.
func ScreeningNote(r *evidence.Reading) string {
	if r == nil {
		return ""
	}
	plain := strings.NewReplacer(`"`, "'", "{", "(", "}", ")", "[", "(", "]", ")", "|", "/", "=>", "→")
	clean := func(s string) string { return plain.Replace(plaintext.Line(s)) }
	words := map[string]string{"keep": "Included", "exclude": "Excluded"}

	var decided, reasons, notes, labels []string
	for _, d := range r.Decisions {
		decided = append(decided, fmt.Sprintf(`"%s"=>"%s"`, clean(d.Reader), words[d.Decision]))
		if d.Reason != "" && !slices.Contains(reasons, clean(d.Reason)) {
			reasons = append(reasons, clean(d.Reason))
		}

		if d.Note != "" {
			notes = append(notes, fmt.Sprintf(`"%s"=>["%s"]`, clean(d.Reader), clean(d.Note)))
		}
	}

	if len(r.Presented) > 0 {
		labels = append(labels, "presented")
	}

	if len(r.Recommended) > 0 {
		labels = append(labels, "recommended")
	}

	if r.Settled != nil {
		labels = append(labels, "settled: "+words[r.Settled.Decision])
	}
	var parts []string
	add := func(before string, of []string, separator, after string) {
		if len(of) > 0 {
			parts = append(parts, before+strings.Join(of, separator)+after)
		}
	}
	add("RAYYAN-INCLUSION: {", decided, ", ", "}")
	add("RAYYAN-EXCLUSION-REASONS: ", reasons, ",", "")
	add("RAYYAN-LABELS: ", labels, ",", "")
	add("USER-NOTES: {", notes, ", ", "}")
	return strings.Join(parts, " | ")
}
