package evidence

import "testing"

// TestListedTrials: of the trials that were found only those are counted to readers that an answer shows.
func TestListedTrials(t *testing.T) {
	for _, tt := range []struct {
		name                string
		found, left, listed int
	}{
		{"all listed", 3, 0, 3},
		{"some left out", 3, 2, 1},
		{"none passed", 3, 3, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Counts{Trials: tt.found, TrialsLeftOut: tt.left}
			if got := c.ListedTrials(); got != tt.listed {
				t.Errorf("%d, want %d", got, tt.listed)
			}
		})
	}
}
