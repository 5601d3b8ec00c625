package cite

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"dossier/internal/evidence"
)

// cslItem is an item in the order in which it is written.
type cslItem struct {
	ID            string          `json:"id"`
	Type          string          `json:"type"`
	Title         string          `json:"title,omitempty"`
	Author        []cslName       `json:"author,omitempty"`
	Issued        *cslIssued      `json:"issued,omitempty"`
	Container     string          `json:"container-title,omitempty"`
	Short         string          `json:"container-title-short,omitempty"`
	Volume        string          `json:"volume,omitempty"`
	Issue         string          `json:"issue,omitempty"`
	Page          string          `json:"page,omitempty"`
	Publisher     string          `json:"publisher,omitempty"`
	ISSN          string          `json:"ISSN,omitempty"`
	DOI           string          `json:"DOI,omitempty"`
	PMID          string          `json:"PMID,omitempty"`
	PMCID         string          `json:"PMCID,omitempty"`
	URL           string          `json:"URL,omitempty"`
	Abstract      string          `json:"abstract,omitempty"`
	Keyword       string          `json:"keyword,omitempty"`
	Language      string          `json:"language,omitempty"`
	Genre         string          `json:"genre,omitempty"`
	OriginalTitle string          `json:"original-title,omitempty"`
	Note          string          `json:"note,omitempty"`
	Custom        *cslIdentifiers `json:"custom,omitempty"`
}

type cslIssued struct {
	Parts [][]int `json:"date-parts"`
}

type cslIdentifiers struct {
	Identifiers []string `json:"identifiers"`
}

// CSLJSON writes references as an array of CSL-JSON items, an item a line. Identifiers without a name in CSL are in
// custom, for our own reader, and in the note, for Zotero's; score, bucket, criteria and findings are in the note, a
// line each.
func CSLJSON(w io.Writer, refs iter.Seq2[Ref, error]) error {
	sep := "[\n"
	var failed error

	err := writeEach(w, FormatCSLJSON, refs, func(out *bufio.Writer, ref Ref) {
		item, err := encoded(newCSLItem(ref))
		failed = cmp.Or(failed, err)
		fmt.Fprint(out, sep, string(item))
		sep = ",\n"
	})
	if err = cmp.Or(err, failed); err != nil {
		return err
	}

	end := "\n]\n"
	if sep == "[\n" {
		end = "[]\n"
	}

	if _, err := io.WriteString(w, end); err != nil {
		return fmt.Errorf("writing %s: %w", FormatCSLJSON, err)
	}
	return nil
}

// encoded leaves < and & as they are: the file is no part of a web page.
func encoded(item cslItem) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)

	if err := e.Encode(item); err != nil {
		return nil, fmt.Errorf("writing %s, item %s: %w", FormatCSLJSON, item.ID, err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func newCSLItem(ref Ref) cslItem {
	r := ref.Record

	item := cslItem{
		ID: ref.key(), Type: kindOf(r).csl, Title: ref.title(), OriginalTitle: oneLine(r.VernacularTitle, maxTitle),
		Container: oneLine(r.Journal.Title, maxTitle), Short: oneLine(r.Journal.Abbreviation, maxTitle),
		Volume: oneLine(r.Journal.Volume, maxWord), Issue: oneLine(r.Journal.Issue, maxWord), Page: onePage(r.Journal.Pages),
		Publisher: oneLine(r.Journal.Publisher, maxWord), ISSN: oneLine(strings.Join(r.Journal.ISSN, ", "), maxWord),
		DOI: ref.value(evidence.DOI), PMID: ref.value(evidence.PMID), PMCID: ref.value(evidence.PMCID),
		URL:      oneLine(r.URL(), maxURL),
		Abstract: ref.abstract(), Keyword: strings.Join(ref.subjects(), "; "), Genre: strings.Join(ref.typeNames(), "; "),
		Issued: cslIssuedOn(r.Date),
	}
	if len(r.Languages) > 0 {
		item.Language = oneLine(r.Languages[0], maxWord)
	}

	for _, a := range r.Authors {
		item.Author = append(item.Author, cslAuthor(a))
	}

	notes := ref.notes()
	if others := ref.otherIdentifiers(evidence.DOI, evidence.PMID, evidence.PMCID); len(others) > 0 {
		item.Custom = &cslIdentifiers{}
		for _, id := range others {
			item.Custom.Identifiers = append(item.Custom.Identifiers, id.String())
			notes = append(notes, strings.Replace(id.String(), ":", ": ", 1))
		}
	}
	item.Note = strings.Join(notes, "\n")
	return item
}

func cslAuthor(a evidence.Author) cslName {
	if group := oneLine(a.Collective, maxWord); group != "" {
		return cslName{Literal: group}
	}
	given := cmp.Or(a.Given, a.Initials)
	return cslName{Family: oneLine(a.Family, maxWord), Given: oneLine(given, maxWord), Suffix: oneLine(a.Suffix, maxWord)}
}

func cslIssuedOn(d evidence.Date) *cslIssued {
	var parts []int
	for part := range strings.SplitSeq(string(d), "-") {
		if n := evidence.DateNumber(part); n > 0 {
			parts = append(parts, n)
		}
	}

	if len(parts) == 0 {
		return nil
	}
	return &cslIssued{Parts: [][]int{parts}}
}
