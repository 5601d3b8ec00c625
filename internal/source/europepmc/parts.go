package europepmc

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source/wire"
)

// journal is where the record appeared. A preprint's server stands in the place of a journal, as citations have it.
func (w *result) journal(src string) evidence.Journal {
	j := evidence.Journal{
		Title:        wire.Plain(string(cmp.Or(w.JournalTitle, w.BookOrReportDetails.ComprisingTitle))),
		Abbreviation: w.JournalAbbreviation.String(),
		Volume:       cmp.Or(w.JournalVolume, w.Volume).String(),
		Issue:        w.Issue.String(),
		Pages:        w.PageInfo.String(),
		Publisher:    cmp.Or(w.BookOrReportDetails.Publisher, w.PatentDetails.Country).String(),
	}
	issn := splitAt(w.JournalISSN, ";, ")
	if info := w.JournalInfo; info != nil {
		j.Title = cmp.Or(wire.Plain(string(info.Journal.Title)), j.Title)
		j.Abbreviation = cmp.Or(info.Journal.ISO, info.Journal.Abbreviation, wire.Text(j.Abbreviation)).String()
		j.Volume, j.Issue = cmp.Or(info.Volume.String(), j.Volume), cmp.Or(info.Issue.String(), j.Issue)
		issn = append([]string{string(info.Journal.ISSN), string(info.Journal.ESSN)}, issn...)
	}
	if src == "PPR" {
		j.Title = cmp.Or(j.Title, j.Publisher)
	}
	j.ISSN = wire.Distinct(wire.MaxItem, issn...)
	return j
}

// types takes the list of core results, else the text of lite ones, in which semicolons part the types.
func (w *result) types() []evidence.PublicationType {
	var names []string
	if w.PubTypeList != nil {
		names = wire.Distinct(wire.MaxItem, w.PubTypeList.PubType...)
	}
	if len(names) == 0 {
		names = wire.Distinct(wire.MaxItem, splitAt(cmp.Or(w.PubType, w.CitationType), ";")...)
	}
	var out []evidence.PublicationType
	for _, name := range names {
		out = append(out, evidence.PublicationType{Name: name})
	}
	return out
}

func hasType(types []evidence.PublicationType, name string) bool {
	return slices.ContainsFunc(types, func(t evidence.PublicationType) bool { return strings.EqualFold(t.Name, name) })
}

func (w *result) mesh() []evidence.Heading {
	var out []evidence.Heading
	for _, h := range w.MeshHeadingList.MeshHeading {
		heading := evidence.Heading{Name: h.Name.String(), Major: bool(h.Major)}
		if heading.Name == "" {
			continue
		}
		for _, q := range h.Qualifiers.Qualifier[:min(len(h.Qualifiers.Qualifier), wire.MaxItem)] {
			if name := q.Name.String(); name != "" {
				heading.Qualifiers = append(heading.Qualifiers, evidence.Qualifier{Name: name, Major: bool(q.Major)})
			}
		}
		out = append(out, heading)
	}
	return out
}

// substances leaves out registry numbers of 0, with which NLM says that there is none.
func (w *result) substances() []evidence.Substance {
	var out []evidence.Substance
	for _, c := range w.ChemicalList.Chemical {
		s := evidence.Substance{Name: c.Name.String(), Registry: c.RegistryNumber.String()}
		if s.Registry == "0" {
			s.Registry = ""
		}
		if s.Name != "" {
			out = append(out, s)
		}
	}
	return out
}

func (w *result) fullText() []string {
	var urls []string
	for _, u := range w.FullTextURLList.FullTextURL {
		urls = append(urls, string(u.URL))
	}
	return wire.Addresses(urls...)
}

func (w *result) links() []evidence.Link {
	var out []evidence.Link
	for _, c := range w.CommentCorrectionList.CommentCorrection {
		relation := relationOf(c.Type.String())
		link := evidence.Link{Relation: relation, Citation: wire.Plain(string(c.Reference)), Source: evidence.SourceEuropePMC}
		if kind, ok := kindOf(c.Source.String()); ok {
			link.Target, _ = evidence.NewIdentifier(kind, c.ID.String())
		}
		if link.Target.Value == "" {
			link.Target = evidence.Identifier{}
		}
		if relation != "" && (link.Citation != "" || !link.Target.IsZero()) {
			out = append(out, link)
		}
	}
	return out
}

// relations are matched by the beginning of a type's name, in any case. What a record cites is no family of it.
var relations = []struct {
	begins   string
	relation evidence.Relation
}{
	{"cites", ""},
	{"retraction in", evidence.RetractedBy}, {"retraction of", evidence.Retracts},
	{"expression of concern in", evidence.ConcernIn}, {"expression of concern for", evidence.ConcernFor},
	{"erratum in", evidence.ErratumIn}, {"erratum for", evidence.ErratumFor},
	{"republished in", evidence.RepublishedIn}, {"corrected and republished in", evidence.RepublishedIn},
	{"retracted and republished in", evidence.RetractedForNew}, {"republished from", evidence.RepublishedFrom},
	{"corrected and republished from", evidence.RepublishedFrom},
	{"retracted and republished from", evidence.ReplacesRetracted},
	{"update in", evidence.UpdateIn}, {"update of", evidence.UpdateOf},
	{"comment in", evidence.CommentIn}, {"comment on", evidence.CommentOn},
	{"preprint of", evidence.PreprintOf},
	{"preprint in", evidence.PublishedFrom}, // an article's own words for where its preprint is
}

func relationOf(kind string) evidence.Relation {
	kind = strings.ToLower(kind)
	for _, r := range relations {
		if strings.HasPrefix(kind, r.begins) {
			return r.relation
		}
	}
	return evidence.OtherRelationship
}

// withdrawn are the types of a paper that no longer stands: the last two go with "Preprint".
var withdrawn = []string{"retracted publication", "preprint-withdrawal", "preprint-removal"}

// retraction is yes where the type or a notice says so. Europe PMC takes PubMed's marks over with the record, so that a
// core result from MED without one is a no; of the others, and of lite results, which list no corrections, nothing is
// known.
func (w *result) retraction(src string, r *evidence.Record) evidence.Retraction {
	out := evidence.Retraction{Status: evidence.Unknown, Source: evidence.SourceEuropePMC}
	isCore := w.PubTypeList != nil || w.AuthorList != nil || w.JournalInfo != nil
	if src == "MED" && isCore {
		out.Status = evidence.No
	}
	if slices.ContainsFunc(withdrawn, func(name string) bool { return hasType(r.PublicationTypes, name) }) {
		out.Status = evidence.Yes
	}
	for _, l := range r.Links {
		if !l.SaysRetracted() {
			continue
		}
		out.Status = evidence.Yes
		if out.Notice.IsZero() && l.Relation == evidence.RetractedBy {
			out.Notice = l.Target
		}
	}
	if out.Status == evidence.Unknown {
		return evidence.Retraction{Status: evidence.Unknown}
	}
	return out
}
