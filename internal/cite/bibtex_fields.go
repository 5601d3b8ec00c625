package cite

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// text is a field as plain text; the first of names that there is.
func (e bibEntry) text(n int, names ...string) string {
	return plain(latexToUnicode(e.raw(names...), true), n)
}

// verbatim is a field that holds an address or a number: hyphens stay as they are.
func (e bibEntry) verbatim(names ...string) string {
	return oneLine(latexToUnicode(e.raw(names...), false), 4*maxURL)
}

func (e bibEntry) raw(names ...string) string {
	for _, name := range names {
		if value := e.fields[name]; strings.TrimSpace(value) != "" {
			return text.Cut(value, 4*maxText)
		}
	}
	return ""
}

func readBibFields(d *draft, e bibEntry) {
	d.setID(e.key)

	d.Title = e.text(maxTitle, "title")
	if subtitle := e.text(maxTitle, "subtitle"); subtitle != "" && d.Title != "" {
		d.Title = withSubtitle(d.Title, subtitle)
	}

	d.VernacularTitle = e.text(maxTitle, "origtitle")
	for _, name := range splitTop(e.raw("author", "editor"), " and ") {
		d.Authors = appendBounded(d.Authors, bibNames(name)...)
	}
	d.Date = bibDate(e)
	d.addAbstract(latexToUnicode(e.raw("abstract"), true))
	d.addKeywords(e.text(maxText, "keywords", "keyword", "author-keywords"))
	d.addLanguages(e.text(maxWord, "language", "langid"))
	d.takeRetraction(e.verbatim("retraction"))

	for _, note := range []string{e.text(maxText, "note"), e.text(maxText, "annote")} {
		d.takeRetraction(note)
		d.takeFromNote(note)
	}
	j := &d.Journal
	j.Title = e.text(maxTitle, "journal", "journaltitle", "booktitle")
	j.Abbreviation = e.text(maxTitle, "shortjournal", "journal-iso", "journalabbrev")
	j.Volume = e.text(maxWord, "volume")
	j.Issue = oneLine(e.verbatim("number", "issue"), maxWord)
	j.Pages = onePage(e.verbatim("pages", "eid", "article-number"))
	j.Publisher = e.text(maxWord, "publisher", "school", "institution")
	d.addISSNs(e.verbatim("issn"))
	d.addPublicationTypes(e.text(maxTitle, "type", "pubtype"))

	switch strings.ToLower(e.verbatim("archiveprefix", "eprinttype")) {
	case "arxiv", "biorxiv", "medrxiv":
		d.addPublicationTypes(preprintType)
	}
	d.addKind(kinds()[FormatBibTeX][e.kind])
	d.bibIdentifiers(e)
}

func bibDate(e bibEntry) evidence.Date {
	year := e.verbatim("year")
	if full := e.verbatim("date"); year == "" {
		return parseDate(full)
	} else if full != "" {
		return fullerDate(year, full)
	}
	return fullerDate(year, strings.Join([]string{year, e.verbatim("month"), e.verbatim("day")}, " "))
}

func (d *draft) bibIdentifiers(e bibEntry) {
	for _, kind := range evidence.IDKinds {
		for value := range strings.FieldsSeq(e.verbatim(string(kind))) {
			d.addIdentifier(kind, string(kind), value)
		}
	}
	d.addIdentifier(evidence.PMCID, "pmc", e.verbatim("pmc"))

	switch strings.ToLower(e.verbatim("eprinttype", "archiveprefix")) {
	case "pubmed", "pmid":
		d.addIdentifier(evidence.PMID, "eprint", e.verbatim("eprint"))
	}
	d.takeAccession(e.verbatim("unique-id"), nil) // Web of Science's number; its MEDLINE records have the PMID in it
	d.takeFromAddress(e.verbatim("url", "link"))
	d.takeFromAddress(e.verbatim("alturl"))
}

// splitTop splits a value at a separator that stands outside of braces. White space around it may be of any kind.
func splitTop(s, sep string) []string {
	s = strings.Join(strings.Fields(s), " ")
	var parts []string

	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		}

		if depth <= 0 && i < len(s) && strings.EqualFold(s[i:min(len(s), i+len(sep))], sep) {
			parts = append(parts, s[start:i])
			i += len(sep) - 1
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// bibNames reads one name, or several where the file separates them in another way than BibTeX. A name in braces is a
// group's.
func bibNames(name string) []evidence.Author {
	name = strings.TrimSpace(name)
	if inner, ok := inBraces(name); ok {
		if group := plain(latexToUnicode(inner, true), maxWord); group != "" {
			return []evidence.Author{{Collective: group}}
		}
		return nil
	}

	parts := splitTop(name, ",")
	for i := range parts {
		parts[i] = plain(latexToUnicode(parts[i], false), maxWord)
	}

	switch whole := strings.Join(parts, ", "); {
	case strings.Contains(name, "; "), len(parts) == 1:
		return Names(whole)
	case len(parts) == 2:
		return Names(parts[0] + ", " + parts[1])
	case len(parts) == 3 && parts[0] != "" && parts[2] != "" && !isSuffix(parts[2]):
		return []evidence.Author{person(parts[0], parts[2], parts[1])}
	case len(parts) == 3:
		return Names(whole)
	default:
		return namePairs(parts)
	}
}

// namePairs reads "Doe, J., Roe, R.", and where the parts are no such pairs takes each for a name.
func namePairs(parts []string) []evidence.Author {
	inPairs := len(parts)%2 == 0
	for i := 1; i < len(parts); i += 2 {
		inPairs = inPairs && evidence.AreInitials(parts[i], evidence.MaxInitials)
	}

	var out []evidence.Author
	for i := 0; i < len(parts); i++ {
		name := parts[i]
		if inPairs {
			i++
			name += ", " + parts[i]
		}

		if a, ok := parseName(name); ok {
			out = appendBounded(out, a)
		}
	}
	return out
}

// inBraces reports whether one pair of braces holds all of s.
func inBraces(s string) (inner string, ok bool) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return "", false
	}

	depth := 0
	for i := 0; i < len(s)-1; i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return "", false
			}
		}
	}
	return s[1 : len(s)-1], true
}
