package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
	"dossier/internal/fulltext"
	"dossier/internal/fulltext/segments"
	"dossier/internal/fulltext/writing"
)

// replaceIn rewrites part of a file.
func replaceIn(t *testing.T, path, old, new string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(content, []byte(old)) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	writeFile(t, path, strings.Replace(string(content), old, new, 1))
}

// rewriteManifest changes a manifest's text, and seals it again.
func rewriteManifest(t *testing.T, folder, old, new string) {
	t.Helper()
	name := filepath.Join(folder, manifestName)
	manifest, err := readManifest(folder)
	must(t, err)
	replaceIn(t, name, manifest.Sum, noSum)
	replaceIn(t, name, old, new)
	content, err := os.ReadFile(name)
	must(t, err)
	sum := sha256.Sum256(content)
	replaceIn(t, name, noSum, hex.EncodeToString(sum[:]))
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// flipByte changes one bit of the byte at a place.
func flipByte(t *testing.T, path string, place int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	one := make([]byte, 1)
	_, err = f.ReadAt(one, place)
	must(t, err)
	_, err = f.WriteAt([]byte{one[0] ^ 0x40}, place)
	must(t, err)
}

func firstSegment(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, textName, "store", "*.zap"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no segment in %s (%v)", folder, err)
	}
	return found[0]
}

// refreshManifest makes a manifest fit the files again, so that what is inside them is looked at.
func refreshManifest(t *testing.T, folder string) {
	t.Helper()
	manifest, err := readManifest(folder)
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(folder, structureName))) // the database may be one that has none to sum
	must(t, os.RemoveAll(filepath.Join(folder, changesSums)))
	var blocks blockSums
	manifest.Files, blocks, err = listFiles(t.Context(), folder, nil, "")
	must(t, err)
	must(t, manifest.writeBlocks(t.Context(), folder, blocks))
	content, err := manifest.seal()
	must(t, err)
	writeFile(t, filepath.Join(folder, manifestName), string(content))
}

// outsideStructure is a place in a generation's database that is not in a page of its structure: that one, or one some
// pages further on.
func outsideStructure(t *testing.T, folder string, place int64) int64 {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(folder, structureName))
	must(t, err)
	structure := map[int64]bool{}
	for entry := range slices.Chunk(sums, 16) {
		for i := range int64(binary.BigEndian.Uint32(entry[8:])) {
			structure[int64(binary.BigEndian.Uint64(entry))+i] = true
		}
	}
	for structure[place/database.PageSize] {
		place += database.PageSize
	}
	return place
}

func TestDamage(t *testing.T) {
	if *withChanges {
		t.Skip("what is wrong is put into one file here")
	}
	t.Parallel()
	tests := []struct {
		name   string
		damage func(t *testing.T, dir, folder string) // folder is the current generation's
		open   string                                 // part of Open's error; empty where Open does not look there
		verify string                                 // part of a finding of Verify
		remedy string                                 // part of the remedy
	}{
		{
			name:   "evidence.db is cut short",
			damage: func(t *testing.T, _, folder string) { must(t, os.Truncate(recordsOf(folder), 20000)) },
			open:   "it has 20000 bytes, not the", verify: "it has 20000 bytes, not the", remedy: "indexer rollback",
		},
		{
			name:   "evidence.db is empty",
			damage: func(t *testing.T, _, folder string) { must(t, os.Truncate(recordsOf(folder), 0)) },
			open:   "it has 0 bytes", verify: "it has 0 bytes", remedy: "indexer rollback",
		},
		{
			name: "evidence.db is missing", damage: func(t *testing.T, _, folder string) {
				must(t, os.Remove(recordsOf(folder)))
			},
			open: "a file of the generation is missing", verify: "a file of the generation is missing",
			remedy: "indexer rollback",
		},
		{
			name: "evidence.db was cut and the manifest says so",
			damage: func(t *testing.T, _, folder string) {
				must(t, os.Truncate(recordsOf(folder), 20480))
				refreshManifest(t, folder)
			},
			open: "it has 20480 bytes and needs", verify: "it has 20480 bytes and needs", remedy: "indexer rollback",
		},
		{
			name:   "the manifest is missing",
			damage: func(t *testing.T, _, folder string) { must(t, os.Remove(filepath.Join(folder, manifestName))) },
			open:   "the manifest can't be read", verify: "the manifest can't be read", remedy: "indexer rollback",
		},
		{
			name:   "the manifest is cut short",
			damage: func(t *testing.T, _, folder string) { must(t, os.Truncate(filepath.Join(folder, manifestName), 40)) },
			open:   "the manifest makes no sense", verify: "the manifest makes no sense", remedy: "indexer rollback",
		},
		{
			name: "the manifest is that of another generation",
			damage: func(t *testing.T, _, folder string) {
				rewriteManifest(t, folder, `"generation": 2`, `"generation": 7`)
			},
			open: "its manifest is that of generation 7", verify: "its manifest is that of generation 7",
			remedy: "indexer rollback",
		},
		{
			name: "the database is that of another generation",
			damage: func(t *testing.T, dir, folder string) {
				content, err := os.ReadFile(recordsOf(layout{dir: dir}.generation(1)))
				must(t, err)
				writeFile(t, recordsOf(folder), string(content))
				refreshManifest(t, folder)
			},
			open: "it is the database of generation 1, not of 2", verify: "it is the database of generation 1, not of 2",
			remedy: "indexer rollback",
		},
		{
			name:   "CURRENT names an older generation",
			damage: func(t *testing.T, dir, _ string) { writeFile(t, filepath.Join(dir, currentName), "000001\n") },
			verify: "it names generation 1, generation 2 is newer and whole, and nobody has rolled back",
			remedy: "indexer rollback --to 2",
		},
		{
			name:   "CURRENT points nowhere",
			damage: func(t *testing.T, dir, _ string) { writeFile(t, filepath.Join(dir, currentName), "000009\n") },
			open:   "it names generation 9, and there is none", verify: "it names generation 9, and there is none",
			remedy: "indexer rollback",
		},
		{
			name:   "CURRENT is empty",
			damage: func(t *testing.T, dir, _ string) { writeFile(t, filepath.Join(dir, currentName), "") },
			open:   `it holds "", not a generation's number`, verify: `it holds ""`, remedy: "indexer rollback",
		},
		{
			name:   "CURRENT is garbage",
			damage: func(t *testing.T, dir, _ string) { writeFile(t, filepath.Join(dir, currentName), "../../etc\n") },
			open:   `it holds "../../etc\n"`, verify: `it holds "../../etc\n"`, remedy: "indexer rollback",
		},
		{
			name:   "CURRENT has more than a line",
			damage: func(t *testing.T, dir, _ string) { writeFile(t, filepath.Join(dir, currentName), "000002\n000001\n") },
			open:   "not a generation's number", verify: "not a generation's number", remedy: "indexer rollback",
		},
		{
			name:   "CURRENT is missing",
			damage: func(t *testing.T, dir, _ string) { must(t, os.Remove(filepath.Join(dir, currentName))) },
			open:   "it is missing, and there are generations", verify: "it is missing", remedy: "indexer rollback",
		},
		{
			name: "a byte of the records is flipped",
			damage: func(t *testing.T, _, folder string) {
				flipByte(t, recordsOf(folder), outsideStructure(t, folder, 3*database.PageSize+900))
			},
			verify: "its content is not what was published", remedy: "indexer rollback",
		},
		{
			name:   "a byte of the full text is flipped",
			damage: func(t *testing.T, _, folder string) { flipByte(t, firstSegment(t, folder), 100) },
			verify: "its content is not what was published", remedy: "indexer verify --repair",
		},
		{
			name: "a byte of a segment's tables is flipped",
			damage: func(t *testing.T, _, folder string) {
				info, err := os.Stat(firstSegment(t, folder))
				must(t, err)
				flipByte(t, firstSegment(t, folder), info.Size()-200)
			},
			open:   "its content is not what was published",
			verify: "its content is not what was published", remedy: "indexer verify --repair",
		},
		{
			name: "a byte of root.bolt is flipped",
			damage: func(t *testing.T, _, folder string) {
				flipByte(t, filepath.Join(folder, textName, "store", "root.bolt"), 9000)
			},
			open:   "its content is not what was published",
			verify: "its content is not what was published", remedy: "indexer verify --repair",
		},
		{
			name:   "a segment of the full text is missing",
			damage: func(t *testing.T, _, folder string) { must(t, os.Remove(firstSegment(t, folder))) },
			open:   "a file of the generation is missing", verify: "a file of the generation is missing",
			remedy: "indexer verify --repair",
		},
		{
			name: "the manifest's schema is newer",
			damage: func(t *testing.T, _, folder string) {
				rewriteManifest(t, folder, fmt.Sprintf(`"schema": %q`, database.CurrentSchema), `"schema": "1.9.0"`)
			},
			open: "has schema 1.9.0 and this program reads up to " + database.CurrentSchema.String() +
				": install the newer program", verify: "has schema 1.9.0", remedy: "install the program",
		},
		{
			name: "the manifest's schema is of another model",
			damage: func(t *testing.T, _, folder string) {
				rewriteManifest(t, folder, fmt.Sprintf(`"schema": %q`, database.CurrentSchema), `"schema": "0.3.0"`)
			},
			open: "has schema 0.3.0 and this program reads 1.x: build a new store", verify: "has schema 0.3.0",
			remedy: "install the program",
		},
		{
			name: "the database's schema is newer",
			damage: func(t *testing.T, _, folder string) {
				changeEntry(t, folder, "meta", "schema", []byte("1.9.0"))
				refreshManifest(t, folder)
			},
			open: "has schema 1.9.0", verify: "has schema 1.9.0", remedy: "install the program",
		},
		{
			name: "the full text has fewer records",
			damage: func(t *testing.T, _, folder string) {
				text, err := openText(filepath.Join(folder, textName), writing.Texts{}, writerWait)
				must(t, err)
				must(t, errors.Join(text.Apply(t.Context(), []segments.Op{{ID: paperID(3)}}, 100), text.Close()))
				refreshManifest(t, folder)
			},
			verify: "it has 99 of 100 records", remedy: "indexer verify --repair",
		},
		{
			name: "an identifier is not in its index",
			damage: func(t *testing.T, _, folder string) {
				changeEntry(t, folder, "identifier_records", "pmid:3\x00"+paperID(3), nil)
				refreshManifest(t, folder)
			},
			verify: "is not found by its identifier PMID:3", remedy: "indexer rollback",
		},
		{
			name: "the index of links holds one that nobody makes",
			damage: func(t *testing.T, _, folder string) {
				key := "pmid:3\x00" + paperID(4)
				changeEntry(t, folder, "links", key, entry("links", key, ""))
				refreshManifest(t, folder)
			},
			verify: "the index holds 1 links of records, and there are 0", remedy: "indexer rollback",
		},
		{
			name: "a source record is gone from under its record",
			damage: func(t *testing.T, _, folder string) {
				changeEntry(t, folder, "sources", "pubmed|3", nil)
				refreshManifest(t, folder)
			},
			verify: `record "PMID:3" can't be read`, remedy: "indexer rollback",
		},
		{
			name: "a judgement can't be read",
			damage: func(t *testing.T, _, folder string) {
				changeEntry(t, folder, "judgements", "k", entry("judgements", "k", "zgarbage"))
				refreshManifest(t, folder)
			},
			verify: `judgement "k" can't be read`, remedy: "indexer rollback",
		},
		{
			name: "a judgement is not what was stored",
			damage: func(t *testing.T, _, folder string) {
				changeEntry(t, folder, "judgements", "k", []byte("0000j{}"))
				refreshManifest(t, folder)
			},
			verify: `in judgements the entry "k" is not what was stored`, remedy: "indexer rollback",
		},
		{
			name: "an answer names a record that is no more",
			damage: func(t *testing.T, _, folder string) {
				text, err := json.Marshal(answerOf("topic", "sotorasib?", night, 199))
				must(t, err)
				changeEntry(t, folder, "answers", "topic", entry("answers", "topic", "j"+string(text)))
				refreshManifest(t, folder)
			},
			verify: `names record "PMID:199", which is no more`, remedy: "indexer run",
		},
		{
			name:   "a foreign file lies in the generation",
			damage: func(t *testing.T, _, folder string) { writeFile(t, filepath.Join(folder, "notes.txt"), "hello") },
			verify: "this is no part of the store", remedy: "move it elsewhere",
		},
		{
			name: "a foreign file lies among the generations",
			damage: func(t *testing.T, dir, _ string) {
				writeFile(t, filepath.Join(dir, generationsName, "notes.txt"), "hello")
			},
			verify: "this is no part of the store", remedy: "move it elsewhere",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := prepared(t, 80, 100) // the first's segment is more than its end
			tt.damage(t, dir, layout{dir: dir}.generation(2))
			checkOpen(t, dir, tt.open, tt.remedy)
			checkVerify(t, dir, tt.verify, tt.remedy)
			if !exists(filepath.Join(dir, generationsName, "000001")) || !exists(filepath.Join(dir, generationsName, "000002")) {
				t.Error("a generation was removed")
			}
		})
	}
}

func checkOpen(t *testing.T, dir, want, remedy string) {
	t.Helper()
	r, err := Folder(dir).Open(t.Context())
	if err == nil {
		defer r.Close()
	}
	switch {
	case want == "" && err != nil:
		t.Errorf("Open: %v", err)
	case want == "":
	case err == nil:
		t.Errorf("Open found nothing wrong; it should say %q", want)
	case !strings.Contains(err.Error(), want):
		t.Errorf("Open says %q, which lacks %q", err, want)
	}
	var damaged *files.DamageError
	if errors.As(err, &damaged) && !strings.Contains(damaged.Remedy, remedy) {
		t.Errorf("the remedy is %q, which lacks %q", damaged.Remedy, remedy)
	}
}

func checkVerify(t *testing.T, dir, want, remedy string) {
	t.Helper()
	findings, err := Folder(dir).Verify(t.Context(), true)
	if err != nil {
		t.Fatalf("Verify: %v", err)
	}
	for _, finding := range findings {
		if strings.Contains(finding.Problem, want) && strings.Contains(finding.Remedy, remedy) {
			return
		}
	}
	t.Errorf("no finding says %q with the remedy %q:\n%v", want, remedy, findings)
}

func TestAWholeStoreHasNoFindings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 300)
	w := begin(t, dir, testOptions())
	commit(t, w, Batch{Answers: answersOf("topic", 1, 2), DropSources: []string{"pubmed|5"}, Drop: []string{paperID(5)},
		Redirect: map[string]string{paperID(5): paperID(6)}})
	publish(t, w)
	for _, deep := range []bool{false, true} {
		if findings, err := Folder(dir).Verify(t.Context(), deep); err != nil || len(findings) != 0 {
			t.Errorf("Verify(deep=%v): %v, %v", deep, findings, err)
		}
	}
}

func TestDamagedBuilding(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		damage func(t *testing.T, folder string)
		aside  string // the folder's suffix after Begin; empty where it is taken up
		keeps  bool   // the judgement committed there is still known
	}{
		{"it is whole", func(*testing.T, string) {}, "", true},
		{"a publication left scraps", func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, manifestName), "{}")
			writeFile(t, filepath.Join(folder, manifestName+files.Suffix), "{")
			writeFile(t, filepath.Join(folder, evidenceName+files.Suffix), "half")
			must(t, os.Mkdir(filepath.Join(folder, textName+files.Suffix), 0o755))
		}, "", true},
		{"evidence.db is cut short", func(t *testing.T, folder string) {
			must(t, os.Truncate(recordsOf(folder), 20480))
		}, brokenSuffix, false},
		{"evidence.db is empty", func(t *testing.T, folder string) { writeFile(t, recordsOf(folder), "") },
			brokenSuffix, false},
		{"evidence.db is garbage", func(t *testing.T, folder string) {
			writeFile(t, recordsOf(folder), strings.Repeat("garbage ", 4096))
		}, brokenSuffix, false},
		{"the branches of evidence.db lead to themselves", func(t *testing.T, folder string) {
			content, err := os.ReadFile(recordsOf(folder))
			must(t, err)
			branches := 0
			// A header: number 8, kind 2, and 6 more; an element: place 4, size 4, page 8.
			for at := 0; at < len(content); at += database.PageSize {
				if binary.LittleEndian.Uint16(content[at+8:]) == 1 {
					copy(content[at+24:at+32], content[at:at+8])
					branches++
				}
			}
			if branches == 0 {
				t.Fatal("it has no branches")
			}
			writeFile(t, recordsOf(folder), string(content))
		}, brokenSuffix, false},
		{"the full text is gone", func(t *testing.T, folder string) {
			must(t, os.RemoveAll(filepath.Join(folder, textName)))
		}, "", true},
		{"the full text is garbage", func(t *testing.T, folder string) {
			writeFile(t, filepath.Join(folder, textName, "store", "root.bolt"), "garbage")
		}, "", true},
		{"a bucket is gone, and judgements can be read", func(t *testing.T, folder string) {
			changeDatabase(t, recordsOf(folder), func(tx *bolt.Tx) error {
				return tx.DeleteBucket([]byte("titles"))
			})
		}, brokenSuffix, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := prepared(t, 20)
			w := begin(t, dir, testOptions())
			commit(t, w, papers(21, 40))
			must(t, w.Close())
			tt.damage(t, layout{dir: dir}.building(2))

			again := begin(t, dir, testOptions())
			if _, found, err := again.Judgement(evidence.JudgementKey("q", "30", "m", "1")); err != nil || found != tt.keeps {
				t.Errorf("the judgement is known: %v, want %v (%v)", found, tt.keeps, err)
			}
			if aside := filepath.Join(dir, buildingName, "000002"+tt.aside); !exists(aside) {
				t.Errorf("%s is not there", aside)
			}
			commit(t, again, papers(21, 45))
			generation := publish(t, again)
			if generation.Counts.Records != 45 {
				t.Errorf("published %+v", generation)
			}
			findings, err := Folder(dir).Verify(t.Context(), true)
			for _, finding := range findings {
				if !finding.Warning || finding.Generation != 0 {
					t.Errorf("afterwards: %v", finding)
				}
			}
			must(t, err)
			must(t, open(t, dir).Close())
		})
	}
}

// TestFailingNightsDoNotFillTheDisk: what was set aside is a whole copy of the store; one stays to look at, and its
// size is told.
func TestFailingNightsDoNotFillTheDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 20)
	for night := range 4 {
		w := begin(t, dir, testOptions())
		commit(t, w, papers(21+night, 22+night))
		must(t, w.Close())
		folders, err := listGenerations(layout{dir: dir}.buildings())
		must(t, err)
		writeFile(t, recordsOf(layout{dir: dir}.building(folders[0])), strings.Repeat("garbage ", 4096))
	}
	must(t, begin(t, dir, testOptions()).Close())
	info, err := Folder(dir).Status(t.Context())
	must(t, err)
	if len(info.Building) != 1 || !info.Building[0].Aside || info.Building[0].Size < 8*4096 ||
		!strings.HasSuffix(info.Building[0].Path, "000005"+brokenSuffix) {
		t.Errorf("left: %+v", info.Building)
	}
}

// TestPruningWithNothingNew: fewer generations may be wanted than before.
func TestPruningWithNothingNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for n := range 3 {
		publishPapers(t, dir, 1+10*n, 10+10*n)
	}
	options := testOptions()
	options.Keep = 1
	w := begin(t, dir, options)
	publish(t, w)
	if numbers, err := listGenerations(layout{dir: dir}.generations()); err != nil || !slices.Equal(numbers, []int{3}) {
		t.Errorf("generations %v: %v", numbers, err)
	}
}

func TestRebuildText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 20)
	must(t, os.RemoveAll(filepath.Join(layout{dir: dir}.generation(1), textName)))
	if _, err := Folder(dir).Begin(t.Context(), testOptions()); !files.IsDamage(err) || !strings.Contains(err.Error(),
		"indexer verify --repair") {
		t.Errorf("Begin on a store without its text: %v", err)
	}
	generation, err := Folder(dir).RebuildText(t.Context(), testOptions())
	if err != nil || generation.Number != 2 || generation.Counts.Records != 20 {
		t.Fatalf("RebuildText: %+v, %v", generation, err)
	}
	found, err := open(t, dir).Search(t.Context(), fulltext.Request{Text: "sotorasib"})
	if err != nil || found.Total != 20 {
		t.Errorf("Search: %+v, %v", found, err)
	}
}
