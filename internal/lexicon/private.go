package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/lazy"
)

// What tells a patient's data by its form: a date with a day, a record's number, a name behind a title.
var (
	birthRE  = lazy.Regexp(`(?i)(?:\b(?:DOB|born(?:\son)?|date\sof\sbirth|birth\s?date|geb(?:oren)?\.?(?:\sam)?|geburtsdatum|nacid[oa](?:\sel)?|fecha\sde\snacimiento|n[ée]e?\sle|nat[oa]\sil|nascid[oa]\sem)\s*:?\s*)[\d./\- ]*(?:\d{2,4})?`)
	dateRE   = lazy.Regexp(`\b(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}-\d{1,2}-\d{1,2})\b`)
	numberRE = lazy.Regexp(`(?i)\b(?:MRN|medical\srecord(?:\s(?:number|no\.?))?|record\s(?:number|no\.?)|patient(?:en)?[\s-]?(?:id|nr\.?|no\.?|number|nummer)|case\s(?:id|no\.?|number)|hospital\s(?:number|no\.?)|NHS(?:\s(?:number|no\.?))?|SSN|insurance\s(?:number|no\.?)|fall[\s-]?nr\.?)\s*[:#]?\s*[A-Z]{0,3}[\d][\d\- ]{3,}`)
	titleRE  = lazy.Regexp(`\b(?:Mr|Mrs|Ms|Miss|Herr|Frau|Mme|Monsieur|Madame|Señora?|Sra?|Signora?|Sig|Senhora?)\.?\s+\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?`)
	nameRE   = lazy.Regexp(`(?i:\b(?:patient(?:'s|’s)?\s)?name(?:\sis)?\s*[:=]\s*|\bpatient\s*:\s*)\p{Lu}[\p{L}'’-]+(?:,?\s+\p{Lu}[\p{L}'’-]+)?|姓名\s*[:：]?\s*\p{Han}{2,4}`)
	serialRE = lazy.Regexp(`\b\d{7,}\b`)
)

// redacted stands in a question's text where personal data stood.
const redacted = "[…]"

// redact takes out of a text what looks like a patient's name, birth date or record number. An identifier of a paper or a
// trial is none.
func (l *Lexicon) redact(text string) (clean string, found bool) {
	var cuts [][]int
	for _, re := range suspects(text) {
		for _, m := range re().FindAllStringIndex(text, -1) {
			if isPaper(text[:m[0]]) {
				continue
			}
			if strings.ContainsAny(text[m[0]:m[1]], "0123456789") || l.isName(text[m[0]:m[1]]) {
				cuts = append(cuts, m)
			}
		}
	}
	if len(cuts) == 0 {
		return text, false
	}
	slices.SortFunc(cuts, func(a, b []int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	var b strings.Builder
	at := 0
	for _, m := range cuts {
		if m[0] < at {
			continue
		}
		b.WriteString(text[at:m[0]])
		b.WriteString(redacted)
		at = m[1]
	}
	b.WriteString(text[at:])
	return b.String(), true
}

// suspects chooses the expressions that a text can match at all: most questions hold neither a title nor four digits.
func suspects(text string) []lazy.Pattern {
	var out []lazy.Pattern
	digits := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			digits++
		}
	}
	if digits >= fewestDigits {
		out = append(out, birthRE, dateRE, numberRE, serialRE)
	}
	for _, word := range titles {
		if strings.Contains(text, word) {
			return append(out, titleRE, nameRE)
		}
	}
	return out
}

// fewestDigits are those of a year or of a short record number.
const fewestDigits = 4

// titles are what names stand behind.
var titles = []string{"Mr", "Ms", "Miss", "Herr", "Frau", "Mme", "Monsieur", "Madame", "Se", "Sr", "Sig", "ame:", "ame =", "ame is", "atient:", "atient :", "姓名"}

// isPaper says that a number follows the name of a kind of identifier.
func isPaper(before string) bool {
	before = strings.ToUpper(strings.TrimRight(before, " :#"))
	return strings.HasSuffix(before, "PMID") || strings.HasSuffix(before, "PMC") || strings.HasSuffix(before, "NCT") || strings.HasSuffix(before, "DOI")
}

// isName says that the last word behind a title is nothing that the dictionary knows: "Patient: Melanoma" names nobody.
func (l *Lexicon) isName(text string) bool {
	tokens := tokenize(text)
	return l.first(tokens[len(tokens)-1].key) == noClaim
}
