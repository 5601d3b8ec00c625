package cite

import (
	"bufio"
	"fmt"
	"strings"

	"dossier/internal/text"
)

// bibReader cuts a BibTeX file into entries. Text between entries is comment, as for BibTeX itself.
type bibReader struct {
	*receiver
	lines  lines
	macros map[string]string // of @string
	parents

	entry    strings.Builder // the entry under way, from its @
	open     bool
	start    int
	close    byte // what ends the entry; 0 while its opening brace or parenthesis has not come
	depth    int  // braces open within the entry
	inQuotes bool // of an entry in parentheses
	tooLong  bool
}

func readBibTeX(text *bufio.Reader, out *receiver) error {
	r := &bibReader{receiver: out, lines: lines{r: text}, macros: map[string]string{},
		parents: parents{known: map[string]bibEntry{}}}
	if err := r.lines.each(r.line); err != nil {
		return err
	}

	if err := r.endBrokenEntry("the file ends inside this entry"); err != nil {
		return err
	}
	return r.emitWaiting()
}

var bibEntryStart = text.LazyRegexp(`^\s*@\s*([A-Za-z][\w-]*)\s*(?:[{(]|$)`)

// bibOddStart is what can only be meant as an entry.
var bibOddStart = text.LazyRegexp(`^\s*@\s*[^\s{("@]+\s*\{[^{}=]*,\s*(?:$|[A-Za-z-]+\s*=)`)

// bibBraceless is an entry of a known type whose opening brace is missing: "@Article," or "@Article key,".
var bibBraceless = text.LazyRegexp(`^@\s*([A-Za-z][\w-]*)\s*[^\s{("]*\s*,\s*$`)

// isBraceless reports whether text begins an entry that can't be read, with whose fields nothing can be done.
func isBraceless(text string) bool {
	m := bibBraceless().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	kind := strings.ToLower(m[1])
	return kinds()[FormatBibTeX][kind] != "" || kind == "misc"
}

// line takes one line. A line that starts an entry within another shows that a brace of the latter was not closed.
func (r *bibReader) line(text string) error {
	if r.open && r.startsNext(text) {
		if err := r.endBrokenEntry("a brace or a quotation mark is not closed before the next entry begins"); err != nil {
			return err
		}
	}

	if !r.open && isBraceless(text) {
		reason := fmt.Sprintf(
			"%q begins no entry, for its opening brace is missing; write \"@article{key,\", and import the file again",
			shown(text))
		return r.problem(r.lines.number, "", reason)
	}

	for text != "" {
		if !r.open {
			if !bibEntryStart().MatchString(text) {
				if bibOddStart().MatchString(text) {
					return r.problem(r.lines.number, "", fmt.Sprintf(
						"%q begins an entry of no type that BibTeX could have; write \"@misc{key,\", and import the file again", shown(text)))
				}
				return nil
			}
			r.entry.Reset()
			r.open, r.start = true, r.lines.number
			r.close, r.depth, r.inQuotes, r.tooLong = 0, 0, false, false
		}

		end := r.findEnd(text)
		if end < 0 {
			r.appendText(text + "\n")
			return nil
		}
		r.appendText(text[:end])

		if err := r.endEntry(); err != nil {
			return err
		}
		text = text[end:]
	}

	if r.open {
		r.appendText("\n")
	}
	return nil
}

// startsNext reports whether a line begins the next entry: with an @ in the first column, or before a type that BibTeX
// knows, since an abstract's line may begin with an @.
func (r *bibReader) startsNext(text string) bool {
	m := bibEntryStart().FindStringSubmatch(text)

	if r.close == 0 {
		return false
	}

	if m == nil {
		return isBraceless(text)
	}
	kind := strings.ToLower(m[1])
	return text[0] == '@' || kinds()[FormatBibTeX][kind] != "" || kind == "misc" || kind == "string"
}

// appendText adds text to the entry under way.
func (r *bibReader) appendText(text string) {
	if r.entry.Len()+len(text) > maxRecord {
		r.tooLong = true
		return
	}
	r.entry.WriteString(text)
}

// findEnd follows braces through text and gives the place behind the entry's end, or -1. A brace behind a backslash is
// text.
func (r *bibReader) findEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case r.close == 0 && c == '{':
			r.close = '}'
		case r.close == 0 && c == '(':
			r.close = ')'
		case r.close == 0:
		case c == r.close && r.depth == 0 && !r.inQuotes:
			return i + 1
		case c == '{':
			r.depth++
		case c == '}' && r.depth > 0:
			r.depth--
		case c == '"' && r.close == ')' && r.depth == 0:
			r.inQuotes = !r.inQuotes
		}
	}
	return -1
}

// endEntry parses a complete entry, and emits it unless it is a comment or a macro.
func (r *bibReader) endEntry() error {
	r.open = false
	if r.tooLong {
		return r.problem(r.start, "", fmt.Sprintf("the entry is longer than %d bytes", maxRecord))
	}

	e := parseEntry(r.entry.String(), r.macros)
	switch e.kind {
	case "comment", "preamble":
		return nil
	case "string":
		for name, value := range e.fields {
			if len(r.macros) < maxMacros {
				r.macros[name] = text.Cut(value, maxTitle)
			}
		}
		return nil
	}
	return r.emitInherited(e, r.start)
}

// emitEntry emits an entry with all its fields.
func (r *bibReader) emitEntry(e bibEntry, line int) error {
	d := newDraft(line)
	if e.cut {
		d.note("a value in it has no end; what follows it is missing")
	}

	if len(e.missing) > 0 {
		d.note("it refers to %s, which the file does not hold", strings.Join(e.missing, ", "))
	}
	readBibFields(d, e)
	return r.record(d)
}

// swallowed finds the next field within a value whose brace was not closed.
var swallowed = text.LazyRegexp(`,\s*[A-Za-z_-]+\s*=\s*[{"\d]`)

// endBrokenEntry emits the complete values of an entry without an end if the title is among them; else it reports a
// problem.
func (r *bibReader) endBrokenEntry(reason string) error {
	if !r.open {
		return nil
	}
	r.open = false

	e := parseEntry(r.entry.String(), r.macros)
	switch {
	case e.kind == "comment", e.kind == "preamble", e.kind == "string":
		return nil
	case r.tooLong, e.fields["title"] == "", swallowed().MatchString(e.fields["title"]):
		return r.problem(r.start, oneLine(e.key, maxID), reason+"; close it and import the file again")
	}
	d := newDraft(r.start)
	d.note("%s; some of it may be missing", reason)
	readBibFields(d, e)
	return r.record(d)
}

const maxMacros = 5_000
