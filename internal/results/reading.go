package results

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
)

// Reading reads texts on one record: the abstract itself, or a statement that cites it.
type Reading struct {
	study *study
	sides sides
}

// NewReading makes a record ready to be read.
func NewReading(r *evidence.Record) *Reading {
	s := newStudy(r)
	return &Reading{s, s.sidesOfStudy()}
}

// IsCompared reports whether the study's two arms are known.
func (r *Reading) IsCompared() bool { return r.sides.areDistinct() }

// IsExperiment reports whether the study is on cells or animals.
func (r *Reading) IsExperiment() bool { return r.study.isExperiment }

// IsObservational reports whether the abstract describes a study that assigned nothing, and names no trial.
func (r *Reading) IsObservational() bool {
	s := r.study
	return !s.randomised && !s.isExperiment && !forms("trial").MatchString(s.title) &&
		slices.ContainsFunc(s.sentences, func(one sentence) bool { return one.has("observational") })
}

// Abstract reads the record's title and the sentences of its abstract that give results; plans, aims and methods give
// none.
func (r *Reading) Abstract() []Tuple {
	var out []Tuple

	var last sides
	for i := range r.study.sentences {
		if one := &r.study.sentences[i]; one.part != background || one.has("statistic") {
			var t Tuple
			t, last = r.readAfter(last, one.text)
			t.Among = r.subgroupWords(one.text)
			out = append(out, t)
		}
	}
	return append(out, r.Of(r.study.title))
}

// subgroupWords is the words for a part of the study's patients in a sentence, without those that the title and the
// sentences on enrolment use for all of them.
func (r *Reading) subgroupWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range subgroupPhrases(withoutBrackets(text)) {
		part, _, _ := strings.Cut(m, " followed ") // what came next is no trait of theirs
		maps.Copy(out, TellingWords(part))
	}
	all := TellingWords(strings.Join(r.OfAll(), " "))
	maps.DeleteFunc(out, func(w string, _ bool) bool {
		return forms("analysis stem").MatchString(w) || all[w] || r.NamesArm(w) || IsFinding(w)
	})

	for w := range out {
		if len(Quantities(w)) == 0 {
			return out
		}
	}
	return nil // "among these eight patients"
}

// subgroupPhrases returns the words by which a sentence limits itself to a part of the patients.
func subgroupPhrases(text string) (out []string) {
	for _, m := range forms("of a part").FindAllStringIndex(text, -1) {
		if !forms("above all").MatchString(text[:m[0]]) {
			out = append(out, text[m[0]:m[1]])
		}
	}

	front := forms("in front").FindString(text)
	if forms("several").MatchString(front) && !strings.Contains(front, "analys") {
		out = append(out, front)
	}
	return out
}

// Front is the group of patients that a text names at its beginning: "For the A series, ...".
func Front(text string) string { return forms("patients in front").FindString(text) }

// NamesPart reports whether a text is about a part of the patients, in whatever words.
func NamesPart(text string) bool {
	text = withoutBrackets(text)
	return forms("of a part").MatchString(text) || forms("in front").MatchString(text) ||
		forms("after what").MatchString(text)
}

// OfAll is the text on all of the study's patients: its title, and the sentences on its aim, methods and enrolment.
func (r *Reading) OfAll() []string {
	out := []string{r.study.title}
	for i := range r.study.sentences {
		if one := &r.study.sentences[i]; one.part <= methods || one.has("enrolled") {
			out = append(out, one.text)
		}
	}
	return out
}

// Of reads a sentence of the abstract, or of a statement on it: with the sentence's own arms, or the study's if it has
// none or the same.
func (r *Reading) Of(text string) Tuple {
	t, _ := r.readAfter(sides{}, text)
	return t
}

// readAfter reads a sentence behind others; last is the pair of the last one that named two arms: figures without arms
// belong to that pair. It returns the pair for the next sentence.
func (r *Reading) readAfter(last sides, text string) (Tuple, sides) {
	s := r.study.preparedSentence(text)
	if s.omitsArm(&last) {
		return s.read(last), last
	}

	t := r.readWithOwnArms(s)
	if s.local.areComparable() && s.local.own != otherGroup && s.local.other != otherGroup {
		last = r.study.withShort(r.study.withLong(sidesOf(s.local)))
	}
	return t, last
}

// Sentence prepares a statement's sentence for reading with any arms.
func (r *Reading) Sentence(text string) *Sentence {
	return newSentence(newScannedText(text), nil, r.study.long)
}

// Words are the content words of a text, and of what the record's short forms in it stand for.
func (r *Reading) Words(text string) map[string]bool {
	return TellingWords(text + " " + r.study.longForms(text))
}

// NamesArm reports whether a word, without its ending, is in the name of one of the study's arms.
func (r *Reading) NamesArm(word string) bool { return r.sides.namesArm(word) }

// omitsArm reports whether a sentence compares figures and names neither arm, or only one of a pair.
func (s *Sentence) omitsArm(pair *sides) bool {
	names := s.local.areComparable() && s.local.own != otherGroup && s.local.other != otherGroup
	return pair.areDistinct() && !names && slices.ContainsFunc(s.contrasts, func(c contrast) bool {
		return c.own == "" || c.other == otherGroup && pair.sideOfArm(c.own) >= 0 ||
			c.own == otherGroup && pair.sideOfArm(c.other) >= 0
	})
}

// readWithOwnArms reads a sentence by itself: with its own arms if it names both, or none of the study's; else with the
// study's.
func (r *Reading) readWithOwnArms(s *Sentence) Tuple {
	text := s.text

	own, other := r.sides.sideNamed(s.local.own), r.sides.sideNamed(s.local.other)
	if !s.local.areComparable() || own >= 0 && other == 1-own {
		return s.read(r.sides)
	}

	pair := r.study.withShort(r.study.withLong(sidesOf(s.local)))
	if nameBothArms(pair.mentionsIn(text)) || s.local.other == otherGroup && own < 0 {
		return s.read(pair)
	}
	return s.read(r.sides)
}

func nameBothArms(mentions []mention) bool {
	return slices.ContainsFunc(mentions, func(m mention) bool { return m.side != mentions[0].side })
}
