package render

import (
	"io"

	plaintext "dossier/internal/text"
)

// held is what users' files say, held against a question: lines, each with what it is on or who says it.
type held struct {
	title string
	lines [][2]string
}

// held prints it for people.
func (p *printer) held(h *held) {
	if h == nil {
		return
	}
	p.line("")
	p.line(p.term.bold(h.title))
	for _, l := range h.lines {
		p.line(p.term.labelled(plaintext.Line(l[0]), plaintext.Line(l[1])))
	}
}

func (p *printer) markdownHeld(h *held) {
	if h == nil {
		return
	}
	p.line("")
	p.line("## " + h.title)
	p.line("")
	for _, l := range h.lines {
		p.line("- " + plaintext.Markdown(plaintext.Line(l[0]+": "+l[1])))
	}
}

// table prints it for people under its question.
func (h *held) table(w io.Writer, term Terminal, question string) error {
	p := &printer{w: w, term: term}
	p.line(term.bold(plaintext.Line(question)))
	p.held(h)
	return p.err
}

// markdown writes it as a document of its own.
func (h *held) markdown(w io.Writer, question string) error {
	p := &printer{w: w}
	p.line("# " + plaintext.Markdown(plaintext.Line(question)))
	p.markdownHeld(h)
	return p.err
}
