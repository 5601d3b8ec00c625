package report

import (
	"time"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/grounding"
)

// Schema is the version of the report's JSON form: the first number changes if readers have to change, the second if
// something is added. docs/REPORT.md describes the form.
const Schema = "3.0"

// Report is a report in the order in which a board reads it: findings first, methods last. It is its own JSON form.
// Lists are never nil, so that they are never null.
type Report struct {
	Schema  string `json:"schema"`
	Command string `json:"command"`
	Title   string `json:"title"`
	Topic   string `json:"topic"`
	// of texts not from a paper, a registry or a model; empty for English
	Language string    `json:"language,omitempty"`
	Built    time.Time `json:"built"` // when the answer was made, UTC
	// when it was made or last corrected, UTC
	Origin      answer.Origin    `json:"origin"`
	Live        *evidence.Live   `json:"live,omitempty"` // for an answer that waits in the inbox
	Brief       Brief            `json:"in_brief"`
	Changes     Changes          `json:"what_changed"`
	Included    []IncludedRecord `json:"included"` // every record that the report rests on, by bucket
	Clinical    Findings         `json:"clinical_findings"`
	Mechanistic Findings         `json:"mechanistic_findings"`
	Retracted   []IncludedRecord `json:"retracted"` // would be among the records if not retracted; never cited
	// records that readers have excluded, with who and why; absent if there are none
	Excluded []ExcludedRecord `json:"excluded_by_readers,omitempty"`
	Trials   []Trial          `json:"trials"`
	// the approval files on the question's drugs; absent if there are none
	Approvals       *evidence.ApprovalsFound       `json:"approvals,omitempty"`
	Interpretations *evidence.InterpretationsFound `json:"interpretations,omitempty"`
	Drugs           Drugs                          `json:"drug_candidates"`
	Hypotheses      Hypotheses                     `json:"hypotheses"`
	Assessment      Assessment                     `json:"assessment"`
	Limitations     []Limitation                   `json:"limitations"`
	Conclusion      Findings                       `json:"conclusion"`
	Question        string                         `json:"question"`
	Methodology     Methodology                    `json:"methodology"`
	References      []Reference                    `json:"references"`
	Footer          Footer                         `json:"footer"`
	Warnings        []string                       `json:"warnings"`

	say      *catalogue.Say
	noTrials string             // what is shown if no trial is listed
	template *document.Template // the hospital's own; nil: none
	tags     []string           // the topic's
	untold   map[string]bool    // warnings that stay in English in every language

	unanswered []evidence.SourceName // they gave no full answer
}

// By names who made a part of the report.
type By string

// The makers. Without a model, a part that needs judgement has no maker; its note states that.
const (
	ByRules By = "rules"
	ByModel By = "model"
	ByNone  By = "none"
)

// Brief sums up the evidence in at most five lines of 100 to 500 characters together. One more line states what is
// approved, if the store has files on that.
type Brief struct {
	Lines []BriefLine `json:"lines"`
}

// BriefLine is a line of the brief, with its records or trials.
type BriefLine struct {
	About   About    `json:"about"`
	By      By       `json:"by"`
	Text    string   `json:"text"`
	Quoted  bool     `json:"verbatim"` // copied from the record
	Records []string `json:"records"`
	Refs    []int    `json:"references"`
}

// About is the subject of a line of the brief.
type About string

// The lines of a brief, in their order.
const (
	AboutStrongest About = "strongest_design"
	AboutNoDirect  About = "none_direct" // instead of the strongest, if no study is direct: why
	AboutNearest   About = "nearest"     // after it: the strongest that is partly so
	AboutResult    About = "result"
	AboutAgainst   About = "against"
	AboutTrials    About = "trials"
	AboutNotAsked  About = "not_asked" // what the query left out or broadened
	AboutMissing   About = "missing"
	AboutApproved  About = "approved" // after them, if the store has files on approvals
	AboutLevels    About = "levels"   // after them, if curators have given the question's alteration a level
)

// Changes are the differences from the topic's last answer that showed something else.
type Changes struct {
	Since time.Time         `json:"since,omitzero"` // when that answer was made; zero if there is none
	Note  string            `json:"note"`           // what a reader should know if there is nothing to list
	Items []evidence.Change `json:"items"`
}

// Findings is a section of statements. Note is what a reader must know about it: why it is empty, or who made it.
type Findings struct {
	By         By                    `json:"by"`
	Note       string                `json:"note"`
	Statements []grounding.Statement `json:"statements"`
}

// Hypotheses is the section on hypotheses; Note explains why it is empty.
type Hypotheses struct {
	By    By           `json:"by"`
	Note  string       `json:"note"`
	Items []Hypothesis `json:"items"`
}

// Hypothesis is a chain drug → target → pathway → effect with the records for and against it.
type Hypothesis struct {
	Drug       string           `json:"drug"`
	Target     string           `json:"target"`
	Pathway    string           `json:"pathway"`
	Effect     string           `json:"effect"`
	Status     Status           `json:"status"`
	Confidence *float64         `json:"confidence"` // 0 to 1, the model's own; nil if it gave another number
	For        []string         `json:"supporting"` // record ids
	Against    []string         `json:"contradicting"`
	ForRefs    []int            `json:"supporting_references"`
	AgainstRef []int            `json:"contradicting_references"`
	Marks      []grounding.Mark `json:"marks"` // in the joined text, see Chain
}

// Status is how the records stand on a hypothesis.
type Status string

// A hypothesis is supported if no record speaks against it, refuted if none speaks for it, else mixed.
const (
	Supported Status = "supported"
	Mixed     Status = "mixed"
	Refuted   Status = "refuted"
)

// Assessment weighs the evidence. Scores are 0 to 10 and Confidence 0 to 1; without a model all are nil.
type Assessment struct {
	By         By                    `json:"by"`
	Note       string                `json:"note"`
	Mechanism  *float64              `json:"mechanism_score"`
	Clinical   *float64              `json:"clinical_score"`
	Confidence *float64              `json:"confidence"`
	Sufficient *bool                 `json:"sufficient"`
	Reasoning  []grounding.Statement `json:"reasoning"`
	Missing    []string              `json:"missing"`
	FollowUps  []FollowUp            `json:"follow_ups"`
}

// FollowUp is a round of searches for what the assessment found missing, and for the hypotheses.
type FollowUp struct {
	Missing    []string `json:"missing"`
	Hypotheses []string `json:"hypotheses"` // their drugs and targets, as asked
	Found      int      `json:"found"`
	New        int      `json:"new"` // of these, records that were not in the evidence
	Error      string   `json:"error"`
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
	Trials  []string `json:"trials"`  // ids of registered trials that name it
	Studies int      `json:"studies"` // how many the records report
	// the best of its records
	Directness evidence.Directness `json:"directness"`
}

// Trial is a registered trial's card.
type Trial struct {
	ID           string                `json:"id"`
	URL          string                `json:"url"`
	Title        string                `json:"title"`
	Acronym      string                `json:"acronym"`
	Status       string                `json:"status"` // as the registry codes it
	Phase        string                `json:"phase"`
	Enrolment    int                   `json:"enrolment"`
	Sponsor      string                `json:"sponsor"`
	Arms         []TrialArm            `json:"arms"`
	ArmsLeft     int                   `json:"arms_left_out"`
	Entry        *evidence.Eligibility `json:"entry"` // null if not read for the question
	Eligibility  Eligibility           `json:"eligibility"`
	Places       []TrialPlace          `json:"places"` // the topic's countries first, then by number of sites
	Sites        int                   `json:"sites"`
	Contacts     []TrialContact        `json:"contacts"`
	LastVerified evidence.Date         `json:"last_verified"`
	Results      bool                  `json:"results_posted"`
	Papers       []string              `json:"papers"` // ids of the publications that report it, as far as known
	PaperRefs    []int                 `json:"paper_references"`

	standing int // of the status, see evidence.Trial.Standing
}

// TrialArm is a group of a trial's participants with what they are given.
type TrialArm struct {
	Label         string   `json:"label"`
	Kind          string   `json:"kind"` // as the registry codes it
	Interventions []string `json:"interventions"`
}

// Eligibility is who may enter a trial, in short.
type Eligibility struct {
	Inclusion  []string `json:"inclusion"` // the first lines, each cut at a bound with "…"
	Exclusion  []string `json:"exclusion"`
	Left       int      `json:"lines_left_out"`
	Sex        string   `json:"sex"` // as the registry codes it
	MinimumAge string   `json:"minimum_age"`
	MaximumAge string   `json:"maximum_age"`
}

// TrialPlace is a country in which a trial has sites. It names the cities if the topic asks for the country, or the
// trial has few sites.
type TrialPlace struct {
	Country string   `json:"country"`
	Sites   int      `json:"sites"`
	Asked   bool     `json:"asked"` // the topic names the country
	Cities  []string `json:"cities"`
	Left    int      `json:"cities_left_out"`
}

// TrialContact is a contact, as the registry has it.
type TrialContact struct {
	Name  string `json:"name"`
	Phone string `json:"phone"`
	Email string `json:"email"`
}

// Limitation is a weakness of the evidence or of its search. One that the counts show cites nothing.
type Limitation struct {
	By By `json:"by"`
	grounding.Statement
}

// IncludedRecord is a row of the table of evidence.
type IncludedRecord struct {
	ID         string               `json:"id"`
	Ref        int                  `json:"reference"` // 0 for one that may not be cited
	Title      string               `json:"title"`
	Source     string               `json:"published"` // first author, journal, year
	Year       int                  `json:"year"`
	Bucket     evidence.Bucket      `json:"bucket"` // empty if the design is unknown
	Design     evidence.Design      `json:"design"`
	Tumours    []string             `json:"tumours"`                  // of the study, as far as known
	Setting    []string             `json:"setting"`                  // its patients' line, stage, age
	Directness evidence.Directness  `json:"directness"`               // direct, partly or indirect; empty if unknown
	Missing    string               `json:"missing"`                  // what it does not meet of the question, in words
	Fit        []evidence.SlotFit   `json:"fit"`                      // slot by slot
	Also       []string             `json:"also_reported"`            // ids of the study's other reports
	AlsoRefs   []int                `json:"also_reported_references"` // of those that the evidence holds
	Asked      evidence.Ternary     `json:"on_question"`
	Elsewhere  string               `json:"why_not_on_question"`
	Patients   int                  `json:"patients"` // 0 if the abstract does not state it
	Result     *grounding.Statement `json:"result"`   // a sentence of the abstract; null if none may be shown
	// a sentence of the full text instead, if the abstract has none and the text is kept
	FullText     *FullTextQuote `json:"full_text,omitempty"`
	Tables       *TextTables    `json:"tables,omitempty"`        // rows of the full text's tables, if it is kept
	AbstractOnly bool           `json:"abstract_only,omitempty"` // full texts are kept, but none of this record

	Score     *float64            `json:"relevance_score"`
	Reading   *evidence.Reading   `json:"reading,omitempty"` // what readers have decided on it
	Learned   *evidence.Learned   `json:"learned,omitempty"` // how their marks changed its place
	Review    string              `json:"review"`            // why a person should look at it before trusting it
	Curated   []CuratedMark       `json:"curated"`
	Preprint  bool                `json:"preprint"`
	TitleOnly bool                `json:"title_only"`
	FollowUp  bool                `json:"follow_up"` // came by a follow-up search
	URL       string              `json:"url"`
	Status    evidence.Retraction `json:"retraction,omitzero"`

	fit *evidence.Fit // the source of Missing and Fit
}

// ExcludedRecord is a record that readers have excluded: it is not part of the evidence, but the report states why.
type ExcludedRecord struct {
	ID        string              `json:"id"`
	Title     string              `json:"title"`
	Source    string              `json:"published"`
	URL       string              `json:"url"`
	Why       string              `json:"why"` // reasons and who gave them, in words
	Reading   *evidence.Reading   `json:"reading"`
	Review    string              `json:"review"` // why a person should look at it again
	Retracted bool                `json:"retracted"`
	Status    evidence.Retraction `json:"retraction,omitzero"`
}

// CuratedMark is a knowledge base's statement on a record, in short.
type CuratedMark struct {
	Source       string        `json:"source"` // its usual name
	ID           string        `json:"id"`
	Level        string        `json:"level"`
	LevelName    string        `json:"level_name"`
	Direction    string        `json:"direction"`
	Significance string        `json:"significance"`
	Profile      string        `json:"molecular_profile"`
	State        string        `json:"status"` // accepted, submitted
	URL          string        `json:"url"`
	FileDate     evidence.Date `json:"file_date"`
}

// Reference is an entry of the list of references, made from the record.
type Reference struct {
	Number int             `json:"number"`
	Record string          `json:"record"`
	Review string          `json:"review"` // why a person should look at the record before trusting it
	Text   string          `json:"text"`   // in Vancouver style
	Links  []ReferenceLink `json:"links"`
}

// ReferenceLink is a page with the record, and the name of its site.
type ReferenceLink struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Footer shows how far to trust the report.
type Footer struct {
	Made       int         `json:"statements_made"`
	Removed    int         `json:"statements_removed"`
	Marked     int         `json:"statements_marked"` // of those that stayed, the number with a mark
	Marks      int         `json:"marks"`
	Reasons    []Reason    `json:"removed_because"`
	Records    int         `json:"records_read"`           // records whose text went into the report, or to the model
	Given      int         `json:"records_given_to_model"` // the most given to one call
	Model      string      `json:"model"`
	Prompt     string      `json:"prompt"`
	Screening  string      `json:"screening"`
	Rounds     int         `json:"search_rounds"` // the topic's own search, and each round of follow-ups
	Generation int         `json:"generation"`    // 0 for an answer that is in none
	Program    string      `json:"program"`
	Confidence *float64    `json:"confidence"`
	ByKind     []MarkCount `json:"marks_by_kind"`

	Usage evidence.Usage `json:"usage"` // the cost of the model's calls when they were made
}

// Reason counts the statements removed for one reason.
type Reason struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// MarkCount counts the marks of a kind.
type MarkCount struct {
	Kind  grounding.MarkKind `json:"kind"`
	Count int                `json:"count"`
}
