package render

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
	"dossier/internal/plaintext"
)

// Clean makes a stranger's text fit for one line of a terminal: escape sequences and characters that reorder text are
// dropped, white space is folded.
func Clean(s string) string { return plaintext.Line(s) }

// Path shows a file's name as it is where a line of a terminal can, and else quoted with escapes: a name that lost what
// can't be shown would be another file's.
func Path(path string) string {
	if Clean(path) == path {
		return path
	}
	return strconv.Quote(path)
}

// Cell neutralises a CSV cell that a spreadsheet would take for a formula, also where the sign that begins one is of
// full width or smaller, as some take those for the same. Line ends stay.
func Cell(s string) string {
	s = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, plaintext.Visible(s))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \n"))
	if strings.ContainsAny(norm.NFKC.String(string(first)), "=+-@\u2212") {
		return "'" + s
	}
	return s
}

// Plural writes a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Age says a length of time in the words that people use for it.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return Plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return Plural(int(d/time.Hour), "hour")
	}
	return Plural(int(d/(24*time.Hour)), "day")
}

// ClockTolerance is how far two machines' clocks may differ before it is worth a word.
const ClockTolerance = 5 * time.Minute

// Old is an age in a sentence: "3 days old". What is dated ahead of the clock is of no known age.
func Old(age time.Duration) string {
	if age < -ClockTolerance {
		return "dated " + Age(-age) + " ahead of this machine's clock"
	}
	return Age(age) + " old"
}

// TooOld says whether what has that age may not pass for younger than most: nothing that is dated ahead may.
func TooOld(age, most time.Duration) bool { return age > most || age < -ClockTolerance }

var bucketTitles = map[evidence.Bucket]string{
	evidence.Guideline:        "Guidelines",
	evidence.RCT:              "Clinical trials",
	evidence.SystematicReview: "Reviews",
	evidence.Observational:    "Observational studies",
	evidence.CaseReport:       "Case reports",
	evidence.Preclinical:      "Preclinical studies",
}

// BucketTitle is a bucket's heading; the empty bucket holds the records of which nothing tells the design.
func BucketTitle(b evidence.Bucket) string {
	if title, ok := bucketTitles[b]; ok {
		return title
	}
	return "Design not stated"
}

// BucketOf is the bucket that a record is shown in: the assessment's, where there is one, else the store's; empty where nothing
// tells the design.
func BucketOf(it Item) evidence.Bucket {
	if it.Assessment != nil && it.Assessment.Bucket != "" {
		bucket, _ := it.Assessment.Told()
		return bucket
	}
	return it.Record.Bucket
}

// DesignOf is the design that a record is shown with, or why it is no evidence; DesignNotStated where nothing tells a paper's.
func DesignOf(it Item) evidence.Design {
	design := it.Record.Design
	if it.Assessment != nil {
		_, told := it.Assessment.Told()
		design = cmp.Or(told, design)
	}
	if it.Record.Trial != nil {
		return design
	}
	return cmp.Or(design, evidence.DesignNotStated)
}

func scoreText(it Item) string {
	if it.Assessment == nil {
		return "–"
	}
	return strconv.FormatFloat(it.Assessment.Score, 'f', 1, 64)
}

func titleText(r *evidence.Record) string {
	if title := Clean(r.Title); title != "" {
		return title
	}
	return "[no title]"
}

// aboutText is the line under a title: design, journal and year, and what a reader must know before trusting it.
func aboutText(it Item) string {
	r := it.Record
	var parts []string
	add := func(s string) {
		if s = Clean(s); s != "" {
			parts = append(parts, s)
		}
	}
	if r.Trial != nil {
		add(trialText(r.Trial))
	} else {
		add(string(DesignOf(it)))
		add(firstAuthor(r))
		add(strings.TrimSpace(r.Journal.Name() + " " + yearText(r)))
	}
	if r.Retracted() {
		add("retracted: " + retractionText(r))
	}
	if r.Preprint {
		add("preprint")
	}
	add(it.Live.mark())
	add(curatedMark(it))
	if it.Assessment != nil && it.Assessment.TitleOnly {
		add("no abstract")
	}
	if check := checkText(it); check != "" {
		add("check: " + check)
	}
	return strings.Join(parts, " · ")
}

// checkText says why a person should look at a record before it is relied on; empty where nothing asks for that.
func checkText(it Item) string {
	review, flag := evidence.Review(it.Record, it.Assessment), evidence.Flag(it.Record, it.Assessment)
	if flag != "" && !strings.Contains(review, flag) {
		return strings.TrimPrefix(review+"; "+flag, "; ")
	}
	return review
}

func trialText(t *evidence.Trial) string {
	parts := []string{strings.ToLower(strings.ReplaceAll(t.Status, "_", " "))}
	if len(t.Phases) > 0 {
		parts = append(parts, strings.ToLower(strings.Join(t.Phases, "/")))
	}
	countries := t.Countries()
	if len(countries) > 3 {
		countries = append(countries[:3:3], fmt.Sprintf("%d more", len(countries)-3))
	}
	if len(countries) > 0 {
		parts = append(parts, strings.Join(countries, ", "))
	}
	if len(t.Sites) > 0 {
		parts = append(parts, Plural(len(t.Sites), "site"))
	}
	if t.LastVerified != "" {
		parts = append(parts, "verified "+string(t.LastVerified))
	}
	if t.ResultsPosted {
		parts = append(parts, "results posted")
	}
	return strings.Join(parts, " · ")
}

func firstAuthor(r *evidence.Record) string {
	switch len(r.Authors) {
	case 0:
		return ""
	case 1:
		return r.Authors[0].String()
	}
	return r.Authors[0].String() + " et al."
}

func yearText(r *evidence.Record) string {
	if y := r.Date.Year(); y > 0 {
		return strconv.Itoa(y)
	}
	return ""
}
