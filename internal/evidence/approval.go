package evidence

import "cmp"

// The sources of approvals.
const (
	ApprovalsOpenFDA   = "openfda"
	ApprovalsEMA       = "ema"
	ApprovalsMOAlmanac = "moalmanac"
)

// What an Approval's Date is the day of.
const (
	DateOfLabel      = "label"      // the label took effect: its indications may be older
	DateOfMedicine   = "medicine"   // the medicine was authorised: its indications may be younger
	DateOfIndication = "indication" // this very indication was approved
)

// StatusApproved is the Status of an approved entry. Any other entry was refused, withdrawn, suspended or never
// assessed by the agency, and is called approved nowhere.
const StatusApproved = "approved"

// Approval is one entry of a file on what is approved: a drug, with the agency's own words on what it is for.
type Approval struct {
	Source   string   `json:"source"` // openfda, ema, moalmanac
	Agency   string   `json:"agency"` // "FDA", "EMA", as the file has it for others
	ID       string   `json:"id"`     // the label's set id, the product's or indication's number
	Version  string   `json:"version,omitempty"`
	Names    []string `json:"names"`             // of the drug, as the file has them: the brand's first
	Drugs    []string `json:"drugs"`             // its substances, by the dictionary's names where it has them
	Words    string   `json:"words"`             // on what it is for, as the file has them
	Status   string   `json:"status"`            // approved, or the file's own word for what it is else
	Date     Date     `json:"date,omitempty"`    // see DateOf
	DateOf   string   `json:"date_of,omitempty"` // label, medicine, indication
	URL      string   `json:"url,omitempty"`
	File     string   `json:"file"`      // that it comes from, without its folder
	FileDate Date     `json:"file_date"` // of the file: what the agency said then
	Labels   int      `json:"labels"`    // how many of the file's labels have these words for this drug
}

// IsApproved reports whether an agency has approved the entry, and has not taken that back.
func (a *Approval) IsApproved() bool { return a.Status == StatusApproved }

// CompareApprovals orders entries by agency, the newest first, then by source and number.
func CompareApprovals(a, b Approval) int {
	return cmp.Or(
		cmp.Compare(a.Agency, b.Agency), cmp.Compare(b.Date, a.Date), cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.ID, b.ID),
	)
}

// Key gives the entry's source and its number there.
func (a Approval) Key() (source, id string) { return a.Source, a.ID }

// Undated is the entry without the file that it comes from.
func (a Approval) Undated() Approval {
	a.File, a.FileDate = "", ""
	return a
}

// Approvals is all that a store has on what is approved.
type Approvals = Given[Approval]

// What an indication and a question may have different, beside the slots of a question.
const (
	SlotCombination Slot = "combination" // what is given together
	SlotLine        Slot = "line"        // what was given before, and when the treatment is given
	SlotStage       Slot = "stage"       // the disease's extent and course
	SlotLimit       Slot = "limit"       // the entry states whom it is not for
)

// ApprovalKind is what an entry's indication is to a question.
type ApprovalKind string

// The kinds, the best first. Only the first means that what is asked is approved.
const (
	ApprovedForThis    ApprovalKind = "this"         // approved in this indication
	ApprovedUnread     ApprovalKind = "unread"       // approved in one that can't be fully read: it may be this one
	ApprovedForAnother ApprovalKind = "another"      // approved in another one
	NotApproved        ApprovalKind = "not approved" // refused, withdrawn, suspended, or of no known status
)

// IndicationDifference is what an indication and a question have different.
type IndicationDifference struct {
	Slot  Slot   `json:"slot"`  // tumour, biomarker, combination, line, stage, age, setting, limit
	Label string `json:"label"` // the indication's value; empty where it has none
	Asked string `json:"asked"` // the question's value; empty where it has none
}

// ApprovalVerdict is what one indication of an entry is to a question.
type ApprovalVerdict struct {
	Verdict    ApprovalKind           `json:"verdict"`
	Agency     string                 `json:"agency"`
	Source     string                 `json:"source"`
	ID         string                 `json:"id"`
	Name       string                 `json:"name"`       // of the drug, as the file has it
	Indication string                 `json:"indication"` // in the file's own words
	Under      string                 `json:"under,omitempty"`
	Status     string                 `json:"status"`
	Date       Date                   `json:"date,omitempty"`
	DateOf     string                 `json:"date_of,omitempty"`
	URL        string                 `json:"url,omitempty"`
	File       string                 `json:"file"`
	FileDate   Date                   `json:"file_date"`
	Differs    []IndicationDifference `json:"differs,omitempty"`
	Open       []string               `json:"open,omitempty"`   // what it demands and the question leaves open
	Unread     []string               `json:"unread,omitempty"` // words of it that are not read
}

// DrugApprovals are the verdicts on a drug of a question; none where the files have no entry on it.
type DrugApprovals struct {
	Drug     string            `json:"drug"`
	Verdicts []ApprovalVerdict `json:"verdicts"`
}

// ApprovalsFound is the approvals in users' files for the drugs of a question.
type ApprovalsFound struct {
	Files []GivenFile     `json:"files"`
	Drugs []DrugApprovals `json:"drugs"`
}
