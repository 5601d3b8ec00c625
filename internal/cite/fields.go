package cite

import (
	_ "embed"
	"strings"
	"sync"

	"dossier/internal/text"
)

// joinPages joins the first and the last page. The last may be cut short ("123", "9"), be missing, or hold the whole
// range; so may the first.
func joinPages(first, last string) string {
	first, last = onePage(first), onePage(last)
	switch {
	case last == "" || last == first || strings.Contains(first, "-"):
		return first
	case first == "" || strings.HasPrefix(last, first+"-"):
		return last
	}
	return first + "-" + last
}

// onePage brings a page or a range into one form: a hyphen without spaces for all the dashes in use.
func onePage(s string) string {
	s = oneLine(s, maxWord)
	for _, prefix := range []string{"pp. ", "pp.", "p. ", "p."} {
		s = strings.TrimPrefix(s, prefix)
	}

	s = dashes.Replace(s)
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, " -", "-"), "- ", "-")
	return strings.Trim(s, "- ")
}

var dashes = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-")

// splitPages splits a plain range into first and last page for formats that hold them apart. What is no plain range is
// all first page.
func splitPages(s string) (first, last string) {
	s = onePage(s)
	if first, last, ok := strings.Cut(s, "-"); ok && !strings.ContainsAny(s, " ,;") && !strings.Contains(last,
		"-") && first != last {
		return first, last
	}
	return s, ""
}

// articleType is the type of what is a journal's article and nothing more is known.
const articleType = "Journal Article"

const preprintType = "Preprint"

// kindTable has a line for each format's words for a publication type.
//
//go:embed kinds.tsv
var kindTable string

// kinds are the publication types by format and word, read when they are first asked for.
var kinds = sync.OnceValue(func() map[Format]map[string]string { return byFormat(kindTable, ", ") })

// byFormat reads a table of a format, what a thing is called here, and the format's names for it.
func byFormat(table, separator string) map[Format]map[string]string {
	out := map[Format]map[string]string{}
	for cells := range text.Rows(table) {
		of := Format(cells[0])
		if out[of] == nil {
			out[of] = map[string]string{}
		}

		for name := range strings.SplitSeq(cells[2], separator) {
			out[of][name] = cells[1]
		}
	}
	return out
}
