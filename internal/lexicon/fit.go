package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Matcher compares records with one question (docs/METHOD.md, "Fit"). It does not change, and many goroutines may use
// it.
type Matcher struct {
	lexicon *Lexicon
	asked   *Question
	slots   []askedSlot
}

// askedSlot is one thing that a question asks, with its options. A record must meet every element of one option, but
// not all in one place.
type askedSlot struct {
	slot     evidence.Slot
	name     string
	point    point
	rules    bool   // a title on another one (tumour, variant) rules, whatever the abstract names
	parts    bool   // an opposite finding makes the record indirect
	mentions int    // how many it takes where neither title nor conclusion has it: fewer meet it in part
	general  bool   // so many records name it that one is on it only if its title or three sentences name it
	subject  bool   // if a title names a broader one, mentions in the middle of an abstract do not meet it
	tacit    bool   // not asked in so many words: only its opposite is reported
	counted  bool   // it has to be met, and also counts among the shared points
	asks     bool   // it is what the question asks about its subject, not a description of the patients
	implied  bool   // the tumour's name implies it, so that a record with it shares no more than the tumour
	spare    bool   // it need not be met if the question asks something else
	leftOut  bool   // a title alone may leave it out
	aspect   string // of settings of which any one will do
	part     Part   // its place, for what "or" may join
	options  [][]element
	// apart are options that count only if all their elements are met: a combination by its components.
	apart [][]element
}

// element returns how a part of a record meets one asked value.
type element func(*passage) finding

// point is how much of a slot a record must meet to answer a question directly.
type point uint8

const (
	noPoint    point = iota // it need not be met
	shared                  // half of those that are shared must be met
	mostly                  // and of these more than half
	inPartWill              // in part is enough
	wholly
)

// oneOf returns a slot's options where each is a single value.
func oneOf(elements ...element) [][]element {
	return text.Each(elements, func(e element) []element { return []element{e} })
}

// finding is how a part of a record meets an asked thing, and what the record has for it.
type finding struct {
	met  evidence.Met
	seen string
}

var silent = finding{met: evidence.MetSilent}

// Matcher prepares a question for comparison with many records.
func (l *Lexicon) Matcher(q *Question) *Matcher {
	m := &Matcher{lexicon: l, asked: q}
	m.askTumours()
	m.askConditions()
	m.askMarkers()
	m.askTreatments()
	m.askAnyTreatment()
	m.askSettings()
	m.askOrder()
	m.askWords()
	m.askPoint()
	m.joinAlternatives()
	m.joinAspects()
	return m
}

func (m *Matcher) ask(s askedSlot) { m.slots = append(m.slots, s) }

// Fit returns how a record meets each thing that the question asks, and whether it answers the question.
func (m *Matcher) Fit(r *evidence.Record) evidence.Fit {
	if len(m.slots) == 0 {
		return evidence.Fit{}
	}
	return m.FitOf(m.lexicon.Passages(r))
}

// FitOf is Fit for a record that was read before.
func (m *Matcher) FitOf(parts Passages) evidence.Fit {
	all := make([]evidence.SlotFit, len(m.slots))
	fit := evidence.Fit{}

	for i := range m.slots {
		all[i] = m.slots[i].over(parts)
	}
	m.demote(all, parts)

	for i := range m.slots {
		if !m.slots[i].tacit || all[i].Met == evidence.MetOpposite {
			fit.Slots = append(fit.Slots, all[i])
		}
	}

	fit.Directness = m.directness(all, parts.haveAbstract())
	if parts.haveAbstract() && m.isOnNoTreatment(all) {
		fit.Directness = evidence.Indirect
	}
	return fit
}

// over returns how a record's parts meet an asked thing, by the option that they meet best.
func (s *askedSlot) over(parts []passage) evidence.SlotFit {
	out := evidence.SlotFit{Slot: s.slot, Asked: s.name, Met: evidence.MetSilent}
	for _, option := range s.options {
		if fit := s.together(option, parts); rank(fit.Met) < rank(out.Met) {
			out = fit
		}
	}

	for _, option := range s.apart {
		if fit := s.together(option, parts); fit.Met == evidence.MetWhole && out.Met != evidence.MetWhole {
			out = fit
		}
	}
	return out
}

// together returns how a record's parts meet all elements of an option: in part, if only some are met. A record that
// names all of several does not name them in passing.
func (s *askedSlot) together(option []element, parts []passage) evidence.SlotFit {
	out := evidence.SlotFit{Slot: s.slot, Asked: s.name}
	all := text.Each(option, func(e element) sighting { return s.best(e, parts) })

	isNamed := func(g sighting) bool { return g.met == evidence.MetWhole || g.passing }
	if len(all) > 1 && !slices.ContainsFunc(all, func(g sighting) bool { return !isNamed(g) }) {
		for i := range all {
			all[i].met = evidence.MetWhole
		}
	}

	for i, g := range all {
		switch {
		case i == 0:
			out.Met, out.Seen, out.Where = g.met, g.seen, g.where
			continue
		case out.Met != g.met:
			out.Met = evidence.MetInPart
		}

		if !slices.Contains(strings.Split(out.Seen, ", "), g.seen) {
			out.Seen = text.Join(", ", out.Seen, g.seen)
		}

		if out.Where == "" || g.where != "" && placeRank(g.where) > placeRank(out.Where) {
			out.Where = g.where // the least telling place in which it stands whole
		}
	}
	return out
}

// sighting is the best finding of a record for one value, and its place. passing: it is named only in passing.
type sighting struct {
	finding
	where   evidence.Place
	passing bool
}

// best returns the best finding of a record's parts, the most telling first, for one value. A title on another value
// overrides the parts behind it if the slot's rules is set.
func (s *askedSlot) best(e element, parts []passage) sighting {
	out, mentions, isBroader := sighting{finding: silent}, 0, false
	for i := range parts {
		g := sighting{finding: e(&parts[i]), where: parts[i].place}
		isTelling := parts[i].isTelling() && (!s.general || parts[i].place == evidence.InTitle) ||
			s.slot == evidence.SlotSetting && parts[i].place == evidence.InHeadings

		isBroader = isBroader || g.where == evidence.InTitle && g.met == evidence.MetInPart
		if g.met == evidence.MetWhole || g.met == evidence.MetInPart && isTelling {
			mentions += 1 + count(parts[i].isMajor)
		}

		if g.met == evidence.MetWhole && !isTelling && (mentions < s.mentions ||
			s.subject && isBroader && g.where == evidence.InAbstract) {
			g.met, g.passing = evidence.MetInPart, true
		}

		if rank(g.met) < rank(out.met) || g.passing && !out.passing && g.met == out.met {
			out = g
		}

		if out.met == evidence.MetWhole || s.rules && g.where == evidence.InTitle && g.met == evidence.MetOpposite {
			break
		}
	}
	return out
}

// mentionsToMeet is how often a record must name a value that is not in its title or conclusion. A title or conclusion
// that meets it in part (its class, another role) counts once, a heading marked as a main topic twice.
const mentionsToMeet = 3

// wordsToMeet is mentionsToMeet for a word, which texts seldom repeat in the same form.
const wordsToMeet = 2

func placeRank(p evidence.Place) int {
	order := []evidence.Place{evidence.InTitle, evidence.InConclusion, evidence.InAbstract, evidence.InHeadings}
	return slices.Index(order, p)
}

func rank(m evidence.Met) int {
	return slices.Index([]evidence.Met{evidence.MetWhole, evidence.MetInPart, evidence.MetOpposite, evidence.MetSilent}, m)
}

// directness depends on the slots alone. A record that meets every point of the question is direct; one on another
// tumour, another alteration or the opposite status is indirect, and so is one that shares only the tumour with the
// question, or lacks the tumour and does not meet all else whole.
func (m *Matcher) directness(slots []evidence.SlotFit, haveAbstract bool) evidence.Directness {
	t := tally{tumour: evidence.MetWhole, of: map[point]int{}, met: map[point]int{}}
	for i, s := range slots {
		if s.Met == evidence.MetSilent && m.slots[i].leftOut && !haveAbstract {
			continue
		}

		if s.Met == evidence.MetOpposite && m.slots[i].parts {
			return evidence.Indirect
		}
		t.add(&m.slots[i], s)
	}

	switch {
	case !t.missed && 2*t.met[shared] >= t.of[shared] && (t.of[mostly] == 0 || 2*t.met[mostly] > t.of[mostly]):
		return evidence.Direct
	case t.asked == 0 && t.tumour == evidence.MetSilent, t.asked > 0 && t.some == 0,
		t.tumour == evidence.MetSilent && t.whole < t.asked:
		return evidence.Indirect
	}
	return evidence.Partly
}

// isOnNoTreatment reports whether a record names no treatment of the question, and its title and conclusion lack one of
// the question's markers at least. All that is left then is the tumour, and a gene or a setting of many papers.
func (m *Matcher) isOnNoTreatment(slots []evidence.SlotFit) bool {
	isSilent, markers, stated := false, 0, 0
	for i, s := range slots {
		switch {
		case m.slots[i].point == noPoint:
		case s.Slot == evidence.SlotTreatment && m.slots[i].point == wholly:
			isSilent = s.Met == evidence.MetSilent
		case s.Slot == evidence.SlotAlteration || s.Slot == evidence.SlotBiomarker:
			markers++
			stated += count(s.Met == evidence.MetWhole && (s.Where == evidence.InTitle || s.Where == evidence.InConclusion))
		}
	}
	return isSilent && (markers == 0 || stated < markers)
}

// tally counts the points of a question that a record meets.
type tally struct {
	missed             bool         // a point that has to be met is not, or a slot is opposite
	tumour             evidence.Met // whole where the question names none
	asked, some, whole int          // points beside the tumour; those met at least in part, and whole
	of, met            map[point]int
}

func (t *tally) add(asked *askedSlot, s evidence.SlotFit) {
	whole := s.Met == evidence.MetWhole
	isMet := asked.point < inPartWill || whole || asked.point == inPartWill && s.Met == evidence.MetInPart

	t.missed = t.missed || s.Met == evidence.MetOpposite || !isMet
	switch {
	case asked.point == noPoint, asked.implied:
	case s.Slot == evidence.SlotTumour:
		t.tumour = s.Met
	default:
		t.asked++
		t.some += count(whole || s.Met == evidence.MetInPart)
		t.whole += count(whole)
	}

	as := asked.point
	if asked.counted {
		as = shared
	}
	t.of[as]++
	t.met[as] += count(whole)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// askTumours asks for any of the question's tumours. A title that names another makes the record one on that, and so do
// headings if the title names none.
func (m *Matcher) askTumours() {
	asked := slices.DeleteFunc(slices.Clone(m.asked.Tumours), func(c Concept) bool { return c.Status != Present })
	if len(m.asked.Tumours) == 0 && slices.ContainsFunc(m.asked.Setting, func(c Circumstance) bool {
		return slices.Contains(text.Tokens(c.Text), anyTumour)
	}) {
		asked = m.lexicon.Read(anyTumour).Tumours // "obesity and cancer risk"
	}

	if len(asked) == 0 {
		return
	}
	isAny := slices.ContainsFunc(asked, func(c Concept) bool { return m.lexicon.isOfAnyOrgan(&c) })
	m.ask(askedSlot{slot: evidence.SlotTumour, name: orList(text.Each(asked, Concept.canonical)), point: wholly,
		rules: true, parts: true, mentions: mentionsToMeet, subject: true, general: isAny,
		options: oneOf(func(p *passage) finding {
			found := m.lexicon.concepts(asked, m.lexicon.tumoursOf(p), p.place)
			if found == silent && isAny && (p.words()[stemOf(anyTumour)] || p.words()[stemOf("oncology")]) {
				return finding{evidence.MetWhole, anyTumour} // "cancer survivors", "urologic oncology"
			}
			return found
		})})

	if isAny {
		m.askAgeOf(asked)
	}
}

// tumoursOf returns the tumours that a passage names, also as the hereditary condition: "hereditary breast cancer".
func (l *Lexicon) tumoursOf(p *passage) []Concept {
	out := p.read.Tumours
	for _, c := range p.read.Conditions {
		if name, is := strings.CutPrefix(c.Name, "hereditary "); is && c.Status == Present {
			out = slices.Concat(out, l.implied(name).Tumours)
		}
	}
	return out
}

// askAgeOf asks for the age in the name of tumours of any organ: childhood cancer is any cancer of children.
func (m *Matcher) askAgeOf(asked []Concept) {
	for _, c := range asked {
		for word := range strings.FieldsSeq(c.Name) {
			ages := m.lexicon.implied(word).Setting
			if len(ages) == 0 || ages[0].Aspect != aspectAge {
				continue
			}
			m.ask(askedSlot{slot: evidence.SlotSetting, name: ages[0].canonical(), point: wholly, rules: true,
				implied: true,
				options: oneOf(func(p *passage) finding {
					if slices.ContainsFunc(p.read.Tumours, func(n Concept) bool { return n.Name == c.Name }) {
						return finding{evidence.MetWhole, c.Name}
					}
					return m.settingIn(&ages[0], p)
				})})
		}
	}
}

func (m *Matcher) askConditions() {
	asked := slices.DeleteFunc(slices.Clone(m.asked.Conditions), func(c Concept) bool { return c.Status != Present })
	for i := range asked {
		one := asked[i : i+1]
		m.ask(askedSlot{slot: evidence.SlotCondition, name: one[0].canonical(), point: wholly, part: one[0].Part,
			mentions: mentionsToMeet, asks: true,
			options: oneOf(func(p *passage) finding {
				found := m.lexicon.concepts(one, p.read.Conditions, p.place)
				if found.met == evidence.MetOpposite {
					return silent
				}
				return found
			})})
	}
}

// concepts compares diseases: a narrower one meets the asked one whole, a broader one in part. Another one is opposite
// if a title or the headings, which state a record's subject, name it and none that meets.
func (l *Lexicon) concepts(asked, named []Concept, place evidence.Place) finding {
	if len(named) > 0 && slices.ContainsFunc(asked, func(c Concept) bool { return l.isOfAnyOrgan(&c) }) {
		return finding{evidence.MetWhole, named[0].Name}
	}

	found := silent
	for i := range named {
		for j := range asked {
			switch is := l.relateConcepts(&asked[j], &named[i]); {
			case named[i].Status != Present || is == unrelated:
			case is.holds():
				return finding{evidence.MetWhole, named[i].Name}
			case !l.isBroad(&named[i]):
				found = finding{evidence.MetInPart, named[i].Name}
			}
		}
	}

	if found != silent || place != evidence.InTitle && place != evidence.InHeadings {
		return found
	}

	if others := l.othersThan(asked, named); len(others) > 0 {
		return finding{evidence.MetOpposite, strings.Join(shownNames(others), ", ")}
	}
	return silent
}

// othersThan returns the named diseases, but none if an asked one may be one of them: an adenocarcinoma, which many
// organs have, may be a lung cancer.
func (l *Lexicon) othersThan(asked, named []Concept) []Concept {
	others := specific(named)
	if slices.ContainsFunc(asked, func(a Concept) bool {
		return l.isBroad(&a) && !l.within(KindTumour, a.Entry.Name, ofBlood) &&
			slices.ContainsFunc(others, func(n Concept) bool { return n.Type == anyTumour })
	}) {
		return nil
	}
	return others
}

// isOfAnyOrgan reports whether a name stands for tumours of any organ: "cancer", or one without kinds in the dictionary
// ("solid tumor", "childhood cancer"). Lymphoma, sarcoma and adenocarcinoma are broad too, but not any tumour.
func (l *Lexicon) isOfAnyOrgan(c *Concept) bool {
	return l.isBroad(c) && (c.Name == anyTumour || !l.hasKinds(c.Entry))
}

// hasKinds reports whether an entry is the broader one of any tumour in the dictionary.
func (l *Lexicon) hasKinds(e *Entry) bool {
	return len(l.remember("kinds of "+e.Name, func() []*Entry {
		for _, t := range l.grown().tumours {
			if slices.Contains(l.broaderThan(KindTumour, t.entry.Name), e) {
				return []*Entry{t.entry}
			}
		}
		return nil
	})) > 0
}

// askPoint demands more of settings and words if a question asks about no treatment, marker or other disease: they are
// its point then, and a mention in passing does not meet it. If it has none of these, or only outcomes and harms, which
// are asked of something, otherwise spare slots count too: "early palliative care in advanced cancer" is not on
// everything advanced, nor "is it safe to switch" on everything safe.
func (m *Matcher) askPoint() {
	m.askMarkersThemselves()

	asks := slices.DeleteFunc(slices.Clone(m.slots), func(s askedSlot) bool {
		return !s.asks || s.point == noPoint || s.tacit
	})
	if slices.ContainsFunc(asks, func(s askedSlot) bool {
		return s.slot != evidence.SlotSetting && s.slot != evidence.SlotWord
	}) {
		return
	}

	isUnderstood := slices.ContainsFunc(asks, func(s askedSlot) bool {
		return s.slot == evidence.SlotSetting && s.aspect != aspectOutcome && s.aspect != aspectToxicity
	})
	for i := range m.slots {
		s := &m.slots[i]
		if s.spare && (len(asks) == 0 || s.slot == evidence.SlotSetting && !isUnderstood) {
			s.point = mostly
		}

		if s.asks && s.point == shared {
			s.point = wholly
		}

		switch {
		case !s.asks || s.point == noPoint || s.aspect == aspectOutcome:
		case s.slot == evidence.SlotWord:
			s.mentions = wordsToMeet
		default:
			s.mentions = mentionsToMeet
		}
	}
}

// askMarkersThemselves demands more of markers if no treatment is asked about: the question is about them then.
func (m *Matcher) askMarkersThemselves() {
	if slices.ContainsFunc(m.slots, func(s askedSlot) bool { return s.slot == evidence.SlotTreatment }) {
		return
	}

	for i := range m.slots {
		if s := &m.slots[i]; s.slot == evidence.SlotAlteration || s.slot == evidence.SlotBiomarker {
			s.mentions = mentionsToMeet
		}
	}
}

// points counts the things that a record must meet.
func (m *Matcher) points() int {
	n := 0
	for i := range m.slots {
		n += count(m.slots[i].point != noPoint)
	}
	return n
}

func orList(names []string) string { return strings.Join(unique(names), " or ") }
