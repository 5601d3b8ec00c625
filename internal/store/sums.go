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

	"dossier/internal/damage"
	"dossier/internal/fulltext/zapfile"
	"dossier/internal/safeopen"
)

// endLength is how many bytes at the end of a segment have a sum of their own: its footer and its tables stand there,
// by which everything else in it is found, and a wrong number among them has the library ask for more memory than there
// is.
const endLength = 16 << 10

// smallFile is the largest file of a full text, segments apart, that is compared whole before it is opened.
const smallFile = 1 << 20

const segmentSuffix = ".zap"

// hasEnd reports whether a file of that size is given a sum of its end.
func hasEnd(name string, size int64) bool {
	return filepath.Ext(name) == segmentSuffix && size > endLength
}

// largeDatabase is the size of a database, in bytes, from which its blocks are given sums, and the next generation has
// changes beside it instead of a copy of it: some 30,000 records. Copying less is a matter of moments.
const largeDatabase = 64 << 20

// hasBlocks reports whether a file of that name and size is given sums of its blocks.
func hasBlocks(name string, size int64) bool {
	return hasEnd(name, size) || name == evidenceName && size >= largeDatabase
}

// checkFiles compares the files on disk with the manifest before any of them is opened: their sizes, the small files of
// the full text whole, and the ends of its segments. All that is read are some 100 KB.
func (m *Manifest) checkFiles(folder string) error {
	for _, file := range m.Files {
		if err := file.check(folder); err != nil {
			return err
		}
	}
	return nil
}

// in is where the file is in its generation's folder.
func (f *ManifestFile) in(folder string) string {
	return filepath.Join(folder, filepath.FromSlash(f.Path))
}

func (f *ManifestFile) check(folder string) error {
	name := f.in(folder)

	info, err := f.stat(folder)
	switch {
	case err != nil:
		return damage.UnlessFault(err, damage.Error{Path: name, Reason: "a file of the generation is missing",
			Remedy: remedyFor(f.Path)})
	case info.Size() != f.Size:
		return &damage.Error{Path: name, Reason: fmt.Sprintf("it has %d bytes, not the %d it was published with", info.Size(),
			f.Size),
			Remedy: remedyFor(f.Path)}
	}

	want, from := f.SHA256, int64(0)
	switch {
	case f.Path == evidenceName:
		return checkStructure(folder, evidenceName, structureName)
	case f.Path == changesName:
		return checkStructure(folder, changesName, changesSums)
	case !ofText(f.Path):
		return nil // a changed sum tells of itself
	case f.End != "":
		want, from = f.End, f.Size-endLength
	case f.Size > smallFile || hasEnd(name, f.Size):
		return nil // an older program's segment
	}
	ctx := context.Background() // which so few bytes need not heed
	found, err := sumFrom(ctx, name, from)
	return f.judge(ctx, folder, found == want, err)
}

// judge is what comes of reading the file to compare it with what was published.
func (f *ManifestFile) judge(ctx context.Context, folder string, same bool, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return damage.UnlessFault(err, damage.Error{Path: f.in(folder), Reason: "it can't be read",
			Remedy: remedyFor(f.Path)})
	case !same:
		return &damage.Error{Path: f.in(folder), Reason: contentChanged, Remedy: remedyFor(f.Path)}
	}
	return nil
}

// stat describes the file, once each folder on the way to it is seen to be one itself.
func (f *ManifestFile) stat(folder string) (fs.FileInfo, error) {
	for i, c := range f.Path {
		if c != '/' {
			continue
		}

		err := safeopen.Folder(filepath.Join(folder, filepath.FromSlash(f.Path[:i])))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return safeopen.Stat(f.in(folder))
}

// checkWhole compares all of the file with what was published.
func (f *ManifestFile) checkWhole(ctx context.Context, folder string) error {
	if err := f.check(folder); err != nil {
		return err
	}
	return f.checkSum(ctx, folder)
}

// checkSum reads the file, once check found nothing wrong, for its sum.
func (f *ManifestFile) checkSum(ctx context.Context, folder string) error {
	found, err := sumFrom(ctx, f.in(folder), 0)
	return f.judge(ctx, folder, found == f.SHA256, err)
}

// readersAtOnce is how many of a generation's files are compared at once: the records and the largest segment take
// nearly all of the time, and more readers would only have a disk seek.
const readersAtOnce = 2

// compare reads the wanted files whole and compares them with what was published: with the sums of their blocks where
// blocks has some, which takes a tenth of the time, else with their own. Those of the full text, which can be made
// again, that differ are given in the manifest's order; the first of all others is err.
func (m *Manifest) compare(ctx context.Context, folder string, blocks blockSums, wanted func(path string) bool) (
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
	_ = group.Wait() // what each found stands in its place

	for i, err := range found {
		if err != nil && (!ofText(m.Files[i].Path) || ctx.Err() != nil || damage.IsFault(err)) {
			return nil, err
		}

		if err != nil {
			damaged = append(damaged, damagedFile{m.Files[i].Path, err})
		}
	}
	return damaged, nil
}

// readAtOnce is how many bytes of a file are read and compared at once.
const readAtOnce = 64 << 10

// checkBlocks compares all of the file with the sums of its blocks.
func (f *ManifestFile) checkBlocks(ctx context.Context, folder string, sums zapfile.Sums) error {
	if err := f.check(folder); err != nil {
		return err
	}
	found := zapfile.NewSumWriter(sums.BlockSize)

	in, err := safeopen.OpenOwn(f.in(folder), os.O_RDONLY, 0)
	if err == nil {
		_, err = io.CopyBuffer(found, &contextReader{ctx: ctx, from: in}, make([]byte, readAtOnce))
		err = errors.Join(err, in.Close())
	}
	return f.judge(ctx, folder, slices.Equal(found.OfBlocks, sums.OfBlocks), err)
}

const contentChanged = "its content is not what was published"

// sumFrom gives the sum of a file from a place to its end.
func sumFrom(ctx context.Context, name string, from int64) (string, error) {
	f, err := safeopen.OpenOwn(name, os.O_RDONLY, 0)
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

// describe reads a file for its size and sum, and for the sums of its blocks, of that size, where it has some.
func describe(ctx context.Context, name string, blockSize int) (file ManifestFile, blocks []uint32, err error) {
	f, err := safeopen.OpenOwn(name, os.O_RDONLY, 0)
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
