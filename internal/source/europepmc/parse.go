package europepmc

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source/wire"
)

// ParseResponse parses results in Europe PMC's JSON: a saved answer of its search, a list of results, one result, or
// one of these per line; core results and lite ones, which have no abstract. Unreadable records are problems. The file
// does not state when records were fetched: the caller must add it.
func ParseResponse(r io.Reader) ([]evidence.Record, []evidence.Problem, error) {
	return wire.ParseFile(r, read, "resultList", "result")
}

// result is one element of resultList.result. The lower half is what only core results have.
type result struct {
	ID                   wire.Text  `json:"id"`
	Source               wire.Text  `json:"source"`
	PMID                 wire.Text  `json:"pmid"`
	PMCID                wire.Text  `json:"pmcid"`
	DOI                  wire.Text  `json:"doi"`
	Title                wire.Text  `json:"title"`
	AuthorString         wire.Text  `json:"authorString"`
	JournalTitle         wire.Text  `json:"journalTitle"`
	JournalAbbreviation  wire.Text  `json:"journalAbbreviation"`
	JournalISSN          wire.Text  `json:"journalIssn"`
	JournalVolume        wire.Text  `json:"journalVolume"`
	Volume               wire.Text  `json:"volume"`
	Issue                wire.Text  `json:"issue"`
	PageInfo             wire.Text  `json:"pageInfo"`
	PubYear              wire.Text  `json:"pubYear"`
	PubType              wire.Text  `json:"pubType"`
	CitationType         wire.Text  `json:"citationType"`
	CitedByCount         wire.Count `json:"citedByCount"`
	FirstPublicationDate wire.Text  `json:"firstPublicationDate"`

	AbstractText wire.Text `json:"abstractText"`
	Language     wire.Text `json:"language"`
	DateRevised  wire.Text `json:"dateOfRevision"`
	OnlineDate   wire.Text `json:"electronicPublicationDate"`
	AuthorList   *struct {
		Author wire.List[author] `json:"author"`
	} `json:"authorList"`
	JournalInfo *journalInfo `json:"journalInfo"`
	PubTypeList *struct {
		PubType wire.List[wire.Text] `json:"pubType"`
	} `json:"pubTypeList"`
	KeywordList struct {
		Keyword wire.List[wire.Text] `json:"keyword"`
	} `json:"keywordList"`
	MeshHeadingList struct {
		MeshHeading wire.List[meshHeading] `json:"meshHeading"`
	} `json:"meshHeadingList"`
	ChemicalList struct {
		Chemical wire.List[struct {
			Name           wire.Text `json:"name"`
			RegistryNumber wire.Text `json:"registryNumber"`
		}] `json:"chemical"`
	} `json:"chemicalList"`
	FullTextURLList struct {
		FullTextURL wire.List[struct {
			URL wire.Text `json:"url"`
		}] `json:"fullTextUrl"`
	} `json:"fullTextUrlList"`
	CommentCorrectionList struct {
		CommentCorrection wire.List[struct {
			ID        wire.Text `json:"id"`
			Source    wire.Text `json:"source"`
			Reference wire.Text `json:"reference"`
			Type      wire.Text `json:"type"`
		}] `json:"commentCorrection"`
	} `json:"commentCorrectionList"`
	BookOrReportDetails struct {
		ComprisingTitle   wire.Text `json:"comprisingTitle"`
		Publisher         wire.Text `json:"publisher"`
		YearOfPublication wire.Text `json:"yearOfPublication"`
	} `json:"bookOrReportDetails"`
	PatentDetails struct {
		Country wire.Text `json:"country"`
	} `json:"patentDetails"`
}

type journalInfo struct {
	Volume    wire.Text  `json:"volume"`
	Issue     wire.Text  `json:"issue"`
	Year      wire.Count `json:"yearOfPublication"`
	Month     wire.Count `json:"monthOfPublication"`
	PrintDate wire.Text  `json:"printPublicationDate"`
	Journal   struct {
		Title        wire.Text `json:"title"`
		ISO          wire.Text `json:"isoabbreviation"` // and ISOAbbreviation: the case of these names varies
		Abbreviation wire.Text `json:"medlineAbbreviation"`
		ISSN         wire.Text `json:"issn"`
		ESSN         wire.Text `json:"essn"`
	} `json:"journal"`
}

type meshHeading struct {
	Name       wire.Text `json:"descriptorName"`
	Major      wire.Flag `json:"majorTopic_YN"`
	Qualifiers struct {
		Qualifier wire.List[struct {
			Name  wire.Text `json:"qualifierName"`
			Major wire.Flag `json:"majorTopic_YN"`
		}] `json:"meshQualifier"`
	} `json:"meshQualifierList"`
}

// read is a wire.Reader; its id is the origin's.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w result
	if err := wire.Decode(raw, &w); err != nil {
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
			Revised: wire.Date(string(w.DateRevised))}},
		Identifiers:      w.identifiers(src, id),
		Title:            wire.Plain(string(w.Title)),
		Abstract:         wire.Sections(string(w.AbstractText)),
		Authors:          w.authors(),
		Journal:          w.journal(src),
		Date:             w.date(),
		Languages:        wire.Distinct(wire.MaxItem, splitAt(w.Language, ",;")...),
		PublicationTypes: w.types(),
		MeSH:             w.mesh(),
		Keywords:         wire.Distinct(wire.MaxList, w.KeywordList.Keyword...),
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
	named := []wire.Named{{Kind: evidence.PMID, Value: w.PMID}, {Kind: evidence.PMCID, Value: w.PMCID},
		{Kind: evidence.DOI, Value: w.DOI}}
	if kind, ok := kindOf(src); ok && (kind != evidence.PMID || w.PMID == "") {
		named = append(named, wire.Named{Kind: kind, Value: wire.Text(id)})
	}
	return wire.Identifiers(named...)
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
	dates := []evidence.Date{wire.Date(string(w.FirstPublicationDate)), wire.Date(string(w.OnlineDate))}
	if j := w.JournalInfo; j != nil {
		dates = append(dates, wire.Date(string(j.PrintDate)), evidence.NewDate(int(j.Year), int(j.Month), 0))
	}

	dates = append(dates, wire.Date(string(w.PubYear)), wire.Date(string(w.BookOrReportDetails.YearOfPublication)))
	for _, d := range dates {
		if d != "" {
			return d
		}
	}
	return ""
}

func splitAt(t wire.Text, separators string) []string {
	return strings.FieldsFunc(string(t), func(r rune) bool { return strings.ContainsRune(separators, r) })
}
