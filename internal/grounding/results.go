package grounding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// markResults compares a statement's results with those of the cited records: each number needs one with the same arm
// and outcome, each ratio one with the same interval and probability, and each direction one on the same arm and
// outcome. A result that contradicts them, or itself, has a mark of a kind that removes the statement.
func markResults(text string, sources []*Source) []Mark {
	if len(sources) == 0 {
		return nil
	}

	var out []Mark
	for _, span := range plaintext.SentenceSpans(text) {
		h := holdTo(span.In(text), sources)
		if h.isCopied(sources) {
			continue
		}
		mark := func(kind MarkKind, at plaintext.Span, why string) {
			if why != "" {
				at = plaintext.Span{Start: span.Start + at.Start, End: span.Start + at.End}
				out = append(out, newMark(kind, text, at, why))
			}
		}

		own := &h.own
		for k := range own.Values {
			kind, why := h.unheldValue(k)
			mark(kind, own.Values[k].Span, why)
		}

		for k := range own.Ratios {
			kind, why := h.unheldRatio(k)
			mark(kind, own.Ratios[k].Span, why)
		}

		for k := range own.Claims {
			kind, why := h.unheldClaim(k)
			mark(kind, own.Claims[k].Span, why)
		}
	}
	return out
}

// held is a sentence of a statement beside the sentences of the records that it cites.
type held struct {
	own     results.Tuple
	pairs   []pairing
	words   map[string]bool
	named   map[string]bool // its words, and those that the records' short forms in it stand for
	arms    bool            // one of the records names the two arms that it compares
	isFound bool            // a sentence of the records has all of its figures
}

// pairing is a sentence of a record, and the statement's sentence read with the same arms. The record's sentence is the
// source if it has all figures by which the statement states a result.
type pairing struct {
	told, record results.Tuple
	reading      *results.Reading
	named        map[string]bool // the record's content words, and those that its short forms stand for
	isSource     bool
}

func holdTo(sentence string, sources []*Source) held {
	h := held{words: results.TellingWords(sentence), named: map[string]bool{}}
	for _, s := range sources {
		told := s.asked().Sentence(sentence)
		maps.Copy(h.named, s.asked().Words(sentence))

		h.arms = h.arms || s.asked().IsCompared()
		for _, t := range s.abstract() {
			p := pairing{told: t.Read(told), record: t, reading: s.asked(), named: s.asked().Words(t.Text)}
			p.isSource = hasFigures(p.told.Values, t.Text)
			h.pairs, h.isFound = append(h.pairs, p), h.isFound || p.isSource
		}
	}
	h.own = sources[0].asked().Of(sentence)
	return h
}

// hasFigures reports whether a text has all figures that state a result, of which there is at least one.
func hasFigures(told []results.Value, text string) bool {
	all, found := results.Quantities(text), 0
	for i := range told {
		if q := told[i].Quantity; isResult(q) {
			if !slices.ContainsFunc(all, func(r results.Quantity) bool { return results.BornOut(q, r) }) {
				return false
			}
			found++
		}
	}
	return found > 0
}

// leadIn is how many words may precede copied text: "In summary, ...".
const leadIn = 4

var introduces = plaintext.Set(`summary said overall conclusion short`)

// isCopied reports whether the statement's sentence is a record's sentence, or the beginning or the end of one, with at
// most a word of introduction before it.
func (h *held) isCopied(sources []*Source) bool {
	words := plaintext.Tokens(h.own.Text)
	for from := 0; from <= leadIn && len(words)-from >= 2*leadIn; from++ {
		if from > 0 && !plaintext.StopWords(words[from-1]) && !introduces(words[from-1]) {
			return false
		}

		copied := " " + strings.Join(words[from:], " ") + " "
		if slices.ContainsFunc(sources, func(s *Source) bool { return strings.Contains(s.allTokens(), copied) }) {
			return true
		}
	}
	return false
}

// unheldValue explains why a number belongs elsewhere in every place where the records have it; empty if one of them
// has it as stated, or none has it at all.
func (h *held) unheldValue(k int) (kind MarkKind, why string) {
	part := false
	for i := range h.pairs {
		p := &h.pairs[i]

		v := p.told.ValueAt(h.own.Values[k].Start)
		if v == nil {
			continue // with these arms, it is no result
		}

		if isFrame(p.told.Text, v) {
			return "", ""
		}

		for j := range p.record.Values {
			r := &p.record.Values[j]
			if !results.BornOut(v.Quantity, r.Quantity) || isLength(v.Quantity) && v.Measure != r.Measure {
				continue // "week 6" is no length of time
			}

			switch {
			case h.isOtherArm(p, v, r):
				kind, why = MarkArm, "the cited record gives "+v.In(p.told.Text)+" to the other arm"
			case p.isUnclear(v, r):
				return "", ""
			case isResult(v.Quantity) && v.Outcome.Name != "follow-up" && !v.Outcome.Is(&r.Outcome):
				if kind == "" {
					kind, why = MarkEndpoint, fmt.Sprintf("the cited record gives %s for %s", v.In(p.told.Text), r.Outcome.Name)
				}
			case isResult(v.Quantity) && (h.isOfPart(p) || h.isOfOthers(p)):
				part = true
			default:
				return "", ""
			}
		}

		if slices.ContainsFunc(p.record.Ratios, func(r results.Ratio) bool { return isEnd(&r, v) }) {
			return "", ""
		}
	}

	if part {
		return MarkClaim, toldOfPart
	}
	return kind, why
}

// isFrame reports whether a number states a time, a bound or a group, not a result.
func isFrame(text string, v *results.Value) bool {
	isCounted := v.Measure != results.NoMeasure && v.Measure != results.Things // the "two" of two thirds is not
	return isTimePoint(text, v) || v.Spelled && !isCounted || forms("bound before").MatchString(text[:v.Start])
}

// isUnclear reports whether the record leaves open of which outcome its number is: of several probabilities, of harms
// at large beside the outcome that a statement gives, or of a risk, which has no length and is most often of death.
func (p *pairing) isUnclear(v, r *results.Value) bool {
	isOpen := v.Measure == results.PValue || r.Outcome.Name == "harms"
	isTimeToDeath := isLength(v.Quantity) && r.Outcome.Name == "risk" && v.Outcome.Name == "OS"
	return isTimeToDeath || isOpen && names(p.record.Text, &v.Outcome)
}

// names reports whether a text names an outcome.
func names(text string, o *results.Outcome) bool {
	return slices.ContainsFunc(results.Outcomes(text), func(named results.Outcome) bool { return named.Name == o.Name })
}

// isTimePoint reports whether a length of time is the time of an observation: "at 3 years", "the 5-year rate".
func isTimePoint(text string, v *results.Value) bool {
	return isLength(v.Quantity) && (forms("time behind").MatchString(text[:v.Start]) || forms("hyphened time").MatchString(v.In(text)))
}

func isLength(q results.Quantity) bool {
	return q.Measure == results.Months || q.Measure == results.Days
}

const toldOfPart = "the cited record tells this of a part of its patients alone"

// isOfPart reports whether a record's sentence is about a part of the patients, and the statement names no part.
func (h *held) isOfPart(p *pairing) bool {
	return len(p.record.Among) > 0 && !shared(p.record.Among, h.named) && !results.NamesPart(h.own.Text)
}

// isOfOthers reports whether a record's sentence begins with the group that it is about, another sentence with another
// group, and the statement names only the latter.
func (h *held) isOfOthers(p *pairing) bool {
	words := func(p *pairing) map[string]bool { return p.reading.Words(results.Front(p.record.Text)) }

	own := words(p)
	return len(own) > 0 && slices.ContainsFunc(h.pairs, func(o pairing) bool {
		other := words(&o)
		return hasOther(other, own, h.named) && !hasOther(own, other, h.named)
	})
}

// hasOther reports whether told has a word of a that b lacks.
func hasOther(a, b, told map[string]bool) bool {
	for w := range a {
		if told[w] && !b[w] && !results.IsFinding(w) {
			return true
		}
	}
	return false
}

// isEnd reports whether a number is an end of the ratio's interval.
func isEnd(r *results.Ratio, v *results.Value) bool {
	return r.Low != nil && (results.SameNumber(r.Low.Value, v.Value) || results.SameNumber(r.High.Value, v.Value))
}

// isOtherArm reports whether a record gives a number to one arm and the statement to the other: by the arms that the
// record's sentence compares, else by the words beside its numbers.
func (h *held) isOtherArm(p *pairing, told, record *results.Value) bool {
	switch {
	case told.Measure == results.PValue:
		return false
	case told.Side >= 0 && record.Side >= 0:
		return told.Side != record.Side
	case isTurned(p, told, record):
		return true
	case record.Side >= 0 || len(p.told.Values) > 1:
		return false
	}
	return h.isOfAnother(record.Near, plaintext.Each(p.record.Values, func(v results.Value) map[string]bool {
		if v.Measure != record.Measure {
			return nil
		}
		return v.Near
	}))
}

// isTurned reports whether a statement names two groups in the order of their figures, and the record's sentence, which
// has both figures and groups, in the other order: the first name goes with the first figure, however they are listed.
func isTurned(p *pairing, told, record *results.Value) bool {
	for i := range p.told.Values {
		other := &p.told.Values[i]
		if other.Start == told.Start || other.Measure != told.Measure {
			continue
		}

		for j := range p.record.Values {
			r := &p.record.Values[j]
			if r.Start == record.Start || !results.BornOut(other.Quantity, r.Quantity) {
				continue
			}

			a, b := placesOfWords(p.record.Text, told.Own, other.Own), placesOfWords(p.record.Text, other.Own, told.Own)
			if len(a) == 0 || len(b) == 0 {
				continue
			}

			if (a[0] < b[0]) != (record.Start < r.Start) {
				return true
			}
		}
	}
	return false
}

// placesOfWords are the places in a text of the words of one name that the other lacks.
func placesOfWords(text string, own, other map[string]bool) []int {
	var out []int
	for _, w := range plaintext.Words(text) {
		for word := range results.ArmWords(w.Text) {
			if own[word] && !other[word] {
				out = append(out, w.Start)
			}
		}
	}
	return out
}

// isOfAnother reports whether the statement has no word that stands beside this number alone, but one that stands
// beside another number of its kind alone.
func (h *held) isOfAnother(near map[string]bool, all []map[string]bool) bool {
	alone := func(words map[string]bool) bool {
		for w := range words {
			others := 0
			for _, other := range all {
				if other[w] {
					others++
				}
			}

			if others == 1 && h.named[w] && !results.IsFinding(w) {
				return true
			}
		}
		return false
	}
	return isTelling(near, all) && !alone(near) && slices.ContainsFunc(all, alone)
}

// isTelling reports whether words has one that the others of their kind lack.
func isTelling(words map[string]bool, all []map[string]bool) bool {
	for w := range words {
		if !results.IsFinding(w) && !slices.ContainsFunc(all, func(other map[string]bool) bool {
			return other[w] && !maps.Equal(other, words)
		}) {
			return true
		}
	}
	return false
}

// isResult excludes numbers that describe a study instead of its findings.
func isResult(q results.Quantity) bool {
	return slices.Contains([]results.Measure{results.Percent, results.Months, results.Days, results.HazardRatio,
		results.OddsRatio, results.RelativeRisk, results.PValue}, q.Measure)
}

// tells reports whether a number may identify a result, unlike those that many sentences share.
func tells(q results.Quantity) bool {
	switch q.Measure {
	case results.ConfidenceLevel, results.Calendar, results.Phase, results.Stage, results.Grade, results.NoMeasure,
		results.Things:
		return false
	}
	return !q.Spelled
}

func shared(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}
