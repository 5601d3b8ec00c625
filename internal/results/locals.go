package results

import (
	"regexp"
	"strings"
)

// localArms are those that a sentence compares by itself, whatever the study's are: the first of the ways of saying it
// that gives two names which can be told from each other.
func localArms(text string) arms {
	text = forms("unlike brackets").ReplaceAllString(plainDashes(text), "")
	for _, read := range []func(string) arms{comparedFirst, byNames, byJoint, betweenArms, byBrackets, armsIn, oneGroup} {
		a := read(text)
		if forms("no local arm").MatchString(a.own) || forms("no local arm").MatchString(a.other) {
			continue
		}
		if pair := sidesOf(a); pair.isTold() && pair.areNames() {
			return a
		}
	}
	return arms{}
}

// maxArmWords is how many telling words the name of an arm may have; more are a sentence.
const maxArmWords = 8

func plainDashes(text string) string {
	return strings.NewReplacer("‐", "-", "‑", "-").Replace(text)
}

// comparedFirst reads "Compared with B, A had ...".
func comparedFirst(text string) arms {
	m := forms("compared in front").FindStringSubmatch(text)
	if m == nil {
		return arms{}
	}
	return arms{phrase(subjectOf(m[2])), phrase(m[1])}
}

// byNames reads two names that stand beside each other, with or without their numbers: "(A versus B)", "(A 41% v B
// 23%)".
func byNames(text string) arms {
	for _, name := range []string{"names in brackets", "names with numbers"} {
		if m := forms(name).FindStringSubmatch(text); m != nil {
			return arms{clean(m[1]), clean(m[2])}
		}
	}
	return arms{}
}

// otherGroup is the name of an arm that a sentence does not name.
const otherGroup = "the other group"

// oneGroup reads the only group that a sentence names, where it compares two numbers: "in the A group (41% v 23%)".
func oneGroup(text string) arms {
	if m := forms("one group").FindStringSubmatch(text); m != nil {
		return arms{phrase(m[1]), otherGroup}
	}
	return arms{}
}

// byJoint reads what stands on the two sides of a word that compares: in phrases of one preposition ("in A than in B"),
// behind two numbers ("41% with A versus 23% with B"), or as the sentence's subject ("A had more than B").
func byJoint(text string) arms {
	for _, at := range forms("compares arms").FindAllStringIndex(text, -1) {
		before, rest := text[:at[0]], text[at[1]:]
		m := forms("compared with").FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		other := phrase(m[2])
		var own string
		switch {
		case forms("a number").MatchString(rest):
			own = phrase(firstGroup(forms("number of an arm"), before))
			for _, name := range []string{"arm with a number", "arm in front"} {
				if own == "" {
					own = phrase(firstGroup(forms(name), before))
				}
			}
		case m[1] != "":
			own = phrase(lastBehind(before, m[1]))
		default:
			own = phrase(firstGroup(forms("arm at the end"), bare(before)))
		}
		if own == "" {
			own = localSubject(bare(before))
		}
		if own != "" && other != "" && !forms("a bound").MatchString(before+"|"+rest) {
			return arms{own, other}
		}
	}
	return arms{}
}

// localSubject is whom a sentence tells of; empty where that is an outcome.
func localSubject(text string) string {
	text = forms("adverb in front").ReplaceAllString(text, "")
	subject := firstGroup(forms("subject who"), text)
	if subject == "" {
		subject = subjectOf(text)
		if at := forms("past verb").FindStringIndex(subject); at != nil {
			subject = subject[:at[0]]
		}
	}
	if subject = phrase(subject); forms("endpoint").MatchString(subject) && !forms("people").MatchString(subject) {
		return ""
	}
	return subject
}

// betweenArms reads "41% with A and 23% with B", "between A and B" and "in A and B, respectively".
func betweenArms(text string) arms {
	for _, name := range []string{"arms with values", "between arms", "arms respectively"} {
		if m := forms(name).FindStringSubmatch(bare(text)); m != nil {
			return arms{phrase(m[1]), phrase(m[2])}
		}
	}
	return arms{}
}

// byBrackets reads "A (41%) and B (23%)".
func byBrackets(text string) arms {
	m := forms("named with brackets").FindAllStringSubmatch(text, 3)
	if len(m) != 2 {
		return arms{}
	}
	return arms{phrase(m[0][1]), phrase(m[1][1])}
}

func firstGroup(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// lastBehind is what follows the last place where a word stands in a text.
func lastBehind(text, word string) string {
	text = bare(text)
	i := strings.LastIndex(" "+strings.ToLower(text), " "+strings.ToLower(word)+" ")
	if i < 0 {
		return ""
	}
	return text[i+len(word):]
}

// phrase is a name without what stands before and behind it.
func phrase(s string) string {
	s = bare(s)
	if at := forms("phrase ends").FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	return clean(forms("phrase begins").ReplaceAllString(strings.TrimSpace(s), ""))
}
