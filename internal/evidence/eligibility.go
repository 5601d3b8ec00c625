package evidence

// Entry says whether the patient of a question may enter a trial, by its criteria.
type Entry string

// The three. Not told is silence, or a criterion on what the question leaves open.
const (
	MayEnter    Entry = "may enter"
	CannotEnter Entry = "can't enter"
	NotTold     Entry = "not told"
)

// Rank is the place of an entry in the order of a list.
func (e Entry) Rank() int {
	switch e {
	case MayEnter:
		return 0
	case CannotEnter:
		return 2
	case NotTold:
	}
	return 1
}

// What decides beside the slots of a fit.
const (
	SlotPrior       Slot = "prior therapy"
	SlotPerformance Slot = "performance status"
	SlotAge         Slot = "age"
	SlotSex         Slot = "sex"
)

// Eligibility is a trial's criteria held against a question's patient (docs/METHOD.md, "Trials").
type Eligibility struct {
	Verdict Entry `json:"verdict"`
	// Line is the criterion that decides first, as the registry has it, bounded; where nothing decides, the first that is
	// on something that the question leaves open. It is empty where no criterion is on what the question says.
	Line string `json:"line,omitempty"`
	Slot Slot   `json:"slot,omitempty"` // what the line is on
	// Inclusion is false where the line stands among the criteria that exclude.
	Inclusion bool `json:"inclusion"`
}

// Rank is the place of a trial in a list by whether it lets the patient in; one that nobody has read stands with those
// that do not tell.
func (e *Eligibility) Rank() int {
	if e == nil {
		return NotTold.Rank()
	}
	return e.Verdict.Rank()
}

// ShutsOut reports whether the criteria shut the patient out.
func (e *Eligibility) ShutsOut() bool { return e != nil && e.Verdict == CannotEnter }

// String is the verdict with its line: "can't enter: Prior treatment with a KRAS inhibitor"; empty for nil.
func (e *Eligibility) String() string {
	switch {
	case e == nil:
		return ""
	case e.Line == "":
		return string(e.Verdict)
	}
	return string(e.Verdict) + ": " + e.Line
}
