package lexicon

import (
	"slices"
	"strconv"
	"strings"
)

// isAction reports whether span i is a single word that makes a class of drugs of a gene.
func (r *reader) isAction(i int) bool {
	s := &r.spans[i]
	if s.gone || s.past != s.first+1 || !actions(r.tokens[s.first].key) {
		return false
	}
	return s.entry == nil || s.is(KindClass)
}

// target makes classes of drugs of genes and the words beside them: "SHP2/SOS1 inhibitors", "anti-EGFR".
func (r *reader) target() {
	for i := range r.spans {
		switch s := &r.spans[i]; {
		case r.typed && s.is(KindGene) && s.entry.Name == "PDCD1" && r.isBareGene(i) && r.isAmongTreatments(i):
			s.targeted = true
		case r.isAction(i):
			r.targetAt(i)
		case s.is(KindClass) && len(s.entry.Targets) == 1 && !s.gone:
			r.targetList(i)
		}
	}

	for i := range r.spans {
		if s := &r.spans[i]; s.targeted && !s.gone {
			s.drugs = []Drug{r.classOf(s)}
		}
	}
}

// isAmongTreatments reports whether a plus joins span i to a treatment, or a word of comparison sets it against one: no
// tumour is tested for PD-1, and "chemo + PD-1" asks for drugs that act on it.
func (r *reader) isAmongTreatments(i int) bool {
	for _, step := range []int{-1, 1} {
		beside, past := i+step, i+2*step
		if beside < 0 || beside >= len(r.spans) {
			continue
		}

		if strings.TrimSpace(r.between(min(i, beside), max(i, beside))) == "+" && r.spans[beside].isTreatment() {
			return true
		}

		isChoice := isOr(r.spans[beside].key) || r.isListed(&r.spans[beside], wordsComparison)
		if isChoice && past >= 0 && past < len(r.spans) && r.spans[past].isTreatment() {
			return true
		}
	}
	return false
}

func (r *reader) targetAt(i int) {
	s := &r.spans[i]
	if r.tokens[s.first].key == "anti" {
		if i+1 < len(r.spans) && r.isBareGene(i+1) && r.isCloseGap(i) {
			next := &r.spans[i+1]
			next.targeted, next.start, s.gone = true, s.start, true
		}
		return
	}

	last := i - 1
	for last >= 0 && r.spans[last].gone {
		last--
	}

	if last >= 0 && r.isCloseGap(last) && r.targetVariant(last) {
		r.spans[last].end, s.gone = s.end, true
		return
	}

	if last < 0 || !r.isBareGene(last) || !r.isCloseGap(last) {
		return
	}
	r.spans[last].targeted, s.gone = true, true
	r.targetList(last)
	r.spans[last].end = s.end
}

// targetVariant makes a class of the variant at span i if its gene stands elsewhere in the question and the dictionary
// has such a class: the "G12D inhibitor" of a question on KRAS G12D.
func (r *reader) targetVariant(i int) bool {
	s := &r.spans[i]
	if s.gone || s.entry != nil || len(s.variants) != 1 {
		return false
	}

	for j := range r.spans {
		if gene := &r.spans[j]; j != i && gene.is(KindGene) {
			if class, ok := r.lexicon.Lookup(KindClass, gene.entry.Name+" "+s.variants[0].Name+" inhibitor"); ok {
				s.variants, s.key, s.entry = nil, fold(class.Name), class
				return true
			}
		}
	}
	return false
}

// targetList marks the genes that stand in one list with the target at span i: "SHP2/SOS1 inhibitor". Without a sign
// between them ("SHP2 SOS1 inhibitor") they are a list where the question has a gene and its variant elsewhere.
func (r *reader) targetList(i int) {
	paired := slices.ContainsFunc(r.spans, func(s span) bool { return len(s.variants) > 0 })
	for j := i - 1; j >= 0 && (r.inTargetList(j) || paired && r.isBareGene(j) && r.isCloseGap(j) &&
		(j+1 >= len(r.spans) || !r.spans[j+1].isChange())); j-- {
		if r.isBareGene(j) {
			r.spans[j].targeted = true
		}
	}
}

// inTargetList reports whether span j and the next are members of one list: "SHP2/SOS1", "EGFR and MET".
func (r *reader) inTargetList(j int) bool {
	if !r.isCloseGap(j) {
		return false
	}

	here, next := r.isBareGene(j), r.isBareGene(j+1) || r.spans[j+1].is(KindClass)
	switch {
	case here && next:
		return strings.ContainsAny(r.gapAfter(j), "/,+&")
	case here:
		return r.isListWord(j + 1)
	}
	return next && r.isListWord(j)
}

func (r *reader) isBareGene(i int) bool {
	s := &r.spans[i]
	return (s.is(KindGene) || s.is(KindBiomarker) || s.form == geneForm) && len(s.variants) == 0 && !s.gone &&
		len(s.alts) == 0
}

// classOf returns the class of the drugs against a gene, by the dictionary's name if it has one.
func (r *reader) classOf(s *span) Drug {
	symbol := r.text[s.start:s.end]

	part, gene := Part{Text: symbol, Start: s.start, End: s.end}, symbol
	if s.entry != nil {
		gene, symbol = s.entry.Name, symbolIn(s.entry, symbol)
	}

	for _, name := range []string{symbol, gene} {
		if class, ok := r.lexicon.Lookup(KindClass, name+" inhibitor"); ok {
			return Drug{Part: part, Name: class.Name, Entry: class, Class: true, Known: true, Role: Given}
		}
	}
	return Drug{Part: part, Name: gene + " inhibitor", Class: true, Known: true, Targets: []string{gene}, Role: Given}
}

// symbolIn returns the gene's longest name that a text begins with, in the dictionary's spelling.
func symbolIn(e *Entry, text string) string {
	key := fold(text)
	key = strings.TrimPrefix(key, "anti")

	best := e.Name
	for _, n := range e.names() {
		if k := fold(n); len(k) > 2 && strings.HasPrefix(key, k) &&
			(len(k) > len(fold(best)) || !strings.HasPrefix(key, fold(best))) {
			best = n
		}
	}
	return best
}

// nameDrugs makes drugs of the spans that name one, or look like one.
func (r *reader) nameDrugs() {
	for i := range r.spans {
		s := &r.spans[i]

		part := r.part(s)
		switch {
		case s.gone || len(s.drugs) > 0:
		case s.is(KindDrug), s.is(KindClass), s.is(KindTreatment):
			s.drugs = []Drug{{Part: part, Name: s.entry.Name, Entry: s.entry, Class: s.is(KindClass), Known: true, Role: Given}}
		case s.form == drugForm:
			name := compact(part.Text)
			if r.lexicon.isDrugName(r.tokens[s.first].key) {
				name = strings.ToLower(part.Text)
			}
			s.drugs = []Drug{{Part: part, Name: name, Role: Given}}
		}
	}
}

// doses reads a dose in Gray as radiotherapy, if the question names none: "1 x 8 Gy enough?"
func (r *reader) doses() {
	isDose := func(s *span) bool { return !s.gone && s.form == setForm && strings.HasSuffix(s.value, " gy") }
	if !slices.ContainsFunc(r.spans, func(s span) bool { return isDose(&s) }) {
		return
	}

	isRadiation := func(s span) bool {
		return slices.ContainsFunc(s.drugs, func(d Drug) bool {
			return d.Entry != nil && r.lexicon.within(d.Entry.Kind, d.Entry.Name, radiotherapy)
		})
	}

	isOther := func(s span) bool { return s.content() != nothing || s.entry != nil }
	if slices.ContainsFunc(r.spans, isRadiation) || !slices.ContainsFunc(r.spans, isOther) {
		return
	}

	e, known := r.lexicon.Lookup(KindTreatment, radiotherapy)
	for i := range r.spans {
		if s := &r.spans[i]; known && isDose(s) {
			s.drugs = []Drug{{Part: r.part(s), Name: e.Name, Entry: e, Known: true, Role: Given}}
		}
	}
}

const radiotherapy = "radiotherapy"

// raised reads a dose that a sign behind its drug raises or lowers: "imatinib ↑ 800 mg", "400 > 800 mg".
func (r *reader) raised() {
	for i := range r.spans {
		s := &r.spans[i]
		if s.content() != drugs {
			continue
		}

		m := forms("dose raised").FindStringSubmatchIndex(r.text[s.end:])
		if m == nil {
			continue
		}
		group := func(n int) string { return r.text[s.end+max(m[2*n], 0) : s.end+max(m[2*n+1], 0)] }
		from, _ := strconv.Atoi(group(2))
		to, _ := strconv.Atoi(group(3))

		name := "dose escalation"
		if group(1) == "↓" || to < from {
			name = "dose reduction"
		}

		if e, ok := r.lexicon.Lookup(KindSetting, name); ok {
			part := Part{Text: strings.TrimSpace(r.text[s.end : s.end+m[1]]), Start: s.end, End: s.end + m[1]}
			s.sets = append(s.sets, Circumstance{Part: part, Aspect: e.Aspect, Value: e.Name, Entry: e, Status: Present})
		}
	}
}

// isGiven reports whether the drug is or was given, asked about or not.
func (d *Drug) isGiven() bool { return d.Role != Withheld && d.Role != NotPrior && d.Role != Excluded }

// isAsked reports whether the question is about giving the drug.
func (d *Drug) isAsked() bool { return d.Role == Given || d.Role == Compared || d.Role == Then }
