package store

import (
	"time"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
	"dossier/internal/fulltext"
)

// Short names for the tests.
type (
	boltTx     = bolt.Tx
	fulltextOp = fulltext.Op
)

// answersOf is one answer, built on the first night.
func answersOf(topic string, numbers ...int) []evidence.Answer {
	return []evidence.Answer{answerOf(topic, "sotorasib?", night.Add(time.Hour), numbers...)}
}
