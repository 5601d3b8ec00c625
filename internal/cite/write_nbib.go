package cite

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"dossier/internal/evidence"
)

// NBIB writes references in MEDLINE's tagged form, as PubMed exports it. Identifiers of other sources are in OID, with
// their label; score, bucket, criteria and findings are general notes (GN).
func NBIB(w io.Writer, refs iter.Seq2[Ref, error]) error {
	first := true
	return writeEach(w, FormatNBIB, refs, func(out *bufio.Writer, ref Ref) {
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		writeNBIB(nbibWriter{out}, ref)
	})
}

// nbibWriter writes a tag and its value, wrapped with the indentation of continued lines.
type nbibWriter struct{ *bufio.Writer }

const nbibWidth = 88

func (w nbibWriter) field(tag, value string) {
	if value = oneLine(value, 4*maxText); value == "" {
		return
	}
	fmt.Fprintf(w, "%-4s- ", tag)

	at := 6
	for i, word := range strings.Split(value, " ") {
		switch {
		case i > 0 && at+1+len(word) > nbibWidth:
			fmt.Fprint(w, "\n      ")
			at = 6
		case i > 0:
			fmt.Fprint(w, " ")
			at++
		}
		fmt.Fprint(w, word)
		at += len(word)
	}
	fmt.Fprintln(w)
}

func (w nbibWriter) fields(tag string, values []string) {
	for _, value := range values {
		w.field(tag, value)
	}
}

func writeNBIB(w nbibWriter, ref Ref) {
	r := ref.Record
	w.identifiers(ref)
	w.fields("IS", r.Journal.ISSN)
	w.field("VI", r.Journal.Volume)
	w.field("IP", r.Journal.Issue)
	w.field("DP", nbibDate(r.Date))
	w.field("TI", ref.title())
	w.field("TT", r.VernacularTitle)
	w.field("PG", onePage(r.Journal.Pages))
	w.field("AB", ref.abstract())

	for _, a := range r.Authors {
		w.author(a)
	}
	w.fields("LA", r.Languages)

	for _, l := range r.Links {
		if l.Relation == evidence.ReportsTrial && l.Target.Kind == evidence.NCT {
			w.field("SI", "ClinicalTrials.gov/"+l.Target.Value)
		}
	}
	w.fields("PT", ref.typeNames())
	w.field("PL", r.Journal.Country)
	w.field("PB", r.Journal.Publisher)
	w.field("TA", r.Journal.Abbreviation)
	w.field("JT", r.Journal.Title)
	w.subjects(r)

	for _, l := range r.Links {
		w.correction(l)
	}
	w.fields("GN", ref.notes())
}

// identifiers begins the record: with the PMID, or with an owner (the word for "not NLM") where there is none, since
// readers take one of these for the beginning.
func (w nbibWriter) identifiers(ref Ref) {
	if pmid := ref.value(evidence.PMID); pmid != "" {
		w.field("PMID", pmid)
	} else {
		w.field("OWN", "NOTNLM")
	}

	for _, id := range ref.Record.InOrder() {
		switch id.Kind {
		case evidence.DOI:
			w.field("AID", id.Value+" [doi]")
		case evidence.PMCID:
			w.field("PMC", id.Value)
		}
	}

	for _, id := range ref.otherIdentifiers(evidence.PMID) {
		if id.Kind != evidence.DOI && id.Kind != evidence.PMCID {
			w.field("OID", id.String())
		}
	}
}

func (w nbibWriter) author(a evidence.Author) {
	if a.Collective != "" {
		w.field("CN", a.Collective)
		return
	}

	family, given, suffix := nameParts(a)
	if given != "" && isSuffix(suffix) {
		w.field("FAU", family+", "+given+" "+suffix)
	} else {
		w.field("FAU", fullName(a))
	}
	w.field("AU", strings.Join([]string{family, cmp.Or(nameText(a.Initials), initials(given)), suffix}, " "))

	if a.ORCID != "" {
		w.field("AUID", "ORCID: "+a.ORCID)
	}
	w.fields("AD", a.Affiliations)
}

func (w nbibWriter) subjects(r *evidence.Record) {
	for _, s := range r.Substances {
		w.field("RN", cmp.Or(s.Registry, "0")+" ("+s.Name+")")
	}

	for _, h := range r.MeSH {
		text := headingName(h.Name, h.Major)
		for _, q := range h.Qualifiers {
			text += "/" + headingName(q.Name, q.Major)
		}
		w.field("MH", text)
	}
	w.fields("OT", r.Keywords)
}

func headingName(name string, major bool) string {
	name = strings.ReplaceAll(oneLine(name, maxWord), "/", " ")
	if major {
		return "*" + name
	}
	return name
}

func (w nbibWriter) correction(l evidence.Link) {
	tag := l.Relation.Tag()
	if tag == "" {
		return
	}

	text := l.Citation
	if l.Target.Kind == evidence.PMID {
		text = strings.TrimSpace(text + " PMID: " + l.Target.Value)
	} else if !l.Target.IsZero() {
		text = strings.TrimSpace(text + " " + l.Target.String())
	}
	w.field(tag, text)
}

// nbibDate is "2024 Mar 5".
func nbibDate(d evidence.Date) string {
	parts := strings.Split(string(d), "-")
	if len(parts) > 1 {
		parts[1] = monthName(evidence.DateNumber(parts[1]))
	}

	if len(parts) > 2 {
		parts[2] = strings.TrimPrefix(parts[2], "0")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// monthName is "Jan" for 1; empty for what is no month.
func monthName(month int) string {
	if month < 1 || month > 12 {
		return ""
	}
	return time.Month(month).String()[:3]
}
