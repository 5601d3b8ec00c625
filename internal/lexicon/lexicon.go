package lexicon

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed data/*.yaml
var builtIn embed.FS

// Lexicon is the dictionary with its index of names. It does not change once it is built.
type Lexicon struct {
	entries   []Entry
	index     map[string]int32    // folded name to its first claim
	claims    []claim             // of all names
	words     map[string]wordList // folded word or phrase to its list
	ambiguous map[string]bool     // folded names that two entries share on purpose
	english   map[string]bool

	once sync.Once
	tree tree
}

// claim is an entry's right to a name. Where several entries have the name, the claims form a chain and the first holds.
type claim struct {
	name  string
	entry int32
	next  int32 // the next claim to the same name; -1 at the end
	rule  rule
}

// rule says when a name found in a text counts.
type rule uint8

const (
	anyCase    rule = iota // however it is written
	asWritten              // only with the same capitals
	guarded                // as written, and in a sentence of capitals only beside a word of genetics
	contextual             // as written, and only beside a word of genetics
)

// wordList is one of the lists of words, as an index in wordLists plus one.
type wordList uint8

// Room for the dictionary that ships with the program, so that its maps need not grow at each start.
const (
	roomForEntries = 1500
	roomForNames   = 4500
	roomForWords   = 1500
)

// Default is the dictionary that ships with the program. It fails only where the program was built wrongly.
func Default() (*Lexicon, error) { return Load() }

// Load builds the dictionary that ships with the program, extended by files in their order. An entry whose name, or
// whose unmistakable other name, is known already extends the known one; any other is new. A name that two entries
// would have stays with the one that had it first: entries are never merged by it.
//
// The error is a *FileError.
func Load(files ...File) (*Lexicon, error) {
	l := &Lexicon{
		entries: make([]Entry, 0, roomForEntries), claims: make([]claim, 0, roomForNames),
		index: make(map[string]int32, roomForNames), words: make(map[string]wordList, roomForWords),
		ambiguous: map[string]bool{}, english: make(map[string]bool, roomForWords),
	}
	if err := l.addBuiltIn(); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := l.addFile(f); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// addBuiltIn reads the embedded files in their order of kinds, which is how names that two kinds share find their holder.
func (l *Lexicon) addBuiltIn() error {
	parts := map[Kind][]Entry{}
	names, err := fs.Glob(builtIn, "data/*.yaml")
	if err != nil {
		return fmt.Errorf("list the dictionary that ships with the program: %w", err)
	}
	for _, name := range names {
		data, err := builtIn.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read the dictionary that ships with the program: %w", err)
		}
		d, err := readFlow(strings.TrimPrefix(name, "data/"), string(data))
		if err != nil {
			return err
		}
		for _, e := range d.entries {
			parts[e.Kind] = append(parts[e.Kind], e)
		}
		l.addWords(d.words)
	}
	for _, k := range kinds {
		for i := range parts[k] {
			l.addEntry(parts[k][i])
		}
	}
	return nil
}

func (l *Lexicon) addWords(words map[string][]string) {
	for i, list := range wordLists {
		for _, w := range words[list] {
			key := fold(w)
			switch list {
			case wordsAmbiguous:
				l.ambiguous[key] = true
			case wordsEnglish:
				l.english[key] = true
			default:
				if _, taken := l.words[key]; !taken {
					l.words[key] = wordList(i + 1)
				}
			}
		}
	}
}

// addEntry adds e with all its names.
func (l *Lexicon) addEntry(e Entry) {
	n := int32(len(l.entries))
	l.entries = append(l.entries, e)
	l.claimNames(&e, n)
}

// claimNames claims all names of e, which people wrote, for entry n.
func (l *Lexicon) claimNames(e *Entry, n int32) {
	for _, name := range e.names() {
		r := curatedRule(name)
		if slices.Contains(e.Guarded, name) {
			r = guarded
		}
		l.claim(name, n, r)
	}
}

// claim enters name for entry n, behind the claims that it has already.
func (l *Lexicon) claim(name string, n int32, r rule) {
	key := fold(name)
	c := claim{name: name, entry: n, next: -1, rule: r}
	first, known := l.index[key]
	if !known {
		l.index[key] = int32(len(l.claims))
		l.claims = append(l.claims, c)
		return
	}
	last := first
	for at := first; at >= 0; at = l.claims[at].next {
		if l.claims[at].entry == n && l.claims[at].name == name {
			if r == guarded {
				l.claims[at].rule = guarded
			}
			return
		}
		last = at
	}
	l.claims[last].next = int32(len(l.claims))
	l.claims = append(l.claims, c)
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

// Entries gives all entries, in the dictionary's order. The caller must not change them.
func (l *Lexicon) Entries() []Entry { return l.entries }

// Lookup finds the entry that has name, however it is spelled: of the kind given, or of any where kind is empty.
func (l *Lexicon) Lookup(kind Kind, name string) (*Entry, bool) {
	n, ok := l.find(kind, name)
	if !ok {
		return nil, false
	}
	return &l.entries[n], true
}

func (l *Lexicon) find(kind Kind, name string) (int32, bool) {
	first, ok := l.index[fold(name)]
	if !ok {
		return 0, false
	}
	for at := first; at >= 0; at = l.claims[at].next {
		if n := l.claims[at].entry; kind == "" || l.entries[n].Kind == kind {
			return n, true
		}
	}
	return 0, false
}

// Synonyms lists all names that the dictionary has for name, the most telling first; nil where it does not know name.
func (l *Lexicon) Synonyms(name string) []string {
	e, ok := l.Lookup("", name)
	if !ok {
		return nil
	}
	return unique(e.names())
}

// unique keeps the first of the texts that differ only in case.
func unique(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, t) }) {
			out = append(out, t)
		}
	}
	return out
}
