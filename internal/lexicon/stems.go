package lexicon

import (
	"slices"
	"strings"
)

// stem is an ending of nonproprietary names that marks a class of drugs, as the World Health Organization gives them.
type stem struct {
	ending string // "pril"
	entry  int32  // the class
}

// shortestDrugName is the fewest letters of a name that is known by its stem; shortestStem, the fewest of a stem.
const (
	shortestDrugName = 7
	shortestStem     = 3
)

// isDrugName reports whether a folded word looks like a drug's nonproprietary name.
func (l *Lexicon) isDrugName(key string) bool { return l.classByStem(key) != nil }

// classByStem returns the class of a folded word by its ending. The longest ending counts: aripiprazole is no proton
// pump inhibitor. It is nil for an English word, which ends so by chance, and for the class's exceptions.
func (l *Lexicon) classByStem(key string) *Entry {
	if len(key) < shortestDrugName {
		return nil
	}

	for at := 1; at+shortestStem <= len(key); at++ {
		n, ok := l.stem(key[at:])
		if !ok {
			continue
		}

		if class := &l.entries[n]; !class.excepts(key) && !isEnglishWord(key) {
			return class
		}
		return nil
	}
	return nil
}

// stem finds the class with an ending as its stem.
func (l *Lexicon) stem(ending string) (class int32, ok bool) {
	for _, stems := range [][]stem{l.stems, l.addedStems} {
		if i, ok := slices.BinarySearchFunc(stems, ending, compareStem); ok {
			return stems[i].entry, true
		}
	}
	return 0, false
}

func compareStem(s stem, ending string) int { return strings.Compare(s.ending, ending) }

// excepts reports whether a word is one of a class's exceptions.
func (e *Entry) excepts(key string) bool {
	return slices.ContainsFunc(e.Except, func(x string) bool {
		ending, isEnding := strings.CutPrefix(x, "-")
		return key == x || isEnding && strings.HasSuffix(key, ending)
	})
}

// addStems enters the stems of e, which is entry n, if it is a class. A stem that another class has already stays with
// that.
func (b *builder) addStems(e *Entry, n int32) {
	if e.Kind != KindClass {
		return
	}

	for _, written := range e.Stems {
		ending := fold(written)
		if _, known := b.l.stem(ending); known {
			continue
		}
		at, _ := slices.BinarySearchFunc(b.l.addedStems, ending, compareStem)
		b.l.addedStems = slices.Insert(b.l.addedStems, at, stem{ending, n})
	}
}
