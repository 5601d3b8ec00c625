package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext/segments"
)

// writerWait bounds the wait for a file lock inside building/, which no other process should hold.
const writerWait = 10 * time.Second

// recoverAndOpen puts the store in order after a crash, and opens the generation that the writer continues: the copy
// under way, else the current generation, else a new empty one.
func (w *folderBackend) recoverAndOpen(ctx context.Context) error {
	if err := w.finishPublishing(); err != nil {
		return err
	}

	if err := w.removeLeftovers(); err != nil {
		return err
	}

	current, err := w.layout.readCurrent()
	if err != nil && !errors.Is(err, ErrNoStore) {
		return err
	}

	if newer := w.layout.newer(current); newer.Number != 0 && !newer.Chosen {
		finding := newer.finding(w.layout, current)
		w.options.Logger.Warn("this goes on from what readers have", "reason", finding.Problem, "remedy", finding.Remedy)
	}

	abandoned, err := w.openUnpublished(ctx, current)
	if err != nil {
		return err
	}

	if !w.building {
		if err := w.openCurrentOrFirst(ctx, current); err != nil {
			return err
		}
	}

	if err := w.takeOverJudgements(ctx, current, abandoned); err != nil {
		return err
	}
	w.pruneAsides(abandoned)
	return nil
}

// openCurrentOrFirst opens the current generation, or begins the first.
func (w *folderBackend) openCurrentOrFirst(ctx context.Context, current int) error {
	if current == 0 {
		return w.beginFirst(ctx)
	}

	view, err := openPublished(w.layout, current, writerWait)
	if err != nil {
		return err
	}
	return w.switchTo(view, false)
}

// finishPublishing completes a publication that a crash interrupted between renaming the folder and writing CURRENT.
// The marker distinguishes it from a generation that a rollback left.
func (w *folderBackend) finishPublishing() error {
	markers, err := withSuffix(w.layout.buildings(), publishingSuffix)
	if err != nil {
		return err
	}

	for _, marker := range markers {
		number, ok := parseFolderName(strings.TrimSuffix(filepath.Base(marker), publishingSuffix))
		if !ok {
			continue
		}

		if err := w.finishPublication(number); err != nil {
			return fmt.Errorf("finishing the publication of generation %d: %w", number, err)
		}

		if err := os.Remove(marker); err != nil {
			return err
		}
	}

	if len(markers) == 0 {
		return nil
	}
	return files.Sync(w.layout.buildings()) // a mark that a power cut brought back would undo a rollback
}

func (w *folderBackend) finishPublication(number int) error {
	folder := w.layout.generation(number)

	current, err := w.layout.readCurrent()
	if err != nil && !errors.Is(err, ErrNoStore) && !files.IsDamage(err) {
		return err
	}

	if !exists(folder) || current == number {
		return nil
	}

	manifest, err := readManifest(folder)
	if err == nil {
		err = manifest.checkFiles(folder)
	}

	if files.IsFault(err) {
		return err
	}

	if err != nil {
		return w.setAside(folder, brokenSuffix, err.Error())
	}
	w.options.Logger.Info("finishing an interrupted publication", "generation", number)
	return w.layout.writeCurrent(number)
}

// removeLeftovers deletes copies that were never completed and generations whose removal was interrupted.
func (w *folderBackend) removeLeftovers() error {
	copies, err := withSuffix(w.layout.buildings(), cloningSuffix)
	if err != nil {
		return err
	}

	doomed, err := withSuffix(w.layout.generations(), removingSuffix)
	if err != nil {
		return err
	}

	for _, leftover := range append(copies, doomed...) {
		w.discard(leftover)
	}
	return nil
}

// setAside moves an unusable folder to building/, under a name that shows the reason, and logs it. It deletes nothing.
func (w *folderBackend) setAside(folder, suffix, reason string) error {
	target := filepath.Join(w.layout.buildings(), filepath.Base(folder)+suffix)
	for i := 2; exists(target); i++ {
		target = filepath.Join(w.layout.buildings(), fmt.Sprintf("%s-%d%s", filepath.Base(folder), i, suffix))
	}

	if err := files.Rename(folder, target); err != nil {
		return fmt.Errorf("setting %s aside: %w", folder, err)
	}
	w.options.Logger.Warn("set an unpublished generation aside; its judgements are taken over, and it can be deleted",
		"folder", target, "reason", reason)
	return nil
}

// openUnpublished looks through building/. It opens the newest copy of the current generation that has commits,
// removes copies without commits, and sets the others aside. It returns all folders that were set aside, now or
// earlier.
func (w *folderBackend) openUnpublished(ctx context.Context, current int) (abandoned []string, err error) {
	numbers, err := listGenerations(w.layout.buildings())
	if err != nil {
		return nil, err
	}

	for _, number := range slices.Backward(numbers) {
		folder := w.layout.building(number)
		if w.building {
			err = w.setAside(folder, asideSuffix, "a newer copy was taken up")
		} else {
			err = w.openBuilding(ctx, number, current)
		}

		if err != nil {
			return nil, err
		}
	}
	return w.layout.setAsideFolders()
}

// setAsideFolders lists the folders that were set aside, now or earlier, in order of number.
func (l layout) setAsideFolders() ([]string, error) {
	var out []string
	for _, suffix := range []string{asideSuffix, brokenSuffix} {
		found, err := withSuffix(l.buildings(), suffix)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortFunc(out, func(a, b string) int {
		first, _ := leadingNumber(filepath.Base(a))
		second, _ := leadingNumber(filepath.Base(b))
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(a, b))
	})
	return out, nil
}

// openBuilding opens a copy that an earlier run left, sets it aside, or removes it if it holds no commits of its own.
func (w *folderBackend) openBuilding(ctx context.Context, number, current int) error {
	folder := w.layout.building(number)
	about := Generation{Number: number, Parent: current, Schema: database.CurrentSchema}
	view, err := w.openUnpublishedRecords(folder, about)

	var schema *database.SchemaError
	if errors.As(err, &schema) || files.IsFault(err) {
		return err
	}

	if err != nil {
		return w.setAside(folder, brokenSuffix, err.Error())
	}

	numbers, err := view.db.Numbers()
	if err == nil && numbers.Number == number {
		err = cmp.Or(view.db.CheckPages(ctx), view.db.CheckBase(ctx))
	}

	switch {
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), view.close())
	case files.IsFault(err):
		return errors.Join(err, view.close())
	case err != nil:
		return errors.Join(view.close(), w.setAside(folder, brokenSuffix, err.Error()))
	case numbers.Number != number:
		return errors.Join(view.close(), os.RemoveAll(folder))
	case numbers.Parent != current:
		reason := fmt.Sprintf("it was built upon generation %d, and %d is current", numbers.Parent, current)
		return errors.Join(view.close(), w.setAside(folder, asideSuffix, reason))
	}
	return w.resumeCopy(ctx, view)
}

// openUnpublishedRecords opens the records of a copy whose structure has no sums yet.
func (w *folderBackend) openUnpublishedRecords(folder string, about Generation) (*view, error) {
	records := filepath.Join(folder, evidenceName)
	if err := database.CheckTree(records); err != nil {
		return nil, err
	}
	// A published database is never written to, even if the file of changes beside it is gone.
	if !exists(filepath.Join(folder, changesName)) && w.layout.isPublished(records) {
		return nil, &files.DamageError{Path: filepath.Join(folder, changesName), Reason: "it is missing",
			Remedy: files.RemedyRollback}
	}
	return openRecords(folder, about, w.options.Texts, writerWait)
}

// isPublished reports whether a database is the same file as a published generation's.
func (l layout) isPublished(records string) bool {
	numbers, err := listGenerations(l.generations())
	if err != nil {
		return true // in doubt, no database is opened for writing
	}
	return slices.ContainsFunc(numbers, func(number int) bool {
		return sameFile(records, filepath.Join(l.generation(number), evidenceName))
	})
}

// resumeCopy continues with an undamaged copy: it opens the copy's text and brings it up to date, or rebuilds it.
func (w *folderBackend) resumeCopy(ctx context.Context, view *view) error {
	w.options.Logger.Info("taking up what an earlier run left", "generation", view.about.Number)

	if err := removePublicationFiles(view.path); err != nil {
		return errors.Join(err, view.close())
	}

	if err := view.recoverText(ctx, w.options.Logger); err != nil {
		return errors.Join(err, view.close())
	}
	return w.switchTo(view, true)
}

// removePublicationFiles removes from a copy what an interrupted publication left: a manifest, sums, and half-written
// files.
func removePublicationFiles(folder string) error {
	entries, err := readFolder(folder)
	if err != nil {
		return err
	}

	for _, entry := range entries {
		if slices.Contains([]string{evidenceName, changesName, textName}, entry.Name()) {
			continue
		}

		if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
			return fmt.Errorf("removing a leftover: %w", err)
		}
	}
	return nil
}

// recoverText opens the text of a copy that a crash left and brings it up to date; it repairs or rebuilds damaged
// parts.
func (v *view) recoverText(ctx context.Context, log warner) error {
	text, err := openText(v.textPath(), v.texts, writerWait)
	if err == nil {
		v.text = text
		if err = v.catchUp(ctx); err == nil {
			err = v.checkText()
		}
	}

	if err == nil || ctx.Err() != nil || files.IsFault(err) {
		return errors.Join(err, ctx.Err())
	}

	if errors.Is(err, errTextLost) || errors.Is(err, segments.ErrOlder) {
		log.Warn("building the full text again", "folder", v.path, "reason", err.Error())
		return v.rebuildText(ctx)
	}
	return v.repairText(ctx, err.Error(), log)
}

// judgementBatch is how many judgements one transaction takes over.
const judgementBatch = 256

// takeOverJudgements commits the judgements that are only in abandoned copies, or in generations that a rollback left.
func (w *folderBackend) takeOverJudgements(ctx context.Context, current int, abandoned []string) error {
	numbers, err := listGenerations(w.layout.generations())
	if err != nil {
		return err
	}

	for _, number := range numbers {
		if number > current {
			abandoned = append(abandoned, w.layout.generation(number))
		}
	}

	for _, folder := range abandoned {
		if err := w.takeOverFrom(ctx, folder); err != nil {
			return fmt.Errorf("taking over the judgements in %s: %w; where they are lost, move the folder away", folder, err)
		}
	}
	return nil
}

func (w *folderBackend) takeOverFrom(ctx context.Context, folder string) error {
	return w.judgementsOnlyIn(ctx, folder, func(missing []evidence.Judgement) error {
		return w.Commit(ctx, evidence.Batch{Judgements: missing})
	})
}

// judgementsOnlyIn passes the judgements in folder that the writer lacks to take, in batches. It logs what can't be
// read of them.
func (w *folderBackend) judgementsOnlyIn(ctx context.Context, folder string,
	take func([]evidence.Judgement) error) error {
	err := checkRecords(folder)
	if err == nil && !exists(filepath.Join(folder, structureName)) {
		err = database.CheckTree(filepath.Join(folder, evidenceName))
	}

	var donor *database.DB
	if err == nil {
		donor, err = database.OpenDonor(filepath.Join(folder, evidenceName), writerWait)
	}

	if files.IsFault(err) { // the judgements may be intact, and were paid for
		return err
	}

	if err != nil {
		w.options.Logger.Warn("its judgements can't be read", "folder", folder, "reason", err.Error())
		return nil
	}
	defer donor.Close()
	return w.judgementsMissing(ctx, donor, folder, take)
}

// judgementsMissing passes the judgements in donor that the writer lacks to take, in batches.
func (w *Writer) judgementsMissing(ctx context.Context, donor *database.DB, where string,
	take func([]evidence.Judgement) error) error {
	var missing []evidence.Judgement
	for judgement, err := range donor.Judgements(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}

		if files.IsFault(err) {
			return err
		}

		if err != nil {
			w.options.Logger.Warn("some of its judgements can't be read", "folder", where, "reason", err.Error())
			break
		}

		if _, known, err := w.Judgement(judgement.Key); err != nil {
			return err
		} else if known {
			continue
		}

		if missing = append(missing, judgement); len(missing) == judgementBatch {
			if err := take(missing); err != nil {
				return err
			}
			missing = nil
		}
	}

	if len(missing) == 0 {
		return nil
	}
	return take(missing)
}
