package grounding

import (
	"maps"
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// unheldClaim explains why the records do not support a direction: it contradicts them, or its own figures, or none of
// them states it.
func (h *held) unheldClaim(k int) (kind MarkKind, why string) {
	c := &h.own.Claims[k]
	switch {
	case c.Counted:
		return "", "" // its numbers are checked one by one
	case c.Gainsaid && !h.isGainsaidThere(c):
		return MarkContrary, "the figures beside it say otherwise"
	}

	switch h.verdictOn(k) {
	case ofPart:
		return MarkClaim, toldOfPart
	case contradicted:
		return MarkDirection, "the cited record says the contrary"
	case untold:
		return MarkResult, "no cited record tells this result"
	case borneOut, unclear:
	}
	return "", ""
}

// isGainsaidThere reports whether a record claims the same beside the same figures: it gives its ratio the other way
// round.
func (h *held) isGainsaidThere(c *results.Claim) bool {
	return slices.ContainsFunc(h.pairs, func(p pairing) bool {
		return slices.ContainsFunc(p.record.Claims, func(r results.Claim) bool {
			return r.Gainsaid && r.Direction == c.Direction && r.Outcome.Is(&c.Outcome)
		})
	})
}

// verdict is how the records judge a direction.
type verdict int

const (
	unclear verdict = iota
	borneOut
	contradicted
	untold
	ofPart // borne out for a part of the patients, which the statement does not name
)

// sameWords is the share of a statement's words, in percent, that it shares with the sentence that it restates.
const sameWords = 90

// verdictOn judges a direction by everything the records state on its outcome. Where the arms are unknown, only the
// sentence with the most words in common with the statement counts.
func (h *held) verdictOn(k int) verdict {
	own := &h.own.Claims[k]
	if own.Direction == "" || own.Outcome.Name == "" || h.isOfOtherClause(k) {
		return h.weighAmounts(k)
	}

	t, isBorneOut := h.weighClaims(k)
	switch {
	case isBorneOut, t.closest == borneOut && 100*t.most >= sameWords*len(h.clauseWords(k)):
		return borneOut // the same sentence in other spelling, whatever others state on other arms
	case t.part && t.closest != borneOut:
		return ofPart
	case t.seen == contradicted && !t.isArmed && t.isTold:
		return unclear // one sentence states no difference, another the same direction; of whom is unknown
	case t.seen == contradicted, t.isArmed:
		return t.seen
	case t.closest != unclear:
		return t.closest
	case h.arms && !h.isFound && own.Side >= 0 && own.Direction != results.Null && !t.isOpen:
		return untold
	}
	return unclear
}

// claimLike is the statement's claim at the same place, read with the arms of the record's sentence; nil if it has none
// there.
func (p *pairing) claimLike(own *results.Claim) *results.Claim {
	i := slices.IndexFunc(p.told.Claims, func(c results.Claim) bool {
		return c.Start == own.Start && c.Counted == own.Counted && c.Outcome.Name == own.Outcome.Name
	})
	if i < 0 {
		return nil
	}
	return &p.told.Claims[i]
}

// balance is how the records' claims on an outcome bear on a statement's claim.
type balance struct {
	seen, closest verdict // by arms; by words, of the sentence with the most in common
	most          int     // words in common
	borne         int     // words in common, at most, with a sentence that supports it by arms
	against       int     // and with one that contradicts it by arms
	isArmed, part bool    // a side is known; borne out for a part of the patients
	isTold        bool    // a sentence supports it by words
	isOpen        bool    // a claim on the outcome has no direction
}

// weighClaims weighs the claims of all records; isBorneOut reports whether one supports the statement and no far more
// similar one contradicts it.
func (h *held) weighClaims(k int) (t balance, isBorneOut bool) {
	t.most = 1

	words := h.clauseWords(k)
	for i := range h.pairs {
		p := &h.pairs[i]
		if h.isFound && !p.isSource && h.hasFigure(k) {
			continue // it is about something else, whatever its words
		}

		c := p.claimLike(&h.own.Claims[k])
		if c == nil {
			continue
		}

		common := results.Common(words, results.TellingWords(p.record.Text))
		for j := range p.record.Claims {
			r := &p.record.Claims[j]
			if r.Direction == "" || r.Outcome.Name == "" || !c.Outcome.Is(&r.Outcome) {
				t.isOpen = t.isOpen || r.Direction == "" && r.Outcome.Name != "" && c.Outcome.Is(&r.Outcome)
				continue
			}

			if !p.isSource && p.isTendency(r) {
				continue
			}
			v, w := compareClaims(c, r), h.compareWords(p, c, r)

			t.isTold = t.isTold || w == borneOut
			if v != borneOut && w != borneOut && isAtOtherTime(h.own.Text, p.record.Text) {
				continue
			}

			t.isArmed = t.isArmed || c.Side >= 0
			if v == borneOut && !h.isOfPart(p) {
				t.borne = max(t.borne, common)
			}
			t.add(v, w, common)
		}
	}
	return t, t.borne > 0 && t.borne+farMore > t.against
}

// clauseOf is the clause that makes a claim.
func (h *held) clauseOf(k int) plaintext.Span {
	for _, clause := range results.Clauses(h.own.Text) {
		if clause.Overlaps(h.own.Claims[k].Span) {
			return clause
		}
	}
	return plaintext.Span{End: len(h.own.Text)}
}

// clauseWords are the content words of the clause that makes a claim.
func (h *held) clauseWords(k int) map[string]bool {
	return results.TellingWords(h.clauseOf(k).In(h.own.Text))
}

// hasFigure reports whether the clause that makes a claim has a figure.
func (h *held) hasFigure(k int) bool {
	clause := h.clauseOf(k)
	return slices.ContainsFunc(h.own.Values, func(v results.Value) bool { return v.Overlaps(clause) }) ||
		slices.ContainsFunc(h.own.Ratios, func(r results.Ratio) bool { return r.Overlaps(clause) })
}

// isOfOtherClause reports whether a claim took its outcome from another clause, and has a subject of its own.
func (h *held) isOfOtherClause(k int) bool {
	clause, c := h.clauseOf(k), &h.own.Claims[k]
	return !c.Outcome.Overlaps(clause) && len(results.TellingWords(h.own.Text[clause.Start:c.Start])) > 1
}

// farMore is how many more words a contradicting sentence must share with a statement than a supporting one.
const farMore = 3

// add counts a claim: its verdict by arms, and by words, with the number of words in common.
func (t *balance) add(byArms, byWords verdict, common int) {
	switch {
	case byArms == borneOut:
		t.part = t.borne == 0
	case byArms == contradicted, byArms == untold && t.seen == unclear:
		t.seen = byArms
	}

	if byArms == contradicted {
		t.against = max(t.against, common)
	}

	if byWords != unclear && common > t.most {
		t.most, t.closest = common, byWords
	} else if byWords == borneOut && common == t.most {
		t.closest = byWords
	}
}

// isTendency reports whether two numbers differ where the same sentence states no difference.
func (p *pairing) isTendency(c *results.Claim) bool {
	isNull := func(r results.Claim) bool {
		return r.Direction == results.Null && !r.Counted && r.Outcome.Name == c.Outcome.Name
	}
	return c.Counted && c.Significant == evidence.Unknown && slices.ContainsFunc(p.record.Claims, isNull)
}

// sameSubject is the share of the statement's subject words, in percent, that a sentence on the same thing has.
const sameSubject = 75

// weighAmounts compares a claim of more or less, or better or worse, on an outcome without a name here, with the
// sentences on the same thing.
func (h *held) weighAmounts(k int) verdict {
	seen := unclear
	for i := range h.pairs {
		p := &h.pairs[i]

		c := p.claimLike(&h.own.Claims[k])

		common, all := p.onSubject()
		if c == nil || c.Sense == 0 || c.Counted || isAtOtherTime(h.own.Text, p.record.Text) ||
			!(c.Good && c.Side >= 0) && (common == 0 || 100*common < sameSubject*all) { // "did better" needs no subject
			continue
		}

		for j := range p.record.Claims {
			switch r := &p.record.Claims[j]; {
			case r.Direction == results.Null && common == all && common > 1 && !c.Good:
				seen = untold
			case (c.Side < 0) != (r.Side < 0) || c.Outcome.Name != "" && r.Outcome.Name != c.Outcome.Name:
			case r.Direction == results.Null && (c.Side < 0 || c.Good): // of what is unknown
			case r.Direction == results.Null:
				seen = untold
			case r.Good != c.Good || r.Sense == 0:
			case (r.Sense == c.Sense) == (r.Side == c.Side):
				return borneOut
			default:
				seen = untold
			}
		}
	}
	return seen
}

// onSubject counts the words for a statement's subject, arms left out, and those that a sentence shares.
func (p *pairing) onSubject() (common, all int) {
	subject := p.told.Subject()
	maps.DeleteFunc(subject, func(w string, _ bool) bool { return p.reading.NamesArm(w) })
	return results.Common(subject, p.named), len(subject)
}

// isAtOtherTime reports whether two sentences give results at times of which none is the same: a result "at 1 month"
// does not contradict one "at 12 months".
func isAtOtherTime(a, b string) bool {
	times := func(s string) map[string]bool {
		out := map[string]bool{}
		for _, m := range forms("time point").FindAllStringSubmatch(s, -1) {
			out[m[1]+" "+strings.ToLower(m[2])] = true
		}
		return out
	}
	at, other := times(a), times(b)
	return len(at) > 0 && len(other) > 0 && !shared(at, other)
}

// compareWords compares two directions with unknown arms.
func (h *held) compareWords(p *pairing, told, record *results.Claim) verdict {
	isOpposed := results.Oppose(h.words, results.TellingWords(p.record.Text))
	switch {
	case told.Side >= 0 && record.Side >= 0 || record.Counted:
		return unclear
	case told.Direction == results.Null || record.Direction == results.Null:
		return compareNull(told, record)
	case (told.Direction == record.Direction) != isOpposed:
		return borneOut
	}
	return contradicted
}

// compareClaims compares a claim on one arm with a record's claim on the same arm, or on the other.
func compareClaims(told, record *results.Claim) verdict {
	if told.Direction == results.Null || record.Direction == results.Null {
		return compareNull(told, record)
	}

	if record.Side < 0 || told.Side < 0 {
		return unclear
	}

	if (told.Direction == record.Direction) != (told.Side == record.Side) {
		return contradicted
	}

	if told.Significant == evidence.Yes && record.Significant == evidence.No {
		return contradicted
	}
	return borneOut
}

// compareNull compares claims of which one states no difference.
func compareNull(told, record *results.Claim) verdict {
	switch {
	case told.Direction == record.Direction:
		return borneOut
	case told.Direction == results.Null && told.Significant == evidence.No:
		return unclear // it rests on its own figures, which are checked one by one
	case told.Direction == results.Null:
		if record.Significant == evidence.Yes || record.Significant == evidence.Unknown && !record.Counted {
			return contradicted
		}
		return unclear
	case told.Significant == evidence.No:
		return unclear // a tendency, where the record states no difference
	case told.Significant == evidence.Yes || !record.Counted:
		return contradicted
	}
	return untold
}
