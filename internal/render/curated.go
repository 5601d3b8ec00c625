package render

import (
	"fmt"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// curatedJSON is a curators' statement in JSON output, with the name of its level.
type curatedJSON struct {
	evidence.CuratedStatement
	LevelName string `json:"level_name"`
}

// markedStatement is the statement that a record's line in a list shows: the one that put the record forward, else the
// first that counts; nil if there is none.
func markedStatement(it evidence.Item) *evidence.CuratedStatement {
	if put := putForward(it); put != nil {
		for i := range it.Record.Curated {
			if it.Record.Curated[i].ID == put.Statement {
				return &it.Record.Curated[i]
			}
		}
	}

	if len(it.Record.Curated) == 0 {
		return nil
	}
	return &it.Record.Curated[0]
}

func putForward(it evidence.Item) *evidence.PutForward {
	if it.Assessment == nil {
		return nil
	}
	return it.Assessment.PutForward
}

// curatedMark is the curators' part of a record's line in a list: "CIViC B (EID12, supports), +1.0 for this question".
func curatedMark(it evidence.Item) string {
	s, put := markedStatement(it), putForward(it)
	switch {
	case s == nil && put == nil:
		return ""
	case s == nil || put != nil && (s.ID != put.Statement || s.Level != put.Level): // a newer file contradicts it
		s = &evidence.CuratedStatement{ID: put.Statement, Level: put.Level, Direction: put.Direction}
		s.Status = evidence.StatementAccepted
	}
	told := append([]string{s.ID}, curatedDirection(s)...)

	mark := fmt.Sprintf("CIViC %s (%s)", s.Level, strings.Join(append(told, curatedDoubts(s)...), ", "))
	if put != nil {
		mark += fmt.Sprintf(", +%.1f for this question", put.By)
	}
	return plaintext.Line(mark)
}

func curatedDirection(s *evidence.CuratedStatement) []string {
	if s.Direction == "" {
		return nil
	}
	return []string{strings.ToLower(s.Direction)}
}

// curatedDoubts are the reasons why a statement does not count.
func curatedDoubts(s *evidence.CuratedStatement) []string {
	var out []string
	if s.Status != evidence.StatementAccepted {
		out = append(out, "only "+s.Status)
	}

	if s.Flagged {
		out = append(out, "flagged")
	}
	return out
}

// curatedLegend explains the marks below it: the levels, their day, and how many papers were put forward; empty if no
// record has a mark.
func curatedLegend(forward int, lists ...[]evidence.Item) string {
	var day evidence.Date

	marked := false
	for _, items := range lists {
		for _, it := range items {
			marked = marked || curatedMark(it) != ""
			for _, s := range it.Record.Curated {
				day = s.FileDate
			}
		}
	}

	if !marked && forward == 0 {
		return ""
	}

	legend := "CIViC: the curators' best level on a paper, for whatever disease: " +
		"A validated, B clinical, C case study, D preclinical, E inferential"
	if day != "" {
		legend += "; file of " + string(day)
	}

	if forward > 0 {
		legend += fmt.Sprintf(". %s put forward, cited there for the very same question", plaintext.Plural(forward, "paper"))
	}
	return plaintext.Line(legend) + "."
}

// CuratedLine is a whole statement in words, except its link: level, number, direction, subject, and how far to trust
// it.
func CuratedLine(s *evidence.CuratedStatement) string {
	var parts []string
	add := func(format, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add("%s", s.Profile)
	add("in %s", s.Disease)
	add("– %s", strings.TrimSpace(strings.ToLower(s.Direction)+" "+strings.ToLower(s.Significance)))
	add("to %s", strings.Join(s.Therapies, " + "))
	add("(%s)", strings.ToLower(s.Interaction))

	text := fmt.Sprintf("%s (%s), %s: %s.", s.Level, s.LevelName(), s.ID, strings.Join(parts, " "))
	if s.Statement != "" {
		text += " “" + s.Statement + "”"
	}
	parts = nil
	add("%s", strings.ToLower(s.Type))
	add("%s", strings.ToLower(s.Origin))

	if s.Rating > 0 {
		parts = append(parts, fmt.Sprintf("rated %d of 5", s.Rating))
	}

	if s.Status == evidence.StatementAccepted {
		parts = append(parts, s.Status)
	}
	parts = append(parts, curatedDoubts(s)...)
	add("reviewed %s", string(s.Reviewed))
	add("file of %s", string(s.FileDate))
	return plaintext.Line(text + " (" + strings.Join(parts, ", ") + ")")
}

// curatedCells are a record's statements for CSV's two columns: in short, and their links.
func curatedCells(statements []evidence.CuratedStatement) (told, links string) {
	var short, urls []string
	for i := range statements {
		s := &statements[i]
		parts := []string{"CIViC", s.Level, s.ID}

		parts = append(parts, curatedDirection(s)...)
		for _, doubt := range curatedDoubts(s) {
			parts = append(parts, "("+doubt+")")
		}

		short = append(short, strings.Join(parts, " "))
		if s.URL != "" {
			urls = append(urls, s.URL)
		}
	}
	return strings.Join(short, "; "), strings.Join(urls, "; ")
}
