package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"dossier/internal/damage"
	"dossier/internal/regular"
)

// Export writes a published generation to w as one bundle: the one of that number, or the current one where it is 0. It
// takes no lock, changes nothing, and goes on where a writer publishes and prunes meanwhile. Every file is compared
// with its sum while it is read; the error is a *damage.Error where one differs, and what was written is then worth
// nothing.
func Export(ctx context.Context, dir string, number int, w io.Writer) (Manifest, error) {
	l := layout{dir: dir}
	manifest, files, err := l.openFiles(ctx, number)
	if err != nil {
		return Manifest{}, err
	}
	defer func() {
		for _, f := range files {
			_ = f.Close() // only read
		}
	}()
	folder := l.generation(manifest.Number)
	content, err := io.ReadAll(files[0])
	if err == nil {
		err = writeBundle(ctx, w, &manifest, content, files[1:])
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("exporting %s: %w", folder, err)
	}
	return manifest, nil
}

// openFiles opens the manifest and all files of a generation at once, in the manifest's order: open files stay there
// when the generation is pruned.
func (l layout) openFiles(ctx context.Context, number int) (Manifest, []*os.File, error) {
	followed := number == 0
	for {
		if err := ctx.Err(); err != nil {
			return Manifest{}, nil, err
		}
		var err error
		if followed {
			number, err = l.readCurrent()
		} else {
			err = l.kept(number)
		}
		if err != nil {
			return Manifest{}, nil, err
		}
		manifest, files, err := openListed(l.generation(number))
		if err == nil || !followed {
			return manifest, files, err
		}
		if now, readErr := l.readCurrent(); readErr != nil || now == number {
			return Manifest{}, nil, err
		}
	}
}

func openListed(folder string) (manifest Manifest, files []*os.File, err error) {
	if manifest, err = readManifest(folder); err == nil {
		err = manifest.checkFiles(folder)
	}
	if err != nil {
		return Manifest{}, nil, err
	}
	names := []string{manifestName}
	for _, file := range manifest.Files {
		names = append(names, file.Path)
	}
	for _, name := range names {
		at := filepath.Join(folder, filepath.FromSlash(name))
		f, err := regular.OpenOwn(at, os.O_RDONLY, 0)
		if err != nil {
			for _, opened := range files {
				_ = opened.Close() // only opened
			}
			return Manifest{}, nil, damage.UnlessFault(err, damage.Error{Path: at, Reason: "it can't be read",
				Remedy: remedyFor(name)})
		}
		files = append(files, f)
	}
	return manifest, files, nil
}

// kept is ErrNoGeneration where the store has no generation of that number.
func (l layout) kept(number int) error {
	kept, err := listGenerations(l.generations())
	if err == nil && !slices.Contains(kept, number) {
		err = fmt.Errorf("generation %d is %w; kept are %v", number, ErrNoGeneration, kept)
	}
	return err
}
