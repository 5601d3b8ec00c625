package pipeline

import (
	"context"
	"iter"
	"time"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/identity"
	"dossier/internal/lexicon"
	"dossier/internal/source"
)

// Source is a literature source or registry, as specified in internal/source.
type Source interface {
	Name() evidence.SourceName
	Search(ctx context.Context, q source.Query) (source.Result, error)
}

// Fetcher is a Source that returns records by their ids, for searches and live answers that only name them.
type Fetcher interface {
	Source
	// Fetch returns the records with the ids of a Result. Records that it cannot get are among the problems; an error
	// means that it got none.
	Fetch(ctx context.Context, ids []string) (source.Batch, error)
}

// Sweeper is a Source that reports which stored records have changed since a time.
type Sweeper interface {
	// Changed returns the source's records of those papers among ids that changed since then; a source without dates of
	// change returns all that it has. Missing papers are no problem. On an error the batch holds what was read before it,
	// and all ids are asked about again.
	Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error)
}

// Lookup is a service that is only asked about the store's own papers, and searches nothing.
type Lookup interface {
	Name() evidence.SourceName
	Sweeper
}

// RetractionFinder is a Sweeper that lists retracted papers, however old.
type RetractionFinder interface {
	Fetcher
	Retracted(ctx context.Context, ids []evidence.Identifier) ([]evidence.Identifier, error)
}

// Planner turns a question into step 1's layers.
type Planner interface {
	// Name is the "by" of an accepted query: "rules", or the model's name.
	Name() string
	// Readable returns nil where the planner can plan for the whole question; else an ErrUnreadable that names the rest.
	Readable(q *lexicon.Question) error
	// Layer builds layer n (1 to 4), given the reasons that the earlier ones failed. The second value is false where the
	// question has no such layer, which is no error.
	Layer(ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery) (boolean.Query, bool, error)
}

// Judge is a model that screens. With a nil Judge the rules screen.
type Judge interface {
	// Model and Prompt identify the judge; with question and content they form a judgement's key.
	Model() string
	Prompt() string
	// Judge assesses records for a question in its own batches, and passes each reply's assessments on together as they
	// arrive, from one goroutine at a time, so that no paid reply is lost. A record's effect on a reply shows in the
	// others' assessments, so no call of each holds those of two replies. It sets Record, Relevant, Score, StudyType,
	// Criteria and KeyFindings. A record without an assessment is no error here; an error means that the rest could not be
	// judged. It stops when each fails.
	Judge(ctx context.Context, question string, records []evidence.Record, each func([]evidence.Assessment) error) error
}

// Meter counts the cost of planning and judging, by topic. A nil Meter counts nothing.
type Meter interface {
	// For returns a context whose planning and judging counts under topic.
	For(ctx context.Context, topic string) context.Context
	// Topic is a topic's usage so far.
	Topic(id string) evidence.Usage
}

// Audit logs outgoing requests. A nil Audit logs nothing.
type Audit interface {
	// Begin records that a question, or with none the check of the store's papers, is about to go to the services, a model
	// or both. Its error stops it.
	Begin(question string, services, model bool) (Request, error)
}

// Request is an outgoing request.
type Request interface {
	// Counting returns a context whose requests are counted.
	Counting(ctx context.Context) context.Context
	// End records what was sent.
	End() error
}

// View is the read access to a store: the writer's while it builds, or a published generation.
type View interface {
	identity.Index
	// Record returns a merged record, following redirects, with curators' statements on it; ok is false where there is
	// none.
	Record(id string) (r evidence.Record, ok bool, err error)
	// Curated returns curators' statements on the papers with these identifiers, in the order of evidence.CompareCurated.
	Curated(ids []evidence.Identifier) ([]evidence.CuratedStatement, error)
	// Lookup lists the merged records that carry id.
	Lookup(id evidence.Identifier) (records []string, err error)
	// LinkingTo lists the merged records with a link whose target is id.
	LinkingTo(id evidence.Identifier) (records []string, err error)
	// Answer returns the topic's newest answer.
	Answer(topic string) (a evidence.Answer, ok bool, err error)
	// Judgement returns an earlier judgement under evidence.JudgementKey.
	Judgement(key string) (j evidence.Judgement, ok bool, err error)
}

// Prefetcher is a View over a network that can load what will be read beforehand. Its answers are the same.
type Prefetcher interface {
	View
	Prefetch(wanted func() evidence.Wanted) error // called only where it helps
}

// Store is what a run writes to. A Batch is one transaction: all or nothing. Reading must be safe while another
// goroutine commits or publishes.
type Store interface {
	View
	Commit(ctx context.Context, b evidence.Batch) error
	// Turn runs f while no one else writes to the store, on all that was written: what f reads is still true when it
	// commits. f must use the context that it receives.
	Turn(ctx context.Context, f func(ctx context.Context) error) error
	// Publish makes committed data visible to readers, and returns the generation's number.
	Publish(ctx context.Context) (generation int, err error)
}

// Library is a Store whose contents can be listed, as a run's nightly sweep and the correction of answers need it.
type Library interface {
	Store
	// Records iterates over all merged records, and ends at the first error. The store may be read meanwhile, not written.
	Records(ctx context.Context) iter.Seq2[evidence.Record, error]
	// TopicIDs lists the topics that have an answer, in order; Topics lists their summaries.
	TopicIDs() ([]string, error)
	Topics() ([]evidence.TopicInfo, error)
	// CuratedFile returns the file of curators' statements, with all of them; ok is false where there is none.
	CuratedFile() (file evidence.CuratedFile, ok bool, err error)
}

// Stage is a stage of a topic's processing.
type Stage string

// The stages, in order. A topic ends with one of the last three.
const (
	StageSearch Stage = "search" // steps 1 and 2
	StageJoin   Stage = "join"   // steps 2b and 3
	StageScreen Stage = "screen" // step 4
	StageSample Stage = "sample" // steps 5 and 6
	StageDone   Stage = "done"
	StageFailed Stage = "failed"
	StageLeft   Stage = "left" // to another run, which shares the night
)

// Event is a run's progress on a topic.
type Event struct {
	Topic   string
	Stage   Stage
	Done    int // within the stage: records screened so far
	Of      int
	Message string // a sentence for the log; may be empty
}

// Progress receives events; it must not block, and may be called from several goroutines.
type Progress interface {
	Topic(Event)
	Published(generation int)
}

// NoProgress ignores all events.
type NoProgress struct{}

// Topic does nothing.
func (NoProgress) Topic(Event) {}

// Published does nothing.
func (NoProgress) Published(int) {}

// Settings are the configuration's numbers that the steps need.
type Settings struct {
	// no broader layer is asked if so many papers pass by the rules; 1: if a source of papers finds MinHits
	Enough        int
	MinHits       int           // with fewer hits of a source of papers a broader layer is asked in any case
	PassScore     float64       // a record passes at this score
	ReplanAfter   time.Duration // how long an accepted query is reused
	SearchTimeout time.Duration // of one source
	FetchTimeout  time.Duration // of one fetch of up to 200 records
	ModelRequired bool          // a topic that its model could not screen fails, and keeps its last answer
	// the most records that a source is asked about in one night's sweep; 0: each source's own limit
	SweepLimit int
}

// enough is Enough, at least 1.
func (s *Settings) enough() int { return max(s.Enough, 1) }

// DefaultSettings are those of an empty configuration.
func DefaultSettings() Settings {
	return Settings{
		Enough: 20, MinHits: 1, PassScore: 5, ReplanAfter: 30 * 24 * time.Hour,
		SearchTimeout: 30 * time.Second, FetchTimeout: 60 * time.Second,
	}
}
