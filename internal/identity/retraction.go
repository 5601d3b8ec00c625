package identity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// RetractionTargets lists what rec, a retraction notice, retracts: the records to check again when the notice arrives.
func RetractionTargets(rec *evidence.Record) []evidence.Identifier {
	var out []evidence.Identifier
	for _, l := range rec.Links {
		if retracts(rec, l) && !l.Target.IsZero() && !slices.Contains(out, l.Target) {
			out = append(out, l.Target)
		}
	}
	slices.SortFunc(out, evidence.CompareIdentifiers)
	return out
}

// retracts reports whether a link of rec retracts its target; a retraction notice kept as an erratum does, too.
func retracts(rec *evidence.Record, l evidence.Link) bool {
	return l.Relation == evidence.Retracts || l.Relation == evidence.ErratumFor && noticeTitle(rec.Title) == retraction
}

// retraction applies the table of trust to the source records' retraction status: of those that count, yes wins over
// no, and no over unknown. Of equal statuses the most authoritative is quoted; others add a missing notice or reason. A
// yes that does not count is a dispute.
func (m *merger) retraction() evidence.Retraction {
	var out evidence.Retraction

	var dispute evidence.Dispute
	for i, p := range m.members {
		stated := statedRetraction(p.rec)
		switch {
		case !m.counts(i):
			if stated.Status == evidence.Yes && dispute == (evidence.Dispute{}) {
				dispute = disputeBy(p, m.authorities[i])
			}
		case statusRank(stated.Status) > statusRank(out.Status):
			out = stated
			m.setProvenance("retraction", p.rec)
		case stated.Status == evidence.Yes:
			if out.Notice.IsZero() {
				out.Notice = stated.Notice
			}
			out.Reason = cmp.Or(out.Reason, stated.Reason)
		}
	}

	if out.Status != evidence.Yes {
		out.Disputed = dispute
	}
	return out
}

// counts reports whether a member's retraction status counts: that of the paper's best authority, and that of a
// record whose authority decides by the table and which has the same identifiers.
func (m *merger) counts(i int) bool {
	if m.authorities[i].tier() == m.authorities[0].tier() {
		return true
	}

	if m.authorities[i].precedence("retraction") != decides {
		return false
	}

	var ids []evidence.Identifier
	for j, p := range m.members {
		if m.authorities[j].tier() == m.authorities[0].tier() {
			ids = append(ids, p.ids...)
		}
	}
	shares := func(id evidence.Identifier) bool { return slices.Contains(ids, id) }
	return slices.ContainsFunc(m.members[i].ids, shares) &&
		!slices.ContainsFunc([]evidence.IDKind{evidence.PMID, evidence.DOI, evidence.PMCID}, func(kind evidence.IDKind) bool {
			return kindContradicts(m.members[i].ids, ids, kind)
		})
}

// statedRetraction is a source record's own status; a link to its retraction notice, or to its replacement, is a yes.
func statedRetraction(r *evidence.Record) evidence.Retraction {
	stated := r.Retraction
	if stated.Source == "" && stated.Status != "" {
		stated.Source = source(r)
	}

	by, notice := evidence.Retracting(r.Links)
	if by != nil && stated.Status != evidence.Yes {
		stated = evidence.Retraction{Status: evidence.Yes, Source: cmp.Or(by.Source, source(r)), Checked: stated.Checked}
	}

	if stated.Notice.IsZero() {
		stated.Notice = notice
	}
	return stated
}

// statusRank orders retraction statuses: yes over no over unknown.
func statusRank(t evidence.Ternary) int {
	switch t {
	case evidence.Yes:
		return 3
	case evidence.No:
		return 2
	case evidence.Unknown:
		return 1
	}
	return 0
}

// disputeBy describes a source record's claim that a paper is retracted, so that the reader can judge it.
func disputeBy(p *profile, v authority) evidence.Dispute {
	d := evidence.Dispute{Source: source(p.rec), Date: p.rec.Retraction.Checked}
	switch {
	case fromFile(p.rec):
		d.By = "an imported file"
	case v == authorityPreprint:
		d.By = "a preprint"
	case v == authorityUnconfirmed:
		d.By = "a record that does not show that it is this paper"
	default:
		d.By = "a record without this paper's identifiers"
	}

	if len(p.rec.Origins) > 0 {
		d.ID = p.rec.Origins[0].ID
		if d.Date == "" && !p.rec.Origins[0].Fetched.IsZero() {
			d.Date = evidence.DateOf(p.rec.Origins[0].Fetched)
		}
	}
	return d
}

// Claims is the access to the store that finding other records' statements about a record needs.
type Claims interface {
	Index
	Families
}

// RetractionByOthers is rec's retraction status with what other records in the store state, including ones that arrived
// later: the notices that retract it, and unconfirmed records that carry its identifiers and are retracted. Rec's own
// yes is never withdrawn here; it gains a missing notice. Of several notices that count the first by date is quoted.
// Checked is the day on which the notice was fetched. A statement that does not count becomes a dispute, unless rec has
// one.
func RetractionByOthers(c Claims, rec *evidence.Record) (evidence.Retraction, error) {
	status := rec.Retraction
	if status.Status == evidence.Yes && !status.Notice.IsZero() {
		return status, nil
	}

	notices, dispute, err := noticesOf(c, rec)
	if err != nil {
		return status, fmt.Errorf("looking for retraction notices of %s: %w", rec.ID, err)
	}

	if len(notices) > 0 {
		notice := notices[0]
		if status.Status != evidence.Yes {
			status = evidence.Retraction{Status: evidence.Yes, Source: notice.source, Checked: lastFetched(&notice.record)}
		}

		if ids := notice.record.Identifiers; len(ids) > 0 {
			status.Notice = ids[0]
		}
		return status, nil
	}

	if status.Status == evidence.Yes || status.Disputed != (evidence.Dispute{}) {
		return status, nil
	}

	if status.Disputed = dispute; dispute != (evidence.Dispute{}) {
		return status, nil
	}

	status.Disputed, err = unconfirmedClaim(c, rec)
	if err != nil {
		return status, fmt.Errorf("looking for records that claim the identifiers of %s: %w", rec.ID, err)
	}
	return status, nil
}

// statedNotice is a retraction notice with the source that states what it retracts.
type statedNotice struct {
	record evidence.Record
	source string
}

// noticesOf lists the notices on rec that count, by date, and a dispute by the first of those that do not.
func noticesOf(c Claims, rec *evidence.Record) (notices []statedNotice, dispute evidence.Dispute, err error) {
	found, err := linkedNotices(c, rec)
	if err != nil {
		return nil, dispute, err
	}

	titled, err := titledNotices(c, rec)
	if err != nil {
		return nil, dispute, err
	}

	var others []statedNotice
	for _, s := range append(found, titled...) {
		if s.counts(rec) {
			notices = append(notices, s)
		} else {
			others = append(others, s)
		}
	}
	byDate := func(a, b statedNotice) int {
		return cmp.Or(cmp.Compare(a.record.Date, b.record.Date), cmp.Compare(a.record.ID, b.record.ID))
	}
	slices.SortStableFunc(notices, byDate)
	slices.SortStableFunc(others, byDate)

	if len(others) > 0 {
		o := &others[0]

		dispute = evidence.Dispute{
			By: "a retraction notice that names another paper", Source: o.source, ID: o.record.ID, Date: o.record.Date,
		}
		switch o.authority() {
		case authorityFile:
			dispute.By = "a retraction notice in an imported file"
		case authorityPreprint:
			dispute.By = "a retraction notice among preprints"
		}
	}
	return notices, dispute, nil
}

// linkedNotices lists the notices whose links retract rec.
func linkedNotices(c Claims, rec *evidence.Record) (found []statedNotice, err error) {
	for _, own := range identifiersNaming(rec, classOf(rec)) {
		linking, err := c.LinkingTo(own)
		if err != nil {
			return nil, err
		}

		for _, id := range linking {
			other, err := mustRecord(c, id)
			if err != nil {
				return nil, err
			}

			for _, l := range other.Links {
				if retracts(&other, l) && l.Target == own && other.ID != rec.ID {
					found = append(found, statedNotice{other, cmp.Or(l.Source, source(&other))})
				}
			}
		}
	}
	return found, nil
}

// titledNotices lists the notices with rec's title whose links lead to no stored paper: in the same journal or by one
// of its authors, and not older than rec.
func titledNotices(c Claims, rec *evidence.Record) (found []statedNotice, err error) {
	p := newProfile(rec)
	if !isPaper(p.class) {
		return nil, nil
	}

	var ids []string
	for _, t := range workTitles(p) {
		more, err := c.LinkingTo(retractedKey(t.workKey()))
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)

	for _, id := range slices.Compact(ids) {
		other, err := mustRecord(c, id)
		if err != nil {
			return nil, err
		}

		n := newProfile(&other)
		if n.class != retraction || n.year != 0 && p.year > n.year+1 || !noticeMatches(p, n) {
			continue
		}

		linked, err := linksToPaper(c, &other)
		if err != nil {
			return nil, err
		}

		if !linked {
			found = append(found, statedNotice{other, source(&other)})
		}
	}
	return found, nil
}

// noticeMatches reports whether a notice's title is that of the paper p, in the same journal or by the same people. A
// title too short to identify a paper needs one of the two; for others nothing must contradict.
func noticeMatches(p, n *profile) bool {
	byThem := len(n.rec.Authors) > 0 && commonAuthor(p.rec, n.rec)
	switch bestTitleMatch(p, n) {
	case fullMatch:
		return byThem || n.venue.compareJournals(p.venue) != contradicts
	case shortMatch:
		return byThem && len(p.rec.Authors) > 0 || n.venue.compareJournals(p.venue) == agrees
	}
	return false
}

// linksToPaper reports whether the store holds a paper that a notice links to.
func linksToPaper(c Claims, notice *evidence.Record) (bool, error) {
	for _, target := range RetractionTargets(notice) {
		if ids, err := c.Lookup(target); err != nil || len(ids) > 0 {
			return len(ids) > 0, err
		}
	}
	return false, nil
}

// counts reports whether a notice on rec counts. PubMed's own does. Another's does only if its title, without the words
// of a notice, is that of rec, and its authority is a service's or not below rec's: a file's notice counts for a paper
// known from files alone.
func (s *statedNotice) counts(rec *evidence.Record) bool {
	v := s.authority()
	if v == authorityPubMed {
		return true
	}
	return (v == authorityService || v <= recordAuthority(rec, "")) &&
		(bestTitleMatch(newProfile(rec), newProfile(&s.record)) >= shortMatch ||
			newTitle(s.record.Title).compare(newTitle(rec.Title)) >= alike)
}

// authority is the best authority among the notice's records from its source.
func (s *statedNotice) authority() authority { return recordAuthority(&s.record, s.source) }

// unconfirmedClaim is the first claim, by origin, of a record that carries one of rec's identifiers, was not merged
// with it, and is itself retracted. A record that shares the identifier by right, as all papers of a supplement do,
// claims nothing; a preprint under its article's identifier does.
func unconfirmedClaim(c Claims, rec *evidence.Record) (evidence.Dispute, error) {
	keys := map[string]evidence.Identifier{}
	for _, own := range identifiersNaming(rec, classOf(rec)) {
		carriers, err := c.ByIdentifier(own, evidence.Span{Limit: maxBlock + 1})
		if err != nil {
			return evidence.Dispute{}, err
		}

		if len(carriers) > maxBlock {
			continue
		}

		for _, key := range carriers {
			keys[key] = own
		}
	}

	for _, o := range rec.Origins {
		delete(keys, o.Key())
	}

	for _, key := range byAuthority(slices.Collect(maps.Keys(keys))) {
		other, ok, err := c.SourceRecord(key)
		if err != nil {
			return evidence.Dispute{}, err
		}

		if !ok || statedRetraction(&other).Status != evidence.Yes {
			continue
		}

		id, _, ok, err := c.RecordOf(key)
		if err != nil || !ok {
			return evidence.Dispute{}, err
		}

		whole, err := mustRecord(c, id)
		if err != nil {
			return evidence.Dispute{}, err
		}

		p := newProfile(&other)
		switch {
		case p.class == preprint && !isPreprint(rec):
			return disputeBy(p, authorityPreprint), nil
		case !slices.Contains(whole.Identifiers, keys[key]):
			return disputeBy(p, authorityUnconfirmed), nil
		}
	}
	return evidence.Dispute{}, nil
}

// lastFetched is the last day on which the record was fetched; the record's date where that is unknown.
func lastFetched(rec *evidence.Record) evidence.Date {
	day := evidence.Date("")
	for _, o := range rec.Origins {
		if !o.Fetched.IsZero() {
			day = max(day, evidence.DateOf(o.Fetched))
		}
	}
	return cmp.Or(day, rec.Date)
}
