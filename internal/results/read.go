package results

import (
	"cmp"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// read tells what the ranked sentences say. Each has the direction that it tells itself, and where it tells none, that
// of the study.
func (s *study) read(ranked []*sentence) []Result {
	claims := plaintext.Each(ranked, s.claimOf)
	of := s.settle(claims)
	for i := range claims {
		claims[i].nameArms(s, ranked[i])
	}
	out := make([]Result, len(ranked))
	for i, one := range ranked {
		c := claims[i]
		out[i] = Result{
			Sentence: one.text, Endpoint: c.endpoint, Arm: c.own, Comparator: c.other, Effect: effectIn(one.text),
			Direction: c.direction, Concludes: c.concludes, Primary: c.primary, inFull: s.inFullBoth(c.arms),
			isNamed: c.isNamed,
		}
		if c.own != "" && c.other != "" && !c.isTurned {
			out[i].EffectOn = measuredBy(one.text)
		}
		if i == 0 || c.direction == "" || of == Association || of == Single {
			out[i].Direction = of
		}
	}
	return out
}

// nameArms gives a claim on unnamed arms ("between the two groups") those of the study. No difference between two arms
// is one for each, so that which of them is meant need not be told.
func (c *claim) nameArms(s *study, one *sentence) {
	if !forms("no arm").MatchString(c.own) && !isOutcome(c.own) {
		return
	}
	if c.direction == Null && c.other == "" && s.groups.other != "" && one.has("unnamed arms") {
		c.arms, c.isNamed = s.groups, true
		return
	}
	c.own = cmp.Or(s.compares.own, s.title)
}

// settle is the direction of the study. A study of what nobody was given is an association, and one without another arm
// a single one. Else the likeliest sentence tells, the next ones where it is silent. Where another of the leading
// sentences says the contrary on the same outcome, the study is mixed: it speaks neither for nor against.
func (s *study) settle(claims []claim) Direction {
	if kind := s.kind(claims); kind != "" {
		return kind
	}
	claims = claims[:min(len(claims), leading)]
	i := slices.IndexFunc(claims, func(c claim) bool { return c.direction != "" })
	if i < 0 || i > 0 && claims[i].against() {
		return "" // the likeliest sentence would say so itself
	}
	first := claims[i]
	if first.against() && !s.tellsAgainst(&first) {
		return ""
	}
	if first.direction == Null && s.showsNonInferior() {
		return NonInferior
	}
	if slices.ContainsFunc(claims[i+1:], first.gainsaid) {
		return Mixed
	}
	return first.direction
}

// tellsAgainst says that a claim against an arm can be relied on: it is of patients, and what did no better is a
// treatment.
func (s *study) tellsAgainst(c *claim) bool { return !s.isExperiment && s.isGiven(c.own) }

// isGiven says that an arm is a treatment, by its words, or because it is one side of the title's comparison.
func (s *study) isGiven(arm string) bool {
	return forms("treatment").MatchString(s.spelled(arm)) || s.isCompared(arm) ||
		s.randomised && !forms("marker").MatchString(s.spelled(arm))
}

// isCompared says that an arm is one side of the title's comparison.
func (s *study) isCompared(arm string) bool {
	named := TellingWords(s.spelled(arm))
	return Common(named, TellingWords(s.compares.own)) > 0 || Common(named, TellingWords(s.compares.other)) > 0
}

func (c claim) against() bool { return c.direction == Null || c.direction == Worse }

// leading is how many of the likeliest sentences may gainsay each other.
const leading = 3

// gainsaid says that another claim says the contrary on the same outcome.
func (c claim) gainsaid(other claim) bool {
	switch {
	case other.direction == opposite(c.direction) && c.direction != Null && c.direction != NonInferior:
	case c.direction == Null && (other.direction == Better || other.direction == Worse) && other.compared:
	default:
		return false
	}
	return c.endpoint == "" || other.endpoint == "" || Common(TellingWords(c.endpoint), TellingWords(other.endpoint)) > 0
}

// showsNonInferior says that the study was made to show that its arm is not inferior, or as good, and does.
func (s *study) showsNonInferior() bool {
	says := func(name string) bool {
		return slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.has(name) })
	}
	return (says("noninferior") || forms("equivalence").MatchString(s.title)) && !says("noninferior denied")
}

// kind is Association or Single where the study compares no treatments. What the result is told of decides, and where
// that is no arm, the title.
func (s *study) kind(claims []claim) Direction {
	about := func(name, text string) bool { return forms(name).MatchString(text) }
	own := s.spelled(claims[0].own)
	marked := about("marker", own)
	treated := about("treatment", own) || !marked && s.isCompared(claims[0].own)
	switch {
	case marked && !treated, forms("on factors").MatchString(s.title) && !s.randomised:
		return Association
	case s.randomised:
		return ""
	case treated == marked:
		treated, marked = about("treatment", s.title), about("marker", s.title)
	}
	two := s.compares.other != "" || slices.ContainsFunc(claims, func(c claim) bool { return c.compared })
	switch {
	case marked && !(treated && two), !treated && two:
		return Association
	case !two:
		return Single
	}
	return ""
}

// spelled is a text with its abbreviations written out behind it.
func (s *study) spelled(text string) string { return text + " " + s.inFull(text) }

// inFullBoth is what the abbreviations of both arms stand for, and where they are those of the title, its words for
// them.
func (s *study) inFullBoth(a arms) arms {
	full := arms{s.inFull(a.own), s.inFull(a.other)}
	named, t := a.own+" "+full.own, s.compares
	if t.own == "" || t.other == "" {
		return full
	}
	own, other := TellingWords(t.own), TellingWords(t.other)
	switch asOwn, asOther := sharedApart(named, own, other), sharedApart(named, other, own); {
	case asOwn > asOther:
		return arms{full.own + " " + t.own, full.other + " " + t.other}
	case asOther > asOwn:
		return arms{full.own + " " + t.other, full.other + " " + t.own}
	}
	return full
}

// inFull is what the abbreviations of a text stand for.
func (s *study) inFull(text string) string {
	var out []string
	for _, w := range plaintext.Tokens(text) {
		if long := cmp.Or(s.long[w], s.long[strings.TrimSuffix(w, "s")]); long != "" {
			out = append(out, long)
		}
	}
	return strings.Join(out, " ")
}
