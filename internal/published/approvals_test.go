package published

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/xuri/excelize/v2"

	"dossier/internal/evidence"
)

var theNight = time.Date(2026, 11, 27, 6, 0, 0, 0, time.UTC)

// readAll reads files, and holds the accounting to what was seen.
func readAll(t *testing.T, contents ...string) (*Approvals, error) {
	t.Helper()
	c := &Approvals{
		DrugsIn:  func(name string) []string { return []string{strings.ToLower(strings.Fields(name)[0])} },
		Concerns: func(words string) bool { return strings.Contains(words, "melanoma") },
	}
	for i, content := range contents {
		err := c.Read(strings.NewReader(content), int64(len(content)), fmt.Sprintf("file%d", i+1), "2026-11-01", theNight)
		if err != nil {
			return c, err
		}
	}
	files, entries := c.All()
	kept, left := 0, 0
	for _, f := range files {
		kept += f.Kept
		left += f.Seen - f.Kept
	}
	for _, l := range c.LeftOut() {
		left -= l.Rows
	}
	if kept != len(entries) || left != 0 {
		t.Errorf("%d kept of %d entries, %d of those left out are not named: %+v", kept, len(entries), left, c.LeftOut())
	}
	return c, nil
}

func only(t *testing.T, contents ...string) evidence.Approval {
	t.Helper()
	c, err := readAll(t, contents...)
	_, entries := c.All()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, left out %+v, %v", len(entries), c.LeftOut(), err)
	}
	return entries[0]
}

// a label of openFDA's with some of its fields changed: "effective_time", "20230811".
func aLabel(changes ...string) string {
	fields := map[string]string{
		"set_id": `"99000000-0000-4000-8000-000000000001"`, "version": `"3"`, "effective_time": `"20230811"`,
		"indications_and_usage": `["Inventinib is indicated for melanoma."]`,
		"openfda": `{"brand_name": ["INVENTEX"], "generic_name": ["INVENTINIB"], "substance_name": ["INVENTINIB MESYLATE"],
			"product_type": ["HUMAN PRESCRIPTION DRUG"], "application_number": ["NDA999001"]}`,
	}
	for i := 0; i < len(changes); i += 2 {
		fields[changes[i]] = changes[i+1]
	}
	var parts []string
	for name, value := range fields {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%q: %s", name, value))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func labels(all ...string) string {
	return `{"meta": {"last_updated": "2026-11-18", "results": {"skip": 0, "list": [1, {"deep": true}]}}, "results": [` +
		strings.Join(all, ",\n") + "]}"
}

func TestALabelOfOpenFDAs(t *testing.T) {
	a := only(t, labels(aLabel()))
	if a.Agency != "FDA" || a.Date != "2023-08-11" || a.DateOf != evidence.DateOfLabel || !a.IsApproved() ||
		a.FileDate != "2026-11-18" || a.Drugs[0] != "inventinib" || a.Words != "Inventinib is indicated for melanoma." ||
		a.URL != "https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid=99000000-0000-4000-8000-000000000001" ||
		len(a.Names) != 3 {
		t.Errorf("%+v", a)
	}
}

// TestWhatWasNeverAppliedForIsNotApproved: openFDA has labels of drugs that nobody approved.
func TestWhatWasNeverAppliedForIsNotApproved(t *testing.T) {
	for _, number := range []string{`"application_number": ["BN999001"]`, `"other": 1`} {
		a := only(t, labels(aLabel("openfda", `{"generic_name": ["INVENTINIB"], `+number+`}`)))
		if a.IsApproved() {
			t.Errorf("with %s it is %q", number, a.Status)
		}
	}
}

func TestLabelsThatAreLeftOut(t *testing.T) {
	for _, tc := range []struct {
		name, entry, reason string
		fault               bool
	}{
		{"over the counter", aLabel("openfda", `{"generic_name": ["X"], "product_type": ["HUMAN OTC DRUG"]}`),
			"its product is no prescription drug (human otc drug)", false},
		{"of no drug", aLabel("openfda", `{}`), "it names no drug", false},
		{"without words", aLabel("indications_and_usage", ""), "it has no words on what it is for", false},
		{"for no tumour", aLabel("indications_and_usage", `["For dry skin."]`), "it is for no tumour", false},
		{"without a number", aLabel("set_id", `""`), "it has no number of its own", true},
		{"of another form", `{"set_id": {"no": "text"}}`, "it has no form of a label of openFDA's", true},
		{"no object", `"text"`, "it has no form of a label of openFDA's", true},
		{"words without end", aLabel("indications_and_usage", `["melanoma `+strings.Repeat("a", maxWords)+`"]`),
			fmt.Sprintf("its words have more than %d bytes", maxWords), true},
		{"the same again", aLabel(), "another entry has its number, and is as new or newer", false},
		{"another's words", aLabel("set_id", `"99000000-0000-4000-8000-000000000002"`),
			"another label of the same drug has the same words", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := readAll(t, labels(aLabel(), tc.entry))
			if left := c.LeftOut(); err != nil || len(left) != 1 || left[0].Reason != tc.reason || left[0].Fault != tc.fault {
				t.Errorf("left out %+v, %v", left, err)
			}
		})
	}
}

// TestTheNewestVersionStays over several files of one download, and labels with the same words are counted.
func TestTheNewestVersionStays(t *testing.T) {
	a := only(t, labels(aLabel("version", `"10"`, "effective_time", `"20250101"`), aLabel("version", `"9"`)),
		labels(aLabel("set_id", `"another"`)))
	if a.Version != "10" || a.Labels != 2 {
		t.Errorf("version %s of %d labels", a.Version, a.Labels)
	}
}

func TestDaysThatAreNone(t *testing.T) {
	for _, day := range []string{"20261399", "soon", "31/02/2023", "0"} {
		c, err := readAll(t, labels(aLabel("effective_time", `"`+day+`"`)))
		_, entries := c.All()
		if err != nil || len(entries) != 1 || entries[0].Date != "" || len(c.Notes) != 1 ||
			!strings.Contains(c.Notes[0], "1 date can't be read and is left out (first: \""+day+"\" of entry 1") {
			t.Errorf("%s: %+v, %q, %v", day, entries, c.Notes, err)
		}
	}
}

// aMedicine is the EMA's table in its JSON form, with one row.
func aMedicine(status string, more string) string {
	return `{"meta": {"timestamp": "2026-11-20T06:00:00Z"}, "data": [{"category": "Human", "name_of_medicine": "Inventex",
	"ema_product_number": "EMEA/H/C/999001", "medicine_status": "` + status + `", "active_substance": "inventinib mesilate",
	"international_non_proprietary_name_common_name": "inventinib", "therapeutic_indication": "Melanoma\n\nFor melanoma.",
	"marketing_authorisation_date": "26/08/2013"` + more + `}]}`
}

// TestOnlyWhatIsAuthorisedIsApproved, and nothing that was taken back, whatever its status says.
func TestOnlyWhatIsAuthorisedIsApproved(t *testing.T) {
	const withdrawn = "withdrawal_expiry_revocation_lapse_of_marketing_authorisation_date"
	for _, tc := range []struct{ status, more, want string }{
		{"Authorised", "", evidence.StatusApproved},
		{"Authorised", `, "` + withdrawn + `": ""`, evidence.StatusApproved},
		{"Authorised", `, "` + withdrawn + `": "03/04/2021"`, "withdrawal 2021-04-03"},
		{"Authorised", `, "suspension_of_marketing_authorisation_date": "soon"`, "suspension"},
		{"Withdrawn", "", "withdrawn"}, {"Refused", "", "refused"}, {"Suspended", "", "suspended"},
		{"Application withdrawn", "", "application withdrawn"}, {"Not authorised", "", "not authorised"}, {"", "", "no status"},
	} {
		a := only(t, aMedicine(tc.status, tc.more))
		if a.Status != tc.want || a.IsApproved() != (tc.want == evidence.StatusApproved) {
			t.Errorf("%q %s: %q", tc.status, tc.more, a.Status)
		}
		if a.Date != "2013-08-26" || a.DateOf != evidence.DateOfMedicine || a.FileDate != "2026-11-20" || a.Agency != "EMA" ||
			a.Words != "Melanoma\nFor melanoma." || a.Drugs[0] != "inventinib" {
			t.Errorf("%+v", a)
		}
	}
}

// sheet makes a spreadsheet of rows.
func sheet(t *testing.T, rows ...[]any) string {
	t.Helper()
	book := excelize.NewFile()
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = book.SetSheetRow("Sheet1", cell, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var header = []any{"Category", "Name of medicine", "EMA product number", "Medicine status",
	"International non-proprietary name (INN) / common name", "Active substance", "Therapeutic indication",
	"Marketing authorisation date"}

// TestTheTableOfMedicinesAsASpreadsheet: rows above the header tell the day, columns stand anywhere, and a day is a
// text or a spreadsheet's number.
func TestTheTableOfMedicinesAsASpreadsheet(t *testing.T) {
	day := []any{"Human", "Inventex", "EMEA/H/C/999001", "Authorised", "inventinib", "inventinib mesilate", "For melanoma.",
		time.Date(2013, 8, 26, 0, 0, 0, 0, time.UTC)}
	for name, row := range map[string][]any{"a number": day, "a text": append(day[:7:7], "26/08/2013")} {
		a := only(t, sheet(t, []any{"Medicines"}, []any{"Last updated 20/11/2026"}, nil, header, row, nil))
		if a.Date != "2013-08-26" || a.FileDate != "2026-11-20" || !a.IsApproved() || a.ID != "EMEA/H/C/999001" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestIndicationsOfMOAlmanacs: with the document put in, beside it, before or behind it, or not there at all.
func TestIndicationsOfMOAlmanacs(t *testing.T) {
	const own = `"id": "ind:hc.inventex:0", "indication": "For melanoma.", "initial_approval_date": "2017-12-18",
		"initial_approval_url": null, "raw_therapeutics": "Inventex (inventinib) in combination with another"`
	document := func(status string) string {
		return `{"id": "doc:hc.inventex", "documentType": "Regulatory approval", "extensions": [
		{"name": "agent", "value": {"name": "Health Canada"}}, {"name": "drug_name_brand", "value": "Inventex"},
		{"name": "drug_name_generic", "value": "inventinib"}, {"name": "identification_number", "value": null},
		{"name": "status", "value": "` + status + `"}]}`
	}
	beside := `"indications": [{` + own + `, "document_id": "doc:hc.inventex"}]`
	for _, tc := range []struct {
		name, content string
		approved      bool
	}{
		{"put in", `[{` + own + `, "document": ` + document("Active") + `}]`, true},
		{"in a statement", `[{"id": "1", "type": "Statement", "indication": {` + own + `, "document": ` + document("Active") + `}}]`,
			true},
		{"before", `{"documents": [` + document("Active") + `], ` + beside + `}`, true},
		{"behind", `{` + beside + `, "documents": [` + document("Active") + `]}`, true},
		{"not there", `{` + beside + `}`, true},
		{"no longer kept up", `{` + beside + `, "documents": [` + document("Deprecated") + `]}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := only(t, tc.content)
			if a.Agency != "Health Canada" || a.Date != "2017-12-18" || a.DateOf != evidence.DateOfIndication ||
				a.Drugs[0] != "inventinib" || a.Names[0] != "Inventex" || a.IsApproved() != tc.approved {
				t.Errorf("%+v", a)
			}
		})
	}
}

// zipped packs files, each with a size that may be another than it has; 0 is its own.
func zipped(t *testing.T, size uint64, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(names); i += 2 {
		f, err := w.Create(names[i])
		if err == nil {
			_, err = f.Write([]byte(names[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	if at := bytes.Index(data, []byte("PK\x01\x02")); size > 0 {
		binary.LittleEndian.PutUint32(data[at+24:], uint32(size))
	}
	return string(data)
}

func gzipped(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPackedFiles(t *testing.T) {
	content := labels(aLabel())
	for name, packed := range map[string]string{
		"a zip file": zipped(t, 0, "readme.txt", "no JSON", "drug-label-0001-of-0013.json", content), "gzip": gzipped(t, content),
	} {
		if a := only(t, packed); a.Agency != "FDA" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestFilesThatAreNone names the place and what to do, and takes nothing of them.
func TestFilesThatAreNone(t *testing.T) {
	whole := labels(aLabel(), aLabel())
	bomb := `{"results": [` + strings.Repeat("{},"+strings.Repeat(" ", 1<<20), 20)
	for _, tc := range []struct{ name, content, want string }{
		{"empty", "", "it is empty; take openFDA's drug labels"},
		{"no JSON", "name;substance\n", "it is no JSON: invalid character"},
		{"a text", `"label"`, "it is no list and no object of JSON"},
		{"nothing of it", `{"something": [1, 2], "else": {"a": 1}}`, "it holds no labels, no medicines and no indications"},
		{"a list of something", `[{"id": 1}]`, "entry 1: it is no list of indications"},
		{"cut in an entry", whole[:len(whole)-40], "entry 2, byte "},
		{"cut between", whole[:strings.Index(whole, ",\n{")], "it is cut off; get the file again"},
		{"cut in what it says of itself", `{"meta": {"last_updated": "2026`, "it is cut off"},
		{"something behind", whole + "{}", "something stands behind the end of the JSON"},
		{"the wrong table", `{"data": [{"name": "Inventex", "price": 3}]}`, "it is none of the EMA's medicines; missing: name_of"},
		{"two sources", `{"results": [` + aLabel() + `], "indications": [{"id": "1", "indication": "x"}]}`,
			"it holds entries of openfda and of moalmanac; import each by itself"},
		{"an entry without end", `{"results": [{"set_id": "` + strings.Repeat("a", maxEntry+1<<20) + `"}]}`,
			"entry 1, byte "},
		{"a sheet without the header", sheet(t, []any{"Name", "Price"}, []any{"Inventex", 3}),
			"none of its sheets has the EMA's columns (name of medicine, active substance"},
		{"no JSON in it", zipped(t, 0, "a.txt", "x"), "it holds no JSON file and is no spreadsheet"},
		{"a zip file cut off", zipped(t, 0, "a.json", whole)[:200], "it can't be read as a zip file"},
		{"says 5 GB", zipped(t, 0xf0000000, "a.json", whole) /* 4 GB in 32 bits */, "unpacks to more than"},
		{"a bomb", zipped(t, 0, "a.json", bomb), "unpacks to more than 200 times its size"},
		{"a bomb of gzip", gzipped(t, bomb), "unpacks to more than 200 times its size"},
		{"says less than it holds", zipped(t, 10, "a.json", whole), `"a.json" in it: `},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := readAll(t, tc.content)
			if _, entries := c.All(); err == nil || !strings.Contains(err.Error(), tc.want) || len(entries) != 0 {
				t.Errorf("%d entries, %v; want %q", len(entries), err, tc.want)
			}
		})
	}
}

// endless is a label file of many entries that is never there at once.
type endless struct{ left, at int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, errors.New("read to the end")
	}
	n := copy(p, entryOfMany[e.at:])
	if e.at += n; e.at == len(entryOfMany) {
		e.at, e.left = 0, e.left-1
	}
	return n, nil
}

var entryOfMany = aLabel("indications_and_usage", `["For dry skin. `+strings.Repeat("much is written here ", 2000)+`"]`) + ","

// TestALongFileIsNotHeld: of 80 MB memory holds an entry at a time.
func TestALongFileIsNotHeld(t *testing.T) {
	c := &Approvals{DrugsIn: func(string) []string { return nil }, Concerns: func(string) bool { return false }}
	f := &approvalsFile{Approvals: c}
	d := document{field: f.field, element: f.element}
	var most, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	held := now.HeapAlloc
	read := func(key string, n int, value json.RawMessage) error {
		if n%200 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&most)
			if most.HeapAlloc > held+(8<<20) {
				t.Errorf("at entry %d the heap has %d bytes more", n, most.HeapAlloc-held)
			}
		}
		return f.element(key, n, value)
	}
	d.element = read
	err := d.read(io.MultiReader(strings.NewReader(`{"results": [`), &endless{left: 2000}))
	if f.Seen != 2000 || err == nil || len(f.entries) != 0 {
		t.Errorf("%d entries of %d bytes seen, %d kept: %v", f.Seen, len(entryOfMany), len(f.entries), err)
	}
}
