package results

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/evidence"
	plaintext "dossier/internal/text"
)

//go:embed forms.txt
var formTable string

// forms gives an expression of formTable by its name.
var forms = plaintext.Forms(formTable)

// sentence is a sentence of an abstract, with its part.
type sentence struct {
	text string
	part part
	chances
	place float64 // 0 is the abstract's beginning, 1 its end
	order int
	words map[string]bool // the content words
	said  map[string]bool // what has found so far
}

// has reports whether an expression matches the sentence; each is tried once.
func (one *sentence) has(name string) bool {
	found, known := one.said[name]
	if !known {
		found = forms(name).MatchString(one.text)
		one.said[name] = found
	}
	return found
}

// sentencesOf cuts an abstract into sentences. Labelled parts, or labels within its text, give the part; without them,
// the sentences' own words and places do.
func sentencesOf(r *evidence.Record) []sentence {
	var out []sentence

	labelled := false
	for _, section := range r.Abstract {
		at := partOf(section.Category + " " + section.Label)
		for _, text := range sentencesIn(section.Text) {
			if named, ok := leadingLabel(text); ok {
				at, text = named, text[len(forms("leading label").FindString(text)):]
			}
			labelled = labelled || at == found

			if text == "" {
				continue // a label alone
			}
			out = append(out, sentence{
				text: text, part: at, order: len(out), words: TellingWords(text), said: map[string]bool{},
			})
		}
	}

	for i := range out {
		out[i].place = float64(i) / float64(max(len(out)-1, 1))
		if !labelled && out[i].part != concluded {
			out[i].part = unknown // an apparent single label may be a word of the text
		}
	}
	assignParts(out)
	return out
}

// sentencesIn cuts a text, also at a label within a sentence whose end was lost with an apparent tag ("(P Conclusions
// Survival was longer"). It drops an index's note that it cut the abstract short.
func sentencesIn(text string) []string {
	var out []string

	text = forms("cut short").ReplaceAllString(plaintext.Line(text), "")
	for _, one := range plaintext.Sentences(text) {
		for {
			at := forms("label within").FindStringSubmatchIndex(one)
			if at == nil {
				break
			}
			out, one = append(out, strings.TrimSpace(one[:at[2]])), one[at[2]:]
		}
		out = append(out, one)
	}
	return out
}

func partOf(label string) part {
	for _, p := range []struct {
		name string
		part part
	}{{"conclusion label", concluded}, {"methods label", methods}, {"results label", found},
		{"background label", background}} {
		if forms(p.name).MatchString(label) {
			return p.part
		}
	}
	return unknown
}

// leadingLabel reads a label that stands in the text: "RESULTS: ...", or "Results Of 40 patients" where a label's own
// line was lost.
func leadingLabel(text string) (part, bool) {
	m := forms("leading label").FindStringSubmatch(text)
	if m == nil {
		return unknown, false
	}

	next, _ := utf8.DecodeRuneInString(strings.TrimSpace(text[len(m[0]):]))
	if m[2] == "" && !unicode.IsUpper(next) && !unicode.IsDigit(next) {
		return unknown, false
	}
	return partOf(m[1]), true
}
