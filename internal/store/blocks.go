package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/damage"
	"dossier/internal/durable"
	"dossier/internal/fulltext"
	"dossier/internal/regular"
)

// text.sums holds the CRC-32C of each block of fulltext.BlockSize bytes of the full text's larger segments: four bytes
// a block, the highest first; block after block, segment after segment in the manifest's order. A search compares what
// it has read with them.

// maxBlocksSize bounds what is read of it: the sums of a full text of 16 TB.
const maxBlocksSize = 1 << 30

// blockSums are the sums of the blocks of each segment that has some, by its path in the generation.
type blockSums map[string][]uint32

// hasBlocks says whether a file's sums stand in text.sums.
func (f *ManifestFile) hasBlocks() bool { return hasEnd(f.Path, f.Size) && ofText(f.Path) }

// writeBlocks writes text.sums for the files that the manifest lists, and lists it with them.
func (m *Manifest) writeBlocks(ctx context.Context, folder string, blocks blockSums) error {
	var content []byte
	for _, file := range m.Files {
		for _, sum := range blocks[file.Path] {
			content = binary.BigEndian.AppendUint32(content, sum)
		}
	}
	name := filepath.Join(folder, blocksName)
	if err := durable.Write(name, content); err != nil {
		return err
	}
	file, _, err := describe(ctx, name)
	if err != nil {
		return err
	}
	file.Path = blocksName
	m.Files = append(m.Files, file)
	slices.SortFunc(m.Files, func(a, b ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// readBlocks reads text.sums, by the segments' paths. It is nothing where an older program published the generation.
func (m *Manifest) readBlocks(folder string) (blockSums, error) {
	if !slices.ContainsFunc(m.Files, func(f ManifestFile) bool { return f.Path == blocksName }) {
		return nil, nil
	}
	name := filepath.Join(folder, blocksName)
	content, err := regular.ReadOwn(name, maxBlocksSize)
	if err != nil {
		return nil, err
	}
	all := blockSums{}
	for _, file := range m.Files {
		if !file.hasBlocks() {
			continue
		}
		sums := make([]uint32, (file.Size+fulltext.BlockSize-1)/fulltext.BlockSize)
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

// publishedBlocks gives a search the sums of a segment's blocks. They are read at once: the generation may be pruned
// while it is read.
func (m *Manifest) publishedBlocks(folder string) (fulltext.BlockSums, error) {
	all, err := m.readBlocks(folder)
	if err != nil {
		unread := damage.Error{Path: filepath.Join(folder, blocksName), Reason: "it can't be read", Remedy: damage.RebuildText}
		return nil, damage.UnlessFault(err, unread)
	}
	return func(segment string) []uint32 { return all[path.Join(textName, "store", segment)] }, nil
}
