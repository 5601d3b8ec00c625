package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// classesOf lists the classes that a drug is in, near before far: those that the dictionary puts it into and the one
// that its name tells; those that differ from these by their targets alone; and what is broader. Of a class or a
// treatment it lists what is broader.
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

// nearestClasses are what the dictionary says to hold a drug, a class or a treatment, and behind it the class that a
// drug's name tells by its stem.
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

// isOneWord reports whether a drug's name is no conjugate's, whose second word tells what is bound and not what it is.
func isOneWord(name string) bool { return !strings.ContainsAny(name, " /") }

// classesByTargets are the classes below a drug's own ones, or beside them, that act on other genes than these, all of
// which the drug acts on: pembrolizumab, a checkpoint inhibitor that acts on PD-1, is a PD-1 inhibitor; crizotinib, an
// ALK inhibitor, is a ROS1 inhibitor too.
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

// andBroader lists entries and then what is broader than they are, each once.
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

// isOfClass reports whether a drug or a class is the class told, or in it.
func (l *Lexicon) isOfClass(d, told *Drug) bool {
	if told.Entry == nil {
		return len(told.Targets) > 0 && len(missing(told.Targets, d.targets())) == 0
	}
	return d.Entry == told.Entry || slices.Contains(l.classesOf(d), told.Entry)
}

// componentsOf lists what a combination is put together of, and what that is put together of: R-CHOP is rituximab and
// CHOP, and so the drugs of CHOP.
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

// apart gives a regimen with each combination in it as what it is put together of in the end; nil where it holds none.
// What implies one thing only is a kind of that, and no combination.
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
