package pubmed

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// Bounds of what is read of a record's parts: those of the other sources, since what a record may hold is decided for
// all of them together.
const (
	maxText    = source.MaxText
	maxList    = source.MaxList // authors, headings, keywords, links …
	maxPerItem = source.MaxItem // affiliations of an author, qualifiers of a heading
)

// draft is a record while it is read, with what is decided only at its end.
type draft struct {
	evidence.Record
	issueDate, onlineDate, enteredDate, revised evidence.Date
	version                                     int
	articleDOIs, onlineDOIs                     []evidence.Identifier
	linkingISSN                                 string
	affiliation                                 string // old records give one for all authors, meaning the first
	bookTitle, collection                       string
	bookAuthors                                 []evidence.Author
}

var errNoPMID = errors.New("it has no valid PMID")

// readRecord reads a PubmedArticle or PubmedBookArticle, in which the scanner stands.
func readRecord(s scanner) (evidence.Record, error) {
	d := &draft{}
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "MedlineCitation":
			d.readCitation(s)
		case "BookDocument":
			d.readBook(s)
		case "PubmedData", "PubmedBookData":
			d.readData(s)
		}
	}

	if s.Err != nil {
		return evidence.Record{}, s.Err
	}
	return d.finish()
}

// readCitation reads MedlineCitation. Its PMID is the record's; every other one in the document names another paper.
func (d *draft) readCitation(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "PMID":
			if n := evidence.DateNumber(s.Attr("Version")); n > 1 {
				d.version = n
			}
			d.identify(evidence.PMID, s.Text())
		case "DateRevised":
			d.revised = s.readDate()
		case "Article":
			d.readArticle(s)
		case "MedlineJournalInfo":
			d.readJournalInfo(s)
		case "ChemicalList":
			for list := s.Depth(); s.Child(list); {
				if substance := s.readSubstance(); substance.Name != "" {
					d.Substances = bounded(d.Substances, substance)
				}
			}
		case "MeshHeadingList":
			d.readHeadings(s)
		case "SupplMeshList":
			// Rare diseases and treatment protocols, whose ids begin with C, are headings too.
			for list := s.Depth(); s.Child(list); {
				h := evidence.Heading{UI: s.Attr("UI")}
				if h.Name = s.Word(); h.Name != "" {
					d.MeSH = bounded(d.MeSH, h)
				}
			}
		case "KeywordList":
			d.readKeywords(s)
		case "OtherAbstract":
			d.readOtherAbstract(s)
		case "CommentsCorrectionsList":
			for list := s.Depth(); s.Child(list); {
				d.readCorrection(s, s.Attr("RefType"))
			}
		case "CommentsCorrections": // the form of before 2007, in which the relation is an element's name
			for list := s.Depth(); s.Child(list); {
				d.readCorrection(s, string(s.Name))
			}
		case "DataBankList":
			d.readDataBanks(s)
		}
	}
}

// readArticle reads MedlineCitation/Article.
func (d *draft) readArticle(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "Journal":
			d.readJournal(s)
		case "ArticleTitle":
			d.Title = text.Cut(s.Text(), maxText)
		case "VernacularTitle":
			d.VernacularTitle = text.Cut(s.Text(), maxText)
		case "Pagination":
			d.readPages(s)
		case "ELocationID":
			if s.Attr("EIdType") == "doi" && s.Attr("ValidYN") != "N" {
				d.onlineDOIs = withIdentifier(d.onlineDOIs, evidence.DOI, s.Text())
			}
		case "Abstract":
			d.Abstract = s.readSections()
		case "AuthorList":
			d.Authors = s.readAuthors()
		case "Affiliation":
			d.affiliation = text.Cut(s.Text(), maxText)
		case "Language":
			d.Languages = bounded(d.Languages, s.Word())
		case "DataBankList":
			d.readDataBanks(s)
		case "PublicationTypeList":
			for list := s.Depth(); s.Child(list); {
				if string(s.Name) == "PublicationType" {
					d.readType(s)
				}
			}
		case "ArticleDate":
			d.onlineDate = evidence.Earlier(d.onlineDate, s.readDate())
		}
	}
}

// readData reads PubmedData. Only its own ArticleIdList names this record; those in ReferenceList name what it cites.
func (d *draft) readData(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "ArticleIdList":
			d.readArticleIDs(s)
		case "History":
			for history := s.Depth(); s.Child(history); {
				if status := s.Attr("PubStatus"); status == "pubmed" || status == "entrez" {
					d.enteredDate = evidence.Earlier(d.enteredDate, s.readDate())
				}
			}
		}
	}
}

func (d *draft) readArticleIDs(s scanner) {
	for depth := s.Depth(); s.Child(depth); {
		switch s.Attr("IdType") {
		case "doi":
			d.articleDOIs = withIdentifier(d.articleDOIs, evidence.DOI, s.Text())
		case "pmc", "pmcid":
			d.identify(evidence.PMCID, s.Text())
		}
	}
}

func (d *draft) identify(kind evidence.IDKind, raw string) {
	d.Identifiers = withIdentifier(d.Identifiers, kind, raw)
}

// withIdentifier leaves out what is no identifier of its kind: PubMed's own lists hold slips such as "e22.00556" for a
// DOI.
func withIdentifier(ids []evidence.Identifier, kind evidence.IDKind, raw string) []evidence.Identifier {
	if id, ok := evidence.NewIdentifier(kind, raw); ok && len(ids) < maxPerItem {
		return append(ids, id)
	}
	return ids
}

func bounded[T any](list []T, item T) []T {
	if len(list) >= maxList {
		return list
	}
	return append(list, item)
}

// finish decides what needs the whole record.
func (d *draft) finish() (evidence.Record, error) {
	if len(d.articleDOIs) == 0 { // those of ELocationID count only where PubMed lists none for the record
		d.articleDOIs = d.onlineDOIs
	}

	if len(d.articleDOIs) > 1 { // of several, that of the article's own place
		d.OwnDOI = d.articleDOIs[0].Value
		if at := slices.IndexFunc(d.onlineDOIs, func(id evidence.Identifier) bool {
			return slices.Contains(d.articleDOIs, id)
		}); at >= 0 {
			d.OwnDOI = d.onlineDOIs[at].Value
		}
	}
	d.Identifiers = append(d.Identifiers, d.articleDOIs...)
	d.addISSN(d.linkingISSN)
	d.Identifiers = evidence.SortIdentifiers(d.Identifiers)

	pmid, ok := d.Identifier(evidence.PMID)
	if !ok {
		return evidence.Record{}, errNoPMID
	}
	d.Origins = []evidence.Origin{{Source: evidence.SourcePubMed, ID: pmid.Value, Revised: d.revised, Version: d.version}}
	d.Date = bestDate(d.issueDate, d.onlineDate, d.enteredDate)
	d.settleTitle()

	if len(d.Authors) == 0 {
		d.Authors = d.bookAuthors
	}

	if d.affiliation != "" && len(d.Authors) > 0 && len(d.Authors[0].Affiliations) == 0 {
		d.Authors[0].Affiliations = []string{d.affiliation}
	}
	d.Retraction = d.retraction()
	d.Preprint = slices.ContainsFunc(d.PublicationTypes, evidence.PublicationType.IsPreprint)
	return d.Record, nil
}

// settleTitle fills in for a missing title: a paper with none in English has its own language's, a book that of the
// book.
func (d *draft) settleTitle() {
	if strings.EqualFold(strings.Trim(d.Title, "[]. "), "not available") {
		d.Title = ""
	}

	d.Title = cmp.Or(d.Title, d.VernacularTitle)
	switch {
	case d.bookTitle == "":
	case d.Title == "":
		d.Title, d.Journal.Title = d.bookTitle, d.collection
	default:
		d.Journal.Title = d.bookTitle
	}
}

// retraction follows the publication type, by its id or, in old files, by its name, and the link to a notice. PubMed
// marks what it knows to be retracted, so that no mark is a no; it stands as of the record's last revision.
func (d *draft) retraction() evidence.Retraction {
	out := evidence.Retraction{Status: evidence.No, Source: evidence.SourcePubMed, Checked: d.revised}

	by, notice := evidence.Retracting(d.Links)
	if out.Notice = notice; by != nil || slices.ContainsFunc(d.PublicationTypes, evidence.PublicationType.IsRetracted) {
		out.Status = evidence.Yes
	}
	return out
}
