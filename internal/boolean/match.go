package boolean

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Match reports whether doc is what n asks for. Each field is compared as Field.Matching says, by text.Tokens:
// case, accents, hyphens and other punctuation make no difference, and nothing is stemmed. The nil query matches
// nothing.
func Match(n Node, doc Document) bool {
	m := matcher{doc: &doc, cut: map[Field][][]string{}}
	return n != nil && m.match(n)
}

// matcher cuts each field of a document into words once, however many terms ask for it.
type matcher struct {
	doc *Document
	cut map[Field][][]string
}

func (m *matcher) match(n Node) bool {
	switch x := n.(type) {
	case Term:
		return m.term(x)
	case DateRange:
		first, last := DateBounds(dateOf(m.doc, x.Field))
		from, to := x.Bounds()
		return last > 0 && first <= to && last >= from
	case And:
		return len(x.Of) > 0 && !slices.ContainsFunc(x.Of, func(n Node) bool { return !m.match(n) })
	case Or:
		return slices.ContainsFunc(x.Of, m.match)
	case Not:
		return m.match(x.Keep) && !m.match(x.Drop)
	}
	return false
}

func (m *matcher) term(t Term) bool {
	words := TermTokens(t)
	return len(words) > 0 && slices.ContainsFunc(m.passages(t.Field), func(passage []string) bool {
		return matchPassage(t, words, passage)
	})
}

func (m *matcher) passages(field Field) [][]string {
	if cut, done := m.cut[field]; done {
		return cut
	}

	var cut [][]string
	for _, passage := range m.doc.Passages(field) {
		cut = append(cut, text.Tokens(passage))
	}
	m.cut[field] = cut
	return cut
}

func matchPassage(t Term, words, passage []string) bool {
	switch t.Field.Matching() {
	case Whole:
		return begins(passage, words, t.Truncated) && (t.Truncated || len(passage) == len(words))
	case ByName:
		return matchName(t, words, passage)
	case ByWords:
		if t.Near != NoProximity && len(words) > 1 {
			return within(passage, words, t.Near)
		}
		return holdsPhrase(passage, words, t.Truncated)
	}
	return false
}

func matchName(t Term, words, passage []string) bool {
	exact := t.Quoted && !t.Truncated
	switch {
	case len(words) == 1:
		return begins(passage, words, t.Truncated)
	case exact:
		return slices.Equal(passage, words)
	}
	return begins(passage, words, true)
}

// begins reports whether words are the first of a passage; with open the last of them need only begin a word.
func begins(passage, words []string, open bool) bool {
	if len(words) > len(passage) {
		return false
	}

	last := len(words) - 1
	if !slices.Equal(passage[:last], words[:last]) {
		return false
	}
	return passage[last] == words[last] || open && strings.HasPrefix(passage[last], words[last])
}

func holdsPhrase(passage, words []string, truncated bool) bool {
	for i := 0; i+len(words) <= len(passage); i++ {
		if begins(passage[i:], words, truncated) {
			return true
		}
	}
	return false
}

// within reports whether some stretch of the passage holds all the words, in any order, with at most near others among
// them. A word that the term has twice must stand there twice.
func within(passage, words []string, near int) bool {
	missing := map[string]int{}
	for _, w := range words {
		missing[w]++
	}
	short := len(words) // words that the window still lacks

	start := 0
	for end, word := range passage {
		if n, wanted := missing[word]; wanted {
			if n > 0 {
				short--
			}
			missing[word]--
		}

		if end-start+1 > len(words)+near {
			if n, wanted := missing[passage[start]]; wanted {
				if n >= 0 {
					short++
				}
				missing[passage[start]]++
			}
			start++
		}

		if short == 0 {
			return true
		}
	}
	return false
}

// dateOf gives the date of a field that holds dates; empty where it is unknown.
func dateOf(d *Document, field Field) evidence.Date {
	switch field {
	case FieldDatePub:
		return d.Published
	case FieldDateModified:
		return d.Modified
	case FieldDateEntry:
		return d.Entered
	case FieldDateCreated:
		return d.Created
	}
	return ""
}
