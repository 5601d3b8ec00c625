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

// BeginOptions says who writes and how.
type BeginOptions struct {
	Owner  string           // the program, for LOCK and the manifest: "indexer run"
	Keep   int              // how many published generations stay; 3 where it is 0
	Now    func() time.Time // the clock; time.Now where it is nil
	Logger *slog.Logger     // nil logs nothing
	Texts  Texts            // how full texts are written; where it is nil, none can be
	Holds  string           // what the records are; empty: papers and trials
	// Shard, where it is not all topics, has the Writer share a generation with the writers of the other shards, on a
	// cluster. In a folder there is one Writer at a time, whatever its share.
	Shard evidence.Shard

	step    func(name string) // called at each point where a crash is worth trying, in tests
	lease   time.Duration     // on a cluster, in tests; the usual one where it is 0
	wait    time.Duration     // for a turn on a cluster, in tests; the usual one where it is 0
	textLag int               // in tests, after how many changes the full text follows; defaultTextLag where it is 0

	largeDatabase int64 // in tests, from which size a database gets changes; largeDatabase where it is 0
}

const defaultKeep = 3

func (o BeginOptions) filled() BeginOptions {
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

// Writer is the one writer of a store. It reads the current generation until the first Commit, which copies it into
// building/; from then on it reads and writes that copy, until Publish makes it the current generation. Writer is safe
// for concurrent use; commits follow one another.
//
// Its methods SourceRecord, ByIdentifier, ByTitle and RecordOf are what package identity asks.
type Writer struct {
	reading
	layout  layout
	options BeginOptions
	backend generationStore
	where   string // the store is, in what is told

	writing  sync.Mutex // one Commit, Search, Publish or Close at a time; taken before reading.mu
	building bool       // the view is in building/
	follower *follower  // brings the full text up to date in the background; nil where none does
	followed time.Time  // when its last round began, or the Writer
}

// generationStore keeps the generations that a Writer writes: folders does. Its methods are called with Writer.writing
// held, and have the Writer go on with another view where they open one.
type generationStore interface {
	// turn runs f while no other Writer writes to the generation, and is not called with Writer.writing held.
	turn(ctx context.Context, f func(ctx context.Context) error) error
	// startBuilding has what is committed go into a copy of the current generation; it does nothing where that is so.
	startBuilding(ctx context.Context) error
	// publish makes the copy under way the current generation.
	publish(ctx context.Context) error
	// prune removes old generations, never the current one.
	prune(ctx context.Context, current int) error
	// release lets others write.
	release() error
	// explain says more of an error that keeping a generation may give.
	explain(err error) error
}

func newWriter(dir string, options BeginOptions) *Writer {
	w := &Writer{layout: layout{dir: dir}, options: options.filled(), where: "in " + dir}
	w.followed = w.options.Now()
	w.ask()
	return w
}

// Begin takes the store's lock, makes the store where dir has none, finishes what a crash interrupted and takes up what
// it left in building/. Judgements that only an abandoned copy holds (one that is damaged, or that a rollback has left
// behind) are taken over.
//
// The error is a *LockedError while another process writes.
func (f Folder) Begin(ctx context.Context, options BeginOptions) (*Writer, error) {
	w := newFolders(string(f), options)
	if err := w.layout.create(); err != nil {
		return nil, w.explain(err)
	}

	lock, err := takeLock(ctx, w.layout, w.options)
	if err != nil {
		return nil, err
	}

	w.lock = lock
	if err := w.takeUp(ctx); err != nil {
		return nil, errors.Join(w.explain(err), w.Close())
	}
	w.warnOfRoom()
	return w.Writer, nil
}

// Commit writes a batch: all of it or nothing. When it returns nil the batch survives a power cut. The full text
// follows in the background once there is enough for it to do, and at the latest with Search and Publish. Where it
// could not follow earlier commits the error says so; the batch is committed all the same, and the text catches up with
// the next Commit, Search, Publish or Begin.
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

	err := w.use(func(v *view) error {
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

	if err := w.letTextFollow(ctx); err != nil && ctx.Err() == nil {
		return w.backend.explain(fmt.Errorf("the batch is committed, but the full text lacks records: %w", err))
	}
	w.options.step("commit: done")
	return nil
}

// commitTo commits to the view's database, and hands its text the changes.
func (w *Writer) commitTo(ctx context.Context, v *view, batch *evidence.Batch, mark uint64) error {
	var changes database.Changes

	err := v.db.Commit(ctx, batch, v.about.numbers(), mark, func(made database.Changes) {
		changes = made
		w.options.step("commit: before the transaction ends")
	})
	if err == nil && v.db.IsFile() { // on a cluster others may have changed the same records since
		v.handed.add(changes)
	}
	return err
}

// Turn runs f while no other Writer writes to the generation, on all that was committed to it: what f reads holds for
// what it commits. A Writer that shares its generation waits for its turn, and does the same for each Commit outside of
// one; others have no need to. Within f, and in no other goroutine, the context that f gets is used.
func (w *Writer) Turn(ctx context.Context, f func(ctx context.Context) error) error {
	return w.backend.turn(ctx, f)
}

// Search looks through the full text of all that is committed.
func (w *Writer) Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error) {
	if err := w.backend.turn(ctx, w.completeText); err != nil {
		return fulltext.Result{}, w.backend.explain(fmt.Errorf("bringing the full text up to date: %w", err))
	}
	return w.reading.Search(ctx, req)
}

// completeText brings the text up to date before it is asked.
func (w *Writer) completeText(ctx context.Context) error {
	w.writing.Lock()
	defer w.writing.Unlock()

	if !w.building {
		return nil // a published generation is complete
	}
	_ = w.follower.stop() // what it left undone, whyever, is tried again
	w.follower = nil
	return w.use(func(v *view) error { return v.catchUp(ctx) })
}

// Close lets go of the store. What was committed and not published stays in building/ for the next Begin.
func (w *Writer) Close() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_ = w.follower.stop() // the next Begin goes on from the text's mark
	w.follower = nil
	err := errors.Join(w.replace(nil), w.backend.release())
	w.building = false
	return err
}

// goOn reads, and where it is in building/ writes, another view from now on.
func (w *Writer) goOn(next *view, building bool) error {
	w.building = building
	return w.replace(next)
}
