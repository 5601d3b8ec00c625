package results

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"dossier/internal/quantity"
	plaintext "dossier/internal/text"
)

// armsByWords are the arms on the two sides of a word that compares, else the only one that the sentence names.
func armsByWords(text string) arms {
	words := bare(text) // its dashes are plain
	found := []arms{
		comparedFirst(words), inBrackets(text), onBothSides(words), inOnePhrase(words), oneGroup(text),
	}
	if i := slices.IndexFunc(found, arms.areLocal); i >= 0 {
		return found[i]
	}
	return arms{}
}

// areLocal says that two names are told, and are names of whom a sentence may compare.
func (a arms) areLocal() bool {
	if a.own == "" || a.other == "" || forms("no local arm").MatchString(a.own) ||
		forms("no local arm").MatchString(a.other) {
		return false
	}
	pair := sidesOf(a)
	return pair.isTold() && pair.areNames()
}

// maxArmWords is how many telling words the name of an arm may have; more are a sentence.
const maxArmWords = 8

// contrast is two numbers of one measure with the word between them that compares them.
type contrast struct {
	text        string
	x, joint, y plaintext.Span
	opposes     bool // by "versus" and the like, and not by "and"
	isTight     bool // they are opposed and stand side by side, but for their unit: "(41% v 23%)"
	arms             // of the numbers, the first one's first
	isGuess     bool // the arms are told of the sentence as a whole
}

// contrastsIn finds the numbers that a sentence compares, each once, with the arms that are told beside them: first
// those that stand side by side with "versus" or the like between them, then the nearest ones that are told of two
// arms.
func contrastsIn(text string, qs []quantity.Quantity) []contrast {
	qs = slices.DeleteFunc(slices.Clone(qs), func(q quantity.Quantity) bool {
		return !isArmed(q) || q.Measure == quantity.PValue || forms("a spread").MatchString(text[:q.Start])
	})
	var all, out []contrast
	for _, at := range forms("joins values").FindAllStringSubmatchIndex(text, -1) {
		if c := contrastAt(text, qs, plaintext.Span{Start: at[0], End: at[1]}); c != nil {
			c.opposes = at[2] >= 0
			c.isTight = c.opposes && c.standsAlone()
			all = append(all, *c)
		}
	}
	slices.SortStableFunc(all, func(a, b contrast) int {
		return cmp.Or(cmp.Compare(when(b.isTight), when(a.isTight)), cmp.Compare(a.y.Start-a.x.End, b.y.Start-b.x.End))
	})
	for _, c := range all {
		if c.arms = c.armsBeside(); !c.areLocal() && !c.isTight {
			continue
		}
		if !slices.ContainsFunc(out, func(o contrast) bool { return c.x.Start <= o.y.Start && o.x.Start <= c.y.Start }) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b contrast) int { return a.x.Start - b.x.Start })
	return out
}

// contrastAt is the contrast of a word that compares: the next number behind it, and the last one before it that counts
// the same, each with the others of its list ("39% and 45%, compared with 8% and 11%"); nil where there is none.
func contrastAt(text string, qs []quantity.Quantity, joint plaintext.Span) *contrast {
	j := slices.IndexFunc(qs, func(q quantity.Quantity) bool { return q.Start >= joint.End })
	if j < 1 || forms("opposes values").MatchString(text[joint.End:qs[j].Start]) {
		return nil
	}
	for i := j - 1; i >= 0 && qs[j].Start-qs[i].End <= valueReach; i-- {
		x, y := qs[i], qs[j]
		if x.End > joint.Start || x.Measure != y.Measure && !(isCount(x) && isCount(y)) {
			continue
		}
		c := &contrast{text: text, x: x.Span, joint: joint, y: y.Span}
		isList := func(k int) bool { return forms("listed").MatchString(text[qs[k].End:qs[k+1].Start]) }
		if i > 0 && j+1 < len(qs) && isList(i-1) && isList(j) {
			c.x.Start, c.y.End = qs[i-1].Start, qs[j+1].End
		}
		return c
	}
	return nil
}

// isCount says that a number counts something, or that nobody told what it measures.
func isCount(q quantity.Quantity) bool {
	return q.Measure == quantity.Plain || q.Measure == quantity.Things || q.Measure == quantity.People
}

// clause is the part of the sentence that the first number stands in.
func (c *contrast) clause() plaintext.Span {
	all := Clauses(c.text)
	i := slices.IndexFunc(all, func(s plaintext.Span) bool { return c.x.Start < s.End })
	return all[i]
}

// standsAlone says that nothing but a unit stands between the two numbers and the word that compares them.
func (c *contrast) standsAlone() bool {
	unit, tail := strings.TrimSpace(c.text[c.x.End:c.joint.Start]), strings.TrimSpace(c.text[c.y.End:])
	return forms("no name").MatchString(bare(c.text[c.joint.End:c.y.Start])) &&
		(forms("no name").MatchString(bare(unit)) || strings.HasPrefix(tail, unit))
}

// armsBeside reads the names beside two numbers: before their brackets ("A (41%) v B (23%)"), behind them ("41% with A
// v 23% with B"), or both behind the second ("41% v 23% with A v B"). Where the first has none, it is of whom the
// sentence tells. It is empty where the numbers stand alone.
func (c *contrast) armsBeside() arms {
	between, next, tail := c.text[c.x.End:c.joint.Start], c.text[c.joint.End:c.y.Start], c.text[c.y.End:]
	own, other := nameBehind(between), nameBefore(next)
	if other.text == "" {
		other = nameBehind(tail)
		if both := bothBehind(tail, other); own.text == "" && both.areLocal() {
			return both
		}
	}
	if other.text == "" {
		return arms{}
	}
	if own.preposition == "of" && other.preposition != "of" {
		own = nameBehind(" " + own.text) // "61% of the cells in A compared with 24% in B"
	}
	a := arms{phrase(own.text), phrase(other.text)}
	if a.own == "" {
		a.own = phrase(firstGroup(forms("a group"), bare(between)))
	}
	if a.own == "" && (c.opposes || strings.HasSuffix(strings.TrimSpace(c.text[:c.x.Start]), "(")) {
		a.own = c.toldOf(other.preposition)
	}
	return a
}

// bothBehind reads the names of both arms behind their numbers: "41% v 23% with A v B", "41% and 23% in A and B,
// respectively".
func bothBehind(tail string, first named) arms {
	if m := forms("both behind").FindStringSubmatch(first.text); m != nil {
		return arms{phrase(m[1]), phrase(m[2])}
	}
	if m := forms("arms respectively").FindStringSubmatch(Clauses(bare(tail))[0].In(bare(tail))); m != nil {
		return arms{phrase(m[1]), phrase(m[2])}
	}
	return arms{}
}

// toldOf is whom the sentence tells of before its first number: what stands behind the same preposition as the other
// arm, or directly before the number's brackets, or the arm that the sentence begins with, or its subject.
func (c *contrast) toldOf(preposition string) string {
	head, within := c.text[:c.x.Start], ""
	if open := strings.LastIndexAny(head, "(["); open > strings.LastIndexAny(head, ")]") {
		head, within = head[:open], head[open+1:]
	}
	head = bare(head)
	last := head
	for _, at := range forms("name begins").FindAllStringIndex(head, -1) {
		last = head[at[1]:]
	}
	for _, name := range []string{
		lastBehind(head, preposition), firstGroup(forms("arm with its number"), within), last,
		firstGroup(forms("arm in front"), head), localSubject(head),
	} {
		if name = phrase(name); len(ArmWords(name)) > 0 && !tellsOutcome(name) {
			return name
		}
	}
	return phrase(last)
}

// named is a name as a sentence goes on from it, with the preposition before it.
type named struct{ preposition, text string }

// nameBehind is the name that the number before a text is of: "of 20 patients given A responded".
func nameBehind(text string) named {
	m := forms("arm behind").FindStringSubmatch(bare(text))
	if within, rest, ok := strings.Cut(text, ")"); m == nil && ok && !strings.Contains(within, "(") {
		m = forms("arm behind").FindStringSubmatch(bare(rest)) // behind the brackets that the number stands in
	}
	if m == nil {
		return named{}
	}
	return named{strings.ToLower(m[1]), m[2] + m[3]}.inTime()
}

// nameBefore is the name between a word that compares and the number that it is of: "than in B (".
func nameBefore(text string) named {
	m := forms("arm before").FindStringSubmatch(text)
	if m == nil || forms("no name").MatchString(m[2]) || m[1] == "" && tellsOutcome(m[2]) {
		return named{}
	}
	return named{strings.ToLower(m[1]), m[2]}.inTime()
}

// inTime keeps with a name the word that makes a time of it: "after surgery".
func (n named) inTime() named {
	switch n.preposition {
	case "before", "after", "during":
		n.text = n.preposition + " " + n.text
	}
	return n
}

// comparedFirst reads "Compared with B, A had ..." and "Comparing A with B, ...".
func comparedFirst(text string) arms {
	if m := forms("comparing in front").FindStringSubmatch(text); m != nil {
		return arms{phrase(m[1]), phrase(m[2])}
	}
	if m := forms("compared in front").FindStringSubmatch(text); m != nil {
		return arms{phrase(subjectOf(m[2])), phrase(m[1])}
	}
	return arms{}
}

// onBothSides reads what stands on the two sides of a word that compares: in phrases of one preposition ("in A than in
// B"), the sentence's subject where it is a group or what it was given ("A had more than B"), the last phrase before
// the word ("longer in A than B"), or the group that is told of.
func onBothSides(text string) arms {
	for _, at := range forms("compares arms").FindAllStringIndex(text, -1) {
		before, rest := text[:at[0]], text[at[1]:]
		m := forms("compared with").FindStringSubmatch(rest)
		if m == nil || forms("a bound").MatchString(before+"|"+rest) {
			continue
		}
		alike, subject, last := lastBehind(before, m[1]), localSubject(before), firstGroup(forms("arm at the end"), before)
		if m[1] == "" {
			alike = ""
		}
		if forms("phrase ends").MatchString(last) {
			last = "" // another word stands before the one that compares
		}
		names := []string{alike, last, firstGroup(forms("a group"), before), subject}
		if isGroup(subject) {
			names = []string{alike, subject}
		}
		for _, name := range names {
			if a := (arms{phrase(name), phrase(m[2])}); a.areLocal() && (name == alike || !tellsOutcome(a.own)) {
				return a
			}
		}
	}
	return arms{}
}

// isGroup says that a name is of people, of what they were given, or of a marker.
func isGroup(name string) bool {
	return slices.ContainsFunc([]string{"people", "treatment", "marker"}, func(kind string) bool {
		return forms(kind).MatchString(name)
	})
}

// inOnePhrase reads "between A and B", "in A and B, respectively" and "in the A and B groups".
func inOnePhrase(text string) arms {
	for _, name := range []string{"between arms", "arms respectively", "two groups"} {
		if m := forms(name).FindStringSubmatch(text); m != nil {
			return arms{phrase(m[1]), phrase(m[2])}
		}
	}
	return arms{}
}

// inBrackets reads two names that stand in brackets: "(A versus B)".
func inBrackets(text string) arms {
	if m := forms("names in brackets").FindStringSubmatch(text); m != nil {
		return arms{phrase(m[1]), phrase(m[2])}
	}
	return arms{}
}

// otherGroup is the name of an arm that a sentence does not name.
const otherGroup = "the other group"

// oneGroup reads the only group that a sentence names, where it compares two numbers: whom it tells of, or "in the A
// group (41% v 23%)".
func oneGroup(text string) arms {
	at := forms("two numbers").FindStringIndex(text)
	if at == nil {
		return arms{}
	}
	text = bare(text[:at[0]])
	for _, name := range []string{
		phrase(firstGroup(forms("a group at the end"), text)), localSubject(text), phrase(firstGroup(forms("a group"), text)),
	} {
		if a := (arms{name, otherGroup}); isGroup(name) && a.areLocal() {
			return a
		}
	}
	return arms{}
}

// localSubject is whom a sentence tells of. Where that is an outcome, it is whose the outcome is: "the accuracy of A".
func localSubject(text string) string {
	text = forms("adverb in front").ReplaceAllString(text, "")
	subject := firstGroup(forms("subject who"), text)
	if subject == "" {
		subject = subjectOf(text)
		if at := forms("past verb").FindStringIndex(subject); at != nil {
			subject = subject[:at[0]]
		}
	}
	if tellsOutcome(subject) {
		return phrase(firstGroup(forms("whose"), subject))
	}
	return phrase(subject)
}

// tellsOutcome says that a name is of an outcome, and of nobody.
func tellsOutcome(name string) bool {
	return forms("endpoint").MatchString(name) && !forms("people").MatchString(name)
}

// bare is a text without what stands in brackets.
func bare(text string) string {
	text = strings.NewReplacer("‐", "-", "‑", "-").Replace(text)
	for range 2 { // brackets within brackets
		text = forms("brackets").ReplaceAllString(text, "")
	}
	return text
}

func firstGroup(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// lastBehind is what follows the last place where a word stands in a text.
func lastBehind(text, word string) string {
	i := strings.LastIndex(" "+strings.ToLower(text), " "+strings.ToLower(word)+" ")
	if i < 0 {
		return ""
	}
	return text[i+len(word):]
}

// phrase is a name without what stands before and behind it.
func phrase(s string) string {
	s = forms("phrase begins").ReplaceAllString(strings.TrimSpace(bare(s)), "")
	if at := forms("phrase ends").FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	return clean(s)
}
