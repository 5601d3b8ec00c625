package evidence_test

import (
	"fmt"
	"strings"
	"testing"

	"dossier/internal/evidence"
)

func TestParseShard(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       evidence.Shard
		wrong      string // in the error
	}{
		{"the only one", "1/1", evidence.Shard{Number: 1, Of: 1}, ""},
		{"one of many", "3/16", evidence.Shard{Number: 3, Of: 16}, ""},
		{"the last one", "64/64", evidence.Shard{Number: 64, Of: 64}, ""},
		{"nothing", "", evidence.Shard{}, "as 3/16"},
		{"no number of shares", "3", evidence.Shard{}, "as 3/16"},
		{"three numbers", "1/2/3", evidence.Shard{}, "as 3/16"},
		{"words", "one/two", evidence.Shard{}, "as 3/16"},
		{"spaces", " 1/2", evidence.Shard{}, "as 3/16"},
		{"a sign", "+1/2", evidence.Shard{}, "as 3/16"},
		{"a zero before it", "01/2", evidence.Shard{}, "as 3/16"},
		{"number 0", "0/2", evidence.Shard{}, "1/2 to 2/2"},
		{"a number beyond the last", "3/2", evidence.Shard{}, "1/2 to 2/2"},
		{"a number below 0", "-1/2", evidence.Shard{}, "1/2 to 2/2"},
		{"no shares", "1/0", evidence.Shard{}, "1 to 64"},
		{"too many shares", "1/65", evidence.Shard{}, "1 to 64"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := evidence.ParseShard(tc.text)
			if got != tc.want || (err == nil) != (tc.wrong == "") {
				t.Errorf("%q is %+v, %v", tc.text, got, err)
			}
			if err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("%q: %v, which does not say %q", tc.text, err, tc.wrong)
			}
			if err == nil && got.String() != tc.text {
				t.Errorf("%q is written %q", tc.text, got)
			}
		})
	}
}

// TestEachTopicIsInOneShare, which is the same for ever: machines of other versions have the others.
func TestEachTopicIsInOneShare(t *testing.T) {
	const topics = 1600
	for _, of := range []int{1, 2, 3, 16, 64} {
		sizes := map[int]int{}
		for i := range topics {
			id := fmt.Sprintf("egfr-t790m-%d", i)
			shares := 0
			for number := 1; number <= of; number++ {
				if (evidence.Shard{Number: number, Of: of}).Has(id) {
					shares++
					sizes[number]++
				}
			}
			if shares != 1 || !(evidence.Shard{}).Has(id) {
				t.Fatalf("%s is in %d shares of %d", id, shares, of)
			}
		}
		for number, size := range sizes {
			if even := topics / of; size < even/2 || size > 2*even {
				t.Errorf("share %d of %d has %d of %d topics", number, of, size, topics)
			}
		}
	}
	for id, want := range map[string]int{"egfr-t790m-nsclc-osimertinib": 13, "breast": 12, "lung": 13, "melanoma": 14} {
		if !(evidence.Shard{Number: want, Of: 16}).Has(id) {
			t.Errorf("%s is not in share %d of 16 any more", id, want)
		}
	}
}
