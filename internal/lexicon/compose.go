package lexicon

import (
	"cmp"
	"slices"
	"strings"
)

// impliesSite reports whether a tumour of this type is always one of this site: renal cell carcinoma of the kidney.
func (l *Lexicon) impliesSite(f facets) bool {
	e, ok := l.Lookup(KindTumour, f.kind)
	return ok && f.site != "" && slices.ContainsFunc(l.above(e), func(h *Entry) bool {
		return h.Site != "" && l.within(KindSite, h.Site, f.site)
	})
}

// facets are what a tumour is made of. A tumour without a type of its own is a cancer.
type facets struct {
	site, kind string
	qualifiers []string // sorted
}

// anyTumour is the type that holds all others: the name of an entry.
const anyTumour = "cancer"

func (f facets) key() string { return f.site + "|" + f.kind + "|" + strings.Join(f.qualifiers, "+") }

// facetsOf gives an entry's facets: an entry without a type is one itself.
func facetsOf(e *Entry) facets {
	f := facets{site: e.Site, kind: e.Type, qualifiers: slices.Sorted(slices.Values(e.Qualifiers))}
	f.kind = cmp.Or(f.kind, e.Name)
	return f
}

// composition is a tumour being put together from spans that stand side by side.
type composition struct {
	facets
	sites       []string // further sites of a list: "breast and ovarian cancer"
	entry       *Entry   // the entry that was named, where one was
	first, last int      // spans
	list        bool     // a word of a list stood between the last two parts
}

// compose joins sites, types and qualifiers that stand side by side to tumours: "adenoid cystic carcinoma of the lung".
func (r *reader) compose() {
	for i := 0; i < len(r.spans); {
		c, next := r.composition(i)
		if c == nil {
			i++
			continue
		}
		r.settle(c)
		i = next
	}
}

// composition reads the tumour whose first part is span i, and returns the span behind it.
func (r *reader) composition(i int) (c *composition, next int) {
	if !r.isTumourPart(i) {
		return nil, 0
	}

	c = &composition{first: i, last: i - 1}
	for j := i; j < len(r.spans); j++ {
		switch {
		case r.isTumourPart(j):
			if !r.add(c, j) {
				return c, c.last + 1
			}
			c.last, c.list = j, false
		case r.isListWord(j):
			c.list = true
		case !r.bridges(c, j):
			return c, c.last + 1
		case r.spans[j].isMarker() || r.spans[j].isChange():
			c.list = false // the list was one of alterations
		}

		if j+1 < len(r.spans) && !r.isOpenGap(j) {
			break
		}
	}
	return c, c.last + 1
}

// turn joins a tumour and the adjective behind it, as Romance languages have it, where the dictionary has the two the
// other way round: "astrocytoma pilocytic".
func (r *reader) turn() {
	for i := 0; i+1 < len(r.spans); i++ {
		s, adjective := &r.spans[i], &r.spans[i+1]
		if !s.is(KindTumour) || adjective.entry != nil || adjective.past != adjective.first+1 || r.gapAfter(i) != " " {
			continue
		}

		name := r.tokens[adjective.first].key + " " + s.entry.Name
		if e, ok := r.lexicon.Lookup(KindTumour, name); ok && fold(e.Name) == fold(name) {
			s.entry, s.key, s.end, s.past, adjective.gone = e, fold(e.Name), adjective.end, adjective.past, true
		}
	}
}

func (r *reader) isTumourPart(i int) bool {
	s := &r.spans[i]
	return !s.gone && (s.is(KindTumour) || s.is(KindSite) && !r.isTestedSite(i) || s.is(KindQualifier))
}

// isTestedSite reports whether a word for a result stands right behind an organ: "CNS neg DLBCL" is no lymphoma of the
// brain.
func (r *reader) isTestedSite(i int) bool {
	return r.typed && r.spans[i].is(KindSite) && i+1 < len(r.spans) && r.isFinding(i+1) &&
		r.spans[i+1].start-r.spans[i].end <= 1
}

// isListWord reports whether span i joins the members of a list.
func (r *reader) isListWord(i int) bool {
	s := &r.spans[i]
	return r.joins(s) || s.past == s.first+1 && r.isListed(s, wordsAlternative)
}

// joins reports whether all words of s join their two sides: "or", "and/or".
func (r *reader) joins(s *span) bool {
	return !slices.ContainsFunc(r.tokens[s.first:s.past], func(t token) bool { return !listWords(t.key) })
}

func (r *reader) isListed(s *span, list string) bool {
	if r.isWithout(s) {
		return list == wordsAbsence
	}
	return s.list != 0 && wordLists[s.list-1] == list
}

// isWithout reports whether s is "w/o", which folds to a word of another meaning.
func (r *reader) isWithout(s *span) bool {
	return s.end-s.start == len("w/o") && strings.EqualFold(r.text[s.start:s.end], "w/o")
}

// bridges reports whether a tumour's parts may stand on either side of span j: "of the", a stage, an age; a gene's
// alteration only while the type is still to come.
func (r *reader) bridges(c *composition, j int) bool {
	s := &r.spans[j]
	switch {
	case s.gone, r.isBridge(s), s.key == "del" && j+1 < len(r.spans) && r.spans[j+1].is(KindSite):
		return true
	case s.is(KindSetting):
		isBetween := c.kind == "" || j+1 < len(r.spans) && r.isTumourPart(j+1) && r.isKnownWith(c, j+1)
		return isBetween && (s.entry.Aspect == "stage" || s.entry.Aspect == "age" || s.entry.Aspect == "line")
	case s.isMarker() || s.isChange():
		return c.kind == "" && c.site != "" || r.gradeFollows(j)
	}
	return false
}

// isBridge reports whether s consists of the small words within names of tumours: "of the", "de l'".
func (r *reader) isBridge(s *span) bool {
	isOther := func(t token) bool { return !bridgeWords(t.key) }
	return s.entry == nil && s.form == noForm && !slices.ContainsFunc(r.tokens[s.first:s.past], isOther)
}

// gradeFollows reports whether a tumour's grade stands behind its alterations, and behind a comma: "astrocytoma,
// IDH-mutant, grade 2".
func (r *reader) gradeFollows(j int) bool {
	for j++; j < len(r.spans); j++ {
		switch s := &r.spans[j]; {
		case s.is(KindQualifier):
			return trails(s.entry.Name) && strings.Contains(r.between(j-1, j), ",")
		case !s.isMarker() && !s.isChange() && !r.isListWord(j) && !s.gone:
			return false
		}
	}
	return false
}

// trails reports whether a qualifier stands behind its tumour without a comma, too: "glioma grade 3", "carcinoma in
// situ", "sarcoma NOS".
func trails(name string) bool {
	return strings.HasPrefix(name, "grade") || name == unspecified || name == "in situ" || strings.HasSuffix(name,
		"type") || strings.Contains(name, "group") || strings.HasSuffix(name, "-activated")
}

// isOpenGap reports whether span j and the next may be parts of one tumour.
func (r *reader) isOpenGap(j int) bool {
	gap := r.gapAfter(j)
	return len(gap) <= 4 && strings.Trim(gap, " -–—/,()'’\u00a0") == ""
}

func (r *reader) gapAfter(j int) string { return r.between(j, j+1) }

// add adds part j to c; it returns false if j belongs to another tumour.
func (r *reader) add(c *composition, j int) bool {
	s := &r.spans[j]
	if r.standsApart(c, j) || r.isInAnother(c, j) {
		return false
	}

	list := c.list || strings.ContainsAny(r.between(c.last, j), "/,&")
	switch {
	case s.is(KindQualifier):
		if c.list {
			return false
		}

		if !slices.Contains(c.qualifiers, s.entry.Name) {
			c.qualifiers = append(c.qualifiers, s.entry.Name)
		}
		return true
	case s.is(KindSite):
		return r.addSite(c, s.entry.Name, list)
	}
	return r.addTumour(c, s.entry, list)
}

// standsApart reports whether a site or qualifier behind a tumour belongs to the words behind it: in English they stand
// before their tumour, or behind "of", a comma or a bracket ("lymphoma cardiac function", "sarcoma grade 3
// neutropenia").
func (r *reader) standsApart(c *composition, j int) bool {
	s := &r.spans[j]
	if c.kind == "" || s.is(KindTumour) || c.last != j-1 || strings.TrimSpace(r.between(j-1, j)) != "" ||
		r.isForeign(s) || r.isNamedBehind(c, j) {
		return false
	}

	if s.is(KindQualifier) && leading(r.tokens[s.first].key) || j+1 < len(r.spans) && r.isTumourPart(j+
		1) && r.isOpenGap(j) {
		return false // "with sarcomatoid features"; "urothelial bladder carcinoma"
	}

	if s.is(KindQualifier) && trails(s.entry.Name) {
		return j+1 < len(r.spans) && r.spans[j+1].is(KindSetting) && r.spans[j+1].entry.Aspect == "toxicity"
	}
	return true
}

// isInAnother reports whether c occurs in patients with the tumour at span j: lymphoma in breast cancer is no lymphoma
// of the breast.
func (r *reader) isInAnother(c *composition, j int) bool {
	s := &r.spans[j]
	if c.kind == "" || c.kind == anyTumour || !s.is(KindTumour) || s.entry.Site == "" {
		return false
	}
	return slices.ContainsFunc(tokenize(r.between(c.last, j)), func(t token) bool {
		return t.key == "in" || t.key == "im"
	})
}

// isNamedBehind reports whether span j is the organ of the mere cancer before it, as wards write it: "Ca breast",
// "carcinoma cervix stage II". The organ may belong to an unknown word behind it instead: "cancer breast density".
func (r *reader) isNamedBehind(c *composition, j int) bool {
	s := &r.spans[j]

	isNoun, isBare := s.is(KindSite) && s.key == fold(s.entry.Name), c.site == "" && len(c.qualifiers) == 0
	if isMere := isNoun && isBare && c.kind == anyTumour; !isMere && !r.isKnownWith(c, j) {
		return false
	}

	if strings.EqualFold(r.tokens[r.spans[j-1].first].raw, "ca") || j+1 == len(r.spans) {
		return true
	}
	next := &r.spans[j+1]
	return next.is(KindSetting) || next.form == setForm || r.typed && next.isMarker() ||
		strings.TrimSpace(r.gapAfter(j)) != ""
}

// isKnownWith reports whether the dictionary has a tumour together with the part at span j, which wards write without a
// word between: "adeno lung", "RCC clear cell", "lobular mBC".
func (r *reader) isKnownWith(c *composition, j int) bool {
	if !r.typed || len(c.sites) > 0 {
		return false
	}
	l, f, e := r.lexicon, c.facets, r.spans[j].entry

	part := facets{qualifiers: []string{e.Name}}
	switch e.Kind {
	case KindSite:
		part = facets{site: e.Name}
	case KindTumour:
		part = facetsOf(e)
	default:
		if gap := r.gapAfter(j); c.last == j-1 && (j+1 == len(r.spans) || strings.HasPrefix(gap, ",")) {
			return true // "mesothelioma epithelioid, PS 1"
		}
	}

	if part.site != "" {
		if f.site != "" {
			return part.kind == "" && l.within(KindSite, part.site, f.site) // "HNSCC hypopharynx"
		}
		f.site = part.site
	}

	if part.kind != "" && part.kind != f.kind {
		if f.kind == "" || l.within(KindTumour, part.kind, f.kind) {
			f.kind = part.kind
		} else if !l.within(KindTumour, f.kind, part.kind) {
			return false
		}
	}
	f.qualifiers = slices.Compact(slices.Sorted(slices.Values(slices.Concat(f.qualifiers, part.qualifiers))))
	return l.grown().facets[f.key()] != nil
}

// isForeign reports whether s was named in another language, in which adjectives stand behind their nouns.
func (r *reader) isForeign(s *span) bool {
	return fold(s.entry.Name) != s.key && slices.ContainsFunc(s.entry.Foreign, func(name string) bool {
		return fold(name) == s.key
	})
}

func (r *reader) addSite(c *composition, site string, list bool) bool {
	l := r.lexicon
	switch {
	case c.site == "" && !(list && c.kind != ""):
		c.site = site
	case l.within(KindSite, site, c.site) && !c.list:
		c.site = site
	case l.within(KindSite, c.site, site) && !c.list:
	case list && c.kind == "" && site != c.site:
		c.sites = append(c.sites, c.site)
		c.site = site
	default:
		return false
	}
	return true
}

func (r *reader) addTumour(c *composition, e *Entry, list bool) bool {
	l, f := r.lexicon, facetsOf(e)
	if c.kind != "" && (c.list || !l.within(KindTumour, f.kind, c.kind) && !l.within(KindTumour, c.kind, f.kind)) {
		return false
	}

	if f.site != "" && c.site != "" && !l.within(KindSite, f.site, c.site) && !l.within(KindSite, c.site, f.site) {
		if !list || c.kind != "" {
			return false
		}
		c.sites, c.site = append(c.sites, c.site), "" // "breast and ovarian cancer"
	}

	if list && c.entry != nil {
		return false // "glioma, glioblastoma": two of one list, not one
	}

	if c.kind == "" || l.within(KindTumour, f.kind, c.kind) {
		c.kind = f.kind
	}

	if c.site == "" || f.site != "" && l.within(KindSite, f.site, c.site) {
		c.site = f.site
	}

	for _, q := range f.qualifiers {
		if !slices.Contains(c.qualifiers, q) {
			c.qualifiers = append(c.qualifiers, q)
		}
	}

	if c.entry == nil || c.entry == e || slices.Contains(l.above(e), c.entry) {
		c.entry = e
	}
	return true
}

// settle writes the composed tumours into the first of their spans.
func (r *reader) settle(c *composition) {
	s := &r.spans[c.first]
	part := Part{Start: s.start, End: r.spans[c.last].end}
	part.Text = r.text[part.Start:part.End]

	if c.kind == "" && c.site == "" {
		return // qualifiers alone are no tumour
	}

	for i := c.first; i <= c.last; i++ {
		if i > c.first && (r.isTumourPart(i) || r.isBridge(&r.spans[i]) || r.isListWord(i)) {
			r.spans[i].gone = true
		}
	}

	for _, site := range append(c.sites, c.site) {
		f := facets{site: site, kind: c.kind, qualifiers: slices.Sorted(slices.Values(c.qualifiers))}
		s.concepts = append(s.concepts, r.lexicon.tumour(part, f, c))
	}
}

// tumour finds the entry of a composed tumour; if none has exactly these facets, it is named after them.
func (l *Lexicon) tumour(part Part, f facets, c *composition) Concept {
	out := Concept{Part: part, Site: f.site, Type: f.kind, Qualifiers: f.qualifiers, Status: Present}
	if c.entry != nil && facetsOf(c.entry).key() == f.key() {
		out.Entry, out.Name = c.entry, c.entry.Name
		return out
	}

	if f.kind == "" {
		f.kind = anyTumour // an organ stands for its tumours; question decides whether it may
		out.Type = ""
	}

	if e := l.grown().facets[f.key()]; e != nil {
		out.Entry, out.Name = e, e.Name
		return out
	}

	if l.impliesSite(f) {
		f.site = ""
		return l.tumour(part, f, c)
	}

	out.Name = strings.Join(strings.Fields(strings.Join(f.qualifiers, " ")+" "+f.site+" "+f.kind), " ")
	if e, ok := l.Lookup(KindTumour, out.Name); ok { // "kidney ca, clear cell" is what "clear cell kidney cancer" is
		named := facetsOf(e)
		out.Entry, out.Name, out.Site, out.Type, out.Qualifiers = e, e.Name, named.site, named.kind, named.qualifiers
	}
	return out
}
