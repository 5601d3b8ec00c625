package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// heedNotices gives the merged records that a batch puts the retraction status that notices in the store say of them,
// whichever of the two came first, and adds to the batch the records whose status changes because a notice came, was
// corrected, or went. The batch is what identity alone made; the view is as it was before it.
func heedNotices(view View, batch *evidence.Batch) error {
	targets, err := targetsBefore(view, batch)
	if err != nil {
		return err
	}
	after := NewOverlay(view)
	after.apply(*batch)
	put := map[string]bool{}
	for i := range batch.Put {
		r := &batch.Put[i].Record
		put[r.ID] = true
		if err := heed(after, r); err != nil {
			return err
		}
		for _, target := range identity.RetractionTargets(r) {
			targets[target] = true
		}
	}
	for _, target := range slices.SortedFunc(maps.Keys(targets), evidence.CompareIdentifiers) {
		ids, err := after.Lookup(target)
		if err != nil {
			return fmt.Errorf("looking up %s, which a notice retracts: %w", target, err)
		}
		for _, id := range ids {
			if put[id] {
				continue
			}
			put[id] = true
			m, changed, err := heededAnew(after, id)
			if err != nil {
				return fmt.Errorf("looking again at %s, which a notice retracts: %w", id, err)
			}
			if changed {
				batch.Put = append(batch.Put, m)
			}
		}
	}
	slices.SortFunc(batch.Put, func(a, b evidence.Merged) int { return strings.Compare(a.Record.ID, b.Record.ID) })
	return nil
}

// targetsBefore lists what the records that the batch replaces or drops retract until now.
func targetsBefore(view View, batch *evidence.Batch) (map[evidence.Identifier]bool, error) {
	replaced := slices.Clone(batch.Drop)
	for _, m := range batch.Put {
		if !m.New {
			replaced = append(replaced, m.Record.ID)
		}
	}
	targets := map[evidence.Identifier]bool{}
	for _, id := range replaced {
		old, _, err := view.Record(id)
		if err != nil {
			return nil, fmt.Errorf("reading record %s: %w", id, err)
		}
		for _, target := range identity.RetractionTargets(&old) {
			targets[target] = true
		}
	}
	return targets, nil
}

// heed sets what the notices say. The source that says so is kept with the record's provenance.
func heed(view View, r *evidence.Record) error {
	before := r.Retraction
	status, err := identity.RetractionByOthers(view, r)
	if err != nil {
		return err
	}
	r.Retraction = status
	if status.Status == evidence.Yes && before.Status != evidence.Yes && r.Provenance != nil {
		r.Provenance["retraction"] = status.Source
	}
	return nil
}

// heededAnew makes a record again from its source records, since what a notice said cannot be told from what they say,
// and says whether its retraction status is another now.
func heededAnew(view View, id string) (evidence.Merged, bool, error) {
	stored, ok, err := view.Record(id)
	if err != nil || !ok || len(stored.Origins) == 0 {
		return evidence.Merged{}, false, err
	}
	_, members, ok, err := view.RecordOf(stored.Origins[0].Key())
	if err != nil || !ok {
		return evidence.Merged{}, false, err
	}
	sources := make([]*evidence.Record, len(members))
	for i, key := range members {
		r, ok, err := view.SourceRecord(key)
		if err != nil || !ok {
			return evidence.Merged{}, false, err
		}
		sources[i] = &r
	}
	m := evidence.Merged{Record: identity.Merge(sources), Members: members}
	m.Record.ID, m.Record.Identifiers = stored.ID, stored.Identifiers // they depend on what other records claim
	Mark(&m.Record)
	if err := heed(view, &m.Record); err != nil {
		return evidence.Merged{}, false, err
	}
	return m, m.Record.Retraction != stored.Retraction, nil
}
