package lexicon

import (
	"cmp"
	"slices"
	"strings"
)

// Slots of a Difference between two questions that have the same values.
const (
	differsInWords = "words" // a word of one without a counterpart in the other, or another name that is not exact
	differsInOrder = "order" // the order of values
)

// Unaligned compares the texts of two questions of one Key, whatever their readings: every word of either must be the
// same word, an exact name of the same entry, or grammar, and a word's related values must stand on the same sides of
// it (docs/METHOD.md, "The same question"). It lists the differences left over.
func (l *Lexicon) Unaligned(asked, stored *Question) []Difference {
	var out []Difference
	a, b := l.leftOver(asked), l.leftOver(stored)
	again, before := l.repeated(asked), l.repeated(stored)
	a, b = append(a, missing(again, before)...), append(b, missing(before, again)...)
	names := l.otherNames(l.namesIn(asked), l.namesIn(stored))

	d := Difference{Slot: differsInWords, Asked: append(missing(a, b), names.Asked...),
		Stored: append(missing(b, a), names.Stored...)}
	if len(d.Asked)+len(d.Stored) > 0 {
		out = append(out, d)
	}

	if turned := turnedRound(asked, stored); turned != nil {
		out = append(out, *turned)
	}
	return out
}

// Differ lists the differences of two questions: the slots that differ and, unless each has something there that the
// other lacks, those left over in their texts: for "most effective" and "least toxic" the words on either side.
func (l *Lexicon) Differ(asked, stored *Question) []Difference {
	out := Differences(asked, stored)
	hasAsked := slices.ContainsFunc(out, func(d Difference) bool { return len(d.Asked) > 0 })

	hasStored := slices.ContainsFunc(out, func(d Difference) bool { return len(d.Stored) > 0 })
	if hasAsked && hasStored {
		return out
	}

	for _, d := range l.Unaligned(asked, stored) {
		at := slices.IndexFunc(out, func(o Difference) bool { return o.Slot == d.Slot })
		if at < 0 {
			out = append(out, d)
			continue
		}
		out[at].Asked, out[at].Stored = append(out[at].Asked, d.Asked...), append(out[at].Stored, d.Stored...)
	}
	return out
}

// leftOver returns the words, each once and by its stem, that understanding dropped although they are not grammar. It
// skips governing words, whose meaning is in the compared slots, except those of absence: a second denial is in no
// slot.
func (l *Lexicon) leftOver(q *Question) []string {
	var out []string
	for _, d := range q.Dropped {
		for _, t := range l.written(d.Text) {
			switch {
			case d.Why == governing && l.wordList(t.key).name() == wordsAbsence:
				out = append(out, wordsAbsence)
			case d.Why != governing && !strings.HasPrefix(d.Why, saidAlready) && !functionWords(t.key):
				out = append(out, stemOf(t.key))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// repeated returns the words of settings, and unknown ones, that a question repeats, once for each repetition:
// "3-weekly paclitaxel, weekly carboplatin" is not "3-weekly paclitaxel, carboplatin".
func (l *Lexicon) repeated(q *Question) []string {
	var named []unit
	for _, u := range q.units() {
		if u.kind != kindSetting && u.kind != kindWord {
			named = append(named, u)
		}
	}
	var out []string

	seen := map[string]bool{}
	for _, t := range l.written(q.Text) {
		isNamed := slices.ContainsFunc(named, func(u unit) bool { return u.Start <= t.start && t.end <= u.End })

		stem := stemOf(t.key)
		if !isNamed && !functionWords(t.key) && seen[stem] {
			out = append(out, stem)
		}
		seen[stem] = seen[stem] || !isNamed
	}
	return out
}

// unit is a value of a slot, and its place.
type unit struct {
	Part
	kind, value string
	isEarlier   bool   // a drug that was given before: its role implies that it stands behind "after"
	entry       *Entry // nil if its words are more than a name
}

// units returns the values of a question in the order of its text.
func (q *Question) units() []unit {
	var out []unit

	add := func(kind, value string, p Part, e *Entry) {
		if p.End > p.Start {
			out = append(out, unit{Part: p, kind: kind, value: value, entry: e})
		}
	}
	for _, c := range q.Tumours {
		add("tumour", c.canonical(), c.Part, nameIn(c.Entry, c.Text))
	}

	for _, c := range q.Conditions {
		add("condition", c.canonical(), c.Part, c.Entry)
	}

	for _, a := range q.Alterations {
		add("marker", a.canonical(), a.Part, nil)
	}

	for _, b := range q.Biomarkers {
		entry := b.Entry
		if entry != nil && !isNameOf(entry, b.Text) {
			entry = nil
		}
		add("marker", b.canonical(), b.Part, entry)
	}

	for i := range q.Drugs {
		d := &q.Drugs[i]

		entry := d.Entry
		if d.isSubstance() {
			entry = nil // brands, codes and names of a drug are exact
		}
		add("drug", d.Name, d.Part, entry)
		out[len(out)-1].isEarlier = d.isEarlier()
	}

	for _, c := range q.Setting {
		add(kindSetting, c.canonical(), c.Part, c.Entry)
	}

	for _, w := range q.Words {
		add(kindWord, w.Key, w.Part, nil)
	}
	slices.SortStableFunc(out, func(a, b unit) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// kindSetting is the kind of a setting, and kindWord that of a word unknown to the dictionary.
const (
	kindSetting = "setting"
	kindWord    = "word"
)

// namesIn returns the units that are an entry's name, and the parts of composed tumours.
func (l *Lexicon) namesIn(q *Question) []unit {
	out := slices.DeleteFunc(q.units(), func(u unit) bool { return u.entry == nil })
	for _, c := range q.Tumours {
		if nameIn(c.Entry, c.Text) == nil {
			out = append(out, l.componentNames(c.Text)...)
		}
	}
	return out
}

// componentNames returns the sites, types and qualifiers that a text names.
func (l *Lexicon) componentNames(words string) []unit {
	r := &reader{lexicon: l, text: words, tokens: l.written(words), nested: true}
	r.scan()

	var out []unit
	for i := range r.spans {
		if s := &r.spans[i]; s.is(KindSite) || s.is(KindTumour) || s.is(KindQualifier) {
			out = append(out, unit{Part: r.part(s), kind: string(s.entry.Kind), value: s.entry.Name, entry: s.entry})
		}
	}
	return out
}

// otherNames returns the names of an entry that differ between two questions and are not both exact.
func (l *Lexicon) otherNames(asked, stored []unit) (d Difference) {
	for _, a := range asked {
		of := func(s unit) bool { return s.entry == a.entry && s.value == a.value }

		i := slices.IndexFunc(stored, of)
		if i < 0 || slices.ContainsFunc(stored, func(s unit) bool { return of(s) && l.isSameName(a.entry, a.Text, s.Text) }) {
			continue
		}
		d.Asked, d.Stored = append(d.Asked, a.Text), append(d.Stored, stored[i].Text)
	}
	return d
}

// isSameName reports whether two names differ in spelling alone, or both are exact ones of the entry.
func (l *Lexicon) isSameName(e *Entry, a, b string) bool {
	exact := func(name string) bool {
		return slices.ContainsFunc(e.exactNames(), func(n string) bool { return l.isInflected(name, n) })
	}
	isPrefix := len(a) < shortestWord || len(b) < shortestWord // of "mCRC"
	return isPrefix || l.isInflected(a, b) || exact(a) && exact(b)
}

// isInflected reports whether two names of one entry are the same words but for their endings.
func (l *Lexicon) isInflected(a, b string) bool {
	x, y := l.stemsOf(a), l.stemsOf(b)
	if len(x) != len(y) {
		return false
	}

	for i := range x {
		short, long := min(len(x[i]), len(y[i])), max(len(x[i]), len(y[i]))

		isAnother := short < shortestInflected || long-short > longestEnding || x[i][:short-2] != y[i][:short-2]
		if x[i] != y[i] && isAnother {
			return false
		}
	}
	return true
}

// shortestInflected is the fewest bytes of a word whose last two may differ, and longestEnding the most by which one
// may be longer.
const (
	shortestInflected = 6
	longestEnding     = 2
)

// exactNames returns the names that mean exactly what the entry's name does.
func (e *Entry) exactNames() []string {
	return slices.Concat([]string{e.Name}, e.Abbreviations, e.Exact)
}

// SearchOnly lists the entry's names that widen a query and are not marked as exact: none for a gene, a change or a
// drug, whose names are notations, brands and codes of one thing.
func (e *Entry) SearchOnly() []string {
	var out []string

	if e.Kind == KindGene || e.Kind == KindChange || e.Kind == KindDrug {
		return nil
	}

	for _, name := range slices.Concat(e.Synonyms, e.Guarded, e.Foreign, e.Spoken) {
		if !slices.Contains(e.exactNames(), name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// stemsOf returns the stems of a text's words that are not grammar, in their order.
func (l *Lexicon) stemsOf(words string) []string {
	var out []string
	for _, t := range l.written(words) {
		if !functionWords(t.key) {
			out = append(out, stemOf(t.key))
		}
	}
	return out
}

// turnedRound finds two values that a word relates in both questions, with their sides exchanged: "depression in
// pancreatic cancer" is not "pancreatic cancer in depression". It also finds values of two kinds, of which one kind has
// changed places: "unilateral breast, bilateral ovarian cancer" has the values of "bilateral breast, unilateral ovarian
// cancer".
func turnedRound(asked, stored *Question) *Difference {
	a, b := asked.units(), stored.units()
	for i := range a {
		for k := i + 1; k < len(a) && (k == i+1 || a[k-1].kind == kindWord); k++ {
			x := slices.IndexFunc(b, func(u unit) bool { return u.value == a[k].value })
			y := slices.IndexFunc(b, func(u unit) bool { return u.value == a[i].value })

			isTurned := 0 <= x && x < y && a[i].isEarlier == a[k].isEarlier && follow(b[x:y+1])
			if isTurned && relates(asked.Text, a[i:k+1]) && relates(stored.Text, b[x:y+1]) {
				return &Difference{Slot: differsInOrder, Asked: []string{asked.Text[a[i].Start:a[k].End]},
					Stored: []string{stored.Text[b[x].Start:b[y].End]}}
			}
		}
	}

	swapped, kept := orders(a, b)
	for kind := range swapped {
		for other := range kept {
			if kind != other {
				return &Difference{Slot: differsInOrder, Asked: []string{asked.Text}, Stored: []string{stored.Text}}
			}
		}
	}
	return nil
}

// follow reports whether only unknown words stand between the first and the last of some units.
func follow(units []unit) bool {
	return !slices.ContainsFunc(units[1:len(units)-1], func(u unit) bool { return u.kind != kindWord })
}

// relates reports whether a word that is not coordinating stands between the first and the last of some units.
func relates(words string, units []unit) bool {
	last := len(units) - 1
	for at, i := units[0].End, 1; i <= last; i++ {
		u := &units[i]
		if u.kind == kindWord && i < last {
			return true
		}

		isTelling := func(t token) bool { return !coordinating(t.key) }
		if at < u.Start && slices.ContainsFunc(tokenize(words[at:u.Start]), isTelling) {
			return true
		}
		at = max(at, u.End)
	}
	return false
}

// orders returns the kinds of which two values have changed their order, and those of which two have kept it. Settings
// and unknown words, which describe other values, count as one kind.
func orders(a, b []unit) (swapped, kept map[string]bool) {
	swapped, kept = map[string]bool{}, map[string]bool{}
	kindOf := func(u unit) string {
		if u.kind == kindWord {
			return kindSetting
		}
		return u.kind
	}

	place := map[string]int{}
	for i, u := range b {
		place[u.kind+u.value] = i
	}

	for i, first := range a {
		for _, second := range a[i+1:] {
			x, isFirst := place[first.kind+first.value]
			y, isSecond := place[second.kind+second.value]

			kind := kindOf(first)
			if kind != kindOf(second) || first.value == second.value || !isFirst || !isSecond {
				continue
			}

			if x > y {
				swapped[kind] = true
			} else {
				kept[kind] = true
			}
		}
	}
	return swapped, kept
}

// nameIn returns the entry if a text is a name of it; nil if the text is more.
func nameIn(e *Entry, words string) *Entry {
	if e == nil || !isNameOf(e, words) {
		return nil
	}
	return e
}

func isNameOf(e *Entry, text string) bool {
	folded := fold(text)
	for _, name := range e.names() {
		if fold(name) == folded {
			return true
		}
	}
	return false
}
