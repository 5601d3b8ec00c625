package articles

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"dossier/internal/files"
	"dossier/internal/markup"
)

// Bounds of what is read.
const maxArticle = 96 << 20 // bytes of one article; the longest real ones have some 40 MB, most of them references

// splitter cuts a document into its articles, each whole in memory, wherever in it they stand.
type splitter struct {
	markup.Window
	max   int
	root  string
	found int
}

// leftOut is an error that costs one article, not the document.
type leftOut struct{ reason string }

func (e *leftOut) Error() string { return e.reason }

var (
	opening = []byte("<article")
	closing = []byte("</article")
)

func newSplitter(r io.Reader) (*splitter, error) {
	text, err := files.Declared(r)
	if err != nil {
		return nil, err
	}
	return &splitter{Window: markup.NewWindow(text), max: maxArticle}, nil
}

// next gives the next article, from < to >, valid until the next call; at the document's end io.EOF. After a *leftOut
// the next article follows.
func (s *splitter) next() ([]byte, error) {
	if err := s.seek(opening); err != nil {
		if errors.Is(err, io.EOF) && s.found == 0 {
			return nil, fmt.Errorf("holds no article of JATS: its first element is %.40q", "<"+s.root+">")
		}
		return nil, err
	}

	s.found++
	for from := len(opening); ; {
		at := bytes.Index(s.Unread()[from:], closing)
		if at >= 0 {
			from += at + len(closing)
			if end := bytes.IndexByte(s.Unread()[from:], '>'); end >= 0 && len(bytes.TrimSpace(s.Unread()[from:from+end])) == 0 {
				xml := s.Unread()[:from+end+1]
				s.Pass(len(xml))
				return xml, nil
			} else if end >= 0 {
				continue // </article-meta>
			}
			from -= len(closing)
		} else {
			from = max(from, len(s.Unread())-len(closing)+1)
		}

		if len(s.Unread()) >= s.max {
			s.Pass(from)
			err := s.seek(closing)
			return nil, errors.Join(&leftOut{fmt.Sprintf("an article is longer than %d MB, and was left out", s.max>>20)},
				ignoreEOF(err))
		}

		switch err := s.More(); {
		case errors.Is(err, io.EOF):
			s.PassBut(0)
			return nil, &leftOut{"the document ends within an article; get it again"}
		case err != nil:
			return nil, err
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// seek goes to the next tag of an article itself.
func (s *splitter) seek(tag []byte) error {
	for {
		s.noteRoot()

		if at := bytes.Index(s.Unread(), tag); at >= 0 && at+len(tag) < len(s.Unread()) {
			s.Pass(at)

			if next := s.Unread()[len(tag)]; next == '>' || markup.IsSpace(next) {
				return nil
			}
			s.Pass(len(tag))
			continue
		} else if at >= 0 {
			s.Pass(at)
		} else {
			s.PassBut(len(tag) - 1)
		}

		if err := s.More(); err != nil {
			return err
		}
	}
}

// noteRoot keeps the name of the document's first element, for messages.
func (s *splitter) noteRoot() {
	for rest := s.Unread(); s.root == "" && s.found == 0; {
		at := bytes.IndexByte(rest, '<')
		if at < 0 || at+1 >= len(rest) {
			return
		}

		rest = rest[at+1:]
		if rest[0] == '?' || rest[0] == '!' {
			continue
		}
		end := bytes.IndexAny(rest[:min(len(rest), 80)], " \t\r\n/>")
		s.root = string(rest[:max(end, 0)])
		return
	}
}
