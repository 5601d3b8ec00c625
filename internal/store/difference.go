package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	"dossier/internal/damage"
	"dossier/internal/database"
	"dossier/internal/fulltext"
	"dossier/internal/safeopen"
)

// A difference is a bundle of what a generation has and an older one, its base, has not. docs/FORMAT.md, "A
// difference", describes it.

const (
	differenceName   = "difference.json"
	differenceFormat = "dossier-difference"

	// differenceBlock is the size of the blocks that a file is compared in with the base's of that name: a page of the
	// database. A night changes few of them, and they stay where they are.
	differenceBlock = database.PageSize
	// maxSpans is how many spans of blocks are told of a file. One with more of them comes whole.
	maxSpans = 1 << 18
)

// difference says which generation is the base, and what of each file comes.
type difference struct {
	Format  string          `json:"format"`
	Base    int             `json:"base"`
	BaseSum string          `json:"base_sum"` // of the base's manifest
	Files   []differentFile `json:"files"`    // those that are not as in the base, in order of path
}

// differentFile is a file that comes whole or, where Blocks is not empty, in blocks: the rest of it is the base's.
type differentFile struct {
	Path   string `json:"path"`
	Blocks []span `json:"blocks,omitempty"`
}

// span is the place of the first block and how many come.
type span [2]int64

// bytes says where a span begins and ends in a file of that size.
func (s span) bytes(size int64) (from, to int64) {
	return s[0] * differenceBlock, min((s[0]+s[1])*differenceBlock, size)
}

// SinceError says that there is no such difference to export.
type SinceError struct{ Reason string }

func (e *SinceError) Error() string { return e.Reason }

// exportSince writes what a generation has and an older one has not.
func (l layout) exportSince(ctx context.Context, opened *openedGeneration, since int, w io.Writer) error {
	if since >= opened.manifest.Number {
		return &SinceError{fmt.Sprintf("generation %d is not older than generation %d", since, opened.manifest.Number)}
	}

	base, err := l.openFiles(ctx, since)
	if err != nil {
		return err
	}
	defer base.close()

	if base.manifest.Sum == "" {
		return &SinceError{fmt.Sprintf("generation %d was published by an older program, which did not seal its manifest: "+
			"export the newer one whole", since)}
	}
	d := difference{Format: differenceFormat, Base: since, BaseSum: base.manifest.Sum}

	var parts []bundled
	for _, file := range opened.manifest.Files {
		had := base.manifest.file(file.Path)
		if had != nil && had.SHA256 == file.SHA256 && had.Size == file.Size {
			continue
		}
		from := opened.files[file.Path]
		part := bundled{name: file.Path, size: file.Size, sum: file.SHA256, from: from, at: from.Name()}

		listed := differentFile{Path: file.Path}
		if had != nil {
			if listed.Blocks, err = differingBlocks(ctx, base.files[file.Path], had, from, &file); err != nil {
				return err
			}
		}

		if len(listed.Blocks) > 0 {
			var pieces []io.Reader

			part.size, part.sum = 0, "" // its blocks were compared with the file's sum
			for _, s := range listed.Blocks {
				begin, end := s.bytes(file.Size)
				pieces = append(pieces, io.NewSectionReader(from, begin, end-begin))
				part.size += end - begin
			}
			part.from = io.MultiReader(pieces...)
		}
		d.Files, parts = append(d.Files, listed), append(parts, part)
	}

	content, err := json.Marshal(d)
	if err != nil {
		return err
	}
	head := []bundled{inMemory(differenceName, append(content, '\n')), inMemory(manifestName, opened.content)}
	return writeBundle(ctx, w, append(head, parts...))
}

// differingBlocks compares two files block by block, and both with their sums. It gives nothing where blocks are not
// worth it: where most of them differ, or none could be told apart by a span.
func differingBlocks(ctx context.Context, base *os.File, had *ManifestFile, from *os.File, file *ManifestFile) (
	spans []span, err error) {
	was, is := newSummed(ctx, base, had), newSummed(ctx, from, file)

	var differing int64
	for at := int64(0); at*differenceBlock < max(had.Size, file.Size); at++ {
		before, err := was.next()
		if err != nil {
			return nil, err
		}

		now, err := is.next()
		if err != nil {
			return nil, err
		}

		if len(now) == 0 || bytes.Equal(before, now) {
			continue
		}

		differing += int64(len(now))
		if last := len(spans) - 1; last >= 0 && spans[last][0]+spans[last][1] == at {
			spans[last][1]++
		} else {
			spans = append(spans, span{at, 1})
		}
	}

	if err := cmp.Or(was.compare(), is.compare()); err != nil {
		return nil, err
	}

	if differing > file.Size/4*3 || len(spans) > maxSpans {
		return nil, nil
	}
	return spans, nil
}

// summed reads a file of a generation in blocks, and compares it with its sum at the end.
type summed struct {
	from  io.Reader
	at    string
	file  *ManifestFile
	block [differenceBlock]byte
	sum   hash.Hash
}

func newSummed(ctx context.Context, f *os.File, file *ManifestFile) *summed {
	from := io.NewSectionReader(f, 0, file.Size) // whatever place the file itself is read at
	return &summed{from: &contextReader{ctx: ctx, from: from}, at: f.Name(), file: file, sum: sha256.New()}
}

// next gives the next block, the last one shorter, and behind it nothing.
func (s *summed) next() ([]byte, error) {
	n, err := io.ReadFull(s.from, s.block[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	s.sum.Write(s.block[:n])
	return s.block[:n], nil
}

func (s *summed) compare() error {
	if hex.EncodeToString(s.sum.Sum(nil)) == s.file.SHA256 {
		return nil
	}
	return &damage.Error{Path: s.at, Reason: contentChanged, Remedy: remedyFor(s.file.Path)}
}

// parseDifference reads what a difference begins with. Whether its files fit the manifest is checkAgainst's to see.
func parseDifference(content []byte) (*difference, error) {
	var d difference
	if err := json.Unmarshal(content, &d); err != nil {
		return nil, err
	}

	switch {
	case d.Format != differenceFormat:
		return nil, fmt.Errorf("its format is %.50q, not %q", d.Format, differenceFormat)
	case d.Base < 1 || len(d.BaseSum) != 2*sha256.Size:
		return nil, errors.New("it names no generation to be applied to")
	}

	for i, file := range d.Files {
		if i > 0 && d.Files[i-1].Path >= file.Path {
			return nil, fmt.Errorf("it lists %.100q twice or out of order", file.Path)
		}

		if len(file.Blocks) > maxSpans {
			return nil, fmt.Errorf("it lists %d spans of %.100q, and %d are the most", len(file.Blocks), file.Path, maxSpans)
		}
	}
	return &d, nil
}

// checkAgainst compares a difference with the manifest of what it makes, and says how many bytes come of its files.
func (d *difference) checkAgainst(manifest *Manifest) (coming int64, err error) {
	if d.Base >= manifest.Number {
		return 0, fmt.Errorf("it makes generation %d of generation %d", manifest.Number, d.Base)
	}

	for _, different := range d.Files {
		file := manifest.file(different.Path)
		if file == nil {
			return 0, fmt.Errorf("it brings %.100q, which its manifest does not list", different.Path)
		}

		size, err := different.size(file.Size)
		if err != nil {
			return 0, err
		}
		coming += size
	}
	return coming, nil
}

// size is how many bytes come of a file that has whole bytes.
func (f *differentFile) size(whole int64) (size int64, err error) {
	if len(f.Blocks) == 0 {
		return whole, nil
	}

	blocks, next := (whole+differenceBlock-1)/differenceBlock, int64(0)
	for _, s := range f.Blocks {
		if s[0] < next || s[1] < 1 || s[0] >= blocks || s[1] > blocks-s[0] {
			return 0, fmt.Errorf("its blocks of %.100q make no sense", f.Path)
		}
		next = s[0] + s[1]
		from, to := s.bytes(whole)
		size += to - from
	}
	return size, nil
}

// base is the generation of this store that a difference is applied to.
type base struct {
	folder   string
	manifest Manifest
}

// findBase finds exactly the generation that a difference was made of.
func (b *bundle) findBase(l layout) (*base, error) {
	const remedy = "import a whole bundle first (`indexer export` without --since), or what changed since a generation " +
		"that is here"
	want := b.difference

	missing := fmt.Sprintf("it holds what changed since generation %d, and this store ", want.Base)
	if err := l.kept(want.Base); errors.Is(err, ErrNoGeneration) {
		kept, _ := listGenerations(l.generations())
		if len(kept) == 0 {
			return nil, b.refuse(missing+"has no generation", remedy)
		}
		return nil, b.refuse(missing+fmt.Sprintf("has not got that: kept are %v", kept), remedy)
	} else if err != nil {
		return nil, err
	}
	folder := l.generation(want.Base)

	manifest, err := readManifest(folder)
	if err != nil {
		return nil, err
	}

	if manifest.Sum != want.BaseSum {
		return nil, b.refuse(missing+"has another generation of that number", remedy)
	}
	return &base{folder, manifest}, nil
}

// takeFrom puts a file of the base, or a new one over blocks of it, in its place in folder. Of the bundle it reads the
// blocks that come.
func (b *bundle) takeFrom(root *os.Root, folder string, file ManifestFile, different *differentFile) error {
	had := b.base.manifest.file(file.Path)
	if had == nil {
		return b.refuse(fmt.Sprintf("its manifest lists %.100q, which neither it nor generation %d holds", file.Path,
			b.difference.Base), exportAgain)
	}
	from := file.in(b.base.folder)

	damaged := &damage.Error{Path: from, Reason: contentChanged,
		Remedy: "nothing was imported: import a whole bundle, which needs no other generation"}
	if different == nil {
		if had.SHA256 != file.SHA256 || had.Size != file.Size {
			return b.refuse(fmt.Sprintf("it does not bring %.100q, and that of generation %d is another", file.Path,
				b.difference.Base), exportAgain)
		}
		return b.shareFile(folder, from, file, damaged)
	}

	in, err := safeopen.OpenOwn(from, os.O_RDONLY, 0)
	if err != nil {
		return damage.UnlessFault(err, *damaged)
	}
	defer in.Close()
	was, sum, read := newSummed(b.ctx, in, had), sha256.New(), error(nil)

	err = writeIn(root, file.Path, func(f *os.File) error {
		return overlay(io.MultiWriter(f, sum), was, &failingReader{from: b.archive, err: &read}, different.Blocks, file.Size)
	})
	switch {
	case read != nil:
		return b.unreadable(read)
	case err != nil:
		return err
	case was.compare() != nil:
		return damaged
	case hex.EncodeToString(sum.Sum(nil)) != file.SHA256:
		return b.refuse(fmt.Sprintf("%.100q in it is not what was exported", file.Path), copyAgain)
	}
	return nil
}

// overlay writes size bytes: those in spans as they come, the others as they were. All of what was is read.
func overlay(w io.Writer, was *summed, coming io.Reader, spans []span, size int64) error {
	buffer := make([]byte, differenceBlock)
	for at := int64(0); ; at++ {
		block, err := was.next()
		if err != nil {
			return err
		}

		left := min(size-at*differenceBlock, differenceBlock)
		if left <= 0 && len(block) == 0 {
			return nil
		}

		for len(spans) > 0 && at >= spans[0][0]+spans[0][1] {
			spans = spans[1:]
		}

		if len(spans) > 0 && at >= spans[0][0] {
			block = buffer[:left]
			if _, err := io.ReadFull(coming, block); err != nil {
				return err
			}
		}

		if left <= 0 {
			continue // what was is longer
		}

		if _, err := w.Write(block[:min(int64(len(block)), left)]); err != nil {
			return err
		}
	}
}

// shareFile has the new generation hold a file of the base: a segment by a link to it, as the next generation of a
// writer does, anything else as a copy. It is compared with its sum.
func (b *bundle) shareFile(folder, from string, file ManifestFile, damaged *damage.Error) error {
	err := file.checkWhole(b.ctx, b.base.folder)
	if damage.Is(err) {
		return damaged
	}

	if err != nil {
		return err
	}
	to := file.in(folder)

	isNeverWritten := strings.HasSuffix(file.Path, segmentSuffix) ||
		file.Path == evidenceName && b.manifest.file(changesName) != nil
	if isNeverWritten && fulltext.CanLink && os.Link(from, to) == nil {
		return nil
	}
	return copyFile(b.ctx, from, to)
}

// file finds a file by its path; nil where none is listed.
func (m *Manifest) file(path string) *ManifestFile {
	at, found := slices.BinarySearchFunc(m.Files, path, func(f ManifestFile, path string) int {
		return strings.Compare(f.Path, path)
	})
	if !found {
		return nil
	}
	return &m.Files[at]
}
