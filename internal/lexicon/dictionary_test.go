package lexicon

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
		if c.next < 0 {
			continue
		}
		next := l.claims[c.next]
		if next.entry != c.entry && !l.ambiguous[fold(c.name)] {
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
			if len(l.gene(target)) == 0 {
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
			c := l.Recognise("in " + name + " now")
			if l.ambiguous[fold(name)] || isGuarded(e, name) {
				continue
			}
			found := false
			for _, m := range c.Mentions {
				found = found || m.Entry == e
			}
			if !found {
				t.Errorf("%s %q is not recognised as %q: %+v", e.Kind, e.Name, name, c.Mentions)
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

// The dictionary is written in a part of YAML that a small reader understands; the full reader must agree on every file.
func TestFlowReaderAgreesWithYAML(t *testing.T) {
	names, err := fs.Glob(builtIn, "data/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no dictionary files: %v", err)
	}
	for _, name := range names {
		data, err := builtIn.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		quick, err := readFlow(name, string(data))
		if err != nil {
			t.Fatal(err)
		}
		full, err := readYAML(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(full, quick, cmp.AllowUnexported(dictionary{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s read by YAML (-) and by the quick reader (+):\n%s", name, diff)
		}
	}
}

func TestFlowReaderIsStrict(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown section", "proteins:\n  - {name: x}\n", `dictionary f:1: unknown key "proteins"`},
		{"unknown key", "genes:\n  - {name: x}\n  - {name: y, alias: [z]}\n", `dictionary f:3: unknown key "alias"`},
		{"key twice", "genes:\n  - {name: x, name: y}\n", `dictionary f:2: key "name" stands twice`},
		{"section twice", "genes:\n  - {name: x}\ngenes:\n  - {name: y}\n", `dictionary f:3: key "genes" stands twice`},
		{"no name", "genes:\n  - {synonyms: [x]}\n", "dictionary f:2: an entry of genes has no name"},
		{"empty name", "genes:\n  - {name: \"\"}\n", "dictionary f:2: name is empty"},
		{"text for list", "genes:\n  - {name: x, synonyms: y}\n", "dictionary f:2: synonyms is a text; write a list"},
		{"bad flag", "tumours:\n  - {name: x, broad: maybe}\n", "dictionary f:2: broad must be true or false"},
		{"open bracket", "genes:\n  - {name: x\n", "want a comma"},
		{"open quote", "genes:\n  - {name: \"x}\n", "does not end on its line"},
		{"open list", "fillers: [a, b", "want a comma"},
		{"only marks", "fillers: [a, --]", `has no letter or digit`},
		{"nothing", "genes:\n", "genes holds nothing"},
		{"no colon", "genes\n", "want a key and a colon"},
		{"too deep", "genes: [[[[[[[[[[[[x]]]]]]]]]]]]", "nested too deeply"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readFlow("f", tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v; want %q in it", err, tt.want)
			}
		})
	}
}
