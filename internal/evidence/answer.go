package evidence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"dossier/internal/text"
)

// Answer is what one run of the pipeline found on one topic: how it searched, what it counted, how it judged, and the
// sample. The store keeps the newest Answer of each topic; one that `query` fetched live waits in the inbox.
type Answer struct {
	Topic       Topic         `json:"topic"`
	Run         string        `json:"run"`
	Built       time.Time     `json:"built"`
	Query       AcceptedQuery `json:"query"`
	Searches    []Search      `json:"searches"`
	Counts      Counts        `json:"counts"`
	Assessments []Assessment  `json:"assessments"`       // one a record found, in order of record id
	Sample      []string      `json:"sample"`            // record ids, in the sample's order
	Trials      []string      `json:"trials,omitempty"`  // ids of registered trials that pass the topic's filter
	Removed     []string      `json:"removed,omitempty"` // ids that would have been sampled, were they not retracted
	// ids of what readers had excluded when the sample was drawn, in order, and by these what they said of it: a bundle
	// brings no marks along
	Excluded []string            `json:"excluded,omitempty"`
	Readings map[string]*Reading `json:"readings,omitempty"`
	// how many records readers had decided on from which the sample's order was learnt; 0 where none was
	LearntFrom int `json:"learnt_from,omitempty"`
	// "rules", or the model and prompt version where any score is a model's
	Screening string `json:"screening"`

	// ScreeningTrouble states how many were scored by rules although a model screens or had screened, and why: "20 of 40
	// by rules: the model answered 503". Empty where all went as configured.
	ScreeningTrouble string `json:"screening_trouble,omitempty"`
	// the model and prompt version that failed, in the form of Screening
	ScreeningFailed string `json:"screening_failed,omitempty"`

	// of a question that was asked live, the users who asked it: it is listed for them alone
	Owners []string `json:"owners,omitempty"`

	// since when no topic file asks the question any more; zero while one does
	Retired time.Time `json:"retired,omitzero"`

	// when the sample was last put right without a new search: a record was retracted
	Corrected time.Time `json:"corrected,omitzero"`
}

// Changed is when the answer last came to its present content: when it was built, or corrected after that.
func (a *Answer) Changed() time.Time {
	if a.Corrected.After(a.Built) {
		return a.Corrected
	}
	return a.Built
}

// AlsoReported returns the ids of the other reports of the studies that records represent, by the record's id.
func (a *Answer) AlsoReported() map[string][]string {
	out := map[string][]string{}
	for i := range a.Assessments {
		if lead := a.Assessments[i].ReportOf; lead != "" {
			out[lead] = append(out[lead], a.Assessments[i].Record)
		}
	}
	return out
}

// AcceptedQuery is the query that step 1 settled on, kept for later nights (`replan_after`): the outermost of the rings
// that were asked, each broader than the one before.
type AcceptedQuery struct {
	Text     string    `json:"text"`  // in PubMed's syntax
	Layer    int       `json:"layer"` // 1 to 4; 0 for a query written by hand
	By       string    `json:"by"`    // "rules", "hand", the model's name, or "… and rules" where the two were united
	Accepted time.Time `json:"accepted"`
	Concepts []string  `json:"concepts,omitempty"` // what each AND-group stands for, in order

	// why no broader layer was asked: "31 pass"
	Reason string `json:"reason,omitempty"`
	// how many papers were to pass (`enough`); 0 where a program accepted it that did not know of rings
	Enough int `json:"enough,omitempty"`
	// why the query is planned anew the next night; empty where it is kept
	Provisional string `json:"provisional,omitempty"`

	// what of the question is not asked for, or more broadly, by the narrowest ring that found anything: "KRAS G12C, asked
	// as KRAS"
	LeftOut []string `json:"left_out,omitempty"`
	// the same of Text alone, where a narrower ring found something
	Broadened []string `json:"broadened,omitempty"`
	// how the question was read where its words leave it open, in sentences: which treatments are given together
	Readings []string      `json:"readings,omitempty"`
	Failed   []FailedQuery `json:"failed,omitempty"`
	// the further layers that were planned, narrow before broad: the rings within Text, and the broader ones that a source
	// without an answer went on to by itself
	Other []LayerQuery `json:"other,omitempty"`
}

// LayerQuery is a layer beside the outermost ring.
type LayerQuery struct {
	Text     string   `json:"text"`
	Layer    int      `json:"layer"`
	By       string   `json:"by"`
	Concepts []string `json:"concepts,omitempty"`
	LeftOut  []string `json:"left_out,omitempty"`
}

// FailedQuery is a layer that was not the last to be asked, or was not asked, with the reason: what it found stays.
type FailedQuery struct {
	Layer  int    `json:"layer"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// SearchStatus is the outcome of a source's search.
type SearchStatus string

// A source's outcomes. A skipped one was not asked, or gave up its place: out of budget, offline.
const (
	SearchOK      SearchStatus = "ok"
	SearchPartial SearchStatus = "partial" // it answered, and some of its records could not be had
	SearchFailed  SearchStatus = "failed"
	SearchSkipped SearchStatus = "skipped"
)

// IsSilent reports whether it is unknown what the source may have.
func (s SearchStatus) IsSilent() bool { return s == SearchFailed || s == SearchSkipped }

// The reasons of a search that was not made although nothing failed.
const (
	NotAskedOffline    = "offline"
	NotAskedConfigured = "the source is not configured"
)

// Search is one source's part in an Answer: the exact query, and its outcome.
type Search struct {
	Source SourceName   `json:"source"`
	Status SearchStatus `json:"status"`
	// exactly as sent, in the outermost ring for which it had anything, or else that was asked
	Query string `json:"query"`
	// of that query; 0 for one written by hand, or where nothing was asked
	Layer    int       `json:"layer"`
	Rings    []Ring    `json:"rings,omitempty"` // all that was asked, narrow before broad; earlier programs wrote none
	From     Date      `json:"from,omitempty"`
	To       Date      `json:"to,omitempty"`
	At       time.Time `json:"at"`
	Hits     int       `json:"hits"`               // the source's own count, for the query with most hits
	Found    int       `json:"found"`              // how many were taken, over all rings
	Fetched  int       `json:"fetched"`            // of these, how many had to be fetched
	Error    string    `json:"error,omitempty"`    // why it failed or was skipped
	Hint     string    `json:"hint,omitempty"`     // what a person can do about it
	Warnings []string  `json:"warnings,omitempty"` // what the source did not understand
	Problems []Problem `json:"problems,omitempty"` // records that could not be had or read
	LastOK   time.Time `json:"last_ok,omitzero"`   // when the source last answered for this topic
	Kept     int       `json:"kept,omitempty"`     // records of the last answer that stand in where it did not answer
}

// Ring is one source's query in one layer, and its outcome.
type Ring struct {
	Layer int `json:"layer"` // 0 for a query written by hand
	// failed, or skipped: out of budget, or its answer is to another query, since a phrase was left out
	Status SearchStatus `json:"status"`
	Query  string       `json:"query"` // exactly as sent
	Hits   int          `json:"hits"`
	Found  int          `json:"found"`           // how many were taken that no narrower ring had
	Error  string       `json:"error,omitempty"` // why it failed, or nothing of it was taken
}

// String names the ring and its outcome: "layer 2, 31 hits, 20 taken".
func (r Ring) String() string {
	if r.Status != SearchOK && r.Status != "" {
		return fmt.Sprintf("layer %d, %s", r.Layer, r.Status)
	}
	return fmt.Sprintf("layer %d, %s, %d taken", r.Layer, text.Plural(r.Hits, "hit"), r.Found)
}

// AsRings are the search's rings; of an answer of an earlier program, which took one layer of each source, that one.
func (s *Search) AsRings() []Ring {
	if len(s.Rings) > 0 || s.Query == "" {
		return s.Rings
	}
	return []Ring{{Layer: s.Layer, Status: s.Status, Query: s.Query, Hits: s.Hits, Found: s.Found}}
}

// Problem names a record that could not be fetched or parsed, and why. It is counted, shown, and tried again next time.
type Problem struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Counts is a topic's way from search to sample. Found is before and Unique after de-duplication;
// Found = Unique + Merged, and Unique = Screened + Trials + NotEvidence + Retracted.
type Counts struct {
	Found  int `json:"found"`  // records over all sources, copies included
	Unique int `json:"unique"` // after de-duplication
	New    int `json:"new"`    // of these, not in the store before
	Merged int `json:"merged"` // copies that went into another's record
	Trials int `json:"trials"` // registered trials, listed or not

	// of these, not listed: not passed, outside the topic's filter, or withdrawn, terminated or unknown
	TrialsLeftOut int `json:"trials_left_out"`
	// of these, left out only because their criteria shut out the question's patient
	TrialsShutOut int `json:"trials_shut_out"`

	NotEvidence int `json:"not_evidence"` // errata, letters, …
	Retracted   int `json:"retracted"`
	Screened    int `json:"screened"` // got a score
	ByRules     int `json:"by_rules"` // of these, by rules
	// of those that a model scored, how many the rules would let pass or not as it does
	Agreed int `json:"model_agrees_with_rules,omitempty"`
	// and how many they would let pass, and it does not
	LeftOutByModel int `json:"left_out_by_model,omitempty"`
	Passed         int `json:"passed"`
	Direct         int `json:"direct"` // of those that passed, how many answer the question directly
	// of those that passed, how many readers have excluded
	ExcludedByReaders int `json:"excluded_by_readers,omitempty"`

	Sampled    int `json:"sampled"`
	NotStated  int `json:"design_not_stated"`     // of these, how many have a place although nothing tells their design
	PutForward int `json:"put_forward,omitempty"` // of those screened, how many curators cite for the very same question
	// of these, how many have the title of another one in the sample: copies that were not joined, or near ones
	Alike int `json:"alike"`
}

// ListedTrials is how many registered trials an answer shows.
func (c Counts) ListedTrials() int { return c.Trials - c.TrialsLeftOut }

// ScoreSource is who scored.
type ScoreSource string

// The two sources of scores.
const (
	ScoreLLM   ScoreSource = "llm"
	ScoreRules ScoreSource = "rules"
)

// Assessment is the judgement of one record for one question.
type Assessment struct {
	Record       string       `json:"record"`
	Content      string       `json:"content"` // the Record.ContentHash that was judged
	Relevant     bool         `json:"relevant"`
	Score        float64      `json:"score"` // 0 to 10
	ScoreSource  ScoreSource  `json:"score_source"`
	ByRules      *RulesWord   `json:"by_rules,omitempty"` // the rules' result, where a model scored
	Refused      string       `json:"refused,omitempty"`  // why the model gives no judgement, and is not asked again
	Criteria     []string     `json:"matched_criteria,omitempty"`
	KeyFindings  string       `json:"key_findings,omitempty"`
	StudyType    Bucket       `json:"study_type,omitempty"` // as the model reports it
	TitleOnly    bool         `json:"title_only,omitempty"` // judged without an abstract
	Model        string       `json:"model,omitempty"`
	Prompt       string       `json:"prompt,omitempty"` // the prompt's version
	Passed       bool         `json:"passed"`
	Bucket       Bucket       `json:"bucket"`
	BucketSource BucketSource `json:"bucket_source"`
	Design       Design       `json:"design,omitempty"`
	Excluded     string       `json:"excluded,omitempty"` // why it can't be sampled: retracted, no evidence, …
	// why a human should look: Flagged, or a score far from the rules'
	Review string `json:"review,omitempty"`

	// Flagged is why no model's judgement of the record is trusted: its text addresses a model, or a model's reply raised
	// it alone and sank all others. Such a record has at most the rules' score and never a model's bucket, and supports no
	// statement alone.
	Flagged string `json:"flagged,omitempty"`

	// Fit is how the record meets what is asked, whoever scored it.
	Fit Fit `json:"fit,omitzero"`

	// ReportOf is the id of another report of the same study, which stands for it in the sample; empty where the record
	// stands for itself.
	ReportOf string `json:"report_of,omitempty"`

	// Layer is the narrowest layer of the query that found the record; 0 for a query written by hand.
	Layer int `json:"layer,omitempty"`

	// Contradiction is why the record is on something else than the question, by its title: another tumour, another
	// alteration of the same gene, the opposite status. The rules let no such record pass, and no finding is taken from
	// it.
	Contradiction string `json:"contradiction,omitempty"`

	// Eligibility is whether a registered trial that passed admits the question's patient; nil where it was not read.
	Eligibility *Eligibility `json:"eligibility,omitempty"`

	// PutForward is the part of Score, Passed and Criteria owed to curators; nil where there is none.
	PutForward *PutForward `json:"put_forward,omitempty"`

	// Reading is readers' decision on the record, and Learned the effect of their marks on its place; nil where there is
	// none. Marks are stored separately, and joined each time; those stored with an answer are in Answer.Readings.
	Reading *Reading `json:"-"`
	Learned *Learned `json:"-"`
}

// RulesWord is the rules' result for a record that a model scored.
type RulesWord struct {
	Score  float64 `json:"score"`
	Passed bool    `json:"passed"`
}

// AgreementText describes how far a model's screening agrees with the rules', and how many papers it left out that they
// would let pass; empty where no model scored anything.
func (c *Counts) AgreementText() string {
	judged := c.Screened - c.ByRules
	if judged == 0 || c.Agreed == 0 && c.LeftOutByModel == 0 { // the latter: of an earlier program
		return ""
	}

	line := fmt.Sprintf("the model agrees with the rules on %d of %d", c.Agreed, judged)
	if c.LeftOutByModel == 0 {
		return line
	}
	return line + fmt.Sprintf("; it left out %s that the rules would pass", text.Plural(c.LeftOutByModel, "paper"))
}

// MaxScore is the best score that a record can have.
const MaxScore = 10

// The reasons for which a record is flagged.
const (
	FlaggedByText  = "its text addresses a model"
	FlaggedByReply = "a model's score of it, or of the papers beside it, changes with their company"
	FlaggedByDoubt = "a model's score of it falls without its words that report nothing"
)

// Flag is why a record is flagged, judged or not: by its assessment, which may be nil, else by its text; empty where it
// is not.
func Flag(r *Record, a *Assessment) string {
	switch {
	case a != nil && a.Flagged != "":
		return a.Flagged
	case r.AddressesModel != "":
		return FlaggedByText
	}
	return ""
}

// Review is why a person should look at a record before relying on it: a disputed retraction, an expression of concern,
// and the objections of its assessment, which may be nil; empty where there is no reason.
func Review(r *Record, a *Assessment) string {
	var why []string
	add := func(s string) {
		if s != "" {
			why = append(why, s)
		}
	}
	add(r.Retraction.Disputed.String())
	add(r.Concern())

	if a != nil {
		add(a.Review)
	}
	return strings.Join(why, "; ")
}

// Concern is the first expression of concern that the record links to; empty where there is none, or it has since been
// retracted.
func (r *Record) Concern() string {
	i := slices.IndexFunc(r.Links, func(l Link) bool { return l.Relation == ConcernIn })
	if i < 0 || r.Retracted() {
		return ""
	}

	if target := r.Links[i].Target; !target.IsZero() {
		return "expression of concern " + target.String()
	}
	return "expression of concern"
}

// Shown is the bucket and the design as shown to readers. Without a known design, the record's bucket is only its place
// in the sample: the bucket shown is empty and the design DesignNotStated.
func (a *Assessment) Shown() (Bucket, Design) {
	if a.BucketSource == BucketFromFallback {
		return "", DesignNotStated
	}
	return a.Bucket, a.Design
}
