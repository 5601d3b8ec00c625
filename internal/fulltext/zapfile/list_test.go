package zapfile

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// TestListsSayWhatZapxSays: of every word's documents, whether all of them or some are asked for.
func TestListsSayWhatZapxSays(t *testing.T) {
	for name, documents := range corpora() {
		for _, dropping := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%s, %.0f%% dropped", name, 100*dropping), func(t *testing.T) {
				segments, drops := cut(t, documents, 2, dropping)
				whole, _ := merged(t, new(Plugin), segments, []*roaring.Bitmap{nil, nil})
				deleted := drops[0]
				deleted.Or(roaring.AddOffset(drops[1], uint32(segments[0].Count())))
				read := 0
				for _, step := range []uint64{0, 2, 40, 3000} {
					read += compareLists(t, whole, deleted, step)
				}
				if read == 0 {
					t.Error("nothing was read")
				}
			})
		}
	}
}

// compareLists reads every word's list in steps of at most step documents, and says how many documents it has read.
func compareLists(t *testing.T, whole segment.Segment, deleted *roaring.Bitmap, step uint64) (read int) {
	t.Helper()
	lists := ListsOf(whole)
	if lists == nil {
		t.Fatal("there are no lists")
	}
	random := rand.New(rand.NewPCG(step, 9))
	var ours *List
	for _, field := range whole.Fields() {
		dictionary, err := whole.Dictionary(field)
		if err != nil {
			t.Fatal(err)
		}
		words := dictionary.AutomatonIterator(nil, nil, nil)
		for entry, err := words.Next(); entry != nil || err != nil; entry, err = words.Next() {
			theirs, also := dictionary.PostingsList([]byte(entry.Term), deleted, nil)
			found, lost := lists.Find(field, []byte(entry.Term), deleted, ours)
			if err != nil || also != nil || lost != nil {
				t.Fatal(err, also, lost)
			}
			if found == nil {
				continue
			}
			ours = found
			reference := theirs.Iterator(true, true, false, nil)
			for at := uint64(0); ; read++ {
				a, err := ours.Advance(at)
				b, also := reference.Advance(at)
				if err != nil || also != nil {
					t.Fatal(err, also)
				}
				if (a == nil) != (b == nil) {
					t.Fatalf("%s %q: one list has an end and the other has none", field, entry.Term)
				}
				if a == nil {
					break
				}
				if a.Number() != b.Number() || a.Frequency() != b.Frequency() || a.Norm() != b.Norm() {
					t.Fatalf("%s %q: %d %d %v, not %d %d %v", field, entry.Term, a.Number(), a.Frequency(), a.Norm(), b.Number(),
						b.Frequency(), b.Norm())
				}
				at = a.Number() + 1
				if step > 0 {
					at += random.Uint64N(step)
				}
			}
		}
	}
	return read
}

func TestAWordThatIsNowhereHasNoList(t *testing.T) {
	lists := ListsOf(opened(t, built(t, recorded(3))))
	for _, field := range []string{"title", "no such field"} {
		list, err := lists.Find(field, []byte("zzyzxqj"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := list.Next(); found != nil || err != nil {
			t.Errorf("field %q: %v, %v", field, found, err)
		}
	}
}
