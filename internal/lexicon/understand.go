package lexicon

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/text"
)

// maxQuestion bounds, in bytes, what is read of a question; topics have fewer.
const maxQuestion = 8192

// Understand reads what a question asks (docs/METHOD.md, "What a question asks"). It never fails: what it does not
// understand stands in Words and Warnings.
func (l *Lexicon) Understand(question string) Question {
	q := Question{}
	if len(strings.ToValidUTF8(question, " ")) > maxQuestion {
		q.Warnings = append(q.Warnings, fmt.Sprintf("Only the first %d bytes of the question were read.", maxQuestion))
	}
	l.read(&q, question, true)
	q.warn()
	return q
}

// read fills q's slots from a text. Only what a person typed is corrected: a title is as its authors wrote it.
func (l *Lexicon) read(q *Question, words string, typed bool) {
	q.Text = text.Head(text.Visible(strings.ToValidUTF8(words, " ")), maxQuestion)
	r := &reader{lexicon: l, text: q.Text, tokens: tokenize(q.Text)}
	r.shouting, r.small, r.german = r.isShouting(), q.Text == strings.ToLower(q.Text), r.isGerman()
	if r.typed = typed; typed {
		r.spellOut()
		r.correct()
	}
	r.read(q)
	l.organs(q)
	l.shorten(q)
	l.group(q)
	if typed {
		r.regimens().number(q)
		q.relateTreatments()
		q.readRoles()
	}
}

// read takes the text apart, and sorts the parts into q's slots.
func (r *reader) read(q *Question) {
	r.scan()
	r.turn()
	r.disambiguate()
	r.numerals()
	r.compose()
	r.fuse()
	r.levels()
	r.bounds()
	r.target()
	r.absences()
	r.attach()
	r.nameDrugs()
	if r.typed {
		r.doses()
	}
	r.circumstances()
	r.alternatives()
	r.scopes()
	r.excludeFurther()
	r.statuses()
	r.origins()
	r.collect(q)
}

// correct reads a word that nothing knows, and that is one slip away from one that the dictionary knows, as that one. A
// symbol, a code or a variant is never corrected, nor what looks like a drug: they differ by one letter from others.
// Nor is a word that is spelled right: photons are no protons, and a depletion is no deletion. Hardly anybody slips at
// the first letter, which may be a prefix that turns the word round: redifferentiation is no dedifferentiation.
func (r *reader) correct() {
	for i := range r.tokens {
		t := &r.tokens[i]
		isDeclined := slices.ContainsFunc(r.declensions(t.key), r.lexicon.isKnown) || inflectedWord(t.key) != t.key &&
			r.lexicon.isKnown(inflectedWord(t.key))
		if !isCorrectable(t.raw) || isDeclined || r.shouting || r.lexicon.isDrugName(t.key) || r.lexicon.isKnown(t.key) ||
			isEnglishWord(t.key) {
			continue
		}
		if word := r.lexicon.cognate(t.raw); word != "" && word != t.key && !r.lexicon.isFiller(word) {
			r.fix(t, word)
			continue
		}
		near := slices.DeleteFunc(r.lexicon.slips(t.key), func(word string) bool { return word[0] != t.key[0] })
		if len(near) == 1 && r.lexicon.wordList(near[0]) == 0 { // a word that says nothing is not worth a guess
			r.fix(t, near[0])
		}
	}
}

// fix reads a word as another, and tells so.
func (r *reader) fix(t *token, as string) {
	r.fixed = append(r.fixed, Correction{Part: Part{Text: t.raw, Start: t.start, End: t.end}, To: as})
	t.key = as
}

// isKnown says that a word stands in a name or a list of the dictionary, in its singular or its plural.
func (l *Lexicon) isKnown(word string) bool {
	return l.hasWord(word) || l.isEnglish(word) || l.first(word) != noClaim ||
		slices.ContainsFunc(singulars(word), l.hasWord)
}

// isCorrectable says that a word is made of letters, and not of capitals as symbols are.
func isCorrectable(raw string) bool {
	return utf8.RuneCountInString(raw) >= shortestCorrected && raw[1:] == strings.ToLower(raw[1:]) &&
		!strings.ContainsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) || isHan(r) })
}

// circumstances makes settings of the spans that are one, and conditions of theirs.
func (r *reader) circumstances() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone {
			continue
		}
		part := Part{Text: r.text[s.start:s.end], Start: s.start, End: s.end}
		switch {
		case s.is(KindCondition):
			status := r.finding(i)
			s.concepts = []Concept{{Part: r.part(s), Name: s.entry.Name, Entry: s.entry, Status: status}}
		case s.is(KindSetting) && !s.isOrigin():
			value, entry := r.boundSetting(s)
			status := s.status()
			if isFoundOrNot(s.entry) {
				status = r.finding(i)
			}
			s.sets = []Circumstance{{Part: r.part(s), Aspect: s.entry.Aspect, Value: value, Entry: entry, Status: status}}
		case s.form == setForm:
			aspect, value, _ := strings.Cut(s.value, ": ")
			s.sets = []Circumstance{{Part: part, Aspect: aspect, Value: bounded(aspect, value, s.bound), Status: Present}}
		case s.is(KindQualifier) && senses()[r.tokens[s.first].raw] != nil: // what it means was told by what is beside it
		case s.is(KindQualifier) && len(s.concepts) == 0, s.is(KindChange):
			// a change that no marker took may be another word: "ältere" is written like "altéré"
			if other := r.as(s, KindSetting); other != nil {
				s.sets = []Circumstance{{Part: part, Aspect: other.Aspect, Value: other.Name, Entry: other, Status: Present}}
			}
		}
	}
}

// isFoundOrNot says that a setting is something that is found or not, so that a plus behind it is no bound: LVI+,
// EMVI-.
func isFoundOrNot(e *Entry) bool {
	return e.Aspect == "stage" && (strings.HasSuffix(e.Name, " invasion") || strings.HasSuffix(e.Name, " extension"))
}

// finding is what the word or sign right behind a condition, or behind a setting that is found or not, says of it,
// which it takes in: "HIV-negative", "HIV-", "LVI+".
func (r *reader) finding(i int) Status {
	s := &r.spans[i]
	if s.lacking || i+1 == len(r.spans) || r.spans[i+1].gone || !r.spans[i+1].is(KindChange) ||
		r.spans[i+1].start-s.end > 1 {
		return s.status()
	}
	switch change := &r.spans[i+1]; change.entry.Name {
	case "negative":
		r.take(i, change.end)
		return Absent
	case "positive":
		r.take(i, change.end)
	}
	return Present
}

// status is that of a setting or a condition of which only a word of absence behind it may tell.
func (s *span) status() Status {
	if s.lacking {
		return Absent
	}
	return Present
}

// isOrigin says that s tells where an alteration comes from.
func (s *span) isOrigin() bool {
	return s.is(KindSetting) && s.entry.Aspect == aspectAlteration && (s.entry.Name == "germline" ||
		s.entry.Name == "somatic")
}

// origins gives "germline" and "somatic" to the nearest alteration: the one that follows, else the one before; and to
// its alternatives further on in that direction.
func (r *reader) origins() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !s.isOrigin() {
			continue
		}
		at, step := r.nearestAlteration(i, 1), 1
		if at < 0 {
			at, step = r.nearestAlteration(i, -1), -1
		}
		if at < 0 {
			s.sets = []Circumstance{{Part: r.part(s), Aspect: aspectAlteration, Value: s.entry.Name, Entry: s.entry,
				Status: Present}}
			continue
		}
		for group := numberOf(&r.spans[at]); at >= 0; at = r.nearestAlteration(at, step) {
			if of := &r.spans[at]; numberOf(of) == group {
				setOrigin(of, s.entry.Name)
			}
			if group == 0 {
				break
			}
		}
		s.gone, s.covered = true, governing
	}
}

func setOrigin(s *span, origin string) {
	for k := range s.alts {
		s.alts[k].Origin = origin
	}
}

func (r *reader) nearestAlteration(i, step int) int {
	for j := i + step; j >= 0 && j < len(r.spans); j += step {
		if len(r.spans[j].alts) > 0 && !r.spans[j].gone {
			return j
		}
	}
	return -1
}

// collect sorts the spans into the question's slots. Of what is said twice the first stays.
func (r *reader) collect(q *Question) {
	q.Corrected = r.fixed
	for _, u := range r.unclear {
		q.Warnings = append(q.Warnings, u.warning())
	}
	for i := range r.spans {
		s := &r.spans[i]
		switch {
		case s.gone && s.covered != "":
			q.drop(r.part(s), s.covered)
		case s.gone:
		case s.content() != nothing:
			r.fill(q, s)
		default:
			r.leave(q, s)
		}
	}
	slices.SortStableFunc(q.Dropped, func(a, b Dropped) int { return a.Start - b.Start })
}

func (r *reader) part(s *span) Part {
	return Part{Text: r.text[s.start:s.end], Start: s.start, End: s.end}
}

func (q *Question) drop(part Part, why string) {
	q.Dropped = append(q.Dropped, Dropped{Part: part, Why: why})
}

func (r *reader) fill(q *Question, s *span) {
	for _, c := range s.concepts {
		if c.isCondition() {
			q.Conditions = append(q.Conditions, c)
		} else {
			q.Tumours = append(q.Tumours, c)
		}
	}
	q.Alterations = append(q.Alterations, s.alts...)
	for _, b := range s.marks {
		if len(b.Entry.Implies) > 0 && !r.nested {
			r.imply(q, b)
			continue
		}
		q.Biomarkers = append(q.Biomarkers, b)
	}
	q.Drugs = append(q.Drugs, s.drugs...)
	q.Setting = append(q.Setting, s.sets...)
}

// imply reads a short form as what it stands for: pMMR as MMR-proficient.
func (r *reader) imply(q *Question, b Biomarker) {
	for _, text := range b.Entry.Implies {
		implied := r.lexicon.implied(text)
		for _, m := range implied.Biomarkers {
			m.Part, m.Either = b.Part, b.Either
			if b.Status != Present {
				m.Status = b.Status
			}
			q.Biomarkers = append(q.Biomarkers, m)
		}
		for _, a := range implied.Alterations {
			a.Part, a.Either = b.Part, b.Either
			switch b.Status {
			case Absent:
				a.Status = denied(a.Status)
			case Open:
				a.Status = Open
			case Present, WildType, NotWildType:
			}
			q.Alterations = append(q.Alterations, a)
		}
	}
}

// implied reads what a name stands for. A name in it stands for itself, so that no two can stand for each other for
// ever.
func (l *Lexicon) implied(text string) Question {
	var q Question
	r := &reader{lexicon: l, text: text, tokens: tokenize(text), nested: true}
	r.read(&q)
	return q
}

// saidAlready begins the reason of what another part of the question says.
const saidAlready = "said already by "

// leave lists what fills no slot: fillers are dropped, all else stands among the words.
func (r *reader) leave(q *Question, s *span) {
	part := r.part(s)
	switch {
	case r.isPrefix(s), r.isLettered(s), r.isShort(s), s.plain:
		q.Words = append(q.Words, Word{Part: part, Key: r.keyOf(s), Language: scriptOf(part.Text)})
	case r.isListed(s, wordsFillers),
		s.is(KindChange) && r.lexicon.wordList(s.key).name() == wordsFillers, // "del" before a noun
		s.entry == nil && s.past == s.first+1 && (bridgeWords(r.tokens[s.first].key) || joiningWords(s.key)):
		q.drop(part, "a word that says nothing of what is asked")
	case r.joins(s):
		q.drop(part, "a word that joins others")
	case len(q.Words) > 0 && q.Words[len(q.Words)-1].Language == chinese &&
		q.Words[len(q.Words)-1].End == s.start && scriptOf(r.text[s.start:s.end]) == chinese:
		last := &q.Words[len(q.Words)-1]
		last.End = s.end
		last.Text = r.text[last.Start:last.End]
		last.Key += r.keyOf(s)
	default:
		word := Word{Part: part, Key: r.signBefore(s) + r.keyOf(s)}
		if s.list == 0 { // what stands in a list is read, whatever it governs
			word.Language = scriptOf(part.Text)
		}
		q.Words = append(q.Words, word)
	}
}

// isShort says that what looks like a function word of another language is a short form, since it is written in
// capitals: ESA, IM, AO.
func (r *reader) isShort(s *span) bool {
	raw := r.tokens[s.first].raw
	return s.past == s.first+1 && r.isListed(s, wordsFillers) && !r.shouting && len(raw) > 1 && len(raw) <= longestShort &&
		raw == strings.ToUpper(raw) && text.IsASCII(raw) && !stressed(r.tokens[s.first].key)
}

// stressed are the fillers that people write in capitals to stress them, or as short forms that say nothing.
var stressed = text.Set(`add adds all also am an and any are as ask at be been best both but by can care case data de del
	des did do does drug du each el en et etc even ever find for form from gene get give good had has have he help her
	here him his how if in info into is its just know lead like link list look los made make may me more most
	much must my need new now of on onto our out over plus por pour pts rate role same she show so some such take term
	than that the them they this thus time to too type und une unter upon us use used uses via von want was way ways we
	well were what when who whom why will wish with work y yet you your`)

// isPrefix says that a hyphen joins what looks like a filler to the word behind it, whose meaning it turns round:
// "de-escalated", "out-field", or to the one before it: what is BCR-ABL1-like has no BCR-ABL1.
func (r *reader) isPrefix(s *span) bool {
	rest := r.text[s.end:]
	if r.tokens[s.first].key == "like" && s.start > 0 && r.text[s.start-1] == '-' {
		return true
	}
	return s.entry == nil && s.form == noForm && s.end-s.start <= 3 && len(rest) > 1 && rest[0] == '-' && isLetter(rest[1])
}

// joiningWords are those of a sequence that tell nothing where nothing follows something else.
var joiningWords = text.Set(`then dann danach puis ensuite entonces poi`)

func (r *reader) keyOf(s *span) string {
	if s.start >= r.tokens[s.past-1].end {
		return s.key // a sign behind its token
	}
	if s.is(KindChange) && (s.entry.Name == "positive" || s.entry.Name == "negative") {
		return s.entry.Name // as the sign is: MRD-neg is MRD-
	}
	key := ""
	for _, t := range r.tokens[s.first:s.past] {
		key += t.key
	}
	return key
}

const chinese = "Chinese"

// scriptOf names the language or script of a text that is none of the six that are read; "" for Latin letters, digits
// and signs.
func scriptOf(text string) string {
	for _, r := range text {
		if strings.ContainsRune(otherLetters, unicode.ToLower(r)) {
			return "another language in Latin letters"
		}
		if r < 0x370 || !unicode.IsLetter(r) {
			continue
		}
		for _, s := range scripts {
			if unicode.Is(s.table, r) {
				return s.name
			}
		}
		return "another script"
	}
	return ""
}

// otherLetters are Latin letters that none of the six languages has.
const otherLetters = "ąćęłńśźżőűğışřčěůďťňžšæåøþðđāēīūģķļņ"

var scripts = []struct {
	table *unicode.RangeTable
	name  string
}{
	{unicode.Latin, ""}, {unicode.Han, chinese}, {unicode.Hiragana, "Japanese"}, {unicode.Katakana, "Japanese"},
	{unicode.Hangul, "Korean"}, {unicode.Cyrillic, "Cyrillic script"},
	{unicode.Arabic, "Arabic script"}, {unicode.Hebrew, "Hebrew"}, {unicode.Greek, "Greek"}, {unicode.Thai, "Thai"},
	{unicode.Devanagari, "Devanagari script"},
}

// organs decides what an organ alone means: beside an alteration, a biomarker, a treatment, a tumour's extent or a
// hereditary syndrome its tumours, where no other tumour is named; else it stays a word.
func (l *Lexicon) organs(q *Question) {
	bare := func(c Concept) bool {
		return c.Type == "" && c.Entry != nil && c.Entry.Kind == KindTumour || c.Type == "" && c.Entry == nil
	}
	named := slices.ContainsFunc(q.Tumours, func(c Concept) bool { return !bare(c) && !l.isBroad(&c) })
	oncologic := len(q.Alterations)+len(q.Biomarkers)+len(q.Drugs) > 0 ||
		slices.ContainsFunc(q.Setting, isExtent) || slices.ContainsFunc(q.Conditions, func(c Concept) bool {
		return l.within(KindCondition, c.Name, "hereditary cancer syndrome")
	})
	var tumours []Concept
	for _, c := range q.Tumours {
		switch {
		case !bare(c):
			tumours = append(tumours, c)
		case oncologic && !named && !q.isBefore(c.End):
			c.Type = anyTumour
			tumours = append(tumours, c)
		default:
			q.Words = append(q.Words, Word{Part: c.Part, Key: fold(c.Text)})
			if len(q.Tumours) == 1 {
				q.Warnings = append(q.Warnings, fmt.Sprintf(
					"%q is an organ, and the question does not say which disease of it is meant.", c.Text))
			}
		}
	}
	q.Tumours = tumours
	slices.SortStableFunc(q.Words, func(a, b Word) int { return a.Start - b.Start })
}

// isExtent says that a setting is a stage, a part of the TNM classification, a dose of radiotherapy or a Gleason score.
func isExtent(c Circumstance) bool {
	switch c.Aspect {
	case "stage":
		return strings.HasPrefix(c.Value, "stage ") || strings.HasPrefix(c.Value, "grade group ") ||
			forms("classification").MatchString(c.Value)
	case aspectMeasure:
		return strings.HasSuffix(c.Value, " gy")
	case "performance":
		return strings.HasPrefix(c.Value, "GLEASON") || strings.HasPrefix(c.Value, "ISUP")
	}
	return false
}

// isBefore says that an unknown word stands right behind a place: "hepatic xyz" is no liver cancer. What is written in
// capitals among others is the name of a trial or a scale.
func (q *Question) isBefore(end int) bool {
	return slices.ContainsFunc(q.Words, func(w Word) bool {
		return w.Start > end && w.Start-end == 1 && q.Text[end] == ' ' && (hasLower(w.Text) || !hasLower(q.Text))
	})
}

func (l *Lexicon) isBroad(c *Concept) bool { return c.Entry != nil && c.Entry.Broad && c.Site == "" }

// shorten leaves out what another part of the question says too: a broader tumour beside a narrower one, what a
// tumour's name implies, and what is said twice.
func (l *Lexicon) shorten(q *Question) {
	l.joinSetting(q)
	q.Tumours = l.narrowestOf(q, q.Tumours)
	q.Conditions = l.narrowestOf(q, q.Conditions)
	l.absorb(q)
	q.Alterations = distinct(q, q.Alterations, func(a Alteration) (string, Part) { return a.canonical(), a.Part })
	q.Alterations = withoutBareGenes(q)
	q.Biomarkers = distinct(q, q.Biomarkers, func(b Biomarker) (string, Part) { return b.canonical(), b.Part })
	q.withoutPromoter()
	l.relate(q)
	q.Drugs = distinct(q, q.Drugs, func(d Drug) (string, Part) { return d.canonical(), d.Part })
	q.Setting = distinct(q, q.Setting, func(c Circumstance) (string, Part) { return c.canonical(), c.Part })
	slices.SortStableFunc(q.Dropped, func(a, b Dropped) int { return a.Start - b.Start })
}

// joinSetting makes one tumour of the only one that is named and a setting which makes another disease of it, of the
// same organ, wherever the setting stands: "prostate cancer, enzalutamide, castration-resistant".
func (l *Lexicon) joinSetting(q *Question) {
	if len(q.Tumours) != 1 || q.Tumours[0].Status != Present {
		return
	}
	c := &q.Tumours[0]
	for i, s := range q.Setting {
		e, ok := l.Lookup(KindTumour, s.Value+" "+c.Name)
		isSameOrgan := ok && c.Site != "" && e.Site == c.Site && e.Type == c.Type
		if isSameOrgan && s.Status == Present && e.Name == s.Value+" "+c.Name {
			c.Name, c.Entry, c.Site, c.Type, c.Qualifiers = e.Name, e, e.Site, e.Type, e.Qualifiers
			q.drop(s.Part, saidAlready+e.Name)
			q.Setting = slices.Delete(q.Setting, i, i+1)
			return
		}
	}
}

// withoutPromoter drops the promoter beside a methylation, which is always one's: "MGMT promoter methylation".
func (q *Question) withoutPromoter() {
	of := slices.IndexFunc(q.Alterations, func(a Alteration) bool { return a.Kind == Methylation })
	if of < 0 {
		return
	}
	q.Setting = slices.DeleteFunc(q.Setting, func(c Circumstance) bool {
		if c.Value != "promoter" || fold(c.Text) != "promoter" {
			return false
		}
		q.drop(c.Part, saidAlready+q.Alterations[of].Text)
		return true
	})
}

func (l *Lexicon) narrowestOf(q *Question, all []Concept) []Concept {
	var out []Concept
	for i, c := range all {
		by := slices.IndexFunc(all, func(o Concept) bool {
			return o.Status == c.Status && (o.Name != c.Name && l.Holds(&c, &o) || o.Name == c.Name && o.Start < c.Start)
		})
		if by >= 0 && by != i {
			q.drop(c.Part, saidAlready+all[by].Text)
			continue
		}
		out = append(out, c)
	}
	return out
}

// distinct keeps the first of what is the same, and lists the others as dropped.
func distinct[T any](q *Question, all []T, of func(T) (string, Part)) []T {
	var out []T
	seen := map[string]Part{}
	for _, item := range all {
		key, part := of(item)
		if first, ok := seen[key]; ok {
			if first != part {
				q.drop(part, saidAlready+first.Text)
			}
			continue
		}
		seen[key] = part
		out = append(out, item)
	}
	return out
}

// withoutBareGenes drops a gene alone beside what has become of it: "EGFR" beside "EGFR T790M".
func withoutBareGenes(q *Question) []Alteration {
	var out []Alteration
	for _, a := range q.Alterations {
		by := slices.IndexFunc(q.Alterations, func(o Alteration) bool {
			return o.Gene == a.Gene && o.Status == a.Status && (o.Kind != AnyAlteration && a.Kind == AnyAlteration &&
				a.Status == Present ||
				a.Kind == Mutation && (o.Kind == NamedChange || o.Kind == ExonChange) && a.Gene != "")
		})
		if by >= 0 {
			q.drop(a.Part, saidAlready+q.Alterations[by].Text)
			continue
		}
		out = append(out, a)
	}
	return out
}

// absorb joins a tumour and what its name implies: "TNBC" says ER-, PR- and HER2-, and these three beside "breast
// cancer" say TNBC.
func (l *Lexicon) absorb(q *Question) {
	for i := range q.Tumours {
		c := &q.Tumours[i]
		if e := l.impliedBy(q, c); e != nil {
			f := facetsOf(e)
			c.Name, c.Entry, c.Site, c.Type, c.Qualifiers = e.Name, e, f.site, f.kind, f.qualifiers
		}
		if c.Entry == nil || len(c.Entry.Implies) == 0 {
			continue
		}
		implied := l.impliedFacts(c.Entry)
		keep := func(canonical string, part Part) bool {
			if !slices.Contains(implied, canonical) {
				return true
			}
			q.drop(part, saidAlready+c.Entry.Name)
			return false
		}
		q.Alterations = slices.DeleteFunc(q.Alterations, func(a Alteration) bool { return !keep(a.canonical(), a.Part) })
		q.Biomarkers = slices.DeleteFunc(q.Biomarkers, func(b Biomarker) bool { return !keep(b.canonical(), b.Part) })
	}
}

// impliedBy finds the narrower tumour whose name says all that the question says of c; nil where there is none.
func (l *Lexicon) impliedBy(q *Question, c *Concept) *Entry {
	if len(q.Alterations)+len(q.Biomarkers) == 0 {
		return nil
	}
	for _, e := range l.grown().implying {
		if e.Site != c.Site || e.Type != c.Type || len(c.Qualifiers) > 0 {
			continue
		}
		said := func(canonical string) bool {
			return slices.ContainsFunc(q.Alterations, func(a Alteration) bool {
				return a.canonical() == canonical && a.Either == 0
			}) ||
				slices.ContainsFunc(q.Biomarkers, func(b Biomarker) bool { return b.canonical() == canonical && b.Either == 0 })
		}
		if !slices.ContainsFunc(l.impliedFacts(e), func(f string) bool { return !said(f) }) {
			return e
		}
	}
	return nil
}

// impliedFacts are the canonical forms of what a tumour's name implies.
func (l *Lexicon) impliedFacts(e *Entry) []string {
	var out []string
	for _, text := range e.Implies {
		implied := l.implied(text)
		for _, a := range implied.Alterations {
			out = append(out, a.canonical())
		}
		for _, b := range implied.Biomarkers {
			out = append(out, b.canonical())
		}
	}
	return out
}

// warn says what no one reading can be right about.
func (q *Question) warn() {
	for i, a := range q.Alterations {
		for _, b := range q.Alterations[i+1:] {
			if a.Gene != "" && a.Gene == b.Gene && a.Status != b.Status && a.Origin == b.Origin &&
				(a.Kind == b.Kind && a.Change == b.Change || a.Status == WildType || b.Status == WildType) {
				q.Warnings = append(q.Warnings, fmt.Sprintf("The question contradicts itself: %q and %q.", a.Text, b.Text))
			}
		}
	}
	for i, a := range q.Biomarkers {
		for _, b := range q.Biomarkers[i+1:] {
			if a.Name == b.Name && a.Level == b.Level && a.Status != b.Status {
				q.Warnings = append(q.Warnings, fmt.Sprintf("The question contradicts itself: %q and %q.", a.Text, b.Text))
			}
		}
	}
	if foreign := q.Unread(); len(foreign) > 0 {
		q.Warnings = append(q.Warnings, fmt.Sprintf("A part of the question is in a language that nothing here reads: %s.",
			strings.Join(foreign, ", ")))
	}
}

// Unread lists the words that belong to a language or script that nothing here reads, with its name.
func (q *Question) Unread() []string {
	var out []string
	for _, w := range q.Words {
		if w.Language != "" {
			out = append(out, fmt.Sprintf("%q (%s)", w.Text, w.Language))
		}
	}
	return out
}

// Empty says that nothing of the question fills a slot that can be searched for.
func (q *Question) Empty() bool {
	return len(q.Tumours)+len(q.Conditions)+len(q.Alterations)+len(q.Biomarkers)+len(q.Drugs) == 0
}
