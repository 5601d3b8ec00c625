package render

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// Path shows a file's name unchanged if a terminal's line can, and else quoted with escapes: dropping characters would
// give another file's name.
func Path(path string) string {
	if plaintext.Line(path) == path {
		return path
	}
	return strconv.Quote(path)
}

// Cell neutralises a CSV cell that a spreadsheet would take for a formula, even if its first sign is of full width or
// smaller, which some programs treat alike. Line ends stay.
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

// ScoreOf is a record's score for the question, "–" if not judged.
func ScoreOf(it evidence.Item) string {
	if it.Assessment == nil {
		return "–"
	}
	return strconv.FormatFloat(it.Assessment.Score, 'f', 1, 64)
}

// TitleOf is a record's title in one line.
func TitleOf(r *evidence.Record) string {
	return cmp.Or(plaintext.Line(r.Title), "[no title]")
}

const retractedMark = "RETRACTED: "

// retractedLead precedes the title of a retracted record; it is empty if the title has it already.
func retractedLead(r *evidence.Record) string {
	if !r.Retracted() || strings.HasPrefix(strings.ToUpper(TitleOf(r)), retractedMark) {
		return ""
	}
	return retractedMark
}

// AboutLine is the line below a title: design, journal and year, and warnings.
func AboutLine(it evidence.Item) string {
	r := it.Record
	var parts []string

	add := func(s string) {
		if s = plaintext.Line(s); s != "" {
			parts = append(parts, s)
		}
	}
	if r.Trial != nil {
		add(trialText(r.Trial))
		add(EntryOf(it))
	} else {
		add(string(it.Design()))
		add(firstAuthor(r))
		add(strings.TrimSpace(r.Journal.Name() + " " + yearText(r)))
	}

	if it.Assessment != nil {
		add(it.Assessment.Fit.String())
	}

	if r.Retracted() {
		add("retracted: " + retractionText(r))
	}

	if r.Preprint {
		add("preprint")
	}

	if it.Live != nil {
		add("live, by " + it.Live.Owner + ", not yet in the store")
	}
	add(curatedMark(it))

	if it.Assessment != nil {
		add(ReadersOf(it.Assessment.Reading))
		add(it.Assessment.Learned.String())
	}

	if it.Assessment != nil && it.Assessment.TitleOnly {
		add("no abstract")
	}

	if check := CheckOf(it); check != "" {
		add("check: " + check)
	}
	return strings.Join(parts, " · ")
}

// ReadersOf is the readers' joint decision on a record; empty if nothing counts yet.
func ReadersOf(r *evidence.Reading) string {
	if r == nil {
		return ""
	}

	wording := ""
	switch r.Verdict {
	case evidence.VerdictExcluded:
		wording = "excluded by readers: " + r.Why()
		if r.Changed {
			wording += "; changed since"
		}
	case evidence.VerdictKept:
		wording = "kept by " + namesOf(r.Decisions)
	case evidence.VerdictConflict:
		wording = "readers differ"
	}

	presented, recommended := strings.Join(r.Presented, ", "), strings.Join(r.Recommended, ", ")
	if presented != "" {
		presented = "presented by " + presented
	}

	if recommended != "" {
		recommended = "recommended by " + recommended
	}
	return plaintext.Join("; ", wording, presented, recommended)
}

func namesOf(decisions []evidence.ReaderDecision) string {
	return strings.Join(plaintext.Each(decisions, func(d evidence.ReaderDecision) string { return d.Reader }), ", ")
}

// CheckOf is why a person should check a record before relying on it; empty if there is no reason.
func CheckOf(it evidence.Item) string {
	review, flag := evidence.Review(it.Record, it.Assessment), evidence.Flag(it.Record, it.Assessment)
	if flag != "" && !strings.Contains(review, flag) {
		return strings.TrimPrefix(review+"; "+flag, "; ")
	}
	return review
}

// EntryOf is whether a registered trial lets in the question's patient, with the line that decides; empty if this was
// not read.
func EntryOf(it evidence.Item) string {
	if it.Assessment == nil {
		return ""
	}
	return it.Assessment.Eligibility.String()
}

func trialText(t *evidence.Trial) string {
	parts := []string{evidence.StatusWords(t.Status)}
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
		parts = append(parts, plaintext.Plural(len(t.Sites), "site"))
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
