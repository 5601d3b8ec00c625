package cite

import (
	"cmp"
	"strings"

	"dossier/internal/evidence"
)

const vancouverAuthors = 6

// Vancouver is the reference as medical journals print it (ICMJE's recommendations, after NLM's Citing Medicine), as
// one line of plain text: up to six authors, then et al.; title; journal; date;volume(issue):pages; DOI and PMID, or
// else the best identifier there is. What the record lacks is left out.
func Vancouver(r *evidence.Record) string {
	var parts []string
	add := func(text string) {
		if text = strings.TrimRight(oneLine(text, maxText), " "); text == "" {
			return
		}

		if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, "!") {
			text += "."
		}
		parts = append(parts, text)
	}
	add(authorList(r.Authors))
	add(vancouverTitle(r))
	add(r.Journal.Name())
	add(issueText(r))
	add(identifierText(r))
	return strings.Join(parts, " ")
}

func authorList(authors []evidence.Author) string {
	var names []string
	for _, a := range authors {
		if name := shortName(a); name != "" {
			names = append(names, name)
		}
	}

	if len(names) > vancouverAuthors {
		names = append(names[:vancouverAuthors], "et al")
	}
	return strings.Join(names, ", ")
}

// shortName is "Doe JA Jr", without the stops that exports leave in initials.
func shortName(a evidence.Author) string {
	if a.Collective != "" {
		return oneLine(a.Collective, maxWord)
	}
	short := strings.ReplaceAll(cmp.Or(a.Initials, initials(a.Given)), ".", "")
	return oneLine(a.Family+" "+short+" "+strings.TrimRight(a.Suffix, "."), maxWord)
}

func vancouverTitle(r *evidence.Record) string {
	title := oneLine(r.VernacularTitle, maxTitle)
	if r.Title != "" || r.VernacularTitle == "" {
		title = Ref{Record: r}.title()
	}

	title = strings.TrimRight(title, ". ")
	switch name := kindOf(r).name; {
	case title != "" && name == "preprint":
		return title + " [preprint]"
	case title != "" && name == "registration":
		return title + " [registered trial]"
	}
	return title
}

// issueText is "2024 Mar 5;12(3):45-9". With a volume the month and day are left out, as journals with volumes do.
func issueText(r *evidence.Record) string {
	j := r.Journal

	var b strings.Builder
	if j.Volume == "" && j.Issue == "" {
		b.WriteString(nbibDate(r.Date))
	} else {
		b.WriteString(yearText(r.Date) + ";" + j.Volume)
	}

	if j.Issue != "" {
		b.WriteString("(" + j.Issue + ")")
	}

	if pages := onePage(j.Pages); pages != "" {
		b.WriteString(":" + pages)
	}
	return strings.TrimLeft(b.String(), ";:")
}

func identifierText(r *evidence.Record) string {
	var parts []string
	if doi, ok := r.Identifier(evidence.DOI); ok {
		parts = append(parts, "doi:"+doi.Value)
	}

	if pmid, ok := r.Identifier(evidence.PMID); ok {
		parts = append(parts, "PMID: "+pmid.Value)
	}

	if len(parts) == 0 && len(r.Identifiers) > 0 {
		parts = append(parts, r.Best().String())
	}
	return strings.Join(parts, ". ")
}
