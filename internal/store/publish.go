package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dossier/internal/damage"
	"dossier/internal/database"
	"dossier/internal/durable"
)

// Publish makes what was committed the current generation, in one step for every reader, prunes old generations, and
// tells its number. With nothing committed since Begin or the last Publish it publishes nothing and tells that of the
// current generation; the first generation of a new store is published even empty. The Writer can go on: the next
// Commit begins the next generation.
//
// Where it fails nothing has changed for readers, and what was committed stays for the next try.
func (w *Writer) Publish(ctx context.Context) (number int, err error) {
	w.writing.Lock()
	defer w.writing.Unlock()

	if w.building {
		_ = w.follower.wait() // what it could not do, prepare does or tells

		w.follower = nil
		if err := w.backend.publish(ctx); err != nil {
			return 0, w.backend.explain(fmt.Errorf("publishing the store %s: %w", w.where, err))
		}
		defer w.options.step("publish: done")
	}

	current, err := w.Generation()
	if err != nil {
		return 0, err
	}

	if err := w.backend.prune(ctx, current.Number); err != nil { // that they stay is no reason to fail
		w.options.Logger.Warn("old generations could not be removed", "reason", err.Error())
	}
	return current.Number, nil
}

func (w *folders) publish(ctx context.Context) error {
	about, wasteful, err := w.prepare(ctx)
	if err != nil {
		return err
	}
	w.options.step("publish: checked")
	// From here on nobody may use the files: questions to the Writer wait until the generation is open again.
	w.mu.Lock()
	defer w.mu.Unlock()

	folder := w.view.path
	if err := w.view.close(); err != nil {
		return errors.Join(err, w.reopenBuilding(folder, about))
	}
	w.options.step("publish: closed")

	if err := w.checkClosed(ctx, folder, about); err != nil {
		return errors.Join(err, w.reopenBuilding(folder, about))
	}

	if err := w.seal(ctx, folder, about, wasteful); err != nil {
		return errors.Join(err, w.reopenBuilding(folder, about))
	}

	if err := w.activate(folder, about.Number); err != nil {
		return errors.Join(err, w.reopenBuilding(folder, about))
	}
	w.building = false

	w.view, err = openPublished(w.layout, about.Number, writerWait)
	if err != nil {
		return fmt.Errorf("opening what was published: %w", err)
	}
	w.options.Logger.Info("published", "generation", about.Number, "records", about.Counts.Records, "topics",
		about.Counts.Topics)
	return nil
}

// checkClosed looks at what is on disk as its readers will: what the text could not write, or a power cut took from
// under it, is missing only now that it is closed. Such a text is built again.
func (w *folders) checkClosed(ctx context.Context, folder string, about Generation) error {
	closed, err := openWhole(folder, about, writerWait)
	if err == nil {
		return closed.close()
	}

	if damage.IsFault(err) {
		return err
	}
	w.options.Logger.Warn("building the full text again", "folder", folder, "reason", err.Error())

	again, err := openRecords(folder, about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}

	if err := errors.Join(again.rebuildText(ctx), again.close()); err != nil {
		return err
	}

	if closed, err = openWhole(folder, about, writerWait); err != nil {
		return err
	}
	return closed.close()
}

// reopenBuilding goes on with the copy after a publication that failed. Where the folder has moved already, the next
// Begin finishes.
func (w *folders) reopenBuilding(folder string, about Generation) error {
	w.view, w.building = nil, false

	if !exists(folder) {
		return nil
	}

	if err := removeScraps(folder); err != nil { // the sums of a database that may change now
		return err
	}
	about.Built, about.Counts = time.Time{}, database.Counts{}

	view, err := openView(folder, about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}
	w.view, w.building = view, true
	return nil
}

// prepare brings the text up to date, settles the books, and checks what is about to be published. It says whether the
// database would be much smaller if it were written anew.
func (w *folders) prepare(ctx context.Context) (about Generation, wasteful bool, err error) {
	err = w.use(func(v *view) error {
		if err := v.completeText(ctx, w.options.Logger); err != nil {
			return err
		}
		w.options.step("publish: text complete")

		mark, err := v.textMark()
		if err != nil {
			return err
		}

		if err := v.db.Settle(v.about.numbers(), mark); err != nil {
			return err
		}
		w.options.step("publish: settled")

		var before int64
		if parent, err := os.Stat(filepath.Join(w.layout.generation(v.about.Parent), evidenceName)); err == nil {
			before = parent.Size()
		}

		wasteful = v.db.Wasteful(before)
		if err := v.check(ctx); err != nil {
			return err
		}
		about = v.about
		about.Counts, err = v.db.Counts()
		return err
	})
	about.Program, about.Schema, about.Holds = w.options.Owner, database.CurrentSchema, w.options.Holds
	about.Built = w.builtNow(about)
	return about, wasteful, err
}

// builtNow is when a generation was built that is published now. What was imported is as old as it was where it came
// from.
func (w *Writer) builtNow(about Generation) time.Time {
	if about.Built.IsZero() {
		return w.options.Now().UTC().Truncate(time.Second)
	}
	return about.Built
}

// maxSegments is how many segments a published text may have. A search looks into each of them, which costs little. The
// smallest are merged: writing the large ones again would end the sharing of their files with the generations before.
const maxSegments = 8

// completeText brings the full text up to date and merges its segments where they are many; a text that has lost
// something is built again, and a segment that can't be read is made again.
func (v *view) completeText(ctx context.Context, log logged) error {
	err := v.followAndMerge(ctx, log)
	switch {
	case errors.Is(err, errTextLost):
		log.Warn("building the full text again", "folder", v.path, "reason", err.Error())
		err = v.rebuildText(ctx)
	case isDamaged(err):
		err = v.mendText(ctx, err.Error(), log)
	default:
		return err
	}

	if err != nil {
		return err
	}
	return v.followAndMerge(ctx, log)
}

func (v *view) followAndMerge(ctx context.Context, log logged) error {
	err := v.catchUp(ctx)
	if err == nil {
		err = v.checkText()
	}

	if err != nil {
		return err
	}
	return v.mergeText(ctx, log)
}

// mergeText merges the text's segments, unless that would take the room that the publication needs: a search looks into
// more of them until a later night finds some.
func (v *view) mergeText(ctx context.Context, log logged) error {
	if local, is := v.text.(guardedText); is {
		bytes, err := local.mergeBytes(maxSegments)
		if err != nil {
			return fmt.Errorf("looking for segments to merge: %w", err)
		}

		if free, is := scarce(v.path, bytes); is {
			log.Warn("the full text's segments are not merged: there is too little room", "needs", bytes+publicationRoom,
				"free", free)
			return nil
		}
	}

	if err := v.text.Merge(ctx, maxSegments); err != nil {
		return fmt.Errorf("merging the full text's segments: %w", err)
	}
	return nil
}

// seal makes the closed copy durable and writes its manifest.
func (w *folders) seal(ctx context.Context, folder string, about Generation, wasteful bool) error {
	if err := removeScraps(folder); err != nil {
		return err
	}

	if wasteful && w.hasRoomToRewrite(folder) {
		if err := database.Compact(filepath.Join(folder, evidenceName), writerWait); err != nil {
			return fmt.Errorf("compacting the records: %w", err)
		}
		w.options.step("publish: compacted")
	}

	if err := database.Trim(filepath.Join(folder, evidenceName), writerWait); err != nil {
		return fmt.Errorf("cutting what was reserved for the records: %w", err)
	}

	if err := w.layout.shareTree(folder, filepath.Join(folder, evidenceName)); err != nil {
		return fmt.Errorf("letting others read the generation: %w", err)
	}

	if err := durable.SyncTree(folder); err != nil {
		return err
	}
	w.options.step("publish: synced")

	if err := w.layout.succeed(&about); err != nil {
		return fmt.Errorf("counting the generation: %w", err)
	}
	manifest := Manifest{Format: manifestFormat, Generation: about}
	var blocks blockSums

	var err error
	if manifest.Files, blocks, err = w.describeFiles(ctx, folder, about); err != nil {
		return fmt.Errorf("listing the generation's files: %w", err)
	}

	if err := manifest.writeBlocks(ctx, folder, blocks); err != nil {
		return fmt.Errorf("writing the sums of the full text's blocks: %w", err)
	}

	if err := manifest.writeStructure(ctx, folder, w.layout.generation(about.Parent)); err != nil {
		return fmt.Errorf("writing the sums of the database's structure: %w", err)
	}

	content, err := manifest.seal()
	if err != nil {
		return err
	}

	if err := durable.Write(filepath.Join(folder, manifestName), content); err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	w.options.step("publish: manifest written")
	return w.layout.shareTree(folder, filepath.Join(folder, evidenceName))
}

// hasRoomToRewrite reports whether the records in folder can be written anew and leave the publication its room.
func (w *folders) hasRoomToRewrite(folder string) bool {
	var bytes int64
	for _, name := range []string{evidenceName, changesName} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			bytes += info.Size()
		}
	}

	free, is := scarce(folder, bytes)
	if is {
		w.options.Logger.Warn("the records are not written anew: there is too little room", "needs", bytes+publicationRoom,
			"free", free)
	}
	return !is
}

func (w *folders) describeFiles(ctx context.Context, folder string, about Generation) ([]ManifestFile, blockSums,
	error) {
	parentFolder := w.layout.generation(about.Parent)

	parent, err := readManifest(parentFolder)
	if err != nil { // no parent, or one that tells nothing: every file is read
		return listFiles(ctx, folder, nil, "")
	}
	return listFiles(ctx, folder, &parent, parentFolder)
}

// activate moves a sealed copy among the generations and makes it the current one. The marker lets the next Begin
// finish what a crash interrupts between the two.
func (w *folders) activate(folder string, number int) error {
	marker := w.layout.publishing(number)
	if err := durable.Write(marker, nil); err != nil {
		return fmt.Errorf("marking the publication: %w", err)
	}
	w.options.step("publish: marked")

	if err := durable.Rename(folder, w.layout.generation(number)); err != nil {
		return fmt.Errorf("moving the generation: %w", err)
	}
	w.options.step("publish: moved")

	if err := w.layout.writeCurrent(number); err != nil {
		return err
	}
	w.options.step("publish: current")

	if err := os.Remove(w.layout.rollback()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the mark of a rollback: %w", err)
	}

	if err := os.Remove(marker); err != nil {
		return fmt.Errorf("removing the publication's mark: %w", err)
	}
	return durable.Sync(w.layout.buildings())
}

// writeCurrent points readers at a generation.
func (l layout) writeCurrent(number int) error {
	if err := durable.Write(l.current(), []byte(folderName(number)+"\n")); err != nil {
		return fmt.Errorf("making generation %d the current one: %w", number, err)
	}
	return nil
}
