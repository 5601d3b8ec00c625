package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dossier/internal/command"
	"dossier/internal/database"
	"dossier/internal/document"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/marks"
	"dossier/internal/reader"
	"dossier/internal/render"
	"dossier/internal/store"
	"dossier/internal/text"
)

//go:embed templates/*.html
var templateFiles embed.FS

var (
	//go:embed page.css
	pageStyle []byte
	//go:embed htmx/htmx.min.js
	htmx []byte
)

// staticFiles are served as they are, each at an address that changes with its content.
type staticFiles struct{ contents map[string]file }

type file struct {
	content []byte
	kind    string
	address string
}

func newStaticFiles() *staticFiles {
	out := &staticFiles{contents: map[string]file{}}
	add := func(name, kind string, content []byte) {
		sum := sha256.Sum256(content)
		address := "/static/" + name + "?v=" + hex.EncodeToString(sum[:6])
		out.contents["/static/"+name] = file{content, kind + "; charset=utf-8", address}
	}
	add("document.css", "text/css", []byte(document.Stylesheet()))
	add("page.css", "text/css", pageStyle)
	add("htmx.min.js", "text/javascript", htmx)
	return out
}

// ServeHTTP serves a file. Its address names the content, so that it may be kept for good.
func (f *staticFiles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := f.contents[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
}

// pages are the templates.
type pages struct{ template *template.Template }

func newPages(f *staticFiles) (*pages, error) {
	t := template.New("pages").Funcs(template.FuncMap{
		"file":    func(name string) string { return f.contents["/static/"+name].address },
		"line":    text.Line,
		"plural":  text.Plural,
		"old":     evidence.Old,
		"day":     func(t time.Time) string { return t.UTC().Format("2 January 2006") },
		"moment":  func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"web":     webAddress,
		"drawing": drawing,
		"about":   render.AboutLine,
		"as":      asReader,
	})
	t, err := t.ParseFS(templateFiles, "templates/*.html")
	return &pages{t}, err
}

func drawing(d *document.Drawing) template.HTML {
	return template.HTML(d.SVG()) //nolint:gosec // drawn by us, its texts escaped
}

// asReader adds the reader to an address, because there is no cookie to remember it.
func asReader(address, reader string) string {
	if reader == "" {
		return address
	}
	return address + "?" + url.Values{"reader": {reader}}.Encode()
}

// webAddress accepts addresses of the web only, so that a browser follows no other scheme.
func webAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return ""
	}
	return address
}

// frame is the content that all pages share.
type frame struct {
	Title      string
	Generation int
	Built      time.Time
	Trouble    string // what is wrong with the store, on every page
	Query      string // the words in the search's box
	Reader     string // who marks; empty if unknown
	Content    any
}

// request is a request with the generation that answers it.
type request struct {
	*openGeneration
	w   http.ResponseWriter
	r   *http.Request
	ctx context.Context // bounded by the time that a request may take
	s   *Server

	status int // of the page that is shown; 0 is 200
}

// withGeneration gives a request a work slot and the newest generation, and shows failures.
func (s *Server) withGeneration(show func(*request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			s.fail(w, r, badForm(err))
			return
		}
		page := &bufferedPage{ResponseWriter: w, status: http.StatusOK}

		err := s.withSlot(r, func(ctx context.Context) error {
			o, err := s.store.take(ctx)
			if err != nil {
				return err
			}
			defer s.store.release(o)
			return show(&request{openGeneration: o, w: page, r: r, ctx: ctx, s: s})
		})
		switch {
		case err == nil:
			page.send()
		case r.Context().Err() == nil:
			s.fail(w, r, err)
		}
	}
}

// bufferedPage buffers a response until it is complete: so a slow reader occupies neither a work slot nor a
// generation.
type bufferedPage struct {
	http.ResponseWriter
	status  int
	content bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (p *bufferedPage) WriteHeader(status int) { p.status = status }

// Write implements http.ResponseWriter.
func (p *bufferedPage) Write(b []byte) (int, error) { return p.content.Write(b) }

// send sends the page; the client may have gone.
func (p *bufferedPage) send() {
	p.ResponseWriter.WriteHeader(p.status)
	_, _ = p.content.WriteTo(p.ResponseWriter)
}

func badForm(err error) error {
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &problem{http.StatusRequestEntityTooLarge, "The form is too large",
			fmt.Sprintf("At most %d bytes are read.", large.Limit)}
	}
	return &problem{http.StatusBadRequest, "The form can't be read", err.Error()}
}

// formText returns a form's field as one line, or an error if it is too long.
func (q *request) formText(field string) (string, error) {
	words := strings.TrimSpace(q.r.Form.Get(field))
	if len(words) > maxWords {
		return "", &problem{http.StatusRequestEntityTooLarge, "There are too many words",
			fmt.Sprintf("At most %d bytes are read; there are %d.", maxWords, len(words))}
	}
	return words, nil
}

// reader is the marking reader that the address names; empty if it names none, or an invalid one.
func (q *request) reader() string {
	name, err := marks.Reader(q.r.Form.Get("reader"))
	if err != nil {
		return ""
	}
	return name
}

// show writes a page.
func (q *request) show(name, title string, content any) error {
	return q.s.write(q.w, cmp.Or(q.status, http.StatusOK), name, frame{
		Title: title, Generation: q.number, Built: q.built, Trouble: q.s.store.trouble(q.openGeneration), Reader: q.reader(),
		Query: strings.TrimSpace(q.r.Form.Get("q")), Content: content,
	})
}

// write writes a page by the named template, whole or, if that fails, not at all.
func (s *Server) write(w http.ResponseWriter, status int, name string, data any) error {
	var b bytes.Buffer
	if err := s.pages.template.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("laying out the page %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)

	_, err := w.Write([]byte(text.Visible(b.String())))
	if err != nil {
		s.log.Debug("a page was not taken whole", "error", err)
	}
	return nil
}

// download sends a named file to save.
func (q *request) download(name, kind string, content []byte) error {
	h := q.w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)

	if _, err := q.w.Write(content); err != nil {
		q.s.log.Debug("a file was not taken whole", "error", err)
	}
	return nil
}

// problem is an error with its status and message.
type problem struct {
	status        int
	title, advice string
}

func (p *problem) Error() string { return p.title + ": " + p.advice }

// fail shows what went wrong, and what to do about it.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	if p.status >= http.StatusInternalServerError {
		s.log.Warn("a page could not be shown", "path", r.URL.Path, "error", err)
	}

	if p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}

	if err := s.write(w, p.status, "problem", frame{Title: p.title, Content: strings.Split(p.advice, "\n")}); err != nil {
		http.Error(w, p.Error(), p.status)
	}
}

// problemOf finds the status for an error.
func problemOf(err error) *problem {
	var known *problem
	var exit *command.ExitError
	var damaged *files.DamageError
	var schema *database.SchemaError
	var impossible *reader.QuestionError
	var private *reader.PrivateError

	var invalid *marks.InvalidError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, store.ErrNoStore):
		return &problem{http.StatusServiceUnavailable, "There is no store yet", err.Error()}
	case errors.As(err, &damaged), errors.As(err, &schema):
		return &problem{http.StatusServiceUnavailable, "The store can't be read", err.Error()}
	case errors.As(err, &private):
		return &problem{http.StatusUnprocessableEntity, "The question tells who the patient is", err.Error()}
	case errors.As(err, &impossible):
		return &problem{http.StatusUnprocessableEntity, "The question can't be answered", err.Error()}
	case errors.As(err, &invalid):
		return &problem{http.StatusUnprocessableEntity, "The mark can't be taken", err.Error()}
	case errors.As(err, &exit) && exit.Code == command.ExitNothing:
		return &problem{http.StatusNotFound, "It is not in the store", err.Error()}
	case errors.As(err, &exit) && exit.Code == command.ExitUsage:
		return &problem{http.StatusBadRequest, "That can't be looked for", err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{http.StatusServiceUnavailable, "It took too long", "Ask for less, or try again in a moment."}
	}
	return &problem{http.StatusInternalServerError, "The page could not be made", err.Error()}
}
