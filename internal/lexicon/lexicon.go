package lexicon

import (
	"slices"
	"strings"
)

// Lexicon is the dictionary with its index of names. It does not change once it is built.
type Lexicon struct {
	entries []Entry
	claims  []claim   // of all names
	keys    []nameKey // that ship with the program, sorted
	added   []nameKey // of users' files, sorted; a key that is in keys, too, counts here
	// The words that a typing error may be corrected to, of the program and of users' files.
	vocabulary, addedVocabulary vocabulary
	stems, addedStems           []stem // of the program and of users' files, sorted

	combinations [][]string // treatments known to be given together, by the names of entries
	shorthand    [][]string // short forms of the wards, each with the word that it stands for

	tree     *tree // grown when it is first needed
	cognates *cognates
}

// claim is an entry's right to a name. Where several entries have the name, the claims form a chain and the first
// holds.
type claim struct {
	name   string
	entry  int32
	next   int32 // the next claim to the same name; noClaim at the end
	rule   rule
	spoken bool // read in questions alone: a record that "holds the cancer at bay" states no pause
}

const noClaim = -1

// rule is when a name found in a text counts.
type rule uint8

const (
	anyCase    rule = iota // in any case of letters
	asWritten              // only with the same capitals
	guarded                // as written, and in a sentence of capitals only beside a word of genetics
	contextual             // as written, and only beside a word of genetics
)

// wordList is one of the lists of words, as an index in wordLists plus one; 0 is none.
type wordList uint8

// name is the list's name in wordLists; empty for none.
func (w wordList) name() string {
	if w == 0 {
		return ""
	}
	return wordLists[w-1]
}

// Load returns the dictionary that ships with the program, which needs no reading or building, extended by files in
// their order. An entry whose name, or whose unmistakable other name, is known already extends the known one; any other
// is new. A name that two entries claim stays with the first: it never merges entries.
//
// The error is a *strictyaml.Error, or joins several.
func Load(files ...File) (*Lexicon, error) {
	l := &Lexicon{entries: builtInEntries[:], claims: builtInClaims[:], keys: builtInKeys[:],
		vocabulary: vocabulary{builtInVocabulary[:], builtInReversed[:]}, stems: builtInStems[:],
		combinations: builtInCombinations[:], shorthand: builtInShorthand[:],
		tree: &tree{}, cognates: &cognates{}}
	if len(files) == 0 {
		return l, nil
	}

	b := newBuilder(l)
	for _, f := range files {
		if err := b.addFile(f); err != nil {
			return nil, err
		}
	}
	return b.finish(), nil
}

// Entries returns all entries, in the dictionary's order. The caller must not change them.
func (l *Lexicon) Entries() []Entry { return l.entries }

// Lookup finds the entry with a name, in any of its spellings: of the given kind, or of any if kind is empty.
func (l *Lexicon) Lookup(kind Kind, name string) (*Entry, bool) {
	n, ok := l.find(kind, name)
	if !ok {
		return nil, false
	}
	return &l.entries[n], true
}

func (l *Lexicon) find(kind Kind, name string) (int32, bool) {
	return l.ofKind(kind, l.first(fold(name)))
}

// ofKind finds the entry of a kind, or of any if kind is empty, among the claims from first.
func (l *Lexicon) ofKind(kind Kind, first int32) (int32, bool) {
	for at := first; at != noClaim; at = l.claims[at].next {
		if n := l.claims[at].entry; kind == "" || l.entries[n].Kind == kind {
			return n, true
		}
	}
	return 0, false
}

// first returns the first claim to a folded name; noClaim if there is none.
func (l *Lexicon) first(key string) int32 { return l.key(key).first }

// wordList returns the list that has a folded word or phrase; 0 if none has.
func (l *Lexicon) wordList(key string) wordList { return l.key(key).list }

// isEnglish reports whether a folded word is an everyday word that lists of genes and drugs have as a name.
func (l *Lexicon) isEnglish(key string) bool { return l.key(key).english }

// slips lists the words of the dictionary's names and lists that are one typing error away from a folded word: a letter
// too many, too few, another, or two neighbours exchanged. They are sorted; words under shortestCorrected letters,
// symbols, codes and the names of public lists are never among them.
func (l *Lexicon) slips(word string) []string {
	found := append(l.vocabulary.slips(word), l.addedVocabulary.slips(word)...)
	slices.Sort(found)
	return slices.Compact(found)
}

// hasWord reports whether a folded word is one that slips could give.
func (l *Lexicon) hasWord(word string) bool {
	return l.vocabulary.has(word) || l.addedVocabulary.has(word)
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
