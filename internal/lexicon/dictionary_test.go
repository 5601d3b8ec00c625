package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func mustDefault(t testing.TB) *Lexicon {
	t.Helper()
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDictionaryIsLargeEnough(t *testing.T) {
	count := map[Kind]int{}
	for _, e := range mustDefault(t).Entries() {
		count[e.Kind]++
	}
	for kind, least := range map[Kind]int{KindTumour: 400, KindCondition: 300, KindGene: 600, KindBiomarker: 30,
		KindDrug: 850, KindClass: 100,
		KindTreatment: 60, KindSite: 100, KindQualifier: 150, KindChange: 25, KindSetting: 250} {
		if count[kind] < least {
			t.Errorf("%d %s; want at least %d", count[kind], kind, least)
		}
	}
}

// Context decides between two kinds that share a name; within a kind nothing could.
func TestDictionaryHasNoNameTwice(t *testing.T) {
	l := mustDefault(t)
	for first, c := range l.claims {
		if c.next == noClaim {
			continue
		}
		next := l.claims[c.next]
		if next.entry != c.entry && l.entries[next.entry].Kind == l.entries[c.entry].Kind && !l.key(fold(c.name)).ambiguous {
			t.Errorf("claim %d: %q belongs to %s %q and to %s %q, and is not listed as ambiguous", first, c.name,
				l.entries[c.entry].Kind, l.entries[c.entry].Name, l.entries[next.entry].Kind, l.entries[next.entry].Name)
		}
	}
}

func TestEachEntryNamesAThingOnce(t *testing.T) {
	for _, e := range mustDefault(t).Entries() {
		seen := map[string]bool{}
		for _, name := range e.names() {
			if fold(name) == "" {
				t.Errorf("%s %q has an empty name", e.Kind, e.Name)
			}
			if seen[name] && name != e.Name && !slices.Contains(e.Foreign, name) { // Spanish and Italian share many
				t.Errorf("%s %q has the name %q twice", e.Kind, e.Name, name)
			}
			seen[name] = true
		}
	}
}

func TestGuardedNamesAreSymbols(t *testing.T) {
	for _, e := range mustDefault(t).Entries() {
		for _, g := range e.Guarded {
			if g != strings.ToUpper(g) {
				t.Errorf("%q of %s: a guarded name counts only in capitals, so it must be written in capitals", g, e.Name)
			}
		}
	}
}

func TestTargetsAreGenesOfTheDictionary(t *testing.T) {
	l := mustDefault(t)
	for _, e := range l.Entries() {
		for _, target := range e.Targets {
			if !isTarget(l, target) {
				t.Errorf("%s %q acts on %q, which is no gene of the dictionary", e.Kind, e.Name, target)
			}
		}
	}
}

func isTarget(l *Lexicon, target string) bool {
	_, ok := l.target(target)
	return ok
}

func TestEntryFindsItselfByEveryName(t *testing.T) {
	l := mustDefault(t)
	for i := range l.Entries() {
		e := &l.Entries()[i]
		for _, name := range e.names() {
			if l.key(fold(name)).ambiguous || isGuarded(e, name) {
				continue
			}
			r := &reader{lexicon: l, text: "zz " + name + " now", tokens: tokenize("zz " + name + " now"),
				typed: slices.Contains(e.Spoken, name)}
			r.scan()
			if !slices.ContainsFunc(r.spans, func(s span) bool {
				return s.entry != nil && (s.entry == e || r.as(&s, e.Kind) == e)
			}) {
				t.Errorf("%s %q is not recognised as %q: %+v", e.Kind, e.Name, name, r.spans)
			}
		}
	}
}

// TestRecordsHaveNoShortNamesOfTheWard reads the same words as a question and as a record.
func TestRecordsHaveNoShortNamesOfTheWard(t *testing.T) {
	l := mustDefault(t)
	for _, test := range []struct{ text, asked, stated string }{
		{"lurbinectedin is holding the cancer", "treatment interruption", ""},
		{"the pause in T cell exhaustion", "treatment interruption", ""},
		{"Osi in the rat", "osimertinib", ""},
		{"TMZ in glioblastoma", "temozolomide", "temozolomide"},
		{"patients with Crohn", "Crohn's disease", "Crohn's disease"},
	} {
		for read, want := range map[string]string{"asked": test.asked, "told": test.stated} {
			q := l.Read(test.text)
			if read == "asked" {
				q = l.Understand(test.text)
			}
			got := strings.Join(q.said(), "; ")
			if want == "" && strings.Contains(got, test.asked) || !strings.Contains(got, want) {
				t.Errorf("%q %s is read as %q; want %q", test.text, read, got, want)
			}
		}
	}
}

func isGuarded(e *Entry, name string) bool {
	for _, g := range e.Guarded {
		if g == name {
			return true
		}
	}
	return false
}
