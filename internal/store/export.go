package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

// ExportRequest selects what is exported: a whole generation, a part of it, or what it has and an older one lacks.
// Without Licensed, entries that need a licence are left out.
type ExportRequest struct {
	Generation int      // its number; 0 is the current one
	Since      int      // the older generation that the importing side has; 0: it needs none
	Topics     []string // only these, as a generation of its own; nil: all topics
	Texts      Texts    // how the full text of such a generation is written
	Licensed   bool
}

// ExportResult describes what was written to a bundle.
type ExportResult struct {
	Manifest
	// Licensed are the generation's files that need a licence. The bundle has them only if that was requested.
	Licensed []evidence.GivenFile
}

// licensed lists the files whose entries need a licence.
func (r *Reader) licensed() ([]evidence.GivenFile, error) {
	files, err := r.InterpretationsFiles()
	return slices.DeleteFunc(files, func(f evidence.GivenFile) bool { return !evidence.NeedsLicence(f.Source) }), err
}

// Export writes a published generation to w as one bundle. It takes no lock and changes nothing, and it continues
// while a writer publishes and prunes. It compares every file with its sum while reading it; if one differs, the error
// is a *files.DamageError and the output is unusable. The error is a *database.UnknownTopicError if a topic has no
// answer, and a *SinceError if the difference can't be made.
func (f Folder) Export(ctx context.Context, out ExportRequest, w io.Writer) (exported ExportResult, err error) {
	l := f.layout()

	opened, whole, err := l.openToExport(ctx, out.Generation)
	if err != nil {
		return exported, err
	}
	defer opened.close()
	defer func() { err = errors.Join(err, whole.Close()) }()

	exported.Manifest = opened.manifest
	if exported.Licensed, err = whole.licensed(); err != nil {
		return exported, err
	}

	leavesOut := len(exported.Licensed) > 0 && !out.Licensed
	switch {
	case leavesOut && out.Since != 0:
		return exported, &SinceError{fmt.Sprintf("generation %d has entries of %s that need a licence: with --licensed they go "+
			"out, else export it whole", opened.manifest.Number, exported.Licensed[0].Name)}
	case leavesOut || out.Topics != nil:
		exported.Manifest, err = whole.exportCopy(ctx, out, w)
		return exported, err
	case out.Since == 0:
		err = opened.writeWhole(ctx, w)
	default:
		err = l.exportSince(ctx, opened, out.Since, w)
	}

	if err != nil {
		err = fmt.Errorf("exporting %s: %w", l.generation(opened.manifest.Number), err)
	}
	return exported, err
}

// openToExport opens a generation's files and a reader of it; number 0 is the current one.
func (l layout) openToExport(ctx context.Context, number int) (*openedGeneration, *Reader, error) {
	for {
		opened, err := l.openFiles(ctx, number)
		if err != nil {
			return nil, nil, err
		}

		reader, err := Folder(l.dir).OpenGeneration(ctx, opened.manifest.Number)
		if err == nil {
			return opened, reader, nil
		}
		opened.close()

		if now, readErr := l.readCurrent(); number != 0 || readErr != nil || now == opened.manifest.Number {
			return nil, nil, err
		}
	}
}

// openedGeneration is a published generation with all its files open: they stay readable after it is pruned.
type openedGeneration struct {
	manifest Manifest
	content  []byte              // of the manifest's file
	files    map[string]*os.File // by path, as the manifest lists them
}

func (g *openedGeneration) close() {
	for _, f := range g.files {
		_ = f.Close() // only read
	}
}

// openFiles opens all files of a generation; number 0 is the current one.
func (l layout) openFiles(ctx context.Context, number int) (*openedGeneration, error) {
	followed := number == 0
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}

		var err error
		if followed {
			number, err = l.readCurrent()
		} else {
			err = l.checkKept(number)
		}

		if err != nil {
			return nil, err
		}

		opened, err := openListed(l.generation(number))
		if err == nil || !followed {
			return opened, err
		}

		if now, readErr := l.readCurrent(); readErr != nil || now == number {
			return nil, err
		}
	}
}

func openListed(folder string) (*openedGeneration, error) {
	g := &openedGeneration{files: map[string]*os.File{}}

	var err error
	if g.manifest, g.content, err = readManifestFile(folder); err == nil {
		err = g.manifest.checkFiles(folder)
	}

	for i := 0; i < len(g.manifest.Files) && err == nil; i++ {
		name := g.manifest.Files[i].Path
		at := filepath.Join(folder, filepath.FromSlash(name))

		f, openErr := files.OpenOwn(at, os.O_RDONLY, 0)
		if openErr != nil {
			err = files.UnlessFault(openErr, files.DamageError{Path: at, Reason: "it can't be read", Remedy: remedyFor(name)})
			break
		}
		g.files[name] = f
	}

	if err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// checkKept returns ErrNoGeneration if the store has no generation of that number.
func (l layout) checkKept(number int) error {
	kept, err := listGenerations(l.generations())
	if err == nil && !slices.Contains(kept, number) {
		err = fmt.Errorf("generation %d is %w; kept are %v", number, ErrNoGeneration, kept)
	}
	return err
}

// exportCopy exports some topics of a generation, or all of it without the entries that need a licence, as a
// generation of its own, with the original's number and time. It makes that generation in a temporary folder, because
// the store may be read-only, and publishes and exports it there like any other.
func (r *Reader) exportCopy(ctx context.Context, out ExportRequest, w io.Writer) (manifest Manifest, err error) {
	about, err := r.Generation()
	if err != nil {
		return manifest, err
	}

	temporary, err := os.MkdirTemp("", "dossier-part-")
	if err != nil {
		return manifest, fmt.Errorf("making a folder for the part: %w; TMPDIR names another place", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()

	if err := r.publishCopy(ctx, temporary, about, out); err != nil {
		return manifest, explainFull(temporary, err)
	}
	exported, err := Folder(temporary).Export(ctx, ExportRequest{Licensed: true}, w)
	return exported.Manifest, err
}

// publishCopy publishes the part to export as the first generation of a store in dir, which is empty.
func (r *Reader) publishCopy(ctx context.Context, dir string, about Generation, out ExportRequest) error {
	about.Parent, about.ParentSum = 0, ""
	if out.Topics != nil {
		about.Part = slices.Compact(slices.Sorted(slices.Values(out.Topics)))
	}
	options := BeginOptions{Owner: about.Program, Texts: out.Texts}
	return Folder(dir).publishFirst(ctx, about, options, func(path string) (err error) {
		if out.Topics == nil {
			err = r.copyToFile(ctx, path)
		} else {
			err = r.withView(func(v *view) error { return v.db.WritePart(ctx, path, about.Part) })
		}

		if err == nil && !out.Licensed {
			err = database.RemoveLicensed(ctx, path)
		}
		return err
	})
}
