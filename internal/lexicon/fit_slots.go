package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// askMarkers asks for alterations, biomarkers and metastases, alternatives together; and for the markers that a
// tumour's name implies, which a record need not repeat and must not contradict.
func (m *Matcher) askMarkers() {
	asked := m.lexicon.assertionsOf(m.asked)

	done := map[int]bool{}
	for i := range asked {
		either := asked[i].either
		if done[either] && either > 0 {
			continue
		}
		done[either] = true

		options := asked[i : i+1]
		if either > 0 {
			options = slices.DeleteFunc(slices.Clone(asked), func(a assertion) bool { return a.either != either })
		}
		rivals := slices.DeleteFunc(slices.Clone(asked), func(a assertion) bool {
			return relate(&options[0], &a) != opposite
		})
		s := askedSlot{slot: slotOf(&asked[i]), rules: true, parts: true, asks: true, point: m.pointOf(options),
			name:    orList(text.Each(options, func(a assertion) string { return a.canonical() })),
			options: oneOf(func(p *passage) finding { return m.markedOrTargeted(options, rivals, p) })}
		s.tacit = s.point == noPoint
		m.ask(s)
	}
}

func slotOf(a *assertion) evidence.Slot {
	switch {
	case a.alteration != nil:
		return evidence.SlotAlteration
	case a.biomarker != nil:
		return evidence.SlotBiomarker
	}
	return evidence.SlotSetting
}

// pointOf returns how much of a marker must be met. A marker that a tumour's name implies has no place in the text.
func (m *Matcher) pointOf(options []assertion) point {
	switch o := &options[0]; {
	case o.Part == Part{}, o.metastasis != nil && !there(o.metastasis.Status):
		return noPoint
	case o.metastasis != nil:
		return shared
	case m.isTargeted(options):
		return inPartWill
	}
	return wholly
}

// isTargeted reports whether the question asks for a drug and for its target as mutated or in excess: a paper on the
// drug that names the gene is about patients with the change.
func (m *Matcher) isTargeted(options []assertion) bool {
	return slices.ContainsFunc(options, func(o assertion) bool {
		a := o.alteration
		return a != nil && there(a.Status) && (a.Kind == Mutation || isGain(a)) &&
			slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool { return isOn(&d, []assertion{o}) })
	})
}

// markedOrTargeted looks for a marker, or in a title for a drug on it where the question asks for one: a paper on
// trastuzumab in breast cancer is about patients with HER2.
func (m *Matcher) markedOrTargeted(options, rivals []assertion, p *passage) finding {
	found := marked(options, rivals, p)
	if found != silent || p.place != evidence.InTitle {
		return found
	}

	on := slices.IndexFunc(p.read.Drugs, func(d Drug) bool { return isOn(&d, options) })
	if on < 0 || !m.isTargeted(options) {
		return silent
	}
	return finding{evidence.MetInPart, p.read.Drugs[on].Name}
}

// isOn reports whether a drug is given that acts on one of several altered genes.
func isOn(d *Drug, options []assertion) bool {
	return d.Entry != nil && d.Role == Given && slices.ContainsFunc(options, func(o assertion) bool {
		return o.alteration != nil && slices.Contains(d.Entry.Targets, o.alteration.Gene)
	})
}

// marked compares the asked markers with those of a passage. An opposite counts as silent where the question asks for
// it elsewhere: two changes of one gene, of which a title names one.
func marked(options, rivals []assertion, p *passage) finding {
	found := silent
	for i := range options {
		for j := range p.assertions {
			if better := markedBy(&options[i], rivals, &p.assertions[j]); rank(better.met) < rank(found.met) {
				found = better
			}
		}
	}
	return found
}

func markedBy(asked *assertion, rivals []assertion, named *assertion) finding {
	found := finding{evidence.MetInPart, named.canonical()}
	switch relate(asked, named) {
	case unrelated:
		return silent
	case opposite:
		if slices.ContainsFunc(rivals, func(r assertion) bool { return relate(&r, named).mayBe() }) {
			return silent
		}
		found.met = evidence.MetOpposite
	case equal, narrower, near:
		found.met = evidence.MetWhole
	case broader: // it is not enough to name the gene for its mutation, or a marker for its level
	}
	return found
}

// askTreatments asks for the regimens of the question: one of them is enough, but a comparison needs both sides. It
// asks separately for each treatment that was given before, is under way, or is resisted or not tolerated.
func (m *Matcher) askTreatments() {
	regimens := map[int][]*Drug{}

	var order []int
	for i := range m.asked.Drugs {
		d := &m.asked.Drugs[i]
		switch d.Role {
		case Given, Compared, Then, Cause:
			if m.asked.leavesOpen(d) {
				continue
			}

			n := max(d.Regimen, 1)
			if regimens[n] == nil {
				order = append(order, n)
			}
			regimens[n] = append(regimens[n], d)
		case Prior, Background, Resistant, Intolerant, ResistantOrIntolerant:
			m.askPrior(d)
		case Withheld, NotPrior, Excluded:
		}
	}

	var all [][]*Drug
	for _, n := range order {
		all = append(all, regimens[n])
	}

	switch {
	case len(all) == 0:
	case m.compares():
		m.askSides(all)
	default:
		m.askRegimens(all, orList(text.Each(all, namesOfDrugs)), wholly)
	}
}

func isAsked(role DrugRole) bool {
	return role == Given || role == Compared || role == Then || role == Cause
}

// askPrior asks for a treatment that was given before; one of its class is enough, unless it is resisted. A title on
// the first line is about patients who had none. If the question also asks to give the treatment or its class, the
// record must state that it was given before: a paper on anti-PD-1 is not yet one on immunotherapy after it.
func (m *Matcher) askPrior(d *Drug) {
	isAskedToo := slices.ContainsFunc(m.asked.Drugs, func(o Drug) bool {
		return isAsked(o.Role) && (m.lexicon.isTreatment(&o, d) || m.lexicon.isTreatment(d, &o))
	})
	isPrior := d.Role == Prior || d.Role == Background
	isBeside := slices.ContainsFunc(m.asked.Drugs, func(o Drug) bool { return isAsked(o.Role) })

	isFirstLine := func(c Circumstance) bool { return c.Value == firstLine && c.Status == Present }

	slot := evidence.SlotTreatment
	if isPrior && isBeside {
		slot = evidence.SlotSetting // it describes the patients, and is not what is asked
	}
	m.ask(askedSlot{slot: slot, name: d.canonical(), point: wholly, rules: true,
		mentions: mentionsToMeet, asks: !isPrior,
		options: oneOf(func(p *passage) finding {
			if p.place == evidence.InTitle && slices.ContainsFunc(p.read.Setting, isFirstLine) {
				return finding{evidence.MetOpposite, firstLine}
			}

			if said := m.impliesPrior(d, p); isPrior && isBeside && said != "" {
				return finding{evidence.MetWhole, said}
			}

			named := p.read.Drugs
			if isAskedToo {
				named = slices.DeleteFunc(slices.Clone(named), func(o Drug) bool { return !o.isEarlier() })
			}

			found := m.drugAmong(d, named, p)
			switch {
			case found.met == evidence.MetInPart && isPrior:
				found.met = evidence.MetWhole
			case found.met == evidence.MetWhole && !isPrior && !isBeside && !forms("resisted").MatchString(p.read.Text):
				found.met = evidence.MetInPart // the question asks about resistance to it
			}
			return found
		})})
}

// impliesPrior returns the words by which a passage implies that a treatment was given before: that it is given again
// ("re-irradiation"), or, for an operation, that a treatment is adjuvant.
func (m *Matcher) impliesPrior(d *Drug, p *passage) string {
	for i := range p.read.Drugs {
		if n := &p.read.Drugs[i]; strings.HasPrefix(n.Name, "re-") && m.lexicon.isTreatment(d, n) {
			return n.Name
		}
	}

	if len(m.asked.Tumours) == 0 {
		return "" // without a tumour, the operation is what names the organ
	}
	is := func(c Circumstance) bool { return c.Value == "adjuvant" && c.Status == Present }

	if at := slices.IndexFunc(p.read.Setting, is); at >= 0 {
		for _, surgery := range m.lexicon.implied("surgery").Drugs {
			if m.lexicon.isTreatment(&surgery, d) {
				return p.read.Setting[at].Value
			}
		}
	}
	return ""
}

const firstLine = "first-line"

// compares reports whether the question has a word of comparison between its treatments.
func (m *Matcher) compares() bool {
	isCompared := func(d Drug) bool { return d.Role == Compared }
	isWord := func(d Dropped) bool {
		return m.lexicon.wordList(strings.ReplaceAll(fold(d.Text), " ", "")).name() == wordsComparison
	}
	return slices.ContainsFunc(m.asked.Drugs, isCompared) && slices.ContainsFunc(m.asked.Dropped, isWord)
}

// askSides asks for both sides of a comparison; one of several treatments joined by "or" is enough: "alectinib or
// brigatinib instead of crizotinib".
func (m *Matcher) askSides(regimens [][]*Drug) {
	var sides [][][]*Drug
	for i, regimen := range regimens {
		if i > 0 && m.isOrBetween(regimens[i-1], regimen) {
			last := &sides[len(sides)-1]
			*last = append(*last, regimen)
		} else {
			sides = append(sides, [][]*Drug{regimen})
		}
	}

	if len(sides) < 2 { // "A or B: which of them", "A versus B or C versus D"
		sides = text.Each(regimens, func(r []*Drug) [][]*Drug { return [][]*Drug{r} })
	}

	options := [][]*Drug{nil}
	for _, side := range sides {
		var longer [][]*Drug
		for _, option := range options {
			for _, regimen := range side {
				longer = append(longer, slices.Concat(option, regimen))
			}
		}
		options = longer
	}
	names := text.Each(sides, func(side [][]*Drug) string { return orList(text.Each(side, namesOfDrugs)) })
	m.askRegimens(options, strings.Join(names, " versus "), wholly)
}

// isOrBetween reports whether "or" alone stands between two regimens.
func (m *Matcher) isOrBetween(a, b []*Drug) bool {
	end, start := a[len(a)-1].End, b[0].Start
	if end > start {
		return false
	}
	between := tokenize(m.asked.Text[end:start])
	return len(between) == 1 && isOr(between[0].key)
}

func namesOfDrugs(regimen []*Drug) string {
	return strings.Join(text.Each(regimen, func(d *Drug) string { return d.Name }), " + ")
}

func (m *Matcher) askRegimens(regimens [][]*Drug, name string, need point) {
	s := askedSlot{slot: evidence.SlotTreatment, name: name, point: need, mentions: mentionsToMeet, asks: true,
		options: text.Each(regimens, m.elements)}
	for _, regimen := range regimens {
		if parts := m.lexicon.apart(regimen); parts != nil {
			s.apart = append(s.apart, m.elements(parts))
		}
	}
	m.ask(s)
}

func (m *Matcher) elements(regimen []*Drug) []element {
	return text.Each(regimen, func(d *Drug) element {
		return func(p *passage) finding { return m.drugIn(d, p) }
	})
}

// drugIn looks for a treatment in its asked role: itself or, for a class, a member. In part it accepts one of the same
// class, the class itself, or the treatment in another role. A title or conclusion that names no other treatment is
// about it, even if it is about those who had it or about leaving it out: "survival after nephroureterectomy",
// "omission of radiotherapy after surgery". A treatment on one side of a comparison does not meet the other side, even
// as a kind of it: partial nephrectomy, in partial versus radical nephrectomy.
func (m *Matcher) drugIn(asked *Drug, p *passage) finding {
	named := p.read.Drugs
	for i := range m.asked.Drugs {
		other := &m.asked.Drugs[i]

		isOpposed := asked.Role == Compared && other.Role == Compared && other.Name != asked.Name
		if isOpposed && m.lexicon.isTreatment(asked, other) {
			named = slices.DeleteFunc(slices.Clone(named), func(n Drug) bool { return m.lexicon.isTreatment(other, &n) })
		}
	}
	return m.drugAmong(asked, named, p)
}

func (m *Matcher) drugAmong(asked *Drug, drugs []Drug, p *passage) finding {
	found := silent
	for i := range drugs {
		named := &drugs[i]
		isLeftOut := named.Role == Withheld || named.Role == NotPrior

		isAlone := p.isTelling() && (len(drugs) == 1 || isLeftOut && isOneBesidePrior(drugs))
		if isLeftOut && !isAlone {
			continue
		}

		switch is := m.lexicon.relateDrugs(asked, named); {
		case is.holds():
			// one asked as given before need only be named; one asked as given is not the one given before
			if isAlone || !isAsked(asked.Role) || isAsked(named.Role) {
				return finding{evidence.MetWhole, named.Name}
			}
			found = finding{evidence.MetInPart, string(named.Role) + " " + named.Name}
		case found == silent && asked.isEarlier() == named.isEarlier() && is == near:
			found = finding{evidence.MetInPart, named.Name}
		}
	}
	return found
}

// isOneBesidePrior reports whether all drugs but one were given before.
func isOneBesidePrior(drugs []Drug) bool {
	prior := 0
	for i := range drugs {
		prior += count(drugs[i].isEarlier())
	}
	return len(drugs)-prior == 1
}

// askOrder asks for the relations between two diseases: a record with the reverse is on another question.
func (m *Matcher) askOrder() {
	for _, asked := range m.lexicon.diseases(m.asked) {
		option := func(p *passage) finding {
			for _, stated := range p.read.Relations {
				is := func(asked, name string) bool {
					return asked == name || m.lexicon.holdsNamed(m.asked, asked, &p.read, name)
				}
				switch {
				case stated.Relation != asked.Relation:
				case is(asked.Left, stated.Left) && is(asked.Right, stated.Right):
					return finding{met: evidence.MetWhole, seen: stated.String()}
				case is(asked.Right, stated.Left) && is(asked.Left, stated.Right):
					return finding{met: evidence.MetOpposite, seen: stated.String()}
				}
			}
			return silent
		}
		m.ask(askedSlot{slot: evidence.SlotWord, name: asked.Relation + " " + asked.Right, point: wholly,
			options: oneOf(option)})
	}
}

// holdsNamed reports whether the disease that a question calls asked holds the one that another text calls name.
func (l *Lexicon) holdsNamed(q *Question, asked string, read *Question, name string) bool {
	called := func(q *Question, name string) *Concept {
		for _, list := range [...][]Concept{q.Tumours, q.Conditions} {
			if i := slices.IndexFunc(list, func(c Concept) bool { return c.Name == name }); i >= 0 {
				return &list[i]
			}
		}
		return nil
	}
	a, b := called(q, asked), called(read, name)
	return a != nil && b != nil && l.Holds(a, b)
}
