package cite

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// fieldValues are the values of a record's fields in their order, by tag, or by the path of their element in EndNote's
// XML: "titles/secondary-title".
type fieldValues map[string][]string

// first is the first value of the first tag that has one.
func (v fieldValues) first(tags ...string) string {
	for _, tag := range tags {
		if len(v[tag]) > 0 {
			return v[tag][0]
		}
	}
	return ""
}

// each calls f with all values of the tags.
func (v fieldValues) each(f func(string), tags ...string) {
	for _, tag := range tags {
		for _, value := range v[tag] {
			f(value)
		}
	}
}

// readRISFields fills d from a record's fields; format is the one whose words the type uses. RIS's notes (N1, RN) are
// unreliable, and omitted except for retractions; Y2 is the day on which somebody looked at a page.
func readRISFields(d *draft, format Format, fields []field) {
	v := fieldValues{}
	for _, f := range fields {
		if text := strings.TrimSpace(strings.Join(f.parts, " ")); text != "" {
			v[f.tag] = append(v[f.tag], text)
		}
	}

	kind := strings.ToLower(v.first("TY"))
	if format == FormatRIS {
		kind, _, _ = strings.Cut(kind, " ")
	}
	kind = strings.ReplaceAll(kind, ", ", "/")
	kind = kinds()[format][kind]
	d.setID(v.first("ID"))

	d.Title = plain(v.first("TI", "T1", "CT", "TT"), maxTitle)
	if d.Title == "" && kind == "Book" {
		d.Title = plain(v.first("BT", "T2"), maxTitle)
	}

	for _, value := range risAuthors(fields, v) {
		d.addAuthors(value)
	}

	if len(d.Authors) == 0 {
		v.each(d.addAuthors, "ED", "A2") // a book that has only editors
	}
	d.Date = fullerDate(v.first("PY", "Y1"), v.first("DA"))
	v.each(d.addAbstract, "AB")

	if len(d.Abstract) == 0 {
		v.each(d.addAbstract, "N2")
	}
	v.each(d.addKeyword, "KW")
	v.each(d.addKeywords, "KWS")
	v.each(d.addLanguages, "LA")
	v.each(d.takeRetraction, "N1")
	d.risJournal(v, kind)
	// EndNote and ProQuest keep the DOI in M3.
	for _, value := range append(v["M3"], v["PT"]...) {
		if !doiStart().MatchString(value) {
			d.addPublicationTypes(value)
		}
	}
	d.addKind(kind)
	d.risIdentifiers(v)
}

// risAuthors lists the authors in the order of the file: AU and A1 are one list, unless one is the other again.
func risAuthors(fields []field, v fieldValues) []string {
	if slices.Equal(v["AU"], v["A1"]) {
		return v["AU"]
	}

	var names []string
	for _, f := range fields {
		if name := strings.TrimSpace(strings.Join(f.parts, " ")); name != "" && (f.tag == "AU" || f.tag == "A1") {
			names = append(names, name)
		}
	}
	return names
}

func (d *draft) risJournal(v fieldValues, kind string) {
	j := &d.Journal
	j.Title = plain(v.first("JF", "T2", "BT", "JO", "C3"), maxTitle)

	j.Abbreviation = plain(v.first("JA", "J2", "J1", "TA"), maxTitle)
	if short := plain(v.first("JO"), maxTitle); j.Abbreviation == "" && len(short) < len(j.Title) {
		j.Abbreviation = short
	}

	if kind == "Book" && j.Title == d.Title { // it is no part of anything
		j.Title = ""
	}
	j.Volume = oneLine(v.first("VL", "VO"), maxWord)
	j.Issue = oneLine(v.first("IS", "CP"), maxWord)
	j.Pages = joinPages(v.first("SP"), v.first("EP"))
	j.Pages = cmp.Or(j.Pages, onePage(v.first("C7"))) // an article's number, in Scopus and EndNote
	j.Publisher = plain(v.first("PB"), maxWord)
	v.each(d.addISSNs, "SN")
}

var doiStart = text.LazyRegexp(`^(?i:doi:\s*)?10\.\d{4,9}/`)

// risIdentifiers takes identifiers only from fields with a defined content: DO always, the accession number where the
// database is stated as MEDLINE, any other where the value itself has a label. Bare numbers in C2, U2 or M1 are
// Scopus's, Pure's and others' PMIDs, or not, and are not guessed at.
func (d *draft) risIdentifiers(v fieldValues) {
	v.each(func(s string) { d.addIdentifier(evidence.DOI, "DO", s) }, "DO", "DI")
	v.each(func(s string) {
		if doiStart().MatchString(s) {
			d.addIdentifier(evidence.DOI, "M3 or L3", s)
		}
	}, "M3", "L3")
	v.each(func(s string) { d.takeAccession(s, []string{"MEDLINE"}) }, "PM")
	database := slices.Concat(v["DB"], v["DP"])
	v.each(func(s string) { d.takeAccession(s, database) }, "AN")
	v.each(d.takeLabelledIdentifiers, "ID", "M1", "M2", "U1", "U2", "U3", "U4", "U5", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8")
	v.each(d.takeExportedID, "ID")
	v.each(d.takeFromNote, "N1")
	v.each(d.takeFromAddress, "UR", "L1", "L2", "L3", "LK", "DO")
	v.each(d.addFullText, "L2")
}

// takeAccession takes a database's own number for the record. MEDLINE's is the PMID; from others it adds identifiers
// with a label. Other numbers are kept with the name of the database: the one in the number (WOS:000…, an Embase
// L2001234567), or the given one.
func (d *draft) takeAccession(value string, database []string) {
	value = oneLine(value, maxWord)
	if isMedline(database) {
		if id, ok := evidence.NewIdentifier(evidence.PMID, value); ok {
			d.Identifiers = append(d.Identifiers, id)
			return
		}
	}
	d.takeLabelledIdentifiers(value)

	if isMedline(database) || len(d.Accessions) >= maxNotes {
		return
	}

	if m := ownAccession().FindStringSubmatch(value); m != nil {
		d.Accessions = appendNew(d.Accessions, strings.ToLower(m[1]+":"+m[2]))
	} else if name := databaseName(database); name != "" && accessionNumber().MatchString(value) {
		d.Accessions = appendNew(d.Accessions, name+":"+strings.ToLower(value))
	}
}

var (
	ownAccession    = text.LazyRegexp(`^(?i:(WOS|BCI|BIOSIS|CCC|DRCI|KJD|RSCI|SCIELO)):([A-Za-z]*\d[\w-]*)$`)
	accessionNumber = text.LazyRegexp(`^[A-Za-z]{0,4}\d[\w.-]{0,40}$`)
)

// databaseName is the first word of a database's name, in small letters: all parts of Embase number in one way.
func databaseName(names []string) string {
	for _, name := range names {
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
		if len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// isMedline reports whether a record's database is PubMed or a host's copy of MEDLINE, whose accession number is the
// PMID. Embase's records of MEDLINE have numbers of their own.
func isMedline(names []string) bool {
	database := strings.ToLower(strings.Join(names, " "))
	holds := func(name string) bool { return strings.Contains(database, name) }
	return !holds("embase") && !holds("scopus") && (holds("pubmed") || holds("medline") || holds("cmedm"))
}
