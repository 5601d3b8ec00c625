package lexicon

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"dossier/internal/text"
)

//go:embed senses.tsv
var senseTable string

// sense is one meaning of a short form that has several.
type sense struct {
	kind   Kind // "-" if the dictionary has no entry for it
	name   string
	beside []string // folded names of entries, and words, that speak for it
	usual  bool     // the form has it if nothing speaks for any meaning
	asked  bool     // only questions use it, papers do not
}

// senses maps short forms to their different meanings: CRS is cytokine release syndrome beside CAR-T cells, and
// cytoreductive surgery beside HIPEC.
var senses = sync.OnceValue(func() map[string][]sense {
	all := map[string][]sense{}
	for cells := range text.Rows(senseTable) {
		s := sense{kind: Kind(cells[1]), name: cells[2]}
		for name := range strings.SplitSeq(cells[3], ", ") {
			switch name {
			case "otherwise":
				s.usual = true
			case "asked":
				s.asked = true
			default:
				s.beside = append(s.beside, fold(name))
			}
		}
		all[cells[0]] = append(all[cells[0]], s)
	}
	return all
})

// disambiguate reads each short form of several meanings by the rest of the question. If that decides nothing, the form
// stays a word: a search for the wrong meaning would answer another question.
func (r *reader) disambiguate() {
	for i := range r.spans {
		s := &r.spans[i]

		form, meanings := r.sensesOf(s)
		if meanings == nil || r.isTested(i) {
			continue
		}

		meant := meaning(meanings, r.surroundings(form, i))
		switch {
		case meant == nil && hasUsual(meanings):
			continue
		case meant == nil:
			r.unclear = append(r.unclear, unclear{part: r.part(s), meanings: meanings})
		}
		r.mean(s, form, meant)
	}
}

// isTested reports whether a sign or word for a result stands right behind a marker, so that it is that marker: HR+ is
// no high risk.
func (r *reader) isTested(i int) bool {
	return r.spans[i].isMarker() && i+1 < len(r.spans) && r.isFinding(i+1) && r.spans[i+1].start-r.spans[i].end <= 1
}

// unclear is a short form whose meaning the question does not show.
type unclear struct {
	part     Part
	meanings []sense
}

func (u unclear) warning() string {
	names := text.Each(u.meanings, func(m sense) string { return m.name })
	last := len(names) - 1
	return fmt.Sprintf("%q may mean %s or %s, and nothing beside it shows which: it is left as a plain word; write out what is meant.",
		u.part.Text, strings.Join(names[:last], ", "), names[last])
}

// sensesOf returns the short form that span s is, and its meanings; none if it has only one.
func (r *reader) sensesOf(s *span) (form string, meanings []sense) {
	if s.past != s.first+1 || len(s.variants) > 0 || s.end > r.tokens[s.first].end {
		return "", nil
	}

	form = r.tokens[s.first].raw
	if r.small && s.entry != nil && senses()[form] == nil {
		form = strings.ToUpper(form)
	}

	if r.shouting && s.entry == nil {
		return "", nil // it may be a plain word
	}

	meanings = senses()[form]
	if isAsked := func(m sense) bool { return m.asked }; !r.typed && slices.ContainsFunc(meanings, isAsked) {
		if meanings = slices.DeleteFunc(slices.Clone(meanings), isAsked); len(meanings) == 0 {
			meanings = nil
		}
	}
	return form, meanings
}

func hasUsual(meanings []sense) bool {
	return slices.ContainsFunc(meanings, func(m sense) bool { return m.usual })
}

// surroundings returns the context of the short form at span at: the names of all entries in the text and of those that
// hold them, its words, its language, and the kinds of the entries right beside. It leaves out other short forms of
// several meanings, unless they have a usual one.
func (r *reader) surroundings(form string, at int) map[string]bool {
	around := map[string]bool{}
	for name, in := range languageNames {
		if r.languages.has(in) { // none in most questions
			around[fold(name)] = true
		}
	}

	for _, j := range []int{at - 1, at + 1} {
		if j >= 0 && j < len(r.spans) && r.spans[j].entry != nil && len(r.between(min(at, j), max(at, j))) <= 1 {
			around[fold(string(r.spans[j].entry.Kind)+"-beside")] = true
		}
	}

	for i := range r.spans {
		s := &r.spans[i]

		other, meanings := r.sensesOf(s)
		if meanings != nil && (s.entry == nil || other == form || !hasUsual(meanings)) {
			continue
		}

		for _, t := range r.tokens[s.first:s.past] {
			around[t.key] = true
		}

		if s.entry == nil {
			continue
		}

		around[fold(s.entry.Name)] = true
		for _, e := range r.lexicon.holdersOf(s.entry) {
			around[fold(e.Name)] = true
		}
	}
	return around
}

// meaning returns the meaning with the most words around that speak for it; nil if there are none, or two meanings tie.
func meaning(meanings []sense, around map[string]bool) *sense {
	var best *sense

	most, tie := 0, false
	for i := range meanings {
		speaking := 0
		for _, name := range meanings[i].beside {
			if around[name] {
				speaking++
			}
		}

		if around[fold(meanings[i].name)] {
			speaking += len(meanings[i].beside) // it is written out beside: "adenoid cystic carcinoma (ACC)"
		}

		switch {
		case speaking > most:
			best, most, tie = &meanings[i], speaking, false
		case speaking == most && most > 0:
			tie = true
		}
	}

	if tie {
		return nil
	}
	return best
}

// mean reads span s as meant; as a plain word if that is nil, or the dictionary has no entry for it.
func (r *reader) mean(s *span, form string, meant *sense) {
	s.entry, s.key, s.form, s.list, s.plain = nil, fold(form), noForm, 0, true

	if meant == nil {
		return
	}

	if e, ok := r.lexicon.Lookup(meant.kind, meant.name); ok {
		s.entry, s.key, s.plain = e, fold(e.Name), false
	}
}
