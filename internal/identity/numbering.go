package identity

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// volumeNumber is the volume's number alone: "24 Suppl 3" and "24(Suppl" are 24. "Suppl 1" and "1)", what is left of
// "(Suppl 1)" in an export that parts fields at the bracket, are no volume.
func volumeNumber(s string) string {
	s = text.Head(s, maxFieldBytes)
	if strings.Count(s, ")") > strings.Count(s, "(") {
		return ""
	}

	folded := fold(s)
	if supplementHead().MatchString(folded) {
		return ""
	}

	if n := firstNumber().FindString(folded); n != "" {
		return strings.TrimLeft(n, "0")
	}
	return strings.Join(strings.Fields(folded), "")
}

var supplementHead = text.LazyRegexp(`^\s*(?:s\s*\d|supp?l?\b|suppl?ement\w*)`)

// issueNumber normalises an issue: "s1" for a first supplement however it is written, "s" for one without number, "3"
// for "No. 3", "1-2" for a double issue, and the words alone where there is no number.
func issueNumber(s string) string {
	var numbers, rest []string

	supplement := ""
	for _, w := range words(fold(text.Head(s, maxFieldBytes))) {
		switch {
		case isNumber(w):
			numbers = append(numbers, strings.TrimLeft(w, "0"))
		case w == "s" || strings.HasPrefix(w, "sup"):
			supplement = "s"
		case !issueLabels(w):
			rest = append(rest, w)
		}
	}

	switch {
	case supplement != "" && len(numbers) > 0:
		return supplement + numbers[len(numbers)-1] // "3 Suppl 1" is a supplement's number behind its issue's
	case supplement != "":
		return supplement
	case len(numbers) > 0:
		return strings.Join(numbers, "-")
	}
	return strings.Join(rest, "")
}

var issueLabels = text.Set(`no nr n num number issue iss heft fasc`)

// compareIssues compares issues. A supplement may be called by the number of its issue, so only two supplements, or two
// plain issues, contradict each other; a double issue holds both of its numbers.
func (v venue) compareIssues(o venue) agreement {
	a, b := v.issue, o.issue
	if ag := agreementOf(a, b); ag != contradicts {
		return ag
	}

	if x, y := evidence.NamedMonth(a), evidence.NamedMonth(b); x != 0 && y != 0 {
		return agreementOf(strconv.Itoa(x), strconv.Itoa(y))
	}
	numA, supA := supplementNumber(a)

	numB, supB := supplementNumber(b)
	switch {
	case supA != supB || numA == "" || numB == "":
		return silent
	case firstNumber().FindString(numA) == "" || firstNumber().FindString(numB) == "":
		return silent
	}

	in := strings.Split(numA, "-")
	if slices.ContainsFunc(strings.Split(numB, "-"), func(n string) bool { return slices.Contains(in, n) }) {
		return silent
	}
	return contradicts
}

// supplementNumber is the number after the mark of a supplement: "1" of "s1", empty for "s". A month ("sep") is no
// supplement.
func supplementNumber(issue string) (number string, ok bool) {
	number, ok = strings.CutPrefix(issue, "s")
	if !ok || number != "" && !isNumber(number) {
		return issue, false
	}
	return number, true
}

// otherIssue reports whether the two places are in different issues of a journal. Where pages run through the volume,
// the same page outweighs another issue, which is then a misprint. Where pages begin anew with each issue, as low or
// missing numbers suggest, it does not.
func (v venue) otherIssue(o venue) bool {
	if v.compareIssues(o) != contradicts || v.compareJournals(o) == contradicts || v.misplaced(o) {
		return false
	}

	if v.compareVolumes(o) != agrees && v.volume+o.volume != "" {
		return false
	}
	return v.comparePages(o) == silent || len(pageDigits(v.start)) < minPageDigits && v.extent() < 3
}

// minPageDigits is the number of digits from which a page number hardly belongs to a single issue.
const minPageDigits = 3

// isSerial reports whether the two are parts of a series under one title: neither has pages or an abstract, and the
// journal is the same at another time. For a long title by the same people, or a shorter one in one volume, volume or
// issue must differ: an early online version has neither.
func isSerial(a, b *profile) bool {
	if a.venue.start+b.venue.start != "" || len(a.rec.Abstract)+len(b.rec.Abstract) > 0 ||
		a.venue.compareJournals(b.venue) != agrees || !otherMonth(a.rec.Date, b.rec.Date) {
		return false
	}
	volume, issue := a.venue.compareVolumes(b.venue), a.venue.compareIssues(b.venue)

	author, runes := a.firstAuthors(b), min(a.title.runes, b.title.runes)
	switch {
	case volume == agrees && (a.year != b.year || // one of the years is that of the paper online
		runes >= ownTitle && author >= similarAuthor && a.title.compare(b.title) >= alike && !extends(a.title, b.title)):
		return issue == contradicts
	case runes >= longTitle && author == same && a.title.isMisprintOf(b.title) &&
		min(len(a.authors), len(b.authors)) > 1 && samePeople(a.authors, b.authors):
		return volume == contradicts || issue == contradicts
	}
	return volume != agrees || issue != agrees
}

// isColumn reports whether two records that may be parts of a series have a title as short as those of series are, or a
// medium title and one author. With a longer title, a record that agrees with a third is a copy of that.
func isColumn(a, b *profile) bool {
	runes := min(a.title.runes, b.title.runes)
	return isSerial(a, b) &&
		(runes < ownTitle || runes < prefixLength && min(len(a.authors), len(b.authors)) < 2)
}

// otherMonth reports whether two dates differ in their years, or in their months where both have one.
func otherMonth(a, b evidence.Date) bool {
	const month = len("2006-01")
	n := min(len(a), len(b), month)
	return n > 0 && a[:n] != b[:n]
}

const rubricLength = 60
