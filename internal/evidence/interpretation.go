package evidence

import (
	"cmp"
	"strings"

	"dossier/internal/text"
)

// The sources of interpretations; CuratedCIViC is one, too.
const (
	CuratedClinVar = "clinvar"
	CuratedOncoKB  = "oncokb"
)

// NeedsLicence reports whether entries of a source may only be shown to its licensees, and not passed on.
func NeedsLicence(source string) bool { return source == CuratedOncoKB }

// What an interpretation is on, in one word for all sources.
const (
	OnTherapy       = "therapy"       // whether a treatment works
	OnDiagnosis     = "diagnosis"     // what the alteration shows of the disease's kind
	OnPrognosis     = "prognosis"     // what it shows of its course
	OnOncogenicity  = "oncogenicity"  // whether it drives a tumour
	OnPathogenicity = "pathogenicity" // whether it predisposes to one
	OnFunction      = "function"      // what it does to the protein
	OnImpact        = "impact"        // how much it matters, whatever for
)

// Grade is a level or tier that a curator gave, under the name of its scale: {"AMP/ASCO/CAP", "Tier I - Level A"}. None
// is ever computed.
type Grade struct {
	Scale string `json:"scale"`
	Value string `json:"value"` // as the file has it
}

// The effects that an interpretation may be on: never taken for one another.
const (
	EffectSensitivity = "sensitivity"
	EffectResistance  = "resistance"
)

// Interpretation is a statement of a knowledge base's curators on an alteration, in a disease and for treatments: an
// assertion of CIViC's, a classification of ClinVar's, an association of OncoKB's. It is no statement on a paper; that
// is a CuratedStatement.
type Interpretation struct {
	Source string `json:"source"` // civic, clinvar, oncokb
	ID     string `json:"id"`     // AID7; 12345/oncogenicity; for OncoKB, which numbers nothing, its words' digest
	On     string `json:"on"`
	Type   string `json:"type"` // the file's own word for what it is on: "Predictive", "Germline classification"
	Name   string `json:"name"` // what it is on, in the file's words: "KRAS G12C", "Other Biomarkers: MSI-H"
	// Profiles are the alterations one by one, each with its gene: it is on any of them. ClinVar's has one alteration in
	// its notations.
	Profiles []string   `json:"profiles"`
	Keys     []string   `json:"keys"` // by which it is found: the names of genes and markers, or of the very changes
	Diseases []string   `json:"diseases,omitempty"`
	OneOf    bool       `json:"one_of,omitempty"`   // the file does not state which of the diseases it is on
	Regimens [][]string `json:"regimens,omitempty"` // alternatives, each of what is given together
	// Unclear: the file does not state whether the treatments of a regimen are given together, or each alone.
	Unclear      bool     `json:"unclear,omitempty"`
	Direction    string   `json:"direction,omitempty"`    // Supports, Does Not Support
	Significance string   `json:"significance,omitempty"` // Sensitivity/Response, Resistance, Oncogenic, Pathogenic
	Effect       string   `json:"effect,omitempty"`       // sensitivity or resistance, of what is on a treatment
	Grades       []Grade  `json:"grades,omitempty"`
	Review       string   `json:"review,omitempty"` // the review status, in the file's words
	Reviewed     Date     `json:"reviewed,omitempty"`
	Origin       string   `json:"origin,omitempty"` // germline, somatic; empty where not stated
	Words        string   `json:"words,omitempty"`  // the curators', in short
	Notes        []string `json:"notes,omitempty"`  // what the file has beside: a guideline, an approval, a companion test
	Items        []string `json:"items,omitempty"`  // what it rests on, of the same source: EID12
	PMIDs        []string `json:"pmids,omitempty"`
	URL          string   `json:"url,omitempty"`
	File         string   `json:"file"`
	FileDate     Date     `json:"file_date"`
}

// Key gives the entry's source and its number there.
func (i Interpretation) Key() (source, id string) { return i.Source, i.ID }

// Undated is the entry without the file that it comes from.
func (i Interpretation) Undated() Interpretation {
	i.File, i.FileDate = "", ""
	return i
}

// Curator is how the entry's source calls itself.
func (i *Interpretation) Curator() string {
	switch i.Source {
	case CuratedCIViC:
		return "CIViC"
	case CuratedClinVar:
		return "ClinVar"
	case CuratedOncoKB:
		return "OncoKB"
	}
	return i.Source
}

// Number is the entry's own; empty of OncoKB's, whose files number nothing.
func (i *Interpretation) Number() string {
	if i.Source == CuratedOncoKB {
		return ""
	}
	return i.ID
}

// GradesText are the levels and tiers as the curators gave them, each under its scale's name.
func (i *Interpretation) GradesText() string {
	return strings.Join(text.Each(i.Grades, func(g Grade) string { return g.Scale + " " + g.Value }), ", ")
}

// Statement is the entry's statement in the file's words: "predictive supports Resistance: Cetuximab".
func (i *Interpretation) Statement() string {
	return text.Join(": ", text.Join(" ", strings.ToLower(i.Type), strings.ToLower(i.Direction),
		cmp.Or(i.Significance, i.Effect)), i.RegimensText())
}

// RegimensText are the treatments: what is given together joined by +, alternatives separated by semicolons.
func (i *Interpretation) RegimensText() string {
	between := " + "
	if i.Unclear {
		between = ", "
	}
	return strings.Join(text.Each(i.Regimens, func(r []string) string { return strings.Join(r, between) }), "; ")
}

// Interpretations is all that a store has of them.
type Interpretations = Given[Interpretation]

// InterpretationKind is what an interpretation is to a question.
type InterpretationKind string

// The kinds, the best first. Only the first is on what is asked.
const (
	InterpretsThis    InterpretationKind = "this"    // the same alteration, tumour and treatment
	InterpretsWider   InterpretationKind = "wider"   // a wider alteration or tumour, that takes in what is asked
	InterpretsUnread  InterpretationKind = "unread"  // nothing differs, and some words can't be read
	InterpretsAnother InterpretationKind = "another" // something else
)

// InterpretationVerdict is what an interpretation is to a question.
type InterpretationVerdict struct {
	Verdict InterpretationKind `json:"verdict"`
	Interpretation
	// What is another; of Slot direction, alteration, tumour, treatment, origin.
	Differs []IndicationDifference `json:"differs,omitempty"`
	Wider   []string               `json:"wider,omitempty"`  // what of it takes in what is asked: "solid tumor"
	Open    []string               `json:"open,omitempty"`   // what the question names, and it does not
	Unread  []string               `json:"unread,omitempty"` // words of it that are not read
}

// Slots of a question in which an interpretation may differ, beside those of indications.
const (
	SlotDirection Slot = "direction" // sensitivity or resistance
	SlotOrigin    Slot = "origin"    // germline or somatic
)

// InterpretationsFound is the statements of curators' files on a question's alterations.
type InterpretationsFound struct {
	Files       []GivenFile             `json:"files"`
	Alterations []string                `json:"alterations"` // that were looked up
	Verdicts    []InterpretationVerdict `json:"verdicts"`
	Others      int                     `json:"others"` // further ones on these genes, on something else
}
