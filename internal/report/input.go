package report

import (
	"context"
	"errors"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/render"
)

// ErrNoEvidence says that there is nothing to report on: no record in the sample that may be cited. No report is written.
var ErrNoEvidence = errors.New("no evidence: the answer's sample is empty, so there is nothing to report; widen the question or its years, or let the indexer run")

// Input is an answer with its records, as plain values.
type Input struct {
	Answer     *evidence.Answer
	Origin     render.Origin
	Generation int           // 0 for an answer that is in none yet
	Program    string        // the program's version
	Sample     []render.Item // in the sample's order; retracted records among them are moved to Removed
	Trials     []render.Item
	Removed    []render.Item // retracted records that would have stood in the sample
	Warnings   []string      // what a reader should know: stale, taken from the store's full text, …
}

// FromAnswer is the input for an answer as `query` shows it.
func FromAnswer(a *render.Answer, program string) Input {
	return Input{
		Answer: a.Answer, Origin: a.Origin, Generation: a.Generation, Program: program,
		Sample: a.Sample, Trials: a.Trials, Removed: a.Removed,
		Warnings: slices.Concat(a.Understood.Warnings, a.Warnings),
	}
}

// Options are what a report is made with. The zero value of a number stands for its default.
type Options struct {
	// Vancouver gives a record's reference in Vancouver style, as plain text. It must be set.
	Vancouver func(*evidence.Record) string
	// Model writes the report; nil leaves it to the rules.
	Model Model
	// More searches for what the assessment found missing; nil means that nobody can. Records that are known already may be
	// among its items. An error is told in the report and ends the follow-ups.
	More func(ctx context.Context, missing []string) ([]render.Item, error)
	// Drugs names the drugs in a text, lower case; nil knows them by their endings alone.
	Drugs func(text string) []string
	// Lexicon reads the drugs, genes, variants and tumours of statements and records; nil is the dictionary that ships with
	// the program.
	Lexicon *lexicon.Lexicon

	MaxIterations int // rounds of follow-up searches; default 2, below zero none
	MaxEvidence   int // records given to the model; default 40
	MaxAbstract   int // characters of an abstract given to the model; default 2,500
	MaxText       int // characters of all abstracts given to the model; default 60,000
}

// Defaults of Options.
const (
	DefaultMaxIterations = 2
	DefaultMaxEvidence   = 40
	DefaultMaxAbstract   = 2500
	DefaultMaxText       = 60_000
)

func (o Options) withDefaults() Options {
	for _, n := range []struct {
		value *int
		byDef int
	}{
		{&o.MaxIterations, DefaultMaxIterations}, {&o.MaxEvidence, DefaultMaxEvidence}, {&o.MaxAbstract, DefaultMaxAbstract}, {&o.MaxText, DefaultMaxText},
	} {
		if *n.value == 0 {
			*n.value = n.byDef
		}
	}
	if o.Drugs == nil {
		o.Drugs = drugsByEnding
	}
	if o.Lexicon == nil {
		o.Lexicon = shippedLexicon()
	}
	return o
}

// Model makes the judgements of a report (SPEC section 7: hypotheses, assessment, report). The requests are the calls' documents.
// What it answers is checked: nothing of it reaches the report without passing through grounding.
type Model interface {
	// Name and Prompt are the model's name and the prompts' version, for the footer.
	Name() string
	Prompt() string
	Hypotheses(ctx context.Context, req EvidenceRequest) ([]DraftHypothesis, error)
	Assess(ctx context.Context, req EvidenceRequest) (DraftAssessment, error)
	Write(ctx context.Context, req WriteRequest) (Draft, error)
}

// Evidence is a record as the model gets it.
type Evidence struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Abstract string          `json:"abstract"` // cut at a sentence's end
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
	Confidence    float64  `json:"confidence"`
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
