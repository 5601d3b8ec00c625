package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dossier/internal/database"
	"dossier/internal/files"
)

// Publish makes what was committed the current generation, in one step for every reader, prunes old generations, and
// returns its number. If nothing was committed since Begin or the last Publish it publishes nothing and returns the
// current generation's number; the first generation of a new store is published even if empty. The Writer can
// continue: the next Commit begins the next generation.
//
// If it fails, nothing has changed for readers, and the commits stay for the next try.
func (w *Writer) Publish(ctx context.Context) (number int, err error) {
	w.writing.Lock()
	defer w.writing.Unlock()

	if w.building {
		_ = w.follower.wait() // prepare retries what failed, or reports it

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

	if err := w.backend.prune(ctx, current.Number); err != nil { // keeping them longer is no failure
		w.options.Logger.Warn("old generations could not be removed", "reason", err.Error())
	}
	return current.Number, nil
}

func (w *folderBackend) publish(ctx context.Context) error {
	about, wasteful, err := w.prepare(ctx)
	if err != nil {
		return err
	}
	w.options.step("publish: checked")
	// From here on the files are not used: queries to the Writer wait until the generation is open again.
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

// checkClosed opens the files on disk as readers will: what the text failed to write, or a power cut removed, is
// missing only after it is closed. Such a text is rebuilt.
func (w *folderBackend) checkClosed(ctx context.Context, folder string, about Generation) error {
	closed, err := openWhole(folder, about, writerWait)
	if err == nil {
		return closed.close()
	}

	if files.IsFault(err) {
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

// reopenBuilding continues with the copy after a publication that failed. If the folder was moved already, the next
// Begin finishes the publication.
func (w *folderBackend) reopenBuilding(folder string, about Generation) error {
	w.view, w.building = nil, false

	if !exists(folder) {
		return nil
	}

	if err := removePublicationFiles(folder); err != nil { // the sums of a database that may change now
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

// prepare brings the text up to date, settles the pending changes, and checks what is about to be published. It
// reports whether the database would be much smaller if rewritten.
func (w *folderBackend) prepare(ctx context.Context) (about Generation, wasteful bool, err error) {
	err = w.withView(func(v *view) error {
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

		wasteful = v.db.NeedsRewrite(before)
		if err := v.check(ctx); err != nil {
			return err
		}
		about = v.about
		about.Counts, err = v.db.Counts()
		return err
	})
	about.Program, about.Schema, about.Holds = w.options.Owner, database.CurrentSchema, w.options.Holds
	about.Built = w.buildTime(about)
	return about, wasteful, err
}

// buildTime is the build time of a generation that is published now. An imported one keeps its time.
func (w *Writer) buildTime(about Generation) time.Time {
	if about.Built.IsZero() {
		return w.options.Now().UTC().Truncate(time.Second)
	}
	return about.Built
}

// maxSegments is how many segments a published text may have. A search looks into each of them, which costs little.
// Only the smallest are merged: rewriting the large ones would end the sharing of their files with earlier
// generations.
const maxSegments = 8

// completeText brings the full text up to date and merges its segments if there are too many. It rebuilds a text that
// has lost changes, and repairs segments that can't be read.
func (v *view) completeText(ctx context.Context, log warner) error {
	err := v.followAndMerge(ctx, log)
	switch {
	case errors.Is(err, errTextLost):
		log.Warn("building the full text again", "folder", v.path, "reason", err.Error())
		err = v.rebuildText(ctx)
	case isDamaged(err):
		err = v.repairText(ctx, err.Error(), log)
	default:
		return err
	}

	if err != nil {
		return err
	}
	return v.followAndMerge(ctx, log)
}

func (v *view) followAndMerge(ctx context.Context, log warner) error {
	err := v.catchUp(ctx)
	if err == nil {
		err = v.checkText()
	}

	if err != nil {
		return err
	}
	return v.mergeText(ctx, log)
}

// mergeText merges the text's segments, unless that would take the space that the publication needs: then searches
// look into more segments until a later night has the space.
func (v *view) mergeText(ctx context.Context, log warner) error {
	if local, ok := v.text.(guardedText); ok {
		bytes, err := local.mergeBytes(maxSegments)
		if err != nil {
			return fmt.Errorf("looking for segments to merge: %w", err)
		}

		if free, ok := lacksSpace(v.path, bytes); ok {
			log.Warn("the full text's segments are not merged: there is too little room", "needs", bytes+reservedSpace,
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
func (w *folderBackend) seal(ctx context.Context, folder string, about Generation, wasteful bool) error {
	if err := removePublicationFiles(folder); err != nil {
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

	if err := files.SyncTree(folder); err != nil {
		return err
	}
	w.options.step("publish: synced")

	if err := w.layout.setLineage(&about); err != nil {
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

	if err := files.Write(filepath.Join(folder, manifestName), content); err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	w.options.step("publish: manifest written")
	return w.layout.shareTree(folder, filepath.Join(folder, evidenceName))
}

// hasRoomToRewrite reports whether rewriting the records in folder leaves enough space for the publication.
func (w *folderBackend) hasRoomToRewrite(folder string) bool {
	var bytes int64
	for _, name := range []string{evidenceName, changesName} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			bytes += info.Size()
		}
	}

	free, ok := lacksSpace(folder, bytes)
	if ok {
		w.options.Logger.Warn("the records are not written anew: there is too little room", "needs", bytes+reservedSpace,
			"free", free)
	}
	return !ok
}

func (w *folderBackend) describeFiles(ctx context.Context, folder string, about Generation) ([]ManifestFile, blockSums,
	error) {
	parentFolder := w.layout.generation(about.Parent)

	parent, err := readManifest(parentFolder)
	if err != nil { // no parent, or an unreadable one: every file is read
		return listFiles(ctx, folder, nil, "")
	}
	return listFiles(ctx, folder, &parent, parentFolder)
}

// activate moves a sealed copy to the generations and makes it the current one. The marker lets the next Begin finish
// if a crash comes between the two.
func (w *folderBackend) activate(folder string, number int) error {
	marker := w.layout.publishing(number)
	if err := files.Write(marker, nil); err != nil {
		return fmt.Errorf("marking the publication: %w", err)
	}
	w.options.step("publish: marked")

	if err := files.Rename(folder, w.layout.generation(number)); err != nil {
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
	return files.Sync(w.layout.buildings())
}

// writeCurrent makes readers open a generation.
func (l layout) writeCurrent(number int) error {
	if err := files.Write(l.current(), []byte(folderName(number)+"\n")); err != nil {
		return fmt.Errorf("making generation %d the current one: %w", number, err)
	}
	return nil
}
