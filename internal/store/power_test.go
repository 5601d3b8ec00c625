//go:build unix

package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// powerCuts is how many states after a power cut all works together are tried in, at full fire.
const powerCuts = 2000

// TestFirePowerCuts records what each work does to files, and goes on from what a power cut at any call could have
// left: all that was synced, and of the rest nothing, half or everything.
func TestFirePowerCuts(t *testing.T) {
	skipInShort(t)
	all := works()
	for number, w := range all {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			rehearsed := w.rehearsed(t)
			disk, calls := rehearsed.begun.clone(), rehearsed.callsOrSkip(t)
			random := rand.New(rand.NewPCG(12, uint64(number)))
			tried := 0
			for call, states := range statesAt(calls, fired(powerCuts)/len(all), random) {
				must(t, disk.do(calls[call]))
				for range states {
					share := []float64{0, 0.5, 1}[random.IntN(3)]
					if call == len(calls)-1 {
						share = 0 // all that was told is certain
					}
					left := filepath.Join(t.TempDir(), "disk")
					disk.cut(t, left, random, share)
					if err := w.check(t, filepath.Join(left, "deep", "data"), disk.told.String(), rehearsed.end); err != nil {
						t.Errorf("after call %d of %d (%s), with %.1f of what was not synced: %v", call, len(calls), calls[call].name,
							share, err)
					}
					must(t, os.RemoveAll(left))
					tried++
				}
			}
			t.Logf("%d states after %d calls, %d of them syncs", tried, len(calls), countCalls(calls, "fsync", "fdatasync"))
		})
	}
}

// callsOrSkip are the calls of a process that does the work.
func (r *rehearsal) callsOrSkip(t *testing.T) []fsCall {
	t.Helper()
	if len(r.calls) == 0 {
		t.Skip("strace is not installed: neither a call's failure nor a power cut is tried")
	}
	return r.calls
}

// statesAt parts states over the calls: one at the end, one before every sync as far as they go, the others anywhere.
func statesAt(calls []fsCall, states int, random *rand.Rand) []int {
	at := make([]int, len(calls))
	at[len(calls)-1]++
	var before []int
	for i, c := range calls {
		if i > 0 && strings.HasSuffix(c.name, "sync") {
			before = append(before, i-1)
		}
	}
	random.Shuffle(len(before), func(i, j int) { before[i], before[j] = before[j], before[i] })
	for i := range states - 1 {
		if i < len(before) && i < states/2 {
			at[before[i]]++
			continue
		}
		at[random.IntN(len(calls))]++
	}
	return at
}

func countCalls(calls []fsCall, names ...string) (n int) {
	for _, c := range calls {
		if slices.Contains(names, c.name) {
			n++
		}
	}
	return n
}

// TestASyncThatIsMissingIsSeen: without any one of these syncs a power cut at the end of a work loses what it has told.
// (The names are those that files have at the end; what is told of a folder is told of its entries. A move between two
// folders is synced at both ends, of which either is enough here.)
func TestASyncThatIsMissingIsSeen(t *testing.T) {
	skipInShort(t)
	written := evidenceName // what a night writes its records to
	if *withChanges {
		written = changesName
	}
	for _, tc := range []struct {
		work, deaf string // deaf is a file, or a folder whose entries are, below the data directory
	}{
		{"a first store", "../.."}, {"a first store", ".."}, {"a first store", "."}, {"a first store", currentName},
		{"a first store", "generations/000001/" + manifestName},
		{"a first store", "generations/000001/" + evidenceName}, {"a first store", "generations/000001"},
		{"a first store", "generations/000001/text.bleve/store"},
		{"a first store", "generations/000001/text.bleve/store/root.bolt"},
		{"a night", "."}, {"a night", "generations/000003/" + written},
		{"a rollback", "."}, {"a rollback", currentName},
		{"a rollback after an interrupted publication", buildingName},
		{"a repair of the text", "."}, {"a repair of the text", "generations/000004/text.bleve"},
		{"a repair of the text", "generations/000004/text.bleve/store"},
	} {
		t.Run(fmt.Sprintf("%s, %s", tc.work, tc.deaf), func(t *testing.T) {
			t.Parallel()
			w := workNamed(tc.work)
			rehearsed := w.rehearsed(t)
			calls, afterwards := rehearsed.callsOrSkip(t), rehearsed.begun.clone()
			for _, c := range calls {
				must(t, afterwards.do(c))
			}
			missing := afterwards.root
			if path := filepath.Join("deep", "data", tc.deaf); path != "." {
				for part := range strings.SplitSeq(path, "/") {
					missing = missing.entries[part]
				}
			}
			for _, deaf := range []int{0, missing.id} {
				disk := rehearsed.begun.clone()
				disk.deaf = deaf
				for _, c := range calls {
					must(t, disk.do(c))
				}
				left := filepath.Join(t.TempDir(), "disk")
				disk.cut(t, left, rand.New(rand.NewPCG(1, 1)), 0)
				err := w.check(t, filepath.Join(left, "deep", "data"), disk.told.String(), rehearsed.end)
				if (err == nil) != (deaf == 0) {
					t.Errorf("deaf to %d, and the check says %v", deaf, err)
				}
			}
		})
	}
}
