package lexicon

// word is what the dictionary has on the folded word at a token. A reading looks it up once, however many of its steps
// ask.
type word struct {
	nameKey        // what it is on its own
	text    string // the word
	begun   cursor // the names that begin with it
	isRead  bool

	known, spelled answer
}

// answer is a cached yes or no, computed only for the few words that need it.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// of returns the cached answer, and asks for it the first time.
func (a *answer) of(is func(string) bool, word string) bool {
	if *a == unasked {
		*a = no
		if is(word) {
			*a = yes
		}
	}
	return *a == yes
}

// word returns what the dictionary has on the word at token i, as it is read by now.
func (r *reader) word(i int) *word {
	if more := len(r.tokens) - len(r.words); more > 0 {
		r.words = append(r.words, make([]word, more)...)
	}

	w := &r.words[i]
	if key := r.tokens[i].key; !w.isRead || w.text != key {
		begun := r.lexicon.cursor().extend(key)
		*w = word{nameKey: begun.key(), text: key, begun: begun, isRead: true}
	}
	return w
}

// isKnown reports whether the word at token i is in a name or a list of the dictionary.
func (r *reader) isKnown(i int) bool {
	w := r.word(i)
	return w.english || w.first != noClaim || w.known.of(r.lexicon.isKnown, w.text)
}

// isEnglishWord reports whether the word at token i is a correctly spelled English word.
func (r *reader) isEnglishWord(i int) bool {
	w := r.word(i)
	return w.spelled.of(isEnglishWord, w.text)
}

// find finds the entry of a kind, or of any if kind is empty, that has the word at token i as a name.
func (r *reader) find(kind Kind, i int) (int32, bool) { return r.lexicon.ofKind(kind, r.word(i).first) }
