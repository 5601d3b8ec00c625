package database

import (
	"crypto/sha256"
	"slices"

	"dossier/internal/evidence"
)

// IsFile reports whether the entries lie in a file of this machine.
func (db *DB) IsFile() bool { return db.tables == nil }

// Prefetch brings what is about to be asked about incoming records, and about those that they meet here, where the
// entries lie elsewhere; on a file it does nothing.
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

// prefetch gathers what is asked for together. What one round brings says what the next one asks for.
type prefetch struct {
	tx
	keys, groups []Place // of the next round
	seen         map[[sha256.Size]byte]bool
	origins, ids []string // whose entries come with it: of source records, and of records
}

func newPrefetch(t tx) *prefetch { return &prefetch{tx: t, seen: map[[sha256.Size]byte]bool{}} }

// prefetchRounds is how far from the incoming records it goes: to what they share something with, and one step
// further. What lies beyond is asked for when its turn comes.
const prefetchRounds = 3

// mostOfGroup bounds how much of a group leads on: what many records share tells little about any of them.
const mostOfGroup = 64

func (p *prefetch) rounds() error {
	for range prefetchRounds {
		if len(p.keys) == 0 && len(p.groups) == 0 {
			return nil
		}

		groups, origins, ids := p.groups, p.origins, p.ids
		if err := p.bring(); err != nil {
			return err
		}

		if err := p.follow(groups, origins, ids); err != nil {
			return err
		}
	}
	return nil
}

// bring asks for all that was gathered.
func (p *prefetch) bring() error {
	err := p.far.Prefetch(p.keys, p.groups)
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

// entry reports whether an entry is wanted; it is false where it was before.
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

// origin wants a source record, and where it is.
func (p *prefetch) origin(key string) {
	if p.entry(bucketSources, []byte(key)) {
		p.entry(bucketMembership, []byte(key))
		p.entry(bucketTitleOf, []byte(key))
		p.origins = append(p.origins, key)
	}
}

// record wants a merged record.
func (p *prefetch) record(id string) {
	if id != "" && p.entry(bucketRecords, []byte(id)) {
		p.entry(bucketMembers, []byte(id))
		p.entry(bucketRedirects, []byte(id))
		p.ids = append(p.ids, id)
	}
}

// identifier wants who carries it, and who links to it.
func (p *prefetch) identifier(id evidence.Identifier) {
	key := joinKey(identifierKey(id), "")
	p.group(bucketIdentifierSources, key)
	p.group(bucketIdentifierRecords, key)
	p.group(bucketLinks, key)

	if id.Kind == evidence.PMID {
		p.entry(bucketCurated, []byte(id.Value))
	}
}

// follow wants what the entries that have come lead to. An entry that is damaged leads nowhere: whoever asks for it is
// told.
func (p *prefetch) follow(groups []Place, origins, ids []string) error {
	for _, g := range groups {
		behind, err := p.table([]byte(g.Table)).spanned(g.Key, evidence.Span{Limit: mostOfGroup})
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

		for _, member := range members[:min(len(members), mostOfGroup)] {
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

// prefetchBatch brings what a commit of the batch is about to read.
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
	if err := p.bring(); err != nil {
		return err
	}

	for _, id := range ids { // what a record that is replaced was made of
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
	return p.bring()
}
