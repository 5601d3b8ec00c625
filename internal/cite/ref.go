package cite

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Ref is a record to write, with its judgement where there is one.
type Ref struct {
	Record     *evidence.Record
	Assessment *evidence.Assessment // may be nil
	Note       string               // what else a reader must know of it, such as that it is in no store yet
}

// Write writes refs to w in the format. It takes a sequence, so that a whole store can be written without holding it;
// the sequence's first error ends the writing and is returned.
func Write(w io.Writer, format Format, refs iter.Seq2[Ref, error]) error {
	switch format {
	case FormatRIS:
		return RIS(w, refs)
	case FormatNBIB:
		return NBIB(w, refs)
	case FormatBibTeX:
		return BibTeX(w, refs)
	case FormatCSLJSON:
		return CSLJSON(w, refs)
	}
	return fmt.Errorf("%q is no format for references; there are %v", format, Formats)
}

// writeEach calls one for each reference, and reports the first error of the sequence or of w.
func writeEach(w io.Writer, format Format, refs iter.Seq2[Ref, error], one func(*bufio.Writer, Ref)) error {
	out := bufio.NewWriter(w)
	for ref, err := range refs {
		if err != nil {
			return fmt.Errorf("writing %s: %w", format, err)
		}
		one(out, ref)
	}

	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", format, err)
	}
	return nil
}

// kind is what a record is for a reference manager: a row of writtenTable.
type kind struct{ name, ris, bibtex, csl string }

//go:embed written.tsv
var writtenTable string

// writtenKinds are the kinds by their names, and by the publication types that make a record one.
type writtenKinds struct{ named, ofType map[string]kind }

// kindsWritten reads the table when it is first asked for.
var kindsWritten = sync.OnceValue(func() writtenKinds {
	w := writtenKinds{map[string]kind{}, map[string]kind{}}
	for cells := range text.Rows(writtenTable) {
		k := kind{cells[0], cells[2], cells[3], cells[4]}

		w.named[k.name] = k
		for name := range strings.SplitSeq(cells[1], ", ") {
			w.ofType[name] = k
		}
	}
	delete(w.ofType, "")
	return w
})

// kindOf finds a record's kind; a journal article unless something else is stated.
func kindOf(r *evidence.Record) kind {
	switch {
	case r.Trial != nil:
		return kindsWritten().named["registration"]
	case r.Preprint:
		return kindsWritten().named["preprint"]
	case len(r.Identifiers) > 0 && r.Identifiers[0].Kind == evidence.PAT:
		return kindsWritten().named["patent"]
	}

	for _, t := range r.PublicationTypes {
		if k, ok := kindsWritten().ofType[strings.ToLower(t.Name)]; ok {
			return k
		}
	}
	return kindsWritten().named["journal article"]
}

// key names the reference for people and for our own reader.
func (r Ref) key() string {
	switch {
	case r.Record.ID != "":
		return oneLine(r.Record.ID, maxID)
	case len(r.Record.Identifiers) > 0:
		return r.Record.Best().String()
	case len(r.Record.Origins) > 0:
		return oneLine(r.Record.Origins[0].ID, maxID)
	}
	return ""
}

// title is marked where the record is retracted: a reference manager shows the title everywhere, and the notes hardly
// anywhere.
func (r Ref) title() string {
	title := oneLine(r.Record.Title, maxTitle)
	if r.Record.Retracted() && !strings.HasPrefix(title, retractedMark) {
		return retractedMark + title
	}
	return title
}

// status states what a reader of a bibliography must know; empty where there is nothing.
func (r Ref) status() string {
	if !r.Record.Retracted() {
		return ""
	}
	retraction := r.Record.Retraction

	var by []string
	for _, s := range []string{retraction.Source, string(retraction.Checked)} {
		if s = oneLine(s, maxWord); s != "" {
			by = append(by, s)
		}
	}

	if !retraction.Notice.IsZero() {
		by = append(by, "notice "+retraction.Notice.String())
	}

	if copied := oneLine(retraction.CopyText(), maxWord); copied != "" {
		by = append(by, copied)
	}

	if len(by) == 0 {
		return "RETRACTED"
	}
	return "RETRACTED (" + strings.Join(by, ", ") + ")"
}

// findings are what the pipeline holds of the record, a line each.
func (r Ref) findings() []string {
	var out []string
	add := func(name, value string) {
		if value = oneLine(value, maxText); value != "" {
			out = append(out, name+": "+value)
		}
	}
	add("Warning", r.Record.Concern())
	add("Note", r.Note)

	bucket, source, design := r.Record.Bucket, r.Record.BucketSource, r.Record.Design
	if a := r.Assessment; a != nil {
		if shown, how := a.Shown(); how != "" {
			bucket, source, design = shown, cmp.Or(a.BucketSource, source), how
		}
		add("Score", strconv.FormatFloat(a.Score, 'f', -1, 64)+" of 10 ("+string(a.ScoreSource)+")")
	}

	if bucket != "" {
		add("Bucket", fmt.Sprintf("%s (%s)", bucket, source))
	}
	add("Design", string(design))
	add("Flagged", evidence.Flag(r.Record, r.Assessment))

	if a := r.Assessment; a != nil {
		add("Matched criteria", strings.Join(a.Criteria, "; "))
		add("Key findings", a.KeyFindings)
		add("Left out of the sample", a.Excluded)
	}

	if t := r.Record.Trial; t != nil {
		add("Trial status", t.Status)
		add("Trial phase", strings.Join(t.Phases, ", "))
	}
	return out
}

// retractionNote states that a source looked and found no retraction, or who disputes that; empty where it is
// retracted, or unknown.
func (r Ref) retractionNote() string {
	retraction := r.Record.Retraction
	if dispute := oneLine(retraction.Disputed.String(), maxText); dispute != "" {
		return strings.ToUpper(dispute[:1]) + dispute[1:]
	}

	if retraction.Status != evidence.No {
		return ""
	}

	if date := oneLine(string(retraction.Checked), maxWord); date != "" {
		return notRetracted + ", checked " + date
	}
	return notRetracted
}

// notes are the status and the findings.
func (r Ref) notes() []string {
	out := r.findings()
	if status := cmp.Or(r.status(), r.retractionNote()); status != "" {
		return append([]string{status}, out...)
	}
	return out
}

// abstract is the abstract as one line, labels included.
func (r Ref) abstract() string { return oneLine(r.Record.AbstractText(), 4*maxText) }

// subjects are the keywords and then the headings, once each.
func (r Ref) subjects() []string {
	var out []string
	for _, k := range r.Record.Keywords {
		out = appendNew(out, oneLine(k, maxWord))
	}

	for _, h := range r.Record.MeSH {
		out = appendNew(out, oneLine(h.Name, maxWord))
	}
	return out
}

// typeNames are the names of the publication types, once each; that a record is a preprint is among them.
func (r Ref) typeNames() []string {
	var out []string
	for _, t := range r.Record.PublicationTypes {
		out = appendNew(out, oneLine(t.Name, maxWord))
	}

	if r.Record.Preprint && !slices.ContainsFunc(out, func(name string) bool {
		return strings.EqualFold(name, preprintType)
	}) {
		out = append(out, preprintType)
	}
	return out
}

// otherIdentifiers are the identifiers for which the format has no field: those of other kinds than given, and each
// kind's second and further.
func (r Ref) otherIdentifiers(kinds ...evidence.IDKind) []evidence.Identifier {
	var out []evidence.Identifier

	seen := map[evidence.IDKind]bool{}
	for _, id := range r.Record.InOrder() {
		if seen[id.Kind] || !slices.Contains(kinds, id.Kind) {
			out = append(out, id)
		}
		seen[id.Kind] = true
	}
	return out
}

// value is the record's identifier of a kind, or empty.
func (r Ref) value(kind evidence.IDKind) string {
	id, _ := r.Record.Identifier(kind)
	return oneLine(id.Value, maxURL)
}

// nameParts are a person's names without the separators of RIS and BibTeX. A group has none.
func nameParts(a evidence.Author) (family, given, suffix string) {
	family, given = nameText(a.Family), nameText(cmp.Or(a.Given, a.Initials))
	if family == "" {
		family, given = given, ""
	}
	return family, given, nameText(a.Suffix)
}

var nameMarks = strings.NewReplacer(",", " ", ";", " ")

func nameText(s string) string { return oneLine(nameMarks.Replace(s), maxWord) }

// fullName is "Family, Given, Suffix". A comma at the end marks a name of several words as one: a group's, or a
// person's without given names.
func fullName(a evidence.Author) string {
	if group := oneLine(strings.ReplaceAll(a.Collective, ";", ","), maxWord); group != "" {
		return group + ","
	}
	family, given, suffix := nameParts(a)

	name := family
	if given != "" {
		name += ", " + given
	} else if strings.Contains(family, " ") {
		name += ","
	}

	if given != "" && suffix != "" {
		name += ", " + suffix
	}
	return name
}
