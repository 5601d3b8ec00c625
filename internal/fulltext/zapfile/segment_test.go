package zapfile

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/google/go-cmp/cmp"
)

// TestReadsWhatZapxReads: of all that a segment holds, whether its documents are all there or some were deleted.
func TestReadsWhatZapxReads(t *testing.T) {
	for name, documents := range corpora() {
		for _, dropping := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%s, %.0f%% dropped", name, 100*dropping), func(t *testing.T) {
				segments, drops := cut(t, documents, 2, dropping)
				theirs, _ := merged(t, new(Plugin), segments, []*roaring.Bitmap{nil, nil})
				ours := readable(t, theirs)
				deleted := drops[0]
				deleted.Or(roaring.AddOffset(drops[1], uint32(segments[0].Count())))
				compareDocuments(t, ours, theirs)
				for _, field := range theirs.Fields() {
					compareWords(t, ours, theirs, field)
				}
				for _, step := range []uint64{0, 2, 40, 3000} {
					if compareLists(t, ours, theirs, deleted, step) == 0 {
						t.Error("nothing was read")
					}
				}
			})
		}
	}
}

// TestReadsASegmentWhereverItIs: in a file, as scorch has built it in memory, and as it is built here to be read.
func TestReadsASegmentWhereverItIs(t *testing.T) {
	documents := recorded(60)
	made := built(t, documents)
	want := readable(t, opened(t, made))
	builder, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	here, err := builder.BuildReadable(documents)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "segment.zap")
	if err := os.WriteFile(path, content(t, made), 0o600); err != nil {
		t.Fatal(err)
	}
	mapped, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := mapped.Release(); err != nil {
			t.Error(err)
		}
	}()
	for name, got := range map[string]*Segment{"in memory": readable(t, made), "built here": here, "mapped": mapped} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(everyWord(want), everyWord(got)); diff != "" || want.Count() != got.Count() {
				t.Error(diff)
			}
		})
	}
}

// everyWord gives every word of every field with how many hold it.
func everyWord(s *Segment) map[string]uint64 {
	all := map[string]uint64{}
	for field := range s.columns() {
		for words := s.Words(field, ""); words.Next(); {
			all[field+" "+string(words.Word())] = s.DocFrequency(field, words.Word(), nil)
		}
	}
	return all
}

func readable(t *testing.T, s segment.Segment) *Segment {
	t.Helper()
	ours, err := Of(s)
	if err != nil {
		t.Fatal(err)
	}
	return ours
}

// compareDocuments compares the documents' names and values.
func compareDocuments(t *testing.T, ours *Segment, theirs segment.Segment) {
	t.Helper()
	names := theirs.Fields()
	values := map[string]*Values{}
	for _, field := range names {
		values[field] = ours.Values(field)
		if !ours.HasField(field) {
			t.Errorf("there is no field %q", field)
		}
	}
	states := map[string]segment.DocVisitState{}
	for doc := range theirs.Count() {
		if id, err := theirs.DocID(doc); err != nil || string(id) != string(ours.ID(doc)) {
			t.Fatalf("document %d is called %q, not %q, %v", doc, ours.ID(doc), id, err)
		}
		var got, want []string
		for _, field := range names {
			if c, _ := ours.column(field); c.valuesFrom == noValues && !c.options.IncludeDocValues() {
				continue // zapx may not be asked
			}
			values[field].Of(doc, func(value []byte) { got = append(got, field+" "+string(value)) })
			var err error
			states[field], err = theirs.(segment.DocValueVisitable).VisitDocValues(doc, []string{field},
				func(field string, value []byte) { want = append(want, field+" "+string(value)) }, states[field])
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(want, got) {
			t.Fatalf("document %d: %s", doc, cmp.Diff(want, got))
		}
	}
}

// compareWords compares a field's words: all, and those that begin as some of them do.
func compareWords(t *testing.T, ours *Segment, theirs segment.Segment, field string) {
	t.Helper()
	dictionary, err := theirs.Dictionary(field)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	prefixes := []string{"", "w", "zzyzxqj", "\xff", "word"}
	for words := ours.Words(field, ""); words.Next(); {
		if random.IntN(100) == 0 {
			prefixes = append(prefixes, string(words.Word()[:random.IntN(len(words.Word())+1)]), string(words.Word()))
		}
	}
	slices.Sort(prefixes)
	for _, prefix := range slices.Compact(prefixes) {
		reference := dictionary.AutomatonIterator(nil, []byte(prefix), nil)
		words := ours.Words(field, prefix)
		for {
			entry, err := reference.Next()
			if err != nil {
				t.Fatal(err)
			}
			more := entry != nil && len(entry.Term) >= len(prefix) && entry.Term[:len(prefix)] == prefix
			if words.Next() != more {
				t.Fatalf("%s: behind %q: more words than there are, or fewer", field, words.Word())
			}
			if !more {
				break
			}
			if string(words.Word()) != entry.Term {
				t.Fatalf("%s: %q, not %q", field, words.Word(), entry.Term)
			}
		}
	}
}

// compareLists reads every word's list in steps of at most step documents, and says how many documents it has read.
func compareLists(t *testing.T, ours *Segment, theirs segment.Segment, deleted *roaring.Bitmap, step uint64) (read int) {
	t.Helper()
	random := rand.New(rand.NewPCG(step, 9))
	var list *List
	for _, field := range theirs.Fields() {
		dictionary, err := theirs.Dictionary(field)
		if err != nil {
			t.Fatal(err)
		}
		for words := ours.Words(field, ""); words.Next(); {
			word := words.Word()
			postings, err := dictionary.PostingsList(word, deleted, nil)
			if err != nil {
				t.Fatal(err)
			}
			compareHolding(t, ours, postings, field, word, deleted)
			if ours.columns()[field].options.SkipFreqNorm() {
				continue
			}
			list = ours.List(field, word, deleted, list)
			read += compareList(t, list, postings, random, step)
		}
	}
	return read
}

func compareHolding(t *testing.T, ours *Segment, postings segment.PostingsList, field string, word []byte,
	deleted *roaring.Bitmap) {
	t.Helper()
	const offset = 70_000
	want, got := roaring.New(), roaring.New()
	for docs := postings.Iterator(false, false, false, nil); ; {
		at, err := docs.Next()
		if err != nil {
			t.Fatal(err)
		}
		if at == nil {
			break
		}
		want.Add(uint32(at.Number() + offset))
	}
	ours.AddDocs(got, field, word, deleted, offset)
	if n := ours.DocFrequency(field, word, deleted); !got.Equals(want) || n != want.GetCardinality() {
		t.Fatalf("%s %q: %d documents, and %d are counted, not %d", field, word, got.GetCardinality(), n,
			want.GetCardinality())
	}
}

func compareList(t *testing.T, list *List, postings segment.PostingsList, random *rand.Rand, step uint64) (read int) {
	t.Helper()
	reference := postings.Iterator(true, true, true, nil)
	for at := uint64(0); ; read++ {
		theirs, err := reference.Advance(at)
		if err != nil {
			t.Fatal(err)
		}
		if list.Advance(at) != (theirs != nil) {
			t.Fatal("one list has an end and the other has none")
		}
		if theirs == nil {
			return read
		}
		norm := float64(float32(1 / math.Sqrt(float64(list.Length()))))
		if uint64(list.Doc()) != theirs.Number() || list.Frequency() != theirs.Frequency() || norm != theirs.Norm() {
			t.Fatalf("%d %d %v, not %d %d %v", list.Doc(), list.Frequency(), norm, theirs.Number(), theirs.Frequency(),
				theirs.Norm())
		}
		if random.IntN(3) > 0 { // locations are not asked for everywhere
			var want []Location
			for _, l := range theirs.Locations() {
				want = append(want, Location{Place: l.Pos(), Distances: slices.Clone(l.ArrayPositions())})
			}
			got := list.Locations()
			if !slices.EqualFunc(want, got, func(a, b Location) bool {
				return a.Place == b.Place && slices.Equal(a.Distances, b.Distances)
			}) {
				t.Fatal(cmp.Diff(want, got))
			}
		}
		at = theirs.Number() + 1
		if step > 0 {
			at += random.Uint64N(step)
		}
	}
}

func TestAWordThatIsNowhereHasNoList(t *testing.T) {
	s := readable(t, opened(t, built(t, recorded(3))))
	for _, field := range []string{"title", "no such field"} {
		if s.List(field, []byte("zzyzxqj"), nil, nil).Next() || s.DocFrequency(field, []byte("zzyzxqj"), nil) != 0 {
			t.Errorf("field %q holds it", field)
		}
	}
}

// TestOtherFormatsAreRefused: what is not written as it is read here is not read.
func TestOtherFormatsAreRefused(t *testing.T) {
	whole := content(t, built(t, recorded(3)))
	footer := len(whole) - zap.FooterSize
	for name, how := range map[string]func(content []byte) []byte{
		"empty":                           func([]byte) []byte { return nil },
		"cut":                             func(c []byte) []byte { return c[:zap.FooterSize-1] },
		"of another version":              func(c []byte) []byte { c[footer+35]++; return c },
		"its lists are cut otherwise":     func(c []byte) []byte { c[footer+31]++; return c },
		"it is encoded":                   func(c []byte) []byte { c[footer+3]++; return c },
		"more documents than bytes":       func(c []byte) []byte { c[footer+4] = 1; return c },
		"names are said to be behind it":  func(c []byte) []byte { c[footer+12] = 0xff; return c },
		"fields are said to be behind it": func(c []byte) []byte { c[footer+20] = 0xff; return c },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readFrame(how(slices.Clone(whole)))
			if !errors.Is(err, ErrFormat) && !errors.Is(err, errDamaged) {
				t.Errorf("%v", err)
			}
		})
	}
}
