package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/evidence"
)

// Curated gives curators' statements on the papers with these identifiers, in the order of evidence.CompareCurated.
// Record and Records bring them along; this is for a record that the store does not hold yet.
func (r *reading) Curated(ids []evidence.Identifier) (statements []evidence.CuratedStatement, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		statements, err = v.curatedOn(tx, ids)
		return err
	})
	return statements, err
}

// CuratedFile gives the file that curators' statements come from, with all of them in order of number; found is false
// where none was imported.
func (r *reading) CuratedFile() (file evidence.CuratedFile, found bool, err error) {
	err = r.read(func(v *view, tx *bolt.Tx) error {
		if file, found, err = v.curatedFile(tx); err != nil || !found {
			return err
		}
		for e, err := range v.table(tx, bucketCurated).all() {
			var statements []evidence.CuratedStatement
			if err == nil {
				err = v.badValue("the list of curators' statements on PMID", string(e.key), v.codec.decode(e.value, &statements))
			}
			if err != nil {
				return err
			}
			file.Statements = append(file.Statements, statements...)
		}
		slices.SortFunc(file.Statements, evidence.CompareCuratedIDs)
		return nil
	})
	return file, found, err
}

// curatedOn looks a record's PMIDs up. A database of an older schema has nothing.
func (v *view) curatedOn(tx *bolt.Tx, ids []evidence.Identifier) ([]evidence.CuratedStatement, error) {
	curated := v.table(tx, bucketCurated)
	var all []evidence.CuratedStatement
	for _, id := range ids {
		if id.Kind != evidence.PMID {
			continue
		}
		var statements []evidence.CuratedStatement
		if _, err := curated.decode([]byte(id.Value), &statements); err != nil {
			return nil, v.badValue("the list of curators' statements on PMID", id.Value, err)
		}
		all = append(all, statements...)
	}
	slices.SortFunc(all, evidence.CompareCurated)
	return all, nil
}

// curatedFile reads what is known of the file, without its statements.
func (v *view) curatedFile(tx *bolt.Tx) (file evidence.CuratedFile, found bool, err error) {
	text, ok, err := v.table(tx, bucketMeta).get(metaCurated)
	if !ok || tx.Bucket(bucketCurated) == nil {
		return file, false, err
	}
	err = v.badValue("the name of", "the curators' file", json.Unmarshal(text, &file))
	return file, err == nil, err
}

// putCurated writes a file's statements in place of all that was there.
func (b *batchTx) putCurated() error {
	file := b.batch.Curated
	if file == nil {
		return nil
	}
	if err := b.tx.DeleteBucket(bucketCurated); err != nil {
		return fmt.Errorf("replacing the curators' statements: %w", err)
	}
	if _, err := b.tx.CreateBucket(bucketCurated); err != nil {
		return fmt.Errorf("replacing the curators' statements: %w", err)
	}
	byPMID := map[string][]evidence.CuratedStatement{}
	for _, s := range file.Statements {
		byPMID[s.PMID] = append(byPMID[s.PMID], s)
	}
	for _, pmid := range slices.Sorted(maps.Keys(byPMID)) {
		statements := byPMID[pmid]
		slices.SortFunc(statements, evidence.CompareCuratedIDs)
		if err := b.put(bucketCurated, []byte(pmid), statements); err != nil {
			return err
		}
	}
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return b.table(bucketMeta).put(metaCurated, text)
}

// withoutCurated is a record as it is stored: what curators say of it is joined when it is read, so that their next
// file reaches it.
func withoutCurated(record evidence.Record) *evidence.Record {
	record.Curated = nil
	return &record
}
