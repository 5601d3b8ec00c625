package lexicon

import "strings"

// relateAlterations compares two alterations of one gene, of a gene and its family, or one that is no gene's own.
func relateAlterations(asked *Alteration, title *assertion) relation {
	named := title.alteration
	isOne := asked.Gene == named.Gene && (asked.Gene != "" || asked.Kind == named.Kind && asked.Change == named.Change)

	isMember := isMemberOf(named.Gene, asked.Gene) // KRAS, of the RAS that is asked
	if !isOne && !isMember && !isMemberOf(asked.Gene, named.Gene) {
		return unrelated
	}

	opposes := false
	switch a, n := there(asked.Status), there(named.Status); {
	case a && n && !isOne:
		return unrelated
	case a && n:
		opposes = !agrees(asked, named)
	case a && isMember:
		return unrelated // KRAS may be wild-type where RAS is mutated
	case a:
		opposes = denies(named, asked)
	case n && isBareGene(named) && !title.positive:
		return unrelated
	case n:
		opposes = denies(asked, named)
	}

	switch {
	case opposes:
		return opposing
	case there(asked.Status) != there(named.Status):
		return unrelated
	}
	return agreeing
}

// isMemberOf reports whether a gene belongs to a family with its own name: KRAS to RAS, BRCA1 to BRCA. CDK12 does not
// belong to CDK1.
func isMemberOf(gene, family string) bool {
	return family != "" && gene != family && !isDigit(family[len(family)-1]) && isOfFamily(gene, family)
}

// isBareGene reports whether a gene is named without any change.
func isBareGene(a *Alteration) bool {
	return a.Kind == AnyAlteration && a.Status == Present && (a.Entry == nil && a.Text == a.Gene || a.Entry != nil &&
		isNameOf(a.Entry, a.Text))
}

func isNameOf(e *Entry, text string) bool {
	folded := fold(text)
	for _, name := range e.names() {
		if fold(name) == folded {
			return true
		}
	}
	return false
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

func relateBiomarkers(asked *Biomarker, named *assertion) relation {
	own, other := axisOf(&assertion{biomarker: asked, positive: true})

	axis, at := axisOf(named)
	switch {
	case own != axis:
		return unrelated
	case own != "" && (other == 0 || at == 0):
		return unrelated
	case own != "" && other == at:
		return agreeing
	case own != "":
		return opposing
	case asked.Name == named.biomarker.Name:
		return relateLevels(asked, named)
	}

	if named.biomarker.Status == Present && !named.positive {
		return unrelated
	}
	return relateReceptors(asked, named.biomarker)
}

// relateReceptors compares "hormone receptor" with the two that it includes. A progesterone-negative tumour may still
// be hormone receptor-positive.
func relateReceptors(asked, named *Biomarker) relation {
	of := asked
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
		return agreeing
	case of.Name == markerPR && !there(of.Status):
		return unrelated
	}
	return opposing
}

// relateLevels compares two assertions on one marker.
func relateLevels(asked *Biomarker, named *assertion) relation {
	n := named.biomarker

	a, isNumber := rangeOf(asked, true)
	if b, ok := rangeOf(n, named.positive); isNumber && ok && sameScore(asked, n) {
		if a.isApart(b) {
			return opposing
		}
		return agreeing
	}

	if there(asked.Status) == there(n.Status) {
		isOpen := asked.Level == "" || n.Level == "" || isNumeric(asked.Level) || isNumeric(n.Level)
		if isOpen || asked.Level == n.Level {
			return agreeing
		}
		return opposing
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
	return opposing
}
