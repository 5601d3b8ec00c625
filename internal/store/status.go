package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dossier/internal/database"
	"dossier/internal/evidence"
	"dossier/internal/files"
)

// GenerationInfo describes a published generation in a list.
type GenerationInfo struct {
	Generation
	Current bool
	Size    int64 // bytes, hard links counted in full
	Shared  int64 // the part of Size in files that an earlier one of the list shares
	Problem error // why it can't be opened; nil if its manifest and sizes are right
}

// Info describes the state of a store.
type Info struct {
	Dir         string
	Current     int              // 0 if CURRENT can't be read; see Problem
	Problem     error            // what keeps readers from opening the store, or the next writer from writing to it
	Newer       Newer            // than the current one
	Space       DiskSpace        // on the disk; unknown for a cluster
	Generations []GenerationInfo // in order of number
	Building    []Unpublished    // what is in building/
	Inbox       int              // live answers that wait
	InboxAside  int              // unusable files of the inbox that were set aside
	Writer      *Holder          // who signed LOCK last and has not released it; it may have been killed
	Shared      *Shared          // on a cluster, the generation under way that several writers share; nil if there is none
}

// Shared reports the progress of a generation that several writers share.
type Shared struct {
	Generation int      `json:"generation"`
	Of         int      `json:"of"`      // how many shares there are
	Awaited    []int    `json:"awaited"` // those that are not done
	Writers    []Sharer `json:"writers"`
}

// Sharer is a writer at work on a share.
type Sharer struct {
	Program string    `json:"program"`
	Since   time.Time `json:"since"`
}

// CurrentGeneration is the one that readers open; zero if there is none.
func (i Info) CurrentGeneration() GenerationInfo {
	for _, g := range i.Generations {
		if g.Current {
			return g
		}
	}
	return GenerationInfo{}
}

// Size is what all generations take on the disk, in bytes.
func (i Info) Size() (bytes int64) {
	for _, g := range i.Generations {
		bytes += g.Size - g.Shared
	}
	return bytes
}

// Unpublished is a folder of unpublished work: a copy under way, an interrupted one, or one that was set aside.
type Unpublished struct {
	Path  string
	Size  int64 // of its files, in bytes
	Aside bool  // it was set aside: judgements in it are taken over, and it can be deleted
}

// Status reports a store's state, damaged or not; it reads only manifests and sizes and takes no lock. The error is
// ErrNoStore if there is no store; there may still be unpublished work of a first run.
func (f Folder) Status(ctx context.Context) (Info, error) {
	l := f.layout()
	info := Info{Dir: string(f)}

	current, err := l.readCurrent()
	switch {
	case files.IsDamage(err):
		info.Problem = err
	case errors.Is(err, ErrNoStore):
		return info, errors.Join(err, l.unpublished(&info))
	case err != nil:
		return info, err
	}
	info.Current, info.Newer = current, l.newer(current)

	numbers, err := listGenerations(l.generations())
	if err != nil && !files.IsDamage(err) {
		return info, err
	}

	seen := map[string][]fs.FileInfo{}
	for _, number := range numbers {
		if err := ctx.Err(); err != nil {
			return info, err
		}
		one := l.generationInfo(number)
		one.Shared = l.sharedBytes(number, seen)

		one.Current = number == current
		if one.Current && info.Problem == nil {
			info.Problem = one.Problem
		}
		info.Generations = append(info.Generations, one)
	}

	info.Space = l.estimateSpace(info.Generations)
	if err := l.obstacle(); err != nil {
		info.Problem = cmp.Or(info.Problem, err)
	}
	return info, l.unpublished(&info)
}

func (l layout) generationInfo(number int) GenerationInfo {
	info := GenerationInfo{Generation: Generation{Number: number}}

	manifest, err := readManifest(l.generation(number))
	if err != nil {
		info.Problem = err
		return info
	}
	info.Generation, info.Size = manifest.Generation, manifest.Size()
	info.Problem = manifest.checkFiles(l.generation(number))
	return info
}

// sharedBytes is how much of a generation lies in files that earlier ones share. seen holds these by their paths in a
// generation; sharedBytes adds the generation's own.
func (l layout) sharedBytes(number int, seen map[string][]fs.FileInfo) (bytes int64) {
	manifest, err := readManifest(l.generation(number))
	if err != nil {
		return 0 // generationInfo reports the problem
	}

	for _, file := range manifest.Files {
		found, err := file.stat(l.generation(number))
		if err != nil {
			continue
		}

		if slices.ContainsFunc(seen[file.Path], func(earlier fs.FileInfo) bool { return os.SameFile(earlier, found) }) {
			bytes += file.Size
		}
		seen[file.Path] = append(seen[file.Path], found)
	}
	return bytes
}

// unpublished fills in the unpublished work and the inbox. It ignores a path that is no folder, which is reported as
// the store's problem.
func (l layout) unpublished(info *Info) error {
	entries, err := readFolder(l.buildings())
	if err != nil && !files.IsDamage(err) && !errors.Is(err, fs.ErrPermission) { // it is the writer's alone
		return err
	}

	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(l.buildings(), entry.Name())

		size, err := sizeUnder(path)
		if err != nil {
			return err
		}
		_, isCopy := parseFolderName(strings.TrimSuffix(entry.Name(), cloningSuffix))
		info.Building = append(info.Building, Unpublished{Path: path, Size: size, Aside: !isCopy})
	}

	if holder := readHolder(l); holder.PID != 0 {
		info.Writer = &holder
	}

	waiting, err := withSuffix(l.inbox(), inboxSuffix)
	if files.IsDamage(err) {
		return nil
	}
	aside, asideErr := withSuffix(l.inbox(), inboxSuffix+brokenSuffix)
	info.Inbox, info.InboxAside = len(waiting), len(aside)
	return errors.Join(err, asideErr)
}

// waitForRuns bounds the wait for a writer's file lock: a writer at work holds it for hours.
const waitForRuns = 100 * time.Millisecond

// UnpublishedRuns reads the runs that the work in building/ records, the newest first: those of the generation that it
// began with, and later ones that were not published because they were interrupted or answered nothing. It returns
// none while a writer is at work, or if they can't be read: the next writer reports that.
func (i Info) UnpublishedRuns(limit int) (runs []evidence.Run) {
	for _, folder := range i.Building {
		if _, whole := parseFolderName(filepath.Base(folder.Path)); folder.Aside || !whole {
			continue
		}

		db, err := database.Open(filepath.Join(folder.Path, evidenceName), true, waitForRuns)
		if err != nil {
			continue
		}

		read, err := db.Runs(limit)
		if errors.Join(err, db.Close()) == nil {
			runs = read
		}
	}
	return runs
}

// sizeUnder adds up the sizes of the files under a folder. It ignores files that disappear meanwhile.
func sizeUnder(folder string) (bytes int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				bytes += info.Size()
			}
		}

		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return bytes, err
}
