package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"dossier/internal/damage"
	"dossier/internal/evidence"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
	"dossier/internal/text"
)

// What a full text says is compared with the records word for word by Verify, a rollback and an import, and by every
// night in part: sums prove only that it is what was written. Where a segment of a copy is damaged, or says something
// else, that one alone is made again, of the records that no other segment has.

// logged is where a Writer tells of what it does on the way.
type logged interface {
	Warn(msg string, about ...any)
}

// proveText compares the full text with all records, as far as proofs does not know what came of it, and gives what is
// wrong. A text of an older make was made by other rules, and is not compared: old says so.
func (v *view) proveText(ctx context.Context, proofs *segments.Proofs) (wrong []segments.Wrong, old bool, err error) {
	local, is := v.text.(guardedText)
	if !is {
		return nil, false, nil // on a cluster, which keeps it in its own way
	}
	err = local.look(func(state *segments.State) error {
		if old = !state.Packed(); old {
			return nil
		}
		wrong, err = proofs.Prove(ctx, state, func(known func(string, uint64) bool) iter.Seq2[evidence.Record, error] {
			return v.db.RecordsBut(ctx, proofs.Seed, known)
		})
		return err
	})
	return wrong, old, err
}

// A night looks at so many documents at least, and at so large a part of all: in a year at each.
const (
	lookedAt   = 50
	lookedPart = 365
)

// lookIntoText compares a few documents of the full text with their records, other ones each night, and gives the name
// of one that is not indexed as it says.
func (v *view) lookIntoText() (wrong string, err error) {
	local, is := v.text.(guardedText)
	if !is {
		return "", nil
	}
	err = local.look(func(state *segments.State) error {
		documents := state.Live()/lookedPart + lookedAt
		wrong, err = state.Look(uint64(v.about.Number)*documents, documents, v.db.Record)
		return err
	})
	return wrong, err
}

// look lets use look at the full text as it is now.
func (g guardedText) look(use func(*segments.State) error) error {
	return damage.Guard(g.path, damage.RebuildText, func() error { return g.index.Look(use) })
}

// isDamaged reports whether an error is of the full text's content, which can be made again, and not of the system's.
func isDamaged(err error) bool {
	return !damage.IsFault(err) && (damage.Is(err) || zapfile.Unreadable(err))
}

// mendText makes those segments of a copy's full text again that are missing, damaged or say something else than the
// records, or all of it where these are not known. It is tried once: what fails then is told.
func (v *view) mendText(ctx context.Context, reason string, log logged) error {
	spoilt, err := v.spoiltSegments(ctx)
	if ctx.Err() != nil || damage.IsFault(err) {
		return cmp.Or(err, ctx.Err())
	}

	if err != nil || len(spoilt) == 0 {
		log.Warn("building the full text again", "folder", v.path, "reason", reason)
		return v.rebuildText(ctx)
	}
	return v.replaceSegments(ctx, spoilt, reason, log)
}

// spoiltSegments names the segments of a copy's full text that are to be made again; none where there is more wrong.
// What is on disk counts: who wrote to the text and failed at it has closed it.
func (v *view) spoiltSegments(ctx context.Context) (names []string, err error) {
	if v.text != nil {
		_ = v.text.Close() // nothing more is written to it
		v.text = nil
	}

	opened, err := openText(v.textPath(), nil, writerWait)
	if err != nil {
		names, unopened := guarded(v.textPath(), func() ([]string, error) {
			return segments.Unopened(v.textPath(), writerWait)
		})
		if len(names) == 0 {
			return nil, cmp.Or(unopened, err)
		}
		return names, unopened
	}
	v.text = opened

	wrong, _, err := v.proveText(ctx, segments.NewProofs())
	for _, w := range wrong {
		if w.Segment == "" {
			return nil, err
		}
		names = append(names, w.Segment)
	}
	return names, err
}

// replaceSegments makes segments of a copy's full text again, of the records that are in no other; their files may be
// missing.
func (v *view) replaceSegments(ctx context.Context, spoilt []string, reason string, log logged) error {
	log.Warn("making a part of the full text again", "folder", v.path, "segments", strings.Join(spoilt, " "), "reason", reason)

	if v.text != nil {
		_ = v.text.Close() // what it could not read is left out
		v.text = nil
	}

	opened, err := guarded(v.textPath(), func() (textIndex, error) {
		writer, err := v.texts.Open(v.textPath(), writerWait, spoilt...)
		if err != nil {
			return nil, err
		}
		return newText(writer, v.textPath()), nil
	})
	if err == nil {
		v.text = opened

		err = v.fillGaps(ctx, log)
		if err == nil {
			err = v.catchUp(ctx)
		}

		if err == nil {
			err = v.checkText()
		}
	}

	if err == nil || ctx.Err() != nil || damage.IsFault(err) {
		return err
	}
	log.Warn("building the full text again", "folder", v.path, "reason", err.Error())
	return v.rebuildText(ctx)
}

// toldAtOnce is how many records are indexed, some seconds, before it is told how far it has come.
const toldAtOnce = 10_000

// fillGaps indexes the records that the full text has not, though it has come to their changes.
func (v *view) fillGaps(ctx context.Context, log logged) error {
	mark, err := v.textMark()
	if err != nil {
		return err
	}

	counts, err := v.db.Counts()
	if err != nil {
		return err
	}

	before, err := v.text.Count()
	if err != nil {
		return err
	}
	missing := max(counts.Records-int(before), 0)
	done, told := 0, 0
	log.Warn("indexing what is missing", "records", missing)
	fill := func(records []evidence.Record) error {
		ops, err := v.lacking(records)
		if err != nil || len(ops) == 0 {
			return err
		}

		if err := v.text.Apply(ctx, ops, mark); err != nil {
			return err
		}

		if done += len(ops); done-told >= max(missing/10, toldAtOnce) {
			told = done
			log.Warn("indexing what is missing", "done", done, "records", missing)
		}
		return nil
	}

	var some []evidence.Record
	for record, err := range v.db.Records(ctx) {
		if err != nil {
			return err
		}

		if some = append(some, record); len(some) == textBatch {
			if err := fill(some); err != nil {
				return err
			}
			some = nil
		}
	}
	return fill(some)
}

// lacking gives the changes that put those of some records into the full text that it has not.
func (v *view) lacking(records []evidence.Record) (ops []segments.Op, err error) {
	local, is := v.text.(guardedText)
	if !is {
		return nil, errors.New("it is on a cluster, which keeps its own copies")
	}
	err = local.look(func(state *segments.State) error {
		for i := range records {
			if !state.Has(records[i].ID) {
				ops = append(ops, segments.Op{ID: records[i].ID, Record: &records[i]})
			}
		}
		return nil
	})
	return ops, err
}

// damagedFile is a file of a full text that is not as it was published.
type damagedFile struct {
	path string // in the generation
	err  error
}

// onlySegments gives the names of the segments where nothing else of a full text is damaged; its sums are made again by
// whoever publishes it.
func onlySegments(damaged []damagedFile) (names []string, only bool) {
	for _, file := range damaged {
		switch {
		case file.path == blocksName:
		case filepath.Ext(file.path) == segmentSuffix:
			names = append(names, filepath.Base(file.path))
		default:
			return nil, false
		}
	}
	return names, true
}

// reasonOf tells the first of some damages, and how many there are.
func reasonOf(damaged []damagedFile) string {
	if len(damaged) == 1 {
		return damaged[0].err.Error()
	}
	return fmt.Sprintf("%v (and %s)", damaged[0].err, text.Plural(len(damaged)-1, "file"))
}
