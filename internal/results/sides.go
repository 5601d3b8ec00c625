package results

import (
	"maps"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// sides are two compared arms, each by the words of its name.
type sides struct {
	names [2]string
	words [2]map[string]bool // all words of each
	own   [2]map[string]bool // those that the other lacks
}

// areDistinct reports whether the arms can be distinguished.
func (s *sides) areDistinct() bool {
	return len(s.words[0]) > 0 && len(s.words[1]) > 0 && len(s.own[0])+len(s.own[1]) > 0
}

// namesArm reports whether a word, without its ending, is in the name of an arm.
func (s *sides) namesArm(word string) bool { return s.words[0][word] || s.words[1][word] }

// areNames reports whether both arms have names, not sentences.
func (s *sides) areNames() bool {
	return len(s.words[0]) <= maxArmWords && len(s.words[1]) <= maxArmWords
}

// sidesOf are two arms by the words of their names.
func sidesOf(a arms) sides {
	s := sides{names: [2]string{a.own, a.other}}
	for k, name := range s.names {
		s.words[k] = wordsOf(forms("shared by arms").ReplaceAllString(name, ""))
	}
	s.setDistinctive()
	return s
}

// setDistinctive keeps the words of each arm that distinguish it from the other.
func (s *sides) setDistinctive() {
	for k := range s.words {
		s.own[k] = maps.Clone(s.words[k])
		maps.DeleteFunc(s.own[k], func(w string, _ bool) bool { return s.words[1-k][w] })
	}
}

// noArmWords occur in the names of all arms.
var noArmWords = plaintext.Set(`arm arms group groups cohort treatment treated therapy alone plus patients those
	receiving received median rate rates both combined combination mg m2 kg day days weeks cycles dose doses daily first
	addition added adding use following followed either than regimen regimens significantly only cases min minutes hours
	week month months year years`)

// ArmWords are the words that name an arm, each without its ending, and radiotherapy under one name.
func ArmWords(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range plaintext.Tokens(s) {
		if w = armWord(w); w != "" {
			out[w] = true
		}
	}
	return out
}

// armWord is empty for a word that names no arm.
func armWord(w string) string {
	if noArmWords(w) || strings.Trim(w, "0123456789.") == "" {
		return ""
	}

	switch w {
	case "radiotherapy", "radiation", "irradiation", "rt", "irradiated":
		return "radiat"
	case "chemotherapy", "chemo":
		return "chemo"
	case "no", "not", "without", "non":
		return "no"
	case "detectable", "detected":
		return "positi"
	case "undetectable", "undetected":
		return "negati"
	}

	if plaintext.StopWords(w) {
		return ""
	}

	if len(w) == 1 && (w < "a" || w > "e") {
		return ""
	}
	return stem(w)
}

// plannedSides are the arms that a study's title compares, or that patients were assigned to, with the short forms that
// name only one of them.
func (s *study) plannedSides() sides {
	named := []arms{s.compares}
	for i := range s.sentences {
		text := s.sentences[i].text
		for _, name := range []string{"assigned to", "comparison of", "compared arms"} {
			if m := forms(name).FindStringSubmatch(withoutBrackets(text)); m != nil {
				named = append(named, arms{trimName(m[1]), trimName(m[2])})
			}
		}
	}

	if i := slices.IndexFunc(named, s.areArms); i >= 0 {
		return s.withShort(s.withLong(sidesOf(named[i])))
	}
	return sides{}
}

// sidesOfStudy are the arms of a study: the planned ones, else the first that its sentences compare.
func (s *study) sidesOfStudy() sides {
	if planned := s.plannedSides(); planned.areDistinct() {
		return planned
	}

	for i := range s.sentences { // the first compared in a sentence, if both are treatments
		if !forms("treatment").MatchString(s.sentences[i].text) {
			continue // no name in it is one either
		}

		a := s.preparedSentence(s.sentences[i].text).local
		if s.areArms(a) && (forms("treatment").MatchString(a.own) || !strings.Contains(a.own, " ")) &&
			forms("treatment").MatchString(a.other) {
			return s.withShort(s.withLong(sidesOf(a)))
		}
	}
	return sides{}
}

// areArms reports whether two names are known, differ, and are names of treatments.
func (s *study) areArms(a arms) bool {
	pair := s.withLong(sidesOf(a))
	both := a.own + " " + a.other
	return a.own != "" && a.other != "" && pair.areDistinct() && pair.areNames() && !forms("no arm").MatchString(both) &&
		!forms("not an arm").MatchString(both) && !namesOutcome(a.own) && !namesOutcome(a.other)
}

// withLong adds to each arm the words that its short forms stand for.
func (s *study) withLong(pair sides) sides {
	for k, name := range pair.names {
		maps.Copy(pair.words[k], ArmWords(s.longForms(name)))
	}
	pair.setDistinctive()
	return pair
}

// withShort adds to each arm the short forms of its names that do not name the other.
func (s *study) withShort(pair sides) sides {
	for short, long := range s.long {
		has := [2]bool{}

		words := ArmWords(long)
		for k := range pair.own {
			has[k] = Common(words, pair.own[k]) > 0
		}

		word := armWord(short)
		for k := range has {
			shared := len(words) > 0 && Common(words, pair.words[0]) == len(words) && Common(words, pair.words[1]) == len(words)
			if word != "" && (has[k] && !has[1-k] || shared) {
				pair.words[k][word] = true
			}
		}
	}
	pair.setDistinctive()
	return pair
}

// mention is an arm's name in a text, with the arm's number, 0 or 1.
type mention struct {
	plaintext.Span
	side int
}

// mentionsIn finds the arms that a text names. Words side by side are one name, and a word of the other arm begins the
// next. A name without a word of its own is the arm whose words the other has too, as "A" beside "A plus B".
func (s *sides) mentionsIn(text string) []mention {
	if !s.areDistinct() {
		return nil
	}
	var out []mention
	run := armRun{end: -1}

	closeRun := func() {
		if side := s.sideOfRun(run); side >= 0 {
			out = append(out, mention{plaintext.Span{Start: run.start, End: run.end}, side})
		}
		run = armRun{end: -1}
	}
	for _, w := range plaintext.Words(text) {
		word := armWord(w.Text)

		in := [2]bool{s.own[0][word], s.own[1][word]}
		if word == "" || !in[0] && !in[1] && !s.words[0][word] {
			continue
		}

		if run.end >= 0 {
			gap := text[min(run.end, w.Start):w.Start]

			other := in[0] && run.own[1] || in[1] && run.own[0]
			if other || !forms("within a name").MatchString(gap) {
				closeRun()
			}
		}

		if run.end < 0 {
			run.start = w.Start
		}
		run.end = w.End
		run.words++
		run.own[0], run.own[1] = run.own[0] || in[0], run.own[1] || in[1]
	}
	closeRun()
	return joinCourses(text, out)
}

// joinCourses joins two arms' names that make one course of treatment ("A before B had more than B") into one: that of
// the arm that the sentence does not name elsewhere.
func joinCourses(text string, all []mention) []mention {
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if a.side == b.side || !forms("then").MatchString(text[min(a.End, b.Start):b.Start]) {
			continue
		}

		rest := slices.Concat(all[:i-1], all[i+1:])
		if j := slices.IndexFunc(rest, func(m mention) bool { return m.side >= 0 }); j >= 0 {
			course := mention{plaintext.Span{Start: a.Start, End: b.End}, 1 - rest[j].side}
			return slices.Concat(all[:i-1], []mention{course}, all[i+1:])
		}
	}
	return all
}

// armRun is a run of arms' words.
type armRun struct {
	start, end, words int
	own               [2]bool // it has words of this arm alone
}

// sideOfArm is the arm that a contrast's name means; -1 if unknown.
func (s *sides) sideOfArm(name string) int {
	if name == otherGroup {
		return -1
	}
	return s.sideNamed(name)
}

// sideNamed is the arm that a name means; -1 if unknown.
func (s *sides) sideNamed(name string) int {
	found := s.mentionsIn(name)
	if len(found) == 0 || nameBothArms(found) {
		return -1
	}
	return found[0].side
}

// sideOfRun is the arm that a run of words names: the one with a word of its own in it, else an arm without words of
// its own if half of its words are there; -1 if unknown.
func (s *sides) sideOfRun(run armRun) int {
	switch {
	case run.end < 0:
		return -1
	case run.own[0]:
		return 0
	case run.own[1]:
		return 1
	}

	for k := range s.own {
		if len(s.own[k]) == 0 && run.words >= (len(s.words[k])+1)/2 {
			return k
		}
	}
	return -1
}
