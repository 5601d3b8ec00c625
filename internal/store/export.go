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
	"dossier/internal/regular"
)

// Outgoing says what is exported: a generation whole, or a part of it, or what it has that an older one has not.
type Outgoing struct {
	Generation int      // its number; 0 is the current one
	Since      int      // the older generation that whoever imports has; 0: they need none
	Topics     []string // these alone, as a generation of its own; nil: all of it
	Texts      Texts    // how the full text of such a generation is written
}

// Export writes a published generation to w as one bundle. It takes no lock, changes nothing, and goes on where a
// writer publishes and prunes meanwhile. Every file is compared with its sum while it is read; the error is a
// *damage.Error where one differs, and what was written is then worth nothing. It is a *database.UnknownTopicError
// where a topic has no answer.
func (f Folder) Export(ctx context.Context, out Outgoing, w io.Writer) (Manifest, error) {
	l := f.layout()
	if out.Topics != nil {
		return l.exportPart(ctx, out, w)
	}
	opened, err := l.openFiles(ctx, out.Generation)
	if err != nil {
		return Manifest{}, err
	}
	defer opened.close()
	if out.Since == 0 {
		err = opened.writeWhole(ctx, w)
	} else {
		err = l.exportSince(ctx, opened, out.Since, w)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("exporting %s: %w", l.generation(opened.manifest.Number), err)
	}
	return opened.manifest, nil
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
		f, openErr := regular.OpenOwn(at, os.O_RDONLY, 0)
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

// exportPart writes some topics of a generation as a generation of its own, with the number and the time of the whole:
// it is made in a temporary folder, which a store in a read-only folder has as well, and published and exported there
// like any other.
func (l layout) exportPart(ctx context.Context, out Outgoing, w io.Writer) (manifest Manifest, err error) {
	var whole *Reader
	if out.Generation == 0 {
		whole, err = Folder(l.dir).Open(ctx)
	} else {
		whole, err = Folder(l.dir).OpenGeneration(ctx, out.Generation)
	}
	if err != nil {
		return Manifest{}, err
	}
	defer whole.Close() // only read
	temporary, err := os.MkdirTemp("", "dossier-part-")
	if err != nil {
		return Manifest{}, fmt.Errorf("making a folder for the part: %w; TMPDIR names another place", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	about, err := whole.Generation()
	if err == nil {
		err = whole.publishPart(ctx, temporary, about, out)
	}
	if err != nil {
		return Manifest{}, explainFull(temporary, err)
	}
	return Folder(temporary).Export(ctx, Outgoing{}, w)
}

// publishPart makes the topics of what is read that go out the first generation of a store in dir, which is empty.
func (r *Reader) publishPart(ctx context.Context, dir string, about Generation, out Outgoing) error {
	about.Parent, about.ParentSum, about.Part = 0, "", slices.Compact(slices.Sorted(slices.Values(out.Topics)))
	options := BeginOptions{Owner: about.Program, Texts: out.Texts}
	return Folder(dir).publishFirst(ctx, about, options, func(path string) error {
		return r.use(func(v *view) error { return v.db.WritePart(ctx, path, about.Part) })
	})
}
