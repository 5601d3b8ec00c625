package identity

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Merge makes one record of source records that are one paper: of each field what the table of trust lets count, in the
// order of the sources' authority, and the union of what can be added up.
//
// Provenance names for each field the source that gave it, for a union all of them, parted by commas. Record.ID, and
// what step 3 sets, are left empty. The result does not depend on the order of records, and shares no memory with them
// that is written to later.
func Merge(records []*evidence.Record) evidence.Record {
	return newCluster(text.Each(records, newProfile)).merge()
}

func (c cluster) merge() evidence.Record {
	m := &merger{cluster: c, provenance: map[string]string{}}
	var out evidence.Record
	m.identity(&out)
	m.text(&out)
	m.publication(&out)
	m.indexing(&out)
	m.standing(&out)
	out.Cut = m.cut()
	out.Provenance = m.provenance
	c.setOwnDOI(&out, func(evidence.Identifier) bool { return true })
	return out
}

// merger merges a cluster's records.
type merger struct {
	cluster
	provenance map[string]string
}

// heard gives, in order, the records that count in a field, each with how.
func (m *merger) heard(field string) iter.Seq2[*profile, say] {
	first := voices
	for _, v := range m.voices {
		if v.say(field) == stands {
			first = min(first, v.tier())
		}
	}
	return func(yield func(*profile, say) bool) {
		for i, p := range m.members {
			v := m.voices[i]

			how := v.say(field)
			if how == unheard || how == disputes || first != voices && (how != stands || v.tier() != first) {
				continue
			}

			if !yield(p, how) {
				return
			}
		}
	}
}

func source(rec *evidence.Record) string {
	if len(rec.Origins) == 0 {
		return ""
	}
	return rec.Origins[0].Source
}

// gave notes that a field is a source's.
func (m *merger) gave(field string, rec *evidence.Record) { m.provenance[field] = sourceName(rec) }

// addProvenance notes that a source filled gaps in a field.
func (m *merger) addProvenance(field string, rec *evidence.Record) {
	if m.provenance[field] == "" {
		m.gave(field, rec)
	} else if have := strings.Split(m.provenance[field], ","); !slices.Contains(have, sourceName(rec)) {
		m.provenance[field] = strings.Join(append(have, sourceName(rec)), ",")
	}
}

// sourceName is a source as provenance names it: what a file says that a service answered is told apart.
func sourceName(rec *evidence.Record) string {
	name := source(rec)
	if len(rec.Origins) > 0 && rec.Origins[0].File != "" {
		name += " (file)"
	}
	return strings.ReplaceAll(name, ",", ";")
}

// pick is the first record's value that is there.
func pick[T any](m *merger, field string, get func(*evidence.Record) (T, bool)) T {
	for p := range m.heard(field) {
		if v, ok := get(p.rec); ok {
			m.gave(field, p.rec)
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

// unite adds the records' lists up; of entries with the same key the most authoritative source's stays. A key of "" is
// left out.
func unite[T any](m *merger, field string, get func(*evidence.Record) []T, key func(T) string) []T {
	var out []T
	var sources []string

	seen := map[string]bool{}
	for p := range m.heard(field) {
		gave := false
		for _, v := range get(p.rec) {
			if k := key(v); k != "" && !seen[k] {
				seen[k], gave = true, true
				out = append(out, v)
			}
		}

		if name := sourceName(p.rec); gave && !slices.Contains(sources, name) {
			sources = append(sources, name)
		}
	}

	if len(sources) > 0 {
		m.provenance[field] = strings.Join(sources, ",")
	}
	return out
}

// identity sets identifiers, origins and links. A trial's number on a publication becomes a link to the trial. What is
// under a PMID and shows another paper adds no identifier: it would name that paper.
func (m *merger) identity(out *evidence.Record) {
	isTrial := slices.ContainsFunc(m.members, func(p *profile) bool {
		return p.class == trial && hasKind(p.rec, evidence.NCT)
	})
	best := m.members[0]

	other := map[*evidence.Record]bool{}
	for _, p := range m.members[1:] {
		other[p.rec] = sameAuthority(p, best) && disagrees(p, best, 1)
	}
	own := func(r *evidence.Record) []evidence.Identifier {
		if other[r] {
			return nil
		}
		ids := evidence.SortIdentifiers(slices.Clone(r.Identifiers))
		return slices.DeleteFunc(ids, func(id evidence.Identifier) bool { return id.Kind == evidence.NCT && !isTrial })
	}

	out.Identifiers = evidence.SortIdentifiers(unite(m, "identifiers", own, evidence.Identifier.String))
	for _, p := range m.members {
		out.Origins = append(out.Origins, p.rec.Origins...)
	}
	slices.SortFunc(out.Origins, func(a, b evidence.Origin) int { return strings.Compare(a.Key(), b.Key()) })
	m.links(out)
}

// links unites what the sources link to, each with who says so. A link that makes a notice of the record, or tells of
// its retraction, counts from the best voice alone: or an import would make an erratum of a paper. That a paper reports
// a trial is the registry's word, or the paper's own; a file that calls itself the registry's only names the paper.
func (m *merger) links(out *evidence.Record) {
	best := map[*evidence.Record]bool{}
	for p := range m.heard("notices") {
		best[p.rec] = true
	}
	from := func(r *evidence.Record) []evidence.Link {
		links := slices.DeleteFunc(LinksFrom(r), func(l evidence.Link) bool { return noticeLinks[l.Relation] && !best[r] })
		for i := range links {
			links[i].Source = cmp.Or(links[i].Source, source(r))
			if links[i].Relation == evidence.TrialReportedIn && fromFile(r) {
				links[i].Relation = evidence.OtherRelationship
			}
		}
		return links
	}
	out.Links = slices.DeleteFunc(unite(m, "links", from, linkKey), func(l evidence.Link) bool {
		return slices.Contains(out.Identifiers, l.Target)
	})
}

// noticeLinks are the relations of a notice to what it is on, and of a paper to its retraction.
var noticeLinks = map[evidence.Relation]bool{
	evidence.Retracts: true, evidence.RetractedBy: true, evidence.RetractedForNew: true,
	evidence.ConcernFor: true, evidence.ErratumFor: true,
	evidence.CommentOn: true,
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
	for _, p := range m.members {
		for _, c := range p.rec.Cut {
			field, _, _ := strings.Cut(c.Field, ".")
			if slices.Contains(strings.Split(m.provenance[field], ","), sourceName(p.rec)) {
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
	out.OtherAbstracts = pickList(m, "other_abstracts", func(r *evidence.Record) []evidence.OtherAbstract {
		return r.OtherAbstracts
	})
}

// abstract is the most authoritative one that there is. Only the same authority's other copy may take its place, where
// it was cut off: one that goes on for more than half as much again, or has the same text in labelled sections.
func (m *merger) abstract() []evidence.Section {
	var best []evidence.Section
	var from *evidence.Record

	length := 0
	for p, how := range m.heard("abstract") {
		r := p.rec

		n := len(r.AbstractText())
		switch {
		case n == 0:
			continue
		case best == nil:
		case how != mends || source(from) != evidence.SourcePubMed:
			continue
		case n <= length+length/2 && (len(r.Abstract) < 2 || len(best) != 1 || n < length) || !goesOn(best, r.Abstract):
			continue
		}
		best, from, length = r.Abstract, r, n
		m.gave("abstract", r)
	}
	return slices.Clone(best)
}

// goesOn reports whether an abstract has most of the words of a shorter one: it is that text, and more of it.
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
	out.Accessions = unite(m, "", func(r *evidence.Record) []string { return r.Accessions }, strings.ToLower)
	out.FullText = unite(m, "full_text", func(r *evidence.Record) []string { return r.FullText }, func(s string) string {
		return s
	})
	out.PublicationTypes = m.publicationTypes()

	out.Trial = pick(m, "trial", func(r *evidence.Record) (*evidence.Trial, bool) { return r.Trial, r.Trial != nil })
	for p := range m.heard("publication_types") {
		out.Preprint = out.Preprint || p.rec.Preprint
	}
}

// authors is the most authoritative list; where another has the same people, its full names, ORCIDs and affiliations
// fill gaps.
func (m *merger) authors() []evidence.Author {
	out := pickList(m, "authors", func(r *evidence.Record) []evidence.Author { return r.Authors })
	for p := range m.heard("authors") {
		if len(p.rec.Authors) != len(out) {
			continue
		}

		for i, other := range p.rec.Authors {
			filled := fillAuthor(out[i], other)
			if !reflect.DeepEqual(filled, out[i]) && newName(out[i]).compare(newName(other)) == same {
				out[i] = filled
				m.addProvenance("authors", p.rec)
			}
		}
	}
	return out
}

func fillAuthor(a, other evidence.Author) evidence.Author {
	if a.Collective != "" {
		return a
	}
	a.Given, a.Initials = cmp.Or(a.Given, other.Given), cmp.Or(a.Initials, other.Initials)

	a.ORCID = cmp.Or(a.ORCID, other.ORCID)
	if len(a.Affiliations) == 0 {
		a.Affiliations = other.Affiliations
	}
	return a
}

// journal is the most authoritative one that has a name, with its gaps filled from the others that do not name another
// journal.
func (m *merger) journal() evidence.Journal {
	var out evidence.Journal

	var first *profile
	for p := range m.heard("journal") {
		if first == nil && p.rec.Journal.Name() != "" {
			first, out = p, p.rec.Journal
			out.ISSN = slices.Clone(out.ISSN)
			m.gave("journal", p.rec)
		}
	}

	for p := range m.heard("journal") {
		filled := fillJournal(out, p.rec.Journal)
		if p == first || reflect.DeepEqual(filled, out) || first != nil && first.venue.journal(p.venue) == contradicts {
			continue
		}
		out = filled
		m.addProvenance("journal", p.rec)
	}
	return out
}

func fillJournal(j, other evidence.Journal) evidence.Journal {
	j.Title, j.Abbreviation = cmp.Or(j.Title, other.Title), cmp.Or(j.Abbreviation, other.Abbreviation)
	if agreementOf(volumeNumber(j.Volume), volumeNumber(other.Volume)) != contradicts {
		j.Volume, j.Issue, j.Pages = cmp.Or(j.Volume, other.Volume), cmp.Or(j.Issue, other.Issue),
			cmp.Or(j.Pages, other.Pages)
	}

	j.Publisher, j.Country = cmp.Or(j.Publisher, other.Publisher), cmp.Or(j.Country, other.Country)
	if len(j.ISSN) == 0 {
		j.ISSN = slices.Clone(other.ISSN)
	}
	return j
}

// date is the most authoritative one, made more precise by another that says the same and more.
func (m *merger) date() evidence.Date {
	out := pick(m, "date", func(r *evidence.Record) (evidence.Date, bool) { return r.Date, r.Date != "" })
	for p := range m.heard("date") {
		if d := p.rec.Date; len(d) > len(out) && strings.HasPrefix(string(d), string(out)) {
			out = d
			m.gave("date", p.rec)
		}
	}
	return out
}

// publicationTypes unites by NLM's id and by name, so that Europe PMC's "journal article" is PubMed's "Journal
// Article".
func (m *merger) publicationTypes() []evidence.PublicationType {
	own := func(r *evidence.Record) []evidence.PublicationType { return r.PublicationTypes }
	types := unite(m, "publication_types", own, func(t evidence.PublicationType) string {
		return cmp.Or(strings.ToLower(strings.TrimSpace(t.Name)), t.UI)
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
	out.Keywords = unite(m, "keywords", func(r *evidence.Record) []string { return r.Keywords }, func(s string) string {
		return strings.Join(words(fold(s)), " ")
	})
}

// standing sets citations and retraction. The highest count is the most complete one: no source counts what is not
// there. A file's counts only of a paper that no better voice speaks for: it orders a sample.
func (m *merger) standing(out *evidence.Record) {
	counted := false
	for p, how := range m.heard("cited_by") {
		if n := p.rec.CitedBy; n > out.CitedBy && (how == adds || !counted) {
			out.CitedBy = n
			m.gave("cited_by", p.rec)
		}
		counted = counted || how == adds
	}

	out.Retraction = m.retraction()
	if out.Retraction.Status != "" {
		m.provenance["retraction"] = strings.ReplaceAll(out.Retraction.Source, ",", ";")
	}

	if m.provenance["retraction"] == "" {
		delete(m.provenance, "retraction")
	}
}
