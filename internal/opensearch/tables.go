package opensearch

import (
	"cmp"
	"context"
	"sync"

	"github.com/klauspost/compress/zstd"

	"dossier/internal/database"
)

// TablesOptions configure the use of an index of entries.
type TablesOptions struct {
	CacheBytes  int               // for reads; 0 means 128 MiB
	RecentBytes int               // about how much is written between refreshes; 0 means 32 MiB
	Step        func(name string) // in tests, called where a crash of the writer is tested; may be nil
}

// Changes that searches may not find yet are kept, because each refresh makes a segment, which is merged later.
const defaultCache, defaultRecent = 128 << 20, 32 << 20

// Tables are the entries in an index. Reads are safe for concurrent use, also during an update.
type Tables struct {
	ctx     context.Context // for all reads: queries to a store have no context of their own
	client  *Client
	index   string
	options TablesOptions
	cache   *cache

	writing   sync.Mutex // one update at a time
	writable  bool
	number    int           // of the last transaction
	packer    *zstd.Encoder // of journals
	uncertain bool          // the last journal may or may not be complete, and was abandoned

	state    sync.RWMutex // held for reading during each query, for writing while the next fields change
	applying *changes     // that are decided on, and may not all be in the index yet; nil if none are
	recent   *changes     // in the index, but perhaps not found by searches yet
	written  *bloomFilter // all places and groups ever written to; nil if it is not known

	refresh sync.Mutex
	dirty   bool // something was written since the last refresh

	mu          sync.Mutex
	largeGroups map[string]bool // groups too large to cache
}

// OpenTables opens the index of a published generation, which never changes. All reads end with ctx.
func OpenTables(ctx context.Context, client *Client, index string, options TablesOptions) (*Tables, error) {
	t := newTables(ctx, client, index, options)
	return t, t.checkSchema()
}

func newTables(ctx context.Context, client *Client, index string, options TablesOptions) *Tables {
	if options.Step == nil {
		options.Step = func(string) {}
	}
	return &Tables{ctx: ctx, client: client, index: index, options: options,
		cache: newCache(cmp.Or(options.CacheBytes, defaultCache)), largeGroups: map[string]bool{}, recent: newChanges()}
}

func (t *Tables) checkSchema() error {
	var meta struct{ Tables int }
	if err := t.client.Meta(t.ctx, t.index, &meta); err != nil {
		return err
	}
	return CheckSchema(t.index, meta.Tables, tablesSchema)
}

// OpenTablesForWriting opens an index for writing and reapplies what its last writer may not have finished. No one else
// may write to it.
func OpenTablesForWriting(ctx context.Context, client *Client, index string, options TablesOptions) (*Tables, error) {
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

	if err := t.ensureRefreshed(); err != nil { // to what is written from now on there is recent
		return nil, err
	}

	there, err := t.client.Count(ctx, index, nil)
	if err != nil {
		return nil, err
	}

	if there == 0 {
		t.written = newBloomFilter()
		return t, nil
	}

	if err := t.recover(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// mayHave is false for a place, or a group, that is known without a request never to have been written.
func (t *Tables) mayHave(at string) bool { return t.written == nil || t.written.mayHave(at) }

// trimRecent drops the recent changes that searches find, after a refresh if there are too many. It must not be called
// during an update.
func (t *Tables) trimRecent() error {
	if t.recent.size > cmp.Or(t.options.RecentBytes, defaultRecent) {
		if err := t.ensureRefreshed(); err != nil {
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

// Resume continues after another writer may have written to the index and finished: it drops all cached reads.
func (t *Tables) Resume(ctx context.Context) error {
	t.writing.Lock()
	defer t.writing.Unlock()
	t.state.Lock() // whoever reads now ends first, and keeps nothing later
	t.cache.clear()
	t.applying, t.uncertain, t.number = nil, false, 0
	t.recent, t.written = newChanges(), nil // of what others wrote nothing is known
	t.state.Unlock()
	t.mu.Lock()
	clear(t.largeGroups)
	t.mu.Unlock()
	t.refresh.Lock()
	t.dirty = true
	t.refresh.Unlock()

	if err := t.ensureRefreshed(); err != nil { // to what is written from now on there is recent
		return err
	}
	return t.recover(ctx)
}

// Name is the index's name.
func (t *Tables) Name() string { return t.index }

// Close releases the caches.
func (t *Tables) Close() error {
	t.cache = newCache(0)
	return nil
}

// Read returns a read-only transaction. Its results do not change before end is called.
func (t *Tables) Read() (e database.Entries, end func()) {
	t.state.RLock()
	return &entries{t: t, below: t.applying}, t.state.RUnlock
}

// ensureRefreshed makes all writes visible to searches.
func (t *Tables) ensureRefreshed() error {
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
	if err := t.ensureRefreshed(); err != nil {
		return 0, err
	}
	n, err := t.client.Count(t.ctx, t.index, inTable(table))
	return int(n), err
}

func inTable(table string) map[string]any { return map[string]any{"term": map[string]any{"t": table}} }

// sample returns entries in a pseudo-random order, the same each time.
func (t *Tables) sample(table string, n int) ([]database.Entry, error) {
	if err := t.ensureRefreshed(); err != nil {
		return nil, err
	}

	found, err := t.client.Search(t.ctx, t.index, Query{"size": n, "query": map[string]any{
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
