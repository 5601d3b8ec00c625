package results

import "strings"

// nameKinds are the kinds of name by its words, with their expressions.
var nameKinds = []struct{ kind, form string }{
	{"measure", "is measured"}, {"group", "is a group"}, {"time", "is a time"}, {"short", "is short"},
	{"endpoint", "endpoint"}, {"treatment", "treatment"}, {"marker", "marker"},
}

// kinds are the kinds of thing that a name may be (nameKinds).
func (n *name) kinds() map[string]bool {
	out := map[string]bool{}
	for _, k := range nameKinds {
		if forms(k.form).MatchString(n.text) {
			out[k.kind] = true
		}
	}
	return out
}

// nameContext holds what the words of a name, and those beside it, show about it.
type nameContext struct {
	kinds       map[string]bool
	lead        string // how the sentence leads to it
	preposition string // the last one before it, or its own first word

	isVerbBehind, isComparedBehind, isBracketBehind, isMore, isListed, isOfPeople bool

	behind []string // which of contextForms hold
}

// contextForms are expressions of what follows a name.
var contextForms = []string{"had behind", "was behind", "group behind"}

// context reads them once: each contrast of the sentence asks for them.
func (n *name) context() *nameContext {
	if n.known == nil {
		n.known = &nameContext{kinds: n.kinds(), lead: n.leadKind(), preposition: n.preposition(),
			isVerbBehind:     forms("verb behind").MatchString(n.tail),
			isComparedBehind: forms("compared behind").MatchString(n.tail),
			isBracketBehind:  forms("bracket behind").MatchString(n.tail),
			isMore:           forms("more of it").MatchString(n.lead), isListed: forms("listed").MatchString(n.lead),
			isOfPeople: forms("of people").MatchString(n.lead)}
		for _, form := range contextForms {
			if forms(form).MatchString(n.tail) {
				n.known.behind = append(n.known.behind, form)
			}
		}
	}
	return n.known
}

// leadKind is how a sentence leads to a name: by a word that compares, by a preposition, or as a subject.
func (n *name) leadKind() string {
	if forms("leads to another").MatchString(n.lead) {
		return "compared"
	}
	lead := forms("before a name").ReplaceAllString(n.lead, "")

	word := lastWord(lead)
	switch {
	case word == "" && (n.isFirst || strings.TrimSpace(lead) == ","), forms("begins a clause").MatchString(word):
		return "subject"
	case word == "":
		return "none"
	case forms("leads to a group").MatchString(word):
		return "preposition"
	case forms("leads by itself").MatchString(word):
		return word
	}
	return "verb"
}

// lastWord is empty if a mark follows the last word of a text.
func lastWord(text string) string { return firstGroup(forms("last word"), text) }

// preposition is the last one before a name, or the name's own first word.
func (n *name) preposition() string {
	if first, _, _ := strings.Cut(n.text, " "); forms("opens a name").MatchString(first) {
		return strings.ToLower(first)
	}

	all := forms("prepositions").FindAllString(n.lead, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}
