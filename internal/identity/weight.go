package identity

// enough is what the fields of two records must weigh together for the two to be one where their place is not known:
// what a telling title, its first author and years next to each other weigh, and nothing more.
const enough = 8

// weightOf adds up how much the fields of two records speak for one paper, as Fellegi and Sunter have it: what rarely
// agrees by chance weighs much, and what is missing may weigh against. What contradicts was looked at before.
func weightOf(a, b *profile, like likeness, author kinship) int {
	w := weightOfTitles(a, b, like) + weightOfPeople(a, b, author) + weightOfPlaces(a.venue, b.venue)
	switch {
	case a.year*b.year == 0 && inOneVolume(a, b): // which tells the year
		w--
	case a.year*b.year == 0:
		w -= 8
	case a.year == b.year:
		w++
	}
	return w
}

// weightOfTitles goes by length. Titles that are alike may be those of two papers, "maternal" and "paternal", and no
// more agreement outweighs that, unless the abstracts are one word for word; but an export's cut and a misprint that
// makes no other word are as good as the same title.
func weightOfTitles(a, b *profile, like likeness) int {
	var w int
	switch runes := min(a.title.runes, b.title.runes); {
	case like != equal && !cutOff(a.title, b.title) && !a.title.misprints(b.title):
		w = -9
	case runes >= prefixLength:
		w = 9
	case runes >= ownTitle:
		w = 7
	case a.title.telling() && b.title.telling():
		w = 6
	default:
		w = -2
	}

	if like != equal {
		w--
	}

	if a.year == b.year && a.venue.journal(b.venue) == agrees && !extends(a.title, b.title) && wordForWord(a.rec, b.rec) {
		w += 15
	}
	return w
}

// weightOfPeople: of several people a misspelt one says little against.
func weightOfPeople(a, b *profile, author kinship) int {
	several := min(len(a.authors), len(b.authors)) > 1
	switch {
	case author == unnamed:
		return -4
	case several && !samePeople(a.authors, b.authors):
		return -9
	case author == similar && !several:
		return -1
	case author == similar || !several:
		return 2
	}
	return 3
}

func weightOfPlaces(v, o venue) int {
	w := 0
	switch v.journal(o) {
	case agrees:
		w += 2
	case contradicts:
		w -= 4
	}

	switch v.volumes(o) {
	case agrees:
		w += 3
	case contradicts:
		w -= 4
	}

	switch issues := v.issuesAgree(o); {
	case issues == agrees:
		w++
	case issues == contradicts && !v.misplaced(o):
		w -= 3
	}

	if v.pages(o) == agrees && len(pageDigits(v.start)) >= running {
		w += 2
	}

	if v.sameRange(o) {
		w += 2
	}
	return w
}
