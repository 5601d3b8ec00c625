package results

import (
	"maps"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// Change is a word of change in a clause: what changes, and which way.
type Change struct {
	plaintext.Span
	Axis             string
	Sense            int                 // 1 more, better or linked, -1 less or worse, 0 no change
	Denied           int                 // the sense that its "not" denies; 0 without one
	Theme, Rest, All map[string]bool     // the words for what changes, the other words of the clause, both
	Sides            *[2]map[string]bool // own words of two compared sides; nil where there are none
}

// changes are the meanings of the groups of the expression "change", in order.
var changes = []struct {
	axis  string
	sense int
}{{"amount", 1}, {"amount", -1}, {"quality", 1}, {"quality", -1}, {"link", 1}, {"", 0},
	{"often", 1}, {"often", -1}, {"active", 1}, {"active", -1}, {"endpoint", 1}}

// Changes finds the effects of a sentence; words gives the content words of a text.
func Changes(sentence string, words func(string) map[string]bool) []Change {
	plain := blankBrackets(sentence)

	var out []Change

	subject := ""
	for _, clause := range Clauses(plain) {
		out = append(out, changesOf(clause, plain, &subject, words)...)
	}
	return out
}

// changesOf finds the effects of a clause. The subject is that of the clause before, which a clause without its own has
// too.
func changesOf(clause plaintext.Span, text string, subject *string, words func(string) map[string]bool) []Change {
	said := clause.In(text)
	kept := forms("exception").ReplaceAllStringFunc(said, func(m string) string { return strings.Repeat(" ", len(m)) })

	var out []Change
	all := forms("change").FindAllStringSubmatchIndex(kept, -1)

	from, factor := 0, 1
	for k, m := range all {
		to := len(kept)
		if k+1 < len(all) {
			to = all[k+1][0]
		}

		e := newChange(m)

		before, behind := kept[from:m[0]], kept[m[1]:to]
		switch isLast := k+1 == len(all); {
		case forms("only asked").MatchString(kept[:m[0]]):
			continue
		case !isLast && e.Axis == "amount" && forms("steps").MatchString(behind):
			factor *= e.Sense // "a greater reduction", "prevented the rise"
			continue
		case !isLast && e.Axis == "link" && forms("with").MatchString(behind):
			continue // "associated with longer survival" tells of survival
		case e.Axis == "link":
			behind = kept[m[1]:]
		}

		e.Sense *= factor
		if forms("denied before").MatchString(before) {
			e.Sense, e.Denied = 0, e.Sense
		}
		from, factor = m[1], 1

		if forms("no subject").MatchString(before) {
			before = *subject
		} else if k == 0 {
			*subject = before
		}

		e.tell(kept[m[0]:m[1]], before, behind, words)
		e.Span = plaintext.Span{Start: clause.Start + m[0], End: clause.Start + m[1]}
		e.Sides = comparedIn(text[:clause.End], e.Span, words)
		out = append(out, e.among(words(said), words(e.In(text))))
	}

	if len(all) == 0 {
		*subject = kept
	}

	for _, m := range forms("but not").FindAllStringSubmatchIndex(said, -1) {
		e := Change{Span: plaintext.Span{Start: clause.Start + m[0], End: clause.Start + m[1]}}
		e.Theme = words(*subject + said[m[2]:m[3]])
		out = append(out, e.among(words(said), nil))
	}
	return out
}

// newChange is an effect with the meaning of a match of the expression "change".
func newChange(m []int) (e Change) {
	for i := range changes {
		if m[2*i+2] >= 0 {
			e.Axis, e.Sense = changes[i].axis, changes[i].sense
		}
	}
	return e
}

// tell gives an effect the words for what changes: of a link, all that are linked.
func (e *Change) tell(word, before, behind string, words func(string) map[string]bool) {
	e.Theme = themeOf(word, before, behind, words)
	if e.Axis == "link" {
		maps.Copy(e.Theme, words(before+" "+behind))
	}

	if !IsGeneral(e.Theme) {
		maps.DeleteFunc(e.Theme, func(w string, _ bool) bool { return IsFinding(w) })
	}
}

// among gives an effect the words of its clause, and those that name neither what changes nor a change.
func (e Change) among(clause, word map[string]bool) Change {
	e.All, e.Rest = clause, maps.Clone(clause)
	maps.DeleteFunc(e.Rest, func(w string, _ bool) bool { return e.Theme[w] || word[w] || IsFinding(w) })
	return e
}

// themeOf is the words for what changes: the object of a word of change, or its subject.
func themeOf(word, before, behind string, words func(string) map[string]bool) map[string]bool {
	near := behind
	if at := forms("theme ends").FindStringIndex(" " + behind); at != nil {
		near = behind[:max(0, at[0]-1)]
	}

	if m := forms("theme goes on").FindStringSubmatchIndex(behind); m != nil && len(words(near)) == 0 {
		near = behind[m[2]:m[3]]
	}
	subject, object := words(before), words(near)

	hasObject := forms("noun of change").MatchString(word+behind) || !forms("no object").MatchString(behind)
	if len(object) > 0 && (hasObject || len(subject) == 0) {
		return object
	}
	return subject
}

// IsGeneral reports whether all words may occur in any result.
func IsGeneral(words map[string]bool) bool {
	for w := range words {
		if !IsFinding(w) {
			return false
		}
	}
	return true
}

// comparedIn reads the sides around the word of a comparison, each with the words that the other lacks: "… in A than in
// B", "… between A and B", "A is superior to B"; nil if a side has none.
func comparedIn(sentence string, at plaintext.Span, words func(string) map[string]bool) *[2]map[string]bool {
	behind, _, _ := strings.Cut(sentence[at.End:], ";")
	between := forms("between two").FindStringSubmatch(behind)
	beside := forms("beside another").FindStringIndex(behind)
	toComma := func(s string) map[string]bool {
		s, _, _ = strings.Cut(s, ",")
		return words(s)
	}

	var sides [2]map[string]bool
	switch {
	case forms("above or below").MatchString(at.In(sentence) + behind):
		sides = [2]map[string]bool{words(sentence[:at.Start]), toComma(behind)}
	case between != nil:
		sides = [2]map[string]bool{words(between[1]), words(between[2])}
	case beside != nil:
		sides = [2]map[string]bool{toComma(behind[:beside[0]]), toComma(behind[beside[1]:])}
		if len(sides[0]) == 0 {
			sides[0] = words(sentence[:at.Start])
		}
	default:
		return nil
	}

	first := maps.Clone(sides[0])
	maps.DeleteFunc(sides[0], func(w string, _ bool) bool { return sides[1][w] })
	maps.DeleteFunc(sides[1], func(w string, _ bool) bool { return first[w] })

	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return nil
	}
	return &sides
}

// IsDenied reports whether a text ends in a "not" for what follows it.
func IsDenied(before string) bool { return forms("denied before").MatchString(before) }

// IsInsignificant reports whether the probabilities of a sentence, of which there is one at least, show no difference.
func IsInsignificant(qs []Quantity) bool {
	ps := slices.DeleteFunc(slices.Clone(qs), func(q Quantity) bool { return q.Measure != PValue })
	return len(ps) > 0 && !slices.ContainsFunc(ps, func(q Quantity) bool { return isBelow(&q) })
}
