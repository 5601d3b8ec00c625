package cite

import (
	"fmt"
	"runtime"
	"testing"
)

// TestAFilesIdsAreKeptSmall: what is remembered of a record is in memory until its file ends, however long it is.
func TestAFilesIdsAreKeptSmall(t *testing.T) {
	const records, most = 200_000, 50 // bytes of each
	x := &receiver{next: map[uint64]uint32{}}
	inUse := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := inUse()
	for i := range records {
		x.uniqueID(fmt.Sprintf("an id as long as those of some databases are: %d", i))
	}
	if each := (inUse() - before) / records; each > most {
		t.Errorf("%d bytes are kept of each record, want %d at most", each, most)
	}
	runtime.KeepAlive(x)
}
