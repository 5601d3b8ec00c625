package openalex

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source/wire"
	"dossier/internal/text"
)

// ParseResponse parses works in OpenAlex's JSON: a saved answer of /works, a list of works, one work, or one of these
// per line. Unreadable records are problems. The file does not state when records were fetched: the caller must add it.
func ParseResponse(r io.Reader) ([]evidence.Record, []evidence.Problem, error) {
	return wire.ParseFile(r, read, "results")
}

// work is one element of results.
type work struct {
	ID          wire.Text `json:"id"`
	DOI         wire.Text `json:"doi"`
	Title       wire.Text `json:"title"`
	DisplayName wire.Text `json:"display_name"`
	IDs         struct {
		DOI   wire.Text `json:"doi"`
		PMID  wire.Text `json:"pmid"`
		PMCID wire.Text `json:"pmcid"`
	} `json:"ids"`
	Year         wire.Text             `json:"publication_year"`
	Date         wire.Text             `json:"publication_date"`
	Updated      wire.Text             `json:"updated_date"`
	Language     wire.Text             `json:"language"`
	Type         wire.Text             `json:"type"`
	TypeCrossref wire.Text             `json:"type_crossref"`
	IsRetracted  *wire.Flag            `json:"is_retracted"`
	IsParatext   wire.Flag             `json:"is_paratext"`
	CitedBy      wire.Count            `json:"cited_by_count"`
	Index        json.RawMessage       `json:"abstract_inverted_index"`
	Authorships  wire.List[authorship] `json:"authorships"`
	Biblio       struct {
		Volume wire.Text `json:"volume"`
		Issue  wire.Text `json:"issue"`
		First  wire.Text `json:"first_page"`
		Last   wire.Text `json:"last_page"`
	} `json:"biblio"`
	Primary   location            `json:"primary_location"`
	BestOpen  location            `json:"best_oa_location"`
	Locations wire.List[location] `json:"locations"`
	HostVenue venue               `json:"host_venue"` // before 2023, in saved answers
	Mesh      wire.List[struct {
		Name          wire.Text `json:"descriptor_name"`
		UI            wire.Text `json:"descriptor_ui"`
		QualifierName wire.Text `json:"qualifier_name"`
		QualifierUI   wire.Text `json:"qualifier_ui"`
		Major         wire.Flag `json:"is_major_topic"`
	}] `json:"mesh"`
	Keywords      wire.List[keyword] `json:"keywords"`
	OpenAccessURL struct {
		URL wire.Text `json:"oa_url"`
	} `json:"open_access"`
}

type location struct {
	PDF     wire.Text `json:"pdf_url"`
	Landing wire.Text `json:"landing_page_url"`
	Source  venue     `json:"source"`
}

type venue struct {
	Name      wire.Text            `json:"display_name"`
	ISSN      wire.List[wire.Text] `json:"issn"`
	ISSNL     wire.Text            `json:"issn_l"`
	Host      wire.Text            `json:"host_organization_name"`
	Publisher wire.Text            `json:"publisher"`
	Type      wire.Text            `json:"type"`
}

type keyword struct {
	Name wire.Text `json:"display_name"`
}

// read is a wire.Reader; its id is the origin's.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w work
	if err := wire.Decode(raw, &w); err != nil {
		return evidence.Record{}, "", err
	}

	id, ok := evidence.NewIdentifier(evidence.OpenAlex, string(w.ID))
	if !ok {
		return evidence.Record{}, w.ID.String(), errors.New("its id is no id of an OpenAlex work")
	}
	return w.record(id), id.Value, nil
}

func (w *work) record(id evidence.Identifier) evidence.Record {
	r := evidence.Record{
		Origins: []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: id.Value, Revised: wire.Date(string(w.Updated))}},
		Identifiers: wire.Identifiers(
			wire.Named{Kind: evidence.OpenAlex, Value: w.ID},
			wire.Named{Kind: evidence.DOI, Value: cmp.Or(w.DOI, w.IDs.DOI)},
			wire.Named{Kind: evidence.PMID, Value: w.IDs.PMID},
			wire.Named{Kind: evidence.PMCID, Value: w.IDs.PMCID},
		),
		Title:            cmp.Or(wire.Plain(string(w.Title)), wire.Plain(string(w.DisplayName))),
		Abstract:         wire.Sections(uninverted(w.Index)),
		Authors:          w.authors(),
		Journal:          w.journal(),
		Date:             cmp.Or(wire.Date(string(w.Date)), wire.Date(string(w.Year))),
		Languages:        wire.Distinct(wire.MaxItem, w.Language),
		PublicationTypes: w.types(),
		MeSH:             w.mesh(),
		Keywords:         wire.Distinct(wire.MaxList, text.Each(w.Keywords, func(k keyword) wire.Text { return k.Name })...),
		CitedBy:          int(w.CitedBy),
		FullText:         w.fullText(),
		Preprint:         w.isPreprint(),
		Retraction:       evidence.Retraction{Status: evidence.Unknown},
	}
	if w.IsRetracted != nil {
		r.Retraction = evidence.Retraction{Status: evidence.No, Source: evidence.SourceOpenAlex}
		if *w.IsRetracted {
			r.Retraction.Status = evidence.Yes
		}
	}
	return r
}

// types has OpenAlex's own type first, then Crossref's. A part of a journal that is no work (a cover, a list of
// contents) is kept, with that type.
func (w *work) types() []evidence.PublicationType {
	words := []wire.Text{w.Type, w.TypeCrossref}
	if w.IsParatext {
		words = append(words, "paratext")
	}

	var out []evidence.PublicationType
	for _, name := range wire.Distinct(wire.MaxItem, words...) {
		out = append(out, evidence.PublicationType{Name: name})
	}
	return out
}

// isPreprint needs a repository beside Crossref's "posted-content", which some journals' articles have by mistake.
func (w *work) isPreprint() bool {
	if strings.EqualFold(string(w.Type), "preprint") {
		return true
	}
	posted := strings.EqualFold(string(w.Type), "posted-content") || strings.EqualFold(string(w.TypeCrossref),
		"posted-content")
	return posted && strings.EqualFold(string(w.Primary.Source.Type), "repository")
}

func (w *work) journal() evidence.Journal {
	at := w.Primary.Source
	if at.Name == "" {
		at = w.HostVenue
	}

	j := evidence.Journal{
		Title:     wire.Plain(string(at.Name)),
		ISSN:      wire.Distinct(wire.MaxItem, append([]wire.Text{at.ISSNL}, at.ISSN...)...),
		Volume:    w.Biblio.Volume.String(),
		Issue:     w.Biblio.Issue.String(),
		Pages:     w.Biblio.First.String(),
		Publisher: cmp.Or(at.Host, at.Publisher).String(),
	}
	if last := w.Biblio.Last.String(); last != "" && last != j.Pages {
		j.Pages = strings.TrimPrefix(j.Pages+"-"+last, "-")
	}
	return j
}

// mesh gathers what OpenAlex lists once for each qualifier.
func (w *work) mesh() []evidence.Heading {
	var out []evidence.Heading

	at := map[string]int{}
	for _, m := range w.Mesh {
		name := m.Name.String()
		if name == "" {
			continue
		}

		i, known := at[name]
		if !known {
			i = len(out)
			at[name] = i
			out = append(out, evidence.Heading{Name: name, UI: m.UI.String()})
		}

		q := evidence.Qualifier{Name: m.QualifierName.String(), UI: m.QualifierUI.String(), Major: bool(m.Major)}
		switch {
		case q.Name == "":
			out[i].Major = out[i].Major || bool(m.Major)
		case len(out[i].Qualifiers) < wire.MaxItem:
			out[i].Qualifiers = append(out[i].Qualifiers, q)
		}
	}
	return out
}

// fullText has the open copy first, and each place's PDF before its page.
func (w *work) fullText() []string {
	var urls []string
	for _, l := range append([]location{w.BestOpen, w.Primary}, w.Locations...) {
		urls = append(urls, string(l.PDF), string(l.Landing))
	}
	return wire.Addresses(append(urls, string(w.OpenAccessURL.URL))...)
}
