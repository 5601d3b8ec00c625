package boolean

import (
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Node is a query's tree: Term, DateRange, And, Or or Not.
type Node interface{ node() }

// Field is where a term is looked for.
type Field string

// The fields, by the tag that Print writes for them. FieldAll is an untagged term.
const (
	FieldAll            Field = ""
	FieldTitleAbs       Field = "tiab"
	FieldTitle          Field = "ti"
	FieldAbstract       Field = "ab"
	FieldMeSH           Field = "mh"
	FieldMeSHNoExp      Field = "mh:noexp"
	FieldMeSHMajor      Field = "majr"
	FieldMeSHMajorNoExp Field = "majr:noexp"
	FieldSubheading     Field = "sh"
	FieldTextWord       Field = "tw"
	FieldType           Field = "pt"
	FieldAuthor         Field = "au"
	FieldFirstAuthor    Field = "1au"
	FieldLastAuthor     Field = "lastau"
	FieldLanguage       Field = "la"
	FieldSubstance      Field = "nm"
	FieldJournal        Field = "ta"
	FieldKeyword        Field = "ot"
	FieldPMID           Field = "pmid"
	FieldDOI            Field = "doi" // written [aid] or [doi]
	FieldAffiliation    Field = "ad"
	FieldBody           Field = "body" // of full texts alone, as are the next
	FieldMethods        Field = "methods"
	FieldResults        Field = "results"
	FieldTable          Field = "table"
	FieldDatePub        Field = "dp"
	FieldDateEntry      Field = "edat"
	FieldDateCreated    Field = "crdt"
	FieldDateModified   Field = "mdat" // [mdat] and [lr]
)

// NoProximity is a Term's Near where the words must stand side by side and in order.
const NoProximity = -1

// Term is one word or phrase. Text is as written, without its quotes and without the truncating asterisk.
//
// The zero Near means something (the words side by side in any order): make terms with Phrase.
type Term struct {
	Text      string
	Field     Field
	Quoted    bool
	Truncated bool // a word that ends in *
	Near      int  // the N of [tiab:~N]; -1 where the term asks for no proximity
	Pos       int  // byte offset in the text that was parsed; no part of equality or output
}

// DateRange is an inclusive range of dates as PubMed writes them (YYYY, YYYY/MM or YYYY/MM/DD); an empty end is open.
type DateRange struct {
	Field    Field
	From, To string
}

type (
	// And holds at least two nodes, which must all match.
	And struct{ Of []Node }
	// Or holds at least two nodes, of which any may match.
	Or struct{ Of []Node }
)

// Not keeps what matches Keep but not Drop.
type Not struct{ Keep, Drop Node }

func (Term) node()      {}
func (DateRange) node() {}
func (And) node()       {}
func (Or) node()        {}
func (Not) node()       {}

// TermTokens are the words that a term is compared by. A DOI is brought into its normal form first, so that one with
// its resolver or its label is found too.
func TermTokens(t Term) []string {
	if t.Field == FieldDOI {
		if id, ok := evidence.NewIdentifier(evidence.DOI, t.Text); ok {
			return text.Tokens(id.Value)
		}
	}
	return text.Tokens(t.Text)
}
