package cite

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// cslValues are an item's values by name in lower case: writers of CSL-JSON differ in DOI and doi.
type cslValues map[string]json.RawMessage

func newCSLValues(item map[string]json.RawMessage) cslValues {
	v := cslValues{}
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if lower := strings.ToLower(name); v[lower] == nil {
			v[lower] = item[name]
		}
	}
	return v
}

// first is the first text of the first name that has one.
func (v cslValues) first(names ...string) string {
	for _, name := range names {
		if texts := jsonTexts(v[name]); len(texts) > 0 {
			return texts[0]
		}
	}
	return ""
}

// jsonTexts reads a string, a number, or a list of such. What is empty or of another shape is left out.
func jsonTexts(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}

	var out []string
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) != "" {
			out = append(out, s)
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}

		for _, element := range list[:min(len(list), maxList)] {
			if len(element) > 0 && element[0] != '[' {
				out = append(out, jsonTexts(element)...)
			}
		}
	case '{', 'n', 't', 'f':
	default:
		out = append(out, string(raw))
	}
	return out
}

// jsonList is a list of objects or strings that may come as its only element.
func jsonList(raw json.RawMessage) []json.RawMessage {
	if len(raw) == 0 || raw[0] == 'n' {
		return nil
	}
	var list []json.RawMessage

	if raw[0] != '[' {
		return []json.RawMessage{raw}
	}

	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list[:min(len(list), maxList)]
}

func readCSLFields(d *draft, v cslValues) {
	d.setID(v.first("id", "citation-key"))

	d.Title = plain(v.first("title"), maxTitle)
	if subtitle := plain(v.first("subtitle"), maxTitle); subtitle != "" && !strings.Contains(d.Title, subtitle) { // Crossref's
		d.Title = withSubtitle(d.Title, subtitle)
	}

	d.VernacularTitle = plain(v.first("original-title"), maxTitle)
	for _, raw := range jsonList(v["author"]) {
		d.cslAuthor(raw)
	}

	if len(d.Authors) == 0 {
		for _, raw := range jsonList(v["editor"]) {
			d.cslAuthor(raw)
		}
	}

	for _, name := range []string{"issued", "published", "published-online", "posted", "original-date"} {
		d.Date = cmp.Or(d.Date, cslDate(v[name]))
	}
	d.addAbstract(v.first("abstract"))
	d.cslKeywords(v["keyword"])

	for _, text := range jsonTexts(v["language"]) {
		d.addLanguages(text)
	}
	d.cslJournal(v)
	// An "article" is a preprint in Zotero's use, with that genre; elsewhere it may be anything.
	d.addPublicationTypes(v.first("genre"))
	d.addKind(kinds()[FormatCSLJSON][crossrefKind(strings.ToLower(v.first("type")), strings.ToLower(v.first("subtype")))])
	d.cslIdentifiers(v)
	d.crossref(v)
}

func (d *draft) cslKeywords(raw json.RawMessage) {
	texts := jsonTexts(raw)
	if len(texts) == 1 {
		d.addKeywords(texts[0])
		return
	}

	for _, text := range texts {
		d.addKeyword(text)
	}
}

func (d *draft) cslJournal(v cslValues) {
	j := &d.Journal
	j.Title = plain(v.first("container-title"), maxTitle)
	j.Abbreviation = plain(v.first("container-title-short", "journalabbreviation", "short-container-title"), maxTitle)
	j.Volume = oneLine(v.first("volume"), maxWord)
	j.Issue = oneLine(v.first("issue"), maxWord)
	j.Pages = onePage(v.first("page", "article-number"))

	j.Publisher = plain(v.first("publisher"), maxWord)
	for _, text := range jsonTexts(v["issn"]) {
		d.addISSNs(text)
	}
}

// cslIdentifiers takes the lines of a note that have a label, too: Zotero writes there what CSL has no name for.
func (d *draft) cslIdentifiers(v cslValues) {
	for _, kind := range []evidence.IDKind{evidence.DOI, evidence.PMID, evidence.PMCID} {
		for _, text := range jsonTexts(v[string(kind)]) {
			d.addIdentifier(kind, strings.ToUpper(string(kind)), text)
		}
	}
	d.takeFromAddress(v.first("url"))

	for text := range strings.Lines(text.Cut(v.first("note"), maxText)) {
		d.takeLabelledIdentifiers(text)
		d.takeFromNote(text)
		d.takeRetraction(text)
	}

	var custom struct {
		Identifiers json.RawMessage `json:"identifiers"`
	}
	if raw := v["custom"]; len(raw) > 0 && json.Unmarshal(raw, &custom) == nil {
		for _, text := range jsonTexts(custom.Identifiers) {
			d.takeExportedID(text)
		}
	}
}

// cslName is CSL's name. Particles belong to the family name. What is written has family, given and suffix, or literal.
type cslName struct {
	Family      string `json:"family,omitempty"`
	Given       string `json:"given,omitempty"`
	Literal     string `json:"literal,omitempty"`
	Name        string `json:"name,omitempty"` // Crossref's, of a group
	NonDropping string `json:"non-dropping-particle,omitempty"`
	Dropping    string `json:"dropping-particle,omitempty"`
	Suffix      string `json:"suffix,omitempty"`
	ORCID       string `json:"ORCID,omitempty"`
}

// cslAuthor adds one name: an object, or a string.
func (d *draft) cslAuthor(raw json.RawMessage) {
	if len(raw) > 0 && raw[0] == '"' {
		for _, text := range jsonTexts(raw) {
			d.addAuthors(text)
		}
		return
	}

	var n cslName
	if json.Unmarshal(raw, &n) != nil {
		d.note("an author has a form that is not known: %s", shown(string(raw)))
		return
	}
	group := plain(n.Literal+" "+n.Name, maxWord)
	family := plain(strings.Join([]string{n.Dropping, n.NonDropping, n.Family}, " "), maxWord)

	given := plain(n.Given, maxWord)
	if family == "" {
		family, given = given, ""
	}

	switch {
	case family != "":
		a := person(family, given, plain(n.Suffix, maxWord))
		a.ORCID = orcid().FindString(n.ORCID)
		a.Affiliations = crossrefAffiliations(raw)
		d.Authors = appendBounded(d.Authors, a)
	case group != "":
		d.Authors = appendBounded(d.Authors, evidence.Author{Collective: group})
	}
}

// cslDate reads {"date-parts": [[2011, "3", 5]]}, {"raw": "2011 Mar"} and a plain string.
func cslDate(raw json.RawMessage) evidence.Date {
	if len(raw) == 0 {
		return ""
	}

	if raw[0] != '{' {
		texts := jsonTexts(raw)
		return parseDate(strings.Join(texts[:min(len(texts), 1)], ""))
	}

	var date struct {
		Parts   []json.RawMessage `json:"date-parts"`
		Raw     json.RawMessage   `json:"raw"`
		Literal json.RawMessage   `json:"literal"`
	}
	if json.Unmarshal(raw, &date) != nil {
		return ""
	}

	if len(date.Parts) > 0 {
		var numbers [3]int
		for i, text := range jsonTexts(date.Parts[0]) {
			if i < len(numbers) {
				numbers[i] = evidence.DateNumber(strings.TrimSpace(text))
			}
		}

		if d := evidence.NewDate(numbers[0], numbers[1], numbers[2]); d != "" {
			return d
		}
	}
	return parseDate(strings.Join(append(jsonTexts(date.Raw), jsonTexts(date.Literal)...), " "))
}
