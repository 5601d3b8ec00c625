package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// isTranslated reports whether one of the records marks its title as a translation: brackets around it, a vernacular
// title, a language other than English, or another script.
func isTranslated(a, b *profile) bool { return isForeign(a.rec) || isForeign(b.rec) }

// otherLanguage reports whether one of the papers is not in English, and exactly one of the titles is in English.
func otherLanguage(a, b *profile) bool {
	return isTranslated(a, b) && inEnglish(a.rec.Title) != inEnglish(b.rec.Title)
}

// inEnglish reports whether a title has one of the words that hardly any English title lacks, and none of another
// language.
func inEnglish(s string) bool {
	if foreignWords(s) {
		return false
	}
	words := strings.Fields(fold(text.Head(s, maxTitleBytes)))
	return slices.ContainsFunc(words, englishWords)
}

var englishWords = text.Set(`the of and in with for by to on from after is`)

// isForeign reports whether the record shows that the paper is in another language than English.
func isForeign(rec *evidence.Record) bool {
	if rec.VernacularTitle != "" || strings.HasPrefix(strings.TrimSpace(rec.Title), "[") {
		return true
	}
	return slices.ContainsFunc(rec.Languages, func(l string) bool {
		return !english[strings.ToLower(strings.TrimSpace(l))]
	}) ||
		foreignWords(rec.Title)
}

var english = map[string]bool{"": true, "en": true, "eng": true, "english": true, "und": true}

// foreignWords reports whether a title has letters of no Latin script, or two function words that English lacks.
func foreignWords(s string) bool {
	found := 0
	for _, w := range strings.Fields(fold(text.Head(s, maxTitleBytes))) {
		if strings.ContainsFunc(w, func(r rune) bool { return r > 0x24f }) {
			return true
		}

		if functionWords(w) {
			found++
		}
	}
	return found >= 2
}

// functionWords are of the languages in which medical journals appear; no English title has two of them.
var functionWords = text.Set(`der die das des und bei mit von zur fur eine einer
	les du et une chez dans avec aux
	el los las del y una por para con en
	il della nel nella di dei dos uma em com
	de la le w z u na przy och hos med
	av og van het een bij ve ile`)

// translated reports whether two records are one paper under titles in two languages: the same people, in the same
// year, on the same pages of the same volume, and more than one page. Two abstracts share a page, but no two papers
// share several.
func translated(a, b *profile) bool {
	return sameYear(a, b) && a.first().compare(b.first()) >= similarAuthor && samePeople(a.authors, b.authors) &&
		a.venue.exact(b.venue) && a.venue.extent() >= 1 && isTranslated(a, b)
}

// otherTitles are a record's additional titles: the vernacular one, and both halves of "Title = Titel" and "Title
// [Titel]".
func otherTitles(rec *evidence.Record) []title {
	var raw []string
	if rec.VernacularTitle != "" {
		raw = append(raw, rec.VernacularTitle)
	}

	if strings.ContainsAny(rec.Title, "=[/") {
		m := bilingual().FindStringSubmatch(cleanMarkup(text.Head(rec.Title, maxTitleBytes)))
		if m != nil && strings.Count(m[3], "(") == strings.Count(m[3], ")") { // "(M = Mn)" is no second title
			raw = append(raw, m[1]+m[3], m[2]+m[4])
		}
	}

	var out []title
	for _, s := range raw {
		if t := newTitle(s); t.identifying() {
			out = append(out, t)
		}
	}
	return out
}

var bilingual = text.LazyRegexp(`^(.{12,}?)\s*\[([^\[\]]{12,})\][\s.]*$|^(.{12,}?)\s+[=/]\s+(.{12,})$`)

// compareTitles compares the titles of two records, including their other titles: a match with one of these is alike,
// or equal where it is the same in another language.
func (p *profile) compareTitles(o *profile) likeness {
	like := p.title.compare(o.title)
	if like == equal || like == unknown || len(p.otherTitles)+len(o.otherTitles) == 0 {
		return like
	}

	for _, s := range append([]title{p.title}, p.otherTitles...) {
		for _, t := range append([]title{o.title}, o.otherTitles...) {
			switch {
			case !s.identifying() || !t.identifying():
			case s.compact == t.compact && isTranslated(p, o):
				return equal
			case s.compare(t) >= alike:
				like = alike
			}
		}
	}
	return like
}
