package results

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	plaintext "dossier/internal/text"
)

//go:embed owners.txt
var ownerTable string

// ownerWeights are the weights of the traits by which a name is that of a number, from labelled sentences: a regression
// (which two of a sentence's names are those of two numbers, by the logarithm of their share among all pairs), held
// near zero by a quadratic penalty (TestFitOwners).
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

// mentions is what an abstract tells of the names in its sentences; nil where nothing is known.
type mentions struct {
	groups map[string]int // the words by which it names groups, and in how many sentences
	often  map[string]int // in how many sentences a word stands
	title  map[string]bool
}

func (s *study) mentionsOf() *mentions {
	m := &mentions{groups: map[string]int{}, often: map[string]int{}, title: ArmWords(s.title)}
	for i := range s.sentences {
		text := s.sentences[i].text
		groups := map[string]bool{}
		names := s.cut(text).names()
		for k := range names {
			if n := &names[k]; n.isGroup() {
				for w := range n.words {
					groups[w] = true
				}
			}
		}
		for w := range groups {
			m.groups[w]++
		}
		for w := range ArmWords(text) {
			m.often[w]++
		}
	}
	return m
}

// isGroup says that the words beside a name make it that of a group: "the A group", "assigned to A", "A (n = 40)".
func (n *name) isGroup() bool {
	return forms("of a group").MatchString(n.text) || forms("of a group").MatchString(n.tail) ||
		forms("puts in a group").MatchString(n.lead) || forms("with its size").MatchString(n.tail)
}

// unnamed stands for the name of an arm that a sentence does not name.
const unnamed = -1

// place is where a name stands beside the two numbers of a contrast.
type place int

const (
	before  place = iota
	between       // behind the first number, before the word that compares
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
	lead     string // how the sentence leads to it
	known    int    // in how many sentences the abstract names a group by its words
}

// owners are the names of a sentence as candidates for a contrast's two numbers.
type owners struct {
	*contrast
	all      []candidate
	mentions *mentions
	compares bool // names are compared near the numbers
}

func newOwners(c *contrast, names []name, figures []figure, m *mentions) *owners {
	o := &owners{contrast: c, mentions: m}
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

// isFar says that another figure, or the end of a clause, stands between a name and the numbers.
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

// nameKinds are what the words of a name say that it is, by their expressions.
var nameKinds = []struct{ kind, form string }{
	{"measure", "is measured"}, {"group", "is a group"}, {"time", "is a time"}, {"short", "is short"},
	{"endpoint", "endpoint"}, {"treatment", "treatment"}, {"marker", "marker"},
}

func (n *name) kinds() map[string]bool {
	out := map[string]bool{}
	for _, k := range nameKinds {
		if forms(k.form).MatchString(n.text) {
			out[k.kind] = true
		}
	}
	return out
}

// beside is what the words of a name and those beside it say.
type beside struct {
	kinds       map[string]bool
	lead        string // how the sentence leads to it
	preposition string // the last one that leads to it, or its own first word

	isVerbBehind, isComparedBehind, isBracketBehind, isMore, isListed bool
}

// beside reads them, once: each contrast of the sentence asks for them.
func (n *name) beside() *beside {
	if n.told == nil {
		n.told = &beside{kinds: n.kinds(), lead: n.leadKind(), preposition: n.preposition(),
			isVerbBehind:     forms("verb behind").MatchString(n.tail),
			isComparedBehind: forms("compared behind").MatchString(n.tail),
			isBracketBehind:  forms("bracket behind").MatchString(n.tail),
			isMore:           forms("more of it").MatchString(n.lead), isListed: forms("listed").MatchString(n.lead)}
	}
	return n.told
}

// leadKind is how a sentence leads to a name: by a word that compares, by a preposition, or as a subject.
func (n *name) leadKind() string {
	if forms("leads to another").MatchString(n.lead) {
		return "compared"
	}
	lead := forms("before a name").ReplaceAllString(n.lead, "")
	word := lastWord(lead)
	switch {
	case word == "" && (n.isFirst || strings.TrimSpace(lead) == ","), forms("begins a clause").MatchString(word):
		return "subject"
	case word == "":
		return "none"
	case forms("leads to a group").MatchString(word):
		return "preposition"
	case forms("leads by itself").MatchString(word):
		return word
	}
	return "verb"
}

// lastWord is empty where a mark stands behind the last word of a text.
func lastWord(text string) string { return firstGroup(forms("last word"), text) }

// preposition is the last one that leads to a name, or its own first word.
func (n *name) preposition() string {
	if first, _, _ := strings.Cut(n.text, " "); forms("opens a name").MatchString(first) {
		return strings.ToLower(first)
	}
	all := forms("prepositions").FindAllString(n.lead, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// emit takes a trait.
type emit func(trait string)

var roles = [2]string{"first", "second"}

// alone gives the traits of a name as that of the first number or the second.
func (o *owners) alone(i, role int, has emit) {
	r := roles[role]
	if i == unnamed {
		has(r + " unnamed")
		if o.isTight {
			has(r + " unnamed, tight")
		}
		if o.compares {
			has(r + " unnamed, though names are compared")
		}
		return
	}
	n := &o.all[i]
	at := r + " " + placeNames[n.place]
	tight := ""
	if o.isTight {
		tight = ", tight"
	}
	has(at)
	has(at + tight)
	has(at + " " + []string{"nearest", "second", "third", "fourth or more"}[min(n.rank, 3)])
	has("lead " + n.lead + " " + placeNames[n.place] + tight)
	if n.beside().preposition != "" {
		has("lead " + n.beside().preposition)
	}
	for _, t := range []struct {
		trait string
		holds bool
	}{
		{at + " far", n.isFar}, {at + " inside", n.isInside}, {at + " compared", n.lead == "compared"},
		{at + " verb behind", n.beside().isVerbBehind},
		{at + " compared behind", n.beside().isComparedBehind},
		{at + " bracket behind", n.beside().isBracketBehind},
		{"subject", n.lead == "subject" && n.beside().isVerbBehind},
		{"first name", i == 0},
		{"more of it", n.beside().isMore},
		{r + " up to its bracket, lead " + n.lead + tight, n.place == before &&
			forms("up to its bracket").MatchString(o.text[n.End:o.x.Start])},
		{"known group", n.known > 0}, {"known group, often", n.known > 2},
	} {
		if t.holds {
			has(t.trait)
		}
	}
	for _, k := range nameKinds {
		if n.kinds[k.kind] {
			has("is " + k.kind)
		}
	}
	o.standing(n, has)
}

// standing gives the traits of a name in its abstract.
func (o *owners) standing(n *candidate, has emit) {
	if o.mentions == nil {
		return
	}
	inTitle, often := Common(n.words, o.mentions.title), 0
	for w := range n.words {
		often = max(often, o.mentions.often[w])
	}
	switch {
	case inTitle > 0 && inTitle == len(n.words):
		has("all in the title")
	case inTitle > 0:
		has("some in the title")
	}
	switch {
	case often < 2:
		has("once")
	case often > 3:
		has("often")
	}
}

// together gives the traits of two names as those of both numbers.
func (o *owners) together(i, j int, has emit) {
	if i == unnamed || j == unnamed {
		return
	}
	x, y := &o.all[i], &o.all[j]
	order, first, last := "in order", x, y
	if i > j {
		order, first, last = "reversed", y, x
	}
	has("places " + placeNames[x.place] + ", " + placeNames[y.place])
	if o.isTight {
		has("places, tight " + placeNames[x.place] + ", " + placeNames[y.place])
	}
	has(order)
	has(order + " " + placeNames[x.place] + placeNames[y.place])
	nextTo := first.number+1 == last.number
	word := x.beside().preposition
	isAlike := word != "" && word == y.beside().preposition
	isListed := nextTo && last.beside().isListed
	isCompared := last.lead == "compared"
	nearest := !slices.ContainsFunc(o.all[first.number+1:last.number], func(n candidate) bool {
		return n.beside().preposition == word
	})
	nextCompared := isCompared && !slices.ContainsFunc(o.all[first.number+1:last.number], func(n candidate) bool {
		return n.lead == "compared"
	})
	isComma := strings.TrimSpace(last.name.lead) == ","
	for _, t := range []struct {
		trait string
		holds bool
	}{
		{"compared, " + order, isCompared}, {"compared side by side, " + order, isCompared && nextTo},
		{"compared next, " + order, nextCompared},
		{"subject compared, " + order, nextCompared && first.lead == "subject"},
		{"compared in front, " + order, first.lead == "compared"},
		{"compared in front of a subject, " + order, first.lead == "compared" && last.lead == "subject"},
		{"same lead", isAlike}, {"same lead, compared, nearest", isAlike && isCompared && nearest},
		{"listed by a comma", isListed && isComma}, {"listed", isListed && !isComma},
		{"listed, respectively", isListed && strings.Contains(o.text[o.y.End:], "respectively")},
		{"listed, between", isListed && strings.Contains(first.name.lead, "between")},
		{"same last word", x.last == y.last}, {"common word", Common(x.words, y.words) > 0},
		{"same words", len(x.words) > 0 && len(x.words) == len(y.words) && Common(x.words, y.words) == len(x.words)},
		{"opposed", Oppose(x.words, y.words) || !strings.EqualFold(beginning(x.text), beginning(y.text))},
		{"neighbours", nextTo}, {"far apart", last.number-first.number > 4},
		{"clause between", forms("clause").MatchString(o.text[first.End:last.Start])},
		{"both known", x.known > 0 && y.known > 0}, {"one known", (x.known > 0) != (y.known > 0)},
	} {
		if t.holds {
			has(t.trait)
		}
	}
	for _, k := range nameKinds {
		switch a, b := x.kinds[k.kind], y.kinds[k.kind]; {
		case a && b:
			has("both " + k.kind)
		case a != b:
			has("one " + k.kind)
		}
	}
}

// beginning is what a name begins with that its opposite has not: "pre", "without".
func beginning(name string) string { return forms("opposed beginning").FindString(name) }

// likeliest is how many names for each number are weighed together with those for the other one.
const likeliest = 8

// choose gives the likeliest names of both numbers, and by how much they are likelier than the next.
func (o *owners) choose() (x, y int) {
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
			ranked[role] = append(ranked[role], weighed{i, sum(func(e emit) { o.alone(i, role, e) })})
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
	best := 0.0
	for _, a := range ranked[0] {
		for _, b := range ranked[1] {
			if a.number == b.number {
				continue
			}
			w := a.weight + b.weight + sum(func(e emit) { o.together(a.number, b.number, e) })
			if x == unnamed && y == unnamed || w > best {
				x, y, best = a.number, b.number, w
			}
		}
	}
	return x, y
}
