package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext/segments"
	"dossier/internal/opensearch"
)

// Cluster is a store on OpenSearch: its generations are sets of indices, under the prefix in Config. Data outside
// generations (live answers that wait, kept replies) stays in a folder of this machine. It connects at the first
// request, and is safe for concurrent use.
type Cluster struct {
	Config opensearch.Config
	Dir    string // the folder of this machine
	ID     string // of this process; unique among writers

	mu     sync.Mutex
	client *opensearch.Client // nil until connected
}

var _ Place = (*Cluster)(nil)

// The parts of a generation on a cluster, each of which is an index.
const (
	recordsPart = "records"
	textPart    = "text"
)

func (c *Cluster) connect(ctx context.Context) (*opensearch.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.client != nil {
		return c.client, nil
	}

	client, err := opensearch.Connect(ctx, c.Config)
	if err == nil {
		c.client = client
	}
	return client, err
}

// generations returns the store's list of generations, configured by options.
func (c *Cluster) generations(ctx context.Context, options BeginOptions) (*opensearch.Store, error) {
	client, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	return opensearch.NewStore(client, opensearch.StoreOptions{
		Parts: []opensearch.Part{
			{Name: recordsPart, Create: opensearch.CreateTables},
			{Name: textPart, Create: func(ctx context.Context, client *opensearch.Client, index string) error {
				_, err := opensearch.CreateText(ctx, client, index)
				return err
			}},
		},
		Program: options.Owner, ID: c.ID, Clock: c.Config.Clock, Logger: options.Logger, Step: options.step,
		Shard: options.Shard.Number, Shards: options.Shard.Of, Lease: options.lease, Wait: options.wait,
	}), nil
}

// explainCluster translates the errors of package opensearch into this package's.
func explainCluster(err error) error {
	var locked *opensearch.LockedError
	switch {
	case errors.As(err, &locked):
		return &LockedError{Holder: Holder{Program: locked.Program, Since: locked.Since}}
	case errors.Is(err, opensearch.ErrTaken):
		return fmt.Errorf("%w: %w", evidence.ErrTaken, err)
	case errors.Is(err, opensearch.ErrEnded):
		return fmt.Errorf("%w: %w", evidence.ErrEnded, err)
	case errors.Is(err, opensearch.ErrNoStore):
		return fmt.Errorf("%w on the cluster under this store.index_prefix", ErrNoStore)
	case errors.Is(err, opensearch.ErrNoGeneration):
		return fmt.Errorf("%w: %w", ErrNoGeneration, err)
	}
	return err
}

// generationFrom converts a generation on the cluster, with the description that its manifest holds.
func generationFrom(g opensearch.Generation) (about Generation, err error) {
	if len(g.About) > 0 {
		if err := json.Unmarshal(g.About, &about); err != nil {
			return about, &files.DamageError{Path: fmt.Sprintf("generation %d", g.Number), Reason: "its manifest can't be read",
				Remedy: files.RemedyRollback, Err: err}
		}
	}
	about.Number, about.Parent = g.Number, g.Parent
	return about, nil
}

// clusterText is the full text of a generation on a cluster. The cluster checks its own sums, so Expect does nothing.
type clusterText struct{ *opensearch.Text }

func (clusterText) Expect(segments.BlockSums) {}

// openIndices opens both halves of a generation, for writing if it is being built. Reads of the records do not end
// with ctx.
func openIndices(
	ctx context.Context, client *opensearch.Client, g opensearch.Generation,
) (*view, *opensearch.Tables, error) {
	about, err := generationFrom(g)
	if err != nil {
		return nil, nil, err
	}
	building := g.State == opensearch.Building

	open := opensearch.OpenTables
	if building {
		open = opensearch.OpenTablesForWriting
	}

	entries, err := open(context.WithoutCancel(ctx), client, g.Indices[recordsPart], opensearch.TablesOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("opening generation %d: %w", g.Number, err)
	}

	db, err := database.On(entries, !building)
	if err != nil {
		return nil, nil, fmt.Errorf("opening generation %d: %w", g.Number, err)
	}

	text, err := opensearch.OpenText(ctx, client, g.Indices[textPart])
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("opening generation %d: %w", g.Number, err), db.Close())
	}
	return &view{path: g.Indices[textPart], db: db, text: clusterText{text}, about: about}, entries, nil
}

// reader opens a published generation.
func (c *Cluster) reader(ctx context.Context, g opensearch.Generation) (*Reader, error) {
	client, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}

	v, _, err := openIndices(ctx, client, g)
	if err != nil {
		return nil, err
	}

	if err := v.checkWhole(); err != nil {
		return nil, errors.Join(err, v.close())
	}
	r := &Reader{querier{view: v}}
	r.bindQueries()
	return r, nil
}

// clusterBackend keeps the generations that a Writer writes on a cluster.
type clusterBackend struct {
	*Writer
	client      *opensearch.Client
	generations *opensearch.Writer // nil once released
	entries     *opensearch.Tables // of the view
	turns       sync.Mutex         // one turn at a time, where the generation is shared; taken before Writer.writing
}

// Begin takes the store's lease, creates the store if there is none, and continues what the last writer left. It takes
// over the judgements that are only in generations that were set aside.
func (c *Cluster) Begin(ctx context.Context, options BeginOptions) (*Writer, error) {
	w, err := c.begin(ctx, options)
	if err != nil {
		return nil, err
	}

	if err := w.openForWriting(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}

	if err := w.takeOverAsides(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w.Writer, nil
}

func (c *Cluster) begin(ctx context.Context, options BeginOptions) (*clusterBackend, error) {
	w := &clusterBackend{Writer: newWriter(c.Dir, options)}
	w.where = "on the cluster"
	w.backend = w

	store, err := c.generations(ctx, w.options)
	if err != nil {
		return nil, err
	}

	if w.client, err = c.connect(ctx); err != nil {
		return nil, err
	}

	if w.generations, err = store.Begin(ctx); err != nil {
		return nil, explainCluster(err)
	}
	return w, nil
}

// openForWriting opens the generation under construction, else the current one, else a new first one. The text of an
// unfinished generation is brought up to date.
func (w *clusterBackend) openForWriting(ctx context.Context) error {
	g, building := w.generations.Building()

	var err error
	switch {
	case building:
	case w.generations.Current().Number != 0:
		g = w.generations.Current()
	default: // the first generation
		if g, err = w.generations.Start(ctx); err != nil {
			return explainCluster(err)
		}
	}

	if err := w.open(ctx, g); err != nil {
		return err
	}

	if building {
		if err := w.recoverIndex(ctx); err != nil {
			return err
		}
	}

	if w.isShared() {
		return explainCluster(w.generations.Leave(ctx, true)) // ends the turn that Begin started
	}
	return nil
}

// open switches the Writer to a generation.
func (w *clusterBackend) open(ctx context.Context, g opensearch.Generation) error {
	next, entries, err := openIndices(ctx, w.client, g)
	if err != nil {
		return err
	}
	w.entries = entries
	return w.switchTo(next, g.State == opensearch.Building)
}

// recoverIndex brings the text that an earlier writer left up to date, or rebuilds it if changes are lost.
func (w *clusterBackend) recoverIndex(ctx context.Context) error {
	err := w.withView(func(v *view) error { return v.catchUp(ctx) })
	if errors.Is(err, errTextLost) {
		return w.rebuildText(ctx, err)
	}
	return err
}

// rebuildText rebuilds the full text of the generation under construction, and logs the reason.
func (w *clusterBackend) rebuildText(ctx context.Context, reason error) error {
	w.options.Logger.Warn("building the full text again", "generation", w.view.about.Number, "reason", reason.Error())
	return w.fillText(ctx)
}

// fillText rebuilds the full text of the generation under construction from its records alone.
func (w *clusterBackend) fillText(ctx context.Context) error {
	return w.withView(func(v *view) error {
		if err := w.client.Delete(ctx, v.path); err != nil {
			return err
		}

		text, err := opensearch.CreateText(ctx, w.client, v.path)
		if err != nil {
			return err
		}
		v.text = clusterText{text}

		progress, err := v.db.Progress()
		if err != nil {
			return err
		}
		return v.fill(ctx, v.text, progress.Sequence)
	})
}

// takeOverAsides commits the judgements that are only in generations that were set aside.
func (w *clusterBackend) takeOverAsides(ctx context.Context) error {
	status, err := w.generations.Status(ctx)
	if err != nil {
		return explainCluster(err)
	}

	under, _ := w.generations.Building()
	for _, g := range status.Generations {
		if g.Number == under.Number || g.State == opensearch.Published && g.Number <= status.Current.Number {
			continue
		}

		donor, err := opensearch.OpenTables(ctx, w.client, g.Indices[recordsPart], opensearch.TablesOptions{})
		if err != nil {
			w.options.Logger.Warn("its judgements can't be read", "generation", g.Number, "reason", err.Error())
			continue
		}

		db, err := database.On(donor, true)
		if err != nil {
			w.options.Logger.Warn("its judgements can't be read", "generation", g.Number, "reason", err.Error())
			continue
		}

		err = w.judgementsMissing(ctx, db, fmt.Sprintf("generation %d", g.Number), func(missing []evidence.Judgement) error {
			return w.Commit(ctx, evidence.Batch{Judgements: missing})
		})
		if err := errors.Join(err, db.Close()); err != nil {
			return fmt.Errorf("taking over the judgements of generation %d: %w", g.Number, err)
		}
	}
	return nil
}

func (w *clusterBackend) startBuilding(ctx context.Context) error {
	if w.building {
		return nil
	}

	if w.isShared() {
		return explainCluster(opensearch.ErrEnded)
	}

	g, err := w.generations.Start(ctx)
	if err != nil {
		return explainCluster(err)
	}
	return w.open(ctx, g)
}

func (w *clusterBackend) publish(ctx context.Context) error {
	if w.isShared() && ctx.Value(turnKey{w}) == nil {
		return errNoTurn
	}

	about, err := w.prepare(ctx)
	if err != nil {
		return err
	}

	g, err := w.generations.Publish(ctx, about, func(ctx context.Context, _ opensearch.Generation) error {
		return w.withView(func(v *view) error {
			if err := v.checkText(); err != nil {
				return &files.DamageError{Path: v.path, Reason: "it does not agree with the records",
					Remedy: files.RemedyRebuildText, Err: err}
			}
			return v.db.CheckSample(ctx)
		})
	})
	if err != nil {
		return explainCluster(err)
	}
	w.options.Logger.Info("published", "generation", g.Number, "records", about.Counts.Records, "topics",
		about.Counts.Topics)
	return w.open(ctx, g)
}

// prepare brings the text up to date, settles the pending changes, and describes the generation to publish.
func (w *clusterBackend) prepare(ctx context.Context) (about Generation, err error) {
	err = w.withView(func(v *view) error {
		err := v.catchUp(ctx)
		if err == nil {
			err = v.checkText()
		}
		return err
	})
	if errors.Is(err, errTextLost) {
		err = w.rebuildText(ctx, err)
	}

	if err != nil {
		return about, err
	}
	err = w.withView(func(v *view) error {
		if err := v.text.Merge(ctx, maxSegments); err != nil {
			return err
		}

		mark, err := v.textMark()
		if err != nil {
			return err
		}

		if err := v.db.Settle(v.about.numbers(), mark); err != nil {
			return err
		}

		if err := w.entries.DropJournal(ctx); err != nil {
			return err
		}
		about = v.about
		about.Counts, err = v.db.Counts()
		return err
	})
	about.Program, about.Schema = w.options.Owner, database.CurrentSchema
	about.Built = w.buildTime(about)
	return about, err
}

func (w *clusterBackend) prune(ctx context.Context, _ int) error {
	pruned, err := w.generations.Prune(ctx, w.options.Keep)
	for _, number := range pruned {
		w.options.Logger.Info("removed an old generation", "generation", number)
	}
	return err
}

func (w *clusterBackend) release() error {
	if w.generations == nil {
		return nil
	}
	err := w.generations.Close(context.Background()) // bounded by the client's patience
	w.generations = nil
	return err
}

func (w *clusterBackend) explain(err error) error { return explainCluster(err) }

// Current returns the number of the generation that Open would open now.
func (c *Cluster) Current(ctx context.Context) (int, error) {
	g, err := c.current(ctx)
	return g.Number, err
}

func (c *Cluster) current(ctx context.Context) (opensearch.Generation, error) {
	store, err := c.generations(ctx, BeginOptions{})
	if err != nil {
		return opensearch.Generation{}, err
	}
	g, err := store.Current(ctx)
	return g, explainCluster(err)
}

// Open opens the generation that the aliases point to.
func (c *Cluster) Open(ctx context.Context) (*Reader, error) {
	for {
		g, err := c.current(ctx)
		if err != nil {
			return nil, err
		}

		reader, err := c.reader(ctx, g)
		if err == nil {
			return reader, nil
		}

		if now, currentErr := c.current(ctx); currentErr != nil || now.Number == g.Number {
			return nil, err // otherwise it was pruned in between: retry
		}
	}
}

// OpenGeneration opens one of the published generations that are kept.
func (c *Cluster) OpenGeneration(ctx context.Context, number int) (*Reader, error) {
	status, err := c.status(ctx)
	if err != nil {
		return nil, err
	}

	for _, g := range status.Generations {
		if g.Number == number && g.State == opensearch.Published {
			return c.reader(ctx, g)
		}
	}
	return nil, fmt.Errorf("generation %d: %w", number, ErrNoGeneration)
}

func (c *Cluster) status(ctx context.Context) (opensearch.Status, error) {
	store, err := c.generations(ctx, BeginOptions{})
	if err != nil {
		return opensearch.Status{}, err
	}
	status, err := store.Status(ctx)
	return status, explainCluster(err)
}

// Rollback makes an older generation current again, once all of it has been verified.
func (c *Cluster) Rollback(ctx context.Context, to int, options BeginOptions) (about Generation, err error) {
	w, err := c.begin(ctx, options)
	if err != nil {
		return about, err
	}
	defer func() { err = cmp.Or(err, w.Close()) }()

	status, err := w.generations.Status(ctx)
	if err != nil {
		return about, explainCluster(err)
	}

	target, err := rollbackTarget(status, to)
	if err != nil {
		return about, err
	}

	for _, finding := range c.verifyOne(ctx, target, true) {
		if !finding.Warning {
			return about, &files.DamageError{Path: finding.Path, Reason: finding.Problem, Remedy: finding.Remedy}
		}
	}

	g, err := w.generations.Rollback(ctx, target.Number)
	if err != nil {
		return about, explainCluster(err)
	}
	w.options.Logger.Info("rolled back", "generation", g.Number)
	return generationFrom(g)
}

// rollbackTarget returns the published generation with the given number or, if that is 0, the one before the current.
func rollbackTarget(status opensearch.Status, to int) (opensearch.Generation, error) {
	for _, g := range slices.Backward(status.Generations) {
		if g.State == opensearch.Published && (g.Number == to || to == 0 && g.Number < status.Current.Number) {
			return g, nil
		}
	}

	if to == 0 {
		return opensearch.Generation{}, fmt.Errorf("an earlier generation is %w: there is nothing to go back to",
			ErrNoGeneration)
	}
	return opensearch.Generation{}, fmt.Errorf("generation %d: %w", to, ErrNoGeneration)
}
