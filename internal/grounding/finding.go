package grounding

import "dossier/internal/evidence"

// Statement is a sentence or two with the records that they rest on.
type Statement struct {
	Text     string   `json:"text"`
	Records  []string `json:"records"`    // record ids, in the order cited
	Refs     []int    `json:"references"` // their numbers in References, ascending
	Verbatim bool     `json:"verbatim"`   // copied from the record's title, abstract or full text
	Marks    []Mark   `json:"marks"`      // what the records do not bear out, in order of Start

	// Directness is the best of its records; empty where it is unknown. The report sets it.
	Directness evidence.Directness `json:"directness"`
}

// MarkKind is the kind of thing that could not be verified.
type MarkKind string

// The kinds of mark.
const (
	MarkNumber    MarkKind = "number"    // none of the cited records has it
	MarkQuote     MarkKind = "quote"     // none of the cited records has these exact words
	MarkDirection MarkKind = "direction" // the record says the opposite, with the same number
	MarkArm       MarkKind = "arm"       // the record gives the number to the other arm
	MarkEndpoint  MarkKind = "endpoint"  // the record gives the number to another endpoint
	MarkContrary  MarkKind = "contrary"  // the statement's own figures contradict it
	MarkResult    MarkKind = "result"    // no cited record states this direction on this outcome
	MarkDrug      MarkKind = "drug"      // none of the cited records names it, nor one of its class
	MarkGene      MarkKind = "gene"      // none of them names it
	MarkVariant   MarkKind = "variant"   // none of them states this change, level or status of the gene or marker
	MarkTumour    MarkKind = "tumour"    // none of them is on it, or on a narrower one
	MarkSetting   MarkKind = "setting"   // none of them states this line, stage, age or design
	MarkDesign    MarkKind = "design"    // the record's design can't show it
	MarkClaim     MarkKind = "claim"     // it is surer, or wider, than any of them
)

// Mark is a part of a statement that the cited records do not bear out. Start and End are byte offsets in the text.
type Mark struct {
	Kind  MarkKind `json:"kind"`
	Start int      `json:"start"`
	End   int      `json:"end"`
	Text  string   `json:"text"`
	Why   string   `json:"why"`
}

// condemns reports whether a mark contradicts the cited record or the statement itself, which removes the statement.
func (m Mark) condemns() bool {
	return m.Kind == MarkDirection || m.Kind == MarkArm || m.Kind == MarkContrary
}
