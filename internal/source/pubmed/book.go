package pubmed

import (
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// readBook reads a BookDocument: a chapter with its book, or a book on its own.
func (d *draft) readBook(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "PMID":
			d.identify(evidence.PMID, s.text())
		case "ArticleIdList":
			d.readArticleIDs(s)
		case "Book":
			d.readBookItself(s)
		case "ArticleTitle":
			d.Title = text.Cut(s.text(), maxText)
		case "VernacularTitle":
			d.VernacularTitle = text.Cut(s.text(), maxText)
		case "Pagination":
			d.readPages(s)
		case "Language":
			d.Languages = bounded(d.Languages, s.word())
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

func (d *draft) readBookItself(s *scanner) {
	for depth := s.depth(); s.child(depth); {
		switch string(s.name) {
		case "Publisher":
			for publisher := s.depth(); s.child(publisher); {
				if string(s.name) == "PublisherName" {
					d.Journal.Publisher = s.word()
				}
			}
		case "BookTitle":
			d.bookTitle = text.Cut(s.text(), maxText)
		case "CollectionTitle":
			d.collection = text.Cut(s.text(), maxText)
		case "PubDate":
			d.issueDate = s.readDate()
		case "Volume":
			d.Journal.Volume = s.word()
		case "AuthorList":
			d.readBookAuthors(s, &d.bookAuthors)
		case "ELocationID":
			if s.attr("EIdType") == "doi" && s.attr("ValidYN") != "N" {
				d.onlineDOIs = withIdentifier(d.onlineDOIs, evidence.DOI, s.text())
			}
		}
	}
}

// readBookAuthors lets a list of authors stand over one of editors, in whichever order they come.
func (d *draft) readBookAuthors(s *scanner, list *[]evidence.Author) {
	editors := s.attr("Type") == "editors"
	names := s.readAuthors()
	if len(names) > 0 && (!editors || len(*list) == 0) {
		*list = names
	}
}
