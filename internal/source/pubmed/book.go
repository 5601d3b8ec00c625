package pubmed

import (
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// readBook reads a BookDocument: a chapter with its book, or a book on its own.
func (d *draft) readBook(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "PMID":
			d.identify(evidence.PMID, s.Text())
		case "ArticleIdList":
			d.readArticleIDs(s)
		case "Book":
			d.readBookItself(s)
		case "ArticleTitle":
			d.Title = text.Cut(s.Text(), maxText)
		case "VernacularTitle":
			d.VernacularTitle = text.Cut(s.Text(), maxText)
		case "Pagination":
			d.readPages(s)
		case "Language":
			d.Languages = bounded(d.Languages, s.Word())
		case "AuthorList":
			d.readBookAuthors(s, &d.Authors)
		case "PublicationType":
			d.readType(s)
		case "Abstract":
			d.Abstract = s.readSections()
		case "KeywordList":
			d.readKeywords(s)
		case "ContributionDate":
			d.onlineDate = s.readDate()
		case "DateRevised":
			d.revised = s.readDate()
		}
	}

	if d.onlineDate != "" { // a chapter has its own date; its book's may be decades older
		d.issueDate = d.onlineDate
	}
}

func (d *draft) readBookItself(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "Publisher":
			for publisher := s.Depth(); s.Child(publisher); {
				if string(s.Name) == "PublisherName" {
					d.Journal.Publisher = s.Word()
				}
			}
		case "BookTitle":
			d.bookTitle = text.Cut(s.Text(), maxText)
		case "CollectionTitle":
			d.collection = text.Cut(s.Text(), maxText)
		case "PubDate":
			d.issueDate = s.readDate()
		case "Volume":
			d.Journal.Volume = s.Word()
		case "AuthorList":
			d.readBookAuthors(s, &d.bookAuthors)
		case "ELocationID":
			if s.Attr("EIdType") == "doi" && s.Attr("ValidYN") != "N" {
				d.onlineDOIs = withIdentifier(d.onlineDOIs, evidence.DOI, s.Text())
			}
		}
	}
}

// readBookAuthors lets a list of authors stand over one of editors, in whichever order they come.
func (d *draft) readBookAuthors(s scanner, list *[]evidence.Author) {
	editors := s.Attr("Type") == "editors"

	names := s.readAuthors()
	if len(names) > 0 && (!editors || len(*list) == 0) {
		*list = names
	}
}
