package identity

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// venue is where a record appeared, normalised for comparison.
type venue struct {
	journals [][]string // the journal's names, each as its words
	issn     []string
	volume   string // the number alone: "24 Suppl 3" is 24
	yearly   bool   // whether the volume is the year, as in some exports
	issue    string
	start    string // first page, "s417", "e2757"; empty where none can be read
	end      string
}

func newVenue(j evidence.Journal) venue {
	v := venue{volume: volumeNumber(j.Volume), issue: issueNumber(j.Issue)}
	for _, n := range []string{j.Title, j.Abbreviation} {
		if n = text.Head(n, maxFieldBytes); !forms("repository").MatchString(n) {
			v.journals = append(v.journals, journalForms(n)...)
		}
	}

	for _, issn := range j.ISSN {
		v.issn = append(v.issn, strings.ReplaceAll(strings.ToUpper(issn), "-", ""))
	}
	v.start, v.end = pageRange(j.Pages)
	return v
}

const maxFieldBytes = 500

var (
	journalTail = text.LazyRegexp(`(?i)\s*(?:[:=(\[/]|\.\s*conference|\.\s?journal |\s[-–]\s|;).*$`)
	firstNumber = text.LazyRegexp(`\d+`)
	pageForm    = text.LazyRegexp(`^(?i:pp?\.?\s*|pages?\s|art(?:icle|n)?\b\.?\s*(?:no|number)?\b\.?\s*|unsp\s*)?` +
		`([a-zA-Z]{0,4}\.?)\s*0*(\d{1,20})([a-zA-Z]{0,2})$`)
	pageDash = text.LazyRegexp(`\s*(?:[-‐‑‒–—−]+|to)\s*`)
)

// journalForms lists the forms of a journal's name: whole, without what follows a colon, bracket or dash, and the first
// of two names, in brackets or before a full stop that ends no abbreviation ("[Rinsho ketsueki] The Japanese journal of
// clinical hematology", "Kyobu geka. The Japanese journal of thoracic surgery").
func journalForms(s string) [][]string {
	s = elided().ReplaceAllString(s, "$1 ")
	var forms [][]string

	short := s
	if strings.ContainsAny(s, ":=([/.-–—;") {
		short = journalTail().ReplaceAllString(s, "")
	}

	for _, form := range []string{s, short, firstName().FindString(s)} {
		w := strings.Fields(fold(form))
		if len(significantWords(w)) > 0 && (len(forms) == 0 || len(w) != len(forms[len(forms)-1])) {
			forms = append(forms, w)
		}
	}
	return forms
}

var (
	elided    = text.LazyRegexp(`(?i)\b([dl])['’]`)
	firstName = text.LazyRegexp(`^(?:\[[^\]]+\]|(?:\pL{4,}\s+)+\pL{4,}\.\s)`)
)

// significantWords are the words of a name without the small ones.
func significantWords(ws []string) []string { return slices.DeleteFunc(slices.Clone(ws), journalSmall) }

// journalSmall are articles, joining words and words for a journal's part, which abbreviations omit. Some are
// abbreviations, too ("Des" is "design", "Y" is "York"), so they may, but need not, be omitted.
var journalSmall = text.Set(`of the and for in on at with de des der die das la le les et und a an to y e fur du di d l
	del il en i den voor van za part section series`)

// pageRange parses "123-9", "123–129", "S417-S429", "e2757", "100A" and "123+". What is no page ("Suppl-29", "t-8")
// yields nothing.
func pageRange(s string) (start, end string) {
	s, _, _ = strings.Cut(text.Head(s, maxFieldBytes), ";")
	s, _, _ = strings.Cut(s, ",")
	parts := pageDash().Split(strings.TrimSpace(s), 2)

	start = page(strings.TrimSuffix(parts[0], "+")) // "123+" continues on later pages
	if start == "" || len(parts) < 2 {
		return start, ""
	}

	end = page(parts[1])
	if s, e := pageDigits(start), pageDigits(end); len(e) < len(s) && e != "" { // "123-9" and "1123-35"
		end = s[:len(s)-len(e)] + e
	}
	return start, end
}

// page normalises a page's number, with its letters before it; empty for what is none.
func page(s string) string {
	m := pageForm().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}

	if m[1] == "" { // "12S" is "S12"
		return strings.ToLower(m[3] + m[2])
	}
	return strings.ToLower(strings.TrimSuffix(m[1], ".") + m[2] + m[3])
}

func pageDigits(p string) string { return firstNumber().FindString(p) }

// agreement is the result of comparing two values of one field.
type agreement int

const (
	contradicts agreement = iota
	silent                // one of them is missing
	agrees
)

func agreementOf(a, b string) agreement {
	switch {
	case a == "" || b == "":
		return silent
	case a == b:
		return agrees
	}
	return contradicts
}

// isYear reports whether the volume's number is a record's year, or one next to it.
func (v venue) isYear(year int) bool {
	n, err := strconv.Atoi(v.volume)
	return err == nil && 1900 <= n && n < 2100 && yearsWithin(n, year, 1) != contradicts
}

// compareVolumes compares by number. A volume that is the year contradicts none; one in a wrong field agrees.
func (v venue) compareVolumes(o venue) agreement {
	switch {
	case v.misplaced(o):
		return agrees
	case v.yearly != o.yearly:
		return silent
	}
	return agreementOf(v.volume, o.volume)
}

// comparePages compares by first page. A letter before the number may be missing; overlapping ranges do not contradict,
// as exports confuse the pages of a paper and of its summary.
func (v venue) comparePages(o venue) agreement {
	if v.start == "1" && o.start == "1" { // as in every paper paged by itself
		return silent
	}

	if a := agreementOf(v.start, o.start); a != contradicts {
		return a
	}

	a, b := pageDigits(v.start), pageDigits(o.start)
	if a == b && (a == v.start || b == o.start) {
		return agrees
	}

	end := pageDigits(v.end) // exports misprint first pages, too
	if v.inSupplement() != o.inSupplement() {
		return contradicts
	}

	if pagesOverlap(v, o) || v.fromOne(o) || o.fromOne(v) || v.otherDigit(o) || len(end) > 1 && end == pageDigits(o.end) ||
		locator().MatchString(v.start) != locator().MatchString(o.start) {
		return silent
	}
	return contradicts
}

// locator matches an electronic journal's number for a paper, which may have page numbers as well: "e12724", "a1754".
var locator = text.LazyRegexp(`^[a-fhi]\d{3,}$`)

// inSupplement reports whether the pages are a supplement's: "S12". An abstract there is not the paper in the volume.
func (v venue) inSupplement() bool {
	return len(v.start) > 1 && v.start[0] == 's' && isNumber(v.start[1:])
}

// fromOne reports whether v's pages are those of an early version, which count from one: o has as many, or only an
// article's number.
func (v venue) fromOne(o venue) bool {
	ownOnly := o.end == "" && len(pageDigits(o.start)) >= articleNumberDigits
	return v.start == "1" && v.extent() >= 2 && (ownOnly || v.extent() == o.extent())
}

// otherDigit reports whether both have as many pages, and the first pages differ in a single digit before the last: a
// misprint, unlike a paper on the following pages.
func (v venue) otherDigit(o venue) bool {
	if len(v.start) != len(o.start) || v.extent() == 0 || v.extent() != o.extent() {
		return false
	}

	others := 0
	for i := range len(v.start) {
		if v.start[i] != o.start[i] {
			others++
		}
	}
	return others == 1 && v.start[len(v.start)-1] == o.start[len(o.start)-1]
}

// pagesOverlap reports whether two ranges of pages without letters have a page in common.
func pagesOverlap(v, o venue) bool {
	if pageDigits(v.start) != v.start || pageDigits(o.start) != o.start || v.end == "" && o.end == "" {
		return false
	}
	return !lessNumber(lastPage(v), o.start) && !lessNumber(lastPage(o), v.start)
}

func lastPage(v venue) string {
	if v.end == "" || pageDigits(v.end) != v.end || lessNumber(v.end, v.start) {
		return v.start
	}
	return v.end
}

// lessNumber compares numbers of any length without leading zeros.
func lessNumber(a, b string) bool { return len(a) < len(b) || len(a) == len(b) && a < b }

// compareJournals compares by ISSN, then by the forms of the names.
func (v venue) compareJournals(o venue) agreement {
	if len(v.journals) == 0 && len(v.issn) == 0 || len(o.journals) == 0 && len(o.issn) == 0 {
		return silent
	}

	for _, a := range v.issn {
		for _, b := range o.issn {
			if a == b && a != "" {
				return agrees
			}
		}
	}

	if len(v.journals) == 0 || len(o.journals) == 0 {
		return silent
	}

	for _, a := range v.journals {
		for _, b := range o.journals {
			if sameJournal(a, b) {
				return agrees
			}
		}
	}
	return contradicts
}

// sameJournal matches abbreviations word by word ("Natl" is "National"), two words written as one, acronyms ("BMJ") and
// a longer form of three words or more.
func sameJournal(a, b []string) bool {
	x, y := significantWords(a), significantWords(b)
	if len(x) > len(y) {
		a, b, x, y = b, a, y, x
	}

	if len(x) == 1 && len(y) > 2 && x[0] == initials(y) {
		return true
	}
	return aligned(a, b, len(x) >= 3)
}

// aligned reports whether two names can be aligned: word with abbreviation, a pair of words with one, small words with
// nothing. If open, b may have more words before and behind.
func aligned(a, b []string, open bool) bool {
	reached := make([][]bool, len(a)+1) // whether a[:i] aligns with b[:j]
	for i := range reached {
		reached[i] = make([]bool, len(b)+1)
	}

	reached[0][0] = true
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			if open && (i == 0 || i == len(a) && j > 0 && reached[i][j-1]) {
				reached[i][j] = true
			}

			if !reached[i][j] {
				continue
			}

			for _, step := range alignments(a[i:], b[j:]) {
				reached[i+step[0]][j+step[1]] = true
			}
		}
	}
	return reached[len(a)][len(b)]
}

// alignments lists how many first words of each name can be aligned with each other.
func alignments(v, w []string) (steps [][2]int) {
	if len(v) > 0 && journalSmall(v[0]) {
		steps = append(steps, [2]int{1, 0})
	}

	if len(w) > 0 && journalSmall(w[0]) {
		steps = append(steps, [2]int{0, 1})
	}

	if len(v) == 0 || len(w) == 0 {
		return steps
	}

	if abbreviates(v[0], w[0]) || abbreviates(w[0], v[0]) {
		steps = append(steps, [2]int{1, 1})
	}

	if hyphened(v, w[0]) {
		steps = append(steps, [2]int{2, 1})
	}

	if hyphened(w, v[0]) {
		steps = append(steps, [2]int{1, 2})
	}
	return steps
}

// hyphened reports whether word, or what it abbreviates, is the first two of pair written as one: "psycho", "oncology"
// and "psychooncol".
func hyphened(pair []string, word string) bool {
	if len(pair) < 2 || len(word) <= len(pair[0]) {
		return false
	}
	whole := pair[0] + pair[1]
	return strings.HasPrefix(whole, word) || strings.HasPrefix(word, whole)
}

func initials(ws []string) string {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(text.Runes(w, 1))
	}
	return b.String()
}

// abbreviates reports whether short has long's first letter, and its other letters in their order.
func abbreviates(short, long string) bool {
	if text.Runes(short, 1) != text.Runes(long, 1) {
		return false
	}

	for _, r := range short {
		i := strings.IndexRune(long, r)
		if i < 0 {
			return false
		}
		long = long[i+len(string(r)):]
	}
	return true
}

// comparePlaces compares the places as a whole: agrees where volume and first page are the same, contradicts where the
// known fields can't be one place. Another journal is another place (a meeting abstract has its paper's title and
// authors), unless volume and page are the same; then the journal's name is one that we do not recognise.
func (v venue) comparePlaces(o venue) agreement {
	journal, volume, pages := v.compareJournals(o), v.compareVolumes(o), v.comparePages(o)
	switch {
	case v.misplaced(o):
		return silent
	case v.otherIssue(o):
		return contradicts
	case volume == agrees && pages == agrees && (journal != contradicts || v.sameRange(o)):
		return agrees
	case volume == agrees && journal == agrees && v.start+o.start == "" && v.compareIssues(o) == agrees:
		return agrees
	case journal == contradicts && (volume != agrees || pages != agrees) && !(volume == silent && v.sameRange(o)):
		return contradicts
	case pages == contradicts:
		return contradicts
	case volume == contradicts && (v.start != o.start || v.end != o.end || len(v.start) <= 1 || v.end == ""):
		return contradicts
	}
	return silent
}

// samePlaceButVolume reports whether both are on the same page of the same journal, and a volume is unknown.
func (v venue) samePlaceButVolume(o venue) bool {
	return v.compareJournals(o) == agrees && v.compareVolumes(o) == silent && v.start != "" && o.start != "" &&
		v.comparePages(o) == agrees &&
		v.compareIssues(o) != contradicts
}

// misplaced reports whether the two places have the same numbers in different fields.
func (v venue) misplaced(o venue) bool {
	return v.shifted(o) || o.shifted(v) || v.issueForVolume(o) || o.issueForVolume(v) || v.exchanged(o)
}

// shifted reports whether v's volume and issue slipped into its fields for issue and pages.
func (v venue) shifted(o venue) bool {
	return v.volume == "" && v.issue != "" && v.issue == o.volume && v.start != "" && v.start == o.issue
}

// exchanged reports whether volume and issue stand in each other's field. Numbers next to each other do not count: the
// second issue of the first volume and the first of the second are two.
func (v venue) exchanged(o venue) bool {
	volume, err := strconv.Atoi(v.volume)
	issue, errIssue := strconv.Atoi(v.issue)
	return err == nil && errIssue == nil && (volume-issue > 1 || issue-volume > 1) && v.volume == o.issue &&
		v.issue == o.volume
}

// sameRange reports whether both have the same several pages. In one volume they are one paper's, whatever the
// journal's names.
func (v venue) sameRange(o venue) bool {
	return v.start == o.start && v.start != "1" && v.end == o.end && v.extent() >= 2
}

// issueForVolume reports whether v's issue slipped into its field for the volume; the pages are the same.
func (v venue) issueForVolume(o venue) bool {
	return v.issue == "" && v.volume != "" && v.volume != o.volume && v.volume == o.issue && v.start != "" &&
		v.start == o.start && v.end == o.end
}

// republished reports whether the contents of the two places were published twice under one number, as a Cochrane
// review is with every update: in two issues without volume, or under a Cochrane number.
func (v venue) republished(o venue) bool {
	return v.start != "" && v.start == o.start && v.compareJournals(o) == agrees && (cochrane().MatchString(v.start) ||
		v.volume+o.volume == "" && v.compareIssues(o) == contradicts)
}

var cochrane = text.LazyRegexp(`^(?:cd|mr)\d{1,6}$`)

// articleNumberDigits is the number of digits from which a page is an article number.
const articleNumberDigits = 5

// exact reports whether the two places are the same to the last page, in a journal known on both sides. A number beyond
// any volume's pages is an article's own.
func (v venue) exact(o venue) bool {
	return v.onOnePage(o) && v.end == o.end && (v.end != "" || len(pageDigits(v.start)) >= articleNumberDigits)
}

// onOnePage reports whether both are known to begin on one page of one journal's volume.
func (v venue) onOnePage(o venue) bool {
	return v.comparePlaces(o) == agrees && v.start == o.start && v.start != "" && v.compareJournals(o) == agrees
}

// extent is the number of pages after the first; 0 where unknown.
func (v venue) extent() int {
	first, errFirst := strconv.Atoi(v.start)

	end, errEnd := strconv.Atoi(v.end)
	if errFirst != nil || errEnd != nil {
		return 0
	}
	return max(0, end-first)
}

// nearby reports whether only the pages contradict each other, in one volume of one journal. A single page beside a
// long paper, as an erratum or an abstract beside its article, does not count, nor does one in a supplement.
func (v venue) nearby(o venue) bool {
	return v.compareJournals(o) == agrees && v.compareVolumes(o) == agrees && v.compareIssues(o) != contradicts &&
		v.single() == o.single() && v.inSupplement() == o.inSupplement()
}

func (v venue) single() bool { return v.end == "" || v.end == v.start }
