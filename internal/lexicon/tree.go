package lexicon

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"dossier/internal/text"
)

// tree holds what is derived from the dictionary's entries when it is first needed.
type tree struct {
	once     sync.Once
	above    sync.Map // by kind and name, the broader entries: []*Entry
	facets   map[string]*Entry
	tumours  []tumourFacets
	implying []*Entry // tumours whose names imply more
	levels   []*Entry // biomarkers whose names imply a level: dMMR
	defined  []*Entry // tumours that alterations of others define
	targeted []*Entry // classes that act on certain genes
}

// tumourFacets are an entry's facets, made once.
type tumourFacets struct {
	facets
	key   string
	entry *Entry
}

// grown returns the tree, and makes it at the first call.
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
		case e.Kind == KindTumour && len(e.DefinedBy) > 0:
			t.defined = append(t.defined, e)
		case e.Kind == KindClass && len(e.Targets) > 0:
			t.targeted = append(t.targeted, e)
		}

		if e.Kind != KindTumour {
			continue
		}
		f := facetsOf(e)

		key := f.key()
		if t.facets[key] == nil {
			t.facets[key] = e
			t.tumours = append(t.tumours, tumourFacets{f, key, e})
		}
	}
}

// within reports whether the entry named inner is outer, or outer holds it. The empty name holds all.
func (l *Lexicon) within(kind Kind, inner, outer string) bool {
	if outer == "" || inner == outer {
		return true
	}
	holds := func(e *Entry) bool { return e.Name == outer }
	return inner != "" && slices.ContainsFunc(l.broaderThan(kind, inner), holds)
}

// broaderThan lists the entries that hold the named one, near before far.
func (l *Lexicon) broaderThan(kind Kind, name string) []*Entry {
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

// Broader lists the names of all entries broader than c, from the nearest to the root: those of the dictionary (see
// completeBroader), or for a composed tumour the entries whose site, type and qualifiers hold its own; those in the
// usual organ if c names none; and the group that an alteration puts c into.
func (l *Lexicon) Broader(c *Concept) []string {
	var found []*Entry

	own := facets{c.Site, c.Type, c.Qualifiers}
	switch {
	case c.Entry != nil:
		found = l.above(c.Entry)
	case c.Type != "":
		found = l.remember("composed "+own.key(), func() []*Entry { return l.withBroader(l.holding(own)) })
	}

	if own.site = l.usualSite(c); own.site != "" {
		inOrgan := func() []*Entry { return l.withBroader(slices.Concat(found, l.holding(own), l.exactly(own))) }
		found = l.remember("usually "+own.key(), inOrgan)
	}

	if c.Group != nil {
		inGroup := func() []*Entry { return l.withBroader(append(slices.Clone(found), c.Group)) }
		found = l.remember(c.Group.Name+" of "+c.Name, inGroup)
	}
	return text.Each(found, func(e *Entry) string { return e.Name })
}

// usualSite returns the organ that is usually meant if c names none: for a mucoepidermoid carcinoma a salivary gland.
// It does not make c a tumour of that organ, which the text does not name; c is only found under it.
func (l *Lexicon) usualSite(c *Concept) string {
	if c.Site != "" || c.Type == "" {
		return ""
	}

	if c.Entry != nil && c.Entry.Usually != "" {
		return c.Entry.Usually
	}

	if e, ok := l.Lookup(KindTumour, c.Type); ok {
		return e.Usually
	}
	return ""
}

// exactly lists the entry with exactly these facets, if there is one.
func (l *Lexicon) exactly(own facets) []*Entry {
	if e := l.grown().facets[own.key()]; e != nil {
		return []*Entry{e}
	}
	return nil
}

// above lists the entries broader than e, from the nearest to the root.
func (l *Lexicon) above(e *Entry) []*Entry {
	return l.remember(string(e.Kind)+" "+e.Name, func() []*Entry {
		return slices.DeleteFunc(l.withBroader(l.broaderThan(e.Kind, e.Name)), func(o *Entry) bool { return o == e })
	})
}

// remember makes a list once, since every title that is screened needs the broader entries.
func (l *Lexicon) remember(key string, make func() []*Entry) []*Entry {
	if known, ok := l.tree.above.Load(key); ok {
		return known.([]*Entry)
	}
	made, _ := l.tree.above.LoadOrStore(key, make())
	return made.([]*Entry)
}

// holding lists the tumours whose site, type and qualifiers hold those given, and are not the same.
func (l *Lexicon) holding(own facets) []*Entry {
	var out []*Entry
	key := own.key()
	sites := l.andHolders(KindSite, own.site)

	kinds := l.andHolders(KindTumour, own.kind)
	for _, t := range l.grown().tumours {
		if t.key != key && (t.site == "" || slices.Contains(sites, t.site)) && slices.Contains(kinds, t.kind) &&
			l.qualifiesFor(t.qualifiers, own.qualifiers) {
			out = append(out, t.entry)
		}
	}
	return out
}

// andHolders lists a name and the names of the entries that hold it.
func (l *Lexicon) andHolders(kind Kind, name string) []string {
	out := []string{name}
	for _, e := range l.broaderThan(kind, name) {
		out = append(out, e.Name)
	}
	return out
}

// qualifiesFor reports whether each of a broader tumour's qualifiers is among the narrower one's, or holds one of them:
// group 3 is non-WNT/non-SHH.
func (l *Lexicon) qualifiesFor(outer, inner []string) bool {
	return !slices.ContainsFunc(outer, func(o string) bool {
		return !slices.ContainsFunc(inner, func(i string) bool { return l.within(KindQualifier, i, o) })
	})
}

// withBroader adds the entries broader than those found, and sorts all from the narrowest to the broadest, by how many
// entries hold each.
func (l *Lexicon) withBroader(found []*Entry) []*Entry {
	broader := map[*Entry][]*Entry{}
	for _, e := range found {
		broader[e] = l.broaderThan(e.Kind, e.Name)
	}

	for _, above := range slices.Collect(maps.Values(broader)) {
		for _, e := range above {
			broader[e] = l.broaderThan(e.Kind, e.Name)
		}
	}
	return slices.SortedFunc(maps.Keys(broader), func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(len(broader[b]), len(broader[a])), cmp.Compare(a.Name, b.Name))
	})
}
