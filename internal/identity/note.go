package identity

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"

	"dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms returns an expression of formTable by its name.
var forms = text.Forms(formTable)

// stripNotes removes the notes at a title's ends, and returns the class of record that they indicate: "(vol 142, pg
// 310, 2003)" stands on errata.
func stripNotes(s string) (rest string, noted class) {
	if HasRetractedTitle(s) {
		s = width.Fold.String(s)

		s = cutAt(forms("retracted").ReplaceAllString(s, ""), "retracted behind")
		if isShouted(s) {
			s = forms("retracted in capitals").ReplaceAllString(s, "")
		}
	}

	if strings.Count(s, "(") > 1 || strings.Contains(s, "(vol") {
		for _, form := range []string{"paper cited", "paper corrected"} {
			if forms(form).MatchString(s) {
				s, noted = forms(form).ReplaceAllString(s, ""), erratum
			}
		}
	}

	if strings.ContainsAny(text.Head(s, maxFrontNote), ":.–—-") {
		s = cutFront(s, "note in front")
	}

	for range 6 {
		stripped := stripTail(s)
		if stripped == s {
			break
		}
		s = stripped
	}

	if c := noticeTitle(s); c != plain {
		noted = c
		s = forms("notice").ReplaceAllString(s, "")
	}

	if noted == retraction {
		s = noticeSubject(s)
	}
	return s, noted
}

// noticeSubject is the cited paper's title in the text that follows a notice's own words.
func noticeSubject(s string) string {
	s = forms("subject lead").ReplaceAllString(s, "")
	if m := forms("quoted subject").FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return cutAt(s, "subject's place")
}

// HasRetractedTitle reports whether a note before or behind a paper's title marks it as retracted, withdrawn or
// removed. The title of a notice on another paper does not count.
func HasRetractedTitle(title string) bool {
	title = width.Fold.String(title) // "ＲＥＴＲＡＣＴＥＤ", in East Asian journals

	lower := strings.ToLower(title)
	if !slices.ContainsFunc(retractionStems, func(stem string) bool { return strings.Contains(lower, stem) }) {
		return false
	}

	if noticeTitle(title) != plain {
		return false
	}
	return forms("retracted").MatchString(title) || forms("retracted behind").MatchString(title) || isShouted(title)
}

// isShouted reports whether a note in capitals stands at an end of a title that is not in capitals.
func isShouted(title string) bool {
	return forms("retracted in capitals").MatchString(title) && strings.ToUpper(title) != title
}

// retractionStems occur in every title for which HasRetractedTitle is true, which makes it cheap for others.
var retractionStems = []string{
	"retract", "withdraw", "remov", "zurückgezogen", "rétracté", "retratado", "ritrattato", "撤回", "撤稿",
}

// stripTail removes one round of notes from a title's end. Most titles have none of the characters that notes begin
// with, and cost nothing.
func stripTail(s string) string {
	if strings.Contains(s, "[") {
		s = cutAt(s, "open note")
	}

	if strings.Contains(s, "...") {
		s = cutAt(s, "paper quoted")
	}

	head, tail := s[:tailStart(s)], s[tailStart(s):]
	if strings.ContainsAny(tail, "[(") {
		tail = cutAt(cutAt(tail, "tail"), "note cut off")
	}

	if strings.ContainsAny(tail, ":.-") {
		tail = cutAt(tail, "note behind a colon")
	}
	return head + tail
}

// cutAt cuts s where the named form matches, unless nothing would be left.
func cutAt(s, form string) string {
	at := forms(form).FindStringIndex(s)
	if at == nil || strings.TrimSpace(s[:at[0]]) == "" {
		return s
	}
	return s[:at[0]]
}

// maxFrontNote is the length in bytes within which a note in front of a title ends.
const maxFrontNote = 40

// cutFront removes what the form matches at the beginning of s, unless nothing would be left.
func cutFront(s, form string) string {
	at := forms(form).FindStringIndex(s)
	if at == nil || strings.TrimSpace(s[at[1]:]) == "" {
		return s
	}
	return s[at[1]:]
}

// tailStart is where the last 100 bytes begin: the bracketed notes of databases are shorter.
func tailStart(s string) int {
	i := max(0, len(s)-100)
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// noticeWords are the beginnings and ends of titles that make the record a notice on another paper.
var noticeWords = []struct {
	form  string
	class class
}{
	{"erratum", erratum}, {"retraction", retraction}, {"concern", concern}, {"reply", comment}, {"comment", comment},
	{"re", comment}, {"reply behind", comment}, {"erratum behind", erratum},
}

// noticeStems occur in every title that matches noticeWords, so that other titles are rejected quickly.
var noticeStems = []string{"errat", "corrig", "correct", "addend", "retract", "concern", "repl", "response", "rebuttal",
	"comment", "re:", "re ", "withdrawal", "removal"}

func noticeTitle(s string) class {
	lower := strings.ToLower(s)
	if !slices.ContainsFunc(noticeStems, func(stem string) bool { return strings.Contains(lower, stem) }) {
		return plain
	}

	for _, w := range noticeWords {
		if forms(w.form).MatchString(s) {
			return w.class
		}
	}
	return plain
}
