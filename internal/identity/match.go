package identity

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// bond is the strength of the evidence that two records without a common identifier are one paper.
type bond int

const (
	apart  bond = iota
	fair        // same identifying title, first author and year; place unknown or not contradicting
	closer      // the same in one journal, in one volume or year
	firm        // alike in title, author and year, and at the same place
)

// agree is the rule of docs/METHOD.md, "Without a shared identifier". What two copies of one paper can't have keeps the
// two apart; at one place a misspelt, cut or short title suffices; elsewhere the agreeing fields are weighed together.
// It is symmetric.
func agree(a, b *profile) bond {
	// OpenAlex counts here, though it has some papers twice: no other evidence links the two.
	contradict := func(kind evidence.IDKind) bool { return kindContradicts(a.ids, b.ids, kind) }
	if a == b || slices.ContainsFunc(evidence.IDKinds, contradict) || a.otherAccession(b) {
		return apart
	}

	likeness := a.compareTitles(b)
	if likeness == differing && (samePages(a, b) || translated(a, b)) {
		likeness = alike
	}
	place, years := placeAgrees(a, b), yearsWithin(a.year, b.year, 1)
	isNamed := likeness == equal && a.title.identifying()

	if likeness < alike || years == contradicts && !(isNamed && onOwnPages(a, b)) {
		return apart
	}

	author := a.firstAuthors(b)
	switch {
	case place == contradicts || isSerial(a, b) || !classesAgree(a, b, place) || place != agrees && a.title.rubric:
		return apart
	// Or the same identifying title in the same year on the same pages, whatever the form of its authors.
	case place == agrees && (agreesFirmly(a, b, likeness, author, years) || isNamed && years == agrees &&
		(a.venue.exact(b.venue) || a.venue.sameRange(b.venue) || longOnOnePage(a, b))):
		return firm
	case years != contradicts && author != differentAuthor && weightOf(a, b, likeness, author) >= minWeight:
		return weakBond(a, b)
	}
	return apart
}

// onOwnPages reports whether two records of the same people begin on one page of one volume that is not a year: if
// their years differ, one is a misprint.
func onOwnPages(a, b *profile) bool {
	return a.venue.onOnePage(b.venue) && len(pageDigits(a.venue.start)) >= minPageDigits &&
		!a.venue.yearly && !b.venue.yearly && a.firstAuthors(b) >= similarAuthor && samePeople(a.authors, b.authors)
}

// weakBond is the bond of two records that agree in title, author and year: closer where they share a volume, or
// journal and year.
func weakBond(a, b *profile) bond {
	if inOneVolume(a, b) || a.year == b.year && a.venue.compareJournals(b.venue) == agrees {
		return closer
	}
	return fair
}

// inOneVolume reports whether both are in one volume of one journal, which implies the year of a record without one.
func inOneVolume(a, b *profile) bool {
	return a.venue.compareJournals(b.venue) == agrees && a.venue.compareVolumes(b.venue) == agrees
}

// longOnOnePage reports whether two records of one long title begin on one page, and their authors can be the same.
func longOnOnePage(a, b *profile) bool {
	return a.title.runes >= prefixLength && a.venue.onOnePage(b.venue) && samePeople(a.authors, b.authors)
}

// extends reports whether one title is the other with more words before or behind it.
func extends(a, b title) bool {
	if a.runes > b.runes {
		a, b = b, a
	}
	return a.compact != b.compact && !cutOff(a, b) &&
		(strings.HasPrefix(b.compact, a.compact) || strings.HasSuffix(b.compact, a.compact))
}

// otherPart reports whether one title is the other followed by a part's number.
func otherPart(a, b title) bool {
	if a.runes > b.runes {
		a, b = b, a
	}
	rest, begun := strings.CutPrefix(b.compact, a.compact)
	return begun && forms("part number").MatchString(rest)
}

// samePages reports whether two records of one year have the same people, the same several pages, and titles that have
// much in common, or are one without its subtitle. No second paper fits there, so a differing word is a misprint or a
// translator's choice. Abstracts share one page, but not several, unless the pages are a congress's whole collection.
func samePages(a, b *profile) bool {
	const most = 60 // pages of a paper

	pages, haveAuthors := a.venue.extent(), len(a.authors) > 0 && len(b.authors) > 0
	if pages >= most || !sameYear(a, b) || !haveAuthors || !sameAuthors(a, b) || !a.venue.exact(b.venue) ||
		otherPart(a.title, b.title) {
		return false
	}
	return pages >= 3 && a.title.shares(b.title) || pages >= 1 && subtitled(a.rec.Title, b.rec.Title)
}

// sameYear reports whether both years are known and the same.
func sameYear(a, b *profile) bool { return a.year == b.year && a.year != 0 }

// sameAuthors reports whether two records have the same first author, and their lists can be the same.
func sameAuthors(a, b *profile) bool {
	return a.first().compare(b.first()) == same && samePeople(a.authors, b.authors)
}

// From longTitle letters and digits a title is hardly a series', and from ownTitle hardly a column's in one volume.
const (
	longTitle = 70
	ownTitle  = 40
)

// placeAgrees compares the places. Two records of one year with the same long title and the same people in one volume
// of one journal are one paper with misprinted pages: serial papers have short titles.
func placeAgrees(a, b *profile) agreement {
	place, isYearMissing := a.venue.comparePlaces(b.venue), a.year == 0 || b.year == 0
	switch {
	case !sameYear(a, b) && !isYearMissing && a.venue.republished(b.venue):
		return contradicts
	case place == silent && a.venue.compareVolumes(b.venue) == contradicts && !sameYear(a, b):
		return contradicts // the same pages a volume later are a series
	case place == silent && a.venue.samePlaceButVolume(b.venue) &&
		(sameYear(a, b) || isYearMissing && len(pageDigits(a.venue.start)) >= minPageDigits):
		return agrees
	case place == contradicts && a.title.compact == b.title.compact && a.title.runes >= longTitle && sameYear(a, b) &&
		sameAuthors(a, b) && a.venue.nearby(b.venue):
		return silent
	}
	return place
}

// agreesFirmly is the rule for records at one place. Author or year may be missing, if the journal is known on both
// sides. An issue without pages can hold a paper and its protocol under a longer title.
func agreesFirmly(a, b *profile, l likeness, author authorMatch, years agreement) bool {
	hasAuthor, hasYear := author != unknownAuthor, years != silent
	switch {
	case author == differentAuthor || l == alike && !samePeople(a.authors, b.authors):
		return false
	case l == alike && a.venue.start+b.venue.start == "" && extends(a.title, b.title):
		return false
	case a.venue.sameRange(b.venue):
		return hasAuthor || hasYear
	case hasAuthor && hasYear:
		return true
	case hasYear && a.title.runes >= ownTitle && !extends(a.title, b.title) && a.venue.onOnePage(b.venue) &&
		len(a.venue.start) >= minPageDigits:
		return true
	}
	return a.venue.compareJournals(b.venue) == agrees &&
		(hasAuthor && inOneVolume(a, b) || l == equal && (hasAuthor || hasYear))
}

// cutOff reports whether one of the titles is the other, cut off by an export at its limit: inside a word. A title that
// ends with a word is whole, and the longer one is another paper's, as where ": study protocol" or ": five-year
// results" follows.
func cutOff(a, b title) bool {
	if a.runes > b.runes {
		a, b = b, a
	}
	const limit = 100 // letters and digits; hardly an export cuts below this
	return a.runes >= limit && strings.HasPrefix(b.compact, a.compact) && b.insideWord(len(a.compact))
}

// yearsWithin compares two years that may be span apart; 0 is unknown.
func yearsWithin(a, b, span int) agreement {
	switch {
	case a == 0 || b == 0:
		return silent
	case a-b > span || b-a > span:
		return contradicts
	}
	return agrees
}

// classesAgree reports whether two records without a common identifier are of one class; an unstated class counts as an
// article. At the same place, an unstated class may be any that its title does not exclude.
func classesAgree(a, b *profile, place agreement) bool {
	if a.class == b.class || plainest(a.class) == plainest(b.class) {
		return true
	}

	if place != agrees || a.classInTitle || b.classInTitle {
		return false
	}
	return a.class == plain && a.mayBeClass(b) || b.class == plain && b.mayBeClass(a)
}

// mayBeClass reports whether a record of unstated class may be of the other's class. A preprint has no volume, page or
// PubMed entry unless it is called a preprint there, too; trials and patents always state their class.
func (p *profile) mayBeClass(other *profile) bool {
	switch other.class {
	case preprint:
		return p.venue.volume == "" && p.venue.start == "" && !hasKind(p.rec, evidence.PMID) &&
			!hasKind(p.rec, evidence.PMCID) && p.venue.compareJournals(other.venue) != contradicts
	case trial, patent:
		return false
	}
	return true
}

func plainest(c class) class {
	if c == article {
		return plain
	}
	return c
}

// kindContradicts reports whether both lists have identifiers of a kind, and none in common.
func kindContradicts(a, b []evidence.Identifier, kind evidence.IDKind) bool {
	found := false
	for _, x := range a {
		if x.Kind != kind {
			continue
		}

		for _, y := range b {
			if y.Kind == kind {
				if x.Value == y.Value {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// whyDifferent states why two records that share an identifier of that kind are not one paper; empty where they are.
func whyDifferent(a, b *profile, kind evidence.IDKind) string {
	switch {
	case !compatibleClasses(a, b):
		return familyReason
	case kind == evidence.DOI && doiMisplaced(a, b):
		return "the titles differ: a DOI of a whole issue or supplement, or in the wrong record"
	case misattributed(a, b, 1):
		return differingFields(a, b) + " differ: an identifier in the wrong record"
	}
	return ""
}

const familyReason = "different kinds of publication: a family, not one paper"

// compatibleClasses reports whether two records that share an identifier can be of one class. An unstated class fits
// any, unless the other's title states its class. An article and a comment of one title are one: databases differ on
// what is a comment.
func compatibleClasses(a, b *profile) bool {
	if plainest(a.class) == plainest(b.class) {
		return true
	}

	if a.class == plain && !a.mayBeClass(b) || b.class == plain && !b.mayBeClass(a) {
		return false
	}

	if a.title.compact == "" || b.title.compact == "" {
		return a.class == plain || b.class == plain
	}

	if a.classInTitle || b.classInTitle {
		return false
	}

	sameTitle := a.compareTitles(b) == equal
	if a.class == plain || b.class == plain {
		return sameTitle || !isNotice(a.class) && !isNotice(b.class)
	}
	return sameTitle && (haveClasses(a, b, article, comment) || haveClasses(a, b, article, abstract))
}

func haveClasses(a, b *profile, x, y class) bool {
	return a.class == x && b.class == y || a.class == y && b.class == x
}

func isNotice(c class) bool { return c == erratum || c == retraction || c == concern || c == comment }

// doiMisplaced reports whether two carriers of a DOI are different papers. With different titles they are one only
// where all else agrees, as with a translated title.
func doiMisplaced(a, b *profile) bool {
	if a.compareTitles(b) != differing {
		return a.title.compact != b.title.compact && a.venue.comparePages(b.venue) == contradicts &&
			a.first().compare(b.first()) == differentAuthor
	}
	return !sameAuthors(a, b) || yearsWithin(a.year, b.year, 1) != agrees || a.venue.comparePlaces(b.venue) == contradicts
}

// differingFields lists the fields in which two records differ, for logs.
func differingFields(a, b *profile) string {
	var parts []string
	if a.compareTitles(b) == differing {
		parts = append(parts, "title")
	}

	if a.firstAuthors(b) == differentAuthor {
		parts = append(parts, "first author")
	}

	if yearsWithin(a.year, b.year, 1) == contradicts {
		parts = append(parts, "year")
	}

	if a.otherAccession(b) {
		return strings.Join(append(parts, "accession number"), ", ")
	}

	if len(parts) < 2 {
		return strings.Join(append(parts, "other details"), " and ")
	}
	return strings.Join(parts, ", ")
}
