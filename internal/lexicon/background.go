package lexicon

import (
	"slices"
	"strings"
)

// isUnder reports whether the treatment behind span i is under way.
func (r *reader) isUnder(i int) bool {
	s := &r.spans[i]
	if r.isListed(s, wordsBackground) || r.isAddedTo(i) || r.isWithinKind(i) {
		return true
	}

	first := r.tokens[s.first]
	if s.past != s.first+1 || !under(first.key) || first.raw == strings.ToUpper(first.raw) {
		return false
	}

	for _, t := range r.tokens[r.clauseOf(s.first):s.first] {
		if onWhat(t.key) {
			return false
		}
	}
	return true
}

// isWithinKind reports whether span i is the "in" of a Romance language right before a kind of treatment that the
// patient gets: "in chemioterapia con cisplatino", "en hormonothérapie".
func (r *reader) isWithinKind(i int) bool {
	s := &r.spans[i]
	return s.past == s.first+1 && within(r.tokens[s.first].key) && r.languages.has(romance) && i+1 < len(r.spans) &&
		r.gapAfter(i) == " " && (r.spans[i+1].is(KindClass) || r.spans[i+1].is(KindTreatment)) &&
		r.spans[i+1].content() == drugs
}

// isAddedTo reports whether another treatment is added to the one behind span i: "adding bevacizumab to TACE".
func (r *reader) isAddedTo(i int) bool {
	s := &r.spans[i]
	before := r.neighbour(i, -1)
	return s.past == s.first+1 && addedTo(r.tokens[s.first].key) && before >= 0 && r.spans[before].content() == drugs &&
		isOnly(r.between(before, i), func(key string) bool { return adds(key) || auxiliary(key) }) &&
		slices.ContainsFunc(r.tokens[r.clauseOf(s.first):s.first], func(t token) bool { return adds(t.key) })
}

// clauseOf returns the first token of a token's clause.
func (r *reader) clauseOf(at int) int {
	for at > 0 && !parts(r.text[r.tokens[at-1].end:r.tokens[at].start]) {
		at--
	}
	return at
}

// parts reports whether a sign in a gap ends a clause: a stop, a colon, a dash with spaces.
func parts(gap string) bool {
	return strings.ContainsAny(gap, ":;?!。；：？") || strings.Contains(gap, ". ") || strings.Contains(gap, " - ") ||
		strings.Contains(gap, "–") || strings.Contains(gap, "—")
}

// background separates treatments that are under way, or stated before the question, from those asked about. If nothing
// else is asked about, the treatments under way are. A treatment that follows only earlier ones is asked about.
func (r *reader) background() {
	r.markTaken()
	r.markStated()
	r.markCauses()
	any := func(is func(*Drug) bool) bool {
		return slices.ContainsFunc(r.spans, func(s span) bool {
			return !s.gone && slices.ContainsFunc(s.drugs, func(d Drug) bool { return is(&d) })
		})
	}
	r.markEnded()
	r.dropRepeated()
	asked := r.asksOfSupport() || any(func(d *Drug) bool { return d.isAsked() || d.Role == Withheld })

	hasFirst := any(func(d *Drug) bool { return d.Role == Given || d.Role == Compared })
	for i := range r.spans {
		for k := range r.spans[i].drugs {
			d := &r.spans[i].drugs[k]
			if !asked && d.Role == Background || !hasFirst && d.Role == Then && d.step == 1 && !r.namesReplacement() {
				d.Role, d.step = Given, 0
			}
		}
	}
}

// markTaken reads drugs of other medicine, by their class, as under way: a note mentions an anticoagulant, and asks
// about the tumour's treatment. Such a drug is under way with its reason ("prednisolone 15 mg for PMR"), right behind
// "in" or before "patient" ("se in warfarin", "Marcumar-Pat."), or in a clause of its own beside one that asks.
func (r *reader) markTaken() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != drugs || !s.drugs[0].isAsked() || !r.isOfOtherMedicine(s) {
			continue
		}

		isTaken := r.isTakenFor(i) || s.first > 0 && r.tokens[s.first-1].key == "in" ||
			s.past < len(r.tokens) && r.gapAfter(i) == "-" && people(r.tokens[s.past].key)
		if before, behind := r.otherAsked(i, -1), r.otherAsked(i, 1); isTaken && max(before, behind) >= 0 ||
			behind > i && r.isStatedBefore(i, behind) || before >= 0 &&
			strings.ContainsAny(r.between(before, i), "?？") && !strings.ContainsAny(r.text[s.end:], "?？") {
			d := &s.drugs[0]
			d.Role, d.step, d.arm, d.stated = Background, 0, 0, true
		}
	}
}

// otherAsked returns the nearest span before or behind span i with an asked treatment that is not of other medicine by
// its class; -1 if there is none.
func (r *reader) otherAsked(i, step int) int {
	return r.nearest(i, step, func(s *span) bool {
		return s.content() == drugs && s.drugs[0].isAsked() && !r.isOfOtherMedicine(s)
	})
}

// isStatedBefore reports whether the clause with the treatment at span i states it, and a later one, at span asked,
// asks. A comma separates the two only if there is a choice without the first.
func (r *reader) isStatedBefore(i, asked int) bool {
	if r.isChoiceBetween(i, asked) || !r.asksOf(asked) || strings.ContainsAny(r.between(i, asked), "?？") {
		return false
	}

	for k := r.spans[i].past; k <= r.spans[asked].first; k++ {
		if parts(r.text[r.tokens[k-1].end:r.tokens[k].start]) {
			return true
		}
	}
	next := r.otherAsked(asked, 1)
	return r.hasBreak(i, asked) && next >= 0 && r.isChoiceBetween(asked, next)
}

// isOfOtherMedicine reports whether a span names a drug, or a class, that is not for tumours.
func (r *reader) isOfOtherMedicine(s *span) bool {
	isOther := func(e *Entry) bool { return e.File == otherMedicine }

	if len(s.drugs) != 1 || s.entry == nil || !s.is(KindDrug) && !s.is(KindClass) {
		return false
	}
	classes := r.lexicon.holdersOf(s.entry)
	isForTumours := slices.ContainsFunc(classes, func(e *Entry) bool { return !isOther(e) })
	return isOther(s.entry) || len(classes) > 0 && !isForTumours
}

// otherMedicine is the file of the classes of drugs that are not for tumours.
const otherMedicine = "medicine.yaml"

// isTakenFor reports whether a reason ("for") and a disease that is no tumour follow the drug at span i and its dose.
func (r *reader) isTakenFor(i int) bool {
	next := i + 1
	for next < len(r.spans) && r.isAmount(next) {
		next++
	}

	if next+1 >= len(r.spans) || !takenFor(r.tokens[r.spans[next].first].key) {
		return false
	}
	e := r.spans[next+1].entry
	return e != nil && e.Kind == KindCondition
}

// markEnded reads a treatment under way that has ended as given before: "on ipilimumab 2 years ago", "on pexidartinib,
// drug stopped".
func (r *reader) markEnded() {
	for i := range r.spans {
		for j := r.spans[i].past; r.spans[i].content() == drugs && j < len(r.tokens) && !r.endsClause(j); j++ {
			if hasEnded(r.tokens[j].key) && hasLower(r.tokens[j].raw) { // FA is atrial fibrillation
				for k := range r.spans[i].drugs {
					if d := &r.spans[i].drugs[k]; d.Role == Background {
						d.Role = Prior
					}
				}
			}
		}
	}
}

// dropRepeated keeps only the second mention of a drug that is under way and then asked about: "ATO/ATRA - pause ATO?"
func (r *reader) dropRepeated() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != drugs || len(s.drugs) > 1 || s.drugs[0].Role != Background {
			continue
		}

		for j := i + 1; j < len(r.spans); j++ {
			if o := &r.spans[j]; o.content() == drugs && len(o.drugs) == 1 && o.drugs[0].Name == s.drugs[0].Name &&
				o.drugs[0].Role == Given {
				s.gone, s.covered = true, saidAlready+r.text[o.start:o.end]
				break
			}
		}
	}
}

// markStated reads the treatments of a clause before the one that asks as stated: in "R1 resection of Merkel cell
// carcinoma: radiotherapy?" the resection is no alternative. A sign that ends a clause must separate the two, and the
// rest must be a question: it has a question mark, or "or" or "versus" between its treatments.
func (r *reader) markStated() {
	last := -1 // the last span of a treatment before the clause that asks
	for i := range r.spans {
		if r.spans[i].content() != drugs || !r.spans[i].drugs[0].isAsked() {
			continue
		}

		if last >= 0 && r.isParted(last, i) && r.isQuestion(i) {
			r.set(last)
			return
		}
		last = i
	}
}

// isParted reports whether a clause ends between two spans, and the second does not continue the first.
func (r *reader) isParted(i, j int) bool {
	a, b := &r.spans[i].drugs[0], &r.spans[j].drugs[0]

	isJoined := a.Role != Given && a.Role != Then ||
		b.Role == Then && !r.namesReplacement() || r.spans[j].open || a.arm > 0 && a.arm == b.arm
	if isJoined || r.spans[i].end >= r.spans[j].start {
		return false
	}

	for k := r.spans[i].past; k <= r.spans[j].first; k++ {
		if k > 0 && r.tokens[k-1].end <= r.tokens[k].start && r.endsClause(k) {
			isAsked := strings.ContainsAny(r.text[r.tokens[k-1].end:r.tokens[k].start], "?？") // "A? B?" asks for both
			return !isAsked && (r.asksAt(k) ||
				!slices.ContainsFunc(r.tokens[k:r.spans[j].first], func(t token) bool { return goesOn(t.key) }))
		}
	}
	return false
}

// endsClause reports whether a clause ends before token k; in Chinese a comma ends one, since lists have another sign.
func (r *reader) endsClause(k int) bool {
	gap := r.text[r.tokens[k-1].end:r.tokens[k].start]
	return parts(gap) || strings.ContainsAny(gap, ",，") && strings.ContainsFunc(r.tokens[k-1].raw+r.tokens[k].raw, isHan)
}

// asksAt reports whether a question whether to do something begins at token k, however it continues: "是否加".
func (r *reader) asksAt(k int) bool {
	isChinese := func(word string) bool { return strings.HasPrefix(r.text[r.tokens[k].start:], word) }
	return whether(r.tokens[k].key) || slices.ContainsFunc([]string{"是否", "能否", "可否", "要不要"}, isChinese)
}

// isQuestion reports whether the clause with the treatment at span i asks.
func (r *reader) isQuestion(i int) bool {
	if strings.ContainsAny(r.text[r.spans[i].end:], "?？") {
		return true
	}
	return slices.ContainsFunc(r.spans[i].drugs, func(d Drug) bool { return d.Role == Compared })
}

// set reads the asked treatments up to span last as background or prior, except those repeated behind it.
func (r *reader) set(last int) {
	again := func(name string) bool {
		return slices.ContainsFunc(r.spans[last+1:], func(s span) bool {
			return !s.gone && slices.ContainsFunc(s.drugs, func(d Drug) bool { return d.Name == name })
		})
	}

	step := 0 // of the stated treatments, the last in order may be under way
	for _, s := range r.spans[:last+1] {
		for _, d := range s.drugs {
			step = max(step, d.step)
		}
	}

	for i := range r.spans[:last+1] {
		for k := range r.spans[i].drugs {
			if d := &r.spans[i].drugs[k]; (d.Role == Given || d.Role == Then) && !again(d.Name) {
				isBefore := d.step < step

				d.Role, d.step, d.stated = Background, 0, true
				if isBefore || r.isOver(i) {
					d.Role = Prior
				}
			}
		}
	}
}

// isOver reports whether the stated treatment at span i is over: an operation is, unless a word makes it a planned one,
// while a drug may be under way.
func (r *reader) isOver(i int) bool {
	s := &r.spans[i]
	isAhead := s.first > 0 && (r.tokens[s.first-1].key == "pre" ||
		r.lexicon.wordList(r.tokens[s.first-1].key).name() == wordsSequence) ||
		slices.ContainsFunc(r.tokens[r.clauseOf(s.first):s.first], func(t token) bool { return ahead(t.key) })
	return s.is(KindTreatment) && !isAhead
}

// markCauses reads the drug right before a toxicity as its cause, and so as background: "infliximab for nivolumab
// colitis".
func (r *reader) markCauses() {
	for i := range r.spans {
		j := r.neighbour(i, 1)
		if r.spans[i].content() != drugs || j < 0 || r.spans[j].entry == nil || r.between(i, j) != " " {
			continue
		}

		if s := &r.spans[j]; s.content() == circumstances && s.entry.Aspect == "toxicity" && s.entry.Name != "toxicity" {
			r.spans[i].assume(Background)
		}
	}
}

// asksOfSupport reports whether a question is about the harms of a treatment under way, not about continuing it: which
// prophylaxis, what to do for a toxicity.
func (r *reader) asksOfSupport() bool {
	isSupport := false
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || len(s.sets) == 0 || s.sets[0].Entry == nil || s.sets[0].Status != Present {
			continue
		}

		switch e := s.sets[0].Entry; {
		case isInstead(e), replacing(e.Name), e.Name == "treatment continuation", e.Aspect == "outcome":
			return false
		case e.Name == "prevention", e.Aspect == "toxicity" && e.Name != e.Aspect:
			isSupport = true
		}
	}
	return isSupport && slices.ContainsFunc(r.tokens, func(t token) bool { return asksHow(t.key) })
}
