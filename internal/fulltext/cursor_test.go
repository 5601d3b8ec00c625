package fulltext

import (
	"errors"
	"testing"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// posting is one of which the frequency alone can be read.
type posting struct {
	segment.Posting
	frequency uint64
}

func (p posting) Frequency() uint64 { return p.frequency }

// unread are locations that must not be read.
type unread struct {
	segment.PostingsIterator
	t *testing.T
}

func (u unread) Advance(uint64) (segment.Posting, error) {
	u.t.Error("locations are read")
	return nil, errors.New("none")
}

// A changed bit may make any number of a frequency. The reader of locations makes room for as many: it is not asked.
func TestADamagedFrequencyTakesNoMemory(t *testing.T) {
	for _, tc := range []struct {
		name      string
		frequency uint64
		fails     bool
	}{
		{"it says that a word stands there very often", 1 << 40, true},
		{"it says that it is packed", 1<<40 | 1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := cursor{packed: true, more: true, found: posting{frequency: tc.frequency}, located: unread{t: t}}
			if places, err := c.places(nil); (err != nil) != tc.fails || len(places) > 16 {
				t.Errorf("%d places, %v", len(places), err)
			}
		})
	}
}
