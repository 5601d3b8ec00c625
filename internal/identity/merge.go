package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Merge makes one record of source records that are one paper: of each field the best, which is what the most
// authoritative source says that says anything, and the union of what can be added up (SPEC section 3).
//
// Provenance names for each field the source that gave it, for a union all of them, parted by commas. Record.ID, and what
// step 3 sets, are left empty. The result does not depend on the order of records, and shares no memory with them that
// is written to later.
func Merge(records []*evidence.Record) evidence.Record {
	m := &merger{records: slices.Clone(records), provenance: map[string]string{}}
	slices.SortStableFunc(m.records, func(a, b *evidence.Record) int { return compareOrigins(originKey(a), originKey(b)) })
	m.trusted = make(map[*evidence.Record]bool, len(m.records))
	for _, r := range m.records {
		m.trusted[r] = speaksFor(r, m.records[0])
	}
	var out evidence.Record
	m.identity(&out)
	m.text(&out)
	m.publication(&out)
	m.indexing(&out)
	m.standing(&out)
	out.Cut = m.cut()
	out.Provenance = m.provenance
	return out
}

// merger holds the source records, most authoritative first.
type merger struct {
	records    []*evidence.Record
	trusted    map[*evidence.Record]bool // speak of the same paper as the most authoritative one
	provenance map[string]string
}

func source(rec *evidence.Record) string {
	if len(rec.Origins) == 0 {
		return ""
	}
	return rec.Origins[0].Source
}

// pick is the first record's value that is there.
func pick[T any](m *merger, field string, get func(*evidence.Record) (T, bool)) T {
	for _, rec := range m.records {
		if v, ok := get(rec); ok {
			m.provenance[field] = source(rec)
			return v
		}
	}
	var none T
	return none
}

func pickString(m *merger, field string, get func(*evidence.Record) string) string {
	return pick(m, field, func(r *evidence.Record) (string, bool) { v := get(r); return v, v != "" })
}

func pickList[T any](m *merger, field string, get func(*evidence.Record) []T) []T {
	return slices.Clone(pick(m, field, func(r *evidence.Record) ([]T, bool) { v := get(r); return v, len(v) > 0 }))
}

// unite adds the records' lists up; of entries with the same key the most authoritative source's stays. A key of "" is left out.
func unite[T any](m *merger, field string, get func(*evidence.Record) []T, key func(T) string) []T {
	var out []T
	var sources []string
	seen := map[string]bool{}
	for _, rec := range m.records {
		gave := false
		for _, v := range get(rec) {
			if k := key(v); k != "" && !seen[k] {
				seen[k], gave = true, true
				out = append(out, v)
			}
		}
		if gave && !slices.Contains(sources, source(rec)) {
			sources = append(sources, source(rec))
		}
	}
	if len(sources) > 0 {
		m.provenance[field] = strings.Join(sources, ",")
	}
	return out
}

// identity sets identifiers, origins and links. A trial's number on a publication becomes a link to the trial.
func (m *merger) identity(out *evidence.Record) {
	isTrial := slices.ContainsFunc(m.records, func(r *evidence.Record) bool { return hasKind(r, evidence.NCT) && newClass(r) == trial })
	own := func(r *evidence.Record) []evidence.Identifier {
		ids := evidence.SortIdentifiers(slices.Clone(r.Identifiers))
		return slices.DeleteFunc(ids, func(id evidence.Identifier) bool { return id.Kind == evidence.NCT && !isTrial })
	}
	out.Identifiers = evidence.SortIdentifiers(unite(m, "identifiers", own, evidence.Identifier.String))
	for _, r := range m.records {
		out.Origins = append(out.Origins, r.Origins...)
	}
	slices.SortFunc(out.Origins, func(a, b evidence.Origin) int { return strings.Compare(a.Key(), b.Key()) })
	links := LinksFrom
	out.Links = slices.DeleteFunc(unite(m, "links", links, linkKey), func(l evidence.Link) bool { return slices.Contains(out.Identifiers, l.Target) })
}

func linkKey(l evidence.Link) string {
	if l.Target.IsZero() {
		return strings.TrimSpace(string(l.Relation) + " " + l.Citation)
	}
	return string(l.Relation) + " " + l.Target.String()
}

// cut lists the cuts of those fields that came from the record which was cut.
func (m *merger) cut() []evidence.Cut {
	var out []evidence.Cut
	for _, r := range m.records {
		for _, c := range r.Cut {
			field, _, _ := strings.Cut(c.Field, ".")
			if slices.Contains(strings.Split(m.provenance[field], ","), source(r)) {
				out = evidence.WithCut(out, c)
			}
		}
	}
	return out
}

func (m *merger) text(out *evidence.Record) {
	out.Title = pickString(m, "title", func(r *evidence.Record) string { return r.Title })
	out.VernacularTitle = pickString(m, "vernacular_title", func(r *evidence.Record) string { return r.VernacularTitle })
	out.Abstract = m.abstract()
	out.OtherAbstracts = pickList(m, "other_abstracts", func(r *evidence.Record) []evidence.OtherAbstract { return r.OtherAbstracts })
}

// abstract is the most authoritative one, unless it was cut off: another that goes on for more than half as much again, or one
// with the same text in labelled sections, is better.
func (m *merger) abstract() []evidence.Section {
	var best []evidence.Section
	length := 0
	for _, r := range m.records {
		n := len(r.AbstractText())
		if n == 0 {
			continue
		}
		structured := len(r.Abstract) > 1 && len(best) == 1 && n >= length
		if best == nil && m.trusted[r] || best != nil && (n > length+length/2 || structured) && m.trusted[r] && goesOn(best, r.Abstract) {
			best, length = r.Abstract, n
			m.provenance["abstract"] = source(r)
		}
	}
	return slices.Clone(best)
}

// goesOn says whether an abstract has most of the words of a shorter one: it is that text, and more of it.
func goesOn(short, long []evidence.Section) bool {
	in, found := map[string]bool{}, 0
	for _, w := range words(fold(evidence.SectionsText(long))) {
		in[w] = true
	}
	all := words(fold(evidence.SectionsText(short)))
	for _, w := range all {
		if in[w] {
			found++
		}
	}
	return found*3 >= len(all)*2
}

func (m *merger) publication(out *evidence.Record) {
	out.Authors = m.authors()
	out.Journal = m.journal()
	out.Date = m.date()
	out.Languages = pickList(m, "languages", func(r *evidence.Record) []string { return r.Languages })
	out.FullText = unite(m, "full_text", func(r *evidence.Record) []string { return r.FullText }, func(s string) string { return s })
	out.PublicationTypes = m.publicationTypes()
	out.Trial = pick(m, "trial", func(r *evidence.Record) (*evidence.Trial, bool) { return r.Trial, r.Trial != nil })
	out.Preprint = slices.ContainsFunc(m.records, func(r *evidence.Record) bool { return r.Preprint })
}

// authors is the most authoritative list; where another has the same people, its full names, ORCIDs and affiliations fill gaps.
func (m *merger) authors() []evidence.Author {
	out := pickList(m, "authors", func(r *evidence.Record) []evidence.Author { return r.Authors })
	for _, r := range m.records {
		if len(r.Authors) != len(out) {
			continue
		}
		for i, other := range r.Authors {
			if newName(out[i]).compare(newName(other)) == same {
				out[i] = fillAuthor(out[i], other)
			}
		}
	}
	return out
}

func fillAuthor(a, other evidence.Author) evidence.Author {
	if a.Collective != "" {
		return a
	}
	a.Given, a.Initials = firstOf(a.Given, other.Given), firstOf(a.Initials, other.Initials)
	a.ORCID = firstOf(a.ORCID, other.ORCID)
	if len(a.Affiliations) == 0 {
		a.Affiliations = other.Affiliations
	}
	return a
}

// journal is the most authoritative one that has a name, with its gaps filled from the others that do not name another journal.
func (m *merger) journal() evidence.Journal {
	out := pick(m, "journal", func(r *evidence.Record) (evidence.Journal, bool) { return r.Journal, r.Journal.Name() != "" })
	out.ISSN = slices.Clone(out.ISSN)
	if len(m.records) == 1 {
		return out
	}
	for _, r := range m.records {
		if newVenue(out).journal(newVenue(r.Journal)) != contradicts {
			out = fillJournal(out, r.Journal)
		}
	}
	return out
}

func fillJournal(j, other evidence.Journal) evidence.Journal {
	j.Title, j.Abbreviation = firstOf(j.Title, other.Title), firstOf(j.Abbreviation, other.Abbreviation)
	if agreementOf(volumeNumber(j.Volume), volumeNumber(other.Volume)) != contradicts {
		j.Volume, j.Issue, j.Pages = firstOf(j.Volume, other.Volume), firstOf(j.Issue, other.Issue), firstOf(j.Pages, other.Pages)
	}
	j.Publisher, j.Country = firstOf(j.Publisher, other.Publisher), firstOf(j.Country, other.Country)
	if len(j.ISSN) == 0 {
		j.ISSN = slices.Clone(other.ISSN)
	}
	return j
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// date is the most authoritative one, made more precise by another that says the same and more.
func (m *merger) date() evidence.Date {
	out := pick(m, "date", func(r *evidence.Record) (evidence.Date, bool) { return r.Date, r.Date != "" })
	for _, r := range m.records {
		if len(r.Date) > len(out) && strings.HasPrefix(string(r.Date), string(out)) {
			out = r.Date
			m.provenance["date"] = source(r)
		}
	}
	return out
}

// publicationTypes unites by NLM's id and by name, so that Europe PMC's "journal article" is PubMed's "Journal Article".
func (m *merger) publicationTypes() []evidence.PublicationType {
	own := func(r *evidence.Record) []evidence.PublicationType {
		if !m.trusted[r] {
			return nil
		}
		return r.PublicationTypes
	}
	types := unite(m, "publication_types", own, func(t evidence.PublicationType) string {
		return firstOf(strings.ToLower(strings.TrimSpace(t.Name)), t.UI)
	})
	uis := map[string]bool{}
	return slices.DeleteFunc(types, func(t evidence.PublicationType) bool {
		repeated := t.UI != "" && uis[t.UI]
		uis[t.UI] = true
		return repeated
	})
}

func (m *merger) indexing(out *evidence.Record) {
	out.MeSH = pickList(m, "mesh", func(r *evidence.Record) []evidence.Heading { return r.MeSH })
	out.Substances = pickList(m, "substances", func(r *evidence.Record) []evidence.Substance { return r.Substances })
	out.Keywords = unite(m, "keywords", func(r *evidence.Record) []string { return r.Keywords }, func(s string) string { return strings.Join(words(fold(s)), " ") })
}

// standing sets citations and retraction. The highest count is the most complete one: no source counts what is not there.
func (m *merger) standing(out *evidence.Record) {
	for _, r := range m.records {
		if r.CitedBy > out.CitedBy {
			out.CitedBy = r.CitedBy
			m.provenance["cited_by"] = source(r)
		}
	}
	out.Retraction = m.retraction()
	if out.Retraction.Status != "" {
		m.provenance["retraction"] = firstOf(out.Retraction.Source, m.provenance["retraction"])
	}
}

// retraction: a yes from any source that speaks of this paper wins, then a no, then unknown. Of those that say the same the most authoritative is
// quoted, with a notice that another knows.
func (m *merger) retraction() evidence.Retraction {
	var out evidence.Retraction
	for _, r := range m.records {
		if !m.trusted[r] {
			continue
		}
		said := statedRetraction(r)
		switch {
		case weight(said.Status) > weight(out.Status):
			out = said
			m.provenance["retraction"] = source(r)
		case said.Status == evidence.Yes && out.Notice.IsZero():
			out.Notice = said.Notice
		}
	}
	return out
}

// statedRetraction is what a source record says of itself; a link to its retraction notice says it, too.
func statedRetraction(r *evidence.Record) evidence.Retraction {
	said := r.Retraction
	if said.Source == "" && said.Status != "" {
		said.Source = source(r)
	}
	for _, l := range r.Links {
		if l.Relation != evidence.RetractedBy {
			continue
		}
		if said.Status != evidence.Yes {
			said = evidence.Retraction{Status: evidence.Yes, Source: firstOf(l.Source, source(r)), Checked: said.Checked}
		}
		if said.Notice.IsZero() {
			said.Notice = l.Target
		}
	}
	return said
}

func weight(t evidence.Ternary) int {
	switch t {
	case evidence.Yes:
		return 3
	case evidence.No:
		return 2
	case evidence.Unknown:
		return 1
	}
	return 0
}
