package results

import (
	"strings"

	plaintext "dossier/internal/text"
)

// arms are two that are compared, the one that is told about first, as written.
type arms struct{ own, other string }

// armsIn reads a sentence without its brackets. Empty is what it does not tell.
func armsIn(text string) arms {
	if m := forms("addition").FindStringSubmatch(text); m != nil {
		return arms{clean(m[1]), cutArm(m[2])}
	}
	if m := forms("favoured").FindStringSubmatch(text); m != nil {
		own, other, _ := strings.Cut(m[1], " over ")
		return arms{cutArm(own), cutArm(other)}
	}
	if m := forms("between").FindStringSubmatch(text); m != nil {
		return arms{cutArm(m[1]), cutArm(m[2])}
	}
	subject := subjectOf(text)
	if m := forms("gain for").FindStringSubmatch(text); m != nil && forms("no arm").MatchString(subject) {
		subject = cutArm(m[1])
	}
	if m := forms("given to").FindStringSubmatch(subject); m != nil && isOutcome(subject) {
		subject = lastArm(m[1]) // "survival with A was ..."
	} else if m := forms("exposed").FindStringSubmatch(text); m != nil && isOutcome(subject) {
		subject = cutArm(m[1]) // "survival was shorter in patients exposed to A"
	}
	at := forms("against").FindStringIndex(text)
	if at == nil {
		return arms{own: subject}
	}
	a := arms{own: subject, other: cutArm(text[at[1]:])}
	if forms("no arm").MatchString(a.other) {
		a.other = "" // before and after, or a number
	}
	if m := forms("given to").FindStringSubmatch(text[:at[0]]); m != nil && isOutcome(subject) {
		a.own = lastArm(m[1])
	}
	return a
}

// subjectOf is what a sentence is about: what stands before its verb.
func subjectOf(text string) string {
	if m := forms("says that").FindString(text); m != "" && len(m) < len(text)-20 {
		text = text[len(m):]
	}
	for range 2 { // "However, after a median of 3 years, ..."
		if intro := forms("intro").FindString(text); !forms("subject ends").MatchString(intro) {
			text = text[len(intro):]
		}
	}
	if at := forms("subject ends").FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	return clean(plaintext.Head(text, maxArm))
}

func isOutcome(subject string) bool {
	return forms("endpoint").MatchString(subject) || forms("no arm").MatchString(subject)
}

// maxArm bounds an arm's name, in bytes.
const maxArm = 120

// cutArm ends an arm's name where the sentence goes on.
func cutArm(text string) string {
	if at := forms("arm ends").FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	return clean(plaintext.Head(text, maxArm))
}

// lastArm is the last of nested phrases: "in patients with cancer treated with cisplatin".
func lastArm(text string) string {
	for {
		m := forms("given to").FindStringSubmatch(text)
		if m == nil || m[1] == text {
			return cutArm(text)
		}
		text = m[1]
	}
}

func clean(s string) string {
	s = strings.Trim(strings.TrimSpace(s), ".,;: ")
	for _, article := range []string{"the ", "The ", "a ", "an ", "A ", "use of "} {
		s = strings.TrimPrefix(s, article)
	}
	return s
}

// titleArms are those that the title compares: "A versus B for C".
func titleArms(title string) arms {
	title = forms("brackets").ReplaceAllString(title, "")
	m := forms("versus in a title").FindStringSubmatch(title)
	if m == nil {
		if m = forms("comparison of").FindStringSubmatch(title); m != nil {
			return arms{clean(m[1]), clean(m[2])}
		}
		if m = forms("with and without").FindStringSubmatch(title); m != nil {
			return arms{own: clean(m[1])}
		}
		return arms{}
	}
	own := m[1]
	if i := strings.LastIndex(own, ": "); i >= 0 {
		own = own[i+2:]
	}
	return arms{clean(lastOf(own)), clean(m[2])}
}

// groupsOf are the two arms of a study: those that the title compares, else the two to which patients were assigned.
func (s *study) groupsOf() arms {
	if s.compares.own != "" && s.compares.other != "" {
		return s.compares
	}
	for i := range s.sentences {
		if m := forms("assigned to").FindStringSubmatch(bare(s.sentences[i].text)); m != nil {
			return arms{clean(m[1]), clean(m[2])}
		}
	}
	return arms{}
}

// lastOf leaves out what stands before "of": "Comparison of A".
func lastOf(s string) string {
	if i := strings.Index(strings.ToLower(s), " of "); i >= 0 {
		return s[i+4:]
	}
	return s
}

// isLeading says whether the own arm is the one that the study is about, and not what it is held against.
func (s *study) isLeading(a arms) bool {
	if t := s.compares; t.own != "" {
		own, other := TellingWords(t.own), TellingWords(t.other)
		asOwn, asOther := sharedApart(a.own, own, other), sharedApart(a.own, other, own)
		if asOwn != asOther {
			return asOwn > asOther
		}
	}
	like := forms("comparator like")
	return !like.MatchString(a.own) || like.MatchString(a.other) || a.other == ""
}

// sharedApart counts the words of a text that are in one set and not in the other.
func sharedApart(text string, want, not map[string]bool) int {
	n := 0
	for w := range TellingWords(text) {
		if want[w] && !not[w] {
			n++
		}
	}
	return n
}
