package evidence

import (
	"cmp"
	"reflect"
	"slices"
	"time"
)

// GivenFile is one file of statements that are held against questions: on what is approved, or of curators. Seen counts
// its entries: those kept, and those left out.
type GivenFile struct {
	Source   string    `json:"source"`
	Name     string    `json:"name"` // without its folder; "stdin" where it had none
	Date     Date      `json:"date"`
	Imported time.Time `json:"imported"`
	Seen     int       `json:"seen"`
	Kept     int       `json:"kept"`
}

// GivenEntry is an entry of such a file.
type GivenEntry[E any] interface {
	Key() (source, id string)
	Undated() E // without its file and that file's day
}

// Given is all that a store has of one kind of entries. The files of a source take the place of that source's before.
type Given[E GivenEntry[E]] struct {
	Files   []GivenFile // by source, then name
	Entries []E         // in the order of source and number
}

// CompareGiven orders entries by source and number.
func CompareGiven[E GivenEntry[E]](a, b E) int {
	sourceA, idA := a.Key()
	sourceB, idB := b.Key()
	return cmp.Or(cmp.Compare(sourceA, sourceB), cmp.Compare(idA, idB))
}

// With gives what the store has once files of some sources are imported: of these nothing older, of others what it had.
func (g *Given[E]) With(files []GivenFile, entries []E) Given[E] {
	isNew := func(source string) bool {
		return slices.ContainsFunc(files, func(f GivenFile) bool { return f.Source == source })
	}
	out := g.Without(isNew)
	out.Files, out.Entries = append(out.Files, files...), append(out.Entries, entries...)
	slices.SortFunc(out.Files, func(a, b GivenFile) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Name, b.Name))
	})
	slices.SortFunc(out.Entries, CompareGiven[E])
	return out
}

// Without gives what is there of other sources.
func (g *Given[E]) Without(left func(source string) bool) Given[E] {
	return Given[E]{
		Files: slices.DeleteFunc(slices.Clone(g.Files), func(f GivenFile) bool { return left(f.Source) }),
		Entries: slices.DeleteFunc(slices.Clone(g.Entries), func(e E) bool {
			source, _ := e.Key()
			return left(source)
		}),
	}
}

// ChangesSince compares g with what there was before. That an entry comes from another day's file is no change.
func (g *Given[E]) ChangesSince(before *Given[E]) CuratedChanges {
	type key struct{ source, id string }
	keyOf := func(e *E) key {
		source, id := (*e).Key()
		return key{source, id}
	}

	old := make(map[key]*E, len(before.Entries))
	for i := range before.Entries {
		old[keyOf(&before.Entries[i])] = &before.Entries[i]
	}

	var c CuratedChanges
	for i := range g.Entries {
		was, had := old[keyOf(&g.Entries[i])]
		delete(old, keyOf(&g.Entries[i]))

		switch {
		case !had:
			c.New++
		case !reflect.DeepEqual((*was).Undated(), g.Entries[i].Undated()):
			c.Changed++
		}
	}
	c.Gone = len(old)
	return c
}
