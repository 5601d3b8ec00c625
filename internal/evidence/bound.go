package evidence

import (
	"fmt"
	"slices"

	"dossier/internal/text"
)

// Bounds of a record, whatever its source. No real record comes near them; one that does is broken or malicious, and
// must not fill readers' memory. Texts count in bytes, lists in entries.
const (
	MaxTitle    = 2_000
	MaxAbstract = 100_000 // all of its sections together
	MaxAuthors  = 5_000

	maxName        = 500       // a name, a heading, a keyword, a volume
	maxLine        = 2_000     // an affiliation, an address, a citation, an outcome
	maxDescription = 10_000    // of an arm or an intervention
	maxEntries     = 1_000     // headings, keywords, substances
	maxFew         = 100       // identifiers, languages, publication types; what belongs to one author, arm or site
	maxLinks       = 5_000     // links, and a trial's sites
	maxListed      = 1_000_000 // bytes of all texts of one list
)

// Cut records that a field holds less than its source gave: Kept of Came bytes of a text, or entries of a list. Came
// counts what was read; readers stop at some multiple of the bound.
type Cut struct {
	Field   string `json:"field"` // as in the record's JSON form: "abstract", "authors.affiliations"
	Kept    int    `json:"kept"`
	Came    int    `json:"came"`
	Entries bool   `json:"entries,omitempty"` // Kept and Came count entries, not bytes
}

// String is the cut in words: "abstract cut at 100 KB, 812 KB came".
func (c Cut) String() string {
	if c.Entries {
		return fmt.Sprintf("%s cut at %d, %d came", c.Field, c.Kept, c.Came)
	}
	return fmt.Sprintf("%s cut at %s, %s came", c.Field, sizeText(c.Kept), sizeText(c.Came))
}

func sizeText(bytes int) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d KB", (bytes+500)/1000)
}

// WithCut adds a cut to a list of them, which it does not change. Of two cuts of one field the one of which more
// came stays.
func WithCut(list []Cut, c Cut) []Cut {
	at := slices.IndexFunc(list, func(have Cut) bool { return have.Field == c.Field })
	switch {
	case at < 0:
		return append(slices.Clip(list), c)
	case list[at].Came < c.Came:
		list = slices.Clone(list)
		list[at] = c
	}
	return list
}

// Bound cuts each of a source record's fields to its bound, removes invisible characters from its texts, and lists the
// cuts in r.Cut. It works in place, and writes only what it changes. A record within the bounds keeps its words, and
// bounding once more changes nothing. It returns the remaining bytes of the record's texts.
func (r *Record) Bound() (bytes int) {
	b := &bounder{cuts: r.Cut}
	size := b.text("title", &r.Title, MaxTitle) + b.text("vernacular_title", &r.VernacularTitle, MaxTitle) +
		b.sections("abstract", &r.Abstract)
	j := &r.Journal
	size += b.text("journal.title", &j.Title, maxLine) + b.text("journal.publisher", &j.Publisher, maxLine) +
		b.names("journal", &j.Abbreviation, &j.Volume, &j.Issue, &j.Pages, &j.Country) +
		b.lines("journal.issn", &j.ISSN, maxFew, maxName)
	size += entries(b, "other_abstracts", &r.OtherAbstracts, maxFew, func(o *OtherAbstract) int {
		return b.names("other_abstracts", &o.Kind, &o.Language) + b.sections("other_abstracts.sections", &o.Sections)
	})
	size += entries(b, "authors", &r.Authors, MaxAuthors, func(a *Author) int {
		return b.names("authors", &a.Family, &a.Given, &a.Initials, &a.Suffix, &a.ORCID) +
			b.text("authors.collective", &a.Collective, maxLine) + b.lines("authors.affiliations", &a.Affiliations, maxFew,
			maxLine)
	})
	size += b.lines("languages", &r.Languages, maxFew, maxName)
	size += entries(b, "publication_types", &r.PublicationTypes, maxFew, func(t *PublicationType) int {
		return b.names("publication_types", &t.Name, &t.UI)
	})
	size += entries(b, "mesh", &r.MeSH, maxEntries, func(h *Heading) int {
		return b.names("mesh", &h.Name, &h.UI) + entries(b, "mesh.qualifiers", &h.Qualifiers, maxFew, func(q *Qualifier) int {
			return b.names("mesh.qualifiers", &q.Name, &q.UI)
		})
	})
	size += b.lines("keywords", &r.Keywords, maxEntries, maxName)
	size += entries(b, "substances", &r.Substances, maxEntries, func(s *Substance) int {
		return b.names("substances", &s.Name, &s.UI, &s.Registry)
	})
	size += entries(b, "identifiers", &r.Identifiers, maxFew, func(id *Identifier) int { return len(id.Value) })
	size += entries(b, "links", &r.Links, maxLinks, func(l *Link) int {
		return b.text("links.citation", &l.Citation, maxLine)
	})
	size += b.text("retraction.reason", &r.Retraction.Reason, maxName)
	size += b.lines("full_text", &r.FullText, maxFew, maxLine)

	size += b.lines("accessions", &r.Accessions, maxFew, maxLine)
	if r.Trial != nil {
		size += b.trial(r.Trial)
	}
	r.Cut = b.cuts
	return size
}

func (b *bounder) trial(t *Trial) int {
	size := b.text("trial.official_title", &t.OfficialTitle, MaxTitle) + b.text("trial.why_stopped", &t.WhyStopped,
		maxLine) +
		b.names("trial", &t.Acronym, &t.Status, &t.LastKnownStatus, &t.StudyType, &t.Allocation, &t.Model, &t.Masking,
			&t.MinimumAge, &t.MaximumAge, &t.Sex, &t.Sponsor) +
		b.text("trial.eligibility", &t.Eligibility, MaxAbstract) + b.lines("trial.phases", &t.Phases, maxFew, maxName) +
		b.lines("trial.conditions", &t.Conditions, maxEntries, maxName) + b.lines("trial.outcomes", &t.Outcomes, maxEntries,
		maxLine)
	size += entries(b, "trial.arms", &t.Arms, maxFew, func(a *Arm) int {
		return b.names("trial.arms", &a.Label, &a.Kind) + b.text("trial.arms.description", &a.Description, maxDescription) +
			b.lines("trial.arms.interventions", &a.Interventions, maxFew, maxName)
	})
	size += entries(b, "trial.interventions", &t.Interventions, maxFew, func(i *Intervention) int {
		return b.names("trial.interventions", &i.Kind, &i.Name) +
			b.text("trial.interventions.description", &i.Description, maxDescription) +
			b.lines("trial.interventions.other_names", &i.OtherNames, maxFew, maxName)
	})
	size += b.contacts("trial.contacts", &t.Contacts)
	return size + entries(b, "trial.sites", &t.Sites, maxLinks, func(s *Site) int {
		return b.names("trial.sites", &s.Facility, &s.City, &s.State, &s.Country, &s.Status) +
			b.contacts("trial.sites.contacts", &s.Contacts)
	})
}

func (b *bounder) contacts(field string, list *[]Contact) int {
	return entries(b, field, list, maxFew, func(c *Contact) int {
		return b.names(field, &c.Name, &c.Role, &c.Phone, &c.Email)
	})
}

// bounder collects the cuts of one record, at most one for each field. Its methods return the remaining bytes.
type bounder struct{ cuts []Cut }

func (b *bounder) note(c Cut) { b.cuts = WithCut(b.cuts, c) }

func (b *bounder) text(field string, s *string, most int) int {
	removeInvisible(s)

	if came := len(*s); came > most {
		*s = text.Within(*s, most)
		b.note(Cut{Field: field, Kept: len(*s), Came: came})
	}
	return len(*s)
}

// removeInvisible removes invisible characters from a text. An unchanged text is not written: concurrent topics share
// records that were bounded on arrival.
func removeInvisible(s *string) {
	if visible := text.Visible(*s); visible != *s {
		*s = visible
	}
}

func (b *bounder) names(field string, names ...*string) int {
	size := 0
	for _, s := range names {
		size += b.text(field+".name", s, maxName)
	}
	return size
}

func (b *bounder) lines(field string, list *[]string, most, each int) int {
	return entries(b, field, list, most, func(s *string) int { return b.text(field+".text", s, each) })
}

// sections cuts an abstract in the order of reading: the section in which the room ends is cut, and those behind it are
// left out.
func (b *bounder) sections(field string, list *[]Section) int {
	came, kept, fit := 0, 0, min(len(*list), maxEntries)
	for i := range *list {
		s := &(*list)[i]
		b.names(field, &s.Label, &s.Category)
		removeInvisible(&s.Text)
		size := len(s.Label) + len(s.Text)

		came += size
		if room := MaxAbstract - kept; size > room {
			s.Text = text.Within(s.Text, room-len(s.Label))
			fit = min(fit, i+1)
		}

		if i < fit {
			kept += len(s.Label) + len(s.Text)
		}
	}

	if fit < len(*list) {
		*list = (*list)[:fit]
	}

	if came > kept {
		b.note(Cut{Field: field, Kept: kept, Came: came})
	}
	return kept
}

// entries bounds a list by its length and by the bytes of its entries, each of which bound cuts and measures.
func entries[T any](b *bounder, field string, list *[]T, most int, bound func(*T) int) int {
	size, came := 0, len(*list)
	for i := range *list {
		if i == most || size > maxListed {
			*list = (*list)[:i]
			b.note(Cut{Field: field, Kept: i, Came: came, Entries: true})
			break
		}
		size += bound(&(*list)[i])
	}
	return size
}
