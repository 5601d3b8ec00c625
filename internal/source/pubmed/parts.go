package pubmed

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source/wire"
	"dossier/internal/text"
)

// readSections reads the AbstractText children of Abstract and OtherAbstract.
func (s *scanner) readSections() []evidence.Section {
	var out []evidence.Section
	for depth := s.depth(); s.child(depth); {
		if string(s.name) != "AbstractText" {
			continue
		}
		section := evidence.Section{Label: s.attr("Label"), Category: s.attr("NlmCategory")}
		section.Text = text.Cut(s.text(), maxText)
		if strings.EqualFold(section.Label, "UNLABELLED") {
			section.Label = ""
		}
		if section.Text != "" && len(out) < maxPerItem {
			out = append(out, section)
		}
	}
	return out
}

func (d *draft) readOtherAbstract(s *scanner) {
	other := evidence.OtherAbstract{Kind: s.attr("Type"), Language: s.attr("Language")}
	other.Sections = s.readSections()
	if len(other.Sections) > 0 && len(d.OtherAbstracts) < maxPerItem {
		d.OtherAbstracts = append(d.OtherAbstracts, other)
	}
}

// readAuthors leaves out names that PubMed keeps only because they were misspelt once (ValidYN="N").
func (s *scanner) readAuthors() []evidence.Author {
	var out []evidence.Author
	for depth := s.depth(); s.child(depth); {
		if string(s.name) != "Author" || s.attr("ValidYN") == "N" {
			continue
		}
		if a := s.readAuthor(); a.Family != "" || a.Collective != "" {
			out = bounded(out, a)
		}
	}
	return out
}

func (s *scanner) readAuthor() evidence.Author {
	var a evidence.Author
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "LastName":
			a.Family = text.Cut(s.text(), maxText)
		case "ForeName", "FirstName":
			a.Given = text.Cut(s.text(), maxText)
		case "Initials":
			a.Initials = s.word()
		case "Suffix":
			a.Suffix = s.word()
		case "CollectiveName":
			a.Collective = text.Cut(s.text(), maxText)
		case "Identifier":
			if s.attr("Source") == "ORCID" {
				a.ORCID = wire.ORCID(s.text())
			}
		case "Affiliation":
			addAffiliation(&a, s.text())
		case "AffiliationInfo":
			// An Identifier in it is the institution's, not the author's.
			for list := s.depth(); s.child(list); {
				if string(s.name) == "Affiliation" {
					addAffiliation(&a, s.text())
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

func (d *draft) readJournal(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "ISSN":
			d.addISSN(s.word())
		case "JournalIssue":
			d.readIssue(s)
		case "Title":
			d.Journal.Title = s.word()
		case "ISOAbbreviation":
			d.Journal.Abbreviation = s.word()
		}
	}
}

func (d *draft) readIssue(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "Volume":
			d.Journal.Volume = s.word()
		case "Issue":
			d.Journal.Issue = s.word()
		case "PubDate":
			d.issueDate = s.readDate()
		}
	}
}

func (d *draft) readJournalInfo(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "Country":
			d.Journal.Country = s.word()
		case "MedlineTA":
			if word := s.word(); d.Journal.Abbreviation == "" {
				d.Journal.Abbreviation = word
			}
		case "ISSNLinking":
			d.linkingISSN = s.word()
		}
	}
}

func (d *draft) addISSN(issn string) {
	if issn != "" && len(d.Journal.ISSN) < maxPerItem && !slices.Contains(d.Journal.ISSN, issn) {
		d.Journal.ISSN = append(d.Journal.ISSN, issn)
	}
}

// readPages prefers MedlinePgn, which abbreviates as citations do ("117-26").
func (d *draft) readPages(s *scanner) {
	var medline, start, end string
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "MedlinePgn":
			medline = s.text()
		case "StartPage":
			start = s.text()
		case "EndPage":
			end = s.text()
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

func (d *draft) readType(s *scanner) {
	t := evidence.PublicationType{UI: s.attr("UI")}
	if t.Name = s.word(); t.Name != "" {
		d.PublicationTypes = bounded(d.PublicationTypes, t)
	}
}

func (d *draft) readHeadings(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		if string(s.name) != "MeshHeading" {
			continue
		}
		if h := s.readHeading(); h.Name != "" {
			d.MeSH = bounded(d.MeSH, h)
		}
	}
}

func (s *scanner) readHeading() evidence.Heading {
	var h evidence.Heading
	for depth := s.depth(); s.child(depth); {
		ui, major := s.attr("UI"), s.attr("MajorTopicYN") == "Y"
		switch string(s.name) {
		case "DescriptorName":
			h.UI, h.Major, h.Name = ui, major, s.word()
		case "QualifierName":
			if name := s.word(); name != "" && len(h.Qualifiers) < maxPerItem {
				h.Qualifiers = append(h.Qualifiers, evidence.Qualifier{Name: name, UI: ui, Major: major})
			}
		}
	}
	return h
}

// readKeywords may be called for several lists; a keyword that stands in two of them is kept once.
func (d *draft) readKeywords(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		if word := text.Cut(s.text(), maxText); word != "" && len(d.Keywords) < maxList && !slices.Contains(d.Keywords,
			word) {
			d.Keywords = append(d.Keywords, word)
		}
	}
}

// readSubstance drops the registry number 0, which stands for none.
func (s *scanner) readSubstance() evidence.Substance {
	var out evidence.Substance
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "RegistryNumber":
			if out.Registry = s.word(); out.Registry == "0" {
				out.Registry = ""
			}
		case "NameOfSubstance":
			out.UI = s.attr("UI")
			out.Name = s.word()
		}
	}
	return out
}
