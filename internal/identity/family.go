package identity

import (
	"cmp"
	"fmt"
	"slices"

	"dossier/internal/evidence"
)

// Families is what is asked of the store to find a record's family. Ids are of merged records.
type Families interface {
	// Record reads a merged record.
	Record(id string) (evidence.Record, error)
	// Lookup lists the records that carry id.
	Lookup(id evidence.Identifier) (records []string, err error)
	// LinkingTo lists the records with a link whose target is id.
	LinkingTo(id evidence.Identifier) (records []string, err error)
}

// Titles is what Families may offer besides: the records that share a blocking key (see Keys). With it preprints and articles find each
// other by title where nobody links them.
type Titles interface {
	WithKey(key string) (records []string, err error)
}

// Relative is a member of a record's family, seen from that record.
type Relative struct {
	Relation evidence.Relation   `json:"relation"`
	Record   string              `json:"record,omitempty"` // its id, where the store holds it
	Target   evidence.Identifier `json:"target,omitzero"`  // as linked, or the record's best identifier
	Title    string              `json:"title,omitempty"`
	Date     evidence.Date       `json:"date,omitempty"`
	Citation string              `json:"citation,omitempty"`
	Source   string              `json:"source,omitempty"` // who says so
}

// inverse gives a relation as the other side sees it.
var inverse = map[evidence.Relation]evidence.Relation{
	evidence.RetractedBy: evidence.Retracts, evidence.Retracts: evidence.RetractedBy,
	evidence.ConcernIn: evidence.ConcernFor, evidence.ConcernFor: evidence.ConcernIn,
	evidence.ErratumIn: evidence.ErratumFor, evidence.ErratumFor: evidence.ErratumIn,
	evidence.RepublishedIn: evidence.RepublishedFrom, evidence.RepublishedFrom: evidence.RepublishedIn,
	evidence.UpdateIn: evidence.UpdateOf, evidence.UpdateOf: evidence.UpdateIn,
	evidence.CommentIn: evidence.CommentOn, evidence.CommentOn: evidence.CommentIn,
	evidence.PreprintOf: evidence.PublishedFrom, evidence.PublishedFrom: evidence.PreprintOf,
	evidence.ReportsTrial: evidence.TrialReportedIn, evidence.TrialReportedIn: evidence.ReportsTrial,
	evidence.OtherRelationship: evidence.OtherRelationship,
}

// Inverse is a relation as the other record sees it.
func Inverse(r evidence.Relation) evidence.Relation {
	if inv, ok := inverse[r]; ok {
		return inv
	}
	return evidence.OtherRelationship
}

// Family lists what belongs with rec without being it: what it links to, what links to it, and records of another kind
// that carry one of its identifiers. A link's target that the store lacks is listed without a Record. The order is that of the
// relations' names, then of the ids.
func Family(f Families, rec *evidence.Record) ([]Relative, error) {
	k := &kinfolk{store: f, of: rec, seen: map[string]bool{}}
	for _, step := range []func() error{k.outward, k.inward, k.sharing, k.titled} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("finding the family of %s: %w", rec.ID, err)
		}
	}
	slices.SortFunc(k.found, func(a, b Relative) int {
		return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Record, b.Record), evidence.CompareIdentifiers(a.Target, b.Target), cmp.Compare(a.Citation, b.Citation))
	})
	return k.found, nil
}

// kinfolk gathers a record's relatives.
type kinfolk struct {
	store Families
	of    *evidence.Record
	seen  map[string]bool
	found []Relative
}

func (k *kinfolk) outward() error {
	for _, l := range LinksFrom(k.of) {
		if l.Target.IsZero() {
			k.add(Relative{Relation: l.Relation, Citation: l.Citation, Source: l.Source})
			continue
		}
		if slices.Contains(k.of.Identifiers, l.Target) && l.Relation != evidence.ReportsTrial {
			continue
		}
		holders, err := k.store.Lookup(l.Target)
		if err != nil {
			return err
		}
		if err := k.addHolders(holders, l); err != nil {
			return err
		}
	}
	return nil
}

// addHolders adds the records that carry a link's target; of a trial's number those that are the trial.
func (k *kinfolk) addHolders(holders []string, l evidence.Link) error {
	added := false
	for _, id := range holders {
		other, err := k.store.Record(id)
		if err != nil {
			return err
		}
		if other.ID == k.of.ID || l.Target.Kind == evidence.NCT && newClass(&other) != trial {
			continue
		}
		added = true
		k.addRecord(l.Relation, &other, l)
	}
	if !added {
		k.add(Relative{Relation: l.Relation, Target: l.Target, Citation: l.Citation, Source: l.Source})
	}
	return nil
}

func (k *kinfolk) inward() error {
	for _, own := range k.own() {
		linking, err := k.store.LinkingTo(own)
		if err != nil {
			return err
		}
		for _, id := range linking {
			other, err := k.store.Record(id)
			if err != nil {
				return err
			}
			for _, l := range LinksFrom(&other) {
				if l.Target == own && other.ID != k.of.ID {
					k.addRecord(Inverse(l.Relation), &other, l)
				}
			}
		}
	}
	return nil
}

// own lists the identifiers that name the record itself.
func (k *kinfolk) own() []evidence.Identifier { return naming(k.of, newClass(k.of)) }

// sharing adds records of another kind that carry an identifier of this one: the rules kept them apart for that.
func (k *kinfolk) sharing() error {
	for _, own := range k.own() {
		holders, err := k.store.Lookup(own)
		if err != nil {
			return err
		}
		if err := k.addOtherKinds(holders, func(*evidence.Record) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// titled adds the article of a preprint and the preprints of an article by title and first author.
func (k *kinfolk) titled() error {
	titles, ok := k.store.(Titles)
	key := TitleKey(k.of)
	if !ok || key == "" {
		return nil
	}
	holders, err := titles.WithKey(key)
	if err != nil {
		return err
	}
	me := newProfile(k.of)
	return k.addOtherKinds(holders, func(other *evidence.Record) bool { return preprintPair(me, newProfile(other)) })
}

// preprintPair: an article has its preprint's title and first author, and comes within three years after it.
func preprintPair(a, b *profile) bool {
	if b.class == preprint {
		a, b = b, a
	}
	return a.class == preprint && plainest(b.class) == plain && a.title.like(b.title) == equal && a.first().compare(b.first()) == same &&
		a.year != 0 && b.year != 0 && b.year-a.year >= -1 && b.year-a.year <= 3
}

func (k *kinfolk) addOtherKinds(ids []string, fits func(*evidence.Record) bool) error {
	mine := newClass(k.of)
	for _, id := range ids {
		other, err := k.store.Record(id)
		if err != nil {
			return err
		}
		if other.ID == k.of.ID || !fits(&other) {
			continue
		}
		if r := between(mine, newClass(&other)); r != "" {
			k.addRecord(r, &other, evidence.Link{})
		}
	}
	return nil
}

// between is the relation of a record of class a to one of class b; empty where the classes say nothing.
func between(a, b class) evidence.Relation {
	relations := map[class]evidence.Relation{
		preprint: evidence.PreprintOf, erratum: evidence.ErratumFor, retraction: evidence.Retracts, concern: evidence.ConcernFor,
		comment: evidence.CommentOn, trial: evidence.TrialReportedIn,
	}
	switch {
	case a == b:
		return ""
	case plainest(b) == plain:
		return relations[a]
	case plainest(a) == plain && relations[b] != "":
		return Inverse(relations[b])
	}
	return ""
}

func (k *kinfolk) addRecord(r evidence.Relation, other *evidence.Record, l evidence.Link) {
	rel := Relative{Relation: r, Record: other.ID, Title: other.Title, Date: other.Date, Source: l.Source}
	if len(other.Identifiers) > 0 {
		rel.Target = other.Identifiers[0]
	}
	k.add(rel)
}

func (k *kinfolk) add(r Relative) {
	key := string(r.Relation) + "\x00" + r.Record
	if r.Record == "" {
		key += "\x00" + r.Target.String() + "\x00" + r.Citation
	}
	if !k.seen[key] {
		k.seen[key] = true
		k.found = append(k.found, r)
	}
}
