package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func mustDefault(t testing.TB) *Lexicon {
	t.Helper()
	l, err := Default()
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
	for kind, least := range map[Kind]int{KindTumour: 150, KindGene: 200, KindDrug: 300, KindClass: 40, KindMechanism: 80} {
		if count[kind] < least {
			t.Errorf("%d %s; want at least %d", count[kind], kind, least)
		}
	}
}

func TestDictionaryHasNoNameTwice(t *testing.T) {
	l := mustDefault(t)
	for first, c := range l.claims {
		if c.next == noClaim {
			continue
		}
		next := l.claims[c.next]
		if next.entry != c.entry && !l.isAmbiguous(fold(c.name)) {
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
			if seen[name] && name != e.Name {
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
			if len(l.Understand(target).Alterations) == 0 {
				t.Errorf("%s %q acts on %q, which is no gene of the dictionary", e.Kind, e.Name, target)
			}
		}
	}
}

func TestEntryFindsItselfByEveryName(t *testing.T) {
	l := mustDefault(t)
	for i := range l.Entries() {
		e := &l.Entries()[i]
		for _, name := range e.names() {
			if l.isAmbiguous(fold(name)) || isGuarded(e, name) {
				continue
			}
			r := &reader{lexicon: l, text: "in " + name + " now", tokens: tokenize("in " + name + " now")}
			r.scan()
			if !slices.ContainsFunc(r.spans, func(s span) bool { return s.entry != nil && (s.entry == e || r.as(&s, e.Kind) == e) }) {
				t.Errorf("%s %q is not recognised as %q: %+v", e.Kind, e.Name, name, r.spans)
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
