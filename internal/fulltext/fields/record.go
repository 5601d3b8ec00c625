package fields

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Form is how a field's words are indexed.
type Form int

// The forms.
const (
	Text       Form = iota // the words of texts
	PlacedText             // the words of texts, with their positions, for phrases too
	Passages               // whole passages, as PassageOf writes them
	Values                 // whole values, for filters, facets and sorting
)

// Field is a record's content of one field. Each name occurs once, and Passages and Values are never empty.
type Field struct {
	Name   string
	Form   Form
	Words  []string // for texts all words in order, stop words included; otherwise each once
	Places []int    // for PlacedText: the position of each of Words, from 1 on
	Length int      // in words, as it is ranked by: of texts the stop words left out
}

// Gap is the distance in positions between two values of one field: more than any proximity search spans, so that no
// match crosses values.
const Gap = 10_000

// PassageOf joins a passage's words by spaces, so that passages with the same first words have the same first bytes:
// words contain no spaces.
func PassageOf(words []string) string { return strings.Join(words, " ") }

// Of returns what is indexed of a record.
func Of(r *evidence.Record) []Field {
	b := &builder{fields: make([]Field, 0, 40)}
	b.addFilterValues(r)
	doc := boolean.DocumentOf(r)
	b.addBooleanWords(doc)

	terms := Terms(r)
	if r.Body != nil {
		b.addWords(MethodsWords, doc.Methods, PlacedText)
		b.addWords(ResultsWords, doc.Results, PlacedText)
		b.addWords(TableWords, doc.Tables, PlacedText)
		b.addWords(OtherBodyWords, doc.OtherBody, PlacedText)
		terms = append(terms, doc.Body()...)
	}
	b.addRanked(TermsWords, terms, Text)
	return b.fields
}

type builder struct{ fields []Field }

// Terms lists the terms that name a record's subject besides its title and abstract.
func Terms(r *evidence.Record) []string {
	terms := slices.Clone(r.Keywords)
	for _, h := range r.MeSH {
		terms = append(terms, h.Name)
	}

	for _, s := range r.Substances {
		terms = append(terms, s.Name)
	}

	if r.VernacularTitle != "" {
		terms = append(terms, r.VernacularTitle)
	}

	for _, kind := range []evidence.IDKind{evidence.PMID, evidence.NCT} {
		if id, ok := r.Identifier(kind); ok {
			terms = append(terms, id.Value)
		}
	}

	if t := r.Trial; t != nil {
		terms = append(append(terms, t.OfficialTitle, t.Acronym), t.Conditions...)
		for _, i := range t.Interventions {
			terms = append(append(terms, i.Name), i.OtherNames...)
		}
	}
	return terms
}

// addFilterValues indexes the values for filters, facets and sorting.
func (b *builder) addFilterValues(r *evidence.Record) {
	kind, bucket, design := Papers, string(r.Bucket), r.Design
	switch {
	case r.Trial != nil:
		kind = Trials
	case bucket == "" && design == "":
		bucket, design = NotStated, evidence.DesignNotStated
	case bucket == "":
		bucket = NoEvidence
	}
	b.addValue(Kind, kind)
	b.addValue(Bucket, bucket)
	b.addValue(Design, string(design))
	b.addValue(Source, text.Each(r.Origins, func(o evidence.Origin) string {
		source, _, _ := strings.Cut(o.Source, ":") // all imported files count as one
		return source
	})...)
	b.addValue(Type, text.Each(r.PublicationTypes, func(t evidence.PublicationType) string { return t.Name })...)
	b.addValue(MeSH, text.Each(r.MeSH, func(h evidence.Heading) string { return h.Name })...)
	b.addValue(Language, r.Languages...)
	b.addValue(Journal, r.Journal.Name())

	if r.Journal.Title != r.Journal.Name() {
		b.addValue(JournalLong, r.Journal.Title)
	}

	if year := r.Date.Year(); year > 0 {
		b.addValue(Year, fmt.Sprintf("%04d", year))
	}
	b.addValue(Date, string(r.Date))
	b.addValue(Retracted, string(cmp.Or(r.Retraction.Status, evidence.Unknown)))
	b.addValue(Preprint, yesNo(r.Preprint))
	b.addValue(HasAbstract, yesNo(strings.TrimSpace(r.AbstractText()) != ""))
	b.addValue(Cited, fmt.Sprintf("%09d", min(max(r.CitedBy, 0), 999_999_999)))

	if t := r.Trial; t != nil {
		b.addValue(Status, t.Status)
		b.addValue(Phase, t.Phases...)
		b.addValue(Country, t.Countries()...)
	}
}

func yesNo(b bool) string {
	if b {
		return string(evidence.Yes)
	}
	return string(evidence.No)
}

// addValue adds a field of whole values; it ignores empty ones.
func (b *builder) addValue(name string, values ...string) { b.addWhole(name, Values, values) }

// addWhole adds a field of words that are compared whole, each once.
func (b *builder) addWhole(name string, form Form, words []string) {
	held := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
	if len(held) > 1 {
		slices.Sort(held)
		held = slices.Compact(held)
	}

	if len(held) > 0 {
		b.fields = append(b.fields, Field{Name: name, Form: form, Words: held, Length: len(held)})
	}
}

// addBooleanWords indexes the fields of boolean queries, under the names of Exact.
func (b *builder) addBooleanWords(doc boolean.Document) {
	b.addRanked(TitleWords, doc.Titles, PlacedText)
	b.addRanked(AbstractWords, doc.Abstracts, PlacedText)
	b.addWords(KeywordWords, doc.Keywords, PlacedText)
	b.addWords(CatalogueWords, slices.Concat(doc.Passages(boolean.FieldMeSH), doc.Types), PlacedText)
	b.addWords(SubstanceWords, doc.Substances, PlacedText)
	b.addWords(AffiliationWords, doc.Affiliations, PlacedText)
	b.addWords(NameWords, slices.Concat(doc.Passages(boolean.FieldAuthor), doc.Journals, doc.PMIDs, doc.DOIs), PlacedText)

	for _, of := range whole {
		passages := text.Each(doc.Passages(of), func(value string) string { return PassageOf(text.Tokens(value)) })
		b.addWhole(Exact[of][0], Passages, passages)
	}
	b.addValue(Modified, string(doc.Modified))
}

// addRanked adds a field of words for plain words, and its length.
func (b *builder) addRanked(name string, texts []string, form Form) {
	if length := b.addWords(name, texts, form); length > 0 {
		b.addWhole(name+LengthSuffix, Passages, []string{strconv.Itoa(length)})
	}
}

// addWords adds a field of the words of texts, and returns its length. A repeated text (all authors of one hospital) is
// indexed once, since a repetition would not match more.
func (b *builder) addWords(name string, texts []string, form Form) (length int) {
	if len(texts) > 1 {
		texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	}
	f := Field{Name: name, Form: form}

	place := 0
	for _, each := range texts {
		from := len(f.Words)

		f.Words = text.AppendTokens(f.Words, each)
		for _, word := range f.Words[from:] {
			if !boolean.IsStopWord(word) {
				f.Length++
			}
		}

		if form == PlacedText {
			f.Places = slices.Grow(f.Places, len(f.Words)-from)
			for range f.Words[from:] {
				place++
				f.Places = append(f.Places, place)
			}
			place += Gap
		}
	}
	b.fields = append(b.fields, f)
	return f.Length
}
