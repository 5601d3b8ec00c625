package results

import (
	"slices"
	"strings"

	"dossier/internal/text"
)

// localArms are the arms on the two sides of a comparing word, else the only one that the sentence names.
func localArms(text string) arms {
	words := withoutBrackets(text) // its dashes are plain
	for _, read := range []func() arms{
		func() arms { return armsComparedInFront(words) }, func() arms { return armsInBrackets(text) },
		func() arms { return armsAroundComparison(words) }, func() arms { return armsInPhrase(words) },
		func() arms { return onlyArm(text) },
	} {
		if found := read(); found.areComparable() {
			return found
		}
	}
	return arms{}
}

// areComparable reports whether two names are known, and a sentence may compare their bearers.
func (a arms) areComparable() bool {
	if a.own == "" || a.other == "" || forms("no local arm").MatchString(a.own) ||
		forms("no local arm").MatchString(a.other) {
		return false
	}
	pair := sidesOf(a)
	return pair.areDistinct() && pair.areNames()
}

// maxArmWords is how many content words an arm's name may have; more make a sentence.
const maxArmWords = 8

// armsComparedInFront reads "Compared with B, A had ..." and "Comparing A with B, ...".
func armsComparedInFront(text string) arms {
	if m := forms("comparing in front").FindStringSubmatch(text); m != nil {
		return arms{trimPhrase(m[1]), trimPhrase(m[2])}
	}

	if m := forms("compared in front").FindStringSubmatch(text); m != nil {
		return arms{trimPhrase(subjectOf(m[2])), trimPhrase(m[1])}
	}
	return arms{}
}

// armsAroundComparison reads the two sides of a comparing word: phrases of one preposition ("in A than in B"), the
// sentence's subject if it is a group or its treatment ("A had more than B"), the last phrase before the word ("longer
// in A than B"), or the group that the sentence is about.
func armsAroundComparison(text string) arms {
	for _, at := range forms("compares arms").FindAllStringIndex(text, -1) {
		before, rest := text[:at[0]], text[at[1]:]

		m := forms("compared with").FindStringSubmatch(rest)
		if m == nil || forms("a bound").MatchString(before+"|"+rest) {
			continue
		}

		alike, subject, last := afterLastWord(before, m[1]), localSubject(before), firstGroup(forms("arm at the end"), before)
		if m[1] == "" {
			alike = ""
		}

		if forms("phrase ends").MatchString(last) {
			last = "" // another word precedes the comparing one
		}

		names := []string{alike, last, firstGroup(forms("a group"), before), subject}
		if isGroup(subject) {
			names = []string{alike, subject}
		}

		for _, name := range names {
			if a := (arms{trimPhrase(name), trimPhrase(m[2])}); a.areComparable() && (name == alike || !namesOutcome(a.own)) {
				return a
			}
		}
	}
	return arms{}
}

// isGroup reports whether a name is of people, of their treatment, or of a marker.
func isGroup(name string) bool {
	return slices.ContainsFunc([]string{"people", "treatment", "marker"}, func(kind string) bool {
		return forms(kind).MatchString(name)
	})
}

// armsInPhrase reads "between A and B", "in A and B, respectively" and "in the A and B groups".
func armsInPhrase(text string) arms {
	for _, name := range []string{"between arms", "arms respectively", "two groups"} {
		if m := forms(name).FindStringSubmatch(text); m != nil {
			return arms{trimPhrase(m[1]), trimPhrase(m[2])}
		}
	}
	return arms{}
}

// armsInBrackets reads two names in brackets: "(A versus B)".
func armsInBrackets(text string) arms {
	if m := forms("names in brackets").FindStringSubmatch(text); m != nil {
		return arms{trimPhrase(m[1]), trimPhrase(m[2])}
	}
	return arms{}
}

// otherGroup is the name of an arm that a sentence does not name.
const otherGroup = "the other group"

// onlyArm reads a sentence's only group, where it compares two numbers: its subject, or "in the A group (41% v 23%)".
func onlyArm(text string) arms {
	at := forms("two numbers").FindStringIndex(text)
	if at == nil {
		return arms{}
	}

	text = withoutBrackets(text[:at[0]])
	for _, name := range []string{
		trimPhrase(firstGroup(forms("a group at the end"), text)), localSubject(text), trimPhrase(firstGroup(forms("a group"), text)),
	} {
		if a := (arms{name, otherGroup}); isGroup(name) && a.areComparable() {
			return a
		}
	}
	return arms{}
}

// localSubject is who a sentence is about. If that is an outcome, it is the outcome's owner: "the accuracy of A".
func localSubject(text string) string {
	text = forms("adverb in front").ReplaceAllString(text, "")

	subject := firstGroup(forms("subject who"), text)
	if subject == "" {
		subject = subjectOf(text)
		if at := forms("past verb").FindStringIndex(subject); at != nil {
			subject = subject[:at[0]]
		}
	}

	if namesOutcome(subject) {
		return trimPhrase(firstGroup(forms("whose"), subject))
	}
	return trimPhrase(subject)
}

// namesOutcome reports whether a name is of an outcome, and not of people.
func namesOutcome(name string) bool {
	return forms("endpoint").MatchString(name) && !forms("people").MatchString(name)
}

// withoutBrackets is a text without brackets.
func withoutBrackets(text string) string {
	text = strings.NewReplacer("‐", "-", "‑", "-").Replace(text)
	for range 2 { // brackets within brackets
		text = forms("brackets").ReplaceAllString(text, "")
	}
	return text
}

func firstGroup(re *text.Form, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// afterLastWord is what follows the last occurrence of a word in a text.
func afterLastWord(text, word string) string {
	i := strings.LastIndex(" "+strings.ToLower(text), " "+strings.ToLower(word)+" ")
	if i < 0 {
		return ""
	}
	return text[i+len(word):]
}

// trimPhrase is a name stripped of the words before and behind it.
func trimPhrase(s string) string {
	s = forms("phrase begins").ReplaceAllString(strings.TrimSpace(withoutBrackets(s)), "")
	if at := forms("phrase ends").FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	return trimName(s)
}
