package render

import (
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// interpretationsTitle heads the entries of curators' files on a question's alterations.
const interpretationsTitle = "What curators say of the alteration, by the files given"

// interpretationSaid is how an interpretation relates to a question.
func interpretationSaid(v *evidence.InterpretationVerdict) string {
	switch v.Verdict {
	case evidence.InterpretsThis:
		return "on this"
	case evidence.InterpretsWider:
		return "on a wider one"
	case evidence.InterpretsUnread:
		return "perhaps on this, not read whole"
	case evidence.InterpretsAnother:
	}
	return "on another"
}

// interpretationBeside is how far to trust an interpretation, its evidence, and its file.
func interpretationBeside(i *evidence.Interpretation) string {
	parts := []string{i.Review}
	if i.Reviewed != "" {
		parts = append(parts, "reviewed "+string(i.Reviewed))
	}

	parts = append(parts, i.Notes...)

	pmids := plaintext.Each(i.PMIDs, func(n string) string { return "PMID:" + n })
	if rests := slices.Concat(i.Items, pmids); len(rests) > 0 {
		parts = append(parts, "rests on "+strings.Join(rests[:min(len(rests), mostRests)], ", "))
	}
	parts = append(append([]string{i.Number()}, parts...), fmt.Sprintf("%s of %s", i.File, i.FileDate))
	return plaintext.Join(", ", parts...)
}

// mostRests bounds the evidence named for an interpretation.
const mostRests = 10

// differsText names what differs, is wider, is open or was not read.
func differsText(v *evidence.InterpretationVerdict) string {
	parts := plaintext.Each(v.Differs, differenceText)
	for _, l := range []struct {
		what string
		list []string
	}{{"wider", v.Wider}, {"it says nothing of", v.Open}, {"not read", v.Unread}} {
		if len(l.list) > 0 {
			parts = append(parts, l.what+": "+strings.Join(l.list, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// InterpretationLines are the curators' interpretations of a question's alterations, a line each, with its source
// before it.
func InterpretationLines(found *evidence.InterpretationsFound) (lines [][2]string) {
	if len(found.Verdicts) == 0 {
		return [][2]string{{strings.Join(found.Alterations, ", "),
			"no entry in the files given (" + givenFiles(found.Files) + ")"}}
	}

	for i := range found.Verdicts {
		v := &found.Verdicts[i]
		wording := plaintext.Join(": ", interpretationSaid(v), v.GradesText())
		on := plaintext.Join(" in ", v.Name, strings.Join(v.Diseases, ", "))

		line := plaintext.Join(" – ", wording, on, v.Statement(), differsText(v))
		if v.Words != "" {
			line += " “" + v.Words + "”"
		}
		lines = append(lines, [2]string{v.Curator(), line + " (" + interpretationBeside(&v.Interpretation) + ")"})
	}

	if found.Others > 0 {
		lines = append(lines, [2]string{"not shown", fmt.Sprintf("%d more on these genes, on something else", found.Others)})
	}
	return lines
}

// interpretations are ready for layout; nil if there are none.
func interpretations(found *evidence.InterpretationsFound) *held {
	if found == nil {
		return nil
	}
	return &held{interpretationsTitle, InterpretationLines(found)}
}
