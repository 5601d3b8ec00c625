package results

import (
	"slices"
	"strings"
)

// claim is what one sentence says.
type claim struct {
	arms
	direction Direction
	endpoint  string
	compared  bool // it tells of two arms
	primary   bool // it is on what the abstract calls its primary outcome
	concludes bool
	isNamed   bool // the arms are the only two of the study
	isTurned  bool // the sentence tells of the other arm
}

// claimOf reads who is compared with whom, on what outcome, and with what result, from one sentence. It is told for the
// arm that the study is about; the direction is empty where the sentence tells none.
func (s *study) claimOf(one *sentence) claim {
	text := bare(one.text)
	c := claim{
		arms: armsIn(text), endpoint: s.endpointOf(text), concludes: one.part == concluded,
		primary: one.has("names primary") || Common(one.words, s.primary) > 0,
	}
	if c.direction = s.directionOf(text); c.direction == "" && !one.has("safety") &&
		!forms("of another matter").MatchString(text) {
		c.direction = byHazard(one.text)
	}
	if c.direction == "" && c.other == "" && !one.has("safety") && s.namesBoth(text) && noneSignificant(one.text) {
		c.direction, c.arms, c.isNamed = Null, s.groups, true
	}
	c.compared = c.other != "" || one.has("two arms") || effectIn(one.text) != ""
	shown := one.has("value") || one.part == concluded || one.part == found && one.has("significant")
	told := c.compared || c.direction == Null && (one.has("compared") || one.has("no gain"))
	if c.against() && !(shown && told) {
		c.direction = "" // who did worse than whom is not told
	}
	if !s.isLeading(c.arms) {
		c.arms = arms{c.other, c.own}
		c.direction, c.isTurned = opposite(c.direction), true
	}
	return c
}

// namesBoth says that a text names both arms of the study.
func (s *study) namesBoth(text string) bool {
	own, other := TellingWords(s.groups.own), TellingWords(s.groups.other)
	return sharedApart(text, own, other) > 0 && sharedApart(text, other, own) > 0
}

// noneSignificant says that a text has probabilities, none of them below the usual bound of significance.
func noneSignificant(text string) bool {
	all := forms("probability").FindAllStringSubmatch(text, -1)
	return len(all) > 0 && !slices.ContainsFunc(all, func(m []string) bool {
		p, err := number(m[1])
		return err != nil || p < significance || strings.Contains(m[0], "<") && p <= significance
	})
}

const significance = 0.05

// bare is a sentence without what stands in brackets.
func bare(text string) string {
	text = strings.NewReplacer("‐", "-", "‑", "-").Replace(text)
	for range 2 { // brackets within brackets
		text = forms("brackets").ReplaceAllString(text, "")
	}
	return text
}

func opposite(d Direction) Direction {
	switch d {
	case Better:
		return Worse
	case Worse:
		return Better
	}
	return d
}

// directionOf reads clause by clause: the first that tells a direction on an outcome of efficacy, or on the primary
// one, tells the sentence's. What it says of harms counts where the study is about them.
func (s *study) directionOf(text string) Direction {
	var all []Direction
	for _, clause := range clausesOf(text) {
		if forms("of another matter").MatchString(clause) {
			continue
		}
		if !s.onSafety && forms("safety").MatchString(clause) && Common(TellingWords(clause), s.primary) == 0 &&
			!forms("efficacy words").MatchString(clause) {
			continue
		}
		if d := directionIn(clause); d != "" {
			all = append(all, d)
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case slices.ContainsFunc(all, func(d Direction) bool { return d != all[0] }):
		return Mixed
	}
	return all[0]
}

// clausesOf parts a sentence where it goes on to something else.
func clausesOf(text string) []string {
	var out []string
	start := 0
	for _, at := range forms("clause").FindAllStringIndex(text, -1) {
		out = append(out, text[start:at[0]])
		start = at[0]
	}
	return append(out, text[start:])
}

func directionIn(clause string) Direction {
	has := func(name string) bool { return forms(name).MatchString(clause) }
	switch {
	case has("favoured"):
		return Better
	case has("noninferior denied"):
		return Null
	case has("noninferior"):
		return NonInferior
	case has("no difference"):
		return Null
	}
	good, bad := has("good word"), has("bad word")
	switch {
	case has("both arms"):
		return ""
	case good && !bad:
		return Better
	case bad && !good:
		return Worse
	}
	return amountIn(clause)
}

// amountIn reads "longer survival" and "fewer relapses": more of a good outcome and less of a bad one is better.
func amountIn(clause string) Direction {
	reduction := forms("more reduction").FindStringIndex(clause)
	more, less := forms("more word").FindStringIndex(clause), forms("less word").FindStringIndex(clause)
	switch {
	case forms("less reduction").MatchString(clause):
		return ""
	case reduction != nil: // "a greater reduction in pain" is less pain
		more, less = nil, reduction
	case (more == nil) == (less == nil):
		return ""
	}
	at := more
	if at == nil {
		at = less
	}
	good, bad := nearest(clause, "good outcome", at[0]), nearest(clause, "bad outcome", at[0])
	switch {
	case good < 0 && bad < 0:
		return ""
	case (bad < 0 || good >= 0 && good <= bad) == (more != nil):
		return Better
	}
	return Worse
}

// nearest is how far the nearest match is from a place; -1 where there is none.
func nearest(text, name string, place int) int {
	best := -1
	for _, at := range forms(name).FindAllStringIndex(text, -1) {
		d := at[0] - place
		if d < 0 {
			d = place - at[1]
		}
		if d = max(d, 0); best < 0 || d < best {
			best = d
		}
	}
	return best
}

// endpointOf is the outcome that a sentence tells of: the one that the abstract calls primary, where it names it.
func (s *study) endpointOf(text string) string {
	found := forms("endpoint").FindAllString(text, -1)
	for _, name := range found {
		if Common(TellingWords(name), s.primary) > 0 {
			return strings.TrimSpace(name)
		}
	}
	if len(found) > 0 {
		return strings.TrimSpace(found[0])
	}
	return ""
}
