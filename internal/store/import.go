package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/text"
)

// ImportRequest is a bundle to import.
type ImportRequest struct {
	Name    string // its name in messages
	Content io.Reader
	MaxSize int64 // the most that it may unpack to, in bytes
	Replace bool  // a part of a generation may replace topics and records that it lacks
	// an older generation may replace a newer one, which loses later retractions
	AllowOlder bool
	// Confirm is called once all of Content is read and before anything is published; it may be nil.
	Confirm func() error
}

// ImportResult describes what Import did.
type ImportResult struct {
	Generation            // what it published
	From       Generation // the bundle's own description
	Before     Generation // the previous current one; Number is 0 if there was none that can be read
	Lineage    Lineage    // how From relates to Before
}

// Import takes a bundle in as a new generation, makes it the current one, and prunes old ones. It unpacks the bundle
// into building/, compares every file with its sum, and checks all of it as before a rollback; only then does it
// publish, in one step. If anything fails or interrupts it before that, the store is unchanged; a *BundleError
// describes a fault of the bundle, a *LockedError means that another process writes.
//
// Existing generations stay, as many as are kept. A generation is imported byte for byte if its number is free here
// and the current one has no judgements that it lacks. Otherwise it gets the next number and these judgements, which
// were paid for. A difference needs its base here, and is imported byte for byte or refused.
func (f Folder) Import(ctx context.Context, in ImportRequest, options BeginOptions) (ImportResult, error) {
	b, err := openBundle(ctx, in)
	if err != nil {
		return ImportResult{}, err
	}
	defer b.unpacked.Close()

	if err := b.checkHolds(options.Holds); err != nil {
		return ImportResult{}, err
	}

	w := newFolderBackend(string(f), options)
	if err := w.layout.create(); err != nil {
		return ImportResult{}, w.explain(err)
	}

	if w.lock, err = takeLock(ctx, w.layout, w.options); err != nil {
		return ImportResult{}, err
	}
	imported, err := w.importBundle(ctx, b)
	return imported, errors.Join(w.layout.explainFullNeeding(2*b.manifest.Size(), err), w.Close())
}

// checkHolds refuses a bundle whose records are of another kind than the store's.
func (b *bundle) checkHolds(want string) error {
	switch holds := b.manifest.Holds; holds {
	case want:
		return nil
	case "":
		return b.refuse("it holds a store's papers and answers, and no "+want, "import it without --full-text")
	default:
		return b.refuse(fmt.Sprintf("it holds %.50q, and no papers and answers", holds), "import it with --full-text")
	}
}

// planImport describes the generation that a bundle is to become, and compares it with the current one.
func (w *folderBackend) planImport(b *bundle) (about Generation, out ImportResult, err error) {
	if err := errors.Join(w.finishPublishing(), w.removeLeftovers()); err != nil {
		return about, out, err
	}

	current, err := w.layout.readCurrent()
	if err != nil && !errors.Is(err, ErrNoStore) {
		return about, out, err
	}

	if about, err = w.nextGeneration(current); err != nil {
		return about, out, err
	}

	if err := b.checkFits(w.layout, current, about.Number); err != nil {
		return about, out, err
	}

	if before, err := readManifest(w.layout.generation(current)); err == nil {
		out.Before = before.Generation
		out.Lineage = b.lineageFrom(w.layout, &before)
	}

	if err := b.checkNewer(b.manifest.Generation, out.Before); err != nil {
		return about, out, err
	}

	if own := b.manifest.Number; own <= maxKeptNumber {
		about.Number = max(own, about.Number) // its own if that is free, so that both sides call it the same
	}
	about.Built, about.Part, about.Counter = b.manifest.Built, b.manifest.Part, b.manifest.Counter
	return about, out, nil
}

// importBundle publishes a bundle. Until then the files are an incomplete copy, which the next writer removes.
func (w *folderBackend) importBundle(ctx context.Context, b *bundle) (out ImportResult, err error) {
	about, out, err := w.planImport(b)
	if err != nil {
		return out, err
	}

	folder := w.layout.building(about.Number) + cloningSuffix
	if err := os.Mkdir(folder, folderMode); err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.undoImport(folder, about.Number))
		}
	}()
	w.options.step("import: started")

	if err := b.unpackAndCheck(ctx, folder, w.options.step); err != nil {
		return out, err
	}
	out.From = b.manifest.Generation

	asItIs, err := w.mayAdopt(ctx, b, folder, about.Number, about.Parent)
	switch {
	case err != nil:
		return out, err
	case asItIs:
		err = w.adopt(folder, b.manifest.Number)
	default:
		err = w.openUnpacked(ctx, folder, about, about.Parent)
	}

	if err != nil {
		return out, err
	}

	if _, err := w.Publish(ctx); err != nil { // an adopted generation is published already; this prunes
		return out, err
	}
	out.Generation, err = w.Generation()
	return out, err
}

// unpackAndCheck unpacks a bundle into folder, checks all of it, and has it confirmed.
func (b *bundle) unpackAndCheck(ctx context.Context, folder string, step func(string)) error {
	if err := b.unpack(folder); err != nil {
		return err
	}
	step("import: unpacked")

	if _, err := b.manifest.readTextBlocks(folder); err != nil {
		return b.wrongSums(blocksName, err)
	}

	if err := b.check(ctx, folder); err != nil {
		return err
	}

	if err := b.checkSums(ctx, folder); err != nil {
		return err
	}

	if b.Confirm != nil {
		if err := b.Confirm(); err != nil {
			return err
		}
	}
	step("import: checked")
	return nil
}

// checkFits checks, before anything is unpacked, that a bundle can become the next generation of this store: that a
// difference's base is here, and that a part does not replace more than it holds.
func (b *bundle) checkFits(l layout, current, next int) (err error) {
	if b.difference != nil {
		if b.base, err = b.findBase(l); err != nil {
			return err
		}

		if b.manifest.Number < next || b.manifest.Number > maxKeptNumber {
			return b.refuse(fmt.Sprintf("it makes generation %d, and this store has gone on to %d by itself, or has that "+
				"one already", b.manifest.Number, next-1), "see `indexer generations`; `indexer rollback --to` makes one "+
				"that is here current, and a whole bundle can be imported at any time")
		}
	}

	if b.manifest.Part == nil || b.Replace || current == 0 {
		return nil
	}

	now, err := readManifest(l.generation(current))
	if err != nil {
		return err
	}
	isOther := func(topic string) bool { return !slices.Contains(b.manifest.Part, topic) }

	isEmpty := now.Counts.Records == 0 && now.Counts.Topics == 0
	if isEmpty || now.Part != nil && !slices.ContainsFunc(now.Part, isOther) {
		return nil
	}
	return b.refuse(fmt.Sprintf("it is the part of a store with %s, and readers here would lose what generation %d has "+
		"beside that (%s, %s)", text.Cut(strings.Join(b.manifest.Part, ", "), 200), current, text.Plural(now.Counts.Topics, "topic"),
		text.Plural(now.Counts.Records, "record")), "import it into a folder of its own with --data, or with --replace "+
		"in the place of all that; `indexer rollback` goes back")
}

// mayAdopt reports whether the unpacked generation can be published unchanged. The error is a *BundleError if a
// difference can't be.
func (w *folderBackend) mayAdopt(ctx context.Context, b *bundle, folder string, number, current int) (bool, error) {
	switch {
	case b.oldText && b.difference != nil:
		return false, b.refuse("its full text is of an older make, and can't be compared with the records",
			"import a whole bundle, whose full text is built again")
	case b.oldText || number != b.manifest.Number:
		return false, nil
	case current == 0, b.difference != nil && b.difference.Base == current: // what it drops was forgotten on purpose
		return true, nil
	}

	unpacked, err := openRecords(folder, b.manifest.Generation, nil, readerWait)
	if err != nil {
		return false, err
	}

	if err := w.switchTo(unpacked, false); err != nil {
		return false, err
	}
	missing := false

	err = w.judgementsOnlyIn(ctx, w.layout.generation(current), func([]evidence.Judgement) error {
		missing = true
		return nil
	})
	if err := cmp.Or(err, w.switchTo(nil, false)); err != nil {
		return false, err
	}

	if missing && b.difference != nil {
		return false, b.refuse(fmt.Sprintf("generation %d has judgements that it lacks, and that were paid for", current),
			"import a whole bundle, which takes them over")
	}
	return !missing, nil
}

// adopt publishes the unpacked and checked generation byte for byte.
func (w *folderBackend) adopt(folder string, number int) error {
	if err := w.layout.shareTree(folder, filepath.Join(folder, evidenceName)); err != nil {
		return fmt.Errorf("letting others read the generation: %w", err)
	}

	if err := files.SyncTree(folder); err != nil {
		return err
	}
	w.options.step("import: synced")

	if err := w.activate(folder, number); err != nil {
		return err
	}

	published, err := openPublished(w.layout, number, writerWait)
	if err != nil {
		return fmt.Errorf("opening what was imported: %w", err)
	}
	return w.switchTo(published, false)
}

// openUnpacked switches the writer to the unpacked generation, and takes over the current generation's judgements.
func (w *folderBackend) openUnpacked(ctx context.Context, folder string, about Generation, current int) error {
	if err := removePublicationFiles(folder); err != nil { // its manifest and sums, which will change
		return err
	}

	view, err := openRecords(folder, about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}

	if err := view.openTextToWrite(ctx, w.options.Logger.Warn); err != nil {
		return errors.Join(err, view.close())
	}

	if err := w.switchTo(view, true); err != nil || current == 0 {
		return err
	}

	if err := w.takeOverFrom(ctx, w.layout.generation(current)); err != nil {
		return fmt.Errorf("taking over the judgements of generation %d: %w", current, err)
	}
	return nil
}

// undoImport removes what a failed import has written, unless readers have the new generation already.
func (w *folderBackend) undoImport(folder string, number int) error {
	err := cmp.Or(w.replace(nil), os.RemoveAll(folder))
	w.building = false

	now, readErr := w.layout.readCurrent()
	if now == number || readErr != nil && !errors.Is(readErr, ErrNoStore) || !exists(w.layout.generation(number)) {
		return err // if the current generation is unknown, the next writer checks it
	}
	return cmp.Or(err, w.layout.removePublishingMarkers(), w.layout.removeGeneration(number, w.options.step))
}
