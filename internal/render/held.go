package render

import (
	"io"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

// held is the contents of users' files on a question: lines, each with its subject or source.
type held struct {
	title string
	lines [][2]string
}

// held prints the entries of users' files for people.
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

// Held is the contents of users' files on a question, on its own; one of the two parts is set.
type Held struct {
	Question        string
	Generation      int
	Approvals       *evidence.ApprovalsFound
	Interpretations *evidence.InterpretationsFound
}

// Table prints the entries for people, below their question.
func (h *Held) Table(w io.Writer, term Terminal) error {
	p := &printer{w: w, term: term}
	p.line(term.bold(plaintext.Line(h.Question)))
	p.held(approvals(h.Approvals))
	p.held(interpretations(h.Interpretations))
	return p.err
}

// Markdown writes the entries as a separate document.
func (h *Held) Markdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("# " + plaintext.Markdown(plaintext.Line(h.Question)))
	p.markdownHeld(approvals(h.Approvals))
	p.markdownHeld(interpretations(h.Interpretations))
	return p.err
}

// JSON writes the entries as one object.
func (h *Held) JSON(w io.Writer) error {
	type on struct {
		Head
		Question   string `json:"question"`
		Generation int    `json:"generation"`
	}
	if h.Approvals != nil {
		return JSON(w, struct {
			on
			*evidence.ApprovalsFound
		}{on{HeadOf("approvals"), h.Question, h.Generation}, h.Approvals})
	}
	return JSON(w, struct {
		on
		*evidence.InterpretationsFound
	}{on{HeadOf("curated"), h.Question, h.Generation}, h.Interpretations})
}
