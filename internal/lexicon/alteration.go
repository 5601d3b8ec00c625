package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"dossier/internal/text"
)

// connectors may stand between a gene and what has become of it without parting them.
var connectors = text.Set(`
	and or the a an gene genes p of in with harboring harbouring both kinase is are status tumor tumors disease plus
	somatic germline activating pathogenic hotspot gen nor either del de du di da do der des im in-frame y e et und
	oder o ou 的 基 因 基因`)

// attach gives each gene and biomarker the changes and levels that stand beside it, and makes alterations and
// biomarkers of them.
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

// isLevelLeft says that the word at span i is a level that the alterations of its gene have no place for, so that it
// stays among the question's words: a high and a low ratio of FLT3-ITD are two.
func (r *reader) isLevelLeft(owner, i int) bool {
	name, s := r.changeName(i), &r.spans[owner]
	if len(s.alts) == 0 || len(s.sets) > 0 || !isLevel(name) {
		return false
	}
	return !slices.ContainsFunc(s.alts, func(a Alteration) bool { return a.Kind == Expression && a.Change == name })
}

// isLevel says that a change is none of a kind or a status: "high", "low".
func isLevel(name string) bool {
	_, isKind := kindOfChange[name]
	_, isOpposite := opposites[name]
	isStatus := slices.Contains([]string{"wild-type", "negative", "positive", eitherFinding, eitherState}, name)
	return name != "" && !isKind && !isOpposite && !isStatus
}

// copies keeps how far a gene is amplified, which is no level of its expression: "high-level MET amplification".
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

// isGeneAfterAll says that what looks like a biomarker is the gene of the same name: PD-L1 amplification, AR-V7.
func (r *reader) isGeneAfterAll(s *span, changes []int) bool {
	gene := r.as(s, KindGene)
	if gene == nil {
		return false
	}
	genetic := slices.ContainsFunc(changes, func(i int) bool {
		return len(r.spans[i].variants) > 0 || slices.Contains(geneticChanges, r.changeName(i))
	})
	if genetic {
		s.entry = gene
	}
	return genetic
}

// geneticChanges become of a gene, and not of a protein's level.
var geneticChanges = []string{"mutation", "fusion", "amplification", "deletion", "insertion", "duplication",
	"truncation", "wild-type", "copy number gain", "polysomy", "non-amplified", "homozygous deletion", "methylation",
	"unmethylated"}

func (r *reader) changeName(i int) string {
	if s := &r.spans[i]; s.is(KindChange) {
		return s.entry.Name
	}
	return ""
}

// ownerOf finds the marker that the change at span i belongs to: the one before it, else, for what may stand first
// ("exon 20 insertion EGFR", "amplified ERBB2", "high TMB"), the one after it; -1 where there is none.
func (r *reader) ownerOf(i int) int {
	if len(r.spans[i].variants) > 0 && r.spans[i].variants[0].Change >= chromosomalChange {
		return -1
	}
	if at := r.changeBehind(i); at >= 0 {
		return r.ownerOf(at)
	}
	if r.isFinding(i) && i > 0 && r.spans[i].start-r.spans[i-1].end <= 1 && r.spans[i-1].is(KindSetting) &&
		!r.spans[i-1].isOrigin() {
		return -1 // of FLT3-TKD- the kinase domain is negative
	}
	before := r.markerBefore(i)
	after := r.markerAfter(i)
	if level := r.changeName(i); (level == "low" || level == "high") && r.isVariant(i-1) {
		return after // a variant has no level of expression: "FLT3-ITD high" is a share
	}
	if before >= 0 && after >= 0 && r.leansForward(i, before) {
		return after
	}
	if before >= 0 {
		return before
	}
	return after
}

// leansForward says that a change belongs to what follows although a marker stands before it: the one before has its
// own already, and a list word parts them ("EGFR mutation and amplified MET"); a comma does, and none what follows
// ("EGFR, wild-type KRAS"); or its own stands before it, as this one does before the next ("high PD-L1 low TMB").
func (r *reader) leansForward(i, before int) bool {
	hasOwn := before > 0 && slices.Contains(forward, r.changeName(before-1)) && r.gapAfter(before-1) == " " &&
		(before == 1 || !r.spans[before-2].isMarker())
	if (strings.Contains(r.gapAfter(i-1), ",") || hasOwn) && r.gapAfter(i) == " " && r.isNextMarker(i) {
		return true
	}
	for j := before + 1; j < i; j++ {
		if r.isListWord(j) {
			return true
		}
	}
	return false
}

func (r *reader) isNextMarker(i int) bool { return i+1 < len(r.spans) && r.spans[i+1].isMarker() }

func (r *reader) markerBefore(i int) int {
	for j := i - 1; j >= 0; j-- {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j):
			return -1
		case s.isMarker():
			if s.targeted || r.isNoGene(s, i) {
				return -1
			}
			return j
		case s.isChange(), s.gone, r.isConnector(s), s.is(KindSetting) && s.entry.Aspect == aspectAlteration:
		case r.isListed(s, wordsComparison) && len(r.spans[i].variants) > 0: // "KIT exon 11 versus exon 9"
		default:
			return -1
		}
	}
	return -1
}

// isNoGene says that marker s can't have the variant at span i: MSI has none.
func (r *reader) isNoGene(s *span, i int) bool {
	return len(r.spans[i].variants) > 0 && s.is(KindBiomarker) && r.as(s, KindGene) == nil
}

// forward are the changes that may stand before their gene.
var forward = []string{"mutation", "fusion", "amplification", "loss", "deletion", "insertion", "overexpression",
	"expression", "wild-type", "methylation", "unmethylated",
	"non-amplified", "high", "low", "intermediate", "deficient", "proficient", "alteration", "intact", "copy number gain",
	"skipping", "truncation", eitherState}

func (r *reader) markerAfter(i int) int {
	if s := &r.spans[i]; len(s.variants) == 0 && !slices.Contains(forward, r.changeName(i)) {
		return -1 // "positive EGFR" is no phrase; the word belongs to something else
	}
	for j := i + 1; j < len(r.spans) && j <= i+4; j++ {
		switch s := &r.spans[j]; {
		case !r.isCloseGap(j - 1):
			return -1
		case s.isMarker():
			// a variant in notation that follows the gene is that one's
			hasOwn := j+1 < len(r.spans) && len(r.spans[j+1].variants) > 0 && r.isCloseGap(j)
			if hasOwn && len(r.spans[i].variants) > 0 || s.targeted || r.isNoGene(s, i) {
				return -1
			}
			return j
		case s.isChange(), s.gone, r.isConnector(s):
		default:
			return -1
		}
	}
	return -1
}

func (r *reader) isConnector(s *span) bool {
	return s.entry == nil && s.form == noForm && (r.joins(s) || s.past == s.first+1 && connectors(r.tokens[s.first].key))
}

// isCloseGap says that nothing but spaces and joining signs stands between span j and the next one.
func (r *reader) isCloseGap(j int) bool {
	gap := r.gapAfter(j)
	return len(gap) <= 6 && strings.Trim(gap, " -–—/,:()[]^+&p.'’|") == "" && !strings.Contains(gap, ". ")
}

// share gives the changes of a list's last gene to the list's others, which have none of their own: "EGFR, ALK or ROS1
// alterations", "KRAS/NRAS wild-type", "mutations in BRCA1 and BRCA2".
func (r *reader) share(owned map[int][]int) {
	for i := range r.spans {
		changes := owned[i]
		if len(changes) == 0 || !r.spans[i].isMarker() {
			continue
		}
		step := -1
		if changes[0] < i {
			step = 1
		}
		isNotation, isSign := r.writtenAs(changes)
		if step < 0 && isNotation {
			continue
		}
		for j := i + step; j >= 0 && j < len(r.spans); j += step {
			s := &r.spans[j]
			if step < 0 && isSign && r.gapAfter(j) != "/" {
				break
			}
			if s.isMarker() && !s.targeted && len(owned[j]) == 0 && r.inOneList(min(j, j-step), max(j, j-step), changes) {
				owned[j] = changes
				continue
			}
			if !r.isListWord(j) || s.isMarker() {
				break
			}
		}
	}
}

// writtenAs says how changes are written, which tells whether those behind a gene may be meant for the genes before it
// too: words are, notations (L858R, ITD) are not, and a plus or minus belongs to its own marker alone but where nothing
// but a slash parts them: "ER/PR+".
func (r *reader) writtenAs(changes []int) (isNotation, isSign bool) {
	for _, i := range changes {
		s := &r.spans[i]
		written := r.text[s.start:s.end]
		isNotation = isNotation || len(s.variants) > 0 || strings.HasSuffix(r.text[:s.start], "-") && !hasLower(written) &&
			!r.shouting && strings.ContainsFunc(written, unicode.IsLetter)
		isSign = isSign || !strings.ContainsFunc(written, unicode.IsLetter)
	}
	return isNotation, isSign
}

// inOneList says that spans a and b, neighbours, are members of one list.
func (r *reader) inOneList(a, b int, changes []int) bool {
	if a < 0 || b >= len(r.spans) {
		return false
	}
	if r.isListWord(a) || r.isListWord(b) {
		return r.isCloseGap(a)
	}
	gap := r.gapBetween(a, b)
	if strings.ContainsAny(gap, "/,&") && r.isCloseGap(a) {
		return true
	}
	last := &r.spans[changes[len(changes)-1]]
	plural := strings.HasSuffix(strings.ToLower(r.text[last.start:last.end]), "s")
	return (plural || r.changeName(changes[0]) == "wild-type") && r.isCloseGap(a)
}

// partOf is the text of a marker and its changes where they stand side by side; else the marker's alone.
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

// fusionGenes are those whose "positive" means a fusion.
var fusionGenes = []string{"ALK", "ROS1", "RET", "NTRK", "NTRK1", "NTRK2", "NTRK3", "NRG1", "FOXO1", "KMT2A", "ZFTA"}

// mutatedGenes are those whose "positive" means a mutation: that they are expressed is never asked.
var mutatedGenes = []string{"NPM1", "FLT3", "JAK2", "CALR", "MPL", "MYD88", "SF3B1", "IDH", "IDH1", "IDH2", "RAS", "KRAS",
	"NRAS", "HRAS", "BRAF", "TERT", "BRCA", "BRCA1", "BRCA2"}

// meansMutation says that "positive" behind a gene means a mutation. Of RET it does in a medullary thyroid carcinoma,
// which has no fusions of it.
func (r *reader) meansMutation(gene string) bool {
	return slices.Contains(mutatedGenes, gene) || gene == "RET" && slices.ContainsFunc(r.spans, func(s span) bool {
		return slices.ContainsFunc(s.concepts, func(c Concept) bool { return c.Name == medullaryThyroid })
	})
}

const medullaryThyroid = "medullary thyroid carcinoma"

// fact is what the words beside one gene add up to.
type fact struct {
	variants []Variant
	kinds    []string // names of changes that say a kind
	level    string
	status   Status
	positive bool
}

// kindOfChange says which kind of alteration a word stands for; the words that are missing say a level or a status.
var kindOfChange = map[string]AlterationKind{
	"mutation": Mutation, "fusion": Fusion, "amplification": Amplification, "copy number gain": Amplification,
	"polysomy": Amplification, "loss": Loss, "deletion": Loss, "homozygous deletion": Loss, "loss of expression": Loss,
	"loss of function": Loss,
	"deficient":        Loss, "overexpression": Expression, "expression": Expression, "methylation": Methylation,
	"truncation":                  Mutation,
	"internal tandem duplication": NamedChange, "insertion": NamedChange, "duplication": NamedChange,
	"skipping": NamedChange, "alteration": AnyAlteration,
}

// eitherState is the change of a gene that may be mutated or not.
const eitherState = "mutated or wild-type"

// opposites are words for the absence of what another word says.
var opposites = map[string]string{"non-amplified": "amplification", "unmethylated": "methylation", "intact": "loss",
	"proficient": "loss"}

// besideVariants are the kinds that are no part of what a variant's name says, but come on top of it: "MET exon 14
// skipping and amplification".
var besideVariants = []AlterationKind{Amplification, Fusion, Expression, Methylation}

func (r *reader) factOf(changes []int) fact {
	f := fact{status: Present}
	for _, i := range changes {
		f.variants = append(f.variants, r.spans[i].variants...)
		name := r.changeName(i)
		if of, ok := opposites[name]; ok {
			name, f.status = of, Absent
		}
		if name == eitherState {
			name, f.status = "mutation", Open
		}
		switch _, isKind := kindOfChange[name]; {
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

// alterations makes the alterations of one gene of the words beside it.
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
			if slices.Contains(besideVariants, kindOfChange[name]) {
				add(kindOfChange[name], r.changeOf(name, f))
			}
		}
	case len(f.kinds) > 0:
		for _, name := range narrowest(f.kinds) {
			add(kindOfChange[name], r.changeOf(name, f))
		}
	case f.level != "":
		add(Expression, f.level)
	case f.status == WildType:
		add(AnyAlteration, "")
	case r.meansMutation(base.Gene) && (f.positive || f.status == Absent || f.status == Open):
		add(Mutation, "")
	case isFusionGene(base.Gene) && (f.positive || f.status == Absent || f.status == Open), strings.Contains(base.Gene,
		"-") && r.isFusionEntry(s):
		add(Fusion, "")
	case f.positive || f.status == Absent || f.status == Open:
		add(Expression, "positive")
	default:
		add(AnyAlteration, "")
	}
	return out
}

func isFusionGene(gene string) bool { return slices.Contains(fusionGenes, gene) }

// isFusionEntry says that an entry is named after two genes: BCR-ABL1.
func (r *reader) isFusionEntry(s *span) bool {
	if s.entry == nil {
		return false
	}
	five, three, ok := strings.Cut(s.entry.Name, "-")
	_, first := r.lexicon.find(KindGene, five)
	_, second := r.lexicon.find(KindGene, three)
	return ok && (first || second) && len(five) > 2 && len(three) > 2
}

// narrowest leaves out "alteration" beside a word that says which, and "mutation" beside one that is a mutation too:
// an insertion mutation is one thing, a mutation and an amplification are two.
func narrowest(kinds []string) []string {
	if len(kinds) == 1 {
		return kinds
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(k string) bool {
		return k == "alteration" || k == "mutation" && slices.ContainsFunc(kinds, func(o string) bool {
			return kindOfChange[o] == NamedChange || o == "loss of function"
		})
	})
}

// changeOf is what the word adds to its kind: "overexpression", "low"; "" where the kind says all.
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

// exonName reads a change of an exon as what it means in its gene: METex14 is the skipping of that exon.
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

// orphans are the variants that stand beside no gene. One that is a variant only beside a gene is none.
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

const markerKi67 = "Ki-67"

// mark makes a biomarker of span i and the words beside it.
func (r *reader) mark(i int, changes []int) {
	s := &r.spans[i]
	b := Biomarker{Part: r.partOf(i, changes), Name: s.entry.Name, Entry: s.entry, Status: Present}
	if s.value != "" {
		b.Level, b.Score, _ = strings.Cut(s.value, ":")
	}
	if b.Name == markerKi67 { // a share of all cells, which is written without its sign as well
		b.Level, b.Score = strings.TrimSuffix(b.Level, "%"), ""
		if b.Level != "" {
			b.Level += "%"
		}
	}
	for _, c := range changes {
		switch name := r.changeName(c); name {
		case "positive", "expression", "alteration", "":
		case "negative":
			b.Status = Absent
		case eitherFinding:
			b.Status = Open
		case "wild-type":
			b.Status = WildType
		case "overexpression":
			b.Level = "high"
		case "loss", "deletion", "deficient":
			b.Level = "deficient"
		case "intact", "proficient":
			b.Level = "proficient"
		default:
			b.Level = cmp.Or(b.Level, name)
		}
	}
	s.marks = []Biomarker{b}
}

// fuse joins two genes that a fusion's sign joins: EML4-ALK, PML::RARA, "FGFR2-BICC1 fusion".
func (r *reader) fuse() {
	for i := 0; i+1 < len(r.spans); i++ {
		a, b := &r.spans[i], &r.spans[i+1]
		gap := r.gapAfter(i)
		if !a.isMarker() || a.is(KindBiomarker) {
			continue
		}
		if gap == "::" && b.entry == nil && b.form == noForm {
			b.form = geneForm // whatever it is called, it is the partner
		}
		if !b.isMarker() || b.is(KindBiomarker) {
			continue
		}
		isSign := gap == "::" || (gap == "-" || gap == "–" || gap == "/") &&
			i+2 < len(r.spans) && r.changeName(i+2) == "fusion" && r.isCloseGap(i+1)
		if gap == "-" && a.entry != nil && b.entry != nil && (isFusionGene(a.entry.Name) || isFusionGene(b.entry.Name)) {
			isSign = true
		}
		if !isSign || gap == "/" && (a.entry == nil || b.entry == nil) {
			continue
		}
		r.join(i)
	}
}

// join makes one alteration of the genes at spans i and i+1, in place of both.
func (r *reader) join(i int) {
	a, b := &r.spans[i], &r.spans[i+1]
	name := func(s *span) string {
		if s.entry != nil {
			return s.entry.Name
		}
		return strings.ToUpper(r.text[s.start:s.end])
	}
	main, partner, entry := name(b), name(a), b.entry
	if !slices.Contains(drivers, main) && slices.Contains(drivers, partner) {
		main, partner, entry = partner, main, a.entry
	}
	alt := Alteration{Gene: main, Entry: entry, Kind: Fusion, Partner: partner, Status: Present}
	a.end, a.past = b.end, b.past
	b.gone = true
	for j := i + 2; j < len(r.spans) && r.spans[j].is(KindChange) && r.isCloseGap(j-1); j++ {
		switch r.changeName(j) {
		case "fusion", "positive":
		case "negative":
			alt.Status = Absent
		case eitherFinding:
			alt.Status = Open
		default:
			j = len(r.spans)
			continue
		}
		r.spans[j].gone = true
		a.end = r.spans[j].end
	}
	alt.Part = Part{Text: r.text[a.start:a.end], Start: a.start, End: a.end}
	a.alts, a.entry, a.form, a.key = []Alteration{alt}, nil, noForm, ""
}

// drivers are the genes that a fusion is named for, wherever they stand in it.
var drivers = []string{"ALK", "ROS1", "RET", "NTRK1", "NTRK2", "NTRK3", "FGFR1", "FGFR2", "FGFR3", "PDGFRA", "PDGFRB",
	"NRG1", "BRAF", "MET", "EGFR", "ABL1", "JAK2", "KMT2A", "RARA", "RAF1", "NUTM1"}
