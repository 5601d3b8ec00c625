package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/mesh"
	"dossier/internal/pipeline"
	"dossier/internal/store"
)

// OpenStore opens the current generation for reading.
func (a *App) OpenStore(ctx context.Context) (*store.Reader, error) {
	reader, err := store.Open(ctx, a.Config.Data, store.OpenOptions{})
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, &ExitError{Code: ExitNoStore, Err: fmt.Errorf("no store in %s, which is no folder; check --data", a.Config.Data)}
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w; readers need to read and list every folder of the store", err)
	}
	return reader, err
}

// WithReader checks a reading command's --format, loads its configuration, and opens the store for as long as read runs.
// Where none can be opened, reader is nil and missing says why.
func WithReader(
	cmd *cobra.Command, s Streams, format string, formats []string,
	read func(app *App, reader *store.Reader, missing error) error,
) (err error) {
	if err := CheckFormat(format, formats...); err != nil {
		return err
	}
	app, err := Load(cmd, s)
	if err != nil {
		return err
	}
	reader, missing := app.OpenStore(cmd.Context())
	if missing != nil {
		return read(app, nil, missing)
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return read(app, reader, nil)
}

// softMemory is where the collector begins to work for a writing command's memory; else the heap grows to twice of what
// is in use. An import needs some 300 MB however many records it reads, most of them to index a batch.
const softMemory = 400 << 20

// BeginStore takes the store's lock for a writing command, named owner in what others are told.
func (a *App) BeginStore(ctx context.Context, owner string) (*store.Writer, error) {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT sets another
		debug.SetMemoryLimit(softMemory)
	}
	return store.Begin(ctx, a.Config.Data, a.BeginOptions(owner))
}

// BeginOptions are the configuration's, for a command named owner.
func (a *App) BeginOptions(owner string) store.BeginOptions {
	return store.BeginOptions{Owner: owner, Keep: a.Config.Store.KeepGenerations, Now: a.Now, Logger: a.Log}
}

// OpenPublished opens the current generation for the source "local" while the next one is built: what a run finds must not depend
// on how far its other topics have come. The store is nil where nothing was published yet.
func (a *App) OpenPublished(ctx context.Context) (published Reading, closing func() error, err error) {
	reader, err := a.OpenStore(ctx)
	if errors.Is(err, store.ErrNoStore) {
		return nil, func() error { return nil }, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return reader, reader.Close, nil
}

// Reading is what a store's reader and writer have in common, as far as the pipeline and the local source need it.
type Reading interface {
	SourceRecord(originKey string) (evidence.Record, bool, error)
	ByIdentifier(evidence.Identifier, evidence.Span) ([]string, error)
	ByTitle(titleKey string, span evidence.Span) ([]string, error)
	RecordOf(originKey string) (string, []string, bool, error)
	Record(id string) (evidence.Record, error)
	Lookup(evidence.Identifier) ([]string, error)
	LinkingTo(evidence.Identifier) ([]string, error)
	Curated([]evidence.Identifier) ([]evidence.CuratedStatement, error)
	Answer(topicID string) (evidence.Answer, error)
	Judgement(key string) (evidence.Judgement, bool, error)
	Search(context.Context, fulltext.Request) (fulltext.Result, error)
}

// View shows a store to the pipeline, which tells "not there" by a flag and not by an error.
type View struct{ Reading }

// NewView shows a reader of the store.
func NewView(r *store.Reader) View { return View{r} }

// Record gives a merged record, following redirects.
func (v View) Record(id string) (evidence.Record, bool, error) {
	return found(v.Reading.Record(id))
}

// Answer gives a topic's newest answer.
func (v View) Answer(topic string) (evidence.Answer, bool, error) {
	return found(v.Reading.Answer(topic))
}

func found[T any](value T, err error) (T, bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		var none T
		return none, false, nil
	}
	return value, err == nil, err
}

// writable is a View that the pipeline may write to.
type writable struct {
	View
	w *store.Writer
}

// NewStore shows a writer of the store to the pipeline.
func NewStore(w *store.Writer) pipeline.Library { return writable{View{w}, w} }

func (s writable) Commit(ctx context.Context, b evidence.Batch) error { return s.w.Commit(ctx, b) }

func (s writable) Publish(ctx context.Context) (int, error) {
	published, err := s.w.Publish(ctx)
	return published.Number, err
}

func (s writable) Records(ctx context.Context) iter.Seq2[evidence.Record, error] {
	return s.w.Records(ctx)
}

func (s writable) CuratedFile() (evidence.CuratedFile, bool, error) { return s.w.CuratedFile() }

func (s writable) TopicIDs() ([]string, error) {
	topics, err := s.w.Topics()
	ids := make([]string, len(topics))
	for i, topic := range topics {
		ids[i] = topic.ID
	}
	return ids, err
}

// localStore lets the source "local" search a store by a query's tree. Without a store there is nothing to find.
type localStore struct {
	Reading
	headings func(boolean.Node) (*mesh.Resolved, error)
}

func (s localStore) SearchNode(ctx context.Context, node boolean.Node, from, to evidence.Date, limit int) (ids []string, total int, err error) {
	if s.Reading == nil {
		return nil, 0, nil
	}
	resolved, err := s.headings(node)
	if err != nil {
		return nil, 0, err
	}
	req := fulltext.Request{Node: node, Limit: limit, Filter: fulltext.Filter{YearFrom: from.Year(), YearTo: to.Year()}}
	if resolved != nil {
		req.Headings = resolved.Terms
	}
	result, err := s.Search(ctx, req)
	if err != nil {
		return nil, 0, err
	}
	for _, hit := range result.Hits {
		ids = append(ids, hit.ID)
	}
	return ids, int(result.Total), nil
}
