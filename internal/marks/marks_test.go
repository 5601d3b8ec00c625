package marks

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func add(t *testing.T, j *Journals, reader, record string, d Decision, minute int) {
	t.Helper()
	m := Mark{Reader: reader, Topic: "kras", Record: record, Decision: d,
		At: noon.Add(time.Duration(minute) * time.Minute)}
	if d == Exclude {
		m.Reason = "wrong outcome"
	}
	err := j.Add(m)
	if err != nil {
		t.Fatal(err)
	}
}

func sheetOf(t *testing.T, j *Journals) (Sheet, string) {
	t.Helper()
	s, warnings := j.Of("kras")
	return s, strings.Join(warnings, "\n")
}

// shown tells the decisions on records in words.
func shown(s *Sheet, records ...string) string {
	var parts []string
	for _, r := range records {
		for _, m := range s.Decisions(r) {
			parts = append(parts, fmt.Sprintf("%s %s %s", m.Reader, m.Decision, r))
		}
	}
	return strings.Join(parts, ", ")
}

func TestTheLastDecisionCounts(t *testing.T) {
	data := t.TempDir()
	j := In(data)
	if s, warnings := sheetOf(t, j); len(s.marks) > 0 || warnings != "" {
		t.Errorf("before any mark: %v %s", s, warnings)
	}
	add(t, j, "Ada", "PMID:99000001", Keep, 0)
	add(t, j, "Ada", "PMID:99000001", Exclude, 1)
	add(t, j, "  Ada\t", "PMID:99000002", Keep, 2)
	add(t, j, "Ben", "PMID:99000001", Keep, 3)
	add(t, j, "Ben", "PMID:99000002", Keep, 4)
	add(t, j, "Ben", "PMID:99000002", Undecided, 5)
	s, warnings := sheetOf(t, In(data))
	want := "Ada exclude PMID:99000001, Ben keep PMID:99000001, Ada keep PMID:99000002"
	if got := shown(&s, "PMID:99000001", "PMID:99000002"); got != want || warnings != "" {
		t.Errorf("marks %q, want %q; %s", got, want, warnings)
	}
	if diff := cmp.Diff([]string{"Ada", "Ben"}, s.Readers); diff != "" {
		t.Error(diff)
	}
	if d := s.Decided("PMID:99000002", "Ben").Decision; d != Undecided {
		t.Errorf("what was taken back is %s", d)
	}
}

// TestNamesBecomeNoPaths: whatever a reader types, nothing is written outside the folder, and the name comes back as it
// was typed.
func TestNamesBecomeNoPaths(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	j := In(data)
	names := []string{"../../../evil", "/etc/passwd", "CON", "a\x00b", `C:\x`, "<script>alert(1)</script>",
		"Müller ßé 北", "."}
	for i, name := range names {
		add(t, j, name, "PMID:99000001", Keep, i)
	}
	s, warnings := sheetOf(t, j)
	if len(s.Readers) != len(names) || warnings != "" {
		t.Errorf("readers %q; %s", s.Readers, warnings)
	}
	err := filepath.Walk(filepath.Dir(data), func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !strings.HasPrefix(path,
			filepath.Join(data, "marks", "kras")+string(filepath.Separator)) {
			t.Errorf("written to %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNoMark(t *testing.T) {
	j := In(t.TempDir())
	for _, tc := range []struct {
		name string
		mark Mark
		want string
	}{
		{"no name", Mark{Reader: " \n", Topic: "kras", Record: "PMID:1", Decision: Keep}, "write your name"},
		{"a long name", Mark{Reader: strings.Repeat("x", 61), Topic: "kras", Record: "PMID:1", Decision: Keep},
			"more than 60"},
		{"a path for a topic", Mark{Reader: "Ada", Topic: "../x", Record: "PMID:1", Decision: Keep}, "../x"},
		{"no record", Mark{Reader: "Ada", Topic: "kras", Decision: Keep}, "no record's id"},
		{"no reason", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Exclude}, "choose wrong population"},
		{"an unknown reason", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Exclude, Reason: "dull"},
			"is no reason; choose wrong population"},
		{"another reason that is not said", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Exclude,
			Reason: OtherReason}, "in a note which"},
		{"a reason to keep", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Keep, Reason: "duplicate"},
			"neither a reason"},
		{"presenting settles nothing", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Presented,
			Settles: true}, "settles no conflict"},
		{"a long note", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Exclude, Reason: "duplicate",
			Note: strings.Repeat("x", 301)}, "more than 300"},
		{"two lines for a record", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1\n{}", Decision: Keep},
			"no record's id"},
		{"another decision", Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: "maybe"},
			"choose keep, exclude, undecided, presented"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var invalid *InvalidError
			if err := j.Add(tc.mark); !errors.As(err, &invalid) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, want %q", err, tc.want)
			}
		})
	}
}

// TestALineThatWasCutSpoilsNothingElse: what a power cut left of a line is told, and the next mark stands by itself.
func TestALineThatWasCutSpoilsNothingElse(t *testing.T) {
	data := t.TempDir()
	j := In(data)
	add(t, j, "Ada", "PMID:99000001", Keep, 0)
	add(t, j, "Ada", "PMID:99000002", Keep, 1)
	files, err := filepath.Glob(filepath.Join(data, "marks", "kras", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(files[0], info.Size()-20); err != nil {
		t.Fatal(err)
	}
	add(t, j, "Ada", "PMID:99000003", Exclude, 2)
	s, warnings := sheetOf(t, j)
	want := "Ada keep PMID:99000001, Ada exclude PMID:99000003"
	if got := shown(&s, "PMID:99000001", "PMID:99000002", "PMID:99000003"); got != want {
		t.Errorf("marks %q, want %q", got, want)
	}
	if !strings.Contains(warnings, "1 line of "+files[0]) {
		t.Errorf("the warnings are %q", warnings)
	}
}

// TestAFlippedBitMovesNoMark: none becomes a mark on another record, by another reader or of another decision.
func TestAFlippedBitMovesNoMark(t *testing.T) {
	data := t.TempDir()
	j := In(data)
	add(t, j, "Ada", "PMID:99000001", Exclude, 0)
	files, err := filepath.Glob(filepath.Join(data, "marks", "kras", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	want, warnings := sheetOf(t, j)
	if told, err := j.Verify(); err != nil || len(told)+len(warnings) > 0 {
		t.Fatal(told, warnings, err)
	}
	for place := range len(whole) * 8 {
		changed := bytes.Clone(whole)
		changed[place/8] ^= 1 << (place % 8)
		if err := os.WriteFile(files[0], changed, 0o600); err != nil {
			t.Fatal(err)
		}
		sheet, _ := sheetOf(t, j)
		told, err := j.Verify()
		same := cmp.Equal(want, sheet, cmp.AllowUnexported(Sheet{}, key{}))
		if err != nil || len(told) == 0 && !same || len(told) > 0 && len(sheet.Readers) > 0 {
			t.Errorf("bit %d of byte %d: %v, %v, %+v", place%8, place/8, told, err, sheet)
		}
	}
}

func TestAFolderThatLeadsElsewhere(t *testing.T) {
	data, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(data, "marks")); err != nil {
		t.Skip(err)
	}
	err := In(data).Add(Mark{Reader: "Ada", Topic: "kras", Record: "PMID:1", Decision: Keep, At: noon})
	if err == nil || !strings.Contains(err.Error(), "could not be kept") {
		t.Errorf("the error is %v", err)
	}
}

// TestManyAtOnce: several processes' journals, many goroutines, and no mark is lost.
func TestManyAtOnce(t *testing.T) {
	data := t.TempDir()
	var wait sync.WaitGroup
	for p := range 4 {
		j := In(data)
		for i := range 25 {
			wait.Go(func() {
				if err := j.Add(Mark{Reader: "Ada", Topic: "kras", Record: fmt.Sprintf("PMID:99%03d%03d", p, i), Decision: Keep,
					At: noon}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	if s, warnings := sheetOf(t, In(data)); len(s.marks) != 100 || warnings != "" {
		t.Errorf("%d marks are there; %s", len(s.marks), warnings)
	}
}

func TestMarksFollowARecordToItsNewID(t *testing.T) {
	data := t.TempDir()
	j := In(data)
	add(t, j, "Ada", "DOI:10.5555/a", Keep, 0)
	add(t, j, "Ada", "PMID:99000001", Exclude, 5)
	add(t, j, "Ben", "DOI:10.5555/a", Keep, 1)
	s, _ := sheetOf(t, j)
	err := s.Rename(func(id string) (string, error) {
		return strings.Replace(id, "DOI:10.5555/a", "PMID:99000001", 1), nil
	})
	if got, want := shown(&s, "DOI:10.5555/a", "PMID:99000001"),
		"Ada exclude PMID:99000001, Ben keep PMID:99000001"; got != want || err != nil {
		t.Errorf("marks %q, want %q; %v", got, want, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"reader":"Ada","topic":"kras","record":"PMID:1","decision":"keep","at":"2026-03-01T12:00:00Z"}` +
		"\n{"))
	f.Add([]byte("null\n[]\n\xff"))
	f.Fuzz(func(t *testing.T, journal []byte) {
		for m, ok := range Lines(bytes.NewReader(journal)) {
			if ok && (m.check() != nil || m.Reader == "") {
				t.Errorf("taken for a mark: %+v", m)
			}
		}
	})
}
