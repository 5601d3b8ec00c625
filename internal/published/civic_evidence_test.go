package published

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/evidence"
)

// newColumns are those of CIViC's files since 2023, in their order.
var newColumns = []string{
	"molecular_profile", "molecular_profile_id", "disease", "doid", "phenotypes", "therapies", "therapy_interaction_type",
	"evidence_type",
	"evidence_direction", "evidence_level", "significance", "evidence_statement", "citation_id", "source_type",
	"asco_abstract_id", "citation",
	"nct_ids", "rating", "evidence_status", "evidence_id", "variant_origin", "last_review_date", "evidence_civic_url",
	"molecular_profile_civic_url", "is_flagged",
}

// curatedRow is a row that can be used, with some cells changed: "column=text".
func curatedRow(changes ...string) map[string]string {
	cells := map[string]string{
		"molecular_profile": "KRAS G12C", "molecular_profile_id": "1", "disease": "Colorectal Cancer", "doid": "9256",
		"therapies": "Sotorasib,Panitumumab", "therapy_interaction_type": "Combination", "evidence_type": "Predictive",
		"evidence_direction": "Supports", "evidence_level": "B", "significance": "Sensitivity/Response",
		"evidence_statement": "An invented study.", "citation_id": "99000003", "source_type": "PubMed", "rating": "4",
		"evidence_status": "accepted", "evidence_id": "90001", "variant_origin": "Somatic",
		"last_review_date":   "2026-01-09 21:46:19 UTC",
		"evidence_civic_url": "https://civicdb.org/links/evidence_items/90001", "is_flagged": "false",
	}
	for _, change := range changes {
		column, text, _ := strings.Cut(change, "=")
		cells[column] = text
	}
	return cells
}

// asFile writes rows below a header.
func asFile(header []string, rows ...map[string]string) string {
	lines := []string{strings.Join(header, "\t")}
	for _, cells := range rows {
		line := make([]string, len(header))
		for i, column := range header {
			line[i] = cells[column]
		}
		lines = append(lines, strings.Join(line, "\t"))
	}
	return strings.Join(lines, "\n") + "\n"
}

// readSummaries reads a file as statements on papers.
func readSummaries(r io.Reader, date evidence.Date) (Summaries, error) {
	in, form, places, width, err := openTable(r)
	if err == nil && form != &evidenceTable {
		err = fmt.Errorf("they are %s", form.what)
	}
	if err != nil {
		return Summaries{}, err
	}
	return readEvidence(in, places, width, date)
}

// quotedHeader is a file as a spreadsheet may save it.
func quotedHeader(text string) string {
	header, rest, _ := strings.Cut(text, "\n")
	return `"` + strings.ReplaceAll(header, "\t", "\"\t\"") + "\"\n" + rest
}

// whole is what row says.
func whole(change func(*evidence.CuratedStatement)) []evidence.CuratedStatement {
	s := evidence.CuratedStatement{
		Source: "civic", ID: "EID90001", PMID: "99000003", Profile: "KRAS G12C", Disease: "Colorectal Cancer",
		Therapies: []string{"Sotorasib", "Panitumumab"}, Interaction: "Combination", Type: "Predictive",
		Direction: "Supports", Level: "B",
		Significance: "Sensitivity/Response", Statement: "An invented study.", Rating: 4, Status: "accepted",
		Origin:   "Somatic",
		Reviewed: "2026-01-09", URL: "https://civicdb.org/links/evidence_items/90001", FileDate: "2026-11-01",
	}
	if change != nil {
		change(&s)
	}
	return []evidence.CuratedStatement{s}
}

func TestReadUnderstandsEveryFormOfTheFile(t *testing.T) {
	older := []string{"gene", "variant", "disease", "drugs", "drug_interaction_type", "evidence_type",
		"evidence_direction", "evidence_level",
		"clinical_significance", "evidence_statement", "pubmed_id", "rating", "evidence_status", "evidence_id",
		"variant_origin", "last_review_date",
		"evidence_civic_url", "is_flagged"}
	inOld := curatedRow()
	for now, then := range map[string]string{"therapies": "drugs", "therapy_interaction_type": "drug_interaction_type",
		"significance": "clinical_significance", "citation_id": "pubmed_id"} {
		inOld[then] = inOld[now]
	}
	inOld["gene"], inOld["variant"] = "KRAS", "G12C"
	statement := func(text string) func(*evidence.CuratedStatement) {
		return func(s *evidence.CuratedStatement) { s.Statement = text }
	}
	for _, tc := range []struct {
		name, text string
		want       []evidence.CuratedStatement
	}{
		{"new columns", asFile(newColumns, curatedRow()), whole(nil)},
		{"older columns", asFile(older, inOld), whole(nil)},
		{"columns in another order", asFile(append(append([]string{}, newColumns[12:]...), newColumns[:12]...), curatedRow()),
			whole(nil)},
		{"a column that nobody knows", asFile(append([]string{"mood"}, newColumns...), curatedRow("mood=bright")), whole(nil)},
		{"a byte order mark", "\ufeff" + asFile(newColumns, curatedRow()), whole(nil)},
		{"a byte order mark before quoted names", "\ufeff" + quotedHeader(asFile(newColumns, curatedRow())), whole(nil)},
		{"Windows line ends", strings.ReplaceAll(asFile(newColumns, curatedRow()), "\n", "\r\n"), whole(nil)},
		{"no end of the last line", strings.TrimSuffix(asFile(newColumns, curatedRow()), "\n"), whole(nil)},
		{"blank lines", asFile(newColumns, curatedRow()) + "\n\n", whole(nil)},
		{"quotation marks in a cell", asFile(newColumns, curatedRow(`evidence_statement=The "best" arm.`)),
			whole(statement(`The "best" arm.`))},
		{"a cell that begins with one", asFile(newColumns, curatedRow(`evidence_statement="Best" arm.`)),
			whole(statement(`"Best" arm.`))},
		{"a cell that has them at both ends", asFile(newColumns, curatedRow(`evidence_statement="Best" and "worst"`)),
			whole(statement(`"Best" and "worst"`))},
		{"a quoted cell", asFile(newColumns, curatedRow(`evidence_statement="The ""best"" arm."`)),
			whole(statement(`The "best" arm.`))},
		{"a quoted cell with a tab and line ends", asFile(newColumns, curatedRow("evidence_statement=\"One.\tTwo.\n\nThree.\"")),
			whole(statement("One.\tTwo.\n\nThree."))},
		{"bytes that are no UTF-8", asFile(newColumns, curatedRow("evidence_statement=a\xffb")), whole(statement("a\ufffdb"))},
		{"a flag, another case, N/A", asFile(newColumns, curatedRow("is_flagged=TRUE", "evidence_level=b",
			"evidence_status=Submitted",
			"therapies=", "significance=N/A", "rating=")),
			whole(func(s *evidence.CuratedStatement) {
				s.Flagged, s.Status, s.Therapies, s.Significance, s.Rating = true, "submitted", nil, "", 0
			})},
		{"a link that leads to another place",
			asFile(newColumns, curatedRow("evidence_civic_url=https://civicdb.org.example.com/x")),
			whole(func(s *evidence.CuratedStatement) { s.URL = "" })},
		{"a link that runs a script", asFile(newColumns, curatedRow("evidence_civic_url=javascript:alert(1)//civicdb.org")),
			whole(func(s *evidence.CuratedStatement) { s.URL = "" })},
		{"the header alone", asFile(newColumns), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readSummaries(strings.NewReader(tc.text), "2026-11-01")
			if err != nil || len(got.LeftOut) > 0 {
				t.Fatalf("left out %+v, error %v", got.LeftOut, err)
			}
			if diff := cmp.Diff(tc.want, got.Statements); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadCountsWhatItLeavesOut(t *testing.T) {
	long := strings.Repeat("x", maxStatement+1)
	for _, tc := range []struct {
		name   string
		row    map[string]string
		reason string
		fault  bool
	}{
		{"no evidence id", curatedRow("evidence_id="), "it has no evidence id", true},
		{"a level that is none", curatedRow("evidence_level=F"), `its level "F" is none of CIViC's`, true},
		{"no level", curatedRow("evidence_level="), `its level "" is none of CIViC's`, true},
		{"two levels", curatedRow("evidence_level=AB"), `its level "AB" is none of CIViC's`, true},
		{"rejected", curatedRow("evidence_status=rejected"), "CIViC's editors have rejected it", false},
		{"a status that is none", curatedRow("evidence_status=maybe"), `its status "maybe" is none of CIViC's`, true},
		{"an abstract of ASCO", curatedRow("source_type=ASCO", "citation_id=155552"), "it cites ASCO, not a paper of PubMed's",
			false},
		{"an abstract of ASH", curatedRow("source_type=ASH"), "it cites ASH, not a paper of PubMed's", false},
		{"no PMID", curatedRow("citation_id=n/a"), "it has no PMID", true},
		{"a statement without end", curatedRow("evidence_statement=" + long), "its evidence_statement has more than 16384 bytes",
			true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readSummaries(strings.NewReader(asFile(newColumns, curatedRow("evidence_id=1"), tc.row)), "")
			if err != nil || len(got.Statements) != 1 || got.Rows != 2 {
				t.Fatalf("%d statements of %d rows, error %v", len(got.Statements), got.Rows, err)
			}
			first := "EID90001 in line 3"
			if tc.row["evidence_id"] == "" {
				first = "line 3"
			}
			want := []evidence.LeftOut{{Reason: tc.reason, Rows: 1, First: first, Fault: tc.fault}}
			if diff := cmp.Diff(want, got.LeftOut); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
		})
	}
}

// A damaged row costs itself alone: what stands behind it is read.
func TestADamagedRowCostsNoOther(t *testing.T) {
	good := strings.SplitAfter(asFile(newColumns, curatedRow("evidence_id=1"), curatedRow("evidence_id=2")), "\n")
	for _, tc := range []struct{ name, between, reason string }{
		{"too few cells", "KRAS G12C\tColorectal Cancer\n", errCells.Error()},
		{"a quote without an end", "KRAS G12C\t\"Colorectal Cancer\n", errCells.Error()},
		{"text behind a quoted cell", "KRAS\t\"G12C\"x\n", errCells.Error()},
		{"a line without end", strings.Repeat("x", maxLineSize+1) + "\n", errLongLine.Error()},
		{"a quote without an end before a line without end", "", errLongLine.Error()},
		{"the same id again", good[1], "its evidence id stands in the file before, and that row counts"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := 1
			if tc.between == "" {
				tc.between, want = "KRAS\t\"G12C\n"+strings.Repeat("x", maxLineSize+1)+"\n", 2
			}
			got, err := readSummaries(strings.NewReader(good[0]+good[1]+tc.between+good[2]), "")
			if err != nil || len(got.Statements) != 2 || len(got.LeftOut) != want || got.Rows != 2+want {
				t.Fatalf("%+v, %v", got, err)
			}
			if got.LeftOut[len(got.LeftOut)-1].Reason != tc.reason && got.LeftOut[0].Reason != tc.reason {
				t.Errorf("left out %+v, want %q", got.LeftOut, tc.reason)
			}
		})
	}
}

// A reader that fails amid a row fails the file: what it had given of the row must not pass for all of it.
func TestAFailureAmidARowEndsTheFile(t *testing.T) {
	text := asFile(newColumns, curatedRow(), curatedRow("evidence_id=2"))
	quoted := text + "KRAS\t\"G12C\n" + text
	for name, whole := range map[string]string{"a row": text, "a row whose end is looked for": quoted} {
		for cut := strings.Index(text, "\n") + 1; cut < len(whole); cut += 7 {
			broken := io.MultiReader(strings.NewReader(whole[:cut]), iotest.ErrReader(errors.New("the disk is gone")),
				strings.NewReader(whole[cut:]))
			if got, err := readSummaries(broken, ""); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
				t.Fatalf("%s, cut at %d: %v, %+v", name, cut, err, got)
			}
		}
	}
}

func TestReadRefusesWhatIsNoFileOfCIViCs(t *testing.T) {
	without := func(columns ...string) string {
		return asFile(strings.Fields(strings.NewReplacer(columns[0], "", columns[len(columns)-1],
			"").Replace(strings.Join(newColumns, " "))), curatedRow())
	}
	for _, tc := range []struct {
		name string
		in   io.Reader
		want string
	}{
		{"nothing", strings.NewReader(""),
			"it is empty; take CIViC's ClinicalEvidenceSummaries.tsv"},
		{"a web page", strings.NewReader("<html><body>Moved</body></html>\n"),
			"its columns are those of no file that is read (first: \"<html>"},
		{"a column less", strings.NewReader(without("evidence_id")), "missing columns: evidence_id; take"},
		{"two columns less", strings.NewReader(without("disease", "citation_id")),
			"missing columns: disease, citation_id; take"},
		{"a gene without its variant", strings.NewReader(asFile(append([]string{"gene"}, newColumns[1:]...), curatedRow())),
			"missing columns: molecular_profile; take"},
		{"CIViC's other table", strings.NewReader("gene\tvariant\tvariant_id\nKRAS\tG12C\t1\n"), "no file that is read"},
		{"commas for tabs",
			strings.NewReader(strings.ReplaceAll(asFile(newColumns, curatedRow()), "\t", ",")), "no file that is read"},
		{"a column twice", strings.NewReader(asFile(append([]string{"disease"}, newColumns...), curatedRow())),
			`the column "disease" is there twice`},
		{"a reader that fails", iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(asFile(newColumns, curatedRow())))),
			"line 1: timeout"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readSummaries(tc.in, "")
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q; got %+v", err, tc.want, got)
			}
		})
	}
}

func TestStatementsComeInOrderOfNumber(t *testing.T) {
	got, err := readSummaries(strings.NewReader(asFile(newColumns, curatedRow("evidence_id=100"), curatedRow("evidence_id=20"),
		curatedRow("evidence_id=3"))), "")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range got.Statements {
		ids = append(ids, s.ID)
	}
	if diff := cmp.Diff([]string{"EID3", "EID20", "EID100"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDateIn(t *testing.T) {
	for _, tc := range []struct {
		name string
		want evidence.Date
	}{
		{"01-Nov-2026-ClinicalEvidenceSummaries.tsv", "2026-11-01"},
		{"civic-01-Feb-2024-ClinicalEvidenceSummaries.tsv.gz", "2024-02-01"},
		{"nightly-2026-11-20.tsv", "2026-11-20"},
		{"nightly-ClinicalEvidenceSummaries.tsv", ""},
		{"31-Feb-2026-ClinicalEvidenceSummaries.tsv", ""},
		{"01-Nix-2026.tsv", ""},
		{"123-01-Nov-20261.tsv", ""},
	} {
		if got := DateIn(tc.name); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// FuzzRead: no file makes the reader panic, no row goes uncounted, and every statement keeps the reader's promises.
func FuzzRead(f *testing.F) {
	f.Add([]byte(asFile(newColumns, curatedRow(), curatedRow("evidence_id=2", `evidence_statement="a ""b"""`), curatedRow("evidence_level=Z"))))
	f.Add([]byte(asFile(newColumns, curatedRow("evidence_statement=\"a\tb\nc\""))))
	f.Add([]byte("\ufeff" + strings.ReplaceAll(asFile(newColumns, curatedRow()), "\n", "\r\n")))
	f.Add([]byte(asFile(newColumns, curatedRow()) + "\"\n\"\"\t\"x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readSummaries(bytes.NewReader(text), "2026-11-01")
		if err != nil {
			return
		}
		left := 0
		for _, l := range got.LeftOut {
			left += l.Rows
		}
		if got.Rows != len(got.Statements)+left {
			t.Errorf("%d rows, %d statements and %d left out", got.Rows, len(got.Statements), left)
		}
		for _, s := range got.Statements {
			promised := evidenceID().MatchString(s.ID) && pmidRE().MatchString(s.PMID) && strings.Contains("ABCDE", s.Level) &&
				len(s.Level) == 1 &&
				(s.URL == "" || strings.HasPrefix(s.URL, "https://civicdb.org")) && len(s.Statement) <= 3*maxStatement &&
				s.FileDate == "2026-11-01"
			if !promised {
				t.Errorf("%+v", s)
			}
		}
		again, err := readSummaries(bytes.NewReader(text), "2026-11-01")
		if diff := cmp.Diff(fmt.Sprint(got), fmt.Sprint(again)); diff != "" || err != nil {
			t.Errorf("the same file again: %v\n%s", err, diff)
		}
	})
}
