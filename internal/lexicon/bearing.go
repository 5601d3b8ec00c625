package lexicon

import (
	"slices"
	"strings"
)

// Finding is what a text states of a gene, a marker or a site of metastases: that it is present, or absent.
type Finding struct {
	assertion
}

// Findings lists what a text states of genes, markers and metastases, and what its tumours' names imply. It leaves out
// what is open ("regardless of EGFR"). A marker at the text's beginning is no subject, unlike in a title.
func (l *Lexicon) Findings(q *Question) []Finding {
	var out []Finding
	for _, a := range l.assertionsOf(q) {
		behind := a

		behind.Start, behind.End = a.Start+1, a.End+1
		if a.status != Open && (a.End == 0 || !isUndecided(" "+q.Text, &behind)) {
			out = append(out, Finding{a})
		}
	}
	return out
}

// IsAlteration reports whether the finding is a gene's.
func (f *Finding) IsAlteration() bool { return f.alteration != nil }

// IsMetastasis reports whether the finding is a site of metastases.
func (f *Finding) IsMetastasis() bool { return f.metastasis != nil }

// String returns the finding in canonical words.
func (f *Finding) String() string { return f.canonical() }

// Names returns the words for the finding's gene, marker or site.
func (f *Finding) Names() []string {
	switch {
	case f.alteration != nil:
		return []string{f.alteration.Gene, f.alteration.Text}
	case f.biomarker != nil:
		return []string{f.biomarker.Name, f.biomarker.Text}
	}

	site := siteOf(f.metastasis.Value)
	if site == metastasesOfCNS || slices.Contains(inCNS, site) {
		return []string{"central nervous system", "CNS", "brain", "intracranial", "leptomeningeal", "meningeal"}
	}
	stem := strings.TrimSuffix(site, "es")
	return []string{site, stem + "is", stem + "ic"}
}

// Either returns the number of the finding's group of alternatives; 0 if it has none.
func (f *Finding) Either() int { return f.either }

// IsThere reports whether something is present, not absent.
func (f *Finding) IsThere() bool { return there(f.status) }

// IsBare reports whether a gene or marker is only named, as in "tested for EGFR".
func (f *Finding) IsBare() bool {
	switch {
	case f.alteration != nil:
		return !f.positive && isBareGene(f.alteration)
	case f.biomarker != nil:
		return !f.positive && f.biomarker.Level == "" && f.biomarker.Status == Present
	}
	return false
}

// Bearing is whether a patient meets a demand.
type Bearing uint8

// The bearings of the known facts about a patient on a demand.
const (
	Unrelated Bearing = iota // no known fact is about it
	Undecided                // known facts are about it, but do not decide it
	BornOut                  // the demand is met
	Refuted                  // the demand is not met
)

// Bears returns whether a known finding of a patient meets a demanded one, or refutes it. A patient with a mutation may
// have the demanded one: that is Undecided.
func (f *Finding) Bears(demanded *Finding) Bearing {
	switch {
	case f.alteration != nil && demanded.alteration != nil:
		return bearsAlteration(f, demanded)
	case f.biomarker != nil && demanded.biomarker != nil:
		return bearsBiomarker(f, demanded)
	case f.metastasis != nil && demanded.metastasis != nil:
		return bearsMetastasis(f.metastasis, demanded.metastasis)
	}
	return Unrelated
}

func bearsAlteration(known, demanded *Finding) Bearing {
	a, d := known.alteration, demanded.alteration
	if d.Gene == "" || a.Gene == "" {
		if a.Gene != d.Gene || a.Kind != d.Kind || a.Change != d.Change {
			return Unrelated
		}
	} else if !isOfFamily(a.Gene, d.Gene) && !isOfFamily(d.Gene, a.Gene) {
		return Unrelated
	}

	// the copies of its gene are tested with it
	isHighProduct := func(x *Alteration) bool { return x.Gene == amplifiedProduct && there(x.Status) && isGain(x) }
	switch {
	case there(a.Status) && isBareGene(a):
		return Undecided
	case !there(a.Status) && there(d.Status) && d.Kind == AnyAlteration:
		return Refuted // a gene that is not altered, of any alteration
	case bearsOut(d, a), isHighProduct(d) && isHighProduct(a):
		return BornOut
	case relateAlterations(a, &demanded.assertion) == opposite && !mayBeBoth(a, d):
		return Refuted
	}
	return Undecided
}

// acquired are changes that treatment adds to another change of the same gene.
var acquired = []string{"T790M", "C797S", "C797X", "C481S"}

// mayBeBoth reports whether a tumour may have two alterations of one gene at once: two of different kinds, a fusion, or
// one acquired by resistance.
func mayBeBoth(a, b *Alteration) bool {
	if !there(a.Status) || !there(b.Status) {
		return false
	}
	return a.Kind != b.Kind && !(isGenetic(a.Kind) && isGenetic(b.Kind)) || a.Kind == Fusion ||
		slices.Contains(acquired, a.Change) || slices.Contains(acquired, b.Change)
}

func bearsBiomarker(known, demanded *Finding) Bearing {
	a, d := ownValue(known.biomarker), demanded.biomarker

	wanted := &assertion{biomarker: d, Part: demanded.Part, positive: true}
	axis, at := axisOf(wanted)

	found := relateBiomarkers(a, wanted)
	switch isNamedAlone := axis != "" && at == 0; {
	case found == opposite:
		return Refuted
	case (found == unrelated || isNamedAlone) && a.Name != d.Name:
		return Unrelated
	case found == unrelated || isNamedAlone:
		return Undecided
	case axis != "":
		return BornOut
	}

	own, isNumber := rangeOf(a, true)
	if demanded, ok := rangeOf(d, true); isNumber && ok {
		return bearsRange(own, demanded, sameScore(a, d))
	}

	if a.Name == d.Name && (d.Level == "" || a.Level == d.Level) || a.Name != d.Name && there(a.Status) {
		return BornOut
	}
	return Undecided
}

// ownValue returns a marker, with a number without a bound as the patient's own value.
func ownValue(b *Biomarker) *Biomarker {
	if !isNumeric(b.Level) || strings.ContainsAny(b.Level, "≥≤<>-") {
		return b
	}
	own := *b
	number := strings.TrimSuffix(b.Level, "%")
	own.Level = number + "-" + number + strings.TrimPrefix(b.Level, number)
	return &own
}

// bearsRange compares values on one scale; those on two scales can't be compared.
func bearsRange(own, wanted valueRange, isOne bool) Bearing {
	switch {
	case !isOne:
		return Undecided
	case wanted.holds(own):
		return BornOut
	case own.isApart(wanted):
		return Refuted
	}
	return Undecided
}

// metastasesOfCNS includes metastases in the brain and around it.
const metastasesOfCNS = "CNS metastases"

var inCNS = []string{"brain metastases", "leptomeningeal metastases", "epidural metastases"}

// bearsMetastasis compares sites. "Stable" and "treated" brain metastases are brain metastases; whether brain
// metastases are stable is not known.
func bearsMetastasis(a, d *Circumstance) Bearing {
	site, demanded := siteOf(a.Value), siteOf(d.Value)

	holds := func(outer, inner string) bool {
		return outer == inner || outer == metastasesOfCNS && slices.Contains(inCNS, inner) ||
			outer == visceralMetastases && slices.Contains(visceral, inner)
	}
	switch known, wanted := there(a.Status), there(d.Status); {
	case !holds(site, demanded) && !holds(demanded, site):
		return Unrelated
	case known && wanted && holds(demanded, site):
		return ofState(a.Value, d.Value, site, demanded)
	case !known && !wanted && holds(site, demanded):
		return BornOut
	case known != wanted && (known && holds(demanded, site) || !known && holds(site, demanded)):
		return Refuted
	}
	return Undecided
}

// ofState compares the states of metastases of one site: "treated", "untreated", "stable", "symptomatic".
func ofState(known, demanded, site, demandedSite string) Bearing {
	a := strings.TrimSpace(strings.TrimSuffix(known, site))

	d := strings.TrimSpace(strings.TrimSuffix(demanded, demandedSite))
	switch {
	case d == "" || a == d:
		return BornOut
	case strings.TrimPrefix(a, "un") == strings.TrimPrefix(d, "un"), a == "a"+d, d == "a"+a:
		return Refuted
	}
	return Undecided
}

// siteOf returns the name of metastases without the word for their state.
func siteOf(value string) string {
	for _, state := range []string{"active ", "symptomatic ", "asymptomatic ", "untreated ", "stable ", "treated "} {
		if rest, ok := strings.CutPrefix(value, state); ok {
			return rest
		}
	}
	return value
}

// Gives reports whether a treatment is the named one, or one of the named class or kind.
func (l *Lexicon) Gives(given, named *Drug) bool { return l.isTreatment(named, given) }
