package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// startBuilding makes sure that there is a copy to write to: the first Commit after Begin or Publish creates it.
func (w *folderBackend) startBuilding(ctx context.Context) error {
	if w.building {
		return nil
	}

	if err := ctx.Err(); err != nil {
		return err
	}

	current, err := w.Generation()
	if err != nil {
		return err
	}

	next, damaged, err := w.cloneGeneration(ctx, current, true)
	if err != nil {
		return fmt.Errorf("copying generation %d to write the next: %w", current.Number, err)
	}

	if err := w.openCopiedText(ctx, next, damaged); err != nil {
		return errors.Join(fmt.Errorf("opening the copied full text %s: %w", next.textPath(), err), next.close())
	}
	return w.switchTo(next, true)
}

// openCopiedText opens the full text of a copy, in which some files may be damaged, and compares a sample of it with
// the records. It rebuilds what is damaged or wrong.
func (w *folderBackend) openCopiedText(ctx context.Context, copied *view, damaged []damagedFile) error {
	log := w.options.Logger

	names, onlySegments := onlySegments(damaged)
	switch {
	case !onlySegments:
		log.Warn("building the full text again", "generation", copied.about.Parent, "reason", damageSummary(damaged))
		return copied.rebuildText(ctx)
	case len(names) > 0:
		return copied.replaceSegments(ctx, names, damageSummary(damaged), log)
	}

	if err := copied.openTextToWrite(ctx, log.Warn); err != nil {
		return err
	}

	wrong, err := copied.sampleText()
	switch {
	case isDamaged(err):
		return copied.repairText(ctx, err.Error(), log)
	case err == nil && wrong != "":
		return copied.repairText(ctx, fmt.Sprintf("%s is not indexed as its record says", wrong), log)
	}
	return err
}

// cloneGeneration copies a published generation to building/, under the next free number, and opens its records. It
// first compares what it copies with what was published, so that damage is never published again. If the records
// differ, it leaves no copy. It returns the files of the full text that differ, and leaves them out; if these include
// files other than segments, the copy has no text.
func (w *folderBackend) cloneGeneration(ctx context.Context, current Generation, withText bool) (copied *view,
	damaged []damagedFile, err error) {
	from := w.layout.generation(current.Number)

	manifest, err := readManifest(from)
	if err != nil {
		return nil, nil, err
	}

	about, err := w.nextGeneration(current.Number)
	if err != nil {
		return nil, nil, err
	}
	to := w.layout.building(about.Number)

	temporary := to + cloningSuffix
	if err := os.Mkdir(temporary, folderMode); err != nil {
		return nil, nil, err
	}
	w.options.step("clone: started")

	if damaged, err = w.copyInto(ctx, temporary, from, &manifest, withText); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(temporary))
	}
	w.options.step("clone: copied")

	if err := w.layout.shareTree(temporary, filepath.Join(temporary, evidenceName)); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("letting others write to the copy: %w", err), os.RemoveAll(temporary))
	}

	if err := files.Rename(temporary, to); err != nil {
		return nil, nil, err
	}
	w.options.step("clone: renamed")
	copied, err = openRecords(to, about, w.options.Texts, writerWait)
	return copied, damaged, err
}

// copyInto copies the files of a published generation, and makes the copy durable. It copies the records while it
// compares them, since each takes seconds at a million records. Without the text, for a repair, it compares all files
// with their own sums.
func (w *folderBackend) copyInto(ctx context.Context, to, from string, manifest *Manifest, withText bool) (
	damaged []damagedFile, err error) {
	var blocks blockSums
	if withText {
		if blocks, err = manifest.readBlocks(from); files.IsFault(err) {
			return nil, err
		}
	}
	copied := make(chan error, 1)
	copying, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { copied <- w.copyRecordsInto(copying, to, from, manifest) }()

	damaged, err = manifest.compareFiles(ctx, from, blocks, func(path string) bool {
		return path == evidenceName || path == changesName || withText
	})
	if err != nil {
		cancel()
	}

	if err = cmp.Or(err, <-copied); err != nil {
		return nil, err
	}

	if names, onlySegments := onlySegments(damaged); withText && onlySegments {
		if err := fulltext.Clone(filepath.Join(from, textName), filepath.Join(to, textName), names...); err != nil {
			return nil, err
		}
	}
	return damaged, files.SyncTree(to)
}

// copyRecordsInto copies a generation's database. A large one is shared by a link, and gets a file of changes beside
// it.
func (w *folderBackend) copyRecordsInto(ctx context.Context, to, from string, manifest *Manifest) error {
	base := filepath.Join(to, evidenceName)

	hasChanges, size := manifest.file(changesName) != nil, int64(0)
	if file := manifest.file(evidenceName); file != nil {
		size = file.Size
	}

	isShared := fulltext.CanLink && manifest.Schema.Revision >= 1 && (hasChanges || size >= w.options.largeDatabase) &&
		os.Link(filepath.Join(from, evidenceName), base) == nil
	if !isShared {
		if err := copyFile(ctx, filepath.Join(from, evidenceName), base); err != nil {
			return err
		}
	}

	switch {
	case hasChanges:
		return copyFile(ctx, filepath.Join(from, changesName), filepath.Join(to, changesName))
	case isShared:
		if err := manifest.file(evidenceName).check(from); err != nil { // before it is opened: others still compare it
			return err
		}
		return database.StartChanges(base, manifest.Counts, writerWait)
	}
	return nil
}

// nextGeneration takes a number above those of all folders, including ones set aside, and above the current one, whose
// folder may have been removed.
func (w *folderBackend) nextGeneration(parent int) (Generation, error) {
	highest := parent
	if current, err := w.layout.readCurrent(); err == nil {
		highest = max(highest, current)
	}

	for _, dir := range []string{w.layout.generations(), w.layout.buildings()} {
		entries, err := readFolder(dir)
		if err != nil {
			return Generation{}, err
		}

		for _, entry := range entries {
			if number, ok := leadingNumber(entry.Name()); ok {
				highest = max(highest, number)
			}
		}
	}
	return Generation{Number: highest + 1, Parent: parent, Schema: database.CurrentSchema}, nil
}

// leadingNumber reads a generation's number at the start of a folder's name, with any suffix.
func leadingNumber(name string) (int, bool) {
	end := 0
	for end < len(name) && name[end] >= '0' && name[end] <= '9' {
		end++
	}
	return parseFolderName(name[:end])
}

// beginFirst makes the empty first generation of a new store.
func (w *folderBackend) beginFirst(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}

	about, err := w.nextGeneration(0)
	if err != nil {
		return err
	}

	temporary := w.layout.building(about.Number) + cloningSuffix
	if err := os.Mkdir(temporary, folderMode); err != nil {
		return err
	}

	made, err := createView(temporary, about, w.options.Texts)
	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}

	if err := made.close(); err != nil {
		return err
	}
	w.options.step("first: made")

	if err := files.SyncTree(temporary); err != nil {
		return err
	}

	if err := files.Rename(temporary, w.layout.building(about.Number)); err != nil {
		return err
	}
	w.options.step("first: renamed")

	view, err := openView(w.layout.building(about.Number), about, w.options.Texts, writerWait)
	if err != nil {
		return err
	}
	return w.switchTo(view, true)
}

// copyFile makes to a copy of from, sharing its blocks if the file system can.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := files.OpenOwn(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()

	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, fileMode)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()

	if !reflink(out, in) {
		if _, err := io.Copy(out, &contextReader{ctx: ctx, from: in}); err != nil {
			return fmt.Errorf("copying %s to %s: %w", from, to, err)
		}
	}
	return out.Sync()
}

// shareTree gives every file under root the permissions of the file named like, and folders the same plus search
// permission: bleve creates its files for their owner alone, and readers of a store are often other users than its
// writer. If the group may write to the data directory, it may also write to these. A linked file of another user
// keeps its permissions.
func (l layout) shareTree(root, like string) error {
	info, err := os.Stat(like)
	if err != nil {
		return err
	}

	data, err := os.Stat(l.dir)
	if err != nil {
		return err
	}

	file := info.Mode().Perm()
	if file&0o040 != 0 { // a umask may keep the group out
		file |= data.Mode().Perm() & groupWrites
	}
	folder := file | file&0o444>>2
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		mode := file
		if entry.IsDir() {
			mode = folder
		}

		info, err := entry.Info()
		if err != nil || info.Mode().Perm() == mode {
			return err
		}

		err = os.Chmod(path, info.Mode()&^fs.ModePerm|mode)
		if errors.Is(err, fs.ErrPermission) && info.Mode().Perm()|groupWrites == mode|groupWrites {
			return nil
		}
		return err
	})
}
