package database

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// importedTable stores entries of users' files: each under every name by which it is looked up, and the files' names
// in "meta".
type importedTable[E evidence.GivenEntry[E]] struct {
	bucket, meta []byte
	what         string            // their subject: "what is approved"
	keys         func(*E) []string // of an entry
	compare      func(a, b E) int  // the order of results
}

// approvalsTable stores an entry under each of its drug's names.
func approvalsTable() importedTable[evidence.Approval] {
	return importedTable[evidence.Approval]{bucketApprovals, metaApprovals, "what is approved",
		func(e *evidence.Approval) []string { return nameKeys(slices.Concat(e.Drugs, e.Names)) }, evidence.CompareApprovals}
}

// interpretationsTable stores an entry under its genes and markers, or under its exact changes.
func interpretationsTable() importedTable[evidence.Interpretation] {
	return importedTable[evidence.Interpretation]{bucketInterpretations, metaInterpretations, "what curators say",
		func(e *evidence.Interpretation) []string { return nameKeys(e.Keys) },
		evidence.CompareGiven[evidence.Interpretation]}
}

// ApprovalsOf returns the approvals of the drugs with these names, ignoring case, each once, in the order of
// evidence.CompareApprovals.
func (q Queries) ApprovalsOf(names []string) ([]evidence.Approval, error) {
	return query(q, func(t tx) ([]evidence.Approval, error) { return approvalsTable().lookup(t, names) })
}

// ApprovalsFiles returns the imported files on approvals, if any.
func (q Queries) ApprovalsFiles() ([]evidence.GivenFile, error) {
	return query(q, func(t tx) ([]evidence.GivenFile, error) { return approvalsTable().files(t) })
}

// Approvals returns all approvals, as defined by evidence.Given.
func (q Queries) Approvals() (evidence.Approvals, error) {
	return query(q, func(t tx) (evidence.Approvals, error) { return approvalsTable().all(t) })
}

// InterpretationsOf returns the curators' interpretations under these names of genes, markers and changes, ignoring
// case, each once, in the order of source and number.
func (q Queries) InterpretationsOf(names []string) ([]evidence.Interpretation, error) {
	return query(q, func(t tx) ([]evidence.Interpretation, error) { return interpretationsTable().lookup(t, names) })
}

// InterpretationsFiles returns the imported curators' files, if any.
func (q Queries) InterpretationsFiles() ([]evidence.GivenFile, error) {
	return query(q, func(t tx) ([]evidence.GivenFile, error) { return interpretationsTable().files(t) })
}

// Interpretations returns all curators' interpretations, as defined by evidence.Given.
func (q Queries) Interpretations() (evidence.Interpretations, error) {
	return query(q, func(t tx) (evidence.Interpretations, error) { return interpretationsTable().all(t) })
}

// RemoveLicensed removes the entries that need a licence from the closed database in path, and rewrites it, so that no
// byte of them remains.
func RemoveLicensed(ctx context.Context, path string) error {
	db, err := Open(path, false, time.Second)
	if err != nil {
		return err
	}

	all, err := db.Interpretations()
	if err == nil {
		passed := all.Without(evidence.NeedsLicence)
		err = db.change(ctx, func(t tx) error { return interpretationsTable().put(&commit{tx: t}, &passed) })
	}

	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return Compact(path, time.Second)
}

func (g importedTable[E]) value() string { return "the list of " + g.what + " under" }

// lookup returns the entries stored under any of the names, each once.
func (g importedTable[E]) lookup(t tx, names []string) (all []E, err error) {
	type key struct{ source, id string }

	seen := map[key]bool{}
	for _, name := range nameKeys(names) {
		entries, _, err := stored[[]E](t, g.bucket, name, g.value())
		if err != nil {
			return nil, err
		}

		for _, e := range entries {
			source, id := e.Key()
			if k := (key{source, id}); !seen[k] {
				seen[k] = true
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, g.compare)
	return all, nil
}

func (g importedTable[E]) all(t tx) (all evidence.Given[E], err error) {
	if all.Files, err = g.files(t); err != nil || len(all.Files) == 0 {
		return all, err
	}

	lists, err := decodeAll[[]E](t, t.table(g.bucket).all(), 0, g.value(), "")
	if err != nil {
		return all, err
	}
	entries := slices.Concat(lists...)
	slices.SortFunc(entries, evidence.CompareGiven[E])
	all.Entries = slices.CompactFunc(entries, func(a, b E) bool { return evidence.CompareGiven(a, b) == 0 })
	return all, nil
}

func (g importedTable[E]) files(t tx) (files []evidence.GivenFile, err error) {
	value, ok, err := t.table(bucketMeta).get(g.meta)
	if !ok || !t.table(g.bucket).exists() {
		return nil, err
	}
	err = t.db.valueError("the names of", "the files on "+g.what, json.Unmarshal(value, &files))
	return files, err
}

// put replaces all stored entries; nil changes nothing.
func (g importedTable[E]) put(b *commit, all *evidence.Given[E]) error {
	if all == nil {
		return nil
	}

	if err := b.clear(g.bucket); err != nil {
		return fmt.Errorf("replacing %s: %w", g.what, err)
	}

	byName := map[string][]*E{}
	for i := range all.Entries {
		for _, key := range g.keys(&all.Entries[i]) {
			byName[key] = append(byName[key], &all.Entries[i])
		}
	}

	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if err := b.put(g.bucket, []byte(name), byName[name]); err != nil {
			return err
		}
	}

	value, err := json.Marshal(all.Files)
	if err != nil {
		return err
	}
	return b.table(bucketMeta).put(g.meta, value)
}

// check refuses entries that no lookup could find.
func (g importedTable[E]) check(all *evidence.Given[E]) error {
	if all == nil {
		return nil
	}

	for i := range all.Entries {
		_, id := all.Entries[i].Key()

		keys := g.keys(&all.Entries[i])
		if len(keys) == 0 {
			keys = []string{""}
		}

		for _, key := range append(keys, id) {
			if err := checkKey("name or number of an entry on "+g.what, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// audit reads all entries, checks that each is stored under one of its names, and counts them.
func (g importedTable[E]) audit(a *audit) error {
	files, err := g.files(a.tx)
	if err != nil {
		a.report("the names of the files on %s can't be read: %v", g.what, err)
	}
	type key struct{ source, id string }

	kept, want, unread := map[key]bool{}, 0, false
	for _, f := range files {
		want += f.Kept
	}

	walked := a.walk(g.bucket, func(name, value []byte) error {
		var entries []E
		if err := a.db.codec.decode(value, &entries); err != nil {
			a.report("%s under %.200q can't be read: %v", g.what, name, err)
			unread = true
		}

		for i := range entries {
			source, id := entries[i].Key()

			kept[key{source, id}] = true
			if !slices.Contains(g.keys(&entries[i]), string(name)) {
				a.report("the entry %.200q on %s is stored under %.200q, which is no name of its own", id, g.what, name)
			}
		}
		return nil
	})
	if walked == nil && err == nil && !unread && len(kept) != want {
		a.report("%d entries on %s are stored, and their files say %d", len(kept), g.what, want)
	}
	return walked
}

// nameKeys normalises names as people may write them, and removes duplicates.
func nameKeys(names []string) []string {
	keys := text.Each(names, func(name string) string { return text.Fold(text.Line(name)) })
	slices.Sort(keys)
	return slices.Compact(keys)
}
