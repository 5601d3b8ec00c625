package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// askSettings asks who is treated, when and how, and for any of the outcomes, the harms, the tests. Half of the
// settings must be met. A stage by its number, an age, an intent, a course of treatment and one value of each demanded
// aspect must always be met; a line only if no treatment is named. A title on patients of another age rules.
func (m *Matcher) askSettings() {
	isTreated := slices.ContainsFunc(m.slots, func(s askedSlot) bool { return s.slot == evidence.SlotTreatment })
	isGivenBefore := slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool { return d.Role == Prior })

	var demanded []askedSlot // one of an aspect
	for i := range m.asked.Setting {
		c := &m.asked.Setting[i]
		if c.Status != Present || c.Aspect == aspectMetastasis {
			continue
		}

		s := askedSlot{slot: evidence.SlotSetting, name: c.canonical(), point: shared, part: c.Part,
			asks:  c.Aspect == aspectResistance || isCourse(c),
			rules: c.Aspect == aspectAge, options: oneOf(func(p *passage) finding { return m.settingIn(c, p) })}
		switch {
		case slices.Contains(demandedAspects, c.Aspect):
			s.point, s.counted, s.aspect, s.asks = wholly, c.Aspect != aspectOutcome, c.Aspect, true
			if c.Aspect == aspectToxicity && m.isTreated(c.Part) {
				s.mentions = mentionsToMeet
			}
			demanded = m.addOption(demanded, s)
			continue
		case isGivenBefore && c.Entry != nil && isEnding(c.Entry): // implied by its having been given
			s.point = noPoint
		case isCourse(c):
			s.point = inPartWill
		case optionalAspects(c.Aspect), isTreated && c.Aspect == "line":
			s.point, s.spare = noPoint, spareAspects(c.Aspect)
		case c.Aspect == "intent": // a study has only one of two that a question names
			s.point, s.aspect = wholly, c.Aspect
			demanded = m.addOption(demanded, s)
			continue
		case isExtent(*c):
			s.point = wholly
		case c.Aspect == aspectAge && c.Value != adults:
			s.point, s.counted = wholly, true
		case c.Aspect == "line":
			s.point, s.asks = wholly, true
		}
		m.ask(s)
	}
	m.slots = append(m.slots, demanded...)
}

// isCourse reports whether a setting of the line is a course of treatment, such as maintenance, a switch or a pause,
// not a group of patients.
func isCourse(c *Circumstance) bool {
	return c.Aspect == "line" && !strings.HasSuffix(c.Value, "-naive") && lineNumbers[strings.TrimPrefix(c.Value, "after ")] == 0 &&
		!slices.ContainsFunc(akin(), func(line []string) bool { return slices.Contains(line, c.Value) })
}

// addOption adds a slot as an alternative to one of the same aspect, unless "for" joins the two: "deep learning for
// diagnosis" is on both.
func (m *Matcher) addOption(all []askedSlot, s askedSlot) []askedSlot {
	isFor := func(o askedSlot) bool {
		return o.part.End > 0 && o.part.End < s.part.Start &&
			strings.Contains(m.asked.Text[o.part.End:s.part.Start], " for ")
	}

	at := slices.IndexFunc(all, func(o askedSlot) bool { return o.aspect == s.aspect && !isFor(o) })
	if at < 0 {
		return append(all, s)
	}
	all[at].name, all[at].options = orList([]string{all[at].name, s.name}), append(all[at].options, s.options...)
	return all
}

// demandedAspects are the aspects that a question asks about, not those that describe patients.
var demandedAspects = []string{aspectOutcome, aspectToxicity, "pregnancy", "testing"}

// adults is the age that a record need not state.
const adults = "adults"

// exclusive are the aspects of which a study has only one value: a title with another is on that one.
var exclusive = []string{"line", "intent"}

func (m *Matcher) settingIn(asked *Circumstance, p *passage) finding {
	if asked.Aspect == aspectAge && p.place == evidence.InTitle && otherAge(m.asked, &p.read) != "" {
		return finding{evidence.MetOpposite, listed(agesOf(&p.read))}
	}

	found := m.lexicon.namedSetting(asked, p)
	switch {
	case found != silent:
	case isClass(asked):
		found = m.consequenceIn(p)
	case asked.Aspect == aspectResistance:
		found = m.resistanceIn(asked, p)
	case asked.Value == predictive:
		found = m.predictionIn(p)
	case isOutcomeOfCare(asked) && p.isTelling() && p.words()[stemOf("outcome")]:
		found = finding{evidence.MetWhole, "outcome"}
	case p.ofTrial && asked.Aspect == aspectOutcome && forms("of efficacy").MatchString(p.read.Text) &&
		(isOutcomeOfCare(asked) || forms("a response").MatchString(asked.Value)): // whether a treatment works
		found = finding{evidence.MetWhole, "efficacy"}
	}

	if found == silent && asked.Entry != nil && p.holds(asked.Text) {
		return finding{evidence.MetWhole, asked.Text}
	}
	return found
}

// namedSetting looks for a setting among those of a passage.
func (l *Lexicon) namedSetting(asked *Circumstance, p *passage) finding {
	found := silent
	for i := range p.read.Setting {
		named := &p.read.Setting[i]
		switch is := l.relateSettings(asked, named); {
		case is == narrower:
			return finding{evidence.MetWhole, named.Text}
		case is == opposite && p.place == evidence.InTitle:
			found = finding{evidence.MetOpposite, named.canonical()}
		}
	}
	return found
}

// isClass reports whether a setting stands for its whole aspect: mucositis and osteoradionecrosis are late toxicity.
func isClass(c *Circumstance) bool { return c.Entry != nil && c.Entry.Broad }

// isOutcomeOfCare reports whether the word "outcomes" includes an asked outcome.
func isOutcomeOfCare(c *Circumstance) bool {
	is := func(ending string) bool { return strings.HasSuffix(c.Value, ending) }
	return c.Aspect == aspectOutcome && (is("survival") || is("mortality") || is("prognosis"))
}

// consequenceIn looks for a disease that an asked treatment caused: one that a title or conclusion names before it as
// following it, or a heading with "etiology".
func (m *Matcher) consequenceIn(p *passage) finding {
	asked := slices.Concat(m.asked.Tumours, m.asked.Conditions)
	for _, c := range slices.Concat(p.read.Conditions, p.read.Tumours) {
		isAsked := slices.ContainsFunc(asked, func(a Concept) bool {
			return m.lexicon.Holds(&a, &c) || m.lexicon.Holds(&c, &a)
		})
		if c.Status == Present && !isAsked && m.isCaused(&c, p) {
			return finding{evidence.MetWhole, c.Name}
		}
	}
	return silent
}

func (m *Matcher) isCaused(c *Concept, p *passage) bool {
	if p.place == evidence.InHeadings {
		return slices.ContainsFunc(p.read.Setting, func(s Circumstance) bool { return s.Value == "etiology" })
	}
	return p.isTelling() && slices.ContainsFunc(p.read.Drugs, func(named Drug) bool {
		isBehind := (named.Role == Prior || named.Role == Cause) && c.Start < named.Start
		return isBehind && slices.ContainsFunc(m.asked.Drugs, func(d Drug) bool { return m.lexicon.isTreatment(&d, &named) })
	})
}

// predictive is the setting of a marker that predicts who benefits more from a treatment.
const predictive = "predictive biomarker"

// predictionIn looks for a title or conclusion that relates an asked marker to a treatment or an outcome: "association
// of PD-L1 expression with the efficacy of PD-1 inhibitors".
func (m *Matcher) predictionIn(p *passage) finding {
	isRelated := p.isTelling() && forms("tells for whom").MatchString(p.read.Text) &&
		(len(p.read.Drugs) > 0 || slices.ContainsFunc(p.read.Setting, func(c Circumstance) bool {
			return c.Aspect == aspectOutcome
		}))
	if !isRelated {
		return silent
	}

	asked := m.lexicon.assertionsOf(m.asked)
	for i := range asked {
		for j := range p.assertions {
			if relate(&asked[i], &p.assertions[j]) != unrelated {
				return finding{evidence.MetWhole, p.assertions[j].canonical()}
			}
		}
	}
	return silent
}

const (
	aspectResistance = "resistance"
	aspectToxicity   = "toxicity"
	aspectOutcome    = "outcome"
)

// resistanceIn looks for a resisted treatment: any, or one of the class that the setting names (cisplatin, of platinum
// resistance).
func (m *Matcher) resistanceIn(asked *Circumstance, p *passage) finding {
	isSaid := slices.ContainsFunc(p.read.Setting, func(c Circumstance) bool { return c.Aspect == aspectResistance })

	of := m.lexicon.implied(strings.TrimSuffix(asked.Value, " resistance"))
	for i := range p.read.Drugs {
		named := &p.read.Drugs[i]
		if !isSaid && named.Role != Resistant && named.Role != ResistantOrIntolerant {
			continue
		}

		if len(of.Drugs) == 0 && named.Role != Given || slices.ContainsFunc(of.Drugs, func(d Drug) bool {
			return m.lexicon.isTreatment(&d, named)
		}) {
			return finding{evidence.MetWhole, named.Name + " resistance"}
		}
	}
	return silent
}
