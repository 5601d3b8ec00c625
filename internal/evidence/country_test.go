package evidence

import (
	"slices"
	"strings"
	"testing"
)

func TestParseCountry(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"the registry's name", "Germany", "Germany"},
		{"another case", "gerMANY", "Germany"},
		{"two letters", "DE", "Germany"},
		{"three letters", "deu", "Germany"},
		{"German", "Österreich", "Austria"},
		{"what everybody says", "USA", "United States"},
		{"with dots", "U.S.A.", "United States"},
		{"the code, with dots", "U.S.", "United States"},
		{"no ISO code", "UK", "United Kingdom"},
		{"its ISO code", "GB", "United Kingdom"},
		{"a part that is a country by itself", "Scotland", "United Kingdom"},
		{"an article", "the Netherlands", "Netherlands"},
		{"the registry's former name", "Korea, Republic of", "South Korea"},
		{"the other Korea", "KP", "North Korea"},
		{"without its accents", "Cote d'Ivoire", "Côte d’Ivoire"},
		{"both names", "Turkey (Türkiye)", "Turkey (Türkiye)"},
		{"the new name", "Türkiye", "Turkey (Türkiye)"},
		{"an ampersand", "Bosnia & Herzegovina", "Bosnia and Herzegovina"},
		{"white space", "  South  Africa ", "South Africa"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := ParseCountry(tc.text); err != nil || got != tc.want {
				t.Errorf("ParseCountry(%q) = %q, %v; want %q", tc.text, got, err, tc.want)
			}
		})
	}
}

func TestParseCountryNamesTheNearest(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a letter left out", "Germny", `"Germny" is no country; did you mean "Germany"?`},
		{"two letters swapped", "Frnace", `did you mean "France"?`},
		{"near a former name", "Russian Federaton", `did you mean "Russia"?`},
		{"nothing like it", "Atlantis Minor", "write its English name"},
		{"nothing", "", "write its English name"},
		{"a code of no country", "QQ", "is no country"},
		{"a continent", "Europe", "is no country"},
		{"far too long", strings.Repeat("x", 1<<20), "write its English name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := ParseCountry(tc.text); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("ParseCountry = %q, %v; want an error with %q", got, err, tc.want)
			}
		})
	}
}

func TestParseCountries(t *testing.T) {
	got, err := ParseCountries([]string{"DE", "Korea", " Republic of", "Germany", "UK"})
	if want := []string{"Germany", "South Korea", "United Kingdom"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, err := ParseCountries([]string{"DE", "Germny"}); err == nil {
		t.Errorf("got %q; want an error", got)
	}
}

// A name or code that two countries share would find the trials of one for the other.
func TestNoTwoCountriesShareAName(t *testing.T) {
	owner := map[string]string{}
	for line := range strings.Lines(countryTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 5 {
			t.Fatalf("%q has %d cells; want 5", line, len(cells))
		}
		for _, name := range slices.Concat(cells[:3], splitNames(cells[3]), splitNames(cells[4])) {
			key := countryKey(name)
			if other, taken := owner[key]; key == "" || taken && other != cells[0] {
				t.Errorf("%q of %s is %q's", name, cells[0], other)
			}
			owner[key] = cells[0]
		}
	}
	if len(countries().names) < 300 {
		t.Errorf("%d names", len(countries().names))
	}
}

func TestSameCountry(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"South Korea", "Korea, Republic of", true},
		{"Turkey", "Turkey (Türkiye)", true},
		{"germany", "Germany", true},
		{"Nowhere", "nowhere", true},
		{"Nowhere", "Elsewhere", false},
		{"Niger", "Nigeria", false},
		{"South Korea", "North Korea", false},
		{"", "Germany", false},
	} {
		if got := SameCountry(tc.a, tc.b); got != tc.want {
			t.Errorf("SameCountry(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}
