package database

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"dossier/internal/evidence"
)

// The buckets of evidence.db. docs/FORMAT.md describes their keys and values.
var (
	bucketMeta              = []byte("meta")
	bucketSources           = []byte("sources")            // origin key → source record
	bucketRecords           = []byte("records")            // record id → merged record
	bucketMembership        = []byte("membership")         // origin key → record id
	bucketMembers           = []byte("members")            // record id → origin keys
	bucketIdentifierRecords = []byte("identifier_records") // identifier NUL record id
	bucketIdentifierSources = []byte("identifier_sources") // identifier NUL origin key
	bucketLinks             = []byte("links")              // a link's target NUL record id
	bucketTitles            = []byte("titles")             // title digest, origin key
	bucketTitleOf           = []byte("title_of")           // origin key → its title digests, one after the other
	bucketRedirects         = []byte("redirects")          // old record id → new record id
	bucketTopics            = []byte("topics")             // topic id → TopicInfo
	bucketAnswers           = []byte("answers")            // topic id → answer
	bucketQuestions         = []byte("questions")          // question digest, topic id
	bucketHistory           = []byte("history")            // topic id NUL time → Snapshot
	bucketJudgements        = []byte("judgements")         // judgement key → Judgement
	bucketRuns              = []byte("runs")               // time NUL run id → run
	bucketPending           = []byte("pending")            // sequence → record id the full text still lacks
	bucketCurated           = []byte("curated")            // PMID → curators' statements on that paper; since schema 1.0.1
	bucketApprovals         = []byte("approvals")          // a drug's name → what is approved of it; since schema 1.7.1
	bucketInterpretations   = []byte("interpretations")    // a gene, marker or change → what curators say; since 1.7.2
)

// allBuckets lists the buckets of the current schema.
func allBuckets() [][]byte {
	return append(requiredBuckets(), bucketCurated, bucketApprovals, bucketInterpretations)
}

// requiredBuckets lists the buckets that every schema has; a database of an older schema lacks the others until it is
// written to.
func requiredBuckets() [][]byte {
	return [][]byte{
		bucketMeta, bucketSources, bucketRecords, bucketMembership, bucketMembers, bucketIdentifierRecords,
		bucketIdentifierSources, bucketLinks, bucketTitles, bucketTitleOf, bucketRedirects, bucketTopics, bucketAnswers,
		bucketQuestions, bucketHistory, bucketJudgements, bucketRuns, bucketPending,
	}
}

// The keys of the bucket meta.
var (
	metaSchema     = []byte("schema")     // Schema's text
	metaGeneration = []byte("generation") // Numbers as JSON
	metaSequence   = []byte("sequence")   // the last sequence number assigned
	metaSettled    = []byte("settled")    // the last one whose pending entry was removed
	// the file that curators' statements come from, as JSON; missing where there is none
	metaCurated = []byte("curated")
	// the files on what is approved, as a JSON list; missing where there are none
	metaApprovals = []byte("approvals")
	// curators' files on alterations, as a JSON list; missing where there are none
	metaInterpretations = []byte("interpretations")
	metaBase            = []byte("base") // in a file of changes, a baseInfo as JSON
)

// maxKeyLength bounds record ids, origin keys, topic ids and judgement keys; two and an identifier fit a bbolt key.
const maxKeyLength = 8192

func checkKey(what, key string) error {
	switch {
	case key == "":
		return fmt.Errorf("a %s is empty", what)
	case len(key) > maxKeyLength:
		return fmt.Errorf("a %s has %d bytes; at most %d are stored", what, len(key), maxKeyLength)
	case strings.IndexByte(key, 0) >= 0:
		return fmt.Errorf("the %s %.100q holds a NUL byte", what, key)
	}
	return nil
}

// joinKey joins two parts into one key; neither contains a NUL.
func joinKey(first, second string) []byte {
	key := make([]byte, 0, len(first)+1+len(second))
	return append(append(append(key, first...), 0), second...)
}

// identifierKey is the first part of the identifier indexes' keys.
func identifierKey(id evidence.Identifier) string { return string(id.Kind) + ":" + id.Value }

// digestSize is the length of the digests that replace long texts in keys: 128 bits of SHA-256.
const digestSize = 16

// Digest is the first digestSize bytes of a text's SHA-256.
func Digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:digestSize]
}

// digestKey is a digest followed by the key of the entry that it belongs to.
func digestKey(sum []byte, key string) []byte {
	return append(bytes.Clone(sum), key...)
}

// sequenceKey encodes a sequence number so that bbolt's cursors follow its order.
func sequenceKey(sequence uint64) []byte { return binary.BigEndian.AppendUint64(nil, sequence) }

func parseSequence(key []byte) uint64 {
	if len(key) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key)
}

// sortableTime formats t so that byte order is chronological.
func sortableTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }
