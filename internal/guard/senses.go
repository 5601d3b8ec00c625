package guard

import (
	"context"
	"slices"
	"strings"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// sense is the reading of one word of a question.
type sense struct {
	lexicon.Part
	entry *lexicon.Entry
}

// possibleNames are single words that were read and may be a person's name, where nothing in the question shows that
// medicine is meant.
func (o *Outgoing) possibleNames(ctx context.Context, asked *lexicon.Question) ([]lexicon.Part, error) {
	var out []lexicon.Part
	for _, s := range sensesOf(asked) {
		isProven, err := o.isProven(ctx, asked, s)
		if err != nil {
			return nil, err
		}

		if !isProven {
			out = append(out, s.Part)
		}
	}

	for _, c := range asked.Tumours {
		if name, ok := o.nameBeforeNoun(c); ok {
			out = append(out, name)
		}
	}

	for _, again := range asked.Dropped { // "said already"
		isIt := func(p lexicon.Part) bool { return text.Fold(p.Text) == text.Fold(again.Text) }
		if slices.ContainsFunc(out, isIt) {
			out = append(out, again.Part)
		}
	}
	return out, nil
}

// isProven reports whether a word has the meaning that it was read with, or is no name. A disease called by a name is
// proven by the noun behind it, a short form by its spelling, a ward's short name by the drug or the target that it
// goes with, and a place by its context.
func (o *Outgoing) isProven(ctx context.Context, asked *lexicon.Question, s sense) (bool, error) {
	switch {
	case strings.ContainsFunc(strings.TrimSuffix(s.Text, "'s"), isBetweenWords):
		return true, nil
	case isEponymOf(s.entry, s.Text):
		return isOnlyTumour(asked, s) || goesWithDrug(asked, s), nil
	case !isPersonName(s.Text):
		return true, nil
	case s.entry.Kind == lexicon.KindGene:
		begins := s.Start == 0 && forms("sign behind a name").MatchString(asked.Text[s.End:])
		return s.Text == strings.ToUpper(s.Text) || !isNameLike(s.Text) && !begins, nil
	case s.entry.Aspect == "place":
		standing, err := o.standing(ctx, s.Text)
		return isPlaceThere(asked, s.Part) || standing.isEveryday(), err
	case s.entry.Kind != lexicon.KindSetting && s.isShort():
		isWritten := s.Text == strings.ToUpper(s.Text) && asked.Text != strings.ToUpper(asked.Text)
		return isWritten || isOnlyTumour(asked, s) || goesWithDrug(asked, s) || isGoverned(asked, s), nil
	}
	return true, nil
}

// isGoverned reports whether a word read as the role of a treatment (given before, or excluded) directly precedes a
// drug's short name that is not written like a name: "prior bev", "nach Carbo".
func isGoverned(asked *lexicon.Question, s sense) bool {
	return (!isNameLike(s.Text) || lexicon.IsGerman(asked.Text)) && s.entry.Kind == lexicon.KindDrug &&
		slices.ContainsFunc(asked.Dropped, func(d lexicon.Dropped) bool {
			return d.Governs() && d.End <= s.Start && strings.TrimSpace(asked.Text[d.End:s.Start]) == ""
		})
}

// nameBeforeNoun finds the name that begins a compound tumour before a noun of another one: "Richter" in "Richter
// Pankreaskarzinom".
func (o *Outgoing) nameBeforeNoun(c lexicon.Concept) (lexicon.Part, bool) {
	words := strings.Fields(c.Text)

	e, ok := o.Lexicon.Lookup(lexicon.KindTumour, c.Type)
	if c.Entry != nil || !ok || len(words) < 2 || !isEponymOf(e, words[0]) {
		return lexicon.Part{}, false
	}
	_, isOwn := o.Lexicon.Lookup(lexicon.KindTumour, words[0]+" "+words[1])
	return lexicon.Part{Text: words[0], Start: c.Start, End: c.Start + len(words[0])}, !isOwn
}

// isShort reports whether a word is not a full name of its entry.
func (s sense) isShort() bool {
	isIt := func(name string) bool { return text.Fold(name) == text.Fold(s.Text) }
	return slices.ContainsFunc(s.entry.Spoken, isIt) || slices.ContainsFunc(s.entry.Abbreviations, isIt)
}

// sensesOf are the entries of a question, in its places.
func sensesOf(asked *lexicon.Question) []sense {
	concept := func(c lexicon.Concept) sense { return sense{c.Part, c.Entry} }
	out := slices.Concat(
		text.Each(asked.Tumours, concept), text.Each(asked.Conditions, concept),
		text.Each(asked.Alterations, func(a lexicon.Alteration) sense { return sense{a.Part, a.Entry} }),
		text.Each(asked.Biomarkers, func(b lexicon.Biomarker) sense { return sense{b.Part, b.Entry} }),
		text.Each(asked.Drugs, func(d lexicon.Drug) sense { return sense{d.Part, d.Entry} }),
		text.Each(asked.Setting, func(c lexicon.Circumstance) sense { return sense{c.Part, c.Entry} }))
	return slices.DeleteFunc(out, func(s sense) bool { return s.entry == nil })
}

// isEponymOf reports whether a word is the name before a noun in an entry's name: "Hodgkin" of "Hodgkin lymphoma".
func isEponymOf(e *lexicon.Entry, word string) bool {
	return slices.Contains(eponymsOf(e), eponymKey(word))
}

// eponymsOf are the names before a noun in an entry's names, which the dictionary capitalises.
func eponymsOf(e *lexicon.Entry) (out []string) {
	for _, name := range append([]string{e.Name}, e.Synonyms...) {
		if first, noun, _ := strings.Cut(name, " "); noun != "" && isNameLike(first) && e.Aspect != "place" {
			out = append(out, eponymKey(first))
		}
	}
	return out
}

// eponymKey is a name without its genitive ending.
func eponymKey(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text.Fold(name), "s"), "'")
}

// isEponym reports whether a word is such a name of any entry.
func (o *Outgoing) isEponym(word string) bool {
	o.gathered.Do(func() {
		o.eponyms = map[string]bool{}

		entries := o.Lexicon.Entries()
		for i := range entries {
			for _, name := range eponymsOf(&entries[i]) {
				o.eponyms[name] = true
			}
		}
	})
	return o.eponyms[eponymKey(word)]
}

// isOnlyTumour reports whether this word is the question's only tumour: without it nothing would be asked.
func isOnlyTumour(asked *lexicon.Question, s sense) bool {
	isOther := func(c lexicon.Concept) bool { return c.Entry != s.entry }
	return s.entry.Kind == lexicon.KindTumour && !slices.ContainsFunc(asked.Tumours, isOther)
}

// goesWithDrug reports whether only a joining word or sign separates a drug from another one, or the question has its
// target.
func goesWithDrug(asked *lexicon.Question, s sense) bool {
	isWith := func(d lexicon.Drug) bool { return isJoinedTo(asked, s.Part, d.Part) }

	isTarget := func(a lexicon.Alteration) bool {
		return slices.ContainsFunc(s.entry.Targets, func(t string) bool { return strings.HasPrefix(t+" ", a.Gene+" ") })
	}
	switch s.entry.Kind {
	case lexicon.KindDrug, lexicon.KindClass, lexicon.KindTreatment:
		return slices.ContainsFunc(asked.Drugs, isWith) || slices.ContainsFunc(asked.Alterations, isTarget)
	}
	return false
}

// isJoinedTo reports whether a sign or two words without own meaning stand between two parts of a question.
func isJoinedTo(asked *lexicon.Question, first, second lexicon.Part) bool {
	if second.Start < first.Start {
		first, second = second, first
	}

	if first.Overlaps(second) {
		return false
	}
	between := lexicon.Part{Start: first.End, End: second.Start}
	joint := strings.TrimSpace(asked.Text[between.Start:between.End])
	isBetween := func(s sense) bool { return s.Overlaps(between) }
	return joint != "" && len(strings.Fields(joint)) <= 2 && !strings.ContainsAny(joint, ",;:()") &&
		!forms("for somebody").MatchString(joint) &&
		!slices.ContainsFunc(sensesOf(asked), isBetween)
}

// isPlaceThere reports whether a word is used as a place: behind "in", or before its inhabitants.
func isPlaceThere(asked *lexicon.Question, part lexicon.Part) bool {
	return forms("place before").MatchString(textBefore(asked.Text, part)) ||
		forms("amount").MatchString(strings.ToLower(asked.Text[part.End:]))
}
