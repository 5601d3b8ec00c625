package lexicon

import (
	"slices"
	"strings"
)

// attach gives each gene and biomarker the changes and levels beside it, and makes alterations and biomarkers of them.
func (r *reader) attach() {
	owned := map[int][]int{} // by span of a marker, the spans of its changes
	for i := range r.spans {
		if r.spans[i].isChange() {
			if owner := r.ownerOf(i); owner >= 0 {
				owned[owner] = append(owned[owner], i)
			}
		}
	}
	r.share(owned)

	for i := range r.spans {
		switch s := &r.spans[i]; {
		case s.targeted || s.gone:
		case s.isMarker() && s.is(KindBiomarker) && !r.isGeneAfterAll(s, owned[i]):
			r.mark(i, owned[i])
		case s.isMarker():
			for _, changes := range r.parted(owned[i]) {
				s.alts = append(s.alts, r.alterations(s, r.partOf(i, owned[i]), changes)...)
			}
			r.copies(s, owned[i])
		case len(s.variants) > 0 && r.ownerOf(i) < 0:
			changes := r.ofOrphan(i)
			if s.alts = orphans(s, r.partOf(i, changes), r.factOf(changes).status); len(s.alts) > 0 {
				owned[i] = changes
			}
		}
	}

	for owner, changes := range owned {
		for _, i := range changes {
			r.spans[i].gone = !r.isLevelLeft(owner, i)
		}
	}
}

// isLevelLeft reports whether the word at span i is a level that does not fit the alterations of its gene, and so stays
// among the question's words: a high and a low ratio of FLT3-ITD differ.
func (r *reader) isLevelLeft(owner, i int) bool {
	name, s := r.changeName(i), &r.spans[owner]
	if len(s.alts) == 0 || len(s.sets) > 0 || !isLevel(name) {
		return false
	}
	return !slices.ContainsFunc(s.alts, func(a Alteration) bool { return a.Kind == Expression && a.Change == name })
}

// isLevel reports whether a change is a level, not a kind or a status: "high", "low".
func isLevel(name string) bool {
	_, isKind := kindOfChange()[name]
	_, isOpposite := opposites()[name]
	isStatus := slices.Contains([]string{"wild-type", "negative", "positive", eitherFinding, eitherState}, name)
	return name != "" && !isKind && !isOpposite && !isStatus
}

// copies keeps the degree of a gene's amplification, which is no level of its expression: "high-level MET
// amplification".
func (r *reader) copies(s *span, changes []int) {
	if !slices.ContainsFunc(s.alts, func(a Alteration) bool { return a.Kind == Amplification }) ||
		slices.ContainsFunc(s.alts, func(a Alteration) bool { return a.Kind == Expression }) {
		return
	}

	for _, i := range changes {
		e, ok := r.lexicon.Lookup(KindSetting, r.changeName(i)+"-level amplification")
		if ok {
			s.sets = append(s.sets, Circumstance{Part: r.part(&r.spans[i]), Aspect: e.Aspect, Value: e.Name, Entry: e,
				Status: Present})
		}
	}
}

// isGeneAfterAll reports whether an apparent biomarker is the gene of the same name: PD-L1 amplification, AR-V7.
func (r *reader) isGeneAfterAll(s *span, changes []int) bool {
	gene := r.as(s, KindGene)
	if gene == nil {
		return false
	}

	genetic := slices.ContainsFunc(changes, func(i int) bool {
		return len(r.spans[i].variants) > 0 || geneticChanges(r.changeName(i))
	})
	if genetic {
		s.entry = gene
	}
	return genetic
}

func (r *reader) changeName(i int) string {
	if s := &r.spans[i]; s.is(KindChange) {
		return s.entry.Name
	}
	return ""
}

// partOf returns the text of a marker and its changes, or of the marker alone if another marker stands among them.
func (r *reader) partOf(i int, changes []int) Part {
	start, end := r.spans[i].start, r.spans[i].end
	for _, c := range changes {
		start, end = min(start, r.spans[c].start), max(end, r.spans[c].end)
	}

	for j := range r.spans {
		s := &r.spans[j]
		if s.start >= start && s.end <= end && j != i && !s.gone && s.isMarker() {
			return Part{Text: r.text[r.spans[i].start:r.spans[i].end], Start: r.spans[i].start, End: r.spans[i].end}
		}
	}
	return Part{Text: r.text[start:end], Start: start, End: end}
}

// mutatedIn maps genes to the tumour in which "positive" means a mutation: a medullary thyroid carcinoma has no fusions
// of RET. For EGFR in lung cancer only a plus does, since papers use the word for expression, too.
var mutatedIn = map[string]string{"RET": "medullary thyroid carcinoma", "EGFR": "lung cancer"}

// meansMutation reports whether "positive" behind a gene, or a plus, means a mutation.
func (r *reader) meansMutation(gene string, isPlus bool) bool {
	tumour := mutatedIn[gene]
	if gene == "EGFR" && (!r.typed || !isPlus) {
		return false
	}
	isThere := func(s span) bool {
		return slices.ContainsFunc(s.concepts, func(c Concept) bool {
			return c.Name == tumour || c.Entry != nil && r.lexicon.within(KindTumour, c.Name, tumour)
		})
	}
	return mutatedGenes(gene) || tumour != "" && slices.ContainsFunc(r.spans, isThere)
}

// fact is the sum of the words beside one gene.
type fact struct {
	variants []Variant
	kinds    []string // names of changes that are a kind
	level    string
	status   Status
	positive bool
	isSign   bool // the last change is a sign, not a word
}

// eitherState is the change of a gene that may be mutated or not.
const eitherState = "mutated or wild-type"

// besideVariants are the kinds that a variant's name does not include, but that add to it: "MET exon 14 skipping and
// amplification".
var besideVariants = []AlterationKind{Amplification, Fusion, Expression, Methylation}

func (r *reader) factOf(changes []int) fact {
	f := fact{status: Present}
	for _, i := range changes {
		f.variants = append(f.variants, r.spans[i].variants...)
		f.isSign = r.spans[i].start >= r.tokens[r.spans[i].past-1].end

		name := r.changeName(i)
		if of, ok := opposites()[name]; ok {
			name, f.status = of, Absent
		}

		if name == eitherState {
			name, f.status = "mutation", Open
		}

		switch _, isKind := kindOfChange()[name]; {
		case isLevel(name):
			f.level = name
		case isKind:
			if !slices.Contains(f.kinds, name) {
				f.kinds = append(f.kinds, name)
			}
		case name == "wild-type" && f.status == Absent: // "not wild-type"
			f.status = NotWildType
		case name == "wild-type":
			f.status = WildType
		case name == "negative":
			f.status = Absent
		case name == "positive":
			f.positive = true
		case name == eitherFinding:
			f.status = Open
		}
	}
	return f
}

// alterations makes the alterations of one gene from the words beside it.
func (r *reader) alterations(s *span, part Part, changes []int) []Alteration {
	f := r.factOf(changes)
	base := Alteration{Part: part, Entry: s.entry, Origin: s.origin, Status: f.status}

	base.Gene = r.text[s.start:s.end]
	if s.entry != nil {
		base.Gene = s.entry.Name
	}
	var out []Alteration

	add := func(kind AlterationKind, change string) {
		a := base
		a.Kind, a.Change = kind, change
		out = append(out, a)
	}
	for _, v := range f.variants {
		kind, name := NamedChange, v.Name
		if v.Change == exonChange {
			kind = ExonChange
			name = exonName(base.Gene, v, f.kinds)
		}
		add(kind, name)
	}

	switch {
	case len(f.variants) > 0:
		for _, name := range f.kinds {
			if slices.Contains(besideVariants, AlterationKind(kindOfChange()[name])) {
				add(AlterationKind(kindOfChange()[name]), r.changeOf(name, f))
			}
		}
	case len(f.kinds) > 0:
		for _, name := range narrowest(f.kinds) {
			add(AlterationKind(kindOfChange()[name]), r.changeOf(name, f))
		}
	case f.level != "":
		add(Expression, f.level)
	case f.status == WildType:
		add(AnyAlteration, "")
	case r.meansMutation(base.Gene, f.isSign && f.positive) && (f.positive || f.status == Absent || f.status == Open):
		add(Mutation, "")
	case fusionGenes(base.Gene) && (f.positive || f.status == Absent || f.status == Open), strings.Contains(base.Gene,
		"-") && r.isFusionEntry(s):
		add(Fusion, "")
	case f.positive || f.status == Absent || f.status == Open:
		add(Expression, "positive")
	default:
		add(AnyAlteration, "")
	}
	return out
}

// narrowest leaves out "alteration" beside any other kind, and "mutation" beside one that is a mutation too: an
// insertion mutation is one thing, a mutation and an amplification are two.
func narrowest(kinds []string) []string {
	if len(kinds) == 1 {
		return kinds
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(k string) bool {
		return k == "alteration" || k == "mutation" && slices.ContainsFunc(kinds, func(o string) bool {
			return AlterationKind(kindOfChange()[o]) == NamedChange || o == "loss of function"
		})
	})
}

// changeOf returns what the word adds to its kind: "overexpression", "low"; "" if it adds nothing.
func (r *reader) changeOf(name string, f fact) string {
	switch name {
	case "internal tandem duplication":
		return "ITD"
	case "overexpression", "truncation", "insertion", "duplication", "skipping", "copy number gain", "polysomy",
		"homozygous deletion", "loss of expression", "loss of function":
		return name
	case "expression":
		if f.level != "" {
			return f.level
		}

		if f.positive || f.status == Absent || f.status == Open {
			return "positive"
		}
		return name
	}
	return ""
}

// exonName names a change of an exon by its meaning in its gene: METex14 is the skipping of that exon.
func exonName(gene string, v Variant, kinds []string) string {
	if gene == "MET" && (v.Name == "exon 14" || v.Name == "exon 14 mutation") && !slices.Contains(kinds, "deletion") {
		return "exon 14 skipping"
	}

	if v.Name != "exon "+v.Exon {
		return v.Name
	}

	for _, k := range kinds {
		if k == "deletion" || k == "insertion" || k == "skipping" || k == "duplication" {
			return v.Name + " " + k
		}
	}
	return v.Name
}

// orphans returns the alterations of variants without a gene, except those that are variants only beside a gene.
func orphans(s *span, part Part, status Status) []Alteration {
	var out []Alteration
	for _, v := range s.variants {
		a := Alteration{Part: part, Kind: NamedChange, Change: v.Name, Status: status}
		if v.lacking {
			a.Status = denied(status)
		}

		switch {
		case v.needsGene:
			continue
		case v.Change == exonChange:
			a.Kind = ExonChange
		case v.Change == chromosomalChange:
			a.Kind = Cytogenetic
		case v.Change == hlaType:
			a.Kind = HLAType
		}
		out = append(out, a)
	}
	return out
}
