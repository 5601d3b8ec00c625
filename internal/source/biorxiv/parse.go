package biorxiv

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/cite"
	"dossier/internal/evidence"
	"dossier/internal/source"
)

// answer is the server's answer on a preprint: a list of its versions.
type answer struct {
	Messages source.List[struct {
		Status source.Text `json:"status"`
	}] `json:"messages"`
	Collection []json.RawMessage `json:"collection"`
}

// version is one of a preprint's.
type version struct {
	DOI       source.Text  `json:"doi"`
	Title     source.Text  `json:"title"`
	Authors   source.Text  `json:"authors"` // "Ash, A. B.; Birch, C."
	Date      source.Text  `json:"date"`
	Version   source.Count `json:"version"`
	Type      source.Text  `json:"type"`
	Category  source.Text  `json:"category"`
	Abstract  source.Text  `json:"abstract"`
	Published source.Text  `json:"published"` // the article's DOI, or "NA"
}

func readAnswer(body []byte) (answer, error) {
	var a answer
	if err := source.Decode(body, &a); err != nil {
		return a, fmt.Errorf("the answer cannot be read: %w", err)
	}
	return a, nil
}

// check reports whether an answer is one, and whether the server has the preprint: one that it lacks has status 200,
// too.
func check(body []byte) (known bool, err error) {
	a, err := readAnswer(body)
	if err != nil {
		return false, err
	}

	status := ""
	for _, m := range a.Messages {
		status = strings.ToLower(m.Status.String())
	}

	switch {
	case strings.HasPrefix(status, "no posts"):
		return false, nil
	case status != "ok":
		return false, fmt.Errorf("the answer has the status %.80q", status)
	case len(a.Collection) == 0:
		return false, errors.New("the answer is ok, and holds no version")
	}
	return true, nil
}

// reader parses the versions of one preprint of a server. The newest readable version counts, and the first gives the
// date of posting.
func reader(server evidence.SourceName, doi string) source.Reader {
	return func(body json.RawMessage) (evidence.Record, string, error) {
		a, err := readAnswer(body)
		if err != nil {
			return evidence.Record{}, doi, err
		}

		var all []version
		for _, raw := range a.Collection[:min(len(a.Collection), source.MaxItem)] {
			var v version
			if source.Decode(raw, &v) != nil {
				continue
			}

			if id, ok := evidence.NewIdentifier(evidence.DOI, string(v.DOI)); ok && id.Value == doi {
				all = append(all, v)
			}
		}

		if len(all) == 0 {
			return evidence.Record{}, doi, errors.New("no version of the preprint can be read")
		}
		slices.SortStableFunc(all, func(a, b version) int { return int(a.Version) - int(b.Version) })
		return record(server, doi, &all[0], &all[len(all)-1]), doi, nil
	}
}

func record(server evidence.SourceName, doi string, first, newest *version) evidence.Record {
	name := map[evidence.SourceName]string{evidence.SourceBioRxiv: "bioRxiv", evidence.SourceMedRxiv: "medRxiv"}[server]

	r := evidence.Record{
		Origins:          []evidence.Origin{{Source: server, ID: doi, Revised: source.Date(string(newest.Date))}},
		Identifiers:      []evidence.Identifier{{Kind: evidence.DOI, Value: doi}},
		Title:            source.Plain(string(newest.Title)),
		Abstract:         source.Sections(string(newest.Abstract)),
		Authors:          cite.Names(string(newest.Authors)),
		Journal:          evidence.Journal{Title: name},
		Date:             source.Date(string(first.Date)),
		PublicationTypes: []evidence.PublicationType{{Name: "Preprint"}},
		Keywords:         source.Distinct(source.MaxItem, newest.Category),
		Preprint:         true,
		FullText:         []string{"https://www." + server + ".org/content/" + doi},
		Retraction:       evidence.Retraction{Status: evidence.Unknown},
	}
	if n := int(newest.Version); n > 1 {
		r.Origins[0].Version = n
		r.FullText[0] += fmt.Sprintf("v%d", n)
	}

	if article, ok := evidence.NewIdentifier(evidence.DOI, string(newest.Published)); ok && article.Value != doi {
		r.Links = []evidence.Link{{Relation: evidence.PreprintOf, Target: article, Source: server}}
	}

	if strings.EqualFold(newest.Type.String(), "withdrawn") {
		r.Retraction = evidence.Retraction{Status: evidence.Yes, Source: server}
	}
	return r
}
