package lexicon

import (
	"slices"
	"strings"
)

// relation is what a named value means for an asked one. One function for each kind of value decides it, and whatever
// compares questions, records or statements asks that.
type relation uint8

const (
	unrelated relation = iota // the one means nothing for the other
	equal
	narrower // the named value states all of the asked one, and more: G12C, for a mutation
	broader  // it states less: the gene without its change, a marker without its level
	near     // it may be the asked one: another word for too much of a gene, a level that overlaps
	opposite // the two exclude each other
)

// holds reports whether the named value states all that is asked.
func (r relation) holds() bool { return r == equal || r == narrower }

// mayBe reports whether the named value may be the asked one.
func (r relation) mayBe() bool { return r != unrelated && r != opposite }

// relationOf returns the relation of two values by whether the asked one holds the named one, and the other way round.
func relationOf(holds, isHeld bool) relation {
	switch {
	case holds && isHeld:
		return equal
	case holds:
		return narrower
	case isHeld:
		return broader
	}
	return unrelated
}

// relate compares two assertions. An undecided text ("regardless of HRD") covers a value and its absence, but not
// another change of the gene.
func relate(asked, named *assertion) relation {
	isUndecided := asked.undecided || named.undecided
	switch {
	case asked.alteration != nil && named.alteration != nil:
		return relateStatedAlterations(asked, named, isUndecided)
	case asked.biomarker != nil && named.biomarker != nil:
		if found := relateBiomarkers(asked.biomarker, named); found != opposite || !isUndecided {
			return found
		}
		return relateStated(asked.biomarker, named)
	case asked.metastasis != nil && named.metastasis != nil:
		if found := relateMetastases(asked.metastasis, named.metastasis); found != opposite || !isUndecided {
			return found
		}
		return near
	}
	return unrelated
}

// relateStatedAlterations also compares the origins of two alterations, and what a text leaves undecided.
func relateStatedAlterations(asked, named *assertion, isUndecided bool) relation {
	a, n := asked.alteration, named.alteration

	found, isOtherChange := relateAlterations(a, named), there(a.Status) && there(n.Status) && a.Kind != Expression
	switch changes := relateChanges(a, n); {
	case found == unrelated, found == opposite && isOtherChange:
		return found
	case !isUndecided && areOfOtherOrigins(a, n):
		return opposite
	case found != opposite || !isUndecided:
		return found
	case !there(a.Status):
		return near
	case changes == opposite:
		return broader
	default:
		return changes
	}
}

// relateAlterations compares two alterations of one gene, of a gene and its family, or of no gene.
func relateAlterations(asked *Alteration, named *assertion) relation {
	n := named.alteration
	genes := relateGenes(asked, n)

	switch a, isThere := there(asked.Status), there(n.Status); {
	case genes == unrelated:
		return unrelated
	case a && isThere:
		return relateInFamily(genes, relateChanges(asked, n))
	case a && genes == narrower: // KRAS may be wild-type where RAS is mutated
		return unrelated
	case a && denies(n, asked), isThere && (!isBareGene(n) || named.positive) && denies(asked, n):
		return opposite
	case a || isThere:
		return unrelated
	}
	return relateAbsences(asked, n)
}

func relateGenes(asked, named *Alteration) relation {
	isOne := asked.Gene == named.Gene && (asked.Gene != "" || asked.Kind == named.Kind && asked.Change == named.Change)
	switch {
	case isOne:
		return equal
	case isMemberOf(named.Gene, asked.Gene):
		return narrower
	case isMemberOf(asked.Gene, named.Gene):
		return broader
	}
	return unrelated
}

// relateInFamily combines the relations of two present alterations' genes and changes. Members of a family may have
// different changes at once.
func relateInFamily(genes, changes relation) relation {
	switch {
	case genes == equal:
		return changes
	case changes == opposite:
		return unrelated
	case genes == narrower && changes != broader:
		return narrower
	}
	return broader
}

// relateChanges compares the changes of two present alterations of one gene.
func relateChanges(asked, named *Alteration) relation {
	found := relationOf(asked.covers(named), named.covers(asked))
	switch {
	case !found.holds() && isGain(asked) && isGain(named):
		return near
	case found == unrelated:
		return opposite
	}
	return found
}

// covers reports whether an alteration is the other, or any one like it.
func (a *Alteration) covers(o *Alteration) bool {
	switch {
	case a.Kind == AnyAlteration:
		return a.Status == Present || o.Kind != AnyAlteration || o.Status == NotWildType
	case a.Kind == Mutation:
		return isGenetic(o.Kind) || o.Status == NotWildType
	case isGenetic(a.Kind):
		return isGenetic(o.Kind) && o.Kind != Mutation && holdsChange(a.Change, o.Change)
	}
	return a.Kind == o.Kind && (a.Change == "" || a.Change == o.Change) &&
		(a.Partner == "" || slices.Contains(genesOf(o), a.Partner))
}

// relateAbsences compares two alterations of one gene that are absent, or open. "Wild-type" and "no mutation" exclude
// every mutation.
func relateAbsences(asked, named *Alteration) relation {
	all := func(a *Alteration) bool { return a.Kind == AnyAlteration || a.Kind == Mutation }
	switch {
	case (asked.Status == Open) != (named.Status == Open):
		return near
	case asked.Kind == named.Kind && asked.Change == named.Change:
		return equal
	case all(named) && (all(asked) || isGenetic(asked.Kind)):
		return narrower
	}
	return near
}

// bearsOut reports whether a record states of a gene what a statement does, or something more specific. A fusion of two
// genes needs both, in either order; a change without a gene fits any gene.
func bearsOut(stated, record *Alteration) bool {
	isOfGenes := stated.Gene != "" && record.Gene != "" || stated.Change != "" && record.Change != ""
	if stated.Gene != "" && record.Gene != "" {
		isOfGenes = !slices.ContainsFunc(genesOf(stated), func(t string) bool {
			return !slices.ContainsFunc(genesOf(record), func(r string) bool { return isOfFamily(r, t) })
		})
	}

	isBare := stated.Kind == AnyAlteration && stated.Status == Present
	switch isStated, isThere := there(stated.Status), there(record.Status); {
	case !isOfGenes || areOfOtherOrigins(stated, record) || isStated != isThere && !isBare:
		return false
	case isBare:
		return true
	case !isStated:
		return relateAbsences(stated, record).holds()
	}
	found := relateChanges(stated, record)
	return found.holds() || found == near && stated.Kind == Expression && record.Kind == Expression
}

// areOfOtherOrigins reports whether one alteration is inherited and the other acquired. A text without an origin may
// mean either.
func areOfOtherOrigins(a, b *Alteration) bool {
	return a.Origin != "" && b.Origin != "" && a.Origin != b.Origin
}

// isMemberOf reports whether a gene belongs to a family with its own name: KRAS to RAS, BRCA1 to BRCA. CDK12 does not
// belong to CDK1.
func isMemberOf(gene, family string) bool {
	return family != "" && gene != family && !isDigit(family[len(family)-1]) && isOfFamily(gene, family)
}

// isOfFamily reports whether a symbol is its family's, alone, with one letter before it, or with the member's number or
// letter behind it.
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

// isBareGene reports whether a gene is named without any change.
func isBareGene(a *Alteration) bool {
	return a.Kind == AnyAlteration && a.Status == Present && (a.Entry == nil && a.Text == a.Gene || a.Entry != nil &&
		isNameOf(a.Entry, a.Text))
}

// denies reports whether one alteration's absence excludes the presence of the other: "no mutation" denies every named
// one, but no fusion; "wild-type" denies all changes of a gene, but not its amount or methylation.
func denies(no, yes *Alteration) bool {
	switch {
	case no.Status == WildType:
		return yes.Kind != Expression && yes.Kind != Methylation && yes.Kind != Amplification
	case no.Kind == AnyAlteration:
		return yes.Kind != Expression
	case yes.Kind == AnyAlteration:
		return no.Kind != NamedChange && no.Kind != ExonChange && no.Kind != Methylation
	case no.Kind == Mutation:
		return isGenetic(yes.Kind)
	case isGenetic(no.Kind):
		return isGenetic(yes.Kind) && yes.Kind != Mutation && holdsChange(no.Change, yes.Change)
	case no.Kind == Fusion:
		return yes.Kind == Fusion && (no.Partner == "" || no.Partner == yes.Partner)
	case isProduct(no) && isProduct(yes) && no.Kind != yes.Kind:
		return no.Gene == amplifiedProduct && !isLow(yes.Change) && !isLow(no.Change)
	case no.Kind == Expression:
		return yes.Kind == Expression && (no.Change == yes.Change || !isLow(no.Change) && !isLow(yes.Change))
	}
	return no.Kind == yes.Kind && (no.Change == "" || no.Change == yes.Change)
}

// amplifiedProduct is the gene whose protein is tested by its copies too: HER2-negative is not amplified.
const amplifiedProduct = "ERBB2"

// isProduct reports whether an alteration is the amount of a gene or its protein.
func isProduct(a *Alteration) bool { return a.Kind == Expression || a.Kind == Amplification }

// isLow reports whether a test may also call a level "negative": HER2-low is both.
func isLow(level string) bool { return strings.HasSuffix(level, "low") }

func there(s Status) bool { return s == Present || s == NotWildType }

// isGenetic reports whether a kind is a mutation, named or not.
func isGenetic(k AlterationKind) bool { return k == Mutation || k == NamedChange || k == ExonChange }

// isGain reports whether an alteration is one of the words for too much of a gene's product: a paper on one is a paper
// on all of them.
func isGain(a *Alteration) bool {
	return a.Kind == Amplification || a.Kind == Expression && (a.Change == "positive" || a.Change == "overexpression" ||
		a.Change == "high")
}

// holdsChange reports whether a statement's change is the record's, or its codon or exon.
func holdsChange(stated, record string) bool {
	if stated == record {
		return true
	}

	if codon, ok := strings.CutPrefix(stated, "codon "); ok {
		return strings.Trim(record, "ABCDEFGHIKLMNPQRSTVWXY*") == codon
	}

	if stem, ok := strings.CutSuffix(stated, "X"); ok {
		return strings.HasPrefix(record, stem)
	}

	if isShift, held := holdsShift(stated, record); isShift {
		return held
	}
	rest, ok := strings.CutPrefix(record, stated)
	return ok && stated != "" && !isLetter(stated[len(stated)-1]) && !isDigit(rest[0])
}

// holdsShift reports whether two changes are frame shifts, and whether the statement's is the record's. The statement's
// may have fewer details: Q1756fs holds Q1756Pfs*74. The stop of the new frame identifies it as well as its first new
// residue does.
func holdsShift(stated, record string) (isShift, held bool) {
	t, r := forms("frame shift").FindStringSubmatch(stated), forms("frame shift").FindStringSubmatch(record)
	if t == nil || r == nil {
		return false, false
	}
	sameStop := t[3] == r[3]
	isNear := t[2] == r[2] || t[2] == "" || r[2] == "" && t[3] != "" && sameStop
	return true, t[1] == r[1] && isNear && (sameStop || t[3] == "")
}

// relateBiomarkers compares two markers, also by different tests for one thing.
func relateBiomarkers(asked *Biomarker, named *assertion) relation {
	n := named.biomarker
	own, wanted := axisOf(&assertion{biomarker: asked, positive: true})

	axis, at := axisOf(named)
	switch isOneName := asked.Name == n.Name; {
	case own != axis:
		return unrelated
	case own == "" && isOneName:
		return relateLevels(asked, named)
	case own == "" && n.Status == Present && !named.positive:
		return unrelated
	case own == "":
		return relateReceptors(asked, named)
	case at == 0 && asked.Level == "" && isOneName:
		return near
	case at == 0: // MSI without a result, of dMMR
		return broader
	case wanted == 0:
		return unrelated
	case wanted != at:
		return opposite
	}
	return relateStated(asked, named)
}

// relateReceptors compares "hormone receptor" with the two that it includes. A progesterone-negative tumour may still
// be hormone receptor-positive.
func relateReceptors(asked *Biomarker, title *assertion) relation {
	named, of := title.biomarker, asked
	if asked.Name == markerHR {
		of = named
	} else if named.Name != markerHR {
		return unrelated
	}

	isOne := of.Name == markerER || of.Name == markerPR
	switch {
	case !isOne || isLow(asked.Level) || isLow(named.Level):
		return unrelated
	case there(asked.Status) == there(named.Status):
		return relateStated(asked, title)
	case of.Name == markerPR && !there(of.Status):
		return unrelated
	}
	return opposite
}

// relateLevels compares two assertions on one marker.
func relateLevels(asked *Biomarker, named *assertion) relation {
	n := named.biomarker
	isOpen := asked.Level == "" || n.Level == "" || isNumeric(asked.Level) || isNumeric(n.Level)

	a, b, areRanges := rangesOf(asked, named)
	switch isAlike := there(asked.Status) == there(n.Status); {
	case areRanges && a.isApart(b), !areRanges && isAlike && !isOpen && asked.Level != n.Level:
		return opposite
	case areRanges || isAlike:
		return relateStated(asked, named)
	}

	no, yes := asked, n
	if there(asked.Status) {
		no, yes = n, asked
	}

	switch {
	case yes == n && yes.Level == "" && !named.positive, // only named: "PD-L1 and outcome"
		no.Level != "" && no.Level != yes.Level, no.Level == "" && isLow(yes.Level):
		return unrelated
	}
	return opposite
}

// relateStated compares the levels of two markers that do not exclude each other. A marker by another test for the same
// thing has its own levels.
func relateStated(asked *Biomarker, named *assertion) relation {
	n := named.biomarker

	a, b, areRanges := rangesOf(asked, named)
	switch {
	case asked.Level != "" && n.Level == "" && asked.Status == n.Status:
		return broader
	case asked.Name != n.Name, asked.Level == n.Level && asked.Score == n.Score:
		return equal
	case areRanges && a.holds(b):
		return narrower
	}
	return near
}

// rangesOf returns the values of two markers, if both are known and on one scale.
func rangesOf(asked *Biomarker, named *assertion) (a, n valueRange, ok bool) {
	a, isKnown := rangeOf(asked, true)
	n, isKnownToo := rangeOf(named.biomarker, named.positive)
	return a, n, isKnown && isKnownToo && sameScore(asked, named.biomarker)
}

// side is the place of an assertion on an axis that two markers measure: 1 or -1; 0 if it names the marker alone.
type side int

// axisOf puts markers that are different tests for the same thing on one axis: MSI and MMR, HRD and HRP. Low
// instability counts as stable.
func axisOf(c *assertion) (axis string, at side) {
	b := c.biomarker
	switch b.Name {
	case markerMSI, markerMMR:
		axis = markerMMR

		at = map[string]side{"high": 1, "stable": -1, "deficient": 1, "proficient": -1}[b.Level]
		switch {
		case b.Level == "" && (b.Status == Absent || c.positive):
			at = 1
		case b.Level == "low" && b.Name == markerMSI && b.Status == Present:
			at = -1
		}
	case markerHRD, markerHRP, markerHRR:
		axis = markerHRD

		at = map[string]side{markerHRD: 1, markerHRP: -1}[b.Name]
		switch {
		case b.Level == "low" || b.Level == "proficient" || strings.HasPrefix(b.Level, "<"):
			at = -1
		case b.Level == "deficient":
			at = 1
		}
	default:
		return "", 0
	}

	if b.Status == Absent {
		at = -at
	}
	return axis, at
}

// The markers that imply something of one another, by their names in the dictionary.
const (
	markerMSI  = "MSI"
	markerMMR  = "MMR"
	markerHRD  = "HRD"
	markerHRP  = "HRP"
	markerHRR  = "HRR"
	markerER   = "estrogen receptor"
	markerPR   = "progesterone receptor"
	markerHR   = "hormone receptor"
	markerPDL1 = "PD-L1"
	markerTMB  = "TMB"
)

// visceral are the metastases that "visceral" includes; those of bones and lymph nodes are not.
var visceral = []string{"liver metastases", "liver-only metastases", "lung metastases", "adrenal metastases"}

const visceralMetastases = "visceral metastases"

func relateMetastases(asked, named *Circumstance) relation {
	holds := func(outer, inner *Circumstance) bool {
		return outer.Value == inner.Value || outer.Value == visceralMetastases && slices.Contains(visceral, inner.Value)
	}
	found := relationOf(holds(asked, named), holds(named, asked))

	switch a, n := there(asked.Status), there(named.Status); {
	case a == n && found == broader: // a study of several sites may be one of the asked one
		return near
	case a == n:
		return found
	case !a && n && found.holds(), a && !n && (found == equal || found == broader):
		return opposite
	}
	return unrelated
}

// isExactly reports whether a stated marker is the asked one: the same name, kind, change or level, and status. If the
// question leaves open a fusion's partner, an origin or a score, the stated one may have any.
func (a *assertion) isExactly(stated assertion) bool {
	if a.status != Open && a.status != stated.status {
		return false
	}

	switch {
	case a.alteration != nil && stated.alteration != nil:
		x, y := a.alteration, stated.alteration
		isOfGene := x.Gene == y.Gene && (x.Partner == "" || x.Partner == y.Partner) ||
			x.Kind == Fusion && x.Partner == "" && slices.Contains(strings.Split(y.Gene, "-"), x.Gene)
		return isOfGene && x.Kind == y.Kind && x.Change == y.Change && (x.Origin == "" || x.Origin == y.Origin)
	case a.biomarker != nil && stated.biomarker != nil:
		x, y := a.biomarker, stated.biomarker
		return x.Name == y.Name && x.Level == y.Level && (x.Score == "" || x.Score == y.Score)
	}
	return false
}

// relateConcepts compares two diseases, or a tumour of an organ with one that its name usually means.
func (l *Lexicon) relateConcepts(asked, named *Concept) relation {
	found := relationOf(l.Holds(asked, named) || l.usuallyHolds(asked, named), l.Holds(named, asked))
	if found == unrelated && l.meet(asked, named) {
		return near
	}
	return found
}

// Holds reports whether a is the same as b, or broader: what is true of b's patients concerns a.
func (l *Lexicon) Holds(a, b *Concept) bool {
	return a.Name == b.Name || slices.Contains(l.Broader(b), a.Name)
}

// usuallyHolds reports whether a named tumour is the asked one if it is of its organ's usual type: non-muscle-invasive
// bladder cancer is urothelial carcinoma.
func (l *Lexicon) usuallyHolds(asked, named *Concept) bool {
	usual := usualType()[named.Site]
	if named.Type != anyTumour || usual == "" || asked.Type == anyTumour {
		return false
	}

	for _, e := range l.exactly(facets{named.Site, usual, nil}) {
		if l.Holds(asked, &Concept{Name: e.Name, Site: named.Site, Type: usual, Entry: e}) {
			return true
		}
	}
	return l.Holds(asked, &Concept{Site: named.Site, Type: usual, Qualifiers: named.Qualifiers})
}

// meet reports whether one tumour may be both: squamous cell carcinoma of the head and neck, and laryngeal cancer.
func (l *Lexicon) meet(a, b *Concept) bool {
	if a.Site == "" || b.Site == "" || len(a.Qualifiers) > 0 && len(b.Qualifiers) > 0 {
		return false
	}

	for _, site := range []string{a.Site, b.Site} {
		for _, kind := range []string{a.Type, b.Type} {
			both := Concept{Site: site, Type: kind, Qualifiers: slices.Concat(a.Qualifiers, b.Qualifiers)}
			if kind != "" && l.Holds(a, &both) && l.Holds(b, &both) {
				return true
			}
		}
	}
	return false
}

// relateDrugs compares two treatments. One of the same nearest class is near, and so is a class that is not too vague.
func (l *Lexicon) relateDrugs(asked, named *Drug) relation {
	holds := l.isTreatment(asked, named)
	if !holds && l.isAkin(asked, named) {
		return near
	}
	return relationOf(holds, l.isTreatment(named, asked))
}

// isDrug reports whether a stated drug is the one asked for, or one of the class asked for.
func (l *Lexicon) isDrug(asked, stated *Drug) bool {
	return asked.Name == stated.Name || asked.Class && l.isOfClass(stated, asked)
}

// isTreatment reports whether a named treatment is the asked one (see isDrug) or one that it holds: a member of a
// class, a kind of operation, a regimen with the drug in it.
func (l *Lexicon) isTreatment(asked, named *Drug) bool {
	switch {
	case l.isDrug(asked, named):
		return true
	case asked.Entry == nil || named.Entry == nil:
		return false
	}
	return slices.Contains(l.classesOf(named), asked.Entry) || l.hasComponent(named.Entry, asked.Name)
}

// isAkin reports whether a named treatment is of one of the asked one's nearest classes, or a class or kind that holds
// the asked one. An entry marked as broad is too vague to make treatments akin.
func (l *Lexicon) isAkin(asked, named *Drug) bool {
	if named.Entry != nil && !named.Entry.Broad && slices.Contains(l.classesOf(asked), named.Entry) {
		return true
	}
	return slices.ContainsFunc(l.nearestClasses(asked), func(e *Entry) bool {
		return !e.Broad && l.isTreatment(&Drug{Name: e.Name, Entry: e, Class: e.Kind == KindClass}, named)
	})
}

// isOfClass reports whether d, a drug or a class, is the other class, or in it.
func (l *Lexicon) isOfClass(d, stated *Drug) bool {
	if stated.Entry == nil {
		return len(stated.Targets) > 0 && len(missing(stated.Targets, d.targets())) == 0
	}
	return d.Entry == stated.Entry || slices.Contains(l.classesOf(d), stated.Entry)
}

// relateSettings compares two settings. Two values of one aspect are opposite if a study has only one of them, or they
// have no number in common.
func (l *Lexicon) relateSettings(asked, named *Circumstance) relation {
	switch isOfOneAspect := asked.Aspect == named.Aspect; {
	case named.Status == asked.Status && l.isOne(asked, named):
		return narrower
	case isOfOneAspect && (named.Value == asked.Value || slices.Contains(exclusive, asked.Aspect) ||
		isValueApart(asked.Value, named.Value)):
		return opposite
	}
	return unrelated
}

// isOne reports whether a named setting is the asked one or a kind of it, of the aspect that the asked one stands for
// (mucositis, of toxicity), or below it in the dictionary (circulating tumor DNA, of liquid biopsy).
func (l *Lexicon) isOne(asked, named *Circumstance) bool {
	if line, ok := strings.CutPrefix(asked.Value, "after "); ok && lineNumbers[line] > 0 {
		asked = &Circumstance{Aspect: asked.Aspect, Value: "previously treated"}
	}
	return isSettingOf(asked, named) || isClass(asked) && named.Aspect == asked.Aspect ||
		named.Entry != nil && slices.ContainsFunc(l.broaderThan(KindSetting, named.Value), func(e *Entry) bool {
			return e.Name == asked.Value
		})
}

// isSettingOf reports whether the named setting is the asked one, lies within its bound, is a kind of it by its name
// (overall survival, of survival; stage IIIB, of stage III), or is akin to it.
func isSettingOf(asked, named *Circumstance) bool {
	isAkin := func(line []string) bool { return line[0] == asked.Value && slices.Contains(line[1:], named.Value) }
	return holdsValue(asked.Value, named.Value) || strings.HasSuffix(named.Value, " "+asked.Value) ||
		holdsStage(asked.Value, named.Value) || slices.ContainsFunc(akin(), isAkin)
}

// holdsStage reports whether a named stage is a part of an asked one, or one of several: IIIB and IIIB2 of III, III of
// III or IV, T2a of T2.
func holdsStage(asked, named string) bool {
	asked, isAsked := strings.CutPrefix(asked, "stage ")
	named, isNamed := strings.CutPrefix(named, "stage ")

	classified := forms("classification")
	switch {
	case isAsked != isNamed:
		return false
	case !isAsked:
		return classified.MatchString(asked) && classified.MatchString(named) && asked == strings.TrimRight(named, "abcd")
	}
	lettered := strings.TrimRight(named, "0123456789")
	numbered := strings.TrimRight(lettered, "ABCD")
	return slices.ContainsFunc(strings.Split(asked, " or "), func(one string) bool {
		return one != "" && (one == named || one == lettered || one == numbered)
	})
}

// holdsValue reports whether a named value is the asked one of the same aspect, or lies within its bound: "KPS ≥80"
// within "KPS ≥70"; the other way round for an asked number without a bound: 72 years, of "≥65 years".
func holdsValue(asked, named string) bool {
	if asked == named {
		return true
	}
	a, n, areOfOneKind := boundsOf(asked, named)
	isExact := a.low == a.high
	return areOfOneKind && (a.holds(n) || isExact && n.holds(a))
}

// isValueApart reports whether two values of one aspect have no number in common.
func isValueApart(asked, named string) bool {
	a, n, areOfOneKind := boundsOf(asked, named)
	return areOfOneKind && a.isApart(n)
}
