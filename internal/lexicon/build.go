package lexicon

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// builder extends a Lexicon by files before its first use.
type builder struct {
	l       *Lexicon        // entries and claims are its own copies; added is in the order of adding
	at      map[string]int  // folded name to its place in added
	spelled map[string]bool // the words of what was added that typing errors are compared with
}

// newBuilder begins with a copy of l, so that the tables of the program do not change.
func newBuilder(l *Lexicon) *builder {
	own := *l
	own.tree, own.cognates = &tree{}, &cognates{}
	own.entries, own.claims = slices.Clone(l.entries), slices.Clone(l.claims)
	own.combinations, own.shorthand = slices.Clone(l.combinations), slices.Clone(l.shorthand)
	return &builder{l: &own, at: map[string]int{}, spelled: map[string]bool{}}
}

// finish sorts what was added.
func (b *builder) finish() *Lexicon {
	slices.SortFunc(b.l.added, func(x, y nameKey) int { return strings.Compare(x.key, y.key) })
	b.l.addedVocabulary = newVocabulary(b.spelled)
	return b.l
}

// compile builds a dictionary of the files in data alone. Entries come in the order of kinds, which is how names that
// two kinds share find their entry.
func compile(data fs.FS) (*Lexicon, error) {
	b := newBuilder(&Lexicon{})

	names, err := fs.Glob(data, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the dictionary's files: %w", err)
	}

	parts, words := map[Kind][]Entry{}, map[string][]string{}
	for _, name := range names {
		text, err := fs.ReadFile(data, name)
		if err != nil {
			return nil, fmt.Errorf("read the dictionary: %w", err)
		}

		d, err := readDictionary(name, text)
		if err != nil {
			return nil, err
		}

		for _, e := range d.entries {
			parts[e.Kind] = append(parts[e.Kind], e)
		}

		for list := range d.words {
			words[list] = append(words[list], d.words[list]...)
		}
		b.l.combinations = append(b.l.combinations, d.combinations...)
		b.l.shorthand = byFirstLetter(append(b.l.shorthand, d.shorthand...))
	}
	b.addWords(words)

	for _, k := range kinds {
		for i := range parts[k] {
			b.addEntry(parts[k][i])
		}
	}
	completeBroader(b.l.entries)
	return b.finish(), nil
}

// known returns the key of a folded name as it is so far.
func (b *builder) known(key string) nameKey {
	if i, ok := b.at[key]; ok {
		return b.l.added[i]
	}

	if i, ok := findKey(b.l.keys, key); ok {
		return b.l.keys[i]
	}
	return nameKey{key: key, first: noClaim}
}

// set replaces the key of a folded name.
func (b *builder) set(k nameKey) {
	if i, ok := b.at[k.key]; ok {
		b.l.added[i] = k
		return
	}
	b.at[k.key] = len(b.l.added)
	b.l.added = append(b.l.added, k)
}

func (b *builder) addWords(words map[string][]string) {
	for i, list := range wordLists {
		for _, word := range words[list] {
			k := b.known(fold(word))
			switch list {
			case wordsAmbiguous:
				k.ambiguous = true
			case wordsEnglish:
				k.english = true
			default:
				b.spell(word)

				if k.list == 0 {
					k.list, k.whole = wordList(i+1), len(tokenize(word)) == 1
				}
			}
			b.set(k)
		}
	}
}

// addEntry adds e with all its names.
func (b *builder) addEntry(e Entry) {
	n := int32(len(b.l.entries))
	b.l.entries = append(b.l.entries, e)
	b.claimNames(&e, n)
	b.addStems(&e, n)
}

// claimNames claims all names of e, an entry that people wrote, for entry n.
func (b *builder) claimNames(e *Entry, n int32) {
	for _, name := range e.names() {
		r := curatedRule(name)
		if slices.Contains(e.Guarded, name) {
			r = guarded
		}
		b.claim(name, n, r, slices.Contains(e.Spoken, name))

		if !slices.Contains(e.Codes, name) {
			b.spell(name)
		}
	}
}

// spell notes the words of a name or phrase for the comparison with typing errors.
func (b *builder) spell(phrase string) {
	for _, t := range tokenize(phrase) {
		if isSpelled(t) {
			b.spelled[t.key] = true
		}
	}
}

// claim enters name for entry n, behind the earlier claims to it.
func (b *builder) claim(name string, n int32, r rule, isSpoken bool) {
	k := b.known(fold(name))
	if k.key == "" {
		return
	}

	last := int32(noClaim)
	for at := k.first; at != noClaim; at = b.l.claims[at].next {
		if b.l.claims[at].entry == n && b.l.claims[at].name == name {
			if r == guarded {
				b.l.claims[at].rule = guarded
			}
			return
		}
		last = at
	}
	own := int32(len(b.l.claims))

	b.l.claims = append(b.l.claims, claim{name: name, entry: n, next: noClaim, rule: r, spoken: isSpoken})
	if last == noClaim {
		k.first = own
		b.set(k)
		return
	}
	b.l.claims[last].next = own
}

// extend adds an entry that people wrote to the one of its name and kind, or as a new one. Its names count by the same
// rules as ours.
func (b *builder) extend(e Entry) {
	n, ok := b.find(e.Kind, e.Name)
	if !ok || !b.holds(n, e.Name) {
		b.addEntry(e)
		return
	}
	b.l.entries[n].extend(&e)
	b.claimNames(&e, n)
	b.addStems(&e, n)
}

// find is Lexicon.find while names are being added.
func (b *builder) find(kind Kind, name string) (int32, bool) {
	return b.l.ofKind(kind, b.known(fold(name)).first)
}

// holds reports whether entry n is the one that name stands for: by its own name, or with no other entry of its kind
// claiming it.
func (b *builder) holds(n int32, name string) bool {
	e, k := &b.l.entries[n], b.known(fold(name))
	if fold(e.Name) == k.key {
		return true
	}

	if k.ambiguous {
		return false
	}

	for at := k.first; at != noClaim; at = b.l.claims[at].next {
		if other := b.l.claims[at].entry; other != n && b.l.entries[other].Kind == e.Kind {
			return false
		}
	}
	return true
}

// curatedRule is the rule for a name of a dictionary that people wrote: short forms that could be words, or that differ
// from others by their capitals only (pCR and PCR), count only as written, all others in any case.
func curatedRule(name string) rule {
	if len(name) > 5 {
		return anyCase
	}
	n, vowels, digits := letters(name)

	mixed := isPlain(name) && name != strings.ToUpper(name) && name != strings.ToLower(name)
	if digits || n > 4 || n == 4 && !mixed || n == 3 && !vowels && !mixed {
		return anyCase
	}
	return asWritten
}
