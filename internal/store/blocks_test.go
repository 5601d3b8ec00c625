package store

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/fulltext"
)

// asOfSchema15 gives a generation the manifest and the sums that programs wrote before schema 1.6.0.
func asOfSchema15(t *testing.T, folder string) {
	t.Helper()
	manifest, err := readManifest(folder)
	must(t, err)
	manifest.Schema = database.Schema{Model: 1, Revision: 5}
	var files []ManifestFile
	blocks := blockSums{}
	for _, file := range manifest.Files {
		if file.Path == blocksName || file.Path == recordBlocks {
			continue
		}
		name := filepath.Join(folder, filepath.FromSlash(file.Path))
		_, blocks[file.Path], err = describe(t.Context(), name, olderBlockSize)
		must(t, err)
		files = append(files, file)
	}
	manifest.Files = files
	must(t, manifest.writeBlocks(t.Context(), folder, blocks))
	content, err := manifest.seal()
	must(t, err)
	writeFile(t, filepath.Join(folder, manifestName), string(content))
}

// TestSumsOfLargerBlocks: the sums of a generation of before schema 1.6.0 are of 64 KiB each. They are believed, found
// out where they are wrong, and those of the next generation are of 16 KiB.
func TestSumsOfLargerBlocks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 3000)
	folder := layout{dir: dir}.generation(1)
	request := fulltext.Request{Text: "sotorasib", Limit: 20}
	r := open(t, dir)
	want, err := r.Search(t.Context(), request)
	must(t, err)
	must(t, r.Close())
	asOfSchema15(t, folder)
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Fatalf("Verify: %v, %v", findings, err)
	}
	r = open(t, dir)
	got, err := r.Search(t.Context(), request)
	must(t, err)
	must(t, r.Close())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another answer: %s", diff)
	}
	before, err := readManifest(folder)
	must(t, err)

	segment := firstSegment(t, folder)
	flipByte(t, segment, 3) // of a name that the search gives
	r = open(t, dir)
	if _, err := r.Search(t.Context(), fulltext.Request{Text: "sotorasib", Limit: 3000}); !files.IsDamage(err) {
		t.Errorf("a search that read a changed block: %v", err)
	}
	must(t, r.Close())
	flipByte(t, segment, 3)

	w := begin(t, dir, testOptions())
	commit(t, w, papers(3001, 3001))
	publish(t, w)
	after, err := readManifest(layout{dir: dir}.generation(2))
	must(t, err)
	if before.blockSize() != olderBlockSize || after.blockSize() != blockSize ||
		after.file(blocksName).Size <= before.file(blocksName).Size {
		t.Errorf("blocks of %d and %d bytes, sums of %d and %d", before.blockSize(), after.blockSize(),
			before.file(blocksName).Size, after.file(blocksName).Size)
	}
	if findings, err := Folder(dir).Verify(t.Context(), true); err != nil || len(findings) != 0 {
		t.Errorf("Verify: %v, %v", findings, err)
	}
}
