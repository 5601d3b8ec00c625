package eligibility

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// bearing is whether what a clause names holds for the patient.
type bearing uint8

const (
	unrelated bearing = iota // the question does not mention it
	undecided                // the question may mean it, or not
	refuted                  // it does not hold
	holds                    // it holds: of two findings on one thing, the one that counts
)

// item is one thing that a clause names, compared with the patient.
type item struct {
	slot      evidence.Slot
	key       string // the property of the patient that it concerns
	bearing   bearing
	start     int  // its place in the clause
	isPresent bool // the clause names it as present
	tumour    *lexicon.Concept
	// another: it speaks of an alteration beside, or of a seldom kind: "secondary RAS mutation"; or of more treatments
	// than the question names
	another bool
	kin     bool // the patient's tumour, or a broader one: that alone decides nothing
}

// screener weighs clauses for one patient.
type screener struct {
	*lexicon.Lexicon
	patient *patient
	trial   []lexicon.Concept // the trial's own tumours
}

// compareClause lists what a clause names that bears on the patient. Context is the line that the clause is an item of.
func (s *screener) compareClause(text, context string) []item {
	t := s.Read(text)
	out := slices.Concat(s.compareFindings(&t), s.compareConditions(&t), s.compareTumours(&t),
		s.compareTherapy(&t, context), s.compareScores(text), s.compareSettings(&t), s.compareChildbearing(&t),
		s.compareOtherWords(&t))
	out = append(out, s.unreadItems(text, out)...)
	slices.SortStableFunc(out, func(a, b item) int { return a.start - b.start })
	return out
}

// compareFindings compares a clause's alterations and biomarkers with the patient's.
func (s *screener) compareFindings(t *lexicon.Question) []item {
	var out []item

	named := s.Findings(t)
	if at := forms("there is").FindStringIndex(t.Text); at != nil && len(named) == 0 {
		behind := s.Read(t.Text[at[1]:]) // what precedes it, as on a test, does not matter
		named = s.Findings(&behind)
	}

	isAltered := slices.ContainsFunc(s.patient.findings, func(f lexicon.Finding) bool {
		return f.IsAlteration() && f.IsThere()
	})
	if at := forms("any driver").FindStringIndex(t.Text); at != nil && isAltered {
		out = append(out, item{slot: evidence.SlotAlteration, key: "driver", bearing: undecided, start: at[0], isPresent: true})
	}

	for i := range named {
		f := &named[i]
		if f.End <= f.Start || f.IsBare() {
			continue
		}
		it := item{slot: slotOf(f), start: f.Start, isPresent: f.IsThere()}

		isRare := forms("rare").MatchString(t.Text[:f.Start])
		for j := range s.patient.findings {
			known := &s.patient.findings[j]

			got := bearingOf(known.Bears(f))
			if got == holds && isRare {
				got, it.another = undecided, true
			}

			if got > it.bearing {
				it.bearing, it.key = got, known.String()
			}
		}

		if it.bearing != unrelated || !forms("as a target").MatchString(t.Text[f.End:]) {
			out = append(out, it)
		}
	}
	return out
}

func slotOf(f *lexicon.Finding) evidence.Slot {
	switch {
	case f.IsAlteration():
		return evidence.SlotAlteration
	case f.IsMetastasis():
		return evidence.SlotSetting
	}
	return evidence.SlotBiomarker
}

func bearingOf(b lexicon.Bearing) bearing {
	switch b {
	case lexicon.Undecided:
		return undecided
	case lexicon.BornOut:
		return holds
	case lexicon.Refuted:
		return refuted
	case lexicon.Unrelated:
	}
	return unrelated
}

// compareConditions compares a clause's diseases beside the tumour with the patient's.
func (s *screener) compareConditions(t *lexicon.Question) []item {
	var out []item
	for i := range t.Conditions {
		c := &t.Conditions[i]

		it := item{slot: evidence.SlotCondition, start: c.Start, isPresent: c.Status == lexicon.Present}
		for j := range s.patient.conditions {
			known := &s.patient.conditions[j]
			switch {
			case s.Holds(c, known):
				it.bearing, it.key = holds, known.Name
			case s.Holds(known, c) && it.bearing == unrelated:
				it.bearing, it.key = undecided, known.Name
			}
		}

		switch lead := forms("tested negative").FindStringIndex(t.Text); {
		case it.bearing != holds:
		case c.Status == lexicon.Absent, lead != nil && lead[0] < nearStart && !strings.Contains(t.Text, " or "):
			it.bearing = refuted
		case lead != nil:
			it.bearing = undecided
		}
		out = append(out, it)
	}
	return out
}

// compareTumours compares a clause's tumours with the patient's. A tumour of the trial excludes nobody; another tumour
// of the patient's may.
func (s *screener) compareTumours(t *lexicon.Question) []item {
	var out []item
	broad := -1

	takesSolid := slices.ContainsFunc(t.Tumours, isSolid) && !s.patient.isHematologic(s.Lexicon)
	for i := range t.Tumours {
		c := &t.Tumours[i]
		if s.isBroad(c) && broad < 0 {
			broad = c.End
		}

		if s.isBroad(c) || c.Status == lexicon.Absent || !forms("a tumour").MatchString(c.Text) {
			continue
		}

		it := item{slot: evidence.SlotTumour, start: c.Start, isPresent: true, tumour: c}
		for j := range s.patient.tumours {
			known := &s.patient.tumours[j]
			switch {
			case s.isBroad(known):
				it.bearing, it.key = max(it.bearing, undecided), known.Name
			case s.Holds(c, known), s.isAllBut(c.Name, known):
				it.bearing, it.key = holds, known.Name
				it.kin = slices.ContainsFunc(s.trial, func(own lexicon.Concept) bool { return s.Holds(c, &own) })
			case it.bearing == holds:
			case s.Holds(known, c), isOfOtherKind(known, c), known.Site != c.Site && isNamed(known.Site, t.Text):
				it.bearing, it.key = undecided, known.Name
			case it.bearing == unrelated:
				it.bearing, it.key = refuted, known.Name
			}
		}
		isLabel := c.Start < shortestStem && strings.HasPrefix(t.Text[c.End:], ":") // "Lymphoma: a node of 2 cm"

		isExample := isLabel || broad >= 0 && broad <= c.Start && forms("among others").MatchString(t.Text[broad:c.Start])
		if it.bearing == refuted && (takesSolid || isExample) {
			continue // a trial on all solid tumours takes the patient's, too
		}
		out = append(out, it)
	}
	return out
}

// isOfOtherKind reports whether different things define two tumours of one organ, as histology and dependence: one may
// be the other.
func isOfOtherKind(a, b *lexicon.Concept) bool {
	return a.Site != "" && a.Site == b.Site && (a.Type == anyCancer) != (b.Type == anyCancer) &&
		!strings.HasPrefix(a.Name+b.Name, "non-") && !strings.Contains(b.Name, " non-")
}

// anyCancer is the lexicon's type of a tumour without histology.
const anyCancer = "cancer"

// isNamed reports whether a text names an organ, in whatever form: "esophagus", "esophageal".
func isNamed(site, text string) bool {
	return len(site) >= shortestStem && strings.Contains(strings.ToLower(text), site[:shortestStem-2])
}

// isAllBut reports whether a tumour is named by what it is not, "non-squamous NSCLC", and the known tumour belongs to
// the rest.
func (s *screener) isAllBut(name string, known *lexicon.Concept) bool {
	kind, ok := strings.CutPrefix(strings.ToLower(name), "non-")
	_, whole, _ := strings.Cut(kind, " ")
	holds := func(text string) bool {
		return slices.ContainsFunc(s.Read(text).Tumours, func(c lexicon.Concept) bool { return s.Holds(&c, known) })
	}
	return ok && holds(whole) && !holds(kind)
}

// hematologic is the group of the blood's tumours: broad as it is, it excludes others.
const hematologic = "hematologic malignancy"

// isBroad reports whether a tumour is not a particular one: "cancer", "primary tumor".
func (s *screener) isBroad(c *lexicon.Concept) bool {
	e := c.Entry
	if e == nil {
		e, _ = s.Lookup(lexicon.KindTumour, c.Type)
	}
	return c.Site == "" && e != nil && e.Broad && e.Name != hematologic && !slices.Contains(s.Broader(c), hematologic)
}

// compareScores compares a clause's bounds: performance, age, liver function.
func (s *screener) compareScores(text string) []item {
	var out []item
	p := s.patient

	add := func(known *span, demanded []span, slot evidence.Slot, key string) {
		if known == nil || len(demanded) == 0 {
			return
		}
		out = append(out, item{slot: slot, key: key, isPresent: true, bearing: known.compareAny(demanded)})
	}
	if ecog := performances(text); len(ecog) > 0 {
		add(p.ecog, ecog, evidence.SlotPerformance, "ECOG")
	} else if k := karnofskys(text); len(k) > 0 && p.ecog != nil {
		own := karnofskyOf(*p.ecog)
		add(&own, k, evidence.SlotPerformance, "ECOG")
	}
	add(p.child, childPughs(text), evidence.SlotCondition, "Child-Pugh")

	if limits := ages(text); !takesAdults(p.age, limits) {
		add(p.age, limits, evidence.SlotAge, "age")
	}
	return out
}

// takesAdults reports whether a clause on age takes all adults, and the patient is one, which is no reason of its own
// to admit him.
func takesAdults(known *span, limits []span) bool {
	return known != nil && len(limits) == 1 && limits[0].low <= ofAge && limits[0].high == endless && known.low >= ofAge
}

// compareSettings compares the words on a disease's extent, course and patient, family by family: several words of one
// family are alternatives.
func (s *screener) compareSettings(t *lexicon.Question) []item {
	p := s.patient
	demanded := map[string]meaning{}
	starts := map[string]int{}
	add := func(m meaning, start int) {
		if _, ok := demanded[m.family]; !ok {
			starts[m.family] = start
		}
		d := demanded[m.family]
		demanded[m.family] = meaning{family: m.family, parts: append(slices.Clone(d.parts), m.parts...)}
	}
	denied := map[string]bool{}

	inWords := false
	for _, c := range t.Setting {
		m, ok := meanings()[c.Value]

		isOf := m.family == "extent" && forms("of a site").MatchString(t.Text[c.End:])
		if !ok || m.asked || c.Status == lexicon.Open || isOfSite(t, &c) || isOf {
			continue
		}
		inWords = inWords || m.family == "extent"
		denied[m.family] = denied[m.family] || c.Status == lexicon.Absent
		add(m, c.Start)
	}
	var out []item

	isElse := forms("system stage").MatchString(t.Text) || len(t.Conditions) > 0 && len(t.Tumours) == 0
	if named := stages(t.Text); len(named) > 0 && !isElse {
		for _, n := range named {
			add(extentOf(n), strings.Index(strings.ToLower(t.Text), "stage"))
		}

		if p.stage != nil && (!inWords || forms("stage in brackets").MatchString(t.Text)) {
			delete(demanded, "extent")
			out = append(out, item{slot: evidence.SlotSetting, key: "stage", isPresent: true, bearing: p.stage.compareAny(named),
				start: starts["extent"]})
		}
	}

	for _, family := range slices.Sorted(maps.Keys(demanded)) {
		it := item{slot: evidence.SlotSetting, key: family, isPresent: !denied[family], start: starts[family]}

		it.bearing = p.meets(demanded[family], t.Text, inWords)
		if denied[family] {
			it.bearing = it.bearing.denied()
		}
		out = append(out, it)
	}
	return out
}

// meets compares what the question states of a family of settings with a text's demand; inWords if the text gives the
// disease's extent in words.
func (p *patient) meets(demanded meaning, text string, inWords bool) (best bearing) {
	for _, known := range p.meanings {
		if known.family != demanded.family {
			continue
		}

		got := known.compare(demanded)
		if got == refuted && known.isNamedIn(text) || got == holds && inWords && p.isEarlier(demanded) {
			got = undecided // "low or intermediate risk"; what was resected may have been advanced, and is not
		}
		best = max(best, got)
	}
	return best
}

// isEarlier reports whether words on an advanced disease may mean more than the patient's: his was taken out, with no
// word of a return, or is of an early stage, which some tumours' "locally advanced" includes.
func (p *patient) isEarlier(demanded meaning) bool {
	has := func(family string) bool {
		return slices.ContainsFunc(p.meanings, func(m meaning) bool {
			return m.family == family && (family != "operation" || slices.Contains(m.parts, "done"))
		})
	}
	isEarly := p.stage != nil && p.stage.high < lateStage && slices.Contains(demanded.parts, "4")
	return demanded.family == "extent" && (isEarly || has("operation") && !has("course"))
}

// lateStage is the first stage that is always called advanced.
const lateStage = 3

// denied is the bearing if a clause denies what it names.
func (b bearing) denied() bearing {
	switch b {
	case holds:
		return refuted
	case refuted:
		return holds
	case unrelated, undecided:
	}
	return b
}

// compareAny compares with the alternatives.
func (s span) compareAny(demanded []span) bearing {
	got := refuted
	for _, d := range demanded {
		switch s.compare(d) {
		case holds:
			return holds
		case undecided:
			got = undecided
		case refuted, unrelated:
		}
	}
	return got
}

// compareChildbearing compares a clause on pregnancy or nursing with the patient, if she is known to be either.
func (s *screener) compareChildbearing(t *lexicon.Question) []item {
	var out []item
	for _, form := range []string{"pregnant", "nursing"} {
		known := form == "pregnant" && s.patient.pregnant || form == "nursing" && s.patient.nursing

		at := forms(form).FindStringIndex(t.Text)
		if at == nil || !known {
			continue
		}
		it := item{slot: evidence.SlotSetting, key: form, bearing: holds, start: at[0], isPresent: true}

		isDenied := slices.ContainsFunc(t.Setting, func(c lexicon.Circumstance) bool {
			return c.Aspect == "pregnancy" && c.Status == lexicon.Absent && c.Start <= at[0] && c.End > at[0]
		})
		if isDenied || form == "pregnant" && forms("negative test").MatchString(t.Text) {
			it.bearing = refuted
		}
		out = append(out, it)
	}
	return out
}

// unreadItems finds the question's particulars in a clause of which the lexicon read nothing on them: whatever the
// clause states on them, it may concern the patient.
func (s *screener) unreadItems(text string, read []item) []item {
	var out []item
	small := strings.ToLower(text)

	look := func(slot evidence.Slot, key string, words ...string) {
		isRead := slices.ContainsFunc(read, func(it item) bool { return it.slot == slot && it.key == key })

		isElse := func(at int) bool { // it is read as a finding on something else
			return slices.ContainsFunc(read, func(it item) bool { return it.slot == slot && it.start == at })
		}
		for _, w := range words {
			at := wordAt(small, strings.ToLower(w))
			if isRead || at < 0 || isElse(at) {
				continue
			}

			if !forms("inner negation").MatchString(small[:at]) && !forms("as a target").MatchString(small[at+len(w):]) {
				out = append(out, item{slot: slot, key: key, bearing: undecided, start: at, isPresent: true})
				return
			}
		}
	}
	for i := range s.patient.findings {
		f := &s.patient.findings[i]
		if !f.IsMetastasis() || f.IsThere() {
			look(slotOf(f), f.String(), f.Names()...)
		}
	}

	isOnPrior := slices.ContainsFunc(read, func(it item) bool { return it.slot == evidence.SlotPrior })
	for _, d := range s.patient.prior {
		if !isOnPrior && d.Entry != nil && d.Entry.Kind == lexicon.KindTreatment {
			look(evidence.SlotPrior, d.Name, slices.DeleteFunc(strings.Fields(d.Text), func(w string) bool {
				return len(w) < shortestStem
			})...)
		}
	}

	for _, c := range s.patient.conditions {
		words := []string{c.Name, c.Text}
		for _, w := range strings.Fields(c.Name) {
			if len(w) >= shortestStem && !forms("names no disease").MatchString(w) {
				words = append(words, w, w+"s", w+"ation")
			}
		}
		look(evidence.SlotCondition, c.Name, words...)
	}
	return out
}

// shortestStem is the least length of a disease's word that distinguishes it from most.
const shortestStem = 8

// wordAt is where a text has a word on its own; -1 if it has not.
func wordAt(text, word string) int {
	for from := 0; word != ""; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from

		end := at + len(word)
		if (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end])) {
			return at
		}
		from = end
	}
	return -1
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf
}

// compareOtherWords finds the question's other words, and its drugs named otherwise, in a clause.
func (s *screener) compareOtherWords(t *lexicon.Question) []item {
	var out []item

	small := strings.ToLower(t.Text)
	for _, w := range s.patient.words {
		at := strings.Index(small, w)
		if len(w) < shortestWord {
			at = wordAt(small, w)
		}

		if at >= 0 {
			out = append(out, item{slot: evidence.SlotWord, key: w, bearing: undecided, start: at, isPresent: true})
		}
	}

	for i := range t.Drugs {
		for j := range s.patient.other {
			if d := &s.patient.other[j]; s.Gives(d, &t.Drugs[i]) || s.Gives(&t.Drugs[i], d) {
				out = append(out, item{slot: evidence.SlotTreatment, key: d.Name, bearing: undecided,
					start: t.Drugs[i].Start, isPresent: true})
			}
		}
	}

	for _, q := range s.patient.quantities {
		if it, ok := q.weigh(small); ok {
			out = append(out, it)
		}
	}
	return out
}

// weigh compares a measure with its bound; one in another unit is left open.
func (q quantity) weigh(small string) (item, bool) {
	for _, alias := range labs()[q.word] {
		at := strings.Index(small, alias)
		if at < 0 {
			continue
		}

		m := forms("quantity").FindStringSubmatch(small[at+len(alias):])
		if m == nil {
			continue
		}
		it := item{slot: evidence.SlotWord, key: q.word, bearing: undecided, start: at, isPresent: true}
		n, ok := numberOf(m[2])
		unit := strings.Trim(m[4], ".")

		bound, signed := rangeBySign(m[1], n, 0.001)
		if ok && signed && m[3] == "" && (unit == q.unit || unit == "" || q.unit == "") {
			it.bearing = span{q.value, q.value}.compare(bound)
		}
		return it, true
	}
	return item{}, false
}
