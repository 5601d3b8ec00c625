package database

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// commit applies one Batch within one transaction.
type commit struct {
	tx
	batch   *evidence.Batch
	removed map[string]bool              // records that the batch drops or replaces
	before  map[string][sha256.Size]byte // sums of these records before
	sources map[string]*evidence.Record  // the batch's own source records, by origin key
	changes Changes                      // of records, for the full text
}

// apply writes the batch. It removes old entries from the indexes before source records change, because a record that
// is stored as an overlay changes with its source.
func (b *commit) apply() error {
	for _, step := range []func() error{
		b.unindexRecords, b.dropSources, b.putSources, b.putRecords, b.checkDroppedSources, b.putRedirects,
		b.putJudgements, b.dropTopics, b.putAnswers, b.putCurated, b.putImported, b.putRun,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (b *commit) put(bucket []byte, key []byte, v any) error {
	value, err := b.db.codec.Encode(v)
	if err != nil {
		return fmt.Errorf("storing %q in %s: %w", key, bucket, err)
	}
	return b.table(bucket).put(key, value)
}

// unindexRecords removes dropped and replaced records from the indexes, and keeps their sums.
func (b *commit) unindexRecords() error {
	for _, id := range b.batch.Drop {
		b.removed[id] = true
	}

	for i := range b.batch.Put {
		b.removed[b.batch.Put[i].Record.ID] = true
	}

	for _, id := range slices.Sorted(maps.Keys(b.removed)) {
		if err := b.unindexRecord(id); err != nil {
			return fmt.Errorf("replacing record %.200q: %w", id, err)
		}
	}

	for _, id := range b.batch.Drop {
		if _, existed := b.before[id]; !existed {
			continue
		}

		if err := b.table(bucketRecords).delete([]byte(id)); err != nil {
			return err
		}

		if err := b.addPending(Change{ID: id}); err != nil {
			return err
		}
	}
	return nil
}

func (b *commit) unindexRecord(id string) error {
	record, ok, err := b.record(id)
	if !ok {
		return err
	}

	if b.before[id], err = contentSum(record); err != nil {
		return err
	}

	for _, identifier := range record.Identifiers {
		if err := b.table(bucketIdentifierRecords).delete(joinKey(identifierKey(identifier), id)); err != nil {
			return err
		}
	}

	for _, target := range record.Targets() {
		if err := b.table(bucketLinks).delete(joinKey(identifierKey(target), id)); err != nil {
			return err
		}
	}

	members, err := b.membersOf(id)
	if err != nil {
		return err
	}

	membership := b.table(bucketMembership)
	for _, member := range members {
		owner, _, err := membership.get([]byte(member))
		if err == nil && string(owner) == id {
			err = membership.delete([]byte(member))
		}

		if err != nil {
			return err
		}
	}
	return b.table(bucketMembers).delete([]byte(id))
}

func contentSum(record evidence.Record) ([sha256.Size]byte, error) {
	text, err := json.Marshal(record)
	return sha256.Sum256(text), err
}

func (b *commit) dropSources() error {
	for _, key := range b.batch.DropSources {
		if err := b.unindexSource(key); err != nil {
			return fmt.Errorf("dropping source record %.200q: %w", key, err)
		}

		if err := b.table(bucketSources).delete([]byte(key)); err != nil {
			return err
		}
	}
	return nil
}

func (b *commit) putSources() error {
	for _, i := range sortedBy(b.batch.SourceRecords, func(r *evidence.Record) string { return r.Origins[0].Key() }) {
		record := withoutCurated(b.batch.SourceRecords[i])

		key := record.Origins[0].Key()
		if err := b.unindexSource(key); err != nil {
			return fmt.Errorf("replacing source record %.200q: %w", key, err)
		}

		if err := b.put(bucketSources, []byte(key), record); err != nil {
			return err
		}

		b.sources[key] = record
		for _, identifier := range record.Identifiers {
			if err := b.table(bucketIdentifierSources).put(joinKey(identifierKey(identifier), key), nil); err != nil {
				return err
			}
		}

		if err := b.indexTitles(key, b.batch.Keys[key]); err != nil {
			return err
		}
	}
	return b.reindexTitles()
}

// reindexTitles sets the title keys that the batch names for stored source records that it does not replace.
func (b *commit) reindexTitles() error {
	for _, key := range slices.Sorted(maps.Keys(b.batch.Keys)) {
		if _, put := b.sources[key]; put {
			continue
		}

		stored, err := b.table(bucketSources).has([]byte(key))
		if err != nil {
			return err
		}

		old, _, err := b.table(bucketTitleOf).get([]byte(key))
		if err != nil {
			return err
		}

		if !stored || bytes.Equal(old, titleSums(b.batch.Keys[key])) {
			continue
		}

		if err := b.unindexTitles(key); err != nil {
			return err
		}

		if err := b.indexTitles(key, b.batch.Keys[key]); err != nil {
			return err
		}
	}
	return nil
}

// sortedBy returns the indices of items in order of a key, because bbolt writes neighbours together.
func sortedBy[T any](items []T, key func(*T) string) []int {
	places := make([]int, len(items))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return strings.Compare(key(&items[a]), key(&items[b]))
	})
	return places
}

// indexTitles writes the keys by which a source record is found by its title and text, and records them with the
// source record.
func (b *commit) indexTitles(originKey string, titleKeys []string) error {
	sums := titleSums(titleKeys)
	for sum := range slices.Chunk(sums, digestSize) {
		if err := b.table(bucketTitles).put(digestKey(sum, originKey), nil); err != nil {
			return err
		}
	}

	if len(sums) == 0 {
		return nil
	}
	return b.table(bucketTitleOf).put([]byte(originKey), sums)
}

func titleSums(titleKeys []string) (sums []byte) {
	for _, key := range titleKeys {
		sums = append(sums, Digest(key)...)
	}
	return sums
}

// unindexSource removes a source record that is about to change from the indexes. If a merged record that the batch
// does not replace is an overlay over it, that record is first written whole.
func (b *commit) unindexSource(key string) error {
	old, ok, err := b.source(key)
	if !ok || err != nil {
		return err
	}

	for _, identifier := range old.Identifiers {
		if err := b.table(bucketIdentifierSources).delete(joinKey(identifierKey(identifier), key)); err != nil {
			return err
		}
	}

	if err := b.unindexTitles(key); err != nil {
		return err
	}
	return b.materialise(key)
}

func (b *commit) unindexTitles(key string) error {
	sums, _, err := b.table(bucketTitleOf).get([]byte(key))
	if err != nil {
		return err
	}

	for sum := range slices.Chunk(sums, digestSize) {
		if err := b.table(bucketTitles).delete(digestKey(sum, key)); err != nil {
			return err
		}
	}
	return b.table(bucketTitleOf).delete([]byte(key))
}

// materialise stores a source record's merged record whole if it is an overlay on it: the source is about to change.
func (b *commit) materialise(originKey string) error {
	owner, isIn, err := b.table(bucketMembership).get([]byte(originKey))

	id := string(owner)
	if !isIn || b.removed[id] {
		return err
	}

	value, _, err := b.table(bucketRecords).get([]byte(id))
	if len(value) == 0 || value[0] != formOverlay {
		return err
	}

	record, _, err := b.record(id)
	if err != nil {
		return err
	}
	return b.put(bucketRecords, []byte(id), record)
}

func (b *commit) putRecords() error {
	for _, i := range sortedBy(b.batch.Put, func(m *evidence.Merged) string { return m.Record.ID }) {
		own := b.batch.Put[i]

		own.Record = *withoutCurated(own.Record)
		if err := b.putRecord(&own); err != nil {
			return fmt.Errorf("storing record %.200q: %w", b.batch.Put[i].Record.ID, err)
		}
	}
	return nil
}

func (b *commit) putRecord(merged *evidence.Merged) error {
	id := merged.Record.ID

	value, err := b.encodeRecord(merged)
	if err != nil {
		return err
	}

	if err := b.table(bucketRecords).put([]byte(id), value); err != nil {
		return err
	}

	if err := b.putMembers(id, merged.Members); err != nil {
		return err
	}

	for _, identifier := range merged.Record.Identifiers {
		if err := b.table(bucketIdentifierRecords).put(joinKey(identifierKey(identifier), id), nil); err != nil {
			return err
		}
	}

	for _, target := range merged.Record.Targets() {
		if err := b.table(bucketLinks).put(joinKey(identifierKey(target), id), nil); err != nil {
			return err
		}
	}

	if err := b.table(bucketRedirects).delete([]byte(id)); err != nil { // the id belongs to a record again
		return err
	}

	before, existed := b.before[id]
	if !existed {
		return b.addPending(Change{ID: id, Record: &merged.Record})
	}

	sum, err := contentSum(merged.Record)
	if err != nil || before == sum { // the full text has it already
		return err
	}
	return b.addPending(Change{ID: id, Record: &merged.Record})
}

// encodeRecord writes an overlay if the record differs from its only source record just in an overlay's fields.
func (b *commit) encodeRecord(merged *evidence.Merged) (value []byte, err error) {
	if len(merged.Members) != 1 {
		return b.db.codec.Encode(merged.Record)
	}

	var source evidence.Record
	if own, ok := b.sources[merged.Members[0]]; ok { // as the batch has written it
		source = *own
	} else if source, err = b.member(merged.Members[0]); err != nil {
		return nil, err
	}
	record := &merged.Record
	over := overlay{
		Source: merged.Members[0], ID: record.ID, Bucket: record.Bucket, BucketSource: record.BucketSource,
		Design: record.Design, Addresses: record.AddressesModel, Provenance: record.Provenance,
	}

	same, err := sameRecord(over.applyTo(source), merged.Record)
	if err != nil {
		return nil, err
	}

	if !same {
		return b.db.codec.Encode(merged.Record)
	}
	return b.db.codec.encodeOverlay(over)
}

// sameRecord reports whether two records are stored as the same text. Comparing fields is quicker and mostly enough;
// the text decides if one has an empty list and the other none.
func sameRecord(a, b evidence.Record) (bool, error) {
	if reflect.DeepEqual(a, b) {
		return true, nil
	}

	first, err := contentSum(a)
	if err != nil {
		return false, err
	}
	second, err := contentSum(b)
	return first == second, err
}

func (b *commit) putMembers(id string, members []string) error {
	membership, sources := b.table(bucketMembership), b.table(bucketSources)
	for _, member := range members {
		ok, err := sources.has([]byte(member))
		if err != nil {
			return err
		}

		if !ok {
			return fmt.Errorf("its source record %.200q: %w", member, errMissing)
		}

		other, isIn, err := membership.get([]byte(member))
		if err != nil {
			return err
		}

		if isIn && string(other) != id {
			return fmt.Errorf("its source record %.200q is in record %.200q too", member, other)
		}

		if err := membership.put([]byte(member), []byte(id)); err != nil {
			return err
		}
	}

	text, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return b.table(bucketMembers).put([]byte(id), text)
}

// addPending stores a record's change, under the next sequence number, for the full text.
func (b *commit) addPending(change Change) error {
	meta := b.table(bucketMeta)

	sequence, err := meta.number(metaSequence)
	if err != nil {
		return err
	}

	sequence++
	if err := meta.put(metaSequence, sequenceKey(sequence)); err != nil {
		return err
	}
	b.changes.Last, b.changes.List = sequence, append(b.changes.List, change)
	return b.table(bucketPending).put(sequenceKey(sequence), []byte(change.ID))
}

// checkDroppedSources refuses a batch that would leave a merged record with a deleted member.
func (b *commit) checkDroppedSources() error {
	for _, key := range b.batch.DropSources {
		id, isIn, err := b.table(bucketMembership).get([]byte(key))
		if err != nil {
			return err
		}

		ok, err := b.table(bucketSources).has([]byte(key))
		if err != nil {
			return err
		}

		if isIn && !ok {
			return fmt.Errorf("source record %.200q is dropped, but record %.200q still holds it", key, id)
		}
	}
	return nil
}

func (b *commit) putRedirects() error {
	records := b.table(bucketRecords)
	for _, old := range slices.Sorted(maps.Keys(b.batch.Redirect)) {
		inUse, err := records.has([]byte(old))
		if err != nil {
			return err
		}

		if inUse { // it needs no redirect
			continue
		}

		if err := b.table(bucketRedirects).put([]byte(old), []byte(b.batch.Redirect[old])); err != nil {
			return err
		}
	}

	for _, old := range slices.Sorted(maps.Keys(b.batch.Redirect)) {
		if _, err := b.mustResolve(old); err != nil {
			return fmt.Errorf("redirecting record %.200q: %w", old, err)
		}
	}
	return nil
}

func (b *commit) putJudgements() error {
	for _, key := range slices.Sorted(slices.Values(b.batch.Forget)) {
		if err := b.table(bucketJudgements).delete([]byte(key)); err != nil {
			return fmt.Errorf("forgetting judgement %.200q: %w", key, err)
		}
	}

	for _, i := range sortedBy(b.batch.Judgements, func(j *evidence.Judgement) string { return j.Key }) {
		judgement := &b.batch.Judgements[i]
		if err := b.put(bucketJudgements, []byte(judgement.Key), judgement); err != nil {
			return err
		}
	}
	return nil
}

func (b *commit) putRun() error {
	if b.batch.Run == nil {
		return nil
	}
	return b.put(bucketRuns, joinKey(sortableTime(b.batch.Run.Started), b.batch.Run.ID), b.batch.Run)
}

// Commit writes a batch that passed Validate, all of it or nothing, and settles changes as Settle does. It calls
// ending before the transaction ends, with the changes to records.
func (db *DB) Commit(
	ctx context.Context, batch *evidence.Batch, numbers Numbers, mark uint64, ending func(Changes),
) error {
	return db.change(ctx, func(t tx) error {
		if t.remote != nil {
			if err := t.prefetchBatch(batch); err != nil {
				return err
			}
		}

		if err := t.settle(numbers, mark); err != nil {
			return err
		}

		b := &commit{
			tx: t, batch: batch,
			removed: map[string]bool{}, before: map[string][sha256.Size]byte{}, sources: map[string]*evidence.Record{},
		}
		if err := b.apply(); err != nil {
			return err
		}
		ending(b.changes)
		return ctx.Err()
	})
}

// putImported writes the entries of users' files.
func (b *commit) putImported() error {
	return cmp.Or(approvalsTable().put(b, b.batch.Approvals), interpretationsTable().put(b, b.batch.Interpretations))
}
