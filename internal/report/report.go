package report

import (
	"time"

	"dossier/internal/evidence"
	"dossier/internal/render"
)

// Schema is the version of the report's JSON form: the first number changes when a reader has to change, the second when
// something is added. docs/REPORT.md describes the form.
const Schema = "1.0"

// Report is a report in the order of SPEC section 6. It is its own JSON form. Lists are never nil, so that they are never null.
type Report struct {
	Schema      string           `json:"schema"`
	Command     string           `json:"command"`
	Title       string           `json:"title"`
	Topic       string           `json:"topic"`
	Built       time.Time        `json:"built"` // when the answer was made, UTC
	Origin      render.Origin    `json:"origin"`
	Summary     Summary          `json:"executive_summary"`
	Question    string           `json:"question"`
	Methodology Methodology      `json:"methodology"`
	Hypotheses  Hypotheses       `json:"hypotheses"`
	Assessment  Assessment       `json:"assessment"`
	Mechanistic Findings         `json:"mechanistic_findings"`
	Clinical    Findings         `json:"clinical_findings"`
	Drugs       Drugs            `json:"drug_candidates"`
	Trials      []Trial          `json:"trials"`
	Limitations []Limitation     `json:"limitations"`
	Conclusion  Findings         `json:"conclusion"`
	Included    []IncludedRecord `json:"included"`  // every record that the report rests on, in the sample's order
	Retracted   []IncludedRecord `json:"retracted"` // would stand among them, were they not retracted; never cited
	References  []Reference      `json:"references"`
	Footer      Footer           `json:"footer"`
	Warnings    []string         `json:"warnings"`
}

// By says who made a part of the report.
type By string

// The makers. Nobody made a part that needs judgement where no model was asked; its note says so.
const (
	ByRules By = "rules"
	ByModel By = "model"
	ByNone  By = "none"
)

// Summary is the executive summary: one text of 100 to 500 characters.
type Summary struct {
	By   By     `json:"by"`
	Text string `json:"text"`
}

// Statement is a sentence or two with the records that they rest on.
type Statement struct {
	Text     string   `json:"text"`
	Records  []string `json:"records"`    // record ids, in the order cited
	Refs     []int    `json:"references"` // their numbers in References, ascending
	Verbatim bool     `json:"verbatim"`   // copied from the record's title or abstract
	Marks    []Mark   `json:"marks"`      // what the records do not bear out, in order of Start
}

// MarkKind says what kind of thing could not be verified.
type MarkKind string

// The kinds of mark.
const (
	MarkNumber    MarkKind = "number"    // none of the cited records has it
	MarkQuote     MarkKind = "quote"     // in none of them to the letter
	MarkDirection MarkKind = "direction" // the record says the opposite, with the same number
	MarkArm       MarkKind = "arm"       // the record gives the number to the other arm
	MarkEndpoint  MarkKind = "endpoint"  // the record gives the number to another endpoint
	MarkDrug      MarkKind = "drug"      // none of the cited records names it, nor one of its class
	MarkGene      MarkKind = "gene"      // none of them names it
	MarkVariant   MarkKind = "variant"   // none of them tells this change, level or status of the gene or marker
	MarkTumour    MarkKind = "tumour"    // none of them is on it, or on a narrower one
)

// Mark is a part of a statement that the cited records do not bear out. Start and End are byte offsets in the text.
type Mark struct {
	Kind  MarkKind `json:"kind"`
	Start int      `json:"start"`
	End   int      `json:"end"`
	Text  string   `json:"text"`
	Why   string   `json:"why"`
}

// Findings is a section of statements. Note says what a reader must know of it: why it is empty, or who made it.
type Findings struct {
	By         By          `json:"by"`
	Note       string      `json:"note"`
	Statements []Statement `json:"statements"`
}

// Hypotheses is the section on hypotheses; Note says why it is empty where it is.
type Hypotheses struct {
	By    By           `json:"by"`
	Note  string       `json:"note"`
	Items []Hypothesis `json:"items"`
}

// Hypothesis is a chain drug → target → pathway → effect with the records for and against it.
type Hypothesis struct {
	Drug       string   `json:"drug"`
	Target     string   `json:"target"`
	Pathway    string   `json:"pathway"`
	Effect     string   `json:"effect"`
	Confidence float64  `json:"confidence"` // 0 to 1, the model's own
	For        []string `json:"supporting"` // record ids
	Against    []string `json:"contradicting"`
	ForRefs    []int    `json:"supporting_references"`
	AgainstRef []int    `json:"contradicting_references"`
	Marks      []Mark   `json:"marks"` // in the joined text, see Chain
}

// Assessment weighs the evidence. Scores are 0 to 10 and Confidence 0 to 1; all are nil where nobody weighed.
type Assessment struct {
	By         By         `json:"by"`
	Note       string     `json:"note"`
	Mechanism  *float64   `json:"mechanism_score"`
	Clinical   *float64   `json:"clinical_score"`
	Confidence *float64   `json:"confidence"`
	Sufficient *bool      `json:"sufficient"`
	Reasoning  string     `json:"reasoning"`
	Missing    []string   `json:"missing"`
	FollowUps  []FollowUp `json:"follow_ups"`
}

// FollowUp is a round of searches for what the assessment found missing.
type FollowUp struct {
	Missing []string `json:"missing"`
	Found   int      `json:"found"`
	New     int      `json:"new"` // of these, records that were not in the evidence
	Error   string   `json:"error"`
}

// Drugs is the table of drugs that the evidence names.
type Drugs struct {
	By    By     `json:"by"`
	Note  string `json:"note"`
	Items []Drug `json:"items"`
}

// Drug is a candidate with the records that name it.
type Drug struct {
	Name    string   `json:"name"`
	Records []string `json:"records"`
	Refs    []int    `json:"references"`
	Trials  []string `json:"trials"` // ids of registered trials that name it
}

// Trial is a registered trial's row.
type Trial struct {
	ID           string        `json:"id"`
	URL          string        `json:"url"`
	Title        string        `json:"title"`
	Status       string        `json:"status"` // as the registry codes it
	Phase        string        `json:"phase"`
	Enrolment    int           `json:"enrolment"`
	Countries    []string      `json:"countries"`
	Sites        int           `json:"sites"`
	LastVerified evidence.Date `json:"last_verified"`
	Results      bool          `json:"results_posted"`
	Papers       []string      `json:"papers"` // ids of the publications that report it, as far as they are known
	PaperRefs    []int         `json:"paper_references"`
}

// Limitation is a weakness of the evidence or of the way it was gathered.
type Limitation struct {
	By   By     `json:"by"`
	Text string `json:"text"`
}

// IncludedRecord is a row of the table of records.
type IncludedRecord struct {
	ID        string              `json:"id"`
	Ref       int                 `json:"reference"` // 0 for one that may not be cited
	Title     string              `json:"title"`
	Source    string              `json:"published"` // first author, journal, year
	Year      int                 `json:"year"`
	Bucket    evidence.Bucket     `json:"bucket"`
	Design    evidence.Design     `json:"design"`
	Score     *float64            `json:"relevance_score"`
	Preprint  bool                `json:"preprint"`
	TitleOnly bool                `json:"title_only"`
	FollowUp  bool                `json:"follow_up"` // came by a follow-up search
	URL       string              `json:"url"`
	Status    evidence.Retraction `json:"retraction,omitzero"`
}

// Reference is an entry of the list of references, made from the record.
type Reference struct {
	Number int             `json:"number"`
	Record string          `json:"record"`
	Text   string          `json:"text"` // in Vancouver style
	Links  []ReferenceLink `json:"links"`
}

// ReferenceLink is a page on which the record is found, with the name of the site.
type ReferenceLink struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Footer says how far to trust the report.
type Footer struct {
	Made       int         `json:"statements_made"`
	Removed    int         `json:"statements_removed"`
	Marked     int         `json:"statements_marked"` // of those that stayed, how many carry a mark
	Marks      int         `json:"marks"`
	Reasons    []Reason    `json:"removed_because"`
	Records    int         `json:"records_read"`           // records whose text went into the report, or to the model
	Given      int         `json:"records_given_to_model"` // the most that one call was given
	Model      string      `json:"model"`
	Prompt     string      `json:"prompt"`
	Screening  string      `json:"screening"`
	Generation int         `json:"generation"` // 0 for an answer that is in none
	Program    string      `json:"program"`
	Confidence *float64    `json:"confidence"`
	ByKind     []MarkCount `json:"marks_by_kind"`
}

// Reason counts the statements removed for one reason.
type Reason struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// MarkCount counts the marks of a kind.
type MarkCount struct {
	Kind  MarkKind `json:"kind"`
	Count int      `json:"count"`
}
