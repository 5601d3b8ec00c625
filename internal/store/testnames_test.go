package store

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// Short names for the tests.
type (
	Batch       = evidence.Batch
	Merged      = evidence.Merged
	Judgement   = evidence.Judgement
	InboxAnswer = evidence.InboxAnswer
)

// answersOf is one answer, built on the first night.
func answersOf(topic string, numbers ...int) []evidence.Answer {
	return []evidence.Answer{answerOf(topic, "sotorasib?", night.Add(time.Hour), numbers...)}
}

// changeDatabase writes to a database that nobody has open behind the package's back.
func changeDatabase(t *testing.T, path string, change func(tx *bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	must(t, err)
	must(t, db.Update(change))
	must(t, db.Close())
}

// entry gives what docs/FORMAT.md has stand under a key: the checksum and the value.
func entry(bucket, key, value string) []byte {
	sum := crc32.Checksum([]byte(bucket+key+value), crc32.MakeTable(crc32.Castagnoli))
	return append(binary.BigEndian.AppendUint32(nil, sum), value...)
}

// changeEntry writes an entry of a published database, as nothing but a test may, or takes it out where it is nil.
func changeEntry(t *testing.T, folder, bucket, key string, content []byte) {
	t.Helper()
	changeDatabase(t, recordsOf(folder), func(tx *bolt.Tx) error {
		if content == nil {
			return tx.Bucket([]byte(bucket)).Delete([]byte(key))
		}
		return tx.Bucket([]byte(bucket)).Put([]byte(key), content)
	})
}
