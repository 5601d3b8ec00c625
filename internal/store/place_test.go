package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/writing"
	"dossier/internal/opensearch"
)

// opened makes places of stores, each in a process of its own.
type opened struct {
	place Place
	again func() Place // the same store, as another process sees it
}

// kinds are the kinds of places, each with how an empty one is made. That on a cluster skips where none is given.
var kinds = map[string]func(t *testing.T) opened{
	"a folder": func(t *testing.T) opened {
		dir := filepath.Join(t.TempDir(), "data")
		return opened{Folder(dir), func() Place { return Folder(dir) }}
	},
	"a cluster": func(t *testing.T) opened {
		url := os.Getenv("DOSSIER_OPENSEARCH")
		if url == "" {
			t.Skip("DOSSIER_OPENSEARCH names no cluster; scripts/opensearch.sh starts one")
		}
		prefix := fmt.Sprintf("dossier-place-%d-%d", time.Now().UnixNano(), made.Add(1))
		var all []*Cluster
		again := func() Place {
			c := &Cluster{Config: opensearch.Config{URL: url, Prefix: prefix}, Dir: t.TempDir(), ID: fmt.Sprint(made.Add(1))}
			all = append(all, c)
			return c
		}
		t.Cleanup(func() { removeIndices(t, all[0]) })
		return opened{again(), again}
	},
}

var made atomic.Int64

func removeIndices(t *testing.T, c *Cluster) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	client, err := c.connect(ctx)
	must(t, err)
	indices, err := client.Indices(ctx, client.Name("*"))
	must(t, err)
	for name := range indices {
		must(t, client.Delete(ctx, name))
	}
	must(t, client.Close())
}

const bundles = "as a bundle into every kind of place"

// TestPlaces: a store keeps its promises wherever it lies. On a cluster, a publication takes seconds.
func TestPlaces(t *testing.T) {
	for kind, empty := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for name, holds := range map[string]func(t *testing.T, o opened){
				"nothing is there yet":                                nothingThere,
				"readers never see half a night":                      halfANight,
				"what was committed is taken up":                      takenUp,
				"one writes, and readers need not wait":               oneWriter,
				"a rollback, and the judgements paid for since":       rolledBack,
				"as many generations stay as are kept":                keptAndPruned,
				"no damage is found, and the text can be built again": soundAndRebuilt,
				bundles: asBundle,
				"from every kind of place, entry by entry": filled,
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					o := empty(t)
					if name == bundles && testing.Short() {
						t.Skip("it makes a store of each bundle in each kind of place")
					}
					holds(t, o)
				})
			}
		})
	}
}

func beginIn(t *testing.T, p Place) *Writer {
	t.Helper()
	w, err := p.Begin(t.Context(), testOptions())
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	t.Cleanup(func() { must(t, w.Close()) })
	return w
}

func openIn(t *testing.T, p Place) *Reader {
	t.Helper()
	r, err := p.Open(t.Context())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { must(t, r.Close()) })
	return r
}

// publishIn publishes a generation with papers.
func publishIn(t *testing.T, p Place, first, last int) {
	t.Helper()
	w := beginIn(t, p)
	commit(t, w, papers(first, last))
	publish(t, w)
	must(t, w.Close())
}

// holds sees that what is read has papers up to last, and none beyond, and finds them.
func holds(t *testing.T, in interface {
	Record(id string) (evidence.Record, bool, error)
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
}, last int) {
	t.Helper()
	for n, want := range map[int]bool{1: last >= 1, last: true, last + 1: false} {
		if n == 0 {
			continue
		}
		r, ok, err := in.Record(paperID(n))
		if err != nil || ok != want || ok && r.ID != paperID(n) {
			t.Errorf("paper %d is there: %v, %v; want %v", n, ok, err, want)
		}
	}
	node, err := boolean.Parse(`"paper"[ti]`)
	must(t, err)
	for name, req := range map[string]fulltext.Request{"everything": {}, "a boolean query": {Node: node},
		"plain words": {Text: "paper", Limit: 3}} {
		found, err := in.Search(t.Context(), req)
		if err != nil || found.Total != uint64(last) {
			t.Errorf("%s finds %d papers, %v; want %d", name, found.Total, err, last)
		}
	}
}

func nothingThere(t *testing.T, o opened) {
	ctx := t.Context()
	_, openErr := o.place.Open(ctx)
	_, currentErr := o.place.Current(ctx)
	_, verifyErr := o.place.Verify(ctx, true)
	_, statusErr := o.place.Status(ctx)
	_, exportErr := o.place.Export(ctx, ExportRequest{Texts: writing.Texts{}}, &bytes.Buffer{})
	_, rebuildErr := o.place.RebuildText(ctx, testOptions())
	for name, err := range map[string]error{"Open": openErr, "Current": currentErr, "Verify": verifyErr,
		"Status": statusErr, "Export": exportErr, "RebuildText": rebuildErr} {
		if !errors.Is(err, ErrNoStore) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := beginIn(t, o.place)
	if g := publish(t, w); g.Number != 1 || g.Counts.Records != 0 {
		t.Errorf("the first generation, empty: %+v", g)
	}
	holds(t, openIn(t, o.again()), 0)
}

func halfANight(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 5)
	before := openIn(t, o.again())
	w := beginIn(t, o.place)
	commit(t, w, papers(6, 9))
	holds(t, w, 9)
	holds(t, before, 5)
	holds(t, openIn(t, o.again()), 5)
	if number := publish(t, w).Number; number != 2 {
		t.Errorf("generation %d", number)
	}
	holds(t, before, 5)
	holds(t, openIn(t, o.again()), 9)
	if g := publish(t, w); g.Number != 2 {
		t.Errorf("with nothing committed, generation %d was published", g.Number)
	}
	old, err := o.place.OpenGeneration(t.Context(), 1)
	must(t, err)
	holds(t, old, 5)
	must(t, old.Close())
	if _, err := o.place.OpenGeneration(t.Context(), 9); !errors.Is(err, ErrNoGeneration) {
		t.Errorf("generation 9: %v", err)
	}
}

func takenUp(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 3)
	w := beginIn(t, o.place)
	commit(t, w, papers(4, 6))
	must(t, w.Close())
	holds(t, openIn(t, o.again()), 3)
	next := beginIn(t, o.again())
	holds(t, next, 6)
	commit(t, next, papers(7, 8))
	publish(t, next)
	holds(t, openIn(t, o.again()), 8)
}

func oneWriter(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 3)
	w := beginIn(t, o.place)
	other := o.again()
	_, beginErr := other.Begin(t.Context(), testOptions())
	_, rollbackErr := other.Rollback(t.Context(), 0, testOptions())
	_, rebuildErr := other.RebuildText(t.Context(), testOptions())
	for name, err := range map[string]error{"Begin": beginErr, "Rollback": rollbackErr, "RebuildText": rebuildErr} {
		var locked *LockedError
		if !errors.As(err, &locked) || locked.Program != "test" || strings.Contains(err.Error(), "process 0") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := other.Status(t.Context()); err != nil || info.Writer == nil || info.Writer.Program != "test" {
		t.Errorf("who writes is %+v, %v", info.Writer, err)
	}
	holds(t, openIn(t, other), 3)
	must(t, w.Close())
	must(t, beginIn(t, other).Close())
}

func rolledBack(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 3)
	publishIn(t, o.place, 4, 6)
	g, err := o.place.Rollback(t.Context(), 0, testOptions())
	if err != nil || g.Number != 1 {
		t.Fatalf("Rollback: %+v, %v", g, err)
	}
	holds(t, openIn(t, o.again()), 3)
	if _, err := o.place.Rollback(t.Context(), 0, testOptions()); !errors.Is(err, ErrNoGeneration) {
		t.Errorf("before the first: %v", err)
	}
	if _, err := o.place.Rollback(t.Context(), 9, testOptions()); !errors.Is(err, ErrNoGeneration) {
		t.Errorf("to generation 9: %v", err)
	}
	w := beginIn(t, o.place)
	for _, n := range []int{2, 5} { // 5 was judged in the generation that was gone back from
		if _, known, err := w.Judgement(evidence.JudgementKey("q", fmt.Sprint(n), "m", "1")); err != nil || !known {
			t.Errorf("the judgement of paper %d is known: %v, %v", n, known, err)
		}
	}
	commit(t, w, papers(4, 4))
	if number := publish(t, w).Number; number != 3 {
		t.Errorf("the next generation is %d", number)
	}
	must(t, w.Close())
	holds(t, openIn(t, o.again()), 4)
	if g, err := o.place.Rollback(t.Context(), 2, testOptions()); err == nil && g.Number == 2 {
		holds(t, openIn(t, o.again()), 6)
	} else {
		t.Errorf("forward to generation 2: %+v, %v", g, err)
	}
}

func keptAndPruned(t *testing.T, o opened) {
	for n := range 5 {
		publishIn(t, o.place, n+1, n+1)
	}
	info, err := o.place.Status(t.Context())
	must(t, err)
	var kept []int
	for _, g := range info.Generations {
		kept = append(kept, g.Number)
		if g.Counts.Records != g.Number || g.Current != (g.Number == 5) || g.Problem != nil {
			t.Errorf("generation %d: %+v", g.Number, g)
		}
	}
	if diff := cmp.Diff([]int{3, 4, 5}, kept); diff != "" || info.Current != 5 || len(info.Building) > 0 {
		t.Errorf("%+v %s", info, diff)
	}
}

func soundAndRebuilt(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 4)
	publishIn(t, o.place, 5, 7)
	for _, deep := range []bool{false, true} {
		if findings, err := o.place.Verify(t.Context(), deep); err != nil || len(findings) > 0 {
			t.Errorf("deep %v: %v, %v", deep, findings, err)
		}
	}
	rebuilt, err := o.place.RebuildText(t.Context(), testOptions())
	if err != nil || rebuilt.From != 2 || rebuilt.Number != 3 || rebuilt.Counts.Records != 7 {
		t.Errorf("RebuildText: %+v, %v", rebuilt, err)
	}
	holds(t, openIn(t, o.again()), 7)
	if findings, err := o.place.Verify(t.Context(), true); err != nil || len(findings) > 0 {
		t.Errorf("of the text that was built again: %v, %v", findings, err)
	}
}

func asBundle(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 3)
	publishIn(t, o.place, 4, 6)
	for name, of := range map[string]int{"the current one": 0, "an older one": 1} {
		var bundle bytes.Buffer
		_, err := o.place.Export(t.Context(), ExportRequest{Generation: of, Texts: writing.Texts{}}, &bundle)
		must(t, err)
		last := 6 - 3*of
		for kind, empty := range kinds {
			t.Run(name+" into "+kind, func(t *testing.T) {
				to := empty(t)
				publishIn(t, to.place, 20, 20) // which has a judgement that was paid for
				in := ImportRequest{Name: "a bundle", Content: bytes.NewReader(bundle.Bytes()), MaxSize: 1 << 30}
				done, err := to.place.Import(t.Context(), in, testOptions())
				if err != nil || done.Number != 2 || done.From.Counts.Records != last || done.Before.Number != 1 {
					t.Fatalf("Import: %+v, %v", done, err)
				}
				r := openIn(t, to.again())
				holds(t, r, last)
				if _, known, err := r.Judgement(evidence.JudgementKey("q", "20", "m", "1")); err != nil || !known {
					t.Errorf("the judgement from before is known: %v, %v", known, err)
				}
			})
		}
	}
}

func filled(t *testing.T, o opened) {
	publishIn(t, o.place, 1, 3)
	publishIn(t, o.place, 4, 6)
	from := openIn(t, o.place)
	for kind, empty := range kinds {
		t.Run("into "+kind, func(t *testing.T) {
			to := empty(t)
			if _, err := to.place.Fill(t.Context(), from, testOptions()); err != nil {
				t.Fatal(err)
			}
			r := openIn(t, to.again())
			holds(t, r, 6)
			want, err := from.Counts()
			must(t, err)
			got, err := r.Counts()
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
			if _, err := to.place.Fill(t.Context(), from, testOptions()); !errors.Is(err, ErrHasStore) {
				t.Errorf("filled again: %v", err)
			}
			holds(t, openIn(t, to.again()), 6)
			publishIn(t, to.place, 7, 7) // and it goes on
			holds(t, openIn(t, to.again()), 7)
		})
	}
}

// TestAFillThatFailsLeavesNothingInTheWay: neither its own copy, nor does it take the place of what a run has begun.
func TestAFillThatFailsLeavesNothingInTheWay(t *testing.T) {
	from := Folder(filepath.Join(t.TempDir(), "data"))
	publishIn(t, from, 1, 3)
	r := openIn(t, from)
	to := Folder(filepath.Join(t.TempDir(), "data"))
	if _, err := to.Fill(t.Context(), r, BeginOptions{Owner: "test"}); !errors.Is(err, errNoTexts) {
		t.Fatalf("with nothing to write texts: %v", err)
	}
	if _, err := to.Fill(t.Context(), r, testOptions()); err != nil {
		t.Fatal(err)
	}
	holds(t, openIn(t, to), 3)

	begun := Folder(filepath.Join(t.TempDir(), "data"))
	w := beginIn(t, begun)
	commit(t, w, papers(7, 7))
	must(t, w.Close())
	if _, err := begun.Fill(t.Context(), r, testOptions()); !errors.Is(err, ErrHasStore) {
		t.Errorf("over what a run has begun: %v", err)
	}
	if _, ok, err := beginIn(t, begun).Record(paperID(7)); err != nil || !ok {
		t.Errorf("what was committed is there: %v, %v", ok, err)
	}
}
