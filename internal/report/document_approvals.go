package report

import (
	"slices"
	"strings"

	"dossier/internal/document"
	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// otherSlots name in which respect an indication differs from the question.
var otherSlots = map[evidence.Slot]string{
	evidence.SlotTumour: "Other tumour", evidence.SlotBiomarker: "Other biomarker",
	evidence.SlotCombination: "Other combination", evidence.SlotLine: "Other line", evidence.SlotStage: "Other stage",
	evidence.SlotAge: "Other age", evidence.SlotAlteration: "Other alteration",
	evidence.SlotTreatment: "Other treatment", evidence.SlotDirection: "Other direction",
	evidence.SlotOrigin:  "Other origin",
	evidence.SlotSetting: "Other setting",
}

// Bounds on approvals shown: drugs in brief, and bytes of an indication's words.
const (
	maxBriefApproved = 3
	maxIndication    = 1200
)

// approvalBlocks state for each drug of the question whether it is approved for this, in the agencies' own words.
func (r *Report) approvalBlocks() []document.Block {
	if r.Approvals == nil {
		return nil
	}
	items := r.approvalItems()
	return appendList(nil, append(items, document.Text(r.say.Text(
		"By the files given, in the agencies’ own words. Nothing here recommends a treatment."))))
}

func (r *Report) approvalItems() (items [][]document.Inline) {
	for i := range r.Approvals.Drugs {
		d := &r.Approvals.Drugs[i]

		name := []document.Inline{{Text: oneLine(d.Drug, maxName), Bold: true}, {Text: " "}}
		if len(d.Verdicts) == 0 {
			items = append(items, append(name, document.Inline{Text: r.say.Text("no entry in the files given (%s)",
				r.givenFiles(r.Approvals.Files))}))
		}

		for j := range d.Verdicts {
			items = append(items, append(slices.Clone(name), r.verdictLine(&d.Verdicts[j])...))
		}
	}
	return items
}

// verdictLine is a verdict with the indication's words, what differs, and the file.
func (r *Report) verdictLine(v *evidence.ApprovalVerdict) []document.Inline {
	tone := document.TonePlain
	if v.Verdict == evidence.ApprovedForThis {
		tone = document.ToneGood
	}
	line := []document.Inline{{Text: r.verdictText(v), Badge: tone, Link: v.URL}, {Text: " "}}

	line = append(line, quoted(r.say, document.Text(oneLine(v.Indication, maxIndication)))...)
	for _, d := range v.Differs {
		line = append(line, document.Inline{Text: " – " + r.differsText(d)})
	}

	if len(v.Open) > 0 {
		line = append(line, document.Inline{Text: " – " + r.say.Text("the question leaves open: %s",
			oneLine(strings.Join(v.Open, ", "), maxName))})
	}

	if len(v.Unread) > 0 {
		line = append(line, document.Inline{Text: " – " + r.say.Text("not read: %s",
			oneLine(strings.Join(v.Unread, ", "), maxName))})
	}
	return append(line, document.Inline{Text: r.say.Text(" (%s)", fileText(v.File, v.FileDate)), Soft: true})
}

func fileText(name string, day evidence.Date) string {
	return plaintext.Join(", ", oneLine(name, maxName), string(day))
}

func (r *Report) givenFiles(files []evidence.GivenFile) string {
	return strings.Join(plaintext.Each(files, func(f evidence.GivenFile) string { return fileText(f.Name, f.Date) }), "; ")
}

// verdictText is how an entry relates to the question, with its agency and date.
func (r *Report) verdictText(v *evidence.ApprovalVerdict) string {
	by := oneLine(v.Agency, maxName)
	switch {
	case v.Verdict == evidence.NotApproved || v.Date == "":
	case v.DateOf == evidence.DateOfLabel:
		by = r.say.Text("%s, label of %s", by, string(v.Date))
	case v.DateOf == evidence.DateOfMedicine:
		by = r.say.Text("%s, medicine authorised %s", by, string(v.Date))
	default:
		by += " " + string(v.Date)
	}

	switch v.Verdict {
	case evidence.ApprovedForThis:
		return r.say.Text("approved in this indication by %s", by)
	case evidence.ApprovedForAnother:
		return r.say.Text("approved in another by %s", by)
	case evidence.ApprovedUnread:
		return r.say.Text("approved by %s in an indication that can’t be read whole", by)
	case evidence.NotApproved:
	}
	return r.say.Text("not approved by %s (%s)", by, oneLine(v.Status, maxName))
}

func (r *Report) differsText(d evidence.IndicationDifference) string {
	label, asked := oneLine(d.Label, maxIndication), oneLine(d.Asked, maxName)

	other := r.say.Word(otherSlots[d.Slot])
	switch {
	case d.Slot == evidence.SlotLimit:
		return r.say.Text("the label limits: “%s”", label)
	case asked == "":
		return r.say.Text("%s: only %s, which the question does not say", other, label)
	case label == "":
		return r.say.Text("%s: %s is asked", other, asked)
	}
	return r.say.Text("%s: %s there, %s is asked", other, label, asked)
}

// approvedLine is the brief's: for each drug the best that is known, by each agency.
func (b *builder) approvedLine() BriefLine {
	var parts []string
	for i := range b.in.Approvals.Drugs {
		d := &b.in.Approvals.Drugs[i]

		if len(parts) == maxBriefApproved {
			break
		}

		var said []string
		for j := range d.Verdicts {
			if text := b.r.verdictText(&d.Verdicts[j]); !slices.Contains(said, text) {
				said = append(said, text)
			}
		}

		if len(said) == 0 {
			said = []string{b.say.Text("no entry in the files given (%s)", b.r.givenFiles(b.in.Approvals.Files))}
		}
		parts = append(parts, oneLine(d.Drug, maxName)+": "+strings.Join(said, "; "))
	}
	return BriefLine{About: AboutApproved, By: ByRules, Text: strings.Join(parts, ". ")}
}
