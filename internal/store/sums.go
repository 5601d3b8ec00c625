package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"dossier/internal/files"
	"dossier/internal/fulltext/zapfile"
)

// endLength is how many bytes at the end of a segment have a sum of their own: its footer and tables, which locate
// everything else. A wrong number there would make the library request more memory than there is.
const endLength = 16 << 10

// smallFile is the largest file of a full text, except segments, that is compared whole before it is opened.
const smallFile = 1 << 20

const segmentSuffix = ".zap"

// hasEnd reports whether a file of that size gets a sum of its end.
func hasEnd(name string, size int64) bool {
	return filepath.Ext(name) == segmentSuffix && size > endLength
}

// largeDatabase is the size of a database, in bytes, from which its blocks get sums, and the next generation gets a
// file of changes beside it instead of a copy: some 30,000 records. Copying less takes moments.
const largeDatabase = 64 << 20

// hasBlocks reports whether a file of that name and size gets sums of its blocks.
func hasBlocks(name string, size int64) bool {
	return hasEnd(name, size) || name == evidenceName && size >= largeDatabase
}

// checkFiles compares the files on disk with the manifest before any of them is opened: their sizes, the small files
// of the full text whole, and the ends of its segments. It reads some 100 KB in all.
func (m *Manifest) checkFiles(folder string) error {
	for _, file := range m.Files {
		if err := file.check(folder); err != nil {
			return err
		}
	}
	return nil
}

// pathIn is the file's path in its generation's folder.
func (f *ManifestFile) pathIn(folder string) string {
	return filepath.Join(folder, filepath.FromSlash(f.Path))
}

func (f *ManifestFile) check(folder string) error {
	name := f.pathIn(folder)

	info, err := f.stat(folder)
	switch {
	case err != nil:
		return files.UnlessFault(err, files.DamageError{Path: name, Reason: "a file of the generation is missing",
			Remedy: remedyFor(f.Path)})
	case info.Size() != f.Size:
		return &files.DamageError{Path: name,
			Reason: fmt.Sprintf("it has %d bytes, not the %d it was published with", info.Size(), f.Size),
			Remedy: remedyFor(f.Path)}
	}

	want, from := f.SHA256, int64(0)
	switch {
	case f.Path == evidenceName:
		return checkStructure(folder, evidenceName, structureName)
	case f.Path == changesName:
		return checkStructure(folder, changesName, changesSums)
	case !ofText(f.Path):
		return nil // a file of sums checks itself
	case f.End != "":
		want, from = f.End, f.Size-endLength
	case f.Size > smallFile || hasEnd(name, f.Size):
		return nil // an older program's segment
	}
	ctx := context.Background() // too few bytes to need cancelling
	found, err := sumFrom(ctx, name, from)
	return f.compareResult(ctx, folder, found == want, err)
}

// compareResult turns the outcome of comparing the file with its sum into an error.
func (f *ManifestFile) compareResult(ctx context.Context, folder string, same bool, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return files.UnlessFault(err, files.DamageError{Path: f.pathIn(folder), Reason: "it can't be read",
			Remedy: remedyFor(f.Path)})
	case !same:
		return &files.DamageError{Path: f.pathIn(folder), Reason: contentChanged, Remedy: remedyFor(f.Path)}
	}
	return nil
}

// stat describes the file, after checking that each folder on its path is a real one.
func (f *ManifestFile) stat(folder string) (fs.FileInfo, error) {
	for i, c := range f.Path {
		if c != '/' {
			continue
		}

		err := files.Folder(filepath.Join(folder, filepath.FromSlash(f.Path[:i])))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return files.Stat(f.pathIn(folder))
}

// checkWhole compares the whole file with what was published.
func (f *ManifestFile) checkWhole(ctx context.Context, folder string) error {
	if err := f.check(folder); err != nil {
		return err
	}
	return f.checkSum(ctx, folder)
}

// checkSum compares the file's content with its sum, once check has passed.
func (f *ManifestFile) checkSum(ctx context.Context, folder string) error {
	found, err := sumFrom(ctx, f.pathIn(folder), 0)
	return f.compareResult(ctx, folder, found == f.SHA256, err)
}

// readersAtOnce is how many of a generation's files are compared at once: the records and the largest segment take
// nearly all of the time, and more readers would only make a disk seek.
const readersAtOnce = 2

// compareFiles reads the wanted files whole and compares them with what was published: with the sums of their blocks
// if blocks has them, which takes a tenth of the time, else with their own. It returns the damaged files of the full
// text, which can be rebuilt, in the manifest's order; any other damage is returned as err.
func (m *Manifest) compareFiles(ctx context.Context, folder string, blocks blockSums, wanted func(path string) bool) (
	damaged []damagedFile, err error) {
	found := make([]error, len(m.Files))
	var group errgroup.Group
	group.SetLimit(readersAtOnce)

	for i := range m.Files {
		file := &m.Files[i]
		if !wanted(file.Path) {
			continue
		}
		group.Go(func() error {
			if sums := blocks[file.Path]; sums != nil {
				found[i] = file.checkBlocks(ctx, folder, zapfile.Sums{BlockSize: m.blockSize(), OfBlocks: sums})
			} else {
				found[i] = file.checkWhole(ctx, folder)
			}
			return nil
		})
	}
	_ = group.Wait() // errors are in found

	for i, err := range found {
		if err != nil && (!ofText(m.Files[i].Path) || ctx.Err() != nil || files.IsFault(err)) {
			return nil, err
		}

		if err != nil {
			damaged = append(damaged, damagedFile{m.Files[i].Path, err})
		}
	}
	return damaged, nil
}

// readBufferSize is how many bytes of a file are read and compared at once.
const readBufferSize = 64 << 10

// checkBlocks compares the whole file with the sums of its blocks.
func (f *ManifestFile) checkBlocks(ctx context.Context, folder string, sums zapfile.Sums) error {
	if err := f.check(folder); err != nil {
		return err
	}
	found := zapfile.NewSumWriter(sums.BlockSize)

	in, err := files.OpenOwn(f.pathIn(folder), os.O_RDONLY, 0)
	if err == nil {
		_, err = io.CopyBuffer(found, &contextReader{ctx: ctx, from: in}, make([]byte, readBufferSize))
		err = errors.Join(err, in.Close())
	}
	return f.compareResult(ctx, folder, slices.Equal(found.OfBlocks, sums.OfBlocks), err)
}

const contentChanged = "its content is not what was published"

// sumFrom returns the sum of a file from an offset to its end.
func sumFrom(ctx context.Context, name string, from int64) (string, error) {
	f, err := files.OpenOwn(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()

	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return "", err
	}

	sum := sha256.New()
	if _, err := io.Copy(sum, &contextReader{ctx: ctx, from: f}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func sameFile(a, b string) bool {
	first, err := os.Lstat(a)
	if err != nil {
		return false
	}
	second, err := os.Lstat(b)
	return err == nil && os.SameFile(first, second)
}

// describe reads a file for its size and sum, and for the sums of its blocks of the given size, if it has any.
func describe(ctx context.Context, name string, blockSize int) (file ManifestFile, blocks []uint32, err error) {
	f, err := files.OpenOwn(name, os.O_RDONLY, 0)
	if err != nil {
		return ManifestFile{}, nil, err
	}
	defer f.Close()
	whole, byBlock := sha256.New(), zapfile.NewSumWriter(blockSize)

	file.Size, err = io.Copy(io.MultiWriter(whole, byBlock), &contextReader{ctx: ctx, from: f})
	if err != nil {
		return ManifestFile{}, nil, fmt.Errorf("reading %s: %w", name, err)
	}

	file.SHA256 = hex.EncodeToString(whole.Sum(nil))
	switch {
	case !hasBlocks(filepath.Base(name), file.Size):
		return file, nil, nil
	case !hasEnd(name, file.Size):
		return file, byBlock.OfBlocks, nil
	}

	if file.End, err = sumFrom(ctx, name, file.Size-endLength); err != nil {
		return ManifestFile{}, nil, fmt.Errorf("reading the end of %s: %w", name, err)
	}
	return file, byBlock.OfBlocks, nil
}

// contextReader stops reading when ctx ends.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
