package articles

import (
	"strings"

	"dossier/internal/text"
)

// The forms in which articles name a licence: Creative Commons' addresses, and where there is none, its names.
var (
	licenceAddress = text.LazyRegexp(
		`(?i)creativecommons\.org/(?:licen[sc]es/(by(?:-nc)?(?:-nd|-sa)?(?:-nc)?)|(publicdomain)/(?:zero|mark))(?:/(\d\.\d))?`)
	licenceCode = text.LazyRegexp(`(?i)\bCC[ -]?(0\b|BY(?:[ -](?:NC|ND|SA))*)(?:[ -]v?(\d\.\d))?`)
	licenceName = text.LazyRegexp(`(?i)creative\s+commons\s+(?:attribution|licen[sc]e)`)
	noncommerce = text.LazyRegexp(`(?i)non[\s-]?commercial`)
	noDerivs    = text.LazyRegexp(`(?i)no[\s-]?deriv`)
	shareAlike  = text.LazyRegexp(`(?i)share[\s-]?alike`)
	publicWork  = text.LazyRegexp(`(?i)\b(?:in the|is a|dedicated to the) public domain\b|\bpublic domain dedication\b`)
)

// licence is under what terms a text may be kept.
type licence struct {
	name          string // as "CC BY-NC 4.0"; empty: nobody may keep it, as far as is known
	noncommercial bool
}

// licenceOf reads what an article says of its licences. Of several the strictest counts.
func licenceOf(said []string) (out licence) {
	for _, words := range said {
		next := oneLicence(words)
		if out.name == "" || next.noncommercial && !out.noncommercial {
			out = next
		}
	}
	return out
}

func oneLicence(words string) licence {
	for _, found := range []*[]string{first(licenceAddress().FindAllStringSubmatch(words, -1)),
		first(licenceCode().FindAllStringSubmatch(words, -1))} {
		if found == nil {
			continue
		}
		m := *found

		code, version := strings.ToUpper(strings.ReplaceAll(m[1], " ", "-")), m[len(m)-1]
		if code == "" || code == "0" {
			return licence{name: strings.TrimSpace("CC0 " + version)}
		}
		return licence{name: strings.TrimSpace("CC " + code + " " + version), noncommercial: strings.Contains(code, "NC")}
	}

	switch {
	case licenceName().MatchString(words):
		out := licence{name: "CC BY", noncommercial: noncommerce().MatchString(words)}
		if out.noncommercial {
			out.name += "-NC"
		}

		switch {
		case noDerivs().MatchString(words):
			out.name += "-ND"
		case shareAlike().MatchString(words):
			out.name += "-SA"
		}
		return out
	case publicWork().MatchString(words):
		return licence{name: "public domain"}
	}
	return licence{}
}

// first is the match that is the strictest: one that leaves out commerce, else the first.
func first(matches [][]string) *[]string {
	for i := range matches {
		if strings.Contains(strings.ToUpper(matches[i][1]), "NC") {
			return &matches[i]
		}
	}

	if len(matches) == 0 {
		return nil
	}
	return &matches[0]
}
