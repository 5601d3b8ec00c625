package store

import (
	"fmt"
	"io/fs"
	"slices"
)

// DiskSpace is how much space a store has, and how much of it the next night takes, in bytes, estimated from earlier
// nights.
type DiskSpace struct {
	Free  int64
	Known bool // false if the system does not report free space; then all else is 0
	// NextNight is what a night like the kept ones writes. Without that much space nothing is published.
	NextNight int64
	// Most is NextNight plus optional work: rewriting the records and merging all segments.
	Most int64
}

// Short reports whether a night may find the disk full.
func (r DiskSpace) Short() bool { return r.Known && r.Free < r.NextNight }

// Low reports whether a night may have to skip the work that keeps a store small and fast.
func (r DiskSpace) Low() bool { return r.Known && r.Free < r.Most }

// String describes the space in a line, without a remedy.
func (r DiskSpace) String() string {
	switch {
	case !r.Known:
		return "nothing is known of the room on the disk"
	case r.Short():
		return fmt.Sprintf("%s free, and the next night takes some %s: it may end for want of room",
			megabytes(r.Free), megabytes(r.NextNight))
	case r.Low():
		return fmt.Sprintf("%s free, enough for the next night (some %s), but not for what it may write anew (up to %s), "+
			"which it leaves out", megabytes(r.Free), megabytes(r.NextNight), megabytes(r.Most))
	}
	return fmt.Sprintf("%s free; the next night takes some %s, and up to %s where it writes much anew", megabytes(r.Free),
		megabytes(r.NextNight), megabytes(r.Most))
}

// SpaceRemedy is the remedy for too little space.
const SpaceRemedy = "free some space there, raise the quota, or set store.keep_generations lower"

// reservedSpace is kept free by all optional work, in bytes: sums, manifest, and what the text and the records write
// when they are closed take less.
const reservedSpace = 8 << 20

// lacksSpace reports whether optionally writing so many bytes would leave too little space for a publication in
// folder, and how much is free.
func lacksSpace(folder string, bytes int64) (free int64, ok bool) {
	free, known := freeSpace(folder)
	return free, known && bytes > 0 && free < bytes+reservedSpace
}

// estimateSpace estimates the space that the next night takes, from the kept generations, in order of number. A night
// copies the records, or the changes to them, and adds segments, which it writes once more when it merges them.
func (l layout) estimateSpace(kept []GenerationInfo) (r DiskSpace) {
	current := slices.IndexFunc(kept, func(g GenerationInfo) bool { return g.Current })
	if r.Free, r.Known = freeSpace(l.dir); !r.Known || current < 0 {
		return r
	}

	var own int64
	for i, g := range kept {
		if i > 0 || len(kept) == 1 { // what the first of several shared is unknown
			own = max(own, g.Size-g.Shared)
		}
	}

	if len(kept) == 1 { // a first generation shares nothing; the next one shares most of it
		own = kept[0].Size / firstNightDivisor
		if manifest, err := readManifest(l.generation(kept[0].Number)); err == nil {
			if records := manifest.file(evidenceName); records != nil && records.Size < largeDatabase {
				own += records.Size
			}
		}
	}
	r.NextNight = 2*own + reservedSpace
	r.Most = r.NextNight + kept[current].Size
	return r
}

// warnLowSpace warns if a night that begins may lack space. It ignores errors, which later steps report.
func (w *folderBackend) warnLowSpace() {
	current, err := w.layout.readCurrent()
	if err != nil {
		return
	}

	numbers, err := listGenerations(w.layout.generations())
	if err != nil {
		return
	}
	var kept []GenerationInfo

	seen := map[string][]fs.FileInfo{}
	for _, number := range numbers {
		if manifest, err := readManifest(w.layout.generation(number)); err == nil {
			kept = append(kept, GenerationInfo{Generation: manifest.Generation, Current: number == current,
				Size: manifest.Size(), Shared: w.layout.sharedBytes(number, seen)})
		}
	}

	if room := w.layout.estimateSpace(kept); room.Low() {
		w.options.Logger.Warn("there is little room for the store", "room", room.String(), "remedy", SpaceRemedy)
	}
}

// firstNightDivisor sets what a store's first night is assumed to add, a twentieth of it, as there is no earlier night
// to estimate from.
const firstNightDivisor = 20
