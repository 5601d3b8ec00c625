package zapfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"dossier/internal/fulltext/corpustest"
	"dossier/internal/fulltext/fields"
)

// TestBuildsWhatZapxBuilds: the segment of documents is, merged by zapx with nothing, what zapx builds and merges so.
// (As they are built they differ: Build writes of a word that one document holds once that document alone, as zapx does
// only as it merges.)
func TestBuildsWhatZapxBuilds(t *testing.T) {
	for name, documents := range corpora() {
		t.Run(name, func(t *testing.T) {
			ours := mergedByZapx(t, built(t, documents))
			theirs := mergedByZapx(t, builtByZapx(t, documents))
			if !bytes.Equal(unlisted(t, ours), unlisted(t, theirs)) {
				t.Error("zapx builds another segment")
			}
		})
	}
}

// TestBuildersForgetWhatTheyBuilt: a segment does not depend on those that were built before it.
func TestBuildersForgetWhatTheyBuilt(t *testing.T) {
	documents := recorded(400)
	want := built(t, documents)
	builder, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range [][]Document{invented(300, 7), documents[:10], documents} {
		made, err := builder.Build(each, new(segment.Stats))
		if err != nil {
			t.Fatal(err)
		}
		if len(each) == len(documents) && !bytes.Equal(content(t, made), content(t, want)) {
			t.Error("another segment")
		}
	}
}

// TestMergesAsZapxMerges: what is merged is the same to the byte, but for the order in which zapx lists fields' parts.
func TestMergesAsZapxMerges(t *testing.T) {
	for name, documents := range corpora() {
		for _, parts := range []int{1, 2, 7} {
			for _, dropping := range []float64{0, 0.3} {
				t.Run(fmt.Sprintf("%s in %d, %.0f%% dropped", name, parts, 100*dropping), func(t *testing.T) {
					segments, drops := cut(t, documents, parts, dropping)
					theirs, theirNumbers := merged(t, new(zap.ZapPlugin), segments, drops)
					ours, numbers := merged(t, new(Plugin), segments, drops)
					if !bytes.Equal(unlisted(t, ours), unlisted(t, theirs)) {
						t.Error("zapx merges them otherwise")
					}
					if !slices.EqualFunc(numbers, theirNumbers, slices.Equal) {
						t.Error("zapx numbers the documents otherwise")
					}
					if _, again := merged(t, new(Plugin), []segment.Segment{ours}, []*roaring.Bitmap{nil}); len(again) != 1 {
						t.Error("what was merged can't be merged again")
					}
				})
			}
		}
	}
}

// TestMergesFieldsOfTwoForms: a field has of what its segments say of it only what all do.
func TestMergesFieldsOfTwoForms(t *testing.T) {
	of := func(id string, form fields.Form) segment.Segment {
		field := fields.Field{Name: "aardvark", Form: form, Words: []string{"word"}, Length: 1}
		return opened(t, built(t, []Document{{ID: id, Fields: []fields.Field{field}}}))
	}
	segments, drops := []segment.Segment{of("A", fields.Values), of("B", fields.Passages)}, make([]*roaring.Bitmap, 2)
	theirs, _ := merged(t, new(zap.ZapPlugin), segments, drops)
	ours, _ := merged(t, new(Plugin), segments, drops)
	if !bytes.Equal(unlisted(t, ours), unlisted(t, theirs)) {
		t.Error("zapx merges them otherwise")
	}
}

// TestAWordInAFieldOfNoLengthIsFound: zapx writes a list of one such document as it reads a list of none.
func TestAWordInAFieldOfNoLengthIsFound(t *testing.T) {
	field := fields.Field{Name: fields.TermsWords, Words: []string{"the"}}
	made := built(t, []Document{{ID: "A", Fields: []fields.Field{field}}})
	both, _ := merged(t, new(Plugin), []segment.Segment{opened(t, made)}, []*roaring.Bitmap{nil})
	for what, s := range map[string]segment.Segment{"built": made, "merged": both} {
		dictionary, err := s.Dictionary(field.Name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := dictionary.PostingsList([]byte("the"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := list.Iterator(false, false, false, nil).Next(); found == nil || err != nil {
			t.Errorf("%s: it is not found: %v", what, err)
		}
	}
}

// TestAMergeThatFailsLeavesNothing: neither one that is given up, which scorch takes it for by this very error alone,
// nor one whose file can't be written or whose segments can't be read, which is told.
func TestAMergeThatFailsLeavesNothing(t *testing.T) {
	segments, drops := cut(t, recorded(50), 2, 0)
	closed := make(chan struct{})
	close(closed)
	damaged := slices.Clone(segments)
	whole := readable(t, segments[0])
	content := slices.Clone(whole.mem)
	clear(content[len(content)/4 : len(content)/2])
	damaged[0] = &file{segments[0].(*zap.Segment), newSegment(content, whole.documents, whole.names, whole.list)}
	for _, c := range []struct {
		name     string
		folder   string
		segments []segment.Segment
		closed   chan struct{}
		want     error
	}{
		{"given up", "", segments, closed, segment.ErrClosed},
		{"no folder", "gone", segments, nil, os.ErrNotExist},
		{"no folder, given up", "gone", segments, closed, segment.ErrClosed},
		{"a damaged segment", "", damaged, nil, errDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.folder, "merged.zap")
			var told error
			plugin := &Plugin{Failed: func(store string, err error) {
				if told = err; store != filepath.Dir(path) {
					t.Errorf("told of %s", store)
				}
			}}
			_, _, err := plugin.Merge(c.segments, drops, path, c.closed, nil)
			if !errors.Is(err, c.want) || c.want == segment.ErrClosed && err != c.want {
				t.Errorf("%v", err)
			}
			if c.want == segment.ErrClosed {
				err = nil
			}
			if told != err {
				t.Errorf("told %v", told)
			}
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("what was begun is there: %v", err)
			}
		})
	}
}

// TestScorchIsToldOfDamage: what it asks of a damaged segment is an error that says so, and a segment that can't be
// opened is told.
func TestScorchIsToldOfDamage(t *testing.T) {
	whole, _ := merged(t, new(zap.ZapPlugin), []segment.Segment{built(t, recorded(50))}, []*roaring.Bitmap{nil})
	content := slices.Clone(whole.Data())
	path := filepath.Join(t.TempDir(), "segment.zap")
	var told error
	plugin := &Plugin{Failed: func(_ string, err error) { told = err }}
	open := func(content []byte) (segment.Segment, error) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return plugin.Open(path)
	}
	opened, err := open(content)
	if err != nil {
		t.Fatal(err)
	}
	readable := opened.(*file).readable
	names := []string{"no such name", string(readable.ID(7)), string(readable.ID(2))}
	ids, _ := readable.column(nameOf)
	if found, err := opened.DocNumbers(names); err != nil || !slices.Equal(found.ToArray(), []uint32{2, 7}) {
		t.Errorf("%v, %v", found, err)
	}
	if err := opened.Close(); err != nil || told != nil {
		t.Errorf("%v, told %v", err, told)
	}
	clear(content[ids.dictionary+1 : ids.dictionary+100])
	if opened, err = open(content); err != nil {
		t.Fatal(err)
	}
	if _, err = opened.DocNumbers(names); !errors.Is(err, errDamaged) {
		t.Errorf("damaged: %v", err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if _, err := open(content[:100]); !errors.Is(err, ErrFormat) || told != err {
		t.Errorf("cut short: %v, told %v", err, told)
	}
}

// corpora gives documents of every kind there is.
func corpora() map[string][]Document {
	odd := []Document{
		{ID: "A", Fields: []fields.Field{{Name: fields.TermsWords, Words: []string{"a"}, Length: 1}}},
		{ID: "B", Fields: []fields.Field{{Name: fields.AbstractWords, Form: fields.PlacedText}}},
		{ID: "C"},
		placed("D", fields.Gap*200),
		placed("E", 1),
	}
	return map[string][]Document{
		"recorded":           recorded(400),
		"invented":           invented(3000, 1),
		"odd":                odd,
		"more than a bitmap": numerous(70_000),
	}
}

func recorded(n int) []Document {
	var documents []Document
	for _, r := range slices.Concat(corpustest.Records(n), corpustest.Catalogue()) {
		documents = append(documents, Document{ID: r.ID, Fields: fields.Of(&r)})
	}
	return documents
}

// placed makes a document that holds a word more often than fits its frequency.
func placed(id string, distance int) Document {
	f := fields.Field{Name: fields.TitleWords, Form: fields.PlacedText, Length: 40}
	for i := range 40 {
		f.Words = append(f.Words, "word", fmt.Sprint(i%3))
		f.Places = append(f.Places, 2*i*distance+1, 2*i*distance+2)
	}
	return Document{ID: id, Fields: []fields.Field{f}}
}

// invented makes documents of a few words, of which some are in nearly all of them, and some fields in few.
func invented(n int, seed uint64) []Document {
	random := rand.New(rand.NewPCG(seed, seed))
	documents := make([]Document, n)
	for i := range documents {
		text := fields.Field{Name: fields.AbstractWords, Form: fields.PlacedText}
		for place := range 1 + random.IntN(60) {
			text.Words = append(text.Words, fmt.Sprint("w", int(random.ExpFloat64()*40)))
			text.Places = append(text.Places, place+1)
		}
		text.Length = len(text.Words)
		documents[i] = Document{ID: fmt.Sprintf("ID:%06d", i), Fields: []fields.Field{text,
			{Name: fields.Year, Form: fields.Values, Words: []string{fmt.Sprint(1990 + random.IntN(30))}, Length: 1}}}
		if random.IntN(40) == 0 {
			status := fields.Field{Name: fields.Status, Form: fields.Values, Words: []string{"A", "B"}, Length: 2}
			documents[i].Fields = append(documents[i].Fields, status,
				fields.Field{Name: "aardvark", Form: fields.Passages, Words: []string{"two words"}, Length: 1})
		}
		if i%500 < 2 { // the place of its field differs in segments without the one above
			documents[i].Fields = append(documents[i].Fields, placed("", 1).Fields...)
		}
	}
	return documents
}

// numerous makes documents that hold little but all of them the same.
func numerous(n int) []Document {
	documents := make([]Document, n)
	for i := range documents {
		words := []string{"all", "half", "third"}[:1+i%3]
		documents[i] = Document{ID: fmt.Sprintf("ID:%06d", i), Fields: []fields.Field{
			{Name: fields.TermsWords, Words: words, Length: len(words)},
			{Name: fields.Kind, Form: fields.Values, Words: words[:1], Length: 1}}}
	}
	return documents
}

func built(t *testing.T, documents []Document) *zap.SegmentBase {
	t.Helper()
	builder, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	made, err := builder.Build(documents, new(segment.Stats))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func builtByZapx(t *testing.T, documents []Document) *zap.SegmentBase {
	t.Helper()
	var theirs []index.Document
	for _, d := range documents {
		theirs = append(theirs, asZapxTakesIt(d))
	}
	made, _, err := new(zap.ZapPlugin).New(theirs)
	if err != nil {
		t.Fatal(err)
	}
	return made.(*zap.SegmentBase)
}

func content(t *testing.T, s *zap.SegmentBase) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// opened gives a segment as a file.
func opened(t *testing.T, s *zap.SegmentBase) *zap.Segment {
	t.Helper()
	path := filepath.Join(t.TempDir(), "segment.zap")
	if err := os.WriteFile(path, content(t, s), 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, path)
}

func open(t *testing.T, path string) *zap.Segment {
	t.Helper()
	file, err := new(zap.ZapPlugin).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file.(*zap.Segment)
}

func mergedByZapx(t *testing.T, s *zap.SegmentBase) *zap.Segment {
	t.Helper()
	file, _ := merged(t, new(zap.ZapPlugin), []segment.Segment{s}, []*roaring.Bitmap{nil})
	return file
}

type merging interface {
	Merge([]segment.Segment, []*roaring.Bitmap, string, chan struct{}, segment.StatsReporter) ([][]uint64, uint64, error)
}

func merged(t *testing.T, by merging, segments []segment.Segment, drops []*roaring.Bitmap) (*zap.Segment, [][]uint64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "merged.zap")
	numbers, size, err := by.Merge(segments, drops, path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := open(t, path)
	if int(size) != len(file.Data()) && int(size) != len(file.Data())-zap.FooterSize {
		t.Errorf("%d bytes were written, not %d", len(file.Data()), size)
	}
	return file, numbers
}

// unlisted gives a segment without the list of its fields: zapx lists the parts of each in any order, and such as it
// does not have.
func unlisted(t *testing.T, s *zap.Segment) []byte {
	t.Helper()
	fields := map[string]bool{}
	for _, name := range s.Fields() {
		fields[name] = true
	}
	source := readable(t, s)
	columns, ours := source.ownColumns()
	if !ours || len(columns) != len(fields) {
		t.Fatal("its fields can't be read")
	}
	last := uint64(0)
	for name := range fields {
		r := &reader{mem: s.Data(), at: columns[name].dictionary}
		r.bytes(r.varint())
		last = max(last, r.at)
		if to := columns[name].valuesTo; to != noValues {
			last = max(last, to)
		}
	}
	out := fmt.Appendf(nil, "%v", columns)
	return append(out, s.Data()[:last]...)
}

// cut builds segments of documents, every second one by zapx, as older programs did, and drops some of them.
func cut(t *testing.T, documents []Document, parts int, dropping float64) ([]segment.Segment, []*roaring.Bitmap) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var segments []segment.Segment
	var drops []*roaring.Bitmap
	for i := range parts {
		from, to := i*len(documents)/parts, (i+1)*len(documents)/parts
		if from == to {
			continue
		}
		by := built
		if i%2 == 1 {
			by = builtByZapx
		}
		segments = append(segments, opened(t, by(t, documents[from:to])))
		drop := roaring.New()
		for doc := range to - from {
			if random.Float64() < dropping && (doc > 0 || i > 0) {
				drop.Add(uint32(doc))
			}
		}
		drops = append(drops, drop)
	}
	return segments, drops
}
