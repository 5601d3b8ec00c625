package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// askMarkers asks for alterations and biomarkers, alternatives together.
func (m *Matcher) askMarkers() {
	asked := m.lexicon.assertionsOf(&Question{
		Text: m.asked.Text, Alterations: m.asked.Alterations, Biomarkers: m.asked.Biomarkers,
	})
	done := map[int]bool{}
	for i := range asked {
		either := asked[i].either()
		if done[either] && either > 0 {
			continue
		}
		done[either] = true
		options := asked[i : i+1]
		if either > 0 {
			options = slices.DeleteFunc(slices.Clone(asked), func(a assertion) bool { return a.either() != either })
		}
		slot := evidence.SlotAlteration
		if asked[i].biomarker != nil {
			slot = evidence.SlotBiomarker
		}
		names := text.Each(options, func(a assertion) string { return a.canonical() })
		m.ask(askedSlot{slot: slot, name: orList(names), point: wholly, rules: true,
			options: oneOf(func(p *passage) finding { return marked(options, p) })})
	}
}

// marked compares what is asked of markers with what a passage says of them. Only a title that says the opposite of all
// is opposite: an abstract names what it compares with, too.
func marked(options []assertion, p *passage) finding {
	found := silent
	for i := range options {
		for j := range p.said {
			named := &p.said[j]
			better := silent
			switch relate(&options[i], named) {
			case agreeing:
				better = finding{evidence.MetInPart, named.canonical()}
				if isWhole(&options[i], named) {
					better.met = evidence.MetWhole
				}
			case opposing:
				better = finding{evidence.MetOpposite, named.canonical()}
			case unrelated:
				if isSameAxis(&options[i], named) {
					better = finding{evidence.MetInPart, named.canonical()}
				}
			}
			if rank(better.met) < rank(found.met) {
				found = better
			}
		}
	}
	return found
}

// isWhole says that what a passage says of a marker is no less than what is asked: not the gene for its mutation, nor
// the mutation for a named change, nor a marker for its level.
func isWhole(asked, named *assertion) bool {
	if asked.alteration != nil && named.alteration != nil {
		return isWholeAlteration(asked.alteration, named.alteration)
	}
	if asked.biomarker == nil || named.biomarker == nil {
		return true
	}
	a, n := asked.biomarker, named.biomarker
	return a.Level == "" || n.Level != "" || a.Status != n.Status
}

func isWholeAlteration(asked, named *Alteration) bool {
	switch {
	case !there(asked.Status) || asked.Kind == AnyAlteration:
		return true
	case asked.Kind == Mutation:
		return isGenetic(named.Kind)
	case isGenetic(asked.Kind):
		return isGenetic(named.Kind) && named.Kind != Mutation && len(named.Change) >= len(asked.Change)
	case isGain(asked) && isGain(named):
		return true
	}
	return asked.Kind == named.Kind && (asked.Change == "" || asked.Change == named.Change) &&
		(asked.Partner == "" || asked.Partner == named.Partner)
}

// isSameAxis says that a passage names the marker, or the one that tells the same, and not what it is: MSI, of dMMR.
func isSameAxis(asked, named *assertion) bool {
	if asked.biomarker == nil || named.biomarker == nil {
		return false
	}
	own, _ := axisOf(asked)
	other, at := axisOf(named)
	return own != "" && own == other && at == 0
}

// askTreatments asks for the regimens that the question is about, of which one will do; for both sides, where it
// compares; and by itself for each treatment that was given before, or follows.
func (m *Matcher) askTreatments() {
	regimens := map[int][]*Drug{}
	var order []int
	for i := range m.asked.Drugs {
		d := &m.asked.Drugs[i]
		switch d.Role {
		case Given, Compared, Then, Cause:
			n := max(d.Regimen, 1)
			if regimens[n] == nil {
				order = append(order, n)
			}
			regimens[n] = append(regimens[n], d)
		case Prior, Resistant, Intolerant, ResistantOrIntolerant:
			m.askRegimens([][]*Drug{{d}}, d.canonical(), inPartWill)
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
		m.askRegimens([][]*Drug{slices.Concat(all...)}, strings.Join(text.Each(all, namesOfDrugs), " versus "), wholly)
	default:
		m.askRegimens(all, orList(text.Each(all, namesOfDrugs)), wholly)
	}
}

// compares says that the question has a word of comparison between its treatments.
func (m *Matcher) compares() bool {
	isCompared := func(d Drug) bool { return d.Role == Compared }
	isWord := func(d Dropped) bool {
		return m.lexicon.wordList(strings.ReplaceAll(fold(d.Text), " ", "")).name() == wordsComparison
	}
	return slices.ContainsFunc(m.asked.Drugs, isCompared) && slices.ContainsFunc(m.asked.Dropped, isWord)
}

func namesOfDrugs(regimen []*Drug) string {
	return strings.Join(text.Each(regimen, func(d *Drug) string { return d.Name }), " + ")
}

func (m *Matcher) askRegimens(regimens [][]*Drug, name string, need point) {
	m.ask(askedSlot{slot: evidence.SlotTreatment, name: name, point: need,
		options: text.Each(regimens, func(regimen []*Drug) []element {
			return text.Each(regimen, func(d *Drug) element {
				return func(p *passage) finding { return m.lexicon.drugIn(d, p) }
			})
		})})
}

// drugIn looks for a treatment: itself or, for a class, one of it, as it is asked; in part one of the same class, the
// class itself, or the treatment in another role.
func (l *Lexicon) drugIn(asked *Drug, p *passage) finding {
	found := silent
	for i := range p.read.Drugs {
		named := &p.read.Drugs[i]
		if named.Role == Withheld || named.Role == NotPrior {
			continue
		}
		switch {
		case l.isTreatment(asked, named):
			if sameRole(asked.Role, named.Role) {
				return finding{evidence.MetWhole, named.Name}
			}
			found = finding{evidence.MetInPart, string(named.Role) + " " + named.Name}
		case found == silent && l.isAkin(asked, named):
			found = finding{evidence.MetInPart, named.Name}
		}
	}
	return found
}

// sameRole says that a treatment is named in the role that is asked: what is asked as given was not only given before.
// What was given before need only be named.
func sameRole(asked, named DrugRole) bool {
	switch asked {
	case Given, Compared, Then, Cause:
		return named == Given || named == Compared || named == Then || named == Cause
	case Prior, Resistant, Intolerant, ResistantOrIntolerant, Withheld, NotPrior, Excluded:
	}
	return true
}

// isTreatment says that a named treatment is the asked one, a part of whose name it is no other, or one that it holds: a
// member of a class, a kind of operation, a regimen with the drug in it.
func (l *Lexicon) isTreatment(asked, named *Drug) bool {
	switch {
	case l.isDrug(asked, named):
		return true
	case asked.Entry == nil || named.Entry == nil:
		return false
	case asked.Entry.Kind == named.Entry.Kind && asked.Entry.Kind != KindDrug:
		return l.within(asked.Entry.Kind, named.Name, asked.Name)
	}
	return slices.Contains(l.partsOf(named.Entry), asked.Name)
}

// partsOf names what a combination holds: the drugs that its entry implies, and what holds them.
func (l *Lexicon) partsOf(e *Entry) []string {
	return text.Each(l.remember("parts "+string(e.Kind)+" "+e.Name, func() []*Entry {
		var out []*Entry
		for _, words := range e.Implies {
			implied := l.implied(words)
			for _, d := range implied.Drugs {
				if d.Entry != nil {
					out = append(append(out, d.Entry), l.holdersOf(d.Entry)...)
				}
			}
		}
		return out
	}), func(e *Entry) string { return e.Name })
}

// holdersOf are the classes of a drug, or what is broader than a class or a treatment.
func (l *Lexicon) holdersOf(e *Entry) []*Entry {
	if e.Kind != KindDrug {
		return l.broaderThan(e.Kind, e.Name)
	}
	class, ok := l.Lookup(KindClass, e.Class)
	if !ok {
		return nil
	}
	return append([]*Entry{class}, l.broaderThan(KindClass, class.Name)...)
}

// isAkin says that a named treatment is of the asked one's nearest class, or that class, or for a class the next
// broader one.
func (l *Lexicon) isAkin(asked, named *Drug) bool {
	if asked.Entry == nil || named.Entry == nil {
		return false
	}
	holders := l.holdersOf(asked.Entry)
	if len(holders) == 0 || isEveryClass(holders[0]) {
		return false
	}
	own := &Drug{Name: holders[0].Name, Entry: holders[0], Class: holders[0].Kind == KindClass}
	return l.isTreatment(own, named)
}

// isEveryClass says that a class says nothing of what its drugs have in common.
func isEveryClass(e *Entry) bool {
	return e.Name == "chemotherapy" || e.Name == "chemotherapy regimen" || e.Name == "surgery"
}

// optionalAspects are the settings that never are the point of a question.
var optionalAspects = []string{"outcome", "place", "study", "measure", "dosing", "care", "performance", "exposure"}

// askSettings asks who is treated, when and how. A setting is the point of a question that asks for nothing else beside
// the tumour.
func (m *Matcher) askSettings() {
	for i := range m.asked.Setting {
		c := &m.asked.Setting[i]
		if c.Status != Present {
			continue
		}
		need := wholly
		if slices.Contains(optionalAspects, c.Aspect) {
			need = noPoint
		}
		m.ask(askedSlot{slot: evidence.SlotSetting, name: c.canonical(), point: need,
			options: oneOf(func(p *passage) finding { return m.settingIn(c, p) })})
	}
}

// exclusive are the aspects of which a study has one value: a title with another one is on that.
var exclusive = []string{"line", "intent"}

func (m *Matcher) settingIn(asked *Circumstance, p *passage) finding {
	found := silent
	for i := range p.read.Setting {
		named := &p.read.Setting[i]
		switch {
		case named.Aspect != asked.Aspect:
		case named.Value == asked.Value && named.Status == asked.Status:
			return finding{evidence.MetWhole, named.Text}
		case p.place == evidence.InTitle && (named.Value == asked.Value || slices.Contains(exclusive, asked.Aspect)):
			found = finding{evidence.MetOpposite, named.canonical()}
		}
	}
	if asked.Aspect == aspectAge && p.place == evidence.InTitle && otherAge(m.asked, &p.read) != "" {
		return finding{evidence.MetOpposite, listed(agesOf(&p.read))}
	}
	return found
}
