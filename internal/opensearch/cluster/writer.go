package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/segments"
	"dossier/internal/opensearch"
	"dossier/internal/opensearch/generations"
)

// Writer is the one writer of a store. It reads the current generation until the first Commit, which begins a copy of
// it; from then on it reads and writes that, until Publish makes it the current one. It is safe for concurrent use;
// commits follow one another.
type Writer struct {
	reading
	ctx         context.Context // of all that is read
	client      *opensearch.Client
	options     Options
	generations *generations.Writer

	writing sync.Mutex // one Commit, Search, Publish or Close at a time
}

// Begin takes the store's lease, makes the store where there is none, and takes up what the last writer left. The error
// is a *generations.LockedError while another writes. What is read ends with ctx.
func Begin(ctx context.Context, client *opensearch.Client, options Options) (*Writer, error) {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	g, err := storeOf(client, options).Begin(ctx)
	if err != nil {
		return nil, err
	}
	w := &Writer{ctx: ctx, client: client, options: options, generations: g}
	w.ask()
	from, building := g.Building()
	if !building {
		from = g.Current()
	}
	if from.Number == 0 { // of a store that is new
		from, err = g.Start(ctx)
	}
	if err == nil {
		err = w.open(from)
	}
	if err != nil {
		return nil, errors.Join(err, g.Close(context.WithoutCancel(ctx)))
	}
	return w, nil
}

func (w *Writer) open(g generations.Generation) error {
	v, err := openView(w.ctx, w.client, g)
	if err != nil {
		return fmt.Errorf("opening generation %d: %w", g.Number, err)
	}
	return w.replace(v)
}

// Close lets go of the store. What was committed and not published stays for the next Begin.
func (w *Writer) Close(ctx context.Context) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	return errors.Join(w.replace(nil), w.generations.Close(ctx))
}

// start has the Writer write to a generation that is being built.
func (w *Writer) start(ctx context.Context) error {
	if _, is := w.generations.Building(); is {
		return nil
	}
	g, err := w.generations.Start(ctx)
	if err != nil {
		return err
	}
	return w.open(g)
}

// Prefetch brings what is about to be asked about incoming records.
func (w *Writer) Prefetch(wanted evidence.Wanted) error {
	return w.use(func(v *view) error { return v.db.Prefetch(wanted) })
}

func (v *view) numbers() database.Numbers {
	return database.Numbers{Number: v.about.Number, Parent: v.about.Parent}
}

// textLag is after how many changes the full text follows.
const textLag = 2000

// Commit writes a batch: all of it or nothing. Where the cluster failed on the way, the next Commit or the next writer
// settles which.
func (w *Writer) Commit(ctx context.Context, batch evidence.Batch) error {
	if batch.Empty() {
		return nil
	}
	if err := database.Validate(&batch); err != nil {
		return fmt.Errorf("committing to the store: %w", err)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if err := w.start(ctx); err != nil {
		return err
	}
	return w.use(func(v *view) error {
		mark, err := v.text.Mark()
		if err == nil {
			err = v.db.Commit(ctx, &batch, v.numbers(), mark, func() {})
		}
		if err != nil {
			return fmt.Errorf("committing to generation %d: %w", v.about.Number, err)
		}
		progress, err := v.db.Progress()
		if err == nil && progress.Sequence >= mark+textLag {
			err = v.follow(ctx)
		}
		if err != nil {
			return fmt.Errorf("the batch is committed, but the full text lacks records: %w", err)
		}
		return nil
	})
}

// follow gives the full text every change that it lacks. One that lacks what is no longer listed, as a new one does, is
// made of all records.
func (v *view) follow(ctx context.Context) error {
	mark, err := v.text.Mark()
	if err != nil {
		return err
	}
	progress, err := v.db.Progress()
	if err != nil {
		return err
	}
	if mark < progress.Settled {
		return v.fill(ctx, progress.Sequence)
	}
	for {
		changes, last, err := v.db.Pending(mark, textLag)
		if err != nil || last == mark {
			return err
		}
		ops := make([]segments.Op, len(changes))
		for i, c := range changes {
			ops[i] = segments.Op(c)
		}
		if err := v.text.Apply(ctx, ops, last); err != nil {
			return err
		}
		mark = last
	}
}

// fill gives the full text all records, and then the mark.
func (v *view) fill(ctx context.Context, mark uint64) error {
	var ops []segments.Op
	for record, err := range v.db.Records(ctx) {
		if err != nil {
			return err
		}
		ops = append(ops, segments.Op{ID: record.ID, Record: &record})
		if len(ops) == textLag {
			if err := v.text.Apply(ctx, ops, 0); err != nil {
				return err
			}
			ops = nil
		}
	}
	return v.text.Apply(ctx, ops, mark)
}

// Search looks through the full text of all that is committed.
func (w *Writer) Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error) {
	w.writing.Lock()
	err := w.use(func(v *view) error {
		if v.about.State != generations.Building {
			return nil
		}
		return v.follow(ctx)
	})
	w.writing.Unlock()
	if err != nil {
		return fulltext.Result{}, fmt.Errorf("bringing the full text up to date: %w", err)
	}
	return w.reading.Search(ctx, req)
}

// Publish makes what was committed the current generation, for all readers at once, and prunes old ones. With nothing
// committed it tells the current one's number; the first of a new store is published even empty.
func (w *Writer) Publish(ctx context.Context) (number int, err error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	if _, is := w.generations.Building(); !is {
		return w.generations.Current().Number, nil
	}
	about := About{Schema: database.CurrentSchema}
	err = w.use(func(v *view) error {
		if err := v.follow(ctx); err != nil {
			return fmt.Errorf("bringing the full text up to date: %w", err)
		}
		mark, err := v.text.Mark()
		if err == nil {
			err = v.db.Settle(v.numbers(), mark)
		}
		if err == nil {
			err = v.tables.DropJournal(ctx)
		}
		if err == nil {
			about.Counts, err = v.db.Counts()
		}
		if err == nil {
			err = v.text.Merge(ctx, 1)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	g, err := w.generations.Publish(ctx, about, func(ctx context.Context, _ generations.Generation) error {
		return w.use(func(v *view) error { return v.check(ctx) })
	})
	if err != nil {
		return 0, err
	}
	w.options.Logger.Info("published", "generation", g.Number, "records", about.Counts.Records)
	if err := w.open(g); err != nil {
		return 0, err
	}
	if _, err := w.generations.Prune(ctx, w.options.keep()); err != nil { // that they stay is no reason to fail
		w.options.Logger.Warn("old generations could not be removed", "reason", err)
	}
	return g.Number, nil
}

// ErrHasStore is given where a store would be made under a prefix that has one.
var ErrHasStore = errors.New("there is a store already")

// Fill publishes as the first generation what copyTo writes to an empty database.
func (w *Writer) Fill(ctx context.Context, copyTo func(to *database.DB) error) (About, error) {
	if g := w.generations.Current(); g.Number != 0 {
		return About{}, fmt.Errorf("filling the store %s: %w; name another store.index_prefix", w.client.Name(""),
			ErrHasStore)
	}
	if err := w.use(func(v *view) error { return copyTo(v.db) }); err != nil {
		return About{}, err
	}
	if _, err := w.Publish(ctx); err != nil {
		return About{}, err
	}
	_, about, err := w.Generation()
	return about, err
}
