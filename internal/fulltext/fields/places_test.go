package fields

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlacesAreReadAsTheyWereWritten(t *testing.T) {
	long := make([]int, 5000)
	for i := range long {
		long[i] = 3*i + 1
	}
	for _, tc := range []struct {
		name   string
		places []int
		packed bool
	}{
		{"the first word", []int{1}, true},
		{"one place of an abstract", []int{1023}, true},
		{"places of every width", []int{15, 15 + 127, 15 + 127 + 1023, 15 + 127 + 1023 + 1<<20 - 1}, true},
		{"side by side", []int{7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, true},
		{"one place more than fits", []int{7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, false},
		{"three values", []int{3, 10_003, 20_003}, true},
		{"four", []int{3, 10_003, 20_003, 30_003}, false},
		{"behind a hundred and four values", []int{1 << 20}, false},
		{"thousands", long, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			frequency, rest := PackPlaces(tc.places)
			if got := rest == nil; got != tc.packed {
				t.Errorf("in one number: %v", got)
			}
			if got := Occurrences(frequency); got != len(tc.places) {
				t.Errorf("%d places, not %d", got, len(tc.places))
			}
			if diff := cmp.Diff(tc.places, AppendPlaces(nil, frequency, rest)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPlaces: places are read as they were written, and no number read from a damaged file is read for ever.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte{1}, uint64(3))
	f.Add([]byte{255, 255, 255, 0, 7}, ^uint64(0))
	f.Fuzz(func(t *testing.T, steps []byte, damaged uint64) {
		if n := Occurrences(damaged | 1); n > 16 || n != len(AppendPlaces(nil, damaged|1, nil)) {
			t.Fatalf("%d places in %d", n, damaged|1)
		}
		var places []int
		place := 0
		for _, step := range steps {
			place += 1 + int(step)*int(step)*int(step)/16
			places = append(places, place)
		}
		if len(places) == 0 {
			return
		}
		frequency, rest := PackPlaces(places)
		got, n := AppendPlaces(nil, frequency, rest), Occurrences(frequency)
		if !slices.Equal(got, places) || n != len(places) {
			t.Fatalf("%v became %d places, %v", places, n, got)
		}
	})
}
