package guard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dossier/internal/lexicon"
)

// WordUse counts the store's papers with a word in title, abstract or keywords, the titles with it, the papers with an
// author of that family name, and all papers.
type WordUse struct{ Texts, Titles, Authors, Papers int }

// isName reports whether papers have a word more as a name than as a word.
func (s WordUse) isName() bool { return s.Authors > s.Texts }

// everydayShare is the share of papers that use a word of everyday prose. Of the words that are surnames, too, "long",
// "first" and "field" are in more of the papers on cancer, and "black", "wood" and "grace" in fewer.
const everydayShare = 0.01

// isEveryday reports whether so many papers use a word that it identifies no one, even as a name.
func (s WordUse) isEveryday() bool {
	return s.Papers > 0 && s.Texts >= MinPapers && float64(s.Texts) >= everydayShare*float64(s.Papers) && !s.isName()
}

// isTopic reports whether papers are about a word: one in 5,000 has it, or one title in 50,000. In a store of any size,
// names, professions, towns and other languages are in some papers, but the topic of fewer.
func (s WordUse) isTopic() bool {
	const ofTexts, ofTitles = 1. / 5000, 1. / 50_000
	return s.Texts >= MinPapers && !s.isName() && (float64(s.Texts) >= ofTexts*float64(s.Papers) ||
		s.Titles >= MinPapers && float64(s.Titles) >= ofTitles*float64(s.Papers))
}

// Vocabulary looks up a word's use in the store's papers.
type Vocabulary func(ctx context.Context, word string) (WordUse, error)

// Outgoing decides what of a question is sent, or stored where others may read it: what was understood, and of the
// other words those that medicine knows (docs/METHOD.md, "Questions about a patient"). No list of forms finds every
// patient; an unknown word may be one.
type Outgoing struct {
	Lexicon     *lexicon.Lexicon
	Vocabulary  Vocabulary // nil where there is no store
	SendUnknown bool       // a person allowed sending such words

	gathered sync.Once
	eponyms  map[string]bool // see isEponym
}

// MinPapers is how many papers must use a word before it counts as medical: a name is in one or two.
const MinPapers = 3

// Sent is a question in the form that is sent.
type Sent struct {
	Text     string         // with Mark in place of withheld parts
	Withheld []lexicon.Part // the withheld parts, with places in the original question
}

// Of decides on a question. If a patient was found in it, everything not understood is withheld: a second name may be
// left.
func (o *Outgoing) Of(ctx context.Context, asked *lexicon.Question, patientFound bool) (Sent, error) {
	var sent Sent
	if !o.SendUnknown || patientFound {
		var err error
		if sent.Withheld, err = o.withheld(ctx, asked, patientFound); err != nil {
			return Sent{}, err
		}
	}

	instead := map[lexicon.Part]string{}
	for _, c := range asked.Corrected {
		if slices.ContainsFunc(sent.Withheld, c.Overlaps) {
			continue
		}
		instead[c.Part] = c.To // the original was in no dictionary, either
	}

	for _, part := range sent.Withheld {
		instead[part] = Mark
	}
	sent.Text = replace(asked.Text, instead)
	return sent, nil
}

// UnderstoodOf is a question with Mark in place of all unread parts.
func UnderstoodOf(words *lexicon.Lexicon, question string) string {
	asked := words.Understand(question)

	sent, err := (&Outgoing{Lexicon: words}).Of(context.Background(), &asked, true)
	if err != nil { // without a vocabulary nothing can fail
		return ""
	}
	return sent.Text
}

// replace replaces parts of a text; the first of two overlapping parts replaces both.
func replace(whole string, instead map[lexicon.Part]string) string {
	parts := slices.SortedFunc(maps.Keys(instead), func(a, b lexicon.Part) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var b strings.Builder

	at := 0
	for _, part := range parts {
		if part.Start < at {
			at = max(at, part.End)
			continue
		}
		b.WriteString(whole[at:part.Start])
		b.WriteString(instead[part])
		at = part.End
	}
	b.WriteString(whole[at:])
	return b.String()
}

func (o *Outgoing) withheld(ctx context.Context, asked *lexicon.Question, patientFound bool) ([]lexicon.Part, error) {
	inSentences := isInSentenceCase(asked.Text)

	unproven, err := o.possibleNames(ctx, asked)
	if err != nil {
		return nil, err
	}

	words, core := o.wordsOf(asked, unproven), coreOf(asked)
	for _, part := range asked.Unaccounted() {
		if strings.Contains(Mark, part.Text) {
			continue // it replaces removed text
		}

		known := false
		if !patientFound && (!inSentences || !isNameLike(part.Text) || isTrialName(asked.Text, part)) {
			if known, err = o.isMedical(ctx, asked.Text, part, slices.Contains(core, part)); err != nil {
				return nil, err
			}
		}
		words.mark(part, !known)
	}
	words.markForms()

	entries := slices.DeleteFunc(core, func(part lexicon.Part) bool { // development codes, E746_A750del
		return slices.Contains(asked.Unaccounted(), part)
	})
	for _, part := range slices.Concat(partsOf("number in pieces", asked.Text), partsOf("number in groups", asked.Text)) {
		if isNumberInPieces(asked.Text, part) && !slices.ContainsFunc(entries, part.Overlaps) {
			words.keepPart(part)
		}
	}
	words.initials()
	words.inPersonsPlaces(inSentences)
	o.inPatientsPlace(words)

	if err := o.inNamesPlace(ctx, words); err != nil {
		return nil, err
	}

	if err := o.besideNames(ctx, words); err != nil {
		return nil, err
	}
	o.inNames(words, asked)

	if words.hasPersonal {
		words.slotsAlone()
	}
	words.residue()
	words.besideStaying()
	words.posts()
	return words.withheld(), nil
}

// markForms withholds what identifies a person by its form.
func (w *askedWords) markForms() {
	for _, form := range []string{"letters that stay", "field of a record that stays"} {
		for _, part := range partsOf(form, w.text) {
			if !w.hasSlot(part) && !isReference(w.text, part) {
				w.keepPart(part)
			}
		}
	}

	for _, m := range forms("day first").FindAllStringSubmatchIndex(w.text, -1) {
		part := lexicon.Part{Text: w.text[m[0]:m[1]], Start: m[0], End: m[1]}
		if isDayFirst(groupsOf(w.text, m), true) && !w.hasSlot(part) {
			w.keepPart(part)
		}
	}

	for _, part := range partsOf("birth in words", w.text) {
		for i := range w.words {
			if word := &w.words[i]; part.Overlaps(word.Part) && !word.isSlot {
				w.keep(i)
			}
		}
	}

	for _, form := range []string{"old age that stays", "birth year that stays", "age at a day"} {
		for _, part := range partsOf(form, w.text) {
			if !isReference(w.text, part) {
				w.keepPart(part)
			}
		}
	}
}

// partsOf are the places in a text that match a form, each of its first matching group.
func partsOf(form, text string) []lexicon.Part {
	var out []lexicon.Part
	for _, m := range forms(form).FindAllStringSubmatchIndex(text, -1) {
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				out = append(out, lexicon.Part{Text: text[m[group]:m[group+1]], Start: m[group], End: m[group+1]})
			}
		}
	}
	return out
}

// isMedical reports whether each word of a part is in the dictionary, or a topic of the store's papers; for one that
// looks like a drug or a gene, and for a trial's name, whether any papers have it.
func (o *Outgoing) isMedical(ctx context.Context, question string, part lexicon.Part, looksSo bool) (bool, error) {
	if isReference(question, part) {
		return true, nil
	}

	if figuresIn(part.Text) > maxFigures {
		return false, nil
	}

	isTrial := isTrialName(question, part)
	for word := range strings.FieldsFuncSeq(part.Text, isBetweenWords) {
		if is, err := o.isMedicine(ctx, word, isTrial, looksSo); err != nil || !is {
			return false, err
		}
	}
	return true, nil
}

func (o *Outgoing) isMedicine(ctx context.Context, word string, isTrial, looksSo bool) (bool, error) {
	isPerson := isPersonName(word) && !isTrial
	switch { // the dictionary also has words of grammar: "after"
	case !isPerson && o.Lexicon.Means(word) && !o.isEponym(word), o.Lexicon.Knows(word) && isTrial:
		return true, nil
	case o.Vocabulary == nil, isForeign(word):
		return false, nil
	}

	standing, err := o.standing(ctx, word)
	switch {
	case err != nil:
		return false, err
	case isFigures(word): // numbers decides on these
		return true, nil
	case isPerson:
		return standing.isEveryday(), nil
	case isTrial && len(word) > maxShortLetters, !standing.isName() && (looksSo || o.endsAsTerm(word)):
		return standing.Texts >= MinPapers, nil
	}
	return standing.isTopic(), nil
}

// endsAsTerm reports whether a word ends like an entry's name: "Peritonealmesotheliom".
func (o *Outgoing) endsAsTerm(word string) bool {
	const shortest = 5
	for at := range word {
		if at == 0 || len(word)-at < shortest {
			continue
		}

		if _, is := o.Lexicon.Lookup("", word[at:]); is {
			return true
		}
	}
	return false
}

// isTrialName reports whether a word is written like a trial's name: in capitals where other words are not, with a
// hyphen and a figure behind it, as in PAOLA-1 and DESTINY-Lung01, or beside the word for a trial. A person's or a
// town's name before "criteria" is theirs.
func isTrialName(question string, part lexicon.Part) bool {
	rest, before := question[part.End:], textBefore(question, part)
	if part.Text != strings.ToUpper(part.Text) {
		return forms("criteria behind").MatchString(rest) || forms("criteria before").MatchString(before)
	}
	return forms("whole name of a trial").MatchString(part.Text) ||
		forms("rest of a trial's name").MatchString(rest) || question != strings.ToUpper(question) &&
		(forms("trial behind").MatchString(rest) || forms("trial before").MatchString(before))
}

// textBefore is as much of a question as shows what precedes a word or a number.
func textBefore(question string, part lexicon.Part) string {
	const most = 64
	return question[max(part.Start-most, 0):part.Start]
}

func (o *Outgoing) standing(ctx context.Context, word string) (WordUse, error) {
	if o.Vocabulary == nil {
		return WordUse{}, nil
	}

	standing, err := o.Vocabulary(ctx, word)
	if err != nil {
		return WordUse{}, fmt.Errorf("looking how the store's papers know a word: %w", err)
	}
	return standing, nil
}

// maxFigures is the number of figures of a dose or a year: a longer number is more likely a patient's than a paper's.
const maxFigures = 4

// minInGroups is the number of figures that a number in separate groups must exceed.
const minInGroups = 5

// figuresIn counts the figures of a number with its signs, as in 014-0032. Lone years, and ranges of years, count as
// one.
func figuresIn(text string) int {
	figures, years := 0, 0
	for _, run := range piecesOf(text) {
		n := utf8.RuneCountInString(run)

		figures += n
		if isYear(run) {
			years += n
		}
	}

	if figures == years {
		return min(figures, maxFigures)
	}
	return figures
}

// isNumberInPieces reports whether joined figures are a personal number rather than bounds, pages or doses: they are
// many, or begin with a zero.
func isNumberInPieces(question string, part lexicon.Part) bool {
	figures := figuresIn(part.Text)
	pieces := strings.FieldsFunc(part.Text, isBetweenWords)
	isMany := figures > minInGroups ||
		figures > maxFigures && (len(pieces) > 2 || slices.ContainsFunc(piecesOf(part.Text), startsWithNought))
	goesOn := strings.ContainsAny(question[max(part.Start-1, 0):part.Start], ".,:")
	return isMany && !goesOn && !isAmount(question[part.End:]) && !isReference(question, part)
}

func startsWithNought(figures string) bool { return len(figures) > 1 && figures[0] == '0' }

// piecesOf are the runs of figures of a number.
func piecesOf(number string) []string {
	return strings.FieldsFunc(number, func(r rune) bool { return !unicode.IsDigit(r) })
}

// isReference reports whether a part is the number of a register's or a database's entry, or its name before one:
// written with its letters, or behind the name of one that holds only papers, trials and terms.
func isReference(question string, part lexicon.Part) bool {
	const nearby = 200 // holds a list of numbers
	start := max(part.Start-nearby, 0)
	here := lexicon.Part{Start: part.Start - start, End: part.End - start}

	named := partsOf("number of a register", question[start:min(part.End+nearby, len(question))])
	if slices.ContainsFunc(named, here.Overlaps) {
		return true
	}
	from := strings.LastIndexFunc(question[:part.Start], unicode.IsSpace) + 1

	to := len(question)
	if n := strings.IndexFunc(question[part.End:], unicode.IsSpace); n >= 0 {
		to = part.End + n
	}
	written := strings.ToLower(strings.Trim(question[from:to], ".,;:()[]"))
	return written != "" && (forms("registry or database").FindString(written) == written ||
		forms("known address").MatchString(written))
}

// isForeign reports whether a word is in a script that papers do not use, or that does not separate words.
func isForeign(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek)
	}) >= 0
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isNameLike reports whether a word is a capital followed by small letters.
func isNameLike(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	return unicode.IsUpper(first) && rest != "" && strings.IndexFunc(rest, unicode.IsLower) >= 0 &&
		strings.IndexFunc(word, unicode.IsDigit) < 0
}

// isInSentenceCase reports whether a question has words in small letters only, and none in German: then a capital marks
// a name, which it does not in titles and in German.
func isInSentenceCase(question string) bool {
	small := 0
	for word := range strings.FieldsSeq(question) {
		if utf8.RuneCountInString(word) > 3 && strings.IndexFunc(word, unicode.IsUpper) < 0 {
			small++
		}
	}
	return small > 0 && !lexicon.IsGerman(question)
}

// maxShortLetters is the length of a word that may be anything: initials, a plate, a site's code.
const maxShortLetters = 3
