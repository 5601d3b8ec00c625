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

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// A difference is a bundle of what a generation has and an older one, its base, lacks. docs/FORMAT.md, "A difference",
// describes it.

const (
	differenceName   = "difference.json"
	differenceFormat = "dossier-difference"

	// differenceBlock is the size of the blocks in which a file is compared with the base's file of that name: a page
	// of the database. A night changes few of them, and they stay where they are.
	differenceBlock = database.PageSize
	// maxSpans is how many spans of blocks are listed for a file. A file with more comes whole.
	maxSpans = 1 << 18
)

// difference names the base generation, and lists what is included of each file.
type difference struct {
	Format  string          `json:"format"`
	Base    int             `json:"base"`
	BaseSum string          `json:"base_sum"` // of the base's manifest
	Files   []differentFile `json:"files"`    // those that differ from the base's, in order of path
}

// differentFile is a file that is included whole or, if Blocks is not empty, in blocks: the rest of it is the base's.
type differentFile struct {
	Path   string `json:"path"`
	Blocks []span `json:"blocks,omitempty"`
}

// span is the position of the first block and the number of blocks included.
type span [2]int64

// bytes returns where a span begins and ends in a file of that size.
func (s span) bytes(size int64) (from, to int64) {
	return s[0] * differenceBlock, min((s[0]+s[1])*differenceBlock, size)
}

// SinceError reports that the requested difference can't be exported.
type SinceError struct{ Reason string }

func (e *SinceError) Error() string { return e.Reason }

// exportSince writes what a generation has and an older one lacks.
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

	var parts []bundleEntry
	for _, file := range opened.manifest.Files {
		had := base.manifest.file(file.Path)
		if had != nil && had.SHA256 == file.SHA256 && had.Size == file.Size {
			continue
		}
		from := opened.files[file.Path]
		part := bundleEntry{name: file.Path, size: file.Size, sum: file.SHA256, from: from, at: from.Name()}

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
	head := []bundleEntry{memoryEntry(differenceName, append(content, '\n')), memoryEntry(manifestName, opened.content)}
	return writeBundle(ctx, w, append(head, parts...))
}

// differingBlocks compares two files block by block, and both with their sums. It returns nil if sending blocks does
// not pay: if most blocks differ, or they form too many spans.
func differingBlocks(ctx context.Context, base *os.File, had *ManifestFile, from *os.File, file *ManifestFile) (
	spans []span, err error) {
	was, is := newBlockReader(ctx, base, had), newBlockReader(ctx, from, file)

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

	if err := cmp.Or(was.checkSum(), is.checkSum()); err != nil {
		return nil, err
	}

	if differing > file.Size/4*3 || len(spans) > maxSpans {
		return nil, nil
	}
	return spans, nil
}

// blockReader reads a file of a generation in blocks, and compares it with its sum at the end.
type blockReader struct {
	from  io.Reader
	at    string
	file  *ManifestFile
	block [differenceBlock]byte
	sum   hash.Hash
}

func newBlockReader(ctx context.Context, f *os.File, file *ManifestFile) *blockReader {
	from := io.NewSectionReader(f, 0, file.Size) // independent of the file's own read position
	return &blockReader{from: &contextReader{ctx: ctx, from: from}, at: f.Name(), file: file, sum: sha256.New()}
}

// next returns the next block; the last one may be shorter, and after it blocks are empty.
func (s *blockReader) next() ([]byte, error) {
	n, err := io.ReadFull(s.from, s.block[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	s.sum.Write(s.block[:n])
	return s.block[:n], nil
}

func (s *blockReader) checkSum() error {
	if hex.EncodeToString(s.sum.Sum(nil)) == s.file.SHA256 {
		return nil
	}
	return &files.DamageError{Path: s.at, Reason: contentChanged, Remedy: remedyFor(s.file.Path)}
}

// parseDifference reads the head of a difference. checkAgainst checks whether its files match the manifest.
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

// checkAgainst compares a difference with the manifest of its result, and returns how many bytes of files it includes.
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

// size returns how many bytes are included of a file of whole bytes.
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

// findBase finds exactly the generation that a difference was made against.
func (b *bundle) findBase(l layout) (*base, error) {
	const remedy = "import a whole bundle first (`indexer export` without --since), or what changed since a generation " +
		"that is here"
	want := b.difference

	missing := fmt.Sprintf("it holds what changed since generation %d, and this store ", want.Base)
	if err := l.checkKept(want.Base); errors.Is(err, ErrNoGeneration) {
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

// unpackFromBase writes a file into folder: the base's file, or a new one with the bundle's blocks in place of the
// base's.
func (b *bundle) unpackFromBase(root *os.Root, folder string, file ManifestFile, different *differentFile) error {
	had := b.base.manifest.file(file.Path)
	if had == nil {
		return b.refuse(fmt.Sprintf("its manifest lists %.100q, which neither it nor generation %d holds", file.Path,
			b.difference.Base), exportAgain)
	}
	from := file.pathIn(b.base.folder)

	damaged := &files.DamageError{Path: from, Reason: contentChanged,
		Remedy: "nothing was imported: import a whole bundle, which needs no other generation"}
	if different == nil {
		if had.SHA256 != file.SHA256 || had.Size != file.Size {
			return b.refuse(fmt.Sprintf("it does not bring %.100q, and that of generation %d is another", file.Path,
				b.difference.Base), exportAgain)
		}
		return b.shareFile(folder, from, file, damaged)
	}

	in, err := files.OpenOwn(from, os.O_RDONLY, 0)
	if err != nil {
		return files.UnlessFault(err, *damaged)
	}
	defer in.Close()
	was, sum, read := newBlockReader(b.ctx, in, had), sha256.New(), error(nil)

	err = writeIn(root, file.Path, func(f *os.File) error {
		return overlay(io.MultiWriter(f, sum), was, &errorRecorder{from: b.archive, err: &read}, different.Blocks, file.Size)
	})
	switch {
	case read != nil:
		return b.readError(read)
	case err != nil:
		return err
	case was.checkSum() != nil:
		return damaged
	case hex.EncodeToString(sum.Sum(nil)) != file.SHA256:
		return b.refuse(fmt.Sprintf("%.100q in it is not what was exported", file.Path), copyAgain)
	}
	return nil
}

// overlay writes size bytes: those in spans from coming, the others from was. It reads all of was.
func overlay(w io.Writer, was *blockReader, coming io.Reader, spans []span, size int64) error {
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
			continue // the base's file is longer
		}

		if _, err := w.Write(block[:min(int64(len(block)), left)]); err != nil {
			return err
		}
	}
}

// shareFile puts a file of the base into the new generation: a segment by a link, as the writer's next generation
// does, anything else as a copy. It compares the file with its sum.
func (b *bundle) shareFile(folder, from string, file ManifestFile, damaged *files.DamageError) error {
	err := file.checkWhole(b.ctx, b.base.folder)
	if files.IsDamage(err) {
		return damaged
	}

	if err != nil {
		return err
	}
	to := file.pathIn(folder)

	isNeverWritten := strings.HasSuffix(file.Path, segmentSuffix) ||
		file.Path == evidenceName && b.manifest.file(changesName) != nil
	if isNeverWritten && fulltext.CanLink && os.Link(from, to) == nil {
		return nil
	}
	return copyFile(b.ctx, from, to)
}

// file returns the file with the path, or nil if none is listed.
func (m *Manifest) file(path string) *ManifestFile {
	at, found := slices.BinarySearchFunc(m.Files, path, func(f ManifestFile, path string) int {
		return strings.Compare(f.Path, path)
	})
	if !found {
		return nil
	}
	return &m.Files[at]
}
