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

// A retraction is of the work, and not of one record: what the rules keep apart as another record, since its year, its
// DOI or its authors differ, is the same work all the same. docs/METHOD.md, "Copies of retracted papers", has the rule.

// RetractedTitles lists the keys under which the copies of what a merged record says is retracted look for it: of a
// retracted paper the keys of its titles and of its text, of a retraction notice those of its subject's titles, each
// title with its beginnings, as a copy without the subtitle has it. Nil where the record says of no work that it is
// retracted; a copy says it of none.
func RetractedTitles(rec *evidence.Record) []string {
	class := newClass(rec)
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

// retractedUnder is where the store has what says that a work with this key is retracted.
func retractedUnder(key string) evidence.Identifier {
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

// isPaper reports whether a record of that class can be a copy of a paper, or have one: a notice, a comment and a
// trial's registration are others' words on it, whatever their titles.
func isPaper(c class) bool {
	return !slices.Contains([]class{erratum, retraction, concern, comment, trial, patent}, c)
}

// workTitles are the titles that can name a work by themselves; of a notice also that which it only cites.
func workTitles(p *profile) []title {
	titles := append([]title{p.title}, p.others...)
	for _, l := range p.rec.Links {
		if l.Relation == evidence.Retracts && l.Target.IsZero() {
			titles = append(titles, newTitle(noticeSubject(l.Citation)))
		}
	}
	return slices.DeleteFunc(titles, func(t title) bool { return t.compact == "" || t.rubric })
}

// workKey is the key under which copies of a title's work are sought: the blocking key, or the whole of a title that is
// too short to be one, which joins no records.
func (t title) workKey() string {
	if t.telling() {
		return t.key()
	}
	return t.shortKey()
}

// shortKey is the work's key of a title that is too short for a blocking key; empty for others.
func (t title) shortKey() string {
	if t.compact == "" || t.rubric || t.telling() {
		return ""
	}
	return "s:" + t.compact
}

// beginnings lists the keys of a title and of what is left of it where it was cut behind any of its words.
func (t title) beginnings() []string {
	keys := []string{t.workKey()}

	at := 0
	for _, w := range t.words {
		at += len(w)
		if head := (title{compact: t.compact[:at], runes: len([]rune(t.compact[:at]))}); head.telling() {
			keys = append(keys, head.key())
		}

		if at > len(text.Runes(t.compact, prefixLength)) {
			break
		}
	}
	return keys
}

// resemblance says how a record's title is that of a retracted work.
type resemblance int

const (
	otherwise    resemblance = iota
	begunAlike               // the work's title goes on behind it
	shortlyAlike             // the same, and too short to name a work by itself
	titledAlike
)

// copies says how t is o's title, also spelt otherwise or cut off. A longer title is another work's, unless o was cut
// off inside a word; a shorter one that ends with a word may be, and is doubtful unless an export's limit cut it.
func (t title) copies(o title) resemblance {
	switch {
	case t.compact == o.compact && !t.telling():
		return shortlyAlike
	case t.compact == o.compact, t.telling() && o.telling() && spelledAlike(t.words, o.words):
		return titledAlike
	case t.runes > o.runes && o.runes >= prefixLength && strings.HasPrefix(t.compact, o.compact) &&
		t.insideWord(len(o.compact)):
		return titledAlike
	case t.runes > o.runes || t.like(o) < alike:
		return otherwise
	}
	return begunAlike
}

// copiesTitle says how one of x's titles is one of r's, the best of them: without its subtitle it is the whole.
func copiesTitle(x, r *profile) resemblance {
	best := otherwise
	for _, t := range workTitles(x) {
		for _, o := range workTitles(r) {
			best = max(best, t.copies(o))
		}
	}

	if best == begunAlike && subtitled(x.rec.Title, r.rec.Title) {
		return titledAlike
	}
	return best
}

// sameText reports whether one abstract is the other's word for word, also cut off, or with a sentence that only one
// has.
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

// ownWords is how many words an abstract must have to be a work's by itself, whatever its title.
const ownWords = 50

// textPrefix begins the keys of texts.
const textPrefix = "x:"

// textKey is the same for two records whose abstracts begin word for word alike; empty where an abstract is too short
// to be a work's own. It is the least sum of a run of words in the beginning, so that a label or a word more in one of
// them seldom gives it another (min-hashing; Broder, 1997), and the run is longer than what many abstracts say.
func textKey(rec *evidence.Record) string {
	const beginning, most, run = 800, 80, 12 // bytes, words, words

	ws := words(fold(text.Cut(rec.AbstractText(), beginning)))
	if len(ws) < ownWords {
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

// mixer spreads sums over all their bits: 2^64 parted by the golden ratio.
const mixer = 0x9e3779b97f4a7c15

// wordForWord reports whether two abstracts are one, neither cut off nor gone on with: every word of the shorter stands
// in its order in the longer, which has hardly more.
func wordForWord(x, r *evidence.Record) bool {
	short, long := words(fold(x.AbstractText())), words(fold(r.AbstractText()))
	if len(short) > len(long) {
		short, long = long, short
	}

	if len(short) < ownWords || len(long)*9 > len(short)*10 {
		return false
	}

	for _, word := range long {
		if len(short) > 0 && word == short[0] {
			short = short[1:]
		}
	}
	return len(short) == 0
}

// sharesText reports whether the record has the abstract of r, under whatever title. A text that many records have is a
// publisher's form, and nobody's work.
func (k *copying) sharesText(r *evidence.Record) (bool, error) {
	key := textKey(k.rec)
	if key == "" || key != textKey(r) || !wordForWord(k.rec, r) {
		return false, nil
	}
	origins, err := k.claims.ByTitle(key, evidence.Span{Limit: maxBlock + 1})
	return len(origins) <= maxBlock, err
}

// commonAuthor reports whether any of the authors is in both lists, whatever of the given names was written down; a
// list that is missing disagrees with nothing.
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
		return slices.ContainsFunc(names, func(o name) bool { return n.compare(o) >= similar })
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

// replaces reports whether x was published in the place of r, by the word of r, or of x where that counts as much.
func replaces(x, r *evidence.Record) bool {
	of := func(rec *evidence.Record, relation evidence.Relation, ids []evidence.Identifier) bool {
		return slices.ContainsFunc(rec.Links, func(l evidence.Link) bool {
			return l.Relation == relation && (l.Target.IsZero() || slices.Contains(ids, l.Target))
		})
	}
	return of(r, evidence.RetractedForNew, x.Identifiers) && !of(x, evidence.RetractedForNew, r.Identifiers) ||
		of(x, evidence.ReplacesRetracted, r.Identifiers) && voiceOf(x, "") <= voiceOf(r, "")
}

// copying finds what retracted works a record may be a copy of.
type copying struct {
	claims  Claims
	rec     *evidence.Record
	profile *profile
	carried []evidence.Identifier // what its source records carry, also what was taken off it
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

// CopyOfRetracted is the retraction status of a record, made known by RetractionByOthers, with what follows from other
// records of its work being retracted. Where the one who says so is trusted no less than those who speak for the record
// it is a copy of a retracted paper; else that is a dispute.
func CopyOfRetracted(c Claims, rec *evidence.Record) (evidence.Retraction, error) {
	status := rec.Retraction
	if status.Status == evidence.Yes || !isPaper(newClass(rec)) {
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

	own := voiceOf(rec, "")
	for _, r := range originals {
		said := voiceOfRetraction(&r)
		if said.tier() <= own.tier() && (newClass(&r) != preprint || k.profile.class == preprint) {
			return evidence.Retraction{Status: evidence.Yes, Source: r.Retraction.Source, Checked: r.Retraction.Checked,
				Notice: r.Retraction.Notice, CopyOf: r.ID}, nil
		}

		if status.Disputed == (evidence.Dispute{}) {
			status.Disputed = evidence.Dispute{By: copyIn[said], Source: r.Retraction.Source, ID: r.ID,
				Date: r.Retraction.Checked}
		}
	}
	return status, nil
}

// copyIn says where a retracted copy stands whose retraction does not count.
var copyIn = [voices]string{
	voicePubMed: "a retracted copy", voiceMED: "a retracted copy", voiceService: "a retracted copy",
	voicePreprint: "a withdrawn preprint", voiceFile: "a retracted copy in an imported file",
	voiceStranger: "a retracted copy",
}

// originals lists the retracted records of the same work, those first whose retraction is the best known.
func (k *copying) originals() ([]evidence.Record, error) {
	ids, err := k.retracted()
	if err != nil {
		return nil, err
	}

	var out []evidence.Record
	for _, id := range ids {
		other, err := listed(k.claims, id)
		if err != nil {
			return nil, err
		}

		if other.ID == k.rec.ID || !other.Retracted() || other.Retraction.CopyOf != "" || !isPaper(newClass(&other)) {
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
		return cmp.Or(cmp.Compare(voiceOfRetraction(&a), voiceOfRetraction(&b)), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// retracted lists the records that may be retracted ones of the same work: those under the record's title and text
// among the retracted ones, those that hold what it carries, and those that links lead to.
func (k *copying) retracted() ([]string, error) {
	var ids []string

	add := func(more []string, err error) error {
		ids = append(ids, more...)
		return err
	}
	for _, key := range workKeys(k.profile) {
		if err := add(k.claims.LinkingTo(retractedUnder(key))); err != nil {
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

// sameWork reports whether the record is of the work of r, which is retracted.
func (k *copying) sameWork(r *evidence.Record) (bool, error) {
	if replaces(k.rec, r) {
		return false, nil
	}
	p := newProfile(r)

	how := copiesTitle(k.profile, p)
	if k.titledAs(p, how) || k.profile.class == preprint && preprintOf(k.rec, r) {
		return true, nil
	}

	for _, id := range k.carried {
		if !slices.Contains(r.Identifiers, id) {
			continue
		}

		if how != otherwise || k.profile.class == preprint || p.class == preprint {
			return true, nil
		}

		alone, err := k.namesOneWork(id, r)
		if alone || err != nil {
			return alone, err
		}
	}
	return k.sharesText(r)
}

// titledAs reports whether the record is of a retracted work by its title. One that only may be the work's counts where
// all else agrees. A work under other people's names is known by its text; where there is none to compare, and no
// identifier that could be another paper's, by a long title.
func (k *copying) titledAs(p *profile, how resemblance) bool {
	switch {
	case how == otherwise:
		return false
	case sameText(k.rec, p.rec):
		return true
	case how != titledAlike:
		return p.first().compare(k.profile.first()) == same && p.year == k.profile.year &&
			p.venue.journal(k.profile.venue) != contradicts
	}
	return commonAuthor(k.rec, p.rec) ||
		len(k.carried) == 0 && len(k.rec.Abstract) == 0 && k.profile.title.runes >= prefixLength
}

// namesOneWork reports whether an identifier that the record has in common with r names one work, whatever the titles:
// a DOI that both hold is a whole supplement's or a book's where they have no author in common, or where a third has
// it.
func (k *copying) namesOneWork(id evidence.Identifier, r *evidence.Record) (bool, error) {
	if id.Kind != evidence.DOI {
		return true, nil
	}

	held := slices.Contains(k.rec.Identifiers, id)
	if held && (!commonAuthor(k.rec, r) || k.profile.venue.place(newProfile(r).venue) == contradicts) {
		return false, nil
	}
	records, err := recordsCarrying(k.claims, id)
	return len(records) == 2, err
}

// recordsCarrying lists the merged records that have a source record which carries id; none where it is a crowd's.
func recordsCarrying(c Claims, id evidence.Identifier) ([]string, error) {
	origins, err := c.ByIdentifier(id, evidence.Span{Limit: maxBlock + 1})
	if err != nil || len(origins) > maxBlock {
		return nil, err
	}
	return recordsOf(c, origins)
}

// recordsOf lists the merged records that source records are in, each once, in order.
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

// MayCopy lists the merged records that may be copies of what rec says is retracted, by RetractedTitles and by what rec
// carries: whom to look at again when rec comes, changes or goes. It is empty where rec says it of nothing.
func MayCopy(c Claims, rec *evidence.Record) ([]string, error) {
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
		if strings.HasPrefix(key, textPrefix) { // of a form's many, none is a copy
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

	for _, id := range naming(rec, newClass(rec)) {
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

// voiceOf is who speaks for a merged record, the best of its origins; only of those of one source where that is named.
func voiceOf(rec *evidence.Record, source string) voice {
	best := voiceFile
	for _, o := range rec.Origins {
		if source != "" && o.Source != source {
			continue
		}

		origin := evidence.Record{Origins: []evidence.Origin{o}, Identifiers: rec.Identifiers}
		switch own := ownIdentifier(&origin); {
		case fromFile(&origin):
		case own.Kind == evidence.PMID:
			best = voicePubMed
		case own.Kind == evidence.PPR:
			best = min(best, voicePreprint)
		default:
			best = min(best, voiceService)
		}
	}
	return best
}

// voiceOfRetraction is who says that a record is retracted: an origin of its own, or a notice, whose word counted.
func voiceOfRetraction(rec *evidence.Record) voice {
	said := rec.Retraction.Source
	switch {
	case slices.ContainsFunc(rec.Origins, func(o evidence.Origin) bool { return o.Source == said }):
		return voiceOf(rec, said)
	case said == evidence.SourcePubMed:
		return voicePubMed
	case slices.Contains(authorities, said):
		return voiceService
	}
	return voiceFile
}
