package eligibility

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
)

// compareTherapy compares a clause on treatment before the trial with the question. Treatment within days or weeks
// decides when the patient enters, not whether.
func (s *screener) compareTherapy(t *lexicon.Question, context string) []item {
	both := context + " " + t.Text
	if w := forms("window").FindStringSubmatch(t.Text); w != nil && isSoon(w) {
		if rest := apartFromWindow(t.Text); forms("progressed").MatchString(rest) {
			q := s.Read(rest)
			return s.compareTherapy(&q, context)
		}
		return nil
	}

	if s.isOfAnother(t.Text) {
		return nil
	}
	var out []item

	out = append(out, s.contraindicated(t)...)
	if forms("prior").MatchString(both) && !forms("of harm").MatchString(both) {
		isOpen := forms("not only prior").MatchString(t.Text)
		for _, it := range s.compareDrugs(t) {
			switch {
			case !isOpen:
				out = append(out, it)
			case it.bearing == holds: // it may mean treatment during the trial
				it.bearing = undecided
				out = append(out, it)
			}
		}
	}
	return append(out, s.compareLines(t, both, len(out) > 0)...)
}

// apartFromWindow blanks a clause's phrases on days or weeks: "progression after osimertinib, and more than two weeks
// since the last dose".
func apartFromWindow(clause string) string {
	for _, part := range phrases(clause) {
		if phrase := clause[part[0]:part[1]]; forms("window").MatchString(phrase) {
			clause = clause[:part[0]] + strings.Repeat(" ", len(phrase)) + clause[part[1]:]
		}
	}
	return clause
}

// isOfAnother reports whether a clause is on another tumour, and its treatments on that one: "an additional malignancy
// that has required treatment".
func (s *screener) isOfAnother(clause string) bool {
	other := forms("other malignancy").FindString(clause)
	return other != "" && !s.patient.second && !forms("a therapy").MatchString(other)
}

// isSoon reports whether a window is one of days or weeks.
func isSoon(match []string) bool {
	for _, unit := range match[1:] {
		if unit != "" && unit[0]|0x20 != 'm' && unit[0]|0x20 != 'y' {
			return true
		}
	}
	return false
}

// contraindicated finds the drugs that the patient must not be given, in a clause on those who can't be given a drug.
func (s *screener) contraindicated(t *lexicon.Question) []item {
	var out []item

	if !forms("unfit for").MatchString(t.Text) {
		return nil
	}

	for i := range t.Drugs {
		for j := range s.patient.barred {
			if s.Gives(&s.patient.barred[j], &t.Drugs[i]) {
				out = append(out, item{slot: evidence.SlotTreatment, key: s.patient.barred[j].Name, bearing: holds,
					start: t.Drugs[i].Start, isPresent: true})
			}
		}
	}
	return out
}

// compareDrugs compares the drugs that a clause wants given before, or not given.
func (s *screener) compareDrugs(t *lexicon.Question) []item {
	var out []item
	isEarly := forms("before or after surgery").MatchString(t.Text) && !forms("either way").MatchString(t.Text)

	isHard := forms("resistant").MatchString(t.Text) && !forms("given").MatchString(t.Text)
	for i := range t.Drugs {
		d := &t.Drugs[i]
		it := item{slot: evidence.SlotPrior, start: d.Start, isPresent: true}

		it.bearing, it.key = s.bearingOfDrug(d)
		if it.bearing == holds && (isHard && !s.patient.resists(it.key) || isEarly && !s.patient.treatedEarly()) {
			it.bearing = undecided
		}

		if d.Role == lexicon.NotPrior || d.Role == lexicon.Withheld || forms("naive behind").MatchString(t.Text[d.End:]) {
			it.bearing = it.bearing.denied()
		}
		out = append(out, it)
	}

	for _, c := range t.Setting {
		if class, ok := strings.CutSuffix(c.Value, "-naive"); ok {
			for _, d := range s.Read(class).Drugs {
				b, key := s.bearingOfDrug(&d)
				out = append(out, item{slot: evidence.SlotPrior, start: c.Start, isPresent: true, bearing: b.denied(), key: key})
			}
		}
	}
	return out
}

// bearingOfDrug is whether the patient was given a drug before, and the property of the patient that shows it.
func (s *screener) bearingOfDrug(d *lexicon.Drug) (bearing, string) {
	p := s.patient

	got, key := unrelated, ""
	for j := range p.prior {
		switch known := &p.prior[j]; {
		case s.Gives(known, d):
			return holds, known.Name
		case s.Gives(d, known):
			got, key = undecided, known.Name
		}
	}

	for j := range p.never {
		if known := &p.never[j]; s.Gives(d, known) {
			return refuted, known.Name
		}
	}

	if isAny := len(p.prior) == 0 && p.lines != nil && p.lines.low > 0; got == unrelated && isAny &&
		strings.Contains(d.Name, "chemotherapy") {
		return undecided, "lines" // what was given is unknown
	}

	isSystemic := d.Entry == nil || d.Entry.Kind != lexicon.KindTreatment
	if got == unrelated && !isSystemic && p.states("operation") {
		return undecided, "operation" // it may be the operation in the question
	}

	if got == unrelated && isSystemic && p.lines != nil && p.lines.high == 0 {
		return refuted, untreated
	}
	return got, key
}

// resists reports whether the question states that a drug no longer helped, or was not tolerated.
func (p *patient) resists(name string) bool {
	return forms("resistant").MatchString(p.text) || slices.ContainsFunc(p.prior, func(d lexicon.Drug) bool {
		return d.Name == name && d.Role != lexicon.Prior && d.Role != lexicon.Given && d.Role != lexicon.Background
	})
}

// untreated is the key for drugs not given because nothing was given.
const untreated = "untreated"

// compareLines compares how many treatments were given before.
func (s *screener) compareLines(t *lexicon.Question, both string, named bool) []item {
	p := s.patient
	if p.lines == nil {
		return nil
	}

	demanded, start := s.demandedLines(t, both, named)
	if len(demanded) == 0 {
		return nil
	}
	isMore := len(p.prior) > 0 && p.lines.high == endless && !slices.ContainsFunc(demanded, func(d span) bool {
		return d.low <= float64(len(p.prior))
	})
	return []item{{slot: evidence.SlotPrior, key: "lines", bearing: p.lines.compareAny(demanded), start: start, isPresent: true,
		another: isMore}}
}

// demandedLines reads a clause's bounds on earlier treatments; none if it is on treatments of another kind.
func (s *screener) demandedLines(t *lexicon.Question, both string, named bool) (demanded []span, start int) {
	text := t.Text
	isOther := forms("other therapy").MatchString(text)
	isChemo := forms("chemo").MatchString(text)

	hasPrior := forms("prior").MatchString(both) && !forms("of harm").MatchString(both) &&
		!forms("not only prior").MatchString(both)
	if spans := treatments(text); len(spans) > 0 {
		counted := forms("lines").FindString(text)

		isOf := forms("chemo").MatchString(counted) && s.patient.lines.high > 0 && !s.hadChemotherapy()
		if isOf || forms("other therapy").MatchString(counted) {
			return nil, 0
		}
		return afterProgress(text, spans), startOf("lines", text)
	}

	if isChemo && s.patient.lines.high > 0 && !s.hadChemotherapy() {
		return nil, 0
	}

	for _, c := range t.Setting {
		sp, ok := lineSpans[c.Value]
		switch {
		case c.Value == "relapsed or refractory" && s.patient.isHematologic(s.Lexicon):
			sp, ok = span{1, endless}, true
		case c.Value == "first-line" && forms("prior").MatchString(both), named && c.Value != "previously untreated":
			ok = false
		case isOfSite(t, &c), c.Value == "after progression" && len(t.Drugs) == 0 && !forms("a therapy").MatchString(both):
			ok = false
		case c.Value == "previously treated" && forms("treated with").MatchString(text):
			ok = false
		case sp.low > 0 && (isOther || !hasPrior):
			ok = false
		}

		if ok && c.Status == lexicon.Present {
			demanded, start = append(demanded, sp), c.Start
		}
	}

	if len(demanded) == 0 && hasPrior && !isOther {
		at := forms("any therapy").FindStringSubmatchIndex(text)
		if at != nil && at[2] < 0 && (!named || forms("of all kinds").MatchString(text[at[0]:at[1]])) {
			return []span{{1, endless}}, at[0]
		}
	}
	return demanded, start
}

// afterProgress counts at least one treatment where a clause is on those whose tumour progressed on it.
func afterProgress(text string, spans []span) []span {
	if forms("progressed").MatchString(text) {
		for i := range spans {
			spans[i].low = max(spans[i].low, 1)
		}
	}
	return spans
}

// isOfSite reports whether "untreated" describes metastases or another disease: "untreated brain metastases".
func isOfSite(t *lexicon.Question, c *lexicon.Circumstance) bool {
	if c.Value != "previously untreated" || !strings.EqualFold(c.Text, "untreated") {
		return false
	}
	return len(t.Tumours) == 0 || len(t.Conditions) > 0 ||
		slices.ContainsFunc(t.Setting, func(c lexicon.Circumstance) bool { return c.Aspect == "metastasis" })
}

// hadChemotherapy reports whether one of the drugs given before is chemotherapy.
func (s *screener) hadChemotherapy() bool {
	t := s.Read("chemotherapy")
	return slices.ContainsFunc(s.patient.prior, func(d lexicon.Drug) bool {
		return len(t.Drugs) > 0 && s.Gives(&d, &t.Drugs[0])
	})
}

// startOf is where a form first matches; 0 if it does not.
func startOf(form, in string) int {
	if at := forms(form).FindStringIndex(in); at != nil {
		return at[0]
	}
	return 0
}
