//go:build lexicongen

package lexicon

// Empty tables for the generator, which must not depend on what it makes.
var (
	builtInEntries    [0]Entry
	builtInClaims     [0]claim
	builtInKeys       [0]nameKey
	builtInStems      [0]stem
	builtInVocabulary [0]string
	builtInReversed   [0]int32

	builtInCombinations [0][]string
	builtInShorthand    [0][]string
)
