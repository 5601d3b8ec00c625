package pubmed

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// readSections reads the AbstractText children of Abstract and OtherAbstract.
func (s scanner) readSections() []evidence.Section {
	var out []evidence.Section
	for depth := s.Depth(); s.Child(depth); {
		if string(s.Name) != "AbstractText" {
			continue
		}
		section := evidence.Section{Label: s.Attr("Label"), Category: s.Attr("NlmCategory")}

		section.Text = text.Cut(s.Text(), maxText)
		if strings.EqualFold(section.Label, "UNLABELLED") {
			section.Label = ""
		}

		if section.Text != "" && len(out) < maxPerItem {
			out = append(out, section)
		}
	}
	return out
}

func (d *draft) readOtherAbstract(s scanner) {
	other := evidence.OtherAbstract{Kind: s.Attr("Type"), Language: s.Attr("Language")}

	other.Sections = s.readSections()
	if len(other.Sections) > 0 && len(d.OtherAbstracts) < maxPerItem {
		d.OtherAbstracts = append(d.OtherAbstracts, other)
	}
}

// readAuthors leaves out names that PubMed keeps only because they were misspelt once (ValidYN="N").
func (s scanner) readAuthors() []evidence.Author {
	var out []evidence.Author
	for depth := s.Depth(); s.Child(depth); {
		if string(s.Name) != "Author" || s.Attr("ValidYN") == "N" {
			continue
		}

		if a := s.readAuthor(); a.Family != "" || a.Collective != "" {
			out = bounded(out, a)
		}
	}
	return out
}

func (s scanner) readAuthor() evidence.Author {
	var a evidence.Author
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "LastName":
			a.Family = text.Cut(s.Text(), maxText)
		case "ForeName", "FirstName":
			a.Given = text.Cut(s.Text(), maxText)
		case "Initials":
			a.Initials = s.Word()
		case "Suffix":
			a.Suffix = s.Word()
		case "CollectiveName":
			a.Collective = text.Cut(s.Text(), maxText)
		case "Identifier":
			if s.Attr("Source") == "ORCID" {
				a.ORCID = source.ORCID(s.Text())
			}
		case "Affiliation":
			addAffiliation(&a, s.Text())
		case "AffiliationInfo":
			// An Identifier in it is the institution's, not the author's.
			for list := s.Depth(); s.Child(list); {
				if string(s.Name) == "Affiliation" {
					addAffiliation(&a, s.Text())
				}
			}
		}
	}
	return settledName(a)
}

func addAffiliation(a *evidence.Author, affiliation string) {
	if affiliation != "" && len(a.Affiliations) < maxPerItem {
		a.Affiliations = append(a.Affiliations, text.Cut(affiliation, maxText))
	}
}

// settledName keeps to the rule that an author is a person or a group, never both, and that a person has a family name.
func settledName(a evidence.Author) evidence.Author {
	switch {
	case a.Collective != "":
		return evidence.Author{Collective: a.Collective, Affiliations: a.Affiliations}
	case a.Family == "":
		a.Family, a.Given = a.Given, ""
	}
	return a
}

func (d *draft) readJournal(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "ISSN":
			d.addISSN(s.Word())
		case "JournalIssue":
			d.readIssue(s)
		case "Title":
			d.Journal.Title = s.Word()
		case "ISOAbbreviation":
			d.Journal.Abbreviation = s.Word()
		}
	}
}

func (d *draft) readIssue(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "Volume":
			d.Journal.Volume = s.Word()
		case "Issue":
			d.Journal.Issue = s.Word()
		case "PubDate":
			d.issueDate = s.readDate()
		}
	}
}

func (d *draft) readJournalInfo(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "Country":
			d.Journal.Country = s.Word()
		case "MedlineTA":
			if word := s.Word(); d.Journal.Abbreviation == "" {
				d.Journal.Abbreviation = word
			}
		case "ISSNLinking":
			d.linkingISSN = s.Word()
		}
	}
}

func (d *draft) addISSN(issn string) {
	if issn != "" && len(d.Journal.ISSN) < maxPerItem && !slices.Contains(d.Journal.ISSN, issn) {
		d.Journal.ISSN = append(d.Journal.ISSN, issn)
	}
}

// readPages prefers MedlinePgn, which abbreviates as citations do ("117-26").
func (d *draft) readPages(s scanner) {
	var medline, start, end string
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "MedlinePgn":
			medline = s.Text()
		case "StartPage":
			start = s.Text()
		case "EndPage":
			end = s.Text()
		}
	}

	switch {
	case medline != "":
		d.Journal.Pages = text.Cut(medline, maxText)
	case end != "" && end != start:
		d.Journal.Pages = text.Cut(start+"-"+end, maxText)
	default:
		d.Journal.Pages = text.Cut(start, maxText)
	}
}

func (d *draft) readType(s scanner) {
	t := evidence.PublicationType{UI: s.Attr("UI")}
	if t.Name = s.Word(); t.Name != "" {
		d.PublicationTypes = bounded(d.PublicationTypes, t)
	}
}

func (d *draft) readHeadings(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		if string(s.Name) != "MeshHeading" {
			continue
		}

		if h := s.readHeading(); h.Name != "" {
			d.MeSH = bounded(d.MeSH, h)
		}
	}
}

func (s scanner) readHeading() evidence.Heading {
	var h evidence.Heading
	for depth := s.Depth(); s.Child(depth); {
		ui, major := s.Attr("UI"), s.Attr("MajorTopicYN") == "Y"
		switch string(s.Name) {
		case "DescriptorName":
			h.UI, h.Major, h.Name = ui, major, s.Word()
		case "QualifierName":
			if name := s.Word(); name != "" && len(h.Qualifiers) < maxPerItem {
				h.Qualifiers = append(h.Qualifiers, evidence.Qualifier{Name: name, UI: ui, Major: major})
			}
		}
	}
	return h
}

// readKeywords may be called for several lists; a keyword that stands in two of them is kept once.
func (d *draft) readKeywords(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		if word := text.Cut(s.Text(), maxText); word != "" && len(d.Keywords) < maxList && !slices.Contains(d.Keywords,
			word) {
			d.Keywords = append(d.Keywords, word)
		}
	}
}

// readSubstance drops the registry number 0, which stands for none.
func (s scanner) readSubstance() evidence.Substance {
	var out evidence.Substance
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "RegistryNumber":
			if out.Registry = s.Word(); out.Registry == "0" {
				out.Registry = ""
			}
		case "NameOfSubstance":
			out.UI = s.Attr("UI")
			out.Name = s.Word()
		}
	}
	return out
}
