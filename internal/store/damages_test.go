//go:build unix

package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"dossier/internal/database"
)

// row names the page's row of the table.
func (p dbPage) row() string {
	switch {
	case strings.HasPrefix(p.kind, "branch"):
		return "evidence.db, branch pages"
	case strings.HasPrefix(p.kind, "leaf"):
		return "evidence.db, leaves"
	}
	return "evidence.db, meta, roots, free list"
}

// flips gives that many flips of one bit in the files of the current generation and in CURRENT, hot places more often
// than their size would have them hit.
func flips(t *testing.T, dir string, number int, random *rand.Rand) []harm {
	t.Helper()
	folder := currentFolder(t, dir)
	files := append(filesUnder(t, folder), filepath.Join(dir, currentName))
	pages := pagesOf(t, recordsOf(folder))
	var out []harm
	for i := range number {
		file := files[i%len(files)]
		if i%4 == 0 {
			file = recordsOf(folder)
		}
		info, err := os.Stat(file)
		must(t, err)
		row, place := filepath.Base(file), random.Int64N(info.Size())
		about := ""
		switch {
		case file == recordsOf(folder):
			row, place, about = flipInDatabase(pages, place, random)
		case filepath.Ext(file) == segmentSuffix:
			row = "segments"
			if random.IntN(2) == 0 {
				row, place = "segments, the last 2,400 bytes", info.Size()-1-random.Int64N(min(2400, info.Size()))
			}
		case random.IntN(2) == 0:
			place = random.Int64N(min(info.Size(), 8*database.PageSize))
		}
		relative, err := filepath.Rel(dir, file)
		must(t, err)
		bit := byte(1) << random.IntN(8)
		out = append(out, harm{"flip: " + row, fmt.Sprintf("%s, byte %d, bit %#x%s", relative, place, bit, about),
			func(t *testing.T, dir string) {
				flipBit(t, filepath.Join(dir, relative), place, bit)
			}})
	}
	return out
}

// flipInDatabase chooses a place: half of the time in a hot page, of which each kind is as likely.
func flipInDatabase(pages []dbPage, place int64, random *rand.Rand) (row string, _ int64, about string) {
	if random.IntN(2) == 0 {
		kinds := []string{"meta", "root", "free list", "branch"}
		kind := kinds[random.IntN(len(kinds))]
		hot := slices.DeleteFunc(slices.Clone(pages), func(p dbPage) bool { return !strings.HasPrefix(p.kind, kind) })
		if len(hot) > 0 {
			page := hot[random.IntN(len(hot))]
			return page.row(), page.place + random.Int64N(page.size), ", " + page.kind
		}
	}
	for _, page := range pages {
		if place >= page.place && place < page.place+page.size {
			return page.row(), place, ", " + page.kind
		}
	}
	return "evidence.db, free pages", place, ", free"
}

func flipBit(t *testing.T, path string, place int64, bit byte) {
	t.Helper()
	overwrite(t, path, place, 1, func(content []byte) { content[0] ^= bit })
}

// currentFolder is that of the generation that readers open.
func currentFolder(t *testing.T, dir string) string {
	t.Helper()
	l := layout{dir: dir}
	current, err := l.readCurrent()
	must(t, err)
	return l.generation(current)
}

// structuralDamages damages whole files and folders, each of them in every way.
func structuralDamages(t *testing.T, dir string) []harm {
	t.Helper()
	folder := currentFolder(t, dir)
	segments, err := filepath.Glob(filepath.Join(folder, textName, "store", "*"+segmentSuffix))
	must(t, err)
	files := []string{currentName, lockName}
	for _, file := range append(segments[:min(2, len(segments))], filepath.Join(folder, manifestName),
		recordsOf(folder),
		filepath.Join(folder, textName, "index_meta.json"), filepath.Join(folder, textName, "store", "root.bolt")) {
		relative, err := filepath.Rel(dir, file)
		must(t, err)
		files = append(files, relative)
	}
	var out []harm
	add := func(file, name string, do func(t *testing.T, path string)) {
		row := "folders"
		switch {
		case filepath.Ext(file) == segmentSuffix:
			row = "segments"
		case slices.Contains(files, file):
			row = filepath.Base(file)
		}
		out = append(out, harm{"structure: " + row, file + " " + name, func(t *testing.T, dir string) {
			do(t, filepath.Join(dir, file))
		}})
	}
	for _, file := range files {
		for _, d := range fileDamages() {
			add(file, d.name, d.do)
		}
	}
	newest, err := filepath.Rel(dir, folder)
	must(t, err)
	for _, file := range []string{generationsName, buildingName, inboxName, newest, newest + "/text.bleve",
		newest + "/text.bleve/store"} {
		for _, d := range replacements() {
			add(file, d.name, d.do)
		}
	}
	return out
}

// replacements put something else in the place of a file or folder.
func replacements() []harm {
	instead := func(name string, put func(path string) error) harm {
		return harm{name: name, do: func(t *testing.T, path string) {
			must(t, os.RemoveAll(path))
			must(t, put(path))
		}}
	}
	device := func(minor uint32) func(path string) error {
		return func(path string) error { return unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))) }
	}
	all := []harm{
		instead("is gone", func(string) error { return nil }),
		instead("is empty", func(path string) error { return os.WriteFile(path, nil, 0o600) }),
		instead("is a pipe", func(path string) error { return unix.Mkfifo(path, 0o600) }),
		instead("is a link to nothing", func(path string) error { return os.Symlink("nowhere", path) }),
		instead("is a link to itself", func(path string) error { return os.Symlink(filepath.Base(path), path) }),
		instead("is a link to zeros", func(path string) error { return os.Symlink("/dev/zero", path) }),
		instead("is an empty folder", func(path string) error { return os.Mkdir(path, 0o700) }),
		{name: "is a link to itself elsewhere", do: func(t *testing.T, path string) {
			must(t, os.Rename(path, path+"-elsewhere"))
			must(t, os.Symlink(filepath.Base(path)+"-elsewhere", path))
		}},
		{name: "may be read by nobody", do: func(t *testing.T, path string) { must(t, os.Chmod(path, 0)) }},
	}
	if os.Geteuid() == 0 {
		all = append(all, instead("is a device without end", device(5)), instead("is the null device", device(3)))
	}
	return all
}

// fileDamages are those that make sense for files only.
func fileDamages() []harm {
	size := func(t *testing.T, path string) int64 {
		info, err := os.Stat(path)
		must(t, err)
		return info.Size()
	}
	zero := func(name string, part func(size int64) (from, to int64)) harm {
		return harm{name: name, do: func(t *testing.T, path string) {
			from, to := part(size(t, path))
			overwrite(t, path, from, max(0, to-from), func(content []byte) { clear(content) })
		}}
	}
	return append(replacements(),
		harm{name: "is cut in half", do: func(t *testing.T, path string) { must(t, os.Truncate(path, size(t, path)/2)) }},
		harm{name: "is twice as long", do: func(t *testing.T, path string) { must(t, os.Truncate(path, 2*size(t, path)+1)) }},
		zero("has zeros all over", func(size int64) (int64, int64) { return 0, size }),
		zero("has zeros in its first page", func(size int64) (int64, int64) { return 0, min(size, database.PageSize) }),
		zero("has zeros in a middle page", func(size int64) (int64, int64) {
			return size / 2 / database.PageSize * database.PageSize, min(size, size/2/database.PageSize*database.PageSize+
				database.PageSize)
		}),
		zero("has zeros in its last page", func(size int64) (int64, int64) { return max(0, size-database.PageSize), size }),
		zero("has zeros in its second half", func(size int64) (int64, int64) { return size / 2, size }),
		harm{name: "is that of the generation before", do: func(t *testing.T, path string) {
			older := strings.NewReplacer("/000003/", "/000002/", "/000002/", "/000001/").Replace(path)
			if !exists(older) { // a segment of its own, or all of a store's only generation
				folders, err := filepath.Glob(strings.SplitN(path, "/generations/", 2)[0] + "/generations/0*")
				must(t, err)
				older = firstSegment(t, folders[0])
			}
			content, err := os.ReadFile(older)
			must(t, err)
			must(t, os.Remove(path))
			must(t, os.WriteFile(path, content, 0o600))
		}},
		harm{name: "has two pages exchanged", do: func(t *testing.T, path string) {
			if size(t, path) < 8*database.PageSize {
				return
			}
			overwrite(t, path, 4*database.PageSize, 2*database.PageSize, func(content []byte) {
				first := slices.Clone(content[:database.PageSize])
				copy(content, content[database.PageSize:])
				copy(content[database.PageSize:], first)
			})
		}},
	)
}
