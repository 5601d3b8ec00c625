package cite

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"dossier/internal/evidence"
)

// RIS writes references in RIS, with the line ends that it asks for. The PMID is in AN, labelled; the PMCID in C2, as
// EndNote has it; identifiers without a tag are addresses (UR). Pages stay as the record has them: EP may be cut short,
// as in MEDLINE. Score, bucket, criteria and findings are notes (N1).
func RIS(w io.Writer, refs iter.Seq2[Ref, error]) error {
	return writeEach(w, FormatRIS, refs, func(out *bufio.Writer, ref Ref) {
		writeRIS(risWriter{out}, ref)
		fmt.Fprint(out, "ER  - \r\n\r\n")
	})
}

// risWriter writes a tag and its value on one line; a value is made one line here, whatever it was.
type risWriter struct{ *bufio.Writer }

func (w risWriter) field(tag, value string) {
	if value = oneLine(value, 4*maxText); value != "" {
		fmt.Fprintf(w, "%s  - %s\r\n", tag, value)
	}
}

func (w risWriter) fields(tag string, values []string) {
	for _, value := range values {
		w.field(tag, value)
	}
}

func writeRIS(w risWriter, ref Ref) {
	r := ref.Record
	w.field("TY", kindOf(r).ris)
	w.field("ID", ref.key())
	w.field("TI", ref.title())

	for _, a := range r.Authors {
		w.field("AU", fullName(a))
	}
	w.field("PY", yearText(r.Date))
	w.field("DA", risDate(r.Date))
	w.field("T2", r.Journal.Title)
	w.field("JA", r.Journal.Abbreviation)
	w.field("VL", r.Journal.Volume)
	w.field("IS", r.Journal.Issue)
	first, last := splitPages(r.Journal.Pages)
	w.field("SP", first)
	w.field("EP", last)
	w.fields("SN", r.Journal.ISSN)
	w.field("PB", r.Journal.Publisher)
	w.field("DO", ref.value(evidence.DOI))

	if pmid := ref.value(evidence.PMID); pmid != "" {
		w.field("AN", "PMID:"+pmid)
	}
	w.field("C2", ref.value(evidence.PMCID))
	w.field("UR", r.URL())

	for _, id := range ref.otherIdentifiers(evidence.DOI, evidence.PMID, evidence.PMCID) {
		if id != r.Best() {
			w.field("UR", id.URL())
		}
	}
	w.fields("L2", r.FullText)
	w.field("AB", ref.abstract())
	w.fields("KW", ref.subjects())
	w.fields("LA", r.Languages)
	w.field("M3", strings.Join(ref.typeNames(), "; "))
	w.fields("N1", ref.notes())
}

func yearText(d evidence.Date) string {
	if year := d.Year(); year > 0 {
		return fmt.Sprintf("%04d", year)
	}
	return ""
}

// risDate is "2024/03/05/": RIS's date has a fourth part, for seasons and such, which may be empty. A year alone is
// PY's.
func risDate(d evidence.Date) string {
	switch s := string(d); len(s) {
	case len("2006-01"):
		return s[:4] + "/" + s[5:] + "//"
	case len("2006-01-02"):
		return s[:4] + "/" + s[5:7] + "/" + s[8:] + "/"
	}
	return ""
}
