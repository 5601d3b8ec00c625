package pipeline

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// maxSeen bounds the stored digests of a file's contents, at some 30 bytes a record; later repeats are handled like
// other records.
const maxSeen = 1 << 18

// contentSum identifies a record's words: half a SHA-256, which makes collisions infeasible.
type contentSum [sha256.Size / 2]byte

// repeats reports whether the file has held the same record before: the same words under the same id, or under none. A
// service's record is unique by its id, and left to package identity.
func (in *importReader) repeats(r *evidence.Record) bool {
	if len(r.Origins) != 1 || !strings.HasPrefix(r.Origins[0].Source, evidence.SourceImport+":") {
		return false
	}

	if source := r.Origins[0].Source; source != in.file {
		in.file, in.seen = source, map[contentSum]struct{}{}
	}
	c := *r
	c.Origins = slices.Clone(r.Origins)
	c.Origins[0].ID = placeOrRepeat().ReplaceAllString(c.Origins[0].ID, "")
	whole := sha256.Sum256([]byte(contentOf(&c)))

	sum := contentSum(whole[:])
	if _, again := in.seen[sum]; again {
		return true
	}

	if len(in.seen) < maxSeen {
		in.seen[sum] = struct{}{}
	}
	return false
}

// placeOrRepeat matches the file reader's suffix of an id: "#12" where the file has none, "~2" where it repeats one.
var placeOrRepeat = text.LazyRegexp(`^#\d+$|~\d+$`)

// identify joins the pending records, except those whose papers have enough source records: these are counted and
// reported, and change nothing.
func (im *importing) identify() (Identified, error) {
	for {
		identified, err := Identify(im.store, im.pending)
		if err != nil {
			return Identified{}, err
		}

		beyond := map[string]string{} // origin key to the paper's id
		for i := range identified.Batch.Put {
			if err := im.findBeyond(&identified.Batch.Put[i], beyond); err != nil {
				return Identified{}, err
			}
		}

		if len(beyond) == 0 {
			return identified, nil
		}
		im.pending = slices.DeleteFunc(im.pending, func(r evidence.Record) bool {
			paper, ok := beyond[r.Origins[0].Key()]
			if ok {
				im.counts.LeftOut++
				if im.opts.LeftOut != nil {
					im.opts.LeftOut(evidence.Problem{ID: r.Origins[0].ID, Reason: fmt.Sprintf(
						"left out: %s has %d source records, the most that one paper may have; `query show %s` lists them",
						paper, maxCopies, paper)})
				}
			}
			return ok
		})
	}
}

// findBeyond finds the incoming members of a paper without room for them: the last ones. The first that reports a
// retraction goes before all others, and has room if no stored member reports it.
func (im *importing) findBeyond(m *evidence.Merged, beyond map[string]string) error {
	if len(m.Members) <= maxCopies {
		return nil
	}

	var incoming []*evidence.Record
	for i := range im.pending {
		if r := &im.pending[i]; slices.Contains(m.Members, r.Origins[0].Key()) &&
			strings.HasPrefix(r.Origins[0].Source, evidence.SourceImport+":") { // a service's record is never dropped
			incoming = append(incoming, r)
		}
	}
	room := maxCopies - (len(m.Members) - len(incoming))

	retracting := slices.IndexFunc(incoming, isSelfRetracted)
	if retracting > 0 {
		incoming[0], incoming[retracting] = incoming[retracting], incoming[0]
	}

	if room <= 0 && retracting >= 0 {
		holds, err := im.holdsRetracted(m.Members, incoming)
		if err != nil {
			return err
		}

		if !holds {
			room = 1
		}
	}

	for _, r := range incoming[min(max(room, 0), len(incoming)):] {
		beyond[r.Origins[0].Key()] = m.Record.ID
	}
	return nil
}

func isSelfRetracted(r *evidence.Record) bool { return r.Retracted() || reportsRetracted(r) }

// holdsRetracted reports whether a stored member of the paper reports its retraction.
func (im *importing) holdsRetracted(members []string, incoming []*evidence.Record) (bool, error) {
	for _, key := range members {
		if slices.ContainsFunc(incoming, func(r *evidence.Record) bool { return r.Origins[0].Key() == key }) {
			continue
		}

		r, ok, err := im.store.SourceRecord(key)
		if err != nil {
			return false, fmt.Errorf("looking up %s: %w", key, err)
		}

		if ok && isSelfRetracted(&r) {
			return true, nil
		}
	}
	return false, nil
}
