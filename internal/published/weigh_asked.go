package published

import (
	"slices"
	"strconv"
	"strings"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// askedTreatment is the question's side in the comparison with indications.
type askedTreatment struct {
	lexicon.Question
	findings []lexicon.Finding
	tumours  []lexicon.Concept
	prior    []lexicon.Drug
	course   course
}

// course is when a treatment is given, in an indication or a question.
type course struct {
	first       bool // nothing was given before
	later       bool // something was
	priors      int  // how many lines were given before, at least; 0 if unknown
	maintenance bool
	intents     []string // adjuvant, neoadjuvant, perioperative, …
	response    bool
}

func (r *Reader) ask(question string) *askedTreatment {
	a := &askedTreatment{Question: r.words.Understand(plain(question))}
	a.findings = r.words.Findings(&a.Question)
	a.tumours = present(a.Tumours)
	a.prior = priorOf(&a.Question)
	a.course = courseOf(&a.Question)
	a.course.priors = max(a.course.priors, len(a.prior))
	return a
}

func present(concepts []lexicon.Concept) (out []lexicon.Concept) {
	for _, c := range concepts {
		if c.Status == lexicon.Present {
			out = append(out, c)
		}
	}
	return out
}

// priorOf are the treatments given before.
func priorOf(q *lexicon.Question) (out []lexicon.Drug) {
	for _, d := range q.Drugs {
		switch d.Role {
		case lexicon.Prior, lexicon.Resistant, lexicon.Intolerant, lexicon.ResistantOrIntolerant:
			out = append(out, d)
		}
	}
	return out
}

var (
	response = text.LazyRegexp(`(?i)\brespon(?:se|d)`)
	priors   = text.LazyRegexp(`(?i)\b(two|three|four|five|[2-5])\s+(?:or\s+more\s+)?(?:prior\s+|previous\s+|different\s+)*` +
		`(?:systemic\s+)?(?:lines?|regimens?|therapies|treatments|prior)\b`)
	aLine = text.LazyRegexp(`^(second|third|fourth|fifth)-line`)
)

var counts = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5,
	"second": 1, "third": 2, "fourth": 3, "fifth": 4}

// courseOf reads when a text's treatment is given.
func courseOf(q *lexicon.Question) (c course) {
	for i := range q.Setting {
		s := &q.Setting[i]
		if s.Status != lexicon.Present {
			continue
		}

		switch {
		case s.Value == "first-line", s.Value == "previously untreated", s.Value == "newly diagnosed":
			c.first = true
		case s.Value == "maintenance":
			c.maintenance = true
		case s.Value == "previously treated", s.Value == "later-line":
			c.later = true
		case aLine().MatchString(s.Value):
			c.later = true
			c.priors = max(c.priors, counts[aLine().FindStringSubmatch(s.Value)[1]])
		case isEarlyIntent(s.Value):
			c.intents = append(c.intents, s.Value)
		}
	}
	given := priorOf(q)
	c.later = c.later || slices.ContainsFunc(given, isSystemic)

	c.response = response().MatchString(q.Text)
	if m := priors().FindStringSubmatch(q.Text); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = counts[strings.ToLower(m[1])]
		}
		c.later, c.priors = true, max(c.priors, n)
	}

	if c.maintenance || len(c.intents) > 0 {
		c.first = false // "first-line maintenance" and "adjuvant treatment of newly diagnosed" are neither
	}
	return c
}

// isSystemic reports whether a treatment consists of drugs: an earlier operation is no line of treatment.
func isSystemic(d lexicon.Drug) bool {
	return d.Entry == nil || d.Entry.Kind != lexicon.KindTreatment
}

var early = text.LazyRegexp(`^(?:neo-?adjuvant|adjuvant|perioperative|preoperative|postoperative|extended adjuvant|` +
	`induction|consolidation|conversion)\b`)

func isEarlyIntent(value string) bool { return early().MatchString(value) }
