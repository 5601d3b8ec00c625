package evidence

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSpanOf(t *testing.T) {
	keys := []string{"europepmc|1", "import:a.ris|1", "import:a.ris|2", "pubmed|1"}
	for _, c := range []struct {
		name string
		span Span
		want []string
	}{
		{"all", Span{}, keys},
		{"the first two", Span{Limit: 2}, keys[:2]},
		{"the last two, the last first", Span{Limit: 2, Backwards: true}, []string{"pubmed|1", "import:a.ris|2"}},
		{"from a key that is there", Span{From: "import:a.ris|1"}, keys[1:]},
		{"behind it", Span{From: "import:a.ris|1\x00", Limit: 1}, keys[2:3]},
		{"before it", Span{To: "import:a.ris|1", Limit: 1, Backwards: true}, keys[:1]},
		{"of one source", Span{From: "import:", To: "import;"}, keys[1:3]},
		{"of a source that is not there", Span{From: "openalex|", To: "openalex}"}, nil},
		{"the wrong way round", Span{From: "p", To: "e"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.span.Of(keys); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestSpanOver: a span over a list and what has come and gone is that of the list as it is then, in however small
// pieces it is read.
func TestSpanOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letter := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
		list := func(name string) []string {
			return slices.Compact(slices.Sorted(slices.Values(rapid.SliceOf(letter).Draw(t, name))))
		}
		old, come, gone := list("old"), list("come"), list("gone")
		span := Span{
			From: letter.Draw(t, "from"), To: rapid.SampledFrom([]string{"", "d", "f", "h"}).Draw(t, "to"),
			Limit: rapid.IntRange(0, 4).Draw(t, "limit"), Backwards: rapid.Bool().Draw(t, "backwards"),
		}
		isGone := func(key string) bool { return slices.Contains(gone, key) }
		now := append(slices.DeleteFunc(slices.Clone(old), isGone), come...)
		slices.Sort(now)
		got, err := span.Over(come, isGone, func(s Span) ([]string, error) { return s.Of(old), nil })
		if err != nil {
			t.Fatal(err)
		}
		if want := span.Of(slices.Compact(now)); !slices.Equal(got, want) {
			t.Fatalf("%+v of %q, without %q, with %q: got %q, want %q", span, old, gone, come, got, want)
		}
	})
}

// TestSpanOverReadsWhatIsNear: where a whole crowd comes anew, each key's neighbours are found without reading the list
// from end to end.
func TestSpanOverReadsWhatIsNear(t *testing.T) {
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf("pubmed|%04d", i))
	}
	anew := func(string) bool { return true }
	for i, key := range keys {
		for _, span := range []Span{{To: key, Limit: 1, Backwards: true}, {From: key + "\x00", Limit: 1}} {
			read := 0
			got, err := span.Over(keys, anew, func(s Span) ([]string, error) {
				part := s.Of(keys)
				read += len(part)
				return part, nil
			})
			if err != nil || !slices.Equal(got, span.Of(keys)) {
				t.Fatalf("%+v: got %q, %v; want %q", span, got, err, span.Of(keys))
			}
			if read > 1 {
				t.Fatalf("%d keys were read for one neighbour of the key at place %d", read, i)
			}
		}
	}
}
