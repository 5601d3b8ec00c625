package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

// BeginOptions configures a Writer.
type BeginOptions struct {
	Owner  string           // the program, for LOCK and the manifest: "indexer run"
	Keep   int              // how many published generations are kept; 0 means 3
	Now    func() time.Time // the clock; nil means time.Now
	Logger *slog.Logger     // nil logs nothing
	Texts  Texts            // how full texts are written; nil means they can't be
	Holds  string           // the kind of records; empty means papers and trials
	// Shard, unless it is all topics, makes the Writer share a generation with the other shards' writers on a
	// cluster. A folder has one Writer at a time regardless of shards.
	Shard evidence.Shard

	step    func(name string) // in tests, called at each point where a crash is tested
	lease   time.Duration     // in tests, on a cluster; 0 means the usual one
	wait    time.Duration     // in tests, for a turn on a cluster; 0 means the usual one
	textLag int               // in tests, after how many changes the full text follows; 0 means defaultTextLag

	largeDatabase int64 // in tests, from which size a database gets changes; 0 means largeDatabase
}

const defaultKeep = 3

func (o BeginOptions) withDefaults() BeginOptions {
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}

	if o.Now == nil {
		o.Now = time.Now
	}

	if o.Texts == nil {
		o.Texts = noTexts{}
	}

	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.step == nil {
		o.step = func(string) {}
	}

	if o.textLag <= 0 {
		o.textLag = defaultTextLag
	}

	if o.largeDatabase <= 0 {
		o.largeDatabase = largeDatabase
	}
	return o
}

// Writer is the single writer of a store. It reads the current generation until the first Commit, which copies it into
// building/; from then on it reads and writes that copy, until Publish makes it the current generation. Writer is safe
// for concurrent use; commits run one after another.
//
// Package identity uses its methods SourceRecord, ByIdentifier, ByTitle and RecordOf.
type Writer struct {
	querier
	layout  layout
	options BeginOptions
	backend generationStore
	where   string // the store's location, for messages

	writing  sync.Mutex // one Commit, Search, Publish or Close at a time; taken before reading.mu
	building bool       // the view is in building/
	follower *follower  // brings the full text up to date in the background; may be nil
	followed time.Time  // when the follower's last round, or the Writer, began
}

// generationStore keeps the generations that a Writer writes. Its methods are called with Writer.writing held, and
// switch the Writer to another view if they open one.
type generationStore interface {
	// turn runs f while no other Writer writes to the generation. It is called without Writer.writing held.
	turn(ctx context.Context, f func(ctx context.Context) error) error
	// startBuilding makes sure that commits go into a copy of the current generation.
	startBuilding(ctx context.Context) error
	// publish makes the copy under way the current generation.
	publish(ctx context.Context) error
	// prune removes old generations, never the current one.
	prune(ctx context.Context, current int) error
	// release lets other processes write.
	release() error
	// explain adds details to an error of this backend.
	explain(err error) error
}

func newWriter(dir string, options BeginOptions) *Writer {
	w := &Writer{layout: layout{dir: dir}, options: options.withDefaults(), where: "in " + dir}
	w.followed = w.options.Now()
	w.bindQueries()
	return w
}

// Begin takes the store's lock, creates the store if dir has none, finishes what a crash interrupted and continues
// what it left in building/. It takes over judgements that are only in an abandoned copy, which is damaged or left
// behind by a rollback.
//
// The error is a *LockedError while another process writes.
func (f Folder) Begin(ctx context.Context, options BeginOptions) (*Writer, error) {
	w := newFolderBackend(string(f), options)
	if err := w.layout.create(); err != nil {
		return nil, w.explain(err)
	}

	lock, err := takeLock(ctx, w.layout, w.options)
	if err != nil {
		return nil, err
	}

	w.lock = lock
	if err := w.recoverAndOpen(ctx); err != nil {
		return nil, errors.Join(w.explain(err), w.Close())
	}
	w.warnLowSpace()
	return w.Writer, nil
}

// Commit writes a batch: all of it or nothing. When it returns nil the batch survives a power cut. The full text
// follows in the background once there is enough to index, and at the latest with Search and Publish. If the text
// could not follow earlier commits the error reports that; the batch is committed nevertheless, and the text catches
// up with the next Commit, Search, Publish or Begin.
func (w *Writer) Commit(ctx context.Context, batch evidence.Batch) error {
	if batch.Empty() {
		return nil
	}

	if err := database.Validate(&batch); err != nil {
		return fmt.Errorf("committing to the store: %w", err)
	}
	return w.backend.turn(ctx, func(ctx context.Context) error { return w.commit(ctx, batch) })
}

func (w *Writer) commit(ctx context.Context, batch evidence.Batch) error {
	w.writing.Lock()
	defer w.writing.Unlock()

	if err := w.backend.startBuilding(ctx); err != nil {
		return w.backend.explain(err)
	}

	err := w.withView(func(v *view) error {
		mark, err := v.textMark()
		if err == nil {
			err = w.commitTo(ctx, v, &batch, mark)
		}

		if err != nil {
			return fmt.Errorf("committing to generation %d: %w", v.about.Number, err)
		}
		return nil
	})
	if err != nil {
		return w.backend.explain(err)
	}
	w.options.step("commit: before the text")

	if err := w.followIfDue(ctx); err != nil && ctx.Err() == nil {
		return w.backend.explain(fmt.Errorf("the batch is committed, but the full text lacks records: %w", err))
	}
	w.options.step("commit: done")
	return nil
}

// commitTo commits to the view's database, and passes the changes to its text.
func (w *Writer) commitTo(ctx context.Context, v *view, batch *evidence.Batch, mark uint64) error {
	var changes database.Changes

	err := v.db.Commit(ctx, batch, v.about.numbers(), mark, func(made database.Changes) {
		changes = made
		w.options.step("commit: before the transaction ends")
	})
	if err == nil && v.db.IsFile() { // on a cluster, other writers may have changed the same records since
		v.recent.add(changes)
	}
	return err
}

// Turn runs f while no other Writer writes to the generation: what f reads is still valid when it commits. A Writer
// that shares its generation waits for its turn, and each Commit outside a turn takes one of its own; for other
// Writers it only runs f. The context that f gets must be used within f, and in no other goroutine.
func (w *Writer) Turn(ctx context.Context, f func(ctx context.Context) error) error {
	return w.backend.turn(ctx, f)
}

// Search searches the full text of all that is committed.
func (w *Writer) Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error) {
	if err := w.backend.turn(ctx, w.completeText); err != nil {
		return fulltext.Result{}, w.backend.explain(fmt.Errorf("bringing the full text up to date: %w", err))
	}
	return w.querier.Search(ctx, req)
}

// completeText brings the text up to date before a search.
func (w *Writer) completeText(ctx context.Context) error {
	w.writing.Lock()
	defer w.writing.Unlock()

	if !w.building {
		return nil // a published generation is complete
	}
	_ = w.follower.stop() // catchUp retries what it left undone
	w.follower = nil
	return w.withView(func(v *view) error { return v.catchUp(ctx) })
}

// Close releases the store. What was committed and not published stays in building/ for the next Begin.
func (w *Writer) Close() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_ = w.follower.stop() // the next Begin continues from the text's mark
	w.follower = nil
	err := errors.Join(w.replace(nil), w.backend.release())
	w.building = false
	return err
}

// switchTo makes the Writer read, and if building write, another view.
func (w *Writer) switchTo(next *view, building bool) error {
	w.building = building
	return w.replace(next)
}
