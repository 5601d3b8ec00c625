package database

import (
	"crypto/sha256"
	"slices"

	"dossier/internal/evidence"
)

// IsFile reports whether the entries are in a file of this machine.
func (db *DB) IsFile() bool { return db.tables == nil }

// Prefetch loads the entries that lookups for incoming records, and for stored records related to them, will need, if
// the entries are remote; on a file it does nothing.
func (db *DB) Prefetch(w evidence.Wanted) error {
	if db.tables == nil {
		return nil
	}
	return db.read(func(t tx) error {
		p := newPrefetch(t)
		for _, key := range w.Origins {
			p.origin(key)
		}

		for _, id := range w.Identifiers {
			p.identifier(id)
		}

		for _, key := range w.Titles {
			if key != "" {
				p.group(bucketTitles, Digest(key))
			}
		}
		return p.rounds()
	})
}

// prefetch collects requests to send together. The entries that one round fetches determine the next round's requests.
type prefetch struct {
	tx
	keys, groups []Place // for the next round
	seen         map[[sha256.Size]byte]bool
	origins, ids []string // whose entries come with it: of source records, and of records
}

func newPrefetch(t tx) *prefetch { return &prefetch{tx: t, seen: map[[sha256.Size]byte]bool{}} }

// prefetchRounds is how far it goes from the incoming records: to the records that share something with them, and one
// step further. Anything beyond is fetched when it is read.
const prefetchRounds = 3

// maxGroupFollowed bounds how many entries of a group are followed: an attribute that many records share identifies
// none of them.
const maxGroupFollowed = 64

// rounds fetches what was requested, then what that refers to, and so on.
func (p *prefetch) rounds() error {
	for range prefetchRounds {
		if len(p.keys) == 0 && len(p.groups) == 0 {
			return nil
		}

		groups, origins, ids := p.groups, p.origins, p.ids
		if err := p.fetch(); err != nil {
			return err
		}

		if err := p.follow(groups, origins, ids); err != nil {
			return err
		}
	}
	return nil
}

// fetch sends the collected requests.
func (p *prefetch) fetch() error {
	err := p.remote.Prefetch(p.keys, p.groups)
	p.keys, p.groups, p.origins, p.ids = nil, nil, nil, nil
	return err
}

func (p *prefetch) isNew(table, key []byte) bool {
	sum := sha256.Sum256(slices.Concat(table, []byte{0}, key))
	if p.seen[sum] {
		return false
	}
	p.seen[sum] = true
	return true
}

// entry requests an entry; it is false if that was requested before.
func (p *prefetch) entry(table, key []byte) bool {
	if !p.isNew(table, key) {
		return false
	}
	p.keys = append(p.keys, Place{string(table), key})
	return true
}

func (p *prefetch) group(table, key []byte) {
	if p.isNew(table, slices.Concat(key, []byte("*"))) {
		p.groups = append(p.groups, Place{string(table), key})
	}
}

// origin requests a source record and its merged record's id.
func (p *prefetch) origin(key string) {
	if p.entry(bucketSources, []byte(key)) {
		p.entry(bucketMembership, []byte(key))
		p.entry(bucketTitleOf, []byte(key))
		p.origins = append(p.origins, key)
	}
}

// record requests a merged record.
func (p *prefetch) record(id string) {
	if id != "" && p.entry(bucketRecords, []byte(id)) {
		p.entry(bucketMembers, []byte(id))
		p.entry(bucketRedirects, []byte(id))
		p.ids = append(p.ids, id)
	}
}

// identifier requests the records that carry an identifier or link to it.
func (p *prefetch) identifier(id evidence.Identifier) {
	key := joinKey(identifierKey(id), "")
	p.group(bucketIdentifierSources, key)
	p.group(bucketIdentifierRecords, key)
	p.group(bucketLinks, key)

	if id.Kind == evidence.PMID {
		p.entry(bucketCurated, []byte(id.Value))
	}
}

// follow requests the entries that fetched ones refer to. It skips damaged entries, which a later read reports.
func (p *prefetch) follow(groups []Place, origins, ids []string) error {
	for _, g := range groups {
		behind, err := p.table([]byte(g.Table)).suffixesWithin(g.Key, evidence.Span{Limit: maxGroupFollowed})
		if err != nil {
			return err
		}

		for _, key := range behind {
			if g.Table == string(bucketTitles) || g.Table == string(bucketIdentifierSources) {
				p.origin(key)
			} else {
				p.record(key)
			}
		}
	}

	for _, key := range origins {
		if err := p.followOrigin(key); err != nil {
			return err
		}
	}

	for _, id := range ids {
		members, err := p.membersOf(id)
		if err != nil {
			return err
		}

		for _, member := range members[:min(len(members), maxGroupFollowed)] {
			p.origin(member)
		}
	}
	return nil
}

func (p *prefetch) followOrigin(key string) error {
	source, ok, err := p.source(key)
	if !ok {
		return err
	}

	for _, id := range source.Identifiers {
		p.identifier(id)
	}

	sums, _, err := p.table(bucketTitleOf).get([]byte(key))
	if err != nil {
		return err
	}

	for sum := range slices.Chunk(sums, digestSize) {
		p.group(bucketTitles, sum)
	}
	id, _, err := p.table(bucketMembership).get([]byte(key))
	p.record(string(id))
	return err
}

// prefetchBatch fetches what a commit of the batch will read.
func (t tx) prefetchBatch(b *evidence.Batch) error {
	p := newPrefetch(t)
	for _, key := range [][]byte{metaSchema, metaGeneration, metaSequence, metaSettled} {
		p.entry(bucketMeta, key)
	}

	for i := range b.SourceRecords {
		p.origin(b.SourceRecords[i].Origins[0].Key())
	}

	for _, key := range b.DropSources {
		p.origin(key)
	}

	for _, id := range b.Drop {
		p.record(id)
	}

	for i := range b.Put {
		p.record(b.Put[i].Record.ID)

		for _, member := range b.Put[i].Members {
			p.origin(member)
		}
	}

	for old, now := range b.Redirect {
		p.record(old)
		p.record(now)
	}

	for i := range b.Answers {
		p.entry(bucketAnswers, []byte(b.Answers[i].Topic.ID))
		p.group(bucketHistory, joinKey(b.Answers[i].Topic.ID, ""))

		for _, id := range slices.Concat(b.Answers[i].Sample, b.Answers[i].Trials) {
			p.record(id)
		}
	}

	ids, replaced := p.ids, len(b.DropSources)+len(b.Drop) > 0
	if err := p.fetch(); err != nil {
		return err
	}

	for _, id := range ids { // the former source records of a replaced record
		members, err := t.membersOf(id)
		if err != nil {
			return err
		}

		replaced = replaced || len(members) > 0
		for _, member := range members {
			p.origin(member)
		}
	}

	if !replaced {
		return nil
	}
	return p.fetch()
}
