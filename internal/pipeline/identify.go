package pipeline

import (
	"encoding/json"
	"fmt"
	"time"

	"dossier/internal/evidence"
	"dossier/internal/identity"
)

// Identified is the result of step 2b for incoming source records.
type Identified struct {
	Batch     evidence.Batch // to be committed as it is; empty where nothing is new
	Conflicts []identity.Conflict
	// incoming records, new or changed, that were cut; see evidence.Record.Bound
	Cut []evidence.Record
}

// Identify joins incoming source records with each other and with what view holds. Records that view holds in the same
// words, or in a later revision, change nothing. Merged records carry step 3's marks and the status from retraction
// notices: records that an incoming notice retracts are put again. An error is view's.
func Identify(view View, incoming []evidence.Record) (Identified, error) {
	if far, ok := view.(Prefetcher); ok {
		if err := far.Prefetch(func() evidence.Wanted { return identity.Wanted(incoming) }); err != nil {
			return Identified{}, fmt.Errorf("asking the store about %d records: %w", len(incoming), err)
		}
	}

	fresh, err := freshOf(view, incoming)
	if err != nil || len(fresh) == 0 {
		return Identified{}, err
	}

	change, err := identity.Join(view, fresh)
	if err != nil {
		return Identified{}, fmt.Errorf("joining %d records: %w", len(fresh), err)
	}
	id := identifiedOf(change)
	id.Batch.SourceRecords = fresh

	id.Batch.Keys = change.Keys
	for i := range fresh {
		if len(fresh[i].Cut) > 0 {
			id.Cut = append(id.Cut, fresh[i])
		}
	}
	return id, applyNotices(view, &id.Batch)
}

// Withdraw removes source records, as PubMed's DeleteCitation requests; groups that only they held together are split,
// and retractions by a notice among them end.
func Withdraw(view View, originKeys []string) (Identified, error) {
	if far, ok := view.(Prefetcher); ok {
		if err := far.Prefetch(func() evidence.Wanted { return evidence.Wanted{Origins: originKeys} }); err != nil {
			return Identified{}, fmt.Errorf("asking the store about %d records: %w", len(originKeys), err)
		}
	}

	change, err := identity.Update(view, nil, originKeys)
	if err != nil {
		return Identified{}, fmt.Errorf("withdrawing %d records: %w", len(originKeys), err)
	}
	id := identifiedOf(change)
	id.Batch.DropSources = originKeys
	return id, applyNotices(view, &id.Batch)
}

func identifiedOf(change identity.Change) Identified {
	id := Identified{Conflicts: change.Conflicts}

	id.Batch.Drop, id.Batch.Redirect = change.Drop, change.Redirect
	for _, m := range change.Put {
		Mark(&m.Record)
		id.Batch.Put = append(id.Batch.Put, evidence.Merged{Record: m.Record, Members: m.Members, New: m.New})
	}
	return id
}

// freshOf bounds and marks the incoming records, and drops those that would change nothing. Of several with one origin
// the last counts, unless it is older. Everything that enters the store passes here: services' answers, imported files,
// and live answers.
func freshOf(ix identity.Index, incoming []evidence.Record) ([]evidence.Record, error) {
	var fresh []evidence.Record

	at := map[string]int{}
	for _, r := range incoming {
		if len(r.Origins) != 1 {
			return nil, fmt.Errorf("joining the record %q: it has %d origins and must have one", r.Title, len(r.Origins))
		}
		r.Bound()
		r.Retraction.CopyOf, r.RetractedTitles = "", nil // for merged records alone
		markRetracted(&r)

		key := r.Origins[0].Key()
		if i, seen := at[key]; seen {
			if !older(&r, &fresh[i]) {
				fresh[i] = r
			}
			continue
		}

		stored, ok, err := ix.SourceRecord(key)
		if err != nil {
			return nil, fmt.Errorf("looking up %s: %w", key, err)
		}

		if ok && !supersedes(&r, &stored) {
			continue
		}
		at[key] = len(fresh)
		fresh = append(fresh, r)
	}
	return fresh, nil
}

// supersedes reports whether r adds anything to stored. The time of fetching does not count; a revision older than the
// stored one must not undo it, as when a baseline file is read after its updates. A file's copy of a service's answer
// does not replace that service's own.
func supersedes(r, stored *evidence.Record) bool {
	if stored.Origins[0].File == "" && r.Origins[0].File != "" {
		return false
	}
	return !older(r, stored) && contentOf(r) != contentOf(stored)
}

// older reports whether r is an earlier version, or an earlier revision of the same, than another record of its origin.
func older(r, than *evidence.Record) bool {
	now, then := &r.Origins[0], &than.Origins[0]
	if now.Version != then.Version {
		return now.Version < then.Version
	}
	return now.Revised != "" && then.Revised != "" && now.Revised.First().Before(then.Revised.First())
}

func contentOf(r *evidence.Record) string {
	c := *r
	c.ID = ""
	c.Origins = []evidence.Origin{r.Origins[0]}
	c.Origins[0].Fetched = time.Time{}
	c.Bucket, c.BucketSource, c.Design, c.AddressesModel = "", "", "", "" // set on the merged record
	c.Retraction.Checked = ""                                             // the day on which a source was asked
	return wholeOf(c)
}

// wholeOf is a record without curators' statements, for comparison.
func wholeOf(r evidence.Record) string {
	r.Curated = nil
	text, _ := json.Marshal(r) // a Record is always valid JSON
	return string(text)
}

// recordIDs resolves the sources' results to merged records, each once, in the order found, with the narrowest layer
// that found any of its copies, where known. gone lists what could not be resolved.
func recordIDs(view View, g *Gathered) (ids []string, layers map[string]int, gone []string, err error) {
	layers = map[string]int{}
	for _, f := range g.Found {
		id, ok, err := recordIDOf(view, f)
		if err != nil {
			return nil, nil, nil, err
		}

		if !ok {
			gone = append(gone, f.OriginKey+f.RecordID)
			continue
		}

		if _, seen := layers[id]; !seen {
			ids = append(ids, id)
		}
		layers[id] = narrower(layers[id], g.layers[f])
	}
	return ids, layers, gone, nil
}

// narrower is the smaller of two layers, of which 0 is none.
func narrower(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

func recordIDOf(view View, f FoundRecord) (string, bool, error) {
	if f.RecordID != "" {
		r, ok, err := view.Record(f.RecordID)
		if err != nil {
			return "", false, fmt.Errorf("reading record %s: %w", f.RecordID, err)
		}
		return r.ID, ok, nil
	}

	id, _, ok, err := view.RecordOf(f.OriginKey)
	if err != nil {
		return "", false, fmt.Errorf("looking up the record of %s: %w", f.OriginKey, err)
	}
	return id, ok, nil
}
