package lexicon

import (
	"cmp"
	"slices"

	"dossier/internal/boolean"
)

// Kind says what an entry is.
type Kind string

// The kinds of entry, by the section of a dictionary file that holds them. A class is a class of drugs, named by target
// or mode of action ("PARP inhibitor"); a treatment is no drug ("surgery", "exercise"); a change is a word for what has
// become of a gene ("amplified"); a setting is a word of who is treated, when and how, and of what is asked.
const (
	KindTumour    Kind = "tumours"
	KindSite      Kind = "sites"
	KindQualifier Kind = "qualifiers"
	KindCondition Kind = "conditions"
	KindGene      Kind = "genes"
	KindBiomarker Kind = "biomarkers"
	KindDrug      Kind = "drugs"
	KindClass     Kind = "classes"
	KindTreatment Kind = "treatments"
	KindChange    Kind = "changes"
	KindSetting   Kind = "settings"
	KindMechanism Kind = "mechanisms"
)

// kinds lists them in the order in which they claim a name that two of them have.
var kinds = []Kind{KindTumour, KindCondition, KindBiomarker, KindGene, KindDrug, KindClass, KindTreatment, KindSite,
	KindQualifier, KindChange, KindSetting, KindMechanism}

// Concept is the kind of group that an entry's terms make in a query.
func (k Kind) Concept() boolean.Concept {
	switch k {
	case KindTumour, KindSite, KindCondition:
		return boolean.Disease
	case KindGene:
		return boolean.GeneVariant
	case KindDrug:
		return boolean.Drug
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
	Foreign       []string // names in other languages, and others that find too much: read, and never searched for
	Spoken        []string // short names of the ward: read in questions alone, and never searched for
	Exact         []string // those of the names that mean just what Name does, beside the short forms
	Brands        []string // of a drug
	Codes         []string // development codes of a drug, in one of their spellings
	Targets       []string // genes a drug or a class acts on, with the variant where only that one is hit
	Class         string   // of a drug
	Stems         []string // of a class: how the nonproprietary names of its drugs end: "-pril"
	Except        []string // of a class: words, and endings with their hyphen, that have a stem and are none of it
	// names that are also English words: they count only in capitals, and never alone in a sentence of capitals
	Guarded []string
	// of a tumour, a site, a qualifier, a condition, a class, a treatment or a setting: the entries of the same kind that
	// hold it; of a drug: classes that it is in beside Class
	Broader    []string
	Site       string   // of a tumour: the organ
	Type       string   // of a tumour of one site: the tumour that it is, without the site
	Qualifiers []string // of a tumour: what its name says of grade, behaviour and variant
	Usually    string   // of a tumour without a site: the organ that is meant where none is named
	DefinedBy  []string // of a tumour: the genes and chromosomal changes that put one of its type into it
	// what else the name says, in words that are read by themselves: "HER2-negative"; of a drug, a class or a treatment
	// what it is put together of, by name
	Implies []string
	Aspect  string // of a setting
	Common  bool   // a drug that is everybody's partner, so that beside a rarer one it is not the point
	// of a disease: too wide to be the only one of a question that names another; of a class or a treatment: so wide that
	// two of it have nothing in common; of a setting: it stands for all of its aspect
	Broad bool
	// a setting that a question turns on which names it, whatever its aspect: a decision, a course of disease
	Telling bool
	File    string // where the entry comes from
}

// names lists every name of e, the most telling first, as they were written.
func (e *Entry) names() []string {
	return slices.Concat([]string{e.Name}, e.Synonyms, e.Abbreviations, e.Brands, e.Codes, e.Guarded, e.Foreign,
		e.Spoken)
}

// extend joins what another entry says of the same thing: lists are joined, and a text of other counts before e's own.
func (e *Entry) extend(other *Entry) {
	for _, list := range []struct {
		own   *[]string
		other []string
	}{
		{&e.Synonyms, other.Synonyms}, {&e.Abbreviations, other.Abbreviations}, {&e.Foreign, other.Foreign},
		{&e.Spoken, other.Spoken}, {&e.Brands, other.Brands}, {&e.Codes, other.Codes},
		{&e.Targets, other.Targets}, {&e.Guarded, other.Guarded},
		{&e.Exact, other.Exact}, {&e.Broader, other.Broader}, {&e.Qualifiers, other.Qualifiers}, {&e.Implies, other.Implies},
		{&e.DefinedBy, other.DefinedBy}, {&e.Stems, other.Stems}, {&e.Except, other.Except},
	} {
		*list.own = unique(slices.Concat(*list.own, list.other))
	}
	e.MeSH = cmp.Or(other.MeSH, e.MeSH)
	e.Class = cmp.Or(other.Class, e.Class)
	e.Site = cmp.Or(other.Site, e.Site)
	e.Usually = cmp.Or(other.Usually, e.Usually)
	e.Type = cmp.Or(other.Type, e.Type)
	e.Aspect = cmp.Or(other.Aspect, e.Aspect)
	e.Common, e.Broad = e.Common || other.Common, e.Broad || other.Broad
	e.Telling = e.Telling || other.Telling
}
