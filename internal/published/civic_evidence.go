package published

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Summaries is the contents of a file of evidence summaries.
type Summaries struct {
	Rows       int // Statements and LeftOut together
	Statements []evidence.CuratedStatement
	LeftOut    []evidence.LeftOut
	Foreign    int // statements whose link was left out, because it leads outside CIViC
}

// Bounds of cells, in bytes, and of rows.
const (
	maxStatement   = 16 << 10
	maxCell        = 4 << 10
	maxCuratedRows = 500_000
)

// levels are CIViC's, best first.
var levels = []string{"A", "B", "C", "D", "E"}

// evidenceTable names the column for each thing that is read. A molecular profile was once a gene and a variant.
var evidenceTable = table{
	what: "CIViC's evidence summaries", from: "take ClinicalEvidenceSummaries.tsv from https://civicdb.org/releases",
	columns: []column{
		{name: "molecular_profile", others: []string{"gene"}},
		{name: "variant", optional: true},
		{name: "disease"},
		{name: "therapies", others: []string{"drugs"}},
		{name: "therapy_interaction_type", others: []string{"drug_interaction_type"}, optional: true},
		{name: "evidence_type"},
		{name: "evidence_direction"},
		{name: "evidence_level"},
		{name: "significance", others: []string{"clinical_significance"}},
		{name: "evidence_statement"},
		{name: "citation_id", others: []string{"pubmed_id"}},
		{name: "source_type", optional: true},
		{name: "rating", optional: true},
		{name: "evidence_status"},
		{name: "evidence_id"},
		{name: "variant_origin", optional: true},
		{name: "last_review_date", optional: true},
		{name: "evidence_civic_url", optional: true},
		{name: "is_flagged", optional: true},
	},
}

// readEvidence reads a file of evidence summaries after its header. Statements come in order of number; date is the
// file's day. An unusable row is counted in LeftOut; an error means that the file can't be read.
func readEvidence(in *rows, places map[string]int, width int, date evidence.Date) (Summaries, error) {
	s := reading{date: date, places: places, seen: map[string]bool{}}

	err := in.each(width, maxCuratedRows, func(cells []string, line int, fault error) {
		s.Rows++
		if fault != nil {
			s.leave(&unusable{reason: fault.Error(), fault: true}, "", line)
			return
		}
		s.row(cells, line)
	})
	if err != nil {
		return Summaries{}, err
	}
	return s.summaries(), nil
}

// reading is a file being read.
type reading struct {
	Summaries
	date    evidence.Date
	places  map[string]int
	seen    map[string]bool
	leftOut evidence.LeftOuts
}

// unusable is the reason why a row can't be used.
type unusable struct {
	reason string
	fault  bool
}

func (s *reading) row(cells []string, line int) {
	cell := cellsOf(s.places, cells)

	statement, why := s.statement(cell)
	switch {
	case why != nil:
		s.leave(why, statement.ID, line)
		return
	case s.seen[statement.ID]:
		s.leave(&unusable{"its evidence id stands in the file before, and that row counts", true}, statement.ID, line)
		return
	}

	s.seen[statement.ID] = true
	if address := cell("evidence_civic_url"); address != "" && statement.URL == "" {
		s.Foreign++
	}
	s.Statements = append(s.Statements, statement)
}

func (s *reading) leave(why *unusable, id string, line int) {
	s.leftOut.Add(why.reason, strings.TrimPrefix(fmt.Sprintf("%s in line %d", id, line), " in "), why.fault)
}

func (s *reading) summaries() Summaries {
	slices.SortFunc(s.Statements, evidence.CompareCuratedIDs)
	s.LeftOut = s.leftOut.List()
	return s.Summaries
}

var (
	evidenceID = text.LazyRegexp(`^(?:EID)?([1-9][0-9]{0,8})$`)
	pmidRE     = text.LazyRegexp(`^[1-9][0-9]{0,8}$`)
)

// statement reads a row; why is the reason if it can't be used. The id is set whenever the row has one.
func (s *reading) statement(cell func(string) string) (out evidence.CuratedStatement, why *unusable) {
	if match := evidenceID().FindStringSubmatch(cell("evidence_id")); match != nil {
		out.ID = "EID" + match[1]
	}
	out.Level, out.Status = strings.ToUpper(cell("evidence_level")), strings.ToLower(cell("evidence_status"))
	source, cites := cell("source_type"), cell("citation_id")

	source = cmp.Or(source, "PubMed") // older files had no other source
	switch {
	case out.ID == "":
		return out, &unusable{"it has no evidence id", true}
	case out.Status == "rejected":
		return out, &unusable{"CIViC's editors have rejected it", false}
	case out.Status != evidence.StatementAccepted && out.Status != evidence.StatementSubmitted:
		return out, &unusable{fmt.Sprintf("its status %.30q is none of CIViC's", out.Status), true}
	case !strings.EqualFold(source, "PubMed"):
		return out, &unusable{fmt.Sprintf("it cites %.30s, not a paper of PubMed's", source), false}
	case !pmidRE().MatchString(cites):
		return out, &unusable{"it has no PMID", true}
	case !slices.Contains(levels, out.Level):
		return out, &unusable{fmt.Sprintf("its level %.30q is none of CIViC's", out.Level), true}
	}

	for _, c := range evidenceTable.columns {
		limit := maxCell
		if c.name == "evidence_statement" {
			limit = maxStatement
		}

		if len(cell(c.name)) > limit {
			return out, &unusable{fmt.Sprintf("its %s has more than %d bytes", c.name, limit), true}
		}
	}
	out.Source, out.PMID, out.FileDate = evidence.CuratedCIViC, cites, s.date
	out.Profile = strings.TrimSpace(cell("molecular_profile") + " " + cell("variant"))
	out.Disease, out.Interaction = told(cell("disease")), told(cell("therapy_interaction_type"))
	out.Type, out.Direction = told(cell("evidence_type")), told(cell("evidence_direction"))
	out.Significance = told(cell("significance"))

	out.Statement, out.Origin = cell("evidence_statement"), told(cell("variant_origin"))
	for _, therapy := range strings.Split(cell("therapies"), ",") {
		if therapy = told(strings.TrimSpace(therapy)); therapy != "" {
			out.Therapies = append(out.Therapies, therapy)
		}
	}

	if n, err := strconv.Atoi(cell("rating")); err == nil && n >= 1 && n <= 5 {
		out.Rating = n
	}
	out.Flagged = strings.EqualFold(cell("is_flagged"), "true") || strings.EqualFold(cell("is_flagged"), "t")

	day, _, _ := strings.Cut(cell("last_review_date"), " ")
	if reviewed, err := time.Parse(time.DateOnly, day); err == nil {
		out.Reviewed = evidence.DateOf(reviewed)
	}
	out.URL = linkTo(cell("evidence_civic_url"))
	return out, nil
}

// told is a cell's text; empty if the cell means "nothing".
func told(text string) string {
	if strings.EqualFold(text, "N/A") || text == "NA" {
		return ""
	}
	return text
}

// linkTo is an address that may be shown as a link: one of CIViC's own pages; any other is left out.
func linkTo(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host != "civicdb.org" || u.User != nil {
		return ""
	}
	return u.String()
}

var (
	namedDay = text.LazyRegexp(`(?:^|[^0-9])([0-9]{2})-([A-Z][a-z]{2})-([0-9]{4})(?:[^0-9]|$)`)
	plainDay = text.LazyRegexp(`(?:^|[^0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[^0-9]|$)`)
)

// DateIn reads the day in a file's name, as CIViC names its releases: 01-Nov-2026-ClinicalEvidenceSummaries.tsv. It is
// empty if the name has none.
func DateIn(name string) evidence.Date {
	if m := namedDay().FindStringSubmatch(name); m != nil {
		if day, err := time.Parse("02 Jan 2006", m[1]+" "+m[2]+" "+m[3]); err == nil {
			return evidence.DateOf(day)
		}
	}

	if m := plainDay().FindStringSubmatch(name); m != nil {
		if day, err := time.Parse(time.DateOnly, m[1]); err == nil {
			return evidence.DateOf(day)
		}
	}
	return ""
}
