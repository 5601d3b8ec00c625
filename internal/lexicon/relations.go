package lexicon

import (
	"cmp"
	"slices"
	"strings"

	"dossier/internal/text"
)

// Relation is two values of a question and what relates them, left and right in the order of an English phrase:
// "lymphoma after breast cancer" is {lymphoma, after, breast cancer}. Several values of one side are joined by "plus"
// or "+".
type Relation struct {
	Left     string `json:"left"`
	Relation string `json:"relation"` // in English: "in", "after", "versus", "without", "then", "is"
	Right    string `json:"right"`
	by       holder
}

// holder is what else in a question holds the facts of a relation.
type holder uint8

const (
	heldByNone holder = iota
	heldByRegimens
	heldByRoles
)

func (r Relation) String() string { return r.Left + " " + r.Relation + " " + r.Right }

// The relations that need no word in the question: "with" joins a value and its owner, "then" two values in the text's
// order, "is" a thing and what was found of it; "versus" sets two against each other.
const (
	relatesWith   = "with"
	relatesThen   = "then"
	relatesIs     = "is"
	relatesVersus = "versus"
)

// relate records which values belong together or follow each other, where the slots alone do not show it: "nivolumab 1
// mg/kg, ipilimumab 3 mg/kg" has the drugs and the doses of "nivolumab 3 mg/kg, ipilimumab 1 mg/kg". It relates two
// kinds of values (drugs, doses, lines, intents) only where they alternate. It must run before repetitions are dropped.
func (l *Lexicon) relate(q *Question) {
	q.Relations = append(q.sides(), l.diseases(q)...)

	kinds := q.kinds()
	for i := range kinds {
		alone := true
		for k := range kinds {
			if k == i {
				continue
			}
			stated := alternation(q.Text, &kinds[i], &kinds[k])

			alone = alone && len(stated) == 0
			if k > i {
				q.Relations = append(q.Relations, stated...)
			}
		}

		if alone && kinds[i].isMeasure {
			q.Relations = append(q.Relations, inOrder(q.Text, &kinds[i])...)
		}
	}

	q.Relations = append(q.Relations, q.findings(2)...)
	for _, stated := range q.purposes() {
		if !slices.Contains(q.Relations, stated) {
			q.Relations = append(q.Relations, stated)
		}
	}
}

// relationLists maps lists of the dictionary to the relation that their words name between the values on their two
// sides.
var relationLists = map[string]string{wordsPrior: "after", wordsSequence: "before", wordsAbsence: "without",
	wordsComparison: relatesVersus}

// relationOf returns the relation that the last relating word between two values names; empty for none.
func (l *Lexicon) relationOf(between string) (relation string) {
	for _, t := range tokenize(between) {
		relation = cmp.Or(relationLists[l.wordList(t.key).name()], relationWords()[t.key], relation)
		if causal(t.key) || dueTo(t.key) {
			relation = relationOfRole[Cause]
		}
	}
	return relation
}

// diseases returns the relations that words name between diseases: "lymphoma in breast cancer" is not "breast cancer in
// lymphoma". It skips "in" and "with" between a tumour and a condition, whose order means nothing, and "without", which
// the status holds.
func (l *Lexicon) diseases(q *Question) (out []Relation) {
	all := slices.Concat(q.Tumours, q.Conditions)
	slices.SortStableFunc(all, func(a, b Concept) int { return a.Start - b.Start })

	for i := 1; i < len(all); i++ {
		left, right := &all[i-1], &all[i]
		if left.End >= right.Start {
			continue
		}

		isOfOneKind := left.isCondition() == right.isCondition()
		switch relation := l.relationOf(q.Text[left.End:right.Start]); {
		case relation == "", relation == "without", !isOfOneKind && (relation == "in" || relation == relatesWith):
		default:
			out = append(out, Relation{Left: left.Name, Relation: relation, Right: right.Name})
		}
	}
	return out
}

// relationOfRole maps a treatment's role to its relation to what the question asks about.
var relationOfRole = map[DrugRole]string{Prior: "after", Background: "on", Resistant: "resistant to",
	Intolerant: "intolerant of", ResistantOrIntolerant: "resistant to or intolerant of", NotPrior: "not after",
	Then: relatesThen, Withheld: "without", Cause: "due to", Excluded: "not eligible for"}

// relateTreatments adds the relations that the treatments' roles imply. The treatments asked about are on the left of
// one that was given before, is under way or is left out; the disease is on the left of one that it resists or comes
// from. Compared regimens are related to each other.
func (q *Question) relateTreatments() {
	var regimens []string
	for n := 1; ; n++ {
		own := slices.DeleteFunc(slices.Clone(q.Drugs), func(d Drug) bool { return d.Regimen != n || d.Role == Then })
		if len(own) == 0 {
			break
		}
		regimens = append(regimens, strings.Join(canonicals(own, func(d Drug) string { return d.Name }), " plus "))
	}
	slices.Sort(regimens)

	if isCompared := func(d Drug) bool { return d.Role == Compared }; slices.ContainsFunc(q.Drugs, isCompared) {
		by := heldByRoles
		if slices.ContainsFunc(regimens, func(r string) bool { return strings.Contains(r, " plus ") }) {
			by = heldByRegimens // "A plus B or C" is not "A or B plus C"
		}

		for i := 1; i < len(regimens); i++ {
			q.addRelation(Relation{Left: regimens[i-1], Relation: relatesVersus, Right: regimens[i], by: by})
		}
	}
	asked := strings.Join(regimens, " or ")

	diseases := strings.Join(canonicals(slices.Concat(q.Tumours, q.Conditions), Concept.canonical), " and ")
	for _, d := range q.Drugs {
		left := diseases
		switch d.Role {
		case Prior, Background, NotPrior, Then, Withheld:
			left = cmp.Or(asked, diseases)
		case Given, Compared, Resistant, Intolerant, ResistantOrIntolerant, Cause, Excluded:
		}

		if relation, ok := relationOfRole[d.Role]; ok && left != "" {
			q.addRelation(Relation{Left: left, Relation: relation, Right: d.Name, by: heldByRoles})
		}
	}
}

// addRelation adds a relation unless it is there.
func (q *Question) addRelation(r Relation) {
	if !slices.ContainsFunc(q.Relations, func(o Relation) bool { return o.String() == r.String() }) {
		q.Relations = append(q.Relations, r)
	}
}

// heldBy returns the relations whose holder is among some.
func (q *Question) heldBy(some ...holder) []Relation {
	return slices.DeleteFunc(slices.Clone(q.Relations), func(r Relation) bool { return !slices.Contains(some, r.by) })
}

// purposes relates the intents that a comparison names once to the drug right behind each: "surgery versus neoadjuvant
// chemotherapy" is not "neoadjuvant surgery versus chemotherapy".
func (q *Question) purposes() (out []Relation) {
	for i, c := range q.Setting {
		isAgain := slices.ContainsFunc(q.Setting[:i], func(o Circumstance) bool { return o.Value == c.Value })
		if c.Aspect != "intent" || isAgain {
			continue
		}
		of := slices.IndexFunc(q.Drugs, func(d Drug) bool {
			return d.Role == Compared && d.Start >= c.End && strings.TrimSpace(q.Text[c.End:d.Start]) == ""
		})

		isSecond := slices.ContainsFunc(q.Drugs, func(d Drug) bool { return d.Role == Compared && d.End <= c.Start })
		if of >= 0 && isSecond {
			out = append(out, Relation{Left: q.Drugs[of].canonical(), Relation: relatesWith, Right: c.canonical()})
		}
	}
	return out
}

// placed is one value of a slot, and its place.
type placed struct {
	value      string
	start, end int
	kind       int // which of the two compared kinds has it
	isSetting  bool
}

// kind is all values of one kind in a question: its drugs, its tumours, its markers, or its settings of one aspect.
type kind struct {
	values    []placed
	isSetting bool
	isMeasure bool
}

// kinds returns the kinds of which the question has at least two values.
func (q *Question) kinds() []kind {
	var diseases, markers, given, words kind
	for _, c := range slices.Concat(q.Tumours, q.Conditions) {
		diseases.add(c.canonical(), c.Part)
	}

	for _, a := range q.Alterations {
		markers.add(a.canonical(), a.Part)
	}

	for _, b := range q.Biomarkers {
		markers.add(b.canonical(), b.Part)
	}

	for _, d := range q.Drugs {
		given.add(d.canonical(), d.Part)
	}

	for _, w := range q.Words {
		if !isFindingWord(w.Key) {
			words.add(w.Key, w.Part)
		}
	}
	out := []kind{diseases, markers, given, words}
	var aspects []string

	settings := map[string]*kind{}
	for _, c := range q.Setting {
		aspect := c.sort()
		if settings[aspect] == nil {
			settings[aspect] = &kind{isSetting: true, isMeasure: c.Aspect == aspectMeasure}
			aspects = append(aspects, aspect)
		}
		settings[aspect].add(c.canonical(), c.Part)
	}

	for _, aspect := range aspects {
		out = append(out, *settings[aspect])
	}
	return slices.DeleteFunc(out, func(k kind) bool {
		return !slices.ContainsFunc(k.values, func(p placed) bool { return p.value != k.values[0].value })
	})
}

// sort is the kind that a setting is of: years are no milligrams, and a line is a phase of treatment as an intent is.
func (c Circumstance) sort() string {
	switch {
	case c.Aspect == aspectMeasure:
		return c.Aspect + strings.TrimLeft(c.Value, "<>≥≤ 0123456789.,-–")
	case c.Aspect == "intent", c.Value == "concurrent":
		return "line"
	}
	return c.Aspect
}

func (k *kind) add(value string, p Part) {
	k.values = append(k.values, placed{value: value, start: p.Start, end: p.End})
}

// row is several values of one kind with none of the other between them.
type row struct {
	kind   int
	values []string
	parts  int // how many parts no "and" or "or" joins
	// isChoice: an "or" or a "versus" stands between values
	isChoice bool
}

// alternation returns which values of two kinds belong together. Where the kinds take turns, it pairs the first of one
// with the first of the other, and so on, whichever comes first; where one has no partner it keeps the text's order.
// Two kinds in one row each yield nothing, except as many doses behind as many drugs; nor does a kind whose values an
// "or" joins.
func alternation(in string, a, b *kind) []Relation {
	rows := rowsOf(in, a, b)

	isOfSetting := a.isSetting || b.isSetting
	switch {
	case len(rows) == 2 && (a.isMeasure || b.isMeasure):
		return respectively(&rows[0], &rows[1])
	case len(rows) < 3, len(rows) == 3 && (!isOfSetting || rows[1].parts < 2), len(rows)%2 > 0 && !isOfSetting:
		return nil
	case len(rows)%2 > 0:
		return chain(text.Each(rows, row.String))
	}

	var out []Relation
	for i := 0; i < len(rows); i += 2 {
		out = append(out, pairOf(rows[i], rows[i+1]))
	}

	if !slices.ContainsFunc(out, func(r Relation) bool { return r != out[0] }) {
		return nil
	}
	return out
}

// chain relates each value to the one that follows it in the text.
func chain(values []string) (out []Relation) {
	for i := 1; i < len(values); i++ {
		out = append(out, Relation{Left: values[i-1], Relation: relatesThen, Right: values[i]})
	}
	return out
}

// pairOf relates the values of two rows that belong together, whichever comes first.
func pairOf(of, with row) Relation {
	if of.kind > with.kind {
		of, with = with, of
	}
	slices.Sort(of.values)
	slices.Sort(with.values)
	return Relation{Left: of.String(), Relation: relatesWith, Right: with.String()}
}

// respectively pairs doses with as many drugs: "nivolumab and ipilimumab 3 mg/kg and 1 mg/kg".
func respectively(of, with *row) (out []Relation) {
	if len(of.values) != len(with.values) || of.isChoice || with.isChoice {
		return nil
	}

	for i := range of.values {
		out = append(out, pairOf(row{kind: of.kind, values: of.values[i : i+1]},
			row{kind: with.kind, values: with.values[i : i+1]}))
	}
	return out
}

// inOrder records the order of measures that belong to nothing else and are not a list: "tumor 3 cm, margin 1 cm".
func inOrder(in string, k *kind) []Relation {
	only := rowsOf(in, k, &kind{})[0]
	if only.isChoice || only.parts < len(only.values) {
		return nil
	}
	return chain(only.values)
}

func (r row) String() string { return strings.Join(r.values, " + ") }

// rowsOf cuts the values of two kinds into rows, in the order of the text.
func rowsOf(in string, a, b *kind) []row {
	var all []placed
	for n, k := range []*kind{a, b} {
		for _, p := range k.values {
			p.kind, p.isSetting = n, k.isSetting
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(x, y placed) int { return x.start - y.start })

	var out []row
	for i, p := range all {
		if i == 0 || out[len(out)-1].kind != p.kind {
			out = append(out, row{kind: p.kind, values: []string{p.value}, parts: 1})
			continue
		}

		last := &out[len(out)-1]
		if slices.Contains(last.values, p.value) {
			continue
		}
		last.values = append(last.values, p.value)

		gap := ""
		if end := all[i-1].end; end < p.start {
			gap = in[end:p.start]
		}

		last.isChoice = last.isChoice || strings.TrimSpace(gap) != "" && isOnly(gap, isChoice)
		if !isOnly(gap, joinsValues) || strings.ContainsAny(gap, ",;.") || p.isSetting && gap == " " {
			last.parts++
		}
	}
	return out
}

// anyWord reports whether some accepts a word of a text.
func anyWord(in string, some func(string) bool) bool {
	return slices.ContainsFunc(tokenize(in), func(t token) bool { return some(t.key) })
}

// isOnly reports whether some accepts every word of a text.
func isOnly(in string, some func(string) bool) bool {
	return !anyWord(in, func(key string) bool { return !some(key) })
}

// sides relates the sides of a comparison where one has several drugs: "A plus B versus C" is not "A versus B plus C".
func (q *Question) sides() (out []Relation) {
	byArm := map[int][]Drug{}
	for _, d := range q.Drugs {
		if d.arm > 0 {
			byArm[d.arm] = append(byArm[d.arm], d)
		}
	}

	var arms []string
	for _, drugs := range byArm {
		slices.SortFunc(drugs, func(a, b Drug) int {
			if a.place != b.place {
				return a.place - b.place
			}
			return strings.Compare(a.Name, b.Name)
		})

		arm := drugs[0].Name
		for i, d := range drugs[1:] {
			joint := " plus "
			if d.place > drugs[i].place {
				joint = " then "
			}
			arm += joint + d.Name
		}
		arms = append(arms, arm)
	}
	slices.Sort(arms)

	for i := 1; i < len(arms); i++ {
		out = append(out, Relation{Left: arms[i-1], Relation: relatesVersus, Right: arms[i]})
	}
	return out
}

// findings relates words like "negative" to what they describe, where at least so many things might be meant:
// "MRD-negative, PET-positive" is not "MRD-positive, PET-negative". The word belongs to what precedes it, else to what
// follows it; one like "high" the other way round.
func (q *Question) findings(least int) (out []Relation) {
	var holders []placed
	for _, c := range q.Setting {
		holders = append(holders, placed{value: c.Value, start: c.Start, end: c.End})
	}

	var stated []Word
	for _, w := range q.Words {
		if isFindingWord(w.Key) {
			stated = append(stated, w)
		} else {
			holders = append(holders, placed{value: w.Key, start: w.Start, end: w.End})
		}
	}

	if len(holders) < least {
		return nil
	}

	for _, w := range stated {
		at := slices.IndexFunc(holders, func(h placed) bool { return h.end <= w.Start && w.Start-h.end <= 1 })
		if at < 0 || standsBefore(w.Key) {
			if before := slices.IndexFunc(holders, func(h placed) bool {
				return h.start >= w.End && h.start-w.End <= 1
			}); before >= 0 {
				at = before
			}
		}

		if at >= 0 {
			out = append(out, Relation{Left: holders[at].value, Relation: relatesIs, Right: w.Key})
		}
	}
	return out
}

// isFindingWord reports whether a word states what was found of something else.
func isFindingWord(key string) bool { return standsBehind(key) || standsBefore(key) }
