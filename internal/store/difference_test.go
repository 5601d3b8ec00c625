//go:build unix

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"dossier/internal/files"
)

// since is a bundle of what generation 0, the current one, has and an older one has not.
func since(t testing.TB, dir string, older int) []byte {
	t.Helper()
	var out bytes.Buffer
	_, err := Folder(dir).Export(t.Context(), ExportRequest{Since: older}, &out)
	must(t, err)
	return out.Bytes()
}

// threeNights is a store of 300, 305 and 310 papers, and one that has imported the first of its generations.
func threeNights(t testing.TB) (from, to string) {
	t.Helper()
	from, to = filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	publishPapers(t, from, 1, 300)
	must(t, imports(t, to, exported(t, from, 0)))
	publishPapers(t, from, 301, 305)
	publishPapers(t, from, 306, 310)
	return from, to
}

// TestADifferenceMakesTheSameGeneration: byte for byte, one night after the other or two at once.
func TestADifferenceMakesTheSameGeneration(t *testing.T) {
	from, to := threeNights(t)
	content := since(t, from, 1)
	if whole := exported(t, from, 0); len(content) > len(whole)/4*3 {
		t.Errorf("the difference has %d bytes, and the whole %d", len(content), len(whole))
	}
	if !bytes.Equal(content, since(t, from, 1)) {
		t.Error("two exports of a difference differ")
	}
	same := func() {
		t.Helper()
		number, err := Folder(to).Current(t.Context())
		must(t, err)
		there, here := layout{dir: from}.generation(number), layout{dir: to}.generation(number)
		if !bytes.Equal(contentUnder(t, there), contentUnder(t, here)) {
			t.Errorf("generation %d is another here", number)
		}
		if findings, err := Folder(to).Verify(t.Context(), true); err != nil || len(findings) > 0 {
			t.Errorf("%v, %v", findings, err)
		}
	}
	must(t, imports(t, to, content))
	same()
	publishPapers(t, from, 400, 410)
	must(t, imports(t, to, since(t, from, 3)))
	same()
	if next := publishPapers(t, to, 500, 501); next.Parent != 4 || next.Counts.Records != 323 {
		t.Errorf("the next writer made %+v", next)
	}
}

func TestADifferenceNeedsItsBase(t *testing.T) {
	from, whole := threeNights(t)
	content := since(t, from, 1)
	first := exported(t, from, 1)
	for _, c := range []struct {
		name    string
		prepare func(dir string)
		want    string
		damaged bool
	}{
		{"no store", func(string) {}, "this store has no generation", false},
		{"another store's generation of that number", func(dir string) { publishPapers(t, dir, 1, 5) },
			"this store has another generation of that number", false},
		{"the base is gone", func(dir string) { must(t, imports(t, dir, exported(t, from, 2))) },
			"has not got that: kept are [2]", false},
		{"it is here already", func(dir string) {
			must(t, imports(t, dir, first))
			must(t, imports(t, dir, content))
		}, "this store has gone on to 3", false},
		{"the store has gone on by itself", func(dir string) {
			must(t, imports(t, dir, first))
			publishPapers(t, dir, 600, 601)
			publishPapers(t, dir, 602, 603)
		}, "this store has gone on to 3", false},
		{"judgements that were paid for here", func(dir string) {
			must(t, imports(t, dir, first))
			publishPapers(t, dir, 600, 601)
		}, "generation 2 has judgements that it lacks", false},
		{"the base's records are damaged", func(dir string) {
			must(t, imports(t, dir, first))
			flipByte(t, recordsOf(layout{dir: dir}.generation(1)), 5000)
		}, "import a whole bundle", true},
		{"the base's text is damaged", func(dir string) {
			must(t, imports(t, dir, first))
			flipByte(t, firstSegment(t, layout{dir: dir}.generation(1)), 5000)
		}, "import a whole bundle", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			c.prepare(dir)
			var before []byte
			_, noStore := Folder(dir).Current(t.Context())
			if noStore == nil {
				before = contentUnder(t, dir)
			}
			err := imports(t, dir, content)
			var refused *BundleError
			if errors.As(err, &refused) == c.damaged || files.IsDamage(err) != c.damaged ||
				!strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "nothing was imported") {
				t.Errorf("want %q, got %v", c.want, err)
			}
			_, then := Folder(dir).Current(t.Context())
			if noStore == nil && !bytes.Equal(contentUnder(t, dir), before) || (then == nil) != (noStore == nil) {
				t.Error("the store was changed")
			}
		})
	}
	must(t, imports(t, whole, content))
}

func TestAHostileDifferenceChangesNothing(t *testing.T) {
	if *withChanges {
		t.Skip("so few changes come whole")
	}
	from, to := threeNights(t)
	whole := since(t, from, 1)
	parts := partsOf(t, whole)
	says := func(change func(d *difference)) []byte {
		var d difference
		must(t, json.Unmarshal(parts[0].data, &d))
		change(&d)
		content, err := json.Marshal(d)
		must(t, err)
		return packed(t, inPlace(parts, 0, plainFile(differenceName, content)))
	}
	var d difference
	must(t, json.Unmarshal(parts[0].data, &d))
	if d.Files[0].Path != evidenceName || len(d.Files[0].Blocks) == 0 {
		t.Fatalf("the records do not come in blocks: %.300s", parts[0].data)
	}
	listed := func(change func(m *Manifest)) []byte {
		return packed(t, append([]part{parts[0]}, announced(t, parts[1:], change)...))
	}
	blocks := parts[2]
	cases := []unwanted{
		{"no manifest", packed(t, parts[:1]), "its manifest is missing"},
		{"two of them", packed(t, append([]part{parts[0]}, parts...)), "where its manifest should"},
		{"no JSON", packed(t, inPlace(parts, 0, plainFile(differenceName, []byte("{")))), "makes no sense"},
		{"another format", says(func(d *difference) { d.Format = "x" }), "makes no sense"},
		{"no base", says(func(d *difference) { d.Base = 0 }), "names no generation"},
		{"a base without a sum", says(func(d *difference) { d.BaseSum = "" }), "names no generation"},
		{"another base's sum", says(func(d *difference) { d.BaseSum = strings.Repeat("0", 64) }), "another generation"},
		{"made of itself", says(func(d *difference) { d.Base = 3 }), "makes generation 3 of generation 3"},
		{"a file that its manifest does not list", says(func(d *difference) {
			d.Files = append(d.Files, differentFile{Path: "x"})
		}), "does not list"},
		{"a file that neither has", listed(func(m *Manifest) {
			m.Files = append(m.Files, m.Files[len(m.Files)-1])
			m.Files[len(m.Files)-2].Path = "text.bleve/store/zzz.zap"
			m.Files[len(m.Files)-2].End = ""
		}), "neither it nor generation 1 holds"},
		{"a changed file that it leaves out", says(func(d *difference) { d.Files = d.Files[1:] }), "does not bring"},
		{"a file twice", says(func(d *difference) { d.Files = append(d.Files[:1], d.Files...) }), "twice or out of order"},
		{"blocks beyond the end", says(func(d *difference) { d.Files[0].Blocks = []span{{0, 1 << 40}} }), "make no sense"},
		{"blocks before the beginning", says(func(d *difference) { d.Files[0].Blocks = []span{{-1, 1}} }),
			"make no sense"},
		{"no blocks in a span", says(func(d *difference) { d.Files[0].Blocks = []span{{0, 0}} }), "make no sense"},
		{"more than a number holds", says(func(d *difference) { d.Files[0].Blocks = []span{{1 << 62, 1 << 62}} }),
			"make no sense"},
		{"spans that overlap", says(func(d *difference) { d.Files[0].Blocks = []span{{0, 2}, {1, 2}} }), "make no sense"},
		{"other blocks", says(func(d *difference) {
			d.Files[0].Blocks = []span{{0, 1}}
		}), "bytes, and its manifest says"},
		{"blocks with other content", packed(t, inPlace(parts, 2, plainFile(blocks.header.Name,
			make([]byte, len(blocks.data))))), "is not what was exported"},
		{"blocks that are missing", packed(t, inPlace(parts, 2, plainFile(blocks.header.Name, blocks.data[4096:]))),
			"and its manifest says"},
		{"a new number", listed(func(m *Manifest) { m.Number = 4 }), "is no whole generation"},
		{"something behind its end", append(bytes.Clone(whole), "more"...), "can't be read|cut short"},
	}
	for cut := 1; cut <= 10; cut++ {
		cases = append(cases, unwanted{"cut after so many tenths", whole[:(len(whole)-1)*cut/10], "cut short|can't be read"})
	}
	refuses(t, to, cases)
}

func TestADifferenceIsSinceAnOlderGeneration(t *testing.T) {
	from, _ := threeNights(t)
	var wrong *SinceError
	for _, older := range []int{3, 4} {
		if _, err := Folder(from).Export(t.Context(), ExportRequest{Since: older}, io.Discard); !errors.As(err, &wrong) {
			t.Errorf("since generation %d: %v", older, err)
		}
	}
	_, err := Folder(from).Export(t.Context(), ExportRequest{Generation: 3, Since: -7}, io.Discard)
	if !errors.Is(err, ErrNoGeneration) {
		t.Errorf("since a generation that is not there: %v", err)
	}
	flipByte(t, recordsOf(layout{dir: from}.generation(1)), 5000)
	if _, err := Folder(from).Export(t.Context(), ExportRequest{Since: 1}, io.Discard); !files.IsDamage(err) {
		t.Errorf("since a generation that is damaged: %v", err)
	}
}

// FuzzDifference: what is read of a difference fits its manifest, or is refused; overlaid blocks make no more than the
// file's size.
func FuzzDifference(f *testing.F) {
	from, _ := threeNights(f)
	f.Add(partsOf(f, since(f, from, 1))[0].data, int64(70_000))
	f.Add([]byte(`{"format":"dossier-difference","base":1}`), int64(0))
	f.Fuzz(func(t *testing.T, content []byte, size int64) {
		d, err := parseDifference(content)
		if err != nil {
			return
		}
		size = min(max(size, 0), 1<<20)
		for _, file := range d.Files {
			coming, err := file.size(size)
			if err != nil {
				continue
			}
			if coming < 0 || coming > size {
				t.Fatalf("%d bytes come of %d", coming, size)
			}
			var out bytes.Buffer
			had := &ManifestFile{Size: size / 2}
			was := &blockReader{from: bytes.NewReader(make([]byte, had.Size)), file: had, sum: noHash{}}
			err = overlay(&out, was, io.LimitReader(zeros{}, coming), file.Blocks, size)
			if err != nil || int64(out.Len()) > size {
				t.Fatalf("%d bytes become %d, %v", size, out.Len(), err)
			}
		}
	})
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// noHash sums nothing.
type noHash struct{}

func (noHash) Write(p []byte) (int, error) { return len(p), nil }
func (noHash) Sum(b []byte) []byte         { return b }
func (noHash) Reset()                      {}
func (noHash) Size() int                   { return 0 }
func (noHash) BlockSize() int              { return 1 }
