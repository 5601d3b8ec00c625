package lexicon

import (
	"fmt"
	"slices"
)

// readRoles adds readings and warnings for a question whose treatments have conflicting roles, or that names too little
// to choose by.
func (q *Question) readRoles() {
	excluded := q.mustNotBeGiven()
	for _, d := range q.Drugs {
		if q.leavesOpen(&d) {
			q.Readings = append(q.Readings, fmt.Sprintf("“%s” may be given or not: both are asked for.", d.Text))
		}

		if !d.isAsked() || d.Regimen > 1 && q.regimenOf(d.Name) < d.Regimen {
			continue
		}

		if slices.Contains(excluded, d.Name) {
			q.Warnings = append(q.Warnings, fmt.Sprintf(
				"The question contradicts itself: %s is asked about, and must not be given.", d.Name))
		}

		if slices.ContainsFunc(q.Drugs, func(o Drug) bool { return o.Name == d.Name && o.isEarlier() }) {
			q.Readings = append(q.Readings, fmt.Sprintf("%s is asked about after itself: this was read as %[1]s given again.",
				d.Name))
		}
	}

	isNamed := len(q.Tumours)+len(q.Conditions)+len(q.Alterations)+len(q.Biomarkers) > 0
	switch asked := slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.isAsked() }); {
	case asked && !isNamed:
		q.Readings = append(q.Readings, "No disease and no marker is named: papers on any are asked for.")
	case !asked && !isNamed && len(q.Setting) > 0 && len(q.Words) == 0:
		q.Readings = append(q.Readings, "No disease, marker or treatment is named: papers on any are asked for.")
	}
}

// regimenOf returns the first regimen that has a treatment; 0 for none.
func (q *Question) regimenOf(name string) int {
	for _, d := range q.Drugs {
		if d.Name == name && d.Regimen > 0 {
			return d.Regimen
		}
	}
	return 0
}

// isEarlier reports whether the drug was given before.
func (d *Drug) isEarlier() bool {
	return d.Role == Prior || d.Role == Background || d.Role == Resistant || d.Role == Intolerant ||
		d.Role == ResistantOrIntolerant
}
