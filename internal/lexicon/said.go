package lexicon

import (
	"slices"
	"strings"
)

// Read reads a text as its authors wrote it: a title, a heading, a sentence of an abstract or of a report. Unlike
// Understand, which reads questions that people typed, it corrects nothing and takes nothing out. It reads a short form
// before a number as a figure, not as a marker.
func (l *Lexicon) Read(text string) Question {
	var q Question
	l.read(&q, text, false)
	q.Biomarkers = slices.DeleteFunc(q.Biomarkers, func(b Biomarker) bool { return isFigure(q.Text, b.Part) })
	return q
}

// Said holds what a record states about tumours, genes, markers, drugs and settings, for statements to be checked
// against.
type Said struct {
	lexicon     *Lexicon
	tumours     []Concept
	alterations []Alteration
	biomarkers  []Biomarker
	drugs       []Drug
	settings    []Circumstance
	words       string // all words in their folded form, a space before and behind each
}

// Unsupported is a part of a statement that none of its records supports.
type Unsupported struct {
	Part
	Of   string // the gene, the marker or the aspect that it is about; empty for tumours and drugs
	Kind Kind   // KindTumour, KindDrug, KindGene, KindSetting, or KindChange for a gene's change, level or status
}

// Said reads the texts of a record, sentences and headings, each separately, so that no reading spans two of them.
func (l *Lexicon) Said(texts []string) *Said {
	s := &Said{lexicon: l}
	var words strings.Builder
	words.WriteByte(' ')

	for _, text := range texts {
		q := l.Read(predicates(text))
		l.addTargets(&q)
		s.tumours = append(s.tumours, q.Tumours...)
		s.alterations = append(s.alterations, q.Alterations...)
		s.biomarkers = append(s.biomarkers, q.Biomarkers...)
		s.drugs = append(s.drugs, q.Drugs...)

		s.settings = append(s.settings, q.Setting...)
		for i := range q.Tumours {
			s.imply(q.Tumours[i].Entry)
		}

		for _, t := range tokenize(text) {
			words.WriteString(t.key)
			words.WriteByte(' ')
		}
	}
	s.words = words.String()
	return s
}

// predicates blanks the verb between a gene and its status, so that "EGFR was wild-type" reads as "EGFR wild-type".
// Every byte keeps its place.
func predicates(text string) string {
	return forms("predicate").ReplaceAllStringFunc(text, func(m string) string {
		verb := strings.IndexByte(m, ' ')
		if verb < 0 {
			return m
		}
		return strings.Repeat(" ", verb) + m[verb:]
	})
}

// imply adds the receptor statuses that a tumour's name implies: triple-negative breast cancer is HER2-negative.
func (s *Said) imply(e *Entry) {
	if e == nil {
		return
	}

	for _, text := range e.Implies {
		q := s.lexicon.implied(text)
		s.alterations = append(s.alterations, q.Alterations...)
		s.biomarkers = append(s.biomarkers, q.Biomarkers...)
	}
}

// Unsupported lists the parts of a sentence that no record supports, in the sentence's order (docs/METHOD.md,
// "Grounding"). A record supports the same claim in other words and a broader one; never a narrower or different one,
// or one of the opposite status. It skips treatments that are no drugs, organs, and words that fit every tumour.
func (l *Lexicon) Unsupported(sentence string, records []*Said) []Unsupported {
	q := l.Read(predicates(sentence))
	var out []Unsupported

	look := func(p Part, kind Kind, of string, in func(*Said) bool) {
		if !slices.ContainsFunc(records, in) {
			p.Text = sentence[p.Start:p.End]
			out = append(out, Unsupported{p, of, kind})
		}
	}
	for i := range q.Tumours {
		c := &q.Tumours[i]

		_, organ := l.Lookup(KindSite, c.Text) // beside a drug or a gene: a question means its tumours, a statement may not

		isBroad := l.isBroad(c) && !l.within(KindTumour, c.Entry.Name, ofBlood)
		if c.Status == Present && !organ && !isBroad {
			look(c.Part, KindTumour, "", func(s *Said) bool { return s.hasTumour(c) })
		}
	}

	for i := range q.Alterations {
		a := &q.Alterations[i]

		kind := KindChange
		if a.Kind == AnyAlteration && a.Status == Present {
			kind = KindGene
		}

		of := ""
		if a.Status == WildType || a.Status == NotWildType || a.Kind == Mutation {
			of = a.Gene
		}
		look(a.Part, kind, of, func(s *Said) bool { return s.hasAlteration(a) })
	}

	for i := range q.Biomarkers {
		b := &q.Biomarkers[i]
		look(b.Part, KindChange, b.Name, func(s *Said) bool { return s.hasBiomarker(b) })
	}

	for i := range q.Drugs {
		d := &q.Drugs[i]

		isDrug := d.Entry == nil || d.Entry.Kind != KindTreatment
		if isDrug && !isCounted(q.Text, d) && !(d.Class && d.Start > 0 && q.Text[d.Start-1] == '-') { // axis-targeted
			look(d.Part, KindDrug, "", func(s *Said) bool { return s.hasDrug(d) })
		}
	}
	unsaidSettings(&q, look)
	slices.SortStableFunc(out, func(a, b Unsupported) int { return a.Start - b.Start })
	return out
}

// isFigure reports whether a short form stands before a number, where it is the name of a figure: HR is a hazard ratio
// and no hormone receptor, PR a partial response.
func isFigure(text string, p Part) bool {
	rest := strings.TrimLeft(text[p.End:], " ,:=(")
	return len(p.Text) <= 3 && rest != "" && (isDigit(rest[0]) || rest[0] == '.' || strings.HasPrefix(rest, "of "))
}

// isCounted reports whether an apparent drug code is a short form with a number or a year: HR 3.2 is no h-R3, and ISMO
// 2025 a guideline.
func isCounted(text string, d *Drug) bool {
	_, number, found := strings.Cut(d.Text, " ")
	if !found || strings.Trim(number, "0123456789") != "" {
		return false
	}
	isYear := len(number) == 4 && (number[:2] == "19" || number[:2] == "20")
	rest := text[d.End:]
	isDecimal := len(rest) > 1 && rest[0] == '.' && isDigit(rest[1])
	return isYear || isDecimal || len(number) < 3 || strings.HasPrefix(rest, "%")
}

// Tells reports whether a record states anything about a gene, a marker, or an aspect of who was treated and when.
func (s *Said) Tells(of string) bool {
	return of != "" && (slices.ContainsFunc(s.alterations, func(a Alteration) bool { return a.Gene == of }) ||
		slices.ContainsFunc(s.biomarkers, func(b Biomarker) bool { return b.Name == of }) ||
		slices.ContainsFunc(s.settings, func(c Circumstance) bool { return c.Aspect == of && c.Entry != nil }))
}

// hasTumour reports whether a record supports a tumour. It also joins two places of the record, such as "lung cancer"
// in one and "adenocarcinoma" in the other, unless the record names another organ too.
func (s *Said) hasTumour(stated *Concept) bool {
	l := s.lexicon
	if slices.ContainsFunc(s.tumours, func(c Concept) bool { return l.Holds(stated, &c) }) {
		return true
	}

	if stated.Site == "" {
		return false
	}

	var site, kind bool
	for _, c := range s.tumours {
		if c.Site != "" && !l.within(KindSite, c.Site, stated.Site) {
			return false
		}
		site = site || c.Site != ""
		kind = kind || l.within(KindTumour, c.Type, stated.Type) && l.qualifiesFor(stated.Qualifiers, c.Qualifiers)
	}
	return site && kind
}

// says reports whether a record has a text's words, folded, in their order.
func (s *Said) says(text string) bool {
	var b strings.Builder
	for _, t := range tokenize(text) {
		b.WriteByte(' ')
		b.WriteString(t.key)
	}
	return b.Len() > 0 && strings.Contains(s.words, b.String()+" ")
}

func (s *Said) hasAlteration(stated *Alteration) bool {
	if slices.ContainsFunc(s.alterations, func(r Alteration) bool { return bearsOut(stated, &r) }) {
		return true
	}
	// The record may still name a gene that was read as part of something else, such as a drug's class.
	return stated.Kind == AnyAlteration && stated.Status == Present && s.says(stated.Text)
}

func (s *Said) hasBiomarker(stated *Biomarker) bool {
	positive := strings.Contains(fold(stated.Text), "positive") || strings.HasSuffix(stated.Text, "+")
	mention := stated.Status == Present && stated.Level == "" && !positive
	return slices.ContainsFunc(s.biomarkers, func(r Biomarker) bool {
		switch {
		case r.Name != stated.Name:
			return false
		case mention:
			return true
		}
		// Thresholds are numbers, which are checked as numbers elsewhere.
		return r.Status == stated.Status && (stated.Level == "" || stated.Level == r.Level || isNumeric(stated.Level))
	}) || mention && s.says(stated.Text)
}

func (s *Said) hasDrug(stated *Drug) bool {
	for i := range s.drugs {
		if r := &s.drugs[i]; stated.Name == r.Name || stated.Class && s.lexicon.isOfClass(r, stated) {
			return true
		}
	}
	// No list has the parts of an unknown name, so the record must have its words. A known name might be a part of
	// another drug's.
	return (!stated.Known || stated.Class) && s.says(stated.Text)
}

// targets are the genes that a drug or a class acts on.
func (d *Drug) targets() []string {
	if d.Entry != nil {
		return d.Entry.Targets
	}
	return d.Targets
}
