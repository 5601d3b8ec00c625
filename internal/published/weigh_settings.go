package published

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/eligibility"
	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// neutral are aspects of a label that do not describe patients, or are compared elsewhere.
var neutral = text.Set("study testing number line age sex dosing outcome place")

// settings compares the disease's extent and course, and the other words of an indication on patients.
func (s *scale) settings() {
	label, asked := familiesOf(&s.t, false), familiesOf(&s.q.Question, true)
	for _, family := range label.order {
		switch l, a := label.parts[family], asked.parts[family]; {
		case family == "operation" && slices.Contains(label.parts["extent"], "spread") && isWithin(a, l, true):
			// "unresectable or metastatic"
		case family == "operation" && slices.Equal(l, []string{"done"}) && len(s.q.course.intents) > 0:
		case family == "course" && slices.Contains(l, "new"): // covered by the line
		case len(a) > 0 && isWithin(a, l, false):
		case family == "extent" && slices.Contains(l, "spread") && slices.Contains(a, "spread"):
			s.open = append(s.open, label.words[family]) // "advanced" may be metastatic
		case family == "operation" && slices.Equal(l, []string{"impossible"}) && len(a) == 0 &&
			len(s.q.course.intents) == 0 && !s.tellsStage():
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "extent" && slices.Contains(l, "spread") && len(s.q.course.intents) == 0 &&
			!s.tellsStage():
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "menopause":
			s.open = append(s.open, label.words[family])
		case len(a) == 0 && family == "extent" && s.tellsStage() && s.stageWithin(l):
		case family == "sex" && len(a) == 0:
		default:
			s.differ(evidence.SlotStage, label.words[family], asked.words[family])
		}
	}
	s.stages()

	for i := range s.t.Setting {
		c := &s.t.Setting[i]
		if _, _, known := eligibility.Meaning(c.Value, false); known || c.Status != lexicon.Present || neutral(c.Aspect) ||
			isEarlyIntent(c.Value) || c.Value == "progressive" || aStage().MatchString(c.Value) {
			continue
		}

		if !slices.ContainsFunc(s.q.Setting, func(o lexicon.Circumstance) bool {
			return o.Value == c.Value && o.Status == lexicon.Present
		}) {
			s.differ(evidence.SlotSetting, c.Value, "")
		}
	}
}

// families are words on a disease by their family.
type families struct {
	order []string
	parts map[string][]string
	words map[string]string
}

func familiesOf(q *lexicon.Question, asked bool) families {
	f := families{parts: map[string][]string{}, words: map[string]string{}}
	for i := range q.Setting {
		c := &q.Setting[i]

		family, parts, ok := eligibility.Meaning(c.Value, asked)
		if !ok || c.Status != lexicon.Present {
			continue
		}

		if f.parts[family] == nil {
			f.order = append(f.order, family)
		} else {
			f.words[family] += " or "
		}
		f.parts[family] = append(slices.Clone(f.parts[family]), parts...)
		f.words[family] += c.Value
	}
	return f
}

// isWithin reports whether all meanings of a question's word are among those of the label's.
func isWithin(asked, label []string, orNothing bool) bool {
	if len(asked) == 0 {
		return orNothing
	}
	return !slices.ContainsFunc(asked, func(p string) bool { return !slices.Contains(label, p) })
}

var aStage = text.LazyRegexp(`^stage ([0IV]+)([A-D]?)`)

func stagesOf(q *lexicon.Question) (out [][]string) {
	for i := range q.Setting {
		if m := aStage().FindStringSubmatch(q.Setting[i].Value); m != nil && q.Setting[i].Status == lexicon.Present {
			out = append(out, m)
		}
	}
	return out
}

func (s *scale) tellsStage() bool { return len(stagesOf(&s.q.Question)) > 0 }

// stageWithin reports whether the question's stages, by number, are among the meanings of a label's words on extent.
func (s *scale) stageWithin(parts []string) bool {
	number := map[string]string{"I": "1", "II": "2", "III": "3", "IV": "spread"}
	return !slices.ContainsFunc(stagesOf(&s.q.Question), func(m []string) bool {
		return !slices.Contains(parts, number[m[1]])
	})
}

// stages compares stages by number: the question's must be one of the label's, or a part of one.
func (s *scale) stages() {
	label, asked := stagesOf(&s.t), stagesOf(&s.q.Question)
	if len(label) == 0 {
		return
	}

	isIn := func(a []string) bool {
		return slices.ContainsFunc(label, func(l []string) bool { return l[1] == a[1] && (l[2] == "" || l[2] == a[2]) })
	}
	if len(asked) == 0 || slices.ContainsFunc(asked, func(a []string) bool { return !isIn(a) }) {
		name := func(m []string) string { return m[0] }
		s.differ(evidence.SlotStage, strings.Join(text.Each(label, name), " or "), strings.Join(text.Each(asked, name), ", "))
	}
}

// adult is an adult's least age, in years.
const adult = 18

var years = text.LazyRegexp(`([≥≤<>]?)(\d+) years`)

// age compares ages. A question that states none is on an adult.
func (s *scale) age() {
	least, children, adults := 0, false, false
	for i := range s.t.Setting {
		c := &s.t.Setting[i]
		if c.Aspect != "age" || c.Status != lexicon.Present {
			continue
		}

		children, adults = children || c.Value == "children" || c.Value == "adolescents", adults || c.Value == "adults"
		if m := years().FindStringSubmatch(c.Value); m != nil && (m[1] == "≥" || m[1] == ">") {
			least, _ = strconv.Atoi(m[2])
		}
	}

	told, isChild, word := s.askedAge()
	switch {
	case least > adult && told < least:
		s.differ(evidence.SlotAge, fmt.Sprintf("≥%d years", least), word)
	case told > 0 && least > 0 && told < least, told > 0 && told < adult && adults && !children,
		isChild && adults && !children:
		s.differ(evidence.SlotAge, s.ages(), word)
	case children && !adults && !isChild && (told == 0 || told >= adult): // "pediatric patients 2 years and older", too
		s.differ(evidence.SlotAge, "children", word)
	}
}

func (s *scale) ages() string {
	var words []string
	for i := range s.t.Setting {
		if s.t.Setting[i].Aspect == "age" {
			words = append(words, s.t.Setting[i].Value)
		}
	}
	return strings.Join(words, ", ")
}

// askedAge is the question's age; 0 if it states none in numbers.
func (s *scale) askedAge() (told int, isChild bool, word string) {
	for i := range s.q.Setting {
		c := &s.q.Setting[i]
		if c.Aspect != "age" {
			continue
		}
		word = c.Value

		isChild = isChild || c.Value == "children" || c.Value == "adolescents"
		if m := years().FindStringSubmatch(c.Value); m != nil && m[1] != "<" && m[1] != "≤" {
			told, _ = strconv.Atoi(m[2])
		}
	}
	return told, isChild, word
}
