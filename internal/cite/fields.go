package cite

import (
	"strings"
)

// pages joins the first and the last page. The last may be cut short ("123", "9"), be missing, or hold the whole range; so may
// the first.
func pages(first, last string) string {
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

// span parts a plain range into first and last page for formats that hold them apart. What is no plain range is all first page.
func span(s string) (first, last string) {
	s = onePage(s)
	if first, last, ok := strings.Cut(s, "-"); ok && !strings.ContainsAny(s, " ,;") && !strings.Contains(last, "-") && first != last {
		return first, last
	}
	return s, ""
}

// articleType is the type of what is a journal's article and nothing more is known.
const articleType = "Journal Article"

// risKinds maps RIS's types of reference to names of publication types: NLM's where NLM has one.
var risKinds = map[string]string{
	"JOUR": articleType, "EJOUR": articleType, "JFULL": articleType, "MGZN": articleType, "INPR": articleType, "ARTICLE": articleType,
	"CONF": "Congress", "CPAPER": "Conference Paper", "ABST": "Meeting Abstract", "THES": "Academic Dissertation",
	"CHAP": "Book Chapter", "ECHAP": "Book Chapter", "BOOK": "Book", "EBOOK": "Book", "EDBOOK": "Book", "PAT": "Patent",
	"RPRT": "Technical Report", "NEWS": "News", "DATA": "Dataset", "AGGR": "Dataset", "UNPB": "Unpublished Work", "ELEC": "Web Page",
	"BLOG": "Web Page", "STAND": "Standard", "GOVDOC": "Government Publication", "PCOMM": "Letter", "PREPRINT": preprintType,
}

const preprintType = "Preprint"

// bibKinds maps BibTeX's types of entry.
var bibKinds = map[string]string{
	"article": articleType, "inproceedings": "Conference Paper", "conference": "Conference Paper", "proceedings": "Congress",
	"phdthesis": "Academic Dissertation", "mastersthesis": "Academic Dissertation", "thesis": "Academic Dissertation",
	"inbook": "Book Chapter", "incollection": "Book Chapter", "book": "Book", "mvbook": "Book", "collection": "Book", "patent": "Patent",
	"techreport": "Technical Report", "report": "Technical Report", "unpublished": "Unpublished Work", "dataset": "Dataset",
}

// cslKinds maps CSL's types of item. Its "article" is a preprint in Zotero, but anything elsewhere.
var cslKinds = map[string]string{
	"article-journal": articleType, "article-magazine": articleType, "paper-conference": "Conference Paper", "thesis": "Academic Dissertation",
	"chapter": "Book Chapter", "book": "Book", "patent": "Patent", "report": "Technical Report", "dataset": "Dataset",
	"article-newspaper": "News", "webpage": "Web Page", "manuscript": "Unpublished Work", "standard": "Standard",
}
