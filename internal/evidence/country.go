package evidence

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"dossier/internal/text"
)

// countryTable has a line a country: its ISO 3166-1 codes, the name under which ClinicalTrials.gov has its sites,
// the names that it had there before, and what else people call it.
//
//go:embed countries.tsv
var countryTable string

// country is a line of countryTable.
type country struct {
	name   string
	former []string // in the registry
}

type countryList struct {
	byKey map[string]*country // by the key of every code and name
	names []string            // keys of the names, sorted; no codes
}

// countries reads the table when it is first asked for.
var countries = sync.OnceValue(func() countryList {
	list := countryList{byKey: map[string]*country{}}
	for cells := range text.Rows(countryTable) {
		c := &country{name: cells[2], former: splitNames(cells[3])}

		list.byKey[countryKey(cells[0])], list.byKey[countryKey(cells[1])] = c, c
		for _, name := range slices.Concat([]string{c.name}, c.former, splitNames(cells[4])) {
			list.byKey[countryKey(name)] = c
			list.names = append(list.names, countryKey(name))
		}
	}
	slices.Sort(list.names)
	return list
})

func splitNames(cell string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, "; ")
}

// maxCountryName bounds what is compared with the table; the longest name in it has 44 bytes.
const maxCountryName = 100

// countryKey is a name's letters in lower case, without accents and article: "U.S.A." and "usa", "The Netherlands"
// and "Netherlands" are the same.
func countryKey(name string) string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text.Head(name, maxCountryName), "&", " and ")))
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	}
	return text.Letters(strings.Join(words, ""))
}

// ParseCountry gives the registry's name of the country that a name, in English or German, or an ISO 3166-1 code
// means. The error names the nearest country that there is.
func ParseCountry(name string) (string, error) {
	list, key := countries(), countryKey(name)
	if c := list.byKey[key]; c != nil {
		return c.name, nil
	}

	best, least := "", 1+max(1, len(key)/3)
	for _, name := range list.names {
		if d := levenshtein.ComputeDistance(key, name); d < least {
			best, least = name, d
		}
	}

	if best == "" {
		return "", fmt.Errorf("%q is no country; write its English name, such as Germany, or its code, such as DE", name)
	}
	return "", fmt.Errorf("%q is no country; did you mean %q?", name, list.byKey[best].name)
}

// ParseCountries gives the registry's names of a list, once each. A name that holds a comma may have come apart at it:
// "Korea", "Republic of".
func ParseCountries(texts []string) ([]string, error) {
	var out []string
	for i := 0; i < len(texts); i++ {
		text := texts[i]
		if i+1 < len(texts) {
			if whole := text + ", " + strings.TrimSpace(texts[i+1]); countries().byKey[countryKey(whole)] != nil {
				text = whole
				i++
			}
		}

		name, err := ParseCountry(text)
		if err != nil {
			return nil, err
		}

		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// CountryNames are the names that the registry has or had for the country: the present one first. A name that is in
// no table is given as it is.
func CountryNames(name string) []string {
	if c := countries().byKey[countryKey(name)]; c != nil {
		return slices.Concat([]string{c.name}, c.former)
	}
	return []string{name}
}

// SameCountry reports whether two names mean one country: "South Korea" and "Korea, Republic of".
func SameCountry(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	list := countries()
	c := list.byKey[countryKey(a)]
	return c != nil && c == list.byKey[countryKey(b)]
}

// CountryCodes are the two-letter codes of ISO 3166-1, in the table's order, each with the registry's name.
func CountryCodes() iter.Seq2[string, string] {
	return func(yield func(code, name string) bool) {
		for cells := range text.Rows(countryTable) {
			if !yield(cells[0], cells[2]) {
				return
			}
		}
	}
}
