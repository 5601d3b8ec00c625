package segments

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	zap "github.com/blevesearch/zapx/v17"
	bolt "go.etcd.io/bbolt"

	"dossier/internal/files"
	"dossier/internal/fulltext/zapfile"
)

// Published is an index on disk, open for reading. It is never changed, and may be on a read-only medium.
type Published struct {
	root  *bolt.DB // open for its lock: a writer excludes readers, and readers a writer
	parts []Segment
	kept  map[string][]byte

	mu     sync.Mutex
	closed bool
}

// Open opens the index in the folder path for reading. It waits up to wait for a process that writes to it. It reads
// the newest state; the error explains why that can't be read.
func Open(path string, wait time.Duration) (*Published, error) {
	root, err := openRoot(path, true, wait)
	if err != nil {
		return nil, err
	}

	p := &Published{root: root, kept: map[string][]byte{}}
	if err := root.View(func(tx *bolt.Tx) error { return p.load(tx, storeIn(path)) }); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", root.Path(), err), p.Close())
	}
	return p, nil
}

// openRoot opens root.bolt of the index in the folder path, after checking that it is one.
func openRoot(path string, readOnly bool, wait time.Duration) (*bolt.DB, error) {
	if err := CheckFiles(path); err != nil {
		return nil, err
	}

	if err := checkMeta(filepath.Join(path, metaFile)); err != nil {
		return nil, err
	}

	root := filepath.Join(storeIn(path), rootFile)
	if _, err := files.Stat(root); err != nil { // bbolt would create it, or block on it
		return nil, err
	}

	db, err := bolt.Open(root, 0o600, &bolt.Options{ReadOnly: readOnly, Timeout: max(wait, MinWait), NoStatistics: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	return db, nil
}

func storeIn(path string) string { return filepath.Join(path, storeFolder) }

// The files of an index: bleve's own description, and scorch's folder with its list of states.
const (
	metaFile    = "index_meta.json"
	storeFolder = "store"
	rootFile    = "root.bolt"
)

// maxMetaSize bounds index_meta.json, which bleve reads whole; what bleve writes there has some 40 bytes.
const maxMetaSize = 1 << 20

// CheckFiles checks what is about to be opened: libraries open any file, follow links, and block on pipes.
func CheckFiles(path string) error {
	if err := files.Tree(path); err != nil {
		return err
	}
	meta := filepath.Join(path, metaFile)

	info, err := files.Stat(meta)
	if err == nil && info.Size() > maxMetaSize {
		err = fmt.Errorf("%s has %d bytes; at most %d are read", meta, info.Size(), maxMetaSize)
	}
	return err
}

// noEncoding ends index_meta.json: the length of the name of the file's encoding.
var noEncoding = []byte{0, 0, 0, 0}

// checkMeta checks that bleve's metadata names scorch as the index's type.
func checkMeta(path string) error {
	content, err := files.Read(path, maxMetaSize)
	if err != nil {
		return err
	}
	var about struct {
		Type string `json:"index_type"`
	}

	content = bytes.TrimSuffix(content, noEncoding)
	if err := json.Unmarshal(content, &about); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}

	if about.Type != "scorch" {
		return fmt.Errorf("%s: it is an index of another make (%.20q)", path, about.Type)
	}
	return nil
}

// MinWait is twice the interval at which bbolt polls a lock: a shorter wait would fail without a try.
const MinWait = 100 * time.Millisecond

// Scorch's names of the buckets and keys of root.bolt.
var (
	bucketStates  = []byte("s")       // a state's number, which grows → the bucket of that state
	bucketKept    = []byte("i")       // of a state: what was kept beside the segments
	bucketAbout   = []byte("m")       // of a state: how its segments are written
	keyType       = []byte("type")    // "zap"
	keyVersion    = []byte("version") // in the first four bytes, big-endian
	keyWriter     = []byte("fileWriterID")
	keyFile       = []byte("p")      // of a segment: its file's name
	keyDeleted    = []byte("d")      // of a segment: the documents that were deleted since it was written
	keyFieldsGone = []byte("fields") // of a segment: fields to ignore
)

// load reads the newest state. Its segments are in the order in which they were written.
func (p *Published) load(tx *bolt.Tx, store string) error {
	state, err := lastState(tx)
	if err != nil {
		return err
	}
	return state.ForEachBucket(func(name []byte) error {
		switch bucket := state.Bucket(name); {
		case bytes.Equal(name, bucketKept):
			return bucket.ForEach(func(k, v []byte) error {
				p.kept[string(k)] = bytes.Clone(v)
				return nil
			})
		case bytes.Equal(name, bucketAbout):
			return nil
		default:
			return p.loadSegment(bucket, store)
		}
	})
}

// lastState is the bucket of the newest state.
func lastState(tx *bolt.Tx) (*bolt.Bucket, error) {
	states := tx.Bucket(bucketStates)
	if states == nil {
		return nil, errors.New("it has no list of states")
	}
	key, _ := states.Cursor().Last()

	state := states.Bucket(key)
	if state == nil {
		return nil, errors.New("it has no state")
	}
	return state, checkFormat(state.Bucket(bucketAbout))
}

// checkFormat checks that the segments have the format that this program reads.
func checkFormat(about *bolt.Bucket) error {
	if about == nil {
		return errors.New("it does not say how its segments are written")
	}

	version := about.Get(keyVersion)
	if string(about.Get(keyType)) != zap.Type || len(version) < 4 || binary.BigEndian.Uint32(version) != zap.Version {
		return fmt.Errorf("its segments are written as %.20q, version %x; %s, version %d is read", about.Get(keyType),
			version, zap.Type, zap.Version)
	}

	if writer := about.Get(keyWriter); len(writer) > 0 {
		return fmt.Errorf("its files are encoded (%.20q)", writer)
	}
	return nil
}

func (p *Published) loadSegment(about *bolt.Bucket, store string) error {
	name := string(about.Get(keyFile))
	if name == "" || name != filepath.Base(name) || !filepath.IsLocal(name) {
		return fmt.Errorf("a segment's file is called %.100q", name)
	}

	if about.Get(keyFieldsGone) != nil {
		return fmt.Errorf("fields of the segment %s were changed", name)
	}

	opened, err := zapfile.Open(filepath.Join(store, name))
	if err != nil {
		return fmt.Errorf("segment %s: %w", name, err)
	}

	deleted, err := readDeleted(about.Get(keyDeleted), opened.Count())
	if err != nil {
		return errors.Join(fmt.Errorf("what was deleted of segment %s: %w", name, err), opened.Release())
	}
	p.parts = append(p.parts, Segment{Segment: opened, Deleted: deleted})
	return nil
}

// readDeleted reads a set of deleted documents, for a segment of so many; nil is none.
func readDeleted(value []byte, documents uint64) (*roaring.Bitmap, error) {
	if value == nil {
		return nil, nil
	}

	deleted := roaring.New()
	if _, err := deleted.ReadFrom(bytes.NewReader(value)); err != nil {
		return nil, err
	}

	if err := deleted.Validate(); err != nil && !deleted.IsEmpty() {
		return nil, err
	}

	switch {
	case deleted.IsEmpty():
		return nil, nil
	case uint64(deleted.Maximum()) >= documents:
		return nil, fmt.Errorf("it has number %d, and there are %d documents", deleted.Maximum(), documents)
	}
	return deleted, nil
}

// BlockSums returns the published sums of a segment's blocks, by its file's name; none if they are unknown.
type BlockSums func(segment string) zapfile.Sums

// Expect makes all later reads compare what they read with what was published, before it is used. It must be called
// before the first read.
func (p *Published) Expect(sums BlockSums) {
	for _, part := range p.parts {
		part.Expect(sums(part.Name()))
	}
}

// State is the index, which never changes. Its segments stay open until Done is called, even if it is closed
// meanwhile.
func (p *Published) State() (*State, error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.closed {
		return nil, ErrClosed
	}

	for _, part := range p.parts {
		part.Use()
	}
	return &State{Segments: p.parts, Kept: p.kept, Immutable: true, Done: func() error { return release(p.parts) }}, nil
}

// release releases segments; the last who does closes their files.
func release(parts []Segment) (err error) {
	for _, part := range parts {
		err = errors.Join(err, part.Release())
	}
	return err
}

// Close releases the index; closing again does nothing.
func (p *Published) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if p.closed {
		return nil
	}
	p.closed = true
	return errors.Join(release(p.parts), p.root.Close())
}
