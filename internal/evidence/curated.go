package evidence

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"dossier/internal/text"
)

// CuratedCIViC is the Source of CIViC's statements.
const CuratedCIViC = "civic"

// The statuses of a statement: CIViC's editors have accepted it, or somebody has submitted it and no editor has looked
// yet.
const (
	StatementAccepted  = "accepted"
	StatementSubmitted = "submitted"
)

// SpeaksAgainst is the direction of a statement that the paper does not support.
const SpeaksAgainst = "Does Not Support"

// CuratedStatement is what the curators of a knowledge base state a paper shows, such as one evidence item of CIViC. It
// is a judgement of the paper, not the paper's own words, and is shown beside a record, never as part of it. Its effect
// on a score for a question is separate from the judgement: see PutForward.
type CuratedStatement struct {
	Source       string   `json:"source"` // civic
	ID           string   `json:"id"`     // the knowledge base's own: EID1234
	PMID         string   `json:"pmid"`
	Profile      string   `json:"molecular_profile"` // "KRAS G12C", as the file has it
	Disease      string   `json:"disease,omitempty"`
	Therapies    []string `json:"therapies,omitempty"`
	Interaction  string   `json:"therapy_interaction,omitempty"` // Combination, Sequential, Substitutes
	Type         string   `json:"type"`                          // Predictive, Diagnostic, Prognostic, Predisposing, …
	Direction    string   `json:"direction,omitempty"`           // Supports, Does Not Support
	Level        string   `json:"level"`                         // A to E; see LevelName
	Significance string   `json:"significance,omitempty"`        // Sensitivity/Response, Resistance, …
	Statement    string   `json:"statement,omitempty"`
	Rating       int      `json:"rating,omitempty"` // 1 to 5 stars, 0: not rated
	Status       string   `json:"status"`           // accepted, submitted
	Origin       string   `json:"variant_origin,omitempty"`
	Flagged      bool     `json:"flagged,omitempty"`
	Reviewed     Date     `json:"reviewed,omitempty"`
	URL          string   `json:"url,omitempty"`
	FileDate     Date     `json:"file_date"` // of its file, the date of CIViC's statement
}

// LevelName is CIViC's name of the statement's evidence level; a level that it does not have stands as it is.
func (s CuratedStatement) LevelName() string {
	switch s.Level {
	case "A":
		return "validated"
	case "B":
		return "clinical"
	case "C":
		return "case study"
	case "D":
		return "preclinical"
	case "E":
		return "inferential"
	}
	return s.Level
}

// Counts reports whether the statement may be relied on: its editors have accepted it, and no one has flagged it since.
func (s *CuratedStatement) Counts() bool { return s.Status == StatementAccepted && !s.Flagged }

// CompareCurated orders statements as they are shown: those that count first, then by level, then by number.
func CompareCurated(a, b CuratedStatement) int {
	return cmp.Or(
		cmp.Compare(doubts(&a), doubts(&b)),
		cmp.Compare(a.Level, b.Level),
		CompareCuratedIDs(a, b),
	)
}

// CompareCuratedIDs orders statements by number.
func CompareCuratedIDs(a, b CuratedStatement) int {
	return cmp.Or(cmp.Compare(statementNumber(a.ID), statementNumber(b.ID)), cmp.Compare(a.ID, b.ID))
}

func doubts(s *CuratedStatement) int {
	if s.Counts() {
		return 0
	}
	return 1
}

func statementNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "EID"))
	return n
}

// CuratedFile is one file of a knowledge base: all that the store has of it, until the next file takes its place.
type CuratedFile struct {
	Source     string             `json:"source"` // civic
	Name       string             `json:"name"`   // the file's, without its folder; "stdin" where it had none
	Date       Date               `json:"date"`   // date of its statements
	Imported   time.Time          `json:"imported"`
	Statements []CuratedStatement `json:"-"` // in order of number
}

// PMIDs lists the papers that the file's statements are on, each once, in order.
func (f *CuratedFile) PMIDs() []string {
	pmids := text.Each(f.Statements, func(s CuratedStatement) string { return s.PMID })
	slices.Sort(pmids)
	return slices.Compact(pmids)
}

// CuratedChanges is what a file has of statements that the one before it had not, or had in other words.
type CuratedChanges struct{ New, Changed, Gone int }

// ChangesSince compares f with the file before it. That a statement comes from another day's file is no change.
func (f *CuratedFile) ChangesSince(before *CuratedFile) CuratedChanges {
	old := make(map[string]CuratedStatement, len(before.Statements))
	for _, s := range before.Statements {
		old[s.ID] = s
	}

	var c CuratedChanges
	for _, s := range f.Statements {
		was, had := old[s.ID]
		delete(old, s.ID)

		was.FileDate = s.FileDate
		switch {
		case !had:
			c.New++
		case !reflect.DeepEqual(was, s):
			c.Changed++
		}
	}
	c.Gone = len(old)
	return c
}

// PutForward is what was added to an assessment's score because curators cite the record for the very same question.
// The judgement is not rewritten: Judged and Passed are what it came to without.
type PutForward struct {
	Source    string  `json:"source"`    // civic
	Statement string  `json:"statement"` // EID1234
	Level     string  `json:"level"`
	Direction string  `json:"direction,omitempty"`
	By        float64 `json:"by"`     // points, of which a score above 10 loses what is too much
	Judged    float64 `json:"judged"` // the score before
	Passed    bool    `json:"passed_before"`
}

// Criterion is how what was added stands among an assessment's criteria: "CIViC level B (EID123), +1.0".
func (p *PutForward) Criterion() string {
	statement := p.Statement
	if p.Direction == SpeaksAgainst {
		statement += ", does not support"
	}

	text := fmt.Sprintf("CIViC level %s (%s), +%.1f", p.Level, statement, p.By)
	if p.Judged+p.By > MaxScore {
		text += ", at most 10"
	}
	return text
}
