package identity

import (
	"strings"

	"dossier/internal/text"
)

// blockingKeys lists the blocking keys of a source record: two records without a common identifier are compared only
// where they have a key in common. The store keeps them by origin and answers Index.ByTitle from them. There are at
// most four: the start of the title, the whole of one that goes on behind it (errata and the abstracts of a congress
// begin alike by the thousand), the journal with volume and first page (or issue, where there is no page), and the
// first author with the same.
func (p *profile) blockingKeys() []string {
	var keys []string
	if k := p.title.key(); k != "" {
		keys = append(keys, k)
	}
	if p.title.runes > prefixLength {
		keys = append(keys, "w:"+p.title.compact)
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
		keys = append(keys, "j:"+journalKey(tellingWords(p.venue.journals[len(p.venue.journals)-1]))+place)
	}
	if family := strings.Join(p.first().family, ""); family != "" {
		keys = append(keys, "a:"+text.Runes(family, 20)+place)
	}
	return keys
}

// journalKey is the same for a journal's full name and its abbreviation: the first letters of up to four words. An
// acronym is its own.
func journalKey(ws []string) string {
	if len(ws) == 1 {
		return text.Runes(ws[0], 4)
	}
	return initials(ws[:min(4, len(ws))])
}
