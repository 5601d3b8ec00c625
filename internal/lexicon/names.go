package lexicon

import (
	"sort"
	"strings"
)

// nameKey is a folded name or word, with what the dictionary has on it.
type nameKey struct {
	key       string
	first     int32 // of the claims to the name; noClaim if no entry has it
	list      wordList
	whole     bool // of list: it is one word, which no two words spell
	english   bool // an everyday word that lists of genes and drugs have as a name
	ambiguous bool // two entries share it on purpose
}

// cursor is a range of the sorted keys: those that begin with the words that it was extended by. It is a value;
// extending it makes another.
type cursor struct {
	length      int // of the common beginning, in bytes
	keys, added []nameKey
}

// cursor begins before the first word of a name.
func (l *Lexicon) cursor() cursor { return cursor{keys: l.keys, added: l.added} }

// extend narrows the cursor by the next folded word.
func (c cursor) extend(word string) cursor {
	return cursor{c.length + len(word), narrow(c.keys, c.length, word), narrow(c.added, c.length, word)}
}

// empty reports whether no name or word begins so.
func (c cursor) empty() bool { return len(c.keys) == 0 && len(c.added) == 0 }

// key returns what the dictionary has on exactly the words that the cursor was extended by.
func (c cursor) key() nameKey {
	for _, keys := range [...][]nameKey{c.added, c.keys} {
		if len(keys) > 0 && len(keys[0].key) == c.length {
			return keys[0]
		}
	}
	return nameKey{first: noClaim}
}

// key returns what the dictionary has on a folded name.
func (l *Lexicon) key(key string) nameKey {
	for _, keys := range [...][]nameKey{l.added, l.keys} {
		if i, ok := findKey(keys, key); ok {
			return keys[i]
		}
	}
	return nameKey{first: noClaim}
}

func findKey(keys []nameKey, key string) (int, bool) {
	return sort.Find(len(keys), func(i int) int { return strings.Compare(key, keys[i].key) })
}

// narrow finds the sorted keys that have word at offset. All keys are the same up to there.
func narrow(keys []nameKey, offset int, word string) []nameKey {
	from := sort.Search(len(keys), func(i int) bool { return keys[i].key[offset:] >= word })
	keys = keys[from:]

	step := 1 // few names begin with the same words: the end is looked for near the beginning
	for step < len(keys) && strings.HasPrefix(keys[step].key[offset:], word) {
		step *= 2
	}
	past := sort.Search(min(step, len(keys)), func(i int) bool { return !strings.HasPrefix(keys[i].key[offset:], word) })
	return keys[:past]
}
