package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// arrange keeps what belongs to what, where the slots alone would not tell: "nivolumab 1 mg/kg, ipilimumab 3 mg/kg" has
// the drugs and the doses of "nivolumab 3 mg/kg, ipilimumab 1 mg/kg". It only adds something where two values of one
// kind (two doses, two lines, two intents) alternate with two of another; it must run before what is said twice is
// dropped.
func (q *Question) arrange() {
	q.arranged = q.sides()
	kinds := q.kinds()
	for i := range kinds {
		alone := true
		for k := range kinds {
			if k == i {
				continue
			}
			told := alternation(q.Text, &kinds[i], &kinds[k])
			alone = alone && len(told) == 0
			if k > i {
				q.arranged = append(q.arranged, told...)
			}
		}
		if alone && kinds[i].isMeasure {
			q.arranged = append(q.arranged, inOrder(q.Text, &kinds[i])...)
		}
	}
	q.arranged = append(q.arranged, q.findings(2)...)
	for _, told := range q.purposes() {
		if !slices.Contains(q.arranged, told) {
			q.arranged = append(q.arranged, told)
		}
	}
}

// purposes are those that stand within a comparison, before the drug that alone has them: "surgery versus neoadjuvant
// chemotherapy" is not "neoadjuvant surgery versus chemotherapy".
func (q *Question) purposes() (out []string) {
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
			out = append(out, q.Drugs[of].canonical()+": "+c.canonical())
		}
	}
	return out
}

// placed is one value of a slot, and where it stands.
type placed struct {
	value      string
	start, end int
	kind       int // which of the two kinds that are looked at has it
	isSetting  bool
}

// kind is what a question has of one kind: its drugs, its tumours, its markers, or its settings of one aspect.
type kind struct {
	values    []placed
	isSetting bool
	isMeasure bool
}

// kinds are those of which the question has at least two values.
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
		if !tellsFinding(w.Key) {
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
	parts  int // how many places that no "and" or "or" joins
	// isChoice: an "or" or a "versus" stands between values
	isChoice bool
}

// alternation says which values of two kinds stand together. Where they take turns, the first of the one belongs to the
// first of the other, and so on, whichever of the two comes first; where one has no partner the order in the text is
// kept. Two kinds that each stand in one row say nothing of it, but for as many doses behind as many drugs, and neither
// does one whose values an "or" joins.
func alternation(in string, a, b *kind) []string {
	rows := rowsOf(in, a, b)
	isOfSetting := a.isSetting || b.isSetting
	switch {
	case len(rows) == 2 && (a.isMeasure || b.isMeasure):
		return respectively(&rows[0], &rows[1])
	case len(rows) < 3, len(rows) == 3 && (!isOfSetting || rows[1].parts < 2), len(rows)%2 > 0 && !isOfSetting:
		return nil
	case len(rows)%2 > 0:
		return []string{strings.Join(text.Each(rows, row.String), " > ")}
	}
	var out []string
	for i := 0; i < len(rows); i += 2 {
		out = append(out, pairOf(rows[i], rows[i+1]))
	}
	slices.Sort(out)
	if out[0] == out[len(out)-1] {
		return nil
	}
	return out
}

// pairOf writes the values of two rows that belong together, whichever came first.
func pairOf(of, with row) string {
	if of.kind > with.kind {
		of, with = with, of
	}
	slices.Sort(of.values)
	slices.Sort(with.values)
	return of.String() + ": " + with.String()
}

// respectively gives as many doses to as many drugs: "nivolumab and ipilimumab 3 mg/kg and 1 mg/kg".
func respectively(of, with *row) []string {
	if len(of.values) != len(with.values) || of.isChoice || with.isChoice {
		return nil
	}
	var out []string
	for i := range of.values {
		out = append(out, pairOf(row{kind: of.kind, values: of.values[i : i+1]},
			row{kind: with.kind, values: with.values[i : i+1]}))
	}
	slices.Sort(out)
	return out
}

// inOrder keeps the order of measures that belong to nothing else, and are no list: "tumor 3 cm, margin 1 cm".
func inOrder(in string, k *kind) []string {
	only := rowsOf(in, k, &kind{})[0]
	if only.isChoice || only.parts < len(only.values) {
		return nil
	}
	return []string{strings.Join(only.values, " > ")}
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

// isOnly says that every word of a text is one of some.
func isOnly(in string, some func(string) bool) bool {
	return !slices.ContainsFunc(tokenize(in), func(t token) bool { return !some(t.key) })
}

var joinsValues = text.Set(`and or und oder et ou y o e plus to bis versus vs with mit avec con com 和 或 与`)

var isChoice = text.Set(`or oder ou o to bis versus vs 或`)

// sides are those of a comparison of which one has several drugs: "A plus B versus C" is not "A versus B plus C".
func (q *Question) sides() []string {
	byArm := map[int][]Drug{}
	for _, d := range q.Drugs {
		if d.arm > 0 {
			byArm[d.arm] = append(byArm[d.arm], d)
		}
	}
	var out []string
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
		out = append(out, arm)
	}
	slices.Sort(out)
	if len(out) == 0 {
		return nil
	}
	return []string{strings.Join(out, " versus ")}
}

// findings say of what a word like "negative" is said, where it might be said of so many things at least: "MRD-negative,
// PET-positive" is not "MRD-positive, PET-negative". It belongs to what it stands behind, else to what it stands
// before.
func (q *Question) findings(least int) []string {
	var holders []placed
	for _, c := range q.Setting {
		holders = append(holders, placed{value: c.Value, start: c.Start, end: c.End})
	}
	var told []Word
	for _, w := range q.Words {
		if tellsFinding(w.Key) {
			told = append(told, w)
		} else {
			holders = append(holders, placed{value: w.Key, start: w.Start, end: w.End})
		}
	}
	if len(holders) < least {
		return nil
	}
	var out []string
	for _, w := range told {
		at := slices.IndexFunc(holders, func(h placed) bool { return h.end <= w.Start && w.Start-h.end <= 1 })
		if at < 0 || standsBefore(w.Key) {
			if before := slices.IndexFunc(holders, func(h placed) bool {
				return h.start >= w.End && h.start-w.End <= 1
			}); before >= 0 {
				at = before
			}
		}
		if at >= 0 {
			out = append(out, holders[at].value+": "+w.Key)
		}
	}
	slices.Sort(out)
	return out
}

// tellsFinding says that a word tells what was found of something else.
func tellsFinding(key string) bool { return standsBehind(key) || standsBefore(key) }

var standsBehind = text.Set(`positive negative positivity negativity`)

var standsBefore = text.Set(`seropositive seronegative high low elevated raised increased decreased normal abnormal
	favorable unfavorable good poor early late left right`)
