package cite

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// nbibReader gathers the fields of one record after the other.
type nbibReader struct {
	*receiver
	lines  lines
	fields []field
	gap    bool   // an empty line came since the last field
	lost   string // the PMID line of a record that is not written as one; its fields belong to no other
	d      *draft
}

func readNBIB(text *bufio.Reader, out *receiver) error {
	r := &nbibReader{receiver: out, lines: lines{r: text}}
	if err := r.lines.each(r.line); err != nil {
		return err
	}
	return r.end()
}

var nbibTag = text.LazyRegexp(`^([A-Za-z]{2,4}|[A-Z]\d) {0,2}-(?: (.*)|)$`)

// nbibLostPMID is a line that begins a record for people, and for the format goes on with the field before it.
var nbibLostPMID = text.LazyRegexp(`^PMID {0,2}(?:-|: {0,2})\d{1,9}$`)

func (r *nbibReader) line(text string) error {
	text = strings.TrimRight(text, " \t")

	m := nbibTag().FindStringSubmatch(text)
	switch {
	case nbibLostPMID().MatchString(text):
		if err := r.end(); err != nil {
			return err
		}
		r.d, r.lost, r.gap = newDraft(r.lines.number), text, false
		return nil
	case text == "":
		r.gap = true
		return nil
	case m != nil && isNBIBTag(text, m[1]):
		tag := strings.ToUpper(m[1])
		if r.startsRecord(tag) {
			if err := r.end(); err != nil {
				return err
			}
		}
		r.gap = false
		r.add(tag, m[2])
	default:
		if text = strings.TrimSpace(text); len(r.fields) > 0 && r.d.fits(text) {
			last := &r.fields[len(r.fields)-1]
			last.parts = append(last.parts, text)
		}
	}

	if r.lines.long && r.d != nil {
		r.d.note("line %d is longer than %d bytes; the rest was dropped", r.lines.number, maxLine)
	}
	return nil
}

// isNBIBTag reports whether a line has a tag: the hyphen is in the fifth column or, for PMID alone, anywhere, since
// running text may begin with a short word and a hyphen.
func isNBIBTag(text, tag string) bool {
	at := strings.IndexByte(text, '-')
	return at == 4 && tag == strings.ToUpper(tag) || strings.EqualFold(tag, "PMID")
}

// startsRecord: a PMID does where the record has one, or fields that end with an empty line; other fields only behind
// such a line, where they stand first in a record without a PMID.
func (r *nbibReader) startsRecord(tag string) bool {
	switch tag {
	case "PMID":
		return r.has("PMID") || r.gap || r.lost != ""
	case "OWN", "STAT":
		return r.gap
	case "TI":
		return r.gap && r.has("TI")
	}
	return false
}

func (r *nbibReader) has(tag string) bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.tag == tag })
}

func (r *nbibReader) add(tag, value string) {
	if r.d == nil {
		r.d = newDraft(r.lines.number)
	}

	if r.d.fits(value) && len(r.fields) < maxFields {
		r.fields = append(r.fields, field{tag: tag, parts: []string{value}})
	}
}

func (r *nbibReader) end() error {
	if r.d == nil {
		return nil
	}

	if r.lost != "" {
		err := r.problem(r.d.line, "", fmt.Sprintf(
			"%q is not how a record begins; write \"PMID- \" with a hyphen and a space, and import the file again", r.lost))
		r.fields, r.lost, r.d = r.fields[:0], "", nil
		return err
	}

	n := nbibRecord{draft: r.d}
	for _, f := range r.fields {
		n.field(f.tag, strings.TrimSpace(strings.Join(f.parts, " ")))
	}

	switch {
	case n.Title == "":
		n.Title = n.bookTitle
	case n.Journal.Title == "":
		n.Journal.Title = n.bookTitle
	}
	n.Date = fullerDate(string(n.Date), n.electronic)
	err := r.record(r.d)
	r.fields, r.d = r.fields[:0], nil
	return err
}

// nbibRecord fills a draft from MEDLINE's fields, of which some belong to the one before them.
type nbibRecord struct {
	*draft
	paired     bool // the last author came in full, and has had the short form
	inFull     bool // the last author came in full
	bookTitle  string
	electronic string
}

func (n *nbibRecord) field(tag, value string) {
	if value == "" || n.takeAuthor(tag, value) || n.takeIdentifier(tag, value) || n.takeJournal(tag, value) ||
		n.takeCorrection(tag, value) {
		return
	}

	switch tag {
	case "TI":
		n.Title = plain(value, maxTitle)
	case "TT":
		n.VernacularTitle = plain(value, maxTitle)
	case "BTI":
		n.bookTitle = plain(value, maxTitle)
	case "AB":
		n.addAbstract(value)
	case "OAB":
		n.OtherAbstracts = appendBounded(n.OtherAbstracts,
			evidence.OtherAbstract{Sections: []evidence.Section{{Text: plain(value, maxText)}}})
	case "OABL":
		if i := len(n.OtherAbstracts) - 1; i >= 0 {
			n.OtherAbstracts[i].Language = oneLine(value, maxWord)
		}
	case "DP":
		n.Date = parseDate(value)
	case "DEP":
		n.electronic = value
	case "LR":
		n.revised = parseDate(value)
	case "LA":
		n.addLanguages(value)
	case "PT":
		n.addPublicationTypes(value)
	case "MH":
		n.MeSH = appendBounded(n.MeSH, heading(value))
	case "OT":
		n.addKeyword(strings.TrimPrefix(value, "*"))
	case "GN":
		n.takeRetraction(value)
	case "RN":
		n.Substances = appendBounded(n.Substances, substance(value))
	}
}

// takeAuthor reads the authors: each in full (FAU), then short (AU), then with affiliations (AD) and ORCID (AUID).
func (n *nbibRecord) takeAuthor(tag, value string) bool {
	switch tag {
	case "FAU":
		a, named := parseName(plain(value, maxWord))
		if named {
			n.Authors = appendBounded(n.Authors, a)
		}
		n.inFull, n.paired = named, false
	case "AU":
		if !n.inFull || n.paired {
			n.addAuthors(value)
			return true
		}
		n.paired = true
		last := &n.Authors[len(n.Authors)-1]

		short, ofFamily := strings.CutPrefix(plain(value, maxWord), last.Family+" ")
		if !ofFamily {
			short = plainName(strings.Fields(plain(value, maxWord))).Given
		}

		if last.Collective == "" && evidence.AreInitials(short, evidence.MaxInitials) {
			last.Initials = initials(short)
		}
	case "CN":
		n.Authors = appendBounded(n.Authors, evidence.Author{Collective: plain(value, maxWord)})
		n.inFull = false
	case "AD", "AUID":
		n.takeAuthorDetail(tag, value)
	default:
		return false
	}
	return true
}

var orcid = text.LazyRegexp(`\d{4}-\d{4}-\d{4}-\d{3}[\dX]`)

// takeAuthorDetail adds an affiliation or an ORCID to the last author.
func (n *nbibRecord) takeAuthorDetail(tag, value string) {
	if len(n.Authors) == 0 {
		return
	}

	last := &n.Authors[len(n.Authors)-1]
	if tag == "AD" {
		if len(last.Affiliations) < 100 {
			last.Affiliations = appendNew(last.Affiliations, plain(value, maxTitle))
		}
	} else if found := orcid().FindString(value); found != "" {
		last.ORCID = found
	}
}

// takeIdentifier reads the fields that name the record. Those that PubMed writes with a label in brackets are taken by
// it.
func (n *nbibRecord) takeIdentifier(tag, value string) bool {
	switch tag {
	case "PMID":
		n.addIdentifier(evidence.PMID, tag, value)
		n.setID(value)
	case "PMC":
		n.addIdentifier(evidence.PMCID, tag, value)
	case "AID", "LID":
		if doi, ok := strings.CutSuffix(value, "[doi]"); ok {
			n.addIdentifier(evidence.DOI, tag, doi)
		}
	case "OID": // what another organisation calls the record: "NLM: PMC123", "OpenAlex: W123"
		if owner, number, _ := strings.Cut(value, ":"); strings.EqualFold(owner, "NLM") {
			n.takeLabelledIdentifiers(strings.TrimSpace(number))
		} else {
			n.takeExportedID(value)
		}
	case "SI":
		bank, number, _ := strings.Cut(value, "/")
		if id, ok := evidence.NewIdentifier(evidence.NCT, number); ok && strings.EqualFold(bank, "ClinicalTrials.gov") {
			n.addLink(evidence.Link{Relation: evidence.ReportsTrial, Target: id})
		}
	default:
		return false
	}
	return true
}

// takeJournal takes a field on the journal, and reports whether it is one.
func (n *nbibRecord) takeJournal(tag, value string) bool {
	j := &n.Journal
	switch tag {
	case "JT":
		j.Title = plain(value, maxTitle)
	case "TA":
		j.Abbreviation = plain(value, maxTitle)
	case "VI":
		j.Volume = oneLine(value, maxWord)
	case "IP":
		j.Issue = oneLine(value, maxWord)
	case "PG":
		j.Pages = onePage(value)
	case "IS":
		n.addISSNs(value)
	case "PL":
		j.Country = plain(value, maxWord)
	case "PB":
		j.Publisher = plain(value, maxWord)
	default:
		return false
	}
	return true
}

// heading reads "*Colorectal Neoplasms/drug therapy/*genetics"; an asterisk marks what the paper is mainly about.
func heading(value string) evidence.Heading {
	parts := strings.Split(oneLine(value, maxTitle), "/")
	var h evidence.Heading

	h.Name, h.Major = strings.CutPrefix(parts[0], "*")
	for _, part := range parts[1:] {
		var q evidence.Qualifier
		q.Name, q.Major = strings.CutPrefix(part, "*")
		h.Qualifiers = append(h.Qualifiers, q)
	}
	return h
}

// substance reads "6DLI2UE7E7 (sotorasib)"; the registry number 0 stands for none.
func substance(value string) evidence.Substance {
	value = oneLine(value, maxTitle)

	registry, name, ok := strings.Cut(value, " (")
	if !ok {
		return evidence.Substance{Name: value}
	}

	if registry == "0" {
		registry = ""
	}
	return evidence.Substance{Name: strings.TrimSuffix(name, ")"), Registry: registry}
}

var citedPMID = text.LazyRegexp(`(?i)\bPMID\b[\s:=#]*(\d+)`)

// takeCorrection reads "RIN - Lancet. 2010 Feb 6;375(9713):445. PMID: 20137807".
func (n *nbibRecord) takeCorrection(tag, value string) bool {
	relation, ok := evidence.RelationTagged(tag)
	if !ok {
		return false
	}
	n.addLink(linkTo(relation, value))
	return true
}
