package command

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"dossier/internal/render"
)

// plainWidth is the width of output to no terminal, unless COLUMNS is set.
const plainWidth = 100

// TerminalOf determines w's width, and whether it supports styles. It respects NO_COLOR and COLUMNS.
func TerminalOf(w io.Writer, environ []string) render.Terminal {
	t := render.Terminal{Width: plainWidth}
	if f, ok := w.(*os.File); ok && IsTerminal(w) {
		t.Styled = lookup(environ, "NO_COLOR") == "" && CanDraw(w, environ)
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			t.Width = width
		}
	}

	if columns, err := strconv.Atoi(lookup(environ, "COLUMNS")); err == nil && columns > 0 {
		t.Width = columns
	}
	return t
}

// CanDraw reports whether w is a terminal that can move the cursor.
func CanDraw(w io.Writer, environ []string) bool {
	return IsTerminal(w) && lookup(environ, "TERM") != "dumb"
}

// IsTerminal reports whether a person watches w.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func lookup(environ []string, name string) string {
	for _, pair := range environ {
		if n, v, _ := strings.Cut(pair, "="); n == name {
			return v
		}
	}
	return ""
}
