package identity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

// habit is how some databases' exports write down a paper that others write down otherwise.
type habit struct {
	name   string
	change func(r *evidence.Record, pick uint32)
}

// habits are grouped by field: an export has one habit of each group, or none.
var habits = [][]habit{
	{
		{"title: capitals", func(r *evidence.Record, _ uint32) {
			r.Title = strings.ToUpper(strings.TrimRight(r.Title, "."))
		}},
		{"title: subtitle cut", func(r *evidence.Record, _ uint32) {
			if head, _, cut := strings.Cut(r.Title, ": "); cut {
				r.Title = head
			}
		}},
		{"title: note on the language", func(r *evidence.Record, _ uint32) {
			r.Title = strings.Trim(strings.TrimRight(r.Title, "."), "[]") + " [German]"
		}},
		{"title: entities", func(r *evidence.Record, _ uint32) {
			r.Title = strings.NewReplacer("&", "&amp;", "<", "&lt;", "'", "&#39;", "-", "&#8208;").Replace(r.Title)
		}},
		{"title: Greek spelled out", func(r *evidence.Record, _ uint32) {
			r.Title = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "κ", "kappa", "μ", "mu",
				"alpha", "a", "beta", "b", "gamma", "g", "kappa", "k").Replace(r.Title)
		}},
		{"title: hyphens", func(r *evidence.Record, pick uint32) {
			r.Title = strings.ReplaceAll(r.Title, "-", []string{" ", "", " - "}[pick%3])
		}},
		{"title: a letter lost", func(r *evidence.Record, pick uint32) { r.Title = spoilt(r.Title, pick, 0) }},
		{"title: a letter doubled", func(r *evidence.Record, pick uint32) { r.Title = spoilt(r.Title, pick, 1) }},
		{"title: two letters swapped", func(r *evidence.Record, pick uint32) { r.Title = spoilt(r.Title, pick, 2) }},
		{"title: another letter", func(r *evidence.Record, pick uint32) { r.Title = spoilt(r.Title, pick, 3) }},
		{"title: a small word lost", func(r *evidence.Record, _ uint32) {
			for _, w := range []string{" the ", " of ", " a "} {
				if strings.Contains(r.Title, w) {
					r.Title = strings.Replace(r.Title, w, " ", 1)
					return
				}
			}
		}},
		{"title: one space lost", func(r *evidence.Record, _ uint32) {
			if i := strings.LastIndex(r.Title, " "); i > 0 {
				r.Title = r.Title[:i] + r.Title[i+1:]
			}
		}},
	},
	{
		{"journal: abbreviation", func(r *evidence.Record, _ uint32) {
			if r.Journal.Abbreviation != "" {
				r.Journal.Title = r.Journal.Abbreviation
			}
		}},
		{"journal: abbreviation in capitals, no stops", func(r *evidence.Record, _ uint32) {
			if r.Journal.Abbreviation != "" {
				r.Journal.Title = strings.ToUpper(strings.ReplaceAll(r.Journal.Abbreviation, ".", ""))
			}
		}},
		{"journal: place", func(r *evidence.Record, _ uint32) { r.Journal.Title += " (Springfield, Ill.)" }},
		{"journal: subtitle", func(r *evidence.Record, _ uint32) {
			r.Journal.Title += ": Official Organ of the Invented Society"
		}},
		{"journal: & and The", func(r *evidence.Record, _ uint32) {
			r.Journal.Title = "The " + strings.ReplaceAll(r.Journal.Title, " and ", " & ")
		}},
		{"journal: missing", func(r *evidence.Record, _ uint32) { r.Journal.Title, r.Journal.Abbreviation = "", "" }},
	},
	{
		{"authors: the first alone", func(r *evidence.Record, _ uint32) {
			r.Authors = r.Authors[:min(1, len(r.Authors))]
		}},
		{"authors: three and others", func(r *evidence.Record, _ uint32) {
			r.Authors = r.Authors[:min(3, len(r.Authors))]
		}},
		{"authors: initials", func(r *evidence.Record, _ uint32) {
			for i := range r.Authors {
				r.Authors[i].Given = r.Authors[i].Initials
			}
		}},
		{"authors: capitals in one field", func(r *evidence.Record, _ uint32) {
			for i, a := range r.Authors {
				if a.Collective == "" {
					r.Authors[i] = evidence.Author{Family: strings.ToUpper(a.Family + " " + a.Initials)}
				}
			}
		}},
		{"authors: hyphens lost", func(r *evidence.Record, _ uint32) {
			for i := range r.Authors {
				r.Authors[i].Family = strings.ReplaceAll(r.Authors[i].Family, "-", " ")
			}
		}},
		{"authors: missing", func(r *evidence.Record, _ uint32) { r.Authors = nil }},
		{"authors: first misspelt", func(r *evidence.Record, pick uint32) {
			if len(r.Authors) > 0 {
				r.Authors[0].Family = spoilt(r.Authors[0].Family, pick, int(pick/7)%4)
			}
		}},
	},
	{
		{"pages: first alone", func(r *evidence.Record, _ uint32) {
			r.Journal.Pages, _, _ = strings.Cut(r.Journal.Pages, "-")
		}},
		{"pages: missing", func(r *evidence.Record, _ uint32) { r.Journal.Pages = "" }},
	},
	{
		{"issue: in the volume", func(r *evidence.Record, _ uint32) {
			if r.Journal.Issue != "" {
				r.Journal.Volume, r.Journal.Issue = r.Journal.Volume+"("+r.Journal.Issue+")", ""
			}
		}},
		{"issue: missing", func(r *evidence.Record, _ uint32) { r.Journal.Issue = "" }},
		{"volume and issue: missing", func(r *evidence.Record, _ uint32) { r.Journal.Volume, r.Journal.Issue = "", "" }},
	},
	{
		{"year: online before", func(r *evidence.Record, _ uint32) {
			if r.Date != "" {
				r.Date = evidence.NewDate(r.Date.Year()-1, 0, 0)
			}
		}},
		{"year: missing", func(r *evidence.Record, pick uint32) {
			if pick%8 == 0 {
				r.Date = ""
			}
		}},
	},
}

// spoilt spoils one letter inside a word of six letters or more; the text itself where it has none.
func spoilt(s string, pick uint32, kind int) string {
	var places []int
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
			continue
		}
		for at := start + 2; i-start >= 6 && at < i-2; at++ {
			if s[at] != s[at+1] {
				places = append(places, at)
			}
		}
		start = i + 1
	}
	if len(places) == 0 {
		return s
	}
	at := places[int(pick)%len(places)]
	switch kind {
	case 0:
		return s[:at] + s[at+1:]
	case 1:
		return s[:at+1] + s[at:]
	case 2:
		return s[:at] + s[at+1:at+2] + s[at:at+1] + s[at+2:]
	}
	return s[:at] + string('a'+byte(int(pick)/len(places)%26)) + s[at+1:]
}

// exported gives a paper as a database exports it that has up to most habits, chosen by the seed; no identifier is
// among what it tells. The seed "0" has none.
func (a recorded) exported(seed string, most int) (r evidence.Record, had []string) {
	if seed == "0" {
		most = 0
	}
	return a.exportedWith(habits, seed, most)
}

// exportedWith is exported with habits out of groups.
func (a recorded) exportedWith(groups [][]habit, seed string, most int) (r evidence.Record, had []string) {
	r = a.copies()[0]
	r.Identifiers = nil
	r.Authors = slices.Clone(r.Authors)
	r.Origins = []evidence.Origin{{Source: "import:" + seed + ".ris", ID: a.PMID}}
	r.PublicationTypes = []evidence.PublicationType{{Name: "Journal Article"}}
	used := map[uint32]bool{}
	for n := range most {
		pick := hashed(fmt.Sprint(seed, "|", a.PMID, "|", n))
		place := pick % uint32(len(groups))
		if used[place] {
			continue
		}
		used[place] = true
		group := groups[place]
		h := group[pick/64%uint32(len(group))]
		before := fmt.Sprintf("%+v", r)
		h.change(&r, pick/4096)
		if fmt.Sprintf("%+v", r) != before {
			had = append(had, h.name)
		}
	}
	return r, had
}

// TestExportsOfRealRecords joins real papers as several databases' exports write them down, without any identifier: no
// two papers may become one, and few exports may stay apart.
func TestExportsOfRealRecords(t *testing.T) {
	for _, set := range []struct {
		name    string
		part    int // of the papers
		exports int // of each, the first as it is
		habits  func(export int) int
		missed  int // at most, in a thousand
	}{
		{"up to two habits", 0, 3, func(export int) int { return export }, 5},
		{"up to five habits", 0, 6, func(int) int { return 5 }, 60},
		{"up to five habits, unseen papers", 1, 6, func(int) int { return 5 }, 70},
	} {
		t.Run(set.name, func(t *testing.T) {
			if testing.Short() && set.exports > 3 {
				t.Skip("it joins some 4,000 records")
			}
			papers, titles := readRecorded(t), map[string]int{}
			for _, a := range papers {
				titles[newTitle(a.copies()[0].Title).compact]++
			}
			var records []evidence.Record
			for i, a := range papers {
				if i%4 != set.part || titles[newTitle(a.copies()[0].Title).compact] > 1 {
					continue // printed twice: nothing tells the two apart
				}
				for export := range set.exports {
					r, _ := a.exported(fmt.Sprint(export), set.habits(export))
					records = append(records, r)
				}
			}
			checkExports(t, records, set.missed)
		})
	}
}

// checkExports joins exports whose origins' ids tell their papers: none may be joined with another paper's, and of a
// thousand copies no more than so many may be missed.
func checkExports(t *testing.T, records []evidence.Record, mostMissed int) {
	t.Helper()
	change, err := Join(newMemory(), records)
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string]bool{}
	for _, r := range records {
		papers[r.Origins[0].ID] = true
	}
	for _, m := range change.Put {
		for _, o := range m.Record.Origins {
			if first := m.Record.Origins[0].ID; o.ID != first {
				t.Errorf("papers %s and %s in one record: %s", first, o.ID, m.Record.Title)
			}
		}
	}
	missed, copies := len(change.Put)-len(papers), len(records)-len(papers)
	t.Logf("papers %d  copies %d  missed %d", len(papers), copies, missed)
	if missed*1000 > copies*mostMissed {
		t.Errorf("%d of %d copies were missed", missed, copies)
	}
}

// TestMisprintsAtAnUnknownPlace has exports without pages: what is misprinted is the same paper, and what says
// another word may be its sibling.
func TestMisprintsAtAnUnknownPlace(t *testing.T) {
	const title = "Maternal outcomes after thoracotomy in the hypertensive population of two hospitals " +
		"and the prognosis of their infants: a cohort study"
	type change = func(*evidence.Record)
	people := by("Quillworth, A", "Ibberstone, M", "Farthingmoor, W")
	other := func(old, new string) change { return titled(strings.Replace(title, old, new, 1)) }
	for _, c := range []struct {
		name   string
		change []change
		one    bool
	}{
		{"two letters swapped", []change{other("prognosis", "prongosis")}, true},
		{"a letter doubled", []change{other("prognosis", "proggnosis")}, true},
		{"an article lost", []change{other("the prognosis", "prognosis")}, true},
		{"an article lost, online a year before", []change{other("the prognosis", "prognosis"), dated("2019")}, true},
		{"no year, in the same volume", []change{dated("")}, true},
		{"no year, in no volume", []change{dated(""), in("Annals of specimens", "", "", "")}, false},
		{"no year, in another volume", []change{dated(""), in("Annals of specimens", "5", "", "")}, false},
		{"online a year before, without a volume", []change{dated("2019"), in("Annals of specimens", "", "", "")}, true},
		{"a year before, in that year's volume", []change{dated("2019"), in("Annals of specimens", "3", "", "")}, false},
		{"the first author misspelt", []change{by("Quilworth, A", "Ibberstone, M", "Farthingmoor, W")}, true},
		{"an only author misspelt", []change{by("Quilworth, A")}, true},
		{"an only author misspelt, in no volume", []change{by("Quilworth, A"), in("", "", "", ""), dated("2021")}, true},
		{"another only author", []change{by("Quill, A")}, false},
		{"swapped letters in another journal", []change{other("prognosis", "prongosis"),
			in("Acta", "4", "", "")}, false},
		{"a sibling by its first letter", []change{other("Maternal", "Paternal")}, false},
		{"a sibling by one letter within", []change{other("thoracotomy", "thoracostomy")}, false},
		{"a sibling by its prefix", []change{other("hypertensive", "hypotensive")}, false},
		{"a sibling by its number", []change{other("two hospitals", "2 hospitals")}, false},
		{"cohort A", []change{titled(title + ", cohort A")}, false},
		{"part II", []change{titled(title + ". Part II")}, false},
		{"its protocol", []change{titled(title + ": study protocol"), in("Annals of specimens", "3", "", ""),
			dated("2019")}, false},
		{"its reply", []change{titled("Reply to: " + title)}, false},
		{"its erratum", []change{titled("Erratum: " + title)}, false},
		{"its abstract at a meeting", []change{in("Annals of specimens", "4", "Suppl 1", "S12"),
			typed("Meeting Abstract")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := paper("import:a.ris|1", "", titled(title), people, in("Annals of specimens", "4", "", ""))
			m := newMemory()
			mustJoin(t, m, whole, paper("import:b.ris|1", "",
				append([]change{titled(title), people, in("Annals of specimens", "4", "", "")}, c.change...)...))
			if one := len(m.merged) == 1; one != c.one {
				t.Errorf("%d records, want one: %t", len(m.merged), c.one)
			}
		})
	}
}
