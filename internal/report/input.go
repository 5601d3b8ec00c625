package report

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"dossier/internal/answer"
	"dossier/internal/catalogue"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// ErrNoEvidence means that there is nothing to report on: the sample has no record that may be cited, and there is no
// registered trial. No report is written.
var ErrNoEvidence = errors.New(
	"no evidence: no paper passed and no registered trial is listed, so there is nothing to report; widen the question or its years, or let the indexer run")

// ErrSilent means that there is nothing to report on, but not all sources have answered, so there might be. The error
// that wraps it names them.
var ErrSilent = errors.New("no paper passed and no registered trial is listed, but not every source has answered; " +
	"let the indexer run again. Silent")

// Input is an answer with its records, as plain values.
type Input struct {
	Answer     *evidence.Answer
	Origin     answer.Origin
	Generation int             // 0 for an answer that is in no generation yet
	Live       *evidence.Live  // for an answer that waits in the inbox
	Program    string          // the program's version
	Sample     []evidence.Item // in the sample's order; retracted records among them are moved to Removed
	Trials     []evidence.Item
	Removed    []evidence.Item          // retracted records that would have stood in the sample
	Approvals  *evidence.ApprovalsFound // of the question's drugs; nil where the store has no files on what is approved
	// the curators' statements on the question's alterations; nil if the store has no files of theirs
	Interpretations *evidence.InterpretationsFound
	Excluded        []evidence.Item // records that readers have excluded
	// what the topic's earlier answers showed, oldest first, under the records' present ids
	Before   []evidence.Snapshot
	Dropped  string   // words of the question that were not asked for, with reasons
	Warnings []string // what a reader should know: stale, taken from the store's full text, …
}

// FromAnswer is the input for an answer as `query` shows it, with what the topic's earlier answers showed.
func FromAnswer(a *answer.Answer, before []evidence.Snapshot, program string) Input {
	return Input{
		Answer: a.Answer, Origin: a.Origin, Generation: a.Generation, Live: a.Live, Program: program,
		Sample: a.Sample, Trials: a.Trials, Removed: a.Removed, Excluded: a.Excluded, Before: before,
		Approvals: a.Approvals, Interpretations: a.Interpretations,
		Dropped:  a.Understood.Slots.DroppedText(),
		Warnings: slices.Concat(a.Understood.Warnings, a.Warnings),
	}
}

// Options configure a report. The zero value of a number stands for its default.
type Options struct {
	// Vancouver returns a record's reference in Vancouver style, as plain text. It must be set, as must Reader and
	// Lexicon.
	Vancouver func(*evidence.Record) string
	// Model writes the report; nil leaves it to the rules.
	Model Model
	// More searches for what the assessment found missing; nil if that is impossible. Its items may include known
	// records. An error is shown in the report and ends the follow-ups.
	More func(ctx context.Context, missing []string) ([]evidence.Item, error)
	// Body returns a record's full text; nil if none is kept for it. If Body itself is nil, no full texts are kept at
	// all.
	Body func(*evidence.Record) *evidence.Body
	// Nearest returns the passages of a record's full text nearest to the question, the nearest first, as far as a
	// model may be given them; nil if no full texts are kept.
	Nearest func(*evidence.Record) []evidence.Passage
	// Reader understands records for the question.
	Reader Reader
	// Say speaks the language of the report; nil is English.
	Say *catalogue.Say
	// Sheet is set if the report is read only as a packet's sheet: the rules then skip other sections, which saves a
	// third of the time.
	Sheet bool
	// Template is the hospital's own, for the report's files; nil means none.
	Template *document.Template
	// Lexicon reads the drugs, genes, variants and tumours of statements and records.
	Lexicon *lexicon.Lexicon

	MaxIterations int // rounds of follow-up searches; default 2, below zero none
	MaxEvidence   int // records given to the model; default 40
	MaxAbstract   int // characters of an abstract given to the model; default 2,500
	MaxText       int // characters of all abstracts and passages given to the model; default 60,000
}

// Defaults of Options.
const (
	DefaultMaxIterations = 2
	DefaultMaxEvidence   = 40
	DefaultMaxAbstract   = 2500
	DefaultMaxText       = 60_000
)

func (o Options) withDefaults() Options {
	o.MaxIterations = cmp.Or(o.MaxIterations, DefaultMaxIterations)
	o.MaxEvidence = cmp.Or(o.MaxEvidence, DefaultMaxEvidence)
	o.MaxAbstract = cmp.Or(o.MaxAbstract, DefaultMaxAbstract)
	o.MaxText = cmp.Or(o.MaxText, DefaultMaxText)
	return o
}

// Reader reads records in the light of the question.
type Reader interface {
	// Study names a record's tumour, and states whether it is the question's.
	Study(r *evidence.Record) evidence.Study
	// Setting names the line, stage and age of patients in a text.
	Setting(text string) []string
	// OtherTumour explains why a sentence is on another tumour than the question's; empty if it is not known to be.
	OtherTumour(sentence string) string
	// DrugsIn names the drugs in a text, in small letters.
	DrugsIn(text string) []string
}

// Model makes the judgements of a report (hypotheses, assessment, report). The requests are the calls' documents. Every
// answer is checked: nothing of it reaches the report without passing through grounding.
type Model interface {
	// Name and Prompt are the model's name and the prompts' version, for the footer.
	Name() string
	Prompt() string
	// Each call returns its cost when it was made, for a kept reply too.
	Hypotheses(ctx context.Context, req EvidenceRequest) ([]DraftHypothesis, evidence.Usage, error)
	Assess(ctx context.Context, req EvidenceRequest) (DraftAssessment, evidence.Usage, error)
	Write(ctx context.Context, req WriteRequest) (Draft, evidence.Usage, error)
}

// Evidence is a record as given to the model.
type Evidence struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Abstract string          `json:"abstract"`           // cut at a sentence's end
	Passages []Passage       `json:"passages,omitempty"` // of its full text, where the text is written
	Bucket   evidence.Bucket `json:"bucket"`
	Score    float64         `json:"relevance_score"`
}

// EvidenceRequest is the document of the calls `hypotheses` and `assessment`.
type EvidenceRequest struct {
	Question string     `json:"question"`
	Evidence []Evidence `json:"evidence"`
}

// WriteRequest is the document of the call `report`.
type WriteRequest struct {
	Question   string            `json:"question"`
	Evidence   []Evidence        `json:"evidence"`
	Hypotheses []DraftHypothesis `json:"hypotheses"`
	Assessment DraftAssessment   `json:"assessment"`
}

// DraftHypothesis is a hypothesis as a model gives it.
type DraftHypothesis struct {
	Drug          string   `json:"drug"`
	Target        string   `json:"target"`
	Pathway       string   `json:"pathway"`
	Effect        string   `json:"effect"`
	Confidence    float64  `json:"confidence,omitempty"`
	Supporting    []string `json:"supporting"`
	Contradicting []string `json:"contradicting"`
}

// DraftAssessment is the assessment as a model gives it.
type DraftAssessment struct {
	MechanismScore float64  `json:"mechanism_score"`
	ClinicalScore  float64  `json:"clinical_score"`
	Confidence     float64  `json:"confidence"`
	Sufficient     bool     `json:"sufficient"`
	Reasoning      string   `json:"reasoning"`
	Missing        []string `json:"missing"`
}

// Draft is the text as a model gives it.
type Draft struct {
	ExecutiveSummary    string           `json:"executive_summary"`
	MechanisticFindings []DraftStatement `json:"mechanistic_findings"`
	ClinicalFindings    []DraftStatement `json:"clinical_findings"`
	DrugCandidates      []DraftDrug      `json:"drug_candidates"`
	Limitations         []string         `json:"limitations"`
	Conclusion          []DraftStatement `json:"conclusion"`
}

// DraftStatement is a statement with the ids that it cites.
type DraftStatement struct {
	Text  string   `json:"text"`
	Cites []string `json:"cites"`
}

// DraftDrug is a drug with the ids that it cites.
type DraftDrug struct {
	Name  string   `json:"name"`
	Cites []string `json:"cites"`
}
