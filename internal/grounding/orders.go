package grounding

import (
	_ "embed"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	plaintext "dossier/internal/text"
)

// order is how a sentence instructs the reader; the forms of each kind are in orders.txt.
type order int

const (
	noOrder order = iota
	reported
	directive
	command
)

//go:embed orders.txt
var orderTable string

// orderForms gives an expression of orderTable by its name.
var orderForms = plaintext.Forms(orderTable)

// foreign are the languages of orderTable except English, and kinds the names of orders.
var (
	foreign = []string{"de", "fr", "es", "it", "pt", "zh"}
	kinds   = []string{reported: "reported", directive: "directive", command: "command"}
)

// IsOrder reports whether a text tells the reader to treat or to stop, which a report never does. A cited record's
// recommendation is a finding: as advice that a cited record gives, or in the words of a guideline.
func (g *Checker) IsOrder(text string, sources []*Source, verbatim bool) bool {
	text = quoteRE().ReplaceAllString(text, `“”`) // a quotation is checked as one
	for _, sentence := range plaintext.Sentences(text) {
		switch g.orderIn(sentence) {
		case command:
			return true
		case directive:
			own := verbatim && slices.ContainsFunc(sources, func(s *Source) bool { return s.bucket == evidence.Guideline })
			if !own && !(orderForms("spoken").MatchString(sentence) && g.isRecommended(sentence, sources)) {
				return true
			}
		case reported:
			if !verbatim && !g.isRecommended(sentence, sources) {
				return true
			}
		case noOrder:
		}
	}
	return false
}

// orderIn finds the strongest form of an order in a sentence.
func (g *Checker) orderIn(sentence string) order {
	found := g.englishOrder(sentence)
	for _, language := range foreign {
		for kind := command; kind > found; kind-- {
			if orderForms(language + " " + kinds[kind]).MatchString(sentence) {
				found = kind
			}
		}
	}
	return found
}

func (g *Checker) englishOrder(sentence string) order {
	if orderForms("en command").MatchString(sentence) || isImperative(sentence) {
		return command
	}

	for _, m := range orderForms("en directive").FindAllStringSubmatchIndex(sentence, -1) {
		before, after := sentence[:m[0]], sentence[m[1]:]
		if orderForms("asked").MatchString(before) || orderForms("about").MatchString(before) ||
			orderForms("later").MatchString(after) {
			continue
		}

		if g.isOnTreatment(sentence) {
			return directive
		}
	}

	m := orderForms("en reported").FindStringIndex(sentence)
	if m != nil && !orderForms("asked").MatchString(sentence[:m[0]]) && g.isOnTreatment(sentence) {
		return reported
	}
	return noOrder
}

// isImperative distinguishes "Stop osimertinib" from "Stop codons were found" and "Use of osimertinib was rare": a word
// that is also a noun is an order only if no other verb makes a sentence of it.
func isImperative(sentence string) bool {
	m := orderForms("imperative").FindStringSubmatchIndex(sentence)
	if m == nil || strings.EqualFold(sentence[m[6]:m[7]], "of") {
		return false
	}
	return m[2] >= 0 || !orderForms("finite").MatchString(sentence[m[6]:])
}

// isOnTreatment reports whether a sentence is about drugs, another treatment or those who give or get it. Recommending
// a test is allowed: it treats no one.
func (g *Checker) isOnTreatment(sentence string) bool {
	return orderForms("treating").MatchString(sentence) || len(g.words.Read(sentence).Drugs) > 0
}

// isRecommended reports whether a cited record gives the advice: among its sentences that advise, one with the most
// words in common with the statement advises in the same sense, for or against.
func (g *Checker) isRecommended(sentence string, sources []*Source) bool {
	told := g.tellingWords(sentence)
	against := orderForms("opposed").MatchString(sentence)

	most, agrees := 1, false // one word may be chance
	for _, s := range sources {
		for _, r := range s.sentences {
			if !orderForms("advice").MatchString(r.text) {
				continue
			}

			common := 0
			for w := range g.tellingWords(r.text) {
				if told[w] {
					common++
				}
			}

			same := orderForms("opposed").MatchString(r.text) == against
			if common > most {
				most, agrees = common, same
			} else if common == most && most > 1 {
				agrees = agrees || same
			}
		}
	}
	return agrees
}

// tellingWords are a sentence's words except the common ones, with each drug under its one standard name.
func (g *Checker) tellingWords(sentence string) map[string]bool {
	out := map[string]bool{}
	for _, w := range plaintext.Tokens(sentence) {
		if !plaintext.StopWords(w) && !orderForms("advice").MatchString(w) {
			out[strings.TrimSuffix(w, "s")] = true
		}
	}

	for _, d := range g.words.Read(sentence).Drugs {
		if d.Entry == nil || d.Entry.Kind != lexicon.KindTreatment {
			out[strings.ToLower(d.Name)] = true
		}
	}
	return out
}
