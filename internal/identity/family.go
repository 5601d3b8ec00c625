package identity

import (
	"cmp"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// Families is the access to the store that finding a record's family needs. Ids are of merged records.
type Families interface {
	// Record reads a merged record; ok is false where there is none.
	Record(id string) (rec evidence.Record, ok bool, err error)
	// Lookup lists the records that carry id.
	Lookup(id evidence.Identifier) (records []string, err error)
	// LinkingTo lists the records with a link whose target is id.
	LinkingTo(id evidence.Identifier) (records []string, err error)
}

// mustRecord reads a record that the store has listed; its absence is an error.
func mustRecord(store Families, id string) (evidence.Record, error) {
	rec, ok, err := store.Record(id)
	if err == nil && !ok {
		err = fmt.Errorf("record %s is listed and is not there", id)
	}
	return rec, err
}

// Family lists the relatives of rec: what it links to, what links to it, and records of another kind that carry one of
// its identifiers. A link's target that the store lacks is listed without a Record. The order is by the relations'
// names, then by id.
func Family(store Claims, rec *evidence.Record) ([]evidence.Relative, error) {
	f := &relatives{store: store, of: rec, seen: map[string]bool{}}
	for _, step := range []func() error{f.addBySourceLinks, f.addByIncomingLinks, f.addBySharedIdentifier,
		f.addByTitle, f.addCopies} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("finding the family of %s: %w", rec.ID, err)
		}
	}
	slices.SortFunc(f.found, func(a, b evidence.Relative) int {
		return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Record, b.Record),
			evidence.CompareIdentifiers(a.Target, b.Target), cmp.Compare(a.Citation, b.Citation))
	})
	return f.found, nil
}

// relatives gathers a record's relatives.
type relatives struct {
	store Claims
	of    *evidence.Record
	seen  map[string]bool
	found []evidence.Relative
}

func (f *relatives) addBySourceLinks() error {
	for _, l := range LinksFrom(f.of) {
		if l.Target.IsZero() {
			f.add(evidence.Relative{Relation: l.Relation, Citation: l.Citation, Source: l.Source})
			continue
		}

		if slices.Contains(f.of.Identifiers, l.Target) && l.Relation != evidence.ReportsTrial {
			continue
		}

		carriers, err := f.store.Lookup(l.Target)
		if err != nil {
			return err
		}

		if err := f.addCarriers(carriers, l); err != nil {
			return err
		}
	}
	return nil
}

// addCarriers adds the records that carry a link's target; for a trial's number only the trials.
func (f *relatives) addCarriers(carriers []string, l evidence.Link) error {
	added := false
	for _, id := range carriers {
		other, err := mustRecord(f.store, id)
		if err != nil {
			return err
		}

		if other.ID == f.of.ID || l.Target.Kind == evidence.NCT && classOf(&other) != trial {
			continue
		}
		added = true
		f.addRecord(l.Relation, &other, l)
	}

	if !added {
		f.add(evidence.Relative{Relation: l.Relation, Target: l.Target, Citation: l.Citation, Source: l.Source})
	}
	return nil
}

func (f *relatives) addByIncomingLinks() error {
	for _, own := range f.ownIdentifiers() {
		linking, err := f.store.LinkingTo(own)
		if err != nil {
			return err
		}

		for _, id := range linking {
			other, err := mustRecord(f.store, id)
			if err != nil {
				return err
			}

			for _, l := range LinksFrom(&other) {
				if l.Target == own && other.ID != f.of.ID {
					f.addRecord(l.Relation.Inverse(), &other, l)
				}
			}
		}
	}
	return nil
}

// ownIdentifiers lists the identifiers that name the record itself.
func (f *relatives) ownIdentifiers() []evidence.Identifier {
	return identifiersNaming(f.of, classOf(f.of))
}

// addBySharedIdentifier adds records of another kind that carry an identifier of this one, which is why they were not
// merged.
func (f *relatives) addBySharedIdentifier() error {
	for _, own := range f.ownIdentifiers() {
		carriers, err := f.store.Lookup(own)
		if err != nil {
			return err
		}

		if err := f.addOtherKinds(carriers, func(*evidence.Record) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// maxWithTitle is how many source records of one title are read: a title with more is a rubric's.
const maxWithTitle = 200

// addByTitle adds the article of a preprint and the preprints of an article by title and first author.
func (f *relatives) addByTitle() error {
	key := TitleKey(f.of)
	if key == "" {
		return nil
	}

	origins, err := f.store.ByTitle(key, evidence.Span{Limit: maxWithTitle})
	if err != nil {
		return err
	}

	var carriers []string
	for _, origin := range origins {
		id, _, ok, err := f.store.RecordOf(origin)
		if err != nil {
			return err
		}

		if ok && !slices.Contains(carriers, id) {
			carriers = append(carriers, id)
		}
	}

	if len(carriers) > maxBlock { // a rubric's title identifies nothing
		return nil
	}
	me := newProfile(f.of)
	return f.addOtherKinds(carriers, func(other *evidence.Record) bool { return preprintPair(me, newProfile(other)) })
}

// preprintPair reports whether one is the other's preprint: they share title and first author, and the article comes
// within three years after the preprint.
func preprintPair(a, b *profile) bool {
	if b.class == preprint {
		a, b = b, a
	}
	return a.class == preprint && plainest(b.class) == plain && a.title.compare(b.title) == equal &&
		a.first().compare(b.first()) == same &&
		a.year != 0 && b.year != 0 && b.year-a.year >= -1 && b.year-a.year <= 3
}

// addCopies adds the retracted record of which this one is a copy, or the copies of this one.
func (f *relatives) addCopies() error {
	if id := f.of.Retraction.CopyOf; id != "" {
		original, ok, err := f.store.Record(id)
		switch {
		case err != nil:
			return err
		case ok:
			f.addRecord(evidence.CopyOf, &original, evidence.Link{})
		default: // a partial store may lack it
			f.add(evidence.Relative{Relation: evidence.CopyOf, Record: id, Retracted: true})
		}
		return nil
	}

	if !f.of.Retracted() {
		return nil
	}

	ids, err := CopyCandidates(f.store, f.of)
	if err != nil {
		return err
	}

	for _, id := range ids {
		other, err := mustRecord(f.store, id)
		if err != nil {
			return err
		}

		if other.Retraction.CopyOf == f.of.ID {
			f.addRecord(evidence.CopiedIn, &other, evidence.Link{})
		}
	}
	return nil
}

func (f *relatives) addOtherKinds(ids []string, fits func(*evidence.Record) bool) error {
	mine := classOf(f.of)
	for _, id := range ids {
		other, err := mustRecord(f.store, id)
		if err != nil {
			return err
		}

		if other.ID == f.of.ID || !fits(&other) {
			continue
		}

		if r := relationBetween(mine, classOf(&other)); r != "" {
			f.addRecord(r, &other, evidence.Link{})
		}
	}
	return nil
}

// relationBetween is the relation of a record of class a to one of class b; empty where the classes imply none.
func relationBetween(a, b class) evidence.Relation {
	relations := map[class]evidence.Relation{
		preprint: evidence.PreprintOf, erratum: evidence.ErratumFor, retraction: evidence.Retracts,
		concern: evidence.ConcernFor,
		comment: evidence.CommentOn, trial: evidence.TrialReportedIn,
	}
	switch {
	case a == b:
		return ""
	case plainest(b) == plain:
		return relations[a]
	case plainest(a) == plain && relations[b] != "":
		return relations[b].Inverse()
	}
	return ""
}

func (f *relatives) addRecord(r evidence.Relation, other *evidence.Record, l evidence.Link) {
	rel := evidence.Relative{Relation: r, Record: other.ID, Title: other.Title, Date: other.Date,
		Retracted: other.Retracted(), Source: l.Source}
	if len(other.Identifiers) > 0 {
		rel.Target = other.Best()
	}
	f.add(rel)
}

func (f *relatives) add(r evidence.Relative) {
	key := string(r.Relation) + "\x00" + r.Record
	if r.Record == "" {
		key += "\x00" + r.Target.String() + "\x00" + r.Citation
	}

	if !f.seen[key] {
		f.seen[key] = true
		f.found = append(f.found, r)
	}
}
