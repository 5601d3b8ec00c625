package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dossier/internal/damage"
	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/safeopen"
)

// Outgoing says what is exported: a generation whole, or a part of it, or what it has that an older one has not.
// Licensed has it go out with entries that need a licence, which else are left out.
type Outgoing struct {
	Generation int      // its number; 0 is the current one
	Since      int      // the older generation that whoever imports has; 0: they need none
	Topics     []string // these alone, as a generation of its own; nil: all of it
	Texts      Texts    // how the full text of such a generation is written
	Licensed   bool
}

// Exported says what was written to a bundle.
type Exported struct {
	Manifest
	// Licensed are the generation's files that need a licence: they are in the bundle where they were to be.
	Licensed []evidence.GivenFile
}

// licensed are the files whose entries need a licence.
func (r *Reader) licensed() ([]evidence.GivenFile, error) {
	files, err := r.InterpretationsFiles()
	return slices.DeleteFunc(files, func(f evidence.GivenFile) bool { return !evidence.NeedsLicence(f.Source) }), err
}

// Export writes a published generation to w as one bundle. It takes no lock, changes nothing, and goes on where a
// writer publishes and prunes meanwhile. Every file is compared with its sum while it is read; the error is a
// *damage.Error where one differs, and what was written is then worth nothing. It is a *database.UnknownTopicError
// where a topic has no answer, and a *SinceError where there is no such difference.
func (f Folder) Export(ctx context.Context, out Outgoing, w io.Writer) (exported Exported, err error) {
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

// openToExport opens a generation's files, and what they hold: of the current one where number is 0.
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

// openedGeneration is a published generation with all its files open: they stay there when it is pruned.
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

// openFiles opens a generation's files at once: those of the current one where number is 0.
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
			err = l.kept(number)
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

		f, openErr := safeopen.OpenOwn(at, os.O_RDONLY, 0)
		if openErr != nil {
			err = damage.UnlessFault(openErr, damage.Error{Path: at, Reason: "it can't be read", Remedy: remedyFor(name)})
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

// kept is ErrNoGeneration where the store has no generation of that number.
func (l layout) kept(number int) error {
	kept, err := listGenerations(l.generations())
	if err == nil && !slices.Contains(kept, number) {
		err = fmt.Errorf("generation %d is %w; kept are %v", number, ErrNoGeneration, kept)
	}
	return err
}

// exportCopy writes some topics of a generation, or all of it without what needs a licence, as a generation of its
// own, with the number and the time of the whole: it is made in a temporary folder, which a store in a read-only
// folder has as well, and published and exported there like any other.
func (r *Reader) exportCopy(ctx context.Context, out Outgoing, w io.Writer) (manifest Manifest, err error) {
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
	exported, err := Folder(temporary).Export(ctx, Outgoing{Licensed: true}, w)
	return exported.Manifest, err
}

// publishCopy makes what goes out the first generation of a store in dir, which is empty.
func (r *Reader) publishCopy(ctx context.Context, dir string, about Generation, out Outgoing) error {
	about.Parent, about.ParentSum = 0, ""
	if out.Topics != nil {
		about.Part = slices.Compact(slices.Sorted(slices.Values(out.Topics)))
	}
	options := BeginOptions{Owner: about.Program, Texts: out.Texts}
	return Folder(dir).publishFirst(ctx, about, options, func(path string) (err error) {
		if out.Topics == nil {
			err = r.copyToFile(ctx, path)
		} else {
			err = r.use(func(v *view) error { return v.db.WritePart(ctx, path, about.Part) })
		}

		if err == nil && !out.Licensed {
			err = database.Withhold(ctx, path)
		}
		return err
	})
}
