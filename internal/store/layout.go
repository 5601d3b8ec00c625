package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/lazy"
	"dossier/internal/regular"
)

// The names in a data directory.
const (
	currentName     = "CURRENT"
	lockName        = "LOCK"
	generationsName = "generations"
	buildingName    = "building"
	inboxName       = "inbox"
	manifestName    = "manifest.json"
	evidenceName    = "evidence.db"
	textName        = "text.bleve"

	// suffixes of folders that are no generation
	cloningSuffix    = ".cloning"    // a copy under way: worth nothing
	publishingSuffix = ".publishing" // an empty file: this generation is complete and on its way to CURRENT
	removingSuffix   = ".removing"   // a pruned generation being deleted
	brokenSuffix     = ".broken"     // set aside because it is damaged
	asideSuffix      = ".aside"      // set aside because its parent is no longer current
	temporarySuffix  = ".tmp"        // a file being written
)

// layout knows where things are in a data directory.
type layout struct{ dir string }

func (l layout) current() string     { return filepath.Join(l.dir, currentName) }
func (l layout) lock() string        { return filepath.Join(l.dir, lockName) }
func (l layout) generations() string { return filepath.Join(l.dir, generationsName) }
func (l layout) buildings() string   { return filepath.Join(l.dir, buildingName) }
func (l layout) inbox() string       { return filepath.Join(l.dir, inboxName) }

func (l layout) generation(number int) string {
	return filepath.Join(l.generations(), folderName(number))
}
func (l layout) building(number int) string { return filepath.Join(l.buildings(), folderName(number)) }
func (l layout) publishing(number int) string {
	return l.building(number) + publishingSuffix
}

// create makes the folders of a store where they are missing.
func (l layout) create() error {
	for _, folder := range []string{l.dir, l.generations(), l.buildings()} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("making the store's folder %s: %w; check --data and the permissions", folder, err)
		}
	}
	if err := l.makeInbox(); err != nil {
		return fmt.Errorf("making the store's folder %s: %w; check --data and the permissions", l.inbox(), err)
	}
	return nil
}

// folderName is a generation's folder: six digits, more from a million on.
func folderName(number int) string { return fmt.Sprintf("%06d", number) }

var folderRE = lazy.Regexp(`^(?:\d{6}|[1-9]\d{6,8})$`)

// parseFolderName is the reverse of folderName; ok is false for any other name.
func parseFolderName(name string) (number int, ok bool) {
	if !folderRE().MatchString(name) {
		return 0, false
	}
	number, err := strconv.Atoi(name)
	return number, err == nil && number > 0
}

// listGenerations gives the numbers of the folders in dir that are named like a generation, ascending. A folder that is
// missing holds none.
func listGenerations(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	var numbers []int
	for _, entry := range entries {
		if number, ok := parseFolderName(entry.Name()); ok && entry.IsDir() {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// readCurrent gives the number of the generation that readers open. A directory with neither CURRENT nor generations is
// no store; one that has generations but no usable CURRENT is damaged.
func (l layout) readCurrent() (int, error) {
	text, err := readSmallFile(l.current(), 64)
	if errors.Is(err, fs.ErrNotExist) {
		numbers, listErr := listGenerations(l.generations())
		if listErr != nil {
			return 0, listErr
		}
		if len(numbers) == 0 {
			return 0, noStoreError(l.dir)
		}
		return 0, &DamagedError{Path: l.current(), Reason: "it is missing, and there are generations",
			Remedy: "the next `indexer run` puts it back if it was interrupted while publishing, else " + remedyRollback}
	}
	if err != nil {
		return 0, fmt.Errorf("reading which generation is current: %w", err)
	}
	line, rest, _ := cutLine(text)
	number, ok := parseFolderName(line)
	if !ok || rest != "" {
		return 0, &DamagedError{Path: l.current(), Reason: fmt.Sprintf("it holds %.70q, not a generation's number", text), Remedy: remedyRollback}
	}
	return number, nil
}

func cutLine(text []byte) (line, rest string, found bool) {
	for i, c := range text {
		if c == '\n' {
			return string(text[:i]), string(text[i+1:]), true
		}
	}
	return string(text), "", false
}

// readSmallFile reads a file, of which at most limit bytes; a longer one is cut one byte after.
func readSmallFile(path string, limit int64) ([]byte, error) {
	f, err := regular.OpenOwn(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// withSuffix gives the paths in dir whose names end in suffix, in order.
func withSuffix(dir, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	var out []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), suffix) {
			out = append(out, filepath.Join(dir, entry.Name()))
		}
	}
	return out, nil
}
