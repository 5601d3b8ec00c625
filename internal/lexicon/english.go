package lexicon

import (
	_ "embed"

	"dossier/internal/text"
)

// englishWords are correctly spelled words: in small letters, of six letters or more, sorted by their bytes, each on a
// line. They are SCOWL's (see NOTICE) as Debian's wamerican-large has them:
//
//	LC_ALL=C grep -xE '[a-z]{6,}' /usr/share/dict/american-english-large | LC_ALL=C sort -u
//
// The list is searched as it lies in the program, which takes it from the disk only where a question has a word that
// the dictionary does not know.
//
//go:embed english.txt
var englishWords string

// isEnglishWord reports whether a folded word is a correctly spelled one, even if it is close to another.
func isEnglishWord(word string) bool {
	return !meantOtherwise(word) && text.HasLine(englishWords, word)
}
