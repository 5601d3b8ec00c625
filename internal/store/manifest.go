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
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

// manifestFormat distinguishes a generation's manifest from other JSON.
const manifestFormat = "dossier-generation"

// maxManifestSize bounds how much of a manifest is read.
const maxManifestSize = 16 << 20

// Manifest is manifest.json: the description of a published generation and its files. It is written last, so a folder
// without one was never completed.
type Manifest struct {
	Format string `json:"format"`
	Generation
	Files []ManifestFile `json:"files"`         // in order of path
	Sum   string         `json:"sum,omitempty"` // see seal; missing in what older programs published
}

// noSum replaces a manifest's own sum while that is computed.
var noSum = strings.Repeat("0", 2*sha256.Size)

// seal encodes the manifest as its file's content. Its own sum covers all bytes of the file, with zeros in the sum's
// place.
func (m *Manifest) seal() ([]byte, error) {
	m.Sum = noSum

	content, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	content = append(content, '\n')
	sum := sha256.Sum256(content)
	m.Sum = hex.EncodeToString(sum[:])
	return bytes.Replace(content, []byte(noSum), []byte(m.Sum), 1), nil
}

// checkSum compares the manifest with the sum that it was sealed with. A manifest without a sum is from an older
// program, unless it has an unknown key: then the sum's own name was damaged.
func (m *Manifest) checkSum(content []byte) error {
	if m.Sum == "" {
		strict := json.NewDecoder(bytes.NewReader(content))
		strict.DisallowUnknownFields()
		return strict.Decode(new(Manifest))
	}

	sum := sha256.Sum256(bytes.Replace(content, []byte(m.Sum), []byte(noSum), 1))
	if hex.EncodeToString(sum[:]) != m.Sum {
		return errors.New(contentChanged)
	}
	return nil
}

// ManifestFile is one file of a generation.
type ManifestFile struct {
	Path   string `json:"path"` // relative to the generation's folder, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	End    string `json:"end_sha256,omitempty"` // of a segment larger than endLength, its last endLength bytes
}

// Size is the sum of the files' sizes, in bytes.
func (m *Manifest) Size() int64 {
	var size int64
	for _, file := range m.Files {
		size += file.Size
	}
	return size
}

// readManifest reads and checks the manifest of the generation in folder, but not its files.
func readManifest(folder string) (Manifest, error) {
	manifest, _, err := readManifestFile(folder)
	return manifest, err
}

// readManifestFile is readManifest, and also returns the file's content.
func readManifestFile(folder string) (Manifest, []byte, error) {
	name := filepath.Join(folder, manifestName)

	err := ownFolder(filepath.Dir(folder))
	if err == nil {
		err = ownFolder(folder)
	}

	var content []byte
	if err == nil {
		content, err = files.ReadOwn(name, maxManifestSize)
	}

	if err != nil {
		return Manifest{}, nil, files.UnlessFault(err, files.DamageError{Path: name, Reason: "the manifest can't be read",
			Remedy: files.RemedyRollback})
	}

	manifest, err := parseManifest(content)
	if schema, ok := errors.AsType[*database.SchemaError](err); ok {
		schema.Path = folder
		return Manifest{}, nil, schema
	}

	if err != nil {
		return Manifest{}, nil, &files.DamageError{Path: name, Reason: "the manifest makes no sense",
			Remedy: files.RemedyRollback, Err: err}
	}
	return manifest, content, nil
}

// parseManifest reads a manifest. It checks the schema first, since fields may have other meanings in a newer one.
func parseManifest(content []byte) (Manifest, error) {
	var head struct {
		Format string          `json:"format"`
		Schema database.Schema `json:"schema"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		return Manifest{}, err
	}

	if head.Format != manifestFormat {
		return Manifest{}, fmt.Errorf("its format is %.50q, not %q", head.Format, manifestFormat)
	}

	if !head.Schema.Readable() {
		return Manifest{}, &database.SchemaError{Found: head.Schema}
	}

	var manifest Manifest
	if err := json.Unmarshal(content, &manifest); err != nil {
		return Manifest{}, err
	}
	return manifest, cmp.Or(manifest.checkSum(content), manifest.check())
}

func (m *Manifest) check() error {
	if m.Number < 1 {
		return fmt.Errorf("generation %d is out of range", m.Number)
	}

	if len(m.Files) == 0 {
		return errors.New("it lists no files")
	}

	for _, topic := range m.Part {
		if err := evidence.ValidTopicID(topic); err != nil {
			return fmt.Errorf("it is a part with a topic that can't be: %w", err)
		}
	}

	for _, file := range m.Files {
		badEnd := file.End != "" && (len(file.End) != 2*sha256.Size || file.Size <= endLength)
		if !fs.ValidPath(file.Path) || file.Path == "." || file.Size < 0 || len(file.SHA256) != 2*sha256.Size || badEnd {
			return fmt.Errorf("its entry %.200q is not valid", file.Path)
		}
	}
	return nil
}

// ofText reports whether a generation's file belongs to its full text.
func ofText(file string) bool { return file == blocksName || strings.HasPrefix(file, textName+"/") }

// isSums reports whether a file holds the sums of another one.
func isSums(file string) bool {
	return file == blocksName || file == structureName || file == changesSums || file == recordBlocks
}

// remedyFor returns the remedy for a damaged file: the full text can be rebuilt, the records can't.
func remedyFor(file string) string {
	if ofText(file) {
		return files.RemedyRebuildText
	}
	return files.RemedyRollback
}

// listFiles describes every file under folder except the manifest itself and the sums of blocks, in order of path. It
// does not read files that are hard links to the parent generation's, whose sums are known.
func listFiles(ctx context.Context, folder string, parent *Manifest, parentFolder string) ([]ManifestFile, blockSums,
	error) {
	known := map[string]ManifestFile{}
	var knownBlocks blockSums

	if parent != nil {
		for _, file := range parent.Files {
			known[file.Path] = file
		}
	}

	if parent != nil && parent.blockSize() == blockSize {
		var err error
		if knownBlocks, err = parent.readBlocks(parentFolder); err != nil {
			knownBlocks = nil // then its segments are read
		}
	}
	var listed []ManifestFile
	blocks := blockSums{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}

		relative, err := filepath.Rel(folder, name)
		if err != nil || relative == manifestName || isSums(relative) {
			return err
		}
		inStore := filepath.ToSlash(relative)
		file, shared := known[inStore]
		sums := knownBlocks[inStore]
		// What an older program published lacks the sums of segments' ends and blocks.
		isKnown := !hasBlocks(inStore, file.Size) || (file.End != "" || inStore == evidenceName) && sums != nil

		isParents := shared && sameFile(name, filepath.Join(parentFolder, relative))
		if !isParents || !isKnown {
			want := file.SHA256
			file, sums, err = describe(ctx, name, blockSize)

			file.Path = inStore
			if err == nil && isParents && file.SHA256 != want {
				err = &files.DamageError{Path: name, Reason: contentChanged, Remedy: remedyFor(inStore)}
			}
		}
		listed, blocks[inStore] = append(listed, file), sums
		return err
	})
	slices.SortFunc(listed, func(a, b ManifestFile) int { return strings.Compare(path.Clean(a.Path), path.Clean(b.Path)) })
	return listed, blocks, err
}
