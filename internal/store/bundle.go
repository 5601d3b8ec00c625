package store

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"dossier/internal/database"
	"dossier/internal/files"
	"dossier/internal/text"
)

// A bundle is a generation as one file: a tar archive in one zstd frame, manifest.json first and then the files that
// it lists, in its order; difference.go defines a bundle with only some of them. docs/FORMAT.md, "A bundle", describes
// both.

const (
	// bundleWindow bounds the memory that unpacking takes, in bytes; packing uses 8 MiB.
	bundleWindow = 32 << 20
	// tarRecord is what tar fills the last of its records up to, with zeros, in bytes.
	tarRecord = 10 << 10
	// bundleHeader bounds what a bundle may say of one file: a header, and one more for sizes that have no room in it.
	bundleHeader = 4 << 10
)

// bundledRE matches the names of a generation's files. The manifest's names become paths here.
var bundledRE = text.LazyRegexp(`^(?:(?:evidence|changes)\.(?:db|sums)|evidence\.blocks|text\.sums|text\.bleve(?:/\w[\w.-]{0,99}){1,3})$`)

// BundleError reports why a bundle can't be imported. The store is unchanged.
type BundleError struct {
	Name   string // the bundle, as its reader calls it
	Reason string
	Remedy string
}

func (e *BundleError) Error() string {
	return fmt.Sprintf("%s: %s; nothing was imported: %s", e.Name, e.Reason, e.Remedy)
}

// Remedies for a bundle that can't be imported.
const (
	copyAgain   = "copy it here once more, or make it anew with `indexer export`"
	exportAgain = "make it anew with `indexer export`"
)

// bundleEntry is one entry of a bundle that is being written.
type bundleEntry struct {
	name string
	size int64
	from io.Reader
	at   string // the source path, for messages
	sum  string // the sum that it must have; empty: already compared
}

func memoryEntry(name string, content []byte) bundleEntry {
	return bundleEntry{name: name, size: int64(len(content)), from: bytes.NewReader(content)}
}

// writeWhole packs all files of a generation. The same generation always gives the same bytes.
func (g *openedGeneration) writeWhole(ctx context.Context, w io.Writer) error {
	entries := []bundleEntry{memoryEntry(manifestName, g.content)}
	for _, file := range g.manifest.Files {
		f := g.files[file.Path]
		entries = append(entries, bundleEntry{name: file.Path, size: file.Size, from: f, at: f.Name(), sum: file.SHA256})
	}
	return writeBundle(ctx, w, entries)
}

// writeBundle packs entries in order, and compares those that have a sum with it.
func writeBundle(ctx context.Context, w io.Writer, entries []bundleEntry) error {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return err
	}

	archive := tar.NewWriter(packed)
	for i := 0; i < len(entries) && err == nil; i++ {
		e := &entries[i]

		err = archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: e.size, Mode: 0o644})
		if err != nil {
			break
		}
		sum := sha256.New()

		_, err = io.Copy(archive, io.TeeReader(&contextReader{ctx: ctx, from: e.from}, sum))
		if err == nil && e.sum != "" && hex.EncodeToString(sum.Sum(nil)) != e.sum {
			err = &files.DamageError{Path: e.at, Reason: contentChanged, Remedy: remedyFor(e.name)}
		}
	}

	if err != nil {
		return errors.Join(err, packed.Close())
	}
	return errors.Join(archive.Close(), packed.Close())
}

// bundle is a bundle that is being read: its manifest has been read, its files come next.
type bundle struct {
	ImportRequest
	ctx       context.Context
	unpacked  *zstd.Decoder
	remaining int64 // bytes that may still be unpacked
	archive   *tar.Reader
	manifest  Manifest
	content   []byte // of the manifest's file

	difference *difference // nil: all files come whole
	oldText    bool        // its full text is of an older format, can't be compared with the records and must be rebuilt
	base       *base       // that the difference is applied to
}

// errTooMuch is returned if a bundle unpacks to more than its manifest lists.
var errTooMuch = errors.New("more comes out of it than it may hold")

// Read reads the unpacked archive up to the bound in remaining: a few bytes may unpack into petabytes.
func (b *bundle) Read(p []byte) (int, error) {
	if b.remaining <= 0 {
		return 0, errTooMuch
	}
	n, err := b.unpacked.Read(p[:min(int64(len(p)), b.remaining)])
	b.remaining -= int64(n)
	return n, err
}

// openBundle reads a bundle's manifest and checks what it announces. The error is a *BundleError or a system error.
func openBundle(ctx context.Context, in ImportRequest) (b *bundle, err error) {
	b = &bundle{ImportRequest: in, ctx: ctx, remaining: 2 * (maxManifestSize + 2*bundleHeader)}

	b.unpacked, err = zstd.NewReader(&contextReader{ctx: ctx, from: in.Content}, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(bundleWindow))
	if err != nil {
		return nil, b.readError(err)
	}

	b.archive = tar.NewReader(b)
	if err := b.readManifest(); err != nil {
		b.unpacked.Close()
		return nil, err
	}

	coming := b.manifest.Size()
	if b.difference != nil {
		if coming, err = b.difference.checkAgainst(&b.manifest); err != nil {
			b.unpacked.Close()
			return nil, b.refuse("what it holds makes no sense: "+err.Error(), exportAgain)
		}
	}
	b.remaining = coming + int64(len(b.manifest.Files)+1)*bundleHeader + tarRecord
	return b, nil
}

func (b *bundle) readManifest() error {
	name, content, err := b.readHead()
	if err == nil && name == differenceName {
		if b.difference, err = parseDifference(content); err != nil {
			return b.refuse("what it holds makes no sense: "+err.Error(), copyAgain)
		}
		name, content, err = b.readHead()
	}

	if err != nil {
		return err
	}

	if name != manifestName {
		return b.refuse(fmt.Sprintf("%.100q stands where its manifest should", name), exportAgain)
	}
	b.content = content
	b.manifest, err = parseManifest(b.content)

	var schema *database.SchemaError
	switch {
	case errors.As(err, &schema):
		return b.refuse(fmt.Sprintf("it has store schema %s, and this program knows %s", schema.Found,
			database.CurrentSchema), "install the program that exported it, or a newer one")
	case err != nil:
		return b.refuse("its manifest makes no sense: "+err.Error(), copyAgain)
	}
	return b.checkAnnounced()
}

// readHead reads an entry that comes before the files.
func (b *bundle) readHead() (name string, content []byte, err error) {
	header, err := b.archive.Next()
	switch {
	case errors.Is(err, io.EOF) && b.difference == nil:
		return "", nil, b.refuse("it holds nothing", copyAgain)
	case errors.Is(err, io.EOF):
		return "", nil, b.refuse("its manifest is missing", copyAgain)
	case err != nil:
		return "", nil, b.readError(err)
	case header.Name != manifestName && header.Name != differenceName || header.Typeflag != tar.TypeReg:
		return "", nil, b.refuse(fmt.Sprintf("it begins with %.100q and not with a manifest", header.Name),
			"only what `indexer export` made can be imported")
	case header.Size > maxManifestSize:
		return "", nil, b.refuse(fmt.Sprintf("its %s has %d bytes, and %d are the most", header.Name, header.Size,
			maxManifestSize), exportAgain)
	}

	if content, err = io.ReadAll(b.archive); err != nil {
		return "", nil, b.readError(err)
	}
	return header.Name, content, nil
}

// checkAnnounced rejects names that no generation has, files that are listed twice, and sizes over the limit.
func (b *bundle) checkAnnounced() error {
	var size int64
	for i, file := range b.manifest.Files {
		switch {
		case !bundledRE().MatchString(file.Path) || path.Clean(file.Path) != file.Path:
			return b.refuse(fmt.Sprintf("its manifest lists %.100q, which no generation holds", file.Path), exportAgain)
		case i > 0 && b.manifest.Files[i-1].Path >= file.Path:
			return b.refuse(fmt.Sprintf("its manifest lists %.100q twice or out of order", file.Path), exportAgain)
		case file.Size > b.MaxSize-size: // the sum of all may be more than a number holds
			return b.refuse(fmt.Sprintf("unpacked it has more than %d bytes", b.MaxSize),
				"allow more with --max-size, if that much is meant to be in it")
		}
		size += file.Size
	}
	return nil
}

// unpack writes the bundle's files and manifest into folder, which is empty, and compares every sum. No name in the
// archive becomes a path: each entry must be the one that the manifest lists at that position.
func (b *bundle) unpack(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()

	for _, file := range b.manifest.Files {
		if err := b.unpackFile(root, folder, file); err != nil {
			return err
		}
	}

	switch header, err := b.archive.Next(); {
	case err == nil:
		return b.refuse(fmt.Sprintf("it holds %.100q, which its manifest does not list there", header.Name), exportAgain)
	case !errors.Is(err, io.EOF):
		return b.readError(err)
	}

	if err := b.readEnd(); err != nil {
		return err
	}
	return writeIn(root, manifestName, func(f *os.File) error {
		_, err := f.Write(b.content)
		return err
	})
}

// readEnd checks that only the zeros by which tar fills its last record follow the archive. It reads to the end of the
// frame, which makes the decoder compare the frame's own checksum.
func (b *bundle) readEnd() error {
	rest, err := io.ReadAll(io.LimitReader(b, tarRecord+1))
	switch {
	case err != nil:
		return b.readError(err)
	case len(rest) > tarRecord || len(bytes.Trim(rest, "\x00")) > 0:
		return b.refuse("something stands behind its end", copyAgain)
	}
	return nil
}

func (b *bundle) unpackFile(root *os.Root, folder string, file ManifestFile) error {
	if err := root.MkdirAll(path.Dir(file.Path), folderMode); err != nil {
		return err
	}

	size, different := file.Size, (*differentFile)(nil)
	if b.difference != nil {
		i := slices.IndexFunc(b.difference.Files, func(f differentFile) bool { return f.Path == file.Path })
		if i < 0 {
			return b.unpackFromBase(root, folder, file, nil)
		}
		different = &b.difference.Files[i]
		size, _ = different.size(file.Size) // checkAgainst has accepted it
	}

	if err := b.nextFile(file.Path, size); err != nil {
		return err
	}

	if different != nil && len(different.Blocks) > 0 {
		return b.unpackFromBase(root, folder, file, different)
	}
	sum, read := sha256.New(), error(nil)

	err := writeIn(root, file.Path, func(f *os.File) error {
		from := &errorRecorder{from: b.archive, err: &read}
		_, err := io.Copy(io.MultiWriter(f, sum), from)
		return err
	})
	switch {
	case read != nil:
		return b.readError(read)
	case err != nil:
		return err
	case hex.EncodeToString(sum.Sum(nil)) != file.SHA256:
		return b.refuse(fmt.Sprintf("%.100q in it is not what was exported", file.Path), copyAgain)
	}
	return nil
}

// nextFile moves to the next entry, which must be the named file's.
func (b *bundle) nextFile(name string, size int64) error {
	header, err := b.archive.Next()
	switch {
	case errors.Is(err, io.EOF):
		return b.refuse(fmt.Sprintf("%.100q is missing from it", name), copyAgain)
	case err != nil:
		return b.readError(err)
	case header.Name != name:
		return b.refuse(fmt.Sprintf("it holds %.100q where its manifest lists %.100q", header.Name, name), exportAgain)
	case header.Typeflag != tar.TypeReg || checkPAXRecords(header.PAXRecords) != nil:
		return b.refuse(fmt.Sprintf("its entry %.100q is no regular file", header.Name), exportAgain)
	case header.Size != size:
		return b.refuse(fmt.Sprintf("its entry %.100q has %d bytes, and its manifest says %d", header.Name, header.Size,
			size), exportAgain)
	}
	return nil
}

// checkPAXRecords rejects header records other than a large size, such as those of a sparse file: exports never write
// them.
func checkPAXRecords(records map[string]string) error {
	for name := range records {
		if name != "size" {
			return fmt.Errorf("it has the record %.100q", name)
		}
	}
	return nil
}

// writeIn makes a new file in root.
func writeIn(root *os.Root, name string, write func(f *os.File) error) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// errorRecorder records why reading failed, to distinguish it from a failure to write.
type errorRecorder struct {
	from io.Reader
	err  *error
}

// Read implements io.Reader.
func (r *errorRecorder) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		*r.err = err
	}
	return n, err
}

// check opens the unpacked generation and verifies all of it, as a rollback does: the sums come from the bundle
// itself, so a database can be damaged although its sums match.
func (b *bundle) check(ctx context.Context, folder string) error {
	v := verifier{folder: folder, number: b.manifest.Number, deep: true, shared: newSharedFiles()}
	err := v.firstDamage(ctx)
	b.oldText = v.oldText
	var damaged *files.DamageError

	var schema *database.SchemaError
	switch {
	case errors.As(err, &damaged):
		reason := damaged.Reason
		if damaged.Err != nil {
			reason += ": " + damaged.Err.Error()
		}
		return b.refuse(fmt.Sprintf("what is in it is no whole generation: %s: %s", path.Base(damaged.Path), reason),
			exportAgain)
	case errors.As(err, &schema):
		return b.refuse(err.Error(), "install the program that exported it, or a newer one")
	}
	return err
}

// checkSums compares the sums of blocks and pages with the files that they belong to. They are published as they came,
// and searches and later opens rely on them.
func (b *bundle) checkSums(ctx context.Context, folder string) error {
	listed, err := b.manifest.readBlocks(folder)
	if err != nil {
		return b.wrongSums(blocksName, err)
	}

	for path, sums := range listed {
		_, found, err := describe(ctx, filepath.Join(folder, filepath.FromSlash(path)), b.manifest.blockSize())
		if err != nil {
			return err
		}

		if !slices.Equal(sums, found) {
			return b.wrongSums(blocksName, nil)
		}
	}

	for file, sums := range map[string]string{evidenceName: structureName, changesName: changesSums} {
		if b.manifest.file(file) == nil || b.manifest.file(sums) == nil { // of an older schema
			continue
		}

		structure, err := database.SumStructure(filepath.Join(folder, file), readerWait)
		if err != nil {
			return err
		}

		content, err := os.ReadFile(filepath.Join(folder, sums))
		if err == nil && !bytes.Equal(content, structure) {
			err = b.wrongSums(sums, nil)
		}

		if err != nil {
			return err
		}
	}
	return nil
}

// wrongSums refuses sums that do not belong to the bundle's files, or that can't be read because of err. A system
// error is returned as it is.
func (b *bundle) wrongSums(name string, err error) error {
	if files.IsFault(err) {
		return err
	}
	return b.refuse(fmt.Sprintf("what is in it is no whole generation: %s is not of its files", name), exportAgain)
}

// maxKeptNumber stops a bundle from using up the store's numbers, of which there are a thousand times as many.
const maxKeptNumber = 999_999

func (b *bundle) refuse(reason, remedy string) error {
	return &BundleError{Name: b.Name, Reason: reason, Remedy: remedy}
}

// readError explains why a bundle can't be read: a fault of the bundle, or of the system.
func (b *bundle) readError(err error) error {
	foreign := []error{zstd.ErrMagicMismatch, zstd.ErrReservedBlockType, zstd.ErrUnknownDictionary}

	isForeign := slices.ContainsFunc(foreign, func(e error) bool { return errors.Is(err, e) })
	switch {
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case files.IsFault(err):
		return fmt.Errorf("reading %s: %w; the store is as it was", b.Name, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b.refuse("it is cut short", copyAgain)
	case errors.Is(err, errTooMuch):
		return b.refuse(errTooMuch.Error(), exportAgain)
	case b.content == nil && (errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)):
		return b.refuse(fmt.Sprintf("unpacking it takes a window of more than %d MiB", bundleWindow>>20),
			"make it anew with `indexer export`, or pack it with a smaller window")
	case b.content == nil && (isForeign || errors.Is(err, tar.ErrHeader)):
		return b.refuse("it is no bundle", "only what `indexer export` made can be imported")
	}
	return b.refuse("it can't be read: "+err.Error(), copyAgain)
}
