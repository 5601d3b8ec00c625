package published

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/text"
)

// maxRetractionRows bounds a table; Retraction Watch's has some 70,000 rows.
const maxRetractionRows = 2_000_000

// Retractions is the contents of a file.
type Retractions struct {
	Records  []evidence.Record // one for each retracted or doubted paper, by id, of source retractionwatch
	Rows     int
	LeftOut  int // rows on no present retraction: corrections, reinstatements, papers since reinstated
	Problems []evidence.Problem
}

// retractionColumns are the required columns, as Crossref names them; the reasons are read if there are any.
var retractionColumns = []string{"record id", "title", "journal", "author", "originalpaperdate", "originalpaperdoi",
	"originalpaperpubmedid", "retractiondate", "retractiondoi", "retractionpubmedid", "retractionnature"}

// ReadRetractions reads a table. An unusable row is a problem, and reading continues; an error means that the file is
// no such table, or can't be read.
func ReadRetractions(r io.Reader) (Retractions, error) {
	var t Retractions

	decoded, _, err := files.Text(r)
	if err != nil {
		return t, fmt.Errorf("reading the table: %w", err)
	}
	in := csv.NewReader(decoded)
	in.FieldsPerRecord, in.LazyQuotes = -1, true

	header, err := in.Read()
	if err != nil {
		return t, fmt.Errorf("reading the table's header: %w", err)
	}

	at, err := placesOf(header)
	if err != nil {
		return t, err
	}
	papers := map[string][]*evidence.Record{} // by the paper's identifiers: all rows on it

	var order []string
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}

		line, _ := in.FieldPos(0)
		if err != nil {
			return t, fmt.Errorf("line %d is no row of a table: %w; get the file again", line, err)
		}

		if t.Rows++; t.Rows > maxRetractionRows {
			return t, fmt.Errorf("the table has more than %d rows", maxRetractionRows)
		}

		paper, key, err := (retractionRow{cells, at}).paper()
		switch {
		case err != nil:
			t.Problems = append(t.Problems, evidence.Problem{ID: fmt.Sprintf("line %d", line), Reason: err.Error()})
		case paper == nil:
			t.LeftOut++
		default:
			if papers[key] == nil {
				order = append(order, key)
			}
			papers[key] = append(papers[key], paper)
		}
	}

	for _, key := range order {
		if paper := standing(papers[key]); isRetracted(paper) || len(paper.Links) > 0 {
			t.Records = append(t.Records, *paper)
		} else {
			t.LeftOut++
		}
	}
	slices.SortFunc(t.Records, func(a, b evidence.Record) int { return strings.Compare(a.Origins[0].ID, b.Origins[0].ID) })
	return t, nil
}

// standing combines all rows on a paper: the newest counts, except a concern after a retraction, which only a
// reinstatement takes back.
func standing(rows []*evidence.Record) *evidence.Record {
	slices.SortStableFunc(rows, func(a, b *evidence.Record) int {
		byDate := cmp.Compare(a.Retraction.Checked, b.Retraction.Checked)
		return cmp.Or(byDate, cmp.Compare(a.Retraction.Status, b.Retraction.Status)) // on one day, "yes" counts last
	})

	last := rows[0]
	for _, r := range rows[1:] {
		if isConcern := len(r.Links) > 0; !isConcern || !isRetracted(last) {
			last = r
		}
	}
	return last
}

func isRetracted(r *evidence.Record) bool { return r.Retraction.Status == evidence.Yes }

func placesOf(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, name := range header {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}

	for _, name := range retractionColumns {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("has no column %q; it is no table of Retraction Watch, which Crossref publishes as CSV", name)
		}
	}
	return at, nil
}

// retractionRow is a row of the table.
type retractionRow struct {
	cells []string
	at    map[string]int
}

func (r retractionRow) cell(name string) string {
	if i, has := r.at[name]; has && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// reason is the reason in the table's words: "+Error in Data;+Unreliable Results;" is "Error in Data; Unreliable
// Results".
func (r retractionRow) reason() string {
	var out []string
	for one := range strings.SplitSeq(r.cell("reason"), ";") {
		if one = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(one), "+")); one != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return text.Line(strings.Join(out, "; "))
}

// paper is the row's record of its paper, and a key for the paper; nil if the row is not on a retraction. A
// reinstatement gives a record that is neither retracted nor doubted.
func (r retractionRow) paper() (paper *evidence.Record, key string, err error) {
	nature := strings.ToLower(r.cell("retractionnature"))
	if nature == "correction" {
		return nil, "", nil
	}

	id := r.cell("record id")
	if id == "" {
		return nil, "", errors.New("has no Record ID")
	}

	paper = &evidence.Record{
		Origins: []evidence.Origin{{Source: evidence.SourceRetractionWatch, ID: id}},
		Title:   r.cell("title"), Authors: authors(r.cell("author")), Date: day(r.cell("originalpaperdate")),
		Journal:     evidence.Journal{Title: r.cell("journal")},
		Identifiers: r.identifiers("originalpaperpubmedid", "originalpaperdoi"),
	}
	if len(paper.Identifiers) == 0 && paper.Title == "" {
		return nil, "", errors.New("names its paper neither by an identifier nor by its title")
	}
	paper.Retraction = evidence.Retraction{Source: evidence.SourceRetractionWatch, Checked: day(r.cell("retractiondate"))}

	notice := r.identifiers("retractionpubmedid", "retractiondoi")
	switch nature {
	case "retraction":
		paper.Retraction.Status, paper.Retraction.Reason = evidence.Yes, r.reason()
		for _, n := range notice {
			if !slices.Contains(paper.Identifiers, n) { // some rows give the paper's own DOI for its notice
				paper.Retraction.Notice = n
				break
			}
		}
	case "expression of concern":
		link := evidence.Link{Relation: evidence.ConcernIn, Source: evidence.SourceRetractionWatch}
		if len(notice) > 0 && !slices.Contains(paper.Identifiers, notice[0]) {
			link.Target = notice[0]
		}
		paper.Links = []evidence.Link{link}
	case "reinstatement":
	default:
		return nil, "", fmt.Errorf("RetractionNature is %.40q; known are Retraction, Expression of concern, Correction and "+
			"Reinstatement", nature)
	}

	key = strings.ToLower(paper.Title)
	if len(paper.Identifiers) > 0 {
		key = paper.Identifiers[0].String()
	}
	return paper, key, nil
}

// identifiers are those in a PMID's and a DOI's column; "0" and "unavailable" mean none.
func (r retractionRow) identifiers(pmid, doi string) (ids []evidence.Identifier) {
	for column, kind := range map[string]evidence.IDKind{pmid: evidence.PMID, doi: evidence.DOI} {
		raw := r.cell(column)
		if raw == "" || raw == "0" || strings.EqualFold(raw, "unavailable") {
			continue
		}

		if id, ok := evidence.NewIdentifier(kind, raw); ok {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b evidence.Identifier) int { return strings.Compare(a.String(), b.String()) })
	return ids
}

// authors are names separated by semicolons, the family name last.
func authors(cell string) (out []evidence.Author) {
	for name := range strings.SplitSeq(cell, ";") {
		words := strings.Fields(name)
		if len(words) == 0 || strings.EqualFold(name, "unknown") {
			continue
		}
		last := len(words) - 1
		out = append(out, evidence.Author{Given: strings.Join(words[:last], " "), Family: words[last]})
	}
	return out
}

// day reads a date as the table has it, month first: "1/31/2020 0:00".
func day(cell string) evidence.Date {
	date, _, _ := strings.Cut(cell, " ")
	for _, layout := range []string{"1/2/2006", time.DateOnly} {
		if t, err := time.Parse(layout, date); err == nil {
			return evidence.DateOf(t)
		}
	}
	return ""
}
