package pipeline

import (
	"math"
	"slices"
	"strings"

	"dossier/internal/boolean"
	"dossier/internal/evidence"
	"dossier/internal/text"
)

// ScreeningByRules is what an Answer names as its judge where no model screened.
const ScreeningByRules = "rules"

// Question is what a record is judged for.
type Question struct {
	Text     string
	Wording  string          // what a model gets of it; empty: Text, under which judgements are kept in any case
	Concepts []boolean.Group // the question's concepts with their synonyms
	// Contradicts says why a record with this title is on something else than the question: another tumour, another
	// alteration of the same gene, the opposite status; empty where it is not. Nil where nothing can tell.
	Contradicts func(title string) string
}

// band is a range of the scale of relevance.
type band struct{ low, high float64 }

var (
	bandStrong   = band{9, 10}  // directly relevant and strong
	bandModerate = band{7, 8}   // directly relevant, moderate
	bandWeak     = band{5, 6}   // partly relevant, or weaker
	bandPartWeak = band{5, 5.5} // partly relevant and weaker
	bandIndirect = band{1, 4}   // indirect, or preclinical only
	// An original experiment on the very question tops the scale's words for preclinical work, so that the bucket's
	// place in a sample can be filled: it passes where its title names the question.
	bandExperiment = band{4, 5.5}
)

// bandOf places the designs on the scale; a design that is missing here is weak.
var bandOf = map[evidence.Design]band{
	evidence.DesignGuideline:    bandStrong,
	evidence.DesignConsensus:    bandStrong,
	evidence.DesignRandomised:   bandStrong,
	evidence.DesignPhase3:       bandStrong,
	evidence.DesignMetaAnalysis: bandStrong,
	evidence.DesignSystematic:   bandStrong,
	evidence.DesignEarlyPhase:   bandModerate,
	evidence.DesignSingleArm:    bandModerate,
	evidence.DesignTrial:        bandModerate,
	evidence.DesignProspective:  bandModerate,
	evidence.DesignPreclinical:  bandExperiment,
}

// rules is a question made ready for many records.
type rules struct {
	concepts    []concept
	core        []boolean.Concept // what a relevant record must have
	contradicts func(title string) string
}

func newRules(q Question) rules {
	rs := rules{core: coreConcepts(q.Concepts), contradicts: q.Contradicts}
	if rs.contradicts == nil {
		rs.contradicts = func(string) string { return "" }
	}
	for _, g := range q.Concepts {
		rs.concepts = append(rs.concepts, conceptOf(g))
	}
	return rs
}

func (rs rules) assess(r *evidence.Record) evidence.Assessment {
	m := rs.match(wordsIn(r))
	contradiction := rs.contradicts(r.Title)
	m.core = m.core && contradiction == ""
	findings := r.Abstract
	if r.AddressesModel != "" {
		findings = withoutAddresses(r.Abstract)
	}
	return evidence.Assessment{
		Record:        r.ID,
		Relevant:      m.relevant(),
		Score:         scoreByRules(m, strengthOf(r)),
		ScoreSource:   evidence.ScoreRules,
		Criteria:      m.names,
		KeyFindings:   keyFindings(findings),
		Flagged:       evidence.Flag(r, nil),
		Contradiction: contradiction,
	}
}

// match is how a record covers the question's concepts.
type match struct {
	names     []string // concepts found, in the question's order
	core      bool     // all that the question cannot do without is there, and the title names nothing else in its place
	share     float64  // of the concepts by weight, 0 to 1
	placement float64  // the same, where a concept outside the title counts half
}

// weights say how much of a question a concept carries.
var weights = map[boolean.Concept]float64{boolean.Disease: 3, boolean.GeneVariant: 3, boolean.Drug: 2,
	boolean.MechanismOutcome: 1}

func (rs rules) match(t recordWords) match {
	m := match{core: true}
	total, found, placed := 0.0, 0.0, 0.0
	for _, c := range rs.concepts {
		total += c.weight
		switch t.find(c) {
		case absent:
			m.core = m.core && !slices.Contains(rs.core, c.kind)
			continue
		case inTitle:
			placed += c.weight
		case inBody:
			placed += c.weight / 2
		}
		found += c.weight
		m.names = append(m.names, c.name)
	}
	if total > 0 {
		m.share, m.placement = found/total, placed/total
	}
	return m
}

// coreConcepts are what a relevant record must have: disease and gene with variant; where the question names neither,
// the drug; else nothing in particular.
func coreConcepts(groups []boolean.Group) []boolean.Concept {
	has := func(c boolean.Concept) bool {
		return slices.ContainsFunc(groups, func(g boolean.Group) bool { return g.Concept == c })
	}
	switch {
	case has(boolean.Disease) || has(boolean.GeneVariant):
		return []boolean.Concept{boolean.Disease, boolean.GeneVariant}
	case has(boolean.Drug):
		return []boolean.Concept{boolean.Drug}
	}
	return nil
}

const (
	relevantShare = 0.5  // less than this of a question is another question
	directShare   = 0.75 // a record with this much is about the question itself
)

func (m match) relevant() bool { return m.core && m.share >= relevantShare }
func (m match) direct() bool   { return m.core && m.share >= directShare }

// scoreByRules keeps one decimal.
func scoreByRules(m match, strength band) float64 {
	if m.share == 0 {
		return 0
	}
	b := strength
	switch {
	case !m.relevant() || !m.direct() && strength == bandExperiment:
		b = bandIndirect
	case !m.direct() && strength == bandWeak:
		b = bandPartWeak
	case !m.direct():
		b = bandWeak
	}
	return math.Round(10*(b.low+(b.high-b.low)*m.placement)) / 10
}

// strengthOf is the band of the record's design.
func strengthOf(r *evidence.Record) band {
	if b, ok := bandOf[KindOf(r).Design]; ok {
		return b
	}
	return bandWeak
}

// maxKeyFindings bounds the sentences kept of an abstract, in bytes.
const maxKeyFindings = 800

// conclusionOpeners begin the sentence in which an unstructured abstract says what it found.
var conclusionOpeners = []string{
	"in conclusion", "we conclude", "in summary", "conclusion", "taken together", "these findings", "these results",
	"these data", "our findings", "our results", "our data", "overall,",
}

// keyFindings gives the conclusion in the abstract's own words: its section of conclusions, else its concluding
// sentences, else its last sentence; whole sentences only, nothing added.
func keyFindings(abstract []evidence.Section) string {
	for _, s := range slices.Backward(abstract) {
		if s.IsConclusion() {
			return firstSentences(findingSentences(s.Text))
		}
	}
	if len(abstract) == 0 {
		return ""
	}
	all := findingSentences(abstract[len(abstract)-1].Text)
	for i, s := range all {
		lower := strings.ToLower(s)
		if slices.ContainsFunc(conclusionOpeners, func(o string) bool { return strings.HasPrefix(lower, o) }) {
			return firstSentences(all[i:])
		}
	}
	return firstSentences(all[max(0, len(all)-1):])
}

// findingSentences are a text's sentences without those on the paper itself.
func findingSentences(s string) []string {
	return slices.DeleteFunc(text.Sentences(text.Line(s)), evidence.IsNote)
}

// firstSentences joins as many as fit.
func firstSentences(all []string) string {
	out := ""
	for _, s := range all {
		if len(out)+1+len(s) > maxKeyFindings {
			break
		}
		out = strings.TrimSpace(out + " " + s)
	}
	return out
}
