package render

import (
	"fmt"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// approvalsTitle heads the entries of approval files on the drugs of a question.
const approvalsTitle = "What is approved, by the files given"

// approvalSaid is a verdict on one indication: how it relates to the question, by whom and of which day, the words, and
// the differences. An entry that is no approval is never called one.
func approvalSaid(v *evidence.ApprovalVerdict) (wording, words, differs string) {
	by := v.Agency + approvalDay(v)
	switch v.Verdict {
	case evidence.ApprovedForThis:
		wording = "approved in this indication by " + by
	case evidence.ApprovedForAnother:
		wording = "approved in another by " + by
	case evidence.ApprovedUnread:
		wording = "approved by " + by + " in an indication that can't be read whole"
	case evidence.NotApproved:
		wording = fmt.Sprintf("not approved by %s (%s)", v.Agency, v.Status)
	}

	parts := plaintext.Each(v.Differs, differenceText)
	if len(v.Open) > 0 {
		parts = append(parts, "the question leaves open: "+strings.Join(v.Open, ", "))
	}

	if len(v.Unread) > 0 {
		parts = append(parts, "not read: "+strings.Join(v.Unread, ", "))
	}
	return wording, "“" + v.Indication + "”", strings.Join(parts, "; ")
}

// approvalDay is the day of a verdict's entry: ", label of 2023-08-11".
func approvalDay(v *evidence.ApprovalVerdict) string {
	switch {
	case v.Date == "":
		return ""
	case v.DateOf == evidence.DateOfLabel:
		return ", label of " + string(v.Date)
	case v.DateOf == evidence.DateOfMedicine:
		return ", medicine authorised " + string(v.Date)
	}
	return " " + string(v.Date)
}

func differenceText(d evidence.IndicationDifference) string {
	switch {
	case d.Slot == evidence.SlotLimit:
		return "the label limits: “" + d.Label + "”"
	case d.Asked == "":
		return fmt.Sprintf("other %s: only %s, which the question does not say", d.Slot, d.Label)
	case d.Label == "":
		return fmt.Sprintf("other %s: %s asked", d.Slot, d.Asked)
	}
	return fmt.Sprintf("other %s: %s there, %s asked", d.Slot, d.Label, d.Asked)
}

// givenFiles names the files, each with its day.
func givenFiles(files []evidence.GivenFile) string {
	return strings.Join(plaintext.Each(files, func(f evidence.GivenFile) string {
		return fmt.Sprintf("%s of %s", f.Name, f.Date)
	}), ", ")
}

// ApprovalLines are the verdicts on a question's drugs, a line each, with the drug before it.
func ApprovalLines(found *evidence.ApprovalsFound) (lines [][2]string) {
	for i := range found.Drugs {
		d := &found.Drugs[i]
		if len(d.Verdicts) == 0 {
			lines = append(lines, [2]string{d.Drug, "no entry in the files given (" + givenFiles(found.Files) + ")"})
		}

		for j := range d.Verdicts {
			v := &d.Verdicts[j]
			wording, words, differs := approvalSaid(v)
			line := plaintext.Join(" – ", wording+": "+words, differs)
			lines = append(lines, [2]string{d.Drug, fmt.Sprintf("%s (%s of %s)", line, v.File, v.FileDate)})
		}
	}
	return lines
}

// approvals are the verdicts on a question's drugs, ready for layout; nil if there are none.
func approvals(found *evidence.ApprovalsFound) *held {
	if found == nil {
		return nil
	}
	return &held{approvalsTitle, ApprovalLines(found)}
}
