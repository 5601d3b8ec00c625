package guard

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lexicon"
	"dossier/internal/text"
)

// askedWord is a word of a question with its place.
type askedWord struct {
	lexicon.Part
	of        *lexicon.Part // the unread part that it belongs to; nil where it was read
	stays     bool
	isSlot    bool   // it was understood
	isCore    bool   // as a disease, an alteration, a marker or a drug
	isDrug    bool   // by its own name
	hasValue  bool   // as a marker or a drug, which can have a value or a dose
	isTerm    bool   // it is part of an entry's name
	isKnown   bool   // the dictionary has it
	isJoined  bool   // it was understood together with a word beside it
	aspect    string // the circumstance of the question that it was read as
	isPerson  bool   // it is a census name, and none of the above
	mayBeName bool   // it consists of letters, at least as many as surnames that are no word's ending
	standing  *WordUse
}

type askedWords struct {
	text        string
	words       []askedWord
	hasPersonal bool // some of them are personal data
}

// minBeside excludes "an", "so" and "he", which are surnames, from joining a name beside them.
const minBeside = 3

func (o *Outgoing) wordsOf(asked *lexicon.Question, unproven []lexicon.Part) *askedWords {
	w := &askedWords{text: asked.Text}
	notUnderstood := slices.Concat(asked.Unaccounted(), text.Each(asked.Dropped, droppedPart), unproven)
	core, measured := coreOf(asked), slices.Concat(
		text.Each(asked.Biomarkers, func(b lexicon.Biomarker) lexicon.Part { return b.Part }),
		text.Each(asked.Drugs, func(d lexicon.Drug) lexicon.Part { return d.Part }))
	drugs := drugsOf(asked)
	conditions := text.Each(asked.Conditions, func(c lexicon.Concept) lexicon.Part { return c.Part })
	understood := slices.Concat(core, conditions,
		text.Each(asked.Setting, func(c lexicon.Circumstance) lexicon.Part { return c.Part }))

	bounds := map[int]bool{} // also within a run of letters: between Chinese characters, and in "61F"
	for _, part := range notUnderstood {
		bounds[part.Start], bounds[part.End] = true, true
	}

	start := -1
	for i, r := range asked.Text + " " {
		if start >= 0 && (isBetweenWords(r) || bounds[i]) {
			part := lexicon.Part{Text: asked.Text[start:i], Start: start, End: i}
			isSlot := !slices.ContainsFunc(notUnderstood, part.Overlaps)
			isCore := isSlot && slices.ContainsFunc(core, part.Overlaps)
			isGrammar := isGrammar(asked, part)
			isLarger := func(p lexicon.Part) bool { return isJoined(asked.Text, part, p) }
			w.words = append(w.words, askedWord{
				Part: part, isSlot: isSlot, isCore: isCore, isTerm: o.Lexicon.HasTerm(part.Text),
				isDrug:   isSlot && slices.ContainsFunc(drugs, part.Overlaps),
				hasValue: isSlot && slices.ContainsFunc(measured, part.Overlaps),
				isKnown:  o.Lexicon.Means(part.Text),
				isJoined: isSlot && slices.ContainsFunc(understood, isLarger),
				aspect:   aspectOf(asked, part),
				isPerson: !isCore && !isGrammar && isPersonName(part.Text) && !isTrialName(asked.Text, part),
				mayBeName: utf8.RuneCountInString(part.Text) >= minBeside &&
					!hasFigure(part.Text) && !isGrammar,
			})
			start = -1
		}

		if start < 0 && !isBetweenWords(r) {
			start = i
		}
	}

	for _, part := range unproven {
		w.mark(part, true)
	}
	return w
}

// isGrammar reports whether a word in small letters was read as one that governs others, or is a preposition or an
// article: "prior", "vs", "bei". Its effect on its neighbours must not get lost.
func isGrammar(asked *lexicon.Question, part lexicon.Part) bool {
	return part.Text == strings.ToLower(part.Text) && slices.ContainsFunc(asked.Dropped, func(d lexicon.Dropped) bool {
		return d.Overlaps(part) && (d.Governs() || lexicon.IsPreposition(part.Text))
	})
}

func hasFigure(word string) bool { return strings.IndexFunc(word, unicode.IsDigit) >= 0 }

func droppedPart(d lexicon.Dropped) lexicon.Part { return d.Part }

// coreOf are the places of a question's diseases, alterations, markers and drugs. Other readings may be a name beside
// another: "dolores", "harms", and a drug's short name written like a person's, "Soto".
func coreOf(asked *lexicon.Question) []lexicon.Part {
	return slices.Concat(
		text.Each(asked.Tumours, func(c lexicon.Concept) lexicon.Part { return c.Part }),
		text.Each(asked.Alterations, func(a lexicon.Alteration) lexicon.Part { return a.Part }),
		text.Each(asked.Biomarkers, func(b lexicon.Biomarker) lexicon.Part { return b.Part }),
		drugsOf(asked),
	)
}

// drugsOf are the places of a question's drugs, except those that may be a person's name: "Soto", "Chemo".
func drugsOf(asked *lexicon.Question) []lexicon.Part {
	drugs := slices.DeleteFunc(slices.Clone(asked.Drugs), func(d lexicon.Drug) bool {
		return isPersonName(d.Text) && !hasFigure(d.Text) || d.Class && isNameLike(d.Text)
	})
	return text.Each(drugs, func(d lexicon.Drug) lexicon.Part { return d.Part })
}

// isJoined reports whether a larger part of a text contains a word beside this one, with no comma between.
func isJoined(text string, word, part lexicon.Part) bool {
	before, behind := strings.TrimRight(text[:word.Start], " "), text[word.End:]
	return part.Overlaps(word) && (part.Start < word.Start && !strings.HasSuffix(before, ",") ||
		part.End > word.End && !strings.HasPrefix(behind, ","))
}

// aspectOf is the aspect of the question's circumstance at a place; empty where there is none.
func aspectOf(asked *lexicon.Question, part lexicon.Part) string {
	for _, c := range asked.Setting {
		if c.Overlaps(part) {
			return c.Aspect
		}
	}
	return ""
}

// mark decides for each word of an unread part whether it is withheld.
func (w *askedWords) mark(part lexicon.Part, stays bool) {
	for i := range w.words {
		if word := &w.words[i]; word.Overlaps(part) {
			word.of, word.stays = &part, word.stays || stays
		}
	}
}

// keep withholds a word that belongs to a person.
func (w *askedWords) keep(i int) { w.words[i].stays, w.hasPersonal = true, true }

// keepPart does so with the words of a part, whether read or not.
func (w *askedWords) keepPart(part lexicon.Part) {
	w.mark(part, true)
	w.hasPersonal = true
}

// hasSlot reports whether a word of a part was read as a slot's value.
func (w *askedWords) hasSlot(part lexicon.Part) bool {
	return slices.ContainsFunc(w.words, func(word askedWord) bool { return word.isSlot && word.Overlaps(part) })
}

// withheld lists the withheld parts: whole unread parts, else single words.
func (w *askedWords) withheld() []lexicon.Part {
	var out []lexicon.Part
	for i := range w.words {
		word := &w.words[i]

		part := word.Part
		if word.of != nil {
			part = *word.of
		}

		if word.stays && (len(out) == 0 || out[len(out)-1] != part) {
			out = append(out, part)
		}
	}
	return out
}

// besideNames withholds words that form a name with their neighbour. Names are words, too: "rose brown", "hope long"; a
// word in one paper of a hundred is a name behind "patient" and beside another. Two adjacent words are both withheld if
// both are written like names and unknown, or if both are census names; beside a withheld one, such a name and what
// precedes or follows a family name.
func (o *Outgoing) besideNames(ctx context.Context, w *askedWords) error {
	shouts := w.text == strings.ToUpper(w.text)
	for range 2 { // a name may have three words
		for i := 1; i < len(w.words); i++ {
			a, b := &w.words[i-1], &w.words[i]

			gap := strings.Trim(w.text[a.End:b.Start], " ")
			if tables().beforeNames[text.Fold(a.Text)] && strings.Trim(gap, ".:,") == "" && b.of != nil &&
				(b.isPerson || !shouts && b.isInitials()) {
				w.keep(i)
			}

			if gap != "" && gap != "," || !a.mayBeName || !b.mayBeName || a.of == nil && b.of == nil {
				continue
			}

			if a.stays && b.stays {
				w.hasPersonal = w.hasPersonal || a.isPerson && b.isPerson
				continue
			}

			isName, err := o.isNameOfTwo(ctx, a, b)
			if err != nil {
				return err
			}

			if isName || !shouts && a.isWrittenAsName() && b.isWrittenAsName() {
				w.keep(i - 1)
				w.keep(i)
			}
		}
	}
	return nil
}

// isInitials reports whether a word is two or three capitals that are no entry's name.
func (word *askedWord) isInitials() bool {
	return !word.isTerm && len(word.Text) <= 3 && word.Text == strings.ToUpper(word.Text) && !hasFigure(word.Text)
}

// isNameOfTwo reports whether, by the censuses and by the papers' authors, two adjacent words may be one person's name.
func (o *Outgoing) isNameOfTwo(ctx context.Context, a, b *askedWord) (bool, error) {
	for _, word := range []*askedWord{a, b} {
		if word.standing == nil {
			standing, err := o.standing(ctx, word.Text)
			if err != nil {
				return false, err
			}
			word.standing = &standing
		}
	}

	if b.stays {
		a, b = b, a
	}

	switch {
	case a.stays && b.isPerson && !(b.isSlot && b.standing.isEveryday()):
		return true, nil
	case a.isPerson && b.isPerson && !a.isSlot && !b.isSlot: // everyday words, too: "will long"
		return true, nil
	}
	return a.stays && !a.isTerm && !b.isTerm &&
		(b.standing.Authors > 0 || b.of != nil && a.standing.isName()), nil
}

// isWrittenAsName reports whether an unknown word begins with a capital.
func (word *askedWord) isWrittenAsName() bool {
	first, _ := utf8.DecodeRuneInString(word.Text)
	return unicode.IsUpper(first) && word.of != nil && !word.isKnown
}

// inNames withholds what stands in the place of a name. A word that was read is withheld if the question asks for the
// same tumours without it, or if it is a name, too, beside another one: beside a withheld name ("Paul Skin AML"),
// behind a word for a patient, before an age ("Ewing, 52, GIST"), a person's verb or removed text, and before another
// disease ("Richters Melanom").
func (o *Outgoing) inNames(w *askedWords, asked *lexicon.Question) {
	for i := range w.words {
		word := &w.words[i]
		if !word.stays && !word.isDrug && w.isInName(i) && (word.of != nil || w.isBesideStayingName(i) ||
			o.asksSameWithout(asked, w, word.Part)) {
			w.keep(i)
		}
	}
}

func (w *askedWords) isInName(i int) bool {
	word := &w.words[i]

	isWritten, isPerson := isNameLike(word.Text), isPersonName(word.Text)
	switch {
	case !word.mayBeName, isForPerson(word.Text), !isWritten && !isPerson:
		return false
	case w.isNameBeside(i, i-1), w.isNameBeside(i, i+1):
		return true
	case !isWritten, word.isJoined:
		return false
	}
	isBehindLabel := i > 0 && w.gapBefore(i) == "" && isForPerson(w.words[i-1].Text)
	isBeforeCore := i+1 < len(w.words) && w.words[i+1].isCore && w.gapBefore(i+1) == ""
	isBefore := w.isBeforeAge(i) || w.isBeforeVerb(i) || word.isCore && isBeforeCore
	return isBehindLabel || isPerson && (isBefore || w.isBesideMark(i))
}

// isNameBeside reports whether the word n beside word i is a withheld name, written like one, an initial or the short
// form of a title: "Dara O'Shea", "Dña. Dolores".
func (w *askedWords) isNameBeside(i, n int) bool {
	if n < 0 || n >= len(w.words) || !w.words[n].stays && !w.isInitial(n) {
		return false
	}
	const longestTitle = 4

	one, other, gap := &w.words[i], &w.words[n], w.gapBefore(max(i, n))
	switch {
	case isNameLike(one.Text) && w.isInitial(n):
		return strings.Trim(gap, ".") == ""
	case gap == "." && n < i && utf8.RuneCountInString(other.Text) <= longestTitle:
		return isNameLike(one.Text) && isNameLike(other.Text)
	case gap != "":
		return false
	}
	isSmall := func(word string) bool { return word == strings.ToLower(word) }
	return (other.isPerson || other.isWrittenAsName()) &&
		isNameLike(one.Text) == isNameLike(other.Text) && isSmall(one.Text) == isSmall(other.Text)
}

// isBesideStayingName reports whether a name of one word stands beside another, withheld one.
func (w *askedWords) isBesideStayingName(i int) bool {
	isName := func(n int) bool { return n >= 0 && n < len(w.words) && w.words[n].stays && w.words[n].isPerson }
	return isPersonName(w.words[i].Text) && !w.words[i].isJoined && (isName(i-1) || isName(i+1))
}

// isBesideMark reports whether a word directly adjoins removed text.
func (w *askedWords) isBesideMark(i int) bool {
	word := &w.words[i]
	return strings.HasPrefix(strings.TrimLeft(w.text[word.End:], " ,("), Mark) ||
		strings.HasSuffix(strings.TrimRight(w.text[:word.Start], " ,)"), Mark)
}

// asksSameWithout reports whether a question without a part, and without the withheld ones, has tumours, and no new
// ones: an organ that was read together with a histology, but has no entry with it, may go.
func (o *Outgoing) asksSameWithout(asked *lexicon.Question, w *askedWords, part lexicon.Part) bool {
	var had []string
	for _, c := range asked.Tumours {
		had = append(had, c.Name)
		if c.Entry == nil {
			had = append(had, c.Type)
		}
	}

	instead := map[lexicon.Part]string{part: Mark}
	for _, stays := range w.withheld() {
		instead[stays] = Mark
	}
	without := o.Lexicon.Understand(replace(asked.Text, instead)).Tumours
	isNew := func(c lexicon.Concept) bool { return !slices.Contains(had, c.Name) }
	return len(without) > 0 && !slices.ContainsFunc(without, isNew)
}
