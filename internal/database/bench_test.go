package database

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// BenchmarkCheckStructure compares the structure of a database as large as that of 100,000 records: readers do it
// whenever they open a store.
func BenchmarkCheckStructure(b *testing.B) {
	path := filepath.Join(b.TempDir(), "evidence.db")
	db, err := bolt.Open(path, 0o644, &bolt.Options{PageSize: PageSize, NoSync: true, NoFreelistSync: true})
	must(b, err)
	for bucket, each := range map[string]int{"records": 1500, "sources": 1700, "titles": 8, "identifiers": 8,
		"members": 30} {
		for from := 0; from < 100_000; from += 10_000 {
			must(b, db.Update(func(tx *bolt.Tx) error {
				into, err := tx.CreateBucketIfNotExists([]byte(bucket))
				for i := from; i < from+10_000 && err == nil; i++ {
					err = into.Put(fmt.Appendf(nil, "%s %012d", bucket, i), make([]byte, each))
				}
				return err
			}))
		}
	}
	must(b, db.Close())
	sums, err := SumStructure(path, time.Second)
	must(b, err)
	for b.Loop() {
		must(b, CheckStructure(path, sums))
	}
	b.ReportMetric(float64(len(sums)/structureEntry), "pages")
}
