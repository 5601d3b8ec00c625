package marks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dossier/internal/evidence"
)

// said is a mark in short: who, what, and of an exclusion why.
type said struct {
	reader, decision, reason string
	settles                  bool
}

func TestReading(t *testing.T) {
	const population, duplicate = "wrong population", "duplicate"
	for _, tc := range []struct {
		name    string
		needed  int
		marks   []said
		want    string // verdict, and why it is excluded
		visible string // to Ada
	}{
		{"nobody", 1, nil, "none", ""},
		{"one of one keeps", 1, []said{{"Ada", "keep", "", false}}, "kept", "Ada"},
		{"one of one excludes", 1, []said{{"Ada", "exclude", population, false}},
			"excluded wrong population (Ada: a note)", "Ada"},
		{"one of two", 2, []said{{"Ben", "exclude", population, false}}, "none", ""},
		{"one of two sees her own", 2, []said{{"Ada", "exclude", population, false}}, "none", "Ada"},
		{"two of two agree", 2, []said{{"Ada", "exclude", population, false}, {"Ben", "exclude", duplicate, false}},
			"excluded wrong population (Ada: a note); duplicate (Ben: a note)", "Ada, Ben"},
		{"two of two differ", 2, []said{{"Ada", "exclude", population, false}, {"Ben", "keep", "", false}},
			"conflict", "Ada, Ben"},
		{"two differ where one is enough", 1, []said{{"Ada", "exclude", population, false}, {"Ben", "keep", "", false}},
			"conflict", "Ada, Ben"},
		{"a third settles", 2, []said{{"Ada", "exclude", population, false}, {"Ben", "keep", "", false},
			{"Cleo", "exclude", duplicate, true}}, "excluded duplicate (Cleo: a note)", "Ada, Ben"},
		{"one of both settles, beside her own word", 2, []said{{"Ada", "exclude", population, false},
			{"Ben", "keep", "", false}, {"Ada", "keep", "", true}}, "kept", "Ada, Ben"},
		{"the last settlement counts", 2, []said{{"Ada", "exclude", population, false}, {"Ben", "keep", "", false},
			{"Cleo", "keep", "", true}, {"Dora", "exclude", duplicate, true}}, "excluded duplicate (Dora: a note)", "Ada, Ben"},
		{"a settlement is taken back", 2, []said{{"Ada", "exclude", population, false}, {"Ben", "keep", "", false},
			{"Cleo", "keep", "", true}, {"Cleo", "undecided", "", true}}, "conflict", "Ada, Ben"},
		{"a settlement stays unsaid where all agree", 2, []said{{"Ada", "exclude", population, false},
			{"Ben", "keep", "", false}, {"Cleo", "exclude", duplicate, true}, {"Ada", "keep", "", false}}, "kept", "Ada, Ben"},
		{"a decision is taken back", 2, []said{{"Ada", "exclude", population, false},
			{"Ben", "exclude", duplicate, false}, {"Ben", "undecided", "", false}}, "none", "Ada"},
		{"presented by one of two is told", 2, []said{{"Ben", "presented", "", false}}, " presented by Ben", ""},
		{"recommended, and no more", 1, []said{{"Ben", "recommended", "", false}, {"Ben", "not-recommended", "", false}},
			"none", ""},
		{"three of two, of whom one differs", 2, []said{{"Ada", "keep", "", false}, {"Ben", "keep", "", false},
			{"Cleo", "exclude", population, false}}, "conflict", "Ada, Ben, Cleo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := In(t.TempDir())
			for i, s := range tc.marks {
				m := Mark{Reader: s.reader, Topic: "kras", Record: "PMID:99000001", Decision: Decision(s.decision),
					Reason: Reason(s.reason), Settles: s.settles, Content: "one", At: noon.Add(time.Duration(i) * time.Second)}
				if m.Decision == Exclude {
					m.Note = "a note"
				}
				if err := j.Add(m); err != nil {
					t.Fatal(err)
				}
			}
			sheet, _ := sheetOf(t, j)
			if got := readingText(sheet.Reading("PMID:99000001", "one", tc.needed)); got != tc.want {
				t.Errorf("read %q, want %q", got, tc.want)
			}
			var names []string
			for _, m := range sheet.Visible("PMID:99000001", "Ada", tc.needed) {
				names = append(names, m.Reader)
			}
			if got := strings.Join(names, ", "); got != tc.visible {
				t.Errorf("Ada sees %q, want %q", got, tc.visible)
			}
		})
	}
}

func readingText(r *evidence.Reading) string {
	if r == nil {
		return "none"
	}
	out := strings.TrimSpace(fmt.Sprintf("%s %s", r.Verdict, r.Why()))
	if len(r.Presented) > 0 {
		out += " presented by " + strings.Join(r.Presented, ", ")
	}
	return out
}

// TestAnExcludedRecordThatChanges: who excluded a text is told when it is another one.
func TestAnExcludedRecordThatChanges(t *testing.T) {
	j := In(t.TempDir())
	err := j.Add(Mark{Reader: "Ada", Topic: "kras", Record: "PMID:99000001", Decision: Exclude, Reason: "wrong outcome",
		Content: "one", At: noon})
	if err != nil {
		t.Fatal(err)
	}
	sheet, _ := sheetOf(t, j)
	for content, want := range map[string]bool{"one": false, "two": true} {
		if r := sheet.Reading("PMID:99000001", content, 1); r.Changed != want {
			t.Errorf("of %q changed is %v", content, r.Changed)
		}
	}
}

// TestMarksOfEarlierPrograms: an exclusion without a reason counts as before.
func TestMarksOfEarlierPrograms(t *testing.T) {
	const line = `{"reader":"Ada","topic":"kras","record":"PMID:99000001","decision":"exclude",` +
		`"at":"2026-03-01T12:00:00Z"}`
	sheet := Sheet{marks: map[string]map[key]Mark{}}
	for m, ok := range Lines(strings.NewReader(line)) {
		if !ok {
			t.Fatal("it is not read")
		}
		sheet.set(m.Record, m)
	}
	if got, want := readingText(sheet.Reading("PMID:99000001", "", 1)), "excluded no reason given (Ada)"; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

func TestParseReason(t *testing.T) {
	for in, want := range map[string]Reason{
		"wrong population": "wrong population", "Population": "wrong population", "study-design": "wrong study design",
		"WRONG_SETTING": "wrong setting", "not-retrievable": "not retrievable", " other ": OtherReason,
		"duplicate": "duplicate",
	} {
		if got, err := ParseReason(in); got != want || err != nil {
			t.Errorf("%q is read as %q, want %q; %v", in, got, want, err)
		}
	}
	for _, in := range []string{"", "wrong", "boring"} {
		if _, err := ParseReason(in); err == nil || !strings.Contains(err.Error(), "wrong comparator, wrong outcome") {
			t.Errorf("the error of %q is %v", in, err)
		}
	}
}
