package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/zapfile"
)

// text.sums holds the CRC-32C of each block of the full text's larger segments: four bytes a block, the highest first;
// block after block, segment after segment in the manifest's order. A search compares what it reads with them.

// blockSize is how many bytes of a file have a sum of their own. Many lookups in a segment read a few bytes each, and
// each compares a whole block: with olderBlockSize, before schema 1.6.0, this took a fifth of a search.
const (
	blockSize      = 16 << 10
	olderBlockSize = 64 << 10
)

// blockSize is how many bytes of the generation's files have a sum of their own.
func (m *Manifest) blockSize() int {
	if m.Schema.Revision < 6 {
		return olderBlockSize
	}
	return blockSize
}

// blocksOf is how many blocks a file of that size has.
func (m *Manifest) blocksOf(size int64) int64 {
	return (size + int64(m.blockSize()) - 1) / int64(m.blockSize())
}

// maxBlocksSize bounds how many bytes of sums are read: enough for a full text of 16 TB.
const maxBlocksSize = 1 << 30

// blockSums are the sums of a segment's blocks, by the segment's path in the generation. evidence.blocks holds those
// of a large database in the same form.
type blockSums map[string][]uint32

// writeBlocks writes text.sums and evidence.blocks for the files that the manifest lists, and lists them.
func (m *Manifest) writeBlocks(ctx context.Context, folder string, blocks blockSums) error {
	var ofTexts, ofRecords []byte
	for _, file := range m.Files {
		into := &ofTexts
		if file.Path == evidenceName {
			into = &ofRecords
		}

		for _, sum := range blocks[file.Path] {
			*into = binary.BigEndian.AppendUint32(*into, sum)
		}
	}

	if err := m.add(ctx, folder, blocksName, ofTexts); err != nil || len(ofRecords) == 0 {
		return err
	}
	return m.add(ctx, folder, recordBlocks, ofRecords)
}

// writeStructure writes and lists the sums of the database's structure (evidence.sums) and of its changes
// (changes.sums), which are compared before the structure is followed. A database shared with the parent keeps the
// parent's sums.
func (m *Manifest) writeStructure(ctx context.Context, folder, parentFolder string) error {
	for _, of := range []struct{ file, sums string }{{evidenceName, structureName}, {changesName, changesSums}} {
		if m.file(of.file) == nil {
			continue
		}

		content, err := structureSums(folder, parentFolder, of.file, of.sums)
		if err != nil {
			return err
		}

		if err := m.add(ctx, folder, of.sums, content); err != nil {
			return err
		}
	}
	return nil
}

func structureSums(folder, parentFolder, file, sums string) ([]byte, error) {
	if sameFile(filepath.Join(folder, file), filepath.Join(parentFolder, file)) {
		content, err := files.ReadOwn(filepath.Join(parentFolder, sums), maxBlocksSize)
		if err == nil && database.CheckStructure(filepath.Join(folder, file), content) == nil {
			return content, nil
		}
	}
	return database.SumStructure(filepath.Join(folder, file), writerWait)
}

// add writes a file into the generation's folder, and lists it.
func (m *Manifest) add(ctx context.Context, folder, file string, content []byte) error {
	name := filepath.Join(folder, file)
	if err := files.Write(name, content); err != nil {
		return err
	}

	listed, _, err := describe(ctx, name, blockSize)
	if err != nil {
		return err
	}
	listed.Path = file
	m.Files = append(m.Files, listed)
	slices.SortFunc(m.Files, func(a, b ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// checkRecords runs checkStructure on a generation's database and on its changes.
func checkRecords(folder string) error {
	err := checkStructure(folder, evidenceName, structureName)
	if err == nil && exists(filepath.Join(folder, changesName)) {
		err = checkStructure(folder, changesName, changesSums)
	}
	return err
}

// checkStructure compares the structure of one of a generation's files with its sums. A file that an older program
// published, or that is unpublished, has none.
func checkStructure(folder, file, sumsName string) error {
	name := filepath.Join(folder, sumsName)

	sums, err := files.ReadOwn(name, maxBlocksSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err != nil {
		return files.UnlessFault(err, files.DamageError{Path: name, Reason: "it can't be read", Remedy: files.RemedyRollback})
	}
	return database.CheckStructure(filepath.Join(folder, file), sums)
}

// readBlocks reads text.sums and evidence.blocks, by the files' paths, and compares both with their own sums, because
// the next generation takes them over. It returns nil for a generation that an older program published.
func (m *Manifest) readBlocks(folder string) (blockSums, error) {
	for _, path := range []string{blocksName, recordBlocks} {
		if file := m.file(path); file != nil {
			if err := file.checkWhole(context.Background(), folder); err != nil { // a few bytes of each block
				return nil, err
			}
		}
	}

	all, err := m.readTextBlocks(folder)
	if err != nil || all == nil || m.file(recordBlocks) == nil {
		return all, err
	}
	name := filepath.Join(folder, recordBlocks)

	content, err := files.ReadOwn(name, maxBlocksSize)
	if err != nil {
		return nil, err
	}

	file := m.file(evidenceName)
	if file == nil || int64(len(content)) != 4*m.blocksOf(file.Size) {
		return nil, fmt.Errorf("%s has %d bytes, which are not the sums of %s", name, len(content), evidenceName)
	}

	for sum := range slices.Chunk(content, 4) {
		all[evidenceName] = append(all[evidenceName], binary.BigEndian.Uint32(sum))
	}
	return all, nil
}

// readTextBlocks reads text.sums.
func (m *Manifest) readTextBlocks(folder string) (blockSums, error) {
	if !slices.ContainsFunc(m.Files, func(f ManifestFile) bool { return f.Path == blocksName }) {
		return nil, nil
	}
	name := filepath.Join(folder, blocksName)

	content, err := files.ReadOwn(name, maxBlocksSize)
	if err != nil {
		return nil, err
	}

	all := blockSums{}
	for _, file := range m.Files {
		if !hasEnd(file.Path, file.Size) || !ofText(file.Path) { // its sums are not in text.sums
			continue
		}

		sums := make([]uint32, m.blocksOf(file.Size))
		if len(content) < 4*len(sums) {
			return nil, fmt.Errorf("%s has too few sums", name)
		}

		for i := range sums {
			sums[i] = binary.BigEndian.Uint32(content[4*i:])
		}
		content = content[4*len(sums):]
		all[file.Path] = sums
	}

	if len(content) > 0 {
		return nil, fmt.Errorf("%s has %d bytes too many", name, len(content))
	}
	return all, nil
}

// publishedBlocks returns the sums of a segment's blocks for searches. They are read at once, because the generation
// may be pruned while it is read.
func (m *Manifest) publishedBlocks(folder string) (segments.BlockSums, error) {
	all, err := m.readTextBlocks(folder)
	if err != nil {
		unread := files.DamageError{Path: filepath.Join(folder, blocksName), Reason: "it can't be read",
			Remedy: files.RemedyRebuildText}
		return nil, files.UnlessFault(err, unread)
	}
	return func(segment string) zapfile.Sums {
		return zapfile.Sums{BlockSize: m.blockSize(), OfBlocks: all[path.Join(textName, "store", segment)]}
	}, nil
}
