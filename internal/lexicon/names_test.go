package lexicon

import (
	"slices"
	"strings"
	"testing"
)

// withOurs is the dictionary with a file that adds names, and says more of some that are there.
func withOurs(t *testing.T) *Lexicon {
	return mustLoad(t, "ours.yaml", "genes:\n"+
		"  - {name: KRAS, synonyms: [wardras]}\n  - {name: lungward}\nenglish: [wardword]\nfillers: [zzz last]\n")
}

func TestCursorFollowsEveryName(t *testing.T) {
	for name, l := range map[string]*Lexicon{"built in": mustDefault(t), "extended": withOurs(t)} {
		t.Run(name, func(t *testing.T) {
			for _, c := range l.claims {
				at, key := l.cursor(), ""
				for _, token := range tokenize(c.name) {
					at, key = at.extend(token.key), key+token.key
					if at.empty() || l.cursor().extend(key).empty() {
						t.Fatalf("nothing begins with %q, as %q does", key, c.name)
					}
					if got, want := at.key().first, l.first(key); got != want {
						t.Fatalf("%q: the cursor finds claim %d, and the index %d", key, got, want)
					}
				}
				if key != "" && !holdsClaim(l, at.key().first, c.name) {
					t.Errorf("the cursor over %q ends at %+v", c.name, at.key())
				}
			}
		})
	}
}

func holdsClaim(l *Lexicon, at int32, name string) bool {
	for ; at != noClaim; at = l.claims[at].next {
		if l.claims[at].name == name {
			return true
		}
	}
	return false
}

func TestPrefixesAreThoseOfTheKeys(t *testing.T) {
	l := withOurs(t)
	keys := slices.Concat(l.keys, l.added)
	begins := func(prefix string) bool {
		return slices.ContainsFunc(keys, func(k nameKey) bool { return strings.HasPrefix(k.key, prefix) })
	}
	for i, k := range keys {
		if i%211 != 0 && i < len(l.keys) {
			continue
		}
		for cut := range len(k.key) + 1 {
			for _, prefix := range []string{k.key[:cut], k.key[:cut] + "q", k.key[:cut] + "z", k.key[:cut] + "\x00"} {
				if got, want := !l.cursor().extend(prefix).empty(), begins(prefix); got != want {
					t.Errorf("hasPrefix(%q) is %v", prefix, got)
				}
			}
		}
	}
	for _, prefix := range []string{"\xff", "~", "0000", "zzzz"} {
		if !l.cursor().extend(prefix).empty() {
			t.Errorf("hasPrefix(%q) is true", prefix)
		}
	}
}

func TestKeysAreSortedAndOnce(t *testing.T) {
	l := withOurs(t)
	for _, keys := range [][]nameKey{l.keys, l.added} {
		for i := 1; i < len(keys); i++ {
			if keys[i-1].key >= keys[i].key {
				t.Errorf("%q stands before %q", keys[i-1].key, keys[i].key)
			}
		}
	}
}

func TestWordsOfLists(t *testing.T) {
	l := withOurs(t)
	if got := l.wordList(fold("zzz last")).name(); got != wordsFillers {
		t.Errorf("a filler of a file is in the list %q", got)
	}
	if got := l.wordList("what").name(); got != wordsFillers {
		t.Errorf("what is in the list %q", got)
	}
	if l.wordList("krasg12zz") != 0 || wordList(0).name() != "" {
		t.Error("a word of no list has one")
	}
	if !l.isEnglish("wardword") || mustDefault(t).isEnglish("wardword") {
		t.Error("wardword was to be an English word in the file only")
	}
}
