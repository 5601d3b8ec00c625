package pipeline

import (
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lazy"
	"dossier/internal/text"
)

// wordsOf gives a text's words (text.Tokens) with plurals and British spellings evened out, so that
// "KRAS p.G12C-mutant tumours" and "KRAS G12C mutant tumor" hold the same words.
func wordsOf(s string) []string {
	raw := text.Tokens(s)
	words := raw[:0]
	for i, w := range raw {
		if w == "p" && i+1 < len(raw) && variantRE().MatchString(raw[i+1]) {
			continue // the protein prefix of "p.G12C"
		}
		words = append(words, stem(w))
	}
	return words
}

// variantRE knows a point mutation in lower case, by letters such as g12c or by names such as gly12cys.
var variantRE = lazy.Regexp(
	`^([acdefghiklmnpqrstvwy]\d{1,4}[acdefghiklmnpqrstvwyx]|[a-z]{3}\d{1,4}(ala|arg|asn|asp|cys|gln|glu|gly|his|ile|leu|lys|met|phe|pro|ser|thr|trp|tyr|val|ter))$`)

func stem(w string) string {
	w = strings.ReplaceAll(w, "tumour", "tumor")
	if len(w) > 4 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is") {
		return w[:len(w)-1]
	}
	return w
}

// recordWords are a record's words by place.
type recordWords struct {
	title, body []string // body: abstract, keywords, headings, substances, and what a registry says of a trial
}

func wordsIn(r *evidence.Record) recordWords {
	parts := []string{r.AbstractText()}
	for _, o := range r.OtherAbstracts {
		parts = append(parts, evidence.SectionsText(o.Sections))
	}
	parts = append(parts, r.Keywords...)
	for _, h := range r.MeSH {
		parts = append(parts, h.Name)
	}
	for _, s := range r.Substances {
		parts = append(parts, s.Name)
	}
	if t := r.Trial; t != nil {
		parts = append(parts, t.OfficialTitle, t.Eligibility, strings.Join(t.Conditions, "\n"))
		for _, i := range t.Interventions {
			parts = append(parts, i.Name, strings.Join(i.OtherNames, "\n"))
		}
	}
	var body []string
	for _, part := range parts {
		body = append(append(body, wordsOf(part)...), partEnd)
	}
	return recordWords{title: wordsOf(r.Title), body: body}
}

// partEnd keeps a phrase from running from one part of a record into the next; no word has this form.
const partEnd = "\n"

// place is where a concept stands in a record.
type place int

const (
	absent place = iota
	inBody
	inTitle
)

// containsPhrase compares letters and digits alone, from one word's start to another's end: "HER2" is "HER-2", and
// "KRASG12C", whose superscript a source has flattened, is "KRAS G12C"; but "ALK" is not in "alkaline".
func containsPhrase(words []string, phrase string, truncated bool) bool {
	for start := range words {
		if startsPhrase(words[start:], phrase, truncated) {
			return true
		}
	}
	return false
}

func startsPhrase(words []string, rest string, truncated bool) bool {
	for _, word := range words {
		if word == rest || truncated && strings.HasPrefix(word, rest) {
			return true
		}
		var ok bool
		if rest, ok = strings.CutPrefix(rest, word); !ok || rest == "" {
			return false
		}
	}
	return false
}
