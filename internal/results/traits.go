package results

import (
	"slices"
	"strings"
	"sync"

	plaintext "dossier/internal/text"
)

// emit receives a trait.
type emit func(trait string)

var roles = [2]string{"first", "second"}

// alone emits the traits of a name as that of the first number or the second.
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
	has("path " + n.paths[role] + tight)

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

	o.worded(n, role, has)
	o.standing(n, has)
}

// worded emits the traits of a name by its words, those before it, and those behind it.
func (o *owners) worded(n *candidate, role int, has emit) {
	r, b := roles[role], n.beside()
	if b.isOfPeople {
		has("of people")
		has(r + " of people " + placeNames[n.place])
	}

	for _, trait := range b.behind {
		has(trait)
		has(r + " " + trait)

		if n.lead == "subject" {
			has(trait + ", subject")
		}
	}

	at := []plaintext.Span{o.x, o.y}[role]
	if from, to := min(n.End, at.End), max(n.Start, at.Start); from < to && forms("clause").MatchString(o.text[from:to]) {
		has(r + " in another clause")
	}

	switch words := len(n.words); {
	case words > 3:
		has("long name")
	case words == 1:
		has("name of a word")
	}

	if n.lead == "of" && n.number > 0 && o.all[n.number-1].kinds["measure"] {
		has("of a measure")
	}

	if slices.ContainsFunc(o.all, func(a candidate) bool {
		return a.number != n.number && len(n.words) > 0 && Common(a.words, n.words) == len(n.words)
	}) {
		has("named twice")
	}
}

// standing emits the traits of a name in its abstract.
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

	if o.mentions.sideOf(n.words) >= 0 {
		has("planned arm")
	}

	if o.mentions.short[strings.ToLower(n.text)] != "" {
		has("short form")
	}

	compared := 0
	for w := range n.words {
		compared = max(compared, o.mentions.compared[w])
	}

	if compared > 1 {
		has("compared elsewhere")
	}

	if compared > 3 {
		has("compared often")
	}
}

// turned emits whether the subject of the sentence, not its comparator, has more where the sentence states so.
func (o *owners) turned(i, j int, has emit) {
	isOther := func(k int) bool { return k == unnamed || o.all[k].lead == "compared" }
	if o.turns == 0 || isOther(i) == isOther(j) {
		return
	}

	if (o.turns > 0) == isOther(j) {
		has("as the turn says")
	} else {
		has("against the turn")
	}
}

// together emits the traits of two names as those of both numbers.
func (o *owners) together(i, j int, has emit) {
	o.turned(i, j, has)

	if i == j {
		has("neither named")

		if o.compares {
			has("neither named, though names are compared")
		}
	}

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

	if x.paths[0] == y.paths[1] {
		has("same path")
		has("same path " + x.paths[0])
	}
	joined := o.join(first, last)
	has("names " + order + " " + joined)
	has("names " + order + " " + first.lead + " " + joined)
	o.related(x, y, first, last, order, has)
	o.mentions.together(x.words, y.words, has)

	if last.lead == "compared" {
		has("compared " + lastWord(last.name.lead) + " beside " + first.lead + ", " + order)
		has("compared " + lastWord(last.name.lead) + " beside " + first.lead + " " + first.beside().preposition)
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

// join returns the text between two names in short. Each pair is weighed for both orders of the numbers, and its text
// is read once.
func (o *owners) join(first, last *candidate) string {
	pair := [2]int{first.number, last.number}

	joined, isKnown := o.joined[pair]
	if !isKnown {
		joined = o.path(o.names, first.number, last.Span)[len("> "):]
		o.joined[pair] = joined
	}
	return joined
}

// related emits the traits of how the sentence joins two names; first and last are x and y in order of place.
func (o *owners) related(x, y, first, last *candidate, order string, has emit) {
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
}

// beginning is an opposed beginning of a name: "pre", "without".
func beginning(name string) string { return forms("opposed beginning").FindString(name) }

// path is a short form of the text between a name and a figure: "> was" for "A was 5", "< in" for "5 in A", where N is
// another name.
func (c *contrast) path(names []name, i int, figure plaintext.Span) string {
	n := &names[i]

	direction, gap := "> ", plaintext.Span{Start: n.End, End: figure.Start}
	if n.Start >= figure.End {
		direction, gap = "< ", plaintext.Span{Start: figure.End, End: n.Start}
	}

	if gap.End-gap.Start > valueReach || gap.End < gap.Start {
		return direction + "far"
	}
	var steps []string
	text := blankBrackets(gap.In(c.text))

	k := 0
	for start := 0; ; {
		m := forms("step").FindStringIndex(text[start:])
		if m == nil {
			return direction + strings.Join(steps, " ")
		}
		word := text[start+m[0] : start+m[1]]
		at := gap.Start + start + m[0]
		start += m[1]

		for k < len(names) && names[k].End <= at {
			k++
		}

		step := "N"
		if k >= len(names) || names[k].Start > at {
			step = stepOf(word)
		}

		if step != "" && (len(steps) == 0 || steps[len(steps)-1] != step) {
			steps = append(steps, step)
		}

		if len(steps) > mostSteps {
			return direction + "long"
		}
	}
}

// mostSteps is how many words and marks may separate a name and a figure that belong together.
const mostSteps = 4

// stepKinds are the kinds of the words between a name and a figure.
var stepKinds = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{}
	for kind, words := range map[string]string{
		"than": "than v vs versus compared against relative",
		"in":   "in for with among on at by after before under receiving given treated during",
		"was":  "was were is are had has have showed reported experienced demonstrated achieved reached did",
		"and":  "and or while whereas but",
	} {
		for _, word := range strings.Fields(words) {
			kinds[word] = kind
		}
	}
	return kinds
})

// stepOf is the kind of a word or mark between a name and a figure; empty for others.
func stepOf(word string) string {
	if kind := stepKinds()[strings.ToLower(word)]; kind != "" {
		return kind
	}

	if word[0] >= '0' && word[0] <= '9' {
		return "number"
	}

	if strings.ContainsAny(word, ":=") {
		return "is"
	}

	if strings.ContainsAny(word, "()[],;") || word == "of" || word == "to" || word == "from" {
		return word
	}
	return ""
}
