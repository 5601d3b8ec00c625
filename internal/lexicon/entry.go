package lexicon

import (
	"slices"

	"dossier/internal/boolean"
)

// Kind says what an entry is.
type Kind string

// The kinds of entry, by the section of a dictionary file that holds them. A class is a class of drugs, named by target
// or mode of action ("PARP inhibitor"); a mechanism is also an outcome, a setting or a question of care.
const (
	Tumour    Kind = "tumours"
	Gene      Kind = "genes"
	Drug      Kind = "drugs"
	Class     Kind = "classes"
	Mechanism Kind = "mechanisms"
)

// kinds lists them in the order in which they claim a name that two of them have.
var kinds = []Kind{Tumour, Gene, Drug, Class, Mechanism}

// Concept is the kind of group that an entry's terms make in a query.
func (k Kind) Concept() boolean.Concept {
	switch k {
	case Tumour:
		return boolean.Disease
	case Gene:
		return boolean.GeneVariant
	case Drug:
		return boolean.Drug
	case Class, Mechanism:
	}
	return boolean.MechanismOutcome
}

// Entry is one thing with all its names. Name is the one that papers use most, and what a short form is spelled out to.
type Entry struct {
	Kind          Kind
	Name          string
	MeSH          string   // the heading, where there is one
	Synonyms      []string // other full names, the most used first
	Abbreviations []string // short forms; three letters or fewer count only as written
	Brands        []string // of a drug
	Codes         []string // development codes of a drug, in one of their spellings
	Targets       []string // genes a drug or a class acts on, with the variant where only that one is hit
	Class         string   // of a drug
	Guarded       []string // names that are also English words: they count only in capitals, and never alone in a sentence of capitals
	Common        bool     // a drug that is everybody's partner, so that beside a rarer one it is not the point
	Broad         bool     // too wide to be the only disease of a question that names another
	File          string   // where the entry comes from
}

// names lists every name of e, the most telling first, as they were written.
func (e *Entry) names() []string {
	return slices.Concat([]string{e.Name}, e.Synonyms, e.Abbreviations, e.Brands, e.Codes, e.Guarded)
}
