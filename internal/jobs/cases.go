package jobs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/guard"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// CaseTopic is one question of a list.
type CaseTopic struct {
	ID       string
	Question string
	Tags     []string
	Row      int // where it stands in its file, from 1
}

// NotAsked is what of a list becomes no topic.
type NotAsked struct {
	What, Why string
}

// CaseList is what a file asks.
type CaseList struct {
	File     string
	Topics   []CaseTopic // in the file's order
	NotAsked []NotAsked
	Notes    []string // how the file was read: its columns, its encoding
}

// CaseReader reads lists.
type CaseReader struct {
	Lexicon  *lexicon.Lexicon
	Columns  map[string]string // the column of a field, by header or letter, where the headers do not tell
	Encoding string            // of text; empty: told from its bytes
	Tumour   string            // of a table of variants that names none
	Most     int64             // bytes that a file holds, unpacked; 0: what no list of a meeting comes near
}

// cases makes a topic of each row. The error joins all that is wrong, with row and column.
func (r *CaseReader) cases(t *table, at map[string]int) (*CaseList, error) {
	list := &CaseList{File: t.file, Notes: append(t.notes, t.columnNote(at))}
	if err := r.checkColumns(t, at); err != nil {
		return nil, err
	}
	var faults []error

	ids := map[string]int{}
	for i := t.first + 1; i < len(t.rows); i++ {
		if isEmpty(t.rows[i]) {
			continue
		}
		c := caseRow{r, t, at, i}

		topic, err := c.topic()
		if err != nil {
			faults = append(faults, err)
			continue
		}

		if before, again := ids[topic.ID]; again {
			faults = append(faults, t.errorf(i, at["case"], "is the case of row %d, too; give each question of a case a number "+
				"of its own (12-1, 12-2)", before))
			continue
		}
		ids[topic.ID] = topic.Row

		list.Topics = append(list.Topics, topic)
		if len(list.Topics) > maxRows {
			return nil, t.errorf(i, -1, "is the case %d; at most %d are read: is this a meeting's list?", maxRows+1, maxRows)
		}
	}

	if len(faults) > 0 {
		return nil, joined(faults)
	}

	if len(list.Topics) == 0 {
		return nil, &CaseError{File: t.file, Row: t.first + 1, Text: "no case stands below the header"}
	}
	return list, nil
}

// columnNote says which column is read as what.
func (t *table) columnNote(at map[string]int) string {
	var parts []string

	read := map[int]bool{}
	for _, field := range slices.Concat(CaseFields, variantFields) {
		if column, ok := at[field]; ok {
			parts = append(parts, fmt.Sprintf("%s is %s", t.letter(column), field))
			read[column] = true
		}
	}

	var unread []string
	for column := range t.header {
		if !read[column] && t.header[column] != "" {
			unread = append(unread, t.letter(column))
		}
	}

	note := fmt.Sprintf("row %d names the columns: %s", t.first+1, strings.Join(parts, ", "))
	if len(unread) > 0 {
		note += "; not read: " + strings.Join(unread, ", ")
	}
	return note
}

// checkColumns refuses a list with a column that tells who a patient is, read or not.
func (r *CaseReader) checkColumns(t *table, at map[string]int) error {
	var faults []error
	for column, header := range t.header {
		for i := t.first + 1; i < len(t.rows); i++ {
			if column >= len(t.rows[i]) || t.rows[i][column] == "" {
				continue
			}

			cell := t.rows[i][column]
			if date, has := at["date"]; has && date == column {
				if _, err := meetingWeek(cell); err == nil {
					continue // of the meeting
				}
			}

			found := guard.Find(cell, r.Lexicon.Knows)
			if number, has := at["case"]; !has || number != column {
				found = append(found, guard.Find(header+": "+cell, r.Lexicon.Knows)...)
			}

			if len(found) > 0 {
				faults = append(faults, t.errorf(i, column, "tells who a patient is (%s); take the column, or what tells it, "+
					"out of the list. A case is known here by a pseudonym of yours alone", found[0].Kind))
				break // one a column
			}
		}
	}
	return joined(faults)
}

// caseRow is a row of a list of cases.
type caseRow struct {
	*CaseReader
	table *table
	at    map[string]int
	row   int
}

// cell is what the row has of a field; empty where there is no such column.
func (c caseRow) cell(field string) string {
	column, ok := c.at[field]
	if !ok || column >= len(c.table.rows[c.row]) {
		return ""
	}
	return decimalPoint().ReplaceAllString(c.table.rows[c.row][column], "$1.$2$3")
}

// decimalPoint is a decimal comma: between figures, with a unit behind.
var decimalPoint = text.LazyRegexp(`(\d),(\d+)(\s*(?:%|[mc]m\b|mut|ng|µg|mg|g/|/Mb))`)

func (c caseRow) errorf(field, format string, args ...any) error {
	column, ok := c.at[field]
	if !ok {
		column = -1
	}
	return c.table.errorf(c.row, column, format, args...)
}

// topic is the row's question, put together of its cells.
func (c caseRow) topic() (CaseTopic, error) {
	topic := CaseTopic{Row: c.row + 1}

	var err error
	if topic.ID, err = c.id(); err != nil {
		return topic, err
	}

	if err := c.checkCells(); err != nil {
		return topic, err
	}
	topic.Question = c.question()

	understood := c.Lexicon.Understand(topic.Question)
	switch {
	case len(understood.Tumours)+len(understood.Conditions) == 0:
		return topic, c.errorf("tumour", "names no tumour that the dictionary knows; write its full name, or add it under "+
			"lexicon.files")
	case slices.ContainsFunc(understood.Words, func(w lexicon.Word) bool { return w.Language != "" }):
		return topic, c.errorf("question", "has a part in a language or script that nothing here reads")
	}
	topic.Tags, err = c.tags()
	return topic, err
}

// question is what the row asks: what it has of the patient, and behind that the question itself, of which nothing is
// said twice.
func (c caseRow) question() string {
	asked := c.cell("question")
	q := c.Lexicon.Understand(asked)

	patient := severally().ReplaceAllString(c.cell("alterations"), " and ")
	if len(q.Alterations)+len(q.Biomarkers) > 0 {
		patient = ""
	}

	if len(q.Tumours) == 0 {
		patient = strings.TrimSpace(patient + " " + c.cell("tumour"))
	}

	for _, part := range []string{stage(c.cell("stage")), after(c.cell("prior"), &q)} {
		if part != "" {
			patient = strings.TrimPrefix(patient+", "+part, ", ")
		}
	}

	switch {
	case asked == "":
		return patient
	case patient == "":
		return asked
	}
	return patient + ": " + asked
}

// severally is what stands between the findings of one patient, who has all of them.
var severally = text.LazyRegexp(`\s*[,;]\s+|\s*;\s*`)

// bareStage is a stage without the word for it.
var bareStage = text.LazyRegexp(`^(?:IV|I{1,3}|[1-4])[A-Da-d]?[1-3]?$`)

// stage is the cell on it as a part of a question.
func stage(cell string) string {
	if bareStage().MatchString(cell) {
		return "stage " + cell
	}
	return cell
}

// after is prior treatment as a part of a question, unless the question tells of prior treatment itself.
func after(prior string, q *lexicon.Question) string {
	isPrior := func(d lexicon.Drug) bool {
		return slices.Contains([]lexicon.DrugRole{lexicon.Prior, lexicon.Resistant, lexicon.Intolerant}, d.Role)
	}
	if prior == "" || slices.ContainsFunc(q.Drugs, isPrior) {
		return ""
	}
	return "after " + prior
}

// geneLike is a word that can only be a gene's symbol: capitals with figures.
var geneLike = text.LazyRegexp(`^[A-Z][A-Z0-9]{1,6}\d[A-Z0-9]*$`)

// checkCells refuses a cell of which the dictionary does not know what looks like a gene.
func (c caseRow) checkCells() error {
	for _, w := range c.Lexicon.Understand(c.cell("alterations")).Words {
		if geneLike().MatchString(w.Text) {
			return c.errorf("alterations", "%q is no gene that the dictionary knows; correct it, or name HGNC's file under "+
				"lexicon.files", text.Line(w.Text))
		}
	}

	for _, a := range c.Lexicon.Understand(c.cell("alterations")).Alterations {
		if a.Gene != "" && a.Entry == nil {
			return c.errorf("alterations", "%q is no gene that the dictionary knows; correct it, or name HGNC's file under "+
				"lexicon.files", text.Line(a.Gene))
		}
	}
	return nil
}

var notInID = text.LazyRegexp(`[^a-z0-9]+`)

// slug is s as a topic's id has it.
func slug(s string) string {
	return strings.Trim(notInID().ReplaceAllString(text.Fold(s), "-"), "-")
}

// id is the case's number, behind "case-".
func (c caseRow) id() (string, error) {
	number := slug(c.cell("case"))
	if number == "" {
		if _, ok := c.at["case"]; ok {
			return "", c.errorf("case", "is empty; give each case a pseudonym")
		}
		return "", c.table.errorf(c.row, -1, "has no case number, since no column holds them; add one with pseudonyms, or "+
			"say with --columns case=… which it is")
	}

	id := "case-" + number
	if err := evidence.ValidTopicID(id); err != nil {
		return "", c.errorf("case", "makes no topic's id: %v", err)
	}
	return id, nil
}

// tags are the board and the week of its meeting.
func (c caseRow) tags() (tags []string, err error) {
	if board := c.cell("board"); board != "" {
		tags = append(tags, board)
	}

	if date := c.cell("date"); date != "" {
		week, err := meetingWeek(date)
		if err != nil {
			return nil, c.errorf("date", "is no date; write 2026-12-03 or 03.12.2026")
		}
		tags = append(tags, week)
	}
	return tags, nil
}

// dates are how lists write a day. Of 03/12/2026 nobody can tell which is the month, but by the day above 12.
var dates = []string{"2006-01-02", "2.1.2006", "2.1.06", "2006/1/2", "2 Jan 2006", "2 January 2006", "Jan 2, 2006",
	"02-Jan-2006"}

// meetingWeek is the week of a meeting, by ISO 8601: a topic's tag has no full date, which may be a patient's.
func meetingWeek(date string) (string, error) {
	for _, layout := range dates {
		if day, err := time.Parse(layout, date); err == nil {
			year, week := day.ISOWeek()
			return fmt.Sprintf("%d-w%02d", year, week), nil
		}
	}
	return "", fmt.Errorf("%q is no date", date)
}
