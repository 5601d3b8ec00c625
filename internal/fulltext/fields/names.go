package fields

import "dossier/internal/boolean"

// Ranked are the fields in which plain words are searched. Each has a field with its length in words, without stop
// words: so the average follows exactly from the lengths' own postings, whatever was deleted or merged.
var Ranked = [...]string{TitleWords, AbstractWords, TermsWords}

// LengthSuffix ends the names of the fields of lengths.
const LengthSuffix = ".length"

// Older held stems instead of words, in the order of Ranked, without positions.
var Older = [...]string{"title.stems", "abstract.stems", "terms.stems"}

// The fields that hold whole values, for filters, facets and order. Facets show the values as they are written here.
const (
	Kind        = "kind"
	Bucket      = "bucket"
	Design      = "design"
	Source      = "source"
	Type        = "type"
	Language    = "language"
	Journal     = "journal"
	JournalLong = "journal.long"
	Year        = "year"     // four digits, which sort as numbers do
	Date        = "date"     // an evidence.Date as it is
	Modified    = "modified" // an evidence.Date
	Status      = "status"
	Phase       = "phase"
	Country     = "country"
	Retracted   = "retracted" // an evidence.Ternary
	Preprint    = "preprint"  // yes or no
	HasAbstract = "has_abstract"
	MeSH        = "heading"
	Cited       = "cited" // nine digits
)

// The values that replace the bucket of a paper without one: its design excludes it as evidence, or its design is
// unknown. They are distinct from every bucket, and from one another.
const (
	NoEvidence = "no_evidence"
	NotStated  = "not_stated"
)

// The values of Kind.
const (
	Papers = "papers"
	Trials = "trials"
)

// Facets maps each facet to the field that it counts.
var Facets = map[string]string{
	"kind": Kind, "bucket": Bucket, "design": Design, "source": Source, "type": Type,
	"language": Language, "journal": Journal, "year": Year, "status": Status, "phase": Phase,
	"country": Country, "retracted": Retracted, "preprint": Preprint, "mesh": MeSH,
}

// The fields that boolean queries look in: words with their places, as text.Tokens cuts them, …
const (
	TitleWords       = "title"
	AbstractWords    = "abstract"
	KeywordWords     = "keyword"
	CatalogueWords   = "catalogue" // headings and publication types
	SubstanceWords   = "substance"
	NameWords        = "name" // authors, journals, PMIDs and DOIs, for untagged terms
	AffiliationWords = "affiliation"
	MethodsWords     = "methods" // of full texts alone, as are the next
	ResultsWords     = "results"
	TableWords       = "table"
	OtherBodyWords   = "body"
)

// TermsWords holds words without their positions: those of keywords, MeSH and substances, a trial's conditions,
// interventions and other titles, and of a full text's body. Only plain words are searched in it.
const TermsWords = "terms"

// … and whole passages, each as its words with a space between.
const (
	HeadingPassage     = "mh"
	MajorPassage       = "majr"
	SubheadingPassage  = "sh"
	TypePassage        = "pt"
	LanguagePassage    = "la"
	JournalPassage     = "ta"
	PMIDPassage        = "pmid"
	DOIPassage         = "doi"
	AuthorPassage      = "au"
	FirstAuthorPassage = "1au"
	LastAuthorPassage  = "lastau"
)

// Exact lists the fields that together hold what boolean.Document.Passages returns for a boolean.Field.
var Exact = map[boolean.Field][]string{
	boolean.FieldTitle:          {TitleWords},
	boolean.FieldAbstract:       {AbstractWords},
	boolean.FieldKeyword:        {KeywordWords},
	boolean.FieldTitleAbs:       {TitleWords, AbstractWords, KeywordWords},
	boolean.FieldTextWord:       {TitleWords, AbstractWords, KeywordWords, CatalogueWords, SubstanceWords},
	boolean.FieldAll:            {TitleWords, AbstractWords, KeywordWords, CatalogueWords, SubstanceWords, NameWords},
	boolean.FieldSubstance:      {SubstanceWords},
	boolean.FieldAffiliation:    {AffiliationWords},
	boolean.FieldMethods:        {MethodsWords},
	boolean.FieldResults:        {ResultsWords},
	boolean.FieldTable:          {TableWords},
	boolean.FieldBody:           {MethodsWords, ResultsWords, TableWords, OtherBodyWords},
	boolean.FieldMeSH:           {HeadingPassage},
	boolean.FieldMeSHNoExp:      {HeadingPassage},
	boolean.FieldMeSHMajor:      {MajorPassage},
	boolean.FieldMeSHMajorNoExp: {MajorPassage},
	boolean.FieldSubheading:     {SubheadingPassage},
	boolean.FieldType:           {TypePassage},
	boolean.FieldLanguage:       {LanguagePassage},
	boolean.FieldJournal:        {JournalPassage},
	boolean.FieldPMID:           {PMIDPassage},
	boolean.FieldDOI:            {DOIPassage},
	boolean.FieldAuthor:         {AuthorPassage},
	boolean.FieldFirstAuthor:    {FirstAuthorPassage},
	boolean.FieldLastAuthor:     {LastAuthorPassage},
}

// whole are those of Exact that are compared as whole passages, each once.
var whole = []boolean.Field{
	boolean.FieldMeSH, boolean.FieldMeSHMajor, boolean.FieldSubheading, boolean.FieldType, boolean.FieldLanguage,
	boolean.FieldJournal,
	boolean.FieldPMID, boolean.FieldDOI, boolean.FieldAuthor, boolean.FieldFirstAuthor, boolean.FieldLastAuthor,
}

// Dates maps each boolean.Field of dates in records to its field; a range of another matches nothing.
var Dates = map[boolean.Field]string{
	boolean.FieldDatePub:      Date,
	boolean.FieldDateModified: Modified,
}

// Subjects are the fields of a record's subject: their terms rank the results of a boolean query.
var Subjects = map[boolean.Field]bool{
	boolean.FieldAll: true, boolean.FieldTitle: true, boolean.FieldAbstract: true, boolean.FieldTitleAbs: true,
	boolean.FieldTextWord: true, boolean.FieldKeyword: true, boolean.FieldSubstance: true, boolean.FieldMeSH: true,
	boolean.FieldMeSHNoExp: true, boolean.FieldMeSHMajor: true, boolean.FieldMeSHMajorNoExp: true,
	boolean.FieldBody: true, boolean.FieldMethods: true, boolean.FieldResults: true, boolean.FieldTable: true,
}
