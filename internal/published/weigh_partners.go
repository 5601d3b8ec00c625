package published

import (
	"slices"
	"strings"

	"dossier/internal/evidence"
	"dossier/internal/lexicon"
	"dossier/internal/text"
)

var (
	withPartners = text.LazyRegexp(`(?i)\b(?:in combination with|combined with|together with|concurrently with|` +
		`indicated with|administered with)\s+`)
	endOfPartners = text.LazyRegexp(`(?i),?\s+(?:is|are|for|as|in (?:adult|patients|the|women|men|people)|after|followed|` +
		`who|whose|where|when|that|previously)\b|[.;:•]|,\s+for\b`)
	optional = text.LazyRegexp(`(?i)\bwith or without\b|\balone or in combination\b|` +
		`\b(?:single agent|monotherapy),? or in combination\b`)
	perPart   = text.LazyRegexp(`(?i),?\s+and\s+(?:either\s+)?|,\s*`)
	perChoice = text.LazyRegexp(`(?i),?\s+or\s+(?:either\s+)?`)
)

// partnersOf are the treatments that an indication combines with its drug: all of the lists, one from each.
func (s *scale) partnersOf() (all [][]lexicon.Drug) {
	for _, at := range withPartners().FindAllStringIndex(s.text, -1) {
		list := s.text[at[1]:]
		if end := endOfPartners().FindStringIndex(list); end != nil {
			list = list[:end[0]]
		}
		all = append(all, s.listed(list)...)
	}
	return all
}

// listed reads "A, B and either C or D": all of the parts, and the choices of each.
func (s *scale) listed(list string) (all [][]lexicon.Drug) {
	parts := perPart().Split(list, -1)
	if !strings.Contains(strings.ToLower(list), " and ") && perChoice().MatchString(list) {
		parts = []string{list} // "A, B, or C"
	}

	for _, part := range parts {
		var choices []lexicon.Drug
		for _, choice := range perChoice().Split(part, -1) {
			read := s.words.Read(choice)
			choices = append(choices, read.Drugs...)
		}

		choices = slices.DeleteFunc(choices, func(d lexicon.Drug) bool { return s.isOwn(&d) })
		if len(choices) > 0 {
			all = append(all, choices)
		} else if part = strings.TrimSpace(part); part != "" && !s.isOwnText(part) {
			s.unread = append(s.unread, part)
		}
	}
	return all
}

func (s *scale) isOwnText(part string) bool {
	read := s.words.Read(part)
	return slices.ContainsFunc(read.Drugs, func(d lexicon.Drug) bool { return s.isOwn(&d) })
}

func (s *scale) isOwn(d *lexicon.Drug) bool {
	return slices.ContainsFunc(s.own, func(own lexicon.Drug) bool { return sameDrug(&own, d) })
}

func sameDrug(a, b *lexicon.Drug) bool { return text.Fold(a.Name) == text.Fold(b.Name) }

// partners compares the treatments given together.
func (s *scale) partners() {
	demanded := s.partnersOf()
	for i := range s.own {
		if !sameDrug(&s.own[i], s.drug) {
			demanded = append(demanded, []lexicon.Drug{s.own[i]}) // a product of several substances
		}
	}
	given := s.beside()
	isOptional := optional().MatchString(s.text)

	used := map[int]bool{}
	for _, choices := range demanded {
		found := false
		for i := range given {
			if slices.ContainsFunc(choices, func(d lexicon.Drug) bool { return s.gives(&given[i], &d) }) {
				found, used[i] = true, true
			}
		}

		if !found && !isOptional {
			s.differ(evidence.SlotCombination, "with "+namesOfDrugs(choices, " or "), with(given))
		}
	}

	for i := range given {
		if !used[i] {
			s.differ(evidence.SlotCombination, s.alone(demanded), with(given))
		}
	}
}

func (s *scale) alone(demanded [][]lexicon.Drug) string {
	if len(demanded) == 0 {
		return "by itself"
	}
	choices := func(d []lexicon.Drug) string { return namesOfDrugs(d, " or ") }
	return "with " + strings.Join(text.Each(demanded, choices), " and ")
}

// gives reports whether a treatment is the demanded one, one of its class, or a regimen with such a drug in it.
func (s *scale) gives(given, demanded *lexicon.Drug) bool {
	if s.words.Gives(given, demanded) {
		return true
	}

	if given.Entry == nil {
		return false
	}
	return slices.ContainsFunc(given.Entry.Implies, func(name string) bool {
		part := s.words.Read(name)
		return slices.ContainsFunc(part.Drugs, func(d lexicon.Drug) bool { return s.words.Gives(&d, demanded) })
	})
}

func with(given []lexicon.Drug) string {
	if len(given) == 0 {
		return "by itself"
	}
	return "with " + namesOfDrugs(given, " and ")
}

func namesOfDrugs(drugs []lexicon.Drug, sep string) string {
	return strings.Join(text.Each(drugs, func(d lexicon.Drug) string { return d.Name }), sep)
}

// beside are the treatments that the question combines with the drug.
func (s *scale) beside() (out []lexicon.Drug) {
	for _, d := range s.q.Drugs {
		isAsked := d.Role == lexicon.Given || d.Role == lexicon.Compared || d.Role == lexicon.Then ||
			d.Role == lexicon.Background

		isTogether := d.Regimen == s.drug.Regimen || d.Role == lexicon.Background
		if isAsked && isTogether && !sameDrug(&d, s.drug) {
			out = append(out, d)
		}
	}
	return out
}
