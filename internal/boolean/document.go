package boolean

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Document is what a query is held against: a record's searchable texts.
type Document struct {
	Titles       []string // of the record, in the original language too; a trial's official title and acronym
	Abstracts    []string // the abstract and each other abstract, one text each
	Keywords     []string
	Headings     []evidence.Heading
	Types        []string
	BroaderTypes []string // publication types above those of the record, which [pt] takes in
	Authors      []evidence.Author
	Journals     []string // the title, its short forms, and ISSNs
	Languages    []string // each by its name and its codes
	Substances   []string
	PMIDs        []string
	DOIs         []string
	Affiliations []string
	Methods      []string // of a full text: the sections on methods, …
	Results      []string
	Tables       []string      // captions, rows, notes
	OtherBody    []string      // all other sections, and what stands below pictures
	Published    evidence.Date // [dp]
	Modified     evidence.Date // [mdat]: the source's own date of last change
	Entered      evidence.Date // [edat]; unknown in a Record
	Created      evidence.Date // [crdt]; unknown in a Record
}

// DocumentOf takes a record's searchable texts. The dates of entry and creation, which records do not carry, stay
// unknown, and a range of them matches nothing.
func DocumentOf(r *evidence.Record) Document {
	d := Document{
		Titles:    nonEmpty(r.Title, r.VernacularTitle),
		Abstracts: nonEmpty(r.AbstractText()),
		Keywords:  slices.Clone(r.Keywords),
		Headings:  r.MeSH,
		Authors:   r.Authors,
		Journals:  journalNames(r.Journal),
		Languages: languageNames(r.Languages),
		Published: r.Date,
	}
	for _, other := range r.OtherAbstracts {
		d.Abstracts = append(d.Abstracts, nonEmpty(evidence.SectionsText(other.Sections))...)
	}

	for _, t := range r.PublicationTypes {
		d.Types = append(d.Types, t.Name)
	}

	d.BroaderTypes = broaderTypes(d.Types)
	for _, s := range r.Substances {
		d.Substances = append(d.Substances, s.Name)
	}

	for _, a := range r.Authors {
		d.Affiliations = append(d.Affiliations, a.Affiliations...)
	}

	for _, o := range r.Origins {
		d.Modified = max(d.Modified, o.Revised)
	}

	for _, id := range r.Identifiers {
		switch id.Kind {
		case evidence.PMID:
			d.PMIDs = append(d.PMIDs, id.Value)
		case evidence.DOI:
			d.DOIs = append(d.DOIs, id.Value)
		}
	}
	d.addTrial(r.Trial)
	d.addBody(r.Body)
	return d
}

func (d *Document) addBody(b *evidence.Body) {
	if b == nil {
		return
	}

	d.Tables = nonEmpty(b.TableTexts()...)
	for _, kind := range evidence.SectionKinds {
		texts := b.Texts(kind)
		switch kind {
		case evidence.Methods:
			d.Methods = texts
		case evidence.Results:
			d.Results = texts
		default:
			d.OtherBody = append(d.OtherBody, texts...)
		}
	}
	d.OtherBody = append(d.OtherBody, b.FigureTexts()...)
}

// NotHeld says which part of a query asks for what no record carries, so that it would find nothing in any collection
// of them: the dates of entry and creation, which are PubMed's own. Nil where there is none.
func NotHeld(n Node) error {
	var err error
	Walk(n, func(n Node) bool {
		dates, ok := n.(DateRange)
		if ok && (dates.Field == FieldDateEntry || dates.Field == FieldDateCreated) && err == nil {
			err = fmt.Errorf("%s: records do not carry the date of their entry in PubMed, [edat], or of their creation, "+
				"[crdt]; use the date of publication, [dp], or of the last change, [mdat]", Print(dates))
		}
		return err == nil
	})
	return err
}

// addTrial has a registered trial found by what it calls itself, studies and gives.
func (d *Document) addTrial(t *evidence.Trial) {
	if t == nil {
		return
	}
	d.Titles = append(d.Titles, nonEmpty(t.OfficialTitle, t.Acronym)...)

	d.Keywords = append(d.Keywords, t.Conditions...)
	for _, i := range t.Interventions {
		d.Keywords = append(append(d.Keywords, i.Name), i.OtherNames...)
	}
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
}

var placeInTitle = text.LazyRegexp(`\s*\([^)]*\)\s*$`)

// journalNames lists what [ta] finds a journal by: "Lancet (London, England)" is also Lancet, "The BMJ" also BMJ.
func journalNames(j evidence.Journal) []string {
	var out []string
	for _, name := range []string{j.Title, j.Abbreviation} {
		short := placeInTitle().ReplaceAllString(name, "")
		out = append(out, name, short, strings.TrimPrefix(short, "The "))
	}
	out = nonEmpty(append(out, j.ISSN...)...)
	slices.Sort(out)
	return slices.Compact(out)
}

// narrowerTypes holds, for publication types that others stand below in MeSH, those right below them. [pt] finds a
// type with all below it.
var narrowerTypes = map[string][]string{
	"Clinical Trial": {"Adaptive Clinical Trial", "Clinical Trial, Phase I", "Clinical Trial, Phase II",
		"Clinical Trial, Phase III",
		"Clinical Trial, Phase IV", "Controlled Clinical Trial", "Pragmatic Clinical Trial"},
	"Controlled Clinical Trial":   {"Randomized Controlled Trial"},
	"Randomized Controlled Trial": {"Equivalence Trial", "Pragmatic Clinical Trial"},
	"Guideline":                   {"Practice Guideline"},
	"Meta-Analysis":               {"Network Meta-Analysis"},
}

// broaderTypes lists the types above the given ones, in order and once each.
func broaderTypes(types []string) []string {
	var out []string
	for pending := slices.Clone(types); len(pending) > 0; pending = pending[1:] {
		for broad, narrow := range narrowerTypes {
			if slices.ContainsFunc(narrow, func(n string) bool { return strings.EqualFold(n, pending[0]) }) {
				out, pending = append(out, broad), append(pending, broad)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Matching says how a field's terms are held against its passages.
type Matching int

// The manners of matching. In each, term and passage are compared by their Tokens.
const (
	// ByWords: the term's words stand side by side somewhere in the passage, or near each other where it says so;
	// where it is truncated, the last of them begins a word.
	ByWords Matching = iota
	// Whole: the term's words are all of the passage; where it is truncated, they begin it.
	Whole
	// ByName: a single word is the passage's first; several begin the passage, the last also as the beginning of a
	// word (Smith J is Smith JA too), or where they are quoted and not truncated are all of it.
	ByName
	// ByDate: the range and the date overlap (DateRange.Bounds, DateBounds).
	ByDate
)

// Matching says how the field's terms are compared.
func (f Field) Matching() Matching {
	switch f {
	case FieldMeSH, FieldMeSHNoExp, FieldMeSHMajor, FieldMeSHMajorNoExp, FieldSubheading, FieldType, FieldLanguage,
		FieldJournal, FieldPMID, FieldDOI:
		return Whole
	case FieldAuthor, FieldFirstAuthor, FieldLastAuthor:
		return ByName
	case FieldDatePub, FieldDateEntry, FieldDateCreated, FieldDateModified:
		return ByDate
	}
	return ByWords
}

// Passages lists the texts that a term in field is looked for in. A phrase never runs from one into the next. Headings
// are not exploded: the tree of MeSH is not here, and [mh] finds the heading itself, with and without its subheadings.
func (d *Document) Passages(field Field) []string {
	switch field {
	case FieldTitle:
		return d.Titles
	case FieldAbstract:
		return d.Abstracts
	case FieldKeyword:
		return d.Keywords
	case FieldTitleAbs:
		return slices.Concat(d.Titles, d.Abstracts, d.Keywords)
	case FieldMeSH, FieldMeSHNoExp:
		return headingTexts(d.Headings, false)
	case FieldMeSHMajor, FieldMeSHMajorNoExp:
		return headingTexts(d.Headings, true)
	case FieldSubheading:
		return subheadings(d.Headings)
	case FieldTextWord:
		return d.textWords()
	case FieldAll:
		return slices.Concat(d.textWords(), nameTexts(d.Authors), d.Journals, d.PMIDs, d.DOIs)
	}
	return d.catalogued(field)
}

// catalogued are the passages of the fields that describe a record rather than its subject.
func (d *Document) catalogued(field Field) []string {
	switch field {
	case FieldType:
		return slices.Concat(d.Types, d.BroaderTypes)
	case FieldAuthor:
		return nameTexts(d.Authors)
	case FieldFirstAuthor:
		return nameTexts(d.Authors[:min(1, len(d.Authors))])
	case FieldLastAuthor:
		return nameTexts(d.Authors[max(0, len(d.Authors)-1):])
	case FieldLanguage:
		return d.Languages
	case FieldSubstance:
		return d.Substances
	case FieldJournal:
		return d.Journals
	case FieldPMID:
		return d.PMIDs
	case FieldDOI:
		return d.DOIs
	case FieldAffiliation:
		return d.Affiliations
	case FieldMethods:
		return d.Methods
	case FieldResults:
		return d.Results
	case FieldTable:
		return d.Tables
	case FieldBody:
		return d.Body()
	}
	return nil
}

// Body is all of a full text behind its abstract.
func (d *Document) Body() []string { return slices.Concat(d.Methods, d.Results, d.Tables, d.OtherBody) }

func (d *Document) textWords() []string {
	return slices.Concat(d.Titles, d.Abstracts, d.Keywords, headingTexts(d.Headings, false), d.Types, d.Substances)
}

// headingTexts writes each heading alone and with each of its subheadings; with major only what the record is mainly
// about. A heading is major where one of its subheadings is.
func headingTexts(headings []evidence.Heading, major bool) []string {
	var out []string
	for _, h := range headings {
		starred := h.Major || slices.ContainsFunc(h.Qualifiers, func(q evidence.Qualifier) bool { return q.Major })
		if major && !starred {
			continue
		}

		out = append(out, h.Name)
		for _, q := range h.Qualifiers {
			if !major || q.Major {
				out = append(out, h.Name+"/"+q.Name)
			}
		}
	}
	return out
}

func subheadings(headings []evidence.Heading) []string {
	var out []string
	for _, h := range headings {
		for _, q := range h.Qualifiers {
			out = append(out, q.Name)
		}
	}
	return out
}

// nameTexts writes each author as "Smith JA", "Smith John A" and "John A Smith", a group by its name.
func nameTexts(authors []evidence.Author) []string {
	var out []string
	for _, a := range authors {
		if a.Collective != "" {
			out = append(out, a.Collective)
			continue
		}

		out = append(out, a.Family+" "+a.Initials)
		if a.Given != "" {
			out = append(out, a.Family+" "+a.Given, a.Given+" "+a.Family)
		}
	}
	return out
}
