package europepmc

import (
	"cmp"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// journal is where the record appeared. A preprint's server stands in the place of a journal, as citations have it.
func (w *result) journal(src string) evidence.Journal {
	j := evidence.Journal{
		Title:        source.Plain(string(cmp.Or(w.JournalTitle, w.BookOrReportDetails.ComprisingTitle))),
		Abbreviation: w.JournalAbbreviation.String(),
		Volume:       cmp.Or(w.JournalVolume, w.Volume).String(),
		Issue:        w.Issue.String(),
		Pages:        w.PageInfo.String(),
		Publisher:    cmp.Or(w.BookOrReportDetails.Publisher, w.PatentDetails.Country).String(),
	}

	issn := splitAt(w.JournalISSN, ";, ")
	if info := w.JournalInfo; info != nil {
		j.Title = cmp.Or(source.Plain(string(info.Journal.Title)), j.Title)
		j.Abbreviation = cmp.Or(info.Journal.ISO, info.Journal.Abbreviation, source.Text(j.Abbreviation)).String()
		j.Volume, j.Issue = cmp.Or(info.Volume.String(), j.Volume), cmp.Or(info.Issue.String(), j.Issue)
		issn = append([]string{string(info.Journal.ISSN), string(info.Journal.ESSN)}, issn...)
	}

	if src == "PPR" {
		j.Title = cmp.Or(j.Title, j.Publisher)
	}
	j.ISSN = source.Distinct(source.MaxItem, issn...)
	return j
}

// types takes the list of core results, else the text of lite ones, in which semicolons part the types.
func (w *result) types() []evidence.PublicationType {
	var names []string
	if w.PubTypeList != nil {
		names = source.Distinct(source.MaxItem, w.PubTypeList.PubType...)
	}

	if len(names) == 0 {
		names = source.Distinct(source.MaxItem, splitAt(cmp.Or(w.PubType, w.CitationType), ";")...)
	}

	var out []evidence.PublicationType
	for _, name := range names {
		out = append(out, evidence.PublicationType{Name: name})
	}
	return out
}

func (w *result) mesh() []evidence.Heading {
	var out []evidence.Heading
	for _, h := range w.MeshHeadingList.MeshHeading {
		heading := evidence.Heading{Name: h.Name.String(), Major: bool(h.Major)}
		if heading.Name == "" {
			continue
		}

		for _, q := range h.Qualifiers.Qualifier[:min(len(h.Qualifiers.Qualifier), source.MaxItem)] {
			if name := q.Name.String(); name != "" {
				heading.Qualifiers = append(heading.Qualifiers, evidence.Qualifier{Name: name, Major: bool(q.Major)})
			}
		}
		out = append(out, heading)
	}
	return out
}

// substances omits registry numbers of 0, NLM's value for none.
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
	return source.Addresses(urls...)
}

func (w *result) links() []evidence.Link {
	var out []evidence.Link
	for _, c := range w.CommentCorrectionList.CommentCorrection {
		relation := evidence.RelationNamed(c.Type.String())

		link := evidence.Link{Relation: relation, Citation: source.Plain(string(c.Reference)),
			Source: evidence.SourceEuropePMC}
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

// retraction is yes where the type or a notice states it. Europe PMC copies PubMed's marks with the record, so a core
// result from MED without one is a no; for others, and for lite results, which list no corrections, it is unknown.
func (w *result) retraction(src string, r *evidence.Record) evidence.Retraction {
	out := evidence.Retraction{Status: evidence.Unknown, Source: evidence.SourceEuropePMC}

	isCore := w.PubTypeList != nil || w.AuthorList != nil || w.JournalInfo != nil
	if src == "MED" && isCore {
		out.Status = evidence.No
	}

	by, notice := evidence.Retracting(r.Links)
	if out.Notice = notice; by != nil || slices.ContainsFunc(r.PublicationTypes, evidence.PublicationType.IsRetracted) {
		out.Status = evidence.Yes
	}

	if out.Status == evidence.Unknown {
		return evidence.Retraction{Status: evidence.Unknown}
	}
	return out
}
