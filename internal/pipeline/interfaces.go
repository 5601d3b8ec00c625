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

// Source is a literature source or registry, as internal/source says it behaves.
type Source interface {
	Name() evidence.SourceName
	Search(ctx context.Context, q source.Query) (source.Result, error)
}

// Fetcher is a Source that is asked for records by their ids: where its searches name them alone, or a live answer
// does.
type Fetcher interface {
	Source
	// Fetch gets the records with the ids of a Result. What it cannot get is among the problems; the error says that
	// nothing could be had.
	Fetch(ctx context.Context, ids []string) (source.Batch, error)
}

// Sweeper is a Source that can say which of the records that the store holds have changed since.
type Sweeper interface {
	// Changed gives the source's records of those papers among ids that changed since then; where the source cannot
	// tell, all that it has. What it does not have is no problem. On an error the batch holds what was had before it,
	// and all of ids are asked about again.
	Changed(ctx context.Context, ids []evidence.Identifier, since time.Time) (source.Batch, error)
}

// Lookup is a service that is asked about the store's own papers, and searches nothing.
type Lookup interface {
	Name() evidence.SourceName
	Sweeper
}

// RetractionFinder is a Sweeper that can say which papers are retracted, however long ago.
type RetractionFinder interface {
	Fetcher
	Retracted(ctx context.Context, ids []evidence.Identifier) ([]evidence.Identifier, error)
}

// Planner turns a question into step 1's layers.
type Planner interface {
	// Name is what an accepted query is "by": "rules", or the model's name.
	Name() string
	// Readable is nil where the planner can plan for all of the question; else an ErrUnreadable that says for what it
	// cannot.
	Readable(q *lexicon.Question) error
	// Layer builds layer n (1 to 4), knowing why the earlier ones failed. The second value is false where there is no
	// such layer for the question, which is no error.
	Layer(ctx context.Context, q *lexicon.Question, n int, failed []evidence.FailedQuery) (boolean.Query, bool, error)
}

// Judge is a model that screens. A nil Judge means that the rules do.
type Judge interface {
	// Model and Prompt name the judge; with question and content they make a judgement's key.
	Model() string
	Prompt() string
	// Judge assesses records for a question in batches of its own, and hands over each reply's assessments together as
	// they come, by one goroutine at a time, so that none that was paid for is lost. What a record did to a reply shows in
	// the others' assessments, so that no call of each holds those of two replies. It sets Record, Relevant, Score,
	// StudyType, Criteria and KeyFindings. A record that gets no assessment is no error here; an error says that the
	// rest could not be judged. It stops when each fails.
	Judge(ctx context.Context, question string, records []evidence.Record, each func([]evidence.Assessment) error) error
}

// Meter counts what planning and judging cost, by topic. A nil Meter: nothing is counted.
type Meter interface {
	// For marks ctx, so that what a Planner or a Judge spends with it is counted under topic.
	For(ctx context.Context, topic string) context.Context
	// Topic is what was spent on a topic so far.
	Topic(id string) evidence.Usage
}

// Audit keeps a log of what goes out. A nil Audit: none is kept.
type Audit interface {
	// Begin writes down that a question, or with none the check of the store's papers, is about to go to the services, a
	// model or both. Its error keeps it from going.
	Begin(question string, services, model bool) (Request, error)
}

// Request is something on its way out.
type Request interface {
	// Counting marks ctx, so that requests made with it are counted.
	Counting(ctx context.Context) context.Context
	// End writes down what went out.
	End() error
}

// View is what is read of a store: that of the writer while it builds, or a published generation.
type View interface {
	identity.Index
	// Record gives a merged record, following redirects, with what curators say of it; ok is false where there is none.
	Record(id string) (r evidence.Record, ok bool, err error)
	// Curated gives what curators say of the papers with these identifiers, in the order of evidence.CompareCurated.
	Curated(ids []evidence.Identifier) ([]evidence.CuratedStatement, error)
	// Lookup lists the merged records that carry id.
	Lookup(id evidence.Identifier) (records []string, err error)
	// LinkingTo lists the merged records with a link whose target is id.
	LinkingTo(id evidence.Identifier) (records []string, err error)
	// Answer is the topic's newest one.
	Answer(topic string) (a evidence.Answer, ok bool, err error)
	// Judgement is what has been judged before under evidence.JudgementKey.
	Judgement(key string) (j evidence.Judgement, ok bool, err error)
}

// Prefetcher is a View that is asked over a network, and would rather be told beforehand what it is going to be asked.
// What it answers is the same.
type Prefetcher interface {
	View
	Prefetch(wanted func() evidence.Wanted) error // which is called where it is of use
}

// Store is what a run writes to. A Batch is one transaction: all of it or nothing. It must be safe for reading while
// another goroutine commits or publishes.
type Store interface {
	View
	Commit(ctx context.Context, b evidence.Batch) error
	// Turn runs f while nobody else writes to the store, on all that was written: what f reads holds for what it commits.
	// Within f, the context that it gets is used.
	Turn(ctx context.Context, f func(ctx context.Context) error) error
	// Publish makes what was committed visible to readers, and tells the generation's number.
	Publish(ctx context.Context) (generation int, err error)
}

// Library is a Store whose contents can be listed, as a run's nightly sweep and the correction of answers need it.
type Library interface {
	Store
	// Records walks over all merged records, and ends at the first error. The store may be read on the way, not written.
	Records(ctx context.Context) iter.Seq2[evidence.Record, error]
	// TopicIDs lists the topics that have an answer, in order; Topics what lists say of them.
	TopicIDs() ([]string, error)
	Topics() ([]evidence.TopicInfo, error)
	// CuratedFile is the file that curators' statements come from, with all of them; ok is false where there is none.
	CuratedFile() (file evidence.CuratedFile, ok bool, err error)
}

// Stage is a part of a topic's way.
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

// Event tells how a run gets on.
type Event struct {
	Topic   string
	Stage   Stage
	Done    int // within the stage: records screened so far
	Of      int
	Message string // a sentence for the log; may be empty
}

// Progress is told what happens; it must not block, and may be called by several goroutines.
type Progress interface {
	Topic(Event)
	Published(generation int)
}

// NoProgress is the Progress that tells nobody.
type NoProgress struct{}

// Topic does nothing.
func (NoProgress) Topic(Event) {}

// Published does nothing.
func (NoProgress) Published(int) {}

// Settings are the configuration's numbers that the steps need.
type Settings struct {
	// no broader layer is asked when as many papers pass by the rules; 1: when a source of papers finds MinHits
	Enough        int
	MinHits       int           // below so many hits of a source of papers a broader layer is asked in any case
	PassScore     float64       // a record passes at this score
	ReplanAfter   time.Duration // how long an accepted query is used again
	SearchTimeout time.Duration // of one source
	FetchTimeout  time.Duration // of one fetch of up to 200 records
	ModelRequired bool          // a topic that its model could not screen fails, and its last answer stands
	// the most records that a source is asked about in one night's sweep; 0: each source's own limit
	SweepLimit int
}

// enough is Enough, at least 1.
func (s *Settings) enough() int { return max(s.Enough, 1) }

// DefaultSettings are those of a configuration that says nothing.
func DefaultSettings() Settings {
	return Settings{
		Enough: 20, MinHits: 1, PassScore: 5, ReplanAfter: 30 * 24 * time.Hour,
		SearchTimeout: 30 * time.Second, FetchTimeout: 60 * time.Second,
	}
}
