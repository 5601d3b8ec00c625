package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
	"dossier/internal/text"
)

// The full text's content is compared with the records word for word by Verify, a rollback and an import, and in part
// by every night: sums only prove that it is what was written. If a segment of a copy is damaged, or differs from the
// records, only that segment is rebuilt, from the records that no other segment has.

// warner logs what a repair does.
type warner interface {
	Warn(msg string, about ...any)
}

// proveText compares the full text with all records, except what proofs has compared already, and returns the
// differences. A text of an older format follows other rules and is not compared: then old is true.
func (v *view) proveText(ctx context.Context, proofs *segments.Proofs) (wrong []segments.Mismatch, old bool, err error) {
	local, ok := v.text.(guardedText)
	if !ok {
		return nil, false, nil // a cluster has its own format
	}
	err = local.withState(func(state *segments.State) error {
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

// A night compares at least minSampled documents, and one in sampledPart of all, so that a year covers every document.
const (
	minSampled  = 50
	sampledPart = 365
)

// sampleText compares some documents of the full text with their records, different ones each night, and returns the
// name of one that is indexed wrongly.
func (v *view) sampleText() (wrong string, err error) {
	local, ok := v.text.(guardedText)
	if !ok {
		return "", nil
	}
	err = local.withState(func(state *segments.State) error {
		documents := state.Live()/sampledPart + minSampled
		wrong, err = state.CheckSome(uint64(v.about.Number)*documents, documents, v.db.Record)
		return err
	})
	return wrong, err
}

// withState runs use on the full text's present state.
func (g guardedText) withState(use func(*segments.State) error) error {
	return files.Guard(g.path, files.RemedyRebuildText, func() error { return g.index.Look(use) })
}

// isDamaged reports whether an error is damage of the full text's content, which can be rebuilt, and not a system
// error.
func isDamaged(err error) bool {
	return !files.IsFault(err) && (files.IsDamage(err) || zapfile.Unreadable(err))
}

// repairText rebuilds the segments of a copy's full text that are missing, damaged or differ from the records, or all
// of it if these are not known. It tries once, and returns what fails then.
func (v *view) repairText(ctx context.Context, reason string, log warner) error {
	spoilt, err := v.damagedSegments(ctx)
	if ctx.Err() != nil || files.IsFault(err) {
		return cmp.Or(err, ctx.Err())
	}

	if err != nil || len(spoilt) == 0 {
		log.Warn("building the full text again", "folder", v.path, "reason", reason)
		return v.rebuildText(ctx)
	}
	return v.replaceSegments(ctx, spoilt, reason, log)
}

// damagedSegments names the segments of a copy's full text to rebuild, or none if more is damaged. It reads the files
// on disk, because a failed write closes the text.
func (v *view) damagedSegments(ctx context.Context) (names []string, err error) {
	if v.text != nil {
		_ = v.text.Close() // no more writes follow
		v.text = nil
	}

	opened, err := openText(v.textPath(), nil, writerWait)
	if err != nil {
		names, unopened := guardValue(v.textPath(), func() ([]string, error) {
			return segments.DamagedSegments(v.textPath(), writerWait)
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

// replaceSegments rebuilds segments of a copy's full text, from the records that are in no other segment; their files
// may be missing.
func (v *view) replaceSegments(ctx context.Context, spoilt []string, reason string, log warner) error {
	log.Warn("making a part of the full text again", "folder", v.path, "segments", strings.Join(spoilt, " "), "reason", reason)

	if v.text != nil {
		_ = v.text.Close() // the next open leaves out the damaged segments
		v.text = nil
	}

	opened, err := guardValue(v.textPath(), func() (textIndex, error) {
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

	if err == nil || ctx.Err() != nil || files.IsFault(err) {
		return err
	}
	log.Warn("building the full text again", "folder", v.path, "reason", err.Error())
	return v.rebuildText(ctx)
}

// progressStep is how many records are indexed, which takes some seconds, between two reports of progress.
const progressStep = 10_000

// fillGaps indexes the records that the full text lacks, though its mark is past their changes.
func (v *view) fillGaps(ctx context.Context, log warner) error {
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
	done, reported := 0, 0
	log.Warn("indexing what is missing", "records", missing)
	fill := func(records []evidence.Record) error {
		ops, err := v.missingOps(records)
		if err != nil || len(ops) == 0 {
			return err
		}

		if err := v.text.Apply(ctx, ops, mark); err != nil {
			return err
		}

		if done += len(ops); done-reported >= max(missing/10, progressStep) {
			reported = done
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

// missingOps returns the changes that add those of some records that the full text lacks.
func (v *view) missingOps(records []evidence.Record) (ops []segments.Op, err error) {
	local, ok := v.text.(guardedText)
	if !ok {
		return nil, errors.New("it is on a cluster, which keeps its own copies")
	}
	err = local.withState(func(state *segments.State) error {
		for i := range records {
			if !state.Has(records[i].ID) {
				ops = append(ops, segments.Op{ID: records[i].ID, Record: &records[i]})
			}
		}
		return nil
	})
	return ops, err
}

// damagedFile is a file of a full text that differs from what was published.
type damagedFile struct {
	path string // in the generation
	err  error
}

// onlySegments returns the names of the damaged segments if nothing else of a full text is damaged; publishing
// rewrites its sums.
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

// damageSummary describes the first damage, and how many more there are.
func damageSummary(damaged []damagedFile) string {
	if len(damaged) == 1 {
		return damaged[0].err.Error()
	}
	return fmt.Sprintf("%v (and %s)", damaged[0].err, text.Plural(len(damaged)-1, "file"))
}
