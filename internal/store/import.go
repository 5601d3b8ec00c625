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

	"dossier/internal/durable"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// Incoming is a bundle that is to be imported.
type Incoming struct {
	Name    string // what messages call it
	Content io.Reader
	MaxSize int64 // how much may come out of it, in bytes
	Replace bool  // a part of a generation may take the place of topics and records that it has not
	// a generation may take the place of a newer one, and of all that was retracted since
	AllowOlder bool
	// Confirm is asked once all of Content was read, and before anything is published; nil asks nothing.
	Confirm func() error
}

// Imported is what Import did.
type Imported struct {
	Generation            // what it published
	From       Generation // what the bundle says that it is
	Before     Generation // the current one before; Number is 0 where there was none that can be read
	Line       Line       // how the one stands to the other
}

// Import takes a bundle in as a new generation, makes it the current one, and prunes old ones. The bundle is unpacked
// into building/, every file compared with its sum, and all of it checked as before a rollback; only then is it
// published, in one step. Where anything fails or ends it before that, the store is as it was; a *BundleError says
// what is wrong with the bundle, a *LockedError that another process writes.
//
// The generations that are there stay, as many as are kept. A generation becomes what it was where it was exported,
// byte for byte, where its number is free here and the current one has no judgements that it lacks. Else it gets the
// next number, and these judgements, which were paid for. What changed since an older generation needs that one here,
// and becomes the newer byte for byte or is refused.
func (f Folder) Import(ctx context.Context, in Incoming, options BeginOptions) (Imported, error) {
	b, err := openBundle(ctx, in)
	if err != nil {
		return Imported{}, err
	}
	defer b.unpacked.Close()

	if err := b.checkHolds(options.Holds); err != nil {
		return Imported{}, err
	}

	w := newFolders(string(f), options)
	if err := w.layout.create(); err != nil {
		return Imported{}, w.explain(err)
	}

	if w.lock, err = takeLock(ctx, w.layout, w.options); err != nil {
		return Imported{}, err
	}
	imported, err := w.takeIn(ctx, b)
	return imported, errors.Join(w.layout.explainNeed(2*b.manifest.Size(), err), w.Close())
}

// checkHolds refuses records of another kind than the store's.
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

// placeFor gives the generation that a bundle is to become, and what the import tells of the one that was current.
func (w *folders) placeFor(b *bundle) (about Generation, out Imported, err error) {
	if err := errors.Join(w.finishPublishing(), w.sweep()); err != nil {
		return about, out, err
	}

	current, err := w.layout.readCurrent()
	if err != nil && !errors.Is(err, ErrNoStore) {
		return about, out, err
	}

	if about, err = w.nextGeneration(current); err != nil {
		return about, out, err
	}

	if err := b.fits(w.layout, current, about.Number); err != nil {
		return about, out, err
	}

	if before, err := readManifest(w.layout.generation(current)); err == nil {
		out.Before = before.Generation
		out.Line = b.lineFrom(w.layout, &before)
	}

	if err := b.checkNewer(b.manifest.Generation, out.Before); err != nil {
		return about, out, err
	}
	about.Number, about.Built, about.Part = b.numberOr(about.Number), b.manifest.Built, b.manifest.Part
	about.Counter = b.manifest.Counter
	return about, out, nil
}

// takeIn publishes a bundle. Until it is published it is a copy that is not complete, which whoever writes next
// removes.
func (w *folders) takeIn(ctx context.Context, b *bundle) (out Imported, err error) {
	about, out, err := w.placeFor(b)
	if err != nil {
		return out, err
	}

	folder := w.layout.building(about.Number) + cloningSuffix
	if err := os.Mkdir(folder, folderMode); err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.takeBack(folder, about.Number))
		}
	}()
	w.options.step("import: started")

	if err := b.receive(ctx, folder, w.options.step); err != nil {
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

	if _, err := w.Publish(ctx); err != nil { // what was adopted is published: this prunes
		return out, err
	}
	out.Generation, err = w.Generation()
	return out, err
}

// receive unpacks a bundle into folder, and has all of it checked and confirmed.
func (b *bundle) receive(ctx context.Context, folder string, step func(string)) error {
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

// fits finds, before anything is unpacked, why a bundle can't become the next generation of this store: a difference
// whose base is not here, or a part in whose place there is more.
func (b *bundle) fits(l layout, current, next int) (err error) {
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

// mayAdopt reports whether what was unpacked can be published as it is. The error is a *BundleError where a difference
// can't be.
func (w *folders) mayAdopt(ctx context.Context, b *bundle, folder string, number, current int) (bool, error) {
	switch {
	case b.oldText && b.difference != nil:
		return false, b.refuse("its full text is of an older make, and can't be compared with the records",
			"import a whole bundle, whose full text is built again")
	case b.oldText || number != b.manifest.Number:
		return false, nil
	case current == 0, b.difference != nil && b.difference.Base == current: // what is not there was forgotten on purpose
		return true, nil
	}

	unpacked, err := openRecords(folder, b.manifest.Generation, nil, readerWait)
	if err != nil {
		return false, err
	}

	if err := w.goOn(unpacked, false); err != nil {
		return false, err
	}
	missing := false

	err = w.judgementsOnlyIn(ctx, w.layout.generation(current), func([]evidence.Judgement) error {
		missing = true
		return nil
	})
	if err := cmp.Or(err, w.goOn(nil, false)); err != nil {
		return false, err
	}

	if missing && b.difference != nil {
		return false, b.refuse(fmt.Sprintf("generation %d has judgements that it lacks, and that were paid for", current),
			"import a whole bundle, which takes them over")
	}
	return !missing, nil
}

// adopt makes what was unpacked and checked the current generation, byte for byte.
func (w *folders) adopt(folder string, number int) error {
	if err := w.layout.shareTree(folder, filepath.Join(folder, evidenceName)); err != nil {
		return fmt.Errorf("letting others read the generation: %w", err)
	}

	if err := durable.SyncTree(folder); err != nil {
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
	return w.goOn(published, false)
}

// openUnpacked has the writer go on with what was unpacked, and with the judgements of the current generation in it.
func (w *folders) openUnpacked(ctx context.Context, folder string, about Generation, current int) error {
	if err := removeScraps(folder); err != nil { // its manifest and sums, which will be others
		return err
	}

	view, err := openRecords(folder, about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}

	if err := view.openTextToWrite(ctx, w.options.Logger.Warn); err != nil {
		return errors.Join(err, view.close())
	}

	if err := w.goOn(view, true); err != nil || current == 0 {
		return err
	}

	if err := w.takeOverFrom(ctx, w.layout.generation(current)); err != nil {
		return fmt.Errorf("taking over the judgements of generation %d: %w", current, err)
	}
	return nil
}

// takeBack ends an import that failed, wherever it has come to, unless its readers have it already.
func (w *folders) takeBack(folder string, number int) error {
	err := cmp.Or(w.replace(nil), os.RemoveAll(folder))
	w.building = false

	now, readErr := w.layout.readCurrent()
	if now == number || readErr != nil && !errors.Is(readErr, ErrNoStore) || !exists(w.layout.generation(number)) {
		return err // where nobody knows what readers have, the next writer looks
	}
	return cmp.Or(err, w.layout.forgetPublications(), w.layout.removeGeneration(number, w.options.step))
}
