package identity

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// A retraction applies to the work, not to one record. Records that the rules keep apart because year, DOI or authors
// differ can be the same work. docs/METHOD.md, "Copies of retracted papers", has the rule.

// RetractedTitles lists the keys under which copies of a retracted work are found. A retracted paper has the keys of
// its titles and its text, a retraction notice those of its subject's titles. Each title has its beginnings too, as a
// copy without the subtitle has it. It is nil where the record retracts nothing; a copy retracts nothing.
func RetractedTitles(rec *evidence.Record) []string {
	class := classOf(rec)
	if class != retraction && (!rec.Retracted() || rec.Retraction.CopyOf != "" || !isPaper(class)) {
		return nil
	}

	var keys []string
	for _, t := range workTitles(newProfile(rec)) {
		keys = append(keys, t.beginnings()...)
	}

	if key := textKey(rec); key != "" && class != retraction {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// retractedKey is the identifier under which the store lists the records that retract a work with this key.
func retractedKey(key string) evidence.Identifier {
	return evidence.Identifier{Kind: evidence.RetractedTitle, Value: key}
}

// workKeys are the keys of p's titles and of its text.
func workKeys(p *profile) []string {
	keys := text.Each(workTitles(p), title.workKey)
	if key := textKey(p.rec); key != "" {
		keys = append(keys, key)
	}
	return keys
}

// isPaper reports whether records of a class can be, or have, a copy of a paper. A notice, a comment and a trial's
// registration are about a paper, whatever their titles.
func isPaper(c class) bool {
	return !slices.Contains([]class{erratum, retraction, concern, comment, trial, patent}, c)
}

// workTitles are the titles that can identify a work; for a notice also the title that it only cites.
func workTitles(p *profile) []title {
	titles := append([]title{p.title}, p.otherTitles...)
	for _, l := range p.rec.Links {
		if l.Relation == evidence.Retracts && l.Target.IsZero() {
			titles = append(titles, newTitle(noticeSubject(l.Citation)))
		}
	}
	return slices.DeleteFunc(titles, func(t title) bool { return t.compact == "" || t.rubric })
}

// workKey is the key for finding copies of a title's work: the blocking key, or the whole of a title that is too short
// for one. The latter never joins records.
func (t title) workKey() string {
	if t.identifying() {
		return t.key()
	}
	return t.shortKey()
}

// shortKey is the work key of a title that is too short for a blocking key; empty for others.
func (t title) shortKey() string {
	if t.compact == "" || t.rubric || t.identifying() {
		return ""
	}
	return "s:" + t.compact
}

// beginnings lists the keys of a title and of its beginnings, cut behind each of its words.
func (t title) beginnings() []string {
	keys := []string{t.workKey()}

	at := 0
	for _, w := range t.words {
		at += len(w)
		if head := (title{compact: t.compact[:at], runes: len([]rune(t.compact[:at]))}); head.identifying() {
			keys = append(keys, head.key())
		}

		if at > len(text.Runes(t.compact, prefixLength)) {
			break
		}
	}
	return keys
}

// titleMatch is how a record's title matches that of a retracted work.
type titleMatch int

const (
	noMatch     titleMatch = iota
	prefixMatch            // the work's title is longer
	shortMatch             // the same, but too short to identify a work
	fullMatch
)

// match compares t with o's title, allowing for spelling and cuts. A longer title is another work's, unless o was cut
// off inside a word. A shorter one that ends with a word may be the same: it is uncertain unless an export's limit cut
// it.
func (t title) match(o title) titleMatch {
	switch {
	case t.compact == o.compact && !t.identifying():
		return shortMatch
	case t.compact == o.compact, t.identifying() && o.identifying() && spelledAlike(t.words, o.words):
		return fullMatch
	case t.runes > o.runes && o.runes >= prefixLength && strings.HasPrefix(t.compact, o.compact) &&
		t.insideWord(len(o.compact)):
		return fullMatch
	case t.runes > o.runes || t.compare(o) < alike:
		return noMatch
	}
	return prefixMatch
}

// bestTitleMatch is the best match of one of x's titles with one of r's. A title without its subtitle counts as the
// whole.
func bestTitleMatch(x, r *profile) titleMatch {
	best := noMatch
	for _, t := range workTitles(x) {
		for _, o := range workTitles(r) {
			best = max(best, t.match(o))
		}
	}

	if best == prefixMatch && subtitled(x.rec.Title, r.rec.Title) {
		return fullMatch
	}
	return best
}

// sameText reports whether one abstract is the other's word for word, or is cut off, or has one more sentence.
func sameText(x, r *evidence.Record) bool {
	const run, least = 5, 20 // words

	short, long := words(fold(x.AbstractText())), words(fold(r.AbstractText()))
	if len(short) > len(long) {
		short, long = long, short
	}

	if len(short) < least {
		return false
	}

	runs := map[string]bool{}
	for i := range len(long) - run + 1 {
		runs[strings.Join(long[i:i+run], " ")] = true
	}

	all, common := len(short)-run+1, 0
	for i := range all {
		if runs[strings.Join(short[i:i+run], " ")] {
			common++
		}
	}
	return common*10 >= all*9
}

// minOwnWords is the least number of words with which an abstract identifies a work, whatever its title.
const minOwnWords = 50

// textPrefix begins the keys of texts.
const textPrefix = "x:"

// textKey is equal for two records whose abstracts begin with the same words; empty where an abstract is too short to
// identify a work. It is the least hash of the word runs in the beginning, so that an extra label or word seldom
// changes it (min-hashing; Broder, 1997). The run is longer than common phrases of abstracts.
func textKey(rec *evidence.Record) string {
	const beginning, most, run = 800, 80, 12 // bytes, words, words

	ws := words(fold(text.Cut(rec.AbstractText(), beginning)))
	if len(ws) < minOwnWords {
		return ""
	}
	sums := text.Each(ws[:min(len(ws), most)], func(word string) uint64 {
		sum := fnv.New64a()
		io.WriteString(sum, word) //nolint:errcheck // a sum takes all
		return sum.Sum64()
	})

	least := uint64(math.MaxUint64)
	for i := range len(sums) - run + 1 {
		whole := uint64(0)
		for _, sum := range sums[i : i+run] {
			whole = bits.RotateLeft64(whole*mixer, 31) ^ sum
		}
		least = min(least, whole*mixer)
	}
	return textPrefix + strconv.FormatUint(least, 36)
}

// mixer spreads hashes over all their bits: 2^64 divided by the golden ratio.
const mixer = 0x9e3779b97f4a7c15

// wordForWord reports whether two abstracts are the same, neither cut off nor continued: every word of the shorter
// stands in order in the longer, which has hardly more words.
func wordForWord(x, r *evidence.Record) bool {
	short, long := words(fold(x.AbstractText())), words(fold(r.AbstractText()))
	if len(short) > len(long) {
		short, long = long, short
	}

	if len(short) < minOwnWords || len(long)*9 > len(short)*10 {
		return false
	}

	for _, word := range long {
		if len(short) > 0 && word == short[0] {
			short = short[1:]
		}
	}
	return len(short) == 0
}

// sharesText reports whether the record has the abstract of r, whatever its title. A text that many records share is a
// publisher's template, not a work's own.
func (k *copying) sharesText(r *evidence.Record) (bool, error) {
	key := textKey(k.rec)
	if key == "" || key != textKey(r) || !wordForWord(k.rec, r) {
		return false, nil
	}
	origins, err := k.claims.ByTitle(key, evidence.Span{Limit: maxBlock + 1})
	return len(origins) <= maxBlock, err
}

// commonAuthor reports whether any author is in both lists, with whatever given names; a missing list contradicts
// nothing.
func commonAuthor(x, r *evidence.Record) bool {
	if len(x.Authors) == 0 || len(r.Authors) == 0 {
		return true
	}
	const most = 200

	var names []name
	for _, a := range r.Authors[:min(len(r.Authors), most)] {
		names = append(names, newName(a))
	}
	return slices.ContainsFunc(x.Authors[:min(len(x.Authors), most)], func(a evidence.Author) bool {
		n := newName(a)
		return slices.ContainsFunc(names, func(o name) bool { return n.compare(o) >= similarAuthor })
	})
}

// preprintOf reports whether links make x the preprint of r.
func preprintOf(x, r *evidence.Record) bool {
	leads := func(from, to *evidence.Record, relations ...evidence.Relation) bool {
		return slices.ContainsFunc(from.Links, func(l evidence.Link) bool {
			return slices.Contains(relations, l.Relation) && slices.Contains(to.Identifiers, l.Target)
		})
	}
	return leads(x, r, evidence.PreprintOf, evidence.UpdateIn) || leads(r, x, evidence.PublishedFrom, evidence.UpdateOf)
}

// replaces reports whether x was published in the place of r, as r states, or as x states with no lower authority.
func replaces(x, r *evidence.Record) bool {
	of := func(rec *evidence.Record, relation evidence.Relation, ids []evidence.Identifier) bool {
		return slices.ContainsFunc(rec.Links, func(l evidence.Link) bool {
			return l.Relation == relation && (l.Target.IsZero() || slices.Contains(ids, l.Target))
		})
	}
	return of(r, evidence.RetractedForNew, x.Identifiers) && !of(x, evidence.RetractedForNew, r.Identifiers) ||
		of(x, evidence.ReplacesRetracted, r.Identifiers) && recordAuthority(x, "") <= recordAuthority(r, "")
}

// copying finds the retracted works of which a record may be a copy.
type copying struct {
	claims  Claims
	rec     *evidence.Record
	profile *profile
	carried []evidence.Identifier // its source records' identifiers, including those removed from it
}

func newCopying(c Claims, rec *evidence.Record) (*copying, error) {
	k := &copying{claims: c, rec: rec, profile: newProfile(rec), carried: slices.Clone(rec.Identifiers)}
	for _, o := range rec.Origins {
		source, ok, err := c.SourceRecord(o.Key())
		if err != nil {
			return nil, err
		}

		if ok {
			k.carried = append(k.carried, source.Identifiers...)
		}
	}
	k.carried = slices.DeleteFunc(evidence.SortIdentifiers(k.carried), func(id evidence.Identifier) bool {
		return id.Kind == evidence.NCT
	})
	return k, nil
}

// CopyOfRetracted is the retraction status of a record, as RetractionByOthers left it, with what follows from the
// retraction of other records of its work. Where the retraction's authority is not below the record's, the record is a
// copy of a retracted paper; otherwise that is a dispute.
func CopyOfRetracted(c Claims, rec *evidence.Record) (evidence.Retraction, error) {
	status := rec.Retraction
	if status.Status == evidence.Yes || !isPaper(classOf(rec)) {
		return status, nil
	}
	fail := func(err error) (evidence.Retraction, error) {
		return status, fmt.Errorf("looking for retracted papers of which %s is a copy: %w", rec.ID, err)
	}

	k, err := newCopying(c, rec)
	if err != nil {
		return fail(err)
	}

	originals, err := k.originals()
	if err != nil {
		return fail(err)
	}

	own := recordAuthority(rec, "")
	for _, r := range originals {
		retracting := retractionAuthority(&r)
		if retracting <= own && (classOf(&r) != preprint || k.profile.class == preprint) {
			return evidence.Retraction{Status: evidence.Yes, Source: r.Retraction.Source, Checked: r.Retraction.Checked,
				Notice: r.Retraction.Notice, CopyOf: r.ID}, nil
		}

		if status.Disputed == (evidence.Dispute{}) {
			status.Disputed = evidence.Dispute{By: copySources[retracting], Source: r.Retraction.Source, ID: r.ID,
				Date: r.Retraction.Checked}
		}
	}
	return status, nil
}

// copySources describes the source of a retraction that does not count, by authority.
var copySources = [authorityCount]string{
	authorityPubMed: "a retracted copy", authorityService: "a retracted copy",
	authorityPreprint: "a withdrawn preprint", authorityFile: "a retracted copy in an imported file",
}

// originals lists the retracted records of the same work, by the authority of their retraction.
func (k *copying) originals() ([]evidence.Record, error) {
	ids, err := k.retracted()
	if err != nil {
		return nil, err
	}

	var out []evidence.Record
	for _, id := range ids {
		other, err := mustRecord(k.claims, id)
		if err != nil {
			return nil, err
		}

		if other.ID == k.rec.ID || !other.Retracted() || other.Retraction.CopyOf != "" || !isPaper(classOf(&other)) {
			continue
		}

		same, err := k.sameWork(&other)
		if err != nil {
			return nil, err
		}

		if same {
			out = append(out, other)
		}
	}
	slices.SortStableFunc(out, func(a, b evidence.Record) int {
		return cmp.Or(cmp.Compare(retractionAuthority(&a), retractionAuthority(&b)), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// retracted lists the records that may be retracted versions of the same work: those under the record's title and text
// keys, those that hold its identifiers, and those that links lead to.
func (k *copying) retracted() ([]string, error) {
	var ids []string

	add := func(more []string, err error) error {
		ids = append(ids, more...)
		return err
	}
	for _, key := range workKeys(k.profile) {
		if err := add(k.claims.LinkingTo(retractedKey(key))); err != nil {
			return nil, err
		}
	}

	for _, id := range k.carried {
		if err := add(k.claims.Lookup(id)); err != nil {
			return nil, err
		}

		if k.profile.class == preprint { // an article may name it
			if err := add(k.claims.LinkingTo(id)); err != nil {
				return nil, err
			}
		}
	}

	if k.profile.class == preprint {
		for _, l := range k.rec.Links {
			if l.Target.IsZero() {
				continue
			}

			if err := add(k.claims.Lookup(l.Target)); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// sameWork reports whether the record is of the same work as r, which is retracted.
func (k *copying) sameWork(r *evidence.Record) (bool, error) {
	if replaces(k.rec, r) {
		return false, nil
	}
	p := newProfile(r)

	how := bestTitleMatch(k.profile, p)
	if k.titleConfirms(p, how) || k.profile.class == preprint && preprintOf(k.rec, r) {
		return true, nil
	}

	for _, id := range k.carried {
		if !slices.Contains(r.Identifiers, id) {
			continue
		}

		if how != noMatch || k.profile.class == preprint || p.class == preprint {
			return true, nil
		}

		alone, err := k.namesOneWork(id, r)
		if alone || err != nil {
			return alone, err
		}
	}
	return k.sharesText(r)
}

// titleConfirms reports whether the title shows that the record is of a retracted work. An uncertain match counts where
// all else agrees. A work under other authors is recognised by its text; without text and identifiers to compare, by a
// long title.
func (k *copying) titleConfirms(p *profile, how titleMatch) bool {
	switch {
	case how == noMatch:
		return false
	case sameText(k.rec, p.rec):
		return true
	case how != fullMatch:
		return p.first().compare(k.profile.first()) == same && p.year == k.profile.year &&
			p.venue.compareJournals(k.profile.venue) != contradicts
	}
	return commonAuthor(k.rec, p.rec) ||
		len(k.carried) == 0 && len(k.rec.Abstract) == 0 && k.profile.title.runes >= prefixLength
}

// namesOneWork reports whether an identifier that the record shares with r names one work, whatever the titles. A DOI
// that both hold is a whole supplement's or a book's where they share no author, or where a third record has it.
func (k *copying) namesOneWork(id evidence.Identifier, r *evidence.Record) (bool, error) {
	if id.Kind != evidence.DOI {
		return true, nil
	}

	held := slices.Contains(k.rec.Identifiers, id)
	if held && (!commonAuthor(k.rec, r) || k.profile.venue.comparePlaces(newProfile(r).venue) == contradicts) {
		return false, nil
	}
	records, err := recordsCarrying(k.claims, id)
	return len(records) == 2, err
}

// recordsCarrying lists the merged records with a source record that carries id; none where id is crowded.
func recordsCarrying(c Claims, id evidence.Identifier) ([]string, error) {
	origins, err := c.ByIdentifier(id, evidence.Span{Limit: maxBlock + 1})
	if err != nil || len(origins) > maxBlock {
		return nil, err
	}
	return recordsOf(c, origins)
}

// recordsOf lists the merged records that contain the source records, each once, in order.
func recordsOf(c Claims, origins []string) ([]string, error) {
	var ids []string
	for _, origin := range origins {
		id, _, ok, err := c.RecordOf(origin)
		if err != nil {
			return nil, err
		}

		if ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// CopyCandidates lists the merged records that may be copies of what rec retracts, by RetractedTitles and by rec's
// identifiers: the records to check again when rec comes, changes or goes. It is empty where rec retracts nothing.
func CopyCandidates(c Claims, rec *evidence.Record) ([]string, error) {
	if len(rec.RetractedTitles) == 0 && !rec.Retracted() {
		return nil, nil
	}
	var ids []string

	add := func(more []string, err error) error {
		ids = append(ids, more...)
		return err
	}
	for _, key := range rec.RetractedTitles {
		span := evidence.Span{}
		if strings.HasPrefix(key, textPrefix) { // a template's many records are no copies
			span.Limit = maxBlock
		}

		origins, err := c.ByTitle(key, span)
		if err == nil {
			err = add(recordsOf(c, origins))
		}

		if err != nil {
			return nil, fmt.Errorf("looking for copies of %s by title or text: %w", rec.ID, err)
		}
	}

	for _, id := range identifiersNaming(rec, classOf(rec)) {
		if err := add(recordsCarrying(c, id)); err != nil {
			return nil, fmt.Errorf("looking for copies of %s by identifier: %w", rec.ID, err)
		}

		if err := add(c.LinkingTo(id)); err != nil { // preprints name their article
			return nil, fmt.Errorf("looking for preprints of %s: %w", rec.ID, err)
		}
	}

	for _, l := range rec.Links {
		if l.Relation != evidence.PublishedFrom && l.Relation != evidence.UpdateOf || l.Target.IsZero() {
			continue
		}

		if err := add(c.Lookup(l.Target)); err != nil {
			return nil, fmt.Errorf("looking for preprints of %s: %w", rec.ID, err)
		}
	}
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == rec.ID }), nil
}

// recordAuthority is the best authority among a merged record's origins; with a source named, among that source's
// alone.
func recordAuthority(rec *evidence.Record, source string) authority {
	best := authorityFile
	for _, o := range rec.Origins {
		if source != "" && o.Source != source {
			continue
		}

		origin := evidence.Record{Origins: []evidence.Origin{o}, Identifiers: rec.Identifiers}
		switch own := ownIdentifier(&origin); {
		case fromFile(&origin):
		case own.Kind == evidence.PMID:
			best = authorityPubMed
		case own.Kind == evidence.PPR:
			best = min(best, authorityPreprint)
		default:
			best = min(best, authorityService)
		}
	}
	return best
}

// retractionAuthority is the authority of the source that reports a record retracted: one of its own origins, or that
// of a notice that counted.
func retractionAuthority(rec *evidence.Record) authority {
	retracting := rec.Retraction.Source
	switch {
	case slices.ContainsFunc(rec.Origins, func(o evidence.Origin) bool { return o.Source == retracting }):
		return recordAuthority(rec, retracting)
	case retracting == evidence.SourcePubMed:
		return authorityPubMed
	case slices.Contains(sourceOrder, retracting):
		return authorityService
	}
	return authorityFile
}
