package evidence

import (
	"cmp"
	"slices"
)

// LeftOut is how many entries of a file can't be used for one reason.
type LeftOut struct {
	Reason string
	Rows   int
	First  string // the first of them: "EID12 in line 3"
	Fault  bool   // the entry is damaged; else it is none that the file has for us
}

// LeftOuts counts what can't be used of a file. The zero value is ready.
type LeftOuts struct{ byReason map[string]*LeftOut }

// Add counts one; where is its place, kept for the first of each reason.
func (l *LeftOuts) Add(reason, where string, fault bool) {
	if l.byReason == nil {
		l.byReason = map[string]*LeftOut{}
	}

	known := l.byReason[reason]
	if known == nil {
		known = &LeftOut{Reason: reason, Fault: fault, First: where}
		l.byReason[reason] = known
	}
	known.Rows++
}

// List gives them, the most frequent first.
func (l *LeftOuts) List() (all []LeftOut) {
	for _, known := range l.byReason {
		all = append(all, *known)
	}
	slices.SortFunc(all, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}
