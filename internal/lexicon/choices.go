package lexicon

import (
	"slices"
	"strings"
)

// choices makes treatments of the settings that replace one: in "surveillance or carboplatin" and "dose reduction
// versus switch to ripretinib" a board may choose either side.
func (r *reader) choices() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.gone || !r.isListed(s, wordsComparison) && !r.isListed(s, wordsAlternative) && !isOr(r.tokens[s.first].key) {
			continue
		}

		before, after := r.chosen(i, -1), r.chosen(i, 1)
		if before < 0 || after < 0 || r.spans[before].content() == r.spans[after].content() {
			continue
		}

		for _, j := range []int{before, after} {
			if r.spans[j].content() == circumstances {
				s := &r.spans[j]
				s.drugs, s.sets = []Drug{{Part: r.part(s), Name: s.entry.Name, Entry: s.entry, Known: true, Role: Given}}, nil
			}
		}
	}
}

// chosen returns the nearest span on one side of a word of choice that is a treatment or a replacement for one, across
// settings of how a treatment is given; -1 if there is none.
func (r *reader) chosen(i, step int) int {
	for j := r.neighbour(i, step); j >= 0; j = r.neighbour(j, step) {
		s := &r.spans[j]
		switch {
		case step > 0 && s.content() == circumstances && r.isOfDrugBehind(j):
			continue
		case s.content() == drugs, s.content() == circumstances && isInstead(s.entry):
			return j
		case !s.isHowGiven():
			return -1
		}
	}
	return -1
}

// isOfDrugBehind reports whether the setting at span i belongs to the drug right behind it, and so is no choice of its
// own: "retreat ven", "maintenance olaparib".
func (r *reader) isOfDrugBehind(i int) bool {
	next := r.neighbour(i, 1)
	e := r.spans[i].entry
	isWith := e != nil && (e.Name == "rechallenge" || e.Name == "maintenance")
	return isWith && next >= 0 && r.spans[next].content() == drugs && isOnly(r.between(i, next), functionWords) &&
		!strings.ContainsAny(r.between(i, next), ",;:.?")
}

// isHowGiven reports whether a span is how a treatment is given.
func (s *span) isHowGiven() bool {
	isAmount := s.form == setForm && strings.HasPrefix(s.value, aspectMeasure)
	return s.content() == circumstances && (isAmount || s.entry != nil && howGiven(s.entry.Aspect))
}

// isInstead reports whether a setting may replace a treatment.
func isInstead(e *Entry) bool {
	return e != nil && e.Kind == KindSetting && slices.Contains([]string{"surveillance", "follow-up", "monitoring",
		"best supportive care", "supportive care", "palliative care", "dose reduction", "dose interruption",
		"treatment discontinuation", "treatment interruption", "rechallenge", "maintenance"}, e.Name)
}

// apposed reads a class and a drug of it side by side as the drug: "the PARP inhibitor olaparib", "olaparib (a PARP
// inhibitor)".
func (r *reader) apposed() {
	for i := range r.spans {
		j := r.neighbour(i, 1)
		if j < 0 || r.spans[i].content() != drugs || r.spans[j].content() != drugs {
			continue
		}
		gap := strings.TrimLeft(r.between(i, j), " ")

		class, drug := i, j
		if strings.HasPrefix(gap, "(") && (gap == "(" || gap == "(a " || gap == "(an ") {
			class, drug = j, i
			if !r.isClassOf(class, drug) {
				class, drug = i, j
			}
		} else if gap != "" {
			continue
		}

		if r.isClassOf(class, drug) {
			s := &r.spans[class]
			s.gone, s.covered = true, saidAlready+r.text[r.spans[drug].start:r.spans[drug].end]
		}
	}
}

// isClassOf reports whether a span is a class of drugs that includes the one drug of another span.
func (r *reader) isClassOf(class, drug int) bool {
	c, d := r.spans[class].drugs, r.spans[drug].drugs
	return len(c) == 1 && len(d) == 1 && c[0].Class && c[0].Entry != nil && !c[0].Entry.Broad && !d[0].Class &&
		slices.Contains(r.lexicon.classesOf(&d[0]), c[0].Entry)
}

// isTargetOf reports whether span i is a gene right before the class of drugs that acts on it: "BCMA CAR-T".
func (r *reader) isTargetOf(i int) bool {
	s := &r.spans[i]
	if s.gone || len(s.alts) != 1 || s.alts[0].Kind != AnyAlteration || s.alts[0].Status != Present ||
		i+1 == len(r.spans) || !r.spans[i+1].is(KindClass) || r.spans[i+1].content() != drugs {
		return false
	}
	gap := r.gapAfter(i)
	return gap == " " || gap == "-"
}

// ownTargets makes the gene before a class that is not asked about part of it: a treatment that was given before, or
// must not be, acts on BCMA, but no tumour was tested for it.
func (r *reader) ownTargets() {
	for i := range r.spans {
		if r.isTargetOf(i) && !r.isAsked(i+1) {
			class := &r.spans[i+1]

			class.start = r.spans[i].start
			class.drugs[0].Part = r.part(class)
			r.spans[i].gone = true
		}
	}
}

// asClass turns a gene in the place of a treatment into the class of drugs against it: "after CDK4/6" is after a CDK4/6
// inhibitor.
func (r *reader) asClass(i int) bool {
	s := &r.spans[i]

	isWhole := s.past == len(r.tokens) || strings.ContainsAny(r.text[s.end:r.tokens[s.past].start], ",;:.?)") ||
		functionWords(r.tokens[s.past].key)
	if s.content() != markers || len(s.alts) == 0 || len(s.marks) > 0 || !isWhole {
		return false
	}

	for _, a := range s.alts {
		if a.Kind != AnyAlteration || a.Status != Present {
			return false
		}
	}

	e, ok := r.lexicon.Lookup(KindClass, r.text[s.start:s.end]+" inhibitor")
	if !ok {
		return false
	}
	s.drugs = []Drug{{Part: r.part(s), Name: e.Name, Entry: e, Class: true, Known: true, Role: Given}}
	s.alts = nil
	return true
}
