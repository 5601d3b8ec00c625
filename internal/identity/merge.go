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

// Merge merges the source records of one paper: for each field the value that the table of trust selects, in order of
// the sources' authority, and the union of lists.
//
// Provenance names for each field the source of its value, for a union all sources, separated by commas. Record.ID, and
// what step 3 sets, are left empty. The result does not depend on the order of records, and shares no memory with them
// that is written to later.
func Merge(records []*evidence.Record) evidence.Record {
	return newCluster(text.Each(records, newProfile)).merge()
}

func (c cluster) merge() evidence.Record {
	m := &merger{cluster: c, provenance: map[string]string{}}
	var out evidence.Record
	m.setIdentity(&out)
	m.setText(&out)
	m.setPublication(&out)
	m.setIndexing(&out)
	m.setStatus(&out)
	out.Cut = m.cuts()
	out.Provenance = m.provenance
	c.setOwnDOI(&out, func(evidence.Identifier) bool { return true })
	return out
}

// merger merges a cluster's records.
type merger struct {
	cluster
	provenance map[string]string
}

// byPrecedence yields, in order, the records that count in a field, each with its precedence.
func (m *merger) byPrecedence(field string) iter.Seq2[*profile, precedence] {
	first := authorityCount
	for _, v := range m.authorities {
		if v.precedence(field) == decides {
			first = min(first, v.tier())
		}
	}
	return func(yield func(*profile, precedence) bool) {
		for i, p := range m.members {
			v := m.authorities[i]

			how := v.precedence(field)
			if how == ignored || how == disputed || first != authorityCount && (how != decides || v.tier() != first) {
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

func (m *merger) setProvenance(field string, rec *evidence.Record) {
	m.provenance[field] = sourceName(rec)
}

// addProvenance records that a source filled gaps in a field.
func (m *merger) addProvenance(field string, rec *evidence.Record) {
	if m.provenance[field] == "" {
		m.setProvenance(field, rec)
	} else if have := strings.Split(m.provenance[field], ","); !slices.Contains(have, sourceName(rec)) {
		m.provenance[field] = strings.Join(append(have, sourceName(rec)), ",")
	}
}

// sourceName is a source's name in provenance; records that came through a file are marked.
func sourceName(rec *evidence.Record) string {
	name := source(rec)
	if len(rec.Origins) > 0 && rec.Origins[0].File != "" {
		name += " (file)"
	}
	return strings.ReplaceAll(name, ",", ";")
}

// pick is the first value present among the records that count.
func pick[T any](m *merger, field string, get func(*evidence.Record) (T, bool)) T {
	for p := range m.byPrecedence(field) {
		if v, ok := get(p.rec); ok {
			m.setProvenance(field, p.rec)
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

// unite merges the records' lists; of entries with the same key the most authoritative source's is kept. Entries with
// the key "" are omitted.
func unite[T any](m *merger, field string, get func(*evidence.Record) []T, key func(T) string) []T {
	var out []T
	var sources []string

	seen := map[string]bool{}
	for p := range m.byPrecedence(field) {
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

// setIdentity sets identifiers, origins and links. A trial's number on a publication becomes a link to the trial. A
// record that shares the PMID but shows another paper adds no identifier: that would name the other paper.
func (m *merger) setIdentity(out *evidence.Record) {
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
	m.setLinks(out)
}

// setLinks unites the sources' links, each with its source. Links that make the record a notice, or report its
// retraction, count from the best authority alone: otherwise an import could turn a paper into an erratum. That a paper
// reports a trial is taken from the registry or the paper; a file that names itself the registry only relates the two.
func (m *merger) setLinks(out *evidence.Record) {
	best := map[*evidence.Record]bool{}
	for p := range m.byPrecedence("notices") {
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

// cuts lists the cuts of the fields whose value came from the cut record.
func (m *merger) cuts() []evidence.Cut {
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

func (m *merger) setText(out *evidence.Record) {
	out.Title = pickString(m, "title", func(r *evidence.Record) string { return r.Title })
	out.VernacularTitle = pickString(m, "vernacular_title", func(r *evidence.Record) string { return r.VernacularTitle })
	out.Abstract = m.abstract()
	out.OtherAbstracts = pickList(m, "other_abstracts", func(r *evidence.Record) []evidence.OtherAbstract {
		return r.OtherAbstracts
	})
}

// abstract is the most authoritative one present. Only the same authority's other copy may replace it, where it was cut
// off: a copy more than half as long again, or the same text in labelled sections.
func (m *merger) abstract() []evidence.Section {
	var best []evidence.Section
	var from *evidence.Record

	length := 0
	for p, how := range m.byPrecedence("abstract") {
		r := p.rec

		n := len(r.AbstractText())
		switch {
		case n == 0:
			continue
		case best == nil:
		case how != completes || source(from) != evidence.SourcePubMed:
			continue
		case n <= length+length/2 && (len(r.Abstract) < 2 || len(best) != 1 || n < length) || !continues(best, r.Abstract):
			continue
		}
		best, from, length = r.Abstract, r, n
		m.setProvenance("abstract", r)
	}
	return slices.Clone(best)
}

// continues reports whether an abstract has most of the words of a shorter one, and so continues it.
func continues(short, long []evidence.Section) bool {
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

func (m *merger) setPublication(out *evidence.Record) {
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
	for p := range m.byPrecedence("publication_types") {
		out.Preprint = out.Preprint || p.rec.Preprint
	}
}

// authors is the most authoritative list; full names, ORCIDs and affiliations of the same people in other lists fill
// gaps.
func (m *merger) authors() []evidence.Author {
	out := pickList(m, "authors", func(r *evidence.Record) []evidence.Author { return r.Authors })
	for p := range m.byPrecedence("authors") {
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

// journal is the most authoritative one that has a name. Sources that do not name another journal fill its gaps.
func (m *merger) journal() evidence.Journal {
	var out evidence.Journal

	var first *profile
	for p := range m.byPrecedence("journal") {
		if first == nil && p.rec.Journal.Name() != "" {
			first, out = p, p.rec.Journal
			out.ISSN = slices.Clone(out.ISSN)
			m.setProvenance("journal", p.rec)
		}
	}

	for p := range m.byPrecedence("journal") {
		filled := fillJournal(out, p.rec.Journal)
		if p == first || reflect.DeepEqual(filled, out) ||
			first != nil && first.venue.compareJournals(p.venue) == contradicts {
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

// date is the most authoritative one, refined by a more precise date that agrees with it.
func (m *merger) date() evidence.Date {
	out := pick(m, "date", func(r *evidence.Record) (evidence.Date, bool) { return r.Date, r.Date != "" })
	for p := range m.byPrecedence("date") {
		if d := p.rec.Date; len(d) > len(out) && strings.HasPrefix(string(d), string(out)) {
			out = d
			m.setProvenance("date", p.rec)
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

func (m *merger) setIndexing(out *evidence.Record) {
	out.MeSH = pickList(m, "mesh", func(r *evidence.Record) []evidence.Heading { return r.MeSH })
	out.Substances = pickList(m, "substances", func(r *evidence.Record) []evidence.Substance { return r.Substances })
	out.Keywords = unite(m, "keywords", func(r *evidence.Record) []string { return r.Keywords }, func(s string) string {
		return strings.Join(words(fold(s)), " ")
	})
}

// setStatus sets citations and retraction. The highest citation count is the most complete one: no source counts what
// is not there. It orders a sample, so a file's count is used only for a paper without a better authority.
func (m *merger) setStatus(out *evidence.Record) {
	counted := false
	for p, how := range m.byPrecedence("cited_by") {
		if n := p.rec.CitedBy; n > out.CitedBy && (how == united || !counted) {
			out.CitedBy = n
			m.setProvenance("cited_by", p.rec)
		}
		counted = counted || how == united
	}

	out.Retraction = m.retraction()
	if out.Retraction.Status != "" {
		m.provenance["retraction"] = strings.ReplaceAll(out.Retraction.Source, ",", ";")
	}

	if m.provenance["retraction"] == "" {
		delete(m.provenance, "retraction")
	}
}
