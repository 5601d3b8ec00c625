package results

import (
	"strings"

	plaintext "dossier/internal/text"
)

// arms are two compared arms as written, first the one that the sentence is about.
type arms struct{ own, other string }

// subjectOf is what a sentence is about: the words before its verb.
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
	return trimName(plaintext.Head(text, maxArm))
}

// maxArm bounds an arm's name, in bytes.
const maxArm = 120

func trimName(s string) string {
	s = strings.Trim(strings.TrimSpace(s), ".,;: ")
	for _, article := range []string{"the ", "The ", "a ", "an ", "A ", "use of "} {
		s = strings.TrimPrefix(s, article)
	}
	return s
}

// titleArms are the arms that the title compares: "A versus B for C".
func titleArms(title string) arms {
	title = forms("brackets").ReplaceAllString(title, "")

	m := forms("versus in a title").FindStringSubmatch(title)
	if m == nil {
		if m = forms("comparison of").FindStringSubmatch(title); m != nil {
			return arms{trimName(m[1]), trimName(m[2])}
		}

		if m = forms("with and without").FindStringSubmatch(title); m != nil {
			return arms{own: trimName(m[1])}
		}
		return arms{}
	}

	own := m[1]
	if i := strings.LastIndex(own, ": "); i >= 0 {
		own = own[i+2:]
	}
	return arms{trimName(afterOf(own)), trimName(m[2])}
}

// afterOf drops what precedes "of": "Comparison of A".
func afterOf(s string) string {
	if i := strings.Index(strings.ToLower(s), " of "); i >= 0 {
		return s[i+4:]
	}
	return s
}
