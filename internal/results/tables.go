package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Row is a table's row, read with its headings: an endpoint or a characteristic, each arm's value, and the effect.
// Cells of another kind of row are in Arms, under the heads of their columns.
type Row struct {
	Table  string // the table's label, as "Table 2"
	Number int    // of the row, from 1, including the head
	Of     string // the row's subject: its first cell, with the heading above it
	Arms   []ArmCell
	Effect string // "HR 0.41 (95% CI 0.30–0.57)"; empty if there is none
	P      string // "P<0.001"
	IsPart bool   // it covers only a part of the patients
	IsBase bool   // its table describes the patients
}

// ArmCell is a cell under an arm.
type ArmCell struct {
	Arm     string
	Measure bool   // the head names a measurement, not an arm
	N       int    // patients of the arm, from its head; 0 if not stated
	Text    string // with its unit, from the row's first cell or the head
}

// Bounds on what is read from one text's tables.
const (
	maxTableRows = 1500 // of all tables together
	maxArmCells  = 12   // of a row
	maxCell      = 300  // bytes of a cell
)

var (
	numberInHead = plaintext.LazyRegexp(`(?i)[\[(,;]?\s*\bN\s*[=:]\s*(\d[\d,\x{a0}\x{2009} ]*)\s*[\])]?`)
	shareInHead  = plaintext.LazyRegexp(`(?i)[,;]?\s*[\[(]?\b(?:no|n|number)\.?\s*\(%\)\s*[\])]?|[,;]\s*%|\(%\)`)
	ratioHead    = plaintext.LazyRegexp(`(?i:\b(?:hazard|odds|risk|rate) ratios?\b|\brelative risks?\b)|\b[as]?(?:HR|OR|RR)s?\b`)
	intervalHead = plaintext.LazyRegexp(`(?i)[,;]?\s*[\[(]?\s*\d\d(?:[.·]\d)?\s*%\s*(?:CI|confidence intervals?)\s*[\])]?`)
	chanceHead   = plaintext.LazyRegexp(`(?i)^\W*p\b[\s-]*(?:values?\b)?|\bp[\s-]values?\b`)
	measureHead  = plaintext.LazyRegexp(`(?i)^(?:no|n|number|patients|participants|events?|responses?|any grade|grade|` +
		`values?|all|medians?|means?|rates?|complete|partial|\d+[ -]months?)\b`)
	baseCaption   = plaintext.LazyRegexp(`(?i)\b(?:baseline|characteristics?|demographics?)\b|^(?:patients|participants)\b`)
	gapHead       = plaintext.LazyRegexp(`(?i)\bdifference\b`)
	unitHead      = plaintext.LazyRegexp(`(?i)(?:[,;\[(]|\bin)\s*(months?|mo|weeks?|wk|days?|years?|yrs?)\b\.?\s*[\])]?`)
	unitBehind    = plaintext.LazyRegexp(`(?i)\d\s*(?:months?|mo|weeks?|wk|days?|years?|yrs?)\b`)
	firstNumber   = plaintext.LazyRegexp(`^[<>≤≥~≈]?\s*\d+(?:[.·,]\d+)*`)
	innerNumber   = plaintext.LazyRegexp(`\(\s*([<>]?\d+(?:[.·]\d+)?)\s*\)`)
	countAndShare = plaintext.LazyRegexp(`^(\d+) \(([<>]?[\d.·]+%)\)$`)
	spanOfTwo     = plaintext.LazyRegexp(`\(?\s*(\d+(?:[.·]\d+)?\s*(?:[-–—−,;]|to)\s*(?:\d+(?:[.·]\d+)?|NR|NE|NA|∞|not \w+))\s*\)?`)
)

// RowsOf reads the tables of a text that have a head and rows with numbers.
func RowsOf(b *evidence.Body) (out []Row) {
	for i := range b.Tables {
		t := newTable(&b.Tables[i])
		for n := t.head; n < len(t.Rows) && len(out) < maxTableRows; n++ {
			if row, ok := t.row(n); ok {
				out = append(out, row)
			}
		}
	}
	return out
}

// columnKind is what a column holds.
type columnKind int

const (
	armColumn     columnKind = iota
	measureColumn            // "Response rate" beside "Patients"
	ratioColumn
	intervalColumn
	chanceColumn
	gapColumn
)

type column struct {
	kind columnKind
	name string // of the arm, or of the effect
	n    int
	said string // the whole head
}

// table is a table being read.
type table struct {
	*evidence.BodyTable
	head    int // rows
	columns []column
	on      string // the outcome that the caption names, if rows are groups of patients
	under   string // the heading above the rows
}

func newTable(of *evidence.BodyTable) *table {
	t := &table{BodyTable: of, head: min(max(of.Header, 1), len(of.Rows))}

	width := 0
	for _, row := range of.Rows[:t.head] {
		width = max(width, len(row))
	}

	for k := range width {
		var parts []string
		for _, row := range of.Rows[:t.head] {
			if k < len(row) {
				parts = appendNew(parts, plaintext.Line(row[k]))
			}
		}
		t.columns = append(t.columns, columnOf(strings.TrimSpace(strings.Join(parts, " "))))
	}

	if named := Outcomes(of.Caption); len(named) > 0 {
		t.on = named[0].In(of.Caption)
	}
	return t
}

func appendNew(all []string, one string) []string {
	if one == "" || slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}

func columnOf(head string) column {
	c := column{said: head}

	ratio := ratioHead().FindString(head)
	switch {
	case ratio != "":
		c.kind, c.name = ratioColumn, shortRatio(ratio)
	case chanceHead().MatchString(head):
		c.kind = chanceColumn
	case gapHead().MatchString(head):
		c.kind, c.name = gapColumn, "difference"
	case strings.TrimSpace(intervalHead().ReplaceAllString(head, "")) == "" && head != "":
		c.kind = intervalColumn
	}

	if m := numberInHead().FindStringSubmatch(head); m != nil {
		c.n, _ = strconv.Atoi(onlyDigits(m[1]))
	}

	if c.kind == armColumn {
		if c.n == 0 && (len(Outcomes(head)) > 0 || measureHead().MatchString(head)) {
			c.kind = measureColumn
		}

		for _, re := range []plaintext.Pattern{numberInHead, shareInHead, intervalHead} {
			head = re().ReplaceAllString(head, " ")
		}
		c.name = trimName(plaintext.AtWord(plaintext.Line(head), maxArm))
	}
	return c
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// shortRatio is how a sentence writes the name of a ratio.
func shortRatio(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.HasPrefix(lower, "hazard"):
		return "HR"
	case strings.HasPrefix(lower, "odds"):
		return "OR"
	case strings.HasPrefix(lower, "risk"), strings.HasPrefix(lower, "relative"), strings.HasPrefix(lower, "rate"):
		return "RR"
	}
	return strings.TrimSuffix(name, "s")
}

// row reads the n-th row; ok is false for one without numbers, which may be the heading of the next ones.
func (t *table) row(n int) (out Row, ok bool) {
	cells := plaintext.Each(t.Rows[n], func(s string) string { return plaintext.AtWord(plaintext.Line(s), maxCell) })
	if len(cells) == 0 || cells[0] == "" {
		return out, false
	}

	rest := slices.DeleteFunc(slices.Clone(cells[1:]), func(s string) bool { return s == "" || s == cells[0] })
	if len(rest) == 0 {
		t.under = cells[0]
		return out, false
	}

	if !strings.ContainsAny(strings.Join(rest, ""), "0123456789") {
		return out, false
	}
	out = Row{Table: t.Label, Number: n + 1, IsBase: baseCaption().MatchString(t.Caption)}
	out.Of, out.IsPart = t.subject(cells[0])
	interval := ""

	name := ""
	for k := 1; k < len(cells) && k < len(t.columns); k++ {
		cell := cells[k]
		if cell == "" || strings.Trim(cell, "-–—−. ") == "" {
			continue
		}

		switch c := &t.columns[k]; c.kind {
		case ratioColumn, gapColumn:
			if out.Effect == "" {
				name, out.Effect = c.name, cell
			}
		case intervalColumn:
			interval = cell
		case chanceColumn:
			out.P = probabilityText(cell)
		default:
			if len(out.Arms) < maxArmCells {
				wording := withUnit(cell, plaintext.Join(" ", cells[0], t.under, t.columns[0].said), c.said)
				out.Arms = append(out.Arms, ArmCell{c.name, c.kind == measureColumn, c.n, wording})
			}
		}
	}

	if ratio := ratioHead().FindStringIndex(cells[0]); ratio != nil && ratio[0] == 0 && out.Effect == "" && len(rest) > 0 {
		name, out.Effect, out.Arms = shortRatio(ratioHead().FindString(cells[0])), rest[0], nil // from a row of its own
		out.Of = cmp.Or(t.under, t.on, out.Of)
	}

	if out.Effect != "" {
		out.Effect = effectText(name, out.Effect, interval)
	}
	return out, out.Effect != "" || len(out.Arms) > 0
}

// subject is what a row is about. "Median, months" means nothing without the heading above it, nor does a group of
// patients without the outcome in the caption.
func (t *table) subject(label string) (of string, isPart bool) {
	own := strings.TrimRight(strings.TrimSpace(unitless(label)), ",;: ")
	switch {
	case len(Outcomes(label)) > 0:
		return own, false
	case len(Outcomes(t.under)) > 0:
		return unitless(t.under) + ", " + own, false
	case t.on != "" && slices.ContainsFunc(t.columns, func(c column) bool { return c.kind == ratioColumn }):
		return t.on + " in the subgroup " + plaintext.Join(" ", t.under, own), true
	}
	return plaintext.Join(", ", t.under, own), false
}

// unitless removes the notes on its numbers from a row's first cell: unit, share, interval.
func unitless(label string) string {
	for _, re := range []plaintext.Pattern{intervalHead, shareInHead, unitHead} {
		label = re().ReplaceAllString(label, "")
	}
	return plaintext.Line(strings.ReplaceAll(label, "()", ""))
}

// withUnit writes a cell as a sentence would, with the unit from the row's first cell or the head.
func withUnit(cell, label, head string) string {
	if m := spanOfTwo().FindStringSubmatchIndex(cell); m != nil && m[0] > 0 && cell[m[0]] == '(' &&
		intervalHead().MatchString(label+" | "+head) {
		cell = cell[:m[2]] + "95% CI " + cell[m[2]:]
		return valueWithUnit(cell[:m[0]], label, head) + cell[m[0]:]
	}
	return valueWithUnit(cell, label, head)
}

func valueWithUnit(cell, label, head string) string {
	bare := intervalHead().ReplaceAllString(label+" | "+head, "")
	switch {
	case strings.Contains(cell, "%") || unitBehind().MatchString(cell):
		return cell
	case strings.Contains(bare, "(%)") || strings.Contains(bare, "%") && innerNumber().MatchString(cell):
		if innerNumber().MatchString(cell) {
			return innerNumber().ReplaceAllString(cell, "(${1}%)")
		}
		return cell
	case strings.Contains(bare, "%"):
		return insertUnit(cell, "%")
	}

	if m := unitHead().FindStringSubmatch(bare); m != nil {
		long := map[string]string{"mo": "months", "wk": "weeks", "yr": "years", "yrs": "years"}
		unit := strings.ToLower(m[1])
		return insertUnit(cell, " "+cmp.Or(long[unit], unit))
	}
	return cell
}

// insertUnit puts a unit behind a cell's first number.
func insertUnit(cell, unit string) string {
	number := firstNumber().FindString(cell)
	if number == "" {
		return cell
	}
	return number + unit + cell[len(number):]
}

// effectText is an effect as a sentence writes it.
func effectText(name, cell, interval string) string {
	if interval != "" {
		cell += " (" + strings.Trim(interval, "()[] ") + ")"
	}

	number := firstNumber().FindString(cell)
	if m := spanOfTwo().FindStringSubmatch(cell[len(number):]); m != nil && number != "" {
		return name + " " + number + " (95% CI " + m[1] + ")"
	}
	return name + " " + cell
}

// probabilityText is a probability as a sentence writes it.
func probabilityText(cell string) string {
	cell = strings.TrimSpace(strings.TrimLeft(cell, "Pp "))
	if cell == "" || strings.ContainsAny(cell[:1], "<>=≤≥") {
		return "P" + cell
	}
	return "P=" + cell
}

// Sentence writes the row as a paper's text would, for readers of sentences: shares before the numbers that they are
// of.
func (r *Row) Sentence() string {
	var cells, counts []string
	for _, a := range r.Arms {
		wording := a.Text
		if m := countAndShare().FindStringSubmatch(wording); m != nil {
			wording, counts = m[2], append(counts, m[1])
		}

		switch {
		case a.Measure:
			wording = plaintext.Join(" ", a.Arm, wording)
		case len(r.Arms) > 1:
			wording = plaintext.Join(" with ", wording, a.Arm)
		}
		cells = append(cells, wording)
	}

	wording := r.Of
	switch n := len(cells); {
	case n == 2:
		wording += " was " + cells[0] + " and " + cells[1]
	case n > 0:
		wording += " was " + strings.Join(cells, ", ")
	}

	if len(counts) > 0 {
		wording += " (n = " + strings.Join(counts, " and ") + ")"
	}

	if behind := plaintext.Join(", ", r.Effect, r.P); behind != "" {
		wording += " (" + strings.NewReplacer(" (", ", ", ")", "").Replace(behind) + ")"
	}
	return wording + "."
}
