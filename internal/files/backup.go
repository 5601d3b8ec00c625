package files

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The names in the folder of a backup.
const (
	BackupStore = "store.tar.zst" // the current generation, as `indexer export` writes it
	dataName    = "data"          // the rest of the data directory
	configName  = "config.yaml"
	jobsName    = "jobs"
	sumsName    = "SHA256SUMS"

	backupFolderMode = 0o750
	backupFileMode   = 0o640
	maxSums          = 64 << 20 // bytes of the list of sums: some 600,000 files
)

// BackupSource is what is backed up.
type BackupSource struct {
	Data   string                      // the data directory
	Skip   func(name string) bool      // its entries that the bundle holds or that need no backup
	Config string                      // the configuration's file; empty: there is none
	Jobs   string                      // a file or a folder of topics; left out if missing
	Store  func(to string) (err error) // writes the bundle
	Now    time.Time                   // names the folder
}

// Unreadable is a file that could not be copied.
type Unreadable struct {
	Path string // below the backup's folder
	Err  error
}

// BackupSummary describes what was written.
type BackupSummary struct {
	Folder string
	Files  int   // beside the bundle and the sums
	Bytes  int64 // of all
	Unread []Unreadable
}

// WriteBackup creates a folder below to, named after the time, and gives it its final name once everything in it is on
// the disk. It names unreadable files in Unread, and writes the rest; any other error leaves nothing behind.
func WriteBackup(to string, s BackupSource) (BackupSummary, error) {
	for _, from := range []string{s.Data, s.Jobs} {
		if isWithin(to, from) {
			return BackupSummary{}, fmt.Errorf("%s lies in %s, which it would hold a copy of; name a folder elsewhere", to, from)
		}
	}

	folder := filepath.Join(to, "dossier-"+s.Now.UTC().Format("20060102T150405Z"))
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		return BackupSummary{}, errors.Join(err, fmt.Errorf("%s is there already", folder))
	}

	w := &writing{root: folder + Suffix, sums: map[string]string{}}
	if err := os.RemoveAll(w.root); err != nil { // left by one that was killed in this second
		return BackupSummary{}, err
	}

	err := w.all(s)
	if err == nil {
		err = errors.Join(w.writeSums(), SyncTree(w.root))
	}

	if err == nil {
		err = Rename(w.root, folder)
	}

	if err != nil {
		return BackupSummary{}, errors.Join(err, os.RemoveAll(w.root))
	}
	w.done.Folder = folder
	return w.done, nil
}

// isWithin reports whether a path is a folder or lies in it, after following links as far as they exist.
func isWithin(path, folder string) bool {
	resolve := func(at string) string {
		if abs, err := filepath.Abs(at); err == nil {
			at = abs
		}

		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
		}
		return at
	}
	below, err := filepath.Rel(resolve(folder), resolve(path))
	return err == nil && filepath.IsLocal(below)
}

// writing is a backup under way.
type writing struct {
	root string
	sums map[string]string // by the path below root, with slashes
	done BackupSummary
}

func (w *writing) all(s BackupSource) error {
	if err := MakeFolders(w.root, backupFolderMode); err != nil {
		return err
	}

	bundle := filepath.Join(w.root, BackupStore)
	if err := s.Store(bundle); err != nil {
		return err
	}

	if err := w.sumOf(BackupStore); err != nil {
		return err
	}

	if s.Config != "" {
		if err := w.copyTree(s.Config, configName, nil); err != nil {
			return err
		}
	}

	if err := w.copyTree(s.Jobs, jobsName, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.copyTree(s.Data, dataName, s.Skip)
}

// sumOf keeps the sum of a file that is there already.
func (w *writing) sumOf(name string) error {
	sum, size, err := sumFile(filepath.Join(w.root, filepath.FromSlash(name)))
	w.sums[name], w.done.Bytes = sum, w.done.Bytes+size
	return err
}

// copyTree copies a file, or a folder except the entries to skip, under a name below root.
func (w *writing) copyTree(from, name string, skip func(string) bool) error {
	return filepath.WalkDir(from, func(at string, entry fs.DirEntry, err error) error {
		below, relErr := filepath.Rel(from, at)

		to := path.Join(name, filepath.ToSlash(below))
		switch {
		case relErr != nil:
			return relErr
		case err != nil && at == from:
			return err
		case err != nil:
			w.unread(to, err)
			return nil
		case at != from && (skip != nil && skip(below) || strings.HasSuffix(below, Suffix)):
			return skipped(entry)
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(w.root, filepath.FromSlash(to)), backupFolderMode)
		}
		return w.copyFile(at, to)
	})
}

// unread records what can't be read, except files that disappear meanwhile, such as an answer that joined the store.
func (w *writing) unread(name string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.done.Unread = append(w.done.Unread, Unreadable{name, err})
	}
}

func skipped(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// copyFile copies one file with its mode. The error is of writing; read errors are recorded.
func (w *writing) copyFile(from, name string) (err error) {
	in, err := Open(from)
	if err != nil {
		w.unread(name, err)
		return nil // it is reported, and the rest is copied
	}
	defer in.Close() // only read

	info, err := in.Stat()
	if err != nil {
		return err
	}

	sum, size, err := copyTo(filepath.Join(w.root, filepath.FromSlash(name)), in, info.Mode().Perm())
	if err != nil {
		return fmt.Errorf("copying %s: %w", from, err)
	}
	w.sums[name], w.done.Bytes, w.done.Files = sum, w.done.Bytes+size, w.done.Files+1
	return nil
}

// copyTo writes a new file, and returns its sum and size.
func copyTo(path string, in io.Reader, mode fs.FileMode) (sum string, size int64, err error) {
	if err := os.MkdirAll(filepath.Dir(path), backupFolderMode); err != nil {
		return "", 0, err
	}

	out, err := OpenOwn(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(out, h), in)
	return hexOf(h), size, errors.Join(err, out.Close())
}

func sumFile(path string) (sum string, size int64, err error) {
	f, err := Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close() // only read
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hexOf(h), size, err
}

func hexOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// writeSums lists the sums as sha256sum does, by name.
func (w *writing) writeSums() error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(w.sums)) {
		fmt.Fprintf(&b, "%s  %s\n", w.sums[name], name)
	}
	return os.WriteFile(filepath.Join(w.root, sumsName), b.Bytes(), backupFileMode)
}

// Backup is a backup whose files have been checked.
type Backup struct {
	folder string
	names  []string // of files, below folder
}

// CheckBackup compares every file of a backup with its sum, and finds what is missing, changed or not in the list.
func CheckBackup(folder string) (*Backup, error) {
	list, err := Read(filepath.Join(folder, sumsName), maxSums)
	if err != nil {
		return nil, fmt.Errorf("%s is no backup: %w; name a folder that `indexer backup` made", folder, err)
	}
	k := &Backup{folder: folder}

	lines := bufio.NewScanner(bytes.NewReader(list))
	for n := 1; lines.Scan(); n++ {
		sum, name, found := strings.Cut(lines.Text(), "  ")
		if !found || !fs.ValidPath(name) || strings.ContainsRune(name, '\\') {
			return nil, fmt.Errorf("%s: line %d is no sum with a file's name", filepath.Join(folder, sumsName), n)
		}

		got, _, err := sumFile(k.path(name))
		if err != nil {
			return nil, err
		}

		if got != sum {
			return nil, fmt.Errorf("%s is not what it was when the backup was made: its SHA-256 is %s, and was %s; "+
				"nothing was restored: take another backup", k.path(name), got, sum)
		}
		k.names = append(k.names, name)
	}
	return k, errors.Join(lines.Err(), k.unlisted())
}

// unlisted finds a file that was added to the folder later.
func (k *Backup) unlisted() error {
	return filepath.WalkDir(k.folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		below, err := filepath.Rel(k.folder, at)
		name := filepath.ToSlash(below)
		// A signature is made of a bundle afterwards, by whoever keeps the key.
		if err == nil && name != sumsName && !strings.HasPrefix(name, BackupStore) && !slices.Contains(k.names, name) {
			err = fmt.Errorf("%s was not there when the backup was made; nothing was restored: take it away", at)
		}
		return err
	})
}

func (k *Backup) path(name string) string { return filepath.Join(k.folder, filepath.FromSlash(name)) }

// Bundle is the path of the store's bundle.
func (k *Backup) Bundle() string { return k.path(BackupStore) }

// Beside are the paths of the configuration and of the topics, if present.
func (k *Backup) Beside() []string {
	var out []string
	for _, name := range []string{configName, jobsName} {
		if _, err := os.Lstat(k.path(name)); err == nil {
			out = append(out, k.path(name))
		}
	}
	return out
}

// Occupied names an existing entry of a data directory that a file of the backup would replace: nothing is ever
// overwritten.
func (k *Backup) Occupied(data string) []string {
	var out []string
	for _, name := range k.ofData() {
		to := filepath.Join(data, filepath.FromSlash(name))
		if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
			out = append(out, to)
		}
	}
	return out
}

func (k *Backup) ofData() []string {
	var out []string
	for _, name := range k.names {
		if below, ok := strings.CutPrefix(name, dataName+"/"); ok {
			out = append(out, below)
		}
	}
	return out
}

// Restore puts the files of the data directory back, with their modes, and returns their number.
func (k *Backup) Restore(data string) (int, error) {
	names := k.ofData()
	for _, name := range names {
		in, err := Open(k.path(path.Join(dataName, name)))
		if err != nil {
			return 0, err
		}

		info, err := in.Stat()
		if err == nil {
			_, _, err = copyTo(filepath.Join(data, filepath.FromSlash(name)), in, info.Mode().Perm())
		}

		if err := errors.Join(err, in.Close()); err != nil {
			return 0, err
		}
	}
	return len(names), SyncTree(data)
}
