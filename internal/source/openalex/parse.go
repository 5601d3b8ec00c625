package openalex

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
	"dossier/internal/text"
)

// ParseResponse parses works in OpenAlex's JSON: a saved answer of /works, a list of works, one work, or one of these
// per line. Unreadable records are problems. The file does not state when records were fetched: the caller must add it.
func ParseResponse(r io.Reader) ([]evidence.Record, []evidence.Problem, error) {
	return source.ParseFile(r, read, "results")
}

// work is one element of results.
type work struct {
	ID          source.Text `json:"id"`
	DOI         source.Text `json:"doi"`
	Title       source.Text `json:"title"`
	DisplayName source.Text `json:"display_name"`
	IDs         struct {
		DOI   source.Text `json:"doi"`
		PMID  source.Text `json:"pmid"`
		PMCID source.Text `json:"pmcid"`
	} `json:"ids"`
	Year         source.Text             `json:"publication_year"`
	Date         source.Text             `json:"publication_date"`
	Updated      source.Text             `json:"updated_date"`
	Language     source.Text             `json:"language"`
	Type         source.Text             `json:"type"`
	TypeCrossref source.Text             `json:"type_crossref"`
	IsRetracted  *source.Flag            `json:"is_retracted"`
	IsParatext   source.Flag             `json:"is_paratext"`
	CitedBy      source.Count            `json:"cited_by_count"`
	Index        json.RawMessage         `json:"abstract_inverted_index"`
	Authorships  source.List[authorship] `json:"authorships"`
	Biblio       struct {
		Volume source.Text `json:"volume"`
		Issue  source.Text `json:"issue"`
		First  source.Text `json:"first_page"`
		Last   source.Text `json:"last_page"`
	} `json:"biblio"`
	Primary   location              `json:"primary_location"`
	BestOpen  location              `json:"best_oa_location"`
	Locations source.List[location] `json:"locations"`
	HostVenue venue                 `json:"host_venue"` // before 2023, in saved answers
	Mesh      source.List[struct {
		Name          source.Text `json:"descriptor_name"`
		UI            source.Text `json:"descriptor_ui"`
		QualifierName source.Text `json:"qualifier_name"`
		QualifierUI   source.Text `json:"qualifier_ui"`
		Major         source.Flag `json:"is_major_topic"`
	}] `json:"mesh"`
	Keywords      source.List[keyword] `json:"keywords"`
	OpenAccessURL struct {
		URL source.Text `json:"oa_url"`
	} `json:"open_access"`
}

type location struct {
	PDF     source.Text `json:"pdf_url"`
	Landing source.Text `json:"landing_page_url"`
	Source  venue       `json:"source"`
}

type venue struct {
	Name      source.Text              `json:"display_name"`
	ISSN      source.List[source.Text] `json:"issn"`
	ISSNL     source.Text              `json:"issn_l"`
	Host      source.Text              `json:"host_organization_name"`
	Publisher source.Text              `json:"publisher"`
	Type      source.Text              `json:"type"`
}

type keyword struct {
	Name source.Text `json:"display_name"`
}

// read is a source.Reader; its id is the origin's.
func read(raw json.RawMessage) (evidence.Record, string, error) {
	var w work
	if err := source.Decode(raw, &w); err != nil {
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
		Origins: []evidence.Origin{{Source: evidence.SourceOpenAlex, ID: id.Value, Revised: source.Date(string(w.Updated))}},
		Identifiers: source.Identifiers(
			source.Named{Kind: evidence.OpenAlex, Value: w.ID},
			source.Named{Kind: evidence.DOI, Value: cmp.Or(w.DOI, w.IDs.DOI)},
			source.Named{Kind: evidence.PMID, Value: w.IDs.PMID},
			source.Named{Kind: evidence.PMCID, Value: w.IDs.PMCID},
		),
		Title:            cmp.Or(source.Plain(string(w.Title)), source.Plain(string(w.DisplayName))),
		Abstract:         source.Sections(uninverted(w.Index)),
		Authors:          w.authors(),
		Journal:          w.journal(),
		Date:             cmp.Or(source.Date(string(w.Date)), source.Date(string(w.Year))),
		Languages:        source.Distinct(source.MaxItem, w.Language),
		PublicationTypes: w.types(),
		MeSH:             w.mesh(),
		Keywords:         w.keywords(),
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
	words := []source.Text{w.Type, w.TypeCrossref}
	if w.IsParatext {
		words = append(words, "paratext")
	}

	var out []evidence.PublicationType
	for _, name := range source.Distinct(source.MaxItem, words...) {
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
		Title:     source.Plain(string(at.Name)),
		ISSN:      source.Distinct(source.MaxItem, append([]source.Text{at.ISSNL}, at.ISSN...)...),
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

func (w *work) keywords() []string {
	return source.Distinct(source.MaxList, text.Each(w.Keywords, func(k keyword) source.Text { return k.Name })...)
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
		case len(out[i].Qualifiers) < source.MaxItem:
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
	return source.Addresses(append(urls, string(w.OpenAccessURL.URL))...)
}
