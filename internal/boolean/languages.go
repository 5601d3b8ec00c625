package boolean

import (
	"slices"
	"strings"
)

// languages lists those of the biomedical literature: NLM's code, the two-letter code of other sources, other codes in
// use, and the English name.
var languages = [][]string{
	{"eng", "en", "english"}, {"ger", "de", "deu", "german"}, {"fre", "fr", "fra", "french"}, {"spa", "es", "spanish"},
	{"ita", "it", "italian"}, {"por", "pt", "portuguese"}, {"dut", "nl", "nld", "dutch"}, {"chi", "zh", "zho", "chinese"},
	{"jpn", "ja", "japanese"}, {"kor", "ko", "korean"}, {"rus", "ru", "russian"}, {"pol", "pl", "polish"},
	{"cze", "cs", "ces", "czech"}, {"slo", "sk", "slk", "slovak"}, {"slv", "sl", "slovenian"}, {"hun", "hu", "hungarian"},
	{"rum", "ro", "ron", "romanian"}, {"bul", "bg", "bulgarian"}, {"hrv", "hr", "croatian"}, {"srp", "sr", "serbian"},
	{"ukr", "uk", "ukrainian"}, {"gre", "el", "ell", "greek"}, {"tur", "tr", "turkish"}, {"heb", "he", "hebrew"},
	{"ara", "ar", "arabic"}, {"per", "fa", "fas", "persian"}, {"swe", "sv", "swedish"}, {"nor", "no", "norwegian"},
	{"dan", "da", "danish"}, {"fin", "fi", "finnish"}, {"ice", "is", "isl", "icelandic"}, {"lit", "lt", "lithuanian"},
	{"lav", "lv", "latvian"}, {"est", "et", "estonian"}, {"cat", "ca", "catalan"}, {"tha", "th", "thai"},
	{"vie", "vi", "vietnamese"}, {"ind", "id", "indonesian"}, {"hin", "hi", "hindi"}, {"lat", "la", "latin"},
	{"afr", "af", "afrikaans"}, {"und", "undetermined"}, {"mul", "multiple languages"},
}

// languageNames adds, to each language that a record gives by a code or a name, its other names.
func languageNames(given []string) []string {
	var out []string
	for _, g := range given {
		g = strings.ToLower(strings.TrimSpace(g))
		if i := slices.IndexFunc(languages, func(names []string) bool { return slices.Contains(names, g) }); i >= 0 {
			out = append(out, languages[i]...)
		} else if g != "" {
			out = append(out, g)
		}
	}
	return out
}

// languageCode is NLM's code for a language, or the text itself where it is not known.
func languageCode(text string) string {
	return append(languageNames([]string{text}), text)[0]
}
