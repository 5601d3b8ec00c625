package fulltext

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
)

// newDocument says what of a record is indexed, and how: this is the index's whole mapping.
func newDocument(id string, r *evidence.Record) *document.Document {
	d := builder{document.NewDocument(id)}
	title, abstract, terms := []string{r.Title}, []string{r.AbstractText()}, termsOf(r)
	d.stems(titleStems, title)
	d.stems(abstractStems, abstract)
	d.stems(termsStems, terms)
	text := strings.Join(slices.Concat(title, abstract, terms), "\n")
	d.AddField(document.NewTextFieldWithIndexingOptions(sourceText, nil, []byte(text), index.StoreField))
	d.values(r)
	d.trialValues(r.Trial)
	d.booleanWords(boolean.DocumentOf(r))
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
func (d builder) value(field, value string) {
	if value == "" {
		return
	}
	options := index.IndexField | index.DocValues | index.SkipFreqNorm
	d.AddField(document.NewTextFieldWithIndexingOptions(field, nil, []byte(value), options))
}

// stems adds a field of stems and, where it has any, its length.
func (d builder) stems(field string, values []string) {
	length := &lengthField{}
	d.AddField(document.NewTextFieldCustom(field, nil, nil, index.IndexField, stemmedWords{values, length}))
	d.AddField(document.NewTextFieldCustom(field+lengthSuffix, nil, nil, index.IndexField|index.SkipFreqNorm, length))
}

// lengthField is the analyser of a field that holds the length of the field of stems analysed just before it.
type lengthField struct{ words int }

func (l *lengthField) Analyze([]byte) analysis.TokenStream {
	if l.words == 0 {
		return nil
	}
	return analysis.TokenStream{{Term: strconv.AppendInt(nil, int64(l.words), 10), Position: 1}}
}

// booleanWords indexes what boolean queries look in, under the names of exactFields.
func (d builder) booleanWords(doc boolean.Document) {
	d.words(titleWords, doc.Titles)
	d.words(abstractWords, doc.Abstracts)
	d.words(keywordWords, doc.Keywords)
	d.words(catalogueWords, slices.Concat(doc.Passages(boolean.FieldMeSH), doc.Types))
	d.words(substanceWords, doc.Substances)
	d.words(affiliationWords, doc.Affiliations)
	d.words(nameWords, slices.Concat(doc.Passages(boolean.FieldAuthor), doc.Journals, doc.PMIDs, doc.DOIs))
	for _, field := range passageFields {
		d.AddField(document.NewTextFieldCustom(exactFields[field][0], nil, nil, index.IndexField|index.SkipFreqNorm,
			wholePassages{doc.Passages(field)}))
	}
	d.value(modifiedValue, string(doc.Modified))
}

// words adds a field of words with their places. A text that stands there twice (all authors of one hospital) is
// indexed once: it would find nothing more.
func (d builder) words(field string, texts []string) {
	if len(texts) > 1 {
		texts = slices.Compact(slices.Sorted(slices.Values(texts)))
	}
	options := index.IndexField | index.IncludeTermVectors
	d.AddField(document.NewTextFieldCustom(field, nil, nil, options, exactWords{texts}))
}
