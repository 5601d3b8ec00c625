package cite

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// isPubMedCSV says whether the first line of a table has the columns of PubMed's.
func isPubMedCSV(first string) bool {
	names := map[string]bool{}
	for name := range strings.SplitSeq(strings.TrimLeft(first, "\ufeff"), ",") {
		names[columnName(name)] = true
	}
	return names["pmid"] && names["title"] && names["authors"] && names["citation"]
}

func columnName(cell string) string {
	return strings.ToLower(strings.Trim(strings.TrimSpace(cell), `"`))
}

// readPubMedCSV reads PubMed's table, a record a row, which has no abstracts. A row that is none is a problem, and
// the next one follows.
func readPubMedCSV(text *bufio.Reader, out *receiver) error {
	in := &countedReader{r: text, left: maxJSON}
	table := csv.NewReader(in)
	table.FieldsPerRecord = -1
	var at map[string]int
	cells := 0
	for {
		in.left = maxJSON
		row, err := table.Read()
		line := 1
		if len(row) > 0 {
			line, _ = table.FieldPos(0)
		}
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case in.err != nil:
			return in.err
		case errors.Is(err, errTooLong):
			return out.problem(line, "", fmt.Sprintf("the row is longer than %d bytes; nothing behind it was read", maxJSON))
		case errors.As(err, &broken):
			if err := out.problem(broken.StartLine, "", "the row can't be read: "+broken.Err.Error()); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		if at == nil {
			if strings.Contains(strings.Join(row, ""), "\r") {
				const remedy = "save it with other line ends, and import it again"
				return out.problem(1, "", "its lines end with a carriage return alone; "+remedy)
			}
			at, cells = map[string]int{}, len(row)
			for i, name := range row {
				at[columnName(strings.TrimPrefix(name, "\ufeff"))] = i
			}
			continue
		}
		if len(row) != cells { // its columns are shifted: a title may be in the place of a DOI
			err = out.problem(line, "", fmt.Sprintf("the row has %d cells and the header %d", len(row), cells))
		} else {
			err = out.pubmedRow(row, at, line)
		}
		if err != nil {
			return err
		}
	}
}

// pubmedRow hands on a row.
func (x *receiver) pubmedRow(row []string, at map[string]int, line int) error {
	cell := func(name string) string {
		if i, ok := at[name]; ok && i < len(row) {
			return row[i]
		}
		return ""
	}
	d := newDraft(line)
	d.setID(cell("pmid"))
	d.promised(evidence.PMID, "PMID", cell("pmid"))
	d.promised(evidence.PMCID, "PMCID", cell("pmcid"))
	d.promised(evidence.DOI, "DOI", cell("doi"))
	d.Title = plain(cell("title"), maxTitle)
	// Names in it have no commas.
	for name := range strings.SplitSeq(strings.TrimSuffix(oneLine(cell("authors"), maxText), "."), ",") {
		d.authors(name)
	}
	d.Journal.Title = plain(cell("journal/book"), maxTitle)
	d.pubmedCitation(cell("citation"))
	if year := parseDate(cell("publication year")); year != "" && d.Date.Year() != year.Year() {
		d.Date = year
	}
	return x.record(d)
}

var pubmedCited = lazy.Regexp(
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
