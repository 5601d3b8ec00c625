package lexicon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dossier/internal/text"
)

// ageGroup is the group of patients that a word on age means.
type ageGroup uint8

const (
	anyAge ageGroup = iota // may be of either: young adults, "under 60"
	minor
	grownUp
)

// ageGroups maps the dictionary's entries on age to groups. It also lists those that may be of either group, so that a
// new entry is missing here until someone decides on it.
var ageGroups = map[string]ageGroup{
	"newborns": minor, "preterm infants": minor, "infants": minor, "children": minor, "children and adolescents": minor,
	"adolescents": minor,
	"adults":      grownUp, "middle-aged": grownUp, "older adults": grownUp, "oldest old": grownUp,
	"adolescents and young adults": anyAge, "young adults": anyAge, "early-onset": anyAge, "late-onset": anyAge,
}

const aspectAge = "age"

// otherAge compares children with adults: a title that names patients of one age only is not on the other.
func otherAge(q, t *Question) string {
	asked, named := agesOf(q), agesOf(t)
	if len(asked) == 0 || len(named) == 0 {
		return ""
	}

	if a, n := asked[0].group, named[0].group; a == anyAge || n == anyAge || a == n || isMixed(asked) || isMixed(named) {
		return ""
	}
	return fmt.Sprintf("its title is on %s, not on %s", listed(named), listed(asked))
}

// isMixed reports whether patients are of both groups, or may be.
func isMixed(ages []age) bool {
	return slices.ContainsFunc(ages, func(a age) bool { return a.group != ages[0].group })
}

// age is a word or a number on patients' age.
type age struct {
	value string
	group ageGroup
}

func listed(ages []age) string {
	return strings.Join(text.Each(ages, func(a age) string { return a.value }), ", ")
}

// agesOf lists the ages of a text's patients. The ages of other people, or of another time of life, count as any:
// "their children", "Children's Hospital", "paediatric-inspired", "survivors of childhood cancer".
func agesOf(q *Question) []age {
	var out []age
	for _, c := range q.Setting {
		if c.Aspect != aspectAge || c.Status != Present {
			continue
		}
		before, behind := q.Text[:c.Start], q.Text[c.End:]

		a := age{value: c.Value}
		switch {
		case forms("another's age").MatchString(before) || forms("no patients' age").MatchString(behind):
		case c.Entry != nil:
			if a.group = ageGroups[c.Value]; a.group == minor && forms("not yet born").MatchString(q.Text) {
				a.group = anyAge
			}
		case forms("an age").MatchString(c.Text) || forms("aged").MatchString(before):
			a.group = groupOf(c.Value)
			if m := forms("from an age").FindStringSubmatch(before); m != nil && groupOf(m[1]+" years") != a.group {
				a.group = anyAge
			}
		default:
			continue
		}
		out = append(out, a)
	}
	return out
}

// ofAge is the age from which a patient is an adult.
const ofAge = 18

// groupOf reads "72 years", "≥65 years", "<18 years".
func groupOf(value string) ageGroup {
	sign := ""
	for _, s := range boundSigns {
		if rest, ok := strings.CutPrefix(value, s); ok {
			sign, value = s, rest
		}
	}
	n, err := strconv.Atoi(strings.TrimSuffix(value, " years"))

	isUpper := sign == "<" || sign == "≤"
	switch {
	case err != nil || isUpper && n > ofAge || (sign == "≥" || sign == ">") && n < ofAge:
		return anyAge
	case isUpper || n < ofAge:
		return minor
	}
	return grownUp
}
