package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Met is how a record meets one thing that a question asks.
type Met string

// A slot's outcomes. In part is a broader one, one of the same class, or one of several that are asked together.
const (
	MetWhole    Met = "met"
	MetInPart   Met = "in part"
	MetSilent   Met = "silent"
	MetOpposite Met = "opposite"
)

// Place is where in a record something was found, the most significant first.
type Place string

// The places of a record. Conclusion is an abstract's last part; headings are MeSH, keywords and substances.
const (
	InTitle      Place = "title"
	InConclusion Place = "conclusion"
	InAbstract   Place = "abstract"
	InHeadings   Place = "headings"
)

// Slot names what a question's value is.
type Slot string

// The slots that a record is held against.
const (
	SlotTumour     Slot = "tumour"
	SlotCondition  Slot = "condition"
	SlotAlteration Slot = "alteration"
	SlotBiomarker  Slot = "biomarker"
	SlotTreatment  Slot = "treatment"
	SlotSetting    Slot = "setting"
	SlotWord       Slot = "word"
)

// SlotFit is one asked value in one record.
type SlotFit struct {
	Slot  Slot   `json:"slot"`
	Asked string `json:"asked"`           // in canonical words: "sotorasib or adagrasib"
	Met   Met    `json:"met"`             //
	Seen  string `json:"seen,omitempty"`  // what the record has in its place, as it names it
	Where Place  `json:"where,omitempty"` // empty where it is silent
}

// IsSubject reports whether the asked value is what a question is about: a disease, a marker or a treatment.
func (s SlotFit) IsSubject() bool { return s.Slot != SlotSetting && s.Slot != SlotWord }

// Directness is whether a record answers a question (docs/METHOD.md, "Fit").
type Directness string

// The three, best first; empty where the record was not compared.
const (
	Direct   Directness = "direct"
	Partly   Directness = "partly"
	Indirect Directness = "indirect"
)

// directnesses lists them in the order of a sample.
var directnesses = []Directness{Direct, Partly, Indirect}

// Rank is the place of a directness in the order of a sample; an uncompared record comes last.
func (d Directness) Rank() int {
	if i := slices.Index(directnesses, d); i >= 0 {
		return i
	}
	return len(directnesses)
}

// Fit is how a record meets what a question asks, slot by slot, whatever the strength of its design. The zero value is
// a record that nothing was held against.
type Fit struct {
	Directness Directness `json:"directness"`
	Slots      []SlotFit  `json:"slots,omitempty"` // in the order of Question's slots
	// Scattered: it meets what is asked, but neither its title nor one sentence of its abstract covers all of it. It is
	// only checked where nothing else may answer.
	Scattered bool `json:"scattered,omitempty"`
}

// scatteredReason is the reason of a record that is.
const scatteredReason = "no sentence says all that is asked"

// Missing names the asked values that are not met, with what stands in their place: "silent on sotorasib", "on KRAS
// G12D, not KRAS G12C", "names KRAS mutation, not KRAS G12C". It is empty where all are met.
func (f *Fit) Missing() string {
	missing := text.Each(slices.DeleteFunc(slices.Clone(f.Slots), func(s SlotFit) bool {
		return s.Met == MetWhole
	}), SlotFit.missing)
	if f.Scattered {
		missing = append(missing, scatteredReason)
	}
	return strings.Join(missing, "; ")
}

func (s SlotFit) missing() string {
	switch {
	case s.Met == MetOpposite && s.Seen != "":
		return "on " + s.Seen + ", not " + s.Asked
	case s.Met == MetInPart && s.IsPassing():
		return "only in part on " + s.Seen
	case s.Met == MetInPart && s.IsPartOfAsked():
		return "names only " + s.Seen + " of " + s.Asked
	case s.Met == MetInPart && s.Seen != "":
		return "names " + s.Seen + ", not " + s.Asked
	case s.Met == MetInPart:
		return "only in part on " + s.Asked
	}
	return "silent on " + s.Asked
}

// IsPassing reports whether what was seen is one of the asked alternatives, though not enough of it.
func (s *SlotFit) IsPassing() bool { return slices.Contains(strings.Split(s.Asked, " or "), s.Seen) }

// IsPartOfAsked reports whether what was seen is some of what is asked together, of a regimen or a comparison.
func (s *SlotFit) IsPartOfAsked() bool {
	asked := askedTogether().Split(s.Asked, -1)
	return !slices.ContainsFunc(strings.Split(s.Seen, ", "), func(one string) bool { return !slices.Contains(asked, one) })
}

// askedTogether stands between the values of a slot.
var askedTogether = text.LazyRegexp(` versus | \+ | or `)

// String is the directness with what is missing: "partly: silent on sotorasib".
func (f *Fit) String() string { return text.Join(": ", string(f.Directness), f.Missing()) }

// Contradiction is why a record is on something else than what is asked, by its title or its headings: another tumour,
// another alteration of the same gene, the opposite status, patients of another age. It is empty where it is not.
func (f *Fit) Contradiction() string {
	for _, s := range f.Slots {
		if s.Met == MetOpposite && (s.Where == InTitle || s.Where == InHeadings) {
			verb := "is"
			if s.Where == InHeadings {
				verb = "are"
			}
			return fmt.Sprintf("its %s %s on %s, not on %s", s.Where, verb, s.Seen, s.Asked)
		}
	}
	return ""
}

// Shortfall is a reason why records do not pass, with their number.
type Shortfall struct {
	Reason  string `json:"reason"` // "silent on sotorasib", "on another tumour"
	Records int    `json:"records"`
}

// Shortfalls counts why the answer's screened records do not pass, the commonest reason first: a difference from the
// question, else the first asked value on which the record is silent. Retracted papers, trials and what is no evidence
// are counted elsewhere.
func (a *Answer) Shortfalls() []Shortfall {
	counts := map[string]int{}
	for i := range a.Assessments {
		if as := &a.Assessments[i]; !as.Passed && as.Excluded == "" {
			if why := as.Fit.shortfall(); why != "" {
				counts[why]++
			}
		}
	}

	out := make([]Shortfall, 0, len(counts))
	for why, n := range counts {
		out = append(out, Shortfall{why, n})
	}
	slices.SortFunc(out, func(a, b Shortfall) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// maxReasons is how many reasons are listed for records that did not pass.
const maxReasons = 3

// ShortfallText lists the first of them in a line: "48 silent on TMB high, 2 on another tumour".
func ShortfallText(all []Shortfall) string {
	return strings.Join(text.Each(all[:min(len(all), maxReasons)], func(s Shortfall) string {
		return fmt.Sprintf("%d %s", s.Records, text.Line(s.Reason))
	}), ", ")
}

// shortfall is the reason that weighs most: another tumour before another alteration, and these before silence.
func (f *Fit) shortfall() string {
	for _, s := range f.Slots {
		if s.Met == MetOpposite {
			return "on another " + string(s.Slot)
		}
	}

	for _, s := range f.Slots {
		if s.Met == MetSilent {
			return "silent on " + s.Asked
		}
	}

	if f.Scattered {
		return scatteredReason
	}
	return ""
}
