package identity

import (
	"testing"

	"dossier/internal/evidence"
)

func TestVolumeNumber(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a number", "24", "24"}, {"leading zeros", "007", "7"}, {"a supplement behind it", "24 Suppl 3", "24"},
		{"the same, cut at the bracket", "24(Suppl", "24"},
		{"what is left of a bracket", "1)", ""}, {"a supplement alone", "Suppl 1", ""}, {"its short form", "S1", ""},
		{"a label", "Vol. 12", "12"}, {"none", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := volumeNumber(c.in); got != c.want {
				t.Errorf("%q: %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestIssuesAgree(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       agreement
	}{
		{"a label", "No. 3", "3", agrees},
		{"supplements, spelled out and short", "Supplement 1", "S1", agrees},
		{"a bracket left over", "SUPPL. 1)", "Suppl 1", agrees},
		{"a supplement with and without number", "Suppl", "Suppl. 1", silent},
		{"a supplement and the issue it belongs to", "22", "Suppl 1", silent},
		{"two supplements", "Suppl 1", "Suppl 2", contradicts},
		{"two issues", "3", "4", contradicts},
		{"a double issue and its first half", "1-2", "1", silent},
		{"two months", "January", "Feb", contradicts},
		{"September is no supplement", "Sep", "Oct", contradicts},
		{"nor one of a supplement's issues", "September", "Suppl 1", silent},
		{"one month, spelled out and short", "September", "Sep", agrees},
		{"a month and a number", "Jan", "1", silent},
		{"one is missing", "", "4", silent},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := venue{issue: issueNumber(c.a)}, venue{issue: issueNumber(c.b)}
			if got := a.compareIssues(b); got != c.want || b.compareIssues(a) != c.want {
				t.Errorf("%q and %q: %v, want %v", a.issue, b.issue, got, c.want)
			}
		})
	}
}

// TestSerialTitles: what a journal prints under one title in issue after issue is never one paper.
func TestSerialTitles(t *testing.T) {
	const column = "The oncologist's perspective on clinical practice"
	with := func(title string, place func(*evidence.Record), date evidence.Date) func(*evidence.Record) {
		return func(r *evidence.Record) {
			titled(title)(r)
			place(r)
			dated(date)(r)
		}
	}
	for _, c := range []struct {
		name string
		a, b func(*evidence.Record)
		one  bool
	}{
		{"a column in two issues of a volume", with(column, in("Lancet", "7", "1", ""), "2020"),
			with(column, in("Lancet", "7", "2", ""), "2020"), false},
		{"a column in two issues, volume not given", with(column, in("Lancet", "", "1", ""), "2020"),
			with(column, in("Lancet", "", "2", ""), "2020"), false},
		{"a column in two supplements", with(column, in("Lancet", "7", "Suppl 1", ""), "2020"),
			with(column, in("Lancet", "7", "S2", ""), "2020"), false},
		{"a column in two volumes", with(column, in("Lancet", "7", "1", ""), "2020"), with(column, in("Lancet", "8", "1", ""),
			"2021"), false},
		{"a column in two years, no volume", with(column, in("Lancet", "", "", ""), "2020"),
			with(column, in("Lancet", "", "", ""), "2021"), false},
		{"a column in two months, no volume", with(column, in("Lancet", "", "", ""), "2020-03"),
			with(column, in("Lancet", "", "", ""), "2020-04"), false},
		{"a column on the first page of each issue", with(column, in("Lancet", "7", "1", "1"), "2020"),
			with(column, in("Lancet", "7", "2", "1"), "2020"), false},
		{"a column on the same two pages of each issue", with(column, in("Lancet", "7", "1", "3-4"), "2020"),
			with(column, in("Lancet", "7", "2", "3-4"), "2020"), false},
		{"a column on the same pages a volume later", with(column, in("Lancet", "7", "1", "11-12"), "2020"),
			with(column, in("Lancet", "8", "1", "11-12"), "2021"), false},
		{"a rubric whose place is known on one side", with("In this issue: from the editor's desk",
			in("Lancet", "7", "1", ""), "2020"), with("In this issue: from the editor's desk", in("Lancet", "", "", ""), "2020"),
			false},
		{"corrections in two issues", with("Corrections and clarifications", in("Lancet", "7", "1", ""), "2020"),
			with("Corrections and clarifications", in("Lancet", "7", "2", ""), "2020"), false},

		{"two copies of one column", with(column, in("Lancet", "7", "1", ""), "2020"),
			with(column, in("The Lancet", "7", "No. 1", ""), "2020"), true},
		{"two copies of a rubric at one place", with("In this issue: from the editor's desk", in("Lancet", "7", "1", "5"),
			"2020"), with("In this issue: from the editor's desk", in("Lancet", "7", "1", "5-5"), "2020"), true},
		{"a misprinted issue, on pages that run through the volume", with(column, in("Lancet", "7", "1", "1129-1139"),
			"2020"), with(column, in("Lancet", "7", "2", "1129-1139"), "2020"), true},
	} {
		t.Run(c.name, func(t *testing.T) { checkPair(t, c.a, c.b, c.one) })
	}
}

// checkPair joins two records without a common identifier, in both orders.
func checkPair(t *testing.T, a, b func(*evidence.Record), one bool) {
	t.Helper()
	for _, order := range [][2]func(*evidence.Record){{a, b}, {b, a}} {
		m := newMemory()
		mustJoin(t, m, paper("import:a.ris|1", "", order[0]), paper("import:b.ris|1", "", order[1]))
		if got := len(m.merged) == 1; got != one {
			t.Errorf("one record: %v, want %v", got, one)
		}
	}
}

// TestSupplementAbstracts: an abstract on one page of a supplement merges with its copies, however exporters write the
// place.
func TestSupplementAbstracts(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b func(*evidence.Record)
		one  bool
	}{
		{"a bracket left over as volume", in("Diabetes", "60", "Suppl. 1", "A12"), in("Diabetes", "1)", "", "A12"), true},
		{"a supplement as volume", in("Diabetes", "60", "Suppl 1", "A12-A12"), in("Diabetes", "Suppl 1", "", "A12"), true},
		{"the letter behind the number", in("Diabetologia", "54", "Suppl 1", "S12"), in("Diabetologia", "54", "1 SUPPL. 1",
			"12S"), true},
		{"one page written as a range", in("Diabetologia", "54", "Supplement 1", "S12-S12"), in("Diabetologia", "54", "S1",
			"S12"), true},
		{"the letter left off", in("Diabetologia", "54", "Suppl 1", "S12"), in("Diabetologia", "54", "", "12"), true},
		{"a bracket left over, and the first author misspelt", in("Diabetes", "60", "Suppl. 1", "A12"),
			func(r *evidence.Record) {
				in("Diabetes", "1)", "", "A12")(r)
				by("Amodjo, V", "Misale, S")(r)
			}, true},
		{"another page", in("Diabetologia", "54", "Suppl 1", "S12"), in("Diabetologia", "54", "Suppl 1", "S13"), false},
		{"another supplement", in("Diabetologia", "54", "Suppl 1", "S12"), in("Diabetologia", "54", "Suppl 2", "S12"), false},
		{"another author's abstract on that page", in("Diabetologia", "54", "Suppl 1", "S12"), func(r *evidence.Record) {
			in("Diabetologia", "1)", "", "S12")(r)
			by("Ryan, M")(r)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) { checkPair(t, c.a, c.b, c.one) })
	}
}
