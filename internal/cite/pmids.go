package cite

import (
	"bufio"
	"iter"
	"strings"
	"unicode"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// A list of PMIDs has no references at all: one per line, or separated by commas, semicolons or spaces, each bare,
// behind "PMID:", or as the address of PubMed's page. The caller fetches the records.

// minBareDigits is the least number of digits of an unlabelled PMID, so that years and counts in a column beside it are
// not taken for papers.
const minBareDigits = 5

// entry is what stands at one place of a list.
type entry struct {
	text string
	pmid string // empty where it is none
}

// listEntries splits a line of a list. A label belongs to what stands behind it, and is no entry.
func listEntries(line string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		labelled := false
		for word := range strings.FieldsFuncSeq(line, isListSeparator) {
			if label := strings.TrimSuffix(strings.ToLower(word), ":"); label == "pmid" || label == "pmids" {
				labelled = true
				continue
			}
			one := entry{text: word}

			id, ok := evidence.NewIdentifier(evidence.PMID, word)
			if ok && (labelled || len(word) >= minBareDigits) {
				one.pmid = id.Value
			}
			labelled = false

			if !yield(one) {
				return
			}
		}
	}
}

func isListSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;|\"\ufeff", r)
}

// isPMIDList reports whether a text begins as a list of PMIDs, with one entry that is none for two that are at most.
func isPMIDList(head string) bool {
	if len(head) >= sniffBytes { // its last entry may go on
		head = head[:strings.LastIndexFunc(head, isListSeparator)+1]
	}

	pmids, others := 0, 0
	for one := range listEntries(head) {
		if one.pmid == "" {
			others++
		} else {
			pmids++
		}
	}
	return pmids > 0 && 2*others <= pmids
}

func readPMIDs(in *bufio.Reader, out *receiver) error {
	lines := lines{r: in}
	return lines.each(func(line string) error {
		if lines.long { // its last entry may be cut, and another PMID
			line = line[:strings.LastIndexFunc(line, isListSeparator)+1]

			if err := out.problem(lines.number, "", "the line is too long; what follows of it was dropped"); err != nil {
				return err
			}
		}

		for one := range listEntries(line) {
			var err error
			if one.pmid == "" {
				err = out.problem(lines.number, text.Cut(one.text, maxWord), "it is no PMID")
			} else {
				err = out.send(Item{PMID: one.pmid, Line: lines.number})
			}

			if err != nil {
				return err
			}
		}
		return nil
	})
}
