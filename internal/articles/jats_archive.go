package articles

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/markup"
)

// maxUnpacked bounds what a file may unpack to; PMC's largest packages have some 60 GB.
const maxUnpacked = 512 << 30

// Article is one article of a file. Its record has no Body where its licence lets nobody keep it.
type Article struct {
	Record  evidence.Record
	Licence string // as far as it could be read; of one that lets nobody keep the text, its words
	Where   string // the file within an archive
}

// FileCounts say what a file held beside its articles.
type FileCounts struct {
	Articles int
	Passed   int // files of an archive that hold no article's text: pictures, tables, supplements
}

// ReadJATS hands on each article of a file: XML with one article or many, or a tar archive of such files, packed with
// gzip or not. What can't be read of it is a problem, and the rest goes on; the error is of a file that holds no
// article, of an archive that is none or that tries to write elsewhere, of ctx or of take. An archive is looked through
// before anything of it is handed on.
func ReadJATS(
	ctx context.Context, in io.ReadSeeker, take func(Article) error, problem func(evidence.Problem),
) (counts FileCounts, err error) {
	r := reading{ctx: ctx, take: take, problem: problem}

	archive, plain, err := open(in)
	if err != nil {
		return counts, err
	}

	if archive == nil {
		err = r.document(plain, "")
		return r.counts, err
	}

	if err := checkNames(ctx, archive); err != nil {
		return counts, err
	}

	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return counts, err
	}

	if archive, _, err = open(in); err != nil {
		return counts, err
	}
	err = r.archive(archive)
	return r.counts, err
}

// open unpacks a file, and tells an archive from a document.
func open(in io.Reader) (archive *tar.Reader, plain io.Reader, err error) {
	unpacked, err := files.Unzipped(in, maxUnpacked)
	if err != nil {
		return nil, nil, err
	}
	const magicAt = 257
	buffered := bufio.NewReaderSize(unpacked, 64<<10)

	head, err := buffered.Peek(magicAt + 5)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("unpacking it: %w", err)
	}

	if len(head) > magicAt && bytes.HasPrefix(head[magicAt:], []byte("ustar")) {
		return tar.NewReader(buffered), nil, nil
	}
	return nil, buffered, nil
}

// checkNames refuses an archive with anything that honest ones have not: nothing of it is written anywhere, and whoever
// packed such names meant harm.
func checkNames(ctx context.Context, archive *tar.Reader) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}

		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return fmt.Errorf("is no whole archive: %w", err)
		}

		name := strings.TrimSuffix(strings.TrimPrefix(header.Name, "./"), "/")
		switch {
		case name == "" || name == ".":
		case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
			return fmt.Errorf("is refused: its entry %.100q leads out of the archive", header.Name)
		case header.Typeflag != tar.TypeReg && header.Typeflag != tar.TypeDir:
			return fmt.Errorf("is refused: its entry %.100q is neither a file nor a folder", header.Name)
		}
	}
}

// reading is one file that is being read.
type reading struct {
	ctx     context.Context
	take    func(Article) error
	problem func(evidence.Problem)
	counts  FileCounts
}

func (r *reading) archive(archive *tar.Reader) error {
	found := false
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}

		if err != nil {
			return fmt.Errorf("reading the archive: %w", err)
		}

		if header.Typeflag == tar.TypeDir {
			continue
		}

		switch strings.ToLower(path.Ext(header.Name)) {
		case ".xml", ".nxml":
		default:
			r.counts.Passed++
			continue
		}
		found = true

		var stop stopError
		if err := r.document(archive, header.Name); errors.As(err, &stop) {
			return stop.error
		} else if err != nil {
			r.problem(evidence.Problem{ID: header.Name, Reason: err.Error()})
		}
	}

	if !found {
		return errors.New("holds no file of JATS (.xml, .nxml)")
	}
	return nil
}

// stopError is an error that ends the reading of an archive, not of one document in it.
type stopError struct{ error }

// Unwrap implements what errors.Is asks.
func (e stopError) Unwrap() error { return e.error }

func (r *reading) document(in io.Reader, where string) error {
	split, err := newSplitter(in)
	if err != nil {
		return err
	}

	parse := &parser{Scanner: markup.NewScanner()}
	for {
		if err := r.ctx.Err(); err != nil {
			return stopError{err}
		}
		xml, err := split.next()

		var left *leftOut
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &left):
			r.problem(evidence.Problem{ID: where, Reason: left.reason})
			continue
		case err != nil:
			return err
		}
		article, err := parse.article(xml)

		article.Where = where
		if err != nil {
			r.problem(evidence.Problem{ID: named(&article.Record, where), Reason: err.Error()})
			continue
		}

		r.counts.Articles++
		if err := r.take(article); err != nil {
			return stopError{err}
		}
	}
}

// named is what an article is called in messages.
func named(record *evidence.Record, where string) string {
	if id := record.Best(); !id.IsZero() {
		return id.String()
	}
	return where
}
