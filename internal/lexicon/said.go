package lexicon

import (
	"slices"
	"strings"
)

// Read takes a text apart as its authors wrote it: a title, a heading, a sentence of an abstract or of a report. It
// is Understand without what is done for a question that somebody typed: nothing is corrected and nothing taken out. A
// short form before its number is a figure, and no marker.
func (l *Lexicon) Read(text string) Question {
	var q Question
	l.read(&q, text, false)
	q.Biomarkers = slices.DeleteFunc(q.Biomarkers, func(b Biomarker) bool { return isFigure(q.Text, b.Part) })
	return q
}

// Said is what a record says of tumours, genes, markers and drugs, ready for statements to be held against it.
type Said struct {
	lexicon     *Lexicon
	tumours     []Concept
	alterations []Alteration
	biomarkers  []Biomarker
	drugs       []Drug
	settings    []Circumstance
	words       string // all words in their folded form, a space before and behind each
}

// Unsupported is a part of a statement that none of its records bears out.
type Unsupported struct {
	Part
	Of   string // the gene, the marker or the aspect of which something is told; empty for tumours and drugs
	Kind Kind   // KindTumour, KindDrug, KindGene, KindSetting, or KindChange for a gene's change, level or status
}

// Said reads the texts of a record one by one: sentences and headings, each for itself, so that nothing is read
// across them.
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

// predicates blanks the verb between a gene and what is said of it, so that "EGFR was wild-type" reads as "EGFR
// wild-type". Every byte keeps its place.
func predicates(text string) string {
	return forms("predicate").ReplaceAllStringFunc(text, func(m string) string {
		verb := strings.IndexByte(m, ' ')
		if verb < 0 {
			return m
		}
		return strings.Repeat(" ", verb) + m[verb:]
	})
}

// imply adds what a tumour's name says of its receptors: triple-negative breast cancer is HER2-negative.
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

// Unsupported lists what a sentence tells that no record says, in its order (docs/METHOD.md, "Grounding"). What
// a record says bears out the same in other words, and what is broader; never what is narrower, another, or of the
// opposite status. Treatments that are no drugs, organs, and words that fit every tumour are not looked for.
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
		if isDrug && !isCounted(q.Text, d) && !endsCompound(q.Text, d) {
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

// isCounted reports whether what looks like a drug's code is a short form and a number or a year: HR 3.2 is no h-R3,
// and ISMO 2025 a guideline.
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

// endsCompound reports whether what looks like a class is the end of a longer word: an androgen-receptor-axis-targeted
// agent.
func endsCompound(text string, d *Drug) bool {
	return d.Class && d.Start > 0 && text[d.Start-1] == '-'
}

// Tells reports whether a record tells something of a gene or a marker, or of an aspect of who was treated and when.
func (s *Said) Tells(of string) bool {
	return of != "" && (slices.ContainsFunc(s.alterations, func(a Alteration) bool { return a.Gene == of }) ||
		slices.ContainsFunc(s.biomarkers, func(b Biomarker) bool { return b.Name == of }) ||
		slices.ContainsFunc(s.settings, func(c Circumstance) bool { return c.Aspect == of && c.Entry != nil }))
}

// hasTumour also joins what a record says in two places: of a lung cancer, and that it was an adenocarcinoma. It
// does not where the record names another organ too.
func (s *Said) hasTumour(told *Concept) bool {
	l := s.lexicon
	if slices.ContainsFunc(s.tumours, func(c Concept) bool { return l.Holds(told, &c) }) {
		return true
	}

	if told.Site == "" {
		return false
	}

	var site, kind bool
	for _, c := range s.tumours {
		if c.Site != "" && !l.within(KindSite, c.Site, told.Site) {
			return false
		}
		site = site || c.Site != ""
		kind = kind || l.within(KindTumour, c.Type, told.Type) && l.qualifiesFor(told.Qualifiers, c.Qualifiers)
	}
	return site && kind
}

// says looks for words as they stand, folded.
func (s *Said) says(text string) bool {
	var b strings.Builder
	for _, t := range tokenize(text) {
		b.WriteByte(' ')
		b.WriteString(t.key)
	}
	return b.Len() > 0 && strings.Contains(s.words, b.String()+" ")
}

func (s *Said) hasAlteration(told *Alteration) bool {
	if slices.ContainsFunc(s.alterations, func(r Alteration) bool { return bearsOut(told, &r) }) {
		return true
	}
	// A gene that was read as part of something else, such as a drug's class, still is in the record by its name.
	return told.Kind == AnyAlteration && told.Status == Present && s.says(told.Text)
}

// bearsOut reports whether what a record tells of a gene is what a statement tells of it, or more.
func bearsOut(told, record *Alteration) bool {
	if !sameGenes(told, record) || told.Origin != "" && record.Origin != "" && told.Origin != record.Origin {
		return false
	}

	if told.Kind == AnyAlteration && told.Status == Present {
		return true
	}

	if !there(told.Status) {
		return isLacking(told, record)
	}

	if !there(record.Status) {
		return false
	}

	switch {
	case told.Kind == AnyAlteration:
		return record.Kind != AnyAlteration || record.Status == NotWildType
	case told.Kind == Mutation:
		return isGenetic(record.Kind) || record.Status == NotWildType
	case isGenetic(told.Kind):
		return isGenetic(record.Kind) && holdsChange(told.Change, record.Change)
	case told.Kind == Expression:
		same := told.Change == "" || told.Change == record.Change || isGain(told) && isGain(record)
		return record.Kind == Expression && same
	}
	return told.Kind == record.Kind && (told.Change == "" || told.Change == record.Change)
}

// isLacking compares two that say of a gene that something is not there. "Wild-type" says that of every mutation, and
// no more is said by one that has "no mutation"; expression is another matter.
func isLacking(told, record *Alteration) bool {
	if there(record.Status) || (told.Status == Open) != (record.Status == Open) ||
		(told.Kind == Expression) != (record.Kind == Expression) {
		return false
	}

	if told.Kind == record.Kind && told.Change == record.Change {
		return true
	}
	all := func(a *Alteration) bool { return a.Kind == AnyAlteration || a.Kind == Mutation }
	return all(record) && (all(told) || isGenetic(told.Kind))
}

// sameGenes reports whether a record's gene is the one told, or one of its family: KRAS of RAS, FGFR2 of FGFR. A fusion
// of two genes needs both, in either order. A change that stands beside no gene is of any.
func sameGenes(told, record *Alteration) bool {
	if told.Gene == "" || record.Gene == "" {
		return told.Change != "" && record.Change != ""
	}
	of := genesOf(record)
	return !slices.ContainsFunc(genesOf(told), func(t string) bool {
		return !slices.ContainsFunc(of, func(r string) bool { return isOfFamily(r, t) })
	})
}

func genesOf(a *Alteration) []string {
	genes := []string{a.Gene}
	if a.Kind == Fusion {
		genes = strings.Split(a.Gene, "-")
	}

	if a.Partner != "" {
		genes = append(genes, a.Partner)
	}
	return genes
}

// isOfFamily reports whether a symbol is a family's with its member's letter before or its number behind.
func isOfFamily(member, family string) bool {
	if member == family {
		return true
	}

	if len(family) < 3 {
		return false
	}

	before, after, found := strings.Cut(member, family)
	switch {
	case !found:
		return false
	case before == "":
		return len(after) <= 2 && strings.Trim(after, "0123456789ABC") == ""
	}
	return after == "" && len(before) == 1 && len(family) == 3
}

// holdsChange reports whether a change told is the record's, or its codon or exon.
func holdsChange(told, record string) bool {
	if told == record {
		return true
	}

	if codon, ok := strings.CutPrefix(told, "codon "); ok {
		return strings.Trim(record, "ABCDEFGHIKLMNPQRSTVWXY*") == codon
	}

	if stem, ok := strings.CutSuffix(told, "X"); ok {
		return strings.HasPrefix(record, stem)
	}

	if isShift, held := holdsShift(told, record); isShift {
		return held
	}
	rest, ok := strings.CutPrefix(record, told)
	return ok && told != "" && !isLetter(told[len(told)-1]) && !isDigit(rest[0])
}

// holdsShift reports whether two changes are frame shifts, and the record's is the one told, which may leave unsaid
// what the record says of it: Q1756fs holds Q1756Pfs*74. Where the new frame stops tells as much as the first new
// residue.
func holdsShift(told, record string) (isShift, held bool) {
	t, r := forms("frame shift").FindStringSubmatch(told), forms("frame shift").FindStringSubmatch(record)
	if t == nil || r == nil {
		return false, false
	}
	sameStop := t[3] == r[3]
	isNear := t[2] == r[2] || t[2] == "" || r[2] == "" && t[3] != "" && sameStop
	return true, t[1] == r[1] && isNear && (sameStop || t[3] == "")
}

func (s *Said) hasBiomarker(told *Biomarker) bool {
	positive := strings.Contains(fold(told.Text), "positive") || strings.HasSuffix(told.Text, "+")
	mention := told.Status == Present && told.Level == "" && !positive
	return slices.ContainsFunc(s.biomarkers, func(r Biomarker) bool {
		switch {
		case r.Name != told.Name:
			return false
		case mention:
			return true
		}
		// Thresholds are numbers, which are looked for as such.
		return r.Status == told.Status && (told.Level == "" || told.Level == r.Level || isNumeric(told.Level))
	}) || mention && s.says(told.Text)
}

func (s *Said) hasDrug(told *Drug) bool {
	for i := range s.drugs {
		if r := &s.drugs[i]; told.Name == r.Name || told.Class && s.lexicon.isOfClass(r, told) {
			return true
		}
	}
	// The parts of a name that nothing knows are in no list: the words themselves have to be there. A known one might
	// be a part of another drug's name.
	return (!told.Known || told.Class) && s.says(told.Text)
}

// targets are the genes that a drug or a class acts on.
func (d *Drug) targets() []string {
	if d.Entry != nil {
		return d.Entry.Targets
	}
	return d.Targets
}
