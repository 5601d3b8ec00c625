package europepmc

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/source"
)

type author struct {
	FullName       source.Text              `json:"fullName"`
	FirstName      source.Text              `json:"firstName"`
	LastName       source.Text              `json:"lastName"`
	Initials       source.Text              `json:"initials"`
	CollectiveName source.Text              `json:"collectiveName"`
	AuthorID       source.List[authorID]    `json:"authorId"`
	Affiliation    source.List[source.Text] `json:"affiliation"`
	Affiliations   struct {
		Affiliation source.List[struct {
			Affiliation source.Text `json:"affiliation"`
		}] `json:"authorAffiliation"`
	} `json:"authorAffiliationDetailsList"`
}

// authorID is written in two ways, the second by services that turned it from XML.
type authorID struct {
	Type     source.Text `json:"type"`
	Value    source.Text `json:"value"`
	AttrType source.Text `json:"@type"`
	Chars    source.Text `json:"#text"`
}

func (id authorID) orcid() string {
	if strings.EqualFold(id.Type.String()+id.AttrType.String(), "ORCID") {
		return source.ORCID(string(id.Value + id.Chars))
	}
	return ""
}

// authors takes the list of core results, else the one line that lite ones have.
func (w *result) authors() []evidence.Author {
	var out []evidence.Author
	if w.AuthorList != nil {
		for i := range w.AuthorList.Author {
			if a := w.AuthorList.Author[i].author(); a.Family != "" || a.Collective != "" {
				out = append(out, a)
			}
		}
	}

	if len(out) == 0 {
		out = authorsInLine(source.Plain(string(w.AuthorString)))
	}
	return out
}

func (a *author) author() evidence.Author {
	out := evidence.Author{Family: source.Plain(string(a.LastName)), Given: source.Plain(string(a.FirstName)),
		Initials: a.Initials.String()}

	group := source.Plain(string(a.CollectiveName))
	switch {
	case group != "":
		out = evidence.Author{Collective: group}
	case out.Family == "":
		out = authorNamed(source.Plain(string(a.FullName)))
	}

	for _, id := range a.AuthorID {
		if orcid := id.orcid(); orcid != "" && out.Collective == "" {
			out.ORCID = orcid
			break
		}
	}

	affiliations := slices.Clone(a.Affiliation)
	for _, x := range a.Affiliations.Affiliation {
		affiliations = append(affiliations, x.Affiliation)
	}
	out.Affiliations = source.Distinct(source.MaxItem, affiliations...)
	return out
}

// authorsInLine reads "Doe JA, Roe R, Invented Study Group."
func authorsInLine(line string) []evidence.Author {
	var out []evidence.Author
	for name := range strings.SplitSeq(strings.TrimSuffix(line, "."), ", ") {
		if name = strings.TrimSpace(name); name == "" || strings.EqualFold(strings.Trim(name, "."), "et al") ||
			len(out) >= source.MaxList {
			continue
		}
		out = append(out, authorNamed(name))
	}
	return out
}

// authorNamed reads "Doe JA" and "Doe JA Jr". A single word is a family name; several words without initials are a
// group.
func authorNamed(name string) evidence.Author {
	words := strings.Fields(name)

	var suffix string
	if n := len(words); n > 2 && source.IsNameSuffix(words[n-1]) {
		suffix, words = words[n-1], words[:n-1]
	}

	last := len(words) - 1
	switch {
	case last < 0:
		return evidence.Author{}
	case last == 0:
		return evidence.Author{Family: words[0]}
	case evidence.AreInitials(words[last], maxInitials):
		return evidence.Author{Family: strings.Join(words[:last], " "), Initials: strings.ReplaceAll(words[last], ".", ""),
			Suffix: suffix}
	}
	return evidence.Author{Collective: name}
}

// maxInitials is the number of letters up to which capitals are taken for initials: "JA", "M-C", "J.A.".
const maxInitials = 5
