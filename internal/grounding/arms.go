package grounding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/quantity"
	plaintext "dossier/internal/text"
)

// assignment is a number given to a named arm by one sentence, with the arm beside it.
type assignment struct {
	quantity.Quantity
	own, other map[string]bool // words that name this arm and not the other, and the reverse
}

// armReach is how far apart, in bytes, two numbers that are compared and the names of their arms may stand.
const armReach = 240

// assignments finds which of a sentence's numbers are given to which of two arms. Only sentences that name both are
// read.
func assignments(text string, qs []quantity.Quantity) []assignment {
	var out []assignment
	for i, a := range qs {
		j := slices.IndexFunc(qs[i+1:], func(b quantity.Quantity) bool {
			if b.Start < a.End || b.Start >= a.End+armReach || b.Measure != a.Measure || b.Pair != 0 {
				return false
			}
			// Two numbers side by side, or with a bracket between them, such as an interval.
			between := text[a.End:b.Start]
			return strings.Count(between, "(") == strings.Count(between, ")")
		})
		if j < 0 || a.Pair != 0 {
			continue
		}
		b := qs[i+1+j]
		first, second, ok := armsOf(text, a, b)
		if !ok {
			continue
		}
		own, other := apart(first, second)
		if len(own) > 0 && len(other) > 0 {
			out = append(out, assignment{a, own, other}, assignment{b, other, own})
		}
	}
	return out
}

// armsOf reads the names of the arms that two neighbouring numbers belong to.
func armsOf(text string, a, b quantity.Quantity) (first, second string, ok bool) {
	between, after := text[a.End:b.Start], text[b.End:min(len(text), b.End+armReach)]
	if m := forms("arm between").FindStringSubmatch(between); m != nil {
		if n := forms("arm after").FindStringSubmatch(after); n != nil {
			return m[1], n[1], true
		}
	}
	if !forms("against").MatchString(between) {
		return "", "", false
	}
	if m := forms("arms after").FindStringSubmatch(after); m != nil {
		return m[1], m[2], true
	}
	if m := forms("arms before").FindStringSubmatch(text[max(0, a.Start-2*armReach):a.Start]); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}

// apart keeps the words of two names that tell them from each other.
func apart(a, b string) (onlyA, onlyB map[string]bool) {
	wa, wb := armWords(a), armWords(b)
	without := func(words, others map[string]bool) map[string]bool {
		kept := maps.Clone(words)
		maps.DeleteFunc(kept, func(w string, _ bool) bool { return others[w] })
		return kept
	}
	return without(wa, wb), without(wb, wa)
}

// noArmWords stand in the names of all arms.
var noArmWords = plaintext.Set(
	`arm arms group groups cohort treatment therapy alone plus patients those receiving treated median rate`)

func armWords(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range plaintext.Tokens(s) {
		if !noArmWords(w) && !plaintext.StopWords(w) && len(w) > 1 {
			out[w] = true
		}
	}
	return out
}

// markArms marks a number that a record gives to one of two arms and the statement to the other. It stays silent where
// the record has the number anywhere else, or where the statement does not clearly speak of one arm.
func markArms(text string, told []quantity.Quantity, sources []*Source) []Mark {
	var out []Mark
	own := assignments(text, told)
	for i, q := range told {
		if q.Pair != 0 || q.Measure == quantity.PValue {
			continue
		}
		if said := armSaid(text, told, i, own); len(said) > 0 && givenToOther(q, said, sources) {
			out = append(out, newMark(MarkArm, text, q.Span, "the cited record gives "+q.In(text)+" to the other arm"))
		}
	}
	return out
}

// armSaid is the arm that a statement gives a number to, by its words: as the sentence assigns it, or all words of the
// sentence where nothing is compared.
func armSaid(text string, told []quantity.Quantity, i int, own []assignment) map[string]bool {
	for _, a := range own {
		if a.Start == told[i].Start {
			return a.own
		}
	}
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(told) || told[j].Measure != told[i].Measure {
			continue
		}
		first, second := told[min(i, j)], told[max(i, j)]
		if first.End <= second.Start && forms("against").MatchString(text[first.End:second.Start]) {
			return nil // "A was better (16.6 vs 8.1 months)" does not say whose the second is
		}
	}
	for _, s := range plaintext.SentenceSpans(text) {
		if s.Start <= told[i].Start && told[i].End <= s.End {
			return armWords(s.In(text))
		}
	}
	return nil
}

// givenToOther says whether every place where the records have the number gives it to an arm that the statement does
// not name, while the statement names the arm beside it.
func givenToOther(q quantity.Quantity, said map[string]bool, sources []*Source) bool {
	contrary := false
	for _, s := range sources {
		for _, sentence := range s.compared() {
			for _, r := range sentence.quantities {
				if !quantity.BornOut(q, r) {
					continue
				}
				i := slices.IndexFunc(sentence.arms, func(a assignment) bool { return a.Start == r.Start })
				if i < 0 || shared(said, sentence.arms[i].own) || !shared(said, sentence.arms[i].other) {
					return false
				}
				contrary = true
			}
		}
	}
	return contrary
}

func shared(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}

// endpoint is a measured outcome, under the abbreviation that boards use.
type endpoint string

var endpoints = []endpoint{"PFS", "DFS", "EFS", "RFS", "OS", "CR", "PR", "DOR", "ORR", "DCR", "AE", "stop", "follow-up"}

type endpointAt struct {
	plaintext.Span
	endpoint endpoint
}

func endpointsIn(text string) []endpointAt {
	var out []endpointAt
	for _, m := range forms("endpoint").FindAllStringSubmatchIndex(text, -1) {
		for i, e := range endpoints {
			if m[2*i+2] >= 0 {
				out = append(out, endpointAt{plaintext.Span{Start: m[0], End: m[1]}, e})
			}
		}
	}
	return out
}

// endpointOf is the outcome that a number belongs to: the last one named before it, as long as none follows closely
// that it could belong to as well. Empty where it can't be told.
func endpointOf(q quantity.Quantity, next int, found []endpointAt) endpoint {
	var before endpoint
	for _, e := range found {
		named := e.inTime(q.Measure)
		if e.End <= q.Start {
			before = named
		} else if e.Start < min(next, q.End+40) && named != before {
			return ""
		}
	}
	return before
}

// inTime reads a response with a length of time as the duration of response.
func (e endpointAt) inTime(m quantity.Measure) endpoint {
	switch e.endpoint {
	case "CR", "PR", "ORR":
		if m == quantity.Months || m == quantity.Days {
			return "DOR"
		}
	}
	return e.endpoint
}

// endpointsOf gives the outcome of each number in a text, sentence by sentence.
func endpointsOf(text string, qs []quantity.Quantity) []endpoint {
	out := make([]endpoint, len(qs))
	i := 0
	for _, s := range plaintext.SentenceSpans(text) {
		found := endpointsIn(s.In(text))
		for j := range found {
			found[j].Start, found[j].End = found[j].Start+s.Start, found[j].End+s.Start
		}
		for ; i < len(qs) && qs[i].Start < s.End; i++ {
			next := s.End
			if i+1 < len(qs) {
				next = min(next, qs[i+1].Start)
			}
			out[i] = endpointOf(qs[i], next, found)
		}
	}
	return out
}

// markEndpoints marks a number that the records give to one outcome alone and the statement to another.
func markEndpoints(text string, told []quantity.Quantity, sources []*Source) []Mark {
	var out []Mark
	said := endpointsOf(text, told)
	for i, q := range told {
		if said[i] == "" || said[i] == "follow-up" || !isResult(q) {
			continue
		}
		if given := endpointGiven(q, sources); given != "" && given != said[i] {
			out = append(out, newMark(MarkEndpoint, text, q.Span, fmt.Sprintf("the cited record gives %s for %s", q.In(text),
				strings.ToUpper(string(given)))))
		}
	}
	return out
}

// isResult leaves out the numbers that describe a study instead of what it found.
func isResult(q quantity.Quantity) bool {
	return slices.Contains([]quantity.Measure{quantity.Percent, quantity.Months, quantity.Days, quantity.Hazard, quantity.Odds, quantity.Relative}, q.Measure)
}

// endpointGiven is the one outcome that the records give a number to; empty where there is none, or more than one.
func endpointGiven(q quantity.Quantity, sources []*Source) endpoint {
	var given endpoint
	for _, s := range sources {
		for _, sentence := range s.compared() {
			found := sentence.endpoints
			for i, r := range sentence.quantities {
				if !quantity.BornOut(q, r) {
					continue
				}
				if found[i] == "" || given != "" && found[i] != given {
					return ""
				}
				given = found[i]
			}
		}
	}
	return given
}
