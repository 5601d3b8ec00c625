package pipeline

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
)

// maxSeen bounds what is kept of a file's contents, at some 30 bytes a record; beyond it repeats go the way of all
// others.
const maxSeen = 1 << 18

// contentSum stands for a record's words: half a SHA-256, which nobody can make two records share.
type contentSum [sha256.Size / 2]byte

// repeats reports whether the file has held the same record before: the same words under the same id, or under none. Of
// a service's records each id stands for one, and identity sees to that.
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

// placeOrRepeat is what the reader of a file adds to its ids: "#12" where the file gives none, "~2" where it gives
// one again.
var placeOrRepeat = lazy.Regexp(`^#\d+$|~\d+$`)

// identify joins what is pending, without the records whose papers have enough source records already: these are
// counted and named, and change nothing.
func (im *importing) identify() (Identified, error) {
	for {
		identified, err := Identify(im.store, im.pending)
		if err != nil {
			return Identified{}, err
		}

		beyond := map[string]string{} // origin key to the paper's id
		for i := range identified.Batch.Put {
			if err := im.beyond(&identified.Batch.Put[i], beyond); err != nil {
				return Identified{}, err
			}
		}

		if len(beyond) == 0 {
			return identified, nil
		}
		im.pending = slices.DeleteFunc(im.pending, func(r evidence.Record) bool {
			paper, is := beyond[r.Origins[0].Key()]
			if is {
				im.counts.LeftOut++
				if im.opts.LeftOut != nil {
					im.opts.LeftOut(evidence.Problem{ID: r.Origins[0].ID, Reason: fmt.Sprintf(
						"left out: %s has %d source records, the most that one paper may have; `query show %s` lists them",
						paper, maxCopies, paper)})
				}
			}
			return is
		})
	}
}

// beyond finds the incoming members of a paper for which it has no room: those that come last. The first that says
// that the paper is retracted goes before all others, and has room where no member says so yet.
func (im *importing) beyond(m *evidence.Merged, beyond map[string]string) error {
	if len(m.Members) <= maxCopies {
		return nil
	}

	var incoming []*evidence.Record
	for i := range im.pending {
		if r := &im.pending[i]; slices.Contains(m.Members, r.Origins[0].Key()) &&
			strings.HasPrefix(r.Origins[0].Source, evidence.SourceImport+":") { // a service's word is never left out
			incoming = append(incoming, r)
		}
	}
	room := maxCopies - (len(m.Members) - len(incoming))

	retracting := slices.IndexFunc(incoming, saysOfItself)
	if retracting > 0 {
		incoming[0], incoming[retracting] = incoming[retracting], incoming[0]
	}

	if room <= 0 && retracting >= 0 {
		told, err := im.toldRetracted(m.Members, incoming)
		if err != nil {
			return err
		}

		if !told {
			room = 1
		}
	}

	for _, r := range incoming[min(max(room, 0), len(incoming)):] {
		beyond[r.Origins[0].Key()] = m.Record.ID
	}
	return nil
}

func saysOfItself(r *evidence.Record) bool { return r.Retracted() || saysRetracted(r) }

// toldRetracted reports whether a member that the store holds says that the paper is retracted.
func (im *importing) toldRetracted(members []string, incoming []*evidence.Record) (bool, error) {
	for _, key := range members {
		if slices.ContainsFunc(incoming, func(r *evidence.Record) bool { return r.Origins[0].Key() == key }) {
			continue
		}

		r, ok, err := im.store.SourceRecord(key)
		if err != nil {
			return false, fmt.Errorf("looking up %s: %w", key, err)
		}

		if ok && saysOfItself(&r) {
			return true, nil
		}
	}
	return false, nil
}
