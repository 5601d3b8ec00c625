package grounding

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/results"
	plaintext "dossier/internal/text"
)

// markClaims marks claims beyond any result: a cause, where the records only observe; patients or a trial, where the
// records have none; certainty or generality that no record has; and trial names that no record has.
func (g *Checker) markClaims(text string, sources []*Source) []Mark {
	if len(sources) == 0 {
		return nil
	}

	var out []Mark
	for _, check := range []struct {
		form, why string
		kind      MarkKind
		is        func(s *Source, said, behind string) bool
	}{
		{"cause", "the cited record observes, and does not say that one caused the other", MarkDesign, (*Source).mayCause},
		{"sure", "no cited record says so", MarkClaim, func(s *Source, said, _ string) bool { return s.saysLike(said) }},
		{"general", "no cited record says this of all of them", MarkClaim,
			func(s *Source, said, _ string) bool { return s.saysOfAll(said) }},
		{"patients", "the cited record is on no patients", MarkDesign, (*Source).isOnPatients},
		{"a trial", "the cited record is no trial", MarkDesign, (*Source).isTrial},
		{"trial name", "no cited record names this", MarkClaim, func(s *Source, said, _ string) bool {
			return s.namesAll(said) || g.isRead(said)
		}},
	} {
		for _, m := range forms(check.form).FindAllStringIndex(text, -1) {
			at := plaintext.Span{Start: m[0], End: m[1]}

			said := at.In(text)
			if forms("decimal").MatchString(text[m[1]:]) || check.form == "sure" && results.IsDenied(text[:m[0]]) {
				continue // "SMR 1.9" is a figure, "not clearly" nothing sure
			}

			if !slices.ContainsFunc(sources, func(s *Source) bool { return check.is(s, said, text[m[1]:]) }) {
				out = append(out, newMark(check.kind, text, at, check.why))
			}
		}
	}
	return out
}

// isRead reports whether the dictionary knows a word in capitals, or a year stands behind it.
func (g *Checker) isRead(said string) bool {
	q := g.words.Read(said)
	return len(q.Tumours)+len(q.Drugs)+len(q.Alterations)+len(q.Biomarkers)+len(q.Setting)+len(q.Conditions) > 0 ||
		forms("capitals and a year").MatchString(said)
}

// mayCause reports whether a record was designed to show causes, or makes the claim itself: in the same words, or by
// attributing something to what follows the claim.
func (s *Source) mayCause(said, behind string) bool {
	return !s.asked().IsObservational() || s.saysLike(said) ||
		forms("attributed").MatchString(said) && s.attributes(behind)
}

// attributes reports whether a record attributes something to the thing a text begins with: "due to pneumonitis".
func (s *Source) attributes(text string) bool {
	to := firstStems(text, 1)
	return slices.ContainsFunc(forms("attributed").FindAllStringIndex(s.folded, -1), func(m []int) bool {
		behind := firstStems(s.folded[m[1]:], 2)
		return slices.ContainsFunc(behind, func(stem string) bool { return slices.Contains(to, stem) })
	})
}

// firstStems are the stems of the first n words of a text, function words left out.
func firstStems(text string, n int) (out []string) {
	for _, w := range plaintext.Tokens(plaintext.Head(text, 120)) {
		if !plaintext.StopWords(w) && len(out) < n {
			out = append(out, plaintext.Stem(w))
		}
	}
	return out
}

// saysLike reports whether a record has every word of said, whatever its ending.
func (s *Source) saysLike(said string) bool {
	for _, w := range plaintext.Tokens(said) {
		if plaintext.StopWords(w) && w != "all" && w != "any" && w != "no" && w != "without" {
			continue
		}

		stem := stemOf(w)
		if !strings.Contains(s.stems(), " "+stem+" ") {
			return false
		}
	}
	return true
}

// saysOfAll reports whether a sentence of the record speaks of all things of the kind that a phrase ends with: "in both
// subtypes" for "in all subtypes".
func (s *Source) saysOfAll(said string) bool {
	words := plaintext.Tokens(said)
	kind := stemOf(words[len(words)-1])
	return slices.ContainsFunc(s.sentences, func(one sourceSentence) bool {
		return forms("of all kinds").MatchString(one.text) && strings.Contains(stemmed(one.text), " "+kind+" ")
	})
}

// stems are the stems of the record's words in order, with a space before and behind each.
func (s *Source) stems() string {
	if s.wordStems == "" {
		s.wordStems = stemmed(s.folded)
	}
	return s.wordStems
}

// stemOf is a word's stem in one spelling: that of "paediatric" is that of "pediatric".
func stemOf(word string) string { return digraphs.Replace(plaintext.Stem(word)) }

var digraphs = strings.NewReplacer("ae", "e", "oe", "e")

func stemmed(text string) string {
	return " " + strings.Join(plaintext.Each(plaintext.Tokens(text), stemOf), " ") + " "
}

func (s *Source) isOnPatients(string, string) bool {
	return s.bucket != evidence.Preclinical && !s.asked().IsExperiment() || forms("patients").MatchString(s.folded)
}

// isTrial is false only if a publication type calls the record a review or a report of cases and its text mentions no
// trial. "This trial" is the record itself.
func (s *Source) isTrial(said, _ string) bool {
	isOther := slices.ContainsFunc(s.record.PublicationTypes, func(t evidence.PublicationType) bool {
		return strings.Contains(t.Name, "Review") || strings.Contains(t.Name, "Meta-Analysis") || t.Name == "Case Reports"
	})
	isOther = isOther || s.bucket == evidence.SystematicReview
	return !isOther || !forms("this one").MatchString(said) && forms("a trial").MatchString(s.folded)
}
