package fulltext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// newDocument says what of a record is indexed, and how: this is the index's whole mapping.
func newDocument(id string, r *evidence.Record) *document.Document {
	d := builder{document.NewDocument(id)}
	d.values(r)
	d.trialValues(r.Trial)
	d.booleanWords(boolean.DocumentOf(r))
	d.ranked(termsWords, termsOf(r), index.IndexField)
	return d.Document
}

type builder struct{ *document.Document }

// termsOf lists what names a record's subject beside its title and abstract.
func termsOf(r *evidence.Record) []string {
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

// values indexes what records are filtered, counted and ordered by.
func (d builder) values(r *evidence.Record) {
	kind, bucket, design := Papers, string(r.Bucket), r.Design
	switch {
	case r.Trial != nil:
		kind = Trials
	case bucket == "" && design == "":
		bucket, design = NotStated, evidence.DesignNotStated
	case bucket == "":
		bucket = NoEvidence
	}
	d.value(kindValue, string(kind))
	d.value(bucketValue, bucket)
	d.value(designValue, string(design))
	for _, o := range r.Origins {
		source, _, _ := strings.Cut(o.Source, ":") // all imported files count as one
		d.value(sourceValue, source)
	}
	for _, t := range r.PublicationTypes {
		d.value(typeValue, t.Name)
	}
	for _, h := range r.MeSH {
		d.value(meshValue, h.Name)
	}
	for _, l := range r.Languages {
		d.value(languageValue, l)
	}
	d.value(journalValue, r.Journal.Name())
	if r.Journal.Title != r.Journal.Name() {
		d.value(journalLongValue, r.Journal.Title)
	}
	if year := r.Date.Year(); year > 0 {
		d.value(yearValue, fmt.Sprintf("%04d", year))
	}
	d.value(dateValue, string(r.Date))
	d.value(retractedValue, string(cmp.Or(r.Retraction.Status, evidence.Unknown)))
	d.value(preprintValue, yesNo(r.Preprint))
	d.value(hasAbstractValue, yesNo(strings.TrimSpace(r.AbstractText()) != ""))
	d.value(citedValue, fmt.Sprintf("%09d", min(max(r.CitedBy, 0), 999_999_999)))
}

func (d builder) trialValues(t *evidence.Trial) {
	if t == nil {
		return
	}
	d.value(statusValue, t.Status)
	for _, p := range t.Phases {
		d.value(phaseValue, p)
	}
	for _, c := range t.Countries() {
		d.value(countryValue, c)
	}
}

func yesNo(b bool) string {
	if b {
		return string(evidence.Yes)
	}
	return string(evidence.No)
}

// value adds a whole value; an empty one says nothing.
func (d builder) value(name, value string) {
	if value != "" {
		d.AddField(&field{name: name, options: index.IndexField | index.DocValues | index.SkipFreqNorm,
			analyse: func(f *field) { f.have([]string{value}) }})
	}
}

// booleanWords indexes what boolean queries look in, under the names of exactFields.
func (d builder) booleanWords(doc boolean.Document) {
	const options = index.IndexField | index.IncludeTermVectors
	d.ranked(titleWords, doc.Titles, options)
	d.ranked(abstractWords, doc.Abstracts, options)
	d.words(keywordWords, doc.Keywords, options)
	d.words(catalogueWords, slices.Concat(doc.Passages(boolean.FieldMeSH), doc.Types), options)
	d.words(substanceWords, doc.Substances, options)
	d.words(affiliationWords, doc.Affiliations, options)
	d.words(nameWords, slices.Concat(doc.Passages(boolean.FieldAuthor), doc.Journals, doc.PMIDs, doc.DOIs), options)
	for _, of := range passageFields {
		d.passages(exactFields[of][0], doc.Passages(of))
	}
	d.value(modifiedValue, string(doc.Modified))
}

// ranked adds a field of words that plain words are looked for in, and its length.
func (d builder) ranked(name string, texts []string, options index.FieldIndexingOptions) {
	d.AddField(lengthOf(d.words(name, texts, options)))
}

// words adds a field of words, with their places where options say so. A text that stands there twice (all authors of
// one hospital) is indexed once: it would find nothing more.
func (d builder) words(name string, texts []string, options index.FieldIndexingOptions) *field {
	if len(texts) > 1 {
		texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	}
	added := &field{name: name, options: options, analyse: func(f *field) { f.index(texts) }}
	d.AddField(added)
	return added
}

// passages adds a field of whole values, each as its words with a space between.
func (d builder) passages(name string, values []string) {
	d.AddField(&field{name: name, options: index.IndexField | index.SkipFreqNorm, analyse: func(f *field) {
		passages := text.Each(values, func(value string) string { return passageOf(text.Tokens(value)) })
		passages = slices.Compact(slices.Sorted(slices.Values(passages)))
		f.have(slices.DeleteFunc(passages, func(p string) bool { return p == "" }))
	}})
}
