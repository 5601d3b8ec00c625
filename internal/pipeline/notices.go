package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// applyNotices gives the merged records that a batch puts the retraction status that others in the store say of them,
// notices and retracted records of the same work, whichever came first. It adds to the batch the records whose status
// changes because one of these came, was corrected, or went. The batch is what identity alone made; the view is as it
// was before it.
func applyNotices(view View, batch *evidence.Batch) error {
	h := &heeding{view: view, after: NewOverlay(view), put: map[string]bool{}}
	h.after.apply(*batch)

	h.batch = batch
	if err := h.readBefore(); err != nil {
		return err
	}

	for i := range batch.Put {
		h.put[batch.Put[i].Record.ID] = true
	}

	if err := heedAll(h.after, batch.Put); err != nil {
		return err
	}

	if err := h.lookAgain(h.targets); err != nil {
		return err
	}
	// What is retracted by itself or by a notice is known now, and copies follow it.
	h.after.commitMerged(evidence.Batch{Put: slices.Concat(batch.Put, h.again)})

	if err := h.lookAgain(h.mayCopy); err != nil {
		return err
	}

	for _, part := range [][]evidence.Merged{batch.Put, h.again} {
		for i := range part {
			if err := heedCopies(h.after, &part[i].Record); err != nil {
				return err
			}
		}
	}
	return h.settle()
}

// heeding is what a batch makes of the store, while retractions are looked up in it.
type heeding struct {
	view   View
	after  *Overlay
	batch  *evidence.Batch
	before []evidence.Record // what is replaced or dropped, as it was
	put    map[string]bool   // ids of all records that were made
	again  []evidence.Merged // of these, those that the batch lacks
}

// readBefore reads what the batch replaces or drops.
func (h *heeding) readBefore() error {
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

// sayers are the records that have changed, as they were and as they are: what they say of others has changed with
// them.
func (h *heeding) sayers() []*evidence.Record {
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

// targets lists the records to which notices lead that came, changed or went, by their links or by their titles.
func (h *heeding) targets() ([]string, error) {
	targets := map[evidence.Identifier]bool{}

	var all []string
	for _, r := range h.sayers() {
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

// mayCopy lists the records that may be copies of what came, changed or went as retracted.
func (h *heeding) mayCopy() ([]string, error) {
	var all []string
	for _, r := range h.sayers() {
		ids, err := identity.CopyCandidates(h.after, r)
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// lookAgain makes those of the listed records anew that were not made yet and may have another status now.
func (h *heeding) lookAgain(list func() ([]string, error)) error {
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

		other, err := h.mayBeOther(stored)
		if err == nil && other {
			h.put[stored.ID], err = h.makeAnew(stored)
		}

		if err != nil {
			return fmt.Errorf("looking again at %s, whose retraction may have changed: %w", id, err)
		}
	}
	return nil
}

// mayBeOther reports whether a record's retraction may be another now: the many that only begin like a retracted paper
// are spared. What others said of it before cannot be told from what its sources say.
func (h *heeding) mayBeOther(stored evidence.Record) (bool, error) {
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

// makeAnew makes a record again from its source records; it is not made where these are not there.
func (h *heeding) makeAnew(stored evidence.Record) (bool, error) {
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

	if err := heed(h.after, &m.Record); err != nil {
		return false, err
	}
	h.before, h.again = append(h.before, stored), append(h.again, m)
	return true, nil
}

// settle adds to the batch what was made anew and is another than before.
func (h *heeding) settle() error {
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

// heedAll sets what notices say of records that were put on an overlay, themselves among them: these are found by the
// titles that they name.
func heedAll(over *Overlay, put []evidence.Merged) error {
	for i := range put {
		put[i].Record.RetractedTitles = identity.RetractedTitles(&put[i].Record)
	}
	over.commitMerged(evidence.Batch{Put: put})

	for i := range put {
		if err := heed(over, &put[i].Record); err != nil {
			return err
		}
	}
	return nil
}

// heed sets what the notices say of a record, and what it says of others by being retracted.
func heed(view View, r *evidence.Record) error {
	status, err := identity.RetractionByOthers(view, r)
	if err != nil {
		return err
	}
	setRetraction(r, status)
	r.RetractedTitles = identity.RetractedTitles(r)
	return nil
}

// heedCopies sets what follows from other records of the same work, whose own status is known.
func heedCopies(view View, r *evidence.Record) error {
	status, err := identity.CopyOfRetracted(view, r)
	if err != nil {
		return err
	}
	setRetraction(r, status)
	return nil
}

// setRetraction keeps the source that says so with the record's provenance.
func setRetraction(r *evidence.Record, status evidence.Retraction) {
	before := r.Retraction

	r.Retraction = status
	if status.Status == evidence.Yes && before.Status != evidence.Yes && r.Provenance != nil {
		r.Provenance = maps.Clone(r.Provenance)
		r.Provenance["retraction"] = status.Source
	}
}
