package cite

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// draft is a record while it is being read. Its methods take values as they stand in the file.
type draft struct {
	evidence.Record
	id      string // the file's own id for the record; empty where it gives none
	line    int    // where the record begins
	revised evidence.Date
	notes   []string
	// identifiers that stand in a note or a publisher's address: each counts where the record has none of its kind
	spare []evidence.Identifier
	dois  []string // those of the format's own field for them, in the file's order
	size  int      // bytes of its fields that were read
}

func newDraft(line int) *draft { return &draft{line: line} }

func (d *draft) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); len(d.notes) < maxNotes && !slices.Contains(d.notes, text) {
		d.notes = append(d.notes, text)
	}
}

// fits counts a field's value, and reports whether the record still has room for it.
func (d *draft) fits(value string) bool {
	if d.size += len(value) + 16; d.size > maxRecord {
		d.note("it is longer than %d bytes; the rest was dropped", maxRecord)
		return false
	}
	return true
}

// setID sets the file's own id for the record, without the bar that separates the parts of an origin's key.
func (d *draft) setID(id string) {
	d.id = strings.ReplaceAll(oneLine(id, maxID), "|", "_")
}

// addIdentifier adds a value that the field declares to be an identifier of a kind. Other values are noted: an
// identifier of another kind in the wrong field is not guessed at.
func (d *draft) addIdentifier(kind evidence.IDKind, field, value string) {
	value = oneLine(value, 2*maxURL)
	if value == "" {
		return
	}

	if starts := doiStarts().FindAllStringSubmatchIndex(value, -1); kind == evidence.DOI && len(starts) > 0 {
		for i, at := range starts {
			end := len(value)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			d.takeDeclared(kind, field, value[at[2]:end])
		}
		return
	}
	d.takeDeclared(kind, field, value)
}

// doiStarts finds where the DOIs of a field begin that may hold a label, words before them, or several.
var doiStarts = text.LazyRegexp(`(?i)(?:^|[\s;,|])\s*(?:doi\s*[:.]?\s*|https?://(?:dx\.)?doi\.org/)*(10\.\d{4,9}(?:\.\d+)*/)`)

// takeDeclared adds one identifier from a field for that kind, or notes that it is none.
func (d *draft) takeDeclared(kind evidence.IDKind, field, value string) {
	id, ok := evidence.NewIdentifier(kind, value)
	if !ok {
		d.note("%s holds %q, which is no valid %s; not taken", field, shown(value), strings.ToUpper(string(kind)))
		return
	}

	d.Identifiers = append(d.Identifiers, id)
	if kind == evidence.DOI && len(d.dois) < maxNotes {
		d.dois = append(d.dois, id.Value)
	}
}

// labelled finds values with their own label: "PMID: 12345678", "PUBMED 12345678", "PMC1234567".
var labelled = text.LazyRegexp(
	`(?i)^(pmid|pubmed(?: id)?|medline|pmcid|doi)\s*[:\s]\s*(\S+)(?:\s*\[(?:pmid|pmcid|doi)\])?$`)

// takeLabelledIdentifiers adds identifiers from a field that may hold anything, only where the value itself labels
// them. A DOI must be the whole value, since it may contain separators.
func (d *draft) takeLabelledIdentifiers(value string) {
	value = oneLine(value, maxURL)
	if d.takeLabelled(value, evidence.DOI) {
		return
	}

	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimSpace(part)
		if id, ok := evidence.NewIdentifier(evidence.PMCID, part); ok {
			d.Identifiers = append(d.Identifiers, id)
			continue
		}
		d.takeLabelled(part, evidence.PMID)
	}
}

var (
	labelledLine = text.LazyRegexp(`(?i)^(?:(?:pmid|pmcid|doi)\s*[:\s]\s*[^\s;,]+[\s;,.]*)+$`)
	labelledPart = text.LazyRegexp(`(?i)(pmid|pmcid|doi)\s*[:\s]\s*([^\s;,]+)`)
)

// takeFromNote takes the identifiers in a note, of lines that hold nothing else: "PMID: 12345678 PMCID: PMC1234567".
// What stands between other words may be another paper's, and so may one of a kind of which the record has its own.
func (d *draft) takeFromNote(value string) {
	for line := range strings.Lines(text.Cut(value, maxText)) {
		line = strings.TrimSpace(line)
		if !labelledLine().MatchString(line) {
			continue
		}

		for _, m := range labelledPart().FindAllStringSubmatch(line, -1) {
			id, ok := evidence.NewIdentifier(evidence.IDKind(strings.ToLower(m[1])), m[2])
			if ok && len(d.spare) < maxNotes {
				d.spare = append(d.spare, id)
			}
		}
	}
}

// takeLabelled adds an identifier of a kind if the text is one with its label, and reports whether it did.
func (d *draft) takeLabelled(text string, kind evidence.IDKind) bool {
	m := labelled().FindStringSubmatch(text)
	if m == nil || strings.EqualFold(m[1], "doi") != (kind == evidence.DOI) {
		return false
	}

	if strings.EqualFold(m[1], "pmcid") {
		kind = evidence.PMCID
	}

	id, ok := evidence.NewIdentifier(kind, m[2])
	if ok {
		d.Identifiers = append(d.Identifiers, id)
	}
	return ok
}

// takeExportedID takes the identifier that names a record in our own exports and output: "NCT:NCT01234567".
func (d *draft) takeExportedID(value string) {
	label, _, found := strings.Cut(value, ":")
	if !found || !slices.ContainsFunc(evidence.IDKinds, func(k evidence.IDKind) bool {
		return strings.EqualFold(string(k), label)
	}) {
		return
	}

	if id, err := evidence.ParseIdentifier(value); err == nil {
		d.Identifiers = append(d.Identifiers, id)
	}
}

// takeFromAddress takes the identifiers in a page's address.
func (d *draft) takeFromAddress(value string) {
	for _, word := range strings.Fields(text.Cut(value, 4*maxURL)) {
		word = strings.TrimRight(word, ";,")

		d.Identifiers = append(d.Identifiers, evidence.IdentifiersInURL(word)...)
		if doi, ok := evidence.DOIInAddress(word); ok && len(d.spare) < maxNotes {
			d.spare = append(d.spare, doi)
		}
	}
}

// addFullText keeps an address as one of the full text.
func (d *draft) addFullText(value string) {
	value = oneLine(value, maxURL)

	lower := strings.ToLower(value)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		d.FullText = appendNew(d.FullText, value)
	}
}

// addAuthors adds the people and groups of a field that may hold one or several.
func (d *draft) addAuthors(value string) {
	d.Authors = appendBounded(d.Authors, Names(value)...)
}

// noAbstract is what stands in the place of an abstract.
var noAbstract = text.LazyRegexp(`(?i)^\W*(?:no abstract(?: is)?|abstract(?: is)? not) available\W*$`)

// addAbstract adds a paragraph to the abstract.
func (d *draft) addAbstract(value string) {
	text := plain(value, maxText)

	isAbsent := text == "" || noAbstract().MatchString(text)
	if isAbsent || len(d.Abstract) >= 100 || slices.ContainsFunc(d.Abstract, func(s evidence.Section) bool {
		return s.Text == text
	}) {
		return
	}
	d.Abstract = append(d.Abstract, evidence.Section{Text: text})
}

// addKeyword adds a keyword. CINAHL and Embase have there what NLM calls the type of a retracted paper.
func (d *draft) addKeyword(value string) {
	word := plain(value, maxWord)
	if (evidence.PublicationType{Name: word}).IsRetracted() {
		d.addPublicationTypes(word)
		return
	}
	d.Keywords = appendNew(d.Keywords, word)
}

// addKeywords adds the keywords of a field that separates them by semicolons, or by commas where it has no semicolon.
func (d *draft) addKeywords(value string) {
	sep := ","
	if strings.Contains(value, ";") {
		sep = ";"
	}

	for word := range strings.SplitSeq(plain(value, maxText), sep) {
		d.addKeyword(word)
	}
}

func (d *draft) addLanguages(value string) {
	for word := range strings.FieldsFuncSeq(oneLine(value, maxWord), func(r rune) bool { return r == ',' || r == ';' }) {
		d.Languages = appendNew(d.Languages, strings.TrimSpace(word))
	}
}

// addPublicationTypes adds the types of a field that separates them by semicolons. NLM's names hold commas.
func (d *draft) addPublicationTypes(value string) {
	for name := range strings.SplitSeq(plain(value, maxText), ";") {
		name = oneLine(name, maxWord)
		if name == "" || len(d.PublicationTypes) >= 100 {
			continue
		}

		if !slices.ContainsFunc(d.PublicationTypes, func(t evidence.PublicationType) bool {
			return strings.EqualFold(t.Name, name)
		}) {
			d.PublicationTypes = append(d.PublicationTypes, evidence.PublicationType{Name: name})
		}
	}
}

// addKind adds the format's own name of the kind of reference. "Article" adds nothing where other types are known.
func (d *draft) addKind(name string) {
	if name != articleType || len(d.PublicationTypes) == 0 {
		d.addPublicationTypes(name)
	}
}

var issn = text.LazyRegexp(`(?:^|[^\d-])(\d{4})-?(\d{3}[\dXx])(?:$|[^\d-])`)

// addISSNs takes the ISSNs of a field in which ISBNs may stand too; those have no place in a record.
func (d *draft) addISSNs(value string) {
	for _, word := range strings.FieldsFunc(text.Cut(value, maxTitle), func(r rune) bool {
		return r == ' ' || r == ';' || r == ',' || r == '\n'
	}) {
		if m := issn().FindStringSubmatch(word); m != nil && len(d.Journal.ISSN) < 20 {
			d.Journal.ISSN = appendNew(d.Journal.ISSN, m[1]+"-"+strings.ToUpper(m[2]))
		}
	}
}

// addLink adds a link to another record; one that names nothing is left out.
func (d *draft) addLink(l evidence.Link) {
	if l.Target.IsZero() && l.Citation == "" || len(d.Links) >= maxList {
		return
	}
	d.Links = append(d.Links, l)
}

const retractedMark = "RETRACTED: "

// notRetracted begins the note by which our own exports keep that a record is not retracted.
const notRetracted = "Retracted: no"

var notRetractedNote = text.LazyRegexp(`^Retracted: no(?:, checked (\d{4}(?:-\d\d){0,2}))?$`)

// withSubtitle is a title with its subtitle, which is a part of it.
func withSubtitle(title, subtitle string) string {
	title = strings.TrimRight(title, ": ")
	if title == "" || strings.HasSuffix(title, "?") || strings.HasSuffix(title, "!") || strings.HasSuffix(title, ".") {
		return strings.TrimSpace(title + " " + subtitle)
	}
	return title + ": " + subtitle
}

// retractedNote is a note on a retracted paper, retractionInNote one that names the notice on it, retractionOfNote one
// of a notice on another paper.
var (
	retractedNote = text.LazyRegexp(`(?i)^(?:th(?:is|e) (?:article|paper|publication|chapter|manuscript) (?:has been|was|is) ` +
		`(?:retracted|withdrawn)\b|retracted(?: (?:article|paper|publication|chapter))?(?:\s*[.;(\[]|$))`)
	retractionInNote = text.LazyRegexp(`(?i)^(?:retraction(?: notice)?(?: published)? in|retracted (?:by|in))\b[:\s]*(.*)$`)
	retractionOfNote = text.LazyRegexp(`(?i)^(?:this (?:is (?:a|the) |notice |note )?)?(?:(?:retraction(?: notice| note)?|` +
		`notice of retraction)(?: (?:of|to|for)\b[:\s]*|:\s*)|retracts\b[:\s]*)(.+)$`)
)

// takeRetraction takes a retraction from a note, of several lines or one, including "Retracted: no" of our own exports.
// Other notes are not reliable.
func (d *draft) takeRetraction(value string) {
	for line := range strings.Lines(text.Cut(value, maxText)) {
		line = strings.TrimSpace(line)
		if m := notRetractedNote().FindStringSubmatch(line); m != nil {
			if d.Retraction.Status == "" {
				d.Retraction.Status, d.Retraction.Checked = evidence.No, parseDate(m[1])
			}
			continue
		}

		if retractedNote().MatchString(line) {
			d.Retraction.Status = evidence.Yes
		} else if m := retractionInNote().FindStringSubmatch(line); m != nil {
			d.Retraction.Status = evidence.Yes
			d.addLink(linkTo(evidence.RetractedBy, m[1]))
		} else if m := retractionOfNote().FindStringSubmatch(line); m != nil {
			d.addLink(linkTo(evidence.Retracts, m[1]))
		}
	}
}

var citedDOI = text.LazyRegexp(`\b10\.\d{4,9}/\S+`)

// linkTo makes a link of a citation: to the PMID or the DOI in it, where it has one.
func linkTo(relation evidence.Relation, citation string) evidence.Link {
	l := evidence.Link{Relation: relation, Citation: plain(citedPMID().ReplaceAllString(citation, ""), maxTitle)}
	if m := citedPMID().FindStringSubmatch(citation); m != nil {
		l.Target, _ = evidence.NewIdentifier(evidence.PMID, m[1])
	} else if doi := citedDOI().FindString(citation); doi != "" {
		l.Target, _ = evidence.NewIdentifier(evidence.DOI, doi)
	}
	return l
}

// warnOfForeignLetters warns of DOIs with letters beyond ASCII's: "а" of Cyrillic looks like "a", and makes another DOI
// of it. Registrants give none such; the record keeps it, since it may be its own all the same.
func (d *draft) warnOfForeignLetters() {
	for _, id := range d.Identifiers {
		at := strings.IndexFunc(id.Value, func(r rune) bool { return r >= utf8.RuneSelf })
		if id.Kind != evidence.DOI || at < 0 {
			continue
		}
		letter, _ := utf8.DecodeRuneInString(id.Value[at:])
		d.note("the DOI %.200q has the letter %q (%U), which may look like another: it is another DOI than the one that it "+
			"looks like", id.Value, letter, letter)
	}
}

// finish converts the fields read into a record: source is the record's own, the authority for its statements.
func (d *draft) finish(source string) {
	for _, id := range d.spare {
		if _, own := d.Identifier(id.Kind); !own {
			d.Identifiers = append(d.Identifiers, id)
		}
	}
	d.linkTrials()
	d.Identifiers = evidence.SortIdentifiers(d.Identifiers)
	d.dropBookDOI()
	d.OwnDOI = d.chooseOwnDOI()
	d.warnOfForeignLetters()

	if rest, ok := strings.CutPrefix(d.Title, retractedMark); ok && rest != "" {
		d.Title, d.Retraction.Status = rest, evidence.Yes
	}

	d.Preprint = d.Preprint || slices.ContainsFunc(d.PublicationTypes, evidence.PublicationType.IsPreprint)
	for i := range d.Links {
		d.Links[i].Source = source
	}

	if by, notice := evidence.Retracting(d.Links); by != nil {
		d.Retraction.Status, d.Retraction.Notice = evidence.Yes, notice
	}

	if d.Retraction.Status == evidence.Yes {
		d.Retraction.Checked = "" // the date was that of a no
	}

	if d.Retraction.Status != "" {
		d.Retraction.Source = source
	}
}

// linkTrials turns a paper's trial numbers into links: a number identifies the registered trial, not the paper.
func (d *draft) linkTrials() {
	isPaper := slices.ContainsFunc(d.Identifiers, func(id evidence.Identifier) bool {
		return id.Kind == evidence.PMID || id.Kind == evidence.DOI || id.Kind == evidence.PMCID || id.Kind == evidence.PPR
	})
	if !isPaper {
		return
	}
	d.Identifiers = slices.DeleteFunc(d.Identifiers, func(id evidence.Identifier) bool {
		if id.Kind == evidence.NCT {
			d.addLink(evidence.Link{Relation: evidence.ReportsTrial, Target: id})
		}
		return id.Kind == evidence.NCT
	})
}

// dropBookDOI removes the DOI of a chapter's book, where the chapter's own DOI begins with it and a separator.
func (d *draft) dropBookDOI() {
	isChapter := func(t evidence.PublicationType) bool { return t.Name == "Book Chapter" }
	if !slices.ContainsFunc(d.PublicationTypes, isChapter) {
		return
	}
	d.Identifiers = slices.DeleteFunc(d.Identifiers, func(whole evidence.Identifier) bool {
		isBooks := whole.Kind == evidence.DOI && slices.ContainsFunc(d.Identifiers, func(part evidence.Identifier) bool {
			rest, isPart := strings.CutPrefix(part.Value, whole.Value)
			return part.Kind == evidence.DOI && isPart && rest != "" && strings.ContainsRune("_./-:", rune(rest[0]))
		})
		if isBooks {
			d.note("%s is the DOI of the chapter's book; not taken", whole.Value)
		}
		return isBooks
	})
}

// chooseOwnDOI is the paper's of several DOIs: the first of the format's own field, without those of its supplements;
// empty where there is but one.
func (d *draft) chooseOwnDOI() string {
	var all []string
	for _, id := range d.Identifiers {
		if id.Kind == evidence.DOI {
			all = append(all, id.Value)
		}
	}

	if len(all) < 2 {
		return ""
	}

	for _, doi := range append(slices.Clone(d.dois), all...) {
		isSupplements := func(whole string) bool {
			rest, isPart := strings.CutPrefix(doi, whole)
			return isPart && supplementOf().MatchString(rest)
		}
		if slices.Contains(all, doi) && !slices.ContainsFunc(all, isSupplements) {
			return doi
		}
	}
	return all[0]
}

// supplementOf is what stands behind a paper's DOI in that of its supplement.
var supplementOf = text.LazyRegexp(`^[./_-](?:s\d{1,3}|suppl?(?:ement\w*)?\d*)$`)

// isUnidentifiable reports whether the record holds nothing by which anyone could know the paper.
func (d *draft) isUnidentifiable() bool {
	return d.Title == "" && d.VernacularTitle == "" && len(d.Authors) == 0 && len(d.Abstract) == 0 &&
		len(d.Identifiers) == 0
}

// appendBounded appends as many as a record's list may hold.
func appendBounded[T any](list []T, more ...T) []T {
	return append(list, more[:max(0, min(len(more), maxList-len(list)))]...)
}

// appendNew adds what is not empty and not there yet. The lists it serves are short; looking through more than 500
// would let a file make it slow.
func appendNew(list []string, s string) []string {
	s = strings.TrimSpace(s)
	if s == "" || len(list) >= maxList || slices.Contains(list[:min(len(list), 500)], s) {
		return list
	}
	return append(list, s)
}
