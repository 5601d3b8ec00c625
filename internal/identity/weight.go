package identity

// minWeight is the total weight from which two records without a known place are one: that of an identifying title, its
// first author and adjacent years alone.
const minWeight = 8

// weightOf sums how strongly the fields of two records indicate one paper (Fellegi and Sunter): rare agreements weigh
// much, and missing values may weigh against. Contradictions were checked before.
func weightOf(a, b *profile, like likeness, author authorMatch) int {
	w := weightOfTitles(a, b, like) + weightOfPeople(a, b, author) + weightOfPlaces(a.venue, b.venue)
	switch {
	case a.year*b.year == 0 && inOneVolume(a, b): // which implies the year
		w--
	case a.year*b.year == 0:
		w -= 8
	case a.year == b.year:
		w++
	}
	return w
}

// weightOfTitles weighs by length. Titles that are only alike may be those of two papers, "maternal" and "paternal",
// and no other agreement outweighs that, unless the abstracts are the same word for word. An export's cut, and a
// misprint that makes no other word, count like the same title.
func weightOfTitles(a, b *profile, like likeness) int {
	var w int
	switch runes := min(a.title.runes, b.title.runes); {
	case like != equal && !cutOff(a.title, b.title) && !a.title.isMisprintOf(b.title):
		w = -9
	case runes >= prefixLength:
		w = 9
	case runes >= ownTitle:
		w = 7
	case a.title.identifying() && b.title.identifying():
		w = 6
	default:
		w = -2
	}

	if like != equal {
		w--
	}

	if a.year == b.year && a.venue.compareJournals(b.venue) == agrees && !extends(a.title, b.title) &&
		wordForWord(a.rec, b.rec) {
		w += 15
	}
	return w
}

// weightOfPeople weighs the authors: among several, a misspelt one counts little against.
func weightOfPeople(a, b *profile, author authorMatch) int {
	several := min(len(a.authors), len(b.authors)) > 1
	switch {
	case author == unknownAuthor:
		return -4
	case several && !samePeople(a.authors, b.authors):
		return -9
	case author == similarAuthor && !several:
		return -1
	case author == similarAuthor || !several:
		return 2
	}
	return 3
}

func weightOfPlaces(v, o venue) int {
	w := 0
	switch v.compareJournals(o) {
	case agrees:
		w += 2
	case contradicts:
		w -= 4
	}

	switch v.compareVolumes(o) {
	case agrees:
		w += 3
	case contradicts:
		w -= 4
	}

	switch issues := v.compareIssues(o); {
	case issues == agrees:
		w++
	case issues == contradicts && !v.misplaced(o):
		w -= 3
	}

	if v.comparePages(o) == agrees && len(pageDigits(v.start)) >= minPageDigits {
		w += 2
	}

	if v.sameRange(o) {
		w += 2
	}
	return w
}
