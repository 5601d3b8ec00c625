package lexicon

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// tree is what is derived of the dictionary's tumours when it is first asked for.
type tree struct {
	once     sync.Once
	facets   map[string]*Entry
	implying []*Entry // tumours whose names imply more
	levels   []*Entry // biomarkers whose names say a level: dMMR
}

func (l *Lexicon) byFacets() map[string]*Entry { return l.grown().facets }

func (l *Lexicon) implying() []*Entry { return l.grown().implying }

// grown is the tree, made at the first call.
func (l *Lexicon) grown() *tree {
	l.tree.once.Do(func() { l.tree.grow(l.entries) })
	return l.tree
}

func (t *tree) grow(entries []Entry) {
	t.facets = map[string]*Entry{}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Kind == KindBiomarker && len(e.Implies) > 0:
			t.levels = append(t.levels, e)
		case e.Kind == KindTumour && len(e.Implies) > 0:
			t.implying = append(t.implying, e)
		}
		if key := facetsOf(e).key(); e.Kind == KindTumour && t.facets[key] == nil {
			t.facets[key] = e
		}
	}
}

// within says that the entry named inner is outer, or that outer holds it. The empty name holds all.
func (l *Lexicon) within(kind Kind, inner, outer string) bool {
	if outer == "" || inner == outer {
		return true
	}
	if inner == "" {
		return false
	}
	return slices.ContainsFunc(l.holders(kind, inner), func(e *Entry) bool { return e.Name == outer })
}

// holders lists the entries that hold the named one, near before far.
func (l *Lexicon) holders(kind Kind, name string) []*Entry {
	e, ok := l.Lookup(kind, name)
	if !ok {
		return nil
	}
	var out []*Entry
	queue := e.Broader
	for len(queue) > 0 {
		next, ok := l.Lookup(kind, queue[0])
		queue = queue[1:]
		if ok && next != e && !slices.Contains(out, next) {
			out = append(out, next)
			queue = append(slices.Clone(queue), next.Broader...)
		}
	}
	return out
}

// holdsTumour says that a is b, or that a is broader.
func (l *Lexicon) holdsTumour(a, b *Entry) bool {
	return a == b || l.holdsFacets(facetsOf(a), facetsOf(b)) || slices.Contains(l.holders(KindTumour, b.Name), a)
}

func (l *Lexicon) holdsFacets(outer, inner facets) bool {
	if outer.kind == "" || !l.within(KindSite, inner.site, outer.site) || !l.within(KindTumour, inner.kind, outer.kind) {
		return false
	}
	return !slices.ContainsFunc(outer.qualifiers, func(q string) bool { return !slices.Contains(inner.qualifiers, q) })
}

// Holds says that a is the same as b, or broader: what is true of b's patients concerns a.
func (l *Lexicon) Holds(a, b *Concept) bool {
	if a.Name == b.Name {
		return true
	}
	return slices.Contains(l.Broader(b), a.Name)
}

// Broader lists the names of all that is broader than c, from the nearest to the root: entries whose site, type and
// qualifiers hold c's, what the dictionary says is broader, and what is broader than these.
func (l *Lexicon) Broader(c *Concept) []string {
	kind := KindTumour
	if c.Entry != nil {
		kind = c.Entry.Kind
	}
	found := map[*Entry]bool{}
	own := facets{c.Site, c.Type, c.Qualifiers}
	if c.Entry != nil {
		for _, e := range l.holders(kind, c.Entry.Name) {
			found[e] = true
		}
	}
	if kind == KindTumour && own.kind != "" {
		for _, e := range l.byFacets() {
			if e != c.Entry && l.holdsFacets(facetsOf(e), own) && facetsOf(e).key() != own.key() {
				found[e] = true
			}
		}
	}
	return l.ordered(found, kind)
}

// ordered adds what is broader than the entries found, and sorts them from the narrowest to the broadest.
func (l *Lexicon) ordered(found map[*Entry]bool, kind Kind) []string {
	for e := range maps.Clone(found) {
		for _, h := range l.holders(kind, e.Name) {
			found[h] = true
		}
	}
	names := make([]string, 0, len(found))
	above := map[string]int{} // by name, how many of the others hold it
	for e := range found {
		names = append(names, e.Name)
		for o := range found {
			if o != e && l.holdsEntry(kind, o, e) {
				above[e.Name]++
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(above[b], above[a]), cmp.Compare(a, b)) })
	return names
}

func (l *Lexicon) holdsEntry(kind Kind, outer, inner *Entry) bool {
	if kind == KindTumour {
		return l.holdsTumour(outer, inner)
	}
	return slices.Contains(l.holders(kind, inner.Name), outer)
}
