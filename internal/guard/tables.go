package guard

import (
	_ "embed"
	"strings"
	"sync"

	"dossier/internal/text"
)

// wordTable is the phrases of six languages; its head documents each entry.
//
//go:embed words.txt
var wordTable string

// label is the meaning of a phrase for the text behind it.
type label struct {
	kind Kind
	weak bool
}

// vocabulary is the phrases of all languages, prepared for lookup.
type vocabulary struct {
	labels                               map[string]label
	titles                               map[string]bool // true: weak
	ages, years, older, andOlder         map[string]bool
	postcodes                            map[string]bool
	streets, streetTypes, streetFrom     map[string]bool
	streetEndings                        []string
	months                               map[string]int
	numbers, copulas, particles, between map[string]bool
	eponyms, notNames, notStreets        map[string]bool
	kin, doings, rooms                   map[string]bool
	beforeNames                          map[string]bool // titles, and words for a patient or a name
}

// tables builds the vocabulary at its first use.
var tables = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{labels: map[string]label{}, titles: map[string]bool{}, months: map[string]int{},
		beforeNames: map[string]bool{}}
	labels := map[string]label{
		"names": {kind: Name}, "namesWeak": {Name, true}, "records": {kind: Record}, "recordsWeak": {Record, true},
		"insurances": {kind: Insurance}, "births": {kind: Birth}, "phones": {kind: Phone}, "addresses": {kind: Address},
	}

	sets := map[string]*map[string]bool{
		"ages": &v.ages, "years": &v.years, "older": &v.older, "andOlder": &v.andOlder, "postcodes": &v.postcodes,
		"streets":     &v.streets,
		"streetTypes": &v.streetTypes, "streetFrom": &v.streetFrom, "numbers": &v.numbers, "copulas": &v.copulas,
		"particles": &v.particles, "between": &v.between, "eponyms": &v.eponyms, "notNames": &v.notNames,
		"notStreets": &v.notStreets, "kin": &v.kin, "doings": &v.doings, "rooms": &v.rooms,
	}
	for _, set := range sets {
		*set = map[string]bool{}
	}

	for name, list := range text.Entries(wordTable) {
		for i, phrase := range strings.Split(list, ", ") {
			if strings.HasPrefix(name, "names") || strings.HasPrefix(name, "titles") {
				v.beforeNames[phrase] = true
			}

			switch name {
			case "titles", "titlesWeak": // one that is weak in any language is weak
				v.titles[phrase] = v.titles[phrase] || name == "titlesWeak"
			case "streetEndings":
				v.streetEndings = append(v.streetEndings, phrase)
			case "months":
				for form := range strings.SplitSeq(phrase, "/") {
					v.months[form] = i + 1
				}
			default:
				if as, ok := labels[name]; !ok {
					(*sets[name])[phrase] = true
				} else if had, ok := v.labels[phrase]; !ok || had.weak {
					v.labels[phrase] = as
				}
			}
		}
	}
	return v
})
