package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/fetch"
	"dossier/internal/opensearch"
)

// shortLease is long enough for a turn's requests, and for its renewal, on a busy machine.
const shortLease = 8 * time.Second

// freezing is the machine's clock, of a process that can be stopped: while it is, nothing is renewed.
type freezing struct {
	fetch.SystemClock
	frozen atomic.Bool
}

func (c *freezing) Sleep(ctx context.Context, d time.Duration) error {
	for {
		if err := c.SystemClock.Sleep(ctx, d); err != nil || !c.frozen.Load() {
			return err
		}
	}
}

// night is a generation that several Writers share, each as if it were a process of its own.
type sharedNight struct {
	t      *testing.T
	url    string
	prefix string
}

func newSharedNight(t *testing.T) *sharedNight {
	t.Helper()
	t.Parallel()
	url := os.Getenv("DOSSIER_OPENSEARCH")
	if url == "" {
		t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
	}
	n := &sharedNight{t, url, fmt.Sprintf("dossier-shared-%d-%d", time.Now().UnixNano(), made.Add(1))}
	t.Cleanup(func() { removeIndices(t, n.place(nil)) })
	publishIn(t, n.place(nil), 1, 3)
	return n
}

func (n *sharedNight) place(clock fetch.Clock) *Cluster {
	return &Cluster{Config: opensearch.Config{URL: n.url, Prefix: n.prefix, Clock: clock}, Dir: n.t.TempDir(),
		ID: fmt.Sprint(made.Add(1))}
}

// tryBegin begins as the writer of one shard; the clock is the process's.
func (n *sharedNight) tryBegin(shard string, clock fetch.Clock) (*Writer, error) {
	n.t.Helper()
	options := testOptions()
	options.lease, options.wait = shortLease, 2*shortLease
	if shard != "" {
		var err error
		options.Shard, err = evidence.ParseShard(shard)
		must(n.t, err)
		options.Owner = "shard " + shard
	}
	return n.place(clock).Begin(n.t.Context(), options)
}

func (n *sharedNight) begin(shard string, clock fetch.Clock) *Writer {
	n.t.Helper()
	w, err := n.tryBegin(shard, clock)
	if err != nil {
		n.t.Fatalf("shard %s begins: %v", shard, err)
	}
	n.t.Cleanup(func() { must(n.t, w.Close()) })
	return w
}

// complete notes that a writer's share is done, and publishes where it is the last.
func (n *sharedNight) complete(w *Writer) (night evidence.Night, published int) {
	n.t.Helper()
	must(n.t, w.Turn(n.t.Context(), func(ctx context.Context) (err error) {
		if night, err = w.Sharing().Complete(ctx, true); err == nil && len(night.Awaited) == 0 {
			published, err = w.Publish(ctx)
		}
		return err
	}))
	return night, published
}

// TestShardsWriteInTurns: what one has written the other reads in its next turn, so that neither writes it again; the
// last one publishes what both have written.
func TestShardsWriteInTurns(t *testing.T) {
	n := newSharedNight(t)
	first, second := n.begin("1/2", nil), n.begin("2/2", nil)
	var wrote atomic.Int64
	var both sync.WaitGroup
	for _, w := range []*Writer{first, second} {
		both.Go(func() {
			for paper := 4; paper <= 12; paper++ {
				err := w.Turn(t.Context(), func(ctx context.Context) error {
					_, ok, err := w.Record(paperID(paper))
					if ok || err != nil {
						return err
					}
					wrote.Add(1)
					return w.Commit(ctx, papers(paper, paper))
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	if wrote.Load() != 9 {
		t.Errorf("9 papers were written %d times", wrote.Load())
	}
	holds(t, openIn(t, n.place(nil)), 3)
	info, err := n.place(nil).Status(t.Context())
	must(t, err)
	if s := info.Shared; s == nil || s.Generation != 2 || len(s.Awaited) != 2 || len(s.Writers) != 2 {
		t.Errorf("both are at work: %+v", s)
	}
	if night, published := n.complete(first); len(night.Awaited) != 1 || night.Awaited[0] != 2 || published != 0 {
		t.Errorf("the first: %+v, generation %d", night, published)
	}
	must(t, first.Close())
	if night, published := n.complete(second); len(night.Awaited) > 0 || !night.Changed || published != 2 {
		t.Errorf("the second: %+v, generation %d", night, published)
	}
	holds(t, openIn(t, n.place(nil)), 12)
	if findings, err := n.place(nil).Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
	if err := second.Commit(t.Context(), papers(13, 13)); !errors.Is(err, evidence.ErrEnded) {
		t.Errorf("a commit after the publication: %v", err)
	}
	must(t, second.Close())
	holds(t, beginIn(t, n.place(nil)), 12) // and the store is anybody's again
}

// TestAShardThatStopsInItsTurn, killed or asleep: the other one waits, and goes on with what was committed. Who wakes
// writes nothing.
func TestAShardThatStopsInItsTurn(t *testing.T) {
	n := newSharedNight(t)
	clock := &freezing{}
	sleeper, other := n.begin("1/2", clock), n.begin("2/2", nil)
	commit(t, sleeper, papers(4, 5))
	asleep, awake := make(chan struct{}), make(chan struct{})
	var late sync.WaitGroup
	begun := time.Now()
	late.Go(func() {
		err := sleeper.Turn(t.Context(), func(ctx context.Context) error {
			clock.frozen.Store(true)
			close(asleep)
			<-awake
			return sleeper.Commit(ctx, papers(20, 20))
		})
		if err == nil {
			t.Error("it writes in a turn that it has lost")
		}
	})
	<-asleep
	commit(t, other, papers(6, 6))
	if waited := time.Since(begun); waited < shortLease {
		t.Errorf("the other one has written %s after the turn began, and its lease lasts %s", waited, shortLease)
	}
	close(awake)
	late.Wait()
	clock.frozen.Store(false)
	commit(t, other, papers(7, 8))
	must(t, sleeper.Close())
	again := n.begin("1/2", nil)
	commit(t, again, papers(9, 9))
	n.complete(again)
	if _, published := n.complete(other); published != 2 {
		t.Errorf("generation %d", published)
	}
	holds(t, openIn(t, n.place(nil)), 9)
	if findings, err := n.place(nil).Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
}

// TestATurnIsNotWaitedForForEver, and a publication waits for a commit of another's.
func TestATurnIsNotWaitedForForEver(t *testing.T) {
	n := newSharedNight(t)
	first, second := n.begin("1/2", nil), n.begin("2/2", nil)
	commit(t, second, papers(4, 4))
	n.complete(first)
	entered := make(chan struct{})
	var committed atomic.Bool
	var late sync.WaitGroup
	late.Go(func() {
		must(t, first.Turn(t.Context(), func(ctx context.Context) error {
			close(entered)
			time.Sleep(shortLease / 3)
			defer committed.Store(true)
			return first.Commit(ctx, papers(5, 5))
		}))
	})
	<-entered
	if _, published := n.complete(second); published != 2 || !committed.Load() {
		t.Errorf("generation %d is published while another commits: %v", published, !committed.Load())
	}
	late.Wait()
	holds(t, openIn(t, n.place(nil)), 5)

	third, fourth := n.begin("1/2", nil), n.begin("2/2", nil)
	must(t, third.Turn(t.Context(), func(context.Context) error {
		began := time.Now()
		var locked *LockedError
		if err := fourth.Commit(t.Context(), papers(6, 6)); !errors.As(err, &locked) || locked.Program != "shard 1/2" {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		return nil
	}))
	interrupted, interrupt := context.WithTimeout(t.Context(), shortLease/3)
	defer interrupt()
	must(t, third.Turn(t.Context(), func(context.Context) error {
		if err := fourth.Commit(interrupted, papers(6, 6)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("interrupted: %v", err)
		}
		return nil
	}))
	commit(t, fourth, papers(6, 6))
}

// TestWhoMayWriteBesideShards: nobody who has the store for himself, until they have ended, and no share of another
// night's kind. What they leave is taken up by anybody.
func TestWhoMayWriteBesideShards(t *testing.T) {
	n := newSharedNight(t)
	first := n.begin("1/2", nil)
	commit(t, first, papers(4, 4))
	var locked *LockedError
	if _, err := n.tryBegin("", nil); !errors.As(err, &locked) || locked.Program != "shard 1/2" {
		t.Errorf("a writer of its own: %v", err)
	}
	if _, err := n.tryBegin("1/3", nil); err == nil || !strings.Contains(err.Error(), "--shard 1/2 to 2/2") {
		t.Errorf("a share of three: %v", err)
	}
	n.complete(first)
	must(t, first.Close())
	alone := n.begin("", nil)
	holds(t, alone, 4)
	commit(t, alone, papers(5, 5))
	must(t, alone.Close())
	second := n.begin("2/2", nil) // the generation is the same, and the first share is done in it
	holds(t, second, 5)
	commit(t, second, papers(6, 6))
	if _, published := n.complete(second); published != 2 {
		t.Errorf("generation %d", published)
	}
	must(t, second.Close())
	holds(t, openIn(t, n.place(nil)), 6)
	must(t, n.begin("1/3", nil).Close())
	alone = n.begin("", nil)
	commit(t, alone, papers(7, 7))
	publish(t, alone)
	holds(t, openIn(t, n.place(nil)), 7)
}

// TestAPieceOfWorkIsOneWriters, as long as its lease lasts.
func TestAPieceOfWorkIsOneWriters(t *testing.T) {
	n := newSharedNight(t)
	clock := &freezing{}
	ctx := t.Context()
	first, twin, second := n.begin("1/2", clock).Sharing(), n.begin("1/2", nil).Sharing(), n.begin("2/2", nil).Sharing()
	take := func(by *Sharing, piece string, want evidence.PieceState) {
		t.Helper()
		got, err := by.Take(ctx, piece)
		if got.Holder, _, _ = strings.Cut(got.Holder, " ("); err != nil || got != want {
			t.Errorf("taking %s: %+v, %v; want %+v", piece, got, err, want)
		}
	}
	mine, others := evidence.PieceState{Mine: true}, evidence.PieceState{Holder: "shard 1/2"}
	for _, piece := range []string{"done", "failed", "given back", "long", "lost"} {
		take(first, piece, mine)
		take(twin, piece, others)
	}
	must(t, first.Done(ctx, "done", false))
	must(t, first.Done(ctx, "failed", true))
	must(t, first.GiveBack(ctx, "given back"))
	take(second, "done", evidence.PieceState{Done: true})
	take(second, "failed", mine)
	take(second, "given back", mine)
	time.Sleep(shortLease)
	take(twin, "long", others) // it is renewed
	if at, err := twin.Await(ctx, "long", 0); err != nil || at.Holder == "" {
		t.Errorf("waiting for one that is alive: %+v, %v", at, err)
	}
	must(t, first.Hold(ctx, "lost"))
	clock.frozen.Store(true)
	if at, err := twin.Await(ctx, "lost", time.Hour); err != nil || at.Holder != "" {
		t.Errorf("waiting for one that is dead: %+v, %v", at, err)
	}
	take(twin, "lost", mine)
	clock.frozen.Store(false)
	for name, err := range map[string]error{"held": first.Hold(ctx, "lost"), "done": first.Done(ctx, "lost", false),
		"held again": first.Hold(ctx, "lost")} {
		if !errors.Is(err, evidence.ErrTaken) {
			t.Errorf("%s by who has lost it: %v", name, err)
		}
	}
	must(t, twin.Hold(ctx, "lost"))
	must(t, twin.Done(ctx, "lost", false))
	take(second, "lost", evidence.PieceState{Done: true})
}
