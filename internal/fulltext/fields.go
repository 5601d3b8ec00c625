package fulltext

import "dossier/internal/boolean"

// rankedFields are the fields that plain words are looked for in. Beside each there is a field that holds its length in
// words, the stop words not among them: from the lengths' own postings the average follows exactly, whatever has been
// deleted or merged.
var rankedFields = [...]string{titleWords, abstractWords, termsWords}

// lengthSuffix ends the names of the fields of lengths.
const lengthSuffix = ".length"

// olderFields held stems in place of words, in the order of rankedFields, and nothing had their places.
var olderFields = [...]string{"title.stems", "abstract.stems", "terms.stems"}

// The fields that hold whole values, for filters, facets and order. Facets show the values as they are written here.
const (
	kindValue        = "kind"
	bucketValue      = "bucket"
	designValue      = "design"
	sourceValue      = "source"
	typeValue        = "type"
	languageValue    = "language"
	journalValue     = "journal"
	journalLongValue = "journal.long"
	yearValue        = "year"     // four digits, which sort as numbers do
	dateValue        = "date"     // an evidence.Date as it is
	modifiedValue    = "modified" // an evidence.Date
	statusValue      = "status"
	phaseValue       = "phase"
	countryValue     = "country"
	retractedValue   = "retracted" // an evidence.Ternary
	preprintValue    = "preprint"  // yes or no
	hasAbstractValue = "has_abstract"
	meshValue        = "heading"
	citedValue       = "cited" // nine digits
)

// The values that stand in place of a bucket for a paper without one: its design says why it is no evidence, or nothing
// tells its design. They are kept apart from every bucket, and from one another.
const (
	NoEvidence = "no_evidence"
	NotStated  = "not_stated"
)

// facetFields gives each facet the field it counts.
var facetFields = map[string]string{
	"kind": kindValue, "bucket": bucketValue, "design": designValue, "source": sourceValue, "type": typeValue,
	"language": languageValue, "journal": journalValue, "year": yearValue, "status": statusValue, "phase": phaseValue,
	"country": countryValue, "retracted": retractedValue, "preprint": preprintValue, "mesh": meshValue,
}

// The fields that boolean queries look in: words with their places, as text.Tokens cuts them, …
const (
	titleWords       = "title"
	abstractWords    = "abstract"
	keywordWords     = "keyword"
	catalogueWords   = "catalogue" // headings and publication types
	substanceWords   = "substance"
	nameWords        = "name" // authors, journals, PMIDs and DOIs, for untagged terms
	affiliationWords = "affiliation"
)

// termsWords holds words without their places: those of keywords, MeSH and substances, a trial's conditions,
// interventions and other titles. Plain words alone are looked for in it.
const termsWords = "terms"

// … and whole passages, each as its words with a space between.
const (
	headingPassage     = "mh"
	majorPassage       = "majr"
	subheadingPassage  = "sh"
	typePassage        = "pt"
	languagePassage    = "la"
	journalPassage     = "ta"
	pmidPassage        = "pmid"
	doiPassage         = "doi"
	authorPassage      = "au"
	firstAuthorPassage = "1au"
	lastAuthorPassage  = "lastau"
)

// exactFields gives the fields that together hold what boolean.Document.Passages gives for a boolean.Field.
var exactFields = map[boolean.Field][]string{
	boolean.FieldTitle:          {titleWords},
	boolean.FieldAbstract:       {abstractWords},
	boolean.FieldKeyword:        {keywordWords},
	boolean.FieldTitleAbs:       {titleWords, abstractWords, keywordWords},
	boolean.FieldTextWord:       {titleWords, abstractWords, keywordWords, catalogueWords, substanceWords},
	boolean.FieldAll:            {titleWords, abstractWords, keywordWords, catalogueWords, substanceWords, nameWords},
	boolean.FieldSubstance:      {substanceWords},
	boolean.FieldAffiliation:    {affiliationWords},
	boolean.FieldMeSH:           {headingPassage},
	boolean.FieldMeSHNoExp:      {headingPassage},
	boolean.FieldMeSHMajor:      {majorPassage},
	boolean.FieldMeSHMajorNoExp: {majorPassage},
	boolean.FieldSubheading:     {subheadingPassage},
	boolean.FieldType:           {typePassage},
	boolean.FieldLanguage:       {languagePassage},
	boolean.FieldJournal:        {journalPassage},
	boolean.FieldPMID:           {pmidPassage},
	boolean.FieldDOI:            {doiPassage},
	boolean.FieldAuthor:         {authorPassage},
	boolean.FieldFirstAuthor:    {firstAuthorPassage},
	boolean.FieldLastAuthor:     {lastAuthorPassage},
}

// passageFields are those of exactFields that are compared as whole passages, each of them once.
var passageFields = []boolean.Field{
	boolean.FieldMeSH, boolean.FieldMeSHMajor, boolean.FieldSubheading, boolean.FieldType, boolean.FieldLanguage,
	boolean.FieldJournal,
	boolean.FieldPMID, boolean.FieldDOI, boolean.FieldAuthor, boolean.FieldFirstAuthor, boolean.FieldLastAuthor,
}

// dateFields gives the field of each boolean.Field of dates that records carry; a range of another matches nothing.
var dateFields = map[boolean.Field]string{
	boolean.FieldDatePub:      dateValue,
	boolean.FieldDateModified: modifiedValue,
}

// subjectFields are those that say what a record is about: their terms rank what a boolean query found.
var subjectFields = map[boolean.Field]bool{
	boolean.FieldAll: true, boolean.FieldTitle: true, boolean.FieldAbstract: true, boolean.FieldTitleAbs: true,
	boolean.FieldTextWord: true, boolean.FieldKeyword: true, boolean.FieldSubstance: true, boolean.FieldMeSH: true,
	boolean.FieldMeSHNoExp: true, boolean.FieldMeSHMajor: true, boolean.FieldMeSHMajorNoExp: true,
}
