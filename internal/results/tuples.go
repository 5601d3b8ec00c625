package results

import (
	"maps"
	"slices"
	"strings"

	plaintext "dossier/internal/text"
)

// Tuple is one sentence read as results: which number belongs to which arm and outcome, the claims on directions, and
// which interval and probability belong to which ratio.
type Tuple struct {
	plaintext.Span // of the sentence, in the text that was read
	Text           string
	Values         []Value
	Ratios         []Ratio
	Claims         []Claim

	// Among is the words for the part of the patients that the sentence covers; empty if it covers all of the study's.
	Among map[string]bool

	sides sides // with which the sentence was read
}

// Subject is the words of the sentence for its subject: no figure, no arm and no word that may occur in any result.
func (t *Tuple) Subject() map[string]bool {
	out := TellingWords(t.Text)
	maps.DeleteFunc(out, func(w string, _ bool) bool {
		return strings.Trim(w, "0123456789.") == "" || IsFinding(w) || t.sides.namesArm(w) || noArmWords(w)
	})
	return out
}

// Read reads another sentence with the arms of this one, so that the two can be compared.
func (t *Tuple) Read(s *Sentence) Tuple { return s.read(t.sides) }

// Sentence is a text prepared for reading with any arms.
type Sentence struct {
	text       string
	quantities []Quantity
	outcomes   []Outcome
	contrasts  []contrast
	long       map[string]string // what short forms stand for
	local      arms              // the sentence's own arms
}

// newSentence prepares a sentence for reading, with the abstract's short forms and, for a sentence of the abstract, the
// names in it.
func newSentence(c *scannedText, m *wordStats, long map[string]string) *Sentence {
	text := c.text
	s := &Sentence{text: text, quantities: c.quantities, outcomes: withShortForms(text, Outcomes(text), long), long: long}

	s.contrasts = contrastsIn(c, m)
	if i := slices.IndexFunc(s.contrasts, func(c contrast) bool { return c.isPaired && c.areComparable() }); i >= 0 {
		s.local = s.contrasts[i].arms
		if s.local.other != otherGroup {
			return s
		}
	}

	named := localArms(text)
	if pair := sidesOf(named); s.local.own == "" || named.areComparable() && pair.sideOfArm(s.local.own) >= 0 {
		s.local = named // "Comparing A with B, A had fewer (2 v 4)"
	}
	return s
}

// read assigns the arms of a pair to a sentence's numbers and directions.
func (s *Sentence) read(pair sides) Tuple {
	t := Tuple{Text: s.text, Span: plaintext.Span{End: len(s.text)}, sides: pair}
	mentions := pair.mentionsIn(s.text)

	t.Values = s.values(&pair, mentions)
	for i := range t.Values {
		next := len(s.text)
		if i+1 < len(t.Values) {
			next = t.Values[i+1].Start
		}
		t.Values[i].Outcome = outcomeAt(s.text, t.Values[i].Quantity, next, s.outcomes)
	}
	listOutcomes(s.text, t.Values, s.outcomes)

	t.Ratios = ratiosOf(s.text, s.quantities, s.outcomes)
	for i := range t.Ratios {
		t.Ratios[i].Near = s.withLongForms(t.Ratios[i].Near)
	}

	t.Claims = claimsOf(s.text, s.quantities, s.outcomes, mentions)
	t.Claims = append(t.Claims, countedClaims(s.text, s.quantities, t.Values)...)
	return t
}
