package evidence

// Entry is whether the patient of a question may enter a trial, by its criteria.
type Entry string

// The three. NotTold is silence, or a criterion on what the question leaves open.
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
	// Line is the decisive criterion, as the registry has it, bounded; where none decides, the first on something that the
	// question leaves open. It is empty where no criterion concerns the question.
	Line string `json:"line,omitempty"`
	Slot Slot   `json:"slot,omitempty"` // what the line is on
	// Inclusion is false where the line stands among the criteria that exclude.
	Inclusion bool `json:"inclusion"`
}

// Rank is the place of a trial in a list by whether it admits the patient; an unread one ranks with those that are
// unclear.
func (e *Eligibility) Rank() int {
	if e == nil {
		return NotTold.Rank()
	}
	return e.Verdict.Rank()
}

// Excludes reports whether the criteria exclude the patient.
func (e *Eligibility) Excludes() bool { return e != nil && e.Verdict == CannotEnter }

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
