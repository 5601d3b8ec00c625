package evidence

import (
	"fmt"
	"strings"
)

// Bucket is one of the six kinds of evidence, or empty while the kind is open (docs/METHOD.md, "Design").
type Bucket string

// The buckets, strongest kind of evidence first.
const (
	Guideline        Bucket = "guideline"
	RCT              Bucket = "rct"
	SystematicReview Bucket = "systematic_review"
	Observational    Bucket = "observational"
	CaseReport       Bucket = "case_report"
	Preclinical      Bucket = "preclinical"
)

// Buckets lists all buckets in bucket order: the order of samples, tables and reports.
var Buckets = []Bucket{Guideline, RCT, SystematicReview, Observational, CaseReport, Preclinical}

// ParseBucket reads a bucket's exact name.
func ParseBucket(s string) (Bucket, error) {
	for _, b := range Buckets {
		if s == string(b) {
			return b, nil
		}
	}
	return "", fmt.Errorf("%q is no bucket; the buckets are %v", s, Buckets)
}

// BucketSource is the step of the chain that found a record's bucket (docs/METHOD.md, "Design").
type BucketSource string

// The chain, in the order in which it is asked.
const (
	BucketFromXML      BucketSource = "xml"      // publication types
	BucketFromLLM      BucketSource = "llm"      // the model's study type
	BucketFromRules    BucketSource = "rules"    // title, abstract and MeSH headings
	BucketFromFallback BucketSource = "fallback" // no sign: the design is not stated
)

// BucketFromModel means that a trained model found the bucket from title and abstract, with its probability: "model
// p=.87".
func BucketFromModel(probability float64) BucketSource {
	return BucketSource(strings.Replace(fmt.Sprintf("model p=%.2f", probability), "=0.", "=.", 1))
}

// Design is what a board wants to tell apart within a bucket, or why a record is no evidence.
type Design string

// The designs. Those after DesignPreclinical are no evidence: kept, marked and never sampled.
const (
	DesignGuideline       Design = "guideline"
	DesignConsensus       Design = "consensus"
	DesignMetaAnalysis    Design = "meta-analysis"
	DesignSystematic      Design = "systematic review"
	DesignScoping         Design = "scoping review"
	DesignNarrative       Design = "narrative review"
	DesignRandomised      Design = "randomised trial"
	DesignPhase3          Design = "phase III trial"
	DesignEarlyPhase      Design = "phase I/II trial"
	DesignSingleArm       Design = "single-arm trial"
	DesignTrial           Design = "clinical trial"
	DesignProspective     Design = "prospective cohort"
	DesignRetrospective   Design = "retrospective study"
	DesignCaseControl     Design = "case-control study"
	DesignCrossSectional  Design = "cross-sectional study"
	DesignCohort          Design = "cohort study"
	DesignObservational   Design = "observational study"
	DesignNotStated       Design = "design not stated" // unknown: a Record's own Design is then empty
	DesignCaseSeries      Design = "case series"
	DesignCaseReport      Design = "case report"
	DesignPreclinical     Design = "preclinical study"
	DesignRegisteredTrial Design = "registered trial"
	DesignErratum         Design = "erratum"
	DesignRetraction      Design = "retraction notice"
	DesignConcern         Design = "expression of concern"
	DesignComment         Design = "comment"
	DesignEditorial       Design = "editorial"
	DesignLetter          Design = "letter"
	DesignNews            Design = "news"
	DesignProtocol        Design = "trial protocol"
	DesignPatent          Design = "patent"
)

// Designs lists all designs, in the order of the buckets; those that are no evidence stand last.
var Designs = []Design{
	DesignGuideline, DesignConsensus, DesignRandomised, DesignPhase3, DesignEarlyPhase, DesignSingleArm, DesignTrial,
	DesignMetaAnalysis, DesignSystematic, DesignScoping, DesignNarrative, DesignProspective, DesignRetrospective,
	DesignCaseControl, DesignCrossSectional, DesignCohort, DesignObservational, DesignNotStated, DesignCaseSeries,
	DesignCaseReport, DesignPreclinical, DesignRegisteredTrial, DesignErratum, DesignRetraction, DesignConcern,
	DesignComment, DesignEditorial, DesignLetter, DesignNews, DesignProtocol, DesignPatent,
}

var noEvidence = map[Design]bool{
	DesignRegisteredTrial: true, DesignErratum: true, DesignRetraction: true, DesignConcern: true, DesignComment: true,
	DesignEditorial: true, DesignLetter: true, DesignNews: true, DesignProtocol: true, DesignPatent: true,
}

// IsEvidence is false for the designs that are kept and marked but never sampled.
func (d Design) IsEvidence() bool { return !noEvidence[d] }

// Quotas gives each bucket its share of a sample. A bucket that is missing has none.
type Quotas map[Bucket]int

// DefaultQuotas are those of docs/METHOD.md, "The sample": twenty in all.
func DefaultQuotas() Quotas {
	return Quotas{Guideline: 3, RCT: 6, SystematicReview: 4, Observational: 4, CaseReport: 2, Preclinical: 1}
}
