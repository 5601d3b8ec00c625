package tables

import (
	"cmp"
	"context"
	"sync"

	"github.com/klauspost/compress/zstd"

	"dossier/internal/database"
	"dossier/internal/opensearch"
)

// Options say how an index of entries is used.
type Options struct {
	CacheBytes  int               // of what was read; 128 MiB where it is 0
	RecentBytes int               // of what was written, about, before the index is refreshed; 32 MiB where it is 0
	Step        func(name string) // called wherever a death of the writer is worth trying, in tests; may be nil
}

// Changes that searches may not find yet are kept: each refresh makes a segment, which is merged later.
const defaultCache, defaultRecent = 128 << 20, 32 << 20

// Tables are the entries in an index. Reading is safe for concurrent use, while an update is under way, too.
type Tables struct {
	ctx     context.Context // of all that is read: a question to a store has none of its own
	client  *opensearch.Client
	index   string
	options Options
	cache   *cache

	writing  sync.Mutex // one update at a time
	writable bool
	number   int           // of the last transaction
	packer   *zstd.Encoder // of journals
	doubtful bool          // whether the last journal was closed is not known, and it was given up

	state    sync.RWMutex // held for reading while a question is answered, for writing while the next field changes
	applying *changes     // that are decided on, and may not all be in the index yet; nil where none are
	recent   *changes     // that are in the index, and that searches may not find yet
	written  *filter      // all places and groups ever written to; nil where it is not known

	refresh sync.Mutex
	dirty   bool // something was written since the last refresh

	mu     sync.Mutex
	crowds map[string]bool // groups that are too large to be kept
}

// Open opens the index of a published generation, which never changes. All that is read of it ends with ctx.
func Open(ctx context.Context, client *opensearch.Client, index string, options Options) (*Tables, error) {
	t := newTables(ctx, client, index, options)
	return t, t.checkSchema()
}

func newTables(ctx context.Context, client *opensearch.Client, index string, options Options) *Tables {
	if options.Step == nil {
		options.Step = func(string) {}
	}
	return &Tables{ctx: ctx, client: client, index: index, options: options,
		cache: newCache(cmp.Or(options.CacheBytes, defaultCache)), crowds: map[string]bool{}, recent: newChanges()}
}

func (t *Tables) checkSchema() error {
	var meta struct{ Tables int }
	if err := t.client.Meta(t.ctx, t.index, &meta); err != nil {
		return err
	}
	return opensearch.CheckSchema(t.index, meta.Tables, schema)
}

// TakeUp opens an index for writing and does again what its last writer had written down and may not have done. Nobody
// else may write to it.
func TakeUp(ctx context.Context, client *opensearch.Client, index string, options Options) (*Tables, error) {
	t := newTables(ctx, client, index, options)
	t.writable, t.dirty = true, true

	var err error
	if t.packer, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithLowerEncoderMem(true)); err != nil {
		return nil, err
	}

	if err := t.checkSchema(); err != nil {
		return nil, err
	}

	if err := t.refreshed(); err != nil { // to what is written from now on there is recent
		return nil, err
	}

	there, err := t.client.Count(ctx, index, nil)
	if err != nil {
		return nil, err
	}

	if there == 0 {
		t.written = newFilter()
		return t, nil
	}

	if err := t.recover(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// mayHave is false of a place, or a group, of which it is known without asking that nothing was ever written there.
func (t *Tables) mayHave(at string) bool { return t.written == nil || t.written.mayHave(at) }

// letGo lets go of the changes that searches find, and has them find all where there is too much. No update is under
// way.
func (t *Tables) letGo() error {
	if t.recent.size > cmp.Or(t.options.RecentBytes, defaultRecent) {
		if err := t.refreshed(); err != nil {
			return err
		}
	}
	t.refresh.Lock()
	dirty := t.dirty
	t.refresh.Unlock()

	if !dirty {
		t.state.Lock()
		t.recent = newChanges()
		t.state.Unlock()
	}
	return nil
}

// Resume goes on where another may have written to the index since, and has brought that to its end: nothing that was
// read before is relied on.
func (t *Tables) Resume(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	t.state.Lock() // whoever reads now ends first, and keeps nothing later
	t.cache.clear()
	t.applying, t.doubtful, t.number = nil, false, 0
	t.recent, t.written = newChanges(), nil // of what others wrote nothing is known
	t.state.Unlock()
	t.mu.Lock()
	clear(t.crowds)
	t.mu.Unlock()
	t.refresh.Lock()
	t.dirty = true
	t.refresh.Unlock()

	if err := t.refreshed(); err != nil { // to what is written from now on there is recent
		return err
	}
	return t.recover(ctx)
}

// Name is the index's.
func (t *Tables) Name() string { return t.index }

// Close lets go of what was kept.
func (t *Tables) Close() error {
	t.cache = newCache(0)
	return nil
}

// Read gives a transaction that only reads. What it sees does not change before end is called.
func (t *Tables) Read() (e database.Entries, end func()) {
	t.state.RLock()
	return &entries{t: t, below: t.applying}, t.state.RUnlock
}

// refreshed has searches find all that was written.
func (t *Tables) refreshed() error {
	t.refresh.Lock()
	defer t.refresh.Unlock()

	if !t.dirty {
		return nil
	}

	if err := t.client.Refresh(t.ctx, t.index); err != nil {
		return err
	}
	t.dirty = false
	return nil
}

func (t *Tables) count(table string) (int, error) {
	if err := t.refreshed(); err != nil {
		return 0, err
	}
	n, err := t.client.Count(t.ctx, t.index, inTable(table))
	return int(n), err
}

func inTable(table string) map[string]any { return map[string]any{"term": map[string]any{"t": table}} }

// sample gives entries in an order that is as good as drawn, and the same each time.
func (t *Tables) sample(table string, n int) ([]database.Entry, error) {
	if err := t.refreshed(); err != nil {
		return nil, err
	}

	found, err := t.client.Search(t.ctx, t.index, opensearch.Query{"size": n, "query": map[string]any{
		"function_score": map[string]any{"query": inTable(table), "boost_mode": "replace",
			"random_score": map[string]any{"seed": 1, "field": "_seq_no"}},
	}})
	if err != nil {
		return nil, err
	}

	var out []database.Entry
	for _, hit := range found.Hits {
		_, e, err := t.read(hit.Source)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
