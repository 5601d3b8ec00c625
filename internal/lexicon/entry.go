package lexicon

import (
	"cmp"
	"slices"

	"dossier/internal/boolean"
)

// Kind is the kind of thing that an entry names.
type Kind string

// The kinds of entry, by the section of a dictionary file that holds them. A class is a class of drugs, named by target
// or mode of action ("PARP inhibitor"); a treatment is no drug ("surgery", "exercise"); a change is a word for a change
// of a gene ("amplified"); a setting is a word on who is treated, when and how, or on what is asked.
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

// kinds lists the kinds in the order in which they claim a name that two of them share.
var kinds = []Kind{KindTumour, KindCondition, KindBiomarker, KindGene, KindDrug, KindClass, KindTreatment, KindSite,
	KindQualifier, KindChange, KindSetting, KindMechanism}

// Concept returns the kind of group that an entry's terms make in a query.
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

// Entry is one thing with all its names. Name is the one that papers use most, and the one that replaces short forms.
type Entry struct {
	Kind          Kind
	Name          string
	MeSH          string   // the heading, if there is one
	Synonyms      []string // other full names, the most used first
	Abbreviations []string // short forms; three letters or fewer count only as written
	Foreign       []string // names in other languages, and others that find too much: read, but never searched for
	Spoken        []string // short names of the ward: read in questions alone, never searched for
	Exact         []string // names that mean exactly what Name does, beside the short forms
	Brands        []string // of a drug
	Codes         []string // development codes of a drug, in one of their spellings
	Targets       []string // genes a drug or a class acts on, with the variant where only that one is hit
	Class         string   // of a drug
	Stems         []string // of a class: how the nonproprietary names of its drugs end: "-pril"
	Except        []string // of a class: words, and endings with their hyphen, with a stem but not in it
	// names that are also English words: they count only in capitals, and never alone in a sentence of capitals
	Guarded []string
	// of a tumour, a site, a qualifier, a condition, a class, a treatment or a setting: the entries of the same kind that
	// hold it; of a drug: classes that it is in beside Class
	Broader    []string
	Site       string   // of a tumour: the organ
	Type       string   // of a tumour of one site: the tumour that it is, without the site
	Qualifiers []string // of a tumour: the grade, behaviour and variant in its name
	Usually    string   // of a tumour without a site: the organ that is meant if none is named
	DefinedBy  []string // of a tumour: the genes and chromosomal changes that make one of its type this tumour
	// what else the name implies, in words that are read separately: "HER2-negative"; of a drug, a class or a treatment
	// its components, by name
	Implies []string
	Aspect  string // of a setting
	Common  bool   // a common partner of other drugs, so that beside a rarer one it is not the point
	// of a disease: too wide to matter beside another that a question names; of a class or a treatment: so wide that
	// two of its members have nothing in common; of a setting: it stands for all of its aspect
	Broad bool
	// a setting that is the point of any question that names it, whatever its aspect: a decision, a course of disease
	Telling bool
	File    string // the file of the entry
}

// names lists every name of e, the most telling first, as they were written.
func (e *Entry) names() []string {
	return slices.Concat([]string{e.Name}, e.Synonyms, e.Abbreviations, e.Brands, e.Codes, e.Guarded, e.Foreign,
		e.Spoken)
}

// extend adds another entry on the same thing: it joins the lists, and other's texts replace e's own.
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
