package identity

import (
	"slices"

	"dossier/internal/evidence"
)

// voice is who speaks in a source record of a paper, the most trusted first. A record speaks only for itself: what it
// says of a paper that others know better counts as the table below has it.
type voice int

const (
	voicePubMed   voice = iota // PubMed, of the PMID that it gives
	voiceMED                   // Europe PMC's MED record, which takes over PubMed's
	voiceService               // Europe PMC's other records, OpenAlex, the registries
	voicePreprint              // a preprint's record
	voiceFile                  // whatever was read from an imported file
	voiceStranger              // what does not show that it is of this paper
	voices
)

// say is how far a voice counts.
type say int

const (
	unheard  say = iota
	inOrder      // the first voice that says anything is the paper's
	mends        // takes the place of a text that was cut off
	adds         // joins what others say
	stands       // is the paper's, silence included: where a better voice stands, the others are not heard
	disputes     // is shown as a claim, and believed only of a paper that no better voice speaks for
)

// trust is the one table of whose word counts in what: merging, the kind of a record, its retraction and its name all
// ask it. docs/METHOD.md, "Identity", has it for readers. Fields that are not here are taken in order.
var trust = map[string][voices]say{
	//                    PubMed   MED      service  preprint  file      stranger
	"abstract":          {inOrder, mends, inOrder, inOrder, inOrder, unheard},
	"publication_types": {stands, stands, adds, adds, adds, unheard},
	"notices":           {stands, stands, stands, stands, stands, unheard}, // links that make a notice of a record
	"retraction":        {stands, stands, stands, disputes, disputes, disputes},
	"links":             {adds, adds, adds, adds, adds, unheard},
	"identifiers":       {adds, adds, adds, adds, adds, adds}, // of those that several papers claim see owners
	"keywords":          {adds, adds, adds, adds, adds, unheard},
	"full_text":         {adds, adds, adds, adds, adds, unheard},
	"cited_by":          {adds, adds, adds, adds, inOrder, unheard},
	"":                  {inOrder, inOrder, inOrder, inOrder, inOrder, unheard}, // all other fields
}

func (v voice) say(field string) say {
	if row, ok := trust[field]; ok {
		return row[v]
	}
	return trust[""][v]
}

// tier is the same for voices of equal standing.
func (v voice) tier() voice {
	if v == voiceMED {
		return voicePubMed
	}
	return v
}

// voiceIn is who speaks in p, of a paper whose most authoritative record with a title is best.
func (p *profile) voiceIn(best *profile) voice {
	switch {
	case p != best && !p.speaksFor(best):
		return voiceStranger
	case fromFile(p.rec):
		return voiceFile
	case p.own.Kind == evidence.PMID && source(p.rec) == evidence.SourcePubMed:
		return voicePubMed
	case p.own.Kind == evidence.PMID:
		return voiceMED
	case p.class == preprint:
		return voicePreprint
	}
	return voiceService
}

// fromFile reports whether a record was read from an imported file, whatever it calls itself there. PubMed's own
// distribution files count as PubMed.
func fromFile(rec *evidence.Record) bool {
	return len(rec.Origins) == 0 || rec.Origins[0].File != "" || !slices.Contains(authorities, rec.Origins[0].Source)
}

// speaksFor reports whether p shows that it is of the paper that best is of: it has that paper's title, or another on
// the same pages, and nothing else that a reader knows a paper by speaks against it. Less trusted than best and without
// a title, it shows nothing.
func (p *profile) speaksFor(best *profile) bool {
	if p.title.compact == "" {
		return p.rank < best.rank && !disagrees(p, best, 1)
	}

	if p.title.compact == best.title.compact && p.year == best.year && p.first().compare(best.first()) == same {
		return true // as nearly all copies
	}

	if disagrees(p, best, 1) {
		return false
	}
	return p.likeTitles(best) >= alike || p.venue.place(best.venue) == agrees
}

// title by which a record holds an identifier; the lowest is the best. Its own identifier is every record's; of the
// rest a better voice's word counts before a worse one's.
const (
	titleOwn = iota
	titleFirst
)

// titles gives the group's best title to each of its identifiers.
func (c cluster) titles() map[evidence.Identifier]int {
	best := map[evidence.Identifier]int{}
	for i, p := range c.members {
		for _, id := range p.ids {
			title := p.titleTo(id, c.voices[i])
			if old, ok := best[id]; !ok || title < old {
				best[id] = title
			}
		}
	}
	return best
}

// titleTo is p's title to an identifier that it carries, v speaking in it.
func (p *profile) titleTo(id evidence.Identifier, v voice) int {
	switch {
	case p.own == id:
		return titleOwn
	case v == voicePreprint && id.Kind == evidence.DOI && forms("preprint doi").MatchString(id.Value):
		return titleFirst + int(voiceMED)
	}
	return titleFirst + int(v)
}

// owners says which paper an identifier is of where several carry it, as a place in groups: the one whose record has
// the best title to it. Where two have the same, as with the DOI of a supplement, it is nobody's, and each keeps it.
// That of a crowd is of the paper that it names, if any.
func owners(groups []cluster, crowds crowds) map[evidence.Identifier]int {
	type claim struct {
		group, title int
		rivals       bool
	}

	best, out := map[evidence.Identifier]claim{}, map[evidence.Identifier]int{}
	for i, g := range groups {
		for id, title := range g.titles() {
			if c := crowds[id]; c != nil {
				if c.named(id, g) {
					out[id] = i
				}
				continue
			}

			switch b, claimed := best[id]; {
			case !claimed || title < b.title:
				best[id] = claim{i, title, false}
			case title == b.title:
				best[id] = claim{b.group, title, true}
			}
		}
	}

	for id, b := range best {
		if !b.rivals {
			out[id] = b.group
		}
	}
	return out
}
