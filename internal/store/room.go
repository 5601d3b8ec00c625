package store

import (
	"fmt"
	"io/fs"
	"slices"
)

// Room is how much room there is for a store, and how much of it the next night takes, in bytes, as far as the nights
// before tell.
type Room struct {
	Free  int64
	Known bool // else the system does not tell what is free, and all else is 0
	// Night is what a night like those that are kept writes while it is under way. Without it nothing is published.
	Night int64
	// Most is Night with what is left out where there is too little: the records written anew, and all segments merged.
	Most int64
}

// Short reports whether a night may find the disk full.
func (r Room) Short() bool { return r.Known && r.Free < r.Night }

// Low reports whether a night may have to leave out what keeps a store small and fast.
func (r Room) Low() bool { return r.Known && r.Free < r.Most }

// String says it in a line, without what can be done.
func (r Room) String() string {
	switch {
	case !r.Known:
		return "nothing is known of the room on the disk"
	case r.Short():
		return fmt.Sprintf("%s free, and the next night takes some %s: it may end for want of room",
			megabytes(r.Free), megabytes(r.Night))
	case r.Low():
		return fmt.Sprintf("%s free, enough for the next night (some %s), but not for what it may write anew (up to %s), "+
			"which it leaves out", megabytes(r.Free), megabytes(r.Night), megabytes(r.Most))
	}
	return fmt.Sprintf("%s free; the next night takes some %s, and up to %s where it writes much anew", megabytes(r.Free),
		megabytes(r.Night), megabytes(r.Most))
}

// RoomRemedy is what can be done where there is too little.
const RoomRemedy = "free some space there, raise the quota, or set store.keep_generations lower"

// publicationRoom is kept free by whatever can be left out, in bytes: sums, manifest, and what the text and the records
// write when they are closed come to less.
const publicationRoom = 8 << 20

// scarce reports whether writing so many bytes more, which can be left out, would leave a publication in folder too
// little room, and how much there is.
func scarce(folder string, bytes int64) (free int64, is bool) {
	free, known := roomIn(folder)
	return free, known && bytes > 0 && free < bytes+publicationRoom
}

// room reckons what the next night takes, of the generations that are kept, in order of number. A night copies the
// records, or the changes to them, and adds segments, which it writes once more when it merges them.
func (l layout) room(kept []GenerationInfo) (r Room) {
	current := slices.IndexFunc(kept, func(g GenerationInfo) bool { return g.Current })
	if r.Free, r.Known = roomIn(l.dir); !r.Known || current < 0 {
		return r
	}

	var own int64
	for i, g := range kept {
		if i > 0 || len(kept) == 1 { // of the first of several nobody knows what it shared
			own = max(own, g.Size-g.Shared)
		}
	}

	if len(kept) == 1 { // all of a first generation is its own; the next one shares most of it
		own = kept[0].Size / firstNightPart
		if manifest, err := readManifest(l.generation(kept[0].Number)); err == nil {
			if records := manifest.file(evidenceName); records != nil && records.Size < largeDatabase {
				own += records.Size
			}
		}
	}
	r.Night = 2*own + publicationRoom
	r.Most = r.Night + kept[current].Size
	return r
}

// warnOfRoom tells where a night that begins may not have the room that it needs. What it can't learn it leaves to
// whoever needs it.
func (w *folders) warnOfRoom() {
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

	if room := w.layout.room(kept); room.Low() {
		w.options.Logger.Warn("there is little room for the store", "room", room.String(), "remedy", RoomRemedy)
	}
}

// firstNightPart is how large a part of a store its first night is taken to add, as no other tells.
const firstNightPart = 20
