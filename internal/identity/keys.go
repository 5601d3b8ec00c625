package identity

import (
	"strings"

	"dossier/internal/text"
)

// blockingKeys lists the blocking keys of a source record: two records without a common identifier are compared only if
// they share a key. The store keeps them by origin and answers Index.ByTitle from them. There are at most four: the
// start of the title; the first letters of all its words, which survive misprints and separate titles with a common
// beginning (errata, the abstracts of a congress); the journal with volume and first page (or issue, where there is no
// page), and the first author with the same.
func (p *profile) blockingKeys() []string {
	var keys []string
	if k := p.title.key(); k != "" {
		keys = append(keys, k)
	}

	if k := p.title.wordsKey(); k != "" {
		keys = append(keys, k)
	}

	number := pageDigits(p.venue.start)
	if number == "" && p.venue.issue != "" {
		number = "i" + text.Runes(p.venue.issue, 20)
	}

	if p.venue.volume == "" || number == "" || p.title.compact == "" {
		return keys
	}

	place := "|" + text.Runes(p.venue.volume, 20) + "|" + number
	if len(p.venue.journals) > 0 {
		keys = append(keys, "j:"+journalKey(significantWords(p.venue.journals[len(p.venue.journals)-1]))+place)
	}

	if family := strings.Join(p.first().family, ""); family != "" {
		keys = append(keys, "a:"+text.Runes(family, 20)+place)
	}
	return keys
}

// wordsKey is equal for titles that differ by misprints inside their words, and by small words: the first letters of
// the others, two of each where they are few, with all numbers; none where the title is short as well. A long title in
// one word, as in scripts without spaces, is its own key.
func (t title) wordsKey() string {
	const few, most = 5, 60 // words

	var telling []string
	for _, w := range t.words[:min(len(t.words), most)] {
		if isNumber(w) || !droppable(w) {
			telling = append(telling, w)
		}
	}

	letters := 1
	if len(telling) < few {
		letters = 2
	}

	var b strings.Builder
	for _, w := range telling {
		if isNumber(w) {
			b.WriteString(w)
		} else {
			b.WriteString(text.Runes(w, letters))
		}
	}

	switch {
	case len(telling) >= few, len(telling) > 1 && t.identifying():
		return "i:" + b.String()
	case t.runes > prefixLength:
		return "w:" + t.compact
	}
	return ""
}

// journalKey is equal for a journal's full name and its abbreviation: the first letters of up to four words. An acronym
// is its own key.
func journalKey(ws []string) string {
	if len(ws) == 1 {
		return text.Runes(ws[0], 4)
	}
	return initials(ws[:min(4, len(ws))])
}
