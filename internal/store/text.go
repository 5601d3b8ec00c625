package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/segments"
	"dossier/internal/text"
)

// Texts creates and opens full texts for writing. Package writing implements it, which read-only programs do without.
type Texts interface {
	Create(path string) (segments.Writer, error)
	// Open leaves out the segments with the named files, which may be missing.
	Open(path string, wait time.Duration, without ...string) (segments.Writer, error)
}

// noTexts stands in for Texts in a program that has none.
type noTexts struct{}

var errNoTexts = errors.New("this program reads full texts and can't write one; `indexer` does")

func (noTexts) Create(string) (segments.Writer, error) { return nil, errNoTexts }
func (noTexts) Open(string, time.Duration, ...string) (segments.Writer, error) {
	return nil, errNoTexts
}

// textIndex is the full text of a generation. One opened for reading accepts no changes.
type textIndex interface {
	Apply(ctx context.Context, ops []segments.Op, mark uint64) error
	Mark() (uint64, error)
	Count() (uint64, error)
	Merge(ctx context.Context, most int) error
	Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error)
	Expect(sums segments.BlockSums)
	Close() error
}

// createText creates an empty full text.
func createText(path string, texts Texts) (textIndex, error) {
	writer, err := texts.Create(path)
	if err != nil {
		return nil, err
	}
	return newText(writer, path), nil
}

func newText(writer segments.Writer, path string) guardedText {
	return guardedText{fulltext.New(writer, path), writer, path}
}

// openText opens a full text: for writing by texts or, if that is nil, for reading. It waits at most wait for its file
// lock.
func openText(path string, texts Texts, wait time.Duration) (textIndex, error) {
	open := func() (guardedText, error) {
		if texts == nil {
			index, err := fulltext.Open(path, wait)
			return guardedText{index, nil, path}, err
		}
		writer, err := texts.Open(path, wait)
		return newText(writer, path), err
	}

	text, err := guardValue(path, open)
	if err != nil { // the system may refuse a file once, which looks like damage
		text, err = guardValue(path, open)
	}

	if err != nil { // a failed open must not become a non-nil interface
		return nil, err
	}
	return text, nil
}

// guardValue is files.Guard for a function that returns a value.
func guardValue[T any](path string, f func() (T, error)) (value T, err error) {
	err = files.Guard(path, files.RemedyRebuildText, func() (err error) {
		value, err = f()
		return err
	})
	return value, err
}

// guardedText turns bleve's panics on damaged segments, which are memory-mapped, into errors.
type guardedText struct {
	index  *fulltext.Index
	writer segments.Writer // what index reads, if open for writing; else nil
	path   string
}

var errReadOnly = errors.New("the full text is open for reading only")

func (g guardedText) Apply(ctx context.Context, ops []segments.Op, mark uint64) error {
	if g.writer == nil {
		return errReadOnly
	}
	return files.Guard(g.path, files.RemedyRebuildText, func() error { return g.writer.Apply(ctx, ops, mark) })
}

func (g guardedText) Mark() (uint64, error) { return guardValue(g.path, g.index.Mark) }

func (g guardedText) Count() (uint64, error) { return guardValue(g.path, g.index.Count) }

func (g guardedText) Merge(ctx context.Context, most int) error {
	if g.writer == nil {
		return errReadOnly
	}
	return files.Guard(g.path, files.RemedyRebuildText, func() error { return g.writer.Merge(ctx, most) })
}

// mergeBytes is how much space Merge takes, in bytes.
func (g guardedText) mergeBytes(most int) (int64, error) {
	if g.writer == nil {
		return 0, errReadOnly
	}
	return guardValue(g.path, func() (int64, error) { return g.writer.MergeBytes(most) })
}

func (g guardedText) Search(ctx context.Context, req fulltext.Request) (fulltext.Result, error) {
	result, err := guardValue(g.path, func() (fulltext.Result, error) { return g.index.Search(ctx, req) })
	if errors.Is(err, fulltext.ErrUnreadable) {
		err = files.UnlessFault(err, files.DamageError{Path: g.path, Reason: "it can't be searched",
			Remedy: files.RemedyRebuildText})
	}
	return result, err
}

func (g guardedText) Expect(sums segments.BlockSums) { g.index.Expect(sums) }

func (g guardedText) Close() error {
	return files.Guard(g.path, files.RemedyRebuildText, g.index.Close)
}

// textBatch is how many changes go to the full text at once, which splits them into batches of its own. Every record
// of it is in memory.
const textBatch = 2000

// defaultTextLag is how many changes wait for the full text before it follows, unless they have waited for
// maxTextDelay: each round costs syncs, and a segment that is merged later.
const defaultTextLag = textBatch

// errTextLost means that the full text has lost changes that the database no longer lists, so it must be rebuilt.
var errTextLost = errors.New("the full text lacks changes that were settled")

// catchUp applies every change that the full text lacks. The text's own mark shows which: a crash between the two
// leaves the text behind, never ahead.
func (v *view) catchUp(ctx context.Context) error {
	mark, err := v.textMark()
	if err != nil {
		return err
	}

	progress, err := v.db.Progress()
	if err != nil {
		return err
	}

	if mark < progress.Settled {
		return fmt.Errorf("%w (it has come to %d of %d)", errTextLost, mark, progress.Settled)
	}

	for {
		last, err := v.followFrom(ctx, mark)
		if err != nil || last == mark {
			return err
		}
		mark = last
	}
}

// followFrom applies the next textBatch of changes after mark to the full text, and returns its new mark.
func (v *view) followFrom(ctx context.Context, mark uint64) (uint64, error) {
	next := v.recent.take(mark, textBatch)
	if len(next.List) == 0 {
		var err error
		if next, err = v.db.Pending(mark, textBatch); err != nil || next.Last == mark {
			return mark, err
		}
	}

	ops := text.Each(next.List, func(c database.Change) segments.Op { return segments.Op(c) })
	if err := v.text.Apply(ctx, ops, next.Last); err != nil {
		return mark, fmt.Errorf("indexing %d records in %s: %w", len(ops), v.textPath(), err)
	}
	return next.Last, nil
}

// rebuildText rebuilds the full text from the records, beside the old one, and replaces that when it is complete. On
// return the view has its text open for writing.
func (v *view) rebuildText(ctx context.Context) error {
	if v.text != nil {
		_ = v.text.Close() // it is about to be thrown away
		v.text = nil
	}

	temporary := v.textPath() + files.Suffix
	if err := os.RemoveAll(temporary); err != nil {
		return fmt.Errorf("removing an unfinished full text: %w", err)
	}

	if err := v.fillText(ctx, temporary); err != nil {
		return fmt.Errorf("building the full text %s again: %w", v.textPath(), err)
	}

	if err := os.RemoveAll(v.textPath()); err != nil {
		return fmt.Errorf("removing the old full text: %w", err)
	}

	if err := files.Rename(temporary, v.textPath()); err != nil {
		return fmt.Errorf("putting the new full text in place: %w", err)
	}

	text, err := openText(v.textPath(), v.texts, writerWait)
	if err != nil {
		return fmt.Errorf("opening the new full text %s: %w", v.textPath(), err)
	}
	v.text = text
	return nil
}

// fillText creates a full text of all records in path. It sets the mark last.
func (v *view) fillText(ctx context.Context, path string) (err error) {
	progress, err := v.db.Progress()
	if err != nil {
		return err
	}

	text, err := createText(path, v.texts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	return v.fill(ctx, text, progress.Sequence)
}

// fill applies all records to an empty full text, and then sets its mark.
func (v *view) fill(ctx context.Context, text textIndex, mark uint64) error {
	var ops []segments.Op

	bytes := 0
	for record, err := range v.db.Records(ctx) {
		if err != nil {
			return err
		}
		ops = append(ops, segments.Op{ID: record.ID, Record: &record})

		bytes += record.TextBytes()
		if len(ops) == textBatch || bytes >= evidence.TextsAtOnce {
			if err := text.Apply(ctx, ops, 0); err != nil {
				return err
			}
			ops, bytes = nil, 0
		}
	}
	return text.Apply(ctx, ops, mark)
}
