package results

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	plaintext "dossier/internal/text"
)

//go:embed owners.txt
var ownerTable string

// ownerWeights are the weights of the traits that make a name a number's owner, from labelled sentences: a regression
// (which two of a sentence's names own two numbers, by the logarithm of their share among all pairs), held near zero by
// a quadratic penalty (TestFitOwners).
var ownerWeights = sync.OnceValue(func() map[string]float64 {
	out := map[string]float64{}
	for trait, weight := range plaintext.Entries(ownerTable) {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			panic("owners.txt: " + trait + ": " + err.Error())
		}
		out[trait] = w
	}
	return out
})

// mentions is what an abstract shows about the names in its sentences; nil if nothing is known.
type mentions struct {
	groups map[string]int // words by which it names groups, with the number of sentences
	often  map[string]int // in how many sentences each word occurs
	title  map[string]bool

	planned   sides             // the arms that the study was designed to compare
	short     map[string]string // what an abbreviation stands for
	sentences []map[string]bool // the words of each
	compared  map[string]int    // the words of compared names, with the number of sentences
}

func (s *study) mentionsOf() *mentions {
	m := &mentions{groups: map[string]int{}, often: map[string]int{}, title: ArmWords(s.title), planned: s.plannedSides(),
		short: s.long, compared: map[string]int{}}
	for i := range s.sentences {
		text := s.sentences[i].text
		groups, compared := map[string]bool{}, map[string]bool{}

		names := s.cut(text).names()
		for k := range names {
			if n := &names[k]; n.beside().lead == "compared" || n.beside().isComparedBehind {
				for w := range n.words {
					compared[w] = true
				}
			}

			if n := &names[k]; n.isGroup() {
				for w := range n.words {
					groups[w] = true
				}
			}
		}

		for w := range groups {
			m.groups[w]++
		}

		for w := range compared {
			m.compared[w]++
		}

		words := ArmWords(text)

		m.sentences = append(m.sentences, words)
		for w := range words {
			m.often[w]++
		}
	}
	return m
}

// sideOf is the planned arm that the words mean; -1 if unknown.
func (m *mentions) sideOf(words map[string]bool) int {
	switch a, b := Common(words, m.planned.own[0]), Common(words, m.planned.own[1]); {
	case a > b:
		return 0
	case b > a:
		return 1
	}
	return -1
}

// together emits the traits of two names in their abstract: whether they are the study's arms, and how many sentences
// have both, by the words that distinguish them.
func (m *mentions) together(x, y map[string]bool, has emit) {
	if m == nil {
		return
	}

	switch a, b := m.sideOf(x), m.sideOf(y); {
	case a >= 0 && b == 1-a:
		has("both planned")
	case a >= 0 && a == b:
		has("planned twice")
	}
	own := sides{words: [2]map[string]bool{x, y}}
	own.part()

	both := 0
	for _, sentence := range m.sentences {
		if hasHalf(sentence, own.own[0]) && hasHalf(sentence, own.own[1]) {
			both++
		}
	}

	if both > 1 {
		has("together elsewhere")
	}

	if both > 3 {
		has("together often")
	}
}

func hasHalf(has, want map[string]bool) bool {
	return len(want) > 0 && 2*Common(want, has) >= len(want)
}

// isGroup reports whether the words beside a name mark a group: "the A group", "assigned to A", "A (n = 40)".
func (n *name) isGroup() bool {
	return forms("of a group").MatchString(n.text) || forms("of a group").MatchString(n.tail) ||
		forms("puts in a group").MatchString(n.lead) || forms("with its size").MatchString(n.tail)
}

// unnamed stands for an arm that a sentence does not name, and anyName for a name still unknown.
const (
	unnamed = -1
	anyName = -2
)

// place is where a name stands beside the two numbers of a contrast.
type place int

const (
	before  place = iota
	between       // behind the first number, before the comparing word
	beyond        // behind that word, before the second number
	behind
)

var placeNames = []string{"before", "between", "beyond", "behind"}

// candidate is a name beside the two numbers of a contrast.
type candidate struct {
	*name
	number int // among the sentence's names
	place
	rank     int  // how many names of the same place are nearer to the numbers
	isFar    bool // another result or clause stands between
	isInside bool // it stands in the same brackets as the numbers
	kinds    map[string]bool
	lead     string    // how the sentence leads to it
	known    int       // in how many sentences the abstract names a group by its words
	paths    [2]string // the text between it and each of the numbers, in short
}

// owners are the names of a sentence as candidates for a contrast's two numbers.
type owners struct {
	*contrast
	all      []candidate
	names    []name
	mentions *mentions
	compares bool // names are compared near the numbers

	joined map[[2]int]string // by two names' numbers, in order of place: the text between them, in short
}

func newOwners(c *contrast, names []name, figures []figure, m *mentions) *owners {
	o := &owners{contrast: c, names: names, mentions: m, joined: map[[2]int]string{}}
	for i := range names {
		n := candidate{name: &names[i], number: i, place: c.placeOf(&names[i]), kinds: names[i].beside().kinds,
			lead: names[i].beside().lead}
		n.isFar = c.isFar(&n, figures)

		n.isInside = sameBrackets(c.text[min(n.Start, c.x.Start):max(n.Start, c.x.Start)])
		if m != nil {
			for w := range n.words {
				n.known = max(n.known, m.groups[w])
			}
		}
		n.paths = [2]string{c.path(names, i, c.x), c.path(names, i, c.y)}
		o.compares = o.compares || n.lead == "compared" && !n.isFar
		o.all = append(o.all, n)
	}

	for i := range o.all {
		for j := range o.all {
			a, b := &o.all[i], &o.all[j]
			if a.place == b.place && i != j && (i < j) == (a.place == before || a.place == beyond) {
				a.rank++
			}
		}
	}
	return o
}

func (c *contrast) placeOf(n *name) place {
	switch {
	case n.End <= c.x.Start:
		return before
	case n.End <= c.joint.Start:
		return between
	case n.End <= c.y.Start:
		return beyond
	}
	return behind
}

// isFar reports whether another figure, or the end of a clause, stands between a name and the numbers.
func (c *contrast) isFar(n *candidate, figures []figure) bool {
	gap := plaintext.Span{Start: n.End, End: max(n.End, c.x.Start)}
	if n.place == behind {
		gap = plaintext.Span{Start: c.y.End, End: max(c.y.End, n.Start)}
	}
	return forms("clause").MatchString(gap.In(c.text)) ||
		slices.ContainsFunc(figures, func(f figure) bool { return f.Start >= gap.Start && f.End <= gap.End })
}

func sameBrackets(text string) bool {
	return strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, "[") == strings.Count(text, "]")
}

// likeliest is how many names for each number are weighed together with those for the other one.
const likeliest = 8

// isPassed reports whether a name precedes other figures, and a group's name is nearer to these: "in men given A (5 v
// 3), and in those given B (7 v 4)".
func (o *owners) isPassed(i int) bool {
	return i != unnamed && o.isTight && o.all[i].place == before && o.all[i].isFar &&
		slices.ContainsFunc(o.all, func(n candidate) bool {
			return n.place == before && !n.isFar && n.lead == "preposition"
		})
}

// choose returns the likeliest names of both numbers, keeping those already known, and their share among all pairs.
func (o *owners) choose(known [2]int) (x, y int, share float64) {
	weights := ownerWeights()
	sum := func(traits func(emit)) (w float64) {
		traits(func(trait string) { w += weights[trait] })
		return w
	}
	type weighed struct {
		number int
		weight float64
	}

	var ranked [2][]weighed
	for role := range ranked {
		for i := unnamed; i < len(o.all); i++ {
			if (known[role] == anyName || known[role] == i) && !o.isPassed(i) {
				ranked[role] = append(ranked[role], weighed{i, sum(func(e emit) { o.alone(i, role, e) })})
			}
		}
		slices.SortStableFunc(ranked[role][1:], func(a, b weighed) int {
			if a.weight > b.weight {
				return -1
			}
			return 1
		})
		ranked[role] = ranked[role][:min(len(ranked[role]), likeliest+1)]
	}
	x, y = unnamed, unnamed

	best, whole := math.Inf(-1), 0.0
	for _, a := range ranked[0] {
		for _, b := range ranked[1] {
			if a.number == b.number && (a.number != unnamed || !o.isTight) {
				continue
			}

			w := a.weight + b.weight + sum(func(e emit) { o.together(a.number, b.number, e) })

			whole += math.Exp(w)
			if w > best {
				x, y, best = a.number, b.number, w
			}
		}
	}
	return x, y, math.Exp(best) / whole
}
