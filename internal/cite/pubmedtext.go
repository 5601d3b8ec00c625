package cite

import (
	"bufio"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// PubMed's page saves numbered references for people: "Abstract (text)" in paragraphs (place, title, authors,
// addresses, abstract, identifiers), "Summary (text)" in one. Both are read, since many have nothing else; the
// identifiers stand there in full, so that PubMed's own record joins what is read here.

var (
	pubmedNumbered = text.LazyRegexp(`^(\d{1,6})[.:] (\S.*)$`)
	pubmedLabelled = text.LazyRegexp(`^(DOI|PMID|PMCID): (\S+)`)
	// inSummary is an identifier within a summary's one paragraph.
	inSummary = text.LazyRegexp(`(?i)\b(doi|PMID|PMCID): (\S+)`)
	// summarised is "Authors. Title. Journal. 2021 Mar;1(2):1-9. ...": no author has a full stop, and no journal's short
	// name.
	summarised = text.LazyRegexp(`^(?:((?:[^.?!]+)), et al\. |((?:[^.?!]+))\. )?(.+[.?!\]]) ([^.?!]+)\. ((?:1[89]|20)\d\d\b.*)$`)
	// besideText are paragraphs of the abstract form that are no abstract.
	besideText = text.LazyRegexp(`^(?:Author information|Collaborators|Erratum|Comment|Update|Republished|Republication|` +
		`Summary for patients|Conflict of interest|Expression of concern|Retraction|Retracted|Corrected|Original)\b`)
	copyrighted = text.LazyRegexp(`^(?:©|\(c\)|Copyright\b|Published by\b)`)
	addressMark = text.LazyRegexp(`\(\d+\)(?:,?\(\d+\))*`)
)

// pubmedTextReader gathers the paragraphs of one reference after the other.
type pubmedTextReader struct {
	*receiver
	lines      lines
	d          *draft
	next       int        // the number that the next reference has
	paragraphs [][]string // each of lines
	gap        bool       // an empty line came since
}

func readPubMedText(text *bufio.Reader, out *receiver) error {
	r := &pubmedTextReader{receiver: out, lines: lines{r: text}, gap: true}
	if err := r.lines.each(r.line); err != nil {
		return err
	}
	return r.end()
}

func (r *pubmedTextReader) line(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		r.gap = true
		return nil
	}

	if m := pubmedNumbered().FindStringSubmatch(text); m != nil && r.startsNext(evidence.DateNumber(m[1]), text) {
		if err := r.end(); err != nil {
			return err
		}
		r.d, r.next, r.paragraphs, r.gap = newDraft(r.lines.number), evidence.DateNumber(m[1])+1, [][]string{{m[2]}}, false
		return nil
	}

	if r.d == nil || !r.d.fits(text) || len(r.paragraphs) >= maxFields {
		return nil
	}

	if r.gap {
		r.paragraphs = append(r.paragraphs, nil)
	}
	last := len(r.paragraphs) - 1
	r.paragraphs[last], r.gap = append(r.paragraphs[last], text), false
	return nil
}

// startsNext reports whether a line with a number begins the next reference, and not an item of a list within an
// abstract: the one under way has its identifiers, which stand at its end, or the line cites a place.
func (r *pubmedTextReader) startsNext(number int, line string) bool {
	switch cites := pubmedCited().MatchString(line); {
	case r.d == nil:
		return true
	case !r.gap:
		return number == r.next && cites
	default:
		return number >= r.next && (cites || r.isIdentified())
	}
}

func (r *pubmedTextReader) isIdentified() bool {
	return slices.ContainsFunc(r.paragraphs[len(r.paragraphs)-1], func(line string) bool {
		return pubmedNumber().MatchString(line)
	})
}

// end emits the reference under way.
func (r *pubmedTextReader) end() error {
	if r.d == nil {
		return nil
	}
	d := r.d

	r.d = nil
	if len(r.paragraphs) == 1 {
		d.pubmedSummary(strings.Join(r.paragraphs[0], " "))
	} else {
		d.pubmedAbstract(r.paragraphs)
	}

	if pmid, ok := d.Identifier(evidence.PMID); ok {
		d.setID(pmid.Value)
	} else {
		d.note("it has no PMID")
	}
	return r.record(d)
}

// pubmedAbstract reads a reference in paragraphs.
func (d *draft) pubmedAbstract(paragraphs [][]string) {
	place := strings.Join(paragraphs[0], " ")
	d.Journal.Title, _, _ = strings.Cut(oneLine(place, maxTitle), ". ")
	d.pubmedCitation(place)

	at := 1
	if at < len(paragraphs) {
		d.Title = plain(strings.Join(paragraphs[at], " "), maxTitle)
		at++
	}

	if at < len(paragraphs) && isPubMedAuthors(paragraphs[at]) {
		d.pubmedAuthors(strings.Join(paragraphs[at], " "))
		at++
	}

	for _, p := range paragraphs[min(at, len(paragraphs)):] {
		switch {
		case pubmedLabelled().MatchString(p[0]):
			for _, line := range p {
				if m := pubmedLabelled().FindStringSubmatch(line); m != nil {
					d.addIdentifier(evidence.IDKind(strings.ToLower(m[1])), m[1], m[2])
				}
			}
		case strings.HasPrefix(p[0], "Retraction in"):
			_, citation, _ := strings.Cut(strings.Join(p, " "), "Retraction in")
			d.Retraction.Status = evidence.Yes
			d.addLink(linkTo(evidence.RetractedBy, citation))
		case besideText().MatchString(p[0]), copyrighted().MatchString(p[0]):
		default:
			d.addAbstract(strings.Join(p, " "))
		}
	}
}

// isPubMedAuthors reports whether a paragraph is a list of names, and not an abstract where there are no authors.
func isPubMedAuthors(p []string) bool {
	names := strings.TrimSuffix(addressMark().ReplaceAllString(strings.Join(p, " "), ""), ".")
	first, _, _ := strings.Cut(names, ", ")
	return !pubmedLabelled().MatchString(p[0]) && !strings.Contains(names, ". ") && len(strings.Fields(first)) <= 6
}

// pubmedAuthors reads "Doe J(1), Roe RA(1)(2); Study Group."
func (d *draft) pubmedAuthors(s string) {
	s = addressMark().ReplaceAllString(oneLine(s, maxText), "")
	for name := range strings.FieldsFuncSeq(strings.TrimSuffix(s, "."), func(r rune) bool { return r == ',' || r == ';' }) {
		d.addAuthors(name)
	}
}

// pubmedSummary reads a reference in one paragraph.
func (d *draft) pubmedSummary(s string) {
	s = oneLine(s, maxTitle)
	for _, m := range inSummary().FindAllStringSubmatch(s, 10) {
		d.addIdentifier(evidence.IDKind(strings.ToLower(m[1])), m[1], strings.TrimRight(m[2], ".;"))
	}

	m := summarised().FindStringSubmatch(s)
	if m == nil {
		d.Title = plain(inSummary().ReplaceAllString(s, ""), maxTitle)
		d.note("what is its title, and what its place, can't be told")
		return
	}
	d.pubmedAuthors(m[1] + m[2])
	d.Title, d.Journal.Title = plain(m[3], maxTitle), plain(m[4], maxTitle)
	d.pubmedCitation(". " + m[5])

	if d.Date == "" {
		d.Date = parseDate(m[5])
	}
}
