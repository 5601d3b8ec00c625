package results

import (
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// Outcome is a measured outcome in a text, under the name that boards use.
type Outcome struct {
	plaintext.Span
	Name string
	Bad  bool // less of it is better
	Harm bool // it is a harm of treatment, or harms at large

	aside int // where the brackets around it close; 0 outside of any
}

// outcomes are the meanings of the groups of the expression "outcome", in order.
var outcomes = []Outcome{
	{Name: "PFS", Bad: true}, {Name: "PFS"}, {Name: "TTP"}, {Name: "DFS"}, {Name: "EFS"}, {Name: "RFS"}, {Name: "MFS"},
	{Name: "local control"},
	{Name: "NRM", Bad: true}, {Name: "DSS", Bad: true}, {Name: "DSS"}, {Name: "OS"}, {Name: "OS", Bad: true}, {Name: "pCR"}, {Name: "CR"}, {Name: "PR"}, {Name: "DOR"},
	{Name: "ORR"}, {Name: "DCR"}, {Name: "recurrence", Bad: true}, {Name: "progression", Bad: true},
	{Name: "febrile neutropenia", Bad: true, Harm: true}, {Name: "neutropenia", Bad: true, Harm: true},
	{Name: "thrombocytopenia", Bad: true, Harm: true}, {Name: "anaemia", Bad: true, Harm: true},
	{Name: "leukopenia", Bad: true, Harm: true}, {Name: "neurotoxicity", Bad: true, Harm: true},
	{Name: "nausea", Bad: true, Harm: true}, {Name: "diarrhoea", Bad: true, Harm: true},
	{Name: "mucositis", Bad: true, Harm: true}, {Name: "rash", Bad: true, Harm: true},
	{Name: "fatigue", Bad: true, Harm: true}, {Name: "fever", Bad: true, Harm: true},
	{Name: "hypertension", Bad: true, Harm: true}, {Name: "pneumonitis", Bad: true, Harm: true},
	{Name: "infection", Bad: true, Harm: true}, {Name: "stop", Bad: true, Harm: true},
	{Name: "harms", Harm: true}, {Name: "harms", Bad: true, Harm: true}, {Name: "quality of life"},
	{Name: "follow-up"}, {Name: "incidence", Bad: true}, {Name: "risk", Bad: true},
}

// Outcomes finds the outcomes that a text names, in order.
func Outcomes(text string) []Outcome {
	var out []Outcome
	for _, m := range forms("outcome").FindAllStringSubmatchIndex(text, -1) {
		for i, o := range outcomes {
			if m[2*i+2] >= 0 && !(o.Name == "risk" && forms("no risk").MatchString(text[:m[1]]+"|"+text[m[1]:])) {
				o.Span = plaintext.Span{Start: m[0], End: m[1]}
				if before := forms("time to").FindStringIndex(text[:o.Start]); before != nil {
					o.Name, o.Bad, o.Start = "time to "+o.Name, !o.Bad, before[0] // a short one to a response is good
				}

				if n := len(out); n > 0 && out[n-1].isOfRisk() && forms("of").MatchString(text[out[n-1].End:o.Start]) {
					o.Bad, o.Start, out = true, out[n-1].Start, out[:n-1] // "the risk of anaemia"
				}
				o.aside = closingBracket(text, o.Start)
				out = append(out, o)
			}
		}
	}
	return out
}

// withShortForms adds the outcomes that a text names by short forms: "LC" of local control.
func withShortForms(text string, found []Outcome, long map[string]string) []Outcome {
	for _, w := range plaintext.Words(text) {
		at := plaintext.Span{Start: w.Start, End: w.End}

		isIn := func(o Outcome) bool { return o.Overlaps(at) }
		if full := long[strings.ToLower(w.Text)]; full != "" && !slices.ContainsFunc(found, isIn) {
			if named := Outcomes(full); len(named) == 1 && named[0].End == len(full) {
				o := named[0]
				o.Span, o.aside = at, closingBracket(text, w.Start)
				found = append(found, o)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Outcome) int { return a.Start - b.Start })
	return found
}

// closingBracket is where the round brackets around a place of a text close; 0 outside of any.
func closingBracket(text string, at int) int {
	if strings.LastIndexByte(text[:at], '(') <= strings.LastIndexByte(text[:at], ')') {
		return 0
	}
	return at + strings.IndexByte(text[at:], ')') + 1
}

// kin are outcomes described in each other's words: the risk of progression by progression-free survival.
var kin = [][]string{{"PFS", "TTP", "progression", "time to progression"}, {"recurrence", "RFS"}, {"recurrence", "DFS"}, {"recurrence", "EFS"},
	{"recurrence", "local control"}}

// isOfRisk reports whether an outcome is the risk or the incidence of what follows it.
func (o *Outcome) isOfRisk() bool { return o.Name == "risk" || o.Name == "incidence" }

// Is reports whether two names mean one outcome, or may: one is harms at large, or an unnamed risk.
func (o *Outcome) Is(other *Outcome) bool {
	switch {
	case o.Name == other.Name, o.Name == "" || other.Name == "":
		return true
	case o.Harm && other.Harm:
		return o.Name == "harms" || other.Name == "harms"
	case slices.ContainsFunc(kin, func(names []string) bool {
		return slices.Contains(names, o.Name) && slices.Contains(names, other.Name)
	}):
		return true
	}
	return o.isOfRisk() && other.Bad || other.isOfRisk() && o.Bad
}

// inTime reads a response with a length of time as its duration, and an event as the time until it.
func (o *Outcome) inTime(m Measure) Outcome {
	out := *o
	if m == Months || m == Days {
		switch o.Name {
		case "CR", "PR", "ORR":
			out.Name = "DOR"
		case "progression", "recurrence":
			out.Bad = false
		}
	}
	return out
}

// outcomeAt is the outcome of the number at a place in a sentence: the last one named before it, unless one that it
// could belong to as well follows closely; the first one behind it if none precedes it, or if the number's subject
// "goes with" that one. Its name is empty if it is unclear.
func outcomeAt(text string, q Quantity, next int, found []Outcome) Outcome {
	var before Outcome
	for i := range found {
		o := found[i].inTime(q.Measure)
		switch {
		case before.Name != "" && 0 < o.aside && o.aside <= q.Start:
			continue // "response (from randomization to progression) lasted 19 months"
		case o.End <= q.Start:
			before = o
		case before.Name == "", goesWith(text, before, q, o):
			return o
		case o.Start < min(next, q.End+40) && o.Name != before.Name:
			return Outcome{}
		}
	}

	if before.Name != "" && forms("another subject").MatchString(text[min(before.End, q.Start):q.Start]) {
		return Outcome{}
	}
	return before
}

// goesWith reports whether the subject of a number in brackets goes with the outcome behind it, not the one before: "A
// (OR 2) was associated with infection, and B (OR 3) with death".
func goesWith(text string, before Outcome, q Quantity, behind Outcome) bool {
	gap := text[min(before.End, q.Start):q.Start]

	open := strings.LastIndexAny(gap, "([")
	return open >= 0 && len(TellingWords(gap[:open])) > 0 &&
		forms("goes with").MatchString(blankBrackets(text[q.End:behind.Start]))
}

// listOutcomes gives each number of a list the matching one of as many outcomes ("PFS and OS were 4 and 9 months,
// respectively", "ORR and DCR (23 and 61%) than others (57 and 84%)"), and none where the match is unclear.
func listOutcomes(text string, values []Value, found []Outcome) {
	a := alignment{text: text}

	from := 0

	var listed []Outcome // by the last brackets
	for i := 0; i < len(values); {
		n := a.groupLength(values[i:])
		group := values[i : i+n]
		start := from
		i += n

		if !forms("at a time").MatchString(text[:group[0].Start]) {
			from = group[n-1].End
		}
		named := namedBetween(found, start, group[0].Start)

		inBrackets := strings.HasSuffix(strings.TrimRight(text[:group[0].Start], " "), "(")
		switch {
		case n < 2:
		case forms("listed behind").MatchString(headWithoutBrackets(text[group[n-1].End:])):
			assignOutcomes(group, named)
		case len(named) > 1 && n >= 2*len(named):
			assignOutcomes(group, named) // "LC and OS were 92%, 64%, 81% and 53% with A and B"
		case !inBrackets:
		case len(named) == n && forms("bracket opens").MatchString(text[named[n-1].End:group[0].Start]):
			listed = named
			assignOutcomes(group, listed)
		case len(named) == 0 && len(listed) == n:
			assignOutcomes(group, listed)
		}
	}
}

// headWithoutBrackets is a text's beginning without brackets.
func headWithoutBrackets(text string) string {
	return strings.Join(strings.Fields(blankBrackets(withoutSpread(plaintext.Head(text, valueReach)))), " ")
}

// namedBetween are the outcomes named between two places; one that is named again in turn counts once.
func namedBetween(found []Outcome, from, to int) (named []Outcome) {
	for _, o := range found {
		if o.Start >= from && o.End <= to && (len(named) == 0 || named[len(named)-1].Name != o.Name) {
			named = append(named, o)
		}
	}
	return named
}

// assignOutcomes gives each number of a list its outcome; none if it is unclear which of several.
func assignOutcomes(group []Value, named []Outcome) {
	for k := range group {
		switch {
		case len(named) == len(group):
			group[k].Outcome = named[k]
		case len(named) > 1:
			group[k].Outcome = Outcome{}
		}
	}
}
