package identity

import (
	"cmp"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// Families is what is asked of the store to find a record's family. Ids are of merged records.
type Families interface {
	// Record reads a merged record; ok is false where there is none.
	Record(id string) (rec evidence.Record, ok bool, err error)
	// Lookup lists the records that carry id.
	Lookup(id evidence.Identifier) (records []string, err error)
	// LinkingTo lists the records with a link whose target is id.
	LinkingTo(id evidence.Identifier) (records []string, err error)
}

// listed reads a record that the store itself has named.
func listed(store Families, id string) (evidence.Record, error) {
	rec, ok, err := store.Record(id)
	if err == nil && !ok {
		err = fmt.Errorf("record %s is listed and is not there", id)
	}
	return rec, err
}

// Family lists what belongs with rec without being it: what it links to, what links to it, and records of another kind
// that carry one of its identifiers. A link's target that the store lacks is listed without a Record. The order is that
// of the relations' names, then of the ids.
func Family(store Claims, rec *evidence.Record) ([]evidence.Relative, error) {
	f := &relatives{store: store, of: rec, seen: map[string]bool{}}
	for _, step := range []func() error{f.outward, f.inward, f.sharing, f.titled, f.copies} {
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

func (f *relatives) outward() error {
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

// addCarriers adds the records that carry a link's target; of a trial's number those that are the trial.
func (f *relatives) addCarriers(carriers []string, l evidence.Link) error {
	added := false
	for _, id := range carriers {
		other, err := listed(f.store, id)
		if err != nil {
			return err
		}

		if other.ID == f.of.ID || l.Target.Kind == evidence.NCT && newClass(&other) != trial {
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

func (f *relatives) inward() error {
	for _, own := range f.own() {
		linking, err := f.store.LinkingTo(own)
		if err != nil {
			return err
		}

		for _, id := range linking {
			other, err := listed(f.store, id)
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

// own lists the identifiers that name the record itself.
func (f *relatives) own() []evidence.Identifier { return naming(f.of, newClass(f.of)) }

// sharing adds records of another kind that carry an identifier of this one: the rules kept them apart for that.
func (f *relatives) sharing() error {
	for _, own := range f.own() {
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

// manyWithTitle is how many source records are looked at for a title: one that has more is a rubric's.
const manyWithTitle = 200

// titled adds the article of a preprint and the preprints of an article by title and first author.
func (f *relatives) titled() error {
	key := TitleKey(f.of)
	if key == "" {
		return nil
	}

	origins, err := f.store.ByTitle(key, evidence.Span{Limit: manyWithTitle})
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

	if len(carriers) > maxBlock { // a rubric's title tells nothing
		return nil
	}
	me := newProfile(f.of)
	return f.addOtherKinds(carriers, func(other *evidence.Record) bool { return preprintPair(me, newProfile(other)) })
}

// preprintPair: an article has its preprint's title and first author, and comes within three years after it.
func preprintPair(a, b *profile) bool {
	if b.class == preprint {
		a, b = b, a
	}
	return a.class == preprint && plainest(b.class) == plain && a.title.like(b.title) == equal &&
		a.first().compare(b.first()) == same &&
		a.year != 0 && b.year != 0 && b.year-a.year >= -1 && b.year-a.year <= 3
}

// copies adds the retracted record of which this one is a copy, and the copies of this one.
func (f *relatives) copies() error {
	if id := f.of.Retraction.CopyOf; id != "" {
		original, ok, err := f.store.Record(id)
		switch {
		case err != nil:
			return err
		case ok:
			f.addRecord(evidence.CopyOf, &original, evidence.Link{})
		default: // a part of a store need not hold it
			f.add(evidence.Relative{Relation: evidence.CopyOf, Record: id, Retracted: true})
		}
		return nil
	}

	if !f.of.Retracted() {
		return nil
	}

	ids, err := MayCopy(f.store, f.of)
	if err != nil {
		return err
	}

	for _, id := range ids {
		other, err := listed(f.store, id)
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
	mine := newClass(f.of)
	for _, id := range ids {
		other, err := listed(f.store, id)
		if err != nil {
			return err
		}

		if other.ID == f.of.ID || !fits(&other) {
			continue
		}

		if r := between(mine, newClass(&other)); r != "" {
			f.addRecord(r, &other, evidence.Link{})
		}
	}
	return nil
}

// between is the relation of a record of class a to one of class b; empty where the classes say nothing.
func between(a, b class) evidence.Relation {
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
