package database

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// Curated returns curators' statements on the papers with these identifiers, in the order of evidence.CompareCurated.
// Record and Records include them; this is for a record that the store does not hold yet.
func (q Queries) Curated(ids []evidence.Identifier) ([]evidence.CuratedStatement, error) {
	return query(q, func(t tx) ([]evidence.CuratedStatement, error) { return t.curatedOn(ids) })
}

// curatedOn looks up the statements on a record's PMIDs. A database of an older schema has none.
func (t tx) curatedOn(ids []evidence.Identifier) (all []evidence.CuratedStatement, err error) {
	for _, id := range ids {
		if id.Kind != evidence.PMID {
			continue
		}

		statements, _, err := stored[[]evidence.CuratedStatement](t, bucketCurated, id.Value, curatedValue)
		if err != nil {
			return nil, err
		}
		all = append(all, statements...)
	}
	slices.SortFunc(all, evidence.CompareCurated)
	return all, nil
}

const curatedValue = "the list of curators' statements on PMID"

// CuratedFile returns the file that curators' statements come from, with all of them in order of number; ok is false
// if none was imported.
func (q Queries) CuratedFile() (evidence.CuratedFile, bool, error) {
	return find(q, func(t tx) (file evidence.CuratedFile, ok bool, err error) {
		if file, ok, err = t.curatedFile(); !ok {
			return file, false, err
		}
		lists, err := decodeAll[[]evidence.CuratedStatement](t, t.table(bucketCurated).all(), 0, curatedValue, "")
		file.Statements = slices.Concat(lists...)
		slices.SortFunc(file.Statements, evidence.CompareCuratedIDs)
		return file, true, err
	})
}

// curatedFile reads the description of the file, without its statements.
func (t tx) curatedFile() (file evidence.CuratedFile, ok bool, err error) {
	text, ok, err := t.table(bucketMeta).get(metaCurated)
	if !ok || !t.table(bucketCurated).exists() {
		return file, false, err
	}
	err = t.db.valueError("the name of", "the curators' file", json.Unmarshal(text, &file))
	return file, err == nil, err
}

// putCurated replaces all stored statements with a file's.
func (b *commit) putCurated() error {
	file := b.batch.Curated
	if file == nil {
		return nil
	}

	if err := b.clear(bucketCurated); err != nil {
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

// withoutCurated is a record as it is stored: curators' statements are joined when it is read, so that a newer file
// takes effect at once.
func withoutCurated(record evidence.Record) *evidence.Record {
	record.Curated = nil
	return &record
}
