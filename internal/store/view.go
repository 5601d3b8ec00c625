package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/fulltext/segments"
)

// view is one open generation: published and read-only, or being built.
type view struct {
	path  string
	texts Texts // how the text is written; nil if read-only
	db    *database.DB
	text  textIndex // nil if only the records are open
	about Generation
	// for a view open for writing: changes that text need not read from db
	recent recentCommits
}

// openView opens both halves of the generation in path: for writing, with texts, or if that is nil for reading. It
// waits at most wait for either's file lock.
func openView(path string, about Generation, texts Texts, wait time.Duration) (*view, error) {
	v, err := openRecords(path, about, texts, wait)
	if err != nil {
		return nil, err
	}

	if err := v.openText(wait); err != nil {
		return nil, errors.Join(err, v.close())
	}
	return v, nil
}

// openRecords opens only the database.
func openRecords(path string, about Generation, texts Texts, wait time.Duration) (*view, error) {
	db, err := database.Open(filepath.Join(path, evidenceName), texts == nil, wait)
	if err != nil {
		return nil, err
	}
	return &view{path: path, texts: texts, db: db, about: about}, nil
}

func (v *view) openText(wait time.Duration) (err error) {
	if v.text, err = openText(v.textPath(), v.texts, wait); err == nil || errors.Is(err, segments.ErrOlder) {
		return err
	}
	unopened := files.DamageError{Path: v.textPath(), Reason: "the full text can't be opened",
		Remedy: files.RemedyRebuildText}
	return files.UnlessFault(err, unopened)
}

// openTextToWrite opens the full text for writing, and rebuilds it if an older program made it.
func (v *view) openTextToWrite(ctx context.Context, warn func(string, ...any)) error {
	err := v.openText(writerWait)
	if !errors.Is(err, segments.ErrOlder) {
		return err
	}
	warn("building the full text again", "folder", v.path, "reason", err.Error())
	return v.rebuildText(ctx)
}

// createView creates an empty generation in path, which exists.
func createView(path string, about Generation, texts Texts) (*view, error) {
	db, err := database.Create(filepath.Join(path, evidenceName))
	if err != nil {
		return nil, err
	}

	v := &view{path: path, texts: texts, db: db, about: about}
	if v.text, err = createText(v.textPath(), texts); err != nil {
		return nil, errors.Join(fmt.Errorf("making the full text %s: %w", v.textPath(), err), v.close())
	}
	return v, nil
}

// textPath is the full text's location, as messages name it: a folder, or an index on a cluster.
func (v *view) textPath() string {
	if !v.db.IsFile() {
		return v.path
	}
	return filepath.Join(v.path, textName)
}

// close closes both halves; a half that is closed already is skipped.
func (v *view) close() error {
	var textErr error
	if v.text != nil {
		textErr = v.text.Close()
		v.text = nil
	}

	if err := errors.Join(textErr, v.db.Close()); err != nil {
		return fmt.Errorf("closing %s: %w", v.path, err)
	}
	return nil
}

// check is the check before a generation is published: bbolt's own, equally many records in the full text and in the
// database, and a readable sample of records.
func (v *view) check(ctx context.Context) error {
	if err := v.db.CheckPages(ctx); err != nil {
		return err
	}

	if err := v.checkText(); err != nil {
		return &files.DamageError{Path: v.textPath(), Reason: "it does not agree with the records",
			Remedy: files.RemedyRebuildText, Err: err}
	}
	return v.db.CheckSample(ctx)
}

// checkText compares the full text with the records: their number, and the last change.
func (v *view) checkText() error {
	inText, err := v.text.Count()
	if err != nil {
		return fmt.Errorf("counting the full text's records: %w", err)
	}

	mark, err := v.textMark()
	if err != nil {
		return err
	}

	counts, err := v.db.Counts()
	if err != nil {
		return err
	}

	if uint64(counts.Records) != inText {
		return fmt.Errorf("%w: it has %d of %d records", errTextLost, inText, counts.Records)
	}

	progress, err := v.db.Progress()
	if err == nil && mark != progress.Sequence {
		err = fmt.Errorf("%w: it has come to change %d of %d", errTextLost, mark, progress.Sequence)
	}
	return err
}

// textMark returns the last change that the full text has taken.
func (v *view) textMark() (uint64, error) {
	mark, err := v.text.Mark()
	if err != nil {
		return 0, fmt.Errorf("reading how far the full text %s has come: %w", v.textPath(), err)
	}
	return mark, nil
}
