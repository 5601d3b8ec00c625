package published

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// emaColumns are the columns read from the EMA's table, each with its earlier names; the JSON form has the same names
// with underscores.
var emaColumns = []struct {
	name   string
	others []string
	needed bool
}{
	{name: "name_of_medicine", others: []string{"medicine_name"}, needed: true},
	{name: "active_substance", needed: true},
	{name: "international_non_proprietary_name_common_name", others: []string{
		"international_non_proprietary_name_inn_common_name"}},
	{name: "medicine_status", others: []string{"authorisation_status"}, needed: true},
	{name: "therapeutic_indication", others: []string{"condition_indication"}, needed: true},
	{name: "marketing_authorisation_date", needed: true},
	{name: "category"},
	{name: "ema_product_number", others: []string{"product_number"}, needed: true},
	{name: "medicine_url", others: []string{"url"}},
	{name: "withdrawal_expiry_revocation_lapse_of_marketing_authorisation_date"},
	{name: "refusal_of_marketing_authorisation_date"},
	{name: "suspension_of_marketing_authorisation_date"},
}

// taken are the columns with the day on which an authorisation was taken back, or refused.
var taken = []string{
	"withdrawal_expiry_revocation_lapse_of_marketing_authorisation_date", "refusal_of_marketing_authorisation_date",
	"suspension_of_marketing_authorisation_date",
}

// medicine is a row of the EMA's table, keyed by emaColumns' names.
type medicine map[string]string

// dataElement reads an element of a list "data": a medicine, or an indication of MOAlmanac's.
func (f *approvalsFile) dataElement(n int, value json.RawMessage) error {
	var fields map[string]any
	if err := json.Unmarshal(value, &fields); err != nil {
		if err := f.see(); err != nil {
			return err
		}
		f.left.Add("it is no object of JSON", fmt.Sprintf("entry %d", n), true)
		return nil
	}

	if fields["indication"] != nil {
		return f.almanacElement(n, value)
	}

	at, missing := emaPlaces(func(name string) (string, bool) { _, ok := fields[name]; return name, ok })
	if len(missing) > 0 && f.Source == "" {
		return fmt.Errorf("it is none of the EMA's medicines; missing: %s; %s", strings.Join(missing, ", "), whereApprovals)
	}

	m := medicine{}
	for column, name := range at {
		if s, ok := fields[name].(string); ok {
			m[column] = s
		}
	}
	return f.medicine(m, fmt.Sprintf("entry %d", n))
}

// emaPlaces finds the columns; find returns the place of a name.
func emaPlaces[P any](find func(name string) (P, bool)) (at map[string]P, missing []string) {
	at = map[string]P{}
	for _, c := range emaColumns {
		place, ok := find(c.name)
		for i := 0; !ok && i < len(c.others); i++ {
			place, ok = find(c.others[i])
		}

		switch {
		case ok:
			at[c.name] = place
		case c.needed:
			missing = append(missing, c.name)
		}
	}
	return at, missing
}

func (f *approvalsFile) medicine(m medicine, where string) error {
	if err := f.is(evidence.ApprovalsEMA); err != nil {
		return err
	}

	if err := f.see(); err != nil {
		return err
	}

	name := text.Line(m["name_of_medicine"])
	if name != "" {
		where = fmt.Sprintf("%s, %.60s", where, name)
	}

	if category := text.Line(m["category"]); category != "" && !strings.EqualFold(category, "Human") {
		f.left.Add("it is no medicine for people", where, false)
		return nil
	}
	substance, common := m["active_substance"], m["international_non_proprietary_name_common_name"]

	a := &evidence.Approval{
		Agency: "EMA", ID: text.Line(m["ema_product_number"]), Words: words(m["therapeutic_indication"]),
		Names: append([]string{name}, parts(substance+";"+common)...), Status: f.emaStatus(m, where),
	}
	if date, ok := f.date(m["marketing_authorisation_date"], where); ok && date != "" {
		a.Date, a.DateOf = date, evidence.DateOfMedicine
	}

	if address := strings.TrimSpace(m["medicine_url"]); strings.HasPrefix(address, "https://www.ema.europa.eu/") &&
		len(address) < maxName {
		a.URL = address
	}

	if text.Line(common) != "" {
		substance = common
	}
	f.substances(a, parts(substance))
	f.keep(a, where)
	return nil
}

// emaStatus is approved if the table has Authorised and no day on which this was taken back.
func (f *approvalsFile) emaStatus(m medicine, where string) string {
	status := strings.ToLower(text.Line(m["medicine_status"]))
	for _, column := range taken {
		if value := strings.TrimSpace(m[column]); status == "authorised" && value != "" {
			what, _, _ := strings.Cut(column, "_")
			if day, ok := f.date(value, where); ok {
				return fmt.Sprintf("%s %s", what, day)
			}
			return what
		}
	}

	switch {
	case status == "authorised":
		return evidence.StatusApproved
	case status == "" || len(status) > maxName:
		return "no status"
	}
	return status
}

// parts are the substances in a list of the EMA's: separated by comma, semicolon, line or slash.
func parts(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",;/\n", r) })
}

// headerWithin is how many rows may precede a table's header.
const headerWithin = 60

// readTable reads the first sheet with the table.
func (f *approvalsFile) readTable(in Input) (err error) {
	book, err := excelize.OpenReader(in, excelize.Options{
		UnzipSizeLimit: 256 << 20, UnzipXMLSizeLimit: 16 << 20, RawCellValue: true,
	})
	if err != nil {
		return fmt.Errorf("it can't be read as a spreadsheet: %w; get it again", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()

	for _, sheet := range book.GetSheetList() {
		if err := f.readSheet(book, sheet); err != nil {
			return err
		}

		if f.Source != "" {
			return nil
		}
	}
	return fmt.Errorf("none of its sheets has the EMA's columns (%s) in one of its first %d rows; %s", neededColumns(),
		headerWithin, whereApprovals)
}

func neededColumns() string {
	var names []string
	for _, c := range emaColumns {
		if c.needed {
			names = append(names, strings.ReplaceAll(c.name, "_", " "))
		}
	}
	return strings.Join(names, ", ")
}

func (f *approvalsFile) readSheet(book *excelize.File, sheet string) (err error) {
	rows, err := book.Rows(sheet)
	if err != nil {
		return fmt.Errorf("sheet %.60q can't be read: %w", sheet, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()

	var at map[string]int
	for n := 1; rows.Next(); n++ {
		cells, err := rows.Columns()
		if err != nil {
			return fmt.Errorf("sheet %.60q, row %d can't be read: %w", sheet, n, err)
		}

		switch {
		case at != nil:
			if err := f.row(cells, at, n); err != nil {
				return err
			}
		case n > headerWithin:
			return nil
		default:
			at = f.header(cells)
		}
	}
	return rows.Error()
}

// header finds the columns in a row; nil if the row is no header. A row above it may give the table's day.
func (f *approvalsFile) header(cells []string) map[string]int {
	names := map[string]int{}
	for i, cell := range cells {
		names[columnName(cell)] = i
	}

	at, missing := emaPlaces(func(name string) (int, bool) { i, ok := names[name]; return i, ok })
	if len(missing) == 0 {
		f.Source = evidence.ApprovalsEMA
		return at
	}

	for _, cell := range cells {
		if m := dayInText().FindStringSubmatch(cell); m != nil {
			if day, ok := anyDay(m[1]); ok {
				f.Date = day
			}
		}
	}
	return nil
}

var dayInText = text.LazyRegexp(`\b([0-9]{2}/[0-9]{2}/[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})\b`)

// columnName is a heading as the JSON form has it: "Name of medicine" is name_of_medicine.
func columnName(heading string) string {
	return strings.Join(text.Tokens(text.Fold(heading)), "_")
}

func (f *approvalsFile) row(cells []string, at map[string]int, n int) error {
	m, filled := medicine{}, false
	for column, i := range at {
		if i < len(cells) {
			m[column] = cells[i]
			filled = filled || strings.TrimSpace(cells[i]) != ""
		}
	}

	if !filled {
		return nil
	}
	return f.medicine(m, fmt.Sprintf("row %d", n))
}

// sheetDay reads a spreadsheet's number of a day.
func sheetDay(value string) (evidence.Date, bool) {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || number < 10_000 || number > 200_000 { // 1927 to 2447
		return "", false
	}
	day, err := excelize.ExcelDateToTime(number, false)
	return evidence.DateOf(day), err == nil
}
