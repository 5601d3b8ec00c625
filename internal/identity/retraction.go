package identity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"dossier/internal/evidence"
)

// RetractionTargets lists what rec, a retraction notice, retracts: the records to look at again when the notice
// arrives.
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

// retracts reports whether a link of rec's retracts its target: a notice of retraction does, also one that is kept as
// an erratum.
func retracts(rec *evidence.Record, l evidence.Link) bool {
	return l.Relation == evidence.Retracts || l.Relation == evidence.ErratumFor && noticeTitle(rec.Title) == retraction
}

// retraction is what the table of trust makes of what the source records say of the paper: of the words that count a
// yes wins, then a no, then unknown; of those that say the same the most authoritative is quoted, with a notice and
// a reason that another knows. The yes of a voice that does not count is a dispute.
func (m *merger) retraction() evidence.Retraction {
	var out evidence.Retraction

	var dispute evidence.Dispute
	for i, p := range m.members {
		said := statedRetraction(p.rec)
		switch {
		case !m.believed(i):
			if said.Status == evidence.Yes && dispute == (evidence.Dispute{}) {
				dispute = disputeBy(p, m.voices[i])
			}
		case weight(said.Status) > weight(out.Status):
			out = said
			m.gave("retraction", p.rec)
		case said.Status == evidence.Yes:
			if out.Notice.IsZero() {
				out.Notice = said.Notice
			}
			out.Reason = cmp.Or(out.Reason, said.Reason)
		}
	}

	if out.Status != evidence.Yes {
		out.Disputed = dispute
	}
	return out
}

// believed reports whether a member's word on the paper's retraction counts: that of the voice that speaks for the
// paper, and of one that stands by the table and has the same identifiers.
func (m *merger) believed(i int) bool {
	if m.voices[i].tier() == m.voices[0].tier() {
		return true
	}

	if m.voices[i].say("retraction") != stands {
		return false
	}

	var ids []evidence.Identifier
	for j, p := range m.members {
		if m.voices[j].tier() == m.voices[0].tier() {
			ids = append(ids, p.ids...)
		}
	}
	shares := func(id evidence.Identifier) bool { return slices.Contains(ids, id) }
	return slices.ContainsFunc(m.members[i].ids, shares) &&
		!slices.ContainsFunc([]evidence.IDKind{evidence.PMID, evidence.DOI, evidence.PMCID}, func(kind evidence.IDKind) bool {
			return kindContradicts(m.members[i].ids, ids, kind)
		})
}

// statedRetraction is what a source record says of itself; a link to its retraction notice, or to what it was replaced
// by, says it, too.
func statedRetraction(r *evidence.Record) evidence.Retraction {
	said := r.Retraction
	if said.Source == "" && said.Status != "" {
		said.Source = source(r)
	}

	by, notice := evidence.Retracting(r.Links)
	if by != nil && said.Status != evidence.Yes {
		said = evidence.Retraction{Status: evidence.Yes, Source: cmp.Or(by.Source, source(r)), Checked: said.Checked}
	}

	if said.Notice.IsZero() {
		said.Notice = notice
	}
	return said
}

func weight(t evidence.Ternary) int {
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

// disputeBy is a source record's claim that a paper is retracted, told as the reader needs it to judge the claim.
func disputeBy(p *profile, v voice) evidence.Dispute {
	d := evidence.Dispute{Source: source(p.rec), Date: p.rec.Retraction.Checked}
	switch {
	case fromFile(p.rec):
		d.By = "an imported file"
	case v == voicePreprint:
		d.By = "a preprint"
	case v == voiceStranger:
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

// Claims is what is asked of the store to find what others say of a record.
type Claims interface {
	Index
	Families
}

// RetractionByOthers is rec's retraction status with what other records in the store say of it, also ones that arrived
// later than rec: the notices that retract it, and the strangers that carry its identifiers and are retracted. Rec's
// own yes is never taken back here; it gains the notice that it lacked. Of several notices that count the first by date
// is quoted. Checked is the day on which the notice was fetched. What does not count, and is not in rec's status yet,
// is its dispute.
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
			status = evidence.Retraction{Status: evidence.Yes, Source: notice.source, Checked: fetched(&notice.record)}
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

	status.Disputed, err = strangersClaim(c, rec)
	if err != nil {
		return status, fmt.Errorf("looking for records that claim the identifiers of %s: %w", rec.ID, err)
	}
	return status, nil
}

// said is a notice with the source that says what it retracts.
type said struct {
	record evidence.Record
	source string
}

// noticesOf lists the notices on rec that count, by date, and the first claim of those that do not.
func noticesOf(c Claims, rec *evidence.Record) (notices []said, dispute evidence.Dispute, err error) {
	found, err := linkedNotices(c, rec)
	if err != nil {
		return nil, dispute, err
	}

	titled, err := titledNotices(c, rec)
	if err != nil {
		return nil, dispute, err
	}

	var others []said
	for _, s := range append(found, titled...) {
		if s.counts(rec) {
			notices = append(notices, s)
		} else {
			others = append(others, s)
		}
	}
	byDate := func(a, b said) int {
		return cmp.Or(cmp.Compare(a.record.Date, b.record.Date), cmp.Compare(a.record.ID, b.record.ID))
	}
	slices.SortStableFunc(notices, byDate)
	slices.SortStableFunc(others, byDate)

	if len(others) > 0 {
		o := &others[0]

		dispute = evidence.Dispute{
			By: "a retraction notice that names another paper", Source: o.source, ID: o.record.ID, Date: o.record.Date,
		}
		switch o.voice() {
		case voiceFile:
			dispute.By = "a retraction notice in an imported file"
		case voicePreprint:
			dispute.By = "a retraction notice among preprints"
		}
	}
	return notices, dispute, nil
}

// linkedNotices lists the notices whose links say that they retract rec.
func linkedNotices(c Claims, rec *evidence.Record) (found []said, err error) {
	for _, own := range naming(rec, newClass(rec)) {
		linking, err := c.LinkingTo(own)
		if err != nil {
			return nil, err
		}

		for _, id := range linking {
			other, err := listed(c, id)
			if err != nil {
				return nil, err
			}

			for _, l := range other.Links {
				if retracts(&other, l) && l.Target == own && other.ID != rec.ID {
					found = append(found, said{other, cmp.Or(l.Source, source(&other))})
				}
			}
		}
	}
	return found, nil
}

// titledNotices lists the notices that retract what has rec's title, and whose links lead to no paper of the store: the
// notice of a journal that is theirs too, or by an author of theirs, and not older than they are.
func titledNotices(c Claims, rec *evidence.Record) (found []said, err error) {
	p := newProfile(rec)
	if !isPaper(p.class) {
		return nil, nil
	}

	var ids []string
	for _, t := range workTitles(p) {
		more, err := c.LinkingTo(retractedUnder(t.workKey()))
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)

	for _, id := range slices.Compact(ids) {
		other, err := listed(c, id)
		if err != nil {
			return nil, err
		}

		n := newProfile(&other)
		if n.class != retraction || n.year != 0 && p.year > n.year+1 || !noticeOn(p, n) {
			continue
		}

		linked, err := leadsToAPaper(c, &other)
		if err != nil {
			return nil, err
		}

		if !linked {
			found = append(found, said{other, source(&other)})
		}
	}
	return found, nil
}

// noticeOn reports whether a notice's title is on the paper p: in the journal of both, or by people of both. A title
// too short to name a paper needs one of the two; for another it is enough that nothing contradicts.
func noticeOn(p, n *profile) bool {
	byThem := len(n.rec.Authors) > 0 && commonAuthor(p.rec, n.rec)
	switch copiesTitle(p, n) {
	case titledAlike:
		return byThem || n.venue.journal(p.venue) != contradicts
	case shortlyAlike:
		return byThem && len(p.rec.Authors) > 0 || n.venue.journal(p.venue) == agrees
	}
	return false
}

// leadsToAPaper reports whether the store holds a paper that a notice links to.
func leadsToAPaper(c Claims, notice *evidence.Record) (bool, error) {
	for _, target := range RetractionTargets(notice) {
		if ids, err := c.Lookup(target); err != nil || len(ids) > 0 {
			return len(ids) > 0, err
		}
	}
	return false, nil
}

// counts reports whether a notice on rec is believed: PubMed's own is; another's only if its title, without the words
// that make it a notice, is that of rec, and if it is trusted no less than those who speak for rec: a file's word on
// what only files know.
func (s *said) counts(rec *evidence.Record) bool {
	v := s.voice()
	if v == voicePubMed {
		return true
	}
	return (v == voiceService || v.tier() <= voiceOf(rec, "").tier()) &&
		(copiesTitle(newProfile(rec), newProfile(&s.record)) >= shortlyAlike ||
			newTitle(s.record.Title).like(newTitle(rec.Title)) >= alike)
}

// voice is who says what the notice retracts: the best of its records from that source.
func (s *said) voice() voice { return voiceOf(&s.record, s.source) }

// strangersClaim is the first claim, by origin, of a record that carries one of rec's identifiers, was not made one
// with it, and says that it is retracted itself. One that shares the identifier by right, as all papers of a supplement
// do, claims nothing; a preprint does, under its article's.
func strangersClaim(c Claims, rec *evidence.Record) (evidence.Dispute, error) {
	keys := map[string]evidence.Identifier{}
	for _, own := range naming(rec, newClass(rec)) {
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

		whole, err := listed(c, id)
		if err != nil {
			return evidence.Dispute{}, err
		}

		p := newProfile(&other)
		switch {
		case p.class == preprint && !isPreprint(rec):
			return disputeBy(p, voicePreprint), nil
		case !slices.Contains(whole.Identifiers, keys[key]):
			return disputeBy(p, voiceStranger), nil
		}
	}
	return evidence.Dispute{}, nil
}

// fetched is the last day on which a source was asked for the record; its own date where that is not known.
func fetched(rec *evidence.Record) evidence.Date {
	day := evidence.Date("")
	for _, o := range rec.Origins {
		if !o.Fetched.IsZero() {
			day = max(day, evidence.DateOf(o.Fetched))
		}
	}
	return cmp.Or(day, rec.Date)
}
