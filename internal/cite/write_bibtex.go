package cite

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// BibTeX writes references for BibTeX, in UTF-8. The title is in double braces, so that no style changes the case of a
// gene's name; groups' names are in braces. Identifiers have fields of their kind's name. A retraction is in note,
// which bibliographies print; score, bucket, criteria and findings are in annote, which they do not.
func BibTeX(w io.Writer, refs iter.Seq2[Ref, error]) error {
	keys := citationKeys{}
	return writeEach(w, FormatBibTeX, refs, func(out *bufio.Writer, ref Ref) {
		fmt.Fprintf(out, "@%s{%s", kindOf(ref.Record).bibtex, keys.keyFor(ref.Record))
		writeBib(bibWriter{out}, ref)
		fmt.Fprint(out, "\n}\n\n")
	})
}

// bibWriter writes fields; each begins with the comma that ends what was before.
type bibWriter struct{ *bufio.Writer }

// text writes a value as LaTeX.
func (w bibWriter) text(name, value string) {
	if value = tex(oneLine(value, 4*maxText)); value != "" {
		w.raw(name, "{"+value+"}")
	}
}

// address writes what reference managers take letter by letter. What would break the entry is percent-encoded.
func (w bibWriter) address(name, value string) {
	if value = texAddress.Replace(oneLine(value, 4*maxURL)); value != "" {
		w.raw(name, "{"+value+"}")
	}
}

var texAddress = strings.NewReplacer(`\`, "%5C", "{", "%7B", "}", "%7D", "$", "%24")

func (w bibWriter) raw(name, value string) { fmt.Fprintf(w, ",\n  %s = %s", name, value) }

func writeBib(w bibWriter, ref Ref) {
	r := ref.Record
	if title := tex(ref.title()); title != "" {
		w.raw("title", "{{"+title+"}}")
	}
	w.text("origtitle", r.VernacularTitle)

	if names := bibAuthors(r.Authors); names != "" {
		w.raw("author", "{"+names+"}")
	}
	w.text("year", yearText(r.Date))

	if parts := strings.Split(string(r.Date), "-"); len(parts) > 1 && monthName(evidence.DateNumber(parts[1])) != "" {
		w.raw("month", strings.ToLower(monthName(evidence.DateNumber(parts[1]))))

		if len(parts) > 2 {
			w.text("day", strings.TrimPrefix(parts[2], "0"))
		}
	}

	container := "journal"
	if k := kindOf(r).name; k == "chapter" || k == "conference" {
		container = "booktitle"
	}
	w.text(container, r.Journal.Title)
	w.text("shortjournal", r.Journal.Abbreviation)
	w.text("volume", r.Journal.Volume)
	w.text("number", r.Journal.Issue)

	if pages := tex(onePage(r.Journal.Pages)); pages != "" {
		w.raw("pages", "{"+strings.ReplaceAll(pages, "-", "--")+"}")
	}
	w.text("publisher", r.Journal.Publisher)
	w.text("issn", strings.Join(r.Journal.ISSN, ", "))
	w.identifiers(ref)
	w.text("abstract", ref.abstract())
	w.text("keywords", strings.Join(ref.subjects(), "; "))
	w.text("language", strings.Join(r.Languages, ", "))
	w.text("type", strings.Join(ref.typeNames(), "; "))
	w.text("note", ref.status())
	w.text("retraction", ref.retractionNote())
	w.text("annote", strings.Join(ref.findings(), ". "))
}

func (w bibWriter) identifiers(ref Ref) {
	for _, kind := range evidence.IDKinds {
		value := ref.value(kind)
		if kind == evidence.DOI && strings.ContainsAny(value, `\{}$`) {
			value = strings.ReplaceAll(value, "%", "%25")
		}
		w.address(string(kind), value)
	}
	w.address("url", ref.Record.URL())
	more := text.Each(ref.otherIdentifiers(evidence.IDKinds...), func(id evidence.Identifier) string { return id.URL() })
	w.address("alturl", strings.Join(more, " "))
}

// bibAuthors joins names as BibTeX wants them. An "and" within a name is kept from parting it by braces.
func bibAuthors(authors []evidence.Author) string {
	var names []string
	for _, a := range authors {
		name := ""

		family, given, suffix := nameParts(a)
		switch group := tex(oneLine(a.Collective, maxWord)); {
		case group != "":
			name = "{" + group + "}"
		case given == "" && family != "":
			name = "{" + tex(family) + "}"
		case suffix != "":
			name = guarded(family) + ", " + guarded(suffix) + ", " + guarded(given)
		case family != "":
			name = guarded(family) + ", " + guarded(given)
		}

		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

func guarded(name string) string {
	text := tex(name)
	if strings.Contains(" "+strings.ToLower(text)+" ", " and ") {
		return "{" + text + "}"
	}
	return text
}

// tex escapes what LaTeX and BibTeX would read as theirs, braces included, so that they are balanced in whatever is
// written.
func tex(s string) string { return texEscapes.Replace(s) }

var texEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
	"_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "--", "-{}-{}", "``", "`{}`{}", "''", "'{}'{}",
)

// citationKeys builds unique keys from first author, year and the title's first significant word.
type citationKeys map[string]bool

// keyFor is a record's citation key, which no other record has.
func (k citationKeys) keyFor(r *evidence.Record) string {
	base := cmp.Or(keyWord(firstAuthor(r))+yearText(r.Date)+keyWord(firstLongWord(r.Title)), "ref")

	key := base
	for n := 2; k[key]; n++ {
		key = fmt.Sprintf("%s-%d", base, n)
	}
	k[key] = true
	return key
}

func firstAuthor(r *evidence.Record) string {
	for _, a := range r.Authors {
		if name := a.Family + a.Collective; name != "" {
			return name
		}
	}
	return ""
}

// firstLongWord is the first word of at least four letters, or the first word.
func firstLongWord(title string) string {
	words := strings.FieldsFunc(text.Cut(title, maxTitle), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, w := range words {
		if len(w) >= 4 && !keyFillers(strings.ToLower(w)) {
			return w
		}
	}
	return strings.Join(words[:min(1, len(words))], "")
}

var keyFillers = text.Set("with from that this what which does after before between among under into over and the for")

// keyWord keeps a word's letters and digits, in ASCII: other characters are not safe in keys everywhere.
func keyWord(s string) string {
	word := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && text.IsWordRune(r) {
			return r
		}
		return -1
	}, text.Fold(text.Head(s, maxWord)))
	return text.Head(word, 24)
}
