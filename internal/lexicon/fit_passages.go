package lexicon

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/text"
)

// passage is a part of a record after reading: its title, a sentence of its abstract, a heading.
type passage struct {
	place      evidence.Place
	read       Question
	assertions []assertion
	isMajor    bool            // a heading that PubMed marks as a main topic
	ofTrial    bool            // of a registration, which states what a study is to measure
	stems      map[string]bool // of its words; made when they are first asked for
}

// maxPassages bounds the sentences that are read of one abstract.
const maxPassages = 60

// Passages are a record as the recogniser reads it, to be compared with many questions in turn.
type Passages []passage

// Passages reads a record, the most telling part first: title, conclusions, the rest of the abstract in its order, then
// headings, keywords and substances. The conditions, outcomes and interventions of a registered trial count as
// headings. Short forms that the record explains have its meaning.
func (l *Lexicon) Passages(r *evidence.Record) Passages {
	own := l.ownFormsOf(r)
	out := Passages{l.passage(evidence.InTitle, own.in(r.Title))}

	var rest Passages
	for _, s := range abstractSentences(r) {
		p := l.passage(s.place, own.in(s.text))
		if s.place == evidence.InConclusion {
			out = append(out, p)
		} else {
			rest = append(rest, p)
		}
	}

	out = append(out, rest...)
	for _, h := range headingsIn(r) {
		p := l.passage(evidence.InHeadings, h.words)
		p.isMajor = h.isMajor
		out = append(out, p)
	}

	for i := range out {
		out[i].ofTrial = r.Trial != nil
	}
	return out
}

// haveAbstract reports whether a record has more than its title and its headings.
func (p Passages) haveAbstract() bool {
	return slices.ContainsFunc(p, func(one passage) bool {
		return one.place == evidence.InAbstract || one.place == evidence.InConclusion
	})
}

func (l *Lexicon) passage(place evidence.Place, words string) passage {
	p := passage{place: place, read: l.Read(forms("no codeletion").ReplaceAllString(words, "without 1p/19q codeletion"))}
	l.addTargets(&p.read)
	p.assertions = l.assertionsOf(&p.read)
	return p
}

// isTelling reports whether the passage is one that states what the record is on: its title or conclusion.
func (p *passage) isTelling() bool {
	return p.place == evidence.InTitle || p.place == evidence.InConclusion
}

// words returns the stems of a passage's words.
func (p *passage) words() map[string]bool {
	if p.stems == nil {
		p.stems = map[string]bool{}
		for _, w := range text.Tokens(p.read.Text) {
			p.stems[stemOf(w)] = true
		}
	}
	return p.stems
}

// holds reports whether a passage has all the words of a text, in any order.
func (p *passage) holds(words string) bool {
	all := text.Tokens(words)
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool { return !p.words()[stemOf(w)] })
}

// stemOf returns the form in which words are compared, the same for British and American spelling.
func stemOf(word string) string { return text.Stem(foldWord(word)) }

// sentence is a sentence of an abstract, with its place.
type sentence struct {
	text  string
	place evidence.Place
}

// lastSentences is how many of an abstract without sections count as its conclusion.
const lastSentences = 2

// abstractSentences returns the sentences of an abstract, or of its first translation if there is no abstract.
func abstractSentences(r *evidence.Record) []sentence {
	sections := r.Abstract
	if len(sections) == 0 && len(r.OtherAbstracts) > 0 {
		sections = r.OtherAbstracts[0].Sections
	}

	var out []sentence
	for _, section := range sections {
		in := text.Sentences(text.Line(section.Text))

		ending := len(in) - lastSentences
		if at := slices.IndexFunc(in, forms("conclusion").MatchString); at >= 0 {
			ending = at
		}

		for i, s := range in {
			place := evidence.InAbstract
			if section.IsConclusion() || section.Label == "" && len(sections) == 1 && i >= ending {
				place = evidence.InConclusion
			}
			out = append(out, sentence{s, place})
		}
	}
	return out[:min(len(out), maxPassages)]
}

// heading is a heading, keyword or substance of a record, with its qualifiers.
type heading struct {
	words   string
	isMajor bool // marked as a main topic
}

// headingsIn returns the headings one by one: side by side they would be composed into tumours that none of them names.
func headingsIn(r *evidence.Record) []heading {
	var out []heading
	add := func(words ...string) {
		for _, w := range words {
			out = append(out, heading{words: w})
		}
	}
	add(r.Keywords...)

	for _, h := range r.MeSH {
		one := heading{h.Name, h.Major}
		for _, q := range h.Qualifiers {
			one.words, one.isMajor = one.words+", "+q.Name, one.isMajor || q.Major
		}
		out = append(out, one)
	}

	for _, s := range r.Substances {
		add(s.Name)
	}

	if t := r.Trial; t != nil {
		add(t.OfficialTitle)
		add(t.Conditions...)
		add(t.Outcomes...)

		for _, i := range t.Interventions {
			add(strings.Join(append([]string{i.Name}, i.OtherNames...), ", "))
		}
	}
	return out[:min(len(out), maxHeadings)]
}
