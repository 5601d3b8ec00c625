package database

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// ApprovalsOf gives what is approved of the drugs with these names, whatever their case, each entry once, in the order
// of evidence.CompareApprovals.
func (q Questions) ApprovalsOf(names []string) ([]evidence.Approval, error) {
	return ask(q, func(t tx) (all []evidence.Approval, err error) {
		seen := map[string]bool{}
		for _, name := range names {
			entries, _, err := stored[[]evidence.Approval](t, bucketApprovals, approvalKey(name), approvalsValue)
			if err != nil {
				return nil, err
			}
			for i := range entries {
				if key := entries[i].Source + "\x00" + entries[i].ID; !seen[key] {
					seen[key] = true
					all = append(all, entries[i])
				}
			}
		}
		slices.SortFunc(all, evidence.CompareApprovals)
		return all, nil
	})
}

const approvalsValue = "the list of what is approved of"

// ApprovalsFiles gives the files on what is approved; none where none was imported.
func (q Questions) ApprovalsFiles() ([]evidence.GivenFile, error) {
	return ask(q, func(t tx) ([]evidence.GivenFile, error) { return t.approvalsFiles() })
}

// Approvals gives all that is known of approvals, as evidence.Approvals says.
func (q Questions) Approvals() (evidence.Approvals, error) {
	return ask(q, func(t tx) (all evidence.Approvals, err error) {
		if all.Files, err = t.approvalsFiles(); err != nil || len(all.Files) == 0 {
			return all, err
		}
		lists, err := decoded[[]evidence.Approval](t, t.table(bucketApprovals).all(), 0, approvalsValue, "")
		if err != nil {
			return all, err
		}
		entries := slices.Concat(lists...)
		byID := func(a, b evidence.Approval) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
		}
		slices.SortFunc(entries, byID)
		all.Entries = slices.CompactFunc(entries, func(a, b evidence.Approval) bool { return byID(a, b) == 0 })
		return all, nil
	})
}

func (t tx) approvalsFiles() (files []evidence.GivenFile, err error) {
	value, ok, err := t.table(bucketMeta).get(metaApprovals)
	if !ok || !t.table(bucketApprovals).exists() {
		return nil, err
	}
	err = t.db.badValue("the names of", "the files on what is approved", json.Unmarshal(value, &files))
	return files, err
}

// putApprovals writes what is approved in place of all that was there, under each name of a drug.
func (b *commit) putApprovals() error {
	all := b.batch.Approvals
	if all == nil {
		return nil
	}
	if err := b.clear(bucketApprovals); err != nil {
		return fmt.Errorf("replacing what is approved: %w", err)
	}
	byName := map[string][]*evidence.Approval{}
	for i := range all.Entries {
		for _, key := range approvalKeys(&all.Entries[i]) {
			byName[key] = append(byName[key], &all.Entries[i])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if err := b.put(bucketApprovals, []byte(name), byName[name]); err != nil {
			return err
		}
	}
	value, err := json.Marshal(all.Files)
	if err != nil {
		return err
	}
	return b.table(bucketMeta).put(metaApprovals, value)
}

// approvalKeys are the keys that an entry stands under: each of its drug's names.
func approvalKeys(e *evidence.Approval) []string {
	keys := text.Each(slices.Concat(e.Drugs, e.Names), approvalKey)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// approvalKey is a name as people may write it.
func approvalKey(name string) string { return text.Fold(text.Line(name)) }

func checkApproval(e *evidence.Approval) error {
	for _, key := range append(approvalKeys(e), e.ID) {
		if err := checkKey("name or number of an approved drug", key); err != nil {
			return err
		}
	}
	return nil
}
