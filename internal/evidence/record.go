package evidence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Record is one paper, preprint, book chapter, patent or registered trial.
//
// The same type serves for one source's data (a source record: exactly one Origin) and for the merged record that the
// identity rules make of several (docs/METHOD.md, "Identity"). Text fields are plain text: sources strip their markup.
type Record struct {
	ID               string            `json:"id"`                    // set by identity: the best identifier, or the origin's key
	Identifiers      []Identifier      `json:"identifiers,omitempty"` // sorted; InOrder puts the own DOI first
	Origins          []Origin          `json:"origins"`
	Title            string            `json:"title,omitempty"`
	VernacularTitle  string            `json:"vernacular_title,omitempty"`
	Abstract         []Section         `json:"abstract,omitempty"`
	OtherAbstracts   []OtherAbstract   `json:"other_abstracts,omitempty"`
	Authors          []Author          `json:"authors,omitempty"`
	Journal          Journal           `json:"journal,omitzero"`
	Date             Date              `json:"date,omitempty"`
	Languages        []string          `json:"languages,omitempty"`
	PublicationTypes []PublicationType `json:"publication_types,omitempty"`
	MeSH             []Heading         `json:"mesh,omitempty"`
	Keywords         []string          `json:"keywords,omitempty"`
	Substances       []Substance       `json:"substances,omitempty"`
	Links            []Link            `json:"links,omitempty"`
	CitedBy          int               `json:"cited_by,omitempty"`
	Retraction       Retraction        `json:"retraction,omitzero"`

	// RetractedTitles are the title keys of the work that the record retracts: for a retracted paper its own, for a
	// retraction notice its subject's. Copies are found by them. Package pipeline sets them on merged records.
	RetractedTitles []string `json:"retracted_titles,omitempty"`

	Preprint bool     `json:"preprint,omitempty"`
	Trial    *Trial   `json:"trial,omitempty"`
	FullText []string `json:"full_text,omitempty"` // addresses, never fetched by Dossier

	// Accessions are the numbers that databases without a kind of identifier give the record, as "embase:l2001234567":
	// two of one database are two records.
	Accessions []string `json:"accessions,omitempty"`

	// OwnDOI is the paper's own DOI where the record has several: the others are a supplement's, a book's, or another
	// source's. Provenance["doi"] of a merged record names the source.
	OwnDOI string `json:"own_doi,omitempty"`

	// Body is the text behind the abstract: of records of the full texts that are kept beside the store, and of no others.
	Body *Body `json:"body,omitempty"`

	// Cut lists the fields that hold less than came, because a record may hold only so much; see Bound.
	Cut []Cut `json:"cut,omitempty"`

	// Set by step 3 from the metadata alone; a topic's Assessment holds the final bucket.
	Bucket       Bucket       `json:"bucket,omitempty"`
	BucketSource BucketSource `json:"bucket_source,omitempty"`
	Design       Design       `json:"design,omitempty"`

	// AddressesModel is the passage of the record's texts that speaks to a model which reads them, instead of to a reader;
	// empty where none does. Step 3 sets it, with the bucket.
	AddressesModel string `json:"addresses_model,omitempty"`

	// Curated is the knowledge bases' statements on the paper, by level. They are joined by PMID when a record is read,
	// and are no part of a source's data.
	Curated []CuratedStatement `json:"curated,omitempty"`

	// Provenance names, for each merged field, the source that gave it; for what several add to, all of them, parted by
	// commas.
	Provenance map[string]string `json:"provenance,omitempty"`
}

// Origin is where a record came from: the source's name and its own id for the record (for an imported file
// "import:FILE" and the id it had there).
type Origin struct {
	Source  string    `json:"source"`
	ID      string    `json:"id"`
	Fetched time.Time `json:"fetched,omitzero"`
	Revised Date      `json:"revised,omitempty"` // the source's own date of last change, where it gives one
	Version int       `json:"version,omitempty"` // the source's own number of the version, where that is above 1

	// File names the imported file of a service's saved answer; empty where the service itself answered. A file is what
	// somebody made of the service's words, so that it is believed like any other import.
	File string `json:"file,omitempty"`
}

// Key names the source record in the store.
func (o Origin) Key() string { return o.Source + "|" + o.ID }

// Section is a part of an abstract; Label and Category are empty in an unstructured one.
type Section struct {
	Label    string `json:"label,omitempty"`
	Category string `json:"category,omitempty"` // NLM's: BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS, UNASSIGNED
	Text     string `json:"text"`
}

// IsConclusion reports whether a section states a study's conclusions, by NLM's category or its own label.
func (s *Section) IsConclusion() bool {
	label := strings.ToLower(s.Label)
	return s.Category == "CONCLUSIONS" || strings.Contains(label, "conclusion") || strings.HasPrefix(label, "interpretation")
}

// OtherAbstract is a translation or a second abstract, such as a plain-language summary.
type OtherAbstract struct {
	Kind     string    `json:"kind,omitempty"`
	Language string    `json:"language,omitempty"`
	Sections []Section `json:"sections"`
}

// Author is a person (Family) or a group (Collective), never both.
type Author struct {
	Family       string   `json:"family,omitempty"`
	Given        string   `json:"given,omitempty"`
	Initials     string   `json:"initials,omitempty"`
	Suffix       string   `json:"suffix,omitempty"`
	Collective   string   `json:"collective,omitempty"`
	ORCID        string   `json:"orcid,omitempty"`
	Affiliations []string `json:"affiliations,omitempty"`
}

// String gives the short form used in tables and citations: "Doe J" or the group's name.
func (a Author) String() string {
	return cmp.Or(a.Collective, strings.TrimSpace(a.Family+" "+a.Initials))
}

// Journal is where the record appeared; for a book chapter Title is the book's.
type Journal struct {
	Title        string   `json:"title,omitempty"`
	Abbreviation string   `json:"abbreviation,omitempty"`
	ISSN         []string `json:"issn,omitempty"`
	Volume       string   `json:"volume,omitempty"`
	Issue        string   `json:"issue,omitempty"`
	Pages        string   `json:"pages,omitempty"`
	Publisher    string   `json:"publisher,omitempty"`
	Country      string   `json:"country,omitempty"`
}

// Name is the short name where there is one.
func (j Journal) Name() string { return cmp.Or(j.Abbreviation, j.Title) }

// Heading is a MeSH descriptor with its qualifiers.
type Heading struct {
	Name       string      `json:"name"`
	UI         string      `json:"ui,omitempty"`
	Major      bool        `json:"major,omitempty"`
	Qualifiers []Qualifier `json:"qualifiers,omitempty"`
}

// Qualifier narrows a MeSH descriptor.
type Qualifier struct {
	Name  string `json:"name"`
	UI    string `json:"ui,omitempty"`
	Major bool   `json:"major,omitempty"`
}

// Substance is an entry of PubMed's chemical list.
type Substance struct {
	Name     string `json:"name"`
	UI       string `json:"ui,omitempty"`
	Registry string `json:"registry,omitempty"`
}

// Ternary is yes, no or unknown.
type Ternary string

// The three states; the empty string counts as unknown.
const (
	Yes     Ternary = "yes"
	No      Ternary = "no"
	Unknown Ternary = "unknown"
)

// Retraction is a record's retraction status, with its source and date.
type Retraction struct {
	Status   Ternary    `json:"status,omitempty"`
	Source   string     `json:"source,omitempty"`
	Checked  Date       `json:"checked,omitempty"`
	Notice   Identifier `json:"notice,omitzero"`
	Reason   string     `json:"reason,omitempty"`  // why, as Retraction Watch's table has it
	CopyOf   string     `json:"copy_of,omitempty"` // the retracted record of the same work, by which this one is retracted
	Disputed Dispute    `json:"disputed,omitzero"` // never beside a yes
}

// Dispute is a claim, by a source without the authority, that a record is retracted: neither believed nor hidden.
type Dispute struct {
	By     string `json:"by,omitempty"`     // what claims it, such as "an imported file"
	Source string `json:"source,omitempty"` // where the claim came from
	ID     string `json:"id,omitempty"`     // of the claiming record, at that source
	Date   Date   `json:"date,omitempty"`   // when it was made or fetched, where that is known
}

// String describes the claim; empty where there is none.
func (d Dispute) String() string {
	if d == (Dispute{}) {
		return ""
	}

	line := "retraction disputed: claimed by " + strings.TrimSpace(d.Source+" "+d.ID)
	if d.By != "" {
		line += " (" + d.By + ")"
	}

	if d.Date != "" {
		line += ", " + string(d.Date)
	}
	return line
}

// CopyText names the retracted paper of which the record is a copy; empty where it is retracted itself, or not at all.
func (r Retraction) CopyText() string {
	if r.CopyOf == "" {
		return ""
	}
	return "a copy of a retracted paper, " + r.CopyOf
}

// Retracted reports whether a source states that the record, or the paper of which it is a copy, is retracted.
func (r *Record) Retracted() bool { return r.Retraction.Status == Yes }

// AbstractText is the whole abstract as one plain text, section labels included, paragraphs separated by newlines.
func (r *Record) AbstractText() string { return SectionsText(r.Abstract) }

// SectionsText joins an abstract's sections, each with its label, by newlines.
func SectionsText(sections []Section) string {
	parts := make([]string, 0, len(sections))
	for _, s := range sections {
		if s.Label != "" {
			parts = append(parts, s.Label+": "+s.Text)
		} else if s.Text != "" {
			parts = append(parts, s.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// TextsAtOnce bounds the text of records that are read to be worked on together, in bytes: some thousands of them, or a
// hundred full texts.
const TextsAtOnce = 8 << 20

// TextBytes is how long the title, the abstracts and the body are together.
func (r *Record) TextBytes() int {
	n := len(r.Title) + sectionsBytes(r.Abstract)
	for _, other := range r.OtherAbstracts {
		n += sectionsBytes(other.Sections)
	}

	if r.Body != nil {
		n += r.Body.TextBytes()
	}
	return n
}

func sectionsBytes(sections []Section) (n int) {
	for _, s := range sections {
		n += len(s.Label) + len(s.Text)
	}
	return n
}

// Identifier returns the record's identifier of a kind: the paper's own DOI, else the first in order where there are
// several.
func (r *Record) Identifier(kind IDKind) (Identifier, bool) {
	if own := (Identifier{DOI, r.OwnDOI}); kind == DOI && slices.Contains(r.Identifiers, own) {
		return own, true
	}

	for _, id := range r.Identifiers {
		if id.Kind == kind {
			return id, true
		}
	}
	return Identifier{}, false
}

// InOrder is a copy of the record's identifiers, best first, its own DOI before others.
func (r *Record) InOrder() []Identifier {
	ids := slices.Clone(r.Identifiers)

	first := slices.IndexFunc(ids, func(id Identifier) bool { return id.Kind == DOI })
	if own := slices.Index(ids, Identifier{DOI, r.OwnDOI}); own > first {
		ids = slices.Insert(slices.Delete(ids, own, own+1), first, Identifier{DOI, r.OwnDOI})
	}
	return ids
}

// Best is the identifier that names the record; zero where it has none.
func (r *Record) Best() Identifier {
	if len(r.Identifiers) == 0 {
		return Identifier{}
	}
	best, _ := r.Identifier(r.Identifiers[0].Kind)
	return best
}

// URL is the record's page: that of its best identifier.
func (r *Record) URL() string { return r.Best().URL() }

// ContentHash identifies what a judgement depends on: title, abstract and publication types. A record whose citation
// count or links change keeps its hash, so that it is not judged again.
func (r *Record) ContentHash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n%q\n", r.Title, r.AbstractText())

	for _, t := range r.PublicationTypes {
		fmt.Fprintf(h, "%q %q\n", t.UI, t.Name)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Date is a calendar date as far as it is known: "2024", "2024-03" or "2024-03-05". The empty Date is unknown.
type Date string

// NewDate builds a Date; a month or day of 0 is unknown. A year outside 1000–2999 gives the empty Date, a month or day
// that does not exist is left out.
func NewDate(year, month, day int) Date {
	switch {
	case year < 1000 || year > 2999:
		return ""
	case month < 1 || month > 12:
		return Date(fmt.Sprintf("%04d", year))
	case day < 1 || time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() != day:
		return Date(fmt.Sprintf("%04d-%02d", year, month))
	}
	return Date(fmt.Sprintf("%04d-%02d-%02d", year, month, day))
}

// DateOf is the date of t in UTC.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// Earlier is the earlier of two dates, of which one may be unknown.
func Earlier(a, b Date) Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// Year is 0 where the date is unknown.
func (d Date) Year() int {
	if len(d) < 4 {
		return 0
	}

	year, err := strconv.Atoi(string(d[:4]))
	if err != nil {
		return 0
	}
	return year
}

// First is the earliest day that d may mean; the zero time where d is unknown.
func (d Date) First() time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, string(d)); err == nil {
			return t
		}
	}
	return time.Time{}
}

const monthNames = "janfebmaraprmayjunjulaugsepoctnovdec"

// NamedMonth reads an English month's name or its first three letters: 3 for "Mar" and "March"; 0 is no month.
func NamedMonth(s string) int {
	if len(s) < 3 {
		return 0
	}

	at := strings.Index(monthNames, strings.ToLower(s[:3]))
	if at < 0 || at%3 != 0 {
		return 0
	}
	return at/3 + 1
}

// DateNumber reads a part of a date; 0 is no plain number.
func DateNumber(s string) int {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}
