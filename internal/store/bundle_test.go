//go:build unix

package store

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"dossier/internal/database"
)

// A part is one entry of a bundle that a test makes.
type part struct {
	header tar.Header
	data   []byte
}

// packed makes a bundle of parts, whatever they are.
func packed(t testing.TB, parts []part) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder, err := zstd.NewWriter(&out)
	must(t, err)
	archive := tar.NewWriter(encoder)
	for _, p := range parts {
		must(t, archive.WriteHeader(&p.header))
		_, err := archive.Write(p.data)
		must(t, err)
	}
	must(t, errors.Join(archive.Close(), encoder.Close()))
	return out.Bytes()
}

// partsOf takes a bundle apart.
func partsOf(t testing.TB, content []byte) (parts []part) {
	t.Helper()
	plain, err := zstd.NewReader(bytes.NewReader(content))
	must(t, err)
	defer plain.Close()
	archive := tar.NewReader(plain)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return parts
		}
		must(t, err)
		data, err := io.ReadAll(archive)
		must(t, err)
		parts = append(parts, part{*header, data})
	}
}

// plainFile is a part as an export writes them.
func plainFile(name string, data []byte) part {
	return part{tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(data)), Mode: 0o644}, data}
}

// announced has the manifest, which is the first of parts, say something else and fit its own sum.
func announced(t testing.TB, parts []part, change func(m *Manifest)) []part {
	t.Helper()
	manifest, err := parseManifest(parts[0].data)
	must(t, err)
	change(&manifest)
	content, err := manifest.seal()
	must(t, err)
	return append([]part{plainFile(manifestName, content)}, parts[1:]...)
}

// inPlace has another part stand where the one at i stands.
func inPlace(parts []part, i int, p part) []part {
	out := append([]part(nil), parts...)
	out[i] = p
	return out
}

func TestAnExportMakesTheSameBytes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	publishPapers(t, dir, 1, 30)
	first := exported(t, dir, 0)
	must(t, os.Chtimes(recordsOf(layout{dir: dir}.generation(1)), time.Now(), time.Unix(1, 0)))
	if !bytes.Equal(first, exported(t, dir, 1)) {
		t.Error("two exports of a generation differ")
	}
	_, err := Folder(dir).Export(t.Context(), ExportRequest{Generation: 7}, io.Discard)
	if !errors.Is(err, ErrNoGeneration) {
		t.Errorf("a generation that is not there: %v", err)
	}
	flipByte(t, filepath.Join(layout{dir: dir}.generation(1), structureName), 3)
	if _, err := Folder(dir).Export(t.Context(), ExportRequest{Generation: 1}, io.Discard); err == nil {
		t.Error("a damaged generation is exported")
	}
}

func TestImportBringsWhatWasExported(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "deep", "to")
	publishPapers(t, from, 1, 10)
	publishPapers(t, from, 11, 30)
	content := exported(t, from, 0)
	want, err := contentsOf(t.Context(), open(t, from))
	must(t, err)
	for _, c := range []struct {
		name           string
		number, parent int
	}{
		{"into nothing, with its own number", 2, 1},
		{"once more, with the next number", 3, 2},
	} {
		before, _ := Folder(to).Current(t.Context())
		done, err := Folder(to).Import(t.Context(), incoming(content), testOptions())
		must(t, err)
		if done.Number != c.number || done.Parent != c.parent || done.From.Number != 2 || done.Before.Number != before {
			t.Errorf("%s: %+v", c.name, done)
		}
		there, here := layout{dir: from}.generation(2), layout{dir: to}.generation(c.number)
		same := bytes.Equal(contentUnder(t, there), contentUnder(t, here))
		if same != (c.number == 2) {
			t.Errorf("%s: the same bytes: %v", c.name, same)
		}
		got, err := contentsOf(t.Context(), open(t, to))
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the store has other contents (-want +got):\n%s", c.name, diff)
		}
		if findings, err := Folder(to).Verify(t.Context(), true); err != nil || len(findings) > 0 {
			t.Errorf("%s: %v, %v", c.name, findings, err)
		}
	}
}

// TestAnImportKeepsWhatWasPaidFor: judgements of the store that imports, and the age of what is imported.
func TestAnImportKeepsWhatWasPaidFor(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	built := publishPapers(t, from, 1, 10).Built
	publishPapers(t, to, 41, 50)
	later := testOptions()
	later.Now = func() time.Time { return night.Add(48 * time.Hour) }
	done, err := Folder(to).Import(t.Context(), incoming(exported(t, from, 0)), later)
	must(t, err)
	if done.Number != 2 || done.Counts.Records != 10 || done.Counts.Judgements != 20 || !done.Built.Equal(built) {
		t.Errorf("imported %+v, built %v", done, built)
	}
	if back, err := Folder(to).Rollback(t.Context(), 0, later); err != nil || back.Number != 1 {
		t.Errorf("the way back leads to %+v, %v", back, err)
	}
}

func TestAHostileBundleChangesNothing(t *testing.T) {
	from, other := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "other")
	publishPapers(t, from, 1, 30)
	publishPapers(t, other, 31, 60)
	whole := exported(t, from, 0)
	parts, foreign := partsOf(t, whole), partsOf(t, exported(t, other, 0))
	last := parts[len(parts)-1]
	bad := func(name string, kind byte, link string) []byte {
		return packed(t, inPlace(parts, 1, part{tar.Header{Typeflag: kind, Name: name, Linkname: link, Mode: 0o644}, nil}))
	}
	listed := func(change func(m *Manifest)) []byte { return packed(t, announced(t, parts, change)) }
	cases := []unwanted{
		{"nothing", nil, "it holds nothing"},
		{"text", []byte("PMID- 99000001\n"), "it is no bundle"},
		{"zstd of something else", packed(t, []part{plainFile("readme.txt", []byte("x"))}), "not with a manifest"},
		{"an archive without entries", packed(t, nil), "it holds nothing"},
		{"a path that climbs out", bad("../evidence.db", tar.TypeReg, ""), `it holds "../evidence.db" where`},
		{"an absolute path", bad("/etc/passwd", tar.TypeReg, ""), `it holds "/etc/passwd" where`},
		{"a link", bad(evidenceName, tar.TypeSymlink, "/etc/passwd"), "is no regular file"},
		{"a hard link", bad(evidenceName, tar.TypeLink, "/etc/passwd"), "is no regular file"},
		{"a device", bad(evidenceName, tar.TypeChar, ""), "is no regular file"},
		{"a pipe", bad(evidenceName, tar.TypeFifo, ""), "is no regular file"},
		{"a folder", bad(evidenceName+"/", tar.TypeDir, ""), `it holds "evidence.db/" where`},
		{"a sparse file", packed(t, inPlace(parts, 1, part{tar.Header{Typeflag: tar.TypeReg, Name: evidenceName,
			Size: parts[1].header.Size, PAXRecords: map[string]string{"DOSSIER.x": "1"}}, parts[1].data})),
			"is no regular file"},
		{"a file twice", packed(t, append(append([]part(nil), parts...), last)), "does not list there"},
		{"a file that is not listed", packed(t, append(append([]part(nil), parts...), plainFile("x", nil))),
			"does not list there"},
		{"a file is missing", packed(t, parts[:len(parts)-1]), `"text.sums" is missing`},
		{"files in another order", packed(t, append([]part{parts[0], parts[2], parts[1]}, parts[3:]...)),
			"where its manifest lists"},
		{"a size that lies", packed(t, inPlace(parts, 1, plainFile(evidenceName, parts[1].data[:4096]))),
			"has 4096 bytes, and its manifest says"},
		{"other content", packed(t, inPlace(parts, 1, plainFile(evidenceName, make([]byte, len(parts[1].data))))),
			"is not what was exported"},
		{"a manifest that is too long", packed(t, []part{plainFile(manifestName, make([]byte, maxManifestSize+1))}),
			"are the most"},
		{"a manifest that was changed", packed(t, inPlace(parts, 0, plainFile(manifestName,
			bytes.Replace(parts[0].data, []byte(`"records": 30`), []byte(`"records": 31`), 1)))), "makes no sense"},
		{"counts that lie", listed(func(m *Manifest) { m.Counts.Records++ }), "is no whole generation"},
		{"another number", listed(func(m *Manifest) { m.Number = 99 }), "is no whole generation"},
		{"a newer schema", listed(func(m *Manifest) { m.Schema = database.Schema{Model: 1, Revision: 99} }),
			"it has store schema 1.99.0"},
		{"a listed path that climbs out", listed(func(m *Manifest) { m.Files[0].Path = "../x" }), "makes no sense"},
		{"a listed path of no generation", listed(func(m *Manifest) { m.Files[0].Path = "LOCK" }), "no generation holds"},
		{"sums of other blocks", withSums(t, parts, blocksName), "text.sums is not of its files"},
		{"sums of other pages", withSums(t, parts, structureName), "is no whole generation: evidence"},
		{"a part with a topic that can't be", listed(func(m *Manifest) { m.Part = []string{"../x"} }), "makes no sense"},
		{"a file listed twice", listed(func(m *Manifest) { m.Files[1] = m.Files[0] }), "twice or out of order"},
		{"too much", listed(func(m *Manifest) { m.Files[0].Size = 65 << 20 }), "--max-size"},
		{"more than a number holds", listed(func(m *Manifest) {
			m.Files[0].Size, m.Files[1].Size = 1<<62, 1<<62
		}), "--max-size"},
		{"another store's database", packed(t, announced(t, inPlace(parts, 1, foreign[1]), func(m *Manifest) {
			listedThere, err := parseManifest(foreign[0].data)
			must(t, err)
			m.Files[0] = listedThere.Files[0]
		})), "is no whole generation"},
		{"a bomb", bomb(t), errTooMuch.Error()},
		{"something behind its end", append(append([]byte(nil), whole...), "more"...), "can't be read|cut short"},
		{"a window of 128 MiB", windowed(t, whole), "a window of more than 32 MiB"},
		{"a window as large as all that is in it", inOneSegment(t), "a window of more than 32 MiB"},
		{"zeros behind its end, and more", padded(t, whole, tarRecord, "more"), "stands behind its end"},
		{"zeros without an end", padded(t, whole, 1<<20, ""), "stands behind its end"},
		{"a second frame", append(append([]byte(nil), whole...), whole...), "stands behind its end"},
	}
	for cut := 1; cut <= 10; cut++ {
		cases = append(cases, unwanted{"cut after so many tenths", whole[:(len(whole)-1)*cut/10], "cut short|can't be read"})
	}
	to := filepath.Join(t.TempDir(), "to")
	publishPapers(t, to, 1, 5)
	refuses(t, to, cases)
}

// windowed packs a bundle's archive once more, with a window of 128 MiB.
func windowed(t testing.TB, bundle []byte) []byte {
	t.Helper()
	plain, err := zstd.NewReader(bytes.NewReader(bundle))
	must(t, err)
	defer plain.Close()
	var out bytes.Buffer
	encoder, err := zstd.NewWriter(&out, zstd.WithWindowSize(128<<20))
	must(t, err)
	_, err = io.Copy(encoder, plain)
	must(t, errors.Join(err, encoder.Close()))
	return out.Bytes()
}

// inOneSegment is a frame whose window is all that is in it: more than is allowed.
func inOneSegment(t testing.TB) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	must(t, err)
	return encoder.EncodeAll(make([]byte, bundleWindow+1), nil)
}

// padded has zeros stand behind a bundle's archive, and more behind these.
func padded(t testing.TB, bundle []byte, zeros int, more string) []byte {
	t.Helper()
	plain, err := zstd.NewReader(nil)
	must(t, err)
	defer plain.Close()
	archive, err := plain.DecodeAll(bundle, nil)
	must(t, err)
	encoder, err := zstd.NewWriter(nil)
	must(t, err)
	return encoder.EncodeAll(append(append(archive, make([]byte, zeros)...), more...), nil)
}

// TestABundleThatTarHasPackedIsTakenIn: tar fills its last record with zeros.
func TestABundleThatTarHasPackedIsTakenIn(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	publishPapers(t, from, 1, 5)
	must(t, imports(t, to, padded(t, exported(t, from, 0), tarRecord-512, "")))
	if !bytes.Equal(contentUnder(t, layout{dir: from}.generation(1)), contentUnder(t, layout{dir: to}.generation(1))) {
		t.Error("it has become another generation")
	}
}

// unwanted is a bundle that no store takes in, and what is said.
type unwanted struct {
	name    string
	content []byte
	want    string
}

// refuses has a store refuse bundles, each for its reason, and stay as it was.
func refuses(t *testing.T, to string, cases []unwanted) {
	t.Helper()
	before := contentUnder(t, to)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Folder(to).Import(t.Context(), incoming(c.content), testOptions())
			var reason *BundleError
			if !errors.As(err, &reason) || !strings.Contains(err.Error(), "nothing was imported") || reason.Remedy == "" ||
				!containsOne(err.Error(), c.want) {
				t.Errorf("want %q, got %v", c.want, err)
			}
			if !bytes.Equal(contentUnder(t, to), before) {
				t.Error("the store was changed")
			}
		})
	}
}

// withSums is a bundle with other sums in one of its files of them, which are what its manifest says.
func withSums(t testing.TB, parts []part, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(parts, func(p part) bool { return p.header.Name == name })
	changed := append(bytes.Clone(parts[i].data), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	return packed(t, announced(t, inPlace(parts, i, plainFile(name, changed)), func(m *Manifest) {
		file := m.file(name)
		sum := sha256.Sum256(changed)
		file.Size, file.SHA256 = int64(len(changed)), hex.EncodeToString(sum[:])
	}))
}

// TestAFlippedBitBringsNothingElse: it is refused, but for some bits of the packing that stand for nothing, of which
// comes what was exported.
func TestAFlippedBitBringsNothingElse(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	publishPapers(t, from, 1, 5)
	whole := exported(t, from, 0)
	want := contentUnder(t, layout{dir: from}.generation(1))
	harmless := 0
	for i := range 200 {
		changed := bytes.Clone(whole)
		changed[i*len(whole)/200] ^= 1 << (i % 8)
		b, err := openBundle(t.Context(), incoming(changed))
		if err != nil {
			continue
		}
		folder := t.TempDir()
		err = b.unpack(folder)
		b.unpacked.Close()
		if err != nil {
			continue
		}
		if harmless++; !bytes.Equal(contentUnder(t, folder), want) {
			t.Errorf("the bit in byte %d brings something else", i*len(whole)/200)
		}
	}
	if harmless > 20 {
		t.Errorf("%d of 200 bits are not seen", harmless)
	}
}

// TestAnImportAsksBeforeItPublishes: a bundle that became another one while it was read is not published.
func TestAnImportAsksBeforeItPublishes(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	publishPapers(t, from, 1, 5)
	publishPapers(t, to, 1, 5)
	before, refused := contentUnder(t, to), errors.New("another one")
	in := incoming(exported(t, from, 0))
	in.Confirm = func() error { return refused }
	if _, err := Folder(to).Import(t.Context(), in, testOptions()); !errors.Is(err, refused) {
		t.Errorf("Import: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Folder(to).Import(ctx, incoming(exported(t, from, 0)), testOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if !bytes.Equal(contentUnder(t, to), before) {
		t.Error("the store was changed")
	}
}

// bomb is a file of some kilobytes that unpacks into headers without an end.
func bomb(t testing.TB) []byte {
	t.Helper()
	var one, out bytes.Buffer
	must(t, tar.NewWriter(&one).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "x",
		PAXRecords: map[string]string{"comment": "x"}}))
	encoder, err := zstd.NewWriter(&out)
	must(t, err)
	_, err = encoder.Write(bytes.Repeat(one.Bytes()[:1024], 64<<10)) // what stands before an entry, again and again
	must(t, errors.Join(err, encoder.Close()))
	if out.Len() > 64<<10 {
		t.Fatalf("the bomb has %d bytes", out.Len())
	}
	return out.Bytes()
}

func containsOne(text, wanted string) bool {
	for want := range strings.SplitSeq(wanted, "|") {
		if strings.Contains(text, want) {
			return true
		}
	}
	return false
}

// FuzzBundle: whatever comes, unpacking writes below its folder alone, no more than is allowed, and what it takes in
// fits the manifest.
func FuzzBundle(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "data")
	publishPapers(f, dir, 1, 2)
	whole := exported(f, dir, 0)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte("(\xb5/\xfd"))
	f.Fuzz(func(t *testing.T, content []byte) {
		in := incoming(content)
		in.MaxSize = 4 << 20
		b, err := openBundle(t.Context(), in)
		if err != nil {
			return
		}
		defer b.unpacked.Close()
		if b.manifest.Size() > in.MaxSize {
			t.Fatalf("%d bytes are announced and let in", b.manifest.Size())
		}
		folder := t.TempDir()
		if b.unpack(folder) != nil {
			return
		}
		for _, file := range b.manifest.Files {
			name := filepath.Join(folder, filepath.FromSlash(file.Path))
			if found, err := sumFrom(t.Context(), name, 0); err != nil || found != file.SHA256 {
				t.Fatalf("%s: %v", file.Path, err)
			}
		}
	})
}

// TestAnOlderBundleTakesNoNewerOnesPlace: it would show again what was retracted since. What is older is told by the
// counter, which goes from store to store, and by the time that it was built.
func TestAnOlderBundleTakesNoNewerOnesPlace(t *testing.T) {
	at := func(hours int) BeginOptions {
		options := testOptions()
		options.Now = func() time.Time { return night.Add(time.Duration(hours) * time.Hour) }
		return options
	}
	from := filepath.Join(t.TempDir(), "from")
	var bundles [][]byte
	for n := range 3 {
		w := begin(t, from, at(n))
		commit(t, w, papers(1+n*5, 5+n*5))
		publish(t, w)
		must(t, w.Close())
		bundles = append(bundles, exported(t, from, 0))
	}
	first, err := readManifest(layout{dir: from}.generation(1))
	must(t, err)
	second, err := readManifest(layout{dir: from}.generation(2))
	must(t, err)
	if first.Counter != 1 || first.ParentSum != "" || second.Counter != 2 || second.ParentSum != first.Sum {
		t.Errorf("the first is the %d. after %q, the second the %d. after %q", first.Counter, first.ParentSum,
			second.Counter, second.ParentSum)
	}
	for _, tc := range []struct {
		name   string
		before func(t *testing.T, dir string) // what is done to the store that imports
		bundle int                            // of bundles
		fails  bool
	}{
		{"into nothing", func(*testing.T, string) {}, 0, false},
		{"the next", func(t *testing.T, dir string) { takeInto(t, dir, bundles[0]) }, 2, false},
		{"the same once more", func(t *testing.T, dir string) { takeInto(t, dir, bundles[1]) }, 1, false},
		{"the one before", func(t *testing.T, dir string) { takeInto(t, dir, bundles[1]) }, 0, true},
		{"the one before, in a store of other numbers", func(t *testing.T, dir string) {
			publishAt(t, dir, at(-9))
			publishAt(t, dir, at(-8))
			importAnyway(t, dir, bundles[2])
		}, 1, true},
		{"the next, in a store of higher numbers", func(t *testing.T, dir string) {
			for n := range 5 {
				publishAt(t, dir, at(n-9))
			}
			importAnyway(t, dir, bundles[1])
		}, 2, false},
		{"one built before a night of this store's own", func(t *testing.T, dir string) {
			takeInto(t, dir, bundles[0])
			publishAt(t, dir, at(5))
		}, 2, true},
		{"the same after a rollback to it", func(t *testing.T, dir string) {
			takeInto(t, dir, bundles[0])
			takeInto(t, dir, bundles[2])
			_, err := Folder(dir).Rollback(t.Context(), 1, at(6))
			must(t, err)
		}, 1, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "to")
			tc.before(t, dir)
			before, _ := Folder(dir).Current(t.Context())
			_, err := Folder(dir).Import(t.Context(), incoming(bundles[tc.bundle]), at(9))
			if _, refused := errors.AsType[*BundleError](err); refused != tc.fails || err != nil && !refused {
				t.Fatalf("%v", err)
			}
			if !tc.fails {
				return
			}
			if now, _ := Folder(dir).Current(t.Context()); now != before ||
				!strings.Contains(err.Error(), "retracted since would be shown as evidence again") {
				t.Errorf("generation %d became %d: %v", before, now, err)
			}
			importAnyway(t, dir, bundles[tc.bundle])
		})
	}
}

func takeInto(t *testing.T, dir string, content []byte) {
	t.Helper()
	_, err := Folder(dir).Import(t.Context(), incoming(content), testOptions())
	must(t, err)
}

func importAnyway(t *testing.T, dir string, content []byte) {
	t.Helper()
	in := incoming(content)
	in.AllowOlder = true
	_, err := Folder(dir).Import(t.Context(), in, testOptions())
	must(t, err)
}

func publishAt(t *testing.T, dir string, options BeginOptions) {
	t.Helper()
	w := begin(t, dir, options)
	commit(t, w, papers(101, 105))
	publish(t, w)
	must(t, w.Close())
}
