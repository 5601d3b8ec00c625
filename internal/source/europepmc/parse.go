package europepmc

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

// ParseResponse parses results in Europe PMC's JSON: a saved answer of its search, a list of results, one result, or
// one of these per line; core results and lite ones, which have no abstract. Unreadable records are problems. The file
// does not state when records were fetched: the caller must add it.
func ParseResponse(r io.Reader) ([]evidence.Record, []evidence.Problem, error) {
	return source.ParseFile(r, read, "resultList", "result")
}

// result is one element of resultList.result. The lower half is what only core results have.
type result struct {
	ID                   source.Text  `json:"id"`
	Source               source.Text  `json:"source"`
	PMID                 source.Text  `json:"pmid"`
	PMCID                source.Text  `json:"pmcid"`
	DOI                  source.Text  `json:"doi"`
	Title                source.Text  `json:"title"`
	AuthorString         source.Text  `json:"authorString"`
	JournalTitle         source.Text  `json:"journalTitle"`
	JournalAbbreviation  source.Text  `json:"journalAbbreviation"`
	JournalISSN          source.Text  `json:"journalIssn"`
	JournalVolume        source.Text  `json:"journalVolume"`
	Volume               source.Text  `json:"volume"`
	Issue                source.Text  `json:"issue"`
	PageInfo             source.Text  `json:"pageInfo"`
	PubYear              source.Text  `json:"pubYear"`
	PubType              source.Text  `json:"pubType"`
	CitationType         source.Text  `json:"citationType"`
	CitedByCount         source.Count `json:"citedByCount"`
	FirstPublicationDate source.Text  `json:"firstPublicationDate"`

	AbstractText source.Text `json:"abstractText"`
	Language     source.Text `json:"language"`
	DateRevised  source.Text `json:"dateOfRevision"`
	OnlineDate   source.Text `json:"electronicPublicationDate"`
	AuthorList   *struct {
		Author source.List[author] `json:"author"`
	} `json:"authorList"`
	JournalInfo *journalInfo `json:"journalInfo"`
	PubTypeList *struct {
		PubType source.List[source.Text] `json:"pubType"`
	} `json:"pubTypeList"`
	KeywordList struct {
		Keyword source.List[source.Text] `json:"keyword"`
	} `json:"keywordList"`
	MeshHeadingList struct {
		MeshHeading source.List[meshHeading] `json:"meshHeading"`
	} `json:"meshHeadingList"`
	ChemicalList struct {
		Chemical source.List[struct {
			Name           source.Text `json:"name"`
			RegistryNumber source.Text `json:"registryNumber"`
		}] `json:"chemical"`
	} `json:"chemicalList"`
	FullTextURLList struct {
		FullTextURL source.List[struct {
			URL source.Text `json:"url"`
		}] `json:"fullTextUrl"`
	} `json:"fullTextUrlList"`
	CommentCorrectionList struct {
		CommentCorrection source.List[struct {
			ID        source.Text `json:"id"`
			Source    source.Text `json:"source"`
			Reference source.Text `json:"reference"`
			Type      source.Text `json:"type"`
		}] `json:"commentCorrection"`
	} `json:"commentCorrectionList"`
	BookOrReportDetails struct {
		ComprisingTitle   source.Text `json:"comprisingTitle"`
		Publisher         source.Text `json:"publisher"`
		YearOfPublication source.Text `json:"yearOfPublication"`
	} `json:"bookOrReportDetails"`
	PatentDetails struct {
		Country source.Text `json:"country"`
	} `json:"patentDetails"`
}

type journalInfo struct {
	Volume    source.Text  `json:"volume"`
	Issue     source.Text  `json:"issue"`
	Year      source.Count `json:"yearOfPublication"`
	Month     source.Count `json:"monthOfPublication"`
	PrintDate source.Text  `json:"printPublicationDate"`
	Journal   struct {
		Title        source.Text `json:"title"`
		ISO          source.Text `json:"isoabbreviation"` // and ISOAbbreviation: the case of these names varies
		Abbreviation source.Text `json:"medlineAbbreviation"`
		ISSN         source.Text `json:"issn"`
		ESSN         source.Text `json:"essn"`
	} `json:"journal"`
}

type meshHeading struct {
	Name       source.Text `json:"descriptorName"`
	Major      source.Flag `json:"majorTopic_YN"`
	Qualifiers struct {
		Qualifier source.List[struct {
			Name  source.Text `json:"qualifierName"`
			Major source.Flag `json:"majorTopic_YN"`
		}] `json:"meshQualifier"`
	} `json:"meshQualifierList"`
}

// read is a source.Reader; its id is the origin's.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w result
	if err := source.Decode(raw, &w); err != nil {
		return evidence.Record{}, "", err
	}

	src, id := strings.ToUpper(w.Source.String()), w.ID.String()
	switch {
	case id == "":
		return evidence.Record{}, "", errors.New("it has no id")
	case src == "":
		return evidence.Record{}, id, errors.New("it has no source, without which its id says nothing")
	}
	return w.record(src, id), src + "/" + id, nil
}

func (w *result) record(src, id string) evidence.Record {
	r := evidence.Record{
		Origins: []evidence.Origin{{Source: evidence.SourceEuropePMC, ID: src + "/" + id,
			Revised: source.Date(string(w.DateRevised))}},
		Identifiers:      w.identifiers(src, id),
		Title:            source.Plain(string(w.Title)),
		Abstract:         source.Sections(string(w.AbstractText)),
		Authors:          w.authors(),
		Journal:          w.journal(src),
		Date:             w.date(),
		Languages:        source.Distinct(source.MaxItem, splitAt(w.Language, ",;")...),
		PublicationTypes: w.types(),
		MeSH:             w.mesh(),
		Keywords:         source.Distinct(source.MaxList, w.KeywordList.Keyword...),
		Substances:       w.substances(),
		Links:            w.links(),
		CitedBy:          int(w.CitedByCount),
		FullText:         w.fullText(),
	}
	r.Preprint = src == "PPR" || slices.ContainsFunc(r.PublicationTypes, evidence.PublicationType.IsPreprint)
	r.Retraction = w.retraction(src, &r)
	return r
}

// identifiers come from the fields made for them, and from the id where the source's ids are identifiers of a kind.
func (w *result) identifiers(src, id string) []evidence.Identifier {
	named := []source.Named{{Kind: evidence.PMID, Value: w.PMID}, {Kind: evidence.PMCID, Value: w.PMCID},
		{Kind: evidence.DOI, Value: w.DOI}}
	if kind, ok := kindOf(src); ok && (kind != evidence.PMID || w.PMID == "") {
		named = append(named, source.Named{Kind: kind, Value: source.Text(id)})
	}
	return source.Identifiers(named...)
}

// kindOf maps a source of Europe PMC's to the kind of its ids. The other sources (AGR, CBA, CTX, ETH, HIR …) have ids
// that are unknown elsewhere.
func kindOf(src string) (evidence.IDKind, bool) {
	switch strings.ToUpper(src) {
	case "MED":
		return evidence.PMID, true
	case "PMC":
		return evidence.PMCID, true
	case "PPR":
		return evidence.PPR, true
	case "PAT":
		return evidence.PAT, true
	}
	return "", false
}

// date is when the paper first came out; where the result does not say, its issue's date, then the year.
func (w *result) date() evidence.Date {
	dates := []evidence.Date{source.Date(string(w.FirstPublicationDate)), source.Date(string(w.OnlineDate))}
	if j := w.JournalInfo; j != nil {
		dates = append(dates, source.Date(string(j.PrintDate)), evidence.NewDate(int(j.Year), int(j.Month), 0))
	}

	dates = append(dates, source.Date(string(w.PubYear)), source.Date(string(w.BookOrReportDetails.YearOfPublication)))
	for _, d := range dates {
		if d != "" {
			return d
		}
	}
	return ""
}

func splitAt(t source.Text, separators string) []string {
	return strings.FieldsFunc(string(t), func(r rune) bool { return strings.ContainsRune(separators, r) })
}
