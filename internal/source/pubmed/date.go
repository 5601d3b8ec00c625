package pubmed

import (
	"cmp"
	"strings"

	"dossier/internal/evidence"
)

// dateParts is a date as PubMed writes it: parts, each of which may be missing, or free words.
type dateParts struct {
	year, month, day, season, words string
}

// readDate reads the children of PubDate, ArticleDate, DateRevised and their like.
func (s scanner) readDate() evidence.Date {
	var p dateParts
	for depth := s.Depth(); s.Child(depth); {
		switch string(s.Name) {
		case "Year":
			p.year = s.Word()
		case "Month":
			p.month = s.Word()
		case "Day":
			p.day = s.Word()
		case "Season":
			p.season = s.Word()
		case "MedlineDate":
			p.words = s.Word()
		}
	}
	return p.date()
}

// date is the first day, month or year that p may mean. A season names no month, unless it is written as months
// ("Apr-Jun").
func (p dateParts) date() evidence.Date {
	year := evidence.DateNumber(p.year)
	if year == 0 {
		return dateInWords(p.year + " " + p.words)
	}
	month := cmp.Or(monthOf(p.month), monthOf(p.season))
	return evidence.NewDate(year, month, evidence.DateNumber(p.day))
}

// dateInWords reads a MedlineDate: "1998 Dec-1999 Jan", "2000 Spring", "2002 Dec 15-31", "1999-2000".
func dateInWords(s string) evidence.Date {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' || r == '/' || r == ',' || r == '–' })
	for i, w := range words {
		year := evidence.DateNumber(w)
		if len(w) != 4 || year == 0 {
			continue
		}

		month, day := 0, 0
		if i+1 < len(words) {
			month = evidence.NamedMonth(words[i+1])
		}

		if month > 0 && i+2 < len(words) && len(words[i+2]) <= 2 {
			day = evidence.DateNumber(words[i+2])
		}
		return evidence.NewDate(year, month, day)
	}
	return ""
}

// monthOf reads "1", "01", "Jan", "January" and the first of "Jan-Feb"; 0 is no month.
func monthOf(s string) int {
	if n := evidence.DateNumber(s); n > 0 {
		return n
	}
	return evidence.NamedMonth(s)
}

// bestDate is the date of publication: the issue's or the book's; if that is vaguer than the day on which the article
// went online and does not contradict it, that day; without a date of its own, the online day or the day it came to
// PubMed.
func bestDate(issue, online, entered evidence.Date) evidence.Date {
	switch {
	case issue == "" && online == "":
		return entered
	case issue == "" || strings.HasPrefix(string(online), string(issue)):
		return online
	}
	return issue
}
