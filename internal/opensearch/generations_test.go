package opensearch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/files"
	"dossier/internal/opensearch"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clock stands still until it is moved; who sleeps by it sleeps until its context ends.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep does not wait between tries, and for the next renewal until the test ends it.
func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if d < leaseTime/3 {
		return ctx.Err()
	}
	<-ctx.Done()
	return ctx.Err()
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

var made atomic.Int64

// cluster is a store of its own in the cluster of which DOSSIER_OPENSEARCH gives the address.
type cluster struct {
	t      *testing.T
	client *opensearch.Client
	clock  *clock
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	url := os.Getenv("DOSSIER_OPENSEARCH")
	if url == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
	}
	if testing.Short() {
		t.Skip("on a cluster this takes minutes")
	}
	prefix := fmt.Sprintf("dossier-test-%d-%d", time.Now().UnixNano(), made.Add(1))
	client, err := opensearch.Connect(t.Context(), opensearch.Config{URL: url, Prefix: prefix})
	must(t, err)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		indices, err := client.Indices(ctx, client.Name("*"))
		must(t, err)
		for name := range indices {
			must(t, client.Delete(ctx, name))
		}
		must(t, client.Close())
	})
	return &cluster{t, client, newClock()}
}

const leaseTime = time.Minute

// store is the store as the program named who sees it.
func (c *cluster) store(who string, step func(string)) *opensearch.Store {
	return opensearch.NewStore(c.client, opensearch.StoreOptions{
		Parts:   []opensearch.Part{{Name: "records", Create: empty}, {Name: "text", Create: empty}},
		Program: who, ID: fmt.Sprint(who, made.Add(1)), Lease: leaseTime, Clock: c.clock, Step: step,
	})
}

func empty(ctx context.Context, client *opensearch.Client, index string) error {
	return client.Create(ctx, index, opensearch.Definition{})
}

func (c *cluster) begin(who string) *opensearch.Writer {
	c.t.Helper()
	w, err := c.store(who, nil).Begin(c.t.Context())
	must(c.t, err)
	return w
}

// write puts a document into both parts of what is being built.
func (c *cluster) write(ctx context.Context, w *opensearch.Writer, id string) error {
	g, err := w.Start(ctx)
	if err != nil {
		return err
	}
	for _, index := range g.Indices {
		err := c.client.Bulk(ctx, index, []opensearch.Write{{ID: id, Document: []byte(`{"x":1}`)}})
		if err != nil {
			return err
		}
	}
	return nil
}

func anyway(context.Context, opensearch.Generation) error { return nil }

// publish writes a document and publishes it.
func (c *cluster) publish(w *opensearch.Writer, id string) opensearch.Generation {
	c.t.Helper()
	must(c.t, c.write(c.t.Context(), w, id))
	g, err := w.Publish(c.t.Context(), map[string]string{"last": id}, anyway)
	must(c.t, err)
	return g
}

// readers is what readers find: the generation's number, and in each part which of the documents.
func (c *cluster) readers(ids ...string) string {
	c.t.Helper()
	g, err := c.store("reader", nil).Current(c.t.Context())
	if errors.Is(err, opensearch.ErrNoStore) {
		return "nothing"
	}
	must(c.t, err)
	said := fmt.Sprint(g.Number)
	for _, part := range []string{"records", "text"} {
		docs, err := c.client.GetMany(c.t.Context(), g.Indices[part], ids)
		must(c.t, err)
		said += " " + part
		for _, doc := range docs {
			said += " " + doc.ID
		}
	}
	return said
}

func (c *cluster) want(want string, ids ...string) {
	c.t.Helper()
	if got := c.readers(ids...); got != want {
		c.t.Errorf("readers find %q, want %q", got, want)
	}
}

func TestANightAndItsWayBack(t *testing.T) {
	c := newCluster(t)
	ctx := t.Context()
	if _, err := c.store("reader", nil).Status(ctx); !errors.Is(err, opensearch.ErrNoStore) {
		t.Errorf("before the first: %v", err)
	}
	w := c.begin("night 1")
	c.want("nothing")
	c.publish(w, "a")
	c.want("1 records a text a", "a", "b")
	must(t, c.write(ctx, w, "b"))
	c.want("1 records a text a", "a", "b")
	must(t, w.Close(ctx))

	w = c.begin("night 2, which takes up what the first left")
	if g, ok := w.Building(); !ok || g.Number != 2 || g.Parent != 1 {
		t.Errorf("taken up: %+v, %v", g, ok)
	}
	c.publish(w, "c")
	c.want("2 records a b c text a b c", "a", "b", "c")
	g, err := w.Rollback(ctx, 0)
	must(t, err)
	c.want("1 records a text a", "a", "b", "c")
	if _, err := w.Rollback(ctx, 0); !errors.Is(err, opensearch.ErrNoGeneration) || g.Number != 1 {
		t.Errorf("back from generation %d: %v", g.Number, err)
	}
	c.publish(w, "d")
	c.want("3 records a d text a d", "a", "b", "c", "d")
	if _, err := w.Rollback(ctx, 2); err != nil {
		t.Error(err)
	}
	c.want("2 records a b c text a b c", "a", "b", "c", "d")
	pruned, err := w.Prune(ctx, 1)
	must(t, err)
	if diff := cmp.Diff([]int{1}, pruned); diff != "" {
		t.Errorf("pruned: %s", diff)
	}
	must(t, w.Close(ctx))
	status, err := c.store("reader", nil).Status(ctx)
	must(t, err)
	var left []int
	for _, g := range status.Generations {
		left = append(left, g.Number)
	}
	if diff := cmp.Diff([]int{2, 3}, left); diff != "" || status.Writer != nil || len(status.Orphans) > 0 ||
		status.Current.Number != 2 || string(status.Current.About) != `{"last":"c"}` {
		t.Errorf("%s %+v", diff, status)
	}
}

// TestAPublishedGenerationIsNeverWrittenTo: by nobody, its own writer included.
func TestAPublishedGenerationIsNeverWrittenTo(t *testing.T) {
	c := newCluster(t)
	w := c.begin("indexer")
	g := c.publish(w, "a")
	for part, index := range g.Indices {
		err := c.client.Bulk(t.Context(), index, []opensearch.Write{{ID: "z", Document: []byte(`{}`)}})
		if opensearch.KindOf(err) != opensearch.WriteBlocked {
			t.Errorf("%s: %v", part, err)
		}
	}
	must(t, w.Close(t.Context()))
}

func TestOneWriter(t *testing.T) {
	for _, tc := range []struct {
		name   string
		pass   time.Duration
		close  bool
		locked bool
	}{
		{"while it holds the lease", leaseTime - 1, false, true},
		{"once it has let go", 0, true, false},
		{"once the lease has run out", leaseTime, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newCluster(t)
			first := c.begin("the first")
			if tc.close {
				must(t, first.Close(t.Context()))
			}
			c.clock.pass(tc.pass)
			second, err := c.store("the second", nil).Begin(t.Context())
			locked, is := errors.AsType[*opensearch.LockedError](err)
			if is != tc.locked || is && locked.Program != "the first" || !is && err != nil {
				t.Fatalf("the second: %v", err)
			}
			if err == nil {
				must(t, second.Close(t.Context()))
			}
			must(t, first.Close(t.Context()))
			third := c.begin("the third")
			must(t, third.Close(t.Context()))
		})
	}
}

// TestWhoLostTheLeaseDoesNothingMore: another takes over at every point of a writer's way, because the writer slept for
// longer than its lease. Nothing that it still believes is done; and what it had committed is there.
func TestWhoLostTheLeaseDoesNothingMore(t *testing.T) {
	for _, tc := range []struct {
		name, step string
		want       string // what readers find once the other has published
	}{
		{"between two commits", "", "2 records a b d text a b d"},
		{"before the manifest is written", "publish: closed to writing", "2 records a b d text a b d"},
		{"after it", "publish: the manifest is written", "3 records a b d text a b d"},
		{"with the request to move the aliases on its way", "publish: about to move the aliases",
			"3 records a b d text a b d"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newCluster(t)
			ctx := t.Context()
			w := c.begin("night 1")
			c.publish(w, "a")
			must(t, w.Close(ctx))
			var other *opensearch.Writer
			takeOver := func() {
				c.clock.pass(leaseTime)
				other = c.begin("the one that takes over")
			}
			first, err := c.store("the sleeper", func(step string) {
				if step == tc.step && other == nil {
					takeOver()
				}
			}).Begin(ctx)
			must(t, err)
			must(t, c.write(ctx, first, "b"))
			g, _ := first.Building()
			if tc.step == "" {
				takeOver()
			}
			if _, err := first.Publish(ctx, nil, anyway); !errors.Is(err, opensearch.ErrLost) {
				t.Errorf("the sleeper's publication: %v", err)
			}
			for part, index := range g.Indices {
				err := c.client.Bulk(ctx, index, []opensearch.Write{{ID: "c", Document: []byte(`{}`)}})
				kind := opensearch.KindOf(err)
				if kind != opensearch.WriteBlocked && kind != opensearch.Missing {
					t.Errorf("the sleeper writes to %s: %v", part, err)
				}
			}
			must(t, first.Close(ctx))
			c.publish(other, "d")
			c.want(tc.want, "a", "b", "c", "d")
			must(t, other.Close(ctx))
		})
	}
}

// TestADeathAtAnyPoint: the writer dies wherever it may; the next one finds what was committed, readers never half.
func TestADeathAtAnyPoint(t *testing.T) {
	for _, tc := range []struct {
		step, readers, then string
		times               int // which of several
	}{
		{"begin: the writer before can't publish", "1 records a text a", "2 records a d text a d", 1},
		{"begin: a part is copied", "1 records a text a", "2 records a d text a d", 1},
		{"begin: a part is copied", "1 records a text a", "2 records a d text a d", 2},
		{"publish: closed to writing", "1 records a text a", "2 records a b d text a b d", 1},
		{"publish: the manifest is written", "1 records a text a", "3 records a b d text a b d", 1},
		{"publish: about to move the aliases", "1 records a text a", "3 records a b d text a b d", 1},
		{"publish: the aliases have moved", "2 records a b text a b", "3 records a b d text a b d", 1},
	} {
		t.Run(fmt.Sprint(tc.step, " ", tc.times), func(t *testing.T) {
			c := newCluster(t)
			w := c.begin("night 1")
			c.publish(w, "a")
			must(t, w.Close(t.Context()))
			ctx, die := context.WithCancel(t.Context())
			defer die()
			times := 0
			dying, err := c.store("the one that dies", func(step string) {
				if step == tc.step {
					if times++; times == tc.times {
						die()
					}
				}
			}).Begin(ctx)
			if err == nil {
				if err = c.write(ctx, dying, "b"); err == nil {
					_, err = dying.Publish(ctx, nil, anyway)
				}
			}
			if err == nil || ctx.Err() == nil {
				t.Fatalf("it lives: %v", err)
			}
			c.want(tc.readers, "a", "b", "d")
			c.clock.pass(leaseTime)
			next := c.begin("the next")
			c.publish(next, "d")
			c.want(tc.then, "a", "b", "d")
			must(t, next.Close(t.Context()))
			status, err := next.Status(t.Context())
			if err != nil || len(status.Orphans) > 0 {
				t.Errorf("left: %v, %v", status.Orphans, err)
			}
		})
	}
}

// TestADeathWhileTakingUp: what the first had committed outlives the second, too.
func TestADeathWhileTakingUp(t *testing.T) {
	for _, tc := range []struct {
		step  string
		times int
	}{
		{"begin: the writer before can't publish", 1}, {"begin: the writer before can't write", 1},
		{"begin: a part is copied", 1}, {"begin: a part is copied", 2},
	} {
		t.Run(fmt.Sprint(tc.step, " ", tc.times), func(t *testing.T) {
			c := newCluster(t)
			w := c.begin("night 1")
			c.publish(w, "a")
			must(t, c.write(t.Context(), w, "b"))
			must(t, w.Close(t.Context()))
			ctx, die := context.WithCancel(t.Context())
			defer die()
			times := 0
			_, err := c.store("the one that dies", func(step string) {
				if step == tc.step {
					if times++; times == tc.times {
						die()
					}
				}
			}).Begin(ctx)
			if err == nil {
				t.Fatal("it lives")
			}
			c.clock.pass(leaseTime)
			next := c.begin("the next")
			c.publish(next, "d")
			c.want("2 records a b d text a b d", "a", "b", "d")
			must(t, next.Close(t.Context()))
			if status, err := next.Status(t.Context()); err != nil || len(status.Orphans) > 0 {
				t.Errorf("left: %v, %v", status.Orphans, err)
			}
		})
	}
}

// TestAnAliasThatSomebodyMoved is told by readers and writers, and nothing is published over it.
func TestAnAliasThatSomebodyMoved(t *testing.T) {
	for _, tc := range []struct {
		name string
		move func(c *cluster, first, second opensearch.Generation) []opensearch.Alias
	}{
		{"to an older generation", func(c *cluster, first, second opensearch.Generation) []opensearch.Alias {
			return []opensearch.Alias{{Index: second.Indices["text"], Alias: c.client.Name("text"), Remove: true},
				{Index: first.Indices["text"], Alias: c.client.Name("text")}}
		}},
		{"to two", func(c *cluster, first, _ opensearch.Generation) []opensearch.Alias {
			return []opensearch.Alias{{Index: first.Indices["text"], Alias: c.client.Name("text")}}
		}},
		{"away", func(c *cluster, _, second opensearch.Generation) []opensearch.Alias {
			return []opensearch.Alias{{Index: second.Indices["text"], Alias: c.client.Name("text"), Remove: true}}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newCluster(t)
			ctx := t.Context()
			w := c.begin("indexer")
			first, second := c.publish(w, "a"), c.publish(w, "b")
			must(t, c.write(ctx, w, "c"))
			must(t, c.client.Alias(ctx, tc.move(c, first, second)...))
			if _, err := c.store("reader", nil).Current(ctx); !files.IsDamage(err) {
				t.Errorf("a reader: %v", err)
			}
			_, err := w.Publish(ctx, nil, anyway)
			if tc.name != "to two" && err == nil {
				t.Error("published")
			}
			must(t, w.Close(ctx))
			if tc.name == "to two" { // the other is still there
				return
			}
			if _, err := c.store("the next", nil).Begin(ctx); !files.IsDamage(err) {
				t.Errorf("the next writer: %v", err)
			}
		})
	}
}

// TestAFailedCheckPublishesNothing, and what was committed can be gone on with.
func TestAFailedCheckPublishesNothing(t *testing.T) {
	c := newCluster(t)
	ctx := t.Context()
	w := c.begin("indexer")
	c.publish(w, "a")
	must(t, c.write(ctx, w, "b"))
	fault := errors.New("the text lacks a record")
	if _, err := w.Publish(ctx, nil, func(context.Context, opensearch.Generation) error { return fault }); !errors.Is(
		err, fault) {
		t.Errorf("published: %v", err)
	}
	c.want("1 records a text a", "a", "b")
	c.publish(w, "c")
	c.want("2 records a b c text a b c", "a", "b", "c")
	must(t, w.Close(ctx))
}
