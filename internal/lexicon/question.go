package lexicon

// Question is what a question asks, read once; everything downstream (query, cache, full text, screening, report) works
// on this value. Every word of the text ends in a slot, in Words, or in Dropped with the reason.
//
// docs/JSON.md describes the JSON form of its slots. Lists are in the text's order. Two questions are the same if all
// their slots but Dropped and Corrected are; see [Same].
type Question struct {
	Text        string // what was read: a text beyond 8 KB is cut
	Tumours     []Concept
	Conditions  []Concept // diseases that are no tumours, and syndromes
	Alterations []Alteration
	Biomarkers  []Biomarker
	Drugs       []Drug
	Setting     []Circumstance
	Relations   []Relation // which values belong together or follow each other
	Words       []Word     // the words that no field above accounts for
	Dropped     []Dropped
	Corrected   []Correction
	Warnings    []string // in sentences: contradictions, an organ alone, a text that was cut

	// Readings state in sentences how drugs side by side were read: "“capmatinib tepotinib” was read as alternatives:
	// both are MET inhibitors."
	Readings []string
}

// Part is a place in a question's Text, in bytes.
type Part struct {
	Text  string `json:"text"` // as it stands there
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Overlaps reports whether two places have a byte of the text in common.
func (p Part) Overlaps(other Part) bool { return p.Start < other.End && other.Start < p.End }

// Status states whether a finding, a disease or a setting is present.
type Status string

// The statuses. WildType needs that word in the question; a lacking alteration is Absent.
const (
	Present     Status = "present"
	Absent      Status = "absent"
	WildType    Status = "wild-type"
	NotWildType Status = "not wild-type"
	Open        Status = "present or absent" // "with or without"
)

// Concept is a tumour or another disease: an entry of the dictionary, or one composed of a site, a type and qualifiers.
type Concept struct {
	Part
	Name       string   // canonical: "colorectal cancer" for CRC, "lung adenoid cystic carcinoma" where it was composed
	Entry      *Entry   // nil where it was composed
	Site       string   // the organ, as the dictionary names it; empty where none is named
	Type       string   // the histology: the name of an entry without site; empty for a condition
	Qualifiers []string // grade, behaviour and variant: "high-grade", "in situ", "mucinous"; sorted
	Status     Status   // Present, unless the question has a word like "without"
	// the narrower tumour that the question's alterations imply: acute myeloid leukemia with NPM1 mutation; else nil
	Group *Entry
}

func (c *Concept) isCondition() bool { return c.Entry != nil && c.Entry.Kind == KindCondition }

// AlterationKind sorts alterations. Two of different kinds are never the same.
type AlterationKind string

// The kinds of alteration.
const (
	AnyAlteration AlterationKind = "any"           // the gene is named, but no change of it
	Mutation      AlterationKind = "mutation"      // mutated, with no more detail
	NamedChange   AlterationKind = "change"        // G12C, E746_A750del, codon 12, c.1799T>A
	ExonChange    AlterationKind = "exon"          // exon 19 deletion, exon 14 skipping, exon 11
	Fusion        AlterationKind = "fusion"        // fusion, rearrangement, translocation
	Amplification AlterationKind = "amplification" // amplification, copy number gain
	Loss          AlterationKind = "loss"          // deletion, loss, deficiency
	Expression    AlterationKind = "expression"    // positive, low, overexpression
	Methylation   AlterationKind = "methylation"   // of a gene's promoter
	Cytogenetic   AlterationKind = "cytogenetic"   // del(17p), t(11;14), 1p/19q codeletion, complex karyotype
	HLAType       AlterationKind = "hla"           // HLA-A*02:01
)

// Alteration is what the question states about a gene.
type Alteration struct {
	// Gene is the symbol; empty for cytogenetics, HLA types and changes whose gene is not named.
	Gene  string         `json:"gene"`
	Entry *Entry         `json:"-"` // the gene's; nil where Gene is empty or only looks like a symbol
	Kind  AlterationKind `json:"kind"`
	// Change is in canonical notation: "G12C", "exon 19 deletion", "ITD", "17p deletion", "positive", "low"; empty
	// where Kind is enough.
	Change  string `json:"change"`
	Partner string `json:"partner"` // of a fusion
	Origin  string `json:"origin"`  // "germline" or "somatic"; empty where the question names neither
	Status  Status `json:"status"`
	// Either: alterations and biomarkers with the same number other than 0 are alternatives: "EGFR or ALK", "KRAS G12C/D".
	Either int `json:"either"`
	Part
}

// Biomarker is a marker that is no single alteration: MSI, MMR, TMB, HRD, PD-L1, a receptor.
type Biomarker struct {
	Name  string `json:"name"` // canonical: "MSI", "PD-L1", "estrogen receptor"
	Entry *Entry `json:"-"`
	// Level is "high", "low", "stable", "deficient", "≥50%", "1-49%"; empty where the question names only the marker.
	Level  string `json:"level"`
	Score  string `json:"score"` // how it was measured: "TPS", "CPS", "TAP"; empty where not named
	Status Status `json:"status"`
	Either int    `json:"either"`
	// figures: a value behind it describes the patient, so that no search looks for the marker
	figures bool
	Part
}

// DrugRole is what the question does with a drug.
type DrugRole string

// The roles of a drug.
const (
	Given    DrugRole = "given"    // it is asked about
	Compared DrugRole = "compared" // it stands on either side of "versus"
	Prior    DrugRole = "prior"    // it was given before: "after osimertinib"
	// It is under way, or stated before what is asked about: "on osimertinib, add savolitinib?"
	Background DrugRole = "background"
	// The tumour resists it, the patient did not tolerate it, or either: each is a question of its own.
	Resistant             DrugRole = "resistant"
	Intolerant            DrugRole = "intolerant"
	ResistantOrIntolerant DrugRole = "resistant or intolerant"
	Then                  DrugRole = "then"      // it follows another that is asked about: "carboplatin followed by olaparib"
	Withheld              DrugRole = "withheld"  // "without chemotherapy"
	NotPrior              DrugRole = "not prior" // it was not given before: "no prior osimertinib", "osimertinib-naive"
	Cause                 DrugRole = "cause"     // it brought a disease about: "radiation-induced sarcoma"
	// It must not be given: contraindicated, refused, not tolerated in advance, the patient ineligible for it.
	Excluded DrugRole = "excluded"
)

// Drug is a drug, a class of drugs or another treatment.
type Drug struct {
	// Name is the generic one; a class ("PARP inhibitor"), a treatment ("surgery"), or as written where nothing is known.
	Name string `json:"name"`
	// Entry is of kind drugs, classes or treatments; nil for a drug known by the look of its name, or named by its target.
	Entry   *Entry   `json:"-"`
	Class   bool     `json:"class"`   // a class of drugs: Entry's, or "GENE inhibitor" made from Targets
	Known   bool     `json:"known"`   // false for what only looks like a drug
	Targets []string `json:"targets"` // the genes of a class that is no entry: "SHP2 inhibitor"
	Role    DrugRole `json:"role"`
	// Regimen numbers, from 1, the treatments that are asked about: those of one number are given together, those of
	// different numbers are alternatives. 0: not asked about.
	Regimen int  `json:"regimen"`
	step    int  // of what follows: 1 behind the first word of order, 2 behind the second
	arm     int  // the side of a comparison, from 1, where one has several drugs; else 0
	place   int  // in an arm: 1 behind its first word of order
	stated  bool // of Background: stated in a clause before the one that asks
	open    bool // it may be given or not: "with or without"
	Part
}

// Circumstance is who is treated, when and how, or what is asked about that.
type Circumstance struct {
	// Aspect is "age", "line", "intent", "stage", "metastasis", "toxicity", "pregnancy", "resistance", "testing",
	// "outcome", "place", …
	Aspect string `json:"aspect"`
	Value  string `json:"value"` // canonical: "first-line"
	Entry  *Entry `json:"-"`     // nil for one that is read by its form: "72 years", "ECOG 2"
	Status Status `json:"status"`
	Part
}

// Word is a word that nothing in the dictionary accounts for.
type Word struct {
	Key      string `json:"key"`      // folded: lower case, American spelling
	Language string `json:"language"` // a script or language that nothing here reads: "Chinese", "Cyrillic script"
	Part
}

// Dropped is a part of the question that adds nothing to what is asked, with the reason.
type Dropped struct {
	Why string `json:"why"` // a sentence's end: "a question word", "said already by colorectal cancer"
	Part
}

// Governs reports whether the part changes the meaning of its neighbours: "prior", "versus".
func (d *Dropped) Governs() bool { return d.Why == governing }

// Correction is a typing error that was read as something else.
type Correction struct {
	To string `json:"to"` // what it was read as
	Part
}

// Difference is how two questions differ in one slot.
type Difference struct {
	Slot   string   `json:"slot"`   // "tumours", "alterations", …
	Asked  []string `json:"asked"`  // what only the first has, in canonical words
	Stored []string `json:"stored"` // what only the second has
}
