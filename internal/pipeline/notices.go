package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// applyNotices sets the retraction status of the merged records that a batch puts, from other records in the store:
// notices and retracted records of the same work, whichever came first. It adds to the batch the records whose status
// changes because one of these came, was corrected, or went. The batch is identity's result; the view is the state
// before it.
func applyNotices(view View, batch *evidence.Batch) error {
	h := &noticeUpdate{view: view, after: NewOverlay(view), put: map[string]bool{}}
	h.after.apply(*batch)

	h.batch = batch
	if err := h.readBefore(); err != nil {
		return err
	}

	for i := range batch.Put {
		h.put[batch.Put[i].Record.ID] = true
	}

	if err := applyToAll(h.after, batch.Put); err != nil {
		return err
	}

	if err := h.recheck(h.targets); err != nil {
		return err
	}
	// Retractions by a record itself or by a notice are known now; copies follow from them.
	h.after.commitMerged(evidence.Batch{Put: slices.Concat(batch.Put, h.again)})

	if err := h.recheck(h.mayCopy); err != nil {
		return err
	}

	for _, part := range [][]evidence.Merged{batch.Put, h.again} {
		for i := range part {
			if err := applyCopies(h.after, &part[i].Record); err != nil {
				return err
			}
		}
	}
	return h.settle()
}

// noticeUpdate is the store's state under a batch, while retractions are looked up in it.
type noticeUpdate struct {
	view   View
	after  *Overlay
	batch  *evidence.Batch
	before []evidence.Record // the replaced or dropped records as they were
	put    map[string]bool   // ids of all records that were built
	again  []evidence.Merged // of these, those that the batch lacks
}

// readBefore reads the records that the batch replaces or drops.
func (h *noticeUpdate) readBefore() error {
	replaced := slices.Clone(h.batch.Drop)
	for _, m := range h.batch.Put {
		if !m.New {
			replaced = append(replaced, m.Record.ID)
		}
	}

	for _, id := range replaced {
		old, ok, err := h.view.Record(id)
		if err != nil {
			return fmt.Errorf("reading record %s: %w", id, err)
		}

		if ok {
			h.before = append(h.before, old)
		}
	}
	return nil
}

// changedRecords are the changed records, before and after: their statements about others have changed with them.
func (h *noticeUpdate) changedRecords() []*evidence.Record {
	var out []*evidence.Record
	for i := range h.before {
		out = append(out, &h.before[i])
	}

	for _, part := range [][]evidence.Merged{h.batch.Put, h.again} {
		for i := range part {
			out = append(out, &part[i].Record)
		}
	}
	return out
}

// targets lists the records that changed notices lead to, by their links or by their titles.
func (h *noticeUpdate) targets() ([]string, error) {
	targets := map[evidence.Identifier]bool{}

	var all []string
	for _, r := range h.changedRecords() {
		for _, target := range identity.RetractionTargets(r) {
			targets[target] = true
		}

		if r.Retracted() {
			continue
		}

		titled, err := identity.CopyCandidates(h.after, r)
		if err != nil {
			return nil, err
		}
		all = append(all, titled...)
	}

	for target := range targets {
		ids, err := h.after.Lookup(target)
		if err != nil {
			return nil, fmt.Errorf("looking up %s, which a notice retracts: %w", target, err)
		}
		all = append(all, ids...)
	}
	return all, nil
}

// mayCopy lists the records that may be copies of records whose retraction came, changed or went.
func (h *noticeUpdate) mayCopy() ([]string, error) {
	var all []string
	for _, r := range h.changedRecords() {
		ids, err := identity.CopyCandidates(h.after, r)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// recheck rebuilds those of the listed records that were not built yet and may have a new status.
func (h *noticeUpdate) recheck(list func() ([]string, error)) error {
	ids, err := list()
	if err != nil {
		return err
	}
	slices.Sort(ids)

	for _, id := range slices.Compact(ids) {
		stored, ok, err := h.after.Record(id)
		if err != nil {
			return fmt.Errorf("reading record %s: %w", id, err)
		}

		if !ok || h.put[stored.ID] {
			continue
		}

		other, err := h.mayChange(stored)
		if err == nil && other {
			h.put[stored.ID], err = h.rebuild(stored)
		}

		if err != nil {
			return fmt.Errorf("looking again at %s, whose retraction may have changed: %w", id, err)
		}
	}
	return nil
}

// mayChange reports whether a record's retraction may have changed: this spares the many that merely begin like a
// retracted paper. Earlier statements of others cannot be derived from its sources.
func (h *noticeUpdate) mayChange(stored evidence.Record) (bool, error) {
	said := stored.Retraction
	if said.CopyOf != "" || !said.Notice.IsZero() || said.Disputed != (evidence.Dispute{}) || said.Status == evidence.Yes {
		return true, nil
	}

	var err error
	if stored.Retraction, err = identity.RetractionByOthers(h.after, &stored); err != nil {
		return false, err
	}
	now, err := identity.CopyOfRetracted(h.after, &stored)
	return now != said, err
}

// rebuild builds a record again from its source records; it does nothing where these are missing.
func (h *noticeUpdate) rebuild(stored evidence.Record) (bool, error) {
	if len(stored.Origins) == 0 {
		return false, nil
	}

	_, members, ok, err := h.after.RecordOf(stored.Origins[0].Key())
	if err != nil || !ok {
		return false, err
	}

	sources := make([]*evidence.Record, len(members))
	for i, key := range members {
		r, ok, err := h.after.SourceRecord(key)
		if err != nil || !ok {
			return false, err
		}
		sources[i] = &r
	}
	m := evidence.Merged{Record: identity.Merge(sources), Members: members}

	m.Record.ID, m.Record.Identifiers = stored.ID, stored.Identifiers // they depend on what other records claim
	if m.Record.OwnDOI = stored.OwnDOI; stored.OwnDOI != "" {
		m.Record.Provenance["doi"] = stored.Provenance["doi"]
	} else {
		delete(m.Record.Provenance, "doi")
	}
	Mark(&m.Record)

	if err := applyToRecord(h.after, &m.Record); err != nil {
		return false, err
	}
	h.before, h.again = append(h.before, stored), append(h.again, m)
	return true, nil
}

// settle adds the rebuilt records that differ from before to the batch.
func (h *noticeUpdate) settle() error {
	for _, m := range h.again {
		stored, _, err := h.view.Record(m.Record.ID)
		if err != nil {
			return fmt.Errorf("reading record %s: %w", m.Record.ID, err)
		}

		if m.Record.Retraction != stored.Retraction || !slices.Equal(m.Record.RetractedTitles, stored.RetractedTitles) {
			h.batch.Put = append(h.batch.Put, m)
		}
	}
	slices.SortFunc(h.batch.Put, func(a, b evidence.Merged) int { return strings.Compare(a.Record.ID, b.Record.ID) })
	return nil
}

// applyToAll applies notices to records put on an overlay, including the notices themselves: these are found by the
// titles that they name.
func applyToAll(over *Overlay, put []evidence.Merged) error {
	for i := range put {
		put[i].Record.RetractedTitles = identity.RetractedTitles(&put[i].Record)
	}
	over.commitMerged(evidence.Batch{Put: put})

	for i := range put {
		if err := applyToRecord(over, &put[i].Record); err != nil {
			return err
		}
	}
	return nil
}

// applyToRecord sets the status that notices give a record, and its own effect on others if it is retracted.
func applyToRecord(view View, r *evidence.Record) error {
	status, err := identity.RetractionByOthers(view, r)
	if err != nil {
		return err
	}
	setRetraction(r, status)
	r.RetractedTitles = identity.RetractedTitles(r)
	return nil
}

// applyCopies sets the status that follows from other records of the same work, whose own status is known.
func applyCopies(view View, r *evidence.Record) error {
	status, err := identity.CopyOfRetracted(view, r)
	if err != nil {
		return err
	}
	setRetraction(r, status)
	return nil
}

// setRetraction sets the status, and its source in the record's provenance.
func setRetraction(r *evidence.Record, status evidence.Retraction) {
	before := r.Retraction

	r.Retraction = status
	if status.Status == evidence.Yes && before.Status != evidence.Yes && r.Provenance != nil {
		r.Provenance = maps.Clone(r.Provenance)
		r.Provenance["retraction"] = status.Source
	}
}
