package results

import (
	"math"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Patients reads from the abstract how many patients a study had: the first number of patients in a sentence on their
// enrolment, else in one on their treatment; 0 if there is none. It also returns the sentence, which describes them. A
// guideline or an experiment has no patients, a single case one.
func Patients(r *evidence.Record, bucket evidence.Bucket, design evidence.Design) (n int, named string) {
	switch {
	case bucket == evidence.Guideline || bucket == evidence.Preclinical:
		return 0, ""
	case design == evidence.DesignCaseReport:
		return 1, ""
	}

	var all []string
	for _, section := range r.Abstract {
		if !forms("unenrolled").MatchString(section.Category + " " + section.Label) {
			all = append(all, plaintext.Sentences(plaintext.Line(section.Text))...)
		}
	}

	for _, enrolled := range []bool{true, false} {
		for _, s := range all {
			if enrolled && !forms("enrolled").MatchString(s) || !enrolled && !forms("treated").MatchString(s) {
				continue
			}

			if n := patientsIn(s); n >= fewPatients || n > 1 && enrolled { // one is a group of several
				return n, s
			}
		}
	}
	return 0, ""
}

// fewPatients is the least number in a sentence without enrolment: "two patients" in it may mean anything.
const fewPatients = 10

// patientsIn is the first number of patients in a sentence; those only screened, and bounds ("at least 50 patients
// each"), do not count. It does not read numbers in words beyond ninety-nine, nor add up two groups.
func patientsIn(sentence string) int {
	for _, q := range Quantities(sentence) {
		rest := sentence[q.End:]

		group := forms("several groups").FindString(sentence[:q.Start])
		if q.Spelled && forms("number in words").MatchString(sentence) ||
			group != "" && !forms("studies and places").MatchString(group) {
			return 0
		}
		before := sentence[:q.Start]
		whole := q.Measure == People && q.Value >= 1 && q.Value < 1e8 && q.Value == math.Trunc(q.Value)

		ofPatients := forms("patients").MatchString(rest) ||
			forms("n equals").MatchString(before) && !CountsWorks(rest)
		if whole && ofPatients && !forms("bound").MatchString(before) && !forms("screened").MatchString(rest) {
			return int(q.Value)
		}
	}
	return 0
}
