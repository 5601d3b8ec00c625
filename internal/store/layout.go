package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/database"
	"dossier/internal/files"
)

// The names in a data directory.
const (
	currentName     = "CURRENT"
	lockName        = "LOCK"
	lockedName      = "LOCKED"
	generationsName = "generations"
	buildingName    = "building"
	inboxName       = "inbox"
	rollbackName    = "ROLLBACK"
	manifestName    = "manifest.json"
	evidenceName    = "evidence.db"
	textName        = "text.bleve"
	blocksName      = "text.sums"
	structureName   = "evidence.sums"
	recordBlocks    = "evidence.blocks"
	changesName     = database.ChangesName
	changesSums     = "changes.sums"

	// suffixes of folders that are no generation
	cloningSuffix    = ".cloning"    // a copy under way: can be deleted
	publishingSuffix = ".publishing" // an empty file: this generation is complete and on its way to CURRENT
	removingSuffix   = ".removing"   // a pruned generation being deleted
	brokenSuffix     = ".broken"     // set aside because it is damaged
	asideSuffix      = ".aside"      // set aside because its parent is no longer current
)

// IsStoreEntry reports whether an entry of a data directory belongs to the generations or their locks: either a bundle
// includes it, or it matters only during a run.
func IsStoreEntry(name string) bool {
	return slices.Contains([]string{currentName, lockName, lockedName, generationsName, buildingName, rollbackName}, name)
}

// The modes of a store's files and folders, before the umask. They hold questions that people asked, so only the owner
// and the group have access. The data directory's group decides who reads.
const (
	folderMode = 0o750
	fileMode   = 0o640
)

// layout knows the paths in a data directory.
type layout struct{ dir string }

func (l layout) current() string     { return filepath.Join(l.dir, currentName) }
func (l layout) lock() string        { return filepath.Join(l.dir, lockName) }
func (l layout) locked() string      { return filepath.Join(l.dir, lockedName) }
func (l layout) generations() string { return filepath.Join(l.dir, generationsName) }
func (l layout) buildings() string   { return filepath.Join(l.dir, buildingName) }
func (l layout) inbox() string       { return filepath.Join(l.dir, inboxName) }
func (l layout) rollback() string    { return filepath.Join(l.dir, rollbackName) }

func (l layout) generation(number int) string {
	return filepath.Join(l.generations(), folderName(number))
}
func (l layout) building(number int) string { return filepath.Join(l.buildings(), folderName(number)) }
func (l layout) publishing(number int) string {
	return l.building(number) + publishingSuffix
}

// create makes a store's folders if they are missing. Until there is a generation it syncs their names even if they
// exist: a run may have been killed between making a folder and syncing its parent.
func (l layout) create() error {
	if err := l.obstacle(); err != nil {
		return err
	}

	explain := func(folder string, err error) error {
		return fmt.Errorf("making the store's folder %s: %w; check --data and the permissions", folder, err)
	}
	if err := files.MakeFolders(l.dir, folderMode); err != nil {
		return explain(l.dir, err)
	}

	if err := files.MakeWithin(l.dir, l.generations()); err != nil {
		return explain(l.generations(), err)
	}

	if err := l.makeBuildings(); err != nil {
		return explain(l.buildings(), err)
	}

	if err := l.makeInbox(); err != nil {
		return explain(l.inbox(), err)
	}

	if exists(l.current()) {
		return nil
	}
	// A user who may not list the parent folder did not create the data directory.
	if err := files.Sync(filepath.Dir(l.dir)); err != nil && !errors.Is(err, fs.ErrPermission) {
		return explain(l.dir, err)
	}

	if err := files.Sync(l.dir); err != nil {
		return explain(l.dir, err)
	}
	return nil
}

// makeBuildings creates the folder for unpublished work, for writers alone: any user who can open a database can lock
// it, and the writer would wait.
func (l layout) makeBuildings() error {
	mode, err := l.forWriters(0o700)
	if err == nil {
		err = files.MakeFolders(l.buildings(), mode)
	}

	if err != nil {
		return err
	}

	info, err := os.Stat(l.buildings())
	if err != nil || info.Mode().Perm() == mode {
		return err
	}

	err = os.Chmod(l.buildings(), mode)
	if mode != 0o700 && errors.Is(err, fs.ErrPermission) {
		return nil // another of the group made it
	}
	return err
}

// forWriters returns the mode of files that only writers may open: the owner's and, if the group may write to the data
// directory, the group's.
func (l layout) forWriters(owner fs.FileMode) (fs.FileMode, error) {
	info, err := os.Stat(l.dir)
	if err != nil || info.Mode().Perm()&groupWrites == 0 {
		return owner, err
	}
	return owner | owner>>3, nil
}

// obstacle returns the first entry that stands in the place of a store's folder or lock but is something else: a link
// would lead elsewhere, and opening a pipe would block. The data directory itself may be reached through links.
func (l layout) obstacle() error {
	for _, folder := range []string{l.generations(), l.buildings(), l.inbox()} {
		if err := ownFolder(folder); files.IsDamage(err) {
			return err
		}
	}

	if files.Folder(l.current()) == nil {
		_, err := l.readCurrent()
		return err // anything but a folder is replaced by the next generation's name
	}

	for _, file := range []string{l.lock(), l.locked()} {
		if _, err := files.Stat(file); isOther(err) {
			return files.UnlessFault(err, files.DamageError{Remedy: files.RemedyRemove})
		}
	}
	return nil
}

// ownFolder returns a damage error if the path is something other than a real folder, and the system's error if it is
// missing or can't be examined.
func ownFolder(path string) error {
	err := files.Folder(path)
	if isOther(err) {
		return files.UnlessFault(err, files.DamageError{Remedy: files.RemedyRemove})
	}
	return err
}

// isOther reports whether err means that something other than a store's file or folder is in its place.
func isOther(err error) bool {
	var other *files.OtherError
	return errors.As(err, &other)
}

// readFolder lists a folder of the store, in order of name. A missing folder is empty.
func readFolder(path string) ([]fs.DirEntry, error) {
	err := ownFolder(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) { // it was removed in between
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", path, err)
	}
	return entries, nil
}

// folderName is the name of a generation's folder: at least six digits.
func folderName(number int) string { return fmt.Sprintf("%06d", number) }

// mostDigits is the longest name of a folder.
const mostDigits = 9 // of a folder's name

// parseFolderName is the inverse of folderName; ok is false for any other name.
func parseFolderName(name string) (number int, ok bool) {
	number, err := strconv.Atoi(name)
	return number, err == nil && number > 0 && len(name) <= mostDigits && folderName(number) == name
}

// listGenerations returns the numbers of the entries in dir that are named like generations, ascending; they may not
// be folders.
func listGenerations(dir string) ([]int, error) {
	entries, err := readFolder(dir)
	if err != nil {
		return nil, err
	}

	var numbers []int
	for _, entry := range entries {
		if number, ok := parseFolderName(entry.Name()); ok {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// readCurrent returns the number of the generation that readers open. A directory with neither CURRENT nor generations
// is no store; one with generations but no usable CURRENT is damaged.
func (l layout) readCurrent() (int, error) {
	var text []byte

	err := files.Patiently(func() (err error) {
		text, err = files.ReadOwn(l.current(), 64)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		numbers, listErr := listGenerations(l.generations())
		if listErr != nil {
			return 0, listErr
		}

		if len(numbers) == 0 {
			return 0, fmt.Errorf("%w in %s: make an empty one with `indexer init`, or fill one with `indexer run`",
				ErrNoStore, l.dir)
		}
		return 0, &files.DamageError{Path: l.current(), Reason: "it is missing, and there are generations",
			Remedy: "the next `indexer run` puts it back if it was interrupted while publishing, else " + files.RemedyRollback}
	}

	if isOther(err) {
		return 0, files.UnlessFault(err, files.DamageError{Remedy: "remove it, then " + files.RemedyRollback})
	}

	if err != nil {
		return 0, fmt.Errorf("reading which generation is current: %w", err)
	}
	line, rest, _ := strings.Cut(string(text), "\n")

	number, ok := parseFolderName(line)
	if !ok || rest != "" {
		return 0, &files.DamageError{Path: l.current(),
			Reason: fmt.Sprintf("it holds %.70q, not a generation's number", text), Remedy: files.RemedyRollback}
	}
	return number, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// withSuffix returns the paths in dir whose names end in suffix, in order.
func withSuffix(dir, suffix string) ([]string, error) {
	entries, err := readFolder(dir)
	if err != nil {
		return nil, err
	}

	var out []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), suffix) {
			out = append(out, filepath.Join(dir, entry.Name()))
		}
	}
	return out, nil
}
