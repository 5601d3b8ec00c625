package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// classesOf lists the classes of a drug, nearest first: those in the dictionary and the one that its name's stem
// implies; those that its targets add; and broader ones. For a class or a treatment in the dictionary it lists the
// broader ones.
func (l *Lexicon) classesOf(d *Drug) []*Entry {
	switch {
	case d.Entry != nil:
		return l.holdersOf(d.Entry)
	case d.Class:
		return nil
	}
	return l.andBroader(l.nearestClasses(d))
}

// holdersOf is classesOf for an entry.
func (l *Lexicon) holdersOf(e *Entry) []*Entry {
	return l.remember("holding "+string(e.Kind)+" "+e.Name, func() []*Entry {
		own := l.nearestClasses(&Drug{Name: e.Name, Entry: e})
		if e.Kind == KindDrug {
			own = append(own, l.classesByTargets(e, own)...)
		}
		return l.andBroader(own)
	})
}

// nearestClasses returns what holds a drug, a class or a treatment by the dictionary, then the class that a drug's name
// implies by its stem.
func (l *Lexicon) nearestClasses(d *Drug) []*Entry {
	var own []*Entry
	if d.Entry != nil {
		kinds, names := []Kind{d.Entry.Kind}, d.Entry.Broader
		if d.Entry.Kind == KindDrug {
			kinds, names = []Kind{KindClass, KindTreatment}, append([]string{d.Entry.Class}, names...)
		}
		own = l.named(names, kinds)
	}

	isDrug := !d.Class && (d.Entry == nil || d.Entry.Kind == KindDrug)
	if class := l.classByStem(fold(d.Name)); isDrug && isOneWord(d.Name) && class != nil && !slices.Contains(own, class) {
		own = append(own, class)
	}
	return own
}

// isOneWord reports whether a drug's name is one word. A conjugate's second word names the bound drug, not its class.
func isOneWord(name string) bool { return !strings.ContainsAny(name, " /") }

// classesByTargets returns classes below or beside a drug's own ones whose targets differ from theirs and are all among
// the drug's: pembrolizumab, a checkpoint inhibitor that acts on PD-1, is a PD-1 inhibitor; crizotinib, an ALK
// inhibitor, is a ROS1 inhibitor too.
func (l *Lexicon) classesByTargets(drug *Entry, own []*Entry) []*Entry {
	return slices.DeleteFunc(slices.Clone(l.grown().targeted), func(c *Entry) bool {
		same := func(o *Entry) bool { return slices.Equal(o.Targets, c.Targets) }
		near := func(o *Entry) bool {
			beside := func(parent string) bool { return slices.Contains(o.Broader, parent) }
			return l.within(KindClass, c.Name, o.Name) || slices.ContainsFunc(c.Broader, beside)
		}
		return len(missing(c.Targets, drug.Targets)) > 0 || slices.ContainsFunc(own, same) || !slices.ContainsFunc(own, near)
	})
}

// andBroader lists entries and then their broader ones, each once.
func (l *Lexicon) andBroader(entries []*Entry) []*Entry {
	out := slices.Clone(entries)
	for _, e := range entries {
		for _, broader := range l.broaderThan(e.Kind, e.Name) {
			if !slices.Contains(out, broader) {
				out = append(out, broader)
			}
		}
	}
	return out
}

// componentsOf lists the components of a combination, and theirs in turn: R-CHOP is rituximab and CHOP, and so the
// drugs of CHOP.
func (l *Lexicon) componentsOf(e *Entry) []*Entry {
	return l.remember("components of "+string(e.Kind)+" "+e.Name, func() []*Entry {
		out := l.impliedTreatments(e)
		for n := 0; n < len(out); n++ {
			for _, c := range l.impliedTreatments(out[n]) {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
		return out
	})
}

func (l *Lexicon) impliedTreatments(e *Entry) []*Entry {
	return l.named(e.Implies, []Kind{KindDrug, KindClass, KindTreatment})
}

// named finds entries by their names, each of the first of the kinds that has it.
func (l *Lexicon) named(names []string, kinds []Kind) []*Entry {
	var out []*Entry
	for _, name := range names {
		for _, kind := range kinds {
			if e, ok := l.Lookup(kind, name); ok {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// hasComponent reports whether a treatment has another one, or a class of it, among its components.
func (l *Lexicon) hasComponent(e *Entry, name string) bool {
	is := func(c *Entry) bool { return c.Name == name }
	return slices.ContainsFunc(l.componentsOf(e), func(c *Entry) bool {
		return is(c) || slices.ContainsFunc(l.holdersOf(c), is)
	})
}

// apart returns a regimen with each combination replaced by its final components; nil if it holds none. An entry that
// implies one thing only is a kind of that, not a combination.
func (l *Lexicon) apart(regimen []*Drug) []*Drug {
	var out []*Drug

	found := false
	for _, d := range regimen {
		if d.Entry == nil || len(d.Entry.Implies) < 2 {
			out = append(out, d)
			continue
		}
		found = true
		last := slices.DeleteFunc(slices.Clone(l.componentsOf(d.Entry)), func(c *Entry) bool { return len(c.Implies) > 1 })
		out = append(out, text.Each(last, func(c *Entry) *Drug {
			return &Drug{Name: c.Name, Entry: c, Class: c.Kind == KindClass, Known: true, Role: d.Role}
		})...)
	}

	if !found {
		return nil
	}
	return out
}
